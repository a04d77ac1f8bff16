@fs_walkdir
Feature: The tool is called by its name, with one path

  @WD-SYN-01
  Rule: callers know the tool as FS.WalkDir

    @WD-SYN-01-01 @interpretation:AMB-WD-17
    Scenario: the name in the definition
      Given the tree "a/{b}, f"
      When FS.WalkDir is described
      Then the definition has {"name": ["FS.WalkDir", "TOOL.WalkDir"]}
      And a control call with {"path": "a"} lists "b"
      And the tree is unchanged

    @WD-SYN-01-02 @interpretation:AMB-WD-17
    Scenario: a call by that name reaches the tool
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "walktest"}
      Then the entries include "file1.txt"
      And the tree is unchanged

    @WD-SYN-01-04 @interpretation:AMB-WD-17
    Scenario: the name in the definition after a call
      Given the tree "a/{b}, f"
      When FS.WalkDir is called with {"path": "a"}
      And FS.WalkDir is described
      Then the definition has {"name": ["FS.WalkDir", "TOOL.WalkDir"]}
      And a control call with {"path": "a"} lists "b"
      And the tree is unchanged

  @WD-ARG-01
  Rule: path is the one argument

    # The names are those that programs give to what is missing.
    @WD-ARG-01-01
    Scenario: no argument
      Given the tree "walktest/{file1.txt=9}, undefined/{x}, null/{x}, None/{x}, nil/{x}"
      When FS.WalkDir is called with exactly {}
      Then by AMB-WD-26 the answer is one of
        | reading    | result | fails     |
        | nil        | nil    |           |
        | call_error |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

    Scenario Outline: one argument too many: <case>
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly <arguments>
      Then by AMB-WD-29 the answer is one of
        | reading    | result | fails     |
        | nil        | nil    |           |
        | call_error |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

      Examples:
        | id           | case                           | arguments                                  |
        | WD-ARG-01-02 | a second one                   | {"path": "walktest", "recursive": true}    |
        | WD-ARG-01-03 | a second one that is null      | {"path": "walktest", "depth": null}        |
        | WD-ARG-01-08 | the name in another case as well | {"path": "walktest", "Path": "walktest"} |

    @WD-ARG-01-09
    Scenario: a list of two values
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with exactly ["walktest", "z"]
      Then the answer is one of
        | result | fails     |
        | nil    |           |
        |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

    # A tool whose arguments are known by their place alone has no names to compare.
    Scenario Outline: one argument, under <case>
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with exactly <arguments>
      Then by AMB-WD-25 and AMB-WD-26 the answer is one of
        | reading | AMB-WD-26  | result | fails     | entries   |
        | name    | nil        | nil    |           |                                    |
        | name    | call_error |        | any error |                                    |
        | place   |            |        |           | file1.txt |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

      Examples:
        | id           | case                           | arguments                                  |
        | WD-ARG-01-04 | another name                   | {"dir": "walktest"}                        |
        | WD-ARG-01-05 | the name in another case       | {"Path": "walktest"}                       |

    # An interpreter may refuse such a call before the tool is reached, and end the script.
    Scenario Outline: a script calls with <case>
      Given the tree "walktest/{file1.txt=9}"
      When the script "<script>" is run
      Then the script fails, or lists nothing
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

      Examples:
        | id           | case             | script   |
        | WD-ARG-01-06 | a second value   | surplus  |
        | WD-ARG-01-07 | no value         | no-value |

  @WD-ARG-02
  Rule: path is a string

    Scenario Outline: path is <case>
      Given the tree "1/{x}, true/{x}, null/{x}, 0/{x}, false/{x}, walk/{test/{x}}, 'walk,test'/{x}, '1.0'/{x}, '1.5'/{x}, '100'/{x}, '100.0'/{x}, '1e2'/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly {"path": <path>}
      Then by AMB-WD-27 the answer is one of
        | reading    | result | fails     |
        | nil        | nil    |           |
        | call_error |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

      Examples:
        | id           | case                          | path         |
        | WD-ARG-02-01 | a number                      | 1            |
        | WD-ARG-02-02 | a boolean                     | true         |
        | WD-ARG-02-04 | a list with a path            | ["walktest"] |
        | WD-ARG-02-05 | a map                         | {}           |
        | WD-ARG-02-06 | a map with a path             | {"path": "walktest"} |
        | WD-ARG-02-07 | the number 0                  | 0            |
        | WD-ARG-02-08 | the other boolean             | false        |
        | WD-ARG-02-09 | a list without a path         | []           |
        | WD-ARG-02-10 | a list of the parts of a path | ["walk", "test"] |
        | WD-ARG-02-11 | a number with a fraction of 0 | 1.0          |
        | WD-ARG-02-12 | a number with a fraction      | 1.5          |
        | WD-ARG-02-13 | a number with an exponent     | 1e2          |

    # A language may take null for an argument that is not there, which is another question.
    @WD-ARG-02-03
    Scenario: path is null
      Given the tree "undefined/{x}, null/{x}, None/{x}, nil/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly {"path": null}
      Then the answer is one of
        | result | fails     |
        | nil    |           |
        |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-ARG-03
  Rule: the empty string is no path

    @WD-ARG-03-01
    Scenario: the empty path does not name the sandbox
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": ""}
      Then by AMB-WD-28 the answer is one of
        | reading    | result | fails     |
        | nil        | nil    |           |
        | call_error |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

    @WD-ARG-03-03
    Scenario: the empty path of a script does not name the sandbox
      Given the tree "walktest/{file1.txt=9}"
      When the script "empty-path" is run
      Then the script fails, or lists nothing
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-ARG-04
  Rule: path is relative to the sandbox, however it is spelt

    Scenario Outline: one place, another spelling: <case>
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": <path>}
      Then the elements are "file2.js"
      And the tree is unchanged

      Examples:
        | id           | case                             | path                                    |
        | WD-ARG-04-01 | plain                            | "walktest/subdir"                       |
        | WD-ARG-04-02 | a slash at the end               | "walktest/subdir/"                      |
        | WD-ARG-04-03 | several of them                  | "walktest/subdir///"                    |
        | WD-ARG-04-04 | dots and doubled slashes         | "./walktest//subdir/."                  |
        | WD-ARG-04-05 | dots in the middle               | "walktest/././subdir"                   |
        | WD-ARG-04-06 | a long way to somewhere near     | "walktest$('/.'*1000)/subdir"           |

    Scenario Outline: the sandbox, in another spelling than one dot: <path>
      Given the tree "walktest/, file1.txt=9"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "walktest, file1.txt"
      And the tree is unchanged

      Examples:
        | id            | path   |
        | WD-ARG-04-141 | ./     |
        | WD-ARG-04-142 | ././.  |

    # A dot in front of a name belongs to the name.
    Scenario Outline: a way through directories with hidden names: <case>
      Given the tree "<tree>, z"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "x"
      And the tree is unchanged

      Examples:
        | id            | case                          | tree               | path    |
        | WD-ARG-04-143 | one                           | .a/{x}             | .a      |
        | WD-ARG-04-144 | beside one without the dot    | .a/{x}, a/{y}      | .a      |
        | WD-ARG-04-145 | below another directory       | b/{.c/{x}, c/{y}}  | b/.c    |
        | WD-ARG-04-146 | two of them, spelt with a dot | .a/{.c/{x}}, c/{y} | ./.a/.c |

    @WD-ARG-04-128
    Scenario: a second path is relative to the sandbox, and not to the start before
      Given the tree "walktest/{file1.txt=9, walktest/{wrong}, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "walktest"}
      And FS.WalkDir is called again with {"path": "walktest/subdir"}
      Then the elements are "file2.js"
      And the tree is unchanged

    Scenario Outline: two dots that stay inside: <path>
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": <path>}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries  | result  |
        | accepted | file2.js |         |
        | refused  |          | no list |
      And a control call with {"path": "walktest/subdir"} lists "file2.js"
      And the tree is unchanged

      Examples:
        | id           | path                            |
        | WD-ARG-04-07 | "walktest/../walktest/subdir"   |
        | WD-ARG-04-08 | "walktest/subdir/../subdir"     |

    @WD-ARG-04-130
    Scenario: two dots lead up, and are not left out
      Given the tree "walktest/{subdir/{wrong}}, subdir/{file2.js=9}"
      When FS.WalkDir is called with {"path": "walktest/../subdir"}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries  | result  |
        | accepted | file2.js |         |
        | refused  |          | no list |
      And a control call with {"path": "walktest"} lists "subdir"
      And the tree is unchanged

    @WD-ARG-04-09
    Scenario: an absolute path inside the sandbox
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "$ROOT/walktest/subdir"}
      Then by AMB-WD-10 the answer is one of
        | reading  | entries  | result  |
        | accepted | file2.js |         |
        | refused  |          | nothing |
        | joined   |          | nothing |
      And a control call with {"path": "walktest/subdir"} lists "file2.js"
      And the tree is unchanged

    @WD-ARG-04-19
    Scenario: a slash before the name of a directory of the sandbox
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with {"path": "/walktest"}
      Then by AMB-WD-10 the answer is one of
        | reading  | entries   | result  |
        | refused  |           | nothing |
        | accepted |           | nothing |
        | joined   | file1.txt |         |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

    @WD-ARG-04-10
    Scenario: a name that begins with dots is a name
      Given the tree "..subdir/{x}, .../{y}"
      When FS.WalkDir is called with {"path": "..subdir"}
      Then the elements are "x"
      And the tree is unchanged

    @WD-ARG-04-11 @needs:case_sensitive
    Scenario: another case is another name
      Given the tree "Walk/{a}, walk/{b}"
      When FS.WalkDir is called with {"path": "Walk"}
      Then the elements are "a"
      And the tree is unchanged

    Scenario Outline: names that a shell would take for something else: <path>
      Given the tree "'~'/{a}, '*'/{b}, '$HOME'/{c}, 'a b'/{d}, '%2e'/{e}, 'é文'/{f}, '-r'/{g}, ' h'/{h}, 'i '/{i}, ' '/{k}"
      When FS.WalkDir is called with {"path": <path>}
      Then the elements are "<entry>"
      And the tree is unchanged

      Examples:
        | id           | path    | entry |
        | WD-ARG-04-12 | "~"     | a     |
        | WD-ARG-04-13 | "*"     | b     |
        | WD-ARG-04-14 | "$HOME" | c     |
        | WD-ARG-04-15 | "a b"   | d     |
        | WD-ARG-04-16 | "%2e"   | e     |
        | WD-ARG-04-17 | "é文"    | f     |
        | WD-ARG-04-18 | "-r"    | g     |
        | WD-ARG-04-101 | " h"   | h     |
        | WD-ARG-04-102 | "i "   | i     |
        | WD-ARG-04-127 | " "    | k     |

    Scenario Outline: names that are only nearly something else: <path>
      Given the tree "'a..'/{x}, '...'/{y}, d/{'..e'/{z}}, 'a\\b'/{u}, a/{b/{v}}, 'e\u0301'/{n}, 'a+b'/{p}, 'c:'/{q}, 'g\n'/{r}, '\"h\"'/{t}, '\'i\''/{w}, 'k.'/{m}, g/{s}, h/{s}, i/{s}, k/{s}, 'l#m'/{j}, 'l?m'/{o}, 'l;m'/{l}, l/{s}"
      When FS.WalkDir is called with {"path": <path>}
      Then the elements are "<entry>"
      And the tree is unchanged

      Examples:
        | id            | path      | entry |
        | WD-ARG-04-103 | "a../"    | x     |
        | WD-ARG-04-104 | ".../."   | y     |
        | WD-ARG-04-105 | "d/..e"   | z     |
        | WD-ARG-04-106 | "a\\\\b"  | u     |
        | WD-ARG-04-107 | "e\u0301" | n     |
        | WD-ARG-04-108 | "a+b"     | p     |
        | WD-ARG-04-109 | "c:"      | q     |
        | WD-ARG-04-110 | "g\\n"    | r     |
        | WD-ARG-04-111 | "\"h\""   | t     |
        | WD-ARG-04-112 | "'i'"     | w     |
        | WD-ARG-04-113 | "k."      | m     |
        | WD-ARG-04-115 | "l#m"     | j     |
        | WD-ARG-04-116 | "l?m"     | o     |
        | WD-ARG-04-117 | "l;m"     | l     |

    Scenario Outline: names that languages take for nothing, or for numbers: <path>
      Given the tree "0/{a}, 00/{b}, false/{c}, null/{d}, nil/{e}, 1/{f}, 01/{g}, 10/{h}, 1e1/{i}, z"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "<entry>"
      And the tree is unchanged

      Examples:
        | id            | path  | entry |
        | WD-ARG-04-132 | 0     | a     |
        | WD-ARG-04-133 | 00    | b     |
        | WD-ARG-04-134 | false | c     |
        | WD-ARG-04-135 | null  | d     |
        | WD-ARG-04-136 | nil   | e     |
        | WD-ARG-04-137 | 01    | g     |
        | WD-ARG-04-138 | 1e1   | i     |

    # Each row has a name for each sign that a program may take for something else: one such error loses the way.
    Scenario Outline: a way through directories: <case>
      Given the tree "<tree>, z"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "x"
      And the tree is unchanged

      Examples:
        | id            | case                      | tree                                                    | path                           |
        | WD-ARG-04-118 | twenty of them            | a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{l/{m/{n/{o/{p/{q/{r/{s/{t/{x}}}}}}}}}}}}}}}}}}}} | a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t |
        | WD-ARG-04-139 | names as long as they can be | 'n'*255/{'m'*255/{x}}                                | $('n'*255)/$('m'*255)          |
        | WD-ARG-04-119 | names that Windows keeps  | con/{aux.txt/{nul/{com1/{lpt9.log/{x}}}}}               | con/aux.txt/nul/com1/lpt9.log  |
        | WD-ARG-04-129 | a line of a file          | 'a:12'/{x}, a/{y}                                       | a:12                           |
        | WD-ARG-04-120 | signs of globs            | '[a]'/{'{b,c}'/{'d?'/{'!e'/{'**'/{x}}}}}, a/{'{b,c}'/{'d?'/{'!e'/{'**'/{y}}}}}                | [a]/{b,c}/d?/!e/**             |
        | WD-ARG-04-121 | tildes                    | '~root'/{'~'/{'~+'/{'f~'/{x}}}}                         | ~root/~/~+/f~                  |
        | WD-ARG-04-122 | signs of shells           | '`a`'/{'$(b)'/{'${c}'/{'d&e'/{'f\|g'/{'<h>'/{x}}}}}}   | `a`/$(b)/${c}/d&e/f\|g/<h>    |
        | WD-ARG-04-123 | percent signs             | '100%'/{'%s'/{'%2f'/{'%00'/{'%2e%2e'/{x}}}}}            | 100%/%s/%2f/%00/%2e%2e         |
        | WD-ARG-04-124 | blanks of several kinds   | 'a  b'/{'c\u00a0'/{'\u3000d'/{'e\u2028f'/{' '/{x}}}}} | a  b/c\u00a0/\u3000d/e\u2028f/\u0020 |
        | WD-ARG-04-125 | marks that show nothing   | 'a\u200b'/{'\u202eb'/{'\ufeffc'/{'d\u00ade'/{x}}}}  | a\u200b/\u202eb/\ufeffc/d\u00ade |
        | WD-ARG-04-126 | control characters        | '\x01'/{'a\tb'/{'\x1b[m'/{'c\rd'/{'\x7f'/{x}}}}}   | \u0001/a\tb/\u001b[m/c\rd/\u007f |

    # The sandbox itself may be reached through a link; the context then contains the name of the link.
    @WD-ARG-04-131
    Scenario: a sandbox that is reached through a link
      Given the tree "t/{a, b}"
      And beside the sandbox the tree "alias->root"
      And the context {"roots": ["$OUTSIDE/alias"], "working_dir": "$OUTSIDE/alias"}
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "a, b"
      And the tree is unchanged

    @WD-ARG-04-114
    Scenario: where the candidate's process was started plays no part
      Given the tree "t/{a, b}, z"
      And beside the sandbox the tree "elsewhere/{t/{wrong}}"
      And the candidate's process has {"cwd": "$OUTSIDE/elsewhere"}
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "a, b"
      And the tree is unchanged

    @WD-ARG-04-140
    Scenario: nor does a place of the process inside the sandbox
      Given the tree "t/{a, b}, elsewhere/{t/{wrong}}"
      And the candidate's process has {"cwd": "$ROOT/elsewhere"}
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "a, b"
      And the tree is unchanged

  @WD-ARG-05
  Rule: a dot names the sandbox

    @WD-ARG-05-01
    Scenario: the whole sandbox
      Given the tree "walktest/, file1.txt=9"
      When FS.WalkDir is called with {"path": "."}
      Then the elements are "walktest, file1.txt"
      And the tree is unchanged

    @WD-ARG-05-04
    Scenario: the sandbox, and not where the process is
      Given the tree "walktest/{wrong}, file1.txt=9"
      And the candidate's process has {"cwd": "$ROOT/walktest"}
      When FS.WalkDir is called with {"path": "."}
      Then the entries include "file1.txt, walktest"
      And the tree is unchanged
