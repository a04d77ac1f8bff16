@fs_walkdir
Feature: The tool is called by its name, with one path

  @WD-SYN-01 @interpretation:AMB-WD-17
  Rule: callers know the tool as FS.WalkDir

    @WD-SYN-01-01
    Scenario: the definition has one of the two names
      Given the tree "a/{b}, f"
      When FS.WalkDir is described
      Then the definition has {"name": ["FS.WalkDir", "TOOL.WalkDir"]}

    @WD-SYN-01-02
    Scenario: a call by that name reaches the tool
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "walktest"}
      Then the entries include "file1.txt"

    @WD-SYN-01-04
    Scenario: the definition has one of the two names after a call
      Given the tree "a/{b}, f"
      When FS.WalkDir is called with {"path": "a"}
      And FS.WalkDir is described
      Then the definition has {"name": ["FS.WalkDir", "TOOL.WalkDir"]}

  @WD-ARG-01
  Rule: path is the one argument

    # The names are those that programs give to what is missing.
    @WD-ARG-01-01
    Scenario: no argument lists nothing
      Given the tree "walktest/{file1.txt=9}, undefined/{x}, null/{x}, None/{x}, nil/{x}"
      When FS.WalkDir is called with exactly {}
      Then by AMB-WD-26 the result is nil, or the call fails

    Scenario Outline: one argument too many lists nothing: <case>
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly <arguments>
      Then by AMB-WD-29 the result is nil, or the call fails

      Examples:
        | id           | case                             | arguments                                |
        | WD-ARG-01-02 | a second one                     | {"path": "walktest", "recursive": true}  |
        | WD-ARG-01-03 | a second one that is null        | {"path": "walktest", "depth": null}      |
        | WD-ARG-01-08 | the name in another case as well | {"path": "walktest", "Path": "walktest"} |

    Scenario Outline: arguments without names list nothing: <case>
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with exactly <arguments>
      Then the result is nil, or the call fails

      Examples:
        | id           | case                 | arguments         |
        | WD-ARG-01-09 | a list of two values | ["walktest", "z"] |
        | WD-ARG-01-10 | an empty list        | []                |
        | WD-ARG-01-11 | a number             | 5                 |
        | WD-ARG-01-12 | null                 | null              |

    # A tool whose arguments are known by their place alone has no names to compare.
    Scenario Outline: one argument under another name: <case>
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with exactly <arguments>
      Then by AMB-WD-25 and AMB-WD-26 the answer is one of
        | reading | AMB-WD-26  | result | fails     | entries   |
        | name    | nil        | nil    |           |           |
        | name    | call_error |        | any error |           |
        | place   |            |        |           | file1.txt |

      Examples:
        | id           | case                     | arguments            |
        | WD-ARG-01-04 | another word             | {"dir": "walktest"}  |
        | WD-ARG-01-05 | the name in another case | {"Path": "walktest"} |

    # An interpreter may refuse such a call before the tool is reached, and end the script.
    Scenario Outline: a script that calls with <case> lists nothing
      Given the tree "walktest/{file1.txt=9}"
      When the script "<script>" is run
      Then the script fails, or lists nothing

      Examples:
        | id           | case           | script   |
        | WD-ARG-01-06 | a second value | surplus  |
        | WD-ARG-01-07 | no value       | no-value |

  @WD-ARG-02
  Rule: path is a string

    Scenario Outline: a path that is no string lists nothing: <case>
      Given the tree "1/{x}, true/{x}, null/{x}, 0/{x}, false/{x}, walk/{test/{x}}, 'walk,test'/{x}, '1.0'/{x}, '1.5'/{x}, '100'/{x}, '100.0'/{x}, '1e2'/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly {"path": <path>}
      Then by AMB-WD-27 the result is nil, or the call fails

      Examples:
        | id           | case                          | path                 |
        | WD-ARG-02-01 | a number                      | 1                    |
        | WD-ARG-02-02 | a boolean                     | true                 |
        | WD-ARG-02-04 | a list with a path            | ["walktest"]         |
        | WD-ARG-02-05 | a map                         | {}                   |
        | WD-ARG-02-06 | a map with a path             | {"path": "walktest"} |
        | WD-ARG-02-07 | the number 0                  | 0                    |
        | WD-ARG-02-08 | the other boolean             | false                |
        | WD-ARG-02-09 | a list without a path         | []                   |
        | WD-ARG-02-10 | a list of the parts of a path | ["walk", "test"]     |
        | WD-ARG-02-11 | a number with a fraction of 0 | 1.0                  |
        | WD-ARG-02-12 | a number with a fraction      | 1.5                  |
        | WD-ARG-02-13 | a number with an exponent     | 1e2                  |

    # A language may take null for an argument that is not there, which is another question.
    @WD-ARG-02-03
    Scenario: a path that is null lists nothing
      Given the tree "undefined/{x}, null/{x}, None/{x}, nil/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly {"path": null}
      Then the result is nil, or the call fails

  @WD-ARG-03
  Rule: the empty string is no path

    @WD-ARG-03-01
    Scenario: the empty path does not name the sandbox
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": ""}
      Then by AMB-WD-28 the result is nil, or the call fails

    @WD-ARG-03-03
    Scenario: the empty path of a script does not name the sandbox
      Given the tree "walktest/{file1.txt=9}"
      When the script "empty-path" is run
      Then the script fails, or lists nothing

  @WD-ARG-04
  Rule: path is relative to the sandbox, however it is spelt

    @WD-ARG-04-01
    Scenario: a path of two names leads to the directory
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "walktest/subdir"}
      Then the entries are "file2.js"

    @behaviour:BEH-13
    Scenario Outline: one place in another spelling: <case>
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": <path>}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries  | result  |
        | accepted | file2.js |         |
        | refused  | file2.js |         |
        | clean    |          | no list |

      Examples:
        | id           | case                           | path                                |
        | WD-ARG-04-02 | a slash at the end             | "walktest/subdir/"                  |
        | WD-ARG-04-03 | several slashes at the end     | "walktest/subdir///"                |
        | WD-ARG-04-04 | dots and doubled slashes       | "./walktest//subdir/."              |
        | WD-ARG-04-05 | dots in the middle             | "walktest/././subdir"               |
        | WD-ARG-04-06 | a thousand dots in the middle  | "walktest$('/.'*1000)/subdir"       |

    Scenario Outline: the sandbox in another spelling than one dot: <path>
      Given the tree "walktest/{x}, file1.txt=9"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries                         | result  |
        | accepted | walktest, walktest/x, file1.txt |         |
        | refused  | walktest, walktest/x, file1.txt |         |
        | clean    |                                 | no list |

      Examples:
        | id            | path  |
        | WD-ARG-04-141 | ./    |
        | WD-ARG-04-142 | ././. |

    # Taken for something else, each name would lead to a neighbour, or nowhere. A way has a name for each sign that a
    # program may treat in a special way: one such error loses the way.
    @behaviour:BEH-13
    Scenario Outline: a name is taken as it is written: <case>
      Given the tree "<tree>, z"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the entries are "x"

      Examples: dots
        | id            | case                              | tree                        | path    |
        | WD-ARG-04-10  | two dots before it                | '..subdir'/{x}, '...'/{y}   | ..subdir |
        | WD-ARG-04-103 | two dots behind it                | 'a..'/{x}, a/{y}            | a..     |
        | WD-ARG-04-105 | two dots further down             | d/{'..e'/{x}, e/{y}}        | d/..e   |
        | WD-ARG-04-113 | a dot behind it                   | 'k.'/{x}, k/{y}             | k.      |
        | WD-ARG-04-143 | hidden                            | .a/{x}                      | .a      |
        | WD-ARG-04-144 | hidden, beside one without a dot  | .a/{x}, a/{y}               | .a      |
        | WD-ARG-04-145 | hidden, in another directory      | b/{.c/{x}, c/{y}}           | b/.c    |
        | WD-ARG-04-146 | two hidden ones                   | .a/{.c/{x}}, c/{y}          | .a/.c   |

      Examples: signs of shells, globs, addresses and languages
        | id            | case                    | tree                          | path      |
        | WD-ARG-04-12  | a tilde                 | '~'/{x}                       | ~         |
        | WD-ARG-04-13  | a star                  | '*'/{x}, a/{y}                | *         |
        | WD-ARG-04-14  | a variable              | '$HOME'/{x}                   | $HOME     |
        | WD-ARG-04-15  | a blank in it           | 'a b'/{x}, a/{y}              | a b       |
        | WD-ARG-04-16  | an escape for a dot     | '%2e'/{x}                     | %2e       |
        | WD-ARG-04-17  | letters of other scripts | 'é文'/{x}                     | é文        |
        | WD-ARG-04-18  | a dash before it        | '-r'/{x}, r/{y}               | -r        |
        | WD-ARG-04-101 | a blank before it       | ' h'/{x}, h/{y}               | \u0020h   |
        | WD-ARG-04-102 | a blank behind it       | 'i '/{x}, i/{y}               | i\u0020   |
        | WD-ARG-04-127 | a blank alone           | ' '/{x}                       | \u0020    |
        | WD-ARG-04-106 | a backslash             | 'a\\\\b'/{x}, a/{b/{y}}         | a\\\\b    |
        | WD-ARG-04-107 | a letter and its mark   | 'e\u0301'/{x}                 | e\u0301   |
        | WD-ARG-04-108 | a plus sign             | 'a+b'/{x}, 'a b'/{y}          | a+b       |
        | WD-ARG-04-110 | a line break behind it  | 'g\\n'/{x}, g/{y}              | g\\n      |
        | WD-ARG-04-111 | double quotes around it | '\"h\"'/{x}, h/{y}            | \"h\"     |
        | WD-ARG-04-112 | single quotes around it | '\'i\''/{x}, i/{y}            | 'i'       |
        | WD-ARG-04-115 | a number sign           | 'l#m'/{x}, l/{y}              | l#m       |
        | WD-ARG-04-116 | a question mark         | 'l?m'/{x}, l/{y}              | l?m       |
        | WD-ARG-04-117 | a semicolon             | 'l;m'/{x}, l/{y}              | l;m       |
        | WD-ARG-04-132 | zero                    | 0/{x}, 00/{y}                 | 0         |
        | WD-ARG-04-133 | two zeros               | 00/{x}, 0/{y}                 | 00        |
        | WD-ARG-04-134 | false                   | false/{x}                     | false     |
        | WD-ARG-04-135 | null                    | null/{x}                      | null      |
        | WD-ARG-04-136 | nil                     | nil/{x}                       | nil       |
        | WD-ARG-04-137 | one with a zero         | 01/{x}, 1/{y}                 | 01        |
        | WD-ARG-04-138 | ten with an exponent    | 1e1/{x}, 10/{y}               | 1e1       |

      Examples: ways of several names
        | id            | case                         | tree                                                                                               | path                                    |
        | WD-ARG-04-118 | twenty directories           | a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{l/{m/{n/{o/{p/{q/{r/{s/{t/{x}}}}}}}}}}}}}}}}}}}}                  | a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t |
        | WD-ARG-04-139 | names as long as they can be | 'n'*255/{'m'*255/{x}}                                                                              | $('n'*255)/$('m'*255)                   |
        | WD-ARG-04-119 | names that Windows keeps     | con/{aux.txt/{nul/{com1/{lpt9.log/{x}}}}}                                                          | con/aux.txt/nul/com1/lpt9.log           |
        | WD-ARG-04-120 | signs of globs               | '[a]'/{'{b,c}'/{'d?'/{'!e'/{'**'/{x}}}}}, a/{'{b,c}'/{'d?'/{'!e'/{'**'/{y}}}}}                     | [a]/{b,c}/d?/!e/**                      |
        | WD-ARG-04-121 | tildes                       | '~root'/{'~'/{'~+'/{'f~'/{x}}}}                                                                    | ~root/~/~+/f~                           |
        | WD-ARG-04-122 | signs of shells              | '`a`'/{'$(b)'/{'${c}'/{'d&e'/{'f\|g'/{'<h>'/{x}}}}}}                                               | `a`/$(b)/${c}/d&e/f\|g/<h>              |
        | WD-ARG-04-123 | percent signs                | '100%'/{'%s'/{'%2f'/{'%00'/{'%2e%2e'/{x}}}}}                                                       | 100%/%s/%2f/%00/%2e%2e                  |
        | WD-ARG-04-124 | blanks of several kinds      | 'a  b'/{'c\u00a0'/{'\u3000d'/{'e\u2028f'/{' '/{x}}}}}                                              | a  b/c\u00a0/\u3000d/e\u2028f/\u0020    |
        | WD-ARG-04-125 | marks that show nothing      | 'a\u200b'/{'\u202eb'/{'\ufeffc'/{'d\u00ade'/{x}}}}                                                 | a\u200b/\u202eb/\ufeffc/d\u00ade        |
        | WD-ARG-04-126 | control characters           | '\x01'/{'a\tb'/{'\x1b[m'/{'c\rd'/{'\x7f'/{x}}}}}                                                   | \u0001/a\tb/\u001b[m/c\rd/\u007f        |

    # A letter and a colon may be taken for a drive.
    Scenario Outline: a name that some tools refuse is taken as it is written, or refused: <case>
      Given the tree "<tree>, z"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the answer is one of
        | entries | result  |
        | x       |         |
        |         | no list |

      Examples:
        | id            | case              | tree              | path  |
        | WD-ARG-04-104 | three dots        | '...'/{x}         | .../. |
        | WD-ARG-04-109 | a colon behind it | 'c:'/{x}          | c:    |
        | WD-ARG-04-129 | a line of a file  | 'a:12'/{x}, a/{y} | a:12  |

    @WD-ARG-04-11 @needs:case_sensitive
    Scenario: another case is another name
      Given the tree "Walk/{a}, walk/{b}"
      When FS.WalkDir is called with {"path": "Walk"}
      Then the entries are "a"

    @WD-ARG-04-128
    Scenario: a second path is relative to the sandbox, and not to the start before
      Given the tree "walktest/{file1.txt=9, walktest/{wrong}, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "walktest"}
      And FS.WalkDir is called again with {"path": "walktest/subdir"}
      Then the entries are "file2.js"

    @behaviour:BEH-13
    Scenario Outline: two dots that stay inside lead up, or are refused: <path>
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}, subdir/{file3.go=9}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries  | result  |
        | accepted | <entry>  |         |
        | refused  |          | no list |
        | clean    |          | no list |

      Examples:
        | id            | path                        | entry    |
        | WD-ARG-04-07  | walktest/../walktest/subdir | file2.js |
        | WD-ARG-04-08  | walktest/subdir/../subdir   | file2.js |
        | WD-ARG-04-130 | walktest/../subdir          | file3.go |

    @WD-ARG-04-09
    Scenario: an absolute path inside the sandbox
      Given the tree "walktest/{file1.txt=9, subdir/{file2.js=9}}"
      When FS.WalkDir is called with {"path": "$ROOT/walktest/subdir"}
      Then by AMB-WD-10 the answer is one of
        | reading  | entries  | result  |
        | accepted | file2.js |         |
        | refused  |          | no list |
        | joined   |          | no list |

    @WD-ARG-04-19
    Scenario: a slash before the name of a directory of the sandbox
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with {"path": "/walktest"}
      Then by AMB-WD-10 the answer is one of
        | reading  | entries   | result  |
        | refused  |           | no list |
        | accepted |           | no list |
        | joined   | file1.txt |         |

    # The sandbox itself may be reached through a link; the context then contains the name of the link.
    @WD-ARG-04-131
    Scenario: a sandbox that is reached through a link is walked
      Given the tree "t/{a, b}"
      And beside the sandbox the tree "alias->root"
      And the context {"roots": ["$OUTSIDE/alias"], "working_dir": "$OUTSIDE/alias"}
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "a, b"

    # A check that puts a slash behind the sandbox refuses all of it.
    Scenario Outline: the root of the system is a sandbox like any other: <path>
      Given the tree "t/{a, b}, l->../other"
      And beside the sandbox the tree "other/{od/{c}}"
      And the context {"roots": ["/"], "working_dir": "/"}
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries   | result  |
        | accepted | <entries> |         |
        | refused  | <entries> |         |
        | clean    |           | no list |

      Examples:
        | id            | path              | entries |
        | WD-ARG-04-147 | .$ROOT/t          | a, b    |
        | WD-ARG-04-148 | .$OUTSIDE/other   | od, od/c |

    # In a clean spelling, only a directory that every such system has can be named.
    @WD-ARG-04-149 @needs:inotify
    Scenario: the root of the system is a sandbox like any other, for a clean path
      Given the tree "t/{a, b}"
      And the context {"roots": ["/"], "working_dir": "/"}
      When FS.WalkDir is called with {"path": "proc/sys/fs/inotify"}
      Then the entries include "max_user_instances, max_user_watches"

    Scenario Outline: the working directory of the candidate's process plays no part: <case>
      Given the tree "t/{a, b}, elsewhere/{t/{wrong}}"
      And beside the sandbox the tree "elsewhere/{t/{wrong}}"
      And the candidate's process has {"cwd": "<cwd>"}
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "a, b"

      Examples:
        | id            | case                | cwd                |
        | WD-ARG-04-114 | beside the sandbox  | $OUTSIDE/elsewhere |
        | WD-ARG-04-140 | inside the sandbox  | $ROOT/elsewhere    |

  @WD-ARG-05
  Rule: a dot names the sandbox

    @WD-ARG-05-01
    Scenario: a dot gives the whole sandbox
      Given the tree "walktest/{x}, file1.txt=9"
      When FS.WalkDir is called with {"path": "."}
      Then the entries are "walktest, walktest/x, file1.txt"

    @WD-ARG-05-04
    Scenario: a dot names the sandbox, and not where the process is
      Given the tree "walktest/{wrong}, file1.txt=9"
      And the candidate's process has {"cwd": "$ROOT/walktest"}
      When FS.WalkDir is called with {"path": "."}
      Then the entries are "file1.txt, walktest, walktest/wrong"
