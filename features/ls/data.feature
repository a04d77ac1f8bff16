@ls
Feature: What data holds: the entries of the page, and whether it is cut

  @LS-DATA-01
  Rule: entries is an array

    Scenario Outline: the entries <what>
      Given the tree "d1/{x}, e/, a.txt"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | what                          | arguments          | entries      |
        | LS-DATA-01-01  | of the root                   | {}                 | d1, e, a.txt |
        | LS-DATA-01-02  | of a directory with one       | {"path": "d1"}     | x            |
        | LS-DATA-01-03  | of an empty directory         | {"path": "e"}      |              |
        | LS-DATA-01-101 | that a pattern leaves         | {"ignore": ["a*"]} | d1, e        |
        | LS-DATA-01-102 | that a pattern for all leaves | {"ignore": ["*"]}  |              |

    @LS-DATA-01-04
    Scenario: the entries of a page
      Given the tree "d1/{x}, e/, a.txt"
      When LS is called with {"limit": 1}
      Then there are 1 entries

  @LS-DATA-02
  Rule: an entry has path and type

    @interpretation:AMB-LS-67
    Scenario Outline: the members of each entry <what>
      Given the tree "d1/{x}, a.txt=12, l->a.txt, .h, s->d1"
      When LS is called with <arguments>
      Then the keys of each entry are "path, type"
      And the entries include "<entries>"

      Examples:
        | id            | what                 | arguments                | entries   |
        | LS-DATA-02-01 | of the root          | {}                       | d1, a.txt |
        | LS-DATA-02-02 | with hidden ones     | {"include_hidden": true} | d1, a.txt |
        | LS-DATA-02-03 | of a directory below | {"path": "d1"}           | x         |

    @LS-DATA-02-04
    Scenario: types are dir, file and link
      Given the tree "d1/{x}, a.txt=12, l->a.txt"
      When LS is called with {}
      Then the entry "d1" has {"type": "dir"}
      And the entry "a.txt" has {"type": "file"}
      And every entry has {"type": ["dir", "file", "link"]}

    @LS-DATA-02-05
    Scenario: further bits in a mode do not change a type
      Given the tree "s/%1777, g/%2755{x}, u/%4755, p=1%4711, l->s"
      When LS is called with {}
      Then the entries have
        | name | type |
        | s    | dir  |
        | g    | dir  |
        | u    | dir  |
        | p    | file |
        | l    | link |

    @LS-DATA-02-06 @behaviour:BEH-14
    Scenario: a name that stands for something else by now
      Given the tree "a=1, l->a, d/"
      When LS is called with {}
      And "l" has been removed
      And the tree gets "l/{x}"
      And LS is called again with {}
      Then the entries have
        | name | type |
        | a    | file |
        | l    | dir  |
        | d    | dir  |

  @LS-DATA-03
  Rule: paths are relative to the project root

    @LS-DATA-03-01
    Scenario: entries of the root
      Given the tree "src/{x}, README.md, l->src"
      When LS is called with {}
      Then the entries have
        | name      | path      |
        | src       | src       |
        | README.md | README.md |
        | l         | l         |

    Scenario Outline: entries of a directory below with <what>
      Given the tree "docs/, src/{main.py, util/{x.py}, l->main.py}"
      When LS is called with <arguments>
      Then the entries have
        | name    | path        |
        | util    | src/util    |
        | l       | src/l       |
        | main.py | src/main.py |

      Examples:
        | id            | what                          | arguments          |
        | LS-DATA-03-02 | a plain path                  | {"path": "src"}    |
        | LS-DATA-03-03 | a path with a dot and a slash | {"path": "./src/"} |

    @LS-DATA-03-05
    Scenario: entries two levels below
      Given the tree "src/{util/{x.py, deep/}}"
      When LS is called with {"path": "src/util"}
      Then the entries have
        | name | path          |
        | deep | src/util/deep |
        | x.py | src/util/x.py |

    @LS-DATA-03-06
    Scenario: a working directory below makes no difference to paths
      Given the tree "src/{main.py, util/{x.py}}"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "."}
      Then by AMB-LS-76 the answer is one of
        | reading     | paths                 |
        | working_dir | src/util, src/main.py |
        | root        | src                   |

    @LS-DATA-03-12
    Scenario: a working directory below makes no difference in a listing of the root
      Given the tree "src/{main.py}, README.md"
      And the context {"working_dir": "$ROOT/src"}
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT"}
      Then the entries have
        | name      | path      |
        | README.md | README.md |
        | src       | src       |

    @LS-DATA-03-07
    Scenario: an absolute path makes no difference to paths
      Given the tree "src/{main.py, util/{x.py}}"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/src"}
      Then the entries have
        | name    | path        |
        | util    | src/util    |
        | main.py | src/main.py |

    @LS-DATA-03-08
    Scenario: names of blanks, quotes and dashes stay as they are
      Given the tree "in/{'naïve file.txt', 'it\'s', -rf, 文件.md, 'b ', ' '}"
      When LS is called with {"path": "in"}
      Then the entries have
        | name             | path                |
        | 'b '             | 'in/b '             |
        | 'naïve file.txt' | 'in/naïve file.txt' |
        | 'it\\'s'          | 'in/it\\'s'          |
        | -rf              | in/-rf              |
        | 文件.md          | in/文件.md          |
        | ' '              | 'in/ '              |

    @LS-DATA-03-102
    Scenario: dots at the beginning of a name stay as they are
      Given the tree ".env, '..a', '...', .d/{x}, z"
      When LS is called with {"include_hidden": true}
      Then the entries have
        | name  | path  |
        | .env  | .env  |
        | '..a' | '..a' |
        | '...' | '...' |
        | .d    | .d    |
        | z     | z     |

    @LS-DATA-03-09
    Scenario: a backslash in a name is no separator
      Given the tree "in/{'a\\b'}"
      When LS is called with {"path": "in"}
      Then the entries have
        | name    | path       |
        | 'a\\\\b' | 'in/a\\\\b' |

    @LS-DATA-03-101
    Scenario: letters beyond 16 bits, and letters that have two forms
      Given the tree "in/{'\U0001f600', 'e\u0301', '\u212b'}"
      When LS is called with {"path": "in"}
      Then the entries have
        | name         | path            |
        | '\U0001f600' | 'in/\U0001f600' |
        | 'e\u0301'    | 'in/e\u0301'    |
        | '\u212b'     | 'in/\u212b'     |

    @LS-DATA-03-103
    Scenario: names that begin beyond ASCII, in the root
      Given the tree "文件.md, '\U0001f600', '\u212b'/, z"
      When LS is called with {}
      Then the entries have
        | name         | path         |
        | 文件.md      | 文件.md      |
        | '\U0001f600' | '\U0001f600' |
        | '\u212b'     | '\u212b'     |
        | z            | z            |

    @LS-DATA-03-10
    Scenario: a line break in a name
      Given the tree "'a\nb', c"
      When LS is called with {}
      Then by AMB-LS-28 the answer is one of
        | reading | entries    | text ends   |
        | a       | 'a\\nb', c  | a\nb\nc     |
        | b       | 'a\\nb', c  |             |

    @LS-DATA-03-11
    Scenario: a directory that is reached through a link
      Given the tree "src/{main.py, util/{x.py}}, s->src"
      When LS is called with {"path": "s"}
      Then by AMB-LS-21 and AMB-LS-79 the answer is one of
        | reading | AMB-LS-79 | paths                 | refused  |
        | a       | a         | src/util, src/main.py |          |
        | b       | a         | s/util, s/main.py     |          |
        |         | b         |                       | any code |

  @LS-DATA-04
  Rule: truncated is true or false, and always there

    Scenario Outline: truncated of <what>
      Given the tree "d1/, d2/, a.txt, e/"
      When LS is called with <arguments>
      Then the envelope has {"data": {"truncated": [true, false]}}

      Examples:
        | id            | what                                 | arguments    |
        | LS-DATA-04-02 | a page as long as the list           | {"limit": 4} |
        | LS-DATA-04-03 | a page that is shorter than the list | {"limit": 3} |

  @LS-DATA-05
  Rule: a link is a link, whatever it leads to

    @LS-DATA-05-01 @returns
    Scenario: links to a directory, to a file, to nothing, to themselves, and out
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "real/{x}, a, todir->real, tofile->a, dangling->nope, loop->loop, out->../outside, outf->../outside/secret, self->."
      When LS is called with {}
      Then the entries have
        | name     | type |
        | todir    | link |
        | tofile   | link |
        | dangling | link |
        | loop     | link |
        | out      | link |
        | outf     | link |
        | self     | link |

    @LS-DATA-05-02
    Scenario: a chain of links
      Given the tree "real/, l1->l2, l2->real"
      When LS is called with {}
      Then the entries have
        | name | type |
        | l1   | link |
        | l2   | link |

    @LS-DATA-05-102 @returns
    Scenario: links to a pipe, to a socket and to a device
      Given the tree "p:fifo, s:sock, lp->p, ls->s, ln->/dev/null, f"
      When LS is called with {}
      Then the entries have
        | name | type |
        | lp   | link |
        | ls   | link |
        | ln   | link |
        | f    | file |

    @LS-DATA-05-101
    Scenario: two names of one file are no links
      Given the tree "a=3, b=>a, d/, l->a"
      When LS is called with {}
      Then the entries have
        | name | type |
        | a    | file |
        | b    | file |
        | d    | dir  |
        | l    | link |

  @LS-DATA-06
  Rule: what stands in the directory is listed, and nothing from below

    Scenario Outline: the entries of a directory: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | case                                                             | tree                                                             | arguments                             | entries                          |
        | LS-DATA-06-01  | grandchildren are not listed                                     | a/{b/{c/{d.txt}}}, x                                             | {}                                    | a, x                             |
        | LS-DATA-06-02  | neither are the entries of what a link leads to                  | a/{b}, l->a                                                      | {}                                    | a, l                             |
        | LS-DATA-06-03  | no entry is the directory itself or the one above                | d/{x}                                                            | {"path": "d", "include_hidden": true} | x                                |
        | LS-DATA-06-04  | two names of one file are two entries                            | a=3, b=>a                                                        | {}                                    | a, b                             |
        | LS-DATA-06-19  | files of sizes that 32 bits do not hold                          | a, b=2147483648, c=4294967296, d=5368709120, e/                  | {}                                    | a, b, c, d, e                    |
        | LS-DATA-06-113 | what files of other tools say does not matter                    | .git/{HEAD="x", info/{exclude="f*"}}, .gitignore="a*\\na.txt\\n", .ignore="b", .dockerignore="c*", .rgignore="d*", .hidden="e", a.txt, b/, c.txt, d.txt, e, f.txt | {}                                    | a.txt, b, c.txt, d.txt, e, f.txt |
        | LS-DATA-06-119 | what files of other tools say below does not matter              | .gitignore="d/x\\nx\\n", d/{.gitignore="*\\nx\\n", .ignore="y", .hidden="z", .nomedia, CACHEDIR.TAG="Signature: 8a477f597d28d172789f06886806bc55", x, y/, z} | {"path": "d"}                         | CACHEDIR.TAG, x, y, z            |
        | LS-DATA-06-117 | neither the directory itself nor the one above it is a hidden entry | d/{.h, x}                                                        | {"path": "d", "include_hidden": true} | .h, x                            |

    # All of them are counted.
    @LS-DATA-06-14
    Scenario: the last of more than ten thousand entries
      Given the tree "a, f00000..f10000, z"
      When LS is called with {"offset": 10000}
      Then the entries in order are "f09999, f10000, z"

    # A program that is made for code, pictures or backups leaves out some of these.
    @LS-DATA-06-120
    Scenario: names of every ending
      Given the tree "a.7z, a.a, a.aux, a.bak, a.bin, a.bmp, a.c, a.cache, a.class, a.cmd, a.com, a.crdownload, a.csv, a.db, a.dll, a.doc, a.docx, a.dylib, a.elc, a.exe, a.gif, a.gz, a.htm, a.ico, a.img, a.iso, a.jar, a.jpeg, a.jpg, a.js, a.json, a.key, a.lnk, a.lock, a.log, a.map, a.md, a.min.js, a.mp3, a.mp4, a.o, a.obj, a.old, a.orig, a.part, a.pdf, a.pem, a.pid, a.png, a.pyc, a.pyo, a.rar, a.rej, a.sh, a.so, a.sqlite, a.svg, a.swp, a.sys, a.tar, a.tmp, a.ttf, a.txt, a.url, a.wav, a.webp, a.woff2, a.xls, a.xz, a.zip, a~, a., b.app/{x}, c.egg-info/{x}, d.git/{x}, e.asar, f.bundle/{x}, g.d/{x}, h.zip/{x}"
      When LS is called with {}
      Then there are 79 entries

    @LS-DATA-06-121 @needs:namespaces
    Scenario: what is mounted on a directory
      Given the tree "a, m/"
      And "m" is for the candidate's process another file system with the tree "b, d/{e}, l->d"
      When LS is called with {"path": "m"}
      Then the entries are "b, d, l"
      When LS is called again with {}
      Then the entries are "a, m"

    @LS-DATA-06-06
    Scenario: grandchildren are not listed with include_hidden
      Given the tree "a/{b, .c/{d}}, .e/{f}"
      When LS is called with {"include_hidden": true}
      Then the entries include "a"
      And no entry is "b, .c, d, f"

    # Tools that list whole trees have an argument of this name.
    @LS-DATA-06-16
    Scenario: grandchildren are not listed with an argument that the schema does not name
      Given the tree "a/{below, c/{d}}, x"
      When LS is called with {"recursive": true}
      Then the answer does not say "below"

    # Libraries read directories in parts of such numbers of names; the last part is then a full one.
    Scenario Outline: the last of <number> entries, as many as programs read at once
      Given the tree "<tree>"
      When LS is called with {"ignore": ["<ignore>"]}
      Then the entries are "<entries>"

      Examples:
        | id            | number | tree         | ignore  | entries      |
        | LS-DATA-06-17 | 1000   | f000..f999   | f[0-8]* | f900..f999   |
        | LS-DATA-06-18 | 1024   | f0000..f1023 | f0*     | f1000..f1023 |

    @LS-DATA-06-101 @behaviour:BEH-14
    Scenario: what has come in the meantime is there
      Given the tree "a, d/{x}"
      When LS is called with {}
      And the tree gets "b"
      And LS is called again with {}
      Then the entries are "a, b, d"

    @LS-DATA-06-201 @behaviour:BEH-14
    Scenario: a directory that was missing before
      Given the tree "a, d/{x}"
      When LS is called with {"path": "n"}
      And the tree gets "n/{y}"
      And LS is called again with {"path": "n"}
      Then the entries are "y"

    @LS-DATA-06-202 @behaviour:BEH-14
    Scenario: a directory that was a file before
      Given the tree "a, n=1"
      When LS is called with {"path": "n"}
      And "n" has been removed
      And the tree gets "n/{y}"
      And LS is called again with {"path": "n"}
      Then the entries are "y"

    # No size is shown, so that none has to fit a number.
    @LS-DATA-06-203 @needs:huge_files
    Scenario: files of more bytes than some numbers can count
      Given the tree "a=4294967297, b=9007199254740993, c=9223372036854775807, d/"
      When LS is called with {}
      Then the entries are "a, b, c, d"

    @interpretation:AMB-LS-24 @returns
    Scenario Outline: a link to <what> is an entry
      Given the tree "<tree>"
      When LS is called with {}
      Then the entries are "<entries>"

      Examples:
        | id             | what                             | tree        | entries |
        | LS-DATA-06-07  | nothing                          | a, l->gone  | a, l    |
        | LS-DATA-06-08  | itself                           | a, l->l     | a, l    |
        | LS-DATA-06-09  | a place below a file             | a, l->a/x   | a, l    |
        | LS-DATA-06-11  | a directory                      | a, d/, l->d | a, d, l |
        | LS-DATA-06-114 | the directory in which it stands | a, d/, l->. | a, d, l |

    # It may be refused, too: AMB-LS-59.
    @LS-DATA-06-10 @returns
    Scenario: a link to a place that cannot be seen
      Given the tree "a, closed/%0000{x}, l->closed/x"
      When LS is called with {}
      Then the answer is an envelope

    @LS-DATA-06-12 @returns
    Scenario: two links to each other
      Given the tree "a, l1->l2, l2->l1"
      When LS is called with {}
      Then by AMB-LS-24 the answer is one of
        | reading | entries   | refused                     |
        | a       | a, l1, l2 |                             |
        | b       | a         |                             |
        | c       |           | INTERNAL_ERROR or NOT_FOUND |

    @LS-DATA-06-13
    Scenario: an entry whose name is not UTF-8
      Given the tree "'bad\xff', ok"
      When LS is called with {}
      Then by AMB-LS-27 the answer is one of
        | reading | entries         | count | refused        |
        | a       | 'bad\ufffd', ok | 2     |                |
        | b       |                 | 2     |                |
        | c       | ok              | 1     |                |
        | d       |                 |       | INTERNAL_ERROR |

    @LS-DATA-06-102
    Scenario: two entries whose names are not UTF-8 and look alike
      Given the tree "'x\xfe', 'x\xff', ok"
      When LS is called with {}
      Then by AMB-LS-27 the answer is one of
        | reading | count | refused        |
        | a       | 3     |                |
        | b       | 3     |                |
        | c       | 1     |                |
        | d       |       | INTERNAL_ERROR |

    Scenario Outline: names with <what>
      Given the tree "<names>"
      When LS is called with {}
      Then the entries are "<names>"

      Examples:
        | id             | what                                                    | names                                                            |
        | LS-DATA-06-103 | signs of addresses and shells                           | 'a%20b', '%41', a+b, '&amp;', '$HOME', '~e'                      |
        | LS-DATA-06-104 | letters beyond ASCII                                    | 'naïve file.txt', 文件.md, '\\U0001f600', 'e\\u0301', '\\u212b'  |
        | LS-DATA-06-106 | blanks in a row, and what Windows or JSON reads in them | 'a  b', 'c:', 'd:e', con, nul.txt, F.TXT, B.Tar.GZ, 1, 02, 4e5, true, null |
        | LS-DATA-06-107 | marks and blanks that show nothing                      | '\ufeffa', 'b\u200bc', '\u202ed', 'e\u00adf', 'g\u00a0h', '\u3000' |
        | LS-DATA-06-108 | quotes, brackets and signs of programs                  | '\"a\"', '\'b\'', '`c`', '~d', '[e]', '{f,g}', 'h*', 'i?', '#j', 'k;l', '$(m)', '%s', '100%' |
        | LS-DATA-06-105 | quotes, backslashes and control characters              | '\\"', '\\\\', 'a\\tb', '\\u0001', '\\u007f'                     |
        | LS-DATA-06-109 | line breaks                                             | 'a\\nb', 'c\\rd', 'e\\n'                                         |
        | LS-DATA-06-110 | endings of backup files                                 | 'a~', a.bak, a.orig, a.swp, '#a#', '~$a', a.tmp, core, Thumbs.db |
        | LS-DATA-06-111 | words that objects have as members                      | constructor, toString, '__proto__', hasOwnProperty, valueOf, length |
        | LS-DATA-06-112 | 255 bytes                                               | 'n'*255, '\\u6587'*85, z                                         |

    # A tool that takes the directory for a pattern finds nothing in it. The root has entries of the same names, since
    # another rule says which of the two directories is listed.
    @LS-DATA-06-118
    Scenario: a directory that has signs of patterns in its path
      Given the tree "'[a]'/{'{b,c}'/{'d*'/{'e?'/{x, y/}}}}, x, y/"
      And the context {"working_dir": "$ROOT/[a]/{b,c}/d*/e?"}
      When LS is called with {}
      Then the entries include "x, y"

    @LS-DATA-06-115 @interpretation:AMB-LS-24
    Scenario: links to the directory itself, to the one above it and to the root
      Given the tree "d/{up->.., self->../d, top->$ROOT, f}"
      When LS is called with {"path": "d"}
      Then the entries are "up, self, top, f"

    @LS-DATA-06-15 @needs:case_sensitive
    Scenario: names that differ in case only are entries of their own
      Given the tree "Ab, aB, ab, d/, D/"
      When LS is called with {}
      Then the entries are "Ab, aB, ab, d, D"

    @LS-DATA-06-05 @prudent
    Scenario: only the directory itself is opened
      Given the tree "d/{a/{b}, c/{e}, f}, l->d"
      And opened directories are watched
      When LS is called with {"path": "d"}
      Then the entries are "a, c, f"
      And "d/a, d/c" were never opened

    # What an argument means depends on no spelling of the path.
    Scenario Outline: arguments beside a path <way>
      Given beside the sandbox the tree "outside/{f}, linked->root"
      And the tree "t/{plain, .hidden, build/{x}, pb, 'a b'}, d/{x}, l->t"
      And the context <context>
      When LS is called with {"path": "<path>", "limit": 3, "offset": 0, "ignore": null}
      And LS is called again with {"path": "<path>", "limit": 200, "offset": 2, "include_hidden": true, "ignore": []}
      And LS is called again with {"path": "<path>", "limit": 1, "offset": 1000, "include_hidden": false, "ignore": ["plain"]}
      And LS is called again with {"path": "<path>", "ignore": ["t/p*"]}
      And LS is called again with {"path": "<path>", "ignore": ["**/build"]}
      And LS is called again with {"path": "<path>", "limit": 0, "offset": -1}
      And LS is called again with {"path": "<path>", "limit": "1", "offset": [1]}
      And LS is called again with {"path": "<path>", "limit": 201, "ignore": "*"}
      And LS is called again with {"path": "<path>", "ignore": [1], "include_hidden": "true"}
      Then the answer is right, for example "INVALID_PARAM"

      Examples:
        | id             | way                       | path    | context                    |
        | LS-DATA-06-401 | with a dot                | ./t     | {}                         |
        | LS-DATA-06-402 | with two slashes          | d//../t | {}                         |
        | LS-DATA-06-403 | with a slash behind it    | t/      | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked"} |
        | LS-DATA-06-404 | with a step up            | d/../t  | {}                         |
        | LS-DATA-06-405 | through a link            | l       | {}                         |
        | LS-DATA-06-406 | to the parent of a link   | l/..    | {}                         |
        | LS-DATA-06-407 | to the parent             | ..      | {"working_dir": "$ROOT/t"} |
        | LS-DATA-06-408 | that is empty             |         | {}                         |
        | LS-DATA-06-409 | to the root               | .       | {}                         |
        | LS-DATA-06-410 | that is plain             | t       | {}                         |
        | LS-DATA-06-411 | from the root of all      | $ROOT/t | {"roots": ["/"], "allow_absolute": true} |

    Scenario Outline: no directory by a path <way>
      Given beside the sandbox the tree "linked->root"
      And the tree "d/{x}, f, p:fifo, loop->loop, self->., locked/%0000{x}"
      And the context <context>
      When LS is called with {"path": "<start>f<end>"}
      And LS is called again with {"path": "<start>p<end>"}
      And LS is called again with {"path": "<start>loop<end>"}
      And LS is called again with {"path": "<start>f/x<end>"}
      And LS is called again with {"path": "<start>locked<end>"}
      And LS is called again with {"path": "<start>gone<end>"}
      Then the answer is right, for example "NOT_FOUND"

      Examples:
        | id             | way                    | start  | end | context |
        | LS-DATA-06-420 | with a dot             | ./     |     | {}      |
        | LS-DATA-06-421 | with two slashes       | d//../ |     | {}      |
        | LS-DATA-06-422 | with a slash behind it |        | /   | {}      |
        | LS-DATA-06-423 | with a step up         | d/../  |     | {}      |
        | LS-DATA-06-424 | through a link         | self/  |     | {}      |
        | LS-DATA-06-425 | from a root by a link  |        |     | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked"} |
        | LS-DATA-06-426 | from the root of all   | $ROOT/ |     | {"roots": ["/"], "allow_absolute": true} |
        | LS-DATA-06-427 | from a directory       | ../    |     | {"working_dir": "$ROOT/d"} |

    Scenario Outline: what is outside of <root>
      Given beside the sandbox the tree "outside/{f}, root2/{x}, ROOT/{x}, linked->root"
      And the tree "d/{x}, out->../outside"
      And the context <context>
      When LS is called with {"path": "<start>../root2"}
      And LS is called again with {"path": "<start>../ROOT"}
      And LS is called again with {"path": "<start>d/../.."}
      And LS is called again with {"path": "<start>/"}
      And LS is called again with {"path": "<start>out/gone"}
      Then the answer is right, for example <expected>

      Examples:
        | id             | root               | start | context | expected |
        | LS-DATA-06-430 | a root by a link   |       | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked"} | "ACCESS_DENIED" |
        | LS-DATA-06-432 | a working directory | ../ | {"working_dir": "$ROOT/d"} | "ACCESS_DENIED" |

    @LS-DATA-06-440
    Scenario: names with line breaks
      Given beside the sandbox the tree "outside/{f}"
      And the tree
        """
        d/{x}, f, k->f, p:fifo, loop->loop, l->d, t->.,
        'a\nz'=2, 'b\nz'/{x}, 'c\nz'=>f, 'd\nz':fifo, 'e\nz':sock, 'f\nz'->f, 'g\nz'->k, 'h\nz'->., 'i\nz'->loop, 'j\nz'->gone, 'k\nz'->../outside/f, 'l\nz'->../outside, 'm\nz'->../gone, 'n\nz'->p, 'o\nz'->$ROOT/d
        """
      When LS is called with {"path": "l/.."}
      And LS is called again with {"path": ""}
      And LS is called again with {"path": "."}
      And LS is called again with {"path": "t"}
      And LS is called again with {"path": "./t"}
      And LS is called again with {"path": "d//../t"}
      And LS is called again with {"path": "t/"}
      And LS is called again with {"path": "d"}
      Then the answer is right, for example "d/x"

    @LS-DATA-06-441
    Scenario: names that are not UTF-8
      Given beside the sandbox the tree "outside/{f}"
      And the tree
        """
        d/{x}, f, k->f, p:fifo, loop->loop, l->d, t->.,
        'a\xff'=2, 'b\xff'/{x}, 'c\xff'=>f, 'd\xff':fifo, 'e\xff':sock, 'f\xff'->f, 'g\xff'->k, 'h\xff'->., 'i\xff'->loop, 'j\xff'->gone, 'k\xff'->../outside/f, 'l\xff'->../outside, 'm\xff'->../gone, 'n\xff'->p, 'o\xff'->$ROOT/d
        """
      When LS is called with {"path": "l/.."}
      And LS is called again with {"path": "t"}
      And LS is called again with {"path": "./t"}
      And LS is called again with {"path": "d//../t"}
      And LS is called again with {"path": "t/"}
      And LS is called again with {"path": "d"}
      Then the answer is right, for example "d/x"

    @LS-DATA-06-442
    Scenario: names of closed directories and others
      Given beside the sandbox the tree "outside/{f}"
      And the tree
        """
        d/{x}, f, k->f, p:fifo, loop->loop, l->d, t->.,
        buildx/%0300{x}, 'it\'s'/%0300{x}, '[a]*'/%0300{x}, 'n'*220/%0300{x}, '\'q\''=1, 10, '\u6587', 'a b', 'b\\c', '$v', -r
        """
      When LS is called with {"path": "l/.."}
      And LS is called again with {"path": ""}
      And LS is called again with {"path": "."}
      And LS is called again with {"path": "t"}
      And LS is called again with {"path": "./t"}
      And LS is called again with {"path": "d//../t"}
      And LS is called again with {"path": "t/"}
      And LS is called again with {"path": "d"}
      Then the answer is right, for example "d/x"

    @LS-DATA-06-443
    Scenario: names of a parent
      Given beside the sandbox the tree "outside/{f}"
      And the tree
        """
        d/{x}, f, k->f, p:fifo, loop->loop, l->d, t->.,
        buildx/%0300{x}, 'it\'s'/%0300{x}, '[a]*'/%0300{x}, 'n'*220/%0300{x}, '\'q\''=1, 10, '\u6587', 'a b', 'b\\c', '$v', -r, 'a\nz', 'b\xff',
        h=>f, s:sock, ll->k, ab->$ROOT/d, od->../outside, build/, .h
        """
      And the context {"working_dir": "$ROOT/d"}
      When LS is called with {"path": ".."}
      And LS is called again with {"path": "."}
      Then the answer is right, for example "d/x"

    @LS-DATA-06-431
    Scenario: paths below a missing root
      Given the context {"roots": ["$OUTSIDE/nowhere"], "working_dir": "$OUTSIDE/nowhere"}
      When LS is called with {"path": "."}
      And LS is called again with {"path": ""}
      And LS is called again with {"path": ".."}
      And LS is called again with {"path": "../.."}
      And LS is called again with {"path": "d//../t"}
      And LS is called again with {"path": "t/"}
      And LS is called again with {"path": "/"}
      And LS is called again with {"path": "../root2"}
      And LS is called again with {"path": "d/../.."}
      Then the answer is right, for example "NOT_FOUND"

    @LS-DATA-06-444
    Scenario: entries below the root of all
      Given beside the sandbox the tree "outside/{f}"
      And the tree
        """
        d/{x}, f, k->f, t/{p:fifo, s:sock, f=2, e/, c/%0300{x}, .h, l->../d, g->gone, o->../../outside/gone, 10, '[a]',
        'a\nb', 'x\xff', sp->p, k->../k}
        """
      And the context {"roots": ["/"], "allow_absolute": true}
      When LS is called with {"path": "$ROOT/t", "offset": 0, "limit": 200}
      And LS is called again with {"path": "$ROOT/t"}
      And LS is called again with {"path": "$ROOT/d"}
      Then the answer is right, for example "x"

  @LS-DATA-07
  Rule: where a link leads is never said

    @LS-DATA-07-01
    Scenario: the paths of links are their own
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "real/{x}, todir->real, dangling->nowhere-at-all, out->../outside/sub"
      When LS is called with {}
      Then the answer does not say "outside"
      And the entries include "real, todir, dangling, out"

    Scenario Outline: the place outside is not said: a link <what>
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "aaa, zdir/, <link>"
      When LS is called with {}
      Then the answer does not say "outside"
      And the entries include "aaa, zdir, out"

      Examples:
        | id             | what                       | link                    |
        | LS-DATA-07-101 | to a directory             | out->../outside         |
        | LS-DATA-07-102 | with an absolute target    | out->$OUTSIDE/outside   |
        | LS-DATA-07-103 | to a file                  | out->../outside/secret  |
        | LS-DATA-07-104 | through a directory inside | out->zdir/../../outside |
        | LS-DATA-07-105 | to nothing                 | out->../outside/nope    |
        | LS-DATA-07-106 | to a link out              | out->l2, l2->../outside |

    @LS-DATA-07-02
    Scenario: a link to an entry of the same name
      Given the tree "a/{x->../b/x, y->../b/y}, b/{x/, y}"
      When LS is called with {"path": "a"}
      Then the entries have
        | name | path |
        | x    | a/x  |
        | y    | a/y  |
