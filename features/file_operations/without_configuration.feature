@file_operations
Feature: Overwriting is asked for, and nobody has configured anything

  # These scenarios need no capability. Without a configuration, whether overwriting happens is open (AMB-FO-01): what
  # must not be lost is not.
  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-05
  Rule: no directory loses what it holds, and only the file that was to be overwritten goes

    Scenario Outline: <tool>: the old content stays: <what>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call fails with any error and loses nothing
      And a control call <does> a file

      Examples:
        | id        | what                                  | tool | does   | tree                        | arguments                                                 |
        | FO-D05-21 | a file onto a directory with content  | move | moves  | a="A", docs/{a/{k="K"}}     | {"source": "a", "destination": "docs", "overwrite": true} |
        | FO-D05-22 | a copy onto a directory with content  | copy | copies | a="A", docs/{a/{k="K"}}     | {"source": "a", "destination": "docs", "overwrite": true} |

    Scenario Outline: <tool>: the old file stays where the source is missing
      Given the tree "b="B""
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call changes nothing, whether it fails or succeeds
      And a control call <does> a file

      Examples:
        | id        | tool | does   |
        | FO-D05-23 | move | moves  |
        | FO-D05-24 | copy | copies |

    Scenario Outline: <tool>: a directory onto one with content: both contents stay
      Given the tree "d/{f="F"}, e/{d/{g="G"}}"
      When <tool> is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the call either leaves "<left>e/{d/{f="F", g="G"}}", or fails with any error and loses nothing
      And a control call <does> a file

      Examples:
        | id        | tool | does   | left       |
        | FO-D05-25 | move | moves  |            |
        | FO-D05-26 | copy | copies | d/{f="F"}, |

    # Names that begin or end like the final name belong to other files.
    Scenario Outline: <tool>: a file onto another: the neighbours stay
      Given the tree "a="NEW", docs/{a="OLDER", a.bak="1", a.tmp="2", .a.tmp="3", a~="4", keep="K"}"
      When <tool> is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the call either leaves "<left>docs/{a="NEW", a.bak="1", a.tmp="2", .a.tmp="3", a~="4", keep="K"}", or fails with any error and loses nothing
      And a control call <does> a file into a directory

      Examples:
        | id        | tool | does   | left     |
        | FO-D05-27 | move | moves  |          |
        | FO-D05-28 | copy | copies | a="NEW", |

  @DFO-02
  Rule: a copy has the bytes of its source and no others

    @FO-D02-28
    Scenario: a copy over a longer file has no rest of it, or the old file stays
      Given the tree "a="N", b="OLDER AND LONGER""
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call either leaves "a="N", b="N"", or fails with any error and loses nothing
      And a control call copies a file

  @DFO-04
  Rule: a call that fails has lost nothing of its source

    @FO-D04-25
    Scenario: a move onto a file of another file system that does not fit keeps its source
      Given the tree "a="NEW"*40000, far/"
      And "far" is a file system of 16 KiB with the tree "b="OLD""
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call fails with any error and loses nothing, but for "far/b"
      And a control call moves a file

  @FR-FOPS-MV-04
  Rule: a file on another file system is overwritten by the whole source, or stays

    @FO-MV-04-29
    Scenario: onto a file on another file system
      Given the tree "a="NEW", far/"
      And "far" is a file system of 64 KiB with the tree "a="OLDEST", s/{a="OLDER", k="K"}"
      When move is called with {"source": "a", "destination": "far/s", "overwrite": true}
      Then the call either leaves "far/{a="OLDEST", s/{a="NEW", k="K"}}", or fails with any error and loses nothing
      And a control call moves a file into a directory

  @DFO-06
  Rule: one and the same file is not lost

    Scenario Outline: onto itself, asked to overwrite: <what>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call changes nothing, whether it fails or succeeds
      And a control call <does> a file

      Examples:
        | id        | what                               | tool | does   | tree            | arguments                                                      |
        | FO-D06-26 | a move                             | move | moves  | a="A"           | {"source": "a", "destination": "a", "overwrite": true}         |
        | FO-D06-27 | a copy                             | copy | copies | a="A"           | {"source": "a", "destination": "a", "overwrite": true}         |
        | FO-D06-28 | a copy, spelt otherwise            | copy | copies | x/{a="A"}       | {"source": "x/a", "destination": "./x//a", "overwrite": true}  |
        | FO-D06-29 | a move, through a linked directory | move | moves  | x/{a="A"}, l->x | {"source": "x/a", "destination": "l/a", "overwrite": true}     |
        | FO-D06-30 | a copy, through a linked directory | copy | copies | x/{a="A"}, l->x | {"source": "x/a", "destination": "l/a", "overwrite": true}     |
        | FO-D06-31 | a copy into its own directory      | copy | copies | x/{a="A"}       | {"source": "x/a", "destination": "x", "overwrite": true}       |
        | FO-D06-32 | a move into its own directory      | move | moves  | x/{a="A"}       | {"source": "x/a", "destination": "x", "overwrite": true}       |

    @FO-D06-33
    Scenario: a copy onto a link to itself, asked to overwrite
      Given the tree "a="A", l->a"
      When copy is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves        |
        | any error, nothing lost |               |
        |                         | a="A", l="A"  |
        |                         | a="A", l->a   |
      And a control call copies a file

    @FO-D06-34
    Scenario: a move onto a link to itself, asked to overwrite
      Given the tree "a="A", l->a"
      When move is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves       |
        | any error, nothing lost |              |
        |                         | l="A"        |
        |                         | a="A", l->a  |
      And a control call moves a file

    # The other name may go, or be a file of its own (FO-D06-09, -10); the content stays.
    Scenario Outline: <tool>: onto its other name, asked to overwrite
      Given the tree "a="A", b=>a"
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves       |
        | any error, nothing lost |              |
        |                         | a="A", b=>a  |
        |                         | <left>       |
      And a control call <does> a file

      Examples:
        | id        | tool | does   | left         |
        | FO-D06-35 | move | moves  | b="A"        |
        | FO-D06-36 | copy | copies | a="A", b="A" |

  @NFR-FOPS-SEC-01
  Rule: what lies outside is not overwritten

    Scenario Outline: refused, though overwriting is asked for: <what>
      Given the tree "a="A", out->../away"
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                             | tool | does   | arguments                                                           |
        | FO-SEC-01-23 | a copy onto what lies outside    | copy | copies | {"source": "a", "destination": "../away/secret", "overwrite": true} |
        | FO-SEC-01-24 | a move onto what lies outside    | move | moves  | {"source": "a", "destination": "../away/secret", "overwrite": true} |
        | FO-SEC-01-25 | a copy, through a link           | copy | copies | {"source": "a", "destination": "out/secret", "overwrite": true}     |
        | FO-SEC-01-26 | a move, through a link           | move | moves  | {"source": "a", "destination": "out/secret", "overwrite": true}     |

    # The name may be given to another file; what it led to stays as it is (AMB-FO-15).
    @interpretation:AMB-FO-15
    Scenario Outline: <tool>: a link that leads out is not written through: <what>
      Given the tree "a="A", l-><target>"
      When <tool> is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the call either leaves "<left>l="A"", or fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what            | tool | does   | target         | left   |
        | FO-SEC-01-27 | to a file       | copy | copies | ../away/secret | a="A", |
        | FO-SEC-01-28 | to a file       | move | moves  | ../away/secret |        |
        | FO-SEC-01-29 | it is dangling  | copy | copies | ../away/new    | a="A", |

    @FO-SEC-01-30 @interpretation:AMB-FO-15
    Scenario: in the directory a link that leads out is not written through
      Given the tree "a="A", d/{a->../../away/secret}"
      When copy is called with {"source": "a", "destination": "d", "overwrite": true}
      Then the call either leaves "a="A", d/{a="A"}", or fails with any error and changes nothing
      And a control call copies a file into a directory
