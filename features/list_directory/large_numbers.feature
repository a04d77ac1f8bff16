@list_directory
Feature: Limits far beyond any directory are numbers like any other

  # The specification has no boundary at 2^31 or 2^32: the smallest trees detect a limit that wraps around, or a limit
  # for which memory is reserved in advance.

  @CFG-LD-03
  Rule: a configured depth may be any number

    Scenario Outline: <depth> levels
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": <depth>}
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f"

      Examples:
        | id            | depth      |
        | LD-CFG-03-601 | 258        |
        | LD-CFG-03-602 | 65538      |
        | LD-CFG-03-603 | 2147483647 |

      @prudent
      Examples:
        | id            | depth      |
        | LD-CFG-03-604 | 4294967298 |

  @FR-LD-VAL-06b
  Rule: a depth up to the configured one may be any number

    @LD-CFG-03-605 @prudent
    Scenario: two to the 32nd and 1, of which a wrap would leave 1
      Given the tree "a/{b/{c}}"
      And the configuration {"max_depth": 4294967298}
      When list_directory is called with {"recursive": true, "max_depth": 4294967297}
      Then the entries are "a, a/b, a/b/c"

  @FR-LD-VAL-06a
  Rule: a configured limit may be any number

    Scenario Outline: a configured limit of <limit>
      Given the tree "a, b, c/{d}, e"
      And the configuration {"max_entries": <limit>}
      When list_directory is called with {"recursive": true}
      Then the entries are "a, b, c, c/d, e"

      Examples:
        | id             | limit            |
        | LD-OUT-DOC-602 | 65538            |
        | LD-OUT-DOC-603 | 2147483647       |

      @prudent
      Examples:
        | id             | limit            |
        | LD-OUT-DOC-604 | 4294967298       |
        | LD-OUT-DOC-605 | 9007199254740991 |

  @FR-LD-VAL-04
  Rule: any number up to the configured limit may be asked for

    @LD-OUT-DOC-606 @prudent
    Scenario: a limit that is asked for below a configured one
      Given the tree "a, b, c"
      And the configuration {"max_entries": 9007199254740991}
      When list_directory is called with {"max_entries": 4294967297}
      Then the entries are "a, b, c"
