@list_directory
Feature: A directory that cannot be read is reported and does not end the walk

  # The directory's own entry becomes `unknown`, or a second one is added to it (AMB-LD-03).

  @FR-LD-LST-08
  Rule: a directory that cannot be read is unknown with read_dir_failed, is not entered, and the walk goes on

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      @interpretation:AMB-LD-03
      Examples:
        | id            | case                                                | tree             | call                                        | answer                     |
        | LD-LST-08-102 | unreadable by its mode: for others only             | a, d/%0077{x}, z | {"recursive": true}                         | the entries include "a, z" |
        | LD-LST-08-720 | leaving out files does not silence one of mode 0000 | d/%0000{x}, e/   | {"recursive": true, "include_files": false} | the entries include "e"    |

      @interpretation:AMB-LD-03 @needs:strace @also:T-LD-12
      Examples:
        | id            | case                                                          | tree                  | call                | answer                     |
        | LD-LST-08-01  | unreadable by fault: refused                                  | a, d/!R{x}, z         | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-04  | unreadable by fault: removed before it was entered            | a, d/!R=ENOENT{x}, z  | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-05  | unreadable by fault: replaced by a file before it was entered | a, d/!R=ENOTDIR{x}, z | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-06  | unreadable by fault: no file descriptor left                  | a, d/!R=EMFILE{x}, z  | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-103 | unreadable by fault: an input/output error                    | a, d/!R=EIO{x}, z     | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-104 | unreadable by fault: replaced by a link before it was entered | a, d/!R=ELOOP{x}, z   | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-302 | unreadable by fault: a handle that has gone stale             | a, d/!R=ESTALE{x}, z  | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-303 | unreadable by fault: not permitted                            | a, d/!R=EPERM{x}, z   | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-304 | unreadable by fault: no memory left                           | a, d/!R=ENOMEM{x}, z  | {"recursive": true} | the entries include "a, z" |
        | LD-LST-08-305 | unreadable by fault: no file left in the whole system         | a, d/!R=ENFILE{x}, z  | {"recursive": true} | the entries include "a, z" |

      @interpretation:AMB-LD-58
      Examples:
        | id            | case                                | tree           | call                                | answer                                   |
        | LD-LST-08-106 | nor does a walk that ends above one | a/{d/%0000{x}} | {"recursive": true, "max_depth": 2} | the entry "a/d" has {"error_code": null} |

    @LD-LST-08-11 @needs:strace @interpretation:AMB-LD-09
    Scenario: leaving out directories does not silence the failure
      Given the tree "d/!R{x}, a"
      When list_directory is called with {"recursive": true, "include_dirs": false}
      Then the entries are "a, d"

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

    @LD-LST-08-08 @needs:strace @interpretation:AMB-LD-58
    Scenario: a flat listing does not notice
      Given the tree "d/!R{x}"
      When list_directory is called with {}
      Then the entry "d" has {"error_code": null}
      And a control call with {"recursive": true, "include_other": true} lists "d"

    @LD-LST-08-09 @needs:strace @interpretation:AMB-LD-58
    Scenario: nor does a walk that ends above it
      Given the tree "a/{d/!R{x}}"
      When list_directory is called with {"recursive": true, "max_depth": 2}
      Then the entry "a/d" has {"error_code": null}
      And a control call with {"recursive": true, "include_other": true} lists "a, a/d"

    Scenario Outline: <case> (a directory that cannot be read is unknown with read_dir_failed, is not entered, and the walk goes on)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      @interpretation:AMB-LD-58
      Examples:
        | id            | case                                                 | tree       | call | answer                                 |
        | LD-LST-08-105 | a flat listing does not try a directory of mode 0000 | d/%0000{x} | {}   | the entry "d" has {"error_code": null} |

      @needs:strace @interpretation:AMB-LD-03
      Examples:
        | id           | case                             | tree                | call                                | answer                       |
        | LD-LST-08-10 | one level more and it is noticed | a/{d/!R{x}}         | {"recursive": true, "max_depth": 3} | the entries include "a"      |
        | LD-LST-08-13 | two of them                      | d/!R{x}, e/!R{y}, f | {"recursive": true}                 | the entries include "f"      |
        | LD-LST-08-17 | it keeps its place in the order  | d/!R{x}, d-, d0     | {"recursive": true}                 | the entries include "d-, d0" |

    @LD-LST-08-108
    Scenario: leaving out directories does not silence one of mode 0000
      Given the tree "d/%0000{x}, a"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true}
      Then the entries are "a, d"
      And the entry "d" has {"type": "unknown", "error_code": "read_dir_failed"}

    @LD-LST-08-110
    Scenario: a hidden one shows when hidden ones do
      Given the tree ".d/%0000{x}, a"
      When list_directory is called with {"recursive": true, "include_hidden": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries   | fields |
        | replace | .d, a     | {".d": {"type": "unknown", "is_hidden": true, "error_code": "read_dir_failed"}} |
        | append  | .d, .d, a | {".d": {"any order": [{"error_code": null, "is_hidden": true}, {"type": "unknown", "is_hidden": true, "error_code": "read_dir_failed"}]}} |

    @LD-LST-08-111
    Scenario: two of them at different levels, and readable ones between
      Given the tree "a/{d/%0000{x}, e}, g/%0111{y}, h/{i}"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries                               | fields |
        | replace | a, a/d, a/e, g, h, h/i                | {"a/d": {"error_code": "read_dir_failed"}, "g": {"error_code": "read_dir_failed"}, "h": {"error_code": null}} |
        | append  | a, a/d, a/d, a/e, g, g, h, h/i        |  |

    # Only the directory can contain more. Whether it is read to find out is open (AMB-LD-02, AMB-LD-45).
    @LD-LST-08-301
    Scenario: the limit is met exactly on it and nothing comes after it
      Given the tree "a, d/%0000{x}"
      When list_directory is called with {"recursive": true, "include_other": true, "max_entries": 2}
      Then the entries are "a, d"

    @LD-LST-08-116
    Scenario: a name that is not UTF-8 is no obstacle to reporting it
      Given the tree "'d\xff'/%0000{x}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries                   | fields |
        | replace | 'd\\ufffd', z             | {"d\\ufffd": {"type": "unknown", "error_code": "read_dir_failed"}} |
        | append  | 'd\\ufffd', 'd\\ufffd', z | {"d\\ufffd": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |

    # A candidate that finds the entry again by its path marks the first one that matches. The order of the two is open
    # (AMB-LD-13), and so is the time of an entry that could not be read (AMB-LD-04).
    @LD-LST-08-310
    Scenario: of two that look alike the one that failed is reported
      Given the tree "'\xfe'/@1{a}, '\xff'/%0000@2{b}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries                                     | fields |
        | replace | '\\ufffd', '\\ufffd', '\\ufffd/a', z            | {"\\ufffd": [{"error_code": null, "modified_epoch_ms": 1}, {"type": "unknown", "modified_epoch_ms": [2, null]}]} |
        | replace | '\\ufffd', '\\ufffd', '\\ufffd/a', z            | {"\\ufffd": [{"type": "unknown", "modified_epoch_ms": [2, null]}, {"error_code": null, "modified_epoch_ms": 1}]} |
        | append  | '\\ufffd', '\\ufffd', '\\ufffd', '\\ufffd/a', z |  |

    @LD-LST-08-115
    Scenario: an empty one cannot be told from a full one
      Given the tree "d/%0000, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries | fields                                                                                             |
        | replace | d, z    | {"d": {"type": "unknown", "error_code": "read_dir_failed"}}                                        |
        | append  | d, d, z | {"d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |

    @needs:strace
    Scenario Outline: <case> (a directory that cannot be read is unknown with read_dir_failed, is not entered, and the walk goes on, 2)
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries             | fields                                                                                               |
        | replace | a, a/d, a/e, z      | {"a/d": {"type": "unknown", "error_code": "read_dir_failed"}}                                        |
        | append  | a, a/d, a/d, a/e, z | {"a/d": {"any order": [{"error_code": null}, {"type": "unknown", "error_code": "read_dir_failed"}]}} |

      Examples:
        | id            | case                                      | tree                      |
        | LD-LST-08-306 | unreadable by fault further down: ENOENT  | a/{d/!R=ENOENT{x}, e}, z  |
        | LD-LST-08-307 | unreadable by fault further down: ENOTDIR | a/{d/!R=ENOTDIR{x}, e}, z |
        | LD-LST-08-308 | unreadable by fault further down: ELOOP   | a/{d/!R=ELOOP{x}, e}, z   |
        | LD-LST-08-309 | unreadable by fault further down: EIO     | a/{d/!R=EIO{x}, e}, z     |

    @LD-LST-08-107
    Scenario: deep down, with its own name and path
      Given the tree "a/{b/{d/%0000{x}, e}, f}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | entries                             | fields                                                                                                              |
        | replace | a, a/b, a/b/d, a/b/e, a/f, z        | {"a/b/d": {"name": "d", "type": "unknown", "error_code": "read_dir_failed"}}                                        |
        | append  | a, a/b, a/b/d, a/b/d, a/b/e, a/f, z | {"a/b/d": {"any order": [{"error_code": null}, {"name": "d", "type": "unknown", "error_code": "read_dir_failed"}]}} |

  @FR-LD-OUT-02
  Rule: equal failures give equal bytes

    @LD-LST-08-117
    Scenario: the same failure reads the same every time
      Given the tree "a/%0000{x}, b/%0111{y}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      And the call is repeated 5 times
      Then all answers are the same bytes
      And the entries include "a, b, z"

  @FR-LD-LST-06
  Rule: what is hidden is not tried

    # The file comes first, so that the control call lists both, whatever happens to later entries.
    @LD-LST-08-12 @needs:strace
    Scenario: a hidden one is passed over in silence
      Given the tree "+, .d/!R{x}"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "+"
      And a control call with {"recursive": true, "include_hidden": true, "include_other": true} lists "+, .d"

  @FR-LD-LST-08
  Rule: what is reported as unreadable is not entered

    # All names may have come before the failure. A complete listing shows that it had no effect: it is not verified.
    @LD-LST-08-311 @needs:strace @also:FR-LD-ERR-04 @interpretation:AMB-LD-03 @interpretation:AMB-LD-46
    Scenario: a directory whose names are known although the reading failed
      Given the tree "a, d/!R2=EIO{s/{x}}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entries include "a, d, z"

  # A failure is an entry and counts as one, also where directories are left out (AMB-LD-63).
  @FR-LD-LST-07 @interpretation:AMB-LD-63
  Rule: the reports of unreadable directories count towards the limit

    @LD-LST-08-14 @needs:strace
    Scenario: it counts once toward the limit
      Given the tree "d/!R{x}, e, f"
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then by AMB-LD-03 the answer is one of
        | reading | entries | fields                     |
        | replace | d, e    | {"d": {"type": "unknown"}} |
        | append  | d, d    |                            |

    @LD-LST-08-112
    Scenario: one of mode 0000 counts once toward the limit
      Given the tree "d/%0000{x}, e, f, g"
      When list_directory is called with {"recursive": true, "include_other": true, "max_entries": 3}
      Then by AMB-LD-03 the answer is one of
        | reading | entries | fields                     |
        | replace | d, e, f | {"d": {"type": "unknown"}} |
        | append  | d, d, e |                            |

    # The directory itself reaches the limit; whether it is still read then is open (AMB-LD-45).
    @LD-LST-08-15 @needs:strace
    Scenario: the limit is met exactly on it
      Given the tree "d/!R{x}, e"
      When list_directory is called with {"recursive": true, "max_entries": 1}
      Then by AMB-LD-45 the answer is one of
        | reading | entries | fields                                                      |
        | a       | d       | {"d": {"error_code": null}}                                 |
        | b       | d       | {"d": {"type": "unknown", "error_code": "read_dir_failed"}} |
      And a control call with {"recursive": true, "include_other": true} lists "d, e"

    @LD-LST-08-312
    Scenario: two reports and two files for two places
      Given the tree "a, d/%0000{x}, e/%0000{y}, f"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true, "max_entries": 2}
      Then the entries are "a, d"
      And the listing is truncated by "max_entries"
      And the document has {"returned": 2}

    # Whether a failure that only looking ahead meets would have qualified is left open, as is the flag.
    @LD-LST-08-313
    Scenario: a failure beyond the limit is not reported
      Given the tree "a, d/%0000{x}"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true, "max_entries": 1}
      Then the entries are "a"

    @LD-LST-08-314
    Scenario: two failures for one place
      Given the tree "d/%0000{x}, e/%0000{y}"
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_other": true, "max_entries": 1}
      Then the entries are "d"
      And the document has {"returned": 1}
