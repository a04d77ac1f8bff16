@list_directory
Feature: A budget below the smallest document is an error, not a broken document

  # Two documents have no entries: an untruncated one for an empty directory, and a truncated one, 13 bytes longer, for
  # a directory that is not empty. The document that is true for the directory decides (AMB-LD-17, truthful).

  @FR-LD-OUT-08
  Rule: when even the document without entries exceeds the budget, the call fails with ExecutionFailed

    @LD-OUT-08-01
    Scenario: an empty directory and exactly what it takes
      Given the tree ""
      And budgets of 98 and 98 bytes
      When list_directory is called with {}
      Then a control call with {} has 98 bytes
      And by AMB-LD-17 the answer is one of
        | reading  | entries | truncated | bytes | fails           |
        | truthful | ""      | no        | 98    |                 |
        | longer   |         |           |       | ExecutionFailed |
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged

    Scenario Outline: too little for an empty directory: <output> and <capacity>
      Given the tree ""
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {}
      Then a control call with {} has 98 bytes
      And the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged

      Examples:
        | id            | output  | capacity |
        | LD-OUT-08-02  | 97      | 97       |
        | LD-OUT-08-07  | 97      | 0        |
        | LD-OUT-08-08  | 1       | 1        |
        | LD-OUT-08-101 | 2       | 97       |

    @LD-OUT-07-04
    Scenario: cut by the limit, and then too little even for nothing
      Given the tree "a/{b}, a-b"
      And budgets of 108 and 108 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then a control call with {} has 395 bytes
      And the call fails with ExecutionFailed
      And a control call with {} lists "a, a-b"
      And the tree is unchanged

    @LD-OUT-08-03
    Scenario: one file and exactly what a list without it takes
      Given the tree "a"
      And budgets of 111 and 111 bytes
      When list_directory is called with {}
      Then the document is the largest that fits
      And a control call with {} lists "a"
      And the tree is unchanged

    # From 98 to 110 bytes only a false document fits: that the directory is empty.
    @also:T-LD-13
    Scenario Outline: too little for a directory with one file: <output> and <capacity>
      Given the tree "a"
      And budgets of <output> and <capacity> bytes
      When list_directory is called with {}
      Then a control call with {} has 243 bytes
      And the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {} lists "a"
      And the tree is unchanged

      Examples:
        | id            | output  | capacity |
        | LD-OUT-08-04  | 110     | 110      |
        | LD-OUT-08-05  | 98      | 110      |
        | LD-OUT-08-06  | 0       | 110      |
        | LD-OUT-08-13  | 50      | 110      |
        | LD-OUT-08-102 | 110     | 60       |
        | LD-OUT-08-103 | 0       | 0        |

    @LD-OUT-03-08
    Scenario: one byte too few for anything
      Given the tree "a/{b}, a-b"
      And budgets of 110 and 1000000 bytes
      When list_directory is called with {"recursive": true}
      Then a control call with {} has 395 bytes
      And the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {"recursive": true} lists "a, a-b, a/b"
      And the tree is unchanged

    # The request is part of the document: 200 characters instead of one.
    @LD-OUT-08-09
    Scenario: a long request raises the minimum
      Given the tree "'p'*200/"
      And budgets of 297 and 297 bytes
      When list_directory is called with {"path": "$('p'*200)"}
      Then a control call with {"path": "$('p'*200)"} has 297 bytes
      And by AMB-LD-17 the answer is one of
        | reading  | entries | truncated | bytes | fails           |
        | truthful | ""      | no        | 297   |                 |
        | longer   |         |           |       | ExecutionFailed |
      And a control call with {} lists "'p'*200"
      And the tree is unchanged

    @LD-OUT-08-10
    Scenario: a long request, a byte short
      Given the tree "'p'*200/"
      And budgets of 296 and 296 bytes
      When list_directory is called with {"path": "$('p'*200)"}
      Then a control call with {"path": "$('p'*200)"} has 297 bytes
      And the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {} lists "'p'*200"
      And the tree is unchanged

    @LD-OUT-08-11
    Scenario: a request of a hundred quotes takes two hundred bytes
      Given the tree "'"'*100/"
      And budgets of 297 and 297 bytes
      When list_directory is called with {"path": "$('\"'*100)"}
      Then a control call with {"path": "$('\"'*100)"} has 297 bytes
      And by AMB-LD-15 and AMB-LD-17 the answer is one of
        | AMB-LD-15 | AMB-LD-17 | entries | truncated | bytes | fails           |
        | minimal   | truthful  | ""      | no        | 297   |                 |
        | minimal   | longer    |         |           |       | ExecutionFailed |
        | any_valid |           |         |           |       |                 |
      And a control call with {} lists "'"'*100"
      And the tree is unchanged

    @LD-OUT-08-104
    Scenario: a request of a hundred quotes, a byte short
      Given the tree "'"'*100/"
      And budgets of 296 and 296 bytes
      When list_directory is called with {"path": "$('\"'*100)"}
      Then the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {} lists "'"'*100"
      And the tree is unchanged

    @LD-OUT-08-12
    Scenario: a limit of four digits raises the minimum by one
      Given the tree ""
      And the configuration {"max_entries": 1000}
      And budgets of 98 and 98 bytes
      When list_directory is called with {"max_entries": 1000}
      Then a control call with {} has 98 bytes
      And the document is within its budgets
      And the call fails with ExecutionFailed
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged

    @LD-OUT-08-105
    Scenario: a limit of one digit lowers the minimum by two
      Given the tree "a, b"
      And budgets of 109 and 109 bytes
      When list_directory is called with {"max_entries": 9}
      Then the document is the largest that fits
      And a control call with {} lists "a, b"
      And the tree is unchanged

    @LD-OUT-08-14
    Scenario: there is a message, and it names the budget
      Given the tree "a/{b}, c"
      And budgets of 60 and 60 bytes
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-38 the answer is one of
        | reading | fails           | saying | message  |
        | a       | ExecutionFailed | budget |          |
        | b       | ExecutionFailed |        | any text |
      And a control call with {} lists "a, c"
      And the tree is unchanged

    # Two errors apply; which one is reported is open (AMB-LD-33).
    @LD-OUT-08-15
    Scenario: a bad argument and no budget
      Given the tree "a"
      And budgets of 0 and 0 bytes
      When list_directory is called with {"max_entries": 0}
      Then by AMB-LD-33 the answer is one of
        | reading | fails                      |
        | a       | BadArgs                    |
        | b       | BadArgs or ExecutionFailed |
      And a control call with {} lists "a"
      And the tree is unchanged

    @LD-OUT-08-16
    Scenario: a missing directory and no budget
      Given the tree "a"
      And budgets of 0 and 0 bytes
      When list_directory is called with {"path": "nope"}
      Then the call fails with ExecutionFailed
      And a control call with {} lists "a"
      And the tree is unchanged

    @LD-OUT-08-106
    Scenario: hidden entries that are left out leave the directory as good as empty
      Given the tree ".a, .b"
      And budgets of 110 and 110 bytes
      When list_directory is called with {}
      Then a control call with {} has 98 bytes
      And by AMB-LD-17 the answer is one of
        | reading  | entries | truncated | bytes | fails           |
        | truthful | ""      | no        | 98    |                 |
        | longer   |         |           |       | ExecutionFailed |
      And a control call with {"include_hidden": true} lists ".a, .b"
      And the tree is unchanged

    @LD-OUT-08-107
    Scenario: an empty directory under every budget
      Given the tree ""
      When list_directory is called with {} under every budget up to 114 bytes
      Then a control call with {} has 98 bytes
      And by AMB-LD-17 the answers by budget are
        | reading  | from | to  | returned | reason | bytes | fails           |
        | truthful | 0    | 97  |          |        |       | ExecutionFailed |
        | truthful | 98   | 114 | 0        | null   | 98    |                 |
        | longer   | 0    | 110 |          |        |       | ExecutionFailed |
        | longer   | 111  | 114 | 0        | null   | 98    |                 |
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged
