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
