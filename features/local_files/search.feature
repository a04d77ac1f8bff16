@local_files
Feature: findFiles searches below a directory by a glob

  @LF-FIND-01
  Rule: every level is searched

    @LF-FIND-01-01
    Scenario: the document's glob
      Given the tree "w/{A.java=1, src/{B.java=1, x/{C.java=1, d.txt=1}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "w/A.java, w/src/B.java, w/src/x/C.java"

    @LF-FIND-01-03
    Scenario: a search root further down
      Given the tree "src/{u/{B.java=1, x/{C.java=1}}}, A.java=1"
      When findFiles is called with {"path": "$ROOT/src", "recursive": true, "glob": "**/*.java"}
      Then the entries are "u/B.java, u/x/C.java"

    @LF-FIND-01-102
    Scenario: a search root in other scripts
      Given the tree "'é文'/{v/{A.java, '\U0001f600'/{B.java}}}, C.java"
      When findFiles is called with exactly {"path": "$ROOT/é文", "recursive": true, "glob": "**/*.java"}
      Then the entries include "v/A.java, 'v/\U0001f600/B.java'"

    # Forty files of a thousand match: what ends the search early loses some of them.
    @LF-FIND-01-07
    Scenario: a thousand entries, of which few match
      Given the tree "d00..d39/{A.java, f00.txt, f01.txt, f02.txt, f03.txt, f04.txt, f05.txt, f06.txt, f07.txt, f08.txt, f09.txt, f10.txt, f11.txt, f12.txt, f13.txt, f14.txt, f15.txt, f16.txt, f17.txt, f18.txt, f19.txt, f20.txt, f21.txt, f22.txt, f23.txt, f24.txt}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "d00/A.java, d01/A.java, d02/A.java, d03/A.java, d04/A.java, d05/A.java, d06/A.java, d07/A.java, d08/A.java, d09/A.java, d10/A.java, d11/A.java, d12/A.java, d13/A.java, d14/A.java, d15/A.java, d16/A.java, d17/A.java, d18/A.java, d19/A.java, d20/A.java, d21/A.java, d22/A.java, d23/A.java, d24/A.java, d25/A.java, d26/A.java, d27/A.java, d28/A.java, d29/A.java, d30/A.java, d31/A.java, d32/A.java, d33/A.java, d34/A.java, d35/A.java, d36/A.java, d37/A.java, d38/A.java, d39/A.java"

    @LF-FIND-01-06
    Scenario: a directory below that may not be read
      Given the tree "a/{x.java}, locked/%0000{y.java}, m/{w.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-15 the answer is one of
        | reading | entries            | fails     |
        | skipped | a/x.java, m/w.java |           |
        | error   |                    | any error |

  @LF-FIND-02
  Rule: the glob decides what is found

    # Every dialect agrees on these: the glob begins with two stars, each pair of stars has a level to stand for, and no
    # star finds more if it stands for a slash, also in a whole path: no name above begins with k.
    Scenario Outline: <glob>: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"

      Examples:
        | id            | case                               | glob             | tree                                            | entries                    |
        | LF-FIND-02-01 | every level                        | **/*.java        | w/{A.java=1, src/{B.java=1}}                    | w/A.java, w/src/B.java     |
        | LF-FIND-02-03 | stars in the middle                | **/src/**/*.java | w/{A.java, src/{x/{C.java, y/{D.java}}}}        | w/src/x/C.java, w/src/x/y/D.java |
        | LF-FIND-02-05 | the whole name has to match        | **/*.java        | w/{x.java, x.java.bak, my.javax, java}          | w/x.java                   |
        | LF-FIND-02-07 | a plain path                       | **/b/a           | w/{a, b/{a, c/{a}}}                             | w/b/a                      |
        | LF-FIND-02-08 | a dot is a dot                     | **/a.c           | w/{a.c, abc, x/{a.c, axc}}                      | w/a.c, w/x/a.c             |
        | LF-FIND-02-10 | a star may stand for nothing       | **/k*m           | w/{km, kxm, kxmc, m}                            | w/km, w/kxm                |
        | LF-FIND-02-11 | several stars                      | **/a*b*c         | w/{abc, axbyc, acb}                             | w/abc, w/axbyc             |
        | LF-FIND-02-16 | two times two stars                | **/x/**/*.java   | w/{x/{y/{B.java}}, z/{x/{q/{C.java}}, D.java}}  | w/x/y/B.java, w/z/x/q/C.java |
        | LF-FIND-02-101 | levels end where names begin      | **/a.c           | w/{a.c, xa.c, x/{a.c, ya.c}, y/{za.c}}          | w/a.c, w/x/a.c             |
        | LF-FIND-02-17 | blanks                             | **/*.txt         | w/{k, 'a b.txt', d/{k, 'c d.txt'}}              | 'w/a b.txt', 'w/d/c d.txt' |

    Scenario Outline: one level or more: <glob>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then by AMB-LF-50 the answer is one of
        | reading | entries   |
        | no      | <entries> |
        | yes     | <crossed> |

      Examples:
        | id             | glob            | tree                                     | entries        | crossed                          |
        | LF-FIND-02-02  | **/src/*.java   | w/{A.java, src/{B.java, x/{C.java}}}     | w/src/B.java   | w/src/B.java, w/src/x/C.java     |
        | LF-FIND-02-15  | **/src/*/D.java | w/{src/{D.java, x/{D.java, y/{D.java}}}} | w/src/x/D.java | w/src/x/D.java, w/src/x/y/D.java |

    @LF-FIND-02-102
    Scenario: one level or more: a question mark
      Given the tree "w/{abc, 'a?c', a/{c}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/a?c"}
      Then by AMB-LF-51 and AMB-LF-50 the answer is one of
        | reading | AMB-LF-50 | entries               |
        | one     | no        | 'w/a?c', w/abc        |
        | one     | yes       | w/a/c, 'w/a?c', w/abc |
        | plain   |           | 'w/a?c'               |

    @LF-FIND-02-318
    Scenario: ten thousand and one entries, searched and listed
      Given the tree "w/{f00000..f10000}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*"}
      Then the answer is one of
        | include                   | count        |
        | w/f00000, w/f05000, w/f10000 | [10001, 10002] |
      When listDirectory is called again with {"path": "$ROOT/w"}
      Then the entries include "f00000, f05000, f10000"
      And there are 10001 entries

    # A glob of a file that names what to ignore ends before the blanks at its end.
    @LF-FIND-02-103 @prudent
    Scenario: blanks at the ends of a glob are characters
      Given the tree "w/{'a ', c, ' a'}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/a "}
      Then the entries are "'w/a '"

    Scenario Outline: a glob in other scripts: <glob>
      Given the tree "<tree>"
      When findFiles is called with exactly {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"

      Examples:
        | id             | glob       | tree                                                     | entries                                  |
        | LF-FIND-02-107 | **/é*      | w/{'é1', e1, x/{'é文', 'ê', y/{'é'}}}                    | 'w/é1', 'w/x/é文', 'w/x/y/é'             |
        | LF-FIND-02-108 | **/😀.c    | w/{k, '\U0001f600.c', x/{k, '\U0001f600.c', '\U0001f601.c'}} | 'w/\U0001f600.c', 'w/x/\U0001f600.c'     |

    @LF-FIND-02-112 @needs:case_sensitive
    Scenario: a letter and its two pieces are different names
      Given the tree "w/{'é', 'e\u0301', a}"
      When findFiles is called with exactly {"path": "$ROOT", "recursive": true, "glob": "**/\u00e9"}
      Then the entries are "'w/é'"

    @LF-FIND-02-110
    Scenario: a line break is a character of a name like any other
      Given the tree "w/{'n\nm.java', B.java, 'C.java\n'}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "'w/n\nm.java', w/B.java"

    # The two stars of Java's own matcher stand for no line break.
    @LF-FIND-02-404 @prudent
    Scenario: a directory with a line break in its name is searched like any other
      Given the tree "'d\ne'/{A.java}, w/{B.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "'d\ne/A.java', w/B.java"

    @LF-FIND-02-18 @needs:case_sensitive
    Scenario: an extension in the other case
      Given the tree "w/{A.JAVA=1, b.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-47 the answer is one of
        | reading     | entries            |
        | sensitive   | w/b.java           |
        | insensitive | w/A.JAVA, w/b.java |

    @LF-FIND-02-19
    Scenario: a star without a directory
      Given the tree "A.java=1, src/{B.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "*.java"}
      Then by AMB-LF-44 and AMB-LF-37 and AMB-LF-50 the answer is one of
        | reading | AMB-LF-37 | AMB-LF-50 | entries            |
        | path    | below     | no        | A.java             |
        | name    |           |           | A.java, src/B.java |
        |         | anywhere  |           | A.java, src/B.java |
        |         |           | yes       | A.java, src/B.java |
        | path    | absolute  | no        | ""                 |

    @LF-FIND-02-06
    Scenario: a plain name
      Given the tree "a, aa, b/{a}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "a"}
      Then by AMB-LF-44 and AMB-LF-37 the answer is one of
        | reading | AMB-LF-37 | entries |
        | path    | below     | a       |
        | name    |           | a, b/a  |
        |         | anywhere  | a, b/a  |
        | path    | absolute  | ""      |

    # Whether the searched directory is found itself: AMB-LF-11.
    @LF-FIND-02-430
    Scenario: one star alone
      Given the tree "a, d/{b}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "*"}
      Then the answer is one of
        | entries | include   | count  |
        |         | a, d      | [2, 3] |
        |         | a         | 1      |
        |         | a, d, d/b | [3, 4] |
        |         | a, d/b    | 2      |
        | ""      |           |        |

    @LF-FIND-02-431
    Scenario: two stars alone
      Given the tree "a, d/{b, e/{c}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**"}
      Then by AMB-LF-52 and AMB-LF-11 the answer is one of
        | reading     | AMB-LF-11 | include             | count  |
        | everything  | all       | a, d, d/b, d/e, d/e/c | [5, 6] |
        | everything  | files     | a, d/b, d/e/c       | 3      |
        | directories | all       | d, d/e              | [2, 3] |
        | directories | files     |                     | 0      |
        | one_level   | all       | a, d                | [2, 3] |
        | one_level   | files     | a                   | 1      |
        | one_level   |           |                     | 0      |
        | one_level   | all       | a, d, d/b, d/e, d/e/c | [5, 6] |
        | one_level   | files     | a, d/b, d/e/c       | 3      |

    @LF-FIND-02-432
    Scenario: two stars at the end
      Given the tree "v/{a, w/{b, e/{c}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/w/**"}
      Then by AMB-LF-52 and AMB-LF-11 the answer is one of
        | reading     | AMB-LF-11 | include               | count  |
        | everything  | all       | v/w/b, v/w/e, v/w/e/c | [3, 4] |
        | everything  | files     | v/w/b, v/w/e/c        | 2      |
        | directories | all       | v/w/e                 | [1, 2] |
        | directories | files     |                       | 0      |
        | one_level   | all       | v/w/b, v/w/e          | 2      |
        | one_level   | files     | v/w/b                 | 1      |
        | one_level   | all       | v/w/b, v/w/e, v/w/e/c | 3      |
        | one_level   | files     | v/w/b, v/w/e/c        | 2      |

    # Two stars for at least one level do not match the first level, unless the path begins at the system's root.
    @LF-FIND-02-401
    Scenario: the document's glob on the first level
      Given the tree "A.java=1, src/{B.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-37 and AMB-LF-38 the answer is one of
        | reading  | AMB-LF-38    | entries            |
        | below    | none_too     | A.java, src/B.java |
        | below    | one_at_least | src/B.java         |
        | anywhere | none_too     | A.java, src/B.java |
        | anywhere | one_at_least | src/B.java         |
        | absolute |              | A.java, src/B.java |

    @LF-FIND-02-402
    Scenario: two stars between two directories
      Given the tree "v/{w/{B.java, x/{C.java}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/w/**/*.java"}
      Then by AMB-LF-39 the answer is one of
        | reading      | entries                    |
        | none_too     | v/w/B.java, v/w/x/C.java   |
        | one_at_least | v/w/x/C.java               |

    @LF-FIND-02-403
    Scenario: a directory at the beginning of a glob
      Given the tree "A.java, src/{B.java, x/{C.java}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "src/*.java"}
      Then by AMB-LF-37 and AMB-LF-50 the answer is one of
        | reading  | AMB-LF-50 | entries                |
        | below    | no        | src/B.java             |
        | anywhere | no        | src/B.java             |
        | below    | yes       | src/B.java, src/x/C.java |
        | anywhere | yes       | src/B.java, src/x/C.java |
        | absolute |           | ""                     |

    Scenario Outline: alternatives: <glob>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then by AMB-LF-35 the answer is one of
        | reading      | entries   |
        | alternatives | <entries> |
        | plain        | <plain>   |

      Examples:
        | id             | glob                  | tree                                                         | entries                              | plain           |
        | LF-FIND-02-20  | **/*.{txt,java}       | w/{A.java=1, src/{d.txt=1, e.md=1, F.java}}                  | w/A.java, w/src/d.txt, w/src/F.java  | ""              |
        | LF-FIND-02-21  | **/{A,B}.java         | w/{A.java=1, '{A,B}.java', src/{d.txt=1, F.java}}            | w/A.java                             | 'w/{A,B}.java'  |
        | LF-FIND-02-22  | **/src/{d,e}.{txt,md} | w/{A.java=1, src/{d.txt=1, e.md=1, F.java}}                  | w/src/d.txt, w/src/e.md              | ""              |
        | LF-FIND-02-106 | **/{a,b},c            | w/{'a,c', 'b,c', a, c, '{a,b},c'}                            | 'w/a,c', 'w/b,c'                     | 'w/{a,b},c'     |

    @LF-FIND-02-09
    Scenario: a plus and parentheses
      Given the tree "w/{'a+(1)', aa1, a1}, x/{'a+(1)'}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/a+(1)"}
      Then the answer is one of
        | entries              |
        | 'w/a+(1)', 'x/a+(1)' |
        | w/a1                 |

    @LF-FIND-02-23
    Scenario: hidden names
      Given the tree ".git/{C.java}, .hid/{E.java=1}, w/{A.java=1, .F.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-43 the answer is one of
        | reading  | entries                                       |
        | found    | .git/C.java, .hid/E.java, w/A.java, w/.F.java |
        | left_out | w/A.java                                      |

  @LF-FIND-03
  Rule: what is found are the same entries

    @LF-FIND-01-04
    Scenario: no match is an empty list
      Given the tree "a=1, d/{b=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.zip"}
      Then the entries are ""

    @LF-FIND-03-01
    Scenario: kinds, absolute paths, sizes and times
      Given the tree "src/{B.java=12@1762473883050}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entry "src/B.java" has {"@type": "FileEntry", "name": "B.java", "size": 12, "lastModified": 1762473883050}

    @LF-FIND-03-02
    Scenario: a directory whose name matches
      Given the tree "w/{B.java=1, dir.java/}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-11 the answer is one of
        | reading | entries              |
        | all     | w/B.java, w/dir.java |
        | files   | w/B.java             |

    @LF-FIND-03-401
    Scenario: links whose names match
      Given the tree "w/{B.java=1, l.java->B.java, m.java->gone}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-41 the answer is one of
        | reading  | entries                      |
        | found    | w/B.java, w/l.java, w/m.java |
        | to_files | w/B.java, w/l.java           |
        | left_out | w/B.java                     |

    @LF-FIND-03-402
    Scenario: a special file whose name matches
      Given the tree "w/{B.java=1, p.java:fifo}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-42 the answer is one of
        | reading  | entries            |
        | found    | w/B.java, w/p.java |
        | left_out | w/B.java           |

    @LF-FIND-03-101
    Scenario: links further down have their own targets
      Given the tree "w/{l.java->src/B.java, src/{B.java, l.java->B.java, x/{l.java->../B.java}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-41 the answer is one of
        | reading  | entries                                                |
        | found    | w/l.java, w/src/B.java, w/src/l.java, w/src/x/l.java   |
        | to_files | w/l.java, w/src/B.java, w/src/l.java, w/src/x/l.java   |
        | left_out | w/src/B.java                                           |

    @LF-FIND-03-05
    Scenario: names that programs may take for something else
      Given the tree "w/{'~a.c', 'b  c.c', 'd\u200be.c', '\"f.c', 'G.H.c', 'i:j.c', '[k].c', '%s.c', 1.c, x.d}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.c"}
      Then the entries are "'w/~a.c', 'w/b  c.c', 'w/d\u200be.c', 'w/\"f.c', 'w/G.H.c', 'w/i:j.c', 'w/[k].c', 'w/%s.c', w/1.c"

    @LF-FIND-03-410
    Scenario: a relative path of a search
      Given the tree "d/{x/{A.java}}, B.java"
      When findFiles is called with {"path": "d", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-14 the answer is one of
        | reading     | paths                          | absolute | fails     |
        | working_dir | {"A.java": "$ROOT/d/x/A.java"} |          |           |
        | refused     |                                |          | any error |
        | elsewhere   |                                | paths    |           |

  @LF-FIND-04
  Rule: without recursion not all levels are searched

    @LF-FIND-04-01
    Scenario: one level: the document's glob
      Given the tree "A.java=1, src/{B.java=1, x/{C.java=1}}, d.txt"
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "**/*.java"}
      Then by AMB-LF-13 the answer is one of
        | reading   | entries    |
        | children  | A.java     |
        | nothing   | ""         |
        | one_level | src/B.java |
        | all       | A.java, src/B.java, src/x/C.java |
        | all       | src/B.java, src/x/C.java |

    Scenario Outline: one level: <glob>
      Given the tree "A.java=1, src/{B.java=1, x/{C.java=1}}, d.txt"
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "<glob>"}
      Then the answer is one of
        | entries |
        | A.java  |
        | ""      |

      Examples:
        | id            | glob   |
        | LF-FIND-04-02 | *.java |
        | LF-FIND-04-03 | A.*    |

    @LF-FIND-04-04
    Scenario: a glob that writes out a directory, without recursion
      Given the tree "A.java=1, src/{B.java=1}"
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "src/*.java"}
      Then by AMB-LF-33 the answer is one of
        | reading | entries    |
        | nothing | ""         |
        | entered | src/B.java |

    # Views of projects show such directories as one.
    @LF-FIND-04-401
    Scenario: directories that hold one directory and nothing else
      Given the tree "d/{e/{f/{A.java}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": false, "glob": "*.java"}
      Then the entries are ""

    # By each glob some tools find the same either way (AMB-LF-13, 33, 37): what begins with two stars, a name, or a
    # directory that is written out. By all of them only a tool that ignores the argument does.
    @LF-FIND-04-404
    Scenario: recursion changes what is found
      Given the tree "A.java=1, src/{B.java=1, x/{C.java=1}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      And findFiles is called again with {"path": "$ROOT", "recursive": false, "glob": "**/*.java"}
      And findFiles is called again with {"path": "$ROOT", "recursive": true, "glob": "*.java"}
      And findFiles is called again with {"path": "$ROOT", "recursive": false, "glob": "*.java"}
      And findFiles is called again with {"path": "$ROOT", "recursive": true, "glob": "src/*.java"}
      And findFiles is called again with {"path": "$ROOT", "recursive": false, "glob": "src/*.java"}
      Then by one of the globs, recursion changes what is found

    @LF-FIND-04-402
    Scenario: a search root that is a link to a directory, without recursion
      Given the tree "src/{A.java, x/{y/{B.java}}}, l->src"
      When findFiles is called with {"path": "$ROOT/l", "recursive": false, "glob": "*.java"}
      Then by AMB-LF-26 and AMB-LF-37 the answer is one of
        | reading  | AMB-LF-37 | count | fails     |
        | searched |           | 1     |           |
        | searched | absolute  | 0     |           |
        | refused  |           |       | any error |
        | nothing  |           | 0     |           |

    # How much of two stars is left without recursion: AMB-LF-13.
    @LF-FIND-04-403
    Scenario: a search root that is a link to a directory, by a glob for all levels, without recursion
      Given the tree "src/{A.java, x/{B.java, y/{C.java}}}, l->src"
      When findFiles is called with {"path": "$ROOT/l", "recursive": false, "glob": "**/*.java"}
      Then by AMB-LF-26 the answer is one of
        | reading  | count        | fails     |
        | searched | [0, 1, 2, 3] |           |
        | refused  |              | any error |
        | nothing  | 0            |           |

  @LF-FIND-05
  Rule: links do not disturb a search

    @returns @behaviour:BEH-09
    Scenario Outline: <case>
      Given the tree "<tree>"
      And beside the sandbox the tree "outside/{O.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-34 the answer is one of
        | reading   | entries   | include   | count  |
        | passed_by | <entries> |           |        |
        | named     | <entries> |           |        |
        | entered   |           | <entries> |        |
        | once      |           |           | <once> |

      Examples:
        | id            | case                          | tree                                       | entries    | once |
        | LF-FIND-05-02 | a link to a sibling           | k, src/{B.java=1}, ld->src                 | src/B.java | 1    |
        | LF-FIND-05-03 | a link that leads elsewhere   | w/{out->../../outside, B.java}             | w/B.java   | 2    |
        | LF-FIND-05-07 | a dozen links                 | a/{k, A.java}, l00..l11->a, z/{B.java}     | a/A.java, z/B.java | 2    |
        | LF-FIND-05-04 | a link to itself, and a match | w/{me->me, B.java}                         | w/B.java   | 1    |
        | LF-FIND-05-08 | a link to itself among directories | a/{k, A.java}, me->me, z/{B.java}     | a/A.java, z/B.java | 2    |

    # A walk that follows links may fail where a link leads to a directory above it.
    @returns @behaviour:BEH-09
    Scenario Outline: a circle: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-34 the answer is one of
        | reading   | entries   | include   | count | fails     |
        | passed_by | <entries> |           |       |           |
        | named     | <entries> |           |       |           |
        | entered   |           | <entries> |       |           |
        | entered   |           |           |       | any error |
        | once      |           |           | 1     |           |

      Examples:
        | id            | case                          | tree                                       | entries    |
        | LF-FIND-05-01 | a link to the directory above | k, src/{B.java=1, A->.., up->..}           | src/B.java |
        | LF-FIND-05-05 | links to each other           | k, a/{k, tob->../b}, b/{toa->../a, C.java} | b/C.java   |

    @LF-FIND-05-06
    Scenario: a pattern that names a link
      Given the tree "w/{src/{B.java=1}, ld->src}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/ld/*.java"}
      Then by AMB-LF-34 the answer is one of
        | reading   | entries     |
        | passed_by | ""          |
        | named     | w/ld/B.java |
        | entered   | w/ld/B.java |
        | once      | w/ld/B.java |
        | once      | ""          |

    @LF-FIND-05-401
    Scenario: a link that is named, and one below it that is not
      Given the tree "w/{src/{q->x, x/{C.java=1}}, ld->src}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/ld/**/*.java"}
      Then by AMB-LF-34 the answer is one of
        | reading   | entries                      |
        | passed_by | ""                           |
        | named     | w/ld/x/C.java                |
        | entered   | w/ld/q/C.java, w/ld/x/C.java |
        | once      | w/ld/q/C.java                |
        | once      | w/ld/x/C.java                |
        | once      | ""                           |
