@list_directory
Feature: Counter, flag and reason agree with each other and with the list

  @FR-LD-OUT-02b
  Rule: returned is the length of entries, and the reason is null exactly when nothing was cut

    Scenario Outline: counter, flag and reason: <case>
      Given the tree "<tree>"
      And budgets of <output> and <output> bytes
      When list_directory is called with <call>
      Then the document has {"returned": <returned>, "truncated": <truncated>, "truncated_reason": <reason>}

      Examples:
        | id             | case                                    | tree             | output | call                    | returned | truncated | reason |
        | LD-OUT-02b-101 | every depth counts                      | a/{b/{c}}        | 102400 | {"recursive": true}     | 3        | false     | null   |
        | LD-OUT-02b-102 | ten, the first count of two digits      | f0..f9           | 102400 | {}                      | 10       | false     | null   |
        | LD-OUT-02b-103 | names that become one are counted apart | '\\xfe', '\\xff' | 102400 | {}                      | 2        | false     | null   |
        | LD-OUT-02b-104 | filters are no cut                      | .a, b, c/        | 102400 | {"include_dirs": false} | 1        | false     | null   |

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id             | case              | tree      | call                                | answer                                                                         |
        | LD-OUT-02b-105 | a depth is no cut | a/{b/{c}} | {"recursive": true, "max_depth": 2} | the document has {"truncated": false}                                          |
        | LD-OUT-02b-02  | nothing to count  |           | {}                                  | the document has {"returned": 0, "truncated": false, "truncated_reason": null} |

    @LD-OUT-02b-301
    Scenario: as many entries as the limit, and flag and reason still agree
      Given the tree "a, b, c"
      When list_directory is called with {"max_entries": 3}
      Then by AMB-LD-01 the answer is one of
        | reading  | entries | truncated   | document        |
        | exceeded | a, b, c | no          | {"returned": 3} |
        | reached  | a, b, c | max_entries | {"returned": 3} |

    @LD-OUT-02b-106
    Scenario: everything cut, nothing left to count
      Given the tree "a, b"
      And budgets of 120 and 120 bytes
      When list_directory is called with {}
      Then the document has {"truncated": true}

    @LD-OUT-02b-06 @needs:strace
    Scenario: unknown entries are counted
      Given the tree "a!L, b"
      When list_directory is called with {}
      Then the entries are "a, b"
      And the listing is complete
      And the document has {"returned": 2}

    @LD-OUT-02b-107
    Scenario: entries that refuse metadata are counted
      Given the tree "d/%0444{x, y}"
      When list_directory is called with {"path": "d", "include_other": true}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | entries | number | truncated | fails           | document        |
        |                  | a         | x, y    |        | no        |                 | {"returned": 2} |
        | execution_failed | b         |         |        |           | ExecutionFailed |                 |
        | unknown_entry    | b         |         | 1      | no        |                 | {"returned": 1} |
