@list_directory
Feature: Whatever the budget, what comes back is a whole document or an error

  @NFR-LD-REL-01
  Rule: no budget cuts through the JSON

    Scenario Outline: every budget up to one that holds it all: <case>
      Given the tree "<tree>"
      When list_directory is called with <arguments> under every budget up to <bound> bytes
      Then every answer is a whole document or ExecutionFailed

      Examples:
        | id            | case                               | tree                                   | arguments                             | bound |
        | LD-REL-01-01  | three entries                      | a/{b}, a-b                             | {"recursive": true}                   | 546   |
        | LD-REL-01-101 | two that the limit left            | a/{b}, a-b                             | {"recursive": true, "max_entries": 2} | 402   |
        | LD-REL-01-102 | no entries                         |                                        | {}                                    | 101   |
        | LD-REL-01-103 | one entry                          | a                                      | {}                                    | 246   |
        | LD-REL-01-104 | names of several bytes a character | '\\u65e5\\u672c\\u8a9e', '\\U0001f600' | {}                                    | 414   |
        | LD-REL-01-105 | names that are escaped             | '\\x01', '"'                           | {}                                    | 404   |
        | LD-REL-01-106 | a backslash at the end of a name   | 'a\\\\', 'b\\\\\\\\'                   | {}                                    | 410   |
        | LD-REL-01-107 | names that look like JSON          | '"}],"', '{}', 'null'                  | {}                                    | 580   |

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then every answer is a whole document or ExecutionFailed

      Examples:
        | id            | case                                                      | tree        | call                                                      |
        | LD-REL-01-108 | every capacity up to one that holds it all: three entries | a/{b}, a-b  | {"recursive": true} under every capacity up to 546 bytes  |
        | LD-REL-01-109 | a request that is longer than the budget                  | 'p'*200/{x} | {"path": "$('p'*200)"} under every budget up to 460 bytes |
