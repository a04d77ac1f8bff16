@list_directory
Feature: A budget below the smallest document is an error, not a broken document

  # Two documents have no entries: an untruncated one for an empty directory, and a truncated one, 13 bytes longer, for
  # a directory that is not empty. The document that is true for the directory decides (AMB-LD-17, truthful).

  @FR-LD-OUT-08
  Rule: when even the document without entries exceeds the budget, the call fails with ExecutionFailed

    Scenario Outline: <case>
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with {}
      Then by AMB-LD-17 the answer is one of
        | reading  | entries | truncated | bytes | fails           |
        | truthful | ""      | no        | 98    |                 |
        | longer   |         |           |       | ExecutionFailed |

      Examples:
        | id            | case                                                                  | tree   | budgets     |
        | LD-OUT-08-01  | an empty directory and exactly what it takes                          |        | 98 and 98   |
        | LD-OUT-08-106 | hidden entries that are left out leave the directory as good as empty | .a, .b | 110 and 110 |

    Scenario Outline: <case> (when even the document without entries exceeds the budget, the call fails with ExecutionFailed)
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document is within its budgets
      And the call fails with ExecutionFailed

      Examples:
        | id            | case                                        | tree       | budgets         | call                    |
        | LD-OUT-08-07  | too little for an empty directory: 97 and 0 |            | 97 and 0        | {}                      |
        | LD-OUT-08-08  | too little for an empty directory: 1 and 1  |            | 1 and 1         | {}                      |
        | LD-OUT-08-101 | too little for an empty directory: 2 and 97 |            | 2 and 97        | {}                      |
        | LD-OUT-03-08  | one byte too few for anything               | a/{b}, a-b | 110 and 1000000 | {"recursive": true}     |
        | LD-OUT-08-10  | a long request, a byte short                | 'p'*200/   | 296 and 296     | {"path": "$('p'*200)"}  |
        | LD-OUT-08-104 | a request of a hundred quotes, a byte short | '"'*100/   | 296 and 296     | {"path": "$('\"'*100)"} |

      @also:T-LD-13
      Examples:
        | id            | case                                                  | tree | budgets     | call |
        # From 98 to 110 bytes only a false document fits: that the directory is empty.
        | LD-OUT-08-04  | too little for a directory with one file: 110 and 110 | a    | 110 and 110 | {}   |
        | LD-OUT-08-05  | too little for a directory with one file: 98 and 110  | a    | 98 and 110  | {}   |
        | LD-OUT-08-06  | too little for a directory with one file: 0 and 110   | a    | 0 and 110   | {}   |
        | LD-OUT-08-13  | too little for a directory with one file: 50 and 110  | a    | 50 and 110  | {}   |
        | LD-OUT-08-102 | too little for a directory with one file: 110 and 60  | a    | 110 and 60  | {}   |
        | LD-OUT-08-103 | too little for a directory with one file: 0 and 0     | a    | 0 and 0     | {}   |

    @LD-OUT-07-04
    Scenario: cut by the limit, and then too little even for nothing
      Given the tree "a/{b}, a-b"
      And budgets of 108 and 108 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the call fails with ExecutionFailed

    Scenario Outline: <case> (when even the document without entries exceeds the budget, the call fails with ExecutionFailed, 1)
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                              | tree | budgets     | call               | answer                                |
        | LD-OUT-08-03  | one file and exactly what a list without it takes | a    | 111 and 111 | {}                 | the document is the largest that fits |
        | LD-OUT-08-105 | a limit of one digit lowers the minimum by two    | a, b | 109 and 109 | {"max_entries": 9} | the document is the largest that fits |
        | LD-OUT-08-16  | a missing directory and no budget                 | a    | 0 and 0     | {"path": "nope"}   | the call fails with ExecutionFailed   |

    # The request is part of the document: 200 characters instead of one.
    @LD-OUT-08-09
    Scenario: a long request raises the minimum
      Given the tree "'p'*200/"
      And budgets of 297 and 297 bytes
      When list_directory is called with {"path": "$('p'*200)"}
      Then by AMB-LD-17 the answer is one of
        | reading  | entries | truncated | bytes | fails           |
        | truthful | ""      | no        | 297   |                 |
        | longer   |         |           |       | ExecutionFailed |

    @LD-OUT-08-11
    Scenario: a request of a hundred quotes takes two hundred bytes
      Given the tree "'"'*100/"
      And budgets of 297 and 297 bytes
      When list_directory is called with {"path": "$('\"'*100)"}
      Then by AMB-LD-15 and AMB-LD-17 the answer is one of
        | AMB-LD-15 | AMB-LD-17 | entries | truncated | bytes | fails           |
        | minimal   | truthful  | ""      | no        | 297   |                 |
        | minimal   | longer    |         |           |       | ExecutionFailed |
        | any_valid |           |         |           |       |                 |

    @LD-OUT-08-12
    Scenario: a limit of four digits raises the minimum by one
      Given the tree ""
      And the configuration {"max_entries": 1000}
      And budgets of 98 and 98 bytes
      When list_directory is called with {"max_entries": 1000}
      Then the document is within its budgets
      And the call fails with ExecutionFailed

    @LD-OUT-08-14
    Scenario: there is a message, and it names the budget
      Given the tree "a/{b}, c"
      And budgets of 60 and 60 bytes
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-38 the answer is one of
        | reading | fails           | saying | message  |
        | a       | ExecutionFailed | budget |          |
        | b       | ExecutionFailed |        | any text |

    # Two errors apply; which one is reported is open (AMB-LD-33).
    @LD-OUT-08-15 @interpretation:AMB-LD-33
    Scenario: a bad argument and no budget
      Given the tree "a"
      And budgets of 0 and 0 bytes
      When list_directory is called with {"max_entries": 0}
      Then the call fails with BadArgs or ExecutionFailed

    @LD-OUT-08-107
    Scenario: an empty directory under every budget
      Given the tree ""
      When list_directory is called with {} under every budget up to 114 bytes
      Then by AMB-LD-17 the answers by budget are
        | reading  | from | to  | returned | reason | bytes | fails           |
        | truthful | 0    | 97  |          |        |       | ExecutionFailed |
        | truthful | 98   | 114 | 0        | null   | 98    |                 |
        | longer   | 0    | 110 |          |        |       | ExecutionFailed |
        | longer   | 111  | 114 | 0        | null   | 98    |                 |
