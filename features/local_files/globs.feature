# Each row is one possible error in a translation of globs into another language.
@local_files
Feature: What a glob matches, character by character and level by level

  @LF-FIND-02
  Rule: the glob decides what is found

    Scenario Outline: <glob>: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"

      # A library of another platform takes two stars around a dot for one.
      @prudent
      Examples:
        | id             | case                                    | glob   | tree        | entries |
        | LF-FIND-02-315 | a dot between two stars has to be there | **/*.* | w/{a.b, ab} | w/a.b   |

      Examples:
        | id             | case                                   | glob             | tree                                   | entries       |
        | LF-FIND-02-301 | a bar is plain                         | **/a\|b          | w/{'a\|b', a, b}                       | 'w/a\|b'      |
        | LF-FIND-02-302 | a dollar and a caret are plain         | **/^a$           | w/{'^a$', a}                           | 'w/^a$'       |
        | LF-FIND-02-313 | an extension of two parts              | **/*.tar.gz      | w/{a.tar.gz, b.gz, c.tar, d.gz.tar}    | w/a.tar.gz    |
        | LF-FIND-02-314 | an extension is no beginning of one    | **/*.htm         | w/{a.htm, b.html}                      | w/a.htm       |
        | LF-FIND-02-316 | a plus is plain                        | **/ab+           | w/{'ab+', abb, ab}                     | 'w/ab+'       |
        | LF-FIND-02-319 | a comma is plain                       | **/a,b           | w/{'a,b', a, b}                        | 'w/a,b'       |
        | LF-FIND-02-320 | a semicolon is plain                   | **/a;b           | w/{'a;b', a, b}                        | 'w/a;b'       |
        | LF-FIND-02-321 | a blank is plain                       | **/a b           | w/{'a b', a, b}                        | 'w/a b'       |
        | LF-FIND-02-310 | two ways to match, one finding         | **/x/**/*.java   | w/{x/{x/{y/{A.java}}}}                 | w/x/x/y/A.java |
        | LF-FIND-02-311 | two stars for the third time           | **/a/**/b/**/*.c | w/{a/{x/{b/{y/{z/{f.c}}}}}}            | w/a/x/b/y/z/f.c |
        | LF-FIND-02-328 | levels end where names begin, inside as well | **/a/**/b  | w/{a/{x/{b, cb}, cb}}                  | w/a/x/b       |
        | LF-FIND-02-411 | a first match that does not fit is not the last | **/a/x  | w/{a/{b/{a/{x}}, y}}                   | w/a/b/a/x     |

    Scenario Outline: a question mark: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then by AMB-LF-51 the answer is one of
        | reading | entries   |
        | one     | <entries> |
        | plain   | <plain>   |

      Examples:
        | id             | case          | glob     | tree                               | entries                       | plain     |
        | LF-FIND-02-12  | one character | **/a?c   | w/{abc, 'a?c', ac, abbc, 'aéc'}    | w/abc, 'w/a?c', 'w/aéc'       | 'w/a?c'   |
        | LF-FIND-02-306 | a dot as well | **/a?c/x | w/{abc/{x}, a.c/{x}, 'a?c'/{x}}    | w/abc/x, w/a.c/x, 'w/a?c/x'   | 'w/a?c/x' |

    Scenario Outline: a set: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then by AMB-LF-45 the answer is one of
        | reading | entries   |
        | sets    | <entries> |
        | plain   | <plain>   |

      Examples:
        | id             | case                                  | glob        | tree                          | entries        | plain        |
        | LF-FIND-02-04  | one of several                        | **/[ab]1    | w/{a1, b1, ab1, c1, a}        | w/a1, w/b1     | ""           |
        | LF-FIND-02-13  | a range                               | **/[a-c]1   | w/{a1, b1, c1, d1}            | w/a1, w/b1, w/c1 | ""         |
        | LF-FIND-02-104 | two, one after the other              | **/[ab][cd] | w/{ac, bd, ab, cd, a, acd}    | w/ac, w/bd     | ""           |
        | LF-FIND-02-105 | of one character                      | **/[a]b     | w/{ab, bb, b, '[a]b'}         | w/ab           | 'w/[a]b'     |
        | LF-FIND-02-304 | two ranges                            | **/[a-cx-z]1 | w/{a1, y1, d1}               | w/a1, w/y1     | ""           |

    @LF-FIND-02-109
    Scenario: a set of letters of other scripts
      Given the tree "w/{'é1', '文1', e1, 'ê1'}"
      When findFiles is called with exactly {"path": "$ROOT", "recursive": true, "glob": "**/[é文]1"}
      Then by AMB-LF-45 the answer is one of
        | reading | entries          |
        | sets    | 'w/é1', 'w/文1'  |
        | plain   | ""               |

    # Where brackets are characters, the signs in them keep their meaning.
    @LF-FIND-02-322
    Scenario: a star and a question mark in a set
      Given the tree "w/{'*1', '?1', a1, ab1, '[xy]1', '[x?]1'}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/[*?]1"}
      Then by AMB-LF-45 and AMB-LF-51 the answer is one of
        | reading | AMB-LF-51 | entries                |
        | sets    |           | 'w/*1', 'w/?1'         |
        | plain   | one       | 'w/[xy]1', 'w/[x?]1'   |
        | plain   | plain     | 'w/[x?]1'              |

    Scenario Outline: an exclamation mark at the beginning of a set: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then by AMB-LF-45 and AMB-LF-46 the answer is one of
        | reading | AMB-LF-46   | entries   |
        | sets    | exclamation | <others>  |
        | sets    | both        | <others>  |
        | sets    | caret       | <members> |
        | sets    | none        | <members> |
        | plain   |             | ""        |

      Examples:
        | id             | case                    | glob      | tree                   | others     | members       |
        | LF-FIND-02-14  | all but one character   | **/[!a]1  | w/{a1, b1, c1, '!1'}   | w/b1, w/c1, 'w/!1' | w/a1, 'w/!1' |
        | LF-FIND-02-305 | all but two characters  | **/[!ab]1 | w/{a1, b1, c1}         | w/c1       | w/a1, w/b1    |

    # Where a star stands for a slash (AMB-LF-50), sets may.
    @LF-FIND-02-303
    Scenario: all but one character, and a slash
      Given the tree "w/{abc, a/{c}, axc}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/a[!x]c"}
      Then the answer is one of
        | entries      |
        | w/abc        |
        | w/a/c, w/abc |
        | w/axc        |
        | ""           |

    @LF-FIND-02-332
    Scenario: an exclamation mark at the beginning of a set, and a caret at that of another
      Given the tree "w/{xb, ax, xx, ab}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/[!a][^b]"}
      Then by AMB-LF-45 and AMB-LF-46 the answer is one of
        | reading | AMB-LF-46   | entries |
        | sets    | exclamation | w/xb    |
        | sets    | caret       | w/ax    |
        | sets    | both        | w/xx    |
        | sets    | none        | w/ab    |
        | plain   |             | ""      |

    # The signs mean something in expressions into which globs are translated.
    @LF-FIND-02-323
    Scenario: a search root whose name looks like an expression
      Given the tree "'a+(b).[c]$'/{v/{w/{A.java=1, k}}}"
      When findFiles is called with {"path": "$ROOT/a+(b).[c]$", "recursive": true, "glob": "**/w/*.java"}
      Then the entries are "v/w/A.java"

    Scenario Outline: alternatives: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then by AMB-LF-35 the answer is one of
        | reading      | entries   |
        | alternatives | <entries> |
        | plain        | ""        |

      Examples:
        | id             | case                                | glob                      | tree                                           | entries                          |
        | LF-FIND-02-308 | alternatives of several directories | **/{src/main,test}/*.java | w/{src/{main/{A.java}}, test/{B.java}, C.java} | w/src/main/A.java, w/test/B.java |
        | LF-FIND-02-309 | two alternatives match, one finding | **/{k*,*m}/x              | w/{km/{x}, c/{x}}                              | w/km/x                           |
        | LF-FIND-02-326 | four alternatives                   | **/*.{a,b,c,d}            | w/{1.a, 2.b, 3.c, 4.d, 5.e}                    | w/1.a, w/2.b, w/3.c, w/4.d       |

    # A single alternative is the text itself, or, as in shells, no alternative. It is never a number of times.
    @LF-FIND-02-327
    Scenario: a number in braces
      Given the tree "w/{aa, a2, 'a{2}'}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/a{2}"}
      Then by AMB-LF-35 the answer is one of
        | reading      | entries  |
        | alternatives | w/a2     |
        | alternatives | 'w/a{2}' |
        | plain        | 'w/a{2}' |

    # Some libraries call such a set malformed; none passes the hyphen over.
    Scenario Outline: a hyphen at the <end> of a set
      Given the tree "w/{a1, '-1', b1, 'a-1'}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the answer is one of
        | entries      | fails     |
        | 'w/-1', w/a1 |           |
        | ""           |           |
        |              | any error |

      Examples:
        | id             | end       | glob     |
        | LF-FIND-02-329 | beginning | **/[-a]1 |
        | LF-FIND-02-330 | end       | **/[a-]1 |

    @LF-FIND-02-324
    Scenario: a file with several names is found under each
      Given the tree "w/{A.java=1, B.java=>w/A.java, x/{C.java=>w/A.java}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "w/A.java, w/B.java, w/x/C.java"

    @LF-FIND-02-325
    Scenario: files that nobody may read are found
      Given the tree "w/{A.java=1%0000, B.java=1%0222, C.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "w/A.java, w/B.java, w/C.java"

    @LF-FIND-02-307
    Scenario: a question mark beyond 16 bits
      Given the tree "w/{'a\U0001f600c', ac}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/a?c"}
      Then the answer is one of
        | entries          |
        | 'w/a\U0001f600c' |
        | ""               |

    @LF-FIND-02-317 @needs:case_sensitive
    Scenario: two cases of a letter beyond ASCII
      Given the tree "w/{'\u00c9a', '\u00e9a', '\u00c9A', ea}"
      When findFiles is called with exactly {"path": "$ROOT", "recursive": true, "glob": "**/\u00c9a"}
      Then by AMB-LF-47 the answer is one of
        | reading     | entries                                 |
        | sensitive   | 'w/\u00c9a'                             |
        | insensitive | 'w/\u00c9a', 'w/\u00c9A'                |
        | insensitive | 'w/\u00c9a', 'w/\u00c9A', 'w/\u00e9a'   |

    @LF-FIND-02-312 @needs:case_sensitive
    Scenario: two cases of letters in a range
      Given the tree "w/{ax, Bx, aX, dx}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/[a-c]x"}
      Then by AMB-LF-45 and AMB-LF-47 the answer is one of
        | reading | AMB-LF-47   | entries          |
        | sets    | sensitive   | w/ax             |
        | sets    | insensitive | w/ax, w/Bx, w/aX |
        | plain   |             | ""               |
