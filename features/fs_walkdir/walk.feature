@fs_walkdir
Feature: A walk meets everything below its start, once

  @WD-WALK-01
  Rule: every file and directory, at any depth

    Scenario Outline: everything: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets "<entries>"
      And the tree is unchanged

      Examples:
        | id            | case                                        | tree                          | entries                                     |
        | WD-WALK-01-01 | files and a directory                       | t/{file1.txt=9, subdir/{file2.js=9}} | file1.txt, subdir, subdir/file2.js   |
        | WD-WALK-01-02 | empty directories                           | t/{e1/, e2/{e3/}}             | e1, e2, e2/e3                               |
        | WD-WALK-01-03 | ten levels                                  | t/{a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{x}}}}}}}}}}} | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f, a/b/c/d/e/f/g, a/b/c/d/e/f/g/h, a/b/c/d/e/f/g/h/i, a/b/c/d/e/f/g/h/i/j, a/b/c/d/e/f/g/h/i/j/x |
        | WD-WALK-01-04 | a file beside a directory of nearly its name | t/{a/{x=1}, a.txt=22, a-b, B=333} | B, a, a/x, a-b, a.txt                  |
        | WD-WALK-01-05 | siblings after a subdirectory at every level | t/{a/{b/{c, d}, e}, f}       | a, a/b, a/b/c, a/b/d, a/e, f                |
        | WD-WALK-01-06 | the same names in two branches              | t/{a/{x, y}, b/{x, y}}        | a, a/x, a/y, b, b/x, b/y                    |
        | WD-WALK-01-07 | directories only                            | t/{a/{b/{c/}}, d/}            | a, a/b, a/b/c, d                            |
        | WD-WALK-01-08 | files only                                  | t/{a, b=5, c}                 | a, b, c                                     |
        | WD-WALK-01-09 | two names of one file                       | t/{a/{x=1}, y=>t/a/x}         | a, a/x, y                                   |
        | WD-WALK-01-17 | the start's name further down               | t/{t/{u}, v/{t/{w}}}          | t, t/u, v, v/t, v/t/w                       |
        | WD-WALK-01-18 | one name on every level                     | t/{a/{a/{a}}}                 | a, a/a, a/a/a                               |
        | WD-WALK-01-19 | names that languages take for nothing       | t/{-, 0/{0, 1}, 00, a, false/{x}, null/{y}} | -, 0, 0/0, 0/1, 00, a, false, false/x, null, null/y |
        | WD-WALK-01-20 | names that are equal as numbers             | t/{1, 01, '1.0', '+1', 10/{x}, 1e1/{y}, 0x10, 16} | 1, 01, '1.0', '+1', 10, 10/x, 1e1, 1e1/y, 0x10, 16 |

    @WD-WALK-01-10
    Scenario: names that differ in case only
      Given the tree "t/{a, A, b/{X}, B/{x}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets "a, A, b, b/X, B, B/x"
      And the tree is unchanged

    @WD-WALK-01-11
    Scenario: two hundred files
      Given the tree "t/{f000..f199=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets "f000..f199"
      And the tree is unchanged

    @WD-WALK-01-12
    Scenario: three thousand entries
      Given the tree "t/{d00..d99/{f00..f28}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets 3000 elements
      And the entries include "d00, d00/f00, d00/f28, d50/f14, d99, d99/f28"
      And the tree is unchanged

    @WD-WALK-01-103
    Scenario: five thousand and one files in one directory
      Given the tree "t/{f0000..f5000}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets 5001 elements
      And the tree is unchanged

    # Libraries read directories in parts of such numbers of names; the last part is then a full one.
    @WD-WALK-01-105
    Scenario: directories of as many files as programs read at once
      Given the tree "t/{b/{f00..f31}, c/{f00..f63}, d/{f00..f99}, e/{f000..f127}, g/{f000..f255}, h/{f000..f511}, i/{f000..f999}, j/{f0000..f1023}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets 3124 elements
      And the tree is unchanged

    @WD-WALK-01-13
    Scenario: forty levels, and a file at the bottom
      Given the tree
        """
        t/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{f=3
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        """
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets 41 elements
      And the entries include "'d/'*40'f'"
      And the tree is unchanged

    @WD-WALK-01-102
    Scenario: a hundred and fifty levels, and a file at the bottom
      Given the tree
        """
        t/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{f=3
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        """
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets 151 elements
      And the entries include "'d/'*150'f'"
      And the tree is unchanged

    @WD-WALK-01-104
    Scenario: names that are not UTF-8, some of one text
      Given the tree "t/{'\xfe', '\xff', d'\xff'/{'\xfe', '\xff'}, z}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-15 the answer is one of
        | reading     | count | result  |
        | replacement | 6     |         |
        | other       | 6     |         |
        | nil         |       | no list |
      And a control call with {"path": "a"} on the tree "a/{b}" lists "b"
      And the tree is unchanged

    @WD-WALK-01-15
    Scenario: a second walk of an unchanged tree gives the same
      Given the tree "t/{a/{b=1, c/}, d=2}"
      When FS.WalkDir is called with {"path": "t"}
      And FS.WalkDir is called again with {"path": "t"}
      Then both results hold the same
      And the tree is unchanged

    @WD-WALK-01-108
    Scenario: whatever the modes and times of entries are
      Given the tree "t/{a/%0777{x}, b/%0700{y}, c%0000, d%0666, e=1@-86400000, f/@4102444800000{z}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets "a, a/x, b, b/y, c, d, e, f, f/z"
      And the tree is unchanged

    @WD-WALK-01-109
    Scenario: whatever the names of directories are
      Given the tree "t/{'n'*255/{x}, 'a\nb'/{'c\nd'}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets "'n'*255, 'n'*255'/x', 'a\nb', 'a\nb/c\nd'"
      And the tree is unchanged

    @WD-WALK-01-16
    Scenario: a directory that may only be read is walked
      Given the tree "t/%0555{a/%0555{b%0444}, c%0444}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets "a, a/b, c"
      And the tree is unchanged

  @WD-WALK-02
  Rule: the start itself is no element

    Scenario Outline: without the start: <path>
      Given the tree "t/{a/{b}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | path | entries   |
        | WD-WALK-02-01 | t    | a, a/b    |
        | WD-WALK-02-04 | ./t  | a, a/b    |

    @WD-WALK-02-03
    Scenario: without a directory further down
      Given the tree "t/{a/{b}}"
      When FS.WalkDir is called with {"path": "t/a/"}
      Then the start is no element
      And a control call with {"path": "t"} lists "a, b"
      And the tree is unchanged

    @WD-WALK-02-02
    Scenario: without the sandbox
      Given the tree "t/{a/{b}}"
      When FS.WalkDir is called with {"path": "."}
      Then the start is no element
      And a control call with {"path": "t"} lists "a, b"
      And the tree is unchanged

    @WD-WALK-02-101
    Scenario: without an empty directory
      Given the tree "e/, t/{a/{b}}"
      When FS.WalkDir is called with {"path": "e"}
      Then the answer is one of
        | result              | without | include |
        | without the start   | e       |         |
        |                     |         | t       |
        | anything but a list |         |         |
      And a control call with {"path": "t"} lists "a, b"
      And the tree is unchanged

  @WD-WALK-03
  Rule: nothing is filtered

    # A tool that does not even walk a tree of common names has another error than a filter.
    Scenario Outline: listed and entered: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "t"}
      Then a control call with {"path": "a"} on the tree "a/{b/{c=1}, d=1, e/{f=1}}" lists "b, c, d, e, f"
      And the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | case                                    | tree                                | entries                              |
        | WD-WALK-03-01 | hidden files and directories            | t/{.h=12, .d/{x=1, .y}}             | .h, .d, .d/x, .d/.y                  |
        | WD-WALK-03-02 | directories that programs fill          | t/{.git/{x}, node_modules/{m/{y}}, build/{z}, target/{u}, __pycache__/{v}} | .git, .git/x, node_modules, node_modules/m, node_modules/m/y, build, build/z, target, target/u, __pycache__, __pycache__/v |
        | WD-WALK-03-03 | secrets                                 | t/{.ssh/{id_rsa}, a.pem, b.key}     | .ssh, .ssh/id_rsa, a.pem, b.key      |
        | WD-WALK-03-04 | backups and temporary files             | t/{'a~', '#b#', c.swp, d.tmp}       | 'a~', '#b#', c.swp, d.tmp            |
        | WD-WALK-03-05 | what a .gitignore names                 | t/{.gitignore="x", x}             | .gitignore, x                        |
        | WD-WALK-03-113 | what an .ignore in a repository names  | t/{.git/{HEAD}, .ignore="y", d/{y}, y} | .git, .git/HEAD, .ignore, d, d/y, y |
        | WD-WALK-03-06 | empty files                             | t/{a, b/{c}}                        | a, b, b/c                            |
        | WD-WALK-03-101 | directories of further programs        | t/{.svn/{a}, .hg/{b}, .idea/{c}, .venv/{d}, venv/{e}, vendor/{f}, dist/{g}, site-packages/{h}} | .svn, .svn/a, .hg, .hg/b, .idea, .idea/c, .venv, .venv/d, venv, venv/e, vendor, vendor/f, dist, dist/g, site-packages, site-packages/h |
        | WD-WALK-03-102 | directories that a desktop shows as one thing | t/{A.app/{a}, b.zip/{b}}     | A.app, A.app/a, b.zip, b.zip/b       |
        | WD-WALK-03-103 | what systems leave behind              | t/{.DS_Store, Thumbs.db, .nfs01, lost+found/{x}} | .DS_Store, Thumbs.db, .nfs01, lost+found, lost+found/x |
        | WD-WALK-03-105 | names with blanks, quotes and dashes   | t/{'a b', '-x', 'it\'s', ' c '/{' d'}} | 'a b', '-x', 'it\'s', ' c ', ' c / d' |
        | WD-WALK-03-106 | names with line breaks and controls    | t/{'a\\nb', 'c\td'/{'\x01'}}        | 'a\\nb', 'c\td', 'c\td/\x01'       |
        | WD-WALK-03-107 | names that begin with two dots         | t/{'..a', '...'/{x}}               | '..a', '...', '.../x'               |
        | WD-WALK-03-108 | letters of other scripts               | t/{'é文', '\U0001f600'/{x}}         | 'é文', '\U0001f600', '\U0001f600/x' |
        | WD-WALK-03-109 | files that nobody may read             | t/{f=1%0000, g%0000, h}            | f, g, h                             |
        | WD-WALK-03-104 | directories of special modes           | t/{s/%1777{a}, g/%2755{b}}          | s, s/a, g, g/b                       |
        | WD-WALK-03-114 | directories with signs of globs and shells | t/{'[a]'/{x}, '{b,c}'/{y}, 'd*'/{z}, '?'/{u}, '~'/{v}, '$HOME'/{w}} | '[a]', '[a]/x', '{b,c}', '{b,c}/y', 'd*', 'd*/z', '?', '?/u', '~', '~/v', '$HOME', '$HOME/w' |
        | WD-WALK-03-115 | directories that Windows could not have | t/{con/{x}, nul.txt/{y}, 'b.'/{z}, 'c '/{u}, 'd:'/{v}} | con, con/x, nul.txt, nul.txt/y, 'b.', 'b./z', 'c ', 'c /u', 'd:', 'd:/v' |

    Scenario Outline: a start with a name of programs: <path>
      Given the tree ".ssh/{keys/{a}, id_rsa}, node_modules/{b}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then a control call with {"path": "a"} on the tree "a/{b/{c=1}, d=1, e/{f=1}}" lists "b, c, d, e, f"
      And the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id             | path         | entries              |
        | WD-WALK-03-110 | .ssh         | id_rsa, keys, keys/a |
        | WD-WALK-03-111 | .ssh/keys    | a                    |
        | WD-WALK-03-112 | node_modules | b                    |

    @WD-WALK-03-07
    Scenario: a hidden directory can be the start
      Given the tree ".t/{.a/{b}, c}"
      When FS.WalkDir is called with {"path": ".t"}
      Then a control call with {"path": "a"} on the tree "a/{b/{c=1}, d=1, e/{f=1}}" lists "b, c, d, e, f"
      And the elements are ".a, .a/b, c"
      And the tree is unchanged

    @returns
    Scenario Outline: special files: <case>
      Given the tree "t/{<tree>, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-18 the answer is one of
        | reading  | entries      |
        | included | <entries>, f |
        | omitted  | <rest>       |
      And the tree is unchanged

      Examples:
        | id            | case              | tree               | entries     | rest |
        | WD-WALK-03-08 | a FIFO            | p:fifo             | p           | f    |
        | WD-WALK-03-09 | a socket          | s:sock             | s           | f    |
        | WD-WALK-03-10 | both further down | d/{p:fifo, s:sock, g} | d, d/g, d/p, d/s | d, d/g, f |

    @WD-WALK-03-11 @needs:mknod @returns
    Scenario: a device
      Given the tree "t/{c:chr, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-18 the answer is one of
        | reading  | entries |
        | included | c, f    |
        | omitted  | f       |
      And the tree is unchanged
