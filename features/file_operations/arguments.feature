@file_operations
Feature: Two texts and a flag, held against the schema before anything else

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-MV-01
  Rule: move takes source, destination and overwrite

    @FO-MV-01-01
    Scenario: the published schema of move
      When move is described
      Then the definition's schema is valid
      And the definition has {"input_schema": {"properties": {"overwrite": {"default": false}}}}
      And the definition's schema takes
        | arguments                                                | taken |
        | {"source": "a", "destination": "b"}                      | yes   |
        | {"source": "a", "destination": "b", "overwrite": true}   | yes   |
        | {"source": "a", "destination": "b", "overwrite": false}  | yes   |
        | {"destination": "b"}                                     | no    |
        | {"source": "a"}                                          | no    |
        | {"source": 1, "destination": "b"}                        | no    |
        | {"source": ["a"], "destination": "b"}                    | no    |
        | {"source": "a", "destination": ["b"]}                    | no    |
        | {"source": {"path": "a"}, "destination": "b"}            | no    |
        | {"source": "a", "destination": "b", "overwrite": 1}      | no    |
        | {"source": "a", "destination": null}                     | no    |
        | {"source": "a", "destination": "b", "overwrite": "yes"}  | no    |
      And a control call moves a file

    Scenario Outline: arguments that fit move: <what>
      Given the tree "a="A""
      When move is called with <arguments>
      Then the call succeeds and leaves "b="A""

      Examples:
        | id          | what               | arguments                                               |
        | FO-MV-01-17 | the two texts      | {"source": "a", "destination": "b"}                     |
        | FO-MV-01-18 | the flag, and true | {"source": "a", "destination": "b", "overwrite": true}  |
        | FO-MV-01-19 | the flag, and false | {"source": "a", "destination": "b", "overwrite": false} |

    Scenario Outline: bad arguments of move: <what>
      Given the tree "a="A", b="B""
      When move is called with exactly <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id          | what                   | arguments                                             |
        | FO-MV-01-02 | no source              | {"destination": "c"}                                  |
        | FO-MV-01-03 | no destination         | {"source": "a"}                                       |
        | FO-MV-01-04 | a number as source     | {"source": 1, "destination": "c"}                     |
        | FO-MV-01-05 | null as destination    | {"source": "a", "destination": null}                  |
        | FO-MV-01-06 | a list as source       | {"source": ["a"], "destination": "c"}                 |
        | FO-MV-01-07 | overwrite as a text    | {"source": "a", "destination": "c", "overwrite": "yes"} |
        | FO-MV-01-08 | overwrite as a number  | {"source": "a", "destination": "c", "overwrite": 1}   |
        | FO-MV-01-09 | nothing at all         | {}                                                    |
        | FO-MV-01-10 | a list                 | ["a", "c"]                                            |
        | FO-MV-01-114 | a text of the object  | "{\\"source\\": \\"a\\", \\"destination\\": \\"c\\"}" |
        | FO-MV-01-115 | a list of the object  | [{"source": "a", "destination": "c"}]                 |
        | FO-MV-01-101 | overwrite as "true"   | {"source": "a", "destination": "c", "overwrite": "true"}  |
        | FO-MV-01-102 | overwrite as "false"  | {"source": "a", "destination": "c", "overwrite": "false"} |
        | FO-MV-01-103 | overwrite as 0        | {"source": "a", "destination": "c", "overwrite": 0}   |
        | FO-MV-01-111 | overwrite as a list   | {"source": "a", "destination": "c", "overwrite": []}  |
        | FO-MV-01-112 | overwrite as an object | {"source": "a", "destination": "c", "overwrite": {}} |
        | FO-MV-01-201 | names in other case | {"Source": "a", "DESTINATION": "c"} |
        | FO-MV-01-202 | names that are cut short | {"src": "a", "dest": "c"} |
        | FO-MV-01-203 | other names | {"from": "a", "to": "c"} |

    # Files exist whose names are the lenient conversions of these values to text.
    Scenario Outline: what is no text is taken for none by move: <what>
      Given the tree "a="A", true="T", 1="N""
      When move is called with exactly <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id           | what               | arguments                            |
        | FO-MV-01-104 | true as source     | {"source": true, "destination": "c"} |
        | FO-MV-01-105 | 1 as source        | {"source": 1, "destination": "c"}    |
        | FO-MV-01-109 | 2 as destination   | {"source": "a", "destination": 2}    |
        | FO-MV-01-110 | 1.5 as destination | {"source": "a", "destination": 1.5}  |

    Scenario Outline: an empty path of move: <what>
      Given the tree "a="A""
      When move is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id          | what        | arguments                             |
        | FO-MV-01-11 | source      | {"source": "", "destination": "b"}    |
        | FO-MV-01-12 | destination | {"source": "a", "destination": ""}    |

    # In the working directory the name is free.
    Scenario Outline: a destination of move that is <what> is not the working directory
      Given the tree "x/{a="A"}"
      When move is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id           | what     | arguments                            |
        | FO-MV-01-113 | empty    | {"source": "x/a", "destination": ""} |
        | FO-MV-01-116 | left out | {"source": "x/a"}                    |

    # The working directory can be had whole: under a new name beside it.
    @FO-MV-01-117
    Scenario: an empty source of move is not the working directory
      Given the tree "w/{b="B", up->..}"
      And the context {"working_dir": "$ROOT/w"}
      When move is called with {"source": "", "destination": "up/x"}
      Then the call fails with any error and changes nothing
      And a control call moves a file

    # No file name contains NUL, so no effect can be the requested one.
    Scenario Outline: a NUL ends no path of move: <what>
      Given the tree "a="A", b="B""
      And the configuration {"allow_overwrite": true}
      When move is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id           | what        | arguments                                                      |
        | FO-MV-01-106 | destination | {"source": "a", "destination": "b\\u0000c", "overwrite": true} |
        | FO-MV-01-107 | source      | {"source": "a\\u0000c", "destination": "c"}                    |

    @FO-MV-01-13
    Scenario: overwrite null
      Given the tree "a="A""
      When move is called with {"source": "a", "destination": "b", "overwrite": null}
      Then by AMB-FO-03 the outcome is one of
        | reading | fails   | leaves |
        | refuse  | any error |      |
        | ignore  |         | b="A"  |
      And a control call moves a file

    @FO-MV-01-14
    Scenario: an argument that the schema does not name
      Given the tree "a="A""
      When move is called with {"source": "a", "destination": "b", "force": true}
      Then by AMB-FO-31 the outcome is one of
        | reading | fails   | leaves |
        | ignore  |         | b="A"  |
        | refuse  | any error |      |
      And a control call moves a file

    @FO-MV-01-15 @also:FR-FOPS-MV-03
    Scenario: an argument of an unknown name overwrites nothing
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": false, "force": true}
      Then a control call moves nothing onto a file with overwrite false, where it is allowed
      And the call fails with any error and changes nothing
      And a control call moves a file

    # With the flag false the same call fails: the default is the question.
    @FO-MV-01-108
    Scenario: the flag of move is false where it is left out
      Given the tree "a="A", b="B""
      When move is called with {"source": "a", "destination": "b"}
      Then a control call moves nothing onto a file with overwrite false
      And the call fails with any error and changes nothing
      And a control call moves a file

  @FR-FOPS-CP-01
  Rule: copy takes the same

    @FO-CP-01-01
    Scenario: the published schema of copy
      When copy is described
      Then the definition's schema is valid
      And the definition has {"input_schema": {"properties": {"overwrite": {"default": false}}}}
      And the definition's schema takes
        | arguments                                                | taken |
        | {"source": "a", "destination": "b"}                      | yes   |
        | {"source": "a", "destination": "b", "overwrite": true}   | yes   |
        | {"source": "a", "destination": "b", "overwrite": false}  | yes   |
        | {"destination": "b"}                                     | no    |
        | {"source": "a"}                                          | no    |
        | {"source": 1, "destination": "b"}                        | no    |
        | {"source": ["a"], "destination": "b"}                    | no    |
        | {"source": "a", "destination": ["b"]}                    | no    |
        | {"source": {"path": "a"}, "destination": "b"}            | no    |
        | {"source": "a", "destination": "b", "overwrite": 1}      | no    |
        | {"source": "a", "destination": null}                     | no    |
        | {"source": "a", "destination": "b", "overwrite": "yes"}  | no    |
      And a control call copies a file

    Scenario Outline: arguments that fit copy: <what>
      Given the tree "a="A""
      When copy is called with <arguments>
      Then the call succeeds and leaves "a="A", b="A""

      Examples:
        | id          | what               | arguments                                               |
        | FO-CP-01-17 | the two texts      | {"source": "a", "destination": "b"}                     |
        | FO-CP-01-18 | the flag, and true | {"source": "a", "destination": "b", "overwrite": true}  |
        | FO-CP-01-19 | the flag, and false | {"source": "a", "destination": "b", "overwrite": false} |

    Scenario Outline: bad arguments of copy: <what>
      Given the tree "a="A", b="B""
      When copy is called with exactly <arguments>
      Then the call fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id          | what                   | arguments                                             |
        | FO-CP-01-02 | no source              | {"destination": "c"}                                  |
        | FO-CP-01-03 | no destination         | {"source": "a"}                                       |
        | FO-CP-01-04 | a number as source     | {"source": 1, "destination": "c"}                     |
        | FO-CP-01-05 | null as destination    | {"source": "a", "destination": null}                  |
        | FO-CP-01-06 | a list as source       | {"source": ["a"], "destination": "c"}                 |
        | FO-CP-01-07 | overwrite as a text    | {"source": "a", "destination": "c", "overwrite": "yes"} |
        | FO-CP-01-08 | overwrite as a number  | {"source": "a", "destination": "c", "overwrite": 1}   |
        | FO-CP-01-09 | nothing at all         | {}                                                    |
        | FO-CP-01-115 | a text of the object  | "{\\"source\\": \\"a\\", \\"destination\\": \\"c\\"}" |
        | FO-CP-01-204 | a list                 | ["a", "c"]                                            |
        | FO-CP-01-116 | a list of the object  | [{"source": "a", "destination": "c"}]                 |
        | FO-CP-01-101 | overwrite as "true"   | {"source": "a", "destination": "c", "overwrite": "true"} |
        | FO-CP-01-102 | overwrite as 0        | {"source": "a", "destination": "c", "overwrite": 0}   |
        | FO-CP-01-112 | overwrite as a list   | {"source": "a", "destination": "c", "overwrite": []}  |
        | FO-CP-01-113 | overwrite as an object | {"source": "a", "destination": "c", "overwrite": {}} |
        | FO-CP-01-201 | names in other case | {"Source": "a", "DESTINATION": "c"} |
        | FO-CP-01-202 | names that are cut short | {"src": "a", "dest": "c"} |
        | FO-CP-01-203 | other names | {"from": "a", "to": "c"} |

    Scenario Outline: what is no text is taken for none by copy: <what>
      Given the tree "a="A", true="T", 1="N""
      When copy is called with exactly <arguments>
      Then the call fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id           | what                | arguments                            |
        | FO-CP-01-103 | true as source      | {"source": true, "destination": "c"} |
        | FO-CP-01-104 | true as destination | {"source": "a", "destination": true} |
        | FO-CP-01-109 | 1 as source         | {"source": 1, "destination": "c"}    |
        | FO-CP-01-110 | 2 as destination    | {"source": "a", "destination": 2}    |
        | FO-CP-01-111 | 1.5 as destination  | {"source": "a", "destination": 1.5}  |

    Scenario Outline: an empty path of copy: <what>
      Given the tree "a="A""
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id          | what        | arguments                             |
        | FO-CP-01-10 | source      | {"source": "", "destination": "b"}    |
        | FO-CP-01-11 | destination | {"source": "a", "destination": ""}    |

    # In the working directory the name is free.
    Scenario Outline: a destination of copy that is <what> is not the working directory
      Given the tree "x/{a="A"}"
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id           | what     | arguments                            |
        | FO-CP-01-114 | empty    | {"source": "x/a", "destination": ""} |
        | FO-CP-01-117 | left out | {"source": "x/a"}                    |

    # The working directory can be had whole: under a new name beside it.
    @FO-CP-01-118
    Scenario: an empty source of copy is not the working directory
      Given the tree "w/{b="B", up->..}"
      And the context {"working_dir": "$ROOT/w"}
      When copy is called with {"source": "", "destination": "up/x"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

    Scenario Outline: a NUL ends no path of copy: <what>
      Given the tree "a="A", b="B""
      And the configuration {"allow_overwrite": true}
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id           | what        | arguments                                                      |
        | FO-CP-01-105 | destination | {"source": "a", "destination": "b\\u0000c", "overwrite": true} |
        | FO-CP-01-106 | source      | {"source": "a\\u0000c", "destination": "c"}                    |

    @FO-CP-01-14
    Scenario: a directory whose copy would have to hold itself
      Given the tree "d/{f="F"}"
      When copy is called with {"source": "d", "destination": "d/e"}
      Then the call either leaves "d/{f="F", e/{f="F"}}", or fails with any error and loses nothing
      And a control call copies a file

    # With the flag false the same call fails: the default is the question.
    @FO-CP-01-108
    Scenario: the flag of copy is false where it is left out
      Given the tree "a="A", b="B""
      When copy is called with {"source": "a", "destination": "b"}
      Then a control call copies nothing onto a file with overwrite false
      And the call fails with any error and changes nothing
      And a control call copies a file

  @FR-VAL-01
  Rule: what does not fit the schema is refused before anything else, and nobody is asked

    @framework:executor
    Scenario Outline: <tool>: bad arguments come before the approval
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with exactly {"source": "a", "destination": null}
      Then the call fails with BadArgs and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id           | tool | does   |
        | FO-VAL-01-01 | move | moves  |
        | FO-VAL-01-02 | copy | copies |

    Scenario Outline: <tool>: <what> is the caller's mistake
      Given the tree "a="A", b="B""
      When <tool> is called with exactly <arguments>
      Then the call fails with BadArgs and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                | tool | does   | arguments                                               |
        | FO-VAL-01-03 | a number as a path  | move | moves  | {"source": 1, "destination": "c"}                       |
        | FO-VAL-01-04 | overwrite as a text | copy | copies | {"source": "a", "destination": "c", "overwrite": "yes"} |
        | FO-VAL-01-05 | no source           | copy | copies | {"destination": "c"}                                    |
        | FO-VAL-01-06 | no destination      | move | moves  | {"source": "a"}                                         |
        | FO-VAL-01-07 | a number as a path  | copy | copies | {"source": "a", "destination": 2}                       |
        | FO-VAL-01-08 | overwrite as a text | move | moves  | {"source": "a", "destination": "c", "overwrite": "yes"} |
        | FO-VAL-01-09 | no source           | move | moves  | {"destination": "c"}                                    |
        | FO-VAL-01-10 | no destination      | copy | copies | {"source": "a"}                                         |

    @framework:executor
    Scenario Outline: <tool>: the schema comes before the sandbox: <what>
      Given the tree "a="A", b="B""
      When <tool> is called with exactly <arguments>
      Then the call fails with BadArgs and changes nothing
      And a control call <does> a file

      Examples:
        | id            | what                              | tool | does   | arguments                                                         |
        | FO-VAL-01-301 | a text for overwrite, and outside | move | moves  | {"source": "a", "destination": "../away/x", "overwrite": "yes"}   |
        | FO-VAL-01-302 | a number for overwrite, from outside | copy | copies | {"source": "../away/secret", "destination": "x", "overwrite": 1} |
        | FO-VAL-01-303 | no source, and outside            | copy | copies | {"destination": "../away/x"}                                      |
        | FO-VAL-01-304 | no destination, from outside      | move | moves  | {"source": "../away/secret"}                                      |

  @FR-VAL-09
  Rule: relative paths start in the working directory

    @FO-VAL-09-01 @interpretation:AMB-FO-20
    Scenario: the paths of a move
      Given the tree "a="A", w/{a="W"}"
      And the context {"working_dir": "$ROOT/w"}
      When move is called with {"source": "a", "destination": "b"}
      Then a call that fails succeeds in a process in the working directory
      And the call succeeds and leaves "a="A", w/{b="W"}"

    @FO-VAL-09-02 @interpretation:AMB-FO-20
    Scenario: the paths of a copy
      Given the tree "a="A", w/{a="W"}"
      And the context {"working_dir": "$ROOT/w"}
      When copy is called with {"source": "a", "destination": "b"}
      Then a call that fails succeeds in a process in the working directory
      And the call succeeds and leaves "a="A", w/{a="W", b="W"}"

    # The same path from the source's own directory would be another place.
    @FO-VAL-09-03 @interpretation:AMB-FO-20
    Scenario: the destination of a source in another directory
      Given the tree "w/{x/{a="A"}}"
      And the context {"working_dir": "$ROOT/w"}
      When move is called with {"source": "x/a", "destination": "b"}
      Then a call that fails succeeds in a process in the working directory
      And the call succeeds and leaves "w/{b="A", x/}"

    @FO-VAL-09-04 @interpretation:AMB-FO-20
    Scenario: the path of a listing
      Given the tree "a="A", w/{b="W"}"
      And the context {"working_dir": "$ROOT/w"}
      When list_directory is called with {"path": "."}
      Then a call that fails succeeds in a process in the working directory
      And the entries are "b"
      And the tree is unchanged

    # Both directories have a file of the name: the process is in the other one.
    @FO-VAL-09-05 @interpretation:AMB-FO-20
    Scenario: the directory of the process is no start
      Given the tree "a="A", w/{a="W"}"
      And the context {"working_dir": "$ROOT/w"}
      And the candidate's process has {"cwd": "$ROOT"}
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", w/{a="W", b="W"}"

    # The root has a file of the name, and the working directory has none.
    @FO-VAL-09-201 @interpretation:AMB-FO-20
    Scenario: a source that only the root has
      Given the tree "a="A", w/{k="K"}"
      And the context {"working_dir": "$ROOT/w"}
      And the candidate's process has {"cwd": "$ROOT/w"}
      When copy is called with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

    @FO-VAL-09-203 @interpretation:AMB-FO-20
    Scenario: a destination that only another root has
      Given beside the sandbox the tree "second/{d/}"
      And the tree "a="A""
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"]}
      When copy is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "a="A", d="A""

    @FO-VAL-09-202 @interpretation:AMB-FO-20
    Scenario: two calls with working directories of their own
      Given the tree "x/{a="A"}, y/{a="B"}"
      And the context {"working_dir": "$ROOT/x"}
      When copy is called with {"source": "a", "destination": "b"}
      Then a call that fails succeeds in a process in the working directory
      And the call succeeds and leaves "x/{a="A", b="A"}, y/{a="B"}"
      Given the context {"working_dir": "$ROOT/y"}
      When copy is called again with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "x/{a="A", b="A"}, y/{a="B", b="B"}"
