@list_directory
Feature: The specification's own table of tests, one Rule a row

  @T-LD-01
  Rule: a default call gives the sorted children, all at depth 1

    @behaviour:BEH-06
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id         | case                                        | tree              | call          | answer                                       |
        | LD-T-01-01 | children come sorted and flat               | b, a/{x}, c, l->a | {"path": "."} | the entries in order are "a, b, c, l"        |
        | LD-T-01-02 | order is by bytes, not by case or by number | f10, f2, B, a, _c | {"path": "."} | the entries in order are "B, _c, a, f10, f2" |
        | LD-T-01-04 | a subdirectory by name                      | s/{z, y/{x}}, t   | {"path": "s"} | the entries in order are "y, z"              |

    @LD-T-01-03
    Scenario: sorted however the directory was filled
      Given the tree is built in reverse order
      And the tree "a, b, c/{d}, e"
      When list_directory is called with {"path": "."}
      Then the entries in order are "a, b, c, e"

  @T-LD-02
  Rule: a path that is a file fails, saying that it is not a directory

    Scenario Outline: a file as the target, however it is reached (<id>)
      Given the tree "f=3, d/{g}, l->f"
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed, saying "path is not a directory"

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

  @FR-LD-ERR-02 @also:T-LD-03
  Rule: a path outside the sandbox is a sandbox violation

    Scenario Outline: <case> (a path outside the sandbox is a sandbox violation)
      Given the tree "in/{x}, esc->../root2"
      And beside the sandbox the tree "secret, root2/{hidden}"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id         | case                                      | call                   | answer                               |
        | LD-T-03-01 | paths that leave the sandbox (LD-T-03-01) | {"path": ".."}         | the call fails with SandboxViolation |
        | LD-T-03-02 | paths that leave the sandbox (LD-T-03-02) | {"path": "../root2"}   | the call fails with SandboxViolation |
        | LD-T-03-03 | paths that leave the sandbox (LD-T-03-03) | {"path": "$OUTSIDE"}   | the call fails with SandboxViolation |
        | LD-T-03-05 | paths that leave the sandbox (LD-T-03-05) | {"path": "in/../../x"} | the call fails with SandboxViolation |

      @interpretation:AMB-LD-36
      Examples:
        | id         | case                           | call            | answer                                                  |
        | LD-T-03-04 | a link that leaves the sandbox | {"path": "esc"} | the call fails with SandboxViolation or ExecutionFailed |

  @FR-LD-LST-02 @also:T-LD-04
  Rule: a recursive listing stops at max_depth

    Scenario Outline: entries down to the depth asked for (<id>)
      Given the tree "a/{b/{c/{d}}}, e"
      When list_directory is called with {"recursive": true, "max_depth": <depth>}
      Then the entries are "<entries>"

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

      Examples:
        | id         | cap |
        | LD-T-05-01 | 1   |
        | LD-T-05-02 | 3   |
        | LD-T-05-03 | 4   |

    @LD-T-05-04
    Scenario: a recursive listing counts what lies below too
      Given the tree "a/{b, c, d, e}"
      When list_directory is called with {"recursive": true, "max_entries": 4}
      Then the listing is truncated by "max_entries"

  @FR-LD-OUT-05 @also:T-LD-06
  Rule: a listing that would be too long loses entries, and the answer says so

    Scenario Outline: as many entries as fit (<id>)
      Given the tree "a, b, c"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"path": "."}
      Then the document is the largest that fits

      # three entries need 535 bytes, two with the reason 402, one 256, none 111
      Examples:
        | id         | output  | capacity |
        | LD-T-06-01 | 534     | 1000000  |
        | LD-T-06-02 | 1000000 | 402      |
        | LD-T-06-03 | 401     | 1000000  |
        | LD-T-06-04 | 255     | 300      |

  @FR-LD-LST-06 @also:T-LD-07
  Rule: hidden entries are left out unless they are asked for

    Scenario Outline: <case> (hidden entries are left out unless they are asked for)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id         | case                                       | tree               | call                                         | answer                      |
        | LD-T-07-01 | dot files and dot directories are left out | .a, b, .c/{d}, ..e | {"path": ".", "include_hidden": false}       | the entries are "b"         |
        | LD-T-07-02 | the same when it is said                   | .a, b, .l->b       | {"include_hidden": false}                    | the entries are "b"         |
        | LD-T-07-03 | all are there when they are asked for      | .a, b, .c/{d}      | {"include_hidden": true}                     | the entries are ".a, .c, b" |
        | LD-T-11-02 | a hidden directory further down            | v/{.d/{x}, y}      | {"recursive": true, "include_hidden": false} | the entries are "v, v/y"    |

  @FR-LD-VAL-09 @also:T-LD-08
  Rule: links are listed and never walked through

    Scenario Outline: <case> (links are listed and never walked through)
      Given the tree "d/{x}, l->d"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id         | case                                        | call                                           | answer                       |
        | LD-T-08-01 | a link to a directory is a leaf             | {"recursive": true}                            | the entries are "d, d/x, l"  |
        | LD-T-08-04 | links that were switched off are not walked | {"recursive": true, "include_symlinks": false} | the entries include "d, d/x" |

    @LD-T-08-02
    Scenario: a link that leaves the sandbox is listed and not entered
      Given the tree "a, l->../root2"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, l"

    @LD-T-08-03 @returns
    Scenario: links that go round in circles
      Given the tree "a/{up->.., loop->.}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/loop, a/up"

  @NFR-LD-REL-02 @also:T-LD-09
  Rule: a name that is not UTF-8 becomes valid text with the replacement character

    Scenario Outline: <case> (a name that is not UTF-8 becomes valid text with the replacement character)
      Given the tree "<tree>"
      When list_directory is called with {"path": "."}
      Then <answer>

      Examples:
        | id         | case                                                    | tree                  | answer                                  |
        | LD-T-09-01 | one bad byte in a name                                  | 'a\xffb', c           | the entries are "'a\ufffdb', c"         |
        | LD-T-09-03 | two names that look the same afterwards are two entries | '\xfe'=1, '\xff'=2, z | the entries are "'\ufffd', '\ufffd', z" |

    @LD-T-09-02
    Scenario: a directory with a bad name is still walked
      Given the tree "'d\xff'/{x}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'d\ufffd', 'd\ufffd'/x"

  # A directory of mode 0444 lists its names and refuses the metadata of each entry.
  @FR-LD-LST-04 @also:T-LD-10
  Rule: an entry whose metadata cannot be had is listed as unknown

    @LD-T-10-01
    Scenario: names without metadata in the listed directory
      Given the tree "d/%0444{x, y/{z}}"
      When list_directory is called with {"path": "d"}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | entries | number | fails           | fields                                                                                                                                                                                                                                                           |
        |                  | a         | x, y    |        |                 | {"x": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}, "y": {"type": "unknown", "error_code": ["permission_denied", "metadata_unavailable", "io_error", "unknown"], "error": "$TEXT"}} |
        | execution_failed | b         |         |        | ExecutionFailed |                                                                                                                                                                                                                                                                  |
        | unknown_entry    | b         |         | 1      |                 |                                                                                                                                                                                                                                                                  |

    @interpretation:AMB-LD-03 @interpretation:AMB-LD-57
    Scenario Outline: <case> (an entry whose metadata cannot be had is listed as unknown)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id         | case                                                               | tree                            | call                                        | answer                     |
        | LD-T-10-02 | names without metadata further down                                | a, d/%0444{x}, z                | {"recursive": true}                         | the entries include "a, z" |
        | LD-T-10-03 | an unknown entry is no special file, whatever its kind on the disk | d/%0444{k/{x}, l->k, p:fifo}, z | {"recursive": true, "include_other": false} | the entries include "z"    |

  @FR-LD-LST-06 @also:T-LD-11
  Rule: a hidden directory is left out and not walked

    Scenario Outline: <case> (a hidden directory is left out and not walked)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id         | case                                            | tree           | call                                         | answer                        |
        | LD-T-11-01 | what lies in a hidden directory does not appear | .c/{d}, e      | {"recursive": true, "include_hidden": false} | the entries are "e"           |
        | LD-T-11-03 | with include_hidden it is listed and walked     | .c/{d}, e      | {"recursive": true, "include_hidden": true}  | the entries are ".c, .c/d, e" |
        | LD-T-11-04 | an unreadable hidden directory goes unnoticed   | .d/%0000{x}, a | {"recursive": true, "include_hidden": false} | the entries are "a"           |

  @FR-LD-LST-08 @also:T-LD-12
  Rule: a directory that cannot be read during the walk is reported, and the walk goes on

    @interpretation:AMB-LD-03
    Scenario Outline: <case> (a directory that cannot be read during the walk is reported, and the walk goes on)
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true}
      Then <answer>

      Examples:
        | id         | case                                                  | tree                          | answer                       |
        | LD-T-12-01 | a directory without the right to read it (LD-T-12-01) | a, d/%0000{x}, z              | the entries include "a, z"   |
        | LD-T-12-02 | a directory without the right to read it (LD-T-12-02) | a, d/%0111{x}, z              | the entries include "a, z"   |
        | LD-T-12-03 | a directory without the right to read it (LD-T-12-03) | a, d/%0333{x}, z              | the entries include "a, z"   |
        | LD-T-12-04 | two of them, with a readable one between              | d/%0000{x}, e/{y}, f/%0000{z} | the entries include "e, e/y" |

  @FR-LD-OUT-08 @also:T-LD-13
  Rule: a budget below the smallest document fails with a clear message

    Scenario Outline: nothing truthful fits (<id>)
      Given the tree "<tree>"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"path": "."}
      Then the document is within its budgets
      And the call fails with ExecutionFailed

      Examples:
        | id         | tree | output  | capacity |
        | LD-T-13-01 | a    | 0       | 97       |
        | LD-T-13-02 | a    | 97      | 97       |
        | LD-T-13-03 | a    | 97      | 50       |
        | LD-T-13-04 |      | 97      | 97       |
        | LD-T-13-05 | a, b | 1       | 1        |

  @FR-LD-OUT-07 @also:T-LD-14
  Rule: when both limits bite, the size is the reason that is told

    Scenario Outline: <case> (when both limits bite, the size is the reason that is told)
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document is the largest that fits

      Examples:
        | id         | case                                                     | tree           | budgets         | call                                  |
        | LD-T-14-01 | the cap keeps two, the size one of them                  | a/{b}, a-b     | 398 and 1000000 | {"recursive": true, "max_entries": 2} |
        | LD-T-14-02 | the cap keeps two, the size none                         | a/{b}, a-b     | 109 and 1000000 | {"recursive": true, "max_entries": 2} |
        | LD-T-14-03 | the cap alone keeps its reason                           | f0, f1, f2     | 399 and 1000000 | {"max_entries": 2}                    |
        | LD-T-14-04 | the capacity overrides the cap as the output budget does | f0, f1, f2, f3 | 1000000 and 300 | {"max_entries": 3}                    |
