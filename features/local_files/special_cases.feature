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
        wam=2, wAm, waxm/{x}, Qwa/, QwA/%0300{x}, Qwax/%0600{x}, wa.java=>f, wA.java->../f, wax.java->../d,
        .wa->../k, .wA->., .wax->../loop, '.oé'->gone, '.oe\u0301'->../o/f, ..wa->../o/x, ..wA->../o/gone,
        ..wax->../p, '..oé'->/nowhere, '..oe\u0301':fifo, wa.:sock, wA.=2, wax., wa.y/{x}, 'oé.'/,
        'oe\u0301.'/%0300{x}, wa~/%0600{x}, wA~=>f, wax~->../f, wa~y->../d, 'oé~'->../k, 'oe\u0301~'->.,
        'n wa'->../loop, 'n wA'->gone, 'n wax'->../o/f, 'n oé'->../o/x, 'n oe\u0301'->../o/gone, ' wa'->../p,
        ' wA'->/nowhere, ' wax':fifo, ' oé':sock, ' oe\u0301'=2, 'g\twa', 'g\twA'/{x}, 'g\twax'/,
        'g\toé'/%0300{x}, 'g\toe\u0301'/%0600{x}, 'g\nwa'=>f, 'g\nwA'->../f, 'g\nwax'->../d, 'g\noé'->../k,
        'g\noe\u0301'->., '\'wa\''->../loop, '\'wA\''->gone, '\'wax\''->../o/f, '\'oé\''->../o/x,
        '\'oe\u0301\''->../o/gone, '[wa]*'->../p, '[wA]*'->/nowhere, '[wax]*':fifo, '[oé]*':sock,
        '[oe\u0301]*'=2, 'b\\wa', 'b\\wA'/{x}, 'b\\wax'/, 'b\\oé'/%0300{x}, 'b\\oe\u0301'/%0600{x}, '$v;wa'=>f,
        '$v;wA'->../f, '$v;wax'->../d, '$v;oé'->../k, '$v;oe\u0301'->., 'c:wa'->../loop, 'c:wA'->gone,
        'c:wax'->../o/f, 'c:oé'->../o/x, 'c:oe\u0301'->../o/gone, -wa->../p, -wA->/nowhere, -wax:fifo,
        '-oé':sock, '-oe\u0301'=2, 1e1, 1E1/{x}, 1e11/, constructor/%0300{x}, Constructor/%0600{x},
        constructors=>f, '文wa'->../f, '文wA'->../d, '文wax'->../k, '文oé'->., '文oe\u0301'->../loop, 'éwa'->gone,
        'éwA'->../o/f, 'éwax'->../o/x, 'éoé'->../o/gone, 'éoe\u0301'->../p, '😀wa'->/nowhere, '😀wA':fifo,
        '😀wax':sock, '😀oé'=2, '😀oe\u0301', 'b\u200bwa'/{x}, 'b\u200bwA'/, 'b\u200bwax'/%0300{x},
        'b\u200boé'/%0600{x}, 'b\u200boe\u0301'=>f, '\xffwa'->../f, '\xffwA'->../d, '\xffwax'->../k, '\xffoé'->.,
        '\xffoe\u0301'->../loop, 'n'*100'wa'->gone, 'n'*100'wA'->../o/f, 'n'*100'wax'->../o/x,
        'n'*100'oé'->../o/gone, 'n'*100'oe\u0301'->../p
        }
        """
      When listDirectory is called with {"path": "$ROOT/t"}
      And listDirectory is called again with {"path": "$ROOT/t"}
      Then there are 117 entries
      And the entries include "wam, wAm, waxm"

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

  @LF-FIND-05
  Rule: links do not disturb a search

    @LF-FIND-05-402
    Scenario: links that lead nowhere among files and directories
      Given the tree "w/{a.java, l->gone, m->nope, z.java, d/{b.java, n->gone, y.java}, k/{o->gone, c.java}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "w/a.java, w/z.java, w/d/b.java, w/d/y.java, w/k/c.java"
