@list_directory
Feature: The output is one JSON document with six members, whose entries have nine each

  @DOC-01
  Rule: the result is a single JSON object as text, and nothing else

    @LD-OUT-DOC-02
    Scenario: one file of twelve bytes, to the byte
      Given the tree "a=12"
      When list_directory is called with {}
      Then the document is exactly
        """
        {"path":".","entries":[{"name":"a","path":"a","depth":1,"type":"file","size_bytes":12,"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}
        """
      And the document has 244 bytes

    @LD-OUT-DOC-03 @interpretation:AMB-LD-16
    Scenario: one of each kind, to the byte
      Given the tree ".d/, f=7, l->f, .h"
      When list_directory is called with {"include_hidden": true}
      Then the document is exactly
        """
        {"path":".","entries":[{"name":".d","path":".d","depth":1,"type":"dir","size_bytes":null,"modified_epoch_ms":1700000000000,"is_hidden":true,"error_code":null,"error":null},{"name":".h","path":".h","depth":1,"type":"file","size_bytes":0,"modified_epoch_ms":1700000000000,"is_hidden":true,"error_code":null,"error":null},{"name":"f","path":"f","depth":1,"type":"file","size_bytes":7,"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null},{"name":"l","path":"l","depth":1,"type":"symlink","size_bytes":null,"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],"returned":4,"max_entries":200,"truncated":false,"truncated_reason":null}
        """
      And the document has 691 bytes

    @interpretation:AMB-LD-16
    Scenario Outline: nothing before the object and nothing after it: <case>
      Given the tree "d/{x}, f=7, l->f"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with <call>
      Then the listing has <count> entries
      And the document has nothing around it

      Examples:
        | id             | case                   | output | capacity | call                | count |
        | LD-OUT-DOC-04  | a flat listing         | 102400 | 65536    | {}                  | 3     |
        | LD-OUT-DOC-101 | a recursive listing    | 102400 | 65536    | {"recursive": true} | 4     |
        | LD-OUT-DOC-102 | cut by the entry limit | 102400 | 65536    | {"max_entries": 2}  | 2     |

    @LD-OUT-DOC-103
    Scenario: nor around one that the budget cut
      Given the tree "d/{x}, f=7, l->f"
      And budgets of 300 and 300 bytes
      When list_directory is called with {}
      Then the document has nothing around it

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                         | tree                                              | call                | answer                      |
        | LD-OUT-DOC-07 | integers are written plainly | a/{b=1000000}, c=8796093022208                    | {"recursive": true} | the entries are "a, a/b, c" |
        | LD-OUT-DOC-08 | the text is valid UTF-8      | '\xff', '\xed\xa0\x80', '\U0001f600', '\u00e9', z | {}                  | the document is valid UTF-8 |

  # DOC-02, the member `path`, restates FR-LD-VAL-10.
  @FR-LD-VAL-10
  Rule: path is the request in its normalised spelling

    @LD-OUT-DOC-11 @also:DOC-02
    Scenario: the request is echoed without what is redundant in it
      Given the tree "s/{a}"
      When list_directory is called with {"path": "./s//"}
      Then the document has {"path": "s"}

    @LD-OUT-DOC-107 @also:DOC-02
    Scenario: the echo is the same whatever is cut
      Given the tree "s/{a, b, c}"
      And budgets of 260 and 260 bytes
      When list_directory is called with {"path": "./s/", "max_entries": 2}
      Then the document has {"path": "s"}

    @LD-OUT-DOC-106 @also:DOC-02
    Scenario: the request, not the place it leads to
      Given the tree "s/{t/{a}}"
      When list_directory is called with {"path": "s/t"}
      Then the document has {"path": "s/t"}
      And the document's text does not contain "$ROOT"

  @DOC-03
  Rule: entries is an array of objects with exactly nine members

    @LD-OUT-DOC-06 @implied
    Scenario: nine members in order, whatever the kind of the entry
      Given the tree "d/{x}, f=7, l->f, p:fifo, .h"
      When list_directory is called with {"recursive": true, "include_hidden": true, "include_other": true}
      Then the entries are ".h, d, d/x, f, l, p"

    @LD-OUT-DOC-108 @implied
    Scenario: what has no value is not left out
      Given the tree "d/"
      When list_directory is called with {}
      Then every entry's members are "name, path, depth, type, size_bytes, modified_epoch_ms, is_hidden, error_code, error"

    @LD-OUT-DOC-110
    Scenario: an empty listing has an empty array
      Given the tree "s/, a"
      When list_directory is called with {"path": "s"}
      Then the entries are ""

  @DOC-04
  Rule: returned is the number of entries in the document

    Scenario Outline: returned counts what is there: <case>
      Given the tree "<tree>"
      And budgets of <output> and <output> bytes
      When list_directory is called with <call>
      Then the document has {"returned": <returned>}

      Examples:
        | id             | case                      | tree         | output | call                      | returned |
        | LD-OUT-DOC-112 | entries of all depths     | a/{b/{c}}, d | 102400 | {"recursive": true}       | 4        |
        | LD-OUT-DOC-113 | not the hidden ones       | .a, .b, c    | 102400 | {"include_hidden": false} | 1        |
        | LD-OUT-DOC-114 | what the entry limit left | a, b, c      | 102400 | {"max_entries": 2}        | 2        |

    @LD-OUT-DOC-761 @needs:strace
    Scenario: returned counts what has no metadata
      Given the tree "a, g!L, h!L, z"
      When list_directory is called with {"include_other": true}
      Then the document has {"returned": 4}

    # More than a byte holds.
    @LD-OUT-DOC-609
    Scenario: returned counts three hundred
      Given the tree "f000..f299"
      And the configuration {"max_entries": 500}
      When list_directory is called with {"max_entries": 400}
      Then the document has {"returned": 300}

  @DOC-05
  Rule: max_entries is the limit in force for this call

    Scenario Outline: <case> (max_entries is the limit in force for this call)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                        | tree       | call               | answer                                |
        # The number of entries shows first which limit is in force.
        | LD-OUT-DOC-09 | the limit that was asked for, neither the count nor the cap | f0..f8     | {"max_entries": 7} | the document has {"max_entries": 7}   |
        | LD-OUT-DOC-10 | the built-in one                                            | f000..f200 | {}                 | the document has {"max_entries": 200} |

    Scenario Outline: <case> (max_entries is the limit in force for this call, 1)
      Given the tree "<tree>"
      And the configuration {"max_entries": 33}
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id             | case                                       | tree     | call               | answer                               |
        | LD-OUT-DOC-116 | the configured one                         | f00..f33 | {}                 | the document has {"max_entries": 33} |
        | LD-OUT-DOC-117 | the one asked for below the configured one | a, b, c  | {"max_entries": 2} | the document has {"max_entries": 2}  |

    @LD-OUT-DOC-610
    Scenario: the one asked for, above the built-in one
      Given the tree "a, b, c"
      And the configuration {"max_entries": 1000}
      When list_directory is called with {"max_entries": 300}
      Then the document has {"max_entries": 300}

    @LD-OUT-DOC-118
    Scenario: it stays what it was when the budget cuts
      Given the tree "a, b, c"
      And budgets of 260 and 260 bytes
      When list_directory is called with {"max_entries": 5}
      Then the document has {"max_entries": 5}

  @DOC-06
  Rule: truncated tells whether something was cut

    Scenario Outline: <case> (truncated tells whether something was cut)
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id             | case                                            | tree       | budgets           | call                    | answer                                |
        | LD-OUT-DOC-119 | truncated: false when all is there              | a, b       | 102400 and 102400 | {}                      | the document has {"truncated": false} |
        | LD-OUT-DOC-120 | truncated: false when filters dropped something | .a, b, d/  | 102400 and 102400 | {"include_dirs": false} | the document has {"truncated": false} |
        | LD-OUT-DOC-122 | truncated: true when the limit cut              | a, b       | 102400 and 102400 | {"max_entries": 1}      | the document has {"truncated": true}  |
        | LD-OUT-DOC-608 | truncated: true when the default limit cut      | f000..f200 | 102400 and 102400 | {}                      | the document has {"truncated": true}  |
        | LD-OUT-DOC-123 | true when the budget cut                        | a, b       | 260 and 260       | {}                      | the document has {"truncated": true}  |

    # Only a limit or a budget truncates, regardless of entries that are omitted, skipped or unavailable.
    Scenario Outline: false for a listing that nothing cut: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the listing is complete

      Examples:
        | id             | case                               | tree                                                   | call                                       |
        | LD-OUT-DOC-301 | the kinds that are left out        | a/, b, l->b, p:fifo, z                                 | {"include_dirs": false}                    |
        | LD-OUT-DOC-302 | special files left out             | p:fifo, s:sock, z                                      | {}                                         |
        | LD-OUT-DOC-303 | links left out                     | l->z, m->gone, z                                       | {"include_symlinks": false}                |
        | LD-OUT-DOC-304 | hidden entries with all below them | .a/{x, y}, .b, z                                       | {"recursive": true}                        |
        | LD-OUT-DOC-305 | what a link leads to               | a/{b}, l->a, m->., z                                   | {"recursive": true}                        |
        | LD-OUT-DOC-308 | a directory that cannot be read    | d/%0000{x}, z                                          | {"recursive": true, "include_other": true} |
        | LD-OUT-DOC-309 | entries without metadata           | e/%0444{x, y}, z                                       | {"recursive": true, "include_other": true} |
        | LD-OUT-DOC-310 | names that are no text             | '\\xff', '\\xfe'/{'\\xff'}, z                          | {"recursive": true}                        |
        | LD-OUT-DOC-311 | a file larger than any budget     | a=1000000, z                                           | {}                                         |
        | LD-OUT-DOC-312 | a directory below the root         | a/{z, b/, c/{d}}                                       | {"path": "a"}                              |
        | LD-OUT-DOC-313 | special files that are asked for   | p:fifo, s:sock, z                                      | {"include_other": true}                    |

      @interpretation:AMB-LD-50
      Examples:
        | id             | case                               | tree                                                   | call                                       |
        | LD-OUT-DOC-121 | below the first level              | a/{b/{c}}, z                                           | {"recursive": true, "max_depth": 1}        |
        | LD-OUT-DOC-306 | flat, with directories to descend  | a/{b/{c}}, z                                           | {}                                         |
        | LD-OUT-DOC-307 | below the depth                    | a/{b/{c/{d}}}, z                                       | {"recursive": true, "max_depth": 2}        |

    @LD-OUT-DOC-124
    Scenario: false for an empty directory
      Given the tree "s/, a"
      When list_directory is called with {"path": "s", "max_entries": 1}
      Then the document has {"truncated": false}

  @DOC-07
  Rule: truncated_reason is null or one of two words

    Scenario Outline: <case> (truncated_reason is null or one of two words)
      Given the tree "a, b, c"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id             | case                                                                    | budgets           | call               | answer                                                    |
        | LD-OUT-DOC-125 | truncated_reason: null when nothing was cut                             | 102400 and 102400 | {}                 | the document has {"truncated_reason": null}               |
        | LD-OUT-DOC-127 | truncated_reason of what a budget cut: the budget                       | 260 and 260       | {}                 | the document has {"truncated_reason": "max_output_bytes"} |
        | LD-OUT-DOC-128 | truncated_reason of what a budget cut: the budget after the entry limit | 260 and 260       | {"max_entries": 2} | the document has {"truncated_reason": "max_output_bytes"} |

    @LD-OUT-DOC-607 @interpretation:AMB-LD-50
    Scenario: truncated_reason: the depth is no limit of the listing
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"recursive": true, "max_depth": 1}
      Then the document has {"truncated_reason": null}
