@list_directory
Feature: A flat listing holds the children of the requested directory and nothing deeper

  @FR-LD-LST-01
  Rule: without recursion only immediate children are returned

    @behaviour:BEH-06
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                                      | tree                    | call                 | answer                                    |
        | LD-LST-01-01  | grandchildren are left out                                                | a/{b/{c}}, d            | {}                   | the entries are "a, d"                    |
        | LD-LST-01-02  | saying recursive=false changes nothing                                    | a/{b}, d                | {"recursive": false} | the entries are "a, d"                    |
        | LD-LST-01-105 | every name of a file is an entry                                          | a=3, b=>a, d/{c=>a}     | {}                   | the entries are "a, b, d"                 |
        | LD-LST-01-106 | no character in a name leaves an entry out                                | 'a\\n', '\t', '*', b    | {}                   | the entries are "'a\\n', '\t', '*', b"    |
        | LD-LST-01-104 | two names with the same text are two entries                              | 'd\xfe'/{x}, 'd\xff', a | {}                   | the entries are "'d\ufffd', 'd\ufffd', a" |
        | LD-LST-01-04  | directories inside are listed without their content                       | a/{b}, c/{d}            | {}                   | the entries are "a, c"                    |
        | LD-LST-01-101 | the children of the requested directory, not of the sandbox root          | s/{a/{b}, c}, t         | {"path": "s"}        | the entries are "a, c"                    |
        | LD-LST-01-103 | directories inside do not use up the entry limit with their content       | a/{f00..f19}, b, c      | {"max_entries": 4}   | the entries are "a, b, c"                 |
        | LD-LST-01-102 | a directory that holds nothing but a deep chain shows its first link only | a/{b/{c/{d/{e}}}}       | {"max_depth": 1}     | the entries are "a"                       |

    @LD-LST-01-776 @behaviour:BEH-14
    Scenario: what has come and gone since an equal call
      Given the tree "a, d/{x}"
      When list_directory is called with {}
      And the tree gets "b"
      And "a" has been removed
      And list_directory is called again with {}
      Then the entries are "b, d"

    @behaviour:BEH-13
    Scenario Outline: the requested path is a name and no pattern: <path>
      Given the tree "'[a]'/{x}, '{a,b}'/{x}, 'a*'/{x}, 'a?'/{x}, a/{wrong}, ab/{wrong}"
      When list_directory is called with {"path": <path>}
      Then the entries are "x"

      Examples:
        | id            | path      |
        | LD-LST-01-771 | "[a]"     |
        | LD-LST-01-772 | "{a,b}"   |
        | LD-LST-01-773 | "a*"      |
        | LD-LST-01-774 | "a?"      |
