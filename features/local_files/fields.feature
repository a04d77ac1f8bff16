@local_files
Feature: What an entry says of itself

  @LF-FIELD-01
  Rule: name is the simple name

    Scenario Outline: names: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "<entries>"

      Examples:
        | id             | case                       | tree                                       | entries                              |
        | LF-FIELD-01-01 | plain                      | a=1, d/, l->a                              | a, d, l                              |
        | LF-FIELD-01-02 | blanks, quotes and dashes  | 'a b', 'it\'s', 'say \"x\"', '-x'          | 'a b', 'it\'s', 'say \"x\"', '-x'    |
        | LF-FIELD-01-03 | letters of other scripts   | 'é文', 'e\u0301', '\U0001f600'/            | 'é文', 'e\u0301', '\U0001f600'       |
        | LF-FIELD-01-04 | control characters         | 'a\\nb', 'c\td', '\x01', '\x1b[m'          | 'a\\nb', 'c\td', '\x01', '\x1b[m'    |
        | LF-FIELD-01-05 | backslashes and dots       | 'a\\\\b', a.tar.gz, b., '...'              | 'a\\\\b', a.tar.gz, b., '...'        |
        | LF-FIELD-01-06 | names that differ in case  | a, A                                       | a, A                                 |
        | LF-FIELD-01-11 | as long as a name can be   | 'n'*255, 'é'*127, 'd'*254/                 | 'n'*255, 'é'*127, 'd'*254            |
        | LF-FIELD-01-12 | blanks in a row            | 'a  b', 'c   d'/, 'e\u00a0f', '\u3000'      | 'a  b', 'c   d', 'e\u00a0f', '\u3000' |
        | LF-FIELD-01-13 | marks that show nothing    | '\ufeffa', 'b\u200bc', '\u202ed', 'e\u00adf' | '\ufeffa', 'b\u200bc', '\u202ed', 'e\u00adf' |
        | LF-FIELD-01-14 | quotes around them         | '\"a\"', '\'b\'', '`c`'                    | '\"a\"', '\'b\'', '`c`'             |
        | LF-FIELD-01-15 | capitals after a dot       | 'A.TXT', B.Tar.GZ, C.Md/                   | A.TXT, B.Tar.GZ, C.Md                |
        | LF-FIELD-01-16 | colons, and names that Windows keeps | 'a:b', 'c:', ':d', con, nul.txt  | 'a:b', 'c:', ':d', con, nul.txt      |
        | LF-FIELD-01-17 | signs of shells, globs and addresses | '~', '~a', '[b]', '{c,d}', 'e*?', 'f#g', 'h;i', '$(j)', '$HOME', 'l+m', '100%', '%s', '%2e', 'k&amp;l' | '~', '~a', '[b]', '{c,d}', 'e*?', 'f#g', 'h;i', '$(j)', '$HOME', 'l+m', '100%', '%s', '%2e', 'k&amp;l' |
        | LF-FIELD-01-18 | what looks like another value | 1, 02, 4e5, true, null, nil             | 1, 02, 4e5, true, null, nil          |
        | LF-FIELD-01-20 | blanks at their ends       | 'a ', ' b ', 'c  '/, 'd\u00a0'             | 'a ', ' b ', 'c  ', 'd\u00a0'        |

    Scenario Outline: a name that is not UTF-8: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-17 the answer is one of
        | reading     | entries   | count | other than | fails     |
        | replacement | <entries> |       |            |           |
        | other       |           | 2     | <lossy>    |           |
        | error       |           |       |            | any error |

      Examples:
        | id             | case                | tree           | entries            | lossy    |
        | LF-FIELD-01-08 | of a file           | a, x'\xff'     | a, 'x\ufffd'       | 'x\ufffd' |

  @LF-FIELD-02
  Rule: path is the full absolute path of the entry itself

    @LF-FIELD-02-01
    Scenario: absolute paths
      Given the tree "a=1, d/{x}, l->a, p:fifo"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | path       |
        | a     | "$ROOT/a"  |
        | d     | "$ROOT/d"  |
        | l     | "$ROOT/l"  |
        | p     | "$ROOT/p"  |

    @LF-FIELD-02-03
    Scenario: a directory further down
      Given the tree "a/{b/{f=1, g/}}"
      When listDirectory is called with {"path": "$ROOT/a/b"}
      Then the entry "f" has {"path": "$ROOT/a/b/f"}
      And the entry "g" has {"path": "$ROOT/a/b/g"}

    Scenario Outline: the requested path is spelt <case>
      Given the tree "d/{f=1}"
      When listDirectory is called with {"path": <path>}
      Then by AMB-LF-05 and AMB-LF-24 the answer is one of
        | reading    | AMB-LF-24 | paths              | paths but for dots | fails     |
        | normalised |           | {"f": "$ROOT/d/f"} |                    |           |
        | resolved   |           | {"f": "$ROOT/d/f"} |                    |           |
        | verbatim   |           |                    | {"f": "$ROOT/d/f"} |           |
        |            | refused   |                    |                    | any error |

      Examples:
        | id             | case                       | path           |
        | LF-FIELD-02-04 | with a slash and a dot     | "$ROOT/d/./"   |
        | LF-FIELD-02-05 | with doubled slashes       | "$ROOT//d"     |
        | LF-FIELD-02-06 | with dots at both ends     | "$ROOT/./d/."  |
        | LF-FIELD-02-09 | with a step up and down    | "$ROOT/d/../d" |

    @LF-FIELD-02-10
    Scenario: a step up at the end of the requested path
      Given the tree "d/{f=1}, g=2"
      When listDirectory is called with {"path": "$ROOT/d/.."}
      Then by AMB-LF-05 and AMB-LF-24 the answer is one of
        | reading    | AMB-LF-24 | paths                            | paths but for dots               | fails     |
        | normalised |           | {"d": "$ROOT/d", "g": "$ROOT/g"} |                                  |           |
        | resolved   |           | {"d": "$ROOT/d", "g": "$ROOT/g"} |                                  |           |
        | verbatim   |           |                                  | {"d": "$ROOT/d", "g": "$ROOT/g"} |           |
        |            | refused   |                                  |                                  | any error |

    @LF-FIELD-02-11
    Scenario: a step up behind a link
      Given the tree "in/{deep/{x}, y}, l->in/deep, z"
      When listDirectory is called with {"path": "$ROOT/l/.."}
      Then by AMB-LF-24 and AMB-LF-49 the answer is one of
        | reading  | AMB-LF-49 | paths                                              | fails     |
        | lexical  |           | {"in": "$ROOT/in", "l": "$ROOT/l", "z": "$ROOT/z"} |           |
        | physical | followed  | {"deep": "$ROOT/in/deep", "y": "$ROOT/in/y"}       |           |
        | physical | followed  | {"deep": "$ROOT/l/../deep", "y": "$ROOT/l/../y"}   |           |
        | refused  |           |                                                    | any error |
        |          | refused   |                                                    | any error |

    @LF-FIELD-02-07
    Scenario: a directory that is reached through a link
      Given the tree "real/{f=1}, l->real"
      When listDirectory is called with {"path": "$ROOT/l"}
      Then by AMB-LF-05 and AMB-LF-48 the answer is one of
        | reading    | AMB-LF-48 | paths                 | fails     |
        | normalised | listed    | {"f": "$ROOT/l/f"}    |           |
        | resolved   | listed    | {"f": "$ROOT/real/f"} |           |
        | verbatim   | listed    | {"f": "$ROOT/l/f"}    |           |
        |            | refused   |                       | any error |

    # A list that goes down through all levels would take too long at the root of a file system.
    @LF-FIELD-02-08
    Scenario: the root of the file system is followed by one slash
      Given the tree "a/{b}"
      And the context {"roots": ["/"], "working_dir": "/"}
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "a"
      When listDirectory is called again with {"path": "/"}
      Then the entry "dev" has {"path": "/dev"}

    Scenario Outline: a relative path: <path>
      Given the tree "d/{f=1, e/{g}}, h"
      When listDirectory is called with {"path": "<path>"}
      Then by AMB-LF-14 the answer is one of
        | reading     | paths but for dots | absolute | fails     |
        | working_dir | <paths>            |          |           |
        | refused     |                    |          | any error |
        | elsewhere   |                    | paths    |           |

      Examples:
        | id              | path | paths                                      |
        | LF-FIELD-02-410 | d    | {"f": "$ROOT/d/f", "e": "$ROOT/d/e"}       |
        | LF-FIELD-02-411 | d/e  | {"g": "$ROOT/d/e/g"}                       |
        | LF-FIELD-02-412 | ./d/ | {"f": "$ROOT/d/f", "e": "$ROOT/d/e"}       |
        | LF-FIELD-02-413 | .    | {"d": "$ROOT/d", "h": "$ROOT/h"}           |

  @LF-FIELD-03
  Rule: size is an integer in bytes, and of a directory its own

    @LF-FIELD-03-01 @interpretation:AMB-LF-21
    Scenario: bytes and not characters
      Given the tree "a="é文", z, one=1, r="a\r\nb\r\n""
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | size |
        | a     | 5    |
        | z     | 0    |
        | one   | 1    |
        | r     | 6    |

    @LF-FIELD-03-10
    Scenario: a file that has grown in the meantime
      Given the tree "f=11"
      When listDirectory is called with {"path": "$ROOT"}
      And "f" has been extended
      And listDirectory is called again with {"path": "$ROOT"}
      Then the entry "f" has {"size": 12}

    Scenario Outline: a file of <size> bytes
      Given the tree "f=<size>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "f" has {"size": <size>}

      Examples:
        | id             | size       |
        | LF-FIELD-03-02 | 4097       |
        | LF-FIELD-03-04 | 2147483648 |
        | LF-FIELD-03-05 | 5368709120 |

    @LF-FIELD-03-06 @interpretation:AMB-LF-06
    Scenario: a directory has the size of its own list
      Given the tree "d/{big=39, more/{x=100}}, e/"
      When listDirectory is called with {"path": "$ROOT"}
      Then size of "d, e" is its own

    @LF-FIELD-03-07
    Scenario: a special file has a size as well
      Given the tree "p:fifo, s:sock"
      When listDirectory is called with {"path": "$ROOT"}
      Then size of "p, s" is its own

    @LF-FIELD-03-13
    Scenario: a device of the system has no bytes
      Given the tree "f=1"
      And the context {"roots": ["/dev"], "working_dir": "/dev"}
      When listDirectory is called with {"path": "/dev"}
      Then the entry "null" has {"size": 0}

  @LF-FIELD-04
  Rule: lastModified is in milliseconds since 1970

    @interpretation:AMB-LF-10 @interpretation:AMB-LF-21
    Scenario Outline: a time of <milliseconds>: <case>
      Given the tree "f=1@<time>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "f" has {"lastModified": <milliseconds>}

      Examples:
        | id             | case                  | time          | milliseconds  |
        | LF-FIELD-04-01 | the document's        | 1762473883050 | 1762473883050 |
        | LF-FIELD-04-02 | whole seconds         | 1762778000000 | 1762778000000 |
        | LF-FIELD-04-03 | the beginning         | 0             | 0             |
        | LF-FIELD-04-04 | one millisecond       | 1             | 1             |
        | LF-FIELD-04-05 | beyond 32 bits        | 4102444800123 | 4102444800123 |

    @LF-FIELD-04-06
    Scenario: a fraction of a millisecond
      Given the tree "f=1@1762473883050999999ns"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-08 the answer is one of
        | reading      | fields                                 |
        | floor        | {"f": {"lastModified": 1762473883050}} |
        | towards_1970 | {"f": {"lastModified": 1762473883050}} |
        | nearest      | {"f": {"lastModified": 1762473883051}} |

    @LF-FIELD-04-07 @interpretation:AMB-LF-09
    Scenario: before 1970
      Given the tree "f=1@-86400000, d/@-1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "f" has {"lastModified": -86400000}
      And the entry "d" has {"lastModified": -1}

    # Rounding and cutting downwards give the same value; cutting towards 1970 gives another.
    @LF-FIELD-04-102 @interpretation:AMB-LF-09
    Scenario: a fraction before 1970
      Given the tree "f=1@-1700000ns"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-08 the answer is one of
        | reading      | fields                      |
        | floor        | {"f": {"lastModified": -2}} |
        | nearest      | {"f": {"lastModified": -2}} |
        | towards_1970 | {"f": {"lastModified": -1}} |

    @LF-FIELD-04-08
    Scenario: a directory's time is its own, and not that of what is in it
      Given the tree "d/@1000000000000{x@1500000000000, y@500000000000}"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "d" has {"lastModified": 1000000000000}

    @LF-FIELD-04-401
    Scenario: times that are others since an earlier list
      Given the tree "d/@1000000000000, f=1@1000000000001"
      When listDirectory is called with {"path": "$ROOT"}
      And "d" has got the time 1200000000000
      And "f" has got the time 1200000000001
      And listDirectory is called again with {"path": "$ROOT"}
      Then the entry "d" has {"lastModified": 1200000000000}
      And the entry "f" has {"lastModified": 1200000000001}

    Scenario Outline: a directory's time follows what is <deed>
      Given the tree "d/@1000000000000{old@1000000000000}"
      When listDirectory is called with {"path": "$ROOT"}
      And "<name>" has been <deed>
      And listDirectory is called again with {"path": "$ROOT"}
      Then lastModified of "d" is another one than before
      And lastModified of "d" is its own

      Examples:
        | id             | name  | deed    |
        | LF-FIELD-04-09 | d/new | added   |
        | LF-FIELD-04-10 | d/old | removed |
        | LF-FIELD-04-101 | d/old | renamed |

    @LF-WHY-01-04
    Scenario: another language and time zone change no digit
      Given the tree "d/, f=9854@1762473883050"
      And the candidate's process has {"env": {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Pacific/Apia", "LS_COLORS": "di=1", "COLUMNS": "10"}}
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "f" has {"lastModified": 1762473883050}

  @LF-LINK-01
  Rule: target is where a link points

    Scenario Outline: a target: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-28 the answer is one of
        | reading    | fields                          |
        | verbatim   | {"l": {"target": <target>}}     |
        | normalised | {"l": {"target": <normalised>}} |
        | absolute   | {"l": {"target": <absolute>}}   |

      Examples:
        | id | case | tree | target | normalised | absolute |
        | LF-LINK-01-01 | relative | real/{x=1}, l->real/x | "real/x" | "real/x" | "$ROOT/real/x" |
        | LF-LINK-01-02 | with dots | l->../up/./x | "../up/./x" | "../up/x" | ["$ROOT/../up/./x", "$ROOT/../up/x", "$OUTSIDE/up/x"] |
        | LF-LINK-01-03 | absolute | l->/tmp/app.log | "/tmp/app.log" | "/tmp/app.log" | "/tmp/app.log" |
        | LF-LINK-01-04 | inside, by an absolute path | d/, l->$ROOT/d | "$ROOT/d" | "$ROOT/d" | "$ROOT/d" |
        | LF-LINK-01-05 | that is not there | l->nope | "nope" | "nope" | "$ROOT/nope" |
        | LF-LINK-01-06 | the link itself | l->l | "l" | "l" | "$ROOT/l" |
        | LF-LINK-01-07 | with a slash at its end | d/, l->d/ | "d/" | "d" | ["$ROOT/d", "$ROOT/d/"] |
        | LF-LINK-01-08 | with blanks and quotes | l->'a b\"c' | "a b\"c" | "a b\"c" | "$ROOT/a b\"c" |
        | LF-LINK-01-09 | of a directory above | l->.. | ".." | ".." | ["$ROOT/..", "$OUTSIDE"] |
        | LF-LINK-01-10 | with doubled slashes | l->a//b | "a//b" | "a/b" | ["$ROOT/a//b", "$ROOT/a/b"] |
        | LF-LINK-01-13 | in other scripts | l->'é文' | "é文" | "é文" | "$ROOT/é文" |
        | LF-LINK-01-14 | beyond 16 bits | '\U0001f600'/, l->'\U0001f600' | "😀" | "😀" | "$ROOT/😀" |

    @LF-LINK-01-11
    Scenario: of a chain each link tells its own step
      Given the tree "t=1, a->b, b->t"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | target           |
        | a     | ["b", "$ROOT/b"] |
        | b     | ["t", "$ROOT/t"] |

    @LF-LINK-01-16
    Scenario: of a link that was made anew
      Given the tree "a/, b/, l->a"
      When listDirectory is called with {"path": "$ROOT"}
      And "l" has been removed
      And the tree gets "l->b"
      And listDirectory is called again with {"path": "$ROOT"}
      Then the entry "l" has {"target": ["b", "$ROOT/b"]}

    @LF-LINK-01-15
    Scenario: a target that is not UTF-8
      Given the tree "a, l->'x\xff'"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-17 the answer is one of
        | reading     | entries | fields                                         | fields other than                              | fails     |
        | replacement | a, l    | {"l": {"target": ["x\ufffd", "$ROOT/x\ufffd"]}} |                                                |           |
        | other       | a, l    | {"l": {"target": "$TEXT"}}                     | {"l": {"target": ["x\ufffd", "$ROOT/x\ufffd"]}} |           |
        | error       |         |                                                |                                                | any error |

  @LF-LINK-02
  Rule: size of a link is the length of its target

    @interpretation:AMB-LF-07
    Scenario Outline: a link of <size> bytes
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "l" has {"size": <size>}

      Examples:
        | id            | tree                        | size |
        | LF-LINK-02-02 | real/{x=4321}, l->real/x    | 6    |
        | LF-LINK-02-03 | d/{x, y}, l->d              | 1    |

  @LF-LINK-03
  Rule: lastModified of a link is its own

    @interpretation:AMB-LF-07
    Scenario Outline: a link <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "l" has {"lastModified": 1100000000000}

      Examples:
        | id             | case                                             | tree                                       |
        | LF-LINK-03-01  | that is younger than its target                  | t=1@1000000000000, l->t@1100000000000      |
        | LF-LINK-03-02  | that is older than the directory it leads to     | d/@1200000000000, l->d@1100000000000       |
        | LF-LINK-03-401 | that is older than the file it leads to          | t=1@1200000000000, l->t@1100000000000      |
        | LF-LINK-03-402 | that leads nowhere                               | l->gone@1100000000000                      |
