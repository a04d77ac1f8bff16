@ls
Feature: Directories come first, then files, each by name and without regard to case

  @LS-SORT-01
  Rule: directories before files

    @LS-SORT-01-01
    Scenario: names that would mix them
      Given the tree "b/, a, d/, c, f/, e, h/, g"
      When LS is called with {}
      Then a control call on the tree "b, a, C" lists in order "a, b, C"
      And the entries in order are "b, d, f, h, a, c, e, g"
      And the tree is unchanged

    @LS-SORT-01-02
    Scenario: in a directory below
      Given the tree "src/{main.py, util/{x.py}}"
      When LS is called with {"path": "src"}
      Then a control call on the tree "b, a, C" lists in order "a, b, C"
      And the entries in order are "util, main.py"
      And the tree is unchanged

    @LS-SORT-01-03
    Scenario: hidden ones too
      Given the tree ".b/, .a, d/, c"
      When LS is called with {"include_hidden": true}
      Then a control call on the tree "b, a, C" lists in order "a, b, C"
      And the entries in order are ".b, d, .a, c"
      And the tree is unchanged

    @LS-SORT-01-101
    Scenario: directories and files that cannot be read
      Given the tree "m/, z/%0000{x}, a, b%0000=1"
      When LS is called with {}
      Then a control call on the tree "b, a, C" lists in order "a, b, C"
      And the entries in order are "m, z, a, b"
      And the tree is unchanged

    @LS-SORT-01-04
    Scenario: a page that begins among the directories and ends among the files
      Given the tree "d1/, d2/, d3/, a, b, c"
      When LS is called with {"offset": 2, "limit": 2}
      Then a control call on the tree "b, a, C" lists in order "a, b, C"
      And a control call with {"offset": 1, "limit": 2} on the tree "a, b, c, d" lists "b, c"
      And the entries in order are "d3, a"
      And the tree is unchanged

  @LS-SORT-02
  Rule: by name, without regard to case

    @LS-SORT-02-01
    Scenario: capitals among small letters
      Given the tree "zeta, Alpha, mid, apple, Banana, cherry"
      When LS is called with {}
      Then the entries in order are "Alpha, apple, Banana, cherry, mid, zeta"
      And the tree is unchanged

    @LS-SORT-02-07
    Scenario: directories as well
      Given the tree "mid/, Zeta/, alpha/, Beta/"
      When LS is called with {}
      Then the entries in order are "alpha, Beta, mid, Zeta"
      And the tree is unchanged

    @LS-SORT-02-02
    Scenario: digits are characters and no numbers
      Given the tree "f10, f2, f1, f20, F11"
      When LS is called with {}
      Then the entries in order are "f1, f10, F11, f2, f20"
      And the tree is unchanged

    @LS-SORT-02-03
    Scenario: the beginning of a name before the whole
      Given the tree "ab, a, abc, aB1"
      When LS is called with {}
      Then the entries in order are "a, ab, aB1, abc"
      And the tree is unchanged

    @LS-SORT-02-04
    Scenario: however the directory was filled
      Given the tree "e, B, d, A, c, h, G, f"
      When LS is called with {}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2"
      Then the entries in order are "A, B, c, d, e, f, G, h"
      And all answers list the same entries
      And the tree is unchanged

    @LS-SORT-02-05
    Scenario: what stands between capitals and small letters
      Given the tree "a_c, aB, ad"
      When LS is called with {}
      Then by AMB-LS-25 the answer is one of
        | reading | in order    |
        | a       | a_c, aB, ad |
        | b       | aB, ad, a_c |
        | c       | aB, a_c, ad |
      And the tree is unchanged

    @LS-SORT-02-06
    Scenario: by the whole name and not by the part before the last dot
      Given the tree "b.a, a.b, c.a"
      When LS is called with {}
      Then the entries in order are "a.b, b.a, c.a"
      And the tree is unchanged

    @LS-SORT-02-101
    Scenario: long names that differ in their last letter
      Given the tree "'n'*200'b', 'n'*200'a', 'n'*200'C'"
      When LS is called with {}
      Then the entries in order are "'n'*200'a', 'n'*200'b', 'n'*200'C'"
      And the tree is unchanged

    # A slash at the end of a name would stand behind blanks, dashes and dots.
    @LS-SORT-02-102
    Scenario: a directory before those whose names go on behind its own
      Given the tree "a/, 'a b'/, c/, c-d/, e/, e.f/"
      When LS is called with {}
      Then the entries in order are "a, 'a b', c, c-d, e, e.f"
      And the tree is unchanged

    @LS-SORT-02-103
    Scenario: whole numbers are names too
      Given the tree "10, 9, 1, 100, 2"
      When LS is called with {}
      Then the entries in order are "1, 10, 100, 2, 9"
      And the tree is unchanged

    @LS-SORT-02-104
    Scenario: links as well
      Given the tree "d/, c->d, B->d, a->d"
      When LS is called with {}
      Then a control call on the tree "d/, l->d, e/" lists in order "d, e, l"
      And the entries in order are "a, B, c, d"
      And the tree is unchanged

    # Behind the name without the extension, a blank and a dash stand before the dot.
    @LS-SORT-02-105
    Scenario: not first by the name without the extension
      Given the tree "a.txt, 'a b.txt', c.txt, c-d.txt"
      When LS is called with {}
      Then the entries in order are "'a b.txt', a.txt, c-d.txt, c.txt"
      And the tree is unchanged

  @LS-SORT-05
  Rule: names that differ in case only have a fixed order

    @LS-SORT-05-01
    Scenario: their order does not come from how the directory was filled
      Given the tree "README, readme, ReadMe, rEADME"
      When LS is called with {}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then all answers list the same entries
      And the entries are "README, ReadMe, rEADME, readme"
      And the tree is unchanged

    @LS-SORT-05-02
    Scenario: which order that is
      Given the tree "b, B, a, A"
      When LS is called with {}
      Then by AMB-LS-26 the answer is one of
        | reading | in order   | entries    |
        | a       | A, a, B, b |            |
        | b       |            | A, a, B, b |
      And the tree is unchanged
