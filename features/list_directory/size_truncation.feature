@list_directory
Feature: A listing that does not fit loses entries from its end, and no more than it must

  @FR-LD-OUT-05
  Rule: what does not fit is reduced, truncated is true and the reason is max_output_bytes

    Scenario Outline: <case>
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document is the largest that fits

      Examples:
        | id            | case                                                                     | tree          | budgets         | call |
        | LD-OUT-05-01  | as many entries as fit: eleven, and ten fit exactly                      | f00..f10      | 1611 and 1611   | {}   |
        | LD-OUT-05-02  | as many entries as fit: a byte less and ten do not                       | f00..f10      | 1610 and 1610   | {}   |
        | LD-OUT-05-03  | as many entries as fit: nine fit exactly, with a count of one digit less | f00..f09      | 1460 and 1460   | {}   |
        | LD-OUT-05-04  | as many entries as fit: a byte less and nine do not                      | f00..f09      | 1459 and 1459   | {}   |
        | LD-OUT-05-05  | as many entries as fit: a hundred, and 99 fit exactly                    | f00..f99      | 14961 and 14961 | {}   |
        | LD-OUT-05-07  | as many entries as fit: a byte short of the whole                        | a, b          | 388 and 388     | {}   |
        | LD-OUT-05-08  | as many entries as fit: short by what the flag and the reason cost       | a, b          | 376 and 376     | {}   |
        | LD-OUT-05-09  | as many entries as fit: seven of eleven, which no halving finds          | f00..f10      | 1160 and 1160   | {}   |
        | LD-OUT-05-11  | as many entries as fit: no skipping of a long name to keep a short one   | a, 'b'*100, c | 599 and 599     | {}   |
        | LD-OUT-05-101 | as many entries as fit: a byte short of the 99                           | f00..f99      | 14960 and 14960 | {}   |
        | LD-OUT-05-102 | as many entries as fit: one of many                                      | f00..f99      | 260 and 260     | {}   |
        | LD-OUT-05-06  | a listing that just fits is not touched                                  | a, b          | 389 and 389     | {}   |

      @interpretation:AMB-LD-64
      Examples:
        | id            | case                                             | tree                            | budgets     | call                                       |
        # Error texts are the candidate's own; their actual size counts (AMB-LD-64).
        | LD-OUT-05-105 | unknown entries are priced as written: 300 bytes | d/%0000{x}, e/%0444{y, z}, f, g | 300 and 300 | {"recursive": true, "include_other": true} |
        | LD-OUT-05-106 | unknown entries are priced as written: 500 bytes | d/%0000{x}, e/%0444{y, z}, f, g | 500 and 500 | {"recursive": true, "include_other": true} |
        | LD-OUT-05-107 | unknown entries are priced as written: 700 bytes | d/%0000{x}, e/%0444{y, z}, f, g | 700 and 700 | {"recursive": true, "include_other": true} |
        | LD-OUT-05-108 | unknown entries are priced as written: 900 bytes | d/%0000{x}, e/%0444{y, z}, f, g | 900 and 900 | {"recursive": true, "include_other": true} |

    Scenario Outline: what is left is the beginning of the whole listing: <case>
      Given the tree "d/{x=3, y->x}, f=7@5, g, .h, l->f, p:fifo"
      And budgets of <budget> and <budget> bytes
      When list_directory is called with {"recursive": true, "include_hidden": true, "include_other": true}
      Then the document is the largest that fits

      Examples:
        | id            | case             | budget |
        | LD-OUT-05-10  | half of it       | 700    |
        | LD-OUT-05-103 | nearly all of it | 1260   |
        | LD-OUT-05-104 | the first        | 300    |

    @LD-OUT-05-109 @interpretation:AMB-LD-64
    Scenario: unknown entries under every budget
      Given the tree "d/%0000{x}, e, f"
      When list_directory is called with {"recursive": true, "include_other": true} under every budget up to 600 bytes
      Then every answer is the largest that fits

    @LD-OUT-05-110
    Scenario: one file under every budget
      Given the tree "a"
      When list_directory is called with {} under every budget up to 246 bytes
      Then every answer is the largest that fits

  @FR-LD-OUT-07
  Rule: entries go from the end of the sorted list, and the reason overrides max_entries

    # The protocol's defaults are 102,400 and 65,536 bytes. A directory with its file needs 800 bytes, and the document
    # around the entries 113: 64,913 in all.
    @LD-OUT-07-720 @framework:budget
    Scenario: nothing goes that fits where no budgets are given
      Given the tree "d00..d80/{'p'*250}"
      When list_directory is called with {"recursive": true}
      Then the listing is complete

    Scenario Outline: <case> (entries go from the end of the sorted list, and the reason overrides max_entries)
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document is the largest that fits

      Examples:
        | id            | case                                             | tree         | budgets         | call                                  |
        | LD-OUT-07-01  | cut by the limit, and what is left fits exactly  | f0, f1, f2   | 399 and 399     | {"max_entries": 2}                    |
        # Nine entries need 1460 bytes; their number has one digit.
        | LD-OUT-07-301 | of eleven entries nine fit exactly               | f00..f10     | 1460 and 1460   | {}                                    |
        | LD-OUT-07-03  | cut by the limit, and then to nothing            | a/{b}, a-b   | 109 and 109     | {"recursive": true, "max_entries": 2} |
        # The walk visits a, a/b, a- and stops; sorted they are a, a-, a/b.
        | LD-OUT-07-05  | the end of the sorted list, not of the walk      | a/{b}, a-, c | 404 and 404     | {"recursive": true, "max_entries": 3} |
        | LD-OUT-07-101 | the default limit cuts, the budget does not      | f000..f200   | 30507 and 30507 | {}                                    |
        | LD-OUT-07-102 | the default limit cuts, and the budget by a byte | f000..f200   | 30506 and 30506 | {}                                    |

      @also:T-LD-14
      Examples:
        | id           | case                                    | tree       | budgets     | call               |
        | LD-OUT-07-02 | cut by the limit, and then a byte short | f0, f1, f2 | 398 and 398 | {"max_entries": 2} |

    Scenario Outline: <case>, of six hundred entries
      Given the tree "f000..f599"
      And the configuration <configuration>
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                              | configuration         | budgets             | call                  | answer                                |
        | LD-OUT-07-302 | there is no limit but the budgets | {"max_entries": 600}  | 1000000 and 1000000 | {"max_entries": 600}  | the entries are "f000..f599"          |
        | LD-OUT-07-304 | however many have to go           | {"max_entries": 1000} | 300 and 300         | {"max_entries": 1000} | the document is the largest that fits |

    # Twelve names of 250 control characters make paths of 18 kB: 73 entries, more than a mebibyte.
    @LD-OUT-07-303
    Scenario: not even for a document beyond a mebibyte
      Given the tree
        """
        '\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{'\x01'*250/{f00..f59}}}}}}}}}}}}, z
        """
      And the configuration {"max_depth": 15}
      And budgets of 10000000 and 10000000 bytes
      When list_directory is called with {"recursive": true, "max_depth": 15}
      Then the listing is complete

    @LD-OUT-07-103
    Scenario: what the limit cut does not come back because the budget has room
      Given the tree "a, 'b'*100, c"
      And budgets of 2000 and 2000 bytes
      When list_directory is called with {"max_entries": 2}
      Then the listing is truncated by "max_entries"

    @LD-OUT-07-104
    Scenario: the limit and then every budget
      Given the tree "a/{b}, a-b"
      When list_directory is called with {"recursive": true, "max_entries": 2} under every budget up to 402 bytes
      Then every answer is the largest that fits

    @LD-OUT-07-105
    Scenario: from the end under every capacity, one entry at a time
      Given the tree "a/{b, c}, a-, d"
      When list_directory is called with {"recursive": true} under every capacity up to 850 bytes
      Then every answer is the largest that fits
