@list_directory
Feature: A flat listing holds the children of the requested directory and nothing deeper

  @FR-LD-LST-01
  Rule: without recursion only immediate children are returned

    @LD-LST-01-01 @also:T-LD-01
    Scenario: grandchildren are left out
      Given the tree "a/{b/{c}}, d"
      When list_directory is called with {}
      Then the entries are "a, d"
      And the tree is unchanged

    @LD-LST-01-02
    Scenario: saying recursive=false changes nothing
      Given the tree "a/{b}, d"
      When list_directory is called with {"recursive": false}
      Then the entries are "a, d"
      And the tree is unchanged

    @LD-LST-01-104
    Scenario: two names with the same text are two entries
      Given the tree "'d\xfe'/{x}, 'd\xff', a"
      When list_directory is called with {}
      Then the entries are "'d\ufffd', 'd\ufffd', a"
      And the tree is unchanged

    @LD-LST-01-105
    Scenario: every name of a file is an entry
      Given the tree "a=3, b=>a, d/{c=>a}"
      When list_directory is called with {}
      Then the entries are "a, b, d"
      And the tree is unchanged

    @LD-LST-01-106
    Scenario: no character in a name leaves an entry out
      Given the tree "'a\n', '\t', '*', b"
      When list_directory is called with {}
      Then the entries are "'a\n', '\t', '*', b"
      And the tree is unchanged

    @LD-LST-01-04
    Scenario: directories inside are listed without their content
      Given the tree "a/{b}, c/{d}"
      When list_directory is called with {}
      Then the entries are "a, c"
      And the tree is unchanged

    @LD-LST-01-05
    Scenario: an empty directory is an empty listing
      Given the tree ""
      When list_directory is called with {}
      Then the entries are ""
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged

    @LD-LST-01-101
    Scenario: the children of the requested directory, not of the sandbox root
      Given the tree "s/{a/{b}, c}, t"
      When list_directory is called with {"path": "s"}
      Then the entries are "a, c"
      And the tree is unchanged

    @LD-LST-01-102
    Scenario: a directory that holds nothing but a deep chain shows its first link only
      Given the tree "a/{b/{c/{d/{e}}}}"
      When list_directory is called with {"max_depth": 1}
      Then the entries are "a"
      And the tree is unchanged

    @LD-LST-01-103
    Scenario: directories inside do not use up the entry limit with their content
      Given the tree "a/{f00..f19}, b, c"
      When list_directory is called with {"max_entries": 4}
      Then the entries are "a, b, c"
      And the tree is unchanged

    Scenario Outline: the requested path is a name and no pattern: <path>
      Given the tree "'[a]'/{x}, '{a,b}'/{x}, 'a*'/{x}, 'a?'/{x}, a/{wrong}, ab/{wrong}"
      When list_directory is called with {"path": <path>}
      Then the entries are "x"
      And the tree is unchanged

      Examples:
        | id            | path      |
        | LD-LST-01-771 | "[a]"     |
        | LD-LST-01-772 | "{a,b}"   |
        | LD-LST-01-773 | "a*"      |
        | LD-LST-01-774 | "a?"      |
