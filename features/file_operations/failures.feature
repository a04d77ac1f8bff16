@file_operations
Feature: Whatever goes wrong, no byte of the user's is lost

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-04
  Rule: a call that fails has lost nothing of its source

    @FO-D04-01
    Scenario: copy: reading fails half way: a bad sector
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And reading "a" fails half way with EIO
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with any error and loses nothing

    @FO-D04-02
    Scenario: copy: reading fails half way: a lost server
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And reading "a" fails half way with ESTALE
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with any error and loses nothing

    @FO-D04-03
    Scenario: a move to another file system is a copy that fails half way
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR"
      And reading "a" fails half way with EIO
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error and loses nothing

    @FO-D04-04
    Scenario: a copy does not fit
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And no file grows beyond 64 KiB
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with any error and loses nothing

    Scenario Outline: <case of DFO-04 with a failure>
      Given the tree "a="0123456789abcdef"*200000, far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When <tool> is called with <arguments>
      Then the call fails with any error and loses nothing

      Examples:
        | id | case of DFO-04 with a failure | tool | arguments |
        | FO-D04-05 | a copy does not fit on its file system | copy | {"source": "a", "destination": "far/b"} |
        | FO-D04-06 | a move does not fit on the other file system | move | {"source": "a", "destination": "far"} |

    @FO-D04-08
    Scenario: the source of a move to another file system cannot be deleted: EIO
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And deleting "a" fails with EIO
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error and loses nothing

    @FO-D04-09
    Scenario: the source of a move to another file system cannot be deleted: EACCES
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And deleting "a" fails with EACCES
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error and loses nothing

    @FO-D04-10
    Scenario: the source of a move to another file system cannot be deleted: EPERM
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And deleting "a" fails with EPERM
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error and loses nothing

    @behaviour:BEH-03
    Scenario Outline: <case of DFO-04>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call fails with any error and loses nothing

      Examples:
        | id | case of DFO-04 | tree | tool | arguments |
        | FO-D04-11 | a directory that may not be written to keeps the source | x/%0555{a="A"}, d/ | move | {"source": "x/a", "destination": "d/b"} |
        | FO-D04-12 | a directory that may not be written to takes nothing in | a="A", d/%0555 | copy | {"source": "a", "destination": "d/b"} |
        | FO-D04-13 | a source that may not be read is not copied | a="A"%0000, d/ | copy | {"source": "a", "destination": "d/b"} |

    @FO-D04-14
    Scenario: a source that may not be deleted, on its way to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "x/%0555{a="A"}, far->$FAR"
      When move is called with {"source": "x/a", "destination": "far/b"}
      Then the call fails with any error and loses nothing

    @FO-D04-15 @implied
    Scenario: killed half way: a copy
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR, d/"
      When copy is called with {"source": "a", "destination": "d/b"} and killed half way through reading "a"
      Then nothing is lost

    @FO-D04-16 @implied
    Scenario: killed half way: a move to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR, d/"
      When move is called with {"source": "a", "destination": "far/b"} and killed half way through reading "a"
      Then nothing is lost

    @FO-D04-17
    Scenario: a copy that cannot be read keeps its source
      Given the tree "a="NEW"*40000, b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      And reading "a" fails half way with EIO
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing, but for "b"

    @FO-D04-18
    Scenario: a copy that does not fit keeps its source
      Given the tree "a="NEW"*40000, b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      And no file grows beyond 16 KiB
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing, but for "b"

    @FO-D04-19
    Scenario: a move to another file system that does not fit keeps its source
      Given the tree "a="NEW"*40000, far/"
      And "far" is a file system of 16 KiB with the tree "b="OLD""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call fails with any error and loses nothing, but for "far/b"

    @FO-D04-20
    Scenario: a move onto a file of another file system keeps a source that cannot be deleted
      Given at $FAR, on another file system, the tree "b="OLD""
      And the tree "a="NEWER", far->$FAR"
      And the configuration {"allow_overwrite": true}
      And deleting "a" fails with EIO
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call fails with any error and loses nothing, but for "$FAR/b"

    # The document does not speak of disks. A tool that flushes nothing may lose both files when the power fails.
    @FO-D04-22 @prudent
    Scenario: a copy is on the disk before its source is deleted
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And system calls are traced
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="A", k="K""
      And something was flushed to the disk before "a" was deleted

    @FO-D04-23 @prudent
    Scenario: a copy that cannot be flushed to the disk keeps its source
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And flushing to the disk fails with EIO
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails and loses nothing, if it flushes anything

  @DFO-10
  Rule: a call that fails leaves no trace

    @FO-D10-01
    Scenario: copy: reading fails half way, and leaves no trace: a bad sector
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And reading "a" fails half way with EIO
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with any error and changes nothing

    @FO-D10-02
    Scenario: copy: reading fails half way, and leaves no trace: a lost server
      Given the tree "a="0123456789abcdef"*200000, d/{k="K"}"
      And reading "a" fails half way with ESTALE
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call fails with any error and changes nothing

    @FO-D10-03
    Scenario: a move to another file system that fails half way leaves no trace
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR"
      And reading "a" fails half way with EIO
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error and changes nothing

    Scenario Outline: <case of DFO-10 with a failure>
      Given the tree "<tree>"
      And no file grows beyond 64 KiB
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of DFO-10 with a failure | tree | arguments |
        | FO-D10-04 | a copy that does not fit leaves no trace | a="0123456789abcdef"*200000, d/{k="K"} | {"source": "a", "destination": "d/b"} |
        # The file that is too large comes last: the others were copied before.
        | FO-D10-18 | a directory with a file that grows too large leaves no trace | d/{f="F", z="0123456789abcdef"*20000} | {"source": "d", "destination": "e"} |

    Scenario Outline: <case of DFO-10 with a failure (2)>
      Given the tree "<tree>"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case of DFO-10 with a failure (2) | tree | tool | arguments |
        | FO-D10-05 | a copy that does not fit on its file system leaves no trace | a="0123456789abcdef"*200000, far/ | copy | {"source": "a", "destination": "far/b"} |
        | FO-D10-06 | a move that does not fit on the other file system leaves no trace | a="0123456789abcdef"*200000, far/ | move | {"source": "a", "destination": "far"} |
        | FO-D10-19 | a directory that does not fit on the other file system leaves no trace | d/{f="F", z="0123456789abcdef"*20000}, far/ | move | {"source": "d", "destination": "far/e"} |

    @behaviour:BEH-05
    Scenario Outline: <case of DFO-10>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-10 | tree | tool | arguments | ends |
        | FO-D10-07 | a source that may not be read leaves no trace | a="A"%0000, d/ | copy | {"source": "a", "destination": "d/b"} | fails with any error and changes nothing |
        | FO-D10-16 | a directory that cannot be copied completely leaves no trace | d/{f="F", g="G"%0000} | copy | {"source": "d", "destination": "e"} | fails with any error and changes nothing |
        | FO-D10-10 | no directory is made for a source that is not there | a="A" | move | {"source": "gone", "destination": "x/y/b"} | fails with any error and changes nothing |
        | FO-D10-14 | move: no file is made for a source that is not there | b="B" | move | {"source": "a", "destination": "c"} | fails with any error and changes nothing |
        | FO-D10-15 | copy: no file is made for a source that is not there | b="B" | copy | {"source": "a", "destination": "c"} | fails with any error and changes nothing |
        | FO-D10-11 | no directory is left by a copy that fails | a="A"%0000 | copy | {"source": "a", "destination": "x/y/b"} | fails with any error and changes nothing |
        | FO-D10-13 | a directory that may not be written to, and no trace but the copy | x/%0555{a="A"}, d/ | move | {"source": "x/a", "destination": "d/b"} | fails with any error, and leaves "x/%0555{a="A"}, d/{b="A"}" or changes nothing |

    @FO-D10-17
    Scenario: a directory that cannot be moved completely to another file system leaves no trace
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", g="G"%0000}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call fails with any error and changes nothing

    @FO-D10-08
    Scenario: killed half way, and nothing half-written has the name: a copy
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR, d/"
      When copy is called with {"source": "a", "destination": "d/b"} and killed half way through reading "a"
      Then nothing is lost, and "d/b" is not there or whole

    @FO-D10-09
    Scenario: killed half way, and nothing half-written has the name: a move to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef"*200000, far->$FAR, d/"
      When move is called with {"source": "a", "destination": "far/b"} and killed half way through reading "a"
      Then nothing is lost, and "$FAR/b" is not there or whole

    @FO-D10-12
    Scenario: a source that cannot be deleted leaves no trace but its copy
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And deleting "a" fails with EIO
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call fails with any error, and leaves "a="A", far->$FAR", and at $FAR "b="A", k="K"" or changes nothing

  @DFO-11
  Rule: the old file is whole where it could not be replaced

    @FO-D11-01
    Scenario: a copy that cannot be read leaves the old file
      Given the tree "a="NEW"*40000, b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      And reading "a" fails half way with EIO
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing

    @FO-D11-02
    Scenario: a copy that does not fit leaves the old file
      Given the tree "a="NEW"*40000, b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      And no file grows beyond 16 KiB
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing

    @FO-D11-03
    Scenario: a move to another file system that does not fit leaves the old file
      Given the tree "a="NEW"*40000, far/"
      And "far" is a file system of 16 KiB with the tree "b="OLD""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call fails with any error and loses nothing

    @FO-D11-04
    Scenario: killed while an old file is being replaced by a copy
      Given the tree "a="NEW"*1000000, b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true} and killed half way through reading "a"
      Then nothing is lost, and "b" is not there or whole

    @FO-D11-05
    Scenario: a source that cannot be deleted: the old file is there, or the new one
      Given at $FAR, on another file system, the tree "b="OLD""
      And the tree "a="NEWER", far->$FAR"
      And the configuration {"allow_overwrite": true}
      And deleting "a" fails with EIO
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves               | at $FAR   |
        | any error, nothing lost |                      |           |
        | any error               | a="NEWER", far->$FAR | b="NEWER" |

    @FO-D11-06
    Scenario: a move that the system refuses leaves the old file
      Given the tree "a="NEW", b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      And renaming "a" fails with EACCES
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call either leaves "b="NEW", c="C"", or fails with any error and changes nothing

    @FO-D11-07
    Scenario: a copy of what may not be read leaves the old file
      Given the tree "a="NEW"%0000, b="OLD", c="C""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing

    @FO-D11-08
    Scenario: what may not be read leaves the old file on another file system
      Given at $FAR, on another file system, the tree "b="OLD""
      And the tree "a="NEW"%0000, far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call fails with any error and loses nothing

    Scenario Outline: <tool>: a file that a directory cannot replace is there afterwards
      Given the tree "d/{f="F"}, e="E""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "d", "destination": "e", "overwrite": true}
      Then the call either leaves "<left>e/{f="F"}", or fails with any error and loses nothing

      Examples:
        | id | tool | left |
        | FO-D11-09 | move | |
        | FO-D11-10 | copy | d/{f="F"}, |
