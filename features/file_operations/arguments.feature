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

    Scenario Outline: <case of FR-FOPS-MV-01>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-FOPS-MV-01 | tree | arguments | ends |
        | FO-MV-01-17 | arguments that fit move: the two texts | a="A" | {"source": "a", "destination": "b"} | succeeds and leaves "b="A"" |
        | FO-MV-01-19 | arguments that fit move: the flag, and false | a="A" | {"source": "a", "destination": "b", "overwrite": false} | succeeds and leaves "b="A"" |
        | FO-MV-01-11 | an empty path of move: source | a="A" | {"source": "", "destination": "b"} | fails with any error and changes nothing |
        | FO-MV-01-12 | an empty path of move: destination | a="A" | {"source": "a", "destination": ""} | fails with any error and changes nothing |
        | FO-MV-01-116 | a destination of move that is left out is not the working directory | x/{a="A"} | {"source": "x/a"} | fails with any error and changes nothing |
        # With the flag false the same call fails: the default is the question.
        | FO-MV-01-108 | the flag of move is false where it is left out | a="A", b="B" | {"source": "a", "destination": "b"} | fails with any error and changes nothing |

      @interpretation:AMB-FO-01
      Examples:
        | id | case of FR-FOPS-MV-01 | tree | arguments | ends |
        | FO-MV-01-18 | arguments that fit move: the flag, and true | a="A" | {"source": "a", "destination": "b", "overwrite": true} | either leaves "b="A"", or fails with any error and changes nothing |

      @interpretation:AMB-FO-03
      Examples:
        | id | case of FR-FOPS-MV-01 | tree | arguments | ends |
        | FO-MV-01-13 | overwrite null | a="A" | {"source": "a", "destination": "b", "overwrite": null} | either leaves "b="A"", or fails with any error and changes nothing |

      @interpretation:AMB-FO-31
      Examples:
        | id | case of FR-FOPS-MV-01 | tree | arguments | ends |
        | FO-MV-01-14 | an argument that the schema does not name | a="A" | {"source": "a", "destination": "b", "force": true} | either leaves "b="A"", or fails with any error and changes nothing |

      @interpretation:AMB-FO-51
      Examples:
        | id | case of FR-FOPS-MV-01 | tree | arguments | ends |
        | FO-MV-01-113 | a destination of move that is empty: the working directory, or an error | x/{a="A"} | {"source": "x/a", "destination": ""} | either leaves "x/, a="A"", or fails with any error and changes nothing |

    Scenario Outline: <case of FR-FOPS-MV-01 with exact arguments>
      Given the tree "<tree>"
      When move is called with exactly <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-MV-01 with exact arguments | tree | arguments |
        | FO-MV-01-02 | bad arguments of move: no source | a="A", b="B" | {"destination": "c"} |
        | FO-MV-01-03 | bad arguments of move: no destination | a="A", b="B" | {"source": "a"} |
        | FO-MV-01-04 | bad arguments of move: a number as source | a="A", b="B" | {"source": 1, "destination": "c"} |
        | FO-MV-01-05 | bad arguments of move: null as destination | a="A", b="B" | {"source": "a", "destination": null} |
        | FO-MV-01-09 | bad arguments of move: nothing at all | a="A", b="B" | {} |
        | FO-MV-01-10 | bad arguments of move: a list | a="A", b="B" | ["a", "c"] |
        | FO-MV-01-115 | bad arguments of move: a list of the object | a="A", b="B" | [{"source": "a", "destination": "c"}] |
        | FO-MV-01-202 | bad arguments of move: names that are cut short | a="A", b="B" | {"src": "a", "dest": "c"} |
        | FO-MV-01-203 | bad arguments of move: other names | a="A", b="B" | {"from": "a", "to": "c"} |

      # Some executors take the text of the object, as a model writes it.
      @prudent
      Examples:
        | id | case of FR-FOPS-MV-01 with exact arguments | tree | arguments |
        | FO-MV-01-114 | bad arguments of move: a text of the object | a="A", b="B" | "{\\"source\\": \\"a\\", \\"destination\\": \\"c\\"}" |

    # The working directory can be had whole: under a new name beside it.
    @FO-MV-01-117 @interpretation:AMB-FO-51
    Scenario: an empty source of move: the working directory, or an error
      Given the tree "w/{b="B", up->..}"
      And the context {"working_dir": "$ROOT/w"}
      When move is called with {"source": "", "destination": "up/x"}
      Then the call either leaves "x/{b="B", up->..}", or fails with any error and changes nothing

    # The value may be refused, or count as one of the two (AMB-FO-50), which makes no difference to a free name.
    @interpretation:AMB-FO-50
    Scenario Outline: <case of FR-FOPS-MV-01 with a mistyped argument>
      Given the tree "<tree>"
      When move is called with exactly <arguments>
      Then the call either leaves "<left>", or fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-MV-01 with a mistyped argument | tree | arguments | left |
        | FO-MV-01-07 | a value that is no flag of move: overwrite as a text | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": "yes"} | b="B", c="A" |
        | FO-MV-01-08 | a value that is no flag of move: overwrite as a number | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": 1} | b="B", c="A" |
        | FO-MV-01-101 | a value that is no flag of move: overwrite as "true" | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": "true"} | b="B", c="A" |
        | FO-MV-01-102 | a value that is no flag of move: overwrite as "false" | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": "false"} | b="B", c="A" |
        | FO-MV-01-103 | a value that is no flag of move: overwrite as 0 | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": 0} | b="B", c="A" |
        | FO-MV-01-111 | a value that is no flag of move: overwrite as a list | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": []} | b="B", c="A" |
        | FO-MV-01-112 | a value that is no flag of move: overwrite as an object | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": {}} | b="B", c="A" |
        # Files exist whose names are the usual conversions of these values to text.
        | FO-MV-01-104 | a value that is no text of move: true as source | a="A", true="T", 1="N" | {"source": true, "destination": "c"} | a="A", c="T", 1="N" |
        | FO-MV-01-105 | a value that is no text of move: 1 as source | a="A", true="T", 1="N" | {"source": 1, "destination": "c"} | a="A", true="T", c="N" |
        | FO-MV-01-109 | a value that is no text of move: 2 as destination | a="A", true="T", 1="N" | {"source": "a", "destination": 2} | 2="A", true="T", 1="N" |
        | FO-MV-01-110 | a value that is no text of move: 1.5 as destination | a="A", true="T", 1="N" | {"source": "a", "destination": 1.5} | 1.5="A", true="T", 1="N" |
        # JavaScript makes this text of the list.
        | FO-MV-01-06 | a value that is no text of move: a list of a text as source | a="A", b="B" | {"source": ["a"], "destination": "c"} | b="B", c="A" |

    @FO-MV-01-201 @interpretation:AMB-FO-52
    Scenario: names of arguments of move in other case
      Given the tree "a="A", b="B""
      When move is called with exactly {"Source": "a", "DESTINATION": "c"}
      Then the call either leaves "b="B", c="A"", or fails with any error and changes nothing

    # The first call separates one reading, the second one the other two.
    @FO-MV-01-304
    Scenario: a text as the flag of move, and then a number as a path
      Given the tree "a="A", 1="N""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "c", "overwrite": "true"}
      When move is called again with {"source": 1, "destination": "d"}
      Then by AMB-FO-50 the outcome is one of
        | reading | fails     | leaves |
        | refuse  | any error | a="A", 1="N" |
        | flag    | any error | c="A", 1="N" |
        | all     |           | c="A", d="N" |

    @prudent
    Scenario Outline: what does not fit the schema of move is refused: <what>
      Given the tree "a="A", 1="N""
      When move is called with exactly <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | what | arguments |
        | FO-MV-01-301 | a text as the flag | {"source": "a", "destination": "c", "overwrite": "yes"} |
        | FO-MV-01-302 | a number as the flag | {"source": "a", "destination": "c", "overwrite": 1} |
        | FO-MV-01-303 | a number as a path | {"source": 1, "destination": "c"} |

    Scenario Outline: <case of FR-FOPS-MV-01 configured>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When move is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-MV-01 configured | tree | arguments |
        # No file name contains NUL, so no effect can be the requested one.
        | FO-MV-01-106 | a NUL ends no path of move: destination | a="A", b="B" | {"source": "a", "destination": "b\\u0000c", "overwrite": true} |
        | FO-MV-01-107 | a NUL ends no path of move: source | a="A", b="B" | {"source": "a\\u0000c", "destination": "c"} |

      @also:FR-FOPS-MV-03
      Examples:
        | id | case of FR-FOPS-MV-01 configured | tree | arguments |
        | FO-MV-01-15 | an argument of an unknown name overwrites nothing | a="AA", b="B" | {"source": "a", "destination": "b", "overwrite": false, "force": true} |

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

    Scenario Outline: <case of FR-FOPS-CP-01>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call <ends>

      @interpretation:AMB-FO-01
      Examples:
        | id | case of FR-FOPS-CP-01 | tree | arguments | ends |
        | FO-CP-01-18 | arguments that fit copy: the flag, and true | a="A" | {"source": "a", "destination": "b", "overwrite": true} | either leaves "a="A", b="A"", or fails with any error and changes nothing |

      Examples:
        | id | case of FR-FOPS-CP-01 | tree | arguments | ends |
        | FO-CP-01-19 | arguments that fit copy: the flag, and false | a="A" | {"source": "a", "destination": "b", "overwrite": false} | succeeds and leaves "a="A", b="A"" |
        | FO-CP-01-10 | an empty path of copy: source | a="A" | {"source": "", "destination": "b"} | fails with any error and changes nothing |
        | FO-CP-01-11 | an empty path of copy: destination | a="A" | {"source": "a", "destination": ""} | fails with any error and changes nothing |
        # In the working directory the name is free.
        | FO-CP-01-117 | a destination of copy that is left out is not the working directory | x/{a="A"} | {"source": "x/a"} | fails with any error and changes nothing |
        | FO-CP-01-14 | a directory whose copy would have to hold itself | d/{f="F"} | {"source": "d", "destination": "d/e"} | either leaves "d/{f="F", e/{f="F"}}", or fails with any error and loses nothing |
        # With the flag false the same call fails: the default is the question.
        | FO-CP-01-108 | the flag of copy is false where it is left out | a="A", b="B" | {"source": "a", "destination": "b"} | fails with any error and changes nothing |

      @interpretation:AMB-FO-51
      Examples:
        | id | case of FR-FOPS-CP-01 | tree | arguments | ends |
        # In the working directory the name is free.
        | FO-CP-01-114 | a destination of copy that is empty: the working directory, or an error | x/{a="A"} | {"source": "x/a", "destination": ""} | either leaves "a="A", x/{a="A"}", or fails with any error and changes nothing |

    Scenario Outline: <case of FR-FOPS-CP-01 with exact arguments>
      Given the tree "<tree>"
      When copy is called with exactly <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-CP-01 with exact arguments | tree | arguments |
        | FO-CP-01-02 | bad arguments of copy: no source | a="A", b="B" | {"destination": "c"} |
        | FO-CP-01-03 | bad arguments of copy: no destination | a="A", b="B" | {"source": "a"} |
        | FO-CP-01-04 | bad arguments of copy: a number as source | a="A", b="B" | {"source": 1, "destination": "c"} |
        | FO-CP-01-05 | bad arguments of copy: null as destination | a="A", b="B" | {"source": "a", "destination": null} |
        | FO-CP-01-09 | bad arguments of copy: nothing at all | a="A", b="B" | {} |
        | FO-CP-01-204 | bad arguments of copy: a list | a="A", b="B" | ["a", "c"] |
        | FO-CP-01-116 | bad arguments of copy: a list of the object | a="A", b="B" | [{"source": "a", "destination": "c"}] |
        | FO-CP-01-202 | bad arguments of copy: names that are cut short | a="A", b="B" | {"src": "a", "dest": "c"} |
        | FO-CP-01-203 | bad arguments of copy: other names | a="A", b="B" | {"from": "a", "to": "c"} |

      # Some executors take the text of the object, as a model writes it.
      @prudent
      Examples:
        | id | case of FR-FOPS-CP-01 with exact arguments | tree | arguments |
        | FO-CP-01-115 | bad arguments of copy: a text of the object | a="A", b="B" | "{\\"source\\": \\"a\\", \\"destination\\": \\"c\\"}" |

    # The working directory can be had whole: under a new name beside it.
    @FO-CP-01-118 @interpretation:AMB-FO-51
    Scenario: an empty source of copy: the working directory, or an error
      Given the tree "w/{b="B", up->..}"
      And the context {"working_dir": "$ROOT/w"}
      When copy is called with {"source": "", "destination": "up/x"}
      Then the call either leaves "w/{b="B", up->..}, x/{b="B", up->..}", or fails with any error and changes nothing

    # The value may be refused, or count as one of the two (AMB-FO-50), which makes no difference to a free name.
    @interpretation:AMB-FO-50
    Scenario Outline: <case of FR-FOPS-CP-01 with a mistyped argument>
      Given the tree "<tree>"
      When copy is called with exactly <arguments>
      Then the call either leaves "<left>", or fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-CP-01 with a mistyped argument | tree | arguments | left |
        | FO-CP-01-07 | a value that is no flag of copy: overwrite as a text | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": "yes"} | a="A", b="B", c="A" |
        | FO-CP-01-08 | a value that is no flag of copy: overwrite as a number | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": 1} | a="A", b="B", c="A" |
        | FO-CP-01-101 | a value that is no flag of copy: overwrite as "true" | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": "true"} | a="A", b="B", c="A" |
        | FO-CP-01-102 | a value that is no flag of copy: overwrite as 0 | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": 0} | a="A", b="B", c="A" |
        | FO-CP-01-112 | a value that is no flag of copy: overwrite as a list | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": []} | a="A", b="B", c="A" |
        | FO-CP-01-113 | a value that is no flag of copy: overwrite as an object | a="A", b="B" | {"source": "a", "destination": "c", "overwrite": {}} | a="A", b="B", c="A" |
        # Files exist whose names are the usual conversions of these values to text.
        | FO-CP-01-103 | a value that is no text of copy: true as source | a="A", true="T", 1="N" | {"source": true, "destination": "c"} | a="A", true="T", c="T", 1="N" |
        | FO-CP-01-109 | a value that is no text of copy: 1 as source | a="A", true="T", 1="N" | {"source": 1, "destination": "c"} | a="A", true="T", 1="N", c="N" |
        | FO-CP-01-110 | a value that is no text of copy: 2 as destination | a="A", true="T", 1="N" | {"source": "a", "destination": 2} | a="A", 2="A", true="T", 1="N" |
        | FO-CP-01-111 | a value that is no text of copy: 1.5 as destination | a="A", true="T", 1="N" | {"source": "a", "destination": 1.5} | a="A", 1.5="A", true="T", 1="N" |
        | FO-CP-01-104 | a value that is no text of copy: true as destination | a="A", true="T", 1="N" | {"source": "a", "destination": true} | a="A", true="T", True="A", 1="N" |
        # JavaScript makes this text of the list.
        | FO-CP-01-06 | a value that is no text of copy: a list of a text as source | a="A", b="B" | {"source": ["a"], "destination": "c"} | a="A", b="B", c="A" |

    @FO-CP-01-201 @interpretation:AMB-FO-52
    Scenario: names of arguments of copy in other case
      Given the tree "a="A", b="B""
      When copy is called with exactly {"Source": "a", "DESTINATION": "c"}
      Then the call either leaves "a="A", b="B", c="A"", or fails with any error and changes nothing

    # The first call separates one reading, the second one the other two.
    @FO-CP-01-304
    Scenario: a text as the flag of copy, and then a number as a path
      Given the tree "a="A", 1="N""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "c", "overwrite": "true"}
      When copy is called again with {"source": 1, "destination": "d"}
      Then by AMB-FO-50 the outcome is one of
        | reading | fails     | leaves |
        | refuse  | any error | a="A", 1="N" |
        | flag    | any error | a="A", c="A", 1="N" |
        | all     |           | a="A", c="A", 1="N", d="N" |

    @prudent
    Scenario Outline: what does not fit the schema of copy is refused: <what>
      Given the tree "a="A", 1="N""
      When copy is called with exactly <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | what | arguments |
        | FO-CP-01-301 | a text as the flag | {"source": "a", "destination": "c", "overwrite": "yes"} |
        | FO-CP-01-302 | a number as the flag | {"source": "a", "destination": "c", "overwrite": 1} |
        | FO-CP-01-303 | a number as a path | {"source": 1, "destination": "c"} |

    Scenario Outline: a NUL ends no path of copy: <what>
      Given the tree "a="A", b="B""
      And the configuration {"allow_overwrite": true}
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | what | arguments |
        | FO-CP-01-105 | destination | {"source": "a", "destination": "b\\u0000c", "overwrite": true} |
        | FO-CP-01-106 | source | {"source": "a\\u0000c", "destination": "c"} |

  @FR-VAL-01
  Rule: what does not fit the schema is refused before anything else, and nobody is asked

    Scenario Outline: <tool>: bad arguments come before the approval
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with exactly {"source": "a", "destination": null}
      Then the call fails with BadArgs and changes nothing
      And approval was not requested

      Examples:
        | id | tool |
        | FO-VAL-01-01 | move |
        | FO-VAL-01-02 | copy |

    Scenario Outline: <case of FR-VAL-01 with exact arguments>
      Given the tree "a="A", b="B""
      When <tool> is called with exactly <arguments>
      Then the call fails with BadArgs and changes nothing

      Examples:
        | id | case of FR-VAL-01 with exact arguments | tool | arguments |
        | FO-VAL-01-301 | move: the schema comes before the sandbox: a text for overwrite, and outside | move | {"source": "a", "destination": "../away/x", "overwrite": "yes"} |
        | FO-VAL-01-302 | copy: the schema comes before the sandbox: a number for overwrite, from outside | copy | {"source": "../away/secret", "destination": "x", "overwrite": 1} |
        | FO-VAL-01-303 | copy: the schema comes before the sandbox: no source, and outside | copy | {"destination": "../away/x"} |
        | FO-VAL-01-304 | move: the schema comes before the sandbox: no destination, from outside | move | {"source": "../away/secret"} |

  @FR-VAL-09
  Rule: relative paths start in the working directory

    @interpretation:AMB-FO-20
    Scenario Outline: <case of FR-VAL-09 in a context>
      Given the tree "<tree>"
      And the context {"working_dir": "$ROOT/w"}
      When <tool> is called with <arguments>
      Then a call that fails succeeds in a process in the working directory
      And the call <ends>

      Examples:
        | id | case of FR-VAL-09 in a context | tree | tool | arguments | ends |
        | FO-VAL-09-01 | the paths of a move | a="A", w/{a="W"} | move | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", w/{b="W"}" |
        | FO-VAL-09-02 | the paths of a copy | a="A", w/{a="W"} | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", w/{a="W", b="W"}" |
        # The same path from the source's own directory would be another place.
        | FO-VAL-09-03 | the destination of a source in another directory | w/{x/{a="A"}} | move | {"source": "x/a", "destination": "b"} | succeeds and leaves "w/{b="A", x/}" |

    @FO-VAL-09-04 @interpretation:AMB-FO-20
    Scenario: the path of a listing
      Given the tree "a="A", w/{b="W"}"
      And the context {"working_dir": "$ROOT/w"}
      When list_directory is called with {"path": "."}
      Then a call that fails succeeds in a process in the working directory
      And the entries are "b"

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
