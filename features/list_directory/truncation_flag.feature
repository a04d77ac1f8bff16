@list_directory
Feature: The tool keeps the framework from cutting its document

  @FR-LD-OUT-04
  Rule: allow_truncation is false after the call

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the entries are "a, b"
      And the context afterwards has {"allow_truncation": false}

      Examples:
        | id            | case                               | tree    | call               |
        | LD-OUT-04-01  | after a complete listing           | a, b    | {}                 |
        | LD-OUT-04-101 | after a listing that the limit cut | a, b, c | {"max_entries": 2} |

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

      Examples:
        | id            | case           | output | call               | kind            |
        | LD-OUT-04-03  | no budget      | 0      | {}                 | ExecutionFailed |
        | LD-OUT-04-102 | a missing path | 102400 | {"path": "nope"}   | ExecutionFailed |

    Scenario Outline: <case> (allow_truncation is false after the call)
      Given the tree "a, b"
      When list_directory is called with <call>
      And list_directory is called again with <again>
      Then the entries are "a, b"
      And the context afterwards has {"allow_truncation": false}

      Examples:
        | id            | case                                   | call               | again              |
        | LD-OUT-04-04  | each call clears its own               | {"max_entries": 0} | {}                 |
        | LD-OUT-04-103 | the second of two calls clears its own | {}                 | {"max_entries": 5} |

    @LD-OUT-04-05
    Scenario: a document of exactly the budget comes back whole
      Given the tree "a/{b}, a-b"
      And budgets of 543 and 543 bytes
      When list_directory is called with {"recursive": true}
      Then the entries include "a"
      And the document's text does not contain "output truncated"
      And the context afterwards has {"allow_truncation": false}
