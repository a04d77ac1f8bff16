@local_files
Feature: A list has the immediate children, sorted

  @LF-LIST-01
  Rule: every child once, and nothing else

    @behaviour:BEH-06
    Scenario Outline: children: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT<path>"}
      Then the entries are "<entries>"

      Examples:
        | id            | case                                | tree                           | path | entries      |
        | LF-LIST-01-01 | neither . nor ..                    | a=1                            |      | a            |
        | LF-LIST-01-02 | not what is further down            | d/{e/{f=1}}                    |      | d            |
        | LF-LIST-01-03 | of a directory further down         | d/{e/{f=1}, g}                 | /d   | e, g         |
        | LF-LIST-01-05 | a name that is the directory's own  | d/{d/{d}}                      | /d   | d            |
        | LF-LIST-01-15 | names that a parser would stumble over | 'x -> y', 'total 0'/, -l, 'q\"d', 'a b' | | 'x -> y', 'total 0', -l, 'q\"d', 'a b' |
        | LF-LIST-01-17 | links of every kind                 | a, l->l, m->n, n->m, o->gone, q->a, r->. |  | a, l, m, n, o, q, r |

    @LF-LIST-01-07
    Scenario: children: of a directory behind a link
      Given the tree "r/{x, y/{z}}, l->r"
      When listDirectory is called with {"path": "$ROOT/l"}
      Then by AMB-LF-48 the answer is one of
        | reading | entries | fails     |
        | listed  | x, y    |           |
        | refused |         | any error |

    @LF-LIST-01-125
    Scenario: children: of a directory below a link
      Given the tree "r/{x, y/{z}}, l->r"
      When listDirectory is called with {"path": "$ROOT/l/y"}
      Then by AMB-LF-49 the answer is one of
        | reading  | entries | fails     |
        | followed | z       |           |
        | refused  |         | any error |

    @LF-LIST-01-102 @behaviour:BEH-13
    Scenario: blanks at the end of a path are part of a name
      Given the tree "'d '/{x}, d/{y}"
      When listDirectory is called with {"path": "$ROOT/d "}
      Then the entries are "x"

    # The first two requests are sent as written, in UTF-8; the others contain only ASCII.
    Scenario Outline: of a directory whose name is <case>
      Given the tree "<name>/{x}, d/{y}"
      When listDirectory is called with exactly {"path": "$ROOT/<spelt>"}
      Then the entries are "x"

      Examples:
        | id             | case                                 | name           | spelt         |
        | LF-LIST-01-103 | in other scripts                     | 'é文'          | é文           |
        | LF-LIST-01-104 | beyond 16 bits                       | '\U0001f600'   | 😀            |
        | LF-LIST-01-105 | in other scripts, by their numbers   | 'é文'          | \u00e9\u6587  |
        | LF-LIST-01-106 | beyond 16 bits, by a pair of numbers | '\U0001f600'   | \ud83d\ude00  |

    @LF-LIST-01-411 @needs:namespaces
    Scenario: of a file system that is mounted in a directory
      Given the tree "s/, m/"
      And "m" is for the candidate's process another file system with the tree "x, y/{z}"
      When listDirectory is called with {"path": "$ROOT/m"}
      Then the entries are "x, y"
      When listDirectory is called again with {"path": "$ROOT"}
      Then the entries are "m, s"

    # Libraries read directories in parts of such numbers of names; the last part is then a full one.
    Scenario Outline: <number> entries, as many as programs read at once
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "<last>"
      And there are <number> entries

      Examples:
        | id             | number | tree         | last  |
        | LF-LIST-01-109 | 1000   | f000..f999   | f999  |
        | LF-LIST-01-110 | 1024   | f0000..f1023 | f1023 |

    @LF-LIST-01-117
    Scenario: entries whose paths have more than a thousand characters
      Given the tree "'p'*250/{'q'*250/{'r'*250/{'s'*250/{'t'*250/{d/, f=1, g}}}}}"
      When listDirectory is called with {"path": "$ROOT/$('p'*250)/$('q'*250)/$('r'*250)/$('s'*250)/$('t'*250)"}
      Then the entries are "d, f, g"

    @LF-LIST-01-11 @prudent
    Scenario: an entry that is gone when its turn comes
      Given the tree "a, bad!L=ENOENT, c"
      When listDirectory is called with {"path": "$ROOT"}
      Then the answer is one of
        | entries | fails     |
        | a, c    |           |
        |         | any error |

    @LF-LIST-01-101
    Scenario: what has come in the meantime is there
      Given the tree "a, d/{x}"
      When listDirectory is called with {"path": "$ROOT"}
      And the tree gets "b"
      And listDirectory is called again with {"path": "$ROOT"}
      Then the entries are "a, b, d"

    @LF-LIST-01-111
    Scenario: a directory that was missing before
      Given the tree "in/{y}"
      When listDirectory is called with {"path": "$ROOT/n"}
      And the tree gets "n/{x}"
      And listDirectory is called again with {"path": "$ROOT/n"}
      Then the entries are "x"

    @LF-LIST-01-112
    Scenario: a directory that was a file before
      Given the tree "in/{y}, n=1"
      When listDirectory is called with {"path": "$ROOT/n"}
      And "n" has been removed
      And the tree gets "n/{x}"
      And listDirectory is called again with {"path": "$ROOT/n"}
      Then the entries are "x"

    @LF-LIST-01-119
    Scenario: of the root of the file system
      Given the tree "a"
      And the context {"roots": ["/"], "working_dir": "/"}
      When listDirectory is called with {"path": "/"}
      Then the entry "dev" has {"name": "dev"}

  @LF-LIST-02
  Rule: nothing is filtered

    Scenario Outline: <case> are in the list
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "<entries>"

      Examples:
        | id            | case                       | tree                                | entries                        |
        | LF-LIST-02-01 | hidden entries             | .h=1, .d/, .l->x, a=1               | .h, .d, .l, a                  |
        | LF-LIST-02-02 | what programs make         | .git/, node_modules/, target/, a.class | .git, node_modules, target, a.class |
        | LF-LIST-02-08 | what systems make          | .DS_Store, Thumbs.db, desktop.ini, lost+found/, a | .DS_Store, Thumbs.db, desktop.ini, lost+found, a |
        | LF-LIST-02-09 | what other programs make   | __pycache__/, a.o, b.tmp, c.lock, d.log, .a.swp | __pycache__, a.o, b.tmp, c.lock, d.log, .a.swp |
        | LF-LIST-02-10 | what .gitignore names      | .git/, .gitignore="out", .ignore="out", out, a  | .git, .gitignore, .ignore, out, a |
        | LF-LIST-02-12 | names that begin with two dots | ..a, ..b/, ..c->a, '...', 'a...b', 'a..', a | ..a, ..b, ..c, '...', 'a...b', 'a..', a |
        | LF-LIST-02-13 | files of any extension     | a.exe, b.so, c.jar, d.png, e.zip, f.min.js, g.js.map, h.pyc, i.iso, j.db, k.d.ts, l.swp, m | a.exe, b.so, c.jar, d.png, e.zip, f.min.js, g.js.map, h.pyc, i.iso, j.db, k.d.ts, l.swp, m |
        | LF-LIST-02-03 | backups                    | 'a~', b.bak, '#c#'                  | 'a~', b.bak, '#c#'             |
        | LF-LIST-02-04 | secrets                    | id_rsa, a.pem, .ssh/                | id_rsa, a.pem, .ssh            |
        | LF-LIST-02-07 | what nobody may read       | f=1%0000, d/%0000, a                | f, d, a                        |

  @LF-LIST-03
  Rule: nothing below the directory is looked at

    @LF-LIST-03-01
    Scenario: nothing below the directory is opened
      Given the tree "d/{e/{f}}, l->d, g"
      And opened directories are watched
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "d, g, l"
      And "d, d/e" were never opened

  @LF-SORT-01
  Rule: the order of the example

    @LF-SORT-01-01
    Scenario: a directory, a file, a link
      Given the tree "latest_log->/tmp/app.log@1762778123000, pom.xml=9854@1762473883050, src/@1762778000000"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries in order are "src, pom.xml, latest_log"

    @LF-SORT-01-02
    Scenario: within a kind
      Given the tree "b=1, a=1, z/, y/, C=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-01 the answer is one of
        | reading           | in order      | kinds in order   |
        | kind              |               | y, z / a, b, C   |
        | directories_first |               | y, z / b / a / C |
        | directories_first |               | y, z / C / b / a |
        | descending        | z, y, b, a, C |                  |
        | descending        | z, y, C, b, a |                  |
        | name              | C, a, b, y, z |                  |

    @LF-SORT-01-03
    Scenario: several of each kind
      Given the tree "l2->x, f1=1, d2/, f2=1, d1/, l1->x"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-01 the answer is one of
        | reading           | in order               | kinds in order             |
        | kind              |                        | d1, d2 / f1, f2 / l1, l2   |
        | directories_first |                        | d1, d2 / l2 / l1 / f2 / f1 |
        | descending        | l2, l1, f2, f1, d2, d1 |                            |

    # Sorted downwards by name, the list has the same order.
    @LF-SORT-01-06
    Scenario: a link to a directory stands with the links
      Given the tree "a->z, f=1, z/"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries in order are "z, f, a"

    # Sorted downwards by name, the list has the same order.
    @LF-SORT-01-07
    Scenario: a hidden file stands behind the directories
      Given the tree ".a=1, d/"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries in order are "d, .a"

    @LF-SORT-01-08
    Scenario: a hidden directory stands with the directories
      Given the tree ".d/, a=1, l->x"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-01 the answer is one of
        | reading           | in order |
        | kind              | .d, a, l |
        | directories_first | .d, l, a |
        | descending        | l, a, .d |

    # Some sort only a page of a list, or only lists below a certain length.
    @LF-SORT-01-05
    Scenario: several hundred of each kind
      Given the tree "c000..c149/, b000..b299=1, c150..c299/"
      When listDirectory is called with {"path": "$ROOT"}
      Then the answer is one of
        | kinds in order          |
        | c000..c299 / b000..b299 |

    # Downwards by code points the face comes first, by UTF-16 units the tilde; both are orders of names.
    @LF-SORT-01-04
    Scenario: letters of other scripts behind those of ASCII
      Given the tree "'\uff5e'=1, a=1, '\U0001f600'=1, d/"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-01 the answer is one of
        | reading           | in order                     | kinds in order                |
        | kind              |                              | d / a, '\uff5e', '\U0001f600' |
        | directories_first | d, '\U0001f600', '\uff5e', a |                               |
        | directories_first | d, '\uff5e', '\U0001f600', a |                               |
        | descending        | '\U0001f600', '\uff5e', d, a |                               |
        | descending        | '\uff5e', '\U0001f600', d, a |                               |

  @LF-SORT-02
  Rule: the order within a kind does not come from the file system

    @LF-SORT-02-01
    Scenario: made in other orders
      Given the tree "b=1, a=1, z/, y/, c=1, l->a, m->a, p:fifo"
      When listDirectory is called with {"path": "$ROOT"}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3, shuffled 4, shuffled 5, shuffled 6"
      Then all answers list the same in the same order

    @LF-SORT-02-02
    Scenario: asked again
      Given the tree "b=1, a=1, z/, y/, c=1, l->a"
      When listDirectory is called with {"path": "$ROOT"}
      And the call is repeated 3 times
      Then all answers list the same in the same order

    # Of the names in each tree an incomplete comparison cannot tell some from others; a sort by kind alone compares none.
    Scenario Outline: names that differ little: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then all answers list the same in the same order

      Examples:
        | id            | case                   | tree                                                         |
        | LF-SORT-02-04 | at their ends          | 'n'*200'1', 'n'*200'2', 'n'*200'3', 'n'*200'4', 'n'*200'5'   |
        | LF-SORT-02-05 | in zeros before digits | a1, a01, a001, a0001, a00001                                 |
        | LF-SORT-02-06 | in their last letter   | ab, ac, ad, ae, af                                           |
        | LF-SORT-02-08 | in blanks              | 'a b', 'a  b', 'a   b', ab, ' ab'                            |
        | LF-SORT-02-14 | in their extension     | a.e, a.d, a.c, a.b, a.f                                      |
        | LF-SORT-02-11 | of special files       | p1:fifo, s2:sock, p3:fifo, s4:sock, p5:fifo                  |
        | LF-SORT-02-12 | of links               | l1->a, l2->b, l3->c, l4->d, l5->e                            |

    @needs:case_sensitive
    Scenario Outline: names that differ in case only: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then all answers list the same in the same order

      Examples:
        | id            | case        | tree                    |
        | LF-SORT-02-09 | files       | ab, aB, Ab, AB, b       |
        | LF-SORT-02-10 | directories | ab/, aB/, Ab/, AB/, b/  |

    @LF-SORT-02-13
    Scenario: what has come since the last call
      Given the tree "b, d, f"
      When listDirectory is called with {"path": "$ROOT"}
      And the tree gets "a, c, e"
      And listDirectory is called again with {"path": "$ROOT"}
      And listDirectory is called again with {"path": "$ROOT"}
      Then the last two answers list the same in the same order

    @LF-SORT-02-07
    Scenario: three hundred files in other orders
      Given the tree "f000..f299"
      When listDirectory is called with {"path": "$ROOT"}
      And the same call is made on the tree built in the orders "reversed, shuffled 7"
      Then all answers list the same in the same order
