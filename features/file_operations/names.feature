@file_operations
Feature: What the tools are called, and what they say of themselves

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-01
  Rule: each tool goes by its own name and by a few others, and by no more

    Scenario Outline: <tool> by the name <name>
      Given the tree "a="A", d/"
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id       | tool | name   | left               |
        | FO-01-01 | move | move   | b="A", d/          |
        | FO-01-02 | move | rename | b="A", d/          |
        | FO-01-03 | move | mv     | b="A", d/          |
        | FO-01-04 | copy | copy   | a="A", b="A", d/   |
        | FO-01-05 | copy | cp     | a="A", b="A", d/   |

    # A new name without a directory lies in the working directory, by whatever name the tool is called.
    Scenario Outline: <tool> by the name <name>, out of a directory
      Given the tree "x/{a="A"}"
      When <tool> is called by the name "<name>" with {"source": "x/a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id        | tool | name   | left             |
        | FO-01-201 | move | rename | b="A", x/        |
        | FO-01-202 | move | mv     | b="A", x/        |
        | FO-01-203 | copy | cp     | b="A", x/{a="A"} |

    Scenario Outline: <tool> by the name <name>, into a directory
      Given the tree "a="A", d/{k="K"}"
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "<left>d/{a="A", k="K"}"

      Examples:
        | id        | tool | name   | left    |
        | FO-01-301 | move | rename |         |
        | FO-01-302 | move | mv     |         |
        | FO-01-303 | copy | cp     | a="A",  |

    Scenario Outline: <tool> is the tool's own name
      When <tool> is described
      Then the definition has {"name": "<tool>"}
      And a control call <does> a file

      Examples:
        | id       | tool | does   |
        | FO-01-14 | move | moves  |
        | FO-01-15 | copy | copies |

    Scenario Outline: list_directory has the name <name>
      Given the tree "a="A""
      When list_directory is called by the name "<name>" with {"path": "."}
      Then there is a tool of this name
      And the tree is unchanged

      Examples:
        | id       | name           |
        | FO-01-16 | list_directory |
        | FO-01-17 | listdir        |
        | FO-01-18 | ls             |
        | FO-01-19 | dir            |

    # A registry that ignores case would confuse this name with LS, a tool of another specification.
    Scenario Outline: <name> is no name of any tool
      Given the tree "a="A""
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      @prudent
      Examples:
        | id       | tool | name  | does   |
        | FO-01-13 | copy | cpy   | copies |
        | FO-01-20 | copy | copyfile | copies |
        | FO-01-21 | move | movefile | moves |

      @prudent @interpretation:AMB-FO-02
      Examples:
        | id       | tool | name  | does   |
        | FO-01-10 | move | MV    | moves  |
        | FO-01-11 | move | Move  | moves  |
        | FO-01-12 | copy | CP    | copies |

    # Names that a registry takes for others: spelt otherwise, or found in what every object inherits.
    @prudent
    Scenario Outline: <name> is no name of list_directory
      Given the tree "a="A""
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id       | name           |
        | FO-01-22 | list-directory |
        | FO-01-23 | listDirectory  |
        | FO-01-24 | fs.ls          |
        | FO-01-25 | constructor    |
        | FO-01-26 | toString       |

  @FR-FOPS-LS-01
  Rule: list_directory is what its own specification says, whatever it is called

    Scenario Outline: list_directory lists by the name <name>
      Given the tree "b="1", a="2", c/, .h="3""
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "a, b, c"
      And the tree is unchanged

      Examples:
        | id        | name           |
        | FO-LS-101 | list_directory |
        | FO-LS-102 | listdir        |
        | FO-LS-103 | ls             |
        | FO-LS-104 | dir            |

    Scenario Outline: list_directory lists what is in directories on demand only, by the name <name>
      Given the tree "b="1", c/{x="X", d/{y="Y"}}"
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "b, c"
      And the tree is unchanged

      Examples:
        | id        | name    |
        | FO-LS-303 | listdir |
        | FO-LS-304 | ls      |
        | FO-LS-305 | dir     |

    # The acceptance tests of that specification, unchanged: each with one of the names, some with all names.
    Scenario Outline: <test> of list_directory by the name <name>
      Then list_directory's own <test> holds by the name "<name>"

      Examples:
        | id       | test    | name           |
        | FO-LS-01 | T-LD-02 | list_directory |
        | FO-LS-02 | T-LD-03 | listdir        |
        | FO-LS-03 | T-LD-04 | ls             |
        | FO-LS-04 | T-LD-05 | dir            |
        | FO-LS-05 | T-LD-06 | list_directory |
        | FO-LS-06 | T-LD-07 | listdir        |
        | FO-LS-07 | T-LD-08 | ls             |
        | FO-LS-08 | T-LD-09 | dir            |
        | FO-LS-09 | T-LD-10 | list_directory |
        | FO-LS-10 | T-LD-11 | listdir        |
        | FO-LS-11 | T-LD-12 | ls             |
        | FO-LS-12 | T-LD-13 | dir            |
        | FO-LS-13 | T-LD-14 | list_directory |
        | FO-LS-14 | T-LD-03 | list_directory |
        | FO-LS-15 | T-LD-05 | list_directory |
        | FO-LS-16 | T-LD-08 | list_directory |
        | FO-LS-17 | T-LD-05 | listdir        |
        | FO-LS-18 | T-LD-08 | listdir        |
        | FO-LS-19 | T-LD-03 | ls             |
        | FO-LS-20 | T-LD-05 | ls             |
        | FO-LS-21 | T-LD-03 | dir            |
        | FO-LS-22 | T-LD-08 | dir            |

    # What is returned for an entry, and what the arguments leave out, with literal values.
    @FO-LS-106
    Scenario: list_directory tells what each entry is
      Given the tree "b="22", d/{x="X"}, l->b, .h="1""
      When list_directory is called with {"path": ".", "recursive": true, "include_hidden": true}
      Then the entries have
        | path | name | type      | size_bytes | depth | is_hidden | error |
        | .h   | ".h" | "file"    | 1          | 1     | true      | null  |
        | b    | "b"  | "file"    | 2          | 1     | false     | null  |
        | d    | "d"  | "dir"     | null       | 1     | false     | null  |
        | d/x  | "x"  | "file"    | 1          | 2     | false     | null  |
        | l    | "l"  | "symlink" | null       | 1     | false     | null  |
      And the tree is unchanged

    Scenario Outline: list_directory lists what its arguments ask for: <arguments>
      Given the tree "b="22", d/{x="X"}, l->b, .h="1""
      When list_directory is called with <arguments>
      Then the entries in order are "<listed>"
      And the tree is unchanged

      Examples:
        | id        | arguments                                                 | listed             |
        | FO-LS-107 | {"path": "."}                                             | b, d, l            |
        | FO-LS-108 | {"path": "d"}                                             | x                  |
        | FO-LS-109 | {"path": ".", "recursive": true}                          | b, d, d/x, l       |
        | FO-LS-110 | {"path": ".", "recursive": true, "max_depth": 1}          | b, d, l            |
        | FO-LS-111 | {"path": ".", "include_hidden": true}                     | .h, b, d, l        |
        | FO-LS-112 | {"path": ".", "include_files": false}                     | d, l               |
        | FO-LS-113 | {"path": ".", "include_dirs": false}                      | b, l               |
        | FO-LS-114 | {"path": ".", "include_symlinks": false}                  | b, d               |
        | FO-LS-115 | {"path": ".", "max_entries": 2}                           | b, d               |

    Scenario Outline: list_directory refuses <what>
      Given the tree "b="22", d/{x="X"}, out->../away"
      When list_directory is called with exactly <arguments>
      Then the call fails with <fails> and changes nothing
      And a control call moves a file

      Examples:
        | id        | what                     | arguments                            | fails            |
        | FO-LS-116 | a file                   | {"path": "b"}                        | ExecutionFailed  |
        | FO-LS-117 | a name that is not there | {"path": "nope"}                     | ExecutionFailed  |
        | FO-LS-118 | an empty path            | {"path": ""}                         | BadArgs          |
        | FO-LS-119 | no path at all           | {}                                   | BadArgs          |
        | FO-LS-120 | a number as a path       | {"path": 1}                          | BadArgs          |
        | FO-LS-121 | a depth without recursion | {"path": ".", "max_depth": 2}       | BadArgs          |
        | FO-LS-122 | the directory above      | {"path": ".."}                       | SandboxViolation |

    Scenario Outline: list_directory, by the name <name>, refuses <what>
      Given the tree "b="22", d/{x="X"}"
      When list_directory is called by the name "<name>" with <arguments>
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id        | name    | what                     | arguments        |
        | FO-LS-201 | listdir | a file                   | {"path": "b"}    |
        | FO-LS-202 | ls      | a file                   | {"path": "b"}    |
        | FO-LS-203 | dir     | a file                   | {"path": "b"}    |
        | FO-LS-204 | listdir | a name that is not there | {"path": "nope"} |
        | FO-LS-205 | ls      | a name that is not there | {"path": "nope"} |
        | FO-LS-206 | dir     | a name that is not there | {"path": "nope"} |
        | FO-LS-207 | listdir | no path at all           | {}               |
        | FO-LS-208 | ls      | no path at all           | {}               |
        | FO-LS-209 | dir     | no path at all           | {}               |

    Scenario Outline: list_directory lists no more than 200 entries by the name <name>
      Given the tree "f000..f204"
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "f000..f199"
      And the tree is unchanged

      Examples:
        | id        | name    |
        | FO-LS-210 | listdir |
        | FO-LS-211 | ls      |
        | FO-LS-212 | dir     |

    # Its configuration is in the table of its own name, by whichever name it is called.
    Scenario Outline: list_directory is configured in its own table, by the name <name>
      Given the tree "a, b, c"
      And the configuration file
        """
        [tools.list_directory]
        max_entries = 2
        """
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "a, b"
      And the tree is unchanged

      Examples:
        | id        | name           |
        | FO-LS-213 | list_directory |
        | FO-LS-214 | listdir        |
        | FO-LS-215 | ls             |
        | FO-LS-216 | dir            |

    @FO-LS-301
    Scenario: recursion goes as deep as is configured
      Given the tree "a/{b/{c/{d="D"}}}"
      And the configuration file
        """
        [tools.list_directory]
        max_depth = 2
        """
      When list_directory is called with {"path": ".", "recursive": true}
      Then the entries in order are "a, a/b"
      And the tree is unchanged

    @FO-LS-302
    Scenario: what is neither a file nor a directory nor a link is listed on demand only
      Given the tree "a="A", p:fifo, s:sock"
      When list_directory is called with {"path": "."}
      Then the entries in order are "a"
      And the tree is unchanged

    @FO-LS-123
    Scenario: list_directory tells times to the millisecond
      Given the tree "b="22"@1000000000123, d/@1000000000456"
      When list_directory is called with {"path": "."}
      Then the entries have
        | path | modified_epoch_ms |
        | b    | 1000000000123     |
        | d    | 1000000000456     |
      And the tree is unchanged

    @FO-LS-105
    Scenario: list_directory says that it changes nothing
      When list_directory is described
      Then the definition has {"is_side_effecting": false}
      And a control call moves a file

  @T-FOPS-LS-01
  Rule: its entries are sorted, by the path that its own specification sorts by

    @interpretation:AMB-FO-25
    Scenario Outline: sorted by the name <name>
      Then list_directory's own T-LD-01 holds by the name "<name>"

      Examples:
        | id         | name           |
        | FO-T-LS-01 | list_directory |
        | FO-T-LS-02 | listdir        |
        | FO-T-LS-03 | ls             |
        | FO-T-LS-04 | dir            |

    # By size, in either direction, the order is another one.
    @FO-T-LS-05
    Scenario: entries of different sizes are sorted by path
      Given the tree "c="1", a="22", b="333", d/"
      When list_directory is called with {"path": "."}
      Then the entries in order are "a, b, c, d"
      And the tree is unchanged

    # Paths are compared as texts: a dot comes before a slash.
    @FO-T-LS-07
    Scenario: entries of different directories are sorted by path
      Given the tree "a/{b="1"}, a.txt="2", a-b="3""
      When list_directory is called with {"path": ".", "recursive": true}
      Then the entries in order are "a, a-b, a.txt, a/b"
      And the tree is unchanged

    # By name, the entry of the directory comes first.
    @FO-T-LS-12
    Scenario: entries of a directory are sorted by path, not by name
      Given the tree "c/{a="1"}, b="2", d="3""
      When list_directory is called with {"path": ".", "recursive": true}
      Then the entries in order are "b, c, c/a, d"
      And the tree is unchanged

    # Some sort only a page, or only lists below a certain length.
    Scenario Outline: more than a hundred entries are sorted by path, by the name <name>
      Given the tree "f000..f149"
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "f000..f149"
      And the tree is unchanged

      Examples:
        | id         | name           |
        | FO-T-LS-06 | list_directory |
        | FO-T-LS-08 | listdir        |
        | FO-T-LS-09 | ls             |
        | FO-T-LS-10 | dir            |

    # The order of code points is that of bytes, and not that of UTF-16 or of a language.
    @FO-T-LS-11
    Scenario: entries with names in several scripts are sorted by path
      Given the tree "'\uff5e', '\U0001f600', '\u00e9', z, Z, a, '\u6587'"
      When list_directory is called with {"path": "."}
      Then the entries in order are "Z, a, z, '\u00e9', '\u6587', '\uff5e', '\U0001f600'"
      And the tree is unchanged

  @FR-REG-01
  Rule: both tools say that they change something

    Scenario Outline: <tool> has side effects
      When <tool> is described
      Then the definition has {"is_side_effecting": true}
      And a control call <does> a file

      Examples:
        | id           | tool | does   |
        | FO-REG-01-01 | move | moves  |
        | FO-REG-01-02 | copy | copies |

  @FR-APR-06
  Rule: both tools declare the risk of changing files

    # A candidate that considers overwriting may declare High (AMB-FO-14).
    @interpretation:AMB-FO-14
    Scenario Outline: <tool> is a Medium risk
      When <tool> is described
      Then the definition has {"risk_level": ["Medium", "High"]}
      And a control call <does> a file

      Examples:
        | id           | tool | does   |
        | FO-APR-06-01 | move | moves  |
        | FO-APR-06-02 | copy | copies |
