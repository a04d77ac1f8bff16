@file_operations
Feature: Source and destination are one, or one is in the other

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-06
  Rule: nothing is lost and nothing runs away

    Scenario Outline: <case of DFO-06 configured>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call changes nothing, whether it fails or succeeds

      Examples:
        | id | case of DFO-06 configured | tree | tool | arguments |
        | FO-D06-01 | onto itself: a move | a="A" | move | {"source": "a", "destination": "a", "overwrite": true} |
        | FO-D06-02 | onto itself: a copy | a="A" | copy | {"source": "a", "destination": "a", "overwrite": true} |
        | FO-D06-03 | onto itself: a copy, spelt otherwise | x/{a="A"} | copy | {"source": "x/a", "destination": "./x/./a", "overwrite": true} |
        | FO-D06-04 | onto itself: a move, spelt otherwise | x/{a="A"} | move | {"source": "x/a", "destination": "x//a", "overwrite": true} |
        | FO-D06-05 | onto itself: a copy, through a linked directory | x/{a="A"}, l->x | copy | {"source": "x/a", "destination": "l/a", "overwrite": true} |
        | FO-D06-06 | onto itself: a move, through a linked directory | x/{a="A"}, l->x | move | {"source": "x/a", "destination": "l/a", "overwrite": true} |
        | FO-D06-07 | onto itself: a copy into its own directory | x/{a="A"} | copy | {"source": "x/a", "destination": "x", "overwrite": true} |
        | FO-D06-08 | onto itself: a move into its own directory | x/{a="A"} | move | {"source": "x/a", "destination": "x", "overwrite": true} |
        # The final name is the directory's own: the move that was asked for is the one that changes nothing.
        | FO-D06-23 | a directory into the directory where it is, with overwrite | d/{f="F"} | move | {"source": "d", "destination": ".", "overwrite": true} |

      @prudent
      Examples:
        | id | case of DFO-06 configured | tree | tool | arguments |
        # A link that takes the place of the file that it leads to would lead to itself.
        | FO-D06-24 | a link onto the file that it leads to: move | a="A", l->a | move | {"source": "l", "destination": "a", "overwrite": true} |
        | FO-D06-25 | a link onto the file that it leads to: copy | a="A", l->a | copy | {"source": "l", "destination": "a", "overwrite": true} |

    @FO-D06-09
    Scenario: a copy onto its other name
      Given the tree "a="A", b=>a"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves        |
        | any error |               |
        |           | a="A", b=>a   |
        |           | a="A", b="A"  |

    @FO-D06-10
    Scenario: a move onto its other name
      Given the tree "a="A", b=>a"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves       |
        | any error |              |
        |           | b="A"        |
        |           | a="A", b=>a  |

    @FO-D06-11
    Scenario: a copy onto a link to itself
      Given the tree "a="A", l->a"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves        |
        | any error |               |
        |           | a="A", l="A"  |
        |           | a="A", l->a   |

    @FO-D06-12
    Scenario: a move onto a link to itself
      Given the tree "a="A", l->a"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves       |
        | any error |              |
        |           | l="A"        |
        |           | a="A", l->a  |

    # A link may be replaced or written through (AMB-FO-39, AMB-FO-40). Through it, the file is onto itself: it may stay,
    # and one that is made again has the same bytes.
    Scenario Outline: <tool> onto a link to another name of its source
      Given the tree "a="A", b=>a, l->b"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves             |
        | any error |                    |
        |           | a="A", b=>a, l->b  |
        |           | <left>             |
        |           | <through>          |

      Examples:
        | id | tool | left | through |
        | FO-D06-44 | copy | a="A", b=>a, l="A" | a="A", b="A", l->b |
        | FO-D06-45 | move | b="A", l=>b | b="A", l->b |

    # The first name is a prefix of the second: this is no reason to refuse what is done elsewhere.
    @FO-D06-21
    Scenario: a directory is moved into another, and then one into a directory whose name begins like its own
      Given the tree "d/{f="F"}, dd/, e/{g="G"}"
      When move is called with {"source": "e", "destination": "dd"}
      When move is called again with {"source": "d", "destination": "dd"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails     | leaves                       |
        | error    |           | dd/{d/{f="F"}, e/{g="G"}}    |
        | complete |           | dd/{d/{f="F"}, e/{g="G"}}    |
        | never    | any error | d/{f="F"}, dd/, e/{g="G"}    |

    @behaviour:BEH-03
    Scenario Outline: <case of DFO-06>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-06 | tree | tool | arguments | ends |
        | FO-D06-15 | a directory into itself: itself | d/{f="F", sub/}, e/ | move | {"source": "d", "destination": "d"} | fails with any error and changes nothing |
        | FO-D06-16 | a directory into itself: a subdirectory | d/{f="F", sub/}, e/ | move | {"source": "d", "destination": "d/sub"} | fails with any error and changes nothing |
        | FO-D06-17 | a directory into itself: a new name below | d/{f="F", sub/}, e/ | move | {"source": "d", "destination": "d/new"} | fails with any error and changes nothing |
        | FO-D06-18 | a directory into itself: a new name further below | d/{f="F", sub/}, e/ | move | {"source": "d", "destination": "d/sub/new"} | fails with any error and changes nothing |
        | FO-D06-19 | a directory into itself: the sandbox root | d/{f="F", sub/}, e/ | move | {"source": ".", "destination": "e"} | fails with any error and changes nothing |
        | FO-D06-20 | a directory into itself: the sandbox root, with a name | d/{f="F", sub/}, e/ | move | {"source": ".", "destination": "e/new"} | fails with any error and changes nothing |
        | FO-D06-22 | a copy of a directory into its own subdirectory does not run away | d/{f="F", sub/} | copy | {"source": "d", "destination": "d/sub"} | either leaves "d/{f="F", sub/{d/{f="F", sub/}}}", or fails with any error and loses nothing |
        # The way is another one; a copy of what was copied before would never end.
        | FO-D06-40 | a copy of a directory into itself through a link to it does not run away | d/{f="F", s/}, l->d | copy | {"source": "d", "destination": "l/s"} | either leaves "d/{f="F", s/{d/{f="F", s/}}}, l->d", or fails with any error and loses nothing |
        | FO-D06-41 | a copy of a directory into itself through a link, a new name does not run away | d/{f="F", s/}, l->d | copy | {"source": "d", "destination": "l/n"} | either leaves "d/{f="F", s/, n/{f="F", s/}}, l->d", or fails with any error and loses nothing |
        | FO-D06-42 | a copy of a directory into itself through another spelling does not run away | d/{f="F", s/}, l->d | copy | {"source": "d", "destination": "./d//n"} | either leaves "d/{f="F", s/, n/{f="F", s/}}, l->d", or fails with any error and loses nothing |
        | FO-D06-46 | a copy of a directory into itself through a link, below a missing directory does not run away | d/{f="F", s/}, l->d | copy | {"source": "d", "destination": "l/x/n"} | fails with any error and loses nothing |
