@list_directory
Feature: An entry whose metadata cannot be had is listed all the same

  # A directory of mode 0444 lists its names and refuses the metadata of each entry. Linux returns the type together
  # with the name, so these scenarios detect a listing that guesses the type from it.

  @FR-LD-LST-04
  Rule: a metadata failure costs the entry its details and nothing else

    @LD-LST-04-01 @interpretation:AMB-LD-06 @needs:strace @also:FR-LD-ERR-04 @also:T-LD-10
    Scenario: one failing entry among healthy ones
      Given the tree "a, g!L, z"
      When list_directory is called with {}
      Then the entries are "a, g, z"
      And the entry "a" has {"type": "file"}
      And the entry "g" has {"type": "unknown", "is_hidden": false, "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}
      And the entry "z" has {"type": "file"}

    @LD-LST-04-02 @also:FR-LD-ERR-04 @also:T-LD-10
    Scenario: a directory that gives names and refuses metadata
      Given the tree "d/%0444{x, y/}"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-57 the answer is one of
        | AMB-LD-03 | AMB-LD-57 | entries     | fields                                                                                                                                                                                                                                                                                                             |
        |           | a         | d, d/x, d/y | {"d": {"error_code": null}, "d/x": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}, "d/y": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown", "read_dir_failed"], "error": "$TEXT"}} |
        | replace   | b         | d           | {"d": {"type": "unknown", "error_code": "read_dir_failed"}}                                                                                                                                                                                                                                                        |
        | append    | b         | d, d        | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}}                                                                                                                                                                                                                 |

    @LD-LST-04-04 @needs:strace @also:FR-LD-ERR-04
    Scenario: every entry fails
      Given the tree "a!L, b!L, c!L"
      When list_directory is called with {}
      Then the entries are "a, b, c"
      And the entry "a" has {"type": "unknown"}
      And the entry "b" has {"type": "unknown"}
      And the entry "c" has {"type": "unknown"}

    # Calls by the descriptor of d fail as well: reading it may fail, and so may looking at x.
    @LD-LST-04-07 @needs:strace @interpretation:AMB-LD-66
    Scenario: a directory without metadata is unknown, even to a walk that enters it
      Given the tree "d/!L{x}, z"
      When list_directory is called with {"recursive": true}
      Then the entries include "z"

    @LD-LST-04-08 @needs:strace @interpretation:AMB-LD-07
    Scenario: a hidden failing entry stays hidden, for its name is enough to tell
      Given the tree ".g!L, a"
      When list_directory is called with {"include_hidden": false}
      Then the entries are "a"
      And a control call with {"include_hidden": true, "include_other": true} lists ".g, a"

    @LD-LST-04-09 @needs:strace
    Scenario: a hidden failing entry shows when hidden ones do
      Given the tree ".g!L, a"
      When list_directory is called with {"include_hidden": true}
      Then the entries are ".g, a"
      And the entry ".g" has {"type": "unknown", "is_hidden": true}

    @LD-LST-04-10 @needs:strace
    Scenario: the switches for kinds do not drop an entry of unknown kind
      Given the tree "g!L, d/"
      When list_directory is called with {"include_files": false, "include_symlinks": false}
      Then the entries are "d, g"
      And the entry "g" has {"type": "unknown"}

    @needs:strace
    Scenario Outline: nor do other combinations of them: <arguments>
      Given the tree "f, <failing>, l->f"
      When list_directory is called with <arguments>
      Then the entries are "<entries>, g"
      And the entry "g" has {"type": "unknown"}

      Examples:
        | id            | arguments                                       | failing | entries |
        | LD-LST-04-761 | {"include_dirs": false}                         | g!L     | f, l    |
        | LD-LST-04-762 | {"include_dirs": false, "include_files": false} | g->no!L | l       |

    @LD-LST-04-12 @needs:strace
    Scenario: a failing entry keeps its place in the order
      Given the tree "a, b!L, c"
      When list_directory is called with {}
      Then the entries are "a, b, c"
      And the entry "b" has {"type": "unknown"}

    @LD-LST-04-101 @interpretation:AMB-LD-07
    Scenario: names alone decide what is hidden in a directory that refuses metadata
      Given the tree "d/%0444{.h, x}, z"
      When list_directory is called with {"recursive": true, "include_other": true, "include_hidden": false}
      Then by AMB-LD-57 the answer is one of
        | reading | entries   | fields                                           |
        | a       | d, d/x, z | {"d/x": {"type": "unknown", "is_hidden": false}} |
        | b       | d, z      | {"d": {"error_code": "read_dir_failed"}}         |
        | b       | d, d, z   |                                                  |

    @LD-LST-04-102
    Scenario: hidden entries without metadata show when hidden ones do
      Given the tree "d/%0444{.h, x}, z"
      When list_directory is called with {"recursive": true, "include_other": true, "include_hidden": true}
      Then by AMB-LD-57 the answer is one of
        | reading | entries         | fields |
        | a       | d, d/.h, d/x, z | {"d/.h": {"type": "unknown", "is_hidden": true}, "d/x": {"type": "unknown", "is_hidden": false}} |
        | b       | d, z            | {"d": {"error_code": "read_dir_failed"}} |
        | b       | d, d, z         |  |

    @LD-LST-04-103
    Scenario: no kind is guessed, so no switch for kinds applies
      Given the tree "d/%0444{f, l->f, p:fifo, s/}, z"
      When list_directory is called with {"recursive": true, "include_files": false, "include_symlinks": false}
      Then by AMB-LD-03 and AMB-LD-57 the answer is one of
        | AMB-LD-03 | AMB-LD-57 | entries               | fields                                                                                                           |
        |           | a         | d, d/f, d/l, d/p, d/s | {"d/f": {"type": "unknown"}, "d/l": {"type": "unknown"}, "d/p": {"type": "unknown"}, "d/s": {"type": "unknown"}} |
        | replace   | b         | d                     | {"d": {"error_code": "read_dir_failed"}}                                                                         |
        | append    | b         | d, d                  |                                                                                                                  |

    @LD-LST-04-106
    Scenario: what comes after the failing directory is as healthy as what came before
      Given the tree "a/{b=1}, d/%0444{x}, e/{f=2}"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-57 the answer is one of
        | reading | entries                | fields |
        | a       | a, a/b, d, d/x, e, e/f | {"a/b": {"type": "file"}, "d/x": {"type": "unknown"}, "e/f": {"type": "file"}} |
        | b       | a, a/b, d, e, e/f      | {"a/b": {"type": "file"}, "d": {"error_code": "read_dir_failed"}, "e/f": {"type": "file"}} |
        | b       | a, a/b, d, d, e, e/f   | {"a/b": {"type": "file"}, "e/f": {"type": "file"}} |

    @needs:strace @also:FR-LD-ERR-04
    Scenario Outline: on every level of a recursive listing: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entry "<failing>" has {"type": "unknown", "error": "$TEXT"}

      Examples:
        | id            | case                          | tree              | failing |
        | LD-LST-04-116 | an input/output error         | a/{h}, g!L=EIO, z | g       |
        | LD-LST-04-117 | an input/output error further | a/{g!L=EIO, h}, z | a/g     |

      @interpretation:AMB-LD-47
      Examples:
        | id            | case                | tree                 | failing |
        | LD-LST-04-114 | vanished at the top | a/{h}, g!L=ENOENT, z | g       |

    @LD-LST-04-03 @also:FR-LD-ERR-04
    Scenario: the requested directory itself gives names and refuses metadata
      Given the tree "d/%0444{x, y/}"
      When list_directory is called with {"path": "d"}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | entries | number | fails           | fields                                                                                   |
        |                  | a         | x, y    |        |                 | {"x": {"type": "unknown", "error": "$TEXT"}, "y": {"type": "unknown", "error": "$TEXT"}} |
        | execution_failed | b         |         |        | ExecutionFailed |                                                                                          |
        | unknown_entry    | b         |         | 1      |                 |                                                                                          |

    @LD-LST-04-104
    Scenario: a directory without metadata is not entered, however well its name is known
      Given the tree "d/%0444{f, s/{x}}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-57 the answer is one of
        | reading | entries        | fields                                   |
        | a       | d, d/f, d/s, z | {"d/s": {"type": "unknown"}}             |
        | b       | d, z           | {"d": {"error_code": "read_dir_failed"}} |
        | b       | d, d, z        |                                          |

    @LD-LST-04-115 @needs:strace @also:FR-LD-ERR-04 @interpretation:AMB-LD-47
    Scenario: on every level of a recursive listing: vanished further down
      Given the tree "a/{g!L=ENOENT, h}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entry "a/g" has {"type": "unknown", "error": "$TEXT"}

  @FR-LD-OUT-02
  Rule: the same cause has the same code

    @LD-LST-04-118 @interpretation:AMB-LD-11
    Scenario: one missing permission, four entries
      Given the tree "d/%0444{u, v, w, x}"
      When list_directory is called with {"path": "d", "include_other": true}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | entries    | number | fails           |
        |                  | a         | u, v, w, x |        |                 |
        | execution_failed | b         |            |        | ExecutionFailed |
        | unknown_entry    | b         |            | 1      |                 |
      And all unknown entries have the same error_code

    @LD-LST-04-119 @needs:strace @interpretation:AMB-LD-11
    Scenario: the same input/output error twice
      Given the tree "g!L=EIO, h!L=EIO, z"
      When list_directory is called with {"include_other": true}
      Then the entries are "g, h, z"
      And all unknown entries have the same error_code

  @FR-LD-LST-07 @interpretation:AMB-LD-63
  Rule: entries without metadata count towards the limit

    @LD-LST-04-11 @needs:strace
    Scenario: unknown entries count toward the limit
      Given the tree "a!L, b!L, c!L"
      When list_directory is called with {"max_entries": 2}
      Then the listing has 2 entries
      And the listing is truncated by "max_entries"

    @LD-LST-04-105
    Scenario: the limit cuts a list of unknown entries like any other
      Given the tree "d/%0444{w, x, y}"
      When list_directory is called with {"path": "d", "include_other": true, "max_entries": 2}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | number | fails           |
        |                  | a         | 2      |                 |
        | execution_failed | b         |        | ExecutionFailed |
        | unknown_entry    | b         | 1      |                 |
