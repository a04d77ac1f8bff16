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
      Then the listing has <count> entries
      And the listing is truncated by "max_entries"

      Examples:
        | id            | case                                                    | tree                 | call                                      | count |
        | LD-LST-07-03  | three, limit two                                        | f0, f1, f2           | {"max_entries": 2}                        | 2     |
        | LD-LST-07-06  | one too many                                            | a, b, c, d           | {"max_entries": 3}                        | 3     |
        | LD-LST-07-08  | two, limit one                                          | a, b                 | {"max_entries": 1}                        | 1     |
        | LD-LST-07-11  | one too many in the last subdirectory                   | a/{b, c, d}          | {"recursive": true, "max_entries": 3}     | 3     |
        | LD-LST-07-101 | the limit is for the whole walk, not for each directory | a/{x, y}, b/{x, y}   | {"recursive": true, "max_entries": 3}     | 3     |
        | LD-LST-07-102 | full inside a subdirectory, a sibling left above it     | a/{b, c}, d          | {"recursive": true, "max_entries": 3}     | 3     |
        | LD-LST-07-103 | the one too many lies in a directory yet to be opened   | a, b/{c}             | {"recursive": true, "max_entries": 2}     | 2     |
        | LD-LST-07-104 | directories, links and files count alike                | a/, b->a, c, d       | {"max_entries": 3}                        | 3     |
        | LD-LST-07-105 | special files count where they are shown                | a:fifo, b:fifo, c, d | {"include_other": true, "max_entries": 2} | 2     |

    @LD-LST-07-761 @framework:allow_absolute
    Scenario: the limit holds for an absolute path
      Given the tree "in/{a/{b/{c}}, e, f}, z"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$ROOT/in", "recursive": true, "max_entries": 2}
      Then the listing is truncated by "max_entries"

    Scenario Outline: <case>
      Given the tree "<tree>"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then the listing is truncated by "max_entries"

      Examples:
        | id            | case                             | tree       | configuration        | call               |
        # More than a byte holds.
        | LD-LST-07-762 | a limit of three hundred         | f000..f300 | {"max_entries": 300} | {}                 |
        | LD-LST-07-15  | a limit below the configured one | a, b, c    | {"max_entries": 100} | {"max_entries": 2} |

    Scenario Outline: <case> (at max_entries the walk stops, truncated is true and the reason is max_entries)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the listing is truncated by "max_entries"

      Examples:
        | id            | case                                                       | tree                     | call                                  |
        # What the limit is where the call does not say is FR-LD-VAL-06a and CFG-LD-05.
        | LD-LST-07-12  | the greatest limit and one more                            | f000..f200               | {"max_entries": 200}                  |
        | LD-LST-07-14  | the limit is met inside a directory                        | a/{x0..x9}, b00..b24/{y} | {"recursive": true, "max_entries": 5} |
        | LD-LST-07-110 | the limit is met before directories between their siblings | a, b, c, d/{x}, e, f/{y} | {"recursive": true, "max_entries": 2} |

    Scenario Outline: fewer entries than the limit: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the listing has <count> entries
      And the listing is complete

      Examples:
        | id            | case                                     | tree       | call                                  | count |
        | LD-LST-07-04  | two, limit three                         | a, b       | {"max_entries": 3}                    | 2     |
        | LD-LST-07-13  | one short of the greatest limit          | f000..f198 | {"max_entries": 200}                  | 199   |
        | LD-LST-07-107 | one short, in two directories            | a/{b}, c   | {"recursive": true, "max_entries": 4} | 3     |
        | LD-LST-07-108 | the limit may be far above what there is | a, b       | {"max_entries": 199}                  | 2     |

    Scenario Outline: <case> (at max_entries the walk stops, truncated is true and the reason is max_entries, 2)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>
      And by AMB-LD-01 the answer is one of
        | reading  | truncated   |
        | exceeded | no          |
        | reached  | max_entries |

      Examples:
        | id            | case                                                                               | tree       | call                                  | answer                      |
        | LD-LST-07-07  | exactly as many entries as the limit: one of one                                   | a          | {"max_entries": 1}                    | the listing has 1 entries   |
        | LD-LST-07-109 | exactly as many entries as the limit: the greatest limit                           | f000..f199 | {"max_entries": 200}                  | the listing has 200 entries |
        | LD-LST-07-09  | exactly as many entries as the limit: full inside a subdirectory, nothing after it | a/{b, c}   | {"recursive": true, "max_entries": 3} | the listing has 3 entries   |

    Scenario Outline: <case> (the limit is passed)
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "include_dirs": false, "max_entries": 1}
      Then the listing has 1 entries
      And the listing is truncated by "max_entries"

      Examples:
        | id            | case                                                                      | tree                 |
        # A file beyond the limit is one more that qualifies, whatever path leads to it.
        | LD-LST-07-302 | one too many, below directories that are left out: in one                 | a, b/{c}             |
        | LD-LST-07-304 | one too many, below directories that are left out: in the last of several | a, b/, c/{d/}, e/{f} |
        | LD-LST-07-303 | one too many, below directories that are left out: in one inside another  | a, b/{c/{d}}         |

    # AMB-LD-63: an entry without metadata is an entry.
    @LD-LST-07-301
    Scenario: entries that refuse metadata count
      Given the tree "d/%0444{a, b, c}"
      When list_directory is called with {"path": "d", "max_entries": 2, "include_other": true}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | number | truncated   | fails           |
        |                  | a         | 2      | max_entries |                 |
        | execution_failed | b         |        |             | ExecutionFailed |
        | unknown_entry    | b         | 1      | no          |                 |

    # Whether a limit that is met exactly has cut is open (AMB-LD-01); a careful candidate says the same for both.
    @LD-LST-07-112 @prudent
    Scenario: a limit that is met exactly, flat and recursively
      Given the tree "a, b, c"
      When list_directory is called with {"max_entries": 3}
      And list_directory is called with {"recursive": true, "max_entries": 3}
      Then all answers are the same bytes
      And the entries are "a, b, c"

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

    @LD-LST-07-106
    Scenario: more entries than the limit: the way back up through several levels
      Given the tree "a/{b/{c/{d}}}, e"
      When list_directory is called with {"recursive": true, "max_entries": 4}
      Then the listing is truncated by "max_entries"
