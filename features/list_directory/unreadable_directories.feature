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

    # Written by `treeproof coverage --write`, and read; the expected results are those of the model.
    @generated
    Scenario Outline: generated: <inputs> (a directory that cannot be read)
      Given beside the sandbox the tree "outside/{f}, root2/{x}, ROOT/{x}, linked->root"
      And the tree "<tree>"
      And the context <context>
      When list_directory is called with exactly <arguments>
      And the call is repeated 1 times
      Then the answer is right, for example <expected>

      Examples:
        | id | inputs | arguments | context | expected | tree |
        | LD-GEN-002 | recursive: false, max_depth: 1, max_entries: 200, include_hidden: false, include_files: false, include_dirs: false, include_symlinks: false, include_other: true, hidden_default: true, target: a directory, way: final slash, roots: a root in another root | {"path": "t/", "recursive": false, "max_depth": 1, "max_entries": 200, "include_hidden": false, "include_files": false, "include_dirs": false, "include_symlinks": false, "include_other": true} | {"roots": ["$ROOT", "$ROOT/d"], "working_dir": "$ROOT", "config": {"tools": {"list_directory": {"include_hidden_default": true}}}} | "BadArgs" | t/{'[a]*'=2147483648@-1500, 'n'*220=4294967297@4102444800000, 'a\\nb'=4097@4102444800000, ..c/%0444{x}@1000000000999500000ns, '-r'/%0000{x}@0, '\\U0001f600'->../../gone@4102444800000, '\\x22'->../f@4102444800000, a.log->../loop@1000000000999500000ns, 'it\\'s'=2147483648@1000000000999500000ns, 'a\\\\b'=2@4102444800000, ' a  b '->../p@1000000000999500000ns}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside |
        | LD-GEN-007 | recursive: true, max_depth: 2, max_entries: 200, include_hidden: true, include_files: true, include_dirs: omitted, include_symlinks: omitted, include_other: true, hidden_default: false, target: a directory, way: absolute, roots: the root of the file system | {"path": "$ROOT/t", "recursive": true, "max_depth": 2, "max_entries": 200, "include_hidden": true, "include_files": true, "include_other": true} | {"allow_absolute": true, "roots": ["/"], "working_dir": "$ROOT", "config": {"tools": {"list_directory": {"include_hidden_default": false}}}} | "\\"@, $a%20=0, -r@, ..c@, 10=4294967297, [a]*@, a\\tb@, a\\nb@, a.log=None !read_dir_failed, it's/, it's/x=None !permission_denied, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn=2147483648, 😀=4097" | t/{'n'*220=2147483648@4102444800000, 10=4294967297@0, '\\U0001f600'=4097@1000000000999500000ns, 'it\\'s'/%0444{x}@4102444800000, ..c->../../outside/f@-1500, '$a%20'=>f, 'a\\tb'->../l@0, '-r'->../p@-1500, a.log/%0000{x}@4102444800000, 'a\\nb'->../../gone@1000000000999500000ns, '[a]*'->../../outside, '\\x22'->.@0}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside |
        | LD-GEN-012 | recursive: true, max_depth: 2, max_entries: 200, include_hidden: true, include_files: false, include_dirs: true, include_symlinks: false, include_other: true, hidden_default: false, target: a directory, way: dot, roots: a root that is a link | {"path": "./t", "recursive": true, "max_depth": 2, "max_entries": 200, "include_hidden": true, "include_files": false, "include_dirs": true, "include_symlinks": false, "include_other": true} | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked", "config": {"tools": {"list_directory": {"include_hidden_default": false}}}} | "..c=None !read_dir_failed, 10/, it's=None !read_dir_failed, 😀/, 😀/x=None !permission_denied" | t/{' a  b '=2147483648@0, 'a\\nb'=4294967297, Capital=4097@-1500, '\\U0001f600'/%0444{x}@-1500, ..c/%0000{x}@1000000000999500000ns, 'a\\\\b'->../../outside/f, 'n'*220->../f@0, 10/@0, 'it\\'s'/%0000{x}@-1500, a.log=4294967297@1000000000999500000ns, '\\u6587\\u4ef6'=4097@0, 'a\\tb'->../../gone@-1500}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside |
        | LD-GEN-013 | recursive: true, max_depth: 3 or 4, max_entries: 200, include_hidden: false, include_files: false, include_dirs: true, include_symlinks: true, include_other: true, hidden_default: true, target: a directory, way: double slash, roots: several roots | {"path": ".//t", "recursive": true, "max_depth": 4, "max_entries": 200, "include_hidden": false, "include_files": false, "include_dirs": true, "include_symlinks": true, "include_other": true} | {"roots": ["$ROOT", "$OUTSIDE/root2"], "working_dir": "$ROOT", "config": {"tools": {"list_directory": {"include_hidden_default": true}}}} | "\\"=None !read_dir_failed, $a%20@, 10@, a\\nb?, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn@, 文件@, 😀/, 😀/x=None !permission_denied" | t/{'-r'=4294967297@-1500, a.log=2147483648@4102444800000, 'it\\'s'=4097@0, '\\U0001f600'/%0444{x}@0, ..c->$ROOT/d@1000000000999500000ns, 'a\\nb':fifo, 'n'*220->../l@4102444800000, '\\x22'/%0000{x}, 10->../f, '$a%20'->../f@4102444800000, '\\u6587\\u4ef6'->../../outside@4102444800000}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside |
        | LD-GEN-022 | recursive: omitted, max_depth: omitted, max_entries: omitted, include_hidden: omitted, include_files: omitted, include_dirs: omitted, include_symlinks: omitted, include_other: omitted, hidden_default: omitted, target: an unreadable directory, way: final slash, roots: several roots | {"path": "c/"} | {"roots": ["$ROOT", "$OUTSIDE/root2"], "working_dir": "$ROOT"} | "ExecutionFailed or SandboxViolation" | t/{}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside, c/%0000{x} |
        | LD-GEN-031 | recursive: true, max_depth: 1, max_entries: 1, include_hidden: true, include_files: false, include_dirs: omitted, include_symlinks: false, include_other: false, hidden_default: false, target: a directory, way: final slash, roots: several roots | {"path": "t/", "recursive": true, "max_depth": 1, "max_entries": 1, "include_hidden": true, "include_files": false, "include_symlinks": false, "include_other": false} | {"roots": ["$ROOT", "$OUTSIDE/root2"], "working_dir": "$ROOT", "config": {"tools": {"list_directory": {"include_hidden_default": false}}}} | "-r/, cut by max_entries" | t/{.hidden:sock@-1500, '\\u6587\\u4ef6'->../l@1000000000999500000ns, '[a]*'->../../outside/f@-1500, '\\U0001f600'->$ROOT/d@-1500, ' a  b '=>f, 'a\\tb'=2147483648@4102444800000, '\\x22'=4294967297, 'a\\\\b':sock@-1500, '-r'/%0444{x}@-1500, 10:fifo@1000000000999500000ns, ..c/{x}@1000000000999500000ns, 'n'*220->gone@0}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside |
        | LD-GEN-043 | recursive: omitted, max_depth: omitted, max_entries: omitted, include_hidden: omitted, include_files: omitted, include_dirs: omitted, include_symlinks: omitted, include_other: omitted, hidden_default: omitted, target: an unreadable directory, way: absolute, roots: a root in another root | {"path": "$ROOT/c"} | {"allow_absolute": true, "roots": ["$ROOT", "$ROOT/d"], "working_dir": "$ROOT"} | "ExecutionFailed or SandboxViolation" | t/{}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside, c/%0000{x} |
        | LD-GEN-046 | recursive: omitted, max_depth: omitted, max_entries: omitted, include_hidden: omitted, include_files: omitted, include_dirs: omitted, include_symlinks: omitted, include_other: omitted, hidden_default: omitted, target: an unreadable directory, way: double slash, roots: the root of the file system | {"path": ".//c"} | {"roots": ["/"], "working_dir": "$ROOT"} | "ExecutionFailed or SandboxViolation" | t/{}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside, c/%0000{x} |
        | LD-GEN-055 | recursive: omitted, max_depth: omitted, max_entries: omitted, include_hidden: omitted, include_files: omitted, include_dirs: omitted, include_symlinks: omitted, include_other: omitted, hidden_default: omitted, target: an unreadable directory, way: up inside, roots: a root that is a link | {"path": "d/../c"} | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked"} | "SandboxViolation" | t/{}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside, c/%0000{x} |
        | LD-GEN-073 | recursive: omitted, max_depth: omitted, max_entries: omitted, include_hidden: omitted, include_files: omitted, include_dirs: omitted, include_symlinks: omitted, include_other: omitted, hidden_default: omitted, target: an unreadable directory, way: dot, roots: the root | {"path": "./c"} | {} | "ExecutionFailed or SandboxViolation" | t/{}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside, c/%0000{x} |
        | LD-GEN-101 | recursive: true, max_depth: omitted, max_entries: 2 to 199, include_hidden: true, include_files: false, include_dirs: false, include_symlinks: true, include_other: true, hidden_default: true, target: a directory, way: plain, roots: a root that is a link | {"path": "t", "recursive": true, "max_entries": 3, "include_hidden": true, "include_files": false, "include_dirs": false, "include_symlinks": true, "include_other": true} | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked", "config": {"tools": {"list_directory": {"include_hidden_default": true}}}} | "a\\nb@, a.log/x=None !permission_denied, nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn@, cut by max_entries" | t/{'\\U0001f600':fifo@-1500, 'n'*220->../../outside@4102444800000, 'a\\nb'->$ROOT/d, 'it\\'s'/{x}@-1500, a.log/%0444{x}@1000000000999500000ns, '-r'=4097@1000000000999500000ns, ..c=4097@0, 10=4097@4102444800000, '[a]*'=4097, 'a\\\\b'=4294967297@0, '$a%20'=2147483648@-1500}, e/, f, d/{x}, l->t, p:fifo, loop->loop, out->../outside |

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
