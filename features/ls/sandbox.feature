@ls
Feature: Paths start at the working directory and stay inside the project root

  @LS-SEC-01
  Rule: a path outside is refused

    @behaviour:BEH-01
    Scenario Outline: a relative path out: <what>
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "src/{main.py}, README.md"
      When LS is called with <arguments>
      Then the call is refused with ACCESS_DENIED
      And the answer does not say "secret"

      Examples:
        | id           | what                                     | arguments                           |
        | LS-SEC-01-01 | two dots                                 | {"path": ".."}                      |
        | LS-SEC-01-02 | through a directory inside               | {"path": "src/../../"}              |
        | LS-SEC-01-03 | to a directory beside the root           | {"path": "../outside"}              |
        | LS-SEC-01-04 | with dots between                        | {"path": "./../outside/."}          |
        | LS-SEC-01-05 | through a directory to one below another | {"path": "src/../../outside/sub"}   |
        | LS-SEC-01-06 | as far as there is                       | {"path": "../../../../../../../.."} |
        | LS-SEC-01-07 | two dots and a slash                     | {"path": "../"}                     |

    Scenario Outline: an absolute path outside: <what>
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "src/{main.py}, README.md"
      And the context {"allow_absolute": true}
      When LS is called with <arguments>
      Then the call is refused with ACCESS_DENIED
      And the answer does not say "secret"

      Examples:
        | id           | what                               | arguments                    |
        | LS-SEC-01-08 | the root of the file system        | {"path": "/"}                |
        | LS-SEC-01-09 | a directory of the system          | {"path": "/etc"}             |
        | LS-SEC-01-10 | the directory above the root       | {"path": "$OUTSIDE"}         |
        | LS-SEC-01-11 | a directory beside the root        | {"path": "$OUTSIDE/outside"} |
        | LS-SEC-01-12 | the root and two dots              | {"path": "$ROOT/.."}         |
        | LS-SEC-01-13 | the root, two dots and a directory | {"path": "$ROOT/../outside"} |
        | LS-SEC-01-27 | two slashes                        | {"path": "//"}               |

    @LS-SEC-01-14
    Scenario: a path that climbs out from a working directory below
      Given the tree "src/{main.py}, README.md"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "../.."}
      Then the call is refused with ACCESS_DENIED

    # A path that is decoded, trimmed or normalised after it was checked leads out. Taken as it is written, nothing has
    # such a name.
    @behaviour:BEH-13
    Scenario Outline: no way out to the letter: <case>
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "src/{main.py}, README.md"
      When LS is called with {"path": <path>}
      Then the call is refused with any code
      And the answer does not say "secret"

      Examples:
        | id           | case                      | path                      |
        | LS-SEC-01-17 | backslashes               | "..\\\\outside"           |
        | LS-SEC-01-18 | escapes of addresses      | "%2e%2e/outside"          |
        | LS-SEC-01-19 | an escape for the slash   | "..%2foutside"            |
        | LS-SEC-01-20 | escapes of escapes        | "%252e%252e%252foutside"  |
        | LS-SEC-01-21 | a blank before it         | " ../outside"             |
        | LS-SEC-01-22 | a line break before it    | "\\n../outside"           |
        | LS-SEC-01-23 | quotes around it          | "'../outside'"            |
        | LS-SEC-01-24 | a mark that shows nothing | "..\u200b/outside"        |
        | LS-SEC-01-25 | dots of another width     | "\uff0e\uff0e/outside"    |
        | LS-SEC-01-26 | an address of a file      | "file://$OUTSIDE/outside" |

    @LS-SEC-01-16
    Scenario: what was the project root of an earlier call is outside of a later one
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "src/{main.py}, README.md"
      And the context {"roots": ["$OUTSIDE/outside"], "working_dir": "$OUTSIDE/outside"}
      When LS is called with {}
      Given the context {"roots": ["$ROOT"], "working_dir": "$ROOT"}
      When LS is called again with {"path": "../outside"}
      Then the call is refused with ACCESS_DENIED
      And the answer does not say "secret"

    # Which of the errors, is a matter of the framework, which names the root.
    Scenario Outline: a project root that is missing: <what>
      Given the tree "src/{main.py}"
      And the context {"roots": ["$OUTSIDE/gone"], "working_dir": "$OUTSIDE/gone"}
      When LS is called with <arguments>
      Then the call is refused with any code

      Examples:
        | id           | what                    | arguments            |
        | LS-SEC-01-28 | the root                | {}                   |
        | LS-SEC-01-29 | the directory around it | {"path": ".."}       |
        | LS-SEC-01-30 | one beside it           | {"path": "../root"}  |

  @LS-SEC-02
  Rule: relative paths start at the working directory

    Scenario Outline: a path from a working directory below: <path>
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-76 the answer is one of
        | reading     | entries   | refused   |
        | working_dir | <entries> |           |
        | root        | <others>  | <refused> |

      Examples:
        | id           | path    | entries       | others                       | refused   |
        | LS-SEC-02-01 | .       | util, main.py | agents, docs, src, README.md |           |
        | LS-SEC-02-03 | util    | x.py          |                              | NOT_FOUND |
        | LS-SEC-02-05 | ./util/ | x.py          |                              | NOT_FOUND |

    Scenario Outline: a path that climbs from a working directory below: <path>
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-76 and AMB-LS-80 the answer is one of
        | reading     | AMB-LS-80 | entries   | refused       |
        | working_dir | a         | <entries> |               |
        | root        |           |           | ACCESS_DENIED |
        |             | b         |           | any code      |

      Examples:
        | id           | path    | entries                      |
        | LS-SEC-02-02 | ..      | agents, docs, src, README.md |
        | LS-SEC-02-04 | ../docs | guide.md                     |
        | LS-SEC-02-06 | ../src  | util, main.py                |

    @LS-SEC-02-07
    Scenario: a path from the root is none from below
      Given the tree "docs/{guide.md}, src/{main.py}"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "docs"}
      Then by AMB-LS-76 the answer is one of
        | reading     | refused   | entries  |
        | working_dir | NOT_FOUND |          |
        | root        |           | guide.md |

    Scenario Outline: a name that looks like the way up or like a home directory: <path>
      Given the tree "'~'/{a}, 'a..'/{y}, '~root'/{'~'/{'f~'/{x}}}, root/{'f~'/{w}, '~'/{'f~'/{w}}}"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-83 the answer is one of
        | reading | entries | refused  |
        | a       | <entry> |          |
        | b       |         | any code |

      Examples:
        | id            | path       | entry |
        | LS-SEC-02-101 | ~          | a     |
        | LS-SEC-02-107 | a../       | y     |
        | LS-SEC-02-118 | ~root/~/f~ | x     |

    Scenario Outline: a name that has an escape of addresses: <path>
      Given the tree "'%2e'/{d}, 'a%2fb'/{e}, a/{b/{w}}"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-83 the answer is one of
        | reading | entries | refused  |
        | a       | <entry> |          |
        | b       | <entry> |          |
        |         |         | any code |

      Examples:
        | id            | path  | entry |
        | LS-SEC-02-104 | %2e   | d     |
        | LS-SEC-02-127 | a%2fb | e     |

    @behaviour:BEH-13
    Scenario Outline: names that a shell would take for something else: <path>
      Given the tree "'*'/{b}, '$HOME'/{c}, '-r'/{e}"
      When LS is called with {"path": "<path>"}
      Then the entries are "<entry>"

      Examples:
        | id            | path  | entry |
        | LS-SEC-02-102 | *     | b     |
        | LS-SEC-02-103 | $HOME | c     |
        | LS-SEC-02-105 | -r    | e     |

    @behaviour:BEH-13
    Scenario Outline: a name that is nearly something else: <what>
      Given the tree "'a..'/{y}, 'a\\b'/{u}, a/{b/{v}}, 'e\u0301'/{n}, 'a+b'/{p}, 'a b'/{i}, 'g\n'/{r}, g/{s}, '\"q\"'/{t}, q/{w}, 'h.'/{o}, h/{m}"
      When LS is called with {"path": <path>}
      Then the entries are "<entry>"

      Examples:
        | id            | what                        | path       | entry |
        | LS-SEC-02-109 | a backslash                 | "a\\\\b"   | u     |
        | LS-SEC-02-110 | a letter that has two forms | "e\\u0301" | n     |
        | LS-SEC-02-111 | a plus                      | "a+b"      | p     |
        | LS-SEC-02-112 | a line break at its end     | "g\\n"     | r     |
        | LS-SEC-02-113 | quotes around it            | "\\"q\\""  | t     |
        | LS-SEC-02-114 | a dot at its end            | "h."       | o     |

    # Each row has a name for each sign that a program may take for something else: one such error loses the way.
    @behaviour:BEH-13
    Scenario Outline: a way through directories: <case>
      Given the tree "<tree>, z"
      When LS is called with {"path": "<path>"}
      Then the entries are "x"

      Examples:
        | id            | case                          | tree                                                         | path                                    |
        | LS-SEC-02-115 | hundreds of them              | 'd/'*400'x'                                                  | $('d/'*400)                             |
        | LS-SEC-02-116 | names that Windows keeps      | con/{aux.txt/{nul/{com1/{'d:12'/{x}}}}}                      | con/aux.txt/nul/com1/d:12               |
        | LS-SEC-02-117 | signs of globs                | '[a]'/{'{b,c}'/{'d?'/{'!e'/{'**'/{x}}}}}, a/{'{b,c}'/{'d?'/{'!e'/{'**'/{y}}}}} | [a]/{b,c}/d?/!e/**                      |
        | LS-SEC-02-119 | signs of shells and addresses | '`a`'/{'$(b)'/{'${c}'/{'d&e'/{'f\|g'/{'#h'/{'i;j'/{x}}}}}}}  | `a`/$(b)/${c}/d&e/f\|g/#h/i;j           |
        | LS-SEC-02-120 | percent signs                 | '100%'/{'%s'/{'%20'/{'%41'/{x}}}}                            | 100%/%s/%20/%41                         |
        | LS-SEC-02-121 | blanks of several kinds       | 'a  b'/{'c\u00a0'/{'\u3000d'/{'e '/{x}}}}                    | a  b/c\u00a0/\u3000d/e\u0020            |
        | LS-SEC-02-122 | marks that show nothing       | 'a\u200b'/{'\u202eb'/{'\ufeffc'/{'d\u00ade'/{x}}}}           | a\u200b/\u202eb/\ufeffc/d\u00ade        |
        | LS-SEC-02-123 | control characters            | '\x01'/{'a\tb'/{'\x1b[m'/{'c\rd'/{'\x7f'/{x}}}}}             | \u0001/a\tb/\u001b[m/c\rd/\u007f        |
        | LS-SEC-02-124 | quotes of one kind            | '\'a\''/{x}, a/{y}                                           | 'a'                                     |
        | LS-SEC-02-125 | names of 255 bytes            | 'n'*255/{'m'*255/{x}}                                        | $('n'*255)/$('m'*255)                   |

    @LS-SEC-02-126
    Scenario: from a working directory in a project whose root is reached through a link
      Given beside the sandbox the tree "way->root"
      And the tree "src/{util/{x.py}}, util/{y}"
      And the context {"roots": ["$OUTSIDE/way"], "working_dir": "$OUTSIDE/way/src"}
      When LS is called with {"path": "util"}
      Then by AMB-LS-76 the answer is one of
        | reading     | entries |
        | working_dir | x.py    |
        | root        | y       |

    @LS-SEC-02-08
    Scenario: where the candidate's process was started plays no part
      Given the tree "docs/{guide.md}, src/{main.py}"
      And the candidate's process has {"cwd": "$ROOT/src"}
      When LS is called with {"path": "docs"}
      Then the entries are "guide.md"

  @LS-SEC-03
  Rule: an absolute path inside is accepted

    Scenario Outline: an absolute path inside: <what>
      Given the tree "agents/, src/{main.py, util/{x.py}}, README.md"
      And the context {"allow_absolute": true}
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id           | what                            | arguments               | entries                |
        | LS-SEC-03-01 | a directory                     | {"path": "$ROOT/src"}   | util, main.py          |
        | LS-SEC-03-02 | the root                        | {"path": "$ROOT"}       | agents, src, README.md |
        | LS-SEC-03-03 | the root with a slash behind it | {"path": "$ROOT/"}      | agents, src, README.md |
        | LS-SEC-03-10 | a dot before it                 | {"path": "/.$ROOT/src"} | util, main.py          |

    Scenario Outline: an absolute path with two dots: <path>
      Given the tree "agents/, src/{main.py, util/{x.py}}, README.md"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-80 the answer is one of
        | reading | entries       | refused  |
        | a       | util, main.py |          |
        | b       |               | any code |

      Examples:
        | id           | path                |
        | LS-SEC-03-04 | $ROOT/src/../src/./ |
        | LS-SEC-03-05 | $ROOT/../root/src   |
        | LS-SEC-03-06 | /../..$ROOT/src     |

    @LS-SEC-03-07
    Scenario: whatever the working directory is
      Given the tree "src/{main.py}, docs/{guide.md}"
      And the context {"allow_absolute": true, "working_dir": "$ROOT/src"}
      When LS is called with {"path": "$ROOT/docs"}
      Then the entries are "guide.md"

    @LS-SEC-03-08
    Scenario: an absolute path in a project whose root is reached through a link
      Given beside the sandbox the tree "way->root"
      And the tree "src/{main.py}"
      And the context {"allow_absolute": true, "roots": ["$OUTSIDE/way"], "working_dir": "$OUTSIDE/way"}
      When LS is called with {"path": "$OUTSIDE/way/src"}
      Then the entries are "main.py"

    # Followed by a slash as text, this root is not the beginning of any path.
    @LS-SEC-03-11
    Scenario: in a project whose root is the top of the system
      Given the tree "src/{main.py}"
      And the context {"allow_absolute": true, "roots": ["/"], "working_dir": "$ROOT"}
      When LS is called with {"path": "$ROOT/src"}
      Then the entries are "main.py"

  @LS-SEC-04
  Rule: what counts is where a path leads

    @behaviour:BEH-01
    Scenario Outline: a path over a link out: <what>
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "src/{main.py, far->../../outside}, out->../outside, chain->out, up->.."
      When LS is called with <arguments>
      Then by AMB-LS-79 the answer is one of
        | reading | refused       |
        | a       | ACCESS_DENIED |
        | b       | any code      |
      And the answer does not say "secret"

      Examples:
        | id            | what                                         | arguments              |
        | LS-SEC-04-01  | the link itself                              | {"path": "out"}        |
        | LS-SEC-04-02  | a directory behind it                        | {"path": "out/sub"}    |
        | LS-SEC-04-03  | a link to that link                          | {"path": "chain"}      |
        | LS-SEC-04-04  | a link in a directory                        | {"path": "src/far"}    |
        | LS-SEC-04-05  | a link to the directory above the root       | {"path": "up"}         |
        | LS-SEC-04-06  | back down behind such a link                 | {"path": "up/outside"} |
        | LS-SEC-04-07  | a dot behind it                              | {"path": "out/."}      |
        | LS-SEC-04-101 | a slash behind it                            | {"path": "out/"}       |
        | LS-SEC-04-102 | slashes and dots around it                   | {"path": "./out//"}    |
        | LS-SEC-04-103 | a link in a directory with a slash behind it | {"path": "src/far/"}   |

    @LS-SEC-04-106
    Scenario: through a link that stays inside and climbs on its way
      Given the tree "src/{main.py, util/{x.py}}, s->./src/../src/util/.."
      When LS is called with {"path": "s"}
      Then by AMB-LS-79 the answer is one of
        | reading | entries       | refused  |
        | a       | util, main.py |          |
        | b       |               | any code |

    # A sandbox that follows links may leave out those from the top and those that come back in, which are refused then.
    Scenario Outline: through <what>
      Given the tree "src/{main.py, util/{x.py}}, <links>"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-79 the answer is one of
        | reading | entries       | refused  |
        | a       | util, main.py |          |
        |         |               | any code |

      Examples:
        | id            | what                                         | links              | path        |
        | LS-SEC-04-104 | a link inside with an absolute target        | s->$ROOT/src       | s           |
        | LS-SEC-04-105 | a link to a link with an absolute target     | s->t, t->$ROOT/src | s           |
        | LS-SEC-04-09  | a link out of the sandbox and straight in again | up->..          | up/root/src |

    @LS-SEC-04-107 @behaviour:BEH-14
    Scenario: a link out in the place of one that stayed inside and was listed before
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "d->src, src/{main.py}"
      When LS is called with {"path": "d"}
      And "d" has been removed
      And the tree gets "d->../outside"
      And LS is called again with {"path": "d"}
      Then the call is refused with ACCESS_DENIED, or as the one before
      And the answer does not say "secret"

    @LS-SEC-04-108 @behaviour:BEH-14
    Scenario: a directory in the place of a link out that was refused before
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "d->../outside, src/{main.py}"
      When LS is called with {"path": "d"}
      And "d" has been removed
      And the tree gets "d/{x}"
      And LS is called again with {"path": "d"}
      Then the entries are "x"

    @LS-SEC-04-10
    Scenario: a link out by an absolute path
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "src/{main.py}, out->../outside"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/out"}
      Then by AMB-LS-79 the answer is one of
        | reading | refused       |
        | a       | ACCESS_DENIED |
        | b       | any code      |
      And the answer does not say "secret"

    Scenario Outline: what is not there outside, by way of a link: <path>
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "src/{main.py}, l->/no/such, out->../outside"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-79 the answer is one of
        | reading | refused       |
        | a       | ACCESS_DENIED or NOT_FOUND |
        | b       | any code      |

      Examples:
        | id            | path     |
        | LS-SEC-04-11  | l        |
        | LS-SEC-04-109 | out/nope |

    @LS-SEC-04-12
    Scenario: a project root that is reached through a link is no way out
      Given beside the sandbox the tree "way->root"
      And the tree "src/{main.py}, README.md"
      And the context {"roots": ["$OUTSIDE/way"], "working_dir": "$OUTSIDE/way"}
      When LS is called with {"path": "src"}
      Then the entries are "main.py"

    @LS-SEC-04-13
    Scenario: a link by which one climbs further than by the text
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "src/{main.py}, out->../outside/sub"
      When LS is called with {"path": "out/.."}
      Then by AMB-LS-61, AMB-LS-79 and AMB-LS-80 the answer is one of
        | reading | AMB-LS-79 | AMB-LS-80 | refused       | entries  |
        | a       |           |           | ACCESS_DENIED |          |
        | c       |           |           | ACCESS_DENIED |          |
        | b       |           | a         |               | src, out |
        | b       |           | b         | any code      |          |
        |         | b         |           | any code      |          |
      And the answer does not say "secret"

    @LS-SEC-04-15
    Scenario: two dots behind a link that stays inside
      Given the tree "d/{e/{x}, f}, l->d/e"
      When LS is called with {"path": "l/.."}
      Then by AMB-LS-61, AMB-LS-79 and AMB-LS-80 the answer is one of
        | reading | AMB-LS-79 | AMB-LS-80 | entries | refused  |
        | a       | a         | a         | e, f    |          |
        | c       | a         | a         | e, f    |          |
        | b       |           | a         | d, l    |          |
        |         | b         |           |         | any code |
        |         |           | b         |         | any code |

  @LS-SEC-05
  Rule: a common beginning of two names is nothing

    Scenario Outline: a sibling of the root: <what>
      Given beside the sandbox the tree "root-evil/{secret, sub/{deep}}, root2/{secret}"
      And the tree "src/{main.py}, README.md"
      And the context {"allow_absolute": true}
      When LS is called with <arguments>
      Then the call is refused with ACCESS_DENIED
      And the answer does not say "secret"

      Examples:
        | id           | what                                  | arguments                   |
        | LS-SEC-05-01 | by a relative path                    | {"path": "../root-evil"}    |
        | LS-SEC-05-02 | by an absolute path                   | {"path": "$ROOT-evil"}      |
        | LS-SEC-05-03 | by a relative path to another one     | {"path": "../root2"}        |
        | LS-SEC-05-04 | a directory in it by an absolute path | {"path": "$ROOT-evil/sub"}  |
        | LS-SEC-05-05 | through a directory inside            | {"path": "src/../../root2"} |

    @LS-SEC-05-101 @needs:case_sensitive @behaviour:BEH-01
    Scenario: a sibling whose name is the root's in capitals
      Given beside the sandbox the tree "ROOT/{secret}"
      And the tree "src/{main.py}, README.md"
      When LS is called with {"path": "../ROOT"}
      Then the call is refused with ACCESS_DENIED
      And the answer does not say "secret"

    @LS-SEC-05-103 @needs:case_sensitive @behaviour:BEH-01
    Scenario: a directory below such a sibling
      Given beside the sandbox the tree "ROOT/{src/{secret}}"
      And the tree "src/{main.py}, README.md"
      When LS is called with {"path": "../ROOT/src"}
      Then the call is refused with ACCESS_DENIED
      And the answer does not say "secret"

    Scenario Outline: a name that begins like the way out: <path>
      Given the tree "'..c'/{x}, d/{'..e'/{z}}, .../{y}"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-83 the answer is one of
        | reading | entries | refused  |
        | a       | <entry> |          |
        | b       |         | any code |

      Examples:
        | id            | path  | entry |
        | LS-SEC-02-106 | ..c   | x     |
        | LS-SEC-02-108 | d/..e | z     |
        | LS-SEC-05-102 | ...   | y     |

  @LS-SEC-06
  Rule: a path outside is refused whether or not it exists

    Scenario Outline: a place outside where nothing is: <what>
      Given the tree "src/{main.py}, README.md"
      And the context {"allow_absolute": true}
      When LS is called with <arguments>
      Then by AMB-LS-66 the answer is one of
        | reading | refused       |
        | a       | ACCESS_DENIED |
        | b       | NOT_FOUND     |

      Examples:
        | id            | what                       | arguments                     |
        | LS-SEC-06-101 | beside the root            | {"path": "../missing"}        |
        | LS-SEC-06-102 | by an absolute path        | {"path": "$OUTSIDE/missing"}  |
        | LS-SEC-06-103 | through a directory inside | {"path": "src/../../no/such"} |

    @prudent
    Scenario Outline: whether something exists is not told: <what>
      Given the tree "src/{main.py}, README.md"
      And the context {"allow_absolute": true}
      When LS is called with <arguments>
      Then the call is refused with ACCESS_DENIED

      Examples:
        | id           | what                       | arguments                     |
        | LS-SEC-06-01 | a place of the system      | {"path": "/no/such/dir"}      |
        | LS-SEC-06-02 | beside the root            | {"path": "../no-such-dir"}    |
        | LS-SEC-06-03 | by an absolute path        | {"path": "$OUTSIDE/no-such"}  |
        | LS-SEC-06-04 | through a directory inside | {"path": "src/../../no/such"} |

    @LS-SEC-06-05 @prudent
    Scenario: a file outside
      Given beside the sandbox the tree "file"
      And the tree "src/{main.py}, README.md"
      When LS is called with {"path": "../file"}
      Then the call is refused with ACCESS_DENIED

  @LS-SEC-08
  Rule: what cannot be read is listed all the same

    @LS-SEC-08-01
    Scenario: a closed directory and a closed file among the entries
      Given the tree "a/, locked/%0000{x}, f, g%0000=3"
      When LS is called with {}
      Then the entries are "a, locked, f, g"
      And the entries have
        | name   | type |
        | a      | dir  |
        | locked | dir  |
        | f      | file |
        | g      | file |

    @LS-SEC-08-03
    Scenario: a link to a closed directory, and one to a closed file
      Given the tree "a, closed/%0000{x}, g%0000=3, m->g, n->closed"
      When LS is called with {}
      Then the entries are "a, closed, g, m, n"

    @LS-SEC-08-02 @returns
    Scenario: a pipe that nobody writes to
      Given the tree "a, p:fifo"
      When LS is called with {"ignore": ["p"]}
      Then the entries are "a"

  @LS-SEC-09
  Rule: a directory that is replaced while it is being opened does not lead out

    @LS-SEC-04-14
    Scenario: a directory that is replaced by a link out while it is being opened
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "victim/{a}, f"
      And "victim" becomes a link to "../outside" while it is being opened
      When LS is called with {"path": "victim"}
      Then "victim" has become a link
      And the answer does not say "secret"
