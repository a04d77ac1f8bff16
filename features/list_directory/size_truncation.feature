@list_directory
Feature: A listing that does not fit loses entries from its end, and no more than it must

  @FR-LD-OUT-05
  Rule: what does not fit is reduced, truncated is true and the reason is max_output_bytes

    Scenario Outline: as many entries as fit: <case>
      Given the tree "<tree>"
      And budgets of <budget> and <budget> bytes
      When list_directory is called with {}
      Then the document is the largest that fits
      And the tree is unchanged

      Examples:
        | id            | case                                             | tree          | budget |
        | LD-OUT-05-01  | eleven, and ten fit exactly                      | f00..f10      | 1611   |
        | LD-OUT-05-02  | a byte less and ten do not                       | f00..f10      | 1610   |
        | LD-OUT-05-03  | nine fit exactly, with a count of one digit less | f00..f09      | 1460   |
        | LD-OUT-05-04  | a byte less and nine do not                      | f00..f09      | 1459   |
        | LD-OUT-05-05  | a hundred, and 99 fit exactly                    | f00..f99      | 14961  |
        | LD-OUT-05-07  | a byte short of the whole                        | a, b          | 388    |
        | LD-OUT-05-08  | short by what the flag and the reason cost       | a, b          | 376    |
        | LD-OUT-05-09  | seven of eleven, which no halving finds          | f00..f10      | 1160   |
        | LD-OUT-05-11  | no skipping of a long name to keep a short one   | a, 'b'*100, c | 599    |
        | LD-OUT-05-101 | a byte short of the 99                           | f00..f99      | 14960  |
        | LD-OUT-05-102 | one of many                                      | f00..f99      | 260    |

    @LD-OUT-05-06
    Scenario: a listing that just fits is not touched
      Given the tree "a, b"
      And budgets of 389 and 389 bytes
      When list_directory is called with {}
      Then the document is the largest that fits
      And the tree is unchanged

    Scenario Outline: what is left is the beginning of the whole listing: <case>
      Given the tree "d/{x=3, y->x}, f=7@5, g, .h, l->f, p:fifo"
      And budgets of <budget> and <budget> bytes
      When list_directory is called with {"recursive": true, "include_hidden": true, "include_other": true}
      Then the document is the largest that fits
      And the tree is unchanged

      Examples:
        | id            | case             | budget |
        | LD-OUT-05-10  | half of it       | 700    |
        | LD-OUT-05-103 | nearly all of it | 1260   |
        | LD-OUT-05-104 | the first        | 300    |

    # Error texts are the candidate's own; their actual size counts (AMB-LD-64).
    @interpretation:AMB-LD-64
    Scenario Outline: unknown entries are priced as written: <budget> bytes
      Given the tree "d/%0000{x}, e/%0444{y, z}, f, g"
      And budgets of <budget> and <budget> bytes
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the document is the largest that fits
      And a control call with {} lists "d, e, f, g"
      And the tree is unchanged

      Examples:
        | id            | budget |
        | LD-OUT-05-105 | 300    |
        | LD-OUT-05-106 | 500    |
        | LD-OUT-05-107 | 700    |
        | LD-OUT-05-108 | 900    |

    @LD-OUT-05-109 @also:NFR-LD-REL-01 @interpretation:AMB-LD-64
    Scenario: unknown entries under every budget
      Given the tree "d/%0000{x}, e, f"
      When list_directory is called with {"recursive": true, "include_other": true} under every budget up to 600 bytes
      Then every answer is the largest that fits
      And a control call with {} lists "d, e, f"
      And the tree is unchanged

    @LD-OUT-05-110
    Scenario: one file under every budget
      Given the tree "a"
      When list_directory is called with {} under every budget up to 246 bytes
      Then every answer is the largest that fits
      And the tree is unchanged

  @FR-LD-OUT-07
  Rule: entries go from the end of the sorted list, and the reason overrides max_entries

    # The protocol's defaults are 102,400 and 65,536 bytes. A directory with its file needs 800 bytes, and the document
    # around the entries 113: 64,913 in all.
    @LD-OUT-07-720 @framework:budget
    Scenario: nothing goes that fits where no budgets are given
      Given the tree "d00..d80/{'p'*250}"
      When list_directory is called with {"recursive": true}
      Then the listing has 162 entries
      And the listing is complete
      And the tree is unchanged

    @LD-OUT-07-01
    Scenario: cut by the limit, and what is left fits exactly
      Given the tree "f0, f1, f2"
      And budgets of 399 and 399 bytes
      When list_directory is called with {"max_entries": 2}
      Then the document is the largest that fits
      And the tree is unchanged

    # Nine entries need 1460 bytes; their number has one digit.
    @LD-OUT-07-301
    Scenario: of eleven entries nine fit exactly
      Given the tree "f00..f10"
      And budgets of 1460 and 1460 bytes
      When list_directory is called with {}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-302
    Scenario: there is no limit but the budgets
      Given the tree "f000..f599"
      And the configuration {"max_entries": 600}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"max_entries": 600}
      Then the entries are "f000..f599"
      And the tree is unchanged

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
      Then the listing has 73 entries
      And the listing is complete
      And the entries include "z"
      And the tree is unchanged

    @LD-OUT-07-304
    Scenario: however many have to go
      Given the tree "f000..f599"
      And the configuration {"max_entries": 1000}
      And budgets of 300 and 300 bytes
      When list_directory is called with {"max_entries": 1000}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-02 @also:T-LD-14
    Scenario: cut by the limit, and then a byte short
      Given the tree "f0, f1, f2"
      And budgets of 398 and 398 bytes
      When list_directory is called with {"max_entries": 2}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-03
    Scenario: cut by the limit, and then to nothing
      Given the tree "a/{b}, a-b"
      And budgets of 109 and 109 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the document is the largest that fits
      And a control call with {} lists "a, a-b"
      And the tree is unchanged

    # The walk visits a, a/b, a- and stops; sorted they are a, a-, a/b.
    @LD-OUT-07-05
    Scenario: the end of the sorted list, not of the walk
      Given the tree "a/{b}, a-, c"
      And budgets of 404 and 404 bytes
      When list_directory is called with {"recursive": true, "max_entries": 3}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-06
    Scenario: the reason stays what it was when the budget takes nothing
      Given the tree "a, b, c"
      When list_directory is called with {"max_entries": 2}
      Then the entries are "a, b"
      And the listing is truncated by "max_entries"
      And the tree is unchanged

    @LD-OUT-07-101
    Scenario: the default limit cuts, the budget does not
      Given the tree "f000..f200"
      And budgets of 30507 and 30507 bytes
      When list_directory is called with {}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-102
    Scenario: the default limit cuts, and the budget by a byte
      Given the tree "f000..f200"
      And budgets of 30506 and 30506 bytes
      When list_directory is called with {}
      Then the document is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-103
    Scenario: what the limit cut does not come back because the budget has room
      Given the tree "a, 'b'*100, c"
      And budgets of 2000 and 2000 bytes
      When list_directory is called with {"max_entries": 2}
      Then the entries are "a, 'b'*100"
      And the listing is truncated by "max_entries"
      And the tree is unchanged

    @LD-OUT-07-104 @also:NFR-LD-REL-01
    Scenario: the limit and then every budget
      Given the tree "a/{b}, a-b"
      When list_directory is called with {"recursive": true, "max_entries": 2} under every budget up to 402 bytes
      Then every answer is the largest that fits
      And the tree is unchanged

    @LD-OUT-07-105
    Scenario: from the end under every capacity, one entry at a time
      Given the tree "a/{b, c}, a-, d"
      When list_directory is called with {"recursive": true} under every capacity up to 850 bytes
      Then every answer is the largest that fits
      And the tree is unchanged
