@ls
Feature: Directories come first, then files, each by name and without regard to case

  @LS-SORT-01
  Rule: directories before files

    Scenario Outline: directories before files: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries in order are "<entries>"

      Examples:
        | id             | case                                                             | tree                        | arguments                 | entries                |
        | LS-SORT-01-01  | names that would mix them                                        | b/, a, d/, c, f/, e, h/, g  | {}                        | b, d, f, h, a, c, e, g |
        | LS-SORT-01-02  | in a directory below                                             | src/{main.py, util/{x.py}}  | {"path": "src"}           | util, main.py          |
        | LS-SORT-01-03  | hidden ones too                                                  | .b/, .a, d/, c              | {"include_hidden": true}  | .b, d, .a, c           |
        | LS-SORT-01-101 | directories and files that cannot be read                        | m/, z/%0000{x}, a, b%0000=1 | {}                        | m, z, a, b             |
        | LS-SORT-01-04  | a page that begins among the directories and ends among the files | d1/, d2/, d3/, a, b, c      | {"offset": 2, "limit": 2} | d3, a                  |

  @LS-SORT-02
  Rule: by name, without regard to case

    @behaviour:BEH-06
    Scenario Outline: names in order: <case>
      Given the tree "<tree>"
      When LS is called with {}
      Then the entries in order are "<entries>"

      Examples:
        | id             | case                                                      | tree                                    | entries                                 |
        | LS-SORT-02-01  | capitals among small letters                              | zeta, Alpha, mid, apple, Banana, cherry | Alpha, apple, Banana, cherry, mid, zeta |
        | LS-SORT-02-07  | directories as well                                       | mid/, Zeta/, alpha/, Beta/              | alpha, Beta, mid, Zeta                  |
        | LS-SORT-02-02  | digits are characters and no numbers                      | f10, f2, f1, f20, F11                   | f1, f10, F11, f2, f20                   |
        | LS-SORT-02-03  | the beginning of a name before the whole                  | ab, a, abc, aB1                         | a, ab, aB1, abc                         |
        | LS-SORT-02-06  | by the whole name and not by the part before the last dot | b.a, a.b, c.a                           | a.b, b.a, c.a                           |
        | LS-SORT-02-101 | long names that differ in their last letter               | 'n'*200'b', 'n'*200'a', 'n'*200'C'      | 'n'*200'a', 'n'*200'b', 'n'*200'C'      |
        | LS-SORT-02-103 | whole numbers are names too                               | 10, 9, 1, 100, 2                        | 1, 10, 100, 2, 9                        |
        | LS-SORT-02-104 | links as well                                             | d/, c->d, B->d, a->d                    | a, B, c, d                              |

    @LS-SORT-02-04
    Scenario: however the directory was filled
      Given the tree "e, B, d, A, c, h, G, f"
      When LS is called with {}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2"
      Then the entries in order are "A, B, c, d, e, f, G, h"
      And all answers list the same entries

    @LS-SORT-02-05
    Scenario: what stands between capitals and small letters
      Given the tree "a_c, aB, ad"
      When LS is called with {}
      Then by AMB-LS-25 the answer is one of
        | reading | in order    |
        | a       | a_c, aB, ad |
        | b       | aB, ad, a_c |
        | c       | aB, a_c, ad |

    # A slash at the end of a name would stand behind blanks, dashes and dots.
    @LS-SORT-02-102
    Scenario: a directory before those whose names go on behind its own
      Given the tree "a/, 'a b'/, c/, c-d/, e/, e.f/"
      When LS is called with {}
      Then the entries in order are "a, 'a b', c, c-d, e, e.f"

    # Behind the name without the extension, a blank and a dash stand before the dot.
    @LS-SORT-02-105
    Scenario: not first by the name without the extension
      Given the tree "a.txt, 'a b.txt', c.txt, c-d.txt"
      When LS is called with {}
      Then the entries in order are "'a b.txt', a.txt, c-d.txt, c.txt"

  @LS-SORT-05
  Rule: names that differ in case only have a fixed order

    @LS-SORT-05-01
    Scenario: their order does not come from how the directory was filled
      Given the tree "README, readme, ReadMe, rEADME"
      When LS is called with {}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then all answers list the same entries
      And the entries are "README, ReadMe, rEADME, readme"

    @LS-SORT-05-02
    Scenario: which order that is
      Given the tree "b, B, a, A"
      When LS is called with {}
      Then by AMB-LS-26 the answer is one of
        | reading | in order   | entries    |
        | a       | A, a, B, b |            |
        | b       |            | A, a, B, b |
