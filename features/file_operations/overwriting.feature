@file_operations
Feature: A name that is taken

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-MV-03
  Rule: without overwrite a move does not take a name that is taken

    @returns
    Scenario Outline: taken, and not overwritten: <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call fails with <fails> and changes nothing
      And a control call moves a file

      Examples:
        | id          | what                                | tree                        | arguments                                                 | fails           |
        | FO-MV-03-01 | overwrite is false                  | a="A", b="B"                | {"source": "a", "destination": "b", "overwrite": false}   | any error       |
        | FO-MV-03-02 | overwrite is left out               | a="A", b="B"                | {"source": "a", "destination": "b"}                       | any error       |
        | FO-MV-03-04 | by an empty file                    | a="A", b                    | {"source": "a", "destination": "b"}                       | any error       |
        | FO-MV-03-05 | the source is a directory           | d/{f="F"}, e="E"            | {"source": "d", "destination": "e"}                       | any error       |
        | FO-MV-03-09 | by a link to a file                 | a="A", l->t, t="T"          | {"source": "a", "destination": "l"}                       | any error       |
        | FO-MV-03-11 | by a named pipe                     | a="A", p:fifo               | {"source": "a", "destination": "p"}                       | any error       |
        | FO-MV-03-12 | by the source itself                | a="A"                       | {"source": "a", "destination": "a"}                       | any error       |
        | FO-MV-03-13 | by another name of the source       | a="A", b=>a                 | {"source": "a", "destination": "b"}                       | any error       |
        | FO-MV-03-102 | with a slash at its end            | a="A", b="B"                | {"source": "a", "destination": "b/"}                      | any error       |
        | FO-MV-03-104 | by an older file                   | a="A"@1100000000000, b="B"@1000000000000 | {"source": "a", "destination": "b"} | any error |
        | FO-MV-03-105 | by a younger file                  | a="A"@1000000000000, b="B"@1100000000000 | {"source": "a", "destination": "b"} | any error |
        | FO-MV-03-106 | by a file that may not be read     | a="A", b="B"%0000           | {"source": "a", "destination": "b"}                       | any error       |
        | FO-MV-03-201 | by a file of the time zero | a="A", b="B"@0 | {"source": "a", "destination": "b"} | any error |
        | FO-MV-03-202 | by a hidden file | a="A", .b="B" | {"source": "a", "destination": ".b"} | any error |
        | FO-MV-03-301 | by a name that looks like a set | a="A", '[b]'="B" | {"source": "a", "destination": "[b]"} | any error |
        | FO-MV-03-306 | with an argument of another name | a="A", b="B" | {"source": "a", "destination": "b", "force": true} | any error |
        | FO-MV-03-302 | by a name that looks like a star | a="A", '*'="B" | {"source": "a", "destination": "*"} | any error |

    Scenario Outline: taken, and not overwritten by the name <name> either
      Given the tree "a="A", b="B""
      When move is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id           | name   |
        | FO-MV-03-304 | mv     |
        | FO-MV-03-305 | rename |

    # The control call shows that a directory is entered: which name counts in it is the question.
    @returns
    Scenario Outline: taken in the directory, and not overwritten: <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then a control call moves a file into a directory
      And the call fails with <fails> and changes nothing

      Examples:
        | id          | what                                | tree                        | arguments                                                 | fails           |
        | FO-MV-03-03 | in the directory                    | a="A", docs/{a="OLD"}       | {"source": "a", "destination": "docs"}                    | any error       |
        | FO-MV-03-06 | a directory with content, in it     | d/{f="F"}, e/{d/{g="G"}}    | {"source": "d", "destination": "e"}                       | any error       |
        | FO-MV-03-07 | an empty directory, in it           | d/{f="F"}, e/{d/}           | {"source": "d", "destination": "e"}                       | any error       |
        | FO-MV-03-08 | a directory, by a file              | a="A", docs/{a/{k="K"}}     | {"source": "a", "destination": "docs"}                    | any error       |
        | FO-MV-03-203 | by the source itself, in its own directory | x/{a="A"} | {"source": "x/a", "destination": "x"} | any error |
        | FO-MV-03-103 | in the directory, by a link to another | a="A", docs/{a->../r}, r/ | {"source": "a", "destination": "docs"}                  | any error       |
        | FO-MV-03-303 | in a directory that a link leads to | a="A", docs/{a="OLD"}, l->docs | {"source": "a", "destination": "l"}               | any error       |

    @FO-MV-03-10
    Scenario: a move onto a link that leads nowhere, without overwrite
      Given the tree "a="A", l->nope"
      When move is called with {"source": "a", "destination": "l"}
      Then by AMB-FO-37 the outcome is one of
        | reading  | fails     | leaves |
        | exists   | any error |        |
        | replaced |           | l="A" |
        | created  |           | l->nope, nope="A" |
      And a control call moves a file

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
      And a control call moves a file

  @FR-FOPS-CP-03
  Rule: without overwrite a copy does not take a name that is taken

    @returns
    Scenario Outline: taken, and not replaced: <what>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call fails with <fails> and changes nothing
      And a control call copies a file

      Examples:
        | id          | what                          | tree                     | arguments                                               | fails           |
        | FO-CP-03-01 | overwrite is left out         | a="A", b="B"             | {"source": "a", "destination": "b"}                     | any error       |
        | FO-CP-03-02 | overwrite is false            | a="A", b="B"             | {"source": "a", "destination": "b", "overwrite": false} | any error       |
        | FO-CP-03-05 | by a link to a file           | a="A", l->t, t="T"       | {"source": "a", "destination": "l"}                     | any error       |
        | FO-CP-03-07 | by a named pipe               | a="A", p:fifo            | {"source": "a", "destination": "p"}                     | any error       |
        | FO-CP-03-08 | by the source itself          | a="A"                    | {"source": "a", "destination": "a"}                     | any error       |
        | FO-CP-03-09 | by another name of the source | a="A", b=>a              | {"source": "a", "destination": "b"}                     | any error       |
        | FO-CP-03-102 | with a slash at its end      | a="A", b="B"             | {"source": "a", "destination": "b/"}                    | any error       |
        | FO-CP-03-104 | by an older file                   | a="A"@1100000000000, b="B"@1000000000000 | {"source": "a", "destination": "b"} | any error |
        | FO-CP-03-105 | by a younger file                  | a="A"@1000000000000, b="B"@1100000000000 | {"source": "a", "destination": "b"} | any error |
        | FO-CP-03-106 | by a file that may not be read     | a="A", b="B"%0000        | {"source": "a", "destination": "b"}                     | any error       |
        | FO-CP-03-201 | by a file of the time zero | a="A", b="B"@0 | {"source": "a", "destination": "b"} | any error |
        | FO-CP-03-202 | by a hidden file | a="A", .b="B" | {"source": "a", "destination": ".b"} | any error |
        | FO-CP-03-301 | by an empty file | a="A", b | {"source": "a", "destination": "b"} | any error |
        | FO-CP-03-302 | by a name that looks like a set | a="A", '[b]'="B" | {"source": "a", "destination": "[b]"} | any error |
        | FO-CP-03-306 | with an argument of another name | a="A", b="B" | {"source": "a", "destination": "b", "force": true} | any error |
        | FO-CP-03-303 | by a name that looks like a star | a="A", '*'="B" | {"source": "a", "destination": "*"} | any error |

    @FO-CP-03-307
    Scenario: taken, and not replaced by the name cp either
      Given the tree "a="A", b="B""
      When copy is called by the name "cp" with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

    # The control call shows that a directory is entered: which name counts in it is the question.
    @returns
    Scenario Outline: taken in the directory, and not replaced: <what>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then a control call copies a file into a directory
      And the call fails with <fails> and changes nothing

      Examples:
        | id          | what                          | tree                     | arguments                                               | fails           |
        | FO-CP-03-03 | in the directory              | a="A", docs/{a="OLD"}    | {"source": "a", "destination": "docs"}                  | any error       |
        | FO-CP-03-04 | a directory, in it            | a="A", docs/{a/{k="K"}}  | {"source": "a", "destination": "docs"}                  | any error       |
        | FO-CP-03-203 | by the source itself, in its own directory | x/{a="A"} | {"source": "x/a", "destination": "x"} | any error |
        | FO-CP-03-103 | in the directory, by a link to another | a="A", docs/{a->../r}, r/ | {"source": "a", "destination": "docs"}       | any error       |
        | FO-CP-03-304 | in a directory that a link leads to | a="A", docs/{a="OLD"}, l->docs | {"source": "a", "destination": "l"}    | any error       |
        | FO-CP-03-305 | by an empty file, in it             | a="A", docs/{a} | {"source": "a", "destination": "docs"}                | any error       |
        | FO-CP-03-107 | a directory with content, in it | d/{f="F"}, e/{d/{g="G"}} | {"source": "d", "destination": "e"}                    | any error       |
        | FO-CP-03-108 | an empty directory, in it     | d/{f="F"}, e/{d/}        | {"source": "d", "destination": "e"}                     | any error       |

    @FO-CP-03-06
    Scenario: a copy onto a link that leads nowhere, without overwrite
      Given the tree "a="A", l->nope"
      When copy is called with {"source": "a", "destination": "l"}
      Then by AMB-FO-38 the outcome is one of
        | reading  | fails     | leaves |
        | exists   | any error |        |
        | replaced |           | a="A", l="A" |
        | created  |           | a="A", l->nope, nope="A" |
      And a control call copies a file

  @T-FOPS-MV-02
  Rule: the specification's own test: overwriting is blocked

    @FO-T-MV-02-01
    Scenario: a move onto a file that is there
      Given the tree "a="A", b="B", c="C""
      When move is called with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing
      And a control call moves a file

  @CFG-FOPS-01
  Rule: the configuration has a say, and never against an argument that is false

    @FO-CFG-01-01
    Scenario: allowed and asked for: a move
      Given the tree "a="NEW", b="OLDER""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "b="NEW""

    @FO-CFG-01-02
    Scenario: allowed and asked for: a copy
      Given the tree "a="NEW", b="OLDER""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "a="NEW", b="NEW""

    # The destination name exists in the other directory and is free in the source's own directory.
    Scenario Outline: allowed and asked for, from one directory to another: <tool>
      Given the tree "x/{a="NEW"}, d/{b="OLD", k="K"}"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "x/a", "destination": "d/b", "overwrite": true}
      Then the call succeeds and leaves "<left>, d/{b="NEW", k="K"}"

      Examples:
        | id            | tool | left        |
        | FO-CFG-01-101 | move | x/          |
        | FO-CFG-01-102 | copy | x/{a="NEW"} |

    Scenario Outline: allowed and asked for, in a directory that is entered: <tool>
      Given the tree "a="NEW", docs/{a="OLDER", k="K"}"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then a control call <does> a file into a directory
      And the call succeeds and leaves "<left>docs/{a="NEW", k="K"}"

      Examples:
        | id            | tool | does   | left     |
        | FO-CFG-01-312 | move | moves  |          |
        | FO-CFG-01-313 | copy | copies | a="NEW", |

    # Neither modification time is a reason to refuse: the call does not request the younger file.
    Scenario Outline: allowed and asked for, onto a younger file: <tool>
      Given the tree "a="A"@1000000000000, b="B"@1100000000000"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id            | tool | left         |
        | FO-CFG-01-106 | move | b="A"        |
        | FO-CFG-01-107 | copy | a="A", b="A" |

    Scenario Outline: allowed, and the argument is false: <tool>
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": false}
      Then a control call <does> nothing onto a file with overwrite false
      And the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | tool | does   |
        | FO-CFG-01-04 | move | moves  |
        | FO-CFG-01-05 | copy | copies |

    Scenario Outline: not allowed, and the argument is false: <tool>
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": false}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": false}
      Then a control call <does> nothing onto a file with overwrite false
      And the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-CFG-01-215 | move | moves  |
        | FO-CFG-01-216 | copy | copies |

    Scenario Outline: allowed, and the argument is false, by the name <name>
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b", "overwrite": false}
      Then a control call <does> nothing onto a file with overwrite false
      And the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | name   | does   |
        | FO-CFG-01-201 | move | mv     | moves  |
        | FO-CFG-01-202 | move | rename | moves  |
        | FO-CFG-01-203 | copy | cp     | copies |

    @FO-CFG-01-06
    Scenario: neither allowed nor asked for
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": false}
      When move is called with {"source": "a", "destination": "b"}
      Then a control call moves nothing onto a file
      And the call fails with any error and changes nothing
      And a control call moves a file

    # The next seven scenarios belong together: one reading fits all of them.
    Scenario Outline: asked for and not allowed: <tool>
      Given the tree "a="AA", b="B""
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves |
        | gate       | any error |        |
        | both       | any error |        |
        | default    |           | <left> |
        | configured |           | <left> |
      And a control call <does> a file

      Examples:
        | id           | tool | does   | left           |
        | FO-CFG-01-07 | move | moves  | b="AA"         |
        | FO-CFG-01-08 | copy | copies | a="AA", b="AA" |

    Scenario Outline: allowed and left out: <tool>
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then a control call <does> nothing onto a file
      And by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves |
        | gate       | any error |        |
        | configured | any error |        |
        | both       |           | <left> |
        | default    |           | <left> |
      And a control call <does> a file

      Examples:
        | id           | tool | does   | left           |
        | FO-CFG-01-09 | move | moves  | b="AA"         |
        | FO-CFG-01-10 | copy | copies | a="AA", b="AA" |

    Scenario Outline: written out as false, and asked for: <tool>
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": false}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves |
        | gate       | any error |        |
        | both       | any error |        |
        | configured | any error |        |
        | default    |           | <left> |
      And a control call <does> a file

      Examples:
        | id           | tool | does   | left           |
        | FO-CFG-01-13 | move | moves  | b="AA"         |
        | FO-CFG-01-14 | copy | copies | a="AA", b="AA" |

    # Each single call fits two readings or more; both together fit one.
    @FO-CFG-01-15
    Scenario: asked for and not allowed, and then allowed and left out
      Given the tree "a="AA", b="B", c="CC", d="D""
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Given the configuration {"allow_overwrite": true}
      When move is called again with {"source": "c", "destination": "d"}
      Then a control call moves nothing onto a file
      And by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                         |
        | gate       | any error | a="AA", b="B", c="CC", d="D"   |
        | both       |           | a="AA", b="B", d="CC"          |
        | configured | any error | b="AA", c="CC", d="D"          |
        | default    |           | b="AA", d="CC"                 |
      And a control call moves a file

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
      And a control call <does> a file

      Examples:
        | id           | tool | does   | second                | each                           |
        | FO-CFG-01-16 | move | moves  | a="AA", b="B", d="CC" | b="AA", d="CC"                 |
        | FO-CFG-01-17 | copy | copies | a="AA", b="B", c="CC", d="CC" | a="AA", b="AA", c="CC", d="CC" |

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
      And a control call <does> a file

      Examples:
        | id            | tool | does   | second                        | each                           |
        | FO-CFG-01-208 | move | moves  | a="AA", b="B", d="CC"         | b="AA", d="CC"                 |
        | FO-CFG-01-209 | copy | copies | a="AA", b="B", c="CC", d="CC" | a="AA", b="AA", c="CC", d="CC" |

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
      And a control call <does> a file

      Examples:
        | id            | tool | does   | each                           |
        | FO-CFG-01-210 | move | moves  | b="AA", d="CC"                 |
        | FO-CFG-01-211 | copy | copies | a="AA", b="AA", c="CC", d="CC" |

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
      And a control call moves a file

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
      And a control call moves a file

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
      And a control call moves a file

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
      And a control call moves a file

    @prudent
    Scenario Outline: the value <value> is no boolean and lets nothing be overwritten
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": <value>}
      When move is called with {"source": "a", "destination": "b"}
      Then a control call moves nothing onto a file
      And the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id            | value  |
        | FO-CFG-01-11  | "no"   |
        | FO-CFG-01-109 | 1      |
        | FO-CFG-01-110 | "true" |
        | FO-CFG-01-111 | [true] |

    # The flag has one name, and no tool has a table of its own.
    Scenario Outline: <what> allows nothing: <tool>
      Given the tree "a="AA", b="B""
      And the configuration file
        """
        <table>
        <key> = true
        """
      When <tool> is called with {"source": "a", "destination": "b"}
      Then a control call <does> nothing onto a file
      And the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id            | what                      | tool | does   | table           | key             |
        | FO-CFG-01-112 | the flag in a tool's name | move | moves  | [tools.move]    | allow_overwrite |
        | FO-CFG-01-113 | the flag in a tool's name | copy | copies | [tools.copy]    | allow_overwrite |
        | FO-CFG-01-114 | the flag with a hyphen    | move | moves  | [tools.fileops] | allow-overwrite |
        | FO-CFG-01-115 | the flag in another case  | copy | copies | [tools.fileops] | allowOverwrite  |
        | FO-CFG-01-116 | a table without tools     | move | moves  | [fileops]       | allow_overwrite |
        | FO-CFG-01-117 | another flag              | copy | copies | [tools.fileops] | overwrite       |

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
      And a control call <does> a file

      Examples:
        | id            | tool | name   | does   | first                         | each                           |
        | FO-CFG-01-212 | copy | cp     | copies | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |
        | FO-CFG-01-213 | move | mv     | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-214 | move | rename | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |

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
      And a control call <does> a file

      Examples:
        | id            | tool | name      | does   | first                         | each                           |
        | FO-CFG-01-204 | move | force     | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-205 | copy | force     | copies | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |
        | FO-CFG-01-206 | move | OverWrite | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-207 | copy | OverWrite | copies | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |

    # The table is that of both tools: one reading fits both calls.
    @FO-CFG-01-118
    Scenario: allowed and left out by both tools
      Given the tree "a="AA", b="B", c="CC", d="D""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b"}
      When copy is called again with {"source": "c", "destination": "d"}
      Then a control call moves nothing onto a file
      And by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                          |
        | gate       | any error | a="AA", b="B", c="CC", d="D"    |
        | configured | any error | a="AA", b="B", c="CC", d="D"    |
        | both       |           | b="AA", c="CC", d="CC"          |
        | default    |           | b="AA", c="CC", d="CC"          |
      And a control call moves a file

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
      Then a control call moves nothing onto a file
      And the call fails with any error and changes nothing
      And a control call moves a file

    # A candidate that uses only the argument need not read the value; a candidate that reads it need not accept it.
    Scenario Outline: allow_overwrite is the text <value>, and overwriting is asked for
      Given the tree "a="AA", b="B""
      And the configuration {"allow_overwrite": <value>}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves |
        | gate       | any error |        |
        | both       | any error |        |
        | default    | any error |        |
        | default    |           | b="AA" |
        | configured | any error |        |
        | configured |           | b="AA" |
      And a control call moves a file

      @prudent
      Examples:
        | id            | value   |
        | FO-CFG-01-103 | "false" |
        | FO-CFG-01-104 | "no"    |

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
      And a control call <does> a file

      Examples:
        | id            | table                 | tool | does   | first                         | each                           |
        | FO-CFG-01-301 | fileops               | move | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-302 | tools.'*'             | move | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-303 | tools.move            | move | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-304 | tools.copy            | copy | copies | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |
        | FO-CFG-01-305 | tools.file_operations | copy | copies | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |

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
      And a control call <does> a file

      Examples:
        | id            | tool | does   | first                         | each                           |
        | FO-CFG-01-306 | move | moves  | b="AA", c="CC", d="D"         | b="AA", d="CC"                 |
        | FO-CFG-01-307 | copy | copies | a="AA", b="AA", c="CC", d="D" | a="AA", b="AA", c="CC", d="CC" |

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
        | id            | table      | tool | left             |
        | FO-CFG-01-308 | tools.move | move | b="NEW"          |
        | FO-CFG-01-309 | tools.copy | copy | a="NEW", b="NEW" |
        | FO-CFG-01-310 | tools      | move | b="NEW"          |
        | FO-CFG-01-311 | fileops    | copy | a="NEW", b="NEW" |

    @FO-CFG-01-105
    Scenario: the flag outside of its table allows nothing that is asked for
      Given the tree "a="AA", b="B""
      And the configuration file
        """
        allow_overwrite = true
        """
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves |
        | gate       | any error |        |
        | both       | any error |        |
        | default    |           | b="AA" |
        | configured |           | b="AA" |
      And a control call moves a file

  @DFO-05
  Rule: no directory loses what it holds, and only a file that is overwritten on demand goes

    @FO-D05-301
    Scenario: files that look like copies of the old file stay when a move replaces a file
      Given the tree "a="A", a.tmp="0", .a.tmp="9", b="OLD", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then a control call moves a file onto another
      And the call succeeds and leaves "a.tmp="0", .a.tmp="9", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11""

    Scenario Outline: files that look like copies of the new file stay: a copy <what>
      Given the tree "a="A", a.tmp="0", .a.tmp="9", <old>b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then a control call copies a file onto another
      And the call succeeds and leaves "a="A", a.tmp="0", .a.tmp="9", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", b.new="8", b.old="10", b.orig="11""

      Examples:
        | id        | what                | old      |
        | FO-D05-302 | under a new name   |          |
        | FO-D05-303 | onto another file  | b="OLD", |

    @FO-D05-304
    Scenario: files that look like unfinished copies are the user's
      Given the tree "a="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7""
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7""

    Scenario Outline: overwriting is allowed and asked for, and yet: <what>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id        | what                                     | tool | does   | tree                                | arguments                                                |
        | FO-D05-01 | a file onto a directory with content     | move | moves  | a="A", docs/{a/{k="K"}}             | {"source": "a", "destination": "docs", "overwrite": true} |
        | FO-D05-02 | a copy onto a directory with content     | copy | copies | a="A", docs/{a/{k="K"}}             | {"source": "a", "destination": "docs", "overwrite": true} |
        | FO-D05-201 | a file where a directory is needed | move | moves | a="A", f="F" | {"source": "a", "destination": "f/b", "overwrite": true} |
        | FO-D05-202 | a file where a copy needs a directory | copy | copies | a="A", f="F" | {"source": "a", "destination": "f/b", "overwrite": true} |

    # That it is an error is a matter of the taken name (FO-MV-03-03, FO-CP-03-03).
    Scenario Outline: <tool>: what is in the directory stays where overwriting was not asked for
      Given the tree "a="A", docs/{a="OLD"}"
      When <tool> is called with {"source": "a", "destination": "docs"}
      Then the call changes nothing, whether it fails or succeeds
      And a control call <does> a file

      Examples:
        | id        | tool | does   |
        | FO-D05-203 | move | moves  |
        | FO-D05-204 | copy | copies |

    # That it is an error is a matter of the source (FO-D03-09, FO-D03-10).
    Scenario Outline: <tool>: what was to be overwritten stays where the source is missing
      Given the tree "b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call changes nothing, whether it fails or succeeds
      And a control call <does> a file

      Examples:
        | id        | tool | does   |
        | FO-D05-09 | move | moves  |
        | FO-D05-10 | copy | copies |

    # Where no content is lost the document leaves the result open (AMB-FO-05).
    @FO-D05-03
    Scenario: a file onto an empty directory
      Given the tree "a="A", docs/{a/}"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | docs/{a="A"} |
      And a control call moves a file

    @FO-D05-04
    Scenario: a copy onto an empty directory
      Given the tree "a="A", docs/{a/}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | a="A", docs/{a="A"} |
      And a control call copies a file

    @FO-D05-05
    Scenario: a directory onto a file
      Given the tree "d/{f="F"}, e="E""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | e/{f="F"} |
      And a control call moves a file

    @FO-D05-06
    Scenario: a directory onto one with content
      Given the tree "d/{f="F"}, e/{d/{g="G"}}"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | e/{d/{f="F", g="G"}} |
      And a control call moves a file

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
      And a control call moves a file

    @FO-D05-08
    Scenario: a copy of a directory onto a file
      Given the tree "d/{f="F"}, e="E""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | d/{f="F"}, e/{f="F"} |
      And a control call copies a file

    @FO-D05-19
    Scenario: a copy of a directory onto an empty one
      Given the tree "d/{f="F"}, e/{d/}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | d/{f="F"}, e/{d/{f="F"}} |
      And a control call copies a file

    @FO-D05-20
    Scenario: a copy of a directory onto one with content
      Given the tree "d/{f="F"}, e/{d/{g="G"}}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves |
        | any error, nothing lost | |
        |                         | d/{f="F"}, e/{d/{f="F", g="G"}} |
      And a control call copies a file

    @FO-D05-12 @implied
    Scenario: a directory onto an empty directory of its name
      Given the tree "d/{f="F"}, e/{d/}"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "d", "destination": "e", "overwrite": true}
      Then by AMB-FO-05 the outcome is one of
        | reading | fails     | leaves          |
        | error   | any error |                 |
        | replace |           | e/{d/{f="F"}}   |
      And a control call moves a file
