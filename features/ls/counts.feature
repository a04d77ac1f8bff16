@ls
Feature: The stats count the whole list, by type, and the page

  @LS-STAT-01
  Rule: total_entries counts what the filters leave, on all pages

    Scenario Outline: total_entries counts the whole list: <what>
      Given the tree "a.log, b.txt, c.log, d.txt, e.txt, .hid, build/{x}"
      When LS is called with <arguments>
      Then the envelope has {"stats": {"total_entries": <total>}}

      Examples:
        | id            | what                           | arguments                                      | total |
        | LS-STAT-01-01 | without filters                | {}                                             | 5     |
        | LS-STAT-01-02 | with a pattern                 | {"ignore": ["*.log"]}                          | 3     |
        | LS-STAT-01-03 | with a pattern and a limit     | {"ignore": ["*.log"], "limit": 2}              | 3     |
        | LS-STAT-01-04 | with a pattern on a later page | {"ignore": ["*.log"], "limit": 1, "offset": 1} | 3     |
        | LS-STAT-01-05 | with hidden entries            | {"include_hidden": true}                       | 7     |
        | LS-STAT-01-06 | with nothing left              | {"ignore": ["*"]}                              | 0     |

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

  @LS-STAT-02
  Rule: dirs, files and links count the whole list by type

    @LS-STAT-02-02
    Scenario: a link to a directory is a link
      Given the tree "real/{x}, zdir/, todir->real, tofile->f, f, gone->nope"
      When LS is called with {}
      Then the envelope has {"stats": {"dirs": 2, "files": 1, "links": 3}}

    Scenario Outline: dirs, files and links of <what> are those of the whole list
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt, l->d1"
      When LS is called with <arguments>
      Then the envelope has {"stats": {"dirs": 2, "files": 3, "links": 1}}

      Examples:
        | id            | what                  | arguments                 |
        | LS-STAT-02-03 | a first page          | {"limit": 1}              |
        | LS-STAT-02-04 | a page in the middle  | {"offset": 3, "limit": 1} |
        | LS-STAT-02-05 | a last page           | {"offset": 5}             |
        | LS-STAT-02-06 | a page behind the end | {"offset": 99}            |

    @LS-STAT-02-07
    Scenario: what is left out is not counted
      Given the tree "d/, build/, .git/, a.log, b, .h"
      When LS is called with {"ignore": ["*.log"]}
      Then the envelope has {"stats": {"dirs": 1, "files": 1, "links": 0}}

    @LS-STAT-02-101
    Scenario: pipes and sockets count as what they are listed as
      Given the tree "p:fifo, s:sock, d/, f"
      When LS is called with {}
      Then by AMB-LS-22 the answer is one of
        | reading | entries    | envelope                                       |
        | a       | d, f, p, s | {"stats": {"dirs": 1, "files": 3, "links": 0}} |
        | b       | d, f       | {"stats": {"dirs": 1, "files": 1, "links": 0}} |

  @LS-STAT-03
  Rule: returned counts the page

    Scenario Outline: returned of <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then the envelope has {"stats": {"returned": <returned>}}

      Examples:
        | id            | what                         | arguments                 | returned |
        | LS-STAT-03-01 | a whole list                 | {}                        | 5        |
        | LS-STAT-03-03 | a last page that is not full | {"offset": 3, "limit": 5} | 2        |
        | LS-STAT-03-06 | a page behind the end        | {"offset": 7}             | 0        |
