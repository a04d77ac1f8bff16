@list_directory
Feature: A directory that cannot be read is reported and does not end the walk

  # One item on disk is one entry: the directory's own entry becomes `unknown` (AMB-LD-03, replace). A candidate may
  # declare that it adds a second one (append), and that it shows unknown entries with include_other only (AMB-LD-06).
  # Where the second declaration is irrelevant, the call sets include_other.

  @FR-LD-LST-08
  Rule: a directory that cannot be read is unknown with read_dir_failed, is not entered, and the walk goes on

    Scenario Outline: unreadable by its mode: <case>
      Given the tree "a, d/<mode>{x}, z"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries    | fields |
        | replace   | always        | a, d, z    | {"d": {"name": "d", "type": "unknown", "is_hidden": false, "error_code": "read_dir_failed"}} |
        | replace   | include_other | a, z       |  |
        | append    | always        | a, d, d, z | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | include_other | a, d, z    | {"d": {"error_code": null}} |
      And a control call with {} lists "a, d, z"
      And the tree is unchanged

      Examples:
        | id            | case                    | mode  |
        | LD-LST-08-02  | no permission at all    | %0000 |
        | LD-LST-08-03  | search permission only  | %0111 |
        | LD-LST-08-101 | all but read permission | %0333 |
        | LD-LST-08-102 | for others only         | %0077 |

    @needs:strace @also:T-LD-12
    Scenario Outline: unreadable by fault: <case>
      Given the tree "a, d/<fault>{x}, z"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries    | fields |
        | replace   | always        | a, d, z    | {"d": {"name": "d", "type": "unknown", "is_hidden": false, "error_code": "read_dir_failed"}} |
        | replace   | include_other | a, z       |  |
        | append    | always        | a, d, d, z | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | include_other | a, d, z    | {"d": {"error_code": null}} |
      And a control call with {} lists "a, d, z"
      And the tree is unchanged

      Examples:
        | id            | case                                     | fault      |
        | LD-LST-08-01  | refused                                  | !R         |
        | LD-LST-08-04  | removed before it was entered            | !R=ENOENT  |
        | LD-LST-08-05  | replaced by a file before it was entered | !R=ENOTDIR |
        | LD-LST-08-06  | no file descriptor left                  | !R=EMFILE  |
        | LD-LST-08-103 | an input/output error                    | !R=EIO     |
        | LD-LST-08-104 | replaced by a link before it was entered | !R=ELOOP   |
        | LD-LST-08-302 | a handle that has gone stale             | !R=ESTALE  |
        | LD-LST-08-303 | not permitted                            | !R=EPERM   |
        | LD-LST-08-304 | no memory left                           | !R=ENOMEM  |
        | LD-LST-08-305 | no file left in the whole system         | !R=ENFILE  |

    @needs:strace
    Scenario Outline: unreadable by fault further down: <errno>
      Given the tree "a/{d/!R=<errno>{x}, e}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries             | fields |
        | replace | a, a/d, a/e, z      | {"a/d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append  | a, a/d, a/d, a/e, z | {"a/d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

      Examples:
        | id            | errno   |
        | LD-LST-08-306 | ENOENT  |
        | LD-LST-08-307 | ENOTDIR |
        | LD-LST-08-308 | ELOOP   |
        | LD-LST-08-309 | EIO     |

    # Of 2000 names one read returns a part, so some are lost. What became of the others is not compared (AMB-LD-46).
    @LD-LST-08-07 @needs:strace
    Scenario: reading breaks off half way
      Given the tree "a, d/!R2=EIO{f0000..f1999}, z"
      And the configuration {"max_entries": 5000}
      And budgets of 10000000 and 10000000 bytes
      When list_directory is called with {"recursive": true, "include_other": true, "max_entries": 5000}
      Then by AMB-LD-03 and AMB-LD-46 the answer is one of
        | AMB-LD-03 | AMB-LD-46 | entries    | include | some entry   | fields |
        | replace   | b         | a, d, z    |         |              | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | replace   | a         |            | a, d, z | {"depth": 2} | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append    | b         | a, d, d, z |         |              | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | a         |            | a, d, z | {"depth": 2} | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

    @LD-LST-08-08 @needs:strace @interpretation:AMB-LD-58
    Scenario: a flat listing does not notice
      Given the tree "d/!R{x}"
      When list_directory is called with {}
      Then the entries are "d"
      And the entry "d" has {"error_code": null}
      And a control call with {"recursive": true, "include_other": true} lists "d"
      And the tree is unchanged

    @LD-LST-08-09 @needs:strace @interpretation:AMB-LD-58
    Scenario: nor does a walk that ends above it
      Given the tree "a/{d/!R{x}}"
      When list_directory is called with {"recursive": true, "max_depth": 2}
      Then a control call with {"recursive": true, "max_depth": 2} on the tree "a/{b/{c}}" lists "a, a/b"
      And the entries are "a, a/d"
      And the entry "a/d" has {"error_code": null}
      And a control call with {"recursive": true, "include_other": true} lists "a, a/d"
      And the tree is unchanged

    @LD-LST-08-105 @interpretation:AMB-LD-58
    Scenario: a flat listing does not try a directory of mode 0000
      Given the tree "d/%0000{x}"
      When list_directory is called with {}
      Then the entries are "d"
      And the entry "d" has {"error_code": null}
      And the tree is unchanged

    @LD-LST-08-106 @interpretation:AMB-LD-58
    Scenario: nor does a walk that ends above one
      Given the tree "a/{d/%0000{x}}"
      When list_directory is called with {"recursive": true, "max_depth": 2}
      Then a control call with {"recursive": true, "max_depth": 2} on the tree "a/{b/{c}}" lists "a, a/b"
      And the entries are "a, a/d"
      And the entry "a/d" has {"error_code": null}
      And the tree is unchanged

    @LD-LST-08-10 @needs:strace
    Scenario: one level more and it is noticed
      Given the tree "a/{d/!R{x}}"
      When list_directory is called with {"recursive": true, "max_depth": 3}
      Then a control call with {"recursive": true, "max_depth": 3} on the tree "a/{e/{x}}" lists "a, a/e, a/e/x"
      And by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries     | fields |
        | replace   | always        | a, a/d      | {"a/d": {"type": "unknown", "depth": 2, "error_code": "read_dir_failed"}} |
        | replace   | include_other | a           |  |
        | append    | always        | a, a/d, a/d | {"a/d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | include_other | a, a/d      | {"a/d": {"error_code": null}} |
      And the tree is unchanged

    @LD-LST-08-107 @also:EF-01 @also:EF-02
    Scenario: deep down, with its own name and path
      Given the tree "a/{b/{d/%0000{x}, e}, f}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then a control call with {"recursive": true} on the tree "a/{b/{d/{x}}}" lists "a, a/b, a/b/d, a/b/d/x"
      And by AMB-LD-03 the answer is one of
        | reading | entries                             | fields |
        | replace | a, a/b, a/b/d, a/b/e, a/f, z        | {"a/b/d": {"name": "d", "type": "unknown", "error_code": "read_dir_failed"}} |
        | append  | a, a/b, a/b/d, a/b/d, a/b/e, a/f, z | {"a/b/d": {"any order": [{"error_code": null}, {"name": "d", "type": "unknown", "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

    # With directories omitted, a candidate may treat the failed one as omitted too (AMB-LD-09, b), or may not have
    # examined it (AMB-LD-08, prune).
    @LD-LST-08-11 @needs:strace
    Scenario: leaving out directories does not silence the failure
      Given the tree "d/!R{x}, a"
      When list_directory is called with {"recursive": true, "include_dirs": false}
      Then by AMB-LD-06, AMB-LD-08 and AMB-LD-09 the answer is one of
        | AMB-LD-06     | AMB-LD-08 | AMB-LD-09 | entries | fields                                                      |
        | always        | descend   | a         | a, d    | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | include_other | descend   | a         | a       |                                                             |
        |               | descend   | b         | a       |                                                             |
        |               | prune     |           | a       |                                                             |
      And a control call with {"recursive": true, "include_other": true} lists "a, d"
      And the tree is unchanged

    @LD-LST-08-720
    Scenario: leaving out files does not silence one of mode 0000
      Given the tree "d/%0000{x}, e/"
      When list_directory is called with {"recursive": true, "include_files": false}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries | fields |
        | replace   | always        | d, e    | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | replace   | include_other | e       |  |
        | append    | always        | d, d, e | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | include_other | d, e    | {"d": {"error_code": null}} |
      And a control call with {} lists "d, e"
      And the tree is unchanged

    @LD-LST-08-108
    Scenario: leaving out directories does not silence one of mode 0000
      Given the tree "d/%0000{x}, a"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true}
      Then by AMB-LD-08 and AMB-LD-09 the answer is one of
        | AMB-LD-08 | AMB-LD-09 | entries | fields                                                      |
        | descend   | a         | a, d    | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | descend   | b         | a       |                                                             |
        | prune     |           | a       |                                                             |
      And a control call with {} lists "a, d"
      And the tree is unchanged

    @LD-LST-08-110 @also:EF-07
    Scenario: a hidden one shows when hidden ones do
      Given the tree ".d/%0000{x}, a"
      When list_directory is called with {"recursive": true, "include_hidden": true, "include_other": true}
      Then a control call with {"recursive": true, "include_hidden": true} on the tree ".d/{x}" lists ".d, .d/x"
      And by AMB-LD-03 the answer is one of
        | reading | entries   | fields |
        | replace | .d, a     | {".d": {"type": "unknown", "is_hidden": true, "error_code": "read_dir_failed"}} |
        | append  | .d, .d, a | {".d": {"any order": [{"error_code": null, "is_hidden": true}, {"type": "unknown", "is_hidden": true, "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

    @LD-LST-08-13 @needs:strace
    Scenario: two of them
      Given the tree "d/!R{x}, e/!R{y}, f"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries       | fields |
        | replace   | always        | d, e, f       | {"d": {"error_code": "read_dir_failed"}, "e": {"error_code": "read_dir_failed"}, "f": {"type": "file"}} |
        | replace   | include_other | f             |  |
        | append    | always        | d, d, e, e, f |  |
        | append    | include_other | d, e, f       | {"d": {"error_code": null}, "e": {"error_code": null}} |
      And the tree is unchanged

    @LD-LST-08-111
    Scenario: two of them at different levels, and readable ones between
      Given the tree "a/{d/%0000{x}, e}, g/%0111{y}, h/{i}"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then a control call with {"recursive": true} on the tree "a/{d/{x}}" lists "a, a/d, a/d/x"
      And by AMB-LD-03 the answer is one of
        | reading | entries                               | fields |
        | replace | a, a/d, a/e, g, h, h/i                | {"a/d": {"error_code": "read_dir_failed"}, "g": {"error_code": "read_dir_failed"}, "h": {"error_code": null}} |
        | append  | a, a/d, a/d, a/e, g, g, h, h/i        |  |
      And the tree is unchanged

    # Only the directory can contain more. Whether it is read to find out is open (AMB-LD-02, AMB-LD-45).
    @LD-LST-08-301 @also:FR-LD-LST-07
    Scenario: the limit is met exactly on it and nothing comes after it
      Given the tree "a, d/%0000{x}"
      When list_directory is called with {"recursive": true, "include_other": true, "max_entries": 2}
      Then the entries are "a, d"
      And the tree is unchanged

    @LD-LST-08-17 @needs:strace @also:FR-LD-OUT-01
    Scenario: it keeps its place in the order
      Given the tree "d/!R{x}, d-, d0"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries      | fields                     |
        | replace   | always        | d, d-, d0    | {"d": {"type": "unknown"}} |
        | replace   | include_other | d-, d0       |                            |
        | append    | always        | d, d, d-, d0 |                            |
        | append    | include_other | d, d-, d0    | {"d": {"error_code": null}}     |
      And the tree is unchanged

    @LD-LST-08-114 @also:EF-09
    Scenario: it says in words what went wrong
      Given the tree "d/%0000{x}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 and AMB-LD-05 the answer is one of
        | AMB-LD-03 | AMB-LD-05 | entries | fields                                                     |
        | replace   | a         | d, z    | {"d": {"error_code": "read_dir_failed", "error": "$TEXT"}} |
        | replace   | b         | d, z    | {"d": {"error_code": "read_dir_failed", "error": [null, ""]}} |
        | append    | a         | d, d, z | {"d": {"any order": [{"error": null}, {"error": "$TEXT"}]}}               |
        | append    | b         | d, d, z | {"d": {"any order": [{"error": null}, {"error": [null, ""]}]}}            |
      And the tree is unchanged

    @LD-LST-08-115
    Scenario: an empty one cannot be told from a full one
      Given the tree "d/%0000, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries | fields |
        | replace | d, z    | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append  | d, d, z | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

    @LD-LST-08-116 @also:NFR-LD-REL-02
    Scenario: a name that is not UTF-8 is no obstacle to reporting it
      Given the tree "'d\xff'/%0000{x}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then a control call with {} on the tree "'\xff'" lists "'\ufffd'"
      And by AMB-LD-03 the answer is one of
        | reading | entries                   | fields |
        | replace | 'd\\ufffd', z             | {"d\\ufffd": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append  | 'd\\ufffd', 'd\\ufffd', z | {"d\\ufffd": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

    # A candidate that finds the entry again by its path marks the first one that matches. The order of the two is open
    # (AMB-LD-13), and so is the time of an entry that could not be read (AMB-LD-04).
    @LD-LST-08-310 @also:NFR-LD-REL-02
    Scenario: of two that look alike the one that failed is reported
      Given the tree "'\xfe'/@1{a}, '\xff'/%0000@2{b}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then a control call with {} on the tree "'\xff'" lists "'\ufffd'"
      And by AMB-LD-03 the answer is one of
        | reading | entries                                     | fields |
        | replace | '\\ufffd', '\\ufffd', '\\ufffd/a', z            | {"\\ufffd": [{"error_code": null, "modified_epoch_ms": 1}, {"type": "unknown", "modified_epoch_ms": [2, null]}]} |
        | replace | '\\ufffd', '\\ufffd', '\\ufffd/a', z            | {"\\ufffd": [{"type": "unknown", "modified_epoch_ms": [2, null]}, {"error_code": null, "modified_epoch_ms": 1}]} |
        | append  | '\\ufffd', '\\ufffd', '\\ufffd', '\\ufffd/a', z |  |
      And the tree is unchanged

  @FR-LD-OUT-02
  Rule: equal failures give equal bytes

    @LD-LST-08-117 @also:FR-LD-LST-08
    Scenario: the same failure reads the same every time
      Given the tree "a/%0000{x}, b/%0111{y}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      And the call is repeated 5 times
      Then all answers are the same bytes
      And the entries include "a, b, z"
      And the tree is unchanged

  @FR-LD-LST-06
  Rule: what is hidden is not tried

    @LD-LST-08-109 @also:FR-LD-LST-08
    Scenario: a hidden one of mode 0000 is passed over in silence
      Given the tree ".d/%0000{x}, a"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "a"
      And the tree is unchanged

    # The file comes first, so that the control call lists both, whatever happens to later entries.
    @LD-LST-08-12 @needs:strace @also:FR-LD-LST-08
    Scenario: a hidden one is passed over in silence
      Given the tree "+, .d/!R{x}"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "+"
      And a control call with {"recursive": true, "include_hidden": true, "include_other": true} lists "+, .d"
      And the tree is unchanged

  @FR-LD-LST-08
  Rule: what is reported as unreadable is not entered

    # All names may have come before the failure. A complete listing shows that it had no effect: it is not verified.
    @LD-LST-08-311 @needs:strace @also:FR-LD-ERR-04
    Scenario: a directory whose names are known although the reading failed
      Given the tree "a, d/!R2=EIO{s/{x}}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 and AMB-LD-46 the answer is one of
        | AMB-LD-03 | AMB-LD-46 | entries           | fields                                                                                        |
        | replace   | b         | a, d, z           | {"d": {"type": "unknown", "error_code": "read_dir_failed"}}                                   |
        | replace   | a         | a, d, d/s, z      | {"d": {"type": "unknown", "error_code": "read_dir_failed"}}                                   |
        | append    | b         | a, d, d, z        | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
        | append    | a         | a, d, d, d/s, z   | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |
      And the tree is unchanged

  # A failure is an entry and counts as one, also where directories are left out (AMB-LD-63).
  @FR-LD-LST-07 @interpretation:AMB-LD-63
  Rule: the reports of unreadable directories count towards the limit

    @LD-LST-08-14 @needs:strace @also:FR-LD-LST-08
    Scenario: it counts once toward the limit
      Given the tree "d/!R{x}, e, f"
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then a control call with {"recursive": true, "include_other": true} lists "d, e, f"
      And by AMB-LD-03 and AMB-LD-06 the answer is one of
        | AMB-LD-03 | AMB-LD-06     | entries | fields                     |
        | replace   | always        | d, e    | {"d": {"type": "unknown"}} |
        | replace   | include_other | e, f    |                            |
        | append    | always        | d, d    |                            |
        | append    | include_other | d, e    | {"d": {"error_code": null}}     |
      And the tree is unchanged

    @LD-LST-08-112 @also:FR-LD-LST-08
    Scenario: one of mode 0000 counts once toward the limit
      Given the tree "d/%0000{x}, e, f, g"
      When list_directory is called with {"recursive": true, "include_other": true, "max_entries": 3}
      Then a control call with {"recursive": true, "include_other": true} lists "d, e, f, g"
      And by AMB-LD-03 the answer is one of
        | reading | entries | fields                     |
        | replace | d, e, f | {"d": {"type": "unknown"}} |
        | append  | d, d, e |                            |
      And the tree is unchanged

    # The directory itself reaches the limit; whether it is still read then is open (AMB-LD-45).
    @LD-LST-08-15 @needs:strace @also:FR-LD-LST-08
    Scenario: the limit is met exactly on it
      Given the tree "d/!R{x}, e"
      When list_directory is called with {"recursive": true, "max_entries": 1}
      Then a control call with {"recursive": true, "include_other": true} lists "d, e"
      And by AMB-LD-06 and AMB-LD-45 the answer is one of
        | AMB-LD-06     | AMB-LD-45 | entries | fields                                                      |
        |               | a         | d       | {"d": {"error_code": null}}                                      |
        | always        | b         | d       | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | include_other | b         | e       |                                                             |
      And the tree is unchanged

    @LD-LST-08-312
    Scenario: two reports and two files for two places
      Given the tree "a, d/%0000{x}, e/%0000{y}, f"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true, "max_entries": 2}
      Then a control call with {"recursive": true, "include_other": true} lists "a, d, e, f"
      And by AMB-LD-08 and AMB-LD-09 the answer is one of
        | AMB-LD-08 | AMB-LD-09 | entries | truncated   |
        | descend   | a         | a, d    | max_entries |
        | descend   | b         | a, f    |             |
        | prune     |           | a, f    |             |
      And the document has {"returned": 2}
      And the tree is unchanged

    # Whether a failure that only looking ahead meets would have qualified is left open, as is the flag.
    @LD-LST-08-313
    Scenario: a failure beyond the limit is not reported
      Given the tree "a, d/%0000{x}"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true, "max_entries": 1}
      Then a control call with {"recursive": true, "include_other": true} lists "a, d"
      And the entries are "a"
      And the document has {"returned": 1}
      And the tree is unchanged

    @LD-LST-08-314
    Scenario: two failures for one place
      Given the tree "d/%0000{x}, e/%0000{y}"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true, "max_entries": 1}
      Then a control call with {"recursive": true, "include_other": true} lists "d, e"
      And by AMB-LD-08 and AMB-LD-09 the answer is one of
        | AMB-LD-08 | AMB-LD-09 | entries | document        |
        | descend   | a         | d       | {"returned": 1} |
        | descend   | b         | ""      | {"returned": 0} |
        | prune     |           | ""      | {"returned": 0} |
      And the tree is unchanged
