@list_directory
Feature: The entry limit ends the walk and is reported

  # Whether a listing of exactly the limit is truncated is open: `truncated` is true when the limit is *exceeded* in one
  # reading, and when it is *reached* in the other (AMB-LD-01). Below and above the limit the result is fixed.

  @FR-LD-LST-07
  Rule: at max_entries the walk stops, truncated is true and the reason is max_entries

    # A listing without a limit shows first that nothing but the limit is missing.
    Scenario Outline: more entries than the limit: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then a control call with <whole> lists "<all>"
      And the listing has <count> entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

      Examples:
        | id            | case                                                    | tree                 | call                                      | count | whole                   | all                       |
        | LD-LST-07-01  | five, limit four                                        | f0, f1, f2, f3, f4   | {"max_entries": 4}                        | 4     | {}                      | f0, f1, f2, f3, f4        |
        | LD-LST-07-02  | five, limit one                                         | f0, f1, f2, f3, f4   | {"max_entries": 1}                        | 1     | {}                      | f0, f1, f2, f3, f4        |
        | LD-LST-07-03  | three, limit two                                        | f0, f1, f2           | {"max_entries": 2}                        | 2     | {}                      | f0, f1, f2                |
        | LD-LST-07-06  | one too many                                            | a, b, c, d           | {"max_entries": 3}                        | 3     | {}                      | a, b, c, d                |
        | LD-LST-07-08  | two, limit one                                          | a, b                 | {"max_entries": 1}                        | 1     | {}                      | a, b                      |
        | LD-LST-07-11  | one too many in the last subdirectory                   | a/{b, c, d}          | {"recursive": true, "max_entries": 3}     | 3     | {"recursive": true}     | a, a/b, a/c, a/d          |
        | LD-LST-07-101 | the limit is for the whole walk, not for each directory | a/{x, y}, b/{x, y}   | {"recursive": true, "max_entries": 3}     | 3     | {"recursive": true}     | a, a/x, a/y, b, b/x, b/y  |
        | LD-LST-07-102 | full inside a subdirectory, a sibling left above it     | a/{b, c}, d          | {"recursive": true, "max_entries": 3}     | 3     | {"recursive": true}     | a, a/b, a/c, d            |
        | LD-LST-07-103 | the one too many lies in a directory yet to be opened   | a, b/{c}             | {"recursive": true, "max_entries": 2}     | 2     | {"recursive": true}     | a, b, b/c                 |
        | LD-LST-07-104 | directories, links and files count alike                | a/, b->a, c, d       | {"max_entries": 3}                        | 3     | {}                      | a, b, c, d                |
        | LD-LST-07-105 | special files count where they are shown                | a:fifo, b:fifo, c, d | {"include_other": true, "max_entries": 2} | 2     | {"include_other": true} | a, b, c, d                |
        | LD-LST-07-106 | the way back up through several levels                  | a/{b/{c/{d}}}, e     | {"recursive": true, "max_entries": 4}     | 4     | {"recursive": true}     | a, a/b, a/b/c, a/b/c/d, e |

    @LD-LST-07-761 @framework:allow_absolute
    Scenario: the limit holds for an absolute path
      Given the tree "in/{a/{b/{c}}, e, f}, z"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$ROOT/in", "recursive": true, "max_entries": 2}
      Then the listing has 2 entries
      And the listing is truncated by "max_entries"
      And a control call with {"path": "in", "recursive": true} lists "a, a/b, a/b/c, e, f"
      And the tree is unchanged

    # More than a byte holds.
    @LD-LST-07-762
    Scenario: a limit of three hundred
      Given the tree "f000..f300"
      And the configuration {"max_entries": 300}
      When list_directory is called with {}
      Then the listing has 300 entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

    # What the limit is where the call does not say is FR-LD-VAL-06a and CFG-LD-05.
    @LD-LST-07-12
    Scenario: the greatest limit and one more
      Given the tree "f000..f200"
      When list_directory is called with {"max_entries": 200}
      Then the listing has 200 entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

    Scenario Outline: fewer entries than the limit: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the listing has <count> entries
      And the listing is complete
      And the tree is unchanged

      Examples:
        | id            | case                                     | tree       | call                                  | count |
        | LD-LST-07-04  | two, limit three                         | a, b       | {"max_entries": 3}                    | 2     |
        | LD-LST-07-13  | one short of the greatest limit          | f000..f198 | {"max_entries": 200}                  | 199   |
        | LD-LST-07-107 | one short, in two directories            | a/{b}, c   | {"recursive": true, "max_entries": 4} | 3     |
        | LD-LST-07-108 | the limit may be far above what there is | a, b       | {"max_entries": 199}                  | 2     |

    Scenario Outline: exactly as many entries as the limit: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then a control call with {"recursive": true} lists "<all>"
      And the listing has <count> entries
      And by AMB-LD-01 the answer is one of
        | reading  | truncated   |
        | exceeded | no          |
        | reached  | max_entries |
      And the tree is unchanged

      Examples:
        | id            | case                                         | tree       | call                                  | count | all         |
        | LD-LST-07-05  | three of three                               | a, b, c    | {"max_entries": 3}                    | 3     | a, b, c     |
        | LD-LST-07-07  | one of one                                   | a          | {"max_entries": 1}                    | 1     | a           |
        | LD-LST-07-09  | full inside a subdirectory, nothing after it | a/{b, c}   | {"recursive": true, "max_entries": 3} | 3     | a, a/b, a/c |
        | LD-LST-07-109 | the greatest limit                           | f000..f199 | {"max_entries": 200}                  | 200   | f000..f199  |

    # The remaining directory is empty, but only reading it shows this (AMB-LD-02).
    @LD-LST-07-10
    Scenario: as many as the limit, and an empty directory yet to be opened
      Given the tree "a, b/"
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the entries are "a, b"
      And by AMB-LD-02 the answer is one of
        | reading | truncated   |
        | a       | no          |
        | b       | max_entries |
        | c       | max_entries |
      And the tree is unchanged

    # A file beyond the limit is one more that qualifies, whatever path leads to it. For a candidate that does not enter
    # omitted directories (AMB-LD-08), the limit is reached exactly (AMB-LD-01).
    Scenario Outline: one too many, below directories that are left out: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "include_dirs": false, "max_entries": 1}
      Then a control call with {"recursive": true} lists "<all>"
      And the listing has 1 entries
      And by AMB-LD-08, AMB-LD-01 and AMB-LD-02 the answer is one of
        | AMB-LD-08 | AMB-LD-01 | AMB-LD-02 | truncated   |
        | descend   |           |           | max_entries |
        | prune     | exceeded  | a         | no          |
        | prune     | exceeded  | b         | max_entries |
        | prune     | reached   |           | max_entries |
      And the tree is unchanged

      Examples:
        | id            | case                   | tree                 | all                   |
        | LD-LST-07-302 | in one                 | a, b/{c}             | a, b, b/c             |
        | LD-LST-07-303 | in one inside another  | a, b/{c/{d}}         | a, b, b/c, b/c/d      |
        | LD-LST-07-304 | in the last of several | a, b/, c/{d/}, e/{f} | a, b, c, c/d, e, e/f  |

    @LD-LST-07-14
    Scenario: the limit is met inside a directory
      Given the tree "a/{x0..x9}, b00..b24/{y}"
      When list_directory is called with {"recursive": true, "max_entries": 5}
      Then the listing has 5 entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

    @LD-LST-07-110
    Scenario: the limit is met before directories between their siblings
      Given the tree "a, b, c, d/{x}, e, f/{y}"
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the listing has 2 entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged

    # AMB-LD-63: an entry without metadata is an entry.
    @LD-LST-07-301 @also:FR-LD-LST-04
    Scenario: entries that refuse metadata count
      Given the tree "d/%0444{a, b, c}"
      When list_directory is called with {"path": "d", "max_entries": 2, "include_other": true}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | number | truncated   | fails           |
        |                  | a         | 2      | max_entries |                 |
        | execution_failed | b         |        |             | ExecutionFailed |
        | empty            | b         | 0      | no          |                 |
        | unknown_entry    | b         | 1      | no          |                 |
      And a control call with {} lists "d"
      And the tree is unchanged

    # Whether a limit that is met exactly has cut is open (AMB-LD-01); a careful candidate says the same for both.
    @LD-LST-07-112 @prudent
    Scenario: a limit that is met exactly, flat and recursively
      Given the tree "a, b, c"
      When list_directory is called with {"max_entries": 3}
      And list_directory is called with {"recursive": true, "max_entries": 3}
      Then all answers are the same bytes
      And the entries are "a, b, c"
      And the tree is unchanged

    @LD-LST-07-15
    Scenario: a limit below the configured one
      Given the tree "a, b, c"
      And the configuration {"max_entries": 100}
      When list_directory is called with {"max_entries": 2}
      Then a control call with {} lists "a, b, c"
      And the listing has 2 entries
      And the listing is truncated by "max_entries"
      And the tree is unchanged
