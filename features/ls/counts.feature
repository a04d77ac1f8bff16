@ls
Feature: The stats count the whole list, by type, and the page

  @LS-STAT-01
  Rule: total_entries counts what the filters leave, on all pages

    Scenario Outline: the whole list is counted
      Given the tree "a.log, b.txt, c.log, d.txt, e.txt, .hid, build/{x}"
      When LS is called with <arguments>
      Then a control call with <filters> lists "<listed>"
      And the envelope has {"stats": {"total_entries": <total>}}
      And the tree is unchanged

      Examples:
        | id            | arguments                                      | filters                  | listed                                        | total |
        | LS-STAT-01-01 | {}                                             | {}                       | a.log, b.txt, c.log, d.txt, e.txt             | 5     |
        | LS-STAT-01-02 | {"ignore": ["*.log"]}                          | {"ignore": ["*.log"]}    | b.txt, d.txt, e.txt                           | 3     |
        | LS-STAT-01-03 | {"ignore": ["*.log"], "limit": 2}              | {"ignore": ["*.log"]}    | b.txt, d.txt, e.txt                           | 3     |
        | LS-STAT-01-04 | {"ignore": ["*.log"], "limit": 1, "offset": 1} | {"ignore": ["*.log"]}    | b.txt, d.txt, e.txt                           | 3     |
        | LS-STAT-01-05 | {"include_hidden": true}                       | {"include_hidden": true} | a.log, b.txt, c.log, d.txt, e.txt, .hid, build | 7     |
        | LS-STAT-01-06 | {"ignore": ["*"]}                              | {"ignore": ["*.log"]}    | b.txt, d.txt, e.txt                           | 0     |

    @LS-STAT-01-07
    Scenario: the list of a directory below
      Given the tree "sub/{x}, a.txt, b.txt"
      When LS is called with {"path": "sub"}
      Then a control call with {"path": "sub"} lists "x"
      And the envelope has {"stats": {"total_entries": 1}}
      And the tree is unchanged

    @LS-STAT-01-08
    Scenario: the numbers of the published example
      Given the tree "agents/, code/, core/, docs/, tests/, f000..f111, lnk0->f000, lnk1->f001, lnk2->f002"
      When LS is called with {"path": ".", "limit": 2}
      Then the envelope has {"stats": {"total_entries": 120}}
      And a control call with {} on the tree "a, d/" lists "a, d"
      And the tree is unchanged

    @LS-STAT-01-101
    Scenario: six hundred entries
      Given the tree "f000..f599"
      When LS is called with {"offset": 598}
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And a control call with {"offset": 598} lists "f598, f599"
      And the envelope has {"stats": {"total_entries": 600}}
      And a control call with {} on the tree "a, d/" lists "a, d"
      And the tree is unchanged

    @LS-STAT-01-09
    Scenario: an entry whose name is not UTF-8 counts
      Given the tree "'bad\xff', '\xfe\xfd', ok"
      When LS is called with {}
      Then by AMB-LS-27 the answer is one of
        | reading | envelope                        | refused        |
        | a       | {"stats": {"total_entries": 3}} |                |
        | b       | {"stats": {"total_entries": 3}} |                |
        | c       | {"stats": {"total_entries": 1}} |                |
        | d       |                                 | INTERNAL_ERROR |
      And a control call with {} on the tree "ok, other/" lists "ok, other"
      And the tree is unchanged

  @LS-STAT-02
  Rule: dirs, files and links count the whole list by type

    @LS-STAT-02-01
    Scenario: the numbers of the published example by type
      Given the tree "agents/, code/, core/, docs/, tests/, f000..f111, lnk0->f000, lnk1->f001, lnk2->f002"
      When LS is called with {"path": ".", "limit": 2}
      Then the envelope has {"stats": {"dirs": 5, "files": 112, "links": 3}}
      And a control call with {} on the tree "a, d/" lists "a, d"
      And the tree is unchanged

    @LS-STAT-02-02
    Scenario: a link to a directory is a link
      Given the tree "real/{x}, zdir/, todir->real, tofile->f, f, gone->nope"
      When LS is called with {}
      Then a control call with {} lists "real, zdir, todir, tofile, f, gone"
      And the envelope has {"stats": {"dirs": 2, "files": 1, "links": 3}}
      And the tree is unchanged

    Scenario Outline: every page has the counts of the whole list
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt, l->d1"
      When LS is called with <arguments>
      Then a control call with {} lists "d1, d2, a.txt, b.txt, c.txt, l"
      And the envelope has {"stats": {"dirs": 2, "files": 3, "links": 1}}
      And the tree is unchanged

      Examples:
        | id            | arguments                 |
        | LS-STAT-02-03 | {"limit": 1}              |
        | LS-STAT-02-04 | {"offset": 3, "limit": 1} |
        | LS-STAT-02-05 | {"offset": 5}             |
        | LS-STAT-02-06 | {"offset": 99}            |

    @LS-STAT-02-07
    Scenario: what is left out is not counted
      Given the tree "d/, build/, .git/, a.log, b, .h"
      When LS is called with {"ignore": ["*.log"]}
      Then a control call with {"ignore": ["*.log"]} lists "d, b"
      And the envelope has {"stats": {"dirs": 1, "files": 1, "links": 0}}
      And the tree is unchanged

    @LS-STAT-02-101
    Scenario: pipes and sockets count as what they are listed as
      Given the tree "p:fifo, s:sock, d/, f"
      When LS is called with {}
      Then by AMB-LS-22 the answer is one of
        | reading | entries    | envelope                                       |
        | a       | d, f, p, s | {"stats": {"dirs": 1, "files": 3, "links": 0}} |
        | b       | d, f       | {"stats": {"dirs": 1, "files": 1, "links": 0}} |
      And the tree is unchanged

    @LS-STAT-02-08
    Scenario: an empty directory has zeros
      Given the tree "e/, f"
      When LS is called with {"path": "e"}
      Then the envelope has {"stats": {"dirs": 0, "files": 0, "links": 0}}
      And a control call with {} lists "e, f"
      And the tree is unchanged

  @LS-STAT-03
  Rule: returned counts the page

    Scenario Outline: entries on the page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then a control call on the tree "B, d/, a, C/, e, f/" lists in order "C, d, f, a, B, e"
      And a control call with <page> lists "<listed>"
      And the envelope has {"stats": {"returned": <returned>}}
      And the tree is unchanged

      Examples:
        | id            | arguments                 | page                      | listed                      | returned |
        | LS-STAT-03-01 | {}                        | {}                        | a1, a2, b.txt, c.txt, d.txt | 5        |
        | LS-STAT-03-02 | {"limit": 2}              | {"limit": 2}              | a1, a2                      | 2        |
        | LS-STAT-03-03 | {"offset": 3, "limit": 5} | {"offset": 3, "limit": 5} | c.txt, d.txt                | 2        |
        | LS-STAT-03-04 | {"offset": 5}             | {"offset": 4}             | d.txt                       | 0        |
        | LS-STAT-03-05 | {"ignore": ["*.txt"]}     | {"ignore": ["*.txt"]}     | a1, a2                      | 2        |
        | LS-STAT-03-06 | {"offset": 7}             | {"offset": 4}             | d.txt                       | 0        |
