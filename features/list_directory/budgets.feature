@list_directory
Feature: The document never outgrows the smaller of the two budgets

  # With the default limit, an untruncated document without entries has 98 bytes, a truncated one 111. A file `a` needs
  # 145, `a-b` 149, a directory `a` 147, `a/b` 147, and a comma between two entries 1.

  @FR-LD-OUT-03
  Rule: the length is at most the smaller of max_output_bytes and available_capacity_bytes

    Scenario Outline: <case>
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                             | tree       | budgets                   | call                | answer                             |
        | LD-OUT-03-116 | a budget of nothing is a budget: 0 and 1000000   | a          | 0 and 1000000             | {}                  | the document is within its budgets |
        | LD-OUT-03-117 | a budget of nothing is a budget: 1000000 and 0   | a          | 1000000 and 0             | {}                  | the document is within its budgets |
        | LD-OUT-03-01  | complete: budgets of 543 and 1000000             | a/{b}, a-b | 543 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-09  | complete: budgets of 1000000 and 543             | a/{b}, a-b | 1000000 and 543           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-101 | complete: budgets of 543 and 544                 | a/{b}, a-b | 543 and 544               | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-102 | complete: budgets of 544 and 543                 | a/{b}, a-b | 544 and 543               | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-02  | cut to fit: budgets of 542 and 1000000           | a/{b}, a-b | 542 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-03  | cut to fit: budgets of 408 and 1000000           | a/{b}, a-b | 408 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-04  | cut to fit: budgets of 407 and 1000000           | a/{b}, a-b | 407 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-05  | cut to fit: budgets of 258 and 1000000           | a/{b}, a-b | 258 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-06  | cut to fit: budgets of 257 and 1000000           | a/{b}, a-b | 257 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-07  | cut to fit: budgets of 111 and 1000000           | a/{b}, a-b | 111 and 1000000           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-10  | cut to fit: budgets of 1000000 and 542           | a/{b}, a-b | 1000000 and 542           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-11  | cut to fit: budgets of 1000000 and 407           | a/{b}, a-b | 1000000 and 407           | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-12  | cut to fit: budgets of 542 and 408               | a/{b}, a-b | 542 and 408               | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-13  | cut to fit: budgets of 408 and 542               | a/{b}, a-b | 408 and 542               | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-14  | cut to fit: budgets of 407 and 543               | a/{b}, a-b | 407 and 543               | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-103 | cut to fit: budgets of 543 and 407               | a/{b}, a-b | 543 and 407               | {"recursive": true} | the document is within its budgets |
        | LD-OUT-03-104 | cut to fit: budgets of 1000000 and 111           | a/{b}, a-b | 1000000 and 111           | {"recursive": true} | the document is within its budgets |
        # 2^32 + 300 and 2^16 + 300: a counter that wraps would leave space for one entry only.
        | LD-OUT-03-111 | budgets that wrap to something small: 4294967596 | a/{b}, a-b | 4294967596 and 4294967596 | {"recursive": true} | the entries are "a, a-b, a/b"      |
        | LD-OUT-03-112 | budgets that wrap to something small: 65836      | a/{b}, a-b | 65836 and 65836           | {"recursive": true} | the entries are "a, a-b, a/b"      |

    Scenario Outline: <case> (the length is at most the smaller of max_output_bytes and available_capacity_bytes)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                    | tree               | call                                                     | answer                             |
        | LD-OUT-03-16  | every output budget up to the whole document and beyond | a/{b}, a-b         | {"recursive": true} under every budget up to 546 bytes   | every answer is within its budget  |
        | LD-OUT-03-105 | every capacity up to the whole document and beyond      | a/{b}, a-b         | {"recursive": true} under every capacity up to 546 bytes | every answer is within its budget  |
        # The protocol's defaults are 102,400 and 65,536 bytes; the document of all 200 entries has 80,099. A directory with
        # its file needs 800 bytes, the 82nd directory 151, and the document around the entries 113.
        | LD-OUT-03-114 | they bind where no budgets are given                    | d00..d99/{'p'*250} | {"recursive": true}                                      | the document is within its budgets |

    Scenario Outline: which of the two is the smaller makes no difference: <output> and <capacity>
      Given the tree "a/{b}, a-b"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {"recursive": true}
      And the same call is made with the budgets swapped
      Then all answers are the same bytes
      And the document is within its budgets

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

    Scenario Outline: <case>, under a configured limit
      Given the tree "<tree>"
      And the configuration <configuration>
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document is within its budgets

      Examples:
        | id            | case                                                 | tree         | configuration         | budgets           | call                  |
        | LD-OUT-03-113 | the framework's usual budgets bind a large directory | f000..f499   | {"max_entries": 1000} | 102400 and 65536  | {"max_entries": 1000} |
        # The complete document has 154255 bytes, and the number of its entries has four digits.
        | LD-OUT-03-115 | a number of four digits counts with all of them      | f0000..f1000 | {"max_entries": 5000} | 154254 and 154254 | {"max_entries": 5000} |
