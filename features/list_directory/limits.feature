@list_directory
Feature: How deep and how many: what a call may ask for, and what it gets when it does not ask

  @FR-LD-VAL-02
  Rule: a flat listing knows no depth but 1

    Scenario Outline: <case>
      Given the tree "a/{b}"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id           | case                                                                  | call                                 | answer                      |
        | LD-VAL-02-01 | depth 1 in a flat listing: {"max_depth": 1}                           | {"max_depth": 1}                     | the entries are "a"         |
        | LD-VAL-02-02 | depth 1 in a flat listing: {"recursive": false, "max_depth": 1}       | {"recursive": false, "max_depth": 1} | the entries are "a"         |
        | LD-VAL-02-03 | another depth in a flat listing: {"recursive": false, "max_depth": 2} | {"recursive": false, "max_depth": 2} | the call fails with BadArgs |
        | LD-VAL-02-05 | another depth in a flat listing: {"max_depth": 4}                     | {"max_depth": 4}                     | the call fails with BadArgs |
        | LD-VAL-02-06 | another depth in a flat listing: {"recursive": false, "max_depth": 5} | {"recursive": false, "max_depth": 5} | the call fails with BadArgs |

    @LD-VAL-02-04
    Scenario: another depth where recursion is left out, and a message that names it
      Given the tree "a/{b}"
      When list_directory is called with {"max_depth": 2}
      Then by AMB-LD-38 the answer is one of
        | reading | fails   | saying    | message  |
        | a       | BadArgs | max_depth |          |
        | b       | BadArgs |           | any text |

    Scenario Outline: <case> (a flat listing knows no depth but 1)
      Given the tree "a/{b}"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                               | configuration    | call             | answer                      |
        | LD-VAL-02-07  | the configured depth does not reach a flat listing                 | {"max_depth": 9} | {}               | the entries are "a"         |
        | LD-VAL-02-08  | depth 1 where 1 is configured                                      | {"max_depth": 1} | {"max_depth": 1} | the entries are "a"         |
        | LD-VAL-02-101 | the configured depth is no licence to ask for it in a flat listing | {"max_depth": 9} | {"max_depth": 9} | the call fails with BadArgs |

    # A wrap to 64 bits would give 1, the only depth that a flat listing allows.
    @LD-ARGS-35
    Scenario: a depth of 2 to the 64th + 1 in a flat listing
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "max_depth": 18446744073709551617}
      Then the call fails with BadArgs

  @FR-LD-VAL-03
  Rule: recursion goes as deep as configured when the call does not say

    Scenario Outline: <case> (recursion goes as deep as configured when the call does not say)
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration <configuration>
      When list_directory is called with {"recursive": true}
      Then <answer>

      Examples:
        | id           | case                                  | configuration    | answer                                                           |
        | LD-VAL-03-01 | four levels where four are configured | {"max_depth": 4} | the entries are "a, a/b, a/b/c, a/b/c/d"                         |
        | LD-VAL-03-02 | the configuration {"max_depth": 2}    | {"max_depth": 2} | the entries are "a, a/b"                                         |
        | LD-VAL-03-03 | the configuration {"max_depth": 1}    | {"max_depth": 1} | the entries are "a"                                              |
        | LD-VAL-03-04 | the configuration {"max_depth": 6}    | {"max_depth": 6} | the entries are "a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f" |

    @LD-VAL-03-102
    Scenario: depth counts from the requested directory, not from the sandbox root
      Given the tree "r/{s/{a/{b/{c/{d/{e/{f}}}}}}}"
      And the configuration {"max_depth": 4}
      When list_directory is called with {"path": "r/s", "recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d"

    @LD-VAL-03-103
    Scenario: files are bound by the depth as directories are
      Given the tree "a/{b/{c/{d/{x}, y}}}"
      And the configuration {"max_depth": 4}
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d, a/b/c/y"

  @FR-LD-VAL-04
  Rule: a call may ask for as many entries as are configured, and for no more

    Scenario Outline: <case> (a call may ask for as many entries as are configured, and for no more)
      Given the tree "a"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                           | configuration         | call                  | answer                      |
        | LD-VAL-04-01  | asking for 200 where 200 are configured        | {"max_entries": 200}  | {"max_entries": 200}  | the entries are "a"         |
        | LD-VAL-04-101 | asking for 199 where 200 are configured        | {"max_entries": 200}  | {"max_entries": 199}  | the entries are "a"         |
        | LD-VAL-04-102 | asking for 2 where 200 are configured          | {"max_entries": 200}  | {"max_entries": 2}    | the entries are "a"         |
        | LD-VAL-04-03  | asking for 3 where 3 are configured            | {"max_entries": 3}    | {"max_entries": 3}    | the entries are "a"         |
        | LD-VAL-04-05  | asking for 500 where 1000 are configured       | {"max_entries": 1000} | {"max_entries": 500}  | the entries are "a"         |
        | LD-VAL-04-103 | asking for 1000 where 1000 are configured      | {"max_entries": 1000} | {"max_entries": 1000} | the entries are "a"         |
        | LD-VAL-04-104 | asking for 200 where 1000 are configured       | {"max_entries": 1000} | {"max_entries": 200}  | the entries are "a"         |
        | LD-VAL-04-105 | asking for 2 where 3 are configured            | {"max_entries": 3}    | {"max_entries": 2}    | the entries are "a"         |
        | LD-VAL-04-04  | asking for 4 where only 3 are configured       | {"max_entries": 3}    | {"max_entries": 4}    | the call fails with BadArgs |
        | LD-VAL-04-06  | asking for 1001 where only 1000 are configured | {"max_entries": 1000} | {"max_entries": 1001} | the call fails with BadArgs |
        | LD-VAL-04-106 | asking for 200 where only 3 are configured     | {"max_entries": 3}    | {"max_entries": 200}  | the call fails with BadArgs |
        | LD-VAL-04-107 | asking for 201 where only 200 are configured   | {"max_entries": 200}  | {"max_entries": 201}  | the call fails with BadArgs |

    Scenario Outline: <case> (a call may ask for as many entries as are configured, and for no more, 1)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the call fails with BadArgs

      Examples:
        | id            | case                               | tree  | call                                    |
        | LD-VAL-04-02  | one more than the built-in limit   | a     | {"max_entries": 201}                    |
        | LD-VAL-04-109 | recursion does not raise the limit | a/{b} | {"recursive": true, "max_entries": 201} |

    # The schema has no maximum: the limit refuses these values, and no integer type may wrap them around.
    Scenario Outline: far more than the limit: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "max_entries": <entries>}
      Then the call fails with BadArgs

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

  @FR-LD-VAL-06b
  Rule: recursion may be asked to go as deep as configured, and no deeper

    Scenario Outline: <case> (recursion may be asked to go as deep as configured, and no deeper)
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id             | case                            | configuration    | call                                | answer                                   |
        | LD-VAL-06b-01  | as deep as the configured cap   | {"max_depth": 4} | {"recursive": true, "max_depth": 4} | the entries are "a, a/b, a/b/c, a/b/c/d" |
        | LD-VAL-06b-04  | depth 3 where the cap is only 2 | {"max_depth": 2} | {"recursive": true, "max_depth": 3} | the call fails with BadArgs              |
        | LD-VAL-06b-104 | depth 9 where the cap is only 8 | {"max_depth": 8} | {"recursive": true, "max_depth": 9} | the call fails with BadArgs              |

    @LD-ARGS-34
    Scenario: a depth of 2 to the 32nd + 1
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "recursive": true, "max_depth": 4294967297}
      Then the call fails with BadArgs

    Scenario Outline: <case> (recursion may be asked to go as deep as configured, and no deeper, 1)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                   | tree                  | call                                | answer                      |
        | LD-VAL-06b-02 | one deeper than the built-in cap       | a/{b/{c/{d/{e/{f}}}}} | {"recursive": true, "max_depth": 5} | the call fails with BadArgs |
        | LD-VAL-06b-06 | recursion to depth 1 is a flat listing | a/{b}, c              | {"recursive": true, "max_depth": 1} | the entries are "a, c"      |

    @LD-VAL-06b-101
    Scenario: one deeper than the cap, in a tree that is not as deep
      Given the tree "a"
      When list_directory is called with {"recursive": true, "max_depth": 5}
      Then the call fails with BadArgs

    Scenario Outline: depth <asked> where the cap is <configured>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": <configured>}
      When list_directory is called with {"recursive": true, "max_depth": <asked>}
      Then the entries are "<entries>"

      Examples:
        | id             | configured | asked | entries                                        |
        | LD-VAL-06b-03  | 2          | 2     | a, a/b                                         |
        | LD-VAL-06b-05  | 8          | 6     | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f |
        | LD-VAL-06b-102 | 6          | 5     | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e              |
        | LD-VAL-06b-103 | 2          | 1     | a                                              |

    @LD-VAL-06b-106
    Scenario: a configuration that is silent on depth leaves the built-in cap
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_entries": 50}
      When list_directory is called with {"recursive": true, "max_depth": 5}
      Then the call fails with BadArgs
