@ls
Feature: A page is a slice of the filtered and sorted list, and whoever goes on gets all of it

  @LS-PAGE-01
  Rule: a page begins at offset and holds limit entries at most

    Scenario Outline: of five entries <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then the entries in order are "<entries>"

      Examples:
        | id            | what                   | arguments     | entries                     |
        | LS-PAGE-01-01 | the first two          | {"limit": 2}  | a1, a2                      |
        | LS-PAGE-01-04 | all from the second on | {"offset": 1} | a2, b.txt, c.txt, d.txt     |
        | LS-PAGE-01-06 | all five               | {"limit": 5}  | a1, a2, b.txt, c.txt, d.txt |

    Scenario Outline: a slice: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries in order are "<entries>"

      Examples:
        | id             | case                                                           | tree                                   | arguments                  | entries             |
        | LS-PAGE-01-09  | the form of the published example, a directory and then a file | agents/, readme.md, a_second.md, zz.md | {"path": ".", "limit": 2}  | agents, a_second.md |
        | LS-PAGE-01-10  | a page in the middle of a long list                            | f000..f100                             | {"offset": 50, "limit": 3} | f050, f051, f052    |
        | LS-PAGE-01-102 | the list is sorted before it is cut                            | z/, B, a, C, D/                        | {"offset": 1, "limit": 2}  | z, a                |

    @LS-PAGE-01-101
    Scenario: entries of every type count
      Given the tree "d/, l1->d, l2->d, l3->gone, f, e/"
      When LS is called with {"limit": 2}
      Then there are 2 entries

    @LS-PAGE-01-103
    Scenario: the same call shows the same page again
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"limit": 2}
      And LS is called again with {"limit": 2}
      Then the entries in order are "a1, a2"

    @LS-PAGE-01-104
    Scenario: what an earlier call left out is there on a later page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"ignore": ["a*", "b*"]}
      And LS is called again with {"offset": 1, "limit": 2}
      Then the entries in order are "a2, b.txt"

  @LS-PAGE-02
  Rule: truncated says that something was cut off

    Scenario Outline: truncated of five entries: <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then the envelope has {"data": {"truncated": <truncated>}}

      Examples:
        | id             | what                                 | arguments                         | truncated |
        | LS-PAGE-02-02  | one follows                          | {"limit": 4}                      | true      |
        | LS-PAGE-02-04  | the limit is one more                | {"limit": 6}                      | false     |
        | LS-PAGE-02-05  | the limit is the highest             | {"limit": 200}                    | false     |
        | LS-PAGE-02-06  | one precedes and one follows         | {"offset": 2, "limit": 2}         | true      |
        | LS-PAGE-02-107 | a pattern leaves two                 | {"ignore": ["*.txt"]}             | false     |
        | LS-PAGE-02-108 | a pattern leaves less than the limit | {"ignore": ["*.txt"], "limit": 5} | false     |

    Scenario Outline: the last page of several, <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then by AMB-LS-01 the answer is one of
        | reading | envelope                       |
        | a       | {"data": {"truncated": false}} |
        | b       | {"data": {"truncated": true}}  |

      Examples:
        | id             | what                       | arguments                 |
        | LS-PAGE-02-10  | with a limit that it fills | {"offset": 4, "limit": 1} |
        | LS-PAGE-02-101 | without a limit            | {"offset": 4}             |

    @LS-PAGE-02-105
    Scenario: only links follow
      Given the tree "a/, l->a, m->a, n->a"
      When LS is called with {"limit": 2}
      Then there are 2 entries
      And the envelope has {"data": {"truncated": true}}

    @LS-PAGE-02-106
    Scenario: only directories follow
      Given the tree "a/, b/, c/"
      When LS is called with {"limit": 2}
      Then there are 2 entries
      And the envelope has {"data": {"truncated": true}}

    Scenario Outline: a page of more than 200 entries: <what>
      Given the tree "f000..f202"
      When LS is called with <arguments>
      Then there are <count> entries
      And the envelope has {"data": {"truncated": true}}

      Examples:
        | id             | what                                    | arguments                   | count |
        | LS-PAGE-02-102 | two from an offset of three digits on   | {"offset": 101, "limit": 2} | 2     |
        | LS-PAGE-02-103 | with the highest limit                  | {"limit": 200}              | 200   |
        | LS-PAGE-02-104 | with the default limit behind an offset | {"offset": 102}             | 100   |

  @LS-PAGE-03
  Rule: what is truncated is partial, what is not is a success

    Scenario Outline: status and flag of <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt, e/"
      When LS is called with <arguments>
      Then the envelope has {"status": "<status>", "data": {"truncated": <flag>}}

      Examples:
        | id             | what                        | arguments                 | flag  | status  |
        | LS-PAGE-03-01  | a listing without arguments | {}                        | false | success |
        | LS-PAGE-03-02  | a page as long as the list  | {"limit": 6}              | false | success |
        | LS-PAGE-03-03  | a page that lacks one entry | {"limit": 5}              | true  | partial |
        | LS-PAGE-03-04  | a page of one entry         | {"limit": 1}              | true  | partial |
        | LS-PAGE-03-05  | a page in the middle        | {"offset": 2, "limit": 2} | true  | partial |
        | LS-PAGE-03-06  | an empty directory          | {"path": "e"}             | false | success |
        | LS-PAGE-03-102 | a listing with a pattern    | {"ignore": ["*.txt"]}     | false | success |

    @LS-PAGE-03-07
    Scenario: the status of a last page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"offset": 4, "limit": 2}
      Then by AMB-LS-01 the answer is one of
        | reading | envelope                                            |
        | a       | {"status": "success", "data": {"truncated": false}} |
        | b       | {"status": "partial", "data": {"truncated": true}}  |

  @LS-PAGE-04
  Rule: the announced offsets lead through the whole list

    Scenario Outline: page by page with <what>
      Given the tree "a1/, a2/, a3/, b.txt, c.txt, d.txt"
      When LS is called page by page with <arguments>
      Then the pages together list "<entries>"

      Examples:
        | id            | what                             | arguments                            | entries                         |
        | LS-PAGE-04-01 | one entry on each                | {"limit": 1}                         | a1, a2, a3, b.txt, c.txt, d.txt |
        | LS-PAGE-04-02 | two entries on each, three pages | {"limit": 2}                         | a1, a2, a3, b.txt, c.txt, d.txt |
        | LS-PAGE-04-03 | four entries on each             | {"limit": 4}                         | a1, a2, a3, b.txt, c.txt, d.txt |
        | LS-PAGE-04-04 | one entry on the last            | {"limit": 5}                         | a1, a2, a3, b.txt, c.txt, d.txt |
        | LS-PAGE-04-05 | all entries on one               | {"limit": 6}                         | a1, a2, a3, b.txt, c.txt, d.txt |
        | LS-PAGE-04-06 | an offset on the first           | {"limit": 2, "offset": 1}            | a2, a3, b.txt, c.txt, d.txt     |
        | LS-PAGE-04-08 | the argument include_hidden      | {"limit": 3, "include_hidden": true} | a1, a2, a3, b.txt, c.txt, d.txt |

    # Which order they have is open (AMB-LS-26). In an order that changes, a page shows what an earlier one has shown.
    @LS-PAGE-04-101 @needs:case_sensitive
    Scenario: names that differ in case only
      Given the tree "AB, Ab, aB, ab"
      When LS is called page by page with {"limit": 1}
      Then the pages together list, in any order, "AB, Ab, aB, ab"

  @LS-PAGE-05
  Rule: an offset behind the end is no error

    Scenario Outline: an offset just at the end of the list, <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then by AMB-LS-70 the answer is one of
        | reading | envelope                                            | count | refused       |
        | a       | {"status": "success", "data": {"truncated": false}} | 0     |               |
        | b       | {"status": "partial", "data": {"truncated": true}}  | 0     |               |
        | c       |                                                     |       | INVALID_PARAM |

      Examples:
        | id            | what            | arguments                 |
        | LS-PAGE-05-01 | without a limit | {"offset": 5}             |
        | LS-PAGE-05-04 | with a limit    | {"offset": 5, "limit": 1} |

    Scenario Outline: an offset behind the end of the list: <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then by AMB-LS-02 the answer is one of
        | reading | envelope                                            | count | refused       |
        | a       | {"status": "success", "data": {"truncated": false}} | 0     |               |
        | b       | {"status": "partial", "data": {"truncated": true}}  | 0     |               |
        | c       |                                                     |       | INVALID_PARAM |

      Examples:
        | id             | what                   | arguments                       |
        | LS-PAGE-05-02  | 99                     | {"offset": 99}                  |
        | LS-PAGE-05-101 | 0 in 32 bits           | {"offset": 4294967296}          |

    # JSON promises no integer beyond 53 bits, so that these offsets may be wrong arguments. Of the last two, 0 and 1 are
    # left in 64 bits.
    Scenario Outline: an offset beyond 53 bits: <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then by AMB-LS-02 the answer is one of
        | reading | envelope                                            | count | refused       |
        | a       | {"status": "success", "data": {"truncated": false}} | 0     |               |
        | b       | {"status": "partial", "data": {"truncated": true}}  | 0     |               |
        | c       |                                                     |       | INVALID_PARAM |
        |         |                                                     |       | INVALID_PARAM |

      Examples:
        | id             | what                 | arguments                                   |
        | LS-PAGE-05-03  | one of 31 digits     | {"offset": 1000000000000000000000000000000} |
        | LS-PAGE-05-05  | the largest of 63 bits | {"offset": 9223372036854775807}           |
        | LS-PAGE-05-102 | the first of 64 bits | {"offset": 9223372036854775808}             |
        | LS-PAGE-05-103 | 0 in 64 bits         | {"offset": 18446744073709551616}            |
        | LS-PAGE-05-104 | 1 in 64 bits         | {"offset": 18446744073709551617}            |

    # Nothing follows the index 0 of an empty list, and the offset is the default one.
    Scenario Outline: the first page of an empty list <what>
      Given the tree "e/, a.txt"
      When LS is called with <arguments>
      Then the entries are ""

      Examples:
        | id             | what              | arguments                  |
        | LS-PAGE-05-105 | without an offset | {"path": "e"}              |
        | LS-PAGE-05-106 | with the offset 0 | {"path": "e", "offset": 0} |

    @LS-PAGE-05-06
    Scenario: no entries are shown there
      Given the tree "d1/, a.txt"
      When LS is called with {"offset": 2}
      Then the entries are ""
