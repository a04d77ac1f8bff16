@ls
Feature: A page is a slice of the filtered and sorted list, and whoever goes on gets all of it

  @LS-PAGE-01
  Rule: a page begins at offset and holds limit entries at most

    Scenario Outline: slices of five entries
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | arguments                 | entries                    |
        | LS-PAGE-01-01 | {"limit": 2}              | a1, a2                     |
        | LS-PAGE-01-02 | {"offset": 2, "limit": 2} | b.txt, c.txt               |
        | LS-PAGE-01-03 | {"offset": 4, "limit": 2} | d.txt                      |
        | LS-PAGE-01-04 | {"offset": 1}             | a2, b.txt, c.txt, d.txt    |
        | LS-PAGE-01-05 | {"offset": 4, "limit": 1} | d.txt                      |
        | LS-PAGE-01-06 | {"limit": 5}              | a1, a2, b.txt, c.txt, d.txt |
        | LS-PAGE-01-07 | {"offset": 1, "limit": 3} | a2, b.txt, c.txt           |

    @LS-PAGE-01-08
    Scenario: the numbers of the published example
      Given the tree "agents/, code/, core/, docs/, tests/, f000..f111, lnk0->f000, lnk1->f001, lnk2->f002"
      When LS is called with {"path": ".", "limit": 2}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "agents, code"
      And the tree is unchanged

    @LS-PAGE-01-09
    Scenario: the form of the published example, a directory and then a file
      Given the tree "agents/, readme.md, a_second.md, zz.md"
      When LS is called with {"path": ".", "limit": 2}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "agents, a_second.md"
      And the tree is unchanged

    @LS-PAGE-01-10
    Scenario: a page in the middle of a long list
      Given the tree "f000..f100"
      When LS is called with {"offset": 50, "limit": 3}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "f050, f051, f052"
      And the tree is unchanged

    @LS-PAGE-01-101
    Scenario: entries of every type count
      Given the tree "d/, l1->d, l2->d, l3->gone, f, e/"
      When LS is called with {"limit": 2}
      Then there are 2 entries
      And a control call with {} lists "d, l1, l2, l3, f, e"
      And the tree is unchanged

    @LS-PAGE-01-102
    Scenario: the list is sorted before it is cut
      Given the tree "z/, B, a, C, D/"
      When LS is called with {"offset": 1, "limit": 2}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "z, a"
      And the tree is unchanged

    @LS-PAGE-01-103
    Scenario: the same call shows the same page again
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"limit": 2}
      And LS is called again with {"limit": 2}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "a1, a2"
      And the tree is unchanged

    @LS-PAGE-01-104
    Scenario: what an earlier call left out is there on a later page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"ignore": ["a*", "b*"]}
      And LS is called again with {"offset": 1, "limit": 2}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And the entries in order are "a2, b.txt"
      And the tree is unchanged

  @LS-PAGE-02
  Rule: truncated says that something was cut off

    Scenario Outline: something follows, or nothing
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And a control call with <arguments> lists "<listed>"
      And the envelope has {"data": {"truncated": <truncated>}}
      And the tree is unchanged

      Examples:
        | id            | arguments                 | listed                      | truncated |
        | LS-PAGE-02-01 | {"limit": 2}              | a1, a2                      | true      |
        | LS-PAGE-02-02 | {"limit": 4}              | a1, a2, b.txt, c.txt        | true      |
        | LS-PAGE-02-03 | {"limit": 5}              | a1, a2, b.txt, c.txt, d.txt | false     |
        | LS-PAGE-02-04 | {"limit": 6}              | a1, a2, b.txt, c.txt, d.txt | false     |
        | LS-PAGE-02-05 | {"limit": 200}            | a1, a2, b.txt, c.txt, d.txt | false     |
        | LS-PAGE-02-06 | {"offset": 2, "limit": 2} | b.txt, c.txt                | true      |
        | LS-PAGE-02-07 | {"offset": 1, "limit": 3} | a2, b.txt, c.txt            | true      |
        | LS-PAGE-02-107 | {"ignore": ["*.txt"]}    | a1, a2                      | false     |
        | LS-PAGE-02-108 | {"ignore": ["*.txt"], "limit": 5} | a1, a2             | false     |

    Scenario Outline: the last page of several
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And a control call with <arguments> lists "<entries>"
      And by AMB-LS-01 the answer is one of
        | reading | envelope                       |
        | a       | {"data": {"truncated": false}} |
        | b       | {"data": {"truncated": true}}  |
      And the tree is unchanged

      Examples:
        | id            | arguments                 | entries      |
        | LS-PAGE-02-08 | {"offset": 4, "limit": 2} | d.txt        |
        | LS-PAGE-02-09 | {"offset": 3, "limit": 2} | c.txt, d.txt |
        | LS-PAGE-02-10 | {"offset": 4, "limit": 1} | d.txt        |
        | LS-PAGE-02-101 | {"offset": 4}            | d.txt        |

    @LS-PAGE-02-105
    Scenario: only links follow
      Given the tree "a/, l->a, m->a, n->a"
      When LS is called with {"limit": 2}
      Then there are 2 entries
      And a control call with {} lists "a, l, m, n"
      And the envelope has {"data": {"truncated": true}}
      And the tree is unchanged

    @LS-PAGE-02-106
    Scenario: only directories follow
      Given the tree "a/, b/, c/"
      When LS is called with {"limit": 2}
      Then there are 2 entries
      And a control call with {} lists "a, b, c"
      And the envelope has {"data": {"truncated": true}}
      And the tree is unchanged

    Scenario Outline: numbers of three digits
      Given the tree "f000..f202"
      When LS is called with <arguments>
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And there are <count> entries
      And the envelope has {"data": {"truncated": true}}
      And the tree is unchanged

      Examples:
        | id             | arguments                   | count |
        | LS-PAGE-02-102 | {"offset": 101, "limit": 2} | 2     |
        | LS-PAGE-02-103 | {"limit": 200}              | 200   |
        | LS-PAGE-02-104 | {"offset": 102}             | 100   |

  @LS-PAGE-03
  Rule: what is truncated is partial, what is not is a success

    Scenario Outline: status and flag
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt, e/"
      When LS is called with <arguments>
      Then a control call with {} lists "a1, a2, b.txt, c.txt, d.txt, e"
      And the listing reports that it is <flag>
      And the envelope has {"status": "<status>"}
      And the tree is unchanged

      Examples:
        | id            | arguments                 | flag      | status  |
        | LS-PAGE-03-01 | {}                        | complete  | success |
        | LS-PAGE-03-02 | {"limit": 6}              | complete  | success |
        | LS-PAGE-03-03 | {"limit": 5}              | truncated | partial |
        | LS-PAGE-03-04 | {"limit": 1}              | truncated | partial |
        | LS-PAGE-03-05 | {"offset": 2, "limit": 2} | truncated | partial |
        | LS-PAGE-03-06 | {"path": "e"}             | complete  | success |
        | LS-PAGE-03-102 | {"ignore": ["*.txt"]}    | complete  | success |

    @LS-PAGE-03-103 @interpretation:AMB-LS-24
    Scenario: a complete listing with a link that leads nowhere
      Given the tree "a, l->gone"
      When LS is called with {}
      Then the entries are "a, l"
      And the listing reports that it is complete
      And the envelope has {"status": "success"}
      And the tree is unchanged

    @LS-PAGE-03-101
    Scenario: a page of the default size
      Given the tree "f000..f100"
      When LS is called with {}
      Then there are 100 entries
      And the listing reports that it is truncated
      And the envelope has {"status": "partial"}
      And the tree is unchanged

    @LS-PAGE-03-07
    Scenario: the status of a last page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"offset": 4, "limit": 2}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And a control call with {"offset": 4, "limit": 2} lists "d.txt"
      And by AMB-LS-01 the answer is one of
        | reading | envelope                                            |
        | a       | {"status": "success", "data": {"truncated": false}} |
        | b       | {"status": "partial", "data": {"truncated": true}}  |
      And the tree is unchanged

  @LS-PAGE-04
  Rule: the announced offsets lead through the whole list

    Scenario Outline: page by page
      Given the tree "a1/, a2/, a3/, b.txt, c.txt, d.txt"
      When LS is called page by page with <arguments>
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And a control call with {"offset": 1, "limit": 2} on the tree "a, b, c, d" lists "b, c"
      And the pages together list "<entries>"
      And the tree is unchanged

      Examples:
        | id            | arguments                            | entries                          |
        | LS-PAGE-04-01 | {"limit": 1}                         | a1, a2, a3, b.txt, c.txt, d.txt   |
        | LS-PAGE-04-02 | {"limit": 2}                         | a1, a2, a3, b.txt, c.txt, d.txt   |
        | LS-PAGE-04-03 | {"limit": 4}                         | a1, a2, a3, b.txt, c.txt, d.txt   |
        | LS-PAGE-04-04 | {"limit": 5}                         | a1, a2, a3, b.txt, c.txt, d.txt   |
        | LS-PAGE-04-05 | {"limit": 6}                         | a1, a2, a3, b.txt, c.txt, d.txt   |
        | LS-PAGE-04-06 | {"limit": 2, "offset": 1}            | a2, a3, b.txt, c.txt, d.txt       |
        | LS-PAGE-04-08 | {"limit": 3, "include_hidden": true} | a1, a2, a3, b.txt, c.txt, d.txt |

    # Which order they have is open (AMB-LS-26). In an order that changes, a page shows what an earlier one has shown.
    @LS-PAGE-04-101 @needs:case_sensitive
    Scenario: names that differ in case only
      Given the tree "AB, Ab, aB, ab"
      When LS is called page by page with {"limit": 1}
      Then the pages together list, in any order, "AB, Ab, aB, ab"
      And the tree is unchanged

  @LS-PAGE-05
  Rule: an offset behind the end is no error

    Scenario Outline: just at the end of the list
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call with {"offset": 1, "limit": 1} on the tree "a, b, c" lists "b"
      And by AMB-LS-70 the answer is one of
        | reading | envelope                                            | count | refused       |
        | a       | {"status": "success", "data": {"truncated": false}} | 0     |               |
        | b       | {"status": "partial", "data": {"truncated": true}}  | 0     |               |
        | c       |                                                     |       | INVALID_PARAM |
      And a control call with {} lists "a1, a2, b.txt, c.txt, d.txt"
      And the tree is unchanged

      Examples:
        | id            | arguments                 |
        | LS-PAGE-05-01 | {"offset": 5}             |
        | LS-PAGE-05-04 | {"offset": 5, "limit": 1} |

    Scenario Outline: behind the end of the list
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call with {"offset": 1, "limit": 1} on the tree "a, b, c" lists "b"
      And by AMB-LS-02 the answer is one of
        | reading | envelope                                            | count | refused       |
        | a       | {"status": "success", "data": {"truncated": false}} | 0     |               |
        | b       | {"status": "partial", "data": {"truncated": true}}  | 0     |               |
        | c       |                                                     |       | INVALID_PARAM |
      And a control call with {} lists "a1, a2, b.txt, c.txt, d.txt"
      And the tree is unchanged

      Examples:
        | id            | arguments                       |
        | LS-PAGE-05-02 | {"offset": 99}                  |
        | LS-PAGE-05-101 | {"offset": 4294967296}         |
        | LS-PAGE-05-05 | {"offset": 9223372036854775807} |

    # An integer of 64 bits cannot hold these offsets, which are then wrong arguments. Of the last two, 0 and 1 are left
    # in 64 bits.
    Scenario Outline: an offset that 64 bits do not hold
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call with {"offset": 1, "limit": 1} on the tree "a, b, c" lists "b"
      And by AMB-LS-02 the answer is one of
        | reading | envelope                                            | count | refused       |
        | a       | {"status": "success", "data": {"truncated": false}} | 0     |               |
        | b       | {"status": "partial", "data": {"truncated": true}}  | 0     |               |
        | c       |                                                     |       | INVALID_PARAM |
        |         |                                                     |       | INVALID_PARAM |
      And a control call with {} lists "a1, a2, b.txt, c.txt, d.txt"
      And the tree is unchanged

      Examples:
        | id             | arguments                                   |
        | LS-PAGE-05-03  | {"offset": 1000000000000000000000000000000} |
        | LS-PAGE-05-102 | {"offset": 9223372036854775808}             |
        | LS-PAGE-05-103 | {"offset": 18446744073709551616}            |
        | LS-PAGE-05-104 | {"offset": 18446744073709551617}            |

    # Nothing follows the index 0 of an empty list, and the offset is the default one.
    Scenario Outline: the first page of an empty list
      Given the tree "e/, a.txt"
      When LS is called with <arguments>
      Then a control call with {} lists "e, a.txt"
      And the entries are ""
      And the tree is unchanged

      Examples:
        | id             | arguments                   |
        | LS-PAGE-05-105 | {"path": "e"}               |
        | LS-PAGE-05-106 | {"path": "e", "offset": 0}  |

    @LS-PAGE-05-06
    Scenario: no entries are shown there
      Given the tree "d1/, a.txt"
      When LS is called with {"offset": 2}
      Then a control call with {"offset": 1, "limit": 1} on the tree "a, b, c" lists "b"
      And the entries are ""
      And a control call with {} lists "d1, a.txt"
      And the tree is unchanged
