@list_directory
Feature: The document never outgrows the smaller of the two budgets

  # With the default limit, an untruncated document without entries has 98 bytes, a truncated one 111. A file `a` needs
  # 145, `a-b` 149, a directory `a` 147, `a/b` 147, and a comma between two entries 1.

  @FR-LD-OUT-03
  Rule: the length is at most the smaller of max_output_bytes and available_capacity_bytes

    Scenario Outline: a budget of nothing is a budget: <output> and <capacity>
      Given the tree "a"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {}
      Then the document is within its budgets
      And a control call with {} lists "a"
      And the tree is unchanged

      Examples:
        | id            | output  | capacity |
        | LD-OUT-03-116 | 0       | 1000000  |
        | LD-OUT-03-117 | 1000000 | 0        |
        | LD-OUT-03-118 | 0       | 0        |

    Scenario Outline: complete: budgets of <output> and <capacity>
      Given the tree "a/{b}, a-b"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"recursive": true}
      Then the document is within its budgets
      And a control call with {"recursive": true} lists "a, a-b, a/b"
      And the tree is unchanged

      Examples:
        | id            | output  | capacity |
        | LD-OUT-03-01  | 543     | 1000000  |
        | LD-OUT-03-09  | 1000000 | 543      |
        | LD-OUT-03-15  | 543     | 543      |
        | LD-OUT-03-101 | 543     | 544      |
        | LD-OUT-03-102 | 544     | 543      |

    Scenario Outline: cut to fit: budgets of <output> and <capacity>
      Given the tree "a/{b}, a-b"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"recursive": true}
      Then the document is within its budgets
      And a control call with {"recursive": true} lists "a, a-b, a/b"
      And the tree is unchanged

      Examples:
        | id            | output  | capacity |
        | LD-OUT-03-02  | 542     | 1000000  |
        | LD-OUT-03-03  | 408     | 1000000  |
        | LD-OUT-03-04  | 407     | 1000000  |
        | LD-OUT-03-05  | 258     | 1000000  |
        | LD-OUT-03-06  | 257     | 1000000  |
        | LD-OUT-03-07  | 111     | 1000000  |
        | LD-OUT-03-10  | 1000000 | 542      |
        | LD-OUT-03-11  | 1000000 | 407      |
        | LD-OUT-03-12  | 542     | 408      |
        | LD-OUT-03-13  | 408     | 542      |
        | LD-OUT-03-14  | 407     | 543      |
        | LD-OUT-03-103 | 543     | 407      |
        | LD-OUT-03-104 | 1000000 | 111      |

    # Cut to two of three entries, the document needs 407 bytes: 404 without escapes, or by characters, 403.
    Scenario Outline: cut to fit below a directory: <case>
      Given the tree "<tree>"
      And budgets of 406 and 406 bytes
      When list_directory is called with {"path": <path>}
      Then the document is within its budgets
      And a control call with {} lists "<name>"
      And the tree is unchanged

      Examples:
        | id            | case                         | tree                          | path               | name               |
        | LD-OUT-03-761 | its name has escapes         | '\"\"\"'/{a, b, c}            | "\\"\\"\\""         | '\"\"\"'           |
        | LD-OUT-03-762 | its name is more bytes       | '\\u65e5\\u672c'/{a, b, c}    | "\\u65e5\\u672c"   | '\\u65e5\\u672c'   |

    @LD-OUT-03-16 @also:NFR-LD-REL-01
    Scenario: every output budget up to the whole document and beyond
      Given the tree "a/{b}, a-b"
      When list_directory is called with {"recursive": true} under every budget up to 546 bytes
      Then every answer is within its budget
      And the tree is unchanged

    @LD-OUT-03-105 @also:NFR-LD-REL-01
    Scenario: every capacity up to the whole document and beyond
      Given the tree "a/{b}, a-b"
      When list_directory is called with {"recursive": true} under every capacity up to 546 bytes
      Then every answer is within its budget
      And the tree is unchanged

    Scenario Outline: which of the two is the smaller makes no difference: <output> and <capacity>
      Given the tree "a/{b}, a-b"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"recursive": true}
      And the same call is made with the budgets swapped
      Then all answers are the same bytes
      And a control call with {} lists "a, a-b"
      And the document is within its budgets
      And the tree is unchanged

      Examples:
        | id            | output  | capacity |
        | LD-OUT-03-17  | 542     | 408      |
        | LD-OUT-03-106 | 1000000 | 300      |
        | LD-OUT-03-107 | 65536   | 102400   |

    Scenario Outline: very large budgets: <output> and <capacity>
      Given the tree "a/{b}, a-b"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a-b, a/b"
      And the listing is complete
      And the tree is unchanged

      Examples:
        | id            | output              | capacity            |
        | LD-OUT-03-18  | 2147483648          | 2147483648          |
        | LD-OUT-03-108 | 4294967296          | 4294967296          |
        | LD-OUT-03-109 | 9223372036854775807 | 9223372036854775807 |
        | LD-OUT-03-110 | 9223372036854775807 | 4294967295          |

    # Beyond 63 bits, which the protocol permits. The default of one budget, 65,536 bytes, would cut the list.
    @LD-OUT-03-763 @prudent
    Scenario: budgets beyond 63 bits
      Given the tree "d00..d98/{'p'*250}"
      And budgets of 18446744073709551615 and 18446744073709551615 bytes
      When list_directory is called with {"recursive": true}
      Then there are 198 entries
      And the listing is complete
      And the tree is unchanged

    # 2^32 + 300 and 2^16 + 300: a counter that wraps would leave space for one entry only.
    Scenario Outline: budgets that wrap to something small: <output>
      Given the tree "a/{b}, a-b"
      And budgets of <output> and <output> bytes
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a-b, a/b"
      And the listing is complete
      And the tree is unchanged

      Examples:
        | id            | output     |
        | LD-OUT-03-111 | 4294967596 |
        | LD-OUT-03-112 | 65836      |

    @LD-OUT-03-113
    Scenario: the framework's usual budgets bind a large directory
      Given the tree "f000..f499"
      And the configuration {"max_entries": 1000}
      And budgets of 102400 and 65536 bytes
      When list_directory is called with {"max_entries": 1000}
      Then the document is within its budgets
      And a control call with {"max_entries": 1} lists "f000"
      And the tree is unchanged

    # The protocol's defaults are 102,400 and 65,536 bytes; the document of all 200 entries has 80,099. A directory with
    # its file needs 800 bytes, the 82nd directory 151, and the document around the entries 113.
    @LD-OUT-03-114
    Scenario: they bind where no budgets are given
      Given the tree "d00..d99/{'p'*250}"
      When list_directory is called with {"recursive": true}
      Then the document is within its budgets
      And a control call with {} lists "d00..d99"
      And the tree is unchanged

    # The complete document has 154255 bytes, and the number of its entries has four digits.
    @LD-OUT-03-115
    Scenario: a number of four digits counts with all of them
      Given the tree "f0000..f1000"
      And the configuration {"max_entries": 5000}
      And budgets of 154254 and 154254 bytes
      When list_directory is called with {"max_entries": 5000}
      Then the document is within its budgets
      And a control call with {"max_entries": 1} lists "f0000"
      And the tree is unchanged
