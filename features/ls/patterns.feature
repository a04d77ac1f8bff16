@ls
Feature: Patterns in ignore leave out what they match

  @LS-FILT-04
  Rule: without a separator a pattern is held against the whole name, as fnmatch does

    Scenario Outline: a pattern without a separator: <what>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | what                                               | tree                | arguments                       | entries       |
        | LS-FILT-04-01  | a star                                             | a.log, b.txt, logs/ | {"ignore": ["*.log"]}           | b.txt, logs   |
        | LS-FILT-04-02  | two patterns                                       | a.log, b.tmp, c.txt | {"ignore": ["*.log", "*.tmp"]}  | c.txt         |
        | LS-FILT-04-03  | a whole name                                       | log, mylog, log2    | {"ignore": ["log"]}             | mylog, log2   |
        | LS-FILT-04-04  | sets and question marks                            | a1, b1, c1, cc      | {"ignore": ["[ab]?", "c?x"]}    | c1, cc        |
        | LS-FILT-04-05  | an inverted set                                    | a1, b1, c1          | {"ignore": ["[!a]1"]}           | a1            |
        | LS-FILT-04-06  | exclamation marks and braces are signs             | a, b, c             | {"ignore": ["!a", "{b,c}"]}     | a, b, c       |
        | LS-FILT-04-08  | the name of a directory                            | d/, f, dd/          | {"ignore": ["d"]}               | f, dd         |
        | LS-FILT-04-09  | a range of digits                                  | a0, a5, a9, ab      | {"ignore": ["a[0-8]"]}          | a9, ab        |
        | LS-FILT-04-10  | a question mark stands for one sign                | a, ab, abc          | {"ignore": ["a?"]}              | a, abc        |
        | LS-FILT-04-11  | a dot is a dot                                     | a.b, aXb            | {"ignore": ["a.b"]}             | aXb           |
        | LS-FILT-04-12  | the name of a link                                 | l->f, f, x          | {"ignore": ["l"]}               | f, x          |
        | LS-FILT-04-13  | letters beyond ASCII                               | 文件.md, 文, a.md   | {"ignore": ["文*"]}             | a.md          |
        | LS-FILT-04-14  | a pattern that is there twice                      | a, b                | {"ignore": ["c", "b", "c"]}     | a             |
        | LS-FILT-04-102 | an exclamation mark takes nothing back             | a.log, b.log, c     | {"ignore": ["*.log", "!a.log"]} | c             |
        | LS-FILT-04-103 | a hash and a blank are signs                       | '#a', a, ' b', b    | {"ignore": ["#a", " b"]}        | a, b          |
        | LS-FILT-04-104 | a bracket alone is a sign                          | '[', '[a', b        | {"ignore": ["["]}               | '[a', b       |
        | LS-FILT-04-105 | a plus is a sign                                   | a+b, aab            | {"ignore": ["a+b"]}             | aab           |
        | LS-FILT-04-106 | round brackets are signs                           | 'a(b)', ab          | {"ignore": ["a(b)"]}            | ab            |
        | LS-FILT-04-107 | a vertical bar is a sign                           | 'a\|b', a, b        | {"ignore": ["a\|b"]}            | a, b          |
        | LS-FILT-04-108 | a dollar and a caret are signs                     | 'a$', a, '^b', b    | {"ignore": ["a$", "^b"]}        | a, b          |
        | LS-FILT-04-109 | a set of a closing bracket                         | 'a]', ab, a         | {"ignore": ["a[]]"]}            | ab, a         |
        | LS-FILT-04-110 | a dash at the end of a set                         | a-, ab, ac          | {"ignore": ["a[b-]"]}           | ac            |
        | LS-FILT-04-111 | a comma is a sign                                  | 'a,b', a, b         | {"ignore": ["a,b"]}             | a, b          |
        | LS-FILT-04-112 | a semicolon is a sign                              | ;a, a               | {"ignore": [";a"]}              | a             |
        | LS-FILT-04-113 | a variable is a name                               | $HOME, b            | {"ignore": ["$HOME"]}           | b             |
        | LS-FILT-04-114 | a star meets a line break                          | 'a\\nb', c          | {"ignore": ["a*"]}              | c             |
        | LS-FILT-04-115 | a line break at the end of a name counts           | 'c.log\\n', d.log   | {"ignore": ["*.log"]}           | 'c.log\\n'    |
        | LS-FILT-04-116 | a letter that has two forms                        | 'e\\u0301', b       | {"ignore": ["\\u00e9"]}         | 'e\\u0301', b |
        | LS-FILT-04-122 | an open bracket spoils no other pattern            | b1, c1              | {"ignore": ["[", "b1"]}         | c1            |
        | LS-FILT-04-126 | a range of small letters                           | a1, B1, c1, d1      | {"ignore": ["[a-c]1"]}          | B1, d1        |
        | LS-FILT-04-127 | a range of capitals                                | A1, b1, C1, d1      | {"ignore": ["[A-C]1"]}          | b1, d1        |
        | LS-FILT-04-128 | the whole name and not its first part              | log.txt, log, b     | {"ignore": ["log"]}             | log.txt, b    |

      # In languages of 16-bit characters a sign beyond them is two; fnmatch of C may count bytes.
      @prudent
      Examples:
        | id             | what                                               | tree              | arguments                        | entries  |
        | LS-FILT-04-120 | a question mark stands for one letter beyond ASCII | 文, 文件, ab      | {"ignore": ["?"]}                | 文件, ab |
        | LS-FILT-04-123 | a question mark stands for a sign beyond 16 bits   | '\\U0001f600', ab | {"ignore": ["?"]}                | ab       |
        | LS-FILT-04-124 | a set of a sign beyond 16 bits                     | '\\U0001f600', ab | {"ignore": ["[\\ud83d\\ude00]"]} | ab       |

    Scenario Outline: patterns and names: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | case                                        | tree                                       | arguments                                                        | entries       |
        | LS-FILT-04-15  | case matters                                | a.log, B.LOG, LOG                          | {"ignore": ["*.log", "log"]}                                     | B.LOG, LOG    |
        | LS-FILT-04-16  | the name and not the path                   | src/{main.py, util/{x.py}}                 | {"path": "src", "ignore": ["src*py"]}                            | main.py, util |
        | LS-FILT-04-17  | the name below the root as well             | src/{main.py, util/{x.py}}                 | {"path": "src", "ignore": ["main*"]}                             | util          |
        | LS-FILT-04-129 | on a page with an offset too                | a, b, c, d                                 | {"ignore": ["b"], "offset": 1}                                   | c, d          |
        | LS-FILT-04-101 | the directory's own name is no entry's name | src/{main.py, util/{x.py}, src}, other/{y} | {"path": "src", "ignore": ["src"]}                               | main.py, util |
        | LS-FILT-04-18  | a star meets a leading dot                  | .log, a.log, b                             | {"ignore": ["*log"], "include_hidden": true}                     | b             |
        | LS-FILT-04-118 | the last of sixty patterns                  | a, b                                       | {"ignore": ["00","01","02","03","04","05","06","07","08","09","10","11","12","13","14","15","16","17","18","19","20","21","22","23","24","25","26","27","28","29","30","31","32","33","34","35","36","37","38","39","40","41","42","43","44","45","46","47","48","49","50","51","52","53","54","55","56","57","58","a"]} | b             |

    # It may be refused, too.
    @LS-FILT-04-121
    Scenario: a reversed range spoils no other pattern
      Given the tree "b1, c1"
      When LS is called with {"ignore": ["[z-a]", "b1"]}
      Then the answer is an envelope

    @LS-FILT-04-07
    Scenario: an empty pattern
      Given the tree "a, b"
      When LS is called with {"ignore": [""]}
      Then by AMB-LS-82 the answer is one of
        | reading | entries | refused       |
        | a       | a, b    |               |
        | b       |         | INVALID_PARAM |

    @LS-FILT-04-125
    Scenario: where the path is an absolute one
      Given the tree "src/{main.py, util/{x.py}}"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/src", "ignore": ["main*"]}
      Then the entries are "util"

    Scenario Outline: a leading dot is met by <what>
      Given the tree ".a, ba, c"
      When LS is called with {"ignore": ["<pattern>"], "include_hidden": true}
      Then the entries are "<entries>"

      Examples:
        | id             | what            | pattern | entries |
        | LS-FILT-04-117 | a question mark | ?a      | c       |
        | LS-FILT-04-119 | an inverted set | [!b]a   | ba, c   |

  @LS-FILT-05
  Rule: with a separator a pattern is held against the paths from the root and from the listed directory

    Scenario Outline: a pattern with a separator in a listing below: <what>
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, lib/{app.js, sub/{x}}"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | what                                  | arguments                                         | entries       |
        | LS-FILT-05-01  | the path from the root                | {"path": "src", "ignore": ["src/util"]}           | main.py       |
        | LS-FILT-05-02  | a star for the directory              | {"path": "src", "ignore": ["*/main.py"]}          | util          |
        | LS-FILT-05-03  | two stars for all that is in it       | {"path": "lib", "ignore": ["lib/**"]}             |               |
        | LS-FILT-05-04  | a star for a part of the name         | {"path": "src", "ignore": ["src/*.py"]}           | util          |
        | LS-FILT-05-05  | another directory                     | {"path": "src", "ignore": ["docs/*"]}             | main.py, util |
        | LS-FILT-05-06  | a question mark and a range           | {"path": "src", "ignore": ["sr?/[l-n]ain.py"]}    | util          |
        | LS-FILT-05-07  | the path of the directory itself      | {"path": "src", "ignore": ["src/"]}               | main.py, util |
        | LS-FILT-05-08  | a slash before the path               | {"path": "src", "ignore": ["/src/util"]}          | main.py, util |
        | LS-FILT-05-09  | two levels below                      | {"path": "src/util", "ignore": ["src/util/x.py"]} |               |
        | LS-FILT-05-101 | the directory that is listed          | {"path": "src/util", "ignore": ["src/util"]}      | x.py          |
        | LS-FILT-05-10  | another case                          | {"path": "src", "ignore": ["SRC/util"]}           | main.py, util |
        | LS-FILT-05-103 | the end of a path                     | {"path": "src/util", "ignore": ["util/x.py"]}     | x.py          |
        | LS-FILT-05-104 | the end of a path within a name       | {"path": "src", "ignore": ["rc/util"]}            | main.py, util |
        | LS-FILT-05-105 | the beginning of a path within a name | {"path": "src", "ignore": ["src/ut"]}             | main.py, util |

    @LS-FILT-05-106
    Scenario: the path from the root, where the path is an absolute one
      Given the tree "src/{main.py, util/{x.py}}"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/src", "ignore": ["src/util"]}
      Then the entries are "main.py"

    @LS-FILT-05-102
    Scenario: no path of an entry begins with a dot and a slash
      Given the tree "src/{a, b, c}"
      When LS is called with {"path": "src", "ignore": ["./a", "./src/b", "src/c"]}
      Then the entries are "a, b"

    # Only direct children are listed, so the path from the listed directory is a name.
    @LS-FILT-05-11
    Scenario: the path from the listed directory is met by a set that holds the separator
      Given the tree "src/{main.py, util/{x.py}}"
      When LS is called with {"path": "src", "ignore": ["[/u]til"]}
      Then by AMB-LS-09 the answer is one of
        | reading | entries       |
        |         | main.py       |
        | b       | main.py, util |

    @LS-FILT-05-12
    Scenario: two stars leave the directory before them in the listing of its parent
      Given the tree "dist/{app.js}, src/"
      When LS is called with {"ignore": ["dist/**"], "include_hidden": true}
      Then by AMB-LS-08 the answer is one of
        | reading | entries   |
        | a       | dist, src |
        | b       | src       |

    @LS-FILT-05-13
    Scenario: a star over two components
      Given the tree "a/{b/{c, d}}"
      When LS is called with {"path": "a/b", "ignore": ["a/*c"]}
      Then by AMB-LS-09 the answer is one of
        | reading | entries |
        | a       | d       |
        | b       | c, d    |

    @LS-FILT-05-14
    Scenario: a pattern with a backslash
      Given the tree "src/{main.py, util/{x.py}}"
      When LS is called with {"path": "src", "ignore": ["src\\util"]}
      Then by AMB-LS-10 the answer is one of
        | reading | entries       |
        | a       | main.py       |
        | b       | main.py, util |

    @LS-FILT-05-15
    Scenario: a pattern that ends in a slash leaves the directory in the listing
      Given the tree "foo/, foo.txt, bar"
      When LS is called with {"ignore": ["foo/"]}
      Then by AMB-LS-08 the answer is one of
        | reading | entries           |
        | a       | foo, foo.txt, bar |
        | b       | foo.txt, bar      |

    # Which of the two paths patterns meet is not asked.
    @LS-FILT-05-16
    Scenario: a pattern in a listing that is reached through a link meets no other entry
      Given the tree "src/{main.py, util/{x.py}}, s->src"
      When LS is called with {"path": "s", "ignore": ["src/util", "s/util"]}
      Then by AMB-LS-79 the answer is one of
        | reading | entries | refused  |
        | a       | main.py |          |
        | b       |         | any code |

    @LS-FILT-05-17
    Scenario: the path from the root, with a working directory below
      Given the tree "src/{main.py, util/{x.py}}"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": ".", "ignore": ["src/util"]}
      Then by AMB-LS-76 the answer is one of
        | reading     | entries |
        | working_dir | main.py |
        | root        | src     |

    @LS-FILT-05-18
    Scenario: both at once, and one without a separator
      Given the tree "src/{a, b, c, d}"
      When LS is called with {"path": "src", "ignore": ["src/a", "[/b]", "c"]}
      Then by AMB-LS-09 the answer is one of
        | reading | entries |
        |         | d       |
        | b       | b, d    |

  @LS-FILT-06
  Rule: a leading **/ stands for no directory as well

    Scenario Outline: a leading **/: <what>
      Given the tree "foo/, bar/, src/{foo/{x}, bar, util/}, a.py, b.txt"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id            | what                     | arguments                                  | entries                    |
        | LS-FILT-06-01 | a name at the root       | {"ignore": ["**/foo"]}                     | bar, src, a.py, b.txt      |
        | LS-FILT-06-02 | a name below the root    | {"path": "src", "ignore": ["**/foo"]}      | bar, util                  |
        | LS-FILT-06-03 | a star behind it         | {"ignore": ["**/*.py"]}                    | foo, bar, src, b.txt       |
        | LS-FILT-06-04 | a path behind it         | {"path": "src", "ignore": ["**/src/util"]} | foo, bar                   |
        | LS-FILT-06-05 | question marks behind it | {"ignore": ["**/f??"]}                     | bar, src, a.py, b.txt      |
        | LS-FILT-06-06 | no part of a name        | {"ignore": ["**/oo"]}                      | foo, bar, src, a.py, b.txt |

    @LS-FILT-06-101
    Scenario: for one directory too
      Given the tree "src/{lib/{x, y}}"
      When LS is called with {"path": "src/lib", "ignore": ["**/lib/x"]}
      Then the entries are "y"

    # Whether the other stars stand for no directory is not asked.
    Scenario Outline: stars <where> take away no entry but foo
      Given the tree "src/{foo/{x}, bar}"
      When LS is called with {"path": "src", "ignore": ["<pattern>"]}
      Then the entries include "bar"

      Examples:
        | id            | where                  | pattern     |
        | LS-FILT-06-07 | in the middle          | src/**/foo  |
        | LS-FILT-06-08 | twice at the beginning | **/**/foo   |

  @LS-FILT-07
  Rule: filters come before the page and before every count

    @LS-FILT-07-01
    Scenario: a page of what is left, counted without what is not
      Given the tree "a.log, b.txt, c.log, d.txt, e.txt, .hid, build/"
      When LS is called with {"ignore": ["*.log"], "limit": 2}
      Then line 2 of the text is "(Total: 3 items - 0 dirs, 3 files, 0 links)"
      And the entries in order are "b.txt, d.txt"

    @LS-FILT-07-02
    Scenario: everything is left out
      Given the tree "a, b/"
      When LS is called with {"ignore": ["*"]}
      Then line 2 of the text is "(Total: 0 items - 0 dirs, 0 files, 0 links)"

    @LS-FILT-07-03
    Scenario: an offset counts what is left only
      Given the tree ".a, .b, build/, c, d, e"
      When LS is called with {"offset": 1, "limit": 1}
      Then the entries in order are "d"

    @LS-FILT-07-04
    Scenario: what is left out does not fill a page
      Given the tree "f000..f149, z"
      When LS is called with {"ignore": ["f*"], "limit": 100}
      Then the entries are "z"

    @LS-PAGE-01-11
    Scenario: a page of what a pattern leaves
      Given the tree "a.log, b.txt, c.log, d.txt, e.txt"
      When LS is called with {"ignore": ["*.log"], "offset": 1, "limit": 1}
      Then the entries in order are "d.txt"

    @LS-PAGE-02-11
    Scenario: what a filter leaves out is not cut off
      Given the tree "a.log, b.txt, c.txt, .h, build/"
      When LS is called with {"ignore": ["*.log"], "limit": 2}
      Then the envelope has {"data": {"truncated": false}}

    @LS-PAGE-04-07
    Scenario: page by page through what a pattern leaves
      Given the tree "a1/, a2/, a3/, b.txt, c.txt, d.txt"
      When LS is called page by page with {"limit": 2, "ignore": ["*.txt"]}
      Then the pages together list "a1, a2, a3"

    @LS-PAGE-04-09
    Scenario: what fits on one page is one page
      Given the tree "f000..f100"
      When LS is called page by page with {"ignore": ["f0[0-8]?"]}
      Then the pages together list "f090, f091, f092, f093, f094, f095, f096, f097, f098, f099, f100"

    @LS-TEXT-03-06
    Scenario: what a pattern leaves out is not available on further pages
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"limit": 1, "ignore": ["*.txt"]}
      Then line 3 of the text is "[Truncated: Showing 0-1 of 2. 1 more items available.]"

  @LS-FILT-08
  Rule: ignore comes on top of the default ignores, and stays with include_hidden

    Scenario Outline: ignore beside the default ignores: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id            | case                                                | tree                                                             | arguments                                                    | entries                      |
        | LS-FILT-08-01 | with include_hidden                                 | agents/, src/, README.md, .env, .git/{config}, node_modules/{pkg/} | {"include_hidden": true, "ignore": [".git", "node_modules"]} | agents, src, .env, README.md |
        | LS-FILT-08-02 | without it                                          | agents/, src/, README.md, setup.py, .env, .git/{config}, node_modules/{pkg/} | {"ignore": ["*.md"]}                                         | agents, src, setup.py        |
        | LS-FILT-08-03 | an empty ignore leaves the default ignores in force | src/, .env, build/                                               | {"ignore": []}                                               | src                          |
