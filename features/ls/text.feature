@ls
Feature: The text of a listing: a summary, a hint how to go on, and the entries

  @LS-TEXT-01
  Rule: line 1 counts the entries of the page, without a singular, and names the directory

    Scenario Outline: the first line of <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt, e/, in/{deep/{x}}"
      When LS is called with <arguments>
      Then line 1 of the text is "<line>"

      Examples:
        | id            | what                       | arguments           | line                          |
        | LS-TEXT-01-01 | a whole list               | {}                  | Listed 7 entries in '.'       |
        | LS-TEXT-01-04 | a page behind the end      | {"offset": 99}      | Listed 0 entries in '.'       |
        | LS-TEXT-01-05 | an empty directory         | {"path": "e"}       | Listed 0 entries in 'e'       |
        | LS-TEXT-01-06 | a directory with one entry | {"path": "in/deep"} | Listed 1 entries in 'in/deep' |

    Scenario Outline: the first line of a page <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt, e/, in/{deep/{x}}"
      When LS is called with <arguments>
      Then line 1 of the text is "<line>"

      Examples:
        | id            | what           | arguments                 | line                    |
        | LS-TEXT-01-02 | with one entry | {"limit": 1}              | Listed 1 entries in '.' |
        | LS-TEXT-01-03 | in the middle  | {"limit": 2, "offset": 2} | Listed 2 entries in '.' |

    @LS-TEXT-01-07
    Scenario: the first line where a pattern leaves nothing
      Given the tree "d1/, d2/, a.txt, b.txt"
      When LS is called with {"ignore": ["*"]}
      Then line 1 of the text is "Listed 0 entries in '.'"

    @LS-TEXT-01-08
    Scenario: a spelling that resolving changes
      Given the tree "src/{main.py}"
      When LS is called with {"path": "./src/"}
      Then the answer is an envelope

    @LS-TEXT-01-09
    Scenario: a link as the directory
      Given the tree "src/{main.py}, s->src"
      When LS is called with {"path": "./s/"}
      Then the answer is an envelope

    @LS-TEXT-01-107
    Scenario: the first line with a working directory below
      Given the tree "src/{util/{x.py}}"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "util"}
      Then by AMB-LS-04 and AMB-LS-76 the answer is one of
        | reading | AMB-LS-76   | line 1                         | entries | refused   |
        | a       | working_dir | Listed 1 entries in 'src/util' | x.py    |           |
        | b       | working_dir | Listed 1 entries in 'util'     | x.py    |           |
        |         | root        |                                |         | NOT_FOUND |

    Scenario Outline: a name that some languages escape or cut: <case>
      Given the tree "<tree>, z"
      When LS is called with {"path": <path>}
      Then line 1 of the text is "<line>"

      Examples:
        | id             | case             | tree                                                         | path                                                         | line                                                         |
        | LS-TEXT-01-101 | a double quote   | 'a\"b'/{x}                                                   | "a\\"b"                                                      | Listed 1 entries in 'a"b'                                    |
        | LS-TEXT-01-102 | a backslash      | 'a\\\\b'/{x}                                                 | "a\\\\b"                                                     | Listed 1 entries in 'a\\b'                                   |
        | LS-TEXT-01-103 | a single quote   | 'it\\'s'/{x}                                                 | "it's"                                                       | Listed 1 entries in 'it's'                                   |
        | LS-TEXT-01-104 | a percent sign   | '%s'/{x}                                                     | "%s"                                                         | Listed 1 entries in '%s'                                     |
        | LS-TEXT-01-105 | another alphabet | 文/{x}                                                        | "文"                                                          | Listed 1 entries in '文'                                      |
        | LS-TEXT-01-106 | ninety letters   | a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here/{x} | "a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here" | Listed 1 entries in 'a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here' |

  @LS-TEXT-02
  Rule: line 2 counts the whole list by type

    Scenario Outline: the second line of <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt, l->d1, e/, .h"
      When LS is called with <arguments>
      Then line 2 of the text is "<line>"

      Examples:
        | id            | what                       | arguments                | line                                        |
        | LS-TEXT-02-01 | a whole list               | {}                       | (Total: 7 items - 3 dirs, 3 files, 1 links) |
        | LS-TEXT-02-02 | a first page               | {"limit": 1}             | (Total: 7 items - 3 dirs, 3 files, 1 links) |
        | LS-TEXT-02-03 | a page behind the end      | {"offset": 99}           | (Total: 7 items - 3 dirs, 3 files, 1 links) |
        | LS-TEXT-02-04 | a list with hidden entries | {"include_hidden": true} | (Total: 8 items - 3 dirs, 4 files, 1 links) |
        | LS-TEXT-02-05 | an empty directory         | {"path": "e"}            | (Total: 0 items - 0 dirs, 0 files, 0 links) |
        | LS-TEXT-02-06 | one directory and one link | {"ignore": ["[a-d]*"]}   | (Total: 2 items - 1 dirs, 0 files, 1 links) |
        | LS-TEXT-02-07 | one file                   | {"ignore": ["[b-z]*"]}   | (Total: 1 items - 0 dirs, 1 files, 0 links) |

    @LS-TEXT-02-101
    Scenario: numbers of four digits
      Given the tree "f0000..f1000"
      When LS is called with {"offset": 999}
      Then line 2 of the text is "(Total: 1001 items - 0 dirs, 1001 files, 0 links)"

  @LS-TEXT-03
  Rule: line 3 of a truncated listing says what is shown and what is left

    Scenario Outline: the third line of a page with an offset: <what>
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with <arguments>
      Then by AMB-LS-78 the answer is one of
        | reading | line 3                                                         |
        | a       | [Truncated: Showing <shown> of 5. <behind> more items available.] |
        | b       | [Truncated: Showing <shown> of 5. <others> more items available.] |

      Examples:
        | id            | what                    | arguments                 | shown | behind | others |
        | LS-TEXT-03-02 | two items from the third on | {"offset": 2, "limit": 2} | 2-4   | 1      | 3      |
        | LS-TEXT-03-05 | three items from the second on | {"offset": 1, "limit": 3} | 1-4   | 1      | 2      |

    @LS-TEXT-03-03
    Scenario: the third line of the first page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"limit": 1}
      Then line 3 of the text is "[Truncated: Showing 0-1 of 5. 4 more items available.]"

    @LS-TEXT-03-07
    Scenario: what the published example says of itself
      Given the tree "agents/, code/, core/, docs/, tests/, f000..f111, lnk0->f000, lnk1->f001, lnk2->f002"
      When LS is called with {"path": ".", "limit": 2}
      Then line 3 of the text is "[Truncated: Showing 0-2 of 120. 118 more items available.]"

    @LS-TEXT-03-09
    Scenario: a complete listing has no such line
      Given the tree "d1/, a.txt"
      When LS is called with {"limit": 2}
      Then by AMB-LS-03 the answer is one of
        | reading | line 3                                                 | include   |
        | a       |                                                        | d1, a.txt |
        | b       | [Truncated: Showing 0-2 of 2. 0 more items available.] |           |
      And the answer does not say "Truncated"

  @LS-TEXT-04
  Rule: line 4 of a truncated listing says how to go on

    @LS-TEXT-04-03
    Scenario: the fourth line
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"offset": 1, "limit": 1}
      Then line 4 of the text is "Use offset=2 to view next page."

  @LS-TEXT-05
  Rule: then an empty line, and a line for each entry

    @LS-TEXT-05-01 @interpretation:AMB-LS-03
    Scenario: a complete listing
      Given the tree "b.txt, a.txt, C.txt"
      When LS is called with {}
      Then the text ends with
        """

        a.txt
        b.txt
        C.txt
        """

    @LS-TEXT-05-02
    Scenario: a truncated one
      Given the tree "b.txt, a.txt, C.txt"
      When LS is called with {"limit": 2}
      Then the text ends with
        """

        a.txt
        b.txt
        """

    @LS-TEXT-05-101
    Scenario: nothing to show
      Given the tree "e/, f"
      When LS is called with {"path": "e"}
      Then line 3 of the text is ""
      And line 4 of the text is ""
      And line 5 of the text is ""

    @LS-TEXT-05-03
    Scenario: a directory below
      Given the tree "src/{main.py, lib.py}"
      When LS is called with {"path": "src"}
      Then by AMB-LS-05 the answer is one of
        | reading | entries         | text ends                 |
        | a       | lib.py, main.py | \nsrc/lib.py\nsrc/main.py |
        | b       | lib.py, main.py | \nlib.py\nmain.py         |

    @LS-TEXT-05-04
    Scenario: a page in the middle
      Given the tree "a, b, c, d, e"
      When LS is called with {"offset": 2, "limit": 2}
      Then the text ends with
        """

        c
        d
        """

    # Some show only the beginning of a long page.
    @LS-TEXT-05-20
    Scenario: every entry of a long page has its line
      Given the tree "f000..f179"
      When LS is called with {"limit": 180}
      Then there are 180 entries
      And the text has the line "f000"
      And the text has the line "f090"
      And the text has the line "f179"

    @LS-TEXT-05-104
    Scenario: nothing comes behind the entries of a page of more than twenty
      Given the tree "f00..f24"
      When LS is called with {"limit": 22}
      Then there are 22 entries
      And line 27 of the text is "f21"
      And line 28 of the text is ""

    @LS-TEXT-05-105
    Scenario: nothing comes behind the entries of a whole list of more than twenty
      Given the tree "f00..f24"
      When LS is called with {}
      Then there are 25 entries
      And line 28 of the text is "f24"
      And line 29 of the text is ""

    @LS-TEXT-05-106
    Scenario: a name longer than a line of eighty characters is whole
      Given the tree "a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here, z"
      When LS is called with {}
      Then the text has the line "a_name_that_is_longer_than_a_line_of_eighty_characters_and_that_goes_on_until_it_ends_here"

    @LS-TEXT-05-107 @needs:case_sensitive
    Scenario: names that differ in case only have a line each
      Given the tree "Ab, aB, ab"
      When LS is called with {}
      Then the text has the line "Ab"
      And the text has the line "aB"
      And the text has the line "ab"

    @LS-TEXT-05-108
    Scenario: a name as long as names can be is whole
      Given the tree "'n'*255, z"
      When LS is called with {}
      Then the text has the line "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"

    @LS-TEXT-05-109
    Scenario: nothing but the empty line stands before the entries of a last page
      Given the tree "a1/, a2/, b.txt, c.txt, d.txt"
      When LS is called with {"offset": 3, "limit": 2}
      Then by AMB-LS-01 the answer is one of
        | reading | envelope                       | text ends                                                     |
        | a       | {"data": {"truncated": false}} | (Total: 5 items - 2 dirs, 3 files, 0 links)\n\nc.txt\nd.txt |
        | b       | {"data": {"truncated": true}}  |                                                               |

    @LS-TEXT-05-110
    Scenario: a link to a directory has its line where its entry stands
      Given the tree "a/, l->a, z/, f"
      When LS is called with {}
      Then the entries in order are "a, l, z, f"
      And the text ends with
        """

        a/
        l@
        z/
        f
        """

    @LS-TEXT-05-06
    Scenario: names as they are, with blanks, quotes and letters of all kinds
      Given the tree "'naïve file.txt', 'it\'s', -rf, 文件.md, '<&>'"
      When LS is called with {}
      Then the text has the line "-rf"
      And the text has the line "it's"
      And the text has the line "naïve file.txt"
      And the text has the line "文件.md"
      And the text has the line "<&>"

    @LS-TEXT-05-103
    Scenario: blanks in a row, quotes, and what looks like a format or a number
      Given the tree "'a  b', '\"f\"', '\'g\'', '[b]h', '%s', '{i}', '~j', 'K.TXT', 'l:', 02"
      When LS is called with {}
      Then the text has the line "a  b"
      And the text has the line ""f""
      And the text has the line "'g'"
      And the text has the line "[b]h"
      And the text has the line "%s"
      And the text has the line "{i}"
      And the text has the line "~j"
      And the text has the line "K.TXT"
      And the text has the line "l:"
      And the text has the line "02"

    @LS-TEXT-05-102
    Scenario: percent signs, and a blank at the end of a name
      Given the tree "'50%%', 'a ', z"
      When LS is called with {}
      Then the text has the line "50%%"
      And the text has the line "a "

  @LS-TEXT-06
  Rule: directories end in a slash, links in an at-sign, files in neither

    Scenario Outline: how lines end: <what>
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "<tree>"
      When LS is called with {}
      Then the lines of the entries end in "<endings>"

      Examples:
        | id            | what                                  | tree                                                         | endings                                        |
        | LS-TEXT-05-07 | directories and files                 | agents/, docs/{guide.md}, src/{main.py}, README.md, setup.py | agents/, docs/, src/, README.md, setup.py      |
        | LS-TEXT-06-01 | links to a directory, to a file and to nothing | real/{x}, zdir/, todir->real, tofile->zfile, zfile=1, gone->nope | real/, zdir/, todir@, tofile@, gone@, zfile |
        | LS-TEXT-06-02 | links out of the sandbox              | out->../outside, outf->../outside/secret                     | out@, outf@                                    |
        | LS-TEXT-06-03 | an executable file                    | run.sh%0755=3, p:fifo                                        | run.sh                                         |
        | LS-TEXT-06-04 | names that end in an at-sign          | 'a@', 'd@'/                                                  | a@, d@/                                        |

    @LS-TEXT-06-101
    Scenario: how lines end in a directory below, that of a link with an absolute target too
      Given the tree "src/{d/{x}, e->$ROOT/src/d, f=1}"
      When LS is called with {"path": "src"}
      Then the lines of the entries end in "d/, e@, f"

    @LS-TEXT-06-102
    Scenario: a pipe, if it is listed, is a file
      Given the tree "f, p:fifo"
      When LS is called with {}
      Then by AMB-LS-22 the answer is one of
        | reading | entries |
        | a       | f, p    |
        | b       | f       |
      And the lines of the entries end in "f"
