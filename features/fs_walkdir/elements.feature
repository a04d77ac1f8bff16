@fs_walkdir
Feature: A walk gives one flat list, a map for each entry

  @WD-RET-01
  Rule: the list has maps of five keys, and nothing else

    @WD-RET-01-01
    Scenario: the document's first example
      Given the tree "walktest/{file1.txt="Content A", subdir/{file2.js="Content B"}}"
      When FS.WalkDir is called with {"path": "walktest"}
      Then every entry has the documented types
      And the tree is unchanged

    @WD-RET-01-02
    Scenario: the keys of every kind of entry
      Given the tree "t/{d/{x=1}, e/, f=5, l->f, m->gone}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-16 the answer is one of
        | reading   | keys                         |
        | forbidden | the documented ones          |
        | tolerated | at least the documented ones |
      And every entry has the documented types
      And the tree is unchanged

    @WD-RET-01-03
    Scenario: the list is flat
      Given the tree "t/{a/{b/{c/{d}}}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the walk meets 4 elements
      And every entry has the documented types
      And the tree is unchanged

    @WD-RET-01-04
    Scenario: a long list has the same maps
      Given the tree "t/{f0000..f1199}"
      When FS.WalkDir is called with {"path": "t"}
      Then every entry has the documented types
      And the tree is unchanged

    # Some writers take such a text for a number or another value.
    @WD-RET-01-06
    Scenario: the types of names that look like other values
      Given the tree "t/{1, 02/{3}, 4e5, true, null, nil}"
      When FS.WalkDir is called with {"path": "t"}
      Then every entry has the documented types
      And the tree is unchanged

    @WD-RET-01-05
    Scenario: the types of large and of old values
      Given the tree "t/{f=5368709121, g=1@-86400000, h=0@4102444800000}"
      When FS.WalkDir is called with {"path": "t"}
      Then every entry has the documented types
      And the tree is unchanged

  @WD-RET-02
  Rule: a directory without content gives the empty list

    Scenario Outline: nothing below <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-01 the answer is one of
        | reading | entries | result  |
        | list    | ""      |         |
        | nil     |         | no list |
      And a control call with {"path": "a"} on the tree "a/{b}" lists "b"
      And the tree is unchanged

      Examples:
        | id           | case                      | tree      | path |
        | WD-RET-02-01 | an empty directory        | e/, f/{x} | e    |
        | WD-RET-02-02 | one with a slash          | e/, f/{x} | e/   |
        | WD-RET-02-03 | an empty one further down | a/{e/}    | a/e  |
        | WD-RET-02-04 | the empty sandbox         |           | .    |

    @WD-RET-02-05
    Scenario: a directory with nothing but a FIFO
      Given the tree "t/{p:fifo}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-01 the answer is one of
        | reading | entries | result  |
        |         | p       |         |
        | list    | ""      |         |
        | nil     |         | no list |
      And a control call with {"path": "a"} on the tree "a/{b}" lists "b"
      And the tree is unchanged

  @WD-ENT-01
  Rule: name is the base name

    Scenario Outline: base names: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "<entries>"
      And every name is the last component of its path
      And the tree is unchanged

      Examples:
        | id           | case                            | tree                                     | entries                      |
        | WD-ENT-01-01 | at several depths               | t/{a/{b/{c}}, d}                         | a, a/b, a/b/c, d             |
        | WD-ENT-01-02 | one name in two places          | t/{x/{n=1}, y/{n=22}}                    | x, x/n, y, y/n               |
        | WD-ENT-01-03 | one name on every level         | t/{t/{t}}                                | t, t/t                       |
        | WD-ENT-01-04 | blanks, quotes and dashes       | t/{'a b', '-x', 'it\'s', 'say \"x\"'}    | 'a b', '-x', 'it\'s', 'say \"x\"' |
        | WD-ENT-01-05 | letters of other scripts        | t/{'é文', 'e\u0301', '\U0001f600'/{x}}    | 'é文', 'e\u0301', '\U0001f600', '\U0001f600/x' |
        | WD-ENT-01-06 | line breaks and control characters | t/{'a\\nb', 'c\td', '\x01', '\x1b[m', '\x7f'} | 'a\\nb', 'c\td', '\x01', '\x1b[m', '\x7f' |
        | WD-ENT-01-07 | several dots                    | t/{a.tar.gz, b., '...'}                  | a.tar.gz, b., '...'          |
        | WD-ENT-01-08 | links have their own            | t/{l->d, d/{x}}                          | l, d, d/x                    |
        | WD-ENT-01-101 | blanks at their ends           | t/{' a', 'b ', ' '/{'c  ', '\t'}}         | ' a', 'b ', ' ', ' /c  ', ' /\t' |
        | WD-ENT-01-102 | carriage returns               | t/{'a\rb', 'c\r'/{'\rd'}}                 | 'a\rb', 'c\r', 'c\r/\rd'     |
        | WD-ENT-01-103 | marks that show nothing        | t/{'\ufeffd', 'e\u200bf', '\u202eg'}      | '\ufeffd', 'e\u200bf', '\u202eg' |
        | WD-ENT-01-104 | as long as a name can be       | t/{'n'*255}                               | 'n'*255                      |
        | WD-ENT-01-105 | signs that HTML escapes        | t/{'a&b', '<c>'/{'d>e'}}                  | 'a&b', '<c>', '<c>/d>e'      |
        | WD-ENT-01-106 | signs that formats and addresses escape | t/{'100%', '%s'/{'%d'}, 'a%20b', 'c+d'}  | '100%', '%s', '%s/%d', 'a%20b', 'c+d' |
        | WD-ENT-01-107 | colons, and names that Windows keeps | t/{'a:b'/{':c'}, 'd:', con/{aux.txt}}  | 'a:b', 'a:b/:c', 'd:', con, con/aux.txt |
        | WD-ENT-01-108 | blanks in a row                | t/{'a  b'/{'c   d'}, 'e\u00a0f', '\u3000'} | 'a  b', 'a  b/c   d', 'e\u00a0f', '\u3000' |
        | WD-ENT-01-109 | quotes around them             | t/{'\"a\"'/{'\'b\''}, '`c`'}             | '\"a\"', '\"a\"/\'b\'', '`c`' |
        | WD-ENT-01-110 | signs of shells, globs and addresses | t/{'~'/{'~a'}, '[b]', '{c,d}', 'e*?', 'f#g', 'h;i', '$(j)'} | '~', '~/~a', '[b]', '{c,d}', 'e*?', 'f#g', 'h;i', '$(j)' |
        | WD-ENT-01-112 | signs with a blank behind, as between fields | t/{'a: b'/{'c -> d'}, 'e, f', 'g \| h', 'i = j', 'k; l'} | 'a: b', 'a: b/c -> d', 'e, f', 'g \| h', 'i = j', 'k; l' |
        | WD-ENT-01-111 | capitals after a dot           | t/{'A.TXT', B.Tar.GZ/{C.Md}}              | A.TXT, B.Tar.GZ, B.Tar.GZ/C.Md |

    @WD-ENT-01-09
    Scenario: one name in two directories
      Given the tree "t/{x/{n=1}, y/{n=22}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries have
        | path | name |
        | x/n  | "n"  |
        | y/n  | "n"  |
      And the tree is unchanged

    Scenario Outline: a name that is not UTF-8: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-15 the answer is one of
        | reading     | entries   | other than | count   | result  |
        | replacement | <entries> |            |         |         |
        | other       |           | <fields>   | <count> |         |
        | nil         |           |            |         | no list |
      And a control call with {"path": "a"} on the tree "a/{b}" lists "b"
      And the tree is unchanged

      Examples:
        | id           | case                   | tree              | entries                | fields          | count |
        | WD-ENT-01-10 | of a file              | a, x'\xff'        | a, 'x\ufffd'           | {"'x\\ufffd'": {}} | 2 |
        | WD-ENT-01-11 | of a directory         | a, d'\xff'/{y}    | a, 'd\ufffd', 'd\ufffd/y' | {"'d\\ufffd'": {}} | 3 |
        | WD-ENT-01-12 | two that look alike    | '\xfe', '\xff'    | '\ufffd', '\ufffd'     | {"'\\ufffd'": {}} | 2     |

  @WD-ENT-02
  Rule: path leads from the start to the entry

    Scenario Outline: paths from the start on: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id           | case                                     | tree                        | path    | entries          |
        | WD-ENT-02-01 | not from the sandbox on                  | a/{b/{c/{f=1}}}             | a/b     | c, c/f           |
        | WD-ENT-02-02 | not from the parent on                   | a/{a/{a/{a}}}               | a       | a, a/a, a/a/a    |
        | WD-ENT-02-03 | the start's spelling plays no part       | a/{b/{c/{f=1}}}             | ./a//b/ | c, c/f           |
        | WD-ENT-02-04 | no dots before those of the sandbox      | a/{b}, c                    | .       | a, a/b, c        |
        | WD-ENT-02-05 | directories have no slash at the end     | t/{d/, e/{g/}}              | t       | d, e, e/g        |
        | WD-ENT-02-06 | the start's name further down            | t/{t1/{t}, xt/{t2}}         | t       | t1, t1/t, xt, xt/t2 |
        | WD-ENT-02-09 | signs that addresses, shells and pages escape | t/{'%2e', 'a%20b'/{x}, '$HOME'/{'~'}, 'c+d', 'e&amp;f'} | t | '%2e', 'a%20b', 'a%20b/x', '$HOME', '$HOME/~', 'c+d', 'e&amp;f' |
        | WD-ENT-02-08 | a link has its own and not its target's  | t/{d/{x}, l->d/x, m->d}     | t       | d, d/x, l, m     |
        | WD-ENT-02-10 | blanks at the ends of names              | t/{'a ', ' b', 'c '/{'d '}} | t       | 'a ', ' b', 'c ', 'c /d ' |

    Scenario Outline: paths of unusual names: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id           | case                                     | tree                        | entries          |
        | WD-ENT-02-11 | signs with a blank behind, as between fields | t/{'m: n'/{'o -> p'}, 'q, r', 's \| t', 'u = v', 'w; x'} | 'm: n', 'm: n/o -> p', 'q, r', 's \| t', 'u = v', 'w; x' |
        | WD-ENT-02-12 | letters and marks apart                  | t/{'e\u0301'/{x, 'o\u0308'}} | 'e\u0301', 'e\u0301/x', 'e\u0301/o\u0308' |

    @WD-ENT-02-07
    Scenario: a backslash in a name is no separator
      Given the tree "t/{'a\\b'=1, 'c\\'/{d}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "'a\\b', 'c\\', 'c\\/d'"
      And the tree is unchanged

  @WD-ENT-03
  Rule: isDir is true for directories and for nothing else

    Scenario Outline: directories among <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "<entries>"
      And the directories among them are "<directories>"
      And the tree is unchanged

      Examples:
        | id           | case                               | tree                          | entries          | directories |
        | WD-ENT-03-01 | files                              | t/{d/{e/{x}}, f, g=5}         | d, d/e, d/e/x, f, g | d, d/e   |
        | WD-ENT-03-02 | empty ones                         | t/{d/, e/, f}                 | d, e, f          | d, e        |
        | WD-ENT-03-03 | links to directories and files     | t/{real/{x=1}, ld->real, lf->real/x} | ld, lf, real, real/x | real |
        | WD-ENT-03-04 | dangling links and loops           | t/{d->nope, l->l, f}          | d, l, f          |             |
        | WD-ENT-03-05 | files that look like directories   | t/{src, bin.d, 'a.'}          | src, bin.d, 'a.' |             |
        | WD-ENT-03-06 | directories that look like files   | t/{a.txt/, b.go/{x}}          | a.txt, b.go, b.go/x | a.txt, b.go |
        | WD-ENT-03-09 | files that can be executed         | t/{d/, f=1%0755, g%0111}      | d, f, g          | d           |
        | WD-ENT-03-10 | files with several names           | t/{d/{e=>t/f}, f=7, g=>t/f}   | d, d/e, f, g     | d           |

    # Left out (AMB-WD-24), it is no element that could be wrong. What else is left out is the question of WD-ERR-06.
    @WD-ENT-03-12
    Scenario: a directory that cannot be read is none the less a directory
      Given the tree "t/{a, locked/%0000{x}, z}"
      When FS.WalkDir is called with {"path": "t"}
      Then the answer is one of
        | fields                      | without | result              |
        | {"locked": {"isDir": true}} |         |                     |
        |                             | locked  |                     |
        |                             |         | anything but a list |
      And a control call with {"path": "a"} on the tree "a/{b}" lists "b"
      And the tree is unchanged

    @WD-ENT-03-08
    Scenario: directories with further bits in their modes
      Given the tree "t/{s/%1777{x}, u/%4755{y}, g/%2755{z}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the directories among them are "g, s, u"
      And the entries include "g, s, u"
      And the tree is unchanged

    @WD-ENT-03-07
    Scenario: special files are no directories
      Given the tree "t/{d/{p:fifo, x}, s:sock}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, d/x"
      And the directories among them are "d"
      And the tree is unchanged

  @WD-ENT-04
  Rule: size is the length of a file in bytes

    @WD-ENT-04-01
    Scenario: bytes and not characters
      Given the tree "t/{u="é文", z, one=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries have
        | path | size |
        | u    | 5    |
        | z    | 0    |
        | one  | 1    |
      And the tree is unchanged

    @WD-ENT-04-13
    Scenario: bytes that end a line are bytes
      Given the tree "t/{f="a\n", g="\n\n", h="a\r\nb"}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries have
        | path | size |
        | f    | 2    |
        | g    | 2    |
        | h    | 4    |
      And the tree is unchanged

    Scenario Outline: a file of <size> bytes
      Given the tree "t/{f=<size>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entry "f" has {"size": <size>}
      And the tree is unchanged

      Examples:
        | id           | size          |
        | WD-ENT-04-02 | 4095          |
        | WD-ENT-04-03 | 4097          |
        | WD-ENT-04-04 | 2147483648    |
        | WD-ENT-04-05 | 4294967296    |
        | WD-ENT-04-06 | 5368709121    |
        | WD-ENT-04-101 | 1100000000001 |

    @WD-ENT-04-07
    Scenario: a directory has a number as well
      Given the tree "t/{d/{f=100}}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-04 the answer is one of
        | reading | entries | fields             | other than         |
        | zero    | d, d/f  | {"d": {"size": 0}} |                    |
        | system  | d, d/f  |                    | {"d": {"size": 0}} |
      And every size is a number
      And the tree is unchanged

    @WD-ENT-04-08
    Scenario: a link has a number as well
      Given the tree "t/{l->big, big=4321}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-05 the answer is one of
        | reading | entries | fields                |
        | own     | big, l  | {"l": {"size": 3}}    |
        | zero    | big, l  | {"l": {"size": 0}}    |
        | target  | big, l  | {"l": {"size": 4321}} |
      And every size is a number
      And the tree is unchanged

    @WD-ENT-04-10
    Scenario: sizes of files that can be executed, or read by nobody
      Given the tree "t/{f=7%0755, g=8%0111, h=9%0000}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries have
        | path | size |
        | f    | 7    |
        | g    | 8    |
        | h    | 9    |
      And the tree is unchanged

    @WD-ENT-04-11
    Scenario: special files have a number as well
      Given the tree "t/{p:fifo, s:sock, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "f"
      And every size is a number
      And the tree is unchanged

    # A reader of doubles has no exact number there, and a number it is.
    @WD-ENT-04-14
    Scenario: the size of a file beyond what doubles count is a number
      Given the tree "t/{f=9007199254740993}"
      When FS.WalkDir is called with {"path": "t"}
      Then every size is a number
      And the tree is unchanged

    @WD-ENT-04-09
    Scenario: two names of one file each have its size
      Given the tree "t/{f=7, g=>t/f}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries have
        | path | size |
        | f    | 7    |
        | g    | 7    |
      And the tree is unchanged

  @WD-ENT-06
  Rule: the size of a directory is 0

    @WD-ENT-06-01
    Scenario: directories with content and without
      Given the tree "t/{d/{f=100}, e/}"
      When FS.WalkDir is called with {"path": "t"}
      Then the directories named "d, e" have the size 0
      And the tree is unchanged

    @WD-ENT-06-02
    Scenario: at every depth
      Given the tree "t/{d/{e/{f=100, g/}}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the directories named "d, e, g" have the size 0
      And the tree is unchanged

  @WD-ENT-05
  Rule: modTime is the modification time in RFC 3339

    @WD-ENT-05-01
    Scenario: the time of the document's example
      Given the tree "t/{f=1@1745354160000, d/@1745354160000}"
      When FS.WalkDir is called with {"path": "t"}
      Then modTime of "f, d" is the instant 2025-04-22T20:36:00Z
      And the tree is unchanged

    Scenario Outline: a file of <instant>: <case>
      Given the tree "t/{f=1@<time>}"
      When FS.WalkDir is called with {"path": "t"}
      Then modTime of "f" is the instant <instant>
      And the tree is unchanged

      Examples:
        | id           | case                         | time                  | instant              |
        | WD-ENT-05-02 | in winter                    | 1234567890000         | 2009-02-13T23:31:30Z |
        | WD-ENT-05-03 | the beginning                | 0                     | 1970-01-01T00:00:00Z |
        | WD-ENT-05-04 | before it                    | -86400000             | 1969-12-31T00:00:00Z |
        | WD-ENT-05-05 | beyond 32 bits               | 4102444800000         | 2100-01-01T00:00:00Z |
        | WD-ENT-05-06 | a leap day                   | 1709164800000         | 2024-02-29T00:00:00Z |
        | WD-ENT-05-07 | one-digit month, day, hour   | 1136171045000         | 2006-01-02T03:04:05Z |
        | WD-ENT-05-101 | beyond 32 bits without a sign | 4294967296000       | 2106-02-07T06:28:16Z |

      @interpretation:AMB-WD-11
      Examples:
        | id           | case                         | time                  | instant              |
        | WD-ENT-05-104 | a fraction that begins with zeros | 1745354160005   | 2025-04-22T20:36:00.005Z |

    Scenario Outline: what becomes of a fraction: <case>
      Given the tree "t/{f=1@<time>}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-22 the answer is one of
        | reading | times               |
        | cut     | f=<instant> cut     |
        | nearest | f=<instant> nearest |
      And the tree is unchanged

      Examples:
        | id            | case                         | time                  | instant                        |
        | WD-ENT-05-08  | close to the next second     | 1745354160999999999ns | 2025-04-22T20:36:00.999999999Z |
        | WD-ENT-05-103 | half a second before 1970    | -500                  | 1969-12-31T23:59:59.5Z         |

    # A tool that counts nanoseconds in 64 bits cannot have this time, and nothing stands for a time that is not there.
    @WD-ENT-05-102
    Scenario: beyond 63 bits of nanoseconds
      Given the tree "t/{f=1@10413792000000}"
      When FS.WalkDir is called with {"path": "t"}
      Then the answer is one of
        | times                  | result  |
        | f=2300-01-01T00:00:00Z |         |
        |                        | no list |
      And a control call with {"path": "a"} on the tree "a/{b}" lists "b"
      And the tree is unchanged

    Scenario Outline: the time of <case>
      Given the tree "t/{<tree>, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-18 the answer is one of
        | reading  | times                  | entries |
        | included | p=2025-04-22T20:36:00Z | f, p    |
        | omitted  |                        | f       |
      And the tree is unchanged

      Examples:
        | id            | case     | tree                  |
        | WD-ENT-05-107 | a FIFO   | p:fifo@1745354160000  |
        | WD-ENT-05-108 | a socket | p:sock@1745354160000  |

    @interpretation:AMB-WD-11
    Scenario Outline: in a process of another time zone: <zone>
      Given the tree "t/{f=1@1234567890000, s=1@1752000000000}"
      And the candidate's process has {"env": {"TZ": "<zone>"}}
      When FS.WalkDir is called with {"path": "t"}
      Then modTime of "f" is the instant 2009-02-13T23:31:30Z
      And modTime of "s" is the instant 2025-07-08T18:40:00Z
      And the tree is unchanged

      Examples:
        | id           | zone           |
        | WD-ENT-05-09 | Asia/Kathmandu |
        | WD-ENT-05-105 | America/St_Johns |
