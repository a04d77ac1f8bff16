@list_directory
Feature: What survived is shown in ascending order of its path

  @FR-LD-OUT-01
  Rule: entries are sorted by path, as UTF-8 strings

    Scenario Outline: the order of paths: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true}
      Then the entries in order are "<entries>"

      Examples:
        | id            | case                                                  | tree                             | entries                                                |
        | LD-OUT-01-01  | the slash is a character among others                 | a/{b}, a-b                       | a, a-b, a/b                                            |
        | LD-OUT-01-02  | names that begin with a directory's name              | src/{m}, src.txt, src-old/{n}    | src, src-old, src-old/n, src.txt, src/m                |
        | LD-OUT-01-03  | digits after the slash                                | a/{x}, a0, a:                    | a, a/x, a0, a:                                         |
        | LD-OUT-01-09  | an astral directory after one from the end of the BMP | '\\U00010000'/{x}, '\\uffee'/{y} | '\\uffee', '\\uffee/y', '\\U00010000', '\\U00010000/x' |
        | LD-OUT-01-101 | by path, not by name                                  | b/{a}, c, a/{z}                  | a, a/z, b, b/a, c                                      |
        | LD-OUT-01-102 | not level by level                                    | b, a/{c/{d}}, e                  | a, a/c, a/c/d, b, e                                    |
        | LD-OUT-01-103 | control characters before the slash                   | 'a\\x01', a/{x}, 'a\\x7f'        | a, 'a\\x01', a/x, 'a\\x7f'                             |
        | LD-OUT-01-104 | a subtree is not kept together                        | a/{b}, 'a b'/{c}, a.b/{d}        | a, 'a b', 'a b/c', a.b, a.b/d, a/b                     |

    @interpretation:AMB-LD-14
    Scenario Outline: the order of names: <case>
      Given the tree "<tree>"
      When list_directory is called with {}
      Then the entries in order are "<entries>"

      Examples:
        | id            | case                                      | tree                                           | entries                                        |
        | LD-OUT-01-04  | upper case before lower case              | b, A, a, B                                     | A, B, a, b                                     |
        | LD-OUT-01-05  | punctuation by code point                 | _a, a_, A, ~, '{', '[', 'a b', ab              | A, '[', _a, 'a b', a_, ab, '{', ~              |
        | LD-OUT-01-06  | numbers are text                          | f1, f10, f2, f02                               | f02, f1, f10, f2                               |
        | LD-OUT-01-07  | Latin, CJK, astral                        | '\\u00e9', '\\u65e5', '\\U0001f600', z         | z, '\\u00e9', '\\u65e5', '\\U0001f600'         |
        | LD-OUT-01-08  | UTF-8, not UTF-16                         | '\\U0001f600', '\\uff21', '\\ue000', '\\ufb01' | '\\ue000', '\\ufb01', '\\uff21', '\\U0001f600' |
        | LD-OUT-01-11  | combining marks are characters            | 'e\\u0301', '\\u00e9', e, f                    | e, 'e\\u0301', f, '\\u00e9'                    |
        | LD-OUT-01-12  | a prefix comes first                      | ab, a, abc                                     | a, ab, abc                                     |
        | LD-OUT-01-105 | kinds are mixed                           | c/, b->c, a, d                                 | a, b, c, d                                     |
        | LD-OUT-01-106 | the name itself, not its escaped spelling | '"', '#', '\\x1f', ' '                         | '\\x1f', ' ', '"', '#'                         |
        | LD-OUT-01-107 | dotless and dotted, capital and small     | '\\u0131', i, I, '\\u0130'                     | I, i, '\\u0130', '\\u0131'                     |
        | LD-OUT-01-108 | replaced bytes after CJK, before astral   | '\\xff', '\\U0001f600', '\\u65e5'              | '\\u65e5', '\\ufffd', '\\U0001f600'            |

    # Two undecodable bytes: one U+FFFD each in all readings of AMB-LD-12 except one, which replaces the run by one.
    @LD-OUT-01-10
    Scenario: the replacement character before astral characters, the shorter first
      Given the tree "'\xff', '\U0001f600', '\xfe\xff'"
      When list_directory is called with {}
      Then the listing has 3 entries
      And by AMB-LD-12 the answer is one of
        | reading         | in order                                   |
        | maximal_subpart | '\\ufffd', '\\ufffd\\ufffd', '\\U0001f600' |
        | per_byte        | '\\ufffd', '\\ufffd\\ufffd', '\\U0001f600' |
        | java            | '\\ufffd', '\\ufffd\\ufffd', '\\U0001f600' |
        | per_run         | '\\ufffd', '\\ufffd', '\\U0001f600'        |
        | other           | '\\ufffd', '\\ufffd', '\\U0001f600'        |
        | other           | '\\ufffd', '\\ufffd\\ufffd', '\\U0001f600' |

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                            | tree                  | call                                        | answer                                             |
        | LD-OUT-01-109 | hidden entries are sorted among the others      | b, .a, '-', a, .b/{c} | {"recursive": true, "include_hidden": true} | the entries in order are "'-', .a, .b, .b/c, a, b" |
        | LD-OUT-01-771 | more than a hundred entries are sorted together | a/{f000..f139}, a-b   | {"recursive": true}                         | the entries in order are "a, a-b, a/f000..a/f139"  |

    @LD-OUT-01-301
    Scenario: what cannot be read keeps its place
      Given the tree "a, d/%0000{x}, e/{f}, g"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-03 the answer is one of
        | reading | in order          |
        | replace | a, d, e, e/f, g    |
        | append  | a, d, d, e, e/f, g |

    # In the order of that language, a and b come first.
    @LD-OUT-01-761
    Scenario: a locale does not change the order
      Given the tree "a, B, b, C, '\u00e4'"
      And the candidate's process has {"env": {"LC_ALL": "de_DE.UTF-8"}}
      When list_directory is called with {}
      Then the entries in order are "B, C, a, b, '\u00e4'"

  @FR-LD-OUT-01
  Rule: sorting is for showing only and decides nothing

    # Blank ! # + , - . sort before the slash of a/x, the digit after it.
    @LD-LST-05-04
    Scenario: characters below the slash come between a directory and its content
      Given the tree "a/{x}, 'a b', 'a!', a#, a+, 'a,', a-, a., a0"
      When list_directory is called with {"recursive": true}
      Then the entries in order are "a, 'a b', 'a!', a#, a+, 'a,', a-, a., a/x, a0"

    Scenario Outline: the order after the limit has cut: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "max_entries": 3}
      Then the entries in order are "<entries>"

      Examples:
        | id            | case                                          | tree                 | entries       |
        | LD-OUT-01-13  | survivors in path order                       | a/{z}, 'a!', b       | a, 'a!', a/z  |
        | LD-OUT-01-14  | a lower path does not survive for being lower | a/{z1, z2}, 'a!', a# | a, a/z1, a/z2 |
        | LD-OUT-01-110 | three levels of survivors                     | a/{b/{c}}, a-, a.    | a, a/b, a/b/c |
