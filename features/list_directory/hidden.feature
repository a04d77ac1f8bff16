@list_directory
Feature: Hidden entries are left out and hidden directories stay closed, unless they are asked for

  @FR-LD-LST-06
  Rule: without include_hidden, hidden entries are omitted and hidden directories are not traversed

    Scenario Outline: hidden entries: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the entries are "<entries>"

      Examples:
        | id            | case                                                  | tree                                                  | call                                             | entries                  |
        | LD-LST-06-01  | files and directories                                 | .a, b, .c/{d}                                         | {"include_hidden": false}                        | b                        |
        | LD-LST-06-11  | a hidden link                                         | .l->x, x                                              | {"include_hidden": false}                        | x                        |
        | LD-LST-06-12  | a hidden special file                                 | .p:fifo, p:fifo                                       | {"include_other": true, "include_hidden": false} | p                        |
        | LD-LST-06-115 | said outright                                         | .a, b                                                 | {"include_hidden": false}                        | b                        |
        | LD-LST-06-116 | what lies below a hidden directory, three levels down | a/{b/{.c/{d}, e}}                                     | {"recursive": true, "include_hidden": false}     | a, a/b, a/b/e            |
        | LD-LST-06-117 | hidden below hidden, on request                       | .a/{.b/{.c}}                                          | {"recursive": true, "include_hidden": true}      | .a, .a/.b, .a/.b/.c      |
        | LD-LST-06-118 | a repository                                          | .git/{HEAD, refs/{main}}, src/{.env, main.rs}, README | {"recursive": true, "include_hidden": false}     | README, src, src/main.rs |

      @interpretation:AMB-LD-56
      Examples:
        | id           | case                                            | tree       | call                                    | entries |
        | LD-LST-06-13 | the requested directory's own dot means nothing | .r/{a, .b} | {"path": ".r", "include_hidden": false} | a       |
        | LD-LST-06-14 | nor does a dot above it                         | .r/{s/{a}} | {"path": ".r/s", "recursive": true}     | a       |

    @LD-LST-06-03 @also:T-LD-11
    Scenario: a hidden directory is neither listed nor read
      Given the tree ".c/{d}, e"
      And opened directories are watched
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "e"
      And ".c" was never read

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then <answer>

      Examples:
        | id            | case                                       | tree              | answer                        |
        # Nothing but its name is known of the hidden entry.
        | LD-LST-06-130 | a hidden entry without metadata is hidden  | d/%0444{.g}, e    | the call does not list "d/.g" |
        | LD-LST-06-05  | hidden entries: inside a visible directory | v/{.h, .d/{x}, y} | the entries are "v, v/y"      |

    @LD-LST-06-119
    Scenario: leaving directories out of the listing reads no hidden one
      Given the tree ".c/{d}, e, f/{g}"
      And opened directories are watched
      When list_directory is called with {"recursive": true, "include_dirs": false, "include_symlinks": false, "include_hidden": false}
      Then the entries are "e, f/g"
      And ".c" was never read

  @FR-LD-LST-06a
  Rule: hidden means a leading dot and nothing else

    @behaviour:BEH-06
    Scenario Outline: visible names: <case>
      Given the tree "<tree>"
      When list_directory is called with {}
      Then the entries are "<entries>"

      Examples:
        | id             | case                                   | tree                               | entries                            |
        | LD-LST-06a-01  | a dot in the middle or at the end      | a.b, c.                            | a.b, c.                            |
        | LD-LST-06a-03  | characters that look like a dot        | '\\uff0ea', '\\u2024b', '\\u3002c' | '\\u2024b', '\\u3002c', '\\uff0ea' |
        | LD-LST-06a-04  | an undecodable byte before the dot     | '\\xff.a'                          | '\\ufffd.a'                        |
        | LD-LST-06a-08  | the names that editors give to backups | 'a~', '#b#'                        | #b#, a~                            |
        | LD-LST-06a-771 | a line that begins with a dot          | 'a\\n.b', '\\r\\n.c'/              | '\\r\\n.c', 'a\\n.b'             |
        | LD-LST-06a-101 | a blank before the dot                 | ' .x'                              | ' .x'                              |
        | LD-LST-06a-102 | a zero-width character before the dot  | '\\u200b.x'                        | '\\u200b.x'                        |
        | LD-LST-06a-103 | a lone underscore or dollar sign       | _x, $x                             | $x, _x                             |
        | LD-LST-06a-108 | names that systems keep for themselves | lost+found/, Thumbs.db, desktop.ini, '$RECYCLE.BIN'/, NTUSER.DAT, aquota.user | '$RECYCLE.BIN', NTUSER.DAT, Thumbs.db, aquota.user, desktop.ini, lost+found |

    Scenario Outline: hidden names: <case>
      Given the tree "<tree>"
      When list_directory is called with {"include_hidden": false}
      Then the entries are "<entries>"

      Examples:
        | id             | case                                   | tree        | entries |
        | LD-LST-06a-02  | two dots and more                      | ..x, y      | y       |
        | LD-LST-06a-05  | an undecodable byte after the dot      | '.\\xff', a | a       |
        | LD-LST-06a-07  | a dot without any mark of the platform | .y, z       | z       |
        | LD-LST-06a-104 | a blank after the dot                  | '. x', y    | y       |
        | LD-LST-06a-105 | three dots                             | ..., y      | y       |
        | LD-LST-06a-106 | a dot and a newline                    | '.\\n', y   | y       |
        | LD-LST-06a-109 | a dot and an underscore                | ._x, y      | y       |

    # Desktop shells hide the names in a .hidden file; search tools skip the names in .gitignore and .ignore.
    @LD-LST-06a-107
    Scenario: lists of names to hide or to ignore are files like any other
      Given the tree ".git/{HEAD}, .gitignore="x\n", .hidden="y\n", .ignore="z\n", .npmignore="w\n", w, x, y, z"
      When list_directory is called with {"recursive": true, "include_hidden": false}
      Then the entries are "w, x, y, z"

  # The dot alone decides; only where the system has a mark of its own can that be seen.
  @HID-01
  Rule: the platform's own marks have no say

    @LD-LST-06a-06
    Scenario: the platform's own mark does not hide
      Given the tree "x, y"
      And "x" carries the platform's hidden attribute
      When list_directory is called with {}
      Then the entries are "x, y"
