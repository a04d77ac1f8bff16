@list_directory
Feature: Counter, flag and reason agree with each other and with the list

  @FR-LD-OUT-02b
  Rule: returned is the length of entries, and the reason is null exactly when nothing was cut

    Scenario Outline: counter, flag and reason: <case>
      Given the tree "<tree>"
      And budgets of <output> and <output> bytes
      When list_directory is called with <call>
      Then the entries are "<entries>"
      And the document has {"returned": <returned>, "truncated": <truncated>, "truncated_reason": <reason>}
      And the tree is unchanged

      Examples:
        | id             | case                                    | tree             | output | call                                | entries              | returned | truncated | reason             |
        | LD-OUT-02b-01  | everything                              | a, b, c          | 102400 | {}                                  | a, b, c              | 3        | false     | null               |
        | LD-OUT-02b-03  | cut by the limit                        | a, b, c          | 102400 | {"max_entries": 2}                  | a, b                 | 2        | true      | "max_entries"      |
        | LD-OUT-02b-101 | every depth counts                      | a/{b/{c}}        | 102400 | {"recursive": true}                 | a, a/b, a/b/c        | 3        | false     | null               |
        | LD-OUT-02b-102 | ten, the first count of two digits      | f0..f9           | 102400 | {}                                  | f0..f9               | 10       | false     | null               |
        | LD-OUT-02b-103 | names that become one are counted apart | '\\xfe', '\\xff' | 102400 | {}                                  | '\\ufffd', '\\ufffd' | 2        | false     | null               |
        | LD-OUT-02b-104 | filters are no cut                      | .a, b, c/        | 102400 | {"include_dirs": false}             | b                    | 1        | false     | null               |

    @LD-OUT-02b-105
    Scenario: a depth is no cut
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"recursive": true, "max_depth": 2}
      Then counter, flag and reason agree with the entries
      And the document has {"truncated": false}
      And the entries include "a"
      And the tree is unchanged

    # The number of remaining entries is not checked here: the reported values must agree with it.
    Scenario Outline: counter, flag and reason of what a budget cut: <case>
      Given the tree "a, b, c"
      And budgets of <output> and <output> bytes
      When list_directory is called with <call>
      Then counter, flag and reason agree with the entries
      And the document has {"truncated": true}
      And a control call with {} lists "a, b, c"
      And the tree is unchanged

      Examples:
        | id            | case               | output | call               |
        | LD-OUT-02b-04 | cut by the budget  | 260    | {}                 |
        | LD-OUT-02b-05 | cut by both        | 260    | {"max_entries": 2} |

    @LD-OUT-02b-301
    Scenario: as many entries as the limit, and flag and reason still agree
      Given the tree "a, b, c"
      When list_directory is called with {"max_entries": 3}
      Then by AMB-LD-01 the answer is one of
        | reading  | entries | truncated   | document        |
        | exceeded | a, b, c | no          | {"returned": 3} |
        | reached  | a, b, c | max_entries | {"returned": 3} |
      And the tree is unchanged

    @LD-OUT-02b-02
    Scenario: nothing to count
      Given the tree ""
      When list_directory is called with {}
      Then the entries are ""
      And the document has {"returned": 0, "truncated": false, "truncated_reason": null}
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged

    @LD-OUT-02b-106
    Scenario: everything cut, nothing left to count
      Given the tree "a, b"
      And budgets of 120 and 120 bytes
      When list_directory is called with {}
      Then counter, flag and reason agree with the entries
      And the document has {"truncated": true}
      And a control call with {} lists "a, b"
      And the tree is unchanged

    @LD-OUT-02b-06 @needs:strace
    Scenario: unknown entries are counted
      Given the tree "a!L, b"
      When list_directory is called with {}
      Then by AMB-LD-06 the answer is one of
        | reading       | entries | truncated | document        |
        | always        | a, b    | no        | {"returned": 2} |
        | include_other | b       | no        | {"returned": 1} |
      And the tree is unchanged

    @LD-OUT-02b-107
    Scenario: entries that refuse metadata are counted
      Given the tree "d/%0444{x, y}"
      When list_directory is called with {"path": "d", "include_other": true}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | entries | number | truncated | fails           | document        |
        |                  | a         | x, y    |        | no        |                 | {"returned": 2} |
        | execution_failed | b         |         |        |           | ExecutionFailed |                 |
        | empty            | b         |         | 0      | no        |                 | {"returned": 0} |
        | unknown_entry    | b         |         | 1      | no        |                 | {"returned": 1} |
      And a control call with {} lists "d"
      And the tree is unchanged
