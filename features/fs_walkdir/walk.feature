@fs_walkdir
Feature: A walk meets everything below its start, once

  @WD-WALK-01
  Rule: every file and directory, at any depth

    @behaviour:BEH-06
    Scenario Outline: everything is met once: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "<entries>"

      Examples:
        | id            | case                                         | tree                              | entries                                 |
        | WD-WALK-01-01 | files and a directory                        | file1.txt=9, subdir/{file2.js=9}  | file1.txt, subdir, subdir/file2.js      |
        | WD-WALK-01-02 | empty directories                            | e1/, e2/{e3/}                     | e1, e2, e2/e3                           |
        | WD-WALK-01-03 | ten levels                                   | a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{x}}}}}}}}}} | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f, a/b/c/d/e/f/g, a/b/c/d/e/f/g/h, a/b/c/d/e/f/g/h/i, a/b/c/d/e/f/g/h/i/j, a/b/c/d/e/f/g/h/i/j/x |
        | WD-WALK-01-04 | a file beside a directory of nearly its name | a/{x=1}, a.txt=22, a-b, B=333     | B, a, a/x, a-b, a.txt                   |
        | WD-WALK-01-05 | siblings after a subdirectory at every level | a/{b/{c, d}, e}, f                | a, a/b, a/b/c, a/b/d, a/e, f            |
        | WD-WALK-01-06 | the same names in two branches               | a/{x, y}, b/{x, y}                | a, a/x, a/y, b, b/x, b/y                |
        | WD-WALK-01-07 | directories only                             | a/{b/{c/}}, d/                    | a, a/b, a/b/c, d                        |
        | WD-WALK-01-09 | two names of one file                        | a/{x=1}, y=>t/a/x                 | a, a/x, y                               |
        | WD-WALK-01-17 | the start's name further down                | t/{u}, v/{t/{w}}                  | t, t/u, v, v/t, v/t/w                   |
        | WD-WALK-01-19 | names that languages take for nothing        | -, 0/{0, 1}, 00, a, false/{x}, null/{y} | -, 0, 0/0, 0/1, 00, a, false, false/x, null, null/y |
        | WD-WALK-01-20 | names that are equal as numbers              | 1, 01, '1.0', '+1', 10/{x}, 1e1/{y}, 0x10, 16 | 1, 01, '1.0', '+1', 10, 10/x, 1e1, 1e1/y, 0x10, 16 |
        | WD-WALK-01-10 | names that differ in case only               | a, A, b/{X}, B/{x}, 'é', 'É', 'Éa' | a, A, b, b/X, B, B/x, 'é', 'É', 'Éa'   |
        | WD-WALK-01-21 | links to files                               | f=1, l->f, d/{m->../f, n->../g}, g=2 | d, d/m, d/n, f, g, l                 |
        | WD-WALK-01-22 | large files                                  | f=2147483648, g=4294967297, d/{h=1099511627777}, k=1 | d, d/h, f, g, k      |
        | WD-WALK-01-108 | unusual modes and times                     | a/%0777{x}, b/%0700{y}, c%0400, d%0666, e=1@-86400000, f/@4102444800000{z} | a, a/x, b, b/y, c, d, e, f, f/z |
        | WD-WALK-01-109 | directories with long names and line breaks | 'n'*255/{x}, 'a\\nb'/{'c\\nd'}    | 'n'*255, 'n'*255'/x', 'a\\nb', 'a\\nb/c\\nd' |
        | WD-WALK-01-11 | two hundred files                            | f000..f199=1                      | f000..f199                              |

    @WD-WALK-01-16
    Scenario: a directory that may only be read is walked
      Given the tree "t/%0555{a/%0555{b%0444}, c%0444}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "a, a/b, c"

    @WD-WALK-01-23
    Scenario: directories deep below the sandbox are walked
      Given the tree "a/{b/{c/{d=1}}}, e"
      When FS.WalkDir is called with {"path": "."}
      Then the entries are "a, a/b, a/b/c, a/b/c/d, e"

    # Libraries read directories in parts of such numbers of names; the last part is then a full one.
    Scenario Outline: everything is met, however much it is: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then there are <number> entries
      And the entries include "<last>"

      Examples:
        | id             | case                               | tree                    | number | last          |
        | WD-WALK-01-103 | ten thousand files in one of a hundred directories | b/{f00000..f10239}, d00..d98/{f}, g000..g899 | 11339 | b/f10239, d98/f, g899 |
        | WD-WALK-01-102 | a thousand levels                  | 'd/'*1000'f'=3          | 1001   | 'd/'*1000'f'  |

    @WD-WALK-01-104
    Scenario: names that are not UTF-8, some of one text, are as many as on the disk
      Given the tree "t/{'\xfe', '\xff', d'\xff'/{'\xfe', '\xff'}, z}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-15 the answer is one of
        | reading     | count | result  |
        | replacement | 6     |         |
        | other       | 6     |         |
        | nil         |       | no list |

    # Its device is another one than that of the start.
    @WD-WALK-01-111 @needs:namespaces
    Scenario: what is mounted below the start is walked like any directory
      Given the tree "t/{a, m/, z}"
      And "t/m" is for the candidate's process another file system with the tree "x=1, d/{y}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "a, m, m/d, m/d/y, m/x, z"

  @WD-WALK-02
  Rule: the start itself is no element

    Scenario Outline: the start is no element: <path>
      Given the tree "t/{a/{b}}, .t/{a/{b}, .u/{c}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the entries are "<entries>"

      Examples:
        | id            | path  | entries          |
        | WD-WALK-02-01 | t     | a, a/b           |
        | WD-WALK-02-05 | .t    | a, a/b, .u, .u/c |
        | WD-WALK-02-06 | .t/.u | c                |

    Scenario Outline: the start is no element in another spelling: <path>
      Given the tree "t/{a/{b}}, .t/{a/{b}, .u/{c}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries   | result  |
        | accepted | <entries> |         |
        | refused  | <entries> |         |
        | clean    |           | no list |

      Examples:
        | id            | path | entries |
        | WD-WALK-02-04 | ./t  | a, a/b  |
        | WD-WALK-02-03 | t/a/ | b       |

  @WD-WALK-03
  Rule: nothing is filtered

    Scenario Outline: entries are listed, and directories entered: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "<entries>"

      Examples:
        | id             | case                                      | tree                                | entries                              |
        | WD-WALK-03-01  | hidden files and directories              | .h=12, .d/{x=1, .y}                 | .h, .d, .d/x, .d/.y                  |
        | WD-WALK-03-02  | directories that programs fill            | .git/{x}, node_modules/{m/{y}}, build/{z}, target/{u}, __pycache__/{v} | .git, .git/x, node_modules, node_modules/m, node_modules/m/y, build, build/z, target, target/u, __pycache__, __pycache__/v |
        | WD-WALK-03-03  | secrets                                   | .ssh/{id_rsa}, a.pem, b.key, c      | .ssh, .ssh/id_rsa, a.pem, b.key, c   |
        | WD-WALK-03-04  | backups and temporary files               | 'a~', '#b#', c.swp, d.tmp           | 'a~', '#b#', c.swp, d.tmp            |
        | WD-WALK-03-05  | what a .gitignore names                   | .gitignore="x", x                   | .gitignore, x                        |
        | WD-WALK-03-113 | what an .ignore in a repository names     | .git/{HEAD}, .ignore="y", d/{y}, y  | .git, .git/HEAD, .ignore, d, d/y, y  |
        | WD-WALK-03-116 | what files of many programs name as left out | .gitignore="*", .ignore="*", .rgignore="*", .fdignore="*", .dockerignore="*", .npmignore="*", .hgignore="a", .eslintignore="a", .nomedia, .hidden="a", CACHEDIR.TAG="Signature: 8a477f597d28d172789f06886806bc55", .gitattributes="a export-ignore", .git/{info/{exclude="*"}}, a, d/{.gitignore="*", a} | .gitignore, .ignore, .rgignore, .fdignore, .dockerignore, .npmignore, .hgignore, .eslintignore, .nomedia, .hidden, CACHEDIR.TAG, .gitattributes, .git, .git/info, .git/info/exclude, a, d, d/.gitignore, d/a |
        | WD-WALK-03-117 | files of many extensions, and directories with one | f.c, f.h, f.cc, f.py, f.pyc, f.js, f.mjs, f.ts, f.css, f.html, f.xml, f.json, f.toml, f.lock, f.log, f.tmp, f.bak, f.old, f.orig, f.swp, f.md, f.txt, f.csv, f.pdf, f.doc, f.png, f.jpg, f.gif, f.svg, f.ico, f.mp3, f.mp4, f.zip, f.gz, f.tar, f.7z, f.jar, f.class, f.o, f.a, f.so, f.dll, f.exe, f.bin, f.dat, f.db, f.sqlite, f.pid, f.sock, f.part, f.crdownload, f.iso, f.img, f.key, f.pem, f.crt, f.env, f.ini, f.cfg, f.map, f.min.js, f.d.ts, d.c/{x}, e.log/{y}, g.tmp/{z} | f.c, f.h, f.cc, f.py, f.pyc, f.js, f.mjs, f.ts, f.css, f.html, f.xml, f.json, f.toml, f.lock, f.log, f.tmp, f.bak, f.old, f.orig, f.swp, f.md, f.txt, f.csv, f.pdf, f.doc, f.png, f.jpg, f.gif, f.svg, f.ico, f.mp3, f.mp4, f.zip, f.gz, f.tar, f.7z, f.jar, f.class, f.o, f.a, f.so, f.dll, f.exe, f.bin, f.dat, f.db, f.sqlite, f.pid, f.sock, f.part, f.crdownload, f.iso, f.img, f.key, f.pem, f.crt, f.env, f.ini, f.cfg, f.map, f.min.js, f.d.ts, d.c, d.c/x, e.log, e.log/y, g.tmp, g.tmp/z |
        | WD-WALK-03-118 | names that objects of languages have      | __proto__/{constructor}, constructor, toString/{length}, length, hasOwnProperty, '$key', class, __init__/{self} | __proto__, __proto__/constructor, constructor, toString, toString/length, length, hasOwnProperty, '$key', class, __init__, __init__/self |
        | WD-WALK-03-101 | directories of further programs           | .svn/{a}, .hg/{b}, .idea/{c}, .venv/{d}, venv/{e}, vendor/{f}, dist/{g}, site-packages/{h} | .svn, .svn/a, .hg, .hg/b, .idea, .idea/c, .venv, .venv/d, venv, venv/e, vendor, vendor/f, dist, dist/g, site-packages, site-packages/h |
        | WD-WALK-03-102 | directories that a desktop shows as one thing | A.app/{a}, b.zip/{b}            | A.app, A.app/a, b.zip, b.zip/b       |
        | WD-WALK-03-103 | what systems leave behind                 | .DS_Store, Thumbs.db, .nfs01, lost+found/{x} | .DS_Store, Thumbs.db, .nfs01, lost+found, lost+found/x |
        | WD-WALK-03-107 | names that begin with two dots            | '..a', '...'/{x}                    | '..a', '...', '.../x'                |
        | WD-WALK-03-114 | directories with signs of globs and shells | '[a]'/{x}, '{b,c}'/{y}, 'd*'/{z}, '?'/{u}, '~'/{v}, '$HOME'/{w} | '[a]', '[a]/x', '{b,c}', '{b,c}/y', 'd*', 'd*/z', '?', '?/u', '~', '~/v', '$HOME', '$HOME/w' |
        | WD-WALK-03-115 | directories that Windows could not have   | con/{x}, nul.txt/{y}, 'b.'/{z}, 'c '/{u}, 'd:'/{v} | con, con/x, nul.txt, nul.txt/y, 'b.', 'b./z', 'c ', 'c /u', 'd:', 'd:/v' |

    Scenario Outline: a start with a name of programs, or a hidden one, is walked: <path>
      Given the tree ".ssh/{keys/{a}, id_rsa}, node_modules/{b}, .t/{.a/{b}, c}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the entries are "<entries>"

      Examples:
        | id             | path         | entries              |
        | WD-WALK-03-07  | .t           | .a, .a/b, c          |
        | WD-WALK-03-110 | .ssh         | id_rsa, keys, keys/a |
        | WD-WALK-03-111 | .ssh/keys    | a                    |
        | WD-WALK-03-112 | node_modules | b                    |

    @returns
    Scenario Outline: special files are listed, or left out by all: <case>
      Given the tree "t/{<tree>, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-18 the answer is one of
        | reading  | entries      |
        | included | <entries>, f |
        | omitted  | <rest>       |

      Examples:
        | id            | case              | tree                  | entries          | rest      |
        | WD-WALK-03-08 | a FIFO            | p:fifo                | p                | f         |
        | WD-WALK-03-09 | a socket          | s:sock                | s                | f         |
        | WD-WALK-03-10 | both further down | d/{p:fifo, s:sock, g} | d, d/g, d/p, d/s | d, d/g, f |

      @needs:mknod
      Examples:
        | id            | case     | tree  | entries | rest |
        | WD-WALK-03-11 | a device | c:chr | c       | f    |
