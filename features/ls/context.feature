@ls
Feature: The context tells where the call was made, what was sent, and what it led to

  @LS-ENV-07
  Rule: cwd is the working directory relative to the project root

    @LS-ENV-07-01
    Scenario: at the root
      Given the tree "src/{main.py}, a.txt"
      When LS is called with {}
      Then the envelope has {"context": {"cwd": "."}}
      And the entries are "src, a.txt"

    Scenario Outline: cwd below the root, <what>
      Given the tree "src/{util/{x.py}, main.py}, a.txt"
      And the context {"working_dir": "$ROOT/<where>"}
      When LS is called with <arguments>
      Then the envelope has {"context": {"cwd": "<where>"}}

      Examples:
        | id           | what                              | where    | arguments           |
        | LS-ENV-07-02 | without arguments                 | src      | {}                  |
        | LS-ENV-07-03 | two levels below it               | src/util | {}                  |
        | LS-ENV-07-05 | in a listing of a directory in it | src      | {"path": "util"}    |
        | LS-ENV-07-06 | with a path that is missing       | src      | {"path": "missing"} |
        | LS-ENV-07-07 | with a path that leads out        | src      | {"path": "../.."}   |
        | LS-ENV-07-08 | with a limit that is refused      | src      | {"limit": 0}        |

    @LS-ENV-07-09
    Scenario: a project root that is itself reached through a link
      Given beside the sandbox the tree "way->root"
      And the tree "src/{main.py}, a.txt"
      And the context {"roots": ["$OUTSIDE/way"], "working_dir": "$OUTSIDE/way/src"}
      When LS is called with {}
      Then the envelope has {"context": {"cwd": "src"}}

  @LS-ENV-08
  Rule: params_input is what was sent, to the letter

    Scenario Outline: arguments of a listing come back: <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the envelope echoes <arguments>

      Examples:
        | id            | what                          | arguments                                                        |
        | LS-ENV-08-01  | none                          | {}                                                               |
        | LS-ENV-08-02  | all of them at their defaults | {"path": ".", "offset": 0, "limit": 100, "include_hidden": false, "ignore": null} |
        | LS-ENV-08-03  | a path and a limit            | {"path": ".", "limit": 2}                                        |
        | LS-ENV-08-04  | a path that resolving changes | {"path": "./d1/../"}                                             |
        | LS-ENV-08-05  | two patterns                  | {"ignore": ["*.log", "**/x"]}                                    |
        | LS-ENV-08-101 | a pattern that is there twice | {"ignore": ["x", "*.log", "x"]}                                  |
        | LS-ENV-08-105 | patterns with backslashes     | {"ignore": ["d3\\\\x", "x\\\\y"]}                               |
        | LS-ENV-08-106 | letters that have two forms   | {"ignore": ["e\\u0301", "\\u212b"]}                              |

    Scenario Outline: arguments of an error come back: <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the envelope echoes <arguments>

      Examples:
        | id            | what                         | arguments                               |
        | LS-ENV-08-08  | a limit that is refused      | {"limit": 0, "ignore": ["x"]}           |
        | LS-ENV-08-09  | a path that is missing       | {"path": "missing", "offset": 3}        |
        | LS-ENV-08-10  | a path that leads out        | {"path": ".."}                          |
        | LS-ENV-08-11  | values of wrong types        | {"path": null, "include_hidden": "yes"} |
        | LS-ENV-08-102 | a path with blanks around it | {"path": " d1 "}                        |
        | LS-ENV-08-103 | a path with a backslash      | {"path": "d1\\\\x"}                     |
        | LS-ENV-08-107 | a letter that has two forms  | {"path": "e\\u0301"}                    |
        | LS-ENV-08-104 | a path of 2000 letters       | {"path": "$('x'*2000)"}                 |

    @LS-ENV-08-06
    Scenario: a number beyond those that a double holds comes back as the nearest one at least
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with {"offset": 1000000000000000000000000000000}
      Then the envelope echoes {"offset": 1000000000000000000000000000000}

    Scenario Outline: arguments that the schema does not name come back, or none of them: <what>
      Given the tree "d1/, a.txt"
      When LS is called with <arguments>
      Then by AMB-LS-81 the answer is one of
        | reading | echoes      |
        | a       | <arguments> |
        | b       | <known>     |

      Examples:
        | id            | what                                           | arguments                                          | known        |
        | LS-ENV-08-14  | other letters                                  | {"recursive": true, "größe": "文", "limit": 3}     | {"limit": 3} |
        | LS-ENV-08-108 | names that objects of some languages have      | {"constructor": 1, "toString": "x", "length": 0, "size": 2} | {}           |
        | LS-ENV-08-111 | an object beside an argument that is refused   | {"limit": 0, "weird": {"k": [1, 2]}}               | {"limit": 0} |

    @LS-ENV-08-110
    Scenario: what an earlier call said does not come back
      Given the tree "d1/{x}, a.txt"
      When LS is called with {"path": "d1", "limit": 2, "ignore": ["*.log"]}
      And LS is called again with {"limit": 3}
      Then the envelope echoes {"limit": 3}

    # Some readers of JSON drop this name, as a guard against attacks.
    @LS-ENV-08-109 @prudent
    Scenario: an argument that some readers of JSON drop comes back
      Given the tree "d1/, a.txt"
      When LS is called with {"__proto__": {"a": 1}}
      Then the envelope echoes {"__proto__": {"a": 1}}

    @LS-ENV-08-15
    Scenario: an absolute path comes back as it was given
      Given the tree "d1/{x}, a.txt"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/d1"}
      Then the envelope echoes {"path": "$ROOT/d1"}

  @LS-ENV-09
  Rule: path_resolved, where it is there, is the normalised relative path

    Scenario Outline: path_resolved of <what>
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md"
      When LS is called with <arguments>
      Then the entries are "<entries>"
      And context.path_resolved, if it is there, is "<resolved>"

      Examples:
        | id           | what                               | arguments                | resolved | entries                      |
        | LS-ENV-09-03 | a path with a dot before it        | {"path": "./src"}        | src      | util, main.py                |
        | LS-ENV-09-04 | a path with a slash behind it      | {"path": "src/"}         | src      | util, main.py                |
        | LS-ENV-09-05 | a path with a dot behind it        | {"path": "src/."}        | src      | util, main.py                |
        | LS-ENV-09-07 | a path with two slashes behind it  | {"path": "src//"}        | src      | util, main.py                |
        | LS-ENV-09-09 | a path of two names                | {"path": "src/util"}     | src/util | x.py                         |
        | LS-ENV-09-10 | a path with slashes and dots in it | {"path": "src//util/./"} | src/util | x.py                         |
        | LS-ENV-09-12 | a dot and a slash                  | {"path": "./"}           | .        | agents, docs, src, README.md |

    Scenario Outline: a spelling with two dots: <path>
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-80 the answer is one of
        | reading | entries   | refused  |
        | a       | <entries> |          |
        | b       |           | any code |
      And context.path_resolved, if it is there, is "<resolved>"

      Examples:
        | id           | path             | resolved | entries                      |
        | LS-ENV-09-06 | docs/../src      | src      | util, main.py                |
        | LS-ENV-09-08 | ./docs/./../src/ | src      | util, main.py                |
        | LS-ENV-09-11 | src/..           | .        | agents, docs, src, README.md |

    @LS-ENV-09-13
    Scenario: path_resolved with a working directory below
      Given the tree "src/{main.py, util/{x.py}}"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "util"}
      Then by AMB-LS-76 the answer is one of
        | reading     | entries | refused   |
        | working_dir | x.py    |           |
        | root        |         | NOT_FOUND |

    @LS-ENV-09-103
    Scenario: an absolute path that ends in a link
      Given the tree "src/{main.py}, s->src"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/s"}
      Then by AMB-LS-79 the answer is one of
        | reading | entries | refused  |
        | a       | main.py |          |
        | b       |         | any code |
      And context.path_resolved, if it is there, does not begin with "/"

    @LS-ENV-09-15
    Scenario: a missing directory inside the root
      Given the tree "src/{main.py}"
      When LS is called with {"path": "./missing"}
      Then by AMB-LS-19 the answer is one of
        | reading | envelope                                                      | without               |
        | a       | {"status": "error", "context": {"path_resolved": "missing"}} |                       |
        | b       | {"status": "error"}                                           | context.path_resolved |
        | b       | {"status": "error", "context": {"path_resolved": ""}}        |                       |

    @LS-ENV-09-16 @prudent
    Scenario: no place outside is shown
      Given the tree "src/{main.py}"
      When LS is called with {"path": "../elsewhere"}
      Then context.path_resolved, if it is there, does not begin with "/"

    @LS-ENV-09-101 @prudent
    Scenario: no place outside is shown by dots
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "src/{main.py}"
      When LS is called with {"path": "../outside"}
      Then context.path_resolved, if it is there, does not begin with ".."

    @LS-ENV-09-102 @prudent
    Scenario: where a link out leads is not shown
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "src/{main.py}, l->../outside"
      When LS is called with {"path": "l"}
      Then context.path_resolved, if it is there, does not begin with ".."
      And the answer does not say "outside"

    Scenario Outline: two dots behind <what>
      Given the tree "src/{main.py}, f"
      When LS is called with {"path": "<path>"}
      Then by AMB-LS-61 and AMB-LS-80 the answer is one of
        | reading | AMB-LS-80 | entries | refused                    |
        | a       | a         | src, f  |                            |
        | b       | a         | src, f  |                            |
        | c       | a         |         | NOT_FOUND or INVALID_PARAM |
        |         | b         |         | any code                   |

      Examples:
        | id           | what                       | path       |
        | LS-ENV-09-17 | a name that does not exist | missing/.. |
        | LS-ENV-09-18 | a file                     | f/..       |

  @LS-ENV-12
  Rule: a listing has path_resolved

    Scenario Outline: path_resolved is there: <what>
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md"
      When LS is called with <arguments>
      Then the entries are "<entries>"
      And the envelope has {"context": {"path_resolved": "<resolved>"}}

      Examples:
        | id           | what           | arguments       | resolved | entries                      |
        | LS-ENV-12-01 | at the root    | {}              | .        | agents, docs, src, README.md |
        | LS-ENV-12-02 | below the root | {"path": "src"} | src      | util, main.py                |
