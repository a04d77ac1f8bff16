@ls
Feature: What goes wrong has a code and a sentence of the table

  @LS-ERR-01
  Rule: a path that does not exist is NOT_FOUND

    @behaviour:BEH-07
    Scenario Outline: nothing is there: <what>
      Given the tree "src/{main.py}, README.md, gone->nowhere"
      When LS is called with <arguments>
      Then the call is refused with NOT_FOUND

      Examples:
        | id            | what                                         | arguments               |
        | LS-ERR-01-11  | with a slash behind the name                 | {"path": "missing/"}    |
        | LS-ERR-01-101 | below a missing directory                    | {"path": "missing/x/y"} |
        | LS-ERR-01-102 | below a missing directory in one that exists | {"path": "src/no/x/y"}  |

    @LS-ERR-01-07
    Scenario: a dangling link
      Given the tree "src/, gone->nowhere"
      When LS is called with {"path": "gone"}
      Then by AMB-LS-79 the answer is one of
        | reading | refused   |
        | a       | NOT_FOUND |
        | b       | any code  |

    @LS-ERR-01-08
    Scenario: below a file
      Given the tree "src/, README.md"
      When LS is called with {"path": "README.md/x"}
      Then by AMB-LS-41 the answer is one of
        | reading | refused       |
        | a       | NOT_FOUND     |
        | b       | INVALID_PARAM |

    @LS-ERR-01-09 @needs:case_sensitive
    Scenario: another case of a name
      Given the tree "src/{main.py}, README.md"
      When LS is called with {"path": "SRC"}
      Then the call is refused with NOT_FOUND

    @LS-ERR-01-10
    Scenario: a missing path from a working directory below
      Given the tree "src/{main.py}, docs/"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "missing"}
      Then the call is refused with NOT_FOUND

  @LS-ERR-02
  Rule: the sentence for a path outside

    Scenario Outline: the message of <what>
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "src/{main.py}, out->../outside"
      And the context {"allow_absolute": true}
      When LS is called with <arguments>
      Then the error has the code ACCESS_DENIED and the message "Access denied. Path must be within the project root."

      Examples:
        | id           | what                     | arguments        |
        | LS-ERR-02-01 | two dots at the root     | {"path": ".."}   |
        | LS-ERR-02-02 | an absolute path outside | {"path": "/etc"} |
        | LS-ERR-02-03 | a link out               | {"path": "out"}  |

  @LS-ERR-03
  Rule: what is no directory is INVALID_PARAM

    @LS-ERR-03-03
    Scenario: a link to a file
      Given the tree "src/, README.md, l->README.md"
      When LS is called with {"path": "l"}
      Then by AMB-LS-79 the answer is one of
        | reading | refused       |
        | a       | INVALID_PARAM |
        | b       | any code      |

    @LS-ERR-03-04 @returns @behaviour:BEH-11
    Scenario: a pipe
      Given the tree "src/, p:fifo"
      When LS is called with {"path": "p"}
      Then the call is refused with INVALID_PARAM

    @LS-ERR-03-05
    Scenario: a file that may not be read
      Given the tree "src/, closed%0000=3"
      When LS is called with {"path": "closed"}
      Then the call is refused with INVALID_PARAM

  @LS-ERR-04
  Rule: what may not be read is ACCESS_DENIED

    Scenario Outline: a directory that cannot be read: <what>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then by AMB-LS-31 the answer is one of
        | reading | refused           |
        | a       | ACCESS_DENIED     |
        | b       | PERMISSION_DENIED |

      Examples:
        | id           | what                          | tree                    | arguments             |
        | LS-ERR-04-01 | one without any permission    | locked/%0000{x}, f      | {"path": "locked"}    |
        | LS-ERR-04-02 | one below such a directory    | locked/%0000{in/{x}}, f | {"path": "locked/in"} |
        | LS-ERR-04-03 | one that may only be searched | locked/%0111{x}, f      | {"path": "locked"}    |
        | LS-ERR-04-04 | one in an open directory      | locked/{in/%0000{x}}, f | {"path": "locked/in"} |

    @LS-ERR-04-05
    Scenario: a directory below one that may only be searched
      Given the tree "through/%0111{in/{x}}, f"
      When LS is called with {"path": "through/in"}
      Then the entries are "x"

    @LS-ERR-04-06
    Scenario: a directory that may be listed and not searched
      Given the tree "names/%0444{d/{z}, l->x, x}, f"
      When LS is called with {"path": "names"}
      Then by AMB-LS-59 the answer is one of
        | reading | refused       | entries |
        | a       | ACCESS_DENIED |         |
        | b       |               | d, l, x |

  @LS-ERR-05
  Rule: wrong arguments are INVALID_PARAM

    Scenario Outline: the message about types: <what>
      Given the tree "d1/, a.txt"
      When LS is called with <arguments>
      Then the error has the code INVALID_PARAM, and should say "offset/limit/ignore must be valid types."

      Examples:
        | id           | what                       | arguments           |
        | LS-ERR-05-01 | a limit that is a text     | {"limit": "10"}     |
        | LS-ERR-05-02 | an offset that is an array | {"offset": [1]}     |
        | LS-ERR-05-03 | an ignore that is a text   | {"ignore": "*.txt"} |
        | LS-ERR-05-04 | an ignore with a number    | {"ignore": [1]}     |

    Scenario Outline: INVALID_PARAM for <what>
      Given the tree "d1/, a.txt"
      When LS is called with <arguments>
      Then the error has the code INVALID_PARAM

      Examples:
        | id           | what                    | arguments   |
        | LS-ERR-05-05 | a path that is a number | {"path": 5} |

      @interpretation:AMB-LS-16
      Examples:
        | id           | what              | arguments      |
        | LS-ERR-05-06 | a limit of 0      | {"limit": 0}   |
        | LS-ERR-05-07 | a limit of 201    | {"limit": 201} |
        | LS-ERR-05-08 | an offset below 0 | {"offset": -1} |

  @LS-ERR-06
  Rule: any other failure is INTERNAL_ERROR

    @LS-ERR-06-01 @needs:strace
    Scenario: a directory that the disk cannot read
      Given the tree "broken/!R=EIO{x}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: the entries are not "x"
      And the call is refused with INTERNAL_ERROR, and should say "Failed to list directory - "

    @LS-ERR-06-02 @needs:strace
    Scenario: a directory for which there is no memory
      Given the tree "broken/!R=ENOMEM{x}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: the entries are not "x"
      And the call is refused with INTERNAL_ERROR, and should say "Failed to list directory - "

    @LS-ERR-06-101 @needs:strace @prudent
    Scenario: a directory whose reading breaks off
      Given the tree "broken/!R2=EIO{x, y}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: the entries are not "x, y"
      And the call is refused with INTERNAL_ERROR

    # More names than fit into one read: those of the second are lost.
    @LS-ERR-06-103 @needs:strace
    Scenario: a directory whose reading breaks off before all names came
      Given the tree "broken/!R2=EIO{f0000..f2999}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: line 2 of the text is not "(Total: 3000 items - 0 dirs, 3000 files, 0 links)"
      And the call is refused with INTERNAL_ERROR

    @LS-ERR-06-102 @needs:strace @prudent @interpretation:AMB-LS-43
    Scenario: the message of such a failure names no place of the machine
      Given the tree "broken/!R=EIO{x}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: the entries are not "x"
      And the call is refused with INTERNAL_ERROR
      And the answer does not say "$ROOT"

    Scenario Outline: the message names no place of the machine for <what>
      Given the tree "loop->loop, f"
      When LS is called with <arguments>
      Then the call is refused with any code
      And the answer does not say "$ROOT"

      @prudent @interpretation:AMB-LS-43
      Examples:
        | id            | what                          | arguments              |
        | LS-ERR-06-104 | a link to itself              | {"path": "loop"}       |
        | LS-ERR-06-105 | a path below a link to itself | {"path": "loop/x"}     |
        | LS-ERR-06-106 | a name of 300 letters         | {"path": "$('x'*300)"} |
        | LS-ERR-06-107 | a NUL                         | {"path": "a\\u0000b"}  |

    @LS-ERR-06-03
    Scenario: a directory that goes while it is being opened
      Given the tree "victim/{a}, f"
      And "victim" becomes a link to "nowhere" while it is being opened
      When LS is called with {"path": "victim"}
      Then "victim" has become a link
      And by AMB-LS-42 the answer is one of
        | reading | refused                        |
        | a       | INTERNAL_ERROR                 |
        | b       | NOT_FOUND                      |
        | c       | INVALID_PARAM or ACCESS_DENIED |

  @LS-ERR-07
  Rule: the text says what the message says

    @interpretation:AMB-LS-29
    Scenario Outline: the text of an error about <what>
      Given the tree "closed/%0000{x}, README.md, d/"
      When LS is called with <arguments>
      Then the text of the error is its message

      Examples:
        | id            | what                     | arguments             |
        | LS-ERR-07-01  | a missing path           | {"path": "missing"}   |
        | LS-ERR-07-02  | a path outside           | {"path": ".."}        |
        | LS-ERR-07-03  | a file                   | {"path": "README.md"} |
        | LS-ERR-07-04  | a closed directory       | {"path": "closed"}    |
        | LS-ERR-07-05  | a limit out of range     | {"limit": 0}          |
        | LS-ERR-07-103 | an ignore that is a text | {"ignore": "*.md"}    |
        | LS-ERR-07-104 | an ignore with a number  | {"ignore": [1]}       |
        | LS-ERR-07-105 | a path that is a number  | {"path": 5}           |
        | LS-ERR-07-106 | an offset below 0        | {"offset": -1}        |

  @LS-ERR-08
  Rule: a message names the path

    Scenario Outline: a message about <what>
      Given the tree "docs/, closed/%0000{x}, README.md"
      When LS is called with <arguments>
      Then by AMB-LS-52 the answer is one of
        | reading | envelope                                               |
        | a       | {"error": {"code": "<code>", "message": "<given>"}}    |
        | b       | {"error": {"code": "<code>", "message": "<resolved>"}} |

      Examples:
        | id            | what                                    | arguments                | code          | given                                                            | resolved                                                         |
        | LS-ERR-08-01  | a missing path with a dot and a slash   | {"path": "./missing/"}   | NOT_FOUND     | Path './missing/' does not exist.                                | Path 'missing' does not exist.                                   |
        | LS-ERR-08-02  | a missing path with a dot in it            | {"path": "docs/./gone"} | NOT_FOUND     | Path 'docs/./gone' does not exist.                              | Path 'docs/gone' does not exist.                                      |
        | LS-ERR-08-03  | a file with a dot before it             | {"path": "./README.md"}  | INVALID_PARAM | './README.md' is a file, not a directory. Use 'Read' tool to view its content. | 'README.md' is a file, not a directory. Use 'Read' tool to view its content. |
        | LS-ERR-08-04  | a closed directory with a dot before it | {"path": "./closed"}     | ACCESS_DENIED | Permission denied accessing './closed'.                          | Permission denied accessing 'closed'.                            |
        | LS-ERR-08-101 | a missing path below a directory        | {"path": "./docs/gone"}  | NOT_FOUND     | Path './docs/gone' does not exist.                               | Path 'docs/gone' does not exist.                                 |
        | LS-ERR-08-102 | a missing path with signs of templates  | {"path": "./a$$b$&c"}    | NOT_FOUND     | Path './a$$b$&c' does not exist.                                 | Path 'a$$b$&c' does not exist.                                   |
        | LS-ERR-08-103 | a missing path with a quote             | {"path": "./a\\"b"}      | NOT_FOUND     | Path './a\\"b' does not exist.                                   | Path 'a\\"b' does not exist.                                     |

  @LS-ERR-09
  Rule: messages are the suggested ones

    Scenario Outline: the message about a missing path: <what>
      Given the tree "src/{main.py}, README.md, gone->nowhere"
      When LS is called with <arguments>
      Then the error has the code NOT_FOUND and the message "<message>"

      Examples:
        | id            | what                              | arguments                                                        | message                                                          |
        | LS-ERR-09-01  | a plain name                      | {"path": "missing"}                                              | Path 'missing' does not exist.                                   |
        | LS-ERR-09-02  | a name with a quote               | {"path": "it's"}                                                 | Path 'it's' does not exist.                                      |
        | LS-ERR-09-03  | a name in a directory             | {"path": "src/missing"}                                          | Path 'src/missing' does not exist.                               |
        | LS-ERR-09-04  | a letter beyond ASCII             | {"path": "文"}                                                   | Path '文' does not exist.                                        |
        | LS-ERR-09-05  | a name that looks like a template | {"path": "{path}"}                                               | Path '{path}' does not exist.                                    |
        | LS-ERR-09-06  | a name that looks like a format   | {"path": "%s %n"}                                                | Path '%s %n' does not exist.                                     |
        | LS-ERR-09-103 | two dollar signs                  | {"path": "a$$b"}                                                 | Path 'a$$b' does not exist.                                      |
        | LS-ERR-09-104 | signs of replacements             | {"path": "$& $1 &"}                                              | Path '$& $1 &' does not exist.                                   |
        | LS-ERR-09-101 | a name of ninety letters          | {"path": "a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here"} | Path 'a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here' does not exist. |

    Scenario Outline: the message about a file <what>
      Given the tree "src/{main.py}, README.md"
      When LS is called with <arguments>
      Then the error has the code INVALID_PARAM and the message "<message>"

      Examples:
        | id           | what           | arguments               | message                                                          |
        | LS-ERR-09-07 | in the root    | {"path": "README.md"}   | 'README.md' is a file, not a directory. Use 'Read' tool to view its content. |
        | LS-ERR-09-08 | in a directory | {"path": "src/main.py"} | 'src/main.py' is a file, not a directory. Use 'Read' tool to view its content. |

    @LS-ERR-09-102
    Scenario: about a file with a long name
      Given the tree "a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here, d/"
      When LS is called with {"path": "a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here"}
      Then the error has the code INVALID_PARAM and the message "'a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here' is a file, not a directory. Use 'Read' tool to view its content."
