@list_directory
Feature: How deep and how many: what a call may ask for, and what it gets when it does not ask

  @FR-LD-VAL-02
  Rule: a flat listing knows no depth but 1

    Scenario Outline: depth 1 in a flat listing: <arguments>
      Given the tree "a/{b}"
      When list_directory is called with <arguments>
      Then the entries are "a"
      And the tree is unchanged

      Examples:
        | id           | arguments                            |
        | LD-VAL-02-01 | {"max_depth": 1}                     |
        | LD-VAL-02-02 | {"recursive": false, "max_depth": 1} |

    Scenario Outline: another depth in a flat listing: <arguments>
      Given the tree "a/{b}"
      When list_directory is called with <arguments>
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

      Examples:
        | id           | arguments                            |
        | LD-VAL-02-03 | {"recursive": false, "max_depth": 2} |
        | LD-VAL-02-05 | {"max_depth": 4}                     |
        | LD-VAL-02-06 | {"recursive": false, "max_depth": 5} |

    @LD-VAL-02-04 @also:FR-LD-ERR-01
    Scenario: another depth where recursion is left out, and a message that names it
      Given the tree "a/{b}"
      When list_directory is called with {"max_depth": 2}
      Then by AMB-LD-38 the answer is one of
        | reading | fails   | saying    | message  |
        | a       | BadArgs | max_depth |          |
        | b       | BadArgs |           | any text |
      And a control call with {} lists "a"
      And the tree is unchanged

    @LD-VAL-02-07
    Scenario: the configured depth does not reach a flat listing
      Given the tree "a/{b}"
      And the configuration {"max_depth": 9}
      When list_directory is called with {}
      Then the entries are "a"
      And the tree is unchanged

    @LD-VAL-02-08
    Scenario: depth 1 where 1 is configured
      Given the tree "a/{b}"
      And the configuration {"max_depth": 1}
      When list_directory is called with {"max_depth": 1}
      Then the entries are "a"
      And the tree is unchanged

    @LD-VAL-02-101
    Scenario: the configured depth is no licence to ask for it in a flat listing
      Given the tree "a/{b}"
      And the configuration {"max_depth": 9}
      When list_directory is called with {"max_depth": 9}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

    # A wrap to 64 bits would give 1, the only depth that a flat listing allows.
    @LD-ARGS-35
    Scenario: a depth of 2 to the 64th + 1 in a flat listing
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "max_depth": 18446744073709551617}
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

  @FR-LD-VAL-03
  Rule: recursion goes as deep as configured when the call does not say

    @LD-VAL-03-01
    Scenario: four levels where four are configured
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": 4}
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d"
      And the tree is unchanged

    Scenario Outline: the configuration <configuration>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration <configuration>
      When list_directory is called with {"recursive": true}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | configuration       | entries                                        |
        | LD-VAL-03-02  | {"max_depth": 2}    | a, a/b                                         |
        | LD-VAL-03-03  | {"max_depth": 1}    | a                                              |
        | LD-VAL-03-04  | {"max_depth": 6}    | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f |

    @LD-VAL-03-102
    Scenario: depth counts from the requested directory, not from the sandbox root
      Given the tree "r/{s/{a/{b/{c/{d/{e/{f}}}}}}}"
      And the configuration {"max_depth": 4}
      When list_directory is called with {"path": "r/s", "recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d"
      And the tree is unchanged

    @LD-VAL-03-103
    Scenario: files are bound by the depth as directories are
      Given the tree "a/{b/{c/{d/{x}, y}}}"
      And the configuration {"max_depth": 4}
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d, a/b/c/y"
      And the tree is unchanged

  @FR-LD-VAL-04
  Rule: a call may ask for as many entries as are configured, and for no more

    Scenario Outline: asking for <asked> where 200 are configured
      Given the tree "a"
      And the configuration {"max_entries": 200}
      When list_directory is called with {"max_entries": <asked>}
      Then the entries are "a"
      And the document has {"max_entries": <asked>}
      And the tree is unchanged

      Examples:
        | id            | asked |
        | LD-VAL-04-01  | 200   |
        | LD-VAL-04-101 | 199   |
        | LD-VAL-04-102 | 2     |

    @LD-VAL-04-02
    Scenario: one more than the built-in limit
      Given the tree "a"
      When list_directory is called with {"max_entries": 201}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

    Scenario Outline: asking for <asked> where <configured> are configured
      Given the tree "a"
      And the configuration {"max_entries": <configured>}
      When list_directory is called with {"max_entries": <asked>}
      Then the entries are "a"
      And the document has {"max_entries": <asked>}
      And the tree is unchanged

      Examples:
        | id            | configured | asked |
        | LD-VAL-04-03  | 3          | 3     |
        | LD-VAL-04-05  | 1000       | 500   |
        | LD-VAL-04-103 | 1000       | 1000  |
        | LD-VAL-04-104 | 1000       | 200   |
        | LD-VAL-04-105 | 3          | 2     |

    Scenario Outline: asking for <asked> where only <configured> are configured
      Given the tree "a"
      And the configuration {"max_entries": <configured>}
      When list_directory is called with {"max_entries": <asked>}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

      Examples:
        | id            | configured | asked |
        | LD-VAL-04-04  | 3          | 4     |
        | LD-VAL-04-06  | 1000       | 1001  |
        | LD-VAL-04-106 | 3          | 200   |
        | LD-VAL-04-107 | 200        | 201   |

    # The schema has no maximum: the limit refuses these values, and no integer type may wrap them around.
    Scenario Outline: far more than the limit: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "max_entries": <entries>}
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id          | case                           | entries                         |
        | LD-ARGS-29  | 2 to the 31st                  | 2147483648                      |
        | LD-ARGS-30  | 2 to the 32nd + 1              | 4294967297                      |
        | LD-ARGS-31  | 2 to the 63rd                  | 9223372036854775808             |
        | LD-ARGS-32  | 2 to the 64th + 1              | 18446744073709551617            |
        | LD-ARGS-33  | 10 to the 30th                 | 1000000000000000000000000000000 |
        # They are refused whether they count as integers or not.
        | LD-ARGS-701 | 10 to the 10th, as an exponent | 1e10                            |
        | LD-ARGS-702 | 10 to the 30th, as an exponent | 1e30                            |

    @LD-VAL-04-108
    Scenario: a configuration that is silent on entries leaves the built-in limit
      Given the tree "a"
      And the configuration {"max_depth": 9}
      When list_directory is called with {"max_entries": 201}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

    @LD-VAL-04-109
    Scenario: recursion does not raise the limit
      Given the tree "a/{b}"
      When list_directory is called with {"recursive": true, "max_entries": 201}
      Then the call fails with BadArgs
      And a control call with {"recursive": true} lists "a, a/b"
      And the tree is unchanged

  @FR-LD-VAL-06b
  Rule: recursion may be asked to go as deep as configured, and no deeper

    @LD-VAL-06b-01
    Scenario: as deep as the configured cap
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": 4}
      When list_directory is called with {"recursive": true, "max_depth": 4}
      Then the entries are "a, a/b, a/b/c, a/b/c/d"
      And the tree is unchanged

    @LD-ARGS-34
    Scenario: a depth of 2 to the 32nd + 1
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "recursive": true, "max_depth": 4294967297}
      Then the call fails with BadArgs
      And a control call with {"recursive": true} lists "a, a/b, f"
      And the tree is unchanged

    @LD-VAL-06b-02
    Scenario: one deeper than the built-in cap
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      When list_directory is called with {"recursive": true, "max_depth": 5}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

    @LD-VAL-06b-101
    Scenario: one deeper than the cap, in a tree that is not as deep
      Given the tree "a"
      When list_directory is called with {"recursive": true, "max_depth": 5}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

    Scenario Outline: depth <asked> where the cap is <configured>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": <configured>}
      When list_directory is called with {"recursive": true, "max_depth": <asked>}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id             | configured | asked | entries                                        |
        | LD-VAL-06b-03  | 2          | 2     | a, a/b                                         |
        | LD-VAL-06b-05  | 8          | 6     | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f |
        | LD-VAL-06b-102 | 6          | 5     | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e              |
        | LD-VAL-06b-103 | 2          | 1     | a                                              |

    Scenario Outline: depth <asked> where the cap is only <configured>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": <configured>}
      When list_directory is called with {"recursive": true, "max_depth": <asked>}
      Then the call fails with BadArgs
      And a control call with {"recursive": true} lists "a, a/b, a/b/c, a/b/c/d"
      And the tree is unchanged

      Examples:
        | id             | configured | asked |
        | LD-VAL-06b-04  | 2          | 3     |
        | LD-VAL-06b-104 | 8          | 9     |
        | LD-VAL-06b-105 | 1          | 2     |

    @LD-VAL-06b-106
    Scenario: a configuration that is silent on depth leaves the built-in cap
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_entries": 50}
      When list_directory is called with {"recursive": true, "max_depth": 5}
      Then the call fails with BadArgs
      And a control call with {} lists "a"
      And the tree is unchanged

    @LD-VAL-06b-06
    Scenario: recursion to depth 1 is a flat listing
      Given the tree "a/{b}, c"
      When list_directory is called with {"recursive": true, "max_depth": 1}
      Then the entries are "a, c"
      And the tree is unchanged
