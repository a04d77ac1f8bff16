@file_operations
Feature: A name that is taken

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-MV-03
  Rule: without overwrite a move does not take a name that is taken

    @returns @behaviour:BEH-03
    Scenario Outline: <case of FR-FOPS-MV-03>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-MV-03 | tree | arguments |
        | FO-MV-03-01 | taken, and not overwritten: overwrite is false | a="A", b="B" | {"source": "a", "destination": "b", "overwrite": false} |
        | FO-MV-03-02 | taken, and not overwritten: overwrite is left out | a="A", b="B" | {"source": "a", "destination": "b"} |
        | FO-MV-03-04 | taken, and not overwritten: by an empty file | a="A", b | {"source": "a", "destination": "b"} |
        | FO-MV-03-05 | taken, and not overwritten: the source is a directory | d/{f="F"}, e="E" | {"source": "d", "destination": "e"} |
        | FO-MV-03-09 | taken, and not overwritten: by a link to a file | a="A", l->t, t="T" | {"source": "a", "destination": "l"} |
        | FO-MV-03-11 | taken, and not overwritten: by a named pipe | a="A", p:fifo | {"source": "a", "destination": "p"} |
        | FO-MV-03-12 | taken, and not overwritten: by the source itself | a="A" | {"source": "a", "destination": "a"} |
        | FO-MV-03-13 | taken, and not overwritten: by another name of the source | a="A", b=>a | {"source": "a", "destination": "b"} |
        | FO-MV-03-102 | taken, and not overwritten: with a slash at its end | a="A", b="B" | {"source": "a", "destination": "b/"} |
        | FO-MV-03-104 | taken, and not overwritten: by an older file | a="A"@1100000000000, b="B"@1000000000000 | {"source": "a", "destination": "b"} |
        | FO-MV-03-105 | taken, and not overwritten: by a younger file | a="A"@1000000000000, b="B"@1100000000000 | {"source": "a", "destination": "b"} |
        | FO-MV-03-106 | taken, and not overwritten: by a file that may not be read | a="A", b="B"%0000 | {"source": "a", "destination": "b"} |
        | FO-MV-03-201 | taken, and not overwritten: by a file of the time zero | a="A", b="B"@0 | {"source": "a", "destination": "b"} |
        | FO-MV-03-202 | taken, and not overwritten: by a hidden file | a="A", .b="B" | {"source": "a", "destination": ".b"} |
        | FO-MV-03-301 | taken, and not overwritten: by a name that looks like a set | a="A", '[b]'="B" | {"source": "a", "destination": "[b]"} |
        | FO-MV-03-306 | taken, and not overwritten: with an argument of another name | a="A", b="B" | {"source": "a", "destination": "b", "force": true} |
        | FO-MV-03-302 | taken, and not overwritten: by a name that looks like a star | a="A", '*'="B" | {"source": "a", "destination": "*"} |
        # The control call shows that a directory is entered: which name counts in it is the question.
        | FO-MV-03-03 | taken in the directory, and not overwritten: in the directory | a="A", docs/{a="OLD"} | {"source": "a", "destination": "docs"} |
        | FO-MV-03-06 | taken in the directory, and not overwritten: a directory with content, in it | d/{f="F"}, e/{d/{g="G"}} | {"source": "d", "destination": "e"} |
        | FO-MV-03-07 | taken in the directory, and not overwritten: an empty directory, in it | d/{f="F"}, e/{d/} | {"source": "d", "destination": "e"} |
        | FO-MV-03-08 | taken in the directory, and not overwritten: a directory, by a file | a="A", docs/{a/{k="K"}} | {"source": "a", "destination": "docs"} |
        | FO-MV-03-203 | taken in the directory, and not overwritten: by the source itself, in its own directory | x/{a="A"} | {"source": "x/a", "destination": "x"} |
        | FO-MV-03-103 | taken in the directory, and not overwritten: in the directory, by a link to another | a="A", docs/{a->../r}, r/ | {"source": "a", "destination": "docs"} |
        | FO-MV-03-303 | taken in the directory, and not overwritten: in a directory that a link leads to | a="A", docs/{a="OLD"}, l->docs | {"source": "a", "destination": "l"} |

    Scenario Outline: taken, and not overwritten by the name <name> either
      Given the tree "a="A", b="B""
      When move is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing

      Examples:
        | id | name |
        | FO-MV-03-304 | mv |
        | FO-MV-03-305 | rename |

    @FO-MV-03-10 @behaviour:BEH-03
    Scenario: a move onto a link that leads nowhere, without overwrite
      Given the tree "a="A", l->nope"
      When move is called with {"source": "a", "destination": "l"}
      Then by AMB-FO-37 the outcome is one of
        | reading  | fails     | leaves |
        | exists   | any error |        |
        | created  |           | l->nope, nope="A" |

    # A candidate that checks first and then renames fails here. Nothing in the document asks for more (AMB-FO-21).
    @FO-MV-03-14 @prudent
    Scenario: somebody takes the name in between
      Given the tree "a="A", d/"
      And somebody makes "d/b" with the content "N" while "a" is renamed
      When move is called with {"source": "a", "destination": "d/b"}
      Then by AMB-FO-21 the answer and "d/b" are one of
        | reading   | fails     | holds |
        | exclusive | any error | N     |
        | checked   |           | A     |

  @FR-FOPS-CP-03
  Rule: without overwrite a copy does not take a name that is taken

    @returns @behaviour:BEH-03
    Scenario Outline: <case of FR-FOPS-CP-03>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of FR-FOPS-CP-03 | tree | arguments |
        | FO-CP-03-01 | taken, and not replaced: overwrite is left out | a="A", b="B" | {"source": "a", "destination": "b"} |
        | FO-CP-03-02 | taken, and not replaced: overwrite is false | a="A", b="B" | {"source": "a", "destination": "b", "overwrite": false} |
        | FO-CP-03-05 | taken, and not replaced: by a link to a file | a="A", l->t, t="T" | {"source": "a", "destination": "l"} |
        | FO-CP-03-07 | taken, and not replaced: by a named pipe | a="A", p:fifo | {"source": "a", "destination": "p"} |
        | FO-CP-03-08 | taken, and not replaced: by the source itself | a="A" | {"source": "a", "destination": "a"} |
        | FO-CP-03-09 | taken, and not replaced: by another name of the source | a="A", b=>a | {"source": "a", "destination": "b"} |
        | FO-CP-03-102 | taken, and not replaced: with a slash at its end | a="A", b="B" | {"source": "a", "destination": "b/"} |
        | FO-CP-03-104 | taken, and not replaced: by an older file | a="A"@1100000000000, b="B"@1000000000000 | {"source": "a", "destination": "b"} |
        | FO-CP-03-105 | taken, and not replaced: by a younger file | a="A"@1000000000000, b="B"@1100000000000 | {"source": "a", "destination": "b"} |
        | FO-CP-03-106 | taken, and not replaced: by a file that may not be read | a="A", b="B"%0000 | {"source": "a", "destination": "b"} |
        | FO-CP-03-201 | taken, and not replaced: by a file of the time zero | a="A", b="B"@0 | {"source": "a", "destination": "b"} |
        | FO-CP-03-202 | taken, and not replaced: by a hidden file | a="A", .b="B" | {"source": "a", "destination": ".b"} |
        | FO-CP-03-301 | taken, and not replaced: by an empty file | a="A", b | {"source": "a", "destination": "b"} |
        | FO-CP-03-302 | taken, and not replaced: by a name that looks like a set | a="A", '[b]'="B" | {"source": "a", "destination": "[b]"} |
        | FO-CP-03-306 | taken, and not replaced: with an argument of another name | a="A", b="B" | {"source": "a", "destination": "b", "force": true} |
        | FO-CP-03-303 | taken, and not replaced: by a name that looks like a star | a="A", '*'="B" | {"source": "a", "destination": "*"} |
        # The control call shows that a directory is entered: which name counts in it is the question.
        | FO-CP-03-03 | taken in the directory, and not replaced: in the directory | a="A", docs/{a="OLD"} | {"source": "a", "destination": "docs"} |
        | FO-CP-03-04 | taken in the directory, and not replaced: a directory, in it | a="A", docs/{a/{k="K"}} | {"source": "a", "destination": "docs"} |
        | FO-CP-03-203 | taken in the directory, and not replaced: by the source itself, in its own directory | x/{a="A"} | {"source": "x/a", "destination": "x"} |
        | FO-CP-03-103 | taken in the directory, and not replaced: in the directory, by a link to another | a="A", docs/{a->../r}, r/ | {"source": "a", "destination": "docs"} |
        | FO-CP-03-304 | taken in the directory, and not replaced: in a directory that a link leads to | a="A", docs/{a="OLD"}, l->docs | {"source": "a", "destination": "l"} |
        | FO-CP-03-305 | taken in the directory, and not replaced: by an empty file, in it | a="A", docs/{a} | {"source": "a", "destination": "docs"} |
        | FO-CP-03-107 | taken in the directory, and not replaced: a directory with content, in it | d/{f="F"}, e/{d/{g="G"}} | {"source": "d", "destination": "e"} |
        | FO-CP-03-108 | taken in the directory, and not replaced: an empty directory, in it | d/{f="F"}, e/{d/} | {"source": "d", "destination": "e"} |

    @FO-CP-03-307
    Scenario: taken, and not replaced by the name cp either
      Given the tree "a="A", b="B""
      When copy is called by the name "cp" with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing

    @FO-CP-03-06 @behaviour:BEH-03
    Scenario: a copy onto a link that leads nowhere, without overwrite
      Given the tree "a="A", l->nope"
      When copy is called with {"source": "a", "destination": "l"}
      Then by AMB-FO-38 the outcome is one of
        | reading  | fails     | leaves |
        | exists   | any error |        |
        | created  |           | a="A", l->nope, nope="A" |

  @T-FOPS-MV-02
  Rule: the specification's own test: overwriting is blocked

    @FO-T-MV-02-01
    Scenario: a move onto a file that is there
      Given the tree "a="A", b="B", c="C""
      When move is called with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing

  @CFG-FOPS-01
  Rule: the configuration has a say, and never against an argument that is false

    Scenario Outline: <case of CFG-FOPS-01 configured>
      Given the tree "<tree>"
      And the configuration <configuration>
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of CFG-FOPS-01 configured | tree | configuration | tool | arguments | ends |
        | FO-CFG-01-01 | allowed and asked for: a move | a="NEW", b="OLDER" | {"allow_overwrite": true} | move | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "b="NEW"" |
        | FO-CFG-01-02 | allowed and asked for: a copy | a="NEW", b="OLDER" | {"allow_overwrite": true} | copy | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "a="NEW", b="NEW"" |
        # The destination name exists in the other directory and is free in the source's own directory.
        | FO-CFG-01-101 | allowed and asked for, from one directory to another: move | x/{a="NEW"}, d/{b="OLD", k="K"} | {"allow_overwrite": true} | move | {"source": "x/a", "destination": "d/b", "overwrite": true} | succeeds and leaves "x/, d/{b="NEW", k="K"}" |
        | FO-CFG-01-102 | allowed and asked for, from one directory to another: copy | x/{a="NEW"}, d/{b="OLD", k="K"} | {"allow_overwrite": true} | copy | {"source": "x/a", "destination": "d/b", "overwrite": true} | succeeds and leaves "x/{a="NEW"}, d/{b="NEW", k="K"}" |
        | FO-CFG-01-312 | allowed and asked for, in a directory that is entered: move | a="NEW", docs/{a="OLDER", k="K"} | {"allow_overwrite": true} | move | {"source": "a", "destination": "docs", "overwrite": true} | succeeds and leaves "docs/{a="NEW", k="K"}" |
        | FO-CFG-01-313 | allowed and asked for, in a directory that is entered: copy | a="NEW", docs/{a="OLDER", k="K"} | {"allow_overwrite": true} | copy | {"source": "a", "destination": "docs", "overwrite": true} | succeeds and leaves "a="NEW",docs/{a="NEW", k="K"}" |
        # Neither modification time is a reason to refuse: the call does not request the younger file.
        | FO-CFG-01-106 | allowed and asked for, onto a younger file: move | a="A"@1000000000000, b="B"@1100000000000 | {"allow_overwrite": true} | move | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "b="A"" |
        | FO-CFG-01-107 | allowed and asked for, onto a younger file: copy | a="A"@1000000000000, b="B"@1100000000000 | {"allow_overwrite": true} | copy | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "a="A", b="A"" |
        | FO-CFG-01-04 | allowed, and the argument is false: move | a="AA", b="B" | {"allow_overwrite": true} | move | {"source": "a", "destination": "b", "overwrite": false} | fails with any error and changes nothing |
        | FO-CFG-01-05 | allowed, and the argument is false: copy | a="AA", b="B" | {"allow_overwrite": true} | copy | {"source": "a", "destination": "b", "overwrite": false} | fails with any error and changes nothing |
        | FO-CFG-01-215 | not allowed, and the argument is false: move | a="AA", b="B" | {"allow_overwrite": false} | move | {"source": "a", "destination": "b", "overwrite": false} | fails with any error and changes nothing |
        | FO-CFG-01-216 | not allowed, and the argument is false: copy | a="AA", b="B" | {"allow_overwrite": false} | copy | {"source": "a", "destination": "b", "overwrite": false} | fails with any error and changes nothing |
        | FO-CFG-01-06 | neither allowed nor asked for | a="AA", b="B" | {"allow_overwrite": false} | move | {"source": "a", "destination": "b"} | fails with any error and changes nothing |

      @interpretation:AMB-FO-01
      Examples:
        | id | case of CFG-FOPS-01 configured | tree | configuration | tool | arguments | ends |
        | FO-CFG-01-09 | allowed and left out: move | a="AA", b="B" | {"allow_overwrite": true} | move | {"source": "a", "destination": "b"} | either leaves "b="AA"", or fails with any error and changes nothing |
        | FO-CFG-01-10 | allowed and left out: copy | a="AA", b="B" | {"allow_overwrite": true} | copy | {"source": "a", "destination": "b"} | either leaves "a="AA", b="AA"", or fails with any error and changes nothing |
        | FO-CFG-01-13 | written out as false, and asked for: move | a="AA", b="B" | {"allow_overwrite": false} | move | {"source": "a", "destination": "b", "overwrite": true} | either leaves "b="AA"", or fails with any error and changes nothing |
        | FO-CFG-01-14 | written out as false, and asked for: copy | a="AA", b="B" | {"allow_overwrite": false} | copy | {"source": "a", "destination": "b", "overwrite": true} | either leaves "a="AA", b="AA"", or fails with any error and changes nothing |

      @prudent
      Examples:
        | id | case of CFG-FOPS-01 configured | tree | configuration | tool | arguments | ends |
        | FO-CFG-01-11 | the value "no" is no boolean and lets nothing be overwritten | a="AA", b="B" | {"allow_overwrite": "no"} | move | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-CFG-01-109 | the value 1 is no boolean and lets nothing be overwritten | a="AA", b="B" | {"allow_overwrite": 1} | move | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-CFG-01-110 | the value "true" is no boolean and lets nothing be overwritten | a="AA", b="B" | {"allow_overwrite": "true"} | move | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-CFG-01-111 | the value [true] is no boolean and lets nothing be overwritten | a="AA", b="B" | {"allow_overwrite": [true]} | move | {"source": "a", "destination": "b"} | fails with any error and changes nothing |

      @prudent @interpretation:AMB-FO-01
      Examples:
        | id | case of CFG-FOPS-01 configured | tree | configuration | tool | arguments | ends |
        # A candidate that uses only the argument need not read the value; a candidate that reads it need not accept it.
        | FO-CFG-01-103 | allow_overwrite is the text "false", and overwriting is asked for | a="AA", b="B" | {"allow_overwrite": "false"} | move | {"source": "a", "destination": "b", "overwrite": true} | either leaves "b="AA"", or fails with any error and changes nothing |
        | FO-CFG-01-104 | allow_overwrite is the text "no", and overwriting is asked for | a="AA", b="B" | {"allow_overwrite": "no"} | move | {"source": "a", "destination": "b", "overwrite": true} | either leaves "b="AA"", or fails with any error and changes nothing |

    Scenario Outline: allowed, and the argument is false, by the name <name>
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b", "overwrite": false}
      Then the call fails with any error and changes nothing

      Examples:
        | id | tool | name |
        | FO-CFG-01-201 | move | mv |
        | FO-CFG-01-202 | move | rename |
        | FO-CFG-01-203 | copy | cp |

    @interpretation:AMB-FO-01
    Scenario Outline: <case of CFG-FOPS-01>
      Given the tree "a="AA", b="B""
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call <ends>

      Examples:
        | id | case of CFG-FOPS-01 | tool | ends |
        # The next seven scenarios belong together: one reading fits all of them.
        | FO-CFG-01-07 | asked for and not allowed: move | move | either leaves "b="AA"", or fails with any error and changes nothing |
        | FO-CFG-01-08 | asked for and not allowed: copy | copy | either leaves "a="AA", b="AA"", or fails with any error and changes nothing |

    # Each single call fits two readings or more; both together fit one.
    @FO-CFG-01-15
    Scenario: asked for and not allowed, and then allowed and left out
      Given the tree "a="AA", b="B", c="CC", d="D""
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration {"allow_overwrite": true}
      When move is called again with {"source": "c", "destination": "d"}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                         |
        | gate       | any error | a="AA", b="B", c="CC", d="D"   |
        | both       |           | a="AA", b="B", d="CC"          |
        | configured | any error | b="AA", c="CC", d="D"          |
        | default    |           | b="AA", d="CC"                 |

    # A candidate that looks only whether the flag is there fits none of the readings.
    Scenario Outline: asked for and written out as false, and then asked for and not written: <tool>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration file
        """
        [tools.fileops]
        allow_overwrite = false
        """
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [tools.fileops]
        """
      When <tool> is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | both       | any error | a="AA", b="B", c="CC", d="D" |
        | configured |           | <second>                     |
        | default    |           | <each>                       |

      Examples:
        | id | tool | second | each |
        | FO-CFG-01-16 | move | a="AA", b="B", d="CC" | b="AA", d="CC" |
        | FO-CFG-01-17 | copy | a="AA", b="B", c="CC", d="CC" | a="AA", b="AA", c="CC", d="CC" |

    # A candidate that reads no configuration fits a reading in each call, and none in both.
    Scenario Outline: written out as false and asked for, and then allowed and left out: <tool>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": false}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration {"allow_overwrite": true}
      When <tool> is called again with {"source": "c", "destination": "d"}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | configured | any error | a="AA", b="B", c="CC", d="D" |
        | both       |           | <second>                     |
        | default    |           | <each>                       |

      Examples:
        | id | tool | second | each |
        | FO-CFG-01-208 | move | a="AA", b="B", d="CC" | b="AA", d="CC" |
        | FO-CFG-01-209 | copy | a="AA", b="B", c="CC", d="CC" | a="AA", b="AA", c="CC", d="CC" |

    # No tool has a table of its own, and so both calls are the same.
    Scenario Outline: written out as false, and then allowed in a table of the tool's name as well: <tool>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": false}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [tools.fileops]
        allow_overwrite = false
        
        [tools.<tool>]
        allow_overwrite = true
        """
      When <tool> is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | both       | any error | a="AA", b="B", c="CC", d="D" |
        | configured | any error | a="AA", b="B", c="CC", d="D" |
        | default    |           | <each>                       |

      Examples:
        | id | tool | each |
        | FO-CFG-01-210 | move | b="AA", d="CC" |
        | FO-CFG-01-211 | copy | a="AA", b="AA", c="CC", d="CC" |

    # A value of one call is none of the next call.
    @FO-CFG-01-18
    Scenario: asked for and not written, then asked for and allowed, and then not written again
      Given the tree "a="AA", b="B", c="CC", d="D", e="EE", f="F""
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [tools.fileops]
        allow_overwrite = true
        """
      When move is called again with {"source": "c", "destination": "d", "overwrite": true}
      Given the configuration file
        """
        [tools.fileops]
        """
      When move is called again with {"source": "e", "destination": "f", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                               |
        | gate       | any error | a="AA", b="B", d="CC", e="EE", f="F" |
        | both       | any error | a="AA", b="B", d="CC", e="EE", f="F" |
        | configured |           | b="AA", d="CC", f="EE"               |
        | default    |           | b="AA", d="CC", f="EE"               |

    # The table is that of both tools.
    @FO-CFG-01-19
    Scenario: written out as false, and asked for by both tools
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": false}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      When copy is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                          |
        | gate       | any error | a="AA", b="B", c="CC", d="D"    |
        | both       | any error | a="AA", b="B", c="CC", d="D"    |
        | configured | any error | a="AA", b="B", c="CC", d="D"    |
        | default    |           | b="AA", c="CC", d="CC"          |

    # A candidate that takes every text for true overwrites in the first call and in no other.
    @FO-CFG-01-20 @prudent
    Scenario: a text that is no boolean, and then no value
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration file
        """
        [tools.fileops]
        allow_overwrite = "false"
        """
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [tools.fileops]
        """
      When move is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | both       | any error | a="AA", b="B", c="CC", d="D" |
        | configured |           | a="AA", b="B", d="CC"        |
        | configured |           | b="AA", d="CC"               |
        | default    |           | a="AA", b="B", d="CC"        |
        | default    |           | b="AA", d="CC"               |

    # As FO-CFG-01-15, with the flag in the table above its own.
    @FO-CFG-01-108
    Scenario: asked for and not allowed, and then allowed for all tools
      Given the tree "a="AA", b="B", c="CC", d="D""
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [tools]
        allow_overwrite = true
        """
      When move is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                         |
        | gate       | any error | a="AA", b="B", c="CC", d="D"   |
        | both       | any error | a="AA", b="B", c="CC", d="D"   |
        | configured |           | b="AA", d="CC"                 |
        | default    |           | b="AA", d="CC"                 |

    # The flag has one name, and no tool has a table of its own.
    Scenario Outline: <what> allows nothing: <tool>
      Given the tree "a="AA", b="B""
      And the configuration file
        """
        <table>
        <key> = true
        """
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing

      Examples:
        | id | what | tool | table | key |
        | FO-CFG-01-112 | the flag in a tool's name | move | [tools.move] | allow_overwrite |
        | FO-CFG-01-113 | the flag in a tool's name | copy | [tools.copy] | allow_overwrite |
        | FO-CFG-01-114 | the flag with a hyphen | move | [tools.fileops] | allow-overwrite |
        | FO-CFG-01-115 | the flag in another case | copy | [tools.fileops] | allowOverwrite |
        | FO-CFG-01-116 | a table without tools | move | [fileops] | allow_overwrite |
        | FO-CFG-01-117 | another flag | copy | [tools.fileops] | overwrite |

    # The configuration may stand in for the argument (AMB-FO-01): for all names of a tool or for none.
    Scenario Outline: allowed and left out, by the tool's own name and by the name <name>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b"}
      And <tool> is called by the name "<name>" with {"source": "c", "destination": "d"}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | configured | any error | a="AA", b="B", c="CC", d="D" |
        | both       |           | <each>                       |
        | both       | any error | <first>                      |
        | default    |           | <each>                       |
        | default    | any error | <first>                      |

      Examples:
        | id | tool | name | first | each |
        | FO-CFG-01-212 | copy | cp | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |
        | FO-CFG-01-213 | move | mv | b="AA", c="CC", d="D" | b="AA", d="CC" |
        | FO-CFG-01-214 | move | rename | b="AA", c="CC", d="D" | b="AA", d="CC" |

    # The argument has one name. A call with another one is refused, or carried out as if it were left out (AMB-FO-31).
    Scenario Outline: allowed and left out, and then asked for under another name: <tool>, <name>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b"}
      And <tool> is called again with {"source": "c", "destination": "d", "<name>": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | configured | any error | a="AA", b="B", c="CC", d="D" |
        | both       |           | <each>                       |
        | both       | any error | <first>                      |
        | default    |           | <each>                       |
        | default    | any error | <first>                      |

      Examples:
        | id | tool | name | first | each |
        | FO-CFG-01-204 | move | force | b="AA", c="CC", d="D" | b="AA", d="CC" |
        | FO-CFG-01-205 | copy | force | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |

    # As before; where names are found in any case, the second call asks for it (AMB-FO-52).
    Scenario Outline: allowed and left out, and then asked for in another case: <tool>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b"}
      And <tool> is called again with {"source": "c", "destination": "d", "OverWrite": true}
      Then by AMB-FO-01 and AMB-FO-52 the outcome is one of
        | reading    | AMB-FO-52 | fails     | leaves                       |
        | gate       | exact     | any error | a="AA", b="B", c="CC", d="D" |
        | configured | exact     | any error | a="AA", b="B", c="CC", d="D" |
        | gate       | folded    |           | <second>                     |
        | configured | folded    |           | <second>                     |
        | both       |           |           | <each>                       |
        | both       |           | any error | <first>                      |
        | default    |           |           | <each>                       |
        | default    |           | any error | <first>                      |

      Examples:
        | id | tool | first | second | each |
        | FO-CFG-01-206 | move | b="AA", c="CC", d="D" | a="AA", b="B", d="CC" | b="AA", d="CC" |
        | FO-CFG-01-207 | copy | a="AA", b="AA", c="CC", d="D" | a="AA", b="B", c="CC", d="CC" | a="AA", b="AA", c="CC", d="CC" |

    # The table is that of both tools: one reading fits both calls.
    @FO-CFG-01-118
    Scenario: allowed and left out by both tools
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b"}
      When copy is called again with {"source": "c", "destination": "d"}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                          |
        | gate       | any error | a="AA", b="B", c="CC", d="D"    |
        | configured | any error | a="AA", b="B", c="CC", d="D"    |
        | both       |           | b="AA", c="CC", d="CC"          |
        | default    |           | b="AA", c="CC", d="CC"          |

    # Both tools share one table: the tables of other tools have no effect.
    @FO-CFG-01-12
    Scenario: the flag in another tool's table allows nothing
      Given the tree "a="AA", b="B""
      And the configuration file
        """
        [tools.list_directory]
        allow_overwrite = true
        """
      When move is called with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing

    # What is allowed in another table is allowed nowhere: both calls are the same.
    Scenario Outline: not written, and then allowed in the table <table>: <tool>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration file
        """
        [tools.fileops]
        """
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [<table>]
        allow_overwrite = true
        """
      When <tool> is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | both       | any error | a="AA", b="B", c="CC", d="D" |
        | configured |           | <each>                       |
        | configured | any error | <first>                      |
        | default    |           | <each>                       |
        | default    | any error | <first>                      |

      Examples:
        | id | table | tool | first | each |
        | FO-CFG-01-301 | fileops | move | b="AA", c="CC", d="D" | b="AA", d="CC" |
        | FO-CFG-01-302 | tools.'*' | move | b="AA", c="CC", d="D" | b="AA", d="CC" |
        | FO-CFG-01-303 | tools.move | move | b="AA", c="CC", d="D" | b="AA", d="CC" |
        | FO-CFG-01-304 | tools.copy | copy | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |
        | FO-CFG-01-305 | tools.file_operations | copy | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |

    # A table below that of both tools is none of either. It may be refused as a key that is not known.
    Scenario Outline: written out as false, and then allowed in a table below: <tool>
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": false}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration file
        """
        [tools.fileops]
        allow_overwrite = false
        
        [tools.fileops.<tool>]
        allow_overwrite = true
        """
      When <tool> is called again with {"source": "c", "destination": "d", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                       |
        | gate       | any error | a="AA", b="B", c="CC", d="D" |
        | both       | any error | a="AA", b="B", c="CC", d="D" |
        | configured | any error | a="AA", b="B", c="CC", d="D" |
        | default    |           | <each>                       |
        | default    | any error | <first>                      |

      Examples:
        | id | tool | first | each |
        | FO-CFG-01-306 | move | b="AA", c="CC", d="D" | b="AA", d="CC" |
        | FO-CFG-01-307 | copy | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |

    # The document names one table. A tool may have further ones of its own.
    @prudent
    Scenario Outline: allowed and asked for, and forbidden in the table <table>: <tool>
      Given the tree "a="NEW", b="OLDER""
      And the configuration file
        """
        [<table>]
        allow_overwrite = false
        
        [tools.fileops]
        allow_overwrite = true
        """
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id | table | tool | left |
        | FO-CFG-01-308 | tools.move | move | b="NEW" |
        | FO-CFG-01-309 | tools.copy | copy | a="NEW", b="NEW" |
        | FO-CFG-01-310 | tools | move | b="NEW" |
        | FO-CFG-01-311 | fileops | copy | a="NEW", b="NEW" |

    @FO-CFG-01-105 @interpretation:AMB-FO-01
    Scenario: the flag outside of its table allows nothing that is asked for
      Given the tree "a="AA", b="B""
      And the configuration file
        """
        allow_overwrite = true
        """
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call either leaves "b="AA"", or fails with any error and changes nothing

  @DFO-05
  Rule: no directory loses what it holds, and only a file that is overwritten on demand goes

    Scenario Outline: <case of DFO-05 configured>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-05 configured | tree | tool | arguments | ends |
        | FO-D05-301 | files that look like copies of the old file stay when a move replaces a file | a="A", a.tmp="0", .a.tmp="9", b="OLD", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11" | move | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "a.tmp="0", .a.tmp="9", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11"" |
        | FO-D05-302 | files that look like copies of the new file stay: a copy under a new name | a="A", a.tmp="0", .a.tmp="9", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11" | copy | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "a="A", a.tmp="0", .a.tmp="9", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11"" |
        | FO-D05-303 | files that look like copies of the new file stay: a copy onto another file | a="A", a.tmp="0", .a.tmp="9", b="OLD",b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11" | copy | {"source": "a", "destination": "b", "overwrite": true} | succeeds and leaves "a="A", a.tmp="0", .a.tmp="9", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11"" |
        | FO-D05-01 | overwriting is allowed and asked for, and yet: a file onto a directory with content | a="A", docs/{a/{k="K"}} | move | {"source": "a", "destination": "docs", "overwrite": true} | fails with any error and changes nothing |
        | FO-D05-02 | overwriting is allowed and asked for, and yet: a copy onto a directory with content | a="A", docs/{a/{k="K"}} | copy | {"source": "a", "destination": "docs", "overwrite": true} | fails with any error and changes nothing |
        | FO-D05-201 | overwriting is allowed and asked for, and yet: a file where a directory is needed | a="A", f="F" | move | {"source": "a", "destination": "f/b", "overwrite": true} | fails with any error and changes nothing |
        | FO-D05-202 | overwriting is allowed and asked for, and yet: a file where a copy needs a directory | a="A", f="F" | copy | {"source": "a", "destination": "f/b", "overwrite": true} | fails with any error and changes nothing |
        # Where no content is lost the document leaves the result open (AMB-FO-05).
        | FO-D05-03 | a file onto an empty directory | a="A", docs/{a/} | move | {"source": "a", "destination": "docs", "overwrite": true} | either leaves "docs/{a="A"}", or fails with any error and loses nothing |
        | FO-D05-04 | a copy onto an empty directory | a="A", docs/{a/} | copy | {"source": "a", "destination": "docs", "overwrite": true} | either leaves "a="A", docs/{a="A"}", or fails with any error and loses nothing |
        | FO-D05-05 | a directory onto a file | d/{f="F"}, e="E" | move | {"source": "d", "destination": "e", "overwrite": true} | either leaves "e/{f="F"}", or fails with any error and loses nothing, but for "e" |
        | FO-D05-06 | a directory onto one with content | d/{f="F"}, e/{d/{g="G"}} | move | {"source": "d", "destination": "e", "overwrite": true} | either leaves "e/{d/{f="F", g="G"}}", or fails with any error and loses nothing |
        | FO-D05-08 | a copy of a directory onto a file | d/{f="F"}, e="E" | copy | {"source": "d", "destination": "e", "overwrite": true} | either leaves "d/{f="F"}, e/{f="F"}", or fails with any error and loses nothing, but for "e" |
        | FO-D05-19 | a copy of a directory onto an empty one | d/{f="F"}, e/{d/} | copy | {"source": "d", "destination": "e", "overwrite": true} | either leaves "d/{f="F"}, e/{d/{f="F"}}", or fails with any error and loses nothing, but for "e/d" |
        | FO-D05-20 | a copy of a directory onto one with content | d/{f="F"}, e/{d/{g="G"}} | copy | {"source": "d", "destination": "e", "overwrite": true} | either leaves "d/{f="F"}, e/{d/{f="F", g="G"}}", or fails with any error and loses nothing |

      @implied @interpretation:AMB-FO-05
      Examples:
        | id | case of DFO-05 configured | tree | tool | arguments | ends |
        | FO-D05-12 | a directory onto an empty directory of its name | d/{f="F"}, e/{d/} | move | {"source": "d", "destination": "e", "overwrite": true} | either leaves "e/{d/{f="F"}}", or fails with any error and changes nothing |

    @FO-D05-304
    Scenario: files that look like unfinished copies are the user's
      Given the tree "a="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7""
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7""

    @FO-D05-07
    Scenario: a directory onto a link that is dangling
      Given the tree "d/{f="F"}, e->nope"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | e/{f="F"} |
        |                         | e->nope, nope/{f="F"} |
