@file_operations
Feature: Overwriting is asked for, and nobody has configured anything

  # These scenarios need no capability. Without a configuration, whether overwriting happens is open (AMB-FO-01): what
  # must not be lost is not.
  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-05
  Rule: no directory loses what it holds, and only the file that was to be overwritten goes

    @behaviour:BEH-03
    Scenario Outline: <case of DFO-05>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-05 | tree | tool | arguments | ends |
        | FO-D05-21 | move: the old content stays: a file onto a directory with content | a="A", docs/{a/{k="K"}} | move | {"source": "a", "destination": "docs", "overwrite": true} | fails with any error and loses nothing |
        | FO-D05-22 | copy: the old content stays: a copy onto a directory with content | a="A", docs/{a/{k="K"}} | copy | {"source": "a", "destination": "docs", "overwrite": true} | fails with any error and loses nothing |
        | FO-D05-23 | move: the old file stays where the source is missing | b="B" | move | {"source": "a", "destination": "b", "overwrite": true} | changes nothing, whether it fails or succeeds |
        | FO-D05-24 | copy: the old file stays where the source is missing | b="B" | copy | {"source": "a", "destination": "b", "overwrite": true} | changes nothing, whether it fails or succeeds |
        | FO-D05-25 | move: a directory onto one with content: both contents stay | d/{f="F"}, e/{d/{g="G"}} | move | {"source": "d", "destination": "e", "overwrite": true} | either leaves "e/{d/{f="F", g="G"}}", or fails with any error and loses nothing |
        | FO-D05-26 | copy: a directory onto one with content: both contents stay | d/{f="F"}, e/{d/{g="G"}} | copy | {"source": "d", "destination": "e", "overwrite": true} | either leaves "d/{f="F"},e/{d/{f="F", g="G"}}", or fails with any error and loses nothing |
        # Names that begin or end like the final name belong to other files.
        | FO-D05-27 | move: a file onto another: the neighbours stay | a="NEW", docs/{a="OLDER", a.bak="1", a.tmp="2", .a.tmp="3", a~="4", keep="K"} | move | {"source": "a", "destination": "docs", "overwrite": true} | either leaves "docs/{a="NEW", a.bak="1", a.tmp="2", .a.tmp="3", a~="4", keep="K"}", or fails with any error and loses nothing |
        | FO-D05-28 | copy: a file onto another: the neighbours stay | a="NEW", docs/{a="OLDER", a.bak="1", a.tmp="2", .a.tmp="3", a~="4", keep="K"} | copy | {"source": "a", "destination": "docs", "overwrite": true} | either leaves "a="NEW",docs/{a="NEW", a.bak="1", a.tmp="2", .a.tmp="3", a~="4", keep="K"}", or fails with any error and loses nothing |

  @DFO-02
  Rule: a copy has the bytes of its source and no others

    @FO-D02-28
    Scenario: a copy over a longer file has no rest of it, or the old file stays
      Given the tree "a="N", b="OLDER AND LONGER""
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call either leaves "a="N", b="N"", or fails with any error and loses nothing

  @DFO-04
  Rule: a call that fails has lost nothing of its source

    @FO-D04-25
    Scenario: a move onto a file of another file system that does not fit keeps its source
      Given the tree "a="NEW"*40000, far/"
      And "far" is a file system of 16 KiB with the tree "b="OLD""
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call fails with any error and loses nothing, but for "far/b"

  @FR-FOPS-MV-04
  Rule: a file on another file system is overwritten by the whole source, or stays

    @FO-MV-04-29
    Scenario: onto a file on another file system
      Given the tree "a="NEW", far/"
      And "far" is a file system of 64 KiB with the tree "a="OLDEST", s/{a="OLDER", k="K"}"
      When move is called with {"source": "a", "destination": "far/s", "overwrite": true}
      Then the call either leaves "far/{a="OLDEST", s/{a="NEW", k="K"}}", or fails with any error and loses nothing

  @DFO-06
  Rule: one and the same file is not lost

    @behaviour:BEH-03
    Scenario Outline: onto itself, asked to overwrite: <what>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call changes nothing, whether it fails or succeeds

      Examples:
        | id | what | tool | tree | arguments |
        | FO-D06-26 | a move | move | a="A" | {"source": "a", "destination": "a", "overwrite": true} |
        | FO-D06-27 | a copy | copy | a="A" | {"source": "a", "destination": "a", "overwrite": true} |
        | FO-D06-28 | a copy, spelt otherwise | copy | x/{a="A"} | {"source": "x/a", "destination": "./x//a", "overwrite": true} |
        | FO-D06-29 | a move, through a linked directory | move | x/{a="A"}, l->x | {"source": "x/a", "destination": "l/a", "overwrite": true} |
        | FO-D06-30 | a copy, through a linked directory | copy | x/{a="A"}, l->x | {"source": "x/a", "destination": "l/a", "overwrite": true} |
        | FO-D06-31 | a copy into its own directory | copy | x/{a="A"} | {"source": "x/a", "destination": "x", "overwrite": true} |
        | FO-D06-32 | a move into its own directory | move | x/{a="A"} | {"source": "x/a", "destination": "x", "overwrite": true} |

    @FO-D06-33
    Scenario: a copy onto a link to itself, asked to overwrite
      Given the tree "a="A", l->a"
      When copy is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves        |
        | any error, nothing lost |               |
        |                         | a="A", l="A"  |
        |                         | a="A", l->a   |

    @FO-D06-34 @behaviour:BEH-03
    Scenario: a move onto a link to itself, asked to overwrite
      Given the tree "a="A", l->a"
      When move is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves       |
        | any error, nothing lost |              |
        |                         | l="A"        |
        |                         | a="A", l->a  |

    # The other name may go, or be a file of its own (FO-D06-09, -10); the content stays.
    @behaviour:BEH-03
    Scenario Outline: <tool>: onto its other name, asked to overwrite
      Given the tree "a="A", b=>a"
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves       |
        | any error, nothing lost |              |
        |                         | a="A", b=>a  |
        |                         | <left>       |

      Examples:
        | id | tool | left |
        | FO-D06-35 | move | b="A" |
        | FO-D06-36 | copy | a="A", b="A" |

  @NFR-FOPS-SEC-01
  Rule: what lies outside is not overwritten

    @behaviour:BEH-02
    Scenario Outline: <case of NFR-FOPS-SEC-01>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of NFR-FOPS-SEC-01 | tree | tool | arguments | ends |
        | FO-SEC-01-23 | refused, though overwriting is asked for: a copy onto what lies outside | a="A", out->../away | copy | {"source": "a", "destination": "../away/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-24 | refused, though overwriting is asked for: a move onto what lies outside | a="A", out->../away | move | {"source": "a", "destination": "../away/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-25 | refused, though overwriting is asked for: a copy, through a link | a="A", out->../away | copy | {"source": "a", "destination": "out/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-26 | refused, though overwriting is asked for: a move, through a link | a="A", out->../away | move | {"source": "a", "destination": "out/secret", "overwrite": true} | fails with any error and changes nothing |

      @interpretation:AMB-FO-15
      Examples:
        | id | case of NFR-FOPS-SEC-01 | tree | tool | arguments | ends |
        # The name may be given to another file; what it led to stays as it is (AMB-FO-15).
        | FO-SEC-01-27 | copy: a link that leads out is not written through: to a file | a="A", l->../away/secret | copy | {"source": "a", "destination": "l", "overwrite": true} | either leaves "a="A",l="A"", or fails with any error and changes nothing |
        | FO-SEC-01-28 | move: a link that leads out is not written through: to a file | a="A", l->../away/secret | move | {"source": "a", "destination": "l", "overwrite": true} | either leaves "l="A"", or fails with any error and changes nothing |
        | FO-SEC-01-29 | copy: a link that leads out is not written through: it is dangling | a="A", l->../away/new | copy | {"source": "a", "destination": "l", "overwrite": true} | either leaves "a="A",l="A"", or fails with any error and changes nothing |
        | FO-SEC-01-30 | in the directory a link that leads out is not written through | a="A", d/{a->../../away/secret} | copy | {"source": "a", "destination": "d", "overwrite": true} | either leaves "a="A", d/{a="A"}", or fails with any error and changes nothing |
