@list_directory
Feature: Traversal order decides which entries survive; path order decides how they are shown

  @FR-LD-LST-05
  Rule: depth-first pre-order, siblings by ascending lossy name

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                   | tree           | call                                  | answer                         |
        | LD-LST-05-01  | pre-order decides survivors, path order decides output | a/{b}, a-b     | {"recursive": true, "max_entries": 2} | the entries are "a, a/b"       |
        # Memory file systems return the newest names first: sorting in blocks of a thousand would start with later names.
        | LD-LST-05-113 | the first of more than a thousand survive              | f0000..f1029   | {"max_entries": 5}                    | the entries are "f0000..f0004" |
        | LD-LST-05-07  | who survives the limit: not level by level             | a/{x, y}, b, c | {"recursive": true, "max_entries": 3} | the entries are "a, a/x, a/y"  |

    # A listing without a limit and the number of entries show first that only the survivors are in question.
    Scenario Outline: who survives the limit: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the listing has <count> entries
      And the entries are "<entries>"

      Examples:
        | id            | case                                                | tree                                         | call                                  | entries              | count |
        | LD-LST-05-03  | the directory before its content                    | a/{b}, a-b                                   | {"recursive": true, "max_entries": 1} | a                    | 1     |
        | LD-LST-05-05  | the content before the sibling that sorts above it  | a/{x}, 'a b', 'a!', a#, a+, 'a,', a-, a., a0 | {"recursive": true, "max_entries": 3} | a, 'a b', a/x        | 3     |
        | LD-LST-05-06  | all the way down first                              | a/{b/{c}}, b, c                              | {"recursive": true, "max_entries": 3} | a, a/b, a/b/c        | 3     |
        | LD-LST-05-08  | not the content first                               | a/{x}, b                                     | {"recursive": true, "max_entries": 1} | a                    | 1     |
        | LD-LST-05-09  | directories are not grouped                         | b/{x}, a, c                                  | {"recursive": true, "max_entries": 2} | a, b                 | 2     |
        | LD-LST-05-10  | digits, upper case, underscore, lower case          | B, a, _c, 10, 9                              | {"max_entries": 3}                    | 10, 9, B             | 3     |
        | LD-LST-05-16  | by name inside a directory, not by path across      | a/{z}, a.d/{y}, a0                           | {"recursive": true, "max_entries": 3} | a, a.d, a/z          | 3     |
        | LD-LST-05-17  | directories are entered in the order of their names | d1/{x}, d10/{x}, d2/{x}                      | {"recursive": true, "max_entries": 4} | d1, d1/x, d10, d10/x | 4     |
        | LD-LST-05-101 | names inside a directory are sorted too             | a/{c, b, d}                                  | {"recursive": true, "max_entries": 2} | a, a/b               | 2     |
        | LD-LST-05-102 | back up after a branch, before the next sibling     | a/{b/{c}, d}, e                              | {"recursive": true, "max_entries": 4} | a, a/b, a/b/c, a/d   | 4     |
        | LD-LST-05-103 | a number is text                                    | f2, f10, f9                                  | {"max_entries": 1}                    | f10                  | 1     |
        | LD-LST-05-104 | case is not folded                                  | a, B, c, D                                   | {"max_entries": 2}                    | B, D                 | 2     |
        | LD-LST-05-105 | a shorter name before its extension                 | ab, a, abc                                   | {"max_entries": 2}                    | a, ab                | 2     |
        | LD-LST-05-107 | links take their place among the names              | b, a->z, c/{x}                               | {"recursive": true, "max_entries": 2} | a, b                 | 2     |

    Scenario Outline: survivors by the lossy UTF-8 name: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the listing has <count> entries
      And the entries are "<entries>"

      Examples:
        | id            | case                                                           | tree                           | call                                  | entries                | count |
        | LD-LST-05-12  | U+FFFD before the emoji whose first raw byte is lower          | '\\xff', '\\U0001f600'         | {"max_entries": 1}                    | '\\ufffd'              | 1     |
        | LD-LST-05-13  | U+FFFD after private use, which a lone surrogate would precede | '\\xff', '\\ue000'             | {"max_entries": 1}                    | '\\ue000'              | 1     |
        | LD-LST-05-14  | U+FFFD after an accented letter whose raw bytes are higher     | '\\x80', '\\u00e9'             | {"max_entries": 1}                    | '\\u00e9'              | 1     |
        | LD-LST-05-108 | directories with such names are entered in the same order      | '\\xff'/{x}, '\\U0001f600'/{y} | {"recursive": true, "max_entries": 2} | '\\ufffd', '\\ufffd/x' | 2     |
        | LD-LST-05-109 | a letter and its accent are two characters                     | '\\u00e9', 'e\\u0301', f       | {"max_entries": 2}                    | 'e\\u0301', f          | 2     |

      @interpretation:AMB-LD-14
      Examples:
        | id            | case                              | tree                     | call               | entries   | count |
        | LD-LST-05-11  | by code point, not by UTF-16 unit | '\\uff21', '\\U0001f600' | {"max_entries": 1} | '\\uff21' | 1     |
        | LD-LST-05-110 | no collation                      | '\\u00e4', z, A          | {"max_entries": 2} | A, z      | 2     |

    # In the order of that language, a and b come first.
    @LD-LST-05-761
    Scenario: the first by code points survive in any locale
      Given the tree "a, B/{y, Z}, b, C"
      And the candidate's process has {"env": {"LC_ALL": "de_DE.UTF-8"}}
      When list_directory is called with {"recursive": true, "max_entries": 3}
      Then the entries are "B, B/Z, B/y"

    @LD-LST-05-15
    Scenario: the order in which entries were made plays no part
      Given the tree "f00..f59"
      When list_directory is called with {"max_entries": 30}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then all answers list the same entries
      And the entries are "f00..f29"

    @LD-LST-05-111
    Scenario: nor does it inside directories
      Given the tree "d0..d5/{x0..x9}"
      When list_directory is called with {"recursive": true, "max_entries": 15}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then all answers list the same entries
      And the entries are "d0, d0/x0, d0/x1, d0/x2, d0/x3, d0/x4, d0/x5, d0/x6, d0/x7, d0/x8, d0/x9, d1, d1/x0, d1/x1, d1/x2"

    # Disk file systems return names in hashed order, memory file systems newest first.
    @LD-LST-05-112
    Scenario: nor does it on the disk
      Given the file system of the disk
      And the tree "f00..f59"
      When list_directory is called with {"max_entries": 30}
      And the same call is made on the tree built in the orders "reversed, shuffled 4"
      Then all answers list the same entries
      And the entries are "f00..f29"
