@list_directory
Feature: The specification's own table of tests, one Rule a row

  @T-LD-01
  Rule: a default call gives the sorted children, all at depth 1

    @LD-T-01-01
    Scenario: children come sorted and flat
      Given the tree "b, a/{x}, c, l->a"
      When list_directory is called with {"path": "."}
      Then the entries in order are "a, b, c, l"
      And every entry has {"depth": 1}
      And the tree is unchanged

    @LD-T-01-02
    Scenario: order is by bytes, not by case or by number
      Given the tree "f10, f2, B, a, _c"
      When list_directory is called with {"path": "."}
      Then the entries in order are "B, _c, a, f10, f2"
      And the tree is unchanged

    @LD-T-01-03
    Scenario: sorted however the directory was filled
      Given the tree is built in reverse order
      And the tree "a, b, c/{d}, e"
      When list_directory is called with {"path": "."}
      Then the entries in order are "a, b, c, e"
      And every entry has {"depth": 1}
      And the tree is unchanged

    @LD-T-01-04
    Scenario: a subdirectory by name
      Given the tree "s/{z, y/{x}}, t"
      When list_directory is called with {"path": "s"}
      Then the entries in order are "y, z"
      And the tree is unchanged

  @T-LD-02
  Rule: a path that is a file fails, saying that it is not a directory

    Scenario Outline: a file as the target, however it is reached (<id>)
      Given the tree "f=3, d/{g}, l->f"
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed, saying "path is not a directory"
      And a control call with {"path": "d"} lists "g"
      And the tree is unchanged

      Examples:
        | id         | path   |
        | LD-T-02-01 | "f"    |
        | LD-T-02-02 | "d/g"  |
        | LD-T-02-03 | "./f"  |

    @LD-T-02-04
    Scenario: a link to a file as the target
      Given the tree "f=3, d/{g}, l->f"
      When list_directory is called with {"path": "l"}
      Then by AMB-LD-36 the answer is one of
        | reading | fails                               | saying                    |
        | follow  | ExecutionFailed                     | 'path is not a directory' |
        | refuse  | SandboxViolation or ExecutionFailed |                           |
      And a control call with {"path": "d"} lists "g"
      And the tree is unchanged

  @FR-LD-ERR-02 @also:T-LD-03
  Rule: a path outside the sandbox is a sandbox violation

    Scenario Outline: paths that leave the sandbox (<id>)
      Given the tree "in/{x}, esc->../root2"
      And beside the sandbox the tree "secret, root2/{hidden}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id         | path           |
        | LD-T-03-01 | ".."           |
        | LD-T-03-02 | "../root2"     |
        | LD-T-03-03 | "$OUTSIDE"     |
        | LD-T-03-05 | "in/../../x"   |

    @LD-T-03-04
    Scenario: a link that leaves the sandbox
      Given the tree "in/{x}, esc->../root2"
      And beside the sandbox the tree "secret, root2/{hidden}"
      When list_directory is called with {"path": "esc"}
      Then by AMB-LD-36 the answer is one of
        | reading | fails                               |
        | follow  | SandboxViolation                    |
        | refuse  | SandboxViolation or ExecutionFailed |
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

  @FR-LD-LST-02 @also:T-LD-04
  Rule: a recursive listing stops at max_depth

    Scenario Outline: entries down to the depth asked for (<id>)
      Given the tree "a/{b/{c/{d}}}, e"
      When list_directory is called with {"recursive": true, "max_depth": <depth>}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id         | depth | entries                  |
        | LD-T-04-01 | 1     | a, e                     |
        | LD-T-04-02 | 2     | a, a/b, e                |
        | LD-T-04-03 | 3     | a, a/b, a/b/c, e         |
        | LD-T-04-04 | 4     | a, a/b, a/b/c, a/b/c/d, e |

  @FR-LD-LST-07 @also:T-LD-05
  Rule: more entries than max_entries are cut, and the answer says so

    Scenario Outline: exactly max_entries entries are returned (<id>)
      Given the tree "f0, f1, f2, f3, f4"
      When list_directory is called with {"max_entries": <cap>}
      Then the listing has <cap> entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

      Examples:
        | id         | cap |
        | LD-T-05-01 | 1   |
        | LD-T-05-02 | 3   |
        | LD-T-05-03 | 4   |

    @LD-T-05-04
    Scenario: a recursive listing counts what lies below too
      Given the tree "a/{b, c, d, e}"
      When list_directory is called with {"recursive": true, "max_entries": 4}
      Then a control call with {"recursive": true} lists "a, a/b, a/c, a/d, a/e"
      And the listing has 4 entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

  @FR-LD-OUT-05 @also:T-LD-06
  Rule: a listing that would be too long loses entries, and the answer says so

    Scenario Outline: as many entries as fit (<id>)
      Given the tree "a, b, c"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"path": "."}
      Then the document is the largest that fits
      And a control call with {"path": "."} lists "a, b, c"
      And the tree is unchanged

      # three entries need 535 bytes, two with the reason 402, one 256, none 111
      Examples:
        | id         | output  | capacity |
        | LD-T-06-01 | 534     | 1000000  |
        | LD-T-06-02 | 1000000 | 402      |
        | LD-T-06-03 | 401     | 1000000  |
        | LD-T-06-04 | 255     | 300      |

  @FR-LD-LST-06 @also:T-LD-07
  Rule: hidden entries are left out unless they are asked for

    @LD-T-07-01
    Scenario: dot files and dot directories are left out
      Given the tree ".a, b, .c/{d}, ..e"
      When list_directory is called with {"path": ".", "include_hidden": false}
      Then the entries are "b"
      And the tree is unchanged

    @LD-T-07-02
    Scenario: the same when it is said
      Given the tree ".a, b, .l->b"
      When list_directory is called with {"include_hidden": false}
      Then the entries are "b"
      And the tree is unchanged

    @LD-T-07-03
    Scenario: all are there when they are asked for
      Given the tree ".a, b, .c/{d}"
      When list_directory is called with {"include_hidden": true}
      Then the entries are ".a, .c, b"
      And the tree is unchanged

  @FR-LD-VAL-09 @also:T-LD-08
  Rule: links are listed and never walked through

    @LD-T-08-01
    Scenario: a link to a directory is a leaf
      Given the tree "d/{x}, l->d"
      When list_directory is called with {"recursive": true}
      Then the entries are "d, d/x, l"
      And the entry "l" has {"type": "symlink"}
      And the tree is unchanged

    @LD-T-08-02
    Scenario: a link that leaves the sandbox is listed and not entered
      Given the tree "a, l->../root2"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, l"
      And the tree is unchanged

    @LD-T-08-03 @returns
    Scenario: links that go round in circles
      Given the tree "a/{up->.., loop->.}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/loop, a/up"
      And the tree is unchanged

    @LD-T-08-04
    Scenario: links that were switched off are not walked
      Given the tree "d/{x}, l->d"
      When list_directory is called with {"recursive": true, "include_symlinks": false}
      Then the entries include "d, d/x"
      And no entry is "l/x"
      And the tree is unchanged

  @NFR-LD-REL-02 @also:T-LD-09
  Rule: a name that is not UTF-8 becomes valid text with the replacement character

    @LD-T-09-01
    Scenario: one bad byte in a name
      Given the tree "'a\xffb', c"
      When list_directory is called with {"path": "."}
      Then the entries are "'a\ufffdb', c"
      And the document is valid UTF-8
      And the tree is unchanged

    @LD-T-09-02
    Scenario: a directory with a bad name is still walked
      Given the tree "'d\xff'/{x}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'d\ufffd', 'd\ufffd'/x"
      And the document is valid UTF-8
      And the tree is unchanged

    @LD-T-09-03
    Scenario: two names that look the same afterwards are two entries
      Given the tree "'\xfe'=1, '\xff'=2, z"
      When list_directory is called with {"path": "."}
      Then the entries are "'\ufffd', '\ufffd', z"
      And the listing has 3 entries
      And the document is valid UTF-8
      And the tree is unchanged

  # A directory of mode 0444 lists its names and refuses the metadata of each entry.
  @FR-LD-LST-04 @also:T-LD-10
  Rule: an entry whose metadata cannot be had is listed as unknown

    @LD-T-10-01
    Scenario: names without metadata in the listed directory
      Given the tree "d/%0444{x, y/{z}}"
      When list_directory is called with {"path": "d"}
      Then by AMB-LD-06, AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-06     | AMB-LD-10        | AMB-LD-57 | entries | number | fails           | fields |
        | always        |                  | a         | x, y    |        |                 | {"x": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}, "y": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}} |
        | include_other |                  | a         | ""      |        |                 |  |
        |               | execution_failed | b         |         |        | ExecutionFailed |  |
        |               | empty            | b         |         | 0      |                 |  |
        | always        | unknown_entry    | b         |         | 1      |                 |  |
        | include_other | unknown_entry    | b         |         | 0      |                 |  |
      And a control call with {"path": "."} lists "d"
      And the tree is unchanged

    @LD-T-10-02
    Scenario: names without metadata further down
      Given the tree "a, d/%0444{x}, z"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03, AMB-LD-06 and AMB-LD-57 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | AMB-LD-57 | entries      | fields |
        |           | always        | a         | a, d, d/x, z | {"d": {"error_code": null}, "d/x": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}, "a": {"type": "file"}} |
        |           | include_other | a         | a, d, z      | {"d": {"error_code": null}} |
        | replace   | always        | b         | a, d, z      | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append    | always        | b         | a, d, d, z   | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | replace   | include_other | b         | a, z         |  |
        | append    | include_other | b         | a, d, z      | {"d": {"error_code": null}} |
      And the tree is unchanged

    @LD-T-10-03
    Scenario: an unknown entry is no special file, whatever its kind on the disk
      Given the tree "d/%0444{k/{x}, l->k, p:fifo}, z"
      When list_directory is called with {"recursive": true, "include_other": false}
      Then by AMB-LD-03, AMB-LD-06 and AMB-LD-57 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | AMB-LD-57 | entries             | fields |
        |           | always        | a         | d, d/k, d/l, d/p, z | {"d/k": {"type": "unknown"}, "d/l": {"type": "unknown"}, "d/p": {"type": "unknown"}} |
        |           | include_other | a         | d, z                | {"d": {"error_code": null}} |
        | replace   | always        | b         | d, z                | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append    | always        | b         | d, d, z             | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | replace   | include_other | b         | z                   |  |
        | append    | include_other | b         | d, z                | {"d": {"error_code": null}} |
      And the tree is unchanged

  @FR-LD-LST-06 @also:T-LD-11
  Rule: a hidden directory is left out and not walked

    @LD-T-11-01
    Scenario: what lies in a hidden directory does not appear
      Given the tree ".c/{d}, e"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "e"
      And the tree is unchanged

    @LD-T-11-02
    Scenario: a hidden directory further down
      Given the tree "v/{.d/{x}, y}"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "v, v/y"
      And the tree is unchanged

    @LD-T-11-03
    Scenario: with include_hidden it is listed and walked
      Given the tree ".c/{d}, e"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries are ".c, .c/d, e"
      And the tree is unchanged

    @LD-T-11-04
    Scenario: an unreadable hidden directory goes unnoticed
      Given the tree ".d/%0000{x}, a"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "a"
      And the tree is unchanged

  @FR-LD-LST-08 @also:T-LD-12
  Rule: a directory that cannot be read during the walk is reported, and the walk goes on

    Scenario Outline: a directory without the right to read it (<id>)
      Given the tree "a, d/<mode>{x}, z"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries    | fields |
        | replace   | always        | a, d, z    | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | replace   | include_other | a, z       |  |
        | append    | always        | a, d, d, z | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | include_other | a, d, z    | {"d": {"error_code": null}} |
      And the tree is unchanged

      Examples:
        | id         | mode  |
        | LD-T-12-01 | %0000 |
        | LD-T-12-02 | %0111 |
        | LD-T-12-03 | %0333 |

    @LD-T-12-04
    Scenario: two of them, with a readable one between
      Given the tree "d/%0000{x}, e/{y}, f/%0000{z}"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries            | fields |
        | replace   | always        | d, e, e/y, f       | {"d": {"error_code": "read_dir_failed"}, "f": {"error_code": "read_dir_failed"}, "e/y": {"type": "file"}} |
        | replace   | include_other | e, e/y             | {"e/y": {"type": "file"}} |
        | append    | always        | d, d, e, e/y, f, f | {"e/y": {"type": "file"}} |
        | append    | include_other | d, e, e/y, f       | {"d": {"error_code": null}, "f": {"error_code": null}} |
      And the tree is unchanged

  @FR-LD-OUT-08 @also:T-LD-13
  Rule: a budget below the smallest document fails with a clear message

    Scenario Outline: nothing truthful fits (<id>)
      Given the tree "<tree>"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"path": "."}
      Then the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {"path": "."} on the tree "c" lists "c"
      And the tree is unchanged

      Examples:
        | id         | tree | output  | capacity |
        | LD-T-13-01 | a    | 0       | 97       |
        | LD-T-13-02 | a    | 97      | 97       |
        | LD-T-13-03 | a    | 97      | 50       |
        | LD-T-13-04 |      | 97      | 97       |
        | LD-T-13-05 | a, b | 1       | 1        |

  @FR-LD-OUT-07 @also:T-LD-14
  Rule: when both limits bite, the size is the reason that is told

    @LD-T-14-01
    Scenario: the cap keeps two, the size one of them
      Given the tree "a/{b}, a-b"
      And budgets of 398 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-T-14-02
    Scenario: the cap keeps two, the size none
      Given the tree "a/{b}, a-b"
      And budgets of 109 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the document is the largest that fits
      And a control call with {"path": "."} lists "a, a-b"
      And the tree is unchanged

    @LD-T-14-03
    Scenario: the cap alone keeps its reason
      Given the tree "f0, f1, f2"
      And budgets of 399 and 1000000 bytes
      When list_directory is called with {"max_entries": 2}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-T-14-04
    Scenario: the capacity overrides the cap as the output budget does
      Given the tree "f0, f1, f2, f3"
      And budgets of 1000000 and 300 bytes
      When list_directory is called with {"max_entries": 3}
      Then the document is the largest that fits
      And the tree is unchanged
