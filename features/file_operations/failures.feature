@file_operations
Feature: Whatever goes wrong, no byte of the user's is lost

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-04
  Rule: after a failure the source is whole, nothing half-written has the final name, and nothing is left over

    Scenario Outline: <tool>: reading fails half way: <what>
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And reading "a" fails half way with <error>
      When <tool> is called with {"source": "a", "destination": "d/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call <does> a file

      Examples:
        | id        | what          | tool | does   | error |
        | FO-D04-01 | a bad sector  | copy | copies | EIO   |
        | FO-D04-02 | a lost server | copy | copies | ESTALE |

    @FO-D04-03
    Scenario: a move to another file system is a copy that fails half way
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR"
      And reading "a" fails half way with EIO
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call moves a file

    @FO-D04-04
    Scenario: a copy does not fit
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And no file grows beyond 64 KiB
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call copies a file

    @FO-D04-05
    Scenario: a copy does not fit on its file system
      Given the tree "a="0123456789abcdef"*200000, far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When copy is called with {"source": "a", "destination": "far/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call copies a file

    @FO-D04-06
    Scenario: a move does not fit on the other file system
      Given the tree "a="0123456789abcdef"*200000, far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When move is called with {"source": "a", "destination": "far"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call moves a file

    # A mount in the sandbox: no second root, and no link in the path.
    @FO-D04-07
    Scenario: what fits on the other file system is moved there
      Given the tree "a="A", far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far/{b="A", k="K"}"

    Scenario Outline: the source of a move to another file system cannot be deleted: <error>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And deleting "a" fails with <error>
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error, and leaves "a="A", far->$FAR", and at $FAR "b="A", k="K"" or changes nothing
      And a control call moves a file

      Examples:
        | id        | error  |
        | FO-D04-08 | EIO    |
        | FO-D04-09 | EACCES |
        | FO-D04-10 | EPERM  |

    @FO-D04-11
    Scenario: a directory that may not be written to keeps the source
      Given the tree "x/%0555{a="A"}, d/"
      When move is called with {"source": "x/a", "destination": "d/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call moves a file

    @FO-D04-12
    Scenario: a directory that may not be written to takes nothing in
      Given the tree "a="A", d/%0555"
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call copies a file

    @FO-D04-13
    Scenario: a source that may not be read is not copied
      Given the tree "a="A"%0000, d/"
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with ExecutionFailed and changes nothing
      And a control call copies a file

    @FO-D04-14
    Scenario: a source that may not be deleted, on its way to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "x/%0555{a="A"}, far->$FAR"
      When move is called with {"source": "x/a", "destination": "far/b"}
      Then the call fails with any error, and leaves "x/%0555{a="A"}, far->$FAR", and at $FAR "b="A", k="K"" or changes nothing
      And a control call moves a file

    Scenario Outline: killed half way: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR, d/"
      When <tool> is called with <arguments> and killed half way through reading "a"
      Then nothing is lost, and "<name>" is not there or whole
      And a control call <does> a file

      Examples:
        | id        | what                           | tool | does   | arguments                                 | name |
        | FO-D04-15 | a copy                         | copy | copies | {"source": "a", "destination": "d/b"}     | d/b  |
        | FO-D04-16 | a move to another file system  | move | moves  | {"source": "a", "destination": "far/b"}   | $FAR/b |
