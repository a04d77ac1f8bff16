@list_directory
Feature: An entry's name, path, depth and hidden mark follow from where it is

  @EF-01
  Rule: name is the last component of the path

    @LD-FIELDS-01
    Scenario: names at every depth
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path  | name |
        | a     | "a"  |
        | a/b   | "b"  |
        | a/b/c | "c"  |

    @LD-FIELDS-101 @behaviour:BEH-06
    Scenario: the name is the whole component, extension and all
      Given the tree "d.x/{'a b.tar.gz', 'c.', '-', A.TXT, B.Tar.GZ}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path             | name         |
        | d.x              | "d.x"        |
        | d.x/-            | "-"          |
        | d.x/A.TXT        | "A.TXT"      |
        | d.x/B.Tar.GZ     | "B.Tar.GZ"   |
        | 'd.x/a b.tar.gz' | "a b.tar.gz" |
        | d.x/c.           | "c."         |

    @LD-FIELDS-102
    Scenario: the name is as lossy as the path
      Given the tree "'d\xff'/{'e\xff'}"
      When list_directory is called with {"recursive": true}
      Then the entry "d\ufffd/e\ufffd" has {"name": "e\ufffd"}

    # Programs take such characters out of names, or put others in their place.
    @LD-FIELDS-769 @behaviour:BEH-06
    Scenario: characters that show nothing are part of the name
      Given the tree "'a\x7fb', 'c\u0085d', '\u202ee', 'f\u2066', 'g\x01h', 'i\u200bj', 'k\u00adl'"
      When list_directory is called with {}
      Then the names of the entries are "'a\x7fb', 'c\u0085d', '\u202ee', 'f\u2066', 'g\x01h', 'i\u200bj', 'k\u00adl'"

    # Names are not composed, decomposed, trimmed or converted in case.
    @LD-FIELDS-301 @behaviour:BEH-06
    Scenario: the name is the entry's own, character by character
      Given the tree "' x ', 'e\u0301', '\u00e9', '\ufeffy', 'a  b', README, '\u1e9e', a#b, '%41'"
      When list_directory is called with {}
      Then the names of the entries are "' x ', 'e\u0301', '\u00e9', '\ufeffy', 'a  b', README, '\u1e9e', a#b, '%41'"
      And the entries have
        | path      | name       |
        | ' x '     | " x "      |
        | 'e\\u0301' | "e\\u0301" |
        | '\\u00e9'  | "\\u00e9"  |
        | '\\ufeffy' | "\\ufeffy" |
        | 'a  b'    | "a  b"     |
        | README    | "README"   |
        | '\\u1e9e'  | "\\u1e9e"  |
        | a#b       | "a#b"      |
        | '%41'     | "%41"      |

    @LD-FIELDS-771
    Scenario: line breaks, backslashes and markup in names
      Given the tree "'a\n', 'b\r\n', '\nc'/{'\n'}, 'd\\e', 'f&g', '<h>', l->'d\\e'"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path        | name       |
        | 'a\\n'      | "a\\n"     |
        | 'b\\r\\n'   | "b\\r\\n"  |
        | '\\nc'      | "\\nc"     |
        | '\\nc/\\n'  | "\\n"      |
        | 'd\\\\e'    | "d\\\\e"   |
        | 'f&g'       | "f&g"      |
        | '<h>'       | "<h>"      |
        | l           | "l"        |

  @EF-02
  Rule: path leads from the requested directory to the entry, with forward slashes

    @LD-FIELDS-720
    Scenario: blanks and dots at the ends of names on the way
      Given the tree "' a '/{'b. '/{'c '}}, 'd.'/{'.. '}"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries are "' a ', ' a /b. ', ' a /b. /c ', 'd.', 'd./.. '"

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                      | tree           | call                               | answer                                       |
        | LD-FIELDS-03  | the requested directory is not part of it | s/{t/{u}}      | {"path": "s/t"}                    | the entry "u" has {"name": "u", "path": "u"} |
        | LD-FIELDS-103 | nor is it in a recursive listing          | s/{s/{s/{x}}}  | {"path": "s/s", "recursive": true} | the entries are "s, s/x"                     |
        # On POSIX a backslash is a character of the name (AMB-LD-22).
        | LD-FIELDS-04  | a backslash in a name stays in the name   | 'p\\\q', p/{q} | {"recursive": true}                | the entry "p\\\q" has {"name": "p\\\q"}      |

    Scenario Outline: the path leads from the requested directory to the entry: <case>
      Given the tree "<tree>"
      When list_directory is called with {"path": "<path>", "recursive": true, "include_hidden": true}
      Then the entries are "<entries>"

      Examples:
        | id            | case                 | tree                             | path | entries                                       |
        | LD-FIELDS-48  | kinds and depths     | a/{b/{c}, d}, e->a, .f/{g}       | .    | .f, .f/g, a, a/b, a/b/c, a/d, e               |
        | LD-FIELDS-104 | odd names            | 'a b'/{'\\n'/{'"'}}, 'x:y'/{'*'} | .    | 'a b', 'a b/\\n', 'a b/\\n/"', 'x:y', 'x:y/*' |
        | LD-FIELDS-105 | below a subdirectory | s/{a/{b}}, t                     | s    | a, a/b                                        |
        | LD-FIELDS-330 | accents apart        | 'e\\u0301'/{'\\u00e9'}           | .    | 'e\\u0301', 'e\\u0301/\\u00e9'                |

    # The last path has 752 bytes. With that of a sandbox root, macOS takes no more than 1024.
    @LD-FIELDS-307
    Scenario: a path longer than a name can be is whole
      Given the tree "'p'*250/{'q'*250/{'r'*250}}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'p'*250, 'p'*250/'q'*250, 'p'*250/'q'*250/'r'*250"

    # AMB-LD-53 decides how far the walk goes; every listed entry has its complete path.
    @LD-FIELDS-308
    Scenario: so is one longer than the system takes
      Given the tree
        """
        'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/}}}}}}}}}}}}}}}}}}}, z
        """
      And the configuration {"max_depth": 30}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_depth": 30}
      Then the entries include "z"
      And name, path and depth of every entry agree

  @EF-03
  Rule: depth is 1 for the children of the requested directory

    # On POSIX a backslash is a character of the name (AMB-LD-22).
    @LD-LST-01-03
    Scenario: every entry of a flat listing is at depth 1
      Given the tree "a/{b}, d, l->a"
      When list_directory is called with {}
      Then every entry has {"depth": 1}

    @LD-FIELDS-302
    Scenario: only what contains an entry counts, not what its name is made of
      Given the tree "'a\\b\\c', 'd.e.f', g/{'h\\i', 'j:k'}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path          | depth |
        | 'a\\\\b\\\\c' | 1     |
        | d.e.f         | 1     |
        | g             | 1     |
        | 'g/h\\\\i'    | 2     |
        | 'g/j:k'       | 2     |

    @LD-FIELDS-768 @needs:strace
    Scenario: entries without metadata have a depth as well
      Given the tree "a/{g!L, x}, h!L, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entries have
        | path | depth |
        | a    | 1     |
        | a/g  | 2     |
        | a/x  | 2     |
        | h    | 1     |
        | z    | 1     |

    @LD-FIELDS-05
    Scenario: it starts at the requested directory, not at the sandbox root
      Given the tree "s/{t/{u}}"
      When list_directory is called with {"path": "s", "recursive": true}
      Then the entries have
        | path | depth |
        | t    | 1     |
        | t/u  | 2     |

    @LD-FIELDS-106
    Scenario: it goes down and up again
      Given the tree "a/{b/{c/{d}}}, e, f/{g}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path    | depth |
        | a       | 1     |
        | a/b     | 2     |
        | a/b/c   | 3     |
        | a/b/c/d | 4     |
        | e       | 1     |
        | f       | 1     |
        | f/g     | 2     |

    @LD-FIELDS-772
    Scenario: depth counts from the requested directory, wherever it is
      Given the tree "p/{q/{a/{b}}}"
      When list_directory is called with {"path": "p/q", "recursive": true}
      Then the entries have
        | path | depth |
        | a    | 1     |
        | a/b  | 2     |

  @EF-07
  Rule: is_hidden is true for a leading dot and false otherwise

    @LD-FIELDS-43
    Scenario: the entry's own name counts, not where it lies
      Given the tree ".a/{b, .c}, d/{.e}"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries have
        | path  | is_hidden |
        | .a    | true      |
        | .a/.c | true      |
        | .a/b  | false     |
        | d     | false     |
        | d/.e  | true      |

    @LD-FIELDS-107
    Scenario: whatever its kind
      Given the tree ".d/, .f, .l->.f, .p:fifo, f"
      When list_directory is called with {"include_hidden": true, "include_other": true}
      Then the entries have
        | path | is_hidden |
        | .d   | true      |
        | .f   | true      |
        | .l   | true      |
        | .p   | true      |
        | f    | false     |

    @LD-FIELDS-108
    Scenario: not for a dot further on, nor for a link to something hidden
      Given the tree ".x, a.b, c., l->.x"
      When list_directory is called with {}
      Then every entry has {"is_hidden": false}

    @LD-FIELDS-109
    Scenario: not because the requested directory is hidden
      Given the tree ".r/{a, .b}"
      When list_directory is called with {"path": ".r", "include_hidden": true}
      Then the entries have
        | path | is_hidden |
        | .b   | true      |
        | a    | false     |

    @LD-FIELDS-610 @needs:strace
    Scenario: metadata have no say in it
      Given the tree ".g!L, h!L"
      When list_directory is called with {"include_hidden": true, "include_other": true}
      Then the entries are ".g, h"
      And the entries have
        | path | is_hidden |
        | .g   | true      |
        | h    | false     |

    @LD-FIELDS-773
    Scenario: the first character alone decides
      Given the tree "..x, ..., .y, '.\n', 'a\n.b', z."
      When list_directory is called with {"include_hidden": true}
      Then the entries have
        | path      | is_hidden |
        | ..x       | true      |
        | ...       | true      |
        | .y        | true      |
        | '.\\n'    | true      |
        | 'a\\n.b'  | false     |
        | z.        | false     |
