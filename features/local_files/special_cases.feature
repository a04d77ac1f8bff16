@local_files
Feature: Cases that few directories contain

  @LF-FIELD-01
  Rule: name is the simple name

    @LF-FIELD-01-19
    Scenario: the names of links are whole
      Given the tree "l.txt->a, m.tar.gz->gone, .n->l.txt, a.txt=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry    | name       |
        | l.txt    | "l.txt"    |
        | m.tar.gz | "m.tar.gz" |
        | .n       | ".n"       |

    # A capital or none, a letter in one piece or two, and a letter more: of files, directories and links of every kind.
    @LF-FIELD-01-410 @needs:case_sensitive
    Scenario: names of which each resembles others
      Given beside the sandbox the tree "outside/{f, x/}"
      And the tree
        """
        d/{x}, f=1, k->f, loop->loop, p:fifo, o->$OUTSIDE/outside, t/{
        wam->/nowhere, wAm/%0600{x}, waxm/%0755@4294967296001, Qwa%4755@-1,
        QwA=5368709120%0755@1762473883050250000ns, Qwax=2%0000@-7, wa.java/%4755@0{x}, wA.java:sock, wax.java,
        .wa->../f, .wA=5368709120%0000@4294967296001, .wax/%0600{x}, '.oé':fifo%0000@-1, '.oe\u0301'/,
        ..wa/@-5{x}, ..wA->., ..wax=3%0755@0, '..oé'->../o/gone, '..oe\u0301':sock,
        wa.:fifo%0755@1762473883050250000ns, wA.=5368709120@-86400001, wax.->gone, wa.y=2, 'oé.'->../p,
        'oe\u0301.'%0755@0, wa~->gone, wA~->../k, wax~%0000@1762473883050250000ns, wa~y/%0300{x}, 'oé~'/{x},
        'oe\u0301~':fifo, 'n wa'->., 'n wA'->../k, 'n wax'/@-5{x}, 'n oé'=1%4755@4294967296001, 'n oe\u0301',
        ' wa'->/nowhere, ' wA'=5368709120%0755@1762473883050250000ns, ' wax'=2%0000@-7, ' oé'->../o/x,
        ' oe\u0301'/%4755@0{x}, 'g\twa'/%0755@4294967296001, 'g\twA'->../o/x, 'g\twax'=2, 'g\toé'->../loop,
        'g\toe\u0301'->../d, 'g\nwa'->../o/f, 'g\nwA', 'g\nwax'->../d, 'g\noé'/%0300{x}, 'g\noe\u0301'/,
        '\'wa\''=5368709120@-86400001, '\'wA\''=1%4755@4294967296001, '\'wax\''%0000@1762473883050250000ns,
        '\'oé\'':sock, '\'oe\u0301\'', '[wa]*'=2%0000@-7, '[wA]*'%4755@-1, '[wax]*'->../f, '[oé]*'=>f,
        '[oe\u0301]*'/%0600{x}, 'b\\wa'->../f, 'b\\wA'=5368709120@-86400001, 'b\\wax'/,
        'b\\oé'%0000@1762473883050250000ns, 'b\\oe\u0301'->., '$v;wa'->../p, '$v;wA'%0755@0, '$v;wax'->../k,
        '$v;oé'=1%4755@4294967296001, '$v;oe\u0301'=>f, 'c:wa'->../o/x, 'c:wA':fifo, 'c:wax'->../loop,
        'c:oé'=3%0755@0, 'c:oe\u0301'->gone, -wa/{x}, -wA->../d, -wax:fifo%0755@1762473883050250000ns,
        '-oé'=5368709120%0000@4294967296001, '-oe\u0301'->../loop, 1e1=2, 1E1:fifo, 1e11%0755@0,
        constructor:fifo%0000@-1, Constructor->../o/f, constructors/%0300{x}, '文wa'->../loop, '文wA'->../o/gone,
        '文wax'/@-5{x}, '文oé'=>f, '文oe\u0301'->/nowhere, 'éwa'/%0300{x}, 'éwA'=>f, 'éwax'/, 'éoé'->../o/f,
        'éoe\u0301'/{x}, '😀wa'->../o/gone, '😀wA'/{x}, '😀wax':sock%4755@0, '😀oé':fifo%0000@-1,
        '😀oe\u0301'=3%0755@0, 'b\u200bwa'/%0600{x}, 'b\u200bwA'=5368709120%0755@1762473883050250000ns,
        'b\u200bwax'/%4755@0{x}, 'b\u200boé'->., 'b\u200boe\u0301'/%0755@4294967296001, '\xffwa'->../d,
        '\xffwA'=2, '\xffwax':sock%4755@0, '\xffoé'->../k, '\xffoe\u0301'->../p, 'n'*100'wa':sock%4755@0,
        'n'*100'wA'->../f, 'n'*100'wax'=5368709120%0000@4294967296001,
        'n'*100'oé':fifo%0755@1762473883050250000ns, 'n'*100'oe\u0301'%4755@-1
        }
        """
      When listDirectory is called with {"path": "$ROOT/t"}
      And listDirectory is called again with {"path": "$ROOT/t"}
      And the tree gets "later"
      And listDirectory is called again with {"path": "$ROOT/t"}
      Then by AMB-LF-17 the answer is one of
        | reading     | include        | count | fails     |
        | replacement | wam, wAm, waxm | 117   |           |
        | other       | wam, wAm, waxm | 117   |           |
        | error       |                |       | any error |

  @LF-LINK-01
  Rule: target is where a link points

    # A target that is made absolute leads from the link's directory, wherever the process works.
    @LF-LINK-01-313
    Scenario: a target that is not in the first directory
      Given the tree "d/{l->x, m->../y, x=1}, y=2, x=3"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the entry "l" has {"target": ["x", "$ROOT/d/x"]}
      And the entry "m" has {"target": ["../y", "$ROOT/d/../y", "$ROOT/y"]}

  @LF-LIST-01
  Rule: every child once, and nothing else

    Scenario Outline: children, also <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT<path>"}
      Then the entries are "<entries>"

      Examples:
        | id             | case                       | tree                                    | path   | entries                |
        | LF-LIST-01-120 | names that objects have    | __proto__, constructor/, toString=1, hasOwnProperty, length, a | | __proto__, constructor, toString, hasOwnProperty, length, a |
        | LF-LIST-01-121 | links that lead out        | l->../x, m->/etc, n->$OUTSIDE/x, o->.., a | | l, m, n, o, a         |
        | LF-LIST-01-122 | of a hidden directory      | .h/{.i/{x, .y}}, a                      | /.h/.i | x, .y                  |

    @LF-LIST-01-124
    Scenario: names that are not UTF-8, some of one text
      Given the tree "'\xfe', '\xff'=1, x'\xff'/, a"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-17 the answer is one of
        | reading     | count | fails     |
        | replacement | 4     |           |
        | other       | 4     |           |
        | error       |       | any error |

    # An answer is that of its own tree, whatever was asked before.
    Scenario Outline: asked three times: <path>
      Given the tree "t/{a, B.java, x/{c.java}}, empty/, locked/%0000{x}, f=1, p:fifo, loop->loop, closed/%0600{x}, m->."
      When listDirectory is called with {"path": "<path>"}
      And listDirectory is called again with {"path": "<path>"}
      And the tree gets "later"
      And listDirectory is called again with {"path": "<path>"}
      Then the answer is right, for example <expected>

      Examples:
        | id             | path             | expected      |
        | LF-LIST-01-420 | $ROOT/t          | "a, B.java, x" |
        | LF-LIST-01-421 | $ROOT/t/         | "a, B.java, x" |
        | LF-LIST-01-422 | $ROOT/./t        | "a, B.java, x" |
        | LF-LIST-01-423 | $ROOT//t         | "a, B.java, x" |
        | LF-LIST-01-424 | $ROOT/m/../t     | "a, B.java, x" |
        | LF-LIST-01-425 | $ROOT/m/t        | "a, B.java, x" |
        | LF-LIST-01-426 | t                | "a, B.java, x" |
        | LF-LIST-01-427 | $ROOT/empty      | "[]"          |
        | LF-LIST-01-428 | $ROOT/locked     | "an error"    |
        | LF-LIST-01-429 | $ROOT/f          | "an error"    |
        | LF-LIST-01-430 | $ROOT/p          | "an error"    |
        | LF-LIST-01-431 | $ROOT/gone       | "an error"    |
        | LF-LIST-01-432 | $ROOT/loop       | "an error"    |
        | LF-LIST-01-433 | $ROOT/f/x        | "an error"    |
        | LF-LIST-01-434 | $ROOT/closed/x   | "an error"    |
        | LF-LIST-01-435 | loop             | "an error"    |

    @behaviour:BEH-11
    Scenario Outline: one <kind>
      Given beside the sandbox the tree "outside/{f}"
      And the tree "e/{<tree>}, f, k->f, p:fifo, o->$OUTSIDE/outside"
      When listDirectory is called with {"path": "$ROOT/e"}
      Then the answer is right, for example <expected>

      Examples:
        | id             | kind                   | tree         | expected  |
        | LF-LIST-01-440 | link to a link         | a.->../k     | "a."      |
        | LF-LIST-01-441 | link out to a file     | 'a\tb'->../o/f | "'a\\tb'" |
        | LF-LIST-01-442 | link to a special file | 'a\\\\b'->../p | "'a\\\\b'" |
        | LF-LIST-01-445 | link out beside an odd time | a->../o/f, b@1762473883050250000ns | "a, b" |
        | LF-LIST-01-446 | letter in two forms         | 'é', 'e\u0301' | "é, 'e\\u0301'" |
        | LF-LIST-01-443 | socket without a name in UTF-8 | 'x\xff':sock | "'x\\xff'" |

    @LF-LIST-01-444
    Scenario: rare names of rare entries
      Given beside the sandbox the tree "outside/{f, x/}"
      And the tree
        """
        p:fifo, o->$OUTSIDE/outside, t/{
        '\'e\''/, 'b\u200bc'/%0300{x}, .env->../o/x, '😀'->../o/x, -l->../p, '\'g\''->gone, a.java/%0600{x},
        '\'p\''->../p, '\'d\''->., 'x\xff'->gone, b.java/%0300{x}, h=>f, hh, c.java, c.javac, '\'q', '\'qu',
        '[a]*', '[a]*b', ' y', s/{t/{u->../../../o/f}}
        }, f=1
        """
      When listDirectory is called with {"path": "$ROOT/t"}
      Then by AMB-LF-17 the answer is one of
        | reading     | include                 | count | fails     |
        | replacement | .env, a.java, b.java, -l | 21   |           |
        | other       | .env, a.java, b.java, -l | 21   |           |
        | error       |                         |       | any error |

  @LF-SORT-01
  Rule: the order of the example

    @LF-SORT-01-09
    Scenario: special files stand behind files
      Given the tree "d/, c=1, b:fifo, a:sock"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-01 the answer is one of
        | reading           | in order   | kinds in order |
        | kind              |            | d / c / a, b   |
        | directories_first | d, c, b, a |                |
        | descending        | d, c, b, a |                |

  @LF-FIND-01
  Rule: every level is searched

    @LF-FIND-01-319
    Scenario: a search root that is reached through a link
      Given the tree "src/{y/{x/{A.java, z/{B.java}}}}, l->src"
      When findFiles is called with {"path": "$ROOT/l/y", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-49 the answer is one of
        | reading  | count | fails     |
        | followed | 2     |           |
        | refused  |       | any error |

    @LF-FIND-01-320
    Scenario: directories whose own names match
      Given the tree "w/{d.java/{A.java, e.java/{B.java}}, f.java/{g/{C.java}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "w/d.java/A.java, w/d.java/e.java/B.java, w/f.java/g/C.java"

  @LF-FIND-02
  Rule: the glob decides what is found

    @LF-FIND-02-420
    Scenario: the name of the search root is no part of what a glob is held against
      Given the tree "src/{A.java, src/{B.java, x/{C.java}}}"
      When findFiles is called with {"path": "$ROOT/src", "recursive": true, "glob": "src/*.java"}
      Then the answer is one of
        | entries                  |
        | src/B.java               |
        | src/B.java, src/x/C.java |
        | ""                       |

    # What is found is in the tree of its own call, whatever was asked before.
    Scenario Outline: asked three times: <glob>
      Given the tree "t/{a, ab, .h, 'é', d/{x, B.java}}"
      When findFiles is called with {"path": "$ROOT/t", "recursive": <recursive>, "glob": "<glob>"}
      And findFiles is called again with {"path": "$ROOT/t", "recursive": <recursive>, "glob": "<glob>"}
      And the tree gets "later"
      And findFiles is called again with {"path": "$ROOT/t", "recursive": <recursive>, "glob": "<glob>"}
      Then the answer is right, for example <expected>

      Examples:
        | id             | glob           | recursive | expected                    |
        | LF-FIND-02-440 | **/*           | true      | "a, ab, .h, é, d, d/x, d/B.java" |
        | LF-FIND-02-441 | **/*.java      | true      | "d/B.java"                  |
        | LF-FIND-02-442 | *              | true      | "a, ab, .h, é, d"           |
        | LF-FIND-02-443 | **             | false     | "a, ab, .h, é, d"           |
        | LF-FIND-02-444 | **/a*          | true      | "a, ab"                     |
        | LF-FIND-02-445 | d/*            | true      | "d/x, d/B.java"             |
        | LF-FIND-02-446 | **/d/**/x      | true      | "d/x"                       |
        | LF-FIND-02-447 | **/?           | false     | "a, é, d"                   |
        | LF-FIND-02-448 | **/[a-m]*      | true      | "a, ab, d"                  |
        | LF-FIND-02-449 | **/{ab,x}      | true      | "ab, d/x"                   |
        | LF-FIND-02-450 | **/.*          | true      | ".h"                        |
        | LF-FIND-02-451 | **/é*          | true      | "é"                         |

    # What a glob matches depends on no spelling of the path.
    Scenario Outline: searches by a path <way>
      Given the tree "d/, m->., t/{a, .h, d/{x, e/{y}}}"
      When findFiles is called with {"path": "<path>", "recursive": true, "glob": "**/*"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "*"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/a*"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "d/*"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/d/**/x"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/?"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/[!b]*"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/{a,x}"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/.*"}
      And findFiles is called again with {"path": "<path>", "recursive": true, "glob": "**/é*"}
      Then the answer is right, for example "[]"

      Examples:
        | id             | way                         | path         |
        | LF-FIND-02-460 | with a slash behind it      | $ROOT/t/     |
        | LF-FIND-02-461 | with a dot                  | $ROOT/./t    |
        | LF-FIND-02-462 | with two slashes            | $ROOT//t     |
        | LF-FIND-02-463 | with a step up              | $ROOT/d/../t |
        | LF-FIND-02-464 | through a link              | $ROOT/m/t    |
        | LF-FIND-02-465 | that is relative            | t            |

    @LF-FIND-02-467 @needs:case_sensitive @behaviour:BEH-06
    Scenario: below a directory, names of which each resembles others
      Given the tree "s/{a, A, ab, 'é', 'e\u0301', l->gone}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*"}
      Then the entries include "s/a, s/A, s/ab, s/é, 's/e\u0301'"

    @LF-FIND-02-466
    Scenario: searches where little is
      Given the tree "empty/, f=1, v/{.h}, w/{a, d/}"
      When findFiles is called with {"path": "$ROOT/v", "recursive": true, "glob": "**/.*"}
      And findFiles is called again with {"path": "$ROOT/w", "recursive": true, "glob": "**/a*"}
      And findFiles is called again with {"path": "$ROOT/w", "recursive": true, "glob": "**"}
      And findFiles is called again with {"path": "$ROOT/w", "recursive": true, "glob": "d/*"}
      And findFiles is called again with {"path": "$ROOT/f", "recursive": true, "glob": "**/*.java"}
      And findFiles is called again with {"path": "$ROOT/gone", "recursive": true, "glob": "**/*.java"}
      And findFiles is called again with {"path": "$ROOT/empty", "recursive": true, "glob": "**/*"}
      And findFiles is called again with {"path": "$ROOT/empty", "recursive": true, "glob": "**/?"}
      And findFiles is called again with {"path": "$ROOT/empty", "recursive": true, "glob": "**"}
      Then the entries are ""

  @LF-FIND-05
  Rule: links do not disturb a search

    @LF-FIND-05-402
    Scenario: links that lead nowhere among files and directories
      Given the tree "w/{a.java, l->gone, m->nope, z.java, d/{b.java, n->gone, y.java}, k/{o->gone, c.java}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "w/a.java, w/z.java, w/d/b.java, w/d/y.java, w/k/c.java"
