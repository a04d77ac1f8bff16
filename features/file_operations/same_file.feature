@file_operations
Feature: Source and destination are one, or one is in the other

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-06
  Rule: nothing is lost and nothing runs away

    Scenario Outline: onto itself: <what>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call changes nothing, whether it fails or succeeds
      And a control call <does> a file

      Examples:
        | id        | what                              | tool | does   | tree                 | arguments                                                       |
        | FO-D06-01 | a move                            | move | moves  | a="A"                | {"source": "a", "destination": "a", "overwrite": true}          |
        | FO-D06-02 | a copy                            | copy | copies | a="A"                | {"source": "a", "destination": "a", "overwrite": true}          |
        | FO-D06-03 | a copy, spelt otherwise           | copy | copies | x/{a="A"}            | {"source": "x/a", "destination": "./x/./a", "overwrite": true}  |
        | FO-D06-04 | a move, spelt otherwise           | move | moves  | x/{a="A"}            | {"source": "x/a", "destination": "x//a", "overwrite": true}     |
        | FO-D06-05 | a copy, through a linked directory | copy | copies | x/{a="A"}, l->x     | {"source": "x/a", "destination": "l/a", "overwrite": true}      |
        | FO-D06-06 | a move, through a linked directory | move | moves  | x/{a="A"}, l->x     | {"source": "x/a", "destination": "l/a", "overwrite": true}      |
        | FO-D06-07 | a copy into its own directory     | copy | copies | x/{a="A"}            | {"source": "x/a", "destination": "x", "overwrite": true}        |
        | FO-D06-08 | a move into its own directory     | move | moves  | x/{a="A"}            | {"source": "x/a", "destination": "x", "overwrite": true}        |

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
      And a control call copies a file

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
      And a control call moves a file

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
      And a control call copies a file

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
      And a control call moves a file

    # A link that takes the place of the file that it leads to would lead to itself.
    Scenario Outline: a link onto the file that it leads to: <tool>
      Given the tree "a="A", l->a"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "l", "destination": "a", "overwrite": true}
      Then the call changes nothing, whether it fails or succeeds
      And a control call <does> a file

      @prudent
      Examples:
        | id        | tool | does   |
        | FO-D06-24 | move | moves  |
        | FO-D06-25 | copy | copies |

    Scenario Outline: into its own directory without overwrite: <tool>
      Given the tree "x/{a="A"}"
      When <tool> is called with {"source": "x/a", "destination": "x"}
      Then a control call <does> nothing onto a file
      And a control call <does> a file into a directory
      And the call fails with any error and changes nothing

      Examples:
        | id        | tool | does   |
        | FO-D06-13 | move | moves  |
        | FO-D06-14 | copy | copies |

    Scenario Outline: a directory into itself: <what>
      Given the tree "d/{f="F", sub/}, e/"
      When move is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id        | what                          | arguments                                                       |
        | FO-D06-15 | itself                        | {"source": "d", "destination": "d"}                             |
        | FO-D06-16 | a subdirectory                | {"source": "d", "destination": "d/sub"}                         |
        | FO-D06-17 | a new name below              | {"source": "d", "destination": "d/new"}                         |
        | FO-D06-18 | a new name further below      | {"source": "d", "destination": "d/sub/new"}                     |
        | FO-D06-19 | the sandbox root              | {"source": ".", "destination": "e"}                             |
        | FO-D06-20 | the sandbox root, with a name | {"source": ".", "destination": "e/new"}                         |

    # The final name is the directory's own: the move that was asked for is the one that changes nothing.
    @FO-D06-23
    Scenario: a directory into the directory where it is, with overwrite
      Given the tree "d/{f="F"}"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "d", "destination": ".", "overwrite": true}
      Then the call changes nothing, whether it fails or succeeds
      And a control call moves a file

    # The first name is a prefix of the second: this is no reason to refuse.
    @FO-D06-21
    Scenario: a directory into one whose name begins like its own
      Given the tree "d/{f="F"}, dd/"
      When move is called with {"source": "d", "destination": "dd"}
      Then the call succeeds and leaves "dd/{d/{f="F"}}"

    @FO-D06-22
    Scenario: a copy of a directory into its own subdirectory does not run away
      Given the tree "d/{f="F", sub/}"
      When copy is called with {"source": "d", "destination": "d/sub"}
      Then the call either leaves "d/{f="F", sub/{d/{f="F", sub/}}}", or fails with any error and loses nothing
      And a control call copies a file

    # The way is another one; a copy of what was copied before would never end.
    @prudent
    Scenario Outline: a copy of a directory into itself through <what> does not run away
      Given the tree "d/{f="F", s/}, l->d"
      When copy is called with <arguments>
      Then the call either leaves "<left>", or fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id        | what                | arguments                                | left                                        |
        | FO-D06-40 | a link to it        | {"source": "d", "destination": "l/s"}    | d/{f="F", s/{d/{f="F", s/}}}, l->d          |
        | FO-D06-41 | a link, a new name  | {"source": "d", "destination": "l/n"}    | d/{f="F", s/, n/{f="F", s/}}, l->d          |
        | FO-D06-42 | another spelling    | {"source": "d", "destination": "./d//n"} | d/{f="F", s/, n/{f="F", s/}}, l->d          |
