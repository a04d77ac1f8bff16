@list_directory
Feature: The tool keeps the framework from cutting its document

  @FR-LD-OUT-04
  Rule: allow_truncation is false after the call

    @LD-OUT-04-01
    Scenario: after a complete listing
      Given the tree "a, b"
      When list_directory is called with {}
      Then the entries are "a, b"
      And the context afterwards has {"allow_truncation": false}
      And the tree is unchanged

    @LD-OUT-04-02
    Scenario: after a listing that the budget cut
      Given the tree "a, b, c"
      And budgets of 260 and 260 bytes
      When list_directory is called with {}
      Then a control call with {} lists "a, b, c"
      And the context afterwards has {"allow_truncation": false}
      And the tree is unchanged

    @LD-OUT-04-101
    Scenario: after a listing that the limit cut
      Given the tree "a, b, c"
      When list_directory is called with {"max_entries": 2}
      Then the entries are "a, b"
      And the context afterwards has {"allow_truncation": false}
      And the tree is unchanged

    # Whether a failed call clears it too is open (AMB-LD-41).
    Scenario Outline: after a failed call: <case>
      Given the tree "a, b"
      And budgets of <output> and <output> bytes
      When list_directory is called with <call>
      Then the call fails with <kind>
      And by AMB-LD-41 the answer is one of
        | reading | fails  | context                     |
        | a       | <kind> | {"allow_truncation": false} |
        | b       | <kind> |                             |
      And a control call with {} lists "a, b"
      And the tree is unchanged

      Examples:
        | id            | case           | output | call               | kind            |
        | LD-OUT-04-03  | no budget      | 0      | {}                 | ExecutionFailed |
        | LD-OUT-04-102 | a missing path | 102400 | {"path": "nope"}   | ExecutionFailed |

    @LD-OUT-04-04
    Scenario: each call clears its own
      Given the tree "a, b"
      When list_directory is called with {"max_entries": 0}
      And list_directory is called again with {}
      Then the entries are "a, b"
      And the context afterwards has {"allow_truncation": false}
      And the tree is unchanged

    @LD-OUT-04-103
    Scenario: the second of two calls clears its own
      Given the tree "a, b"
      When list_directory is called with {}
      And list_directory is called again with {"max_entries": 5}
      Then the entries are "a, b"
      And the context afterwards has {"allow_truncation": false}
      And the tree is unchanged

    @LD-OUT-04-05
    Scenario: a document of exactly the budget comes back whole
      Given the tree "a/{b}, a-b"
      And budgets of 543 and 543 bytes
      When list_directory is called with {"recursive": true}
      Then the entries include "a"
      And the document's text does not contain "output truncated"
      And the context afterwards has {"allow_truncation": false}
      And the tree is unchanged

    @LD-OUT-04-104
    Scenario: an empty directory clears it, too
      Given the tree "s/, a"
      When list_directory is called with {"path": "s"}
      Then the entries are ""
      And the context afterwards has {"allow_truncation": false}
      And a control call with {} lists "a, s"
      And the tree is unchanged
