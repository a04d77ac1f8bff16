@local_files
Feature: Where a search begins, and how far down it goes

  @LF-FIND-01
  Rule: every level is searched

    # What the root is called and how it is spelt does not change what is found below it.
    Scenario Outline: a search root that is <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT/<path>", "recursive": true, "glob": "**/*.java"}
      Then the entries include "<entries>"

      Examples:
        | id             | case                      | tree                | path  | entries  |
        | LF-FIND-01-302 | hidden                    | .h/{y/{C.java}}     | .h    | y/C.java |
        | LF-FIND-01-303 | called like a set         | '[ab]'/{y/{D.java}} | [ab]  | y/D.java |
        | LF-FIND-01-304 | called like alternatives  | '{p,q}'/{y/{F.java}} | {p,q} | y/F.java |
        | LF-FIND-01-305 | called like a star        | '*'/{y/{G.java}}    | *     | y/G.java |
        | LF-FIND-01-312 | called like an address    | 'a#b?c'/{y/{H.java}} | a#b?c | y/H.java |

    Scenario Outline: a search root that is spelt with a <case>
      Given the tree "src/{x/{I.java}}"
      When findFiles is called with {"path": "$ROOT/<path>", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-24 the answer is one of
        | reading | include  | fails     |
        |         | x/I.java |           |
        | refused |          | any error |

      Examples:
        | id             | case         | path  |
        | LF-FIND-01-301 | slash behind | src/  |
        | LF-FIND-01-401 | dot          | ./src |

    @LF-FIND-01-306
    Scenario: a search root that is a link to a directory
      Given the tree "src/{y/{A.java, x/{B.java}}}, l->src"
      When findFiles is called with {"path": "$ROOT/l", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-26 the answer is one of
        | reading  | count | fails     |
        | searched | 2     |           |
        | refused  |       | any error |
        | nothing  | 0     |           |

    @LF-FIND-01-316
    Scenario: a thousand levels
      Given the tree "'a/'*1000'x.java'"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "'a/'*1000'x.java'"
      When listDirectory is called again with {"path": "$ROOT/$('a/'*999)a"}
      Then the entries are "x.java"

    @LF-FIND-01-410 @needs:namespaces
    Scenario: a file system that is mounted below
      Given the tree "s/{A.java, x/{B.java}}, w/{m/, C.java}"
      And "w/m" is for the candidate's process another file system with the tree "A.java, x/{B.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "s/A.java, s/x/B.java, w/m/A.java, w/m/x/B.java, w/C.java"

    @LF-FIND-01-317
    Scenario: directories whose paths have more than a thousand characters
      Given the tree "'p'*250/{'q'*250/{'r'*250/{'s'*250/{'t'*250/{u/{x.java}}}}}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "'p'*250'/''q'*250'/''r'*250'/''s'*250'/''t'*250'/u/x.java'"

    @LF-FIND-01-318
    Scenario: directories that their owner may not change
      Given the tree "d/%0555{A.java, e/%0500{B.java}}, w/{C.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "d/A.java, d/e/B.java, w/C.java"

    @LF-FIND-01-308
    Scenario: no name of a directory keeps a search out
      Given the tree "__pycache__/{a.java}, dist/{b.java}, vendor/{c.java}, out/{d.java}, bin/{e.java}, obj/{f.java}, lost+found/{g.java}, node_modules/{m/{h.java}}, target/{i.java}, build/{j.java}, venv/{k.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "__pycache__/a.java, dist/b.java, vendor/c.java, out/d.java, bin/e.java, obj/f.java, lost+found/g.java, node_modules/m/h.java, target/i.java, build/j.java, venv/k.java"

    @LF-FIND-01-313
    Scenario: no sign in a name of a directory keeps a search out
      Given the tree "'[a]'/{a.java}, '{b,c}'/{b.java}, 'd*'/{c.java}, '?'/{d.java}, '~'/{e.java}, '$HOME'/{f.java}, con/{g.java}, 'h:'/{h.java}, 'i  j'/{i.java}, '\"k\"'/{j.java}, 'l.'/{k.java}, '#m'/{l.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "'[a]/a.java', '{b,c}/b.java', 'd*/c.java', '?/d.java', '~/e.java', '$HOME/f.java', con/g.java, 'h:/h.java', 'i  j/i.java', '\"k\"/j.java', 'l./k.java', '#m/l.java'"

    # Libraries read directories in parts of such numbers of names; the last part is then a full one.
    @LF-FIND-01-314
    Scenario: directories of as many files as programs read at once
      Given the tree "b/{f00..f31}, c/{f00..f63}, d/{f00..f99}, e/{f000..f127}, g/{f000..f255}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*"}
      Then the answer is one of
        | include                             | count      |
        | b/f31, c/f63, d/f99, e/f127, g/f255 | [580, 585] |

    @LF-FIND-01-315
    Scenario: directories without content among others
      Given the tree "a/, b/{A.java, c/, d/{e/, f/{B.java}, g/}}, h/, i/{C.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "b/A.java, b/d/f/B.java, i/C.java"

    # Libraries that search code leave out what such files name.
    @LF-FIND-01-309
    Scenario: no file of a directory keeps a search out
      Given the tree ".git/{HEAD}, w/{.gitignore="gen", .ignore="gen", gen/{A.java}, B.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "w/gen/A.java, w/B.java"

    @LF-FIND-01-411
    Scenario: no file that names what to ignore is more than a file
      Given the tree ".git/{HEAD, info/{exclude="*.java\n"}}, .gitignore="*\n", .ignore="*.java\n", .rgignore="w\n", .fdignore="w/\n", .dockerignore="**\n", w/{.gitignore="*.java\n", .npmignore="x\n", A.java, x/{.hgignore="*", B.java}}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries are "w/A.java, w/x/B.java"

    @LF-FIND-01-412
    Scenario: no extension keeps a file out
      Given the tree "w/{a.exe, b.so, c.jar, d.png, e.zip, f.min.js, g.js.map, h.pyc, i.class, j.lock, k.log, l.bak, m.tmp, n.o, o.swp, p}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*"}
      Then the entries include "w/a.exe, w/b.so, w/c.jar, w/d.png, w/e.zip, w/f.min.js, w/g.js.map, w/h.pyc, w/i.class, w/j.lock, w/k.log, w/l.bak, w/m.tmp, w/n.o, w/o.swp, w/p"

    @LF-FIND-01-310
    Scenario: what has come in the meantime is found
      Given the tree "w/{A.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      And the tree gets "v/{B.java}"
      And findFiles is called again with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "w/A.java, v/B.java"

    # To join decoded names again makes a path that is on no disk.
    @LF-FIND-01-311
    Scenario: a directory whose name is not UTF-8 is searched like any other
      Given the tree "'d\xff'/{A.java}, w/{B.java}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then by AMB-LF-17 the answer is one of
        | reading     | entries                     | number of objects | fails     |
        | replacement | 'd\ufffd/A.java', w/B.java |                   |           |
        | other       |                             | 2                 |           |
        | error       |                             |                   | any error |
