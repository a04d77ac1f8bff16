@fs_walkdir
Feature: A walk gives one flat list, a map for each entry

  @WD-RET-01 @interpretation:AMB-WD-16
  Rule: the list has maps of five keys, and nothing else

    Scenario Outline: each map has the five documented keys: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "walktest"}
      Then every entry has the documented types

      Examples:
        | id           | case                         | tree                                                          |
        | WD-RET-01-01 | the document's first example | walktest/{file1.txt="Content A", subdir/{file2.js="Content B"}} |
        | WD-RET-01-02 | every kind of entry          | walktest/{d/{x=1}, e/, f=5, l->f, m->gone}                     |
        | WD-RET-01-08 | one directory alone          | walktest/{d/}                                                 |

  @WD-RET-02
  Rule: a directory without content gives the empty list

    Scenario Outline: nothing is below <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-01 the answer is one of
        | reading | entries | result  |
        | list    | ""      |         |
        | nil     |         | no list |

      Examples:
        | id           | case                                 | tree      | path |
        | WD-RET-02-01 | an empty directory                   | e/, f/{x} | e    |
        | WD-RET-02-03 | an empty directory further down      | a/{e/}    | a/e  |
        | WD-RET-02-04 | the empty sandbox                    |           | .    |

    # The spelling may be refused as well (AMB-WD-14).
    @WD-RET-02-02
    Scenario: nothing is below an empty directory with a slash
      Given the tree "e/, f/{x}"
      When FS.WalkDir is called with {"path": "e/"}
      Then the answer is one of
        | entries | result  |
        | ""      |         |
        |         | no list |

    # Without the FIFO (AMB-WD-18) the directory is empty.
    @WD-RET-02-05
    Scenario: a directory with nothing but a FIFO is walked
      Given the tree "t/{p:fifo}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-01 the answer is one of
        | reading | entries | result  |
        |         | p       |         |
        | list    | ""      |         |
        | nil     |         | no list |

  @WD-ENT-01
  Rule: name is the base name

    @behaviour:BEH-06
    Scenario Outline: base names: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "<entries>"
      And every name is the last component of its path

      Examples:
        | id            | case                                 | tree                                     | entries                      |
        | WD-ENT-01-01  | at several depths                    | a/{b/{c}}, d                             | a, a/b, a/b/c, d             |
        | WD-ENT-01-02  | one name in two places               | x/{n=1}, y/{n=22}                        | x, x/n, y, y/n               |
        | WD-ENT-01-04  | blanks, quotes and dashes            | 'a b', '-x', 'it\'s', 'say \"x\"'        | 'a b', '-x', 'it\'s', 'say \"x\"' |
        | WD-ENT-01-05  | letters of other scripts             | 'é文', 'e\u0301', '\U0001f600'/{x}        | 'é文', 'e\u0301', '\U0001f600', '\U0001f600/x' |
        | WD-ENT-01-06  | line breaks and control characters   | 'a\\nb', 'c\td', '\x01', '\x1b[m', '\x7f' | 'a\\nb', 'c\td', '\x01', '\x1b[m', '\x7f' |
        | WD-ENT-01-07  | several dots                         | a.tar.gz, b., '...'                      | a.tar.gz, b., '...'          |
        | WD-ENT-01-101 | blanks at their ends                 | ' a', 'b ', ' '/{'c  ', '\t'}            | ' a', 'b ', ' ', ' /c  ', ' /\t' |
        | WD-ENT-01-102 | carriage returns                     | 'a\rb', 'c\r'/{'\rd'}                    | 'a\rb', 'c\r', 'c\r/\rd'     |
        | WD-ENT-01-103 | marks that show nothing              | '\ufeffd', 'e\u200bf', '\u202eg'         | '\ufeffd', 'e\u200bf', '\u202eg' |
        | WD-ENT-01-104 | as long as a name can be             | 'n'*255                                  | 'n'*255                      |
        | WD-ENT-01-105 | signs that HTML escapes              | 'a&b', '<c>'/{'d>e'}                     | 'a&b', '<c>', '<c>/d>e'      |
        | WD-ENT-01-106 | signs that formats and addresses escape | '100%', '%s'/{'%d'}, 'a%20b', 'c+d'   | '100%', '%s', '%s/%d', 'a%20b', 'c+d' |
        | WD-ENT-01-107 | colons, and names that Windows keeps | 'a:b'/{':c'}, 'd:', con/{aux.txt}        | 'a:b', 'a:b/:c', 'd:', con, con/aux.txt |
        | WD-ENT-01-108 | blanks in a row                      | 'a  b'/{'c   d'}, 'e\u00a0f', '\u3000'   | 'a  b', 'a  b/c   d', 'e\u00a0f', '\u3000' |
        | WD-ENT-01-109 | quotes around them                   | '\"a\"'/{'\'b\''}, '`c`'                 | '\"a\"', '\"a\"/\'b\'', '`c`' |
        | WD-ENT-01-110 | signs of shells, globs and addresses | '~'/{'~a'}, '[b]', '{c,d}', 'e*?', 'f#g', 'h;i', '$(j)' | '~', '~/~a', '[b]', '{c,d}', 'e*?', 'f#g', 'h;i', '$(j)' |
        | WD-ENT-01-111 | capitals after a dot                 | 'A.TXT', B.Tar.GZ/{C.Md}                 | A.TXT, B.Tar.GZ, B.Tar.GZ/C.Md |
        | WD-ENT-01-112 | signs with a blank behind, as between fields | 'a: b'/{'c -> d'}, 'e, f', 'g \| h', 'i = j', 'k; l' | 'a: b', 'a: b/c -> d', 'e, f', 'g \| h', 'i = j', 'k; l' |
        | WD-ENT-01-113 | a backslash is a character           | 'a\\\\b'=1, 'c\\\\'/{'\\\\d'}          | 'a\\\\b', 'c\\\\', 'c\\\\/\\\\d' |

    # The document does not mention locales; some languages decode names by them.
    @WD-ENT-01-114 @prudent
    Scenario: letters of other scripts in a process with the simplest locale
      Given the tree "t/{'é文'/{'\U0001f600'}}"
      And the candidate's process has {"env": {"LC_ALL": "C", "LANG": null}}
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "'é文', 'é文/\U0001f600'"
      And every name is the last component of its path

    Scenario Outline: a name that is not UTF-8: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-15 the answer is one of
        | reading     | entries   | count   | result  |
        | replacement | <entries> |         |         |
        | other       |           | <count> |         |
        | nil         |           |         | no list |

      Examples:
        | id           | case                | tree           | entries                   | count |
        | WD-ENT-01-10 | of a file           | a, x'\xff'     | a, 'x\ufffd'              | 2     |
        | WD-ENT-01-11 | of a directory      | a, d'\xff'/{y} | a, 'd\ufffd', 'd\ufffd/y' | 3     |
        | WD-ENT-01-12 | two that look alike | '\xfe', '\xff' | '\ufffd', '\ufffd'        | 2     |

  @WD-ENT-02
  Rule: path leads from the start to the entry

    Scenario Outline: paths begin at the start: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the entries are "<entries>"

      Examples:
        | id           | case                                    | tree                               | path    | entries             |
        | WD-ENT-02-01 | not at the sandbox                      | a/{b/{c/{f=1}}}                    | a/b     | c, c/f              |
        | WD-ENT-02-02 | not at the parent                       | a/{a/{a/{a}}}                      | a       | a, a/a, a/a/a       |
        | WD-ENT-02-06 | the start's name further down           | t/{t1/{t}, xt/{t2}}                | t       | t1, t1/t, xt, xt/t2 |
        | WD-ENT-02-12 | letters and marks apart, in directories | t/{'e\u0301'/{x, 'o\u0308'}}       | t       | 'e\u0301', 'e\u0301/x', 'e\u0301/o\u0308' |
        | WD-ENT-02-13 | dots in front of names                  | t/{.env, .git/{.x/{'..y'}}, '...'} | t       | .env, .git, .git/.x, .git/.x/..y, '...' |
        | WD-ENT-02-14 | signs of expressions in the start       | 'a+b'/{'(c)'/{x/{y}}}              | a+b/(c) | x, x/y              |
        | WD-ENT-02-15 | a set and a dot in the start            | '[d]'/{'e.*'/{x/{y}}}              | [d]/e.* | x, x/y              |

    @WD-ENT-02-03
    Scenario: the spelling of the start plays no part in the paths
      Given the tree "a/{b/{c/{f=1}}}"
      When FS.WalkDir is called with {"path": "./a//b/"}
      Then by AMB-WD-14 the answer is one of
        | reading  | entries | result  |
        | accepted | c, c/f  |         |
        | refused  | c, c/f  |         |
        | clean    |         | no list |

    @WD-ENT-02-17
    Scenario: paths below a start that passes through a link
      Given the tree "far/{real/{d/{e/{x=1}}}}, l->far/real"
      When FS.WalkDir is called with {"path": "l/d"}
      Then by AMB-WD-06 the answer is one of
        | reading | entries | result  |
        | empty   | e, e/x  |         |
        | content | e, e/x  |         |
        | nil     | e, e/x  |         |
        | nil     |         | no list |

  @WD-ENT-03
  Rule: isDir is true for directories and for nothing else

    @behaviour:BEH-08
    Scenario Outline: directories among <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "<entries>"
      And the directories among them are "<directories>"

      Examples:
        | id           | case                           | tree                       | entries             | directories |
        | WD-ENT-03-01 | files                          | d/{e/{x}}, f, g=5          | d, d/e, d/e/x, f, g | d, d/e      |
        | WD-ENT-03-05 | files that look like directories | src, bin.d, 'a.'         | src, bin.d, 'a.'    |             |
        | WD-ENT-03-06 | directories that look like files | a.txt/, b.go/{x}         | a.txt, b.go, b.go/x | a.txt, b.go |
        | WD-ENT-03-08 | entries with further bits in their modes | d/{w}, s/%1777{x}, u/%4755{y}, g/%2755{z} | d, d/w, s, s/x, u, u/y, g, g/z | d, g, s, u |
        | WD-ENT-03-09 | files that can be executed     | d/, f=1%0755, g%0555       | d, f, g             | d           |

  @WD-ENT-04
  Rule: size is the length of a file in bytes

    Scenario Outline: the size of a file: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entry "f" has {"size": <size>}

      Examples:
        | id            | case                                | tree              | size          |
        | WD-ENT-04-01  | bytes and not characters            | f="é文", z, one=1  | 5             |
        | WD-ENT-04-13  | bytes that end a line               | f="a\r\\nb\\n\\n" | 6             |
        | WD-ENT-04-02  | a byte less than a page             | f=4095            | 4095          |
        | WD-ENT-04-03  | a byte more than a page             | f=4097            | 4097          |
        | WD-ENT-04-04  | beyond 31 bits                      | f=2147483648      | 2147483648    |
        | WD-ENT-04-05  | beyond 32 bits                      | f=4294967296      | 4294967296    |
        | WD-ENT-04-06  | five gibibytes and a byte           | f=5368709121      | 5368709121    |
        | WD-ENT-04-101 | a terabyte                          | f=1100000000001   | 1100000000001 |
        | WD-ENT-04-09  | two names of one file               | f=7, g=>t/f       | 7             |
        | WD-ENT-04-10  | files that can be executed          | f=8%0555, g=7%0755 | 8            |

    # A reader of doubles has no exact number there, and a number it is.
    @WD-ENT-04-14
    Scenario: the size of a file beyond what doubles count is a number
      Given the tree "t/{f=9007199254740993}"
      When FS.WalkDir is called with {"path": "t"}
      Then every entry has the documented types

    @WD-ENT-04-07
    Scenario: a directory has a size as well
      Given the tree "t/{d/{f=100}}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-04 the answer is one of
        | reading | entries | fields                     |
        | zero    | d, d/f  | {"d": {"size": 0}}         |
        | system  | d, d/f  | {"d": {"size": "$NUMBER"}} |

    @WD-ENT-04-08
    Scenario: a link has a size as well
      Given the tree "t/{l->big, big=4321}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-05 the answer is one of
        | reading | entries | fields                |
        | own     | big, l  | {"l": {"size": 3}}    |
        | zero    | big, l  | {"l": {"size": 0}}    |
        | target  | big, l  | {"l": {"size": 4321}} |

  @WD-ENT-06
  Rule: the size of a directory is 0

    Scenario Outline: directories have the size 0: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries have
        | path    | size |
        | <one>   | 0    |
        | <other> | 0    |

      Examples:
        | id           | case                     | tree               | one | other |
        | WD-ENT-06-01 | with content and without | d/{f=100}, e/      | d   | e     |
        | WD-ENT-06-02 | one in another           | d/{e/{f=100, g/}}  | d   | d/e   |

  @WD-ENT-05
  Rule: modTime is the modification time in RFC 3339

    @interpretation:AMB-WD-11
    Scenario Outline: modTime is <instant>: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then modTime of "<entries>" is the instant <instant>

      Examples:
        | id            | case                                     | tree                 | entries | instant                  |
        | WD-ENT-05-01  | the time of the document's example       | f=1@1745354160000, d/@1745354160000 | f, d | 2025-04-22T20:36:00Z |
        | WD-ENT-05-02  | in winter                                | f=1@1234567890000    | f       | 2009-02-13T23:31:30Z     |
        | WD-ENT-05-03  | the beginning                            | f=1@0                | f       | 1970-01-01T00:00:00Z     |
        | WD-ENT-05-04  | before it                                | f=1@-86400000        | f       | 1969-12-31T00:00:00Z     |
        | WD-ENT-05-05  | beyond 32 bits                           | f=1@4102444800000    | f       | 2100-01-01T00:00:00Z     |
        | WD-ENT-05-06  | a leap day                               | f=1@1709164800000    | f       | 2024-02-29T00:00:00Z     |
        | WD-ENT-05-07  | one-digit month, day, hour               | f=1@1136171045000    | f       | 2006-01-02T03:04:05Z     |
        | WD-ENT-05-101 | beyond 32 bits without a sign            | f=1@4294967296000    | f       | 2106-02-07T06:28:16Z     |
        | WD-ENT-05-104 | a fraction that begins with zeros        | f=1@1745354160005    | f       | 2025-04-22T20:36:00.005Z |
        | WD-ENT-05-109 | a directory, whatever is in it           | d/@1000000000000{f=1@1500000000000, g=1@500000000000, e/@1600000000000} | d | 2001-09-09T01:46:40Z |

    Scenario Outline: a fraction is cut off or rounded: <case>
      Given the tree "t/{f=1@<time>}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-22 the answer is one of
        | reading | times               |
        | cut     | f=<instant> cut     |
        | nearest | f=<instant> nearest |

      Examples:
        | id            | case                         | time                  | instant                        |
        | WD-ENT-05-08  | close to the next second     | 1745354160999999999ns | 2025-04-22T20:36:00.999999999Z |
        | WD-ENT-05-103 | half a second before 1970    | -500                  | 1969-12-31T23:59:59.5Z         |

    # A tool that counts nanoseconds in 64 bits cannot have this time, and nothing stands for a time that is not there.
    @WD-ENT-05-102
    Scenario: a time beyond 63 bits of nanoseconds is right, or an error
      Given the tree "t/{f=1@10413792000000}"
      When FS.WalkDir is called with {"path": "t"}
      Then the answer is one of
        | times                  | result  |
        | f=2300-01-01T00:00:00Z |         |
        |                        | no list |

    Scenario Outline: the time of a special file: <case>
      Given the tree "t/{<tree>, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-18 the answer is one of
        | reading  | times                  | entries |
        | included | p=2025-04-22T20:36:00Z | f, p    |
        | omitted  |                        | f       |

      Examples:
        | id            | case     | tree                  |
        | WD-ENT-05-107 | a FIFO   | p:fifo@1745354160000  |
        | WD-ENT-05-108 | a socket | p:sock@1745354160000  |

    @interpretation:AMB-WD-11
    Scenario Outline: the time zone of the process plays no part: <zone>
      Given the tree "t/{f=1@1234567890000, s=1@1752000000000}"
      And the candidate's process has {"env": {"TZ": "<zone>"}}
      When FS.WalkDir is called with {"path": "t"}
      Then modTime of "f" is the instant 2009-02-13T23:31:30Z
      And modTime of "s" is the instant 2025-07-08T18:40:00Z

      Examples:
        | id            | zone             |
        | WD-ENT-05-09  | Asia/Kathmandu   |
        | WD-ENT-05-105 | America/St_Johns |
