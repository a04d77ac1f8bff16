@local_files
Feature: findFiles searches below a directory by a glob

  @LF-FIND-01
  Rule: every level is searched

    @LF-FIND-01-01
    Scenario: the document's glob
      Given the tree "A.java=1, src/{B.java=1, x/{C.java=1, d.txt=1}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "A.java, src/B.java, src/x/C.java"
      And the tree is unchanged

    @LF-FIND-01-02
    Scenario: ten levels
      Given the tree "a/{b/{c/{d/{e/{f/{g/{h/{i/{x.java=1}}}}}}}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "a/b/c/d/e/f/g/h/i/x.java"
      And the tree is unchanged

    @LF-FIND-01-03
    Scenario: a search root further down
      Given the tree "src/{B.java=1, x/{C.java=1}}, A.java=1"
      When findFiles is called with {"path": "$ROOT/src", "recursive": true, "glob": "**/*.java"}
      Then the entries are "B.java, x/C.java"
      And the tree is unchanged

    @LF-FIND-01-04
    Scenario: no match is an empty list
      Given the tree "a=1, d/{b=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.zip"}
      Then the entries are ""
      And a control call with {"path": "$ROOT"} lists "a, d"
      And the tree is unchanged

    @LF-FIND-01-101
    Scenario: what programs make is searched as well
      Given the tree "node_modules/{m/{a.java}}, target/{b.java}, build/{c.java}, venv/{d.java}, e.java"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "node_modules/m/a.java, target/b.java, build/c.java, venv/d.java, e.java"
      And the tree is unchanged

    @LF-FIND-01-102
    Scenario: a search root in other scripts
      Given the tree "'é文'/{A.java, '\U0001f600'/{B.java}}, C.java"
      When findFiles is called with exactly {"path": "$ROOT/é文", "recursive": true, "glob": "**/*.java"}
      Then the entries are "A.java, '\U0001f600/B.java'"
      And the tree is unchanged

    @LF-FIND-01-05
    Scenario: a thousand matches
      Given the tree "d00..d39/{f00.java, f01.java, f02.java, f03.java, f04.java, f05.java, f06.java, f07.java, f08.java, f09.java, f10.java, f11.java, f12.java, f13.java, f14.java, f15.java, f16.java, f17.java, f18.java, f19.java, f20.java, f21.java, f22.java, f23.java, f24.java, g.txt}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then there are 1000 entries
      And the entries include "d00/f00.java, d39/f24.java"
      And the tree is unchanged

    @LF-FIND-01-06
    Scenario: a directory that may not be read
      Given the tree "a/{x.java}, locked/%0000{y.java}, m/{w.java}, z.java"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-15 the answer is one of
        | reading | entries                    | fails     |
        | skipped | a/x.java, m/w.java, z.java |           |
        | error   |                            | any error |
      And a control call with {"path": "$ROOT"} lists "a, locked, m, z.java"
      And the tree is unchanged

  @LF-FIND-02
  Rule: the glob decides what is found

    Scenario Outline: <glob>: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | case                               | glob           | tree                                          | entries               |
        | LF-FIND-02-01 | no level is a level as well        | **/*.java      | A.java=1, src/{B.java=1}                      | A.java, src/B.java    |
        | LF-FIND-02-02 | a pattern with a directory         | src/*.java     | A.java, src/{B.java, x/{C.java}}              | src/B.java            |
        | LF-FIND-02-03 | stars in the middle                | src/**/*.java  | A.java, src/{B.java, x/{C.java, y/{D.java}}}  | src/B.java, src/x/C.java, src/x/y/D.java |
        | LF-FIND-02-04 | one character, and one of several  | [ab]?          | a1, b1, ab1, c1, a                            | a1, b1                |
        | LF-FIND-02-05 | the whole name has to match        | **/*.java      | x.java, x.java.bak, my.javax, java            | x.java                |
        | LF-FIND-02-07 | a plain path                       | b/a            | a, b/{a, c/{a}}                               | b/a                   |
        | LF-FIND-02-08 | a dot is a dot                     | **/a.c         | a.c, abc, x/{a.c, axc}                        | a.c, x/a.c            |
        | LF-FIND-02-09 | plus and parentheses are plain     | **/a+(1)       | 'a+(1)', aa1, x/{'a+(1)'}                     | 'a+(1)', 'x/a+(1)'    |
        | LF-FIND-02-10 | a star may stand for nothing       | a*b            | ab, axb, axbc, b                              | ab, axb               |
        | LF-FIND-02-11 | several stars                      | a*b*c          | abc, axbyc, acb                               | abc, axbyc            |
        | LF-FIND-02-12 | a question mark is one character   | a?c            | abc, ac, abbc, 'aéc'                          | abc, 'aéc'            |
        | LF-FIND-02-13 | a range                            | [a-c]1         | a1, b1, c1, d1                                | a1, b1, c1            |
        | LF-FIND-02-14 | everything that is not             | [!a]1          | a1, b1, c1                                    | b1, c1                |
        | LF-FIND-02-15 | a star does not cross a slash      | src/*/D.java   | src/{D.java, x/{D.java, y/{D.java}}}          | src/x/D.java          |
        | LF-FIND-02-16 | two times two stars                | **/x/**/*.java | x/{A.java, y/{B.java}}, z/{x/{C.java}, D.java} | x/A.java, x/y/B.java, z/x/C.java |
        | LF-FIND-02-101 | levels end where names begin      | **/a.c         | a.c, xa.c, x/{a.c, ya.c}, y/{za.c}            | a.c, x/a.c            |
        | LF-FIND-02-102 | a question mark is no slash       | a?c            | abc, a/{c}                                    | abc                   |
        | LF-FIND-02-104 | two sets, one after the other    | [ab][cd]       | ac, bd, ab, cd, a, acd                        | ac, bd                |
        | LF-FIND-02-105 | a set of one character            | [a]b           | ab, bb, b                                     | ab                    |
        | LF-FIND-02-106 | a comma behind alternatives       | {a,b},c        | 'a,c', 'b,c', a, c                            | 'a,c', 'b,c'          |
        | LF-FIND-02-17 | blanks                             | **/*.txt       | 'a b.txt', d/{'c d.txt'}                      | 'a b.txt', 'd/c d.txt' |

    @LF-FIND-02-103
    Scenario: blanks at the ends of a glob are characters
      Given the tree "'a ', a, ' a'"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "a "}
      Then the entries are "'a '"
      And the tree is unchanged

    Scenario Outline: a glob in other scripts: <glob>
      Given the tree "<tree>"
      When findFiles is called with exactly {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id             | glob    | tree                                       | entries               |
        | LF-FIND-02-107 | **/é*   | 'é1', e1, x/{'é文', 'ê', y/{'é'}}          | 'é1', 'x/é文', 'x/y/é' |
        | LF-FIND-02-108 | **/😀.c | '\U0001f600.c', x/{'\U0001f600.c', '\U0001f601.c'} | '\U0001f600.c', 'x/\U0001f600.c' |
        | LF-FIND-02-109 | [é文]1  | 'é1', '文1', e1, 'ê1'                      | 'é1', '文1'           |

    @LF-FIND-02-110
    Scenario: a line break is a character of a name like any other
      Given the tree "'d\ne'/{A.java}, 'n\nm.java', B.java, 'C.java\n'"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "'d\ne/A.java', 'n\nm.java', B.java"
      And the tree is unchanged

    @LF-FIND-02-18 @needs:case_sensitive
    Scenario: case matters
      Given the tree "A.JAVA=1, b.java=1"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "b.java"
      And the tree is unchanged

    @LF-FIND-02-19
    Scenario: a star without a directory
      Given the tree "A.java=1, src/{B.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "*.java"}
      Then by AMB-LF-12 the answer is one of
        | reading  | entries            |
        | relative | A.java             |
        | shell    | A.java             |
        | by_name  | A.java, src/B.java |
      And the tree is unchanged

    @LF-FIND-02-06
    Scenario: a plain name
      Given the tree "a, aa, b/{a}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "a"}
      Then by AMB-LF-12 the answer is one of
        | reading  | entries |
        | relative | a       |
        | shell    | a       |
        | by_name  | a, b/a  |
      And the tree is unchanged

    Scenario Outline: alternatives: <glob>
      Given the tree "A.java=1, src/{d.txt=1, e.md=1, F.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | glob               | entries                        |
        | LF-FIND-02-20 | **/*.{txt,java}    | A.java, src/d.txt, src/F.java  |
        | LF-FIND-02-21 | {A,B}.java         | A.java                         |
        | LF-FIND-02-22 | src/{d,e}.{txt,md} | src/d.txt, src/e.md            |

    @LF-FIND-02-23
    Scenario: hidden names take part
      Given the tree ".hid/{E.java=1}, A.java=1, .F.java=1"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-12 the answer is one of
        | reading  | entries                       |
        | relative | .hid/E.java, A.java, .F.java  |
        | by_name  | .hid/E.java, A.java, .F.java  |
        | shell    | A.java                        |
      And the tree is unchanged

    @LF-FIND-02-111
    Scenario: of hidden directories all take part, or none
      Given the tree ".git/{A.java, x/{B.java}}, .hid/{C.java}, D.java"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-12 the answer is one of
        | reading  | entries                                        |
        | relative | .git/A.java, .git/x/B.java, .hid/C.java, D.java |
        | by_name  | .git/A.java, .git/x/B.java, .hid/C.java, D.java |
        | shell    | D.java                                         |
      And the tree is unchanged

  @LF-FIND-03
  Rule: what is found are the same entries

    @LF-FIND-03-01
    Scenario: kinds, absolute paths, sizes and times
      Given the tree "src/{B.java=12@1762473883050}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entry "src/B.java" has {"@type": "FileEntry", "name": "B.java", "path": "$ROOT/src/B.java", "size": 12, "lastModified": 1762473883050}
      And every entry has the members of its kind and no other
      And the tree is unchanged

    @LF-FIND-03-02
    Scenario: a directory and links whose names match
      Given the tree "B.java=1, dir.java/, l.java->B.java, p.java:fifo"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-11 the answer is one of
        | reading | entries                          | fields                                                                                                                 |
        | all     | B.java, dir.java, l.java, p.java | {"dir.java": {"@type": "DirectoryEntry"}, "l.java": {"@type": "SymbolicLinkEntry", "target": "B.java"}, "p.java": {"@type": "OtherEntry"}} |
        | files   | B.java                           |                                                                                                                        |
      And the tree is unchanged

    @LF-FIND-03-101
    Scenario: links further down have their own targets
      Given the tree "l.java->src/B.java, src/{B.java, l.java->B.java, x/{l.java->../B.java}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-11 the answer is one of
        | reading | entries                                          | fields                                                                                                              |
        | all     | l.java, src/B.java, src/l.java, src/x/l.java     | {"l.java": {"target": "src/B.java"}, "src/l.java": {"target": "B.java"}, "src/x/l.java": {"target": "../B.java"}} |
        | files   | src/B.java                                       |                                                                                                                     |
      And the tree is unchanged

    @LF-FIND-03-03
    Scenario: names and paths of what is found further down
      Given the tree "a/{b/{x.c=1, y.c=2}}, z.c=3"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.c"}
      Then every name is the last component of its path
      And every path is absolute, and leads to the entry
      And the entries have
        | entry   | name  | size |
        | a/b/x.c | "x.c" | 1    |
        | a/b/y.c | "y.c" | 2    |
        | z.c     | "z.c" | 3    |
      And the tree is unchanged

  @LF-FIND-04
  Rule: without recursion the immediate children are searched

    Scenario Outline: one level: <glob>
      Given the tree "A.java=1, src/{B.java=1, x/{C.java=1}}, d.txt"
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "<glob>"}
      Then the entries are "A.java"
      And the tree is unchanged

      Examples:
        | id            | glob      |
        | LF-FIND-04-01 | **/*.java |
        | LF-FIND-04-02 | *.java    |
        | LF-FIND-04-03 | A.*       |

    @LF-FIND-04-04
    Scenario: what lies deeper is not found without recursion
      Given the tree "A.java=1, src/{B.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "src/*.java"}
      Then the entries are ""
      And a control call with {"path": "$ROOT"} lists "A.java, src"
      And the tree is unchanged

    @LF-FIND-04-05
    Scenario: nothing below is opened without recursion
      Given the tree "A.java=1, src/{B.java=1}"
      And opened directories are watched
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "**/*.java"}
      Then the entries are "A.java"
      And "src" was never opened
      And the tree is unchanged

  @LF-FIND-05
  Rule: a search does not go through links

    Scenario Outline: not through <case>
      Given the tree "<tree>"
      And beside the sandbox the tree "outside/{O.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | case                        | tree                            | entries              |
        | LF-FIND-05-01 | a link to the directory above | src/{B.java=1, up->..}        | src/B.java           |
        | LF-FIND-05-02 | a link to a sibling         | src/{B.java=1}, ld->src         | src/B.java           |
        | LF-FIND-05-03 | a link that leads elsewhere | out->../outside, B.java         | B.java               |
        | LF-FIND-05-04 | a link to itself            | me->me, B.java                  | B.java               |
        | LF-FIND-05-05 | links to each other         | a/{tob->../b}, b/{toa->../a, C.java} | b/C.java        |

    @LF-FIND-05-06
    Scenario: a pattern that names a link
      Given the tree "src/{B.java=1}, ld->src"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "ld/*.java"}
      Then the entries are ""
      And a control call with {"path": "$ROOT/src"} lists "B.java"
      And the tree is unchanged
