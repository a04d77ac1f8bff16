@list_directory
Feature: The table [tools.list_directory] and what holds without it

  @CFG-LD-01
  Rule: the table [tools.list_directory] configures this tool

    @LD-CFG-01-01
    Scenario: a key of the table has its effect
      Given the tree "a, b"
      And the configuration file
        """
        [tools.list_directory]
        max_entries = 1
        """
      When list_directory is called with {}
      Then the listing has 1 entries

    @LD-CFG-01-101
    Scenario: the table of the example, key by key
      Given the tree "d/{x}, f, l->f, p:fifo, .h"
      And the configuration file
        """
        [tools.list_directory]
        max_entries = 200
        max_depth = 4
        include_hidden_default = false
        include_symlinks_default = true
        include_files_default = true
        include_dirs_default = true
        include_other_default = false
        """
      When list_directory is called with {"recursive": true}
      Then the entries are "d, d/x, f, l"

    @LD-CFG-01-110
    Scenario: the table stands among others
      Given the tree "a, b, c"
      And the configuration file
        """
        title = "settings"

        [tools.read_file]
        max_entries = 1

        [tools.list_directory]
        max_entries = 2

        [tools.write_file]
        max_entries = 3
        """
      When list_directory is called with {}
      Then the listing has 2 entries

    @implied
    Scenario Outline: <case>
      Given the tree "<tree>"
      And the configuration <configuration>
      When list_directory is called with {}
      Then <answer>

      Examples:
        | id            | case                                                          | tree  | configuration                              | answer                      |
        # A key that is not one of the seven may be ignored or refused, but has no effect.
        | LD-CFG-01-111 | a key that is not one of the seven: foo                       | a, .h | {"foo": 1}                                 | the call does not list ".h" |
        | LD-CFG-01-701 | a key that is not one of the seven leaves the others in force | d/, f | {"include_files_default": false, "foo": 1} | the call does not list "f"  |

      @prudent
      Examples:
        | id            | case                                                       | tree  | configuration                    | answer                      |
        # A loader that folds case or knows further keys may find these.
        | LD-CFG-01-04  | a key that is not one of the seven: include_hidden         | a, .h | {"include_hidden": true}         | the call does not list ".h" |
        | LD-CFG-01-112 | a key that is not one of the seven: Include_Hidden_Default | a, .h | {"Include_Hidden_Default": true} | the call does not list ".h" |
        | LD-CFG-01-113 | a key that is not one of the seven: hidden                 | a, .h | {"hidden": true}                 | the call does not list ".h" |

    # The value may be refused, replaced by the nearest valid value, or ignored: any resulting listing is bounded. Each
    # value is judged separately, so the run does not record which of the last two applied.
    Scenario Outline: a limit that cannot be used: max_entries = <value>
      Given the tree "f000..f204"
      And the configuration {"max_entries": <value>}
      When list_directory is called with {}
      Then by AMB-LD-32 the answer is one of
        | reading | fails     | document               |
        | a       | any error |                        |
        | c       |           | {"returned": <counts>} |
        | d       |           | {"returned": <counts>} |

      Examples:
        | id            | value | counts      |
        | LD-CFG-01-05  | 0     | [0, 1, 200] |
        | LD-CFG-01-114 | -1    | [0, 1, 200] |
        | LD-CFG-01-115 | "5"   | [0, 1, 5, 200]    |
        | LD-CFG-01-116 | 2.5   | [0, 1, 2, 3, 200] |
        | LD-CFG-01-117 | true  | [0, 1, 200] |
        | LD-CFG-01-118 | []    | [0, 1, 200] |

    Scenario Outline: a depth that cannot be used: max_depth = <value>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration {"max_depth": <value>}
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-32 the answer is one of
        | reading | fails     | document               |
        | a       | any error |                        |
        | c       |           | {"returned": <counts>} |
        | d       |           | {"returned": <counts>} |

      Examples:
        | id            | value | counts    |
        | LD-CFG-01-119 | 0     | [0, 1, 4] |
        | LD-CFG-01-120 | -1    | [0, 1, 4] |
        | LD-CFG-01-121 | "2"   | [0, 1, 2, 4] |
        | LD-CFG-01-122 | 2.5   | [0, 1, 2, 3, 4] |

    Scenario Outline: a switch that cannot be used: include_hidden_default = <value>
      Given the tree "a, .h"
      And the configuration {"include_hidden_default": <value>}
      When list_directory is called with {}
      Then by AMB-LD-32 the answer is one of
        | reading | fails     | document             |
        | a       | any error |                      |
        | c       |           | {"returned": [1, 2]} |
        | d       |           | {"returned": [1, 2]} |

      Examples:
        | id            | value   |
        | LD-CFG-01-123 | "yes"   |
        | LD-CFG-01-124 | 1       |
        | LD-CFG-01-125 | "false" |

    @LD-CFG-01-126
    Scenario: a table that is no table
      Given the tree "f000..f204"
      And the configuration file
        """
        [tools]
        list_directory = 5
        """
      When list_directory is called with {}
      Then by AMB-LD-32 the answer is one of
        | reading | fails     | document          |
        | a       | any error |                   |
        | c       |           | {"returned": 200} |
        | d       |           | {"returned": 200} |

  # CFG-LD-02 restates FR-LD-VAL-04.
  @FR-LD-VAL-04
  Rule: the configured max_entries is the most that a call can ask for

    @LD-CFG-02-101
    Scenario: one asked for, none above one allowed
      Given the tree "a, b"
      And the configuration {"max_entries": 1}
      When list_directory is called with {"max_entries": 2}
      Then the call fails with BadArgs

  @CFG-LD-03
  Rule: the configured max_depth is what recursion gets, and the most it can ask for

    Scenario Outline: <case> (the configured max_depth is what recursion gets, and the most it can ask for)
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then the call fails with BadArgs

      Examples:
        | id            | case                                                  | configuration    | call                                |
        | LD-CFG-03-02  | what is built in is too deep where less is configured | {"max_depth": 3} | {"recursive": true, "max_depth": 4} |
        | LD-CFG-03-106 | one deeper than configured: 2                         | {"max_depth": 1} | {"recursive": true, "max_depth": 2} |
        | LD-CFG-03-107 | one deeper than configured: 6                         | {"max_depth": 5} | {"recursive": true, "max_depth": 6} |

    Scenario Outline: a file with max_depth = <configured>, called with <arguments>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration file
        """
        [tools.list_directory]
        max_depth = <configured>
        """
      When list_directory is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id            | configured | arguments                           | entries                           |
        | LD-CFG-03-103 | 5          | {"recursive": true}                 | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e |
        | LD-CFG-03-104 | 5          | {"recursive": true, "max_depth": 5} | a, a/b, a/b/c, a/b/c/d, a/b/c/d/e |
        | LD-CFG-03-105 | 5          | {"recursive": true, "max_depth": 2} | a, a/b                            |

  @FR-LD-VAL-06a
  Rule: each key stands in for the argument that a call leaves out

    @LD-CFG-01-03
    Scenario: all seven keys at once
      Given the tree "d/{x}, f, l->f, p:fifo, .h"
      And the configuration {"max_entries": 10, "max_depth": 1, "include_hidden_default": true, "include_symlinks_default": false, "include_files_default": true, "include_dirs_default": false, "include_other_default": true}
      When list_directory is called with {"recursive": true, "max_depth": 1}
      Then the entries are ".h, f, p"

    Scenario Outline: <configured> configured, nothing asked
      Given the tree "<tree>"
      And the configuration {"max_entries": <configured>}
      When list_directory is called with {}
      Then the listing has <count> entries
      And the document has {"max_entries": <configured>}

      Examples:
        | id           | configured | tree    | count |
        | LD-CFG-02-02 | 2          | a, b, c | 2     |

    Scenario Outline: the switch is left out: <configuration>
      Given the tree "d/{x}, f, l->f, p:fifo, .h"
      And the configuration <configuration>
      When list_directory is called with {}
      Then the entries are "<entries>"

      Examples:
        | id            | configuration                                                                                  | entries     |
        | LD-CFG-04-01  | {"include_hidden_default": true}                                                               | .h, d, f, l |
        | LD-CFG-04-02  | {"include_files_default": false}                                                               | d, l        |
        | LD-CFG-04-03  | {"include_dirs_default": false}                                                                | f, l        |
        | LD-CFG-04-04  | {"include_symlinks_default": false}                                                            | d, f        |
        | LD-CFG-04-05  | {"include_other_default": true}                                                                | d, f, l, p  |
        | LD-CFG-04-101 | {"include_hidden_default": false}                                                              | d, f, l     |
        | LD-CFG-04-102 | {"include_files_default": true}                                                                | d, f, l     |
        | LD-CFG-04-103 | {"include_dirs_default": true}                                                                 | d, f, l     |
        | LD-CFG-04-104 | {"include_symlinks_default": true}                                                             | d, f, l     |
        | LD-CFG-04-105 | {"include_other_default": false}                                                               | d, f, l     |
        | LD-CFG-04-106 | {"include_hidden_default": true, "include_other_default": true, "include_dirs_default": false} | .h, f, l, p |

    Scenario Outline: <case> (each key stands in for the argument that a call leaves out)
      Given the tree "<tree>"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                      | tree       | configuration                    | call                     | answer                      |
        | LD-LST-07-111 | a configured limit above the built-in one | f000..f249 | {"max_entries": 240}             | {}                       | the listing has 240 entries |
        | LD-CFG-04-06  | call and configuration say the same       | .h, v      | {"include_hidden_default": true} | {"include_hidden": true} | the entries are ".h, v"     |

    @LD-CFG-04-107
    Scenario: below the root as well
      Given the tree "d/{.g, x}, .s/{y}"
      And the configuration {"include_hidden_default": true}
      When list_directory is called with {"recursive": true}
      Then the entries are ".s, .s/y, d, d/.g, d/x"

    @LD-CFG-04-108
    Scenario: as a file
      Given the tree "d/{x}, f, l->f, p:fifo, .h"
      And the configuration file
        """
        [tools.list_directory]
        include_files_default = false
        include_other_default = true
        """
      When list_directory is called with {}
      Then the entries are "d, l, p"

  @CFG-LD-05
  Rule: without the table there are 200 entries, four levels, and no hidden or special ones

    Scenario Outline: <case> (without the table there are 200 entries, four levels, and no hidden or special ones)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      @returns
      Examples:
        | id           | case                         | tree                   | call | answer                    |
        # The number of entries shows the default without their names.
        | LD-VAL-06-01 | a FIFO where nothing is said | d/{x}, f, l->f, p:fifo | {}   | the listing has 3 entries |

      Examples:
        | id           | case                                                             | tree                       | call                | answer                                   |
        | LD-CFG-05-03 | files, directories and symlinks, neither hidden nor special ones | d/{x}, f, l->f, p:fifo, .h | {}                  | the entries are "d, f, l"                |
        | LD-CFG-05-02 | four levels                                                      | a/{b/{c/{d/{e/{f}}}}}      | {"recursive": true} | the entries are "a, a/b, a/b/c, a/b/c/d" |

    Scenario Outline: what is built in may be asked for: <arguments>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      When list_directory is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id            | arguments                           | entries                |
        | LD-CFG-05-601 | {"recursive": true, "max_depth": 4} | a, a/b, a/b/c, a/b/c/d |
        | LD-CFG-05-602 | {"max_entries": 200}                | a                      |

    Scenario Outline: a file without the table is as good as none: <case>
      Given the tree "d/{e/{f/{g/{h}}}}, f, l->f, p:fifo, .h"
      And the configuration file
        """
        <text>
        """
      When list_directory is called with {"recursive": true}
      Then the document has {"max_entries": 200}

      Examples:
        | id            | case               | text                                        |
        | LD-CFG-05-04  | empty              |                                             |
        | LD-CFG-05-101 | no table of tools  | verbose = true                              |
        | LD-CFG-05-102 | tools without ours | [tools.read_file]\nmax_bytes = 5            |
        | LD-CFG-05-103 | tools and nothing  | [tools]                                     |

    Scenario Outline: another table is another matter: <table>
      Given the tree "a, b, .h"
      And the configuration file
        """
        [<table>]
        max_entries = 1
        include_hidden_default = true
        """
      When list_directory is called with {}
      Then the document has {"max_entries": 200}

      Examples:
        | id            | table                      |
        | LD-CFG-01-02  | list_directory             |
        | LD-CFG-01-103 | tools.read_file            |
        | LD-CFG-01-105 | tool.list_directory        |
        | LD-CFG-01-107 | tools.list_directory_v2    |
        | LD-CFG-01-108 | other.tools.list_directory |
        | LD-CFG-01-109 | "tools.list_directory"     |

      # A loader that folds case and hyphens finds the first two; one that knows only tables there refuses the last.
      @prudent
      Examples:
        | id            | table                      |
        | LD-CFG-01-102 | tools.list-directory       |
        | LD-CFG-01-106 | tools.List_Directory       |
        | LD-CFG-01-771 | tools                      |

    @LD-CFG-05-105
    Scenario: a table with nothing in it changes nothing
      Given the tree "d/{e/{f/{g/{h}}}}, f, l->f, p:fifo, .h"
      And the configuration file
        """
        [tools.list_directory]
        """
      When list_directory is called with {"recursive": true}
      Then the document has {"max_entries": 200}
