@file_operations
Feature: What the tools are called, and what they say of themselves

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-01
  Rule: each tool goes by its own name and by a few others, and by no more

    Scenario Outline: <case of FR-FOPS-01 by a name>
      Given the tree "<tree>"
      When <tool> is called by the name "<name>" with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-FOPS-01 by a name | tree | tool | name | arguments | ends |
        | FO-01-01 | move by the name move | a="A", d/ | move | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A", d/" |
        | FO-01-02 | move by the name rename | a="A", d/ | move | rename | {"source": "a", "destination": "b"} | succeeds and leaves "b="A", d/" |
        | FO-01-03 | move by the name mv | a="A", d/ | move | mv | {"source": "a", "destination": "b"} | succeeds and leaves "b="A", d/" |
        | FO-01-04 | copy by the name copy | a="A", d/ | copy | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A", d/" |
        | FO-01-05 | copy by the name cp | a="A", d/ | copy | cp | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A", d/" |
        # A new name without a directory lies in the working directory, by whatever name the tool is called.
        | FO-01-201 | move by the name rename, out of a directory | x/{a="A"} | move | rename | {"source": "x/a", "destination": "b"} | succeeds and leaves "b="A", x/" |
        | FO-01-202 | move by the name mv, out of a directory | x/{a="A"} | move | mv | {"source": "x/a", "destination": "b"} | succeeds and leaves "b="A", x/" |
        | FO-01-203 | copy by the name cp, out of a directory | x/{a="A"} | copy | cp | {"source": "x/a", "destination": "b"} | succeeds and leaves "b="A", x/{a="A"}" |
        | FO-01-301 | move by the name rename, into a directory | a="A", d/{k="K"} | move | rename | {"source": "a", "destination": "d"} | succeeds and leaves "d/{a="A", k="K"}" |
        | FO-01-302 | move by the name mv, into a directory | a="A", d/{k="K"} | move | mv | {"source": "a", "destination": "d"} | succeeds and leaves "d/{a="A", k="K"}" |
        | FO-01-303 | copy by the name cp, into a directory | a="A", d/{k="K"} | copy | cp | {"source": "a", "destination": "d"} | succeeds and leaves "a="A",d/{a="A", k="K"}" |

      @prudent
      Examples:
        | id | case of FR-FOPS-01 by a name | tree | tool | name | arguments | ends |
        # A registry that ignores case would confuse this name with LS, a tool of another specification.
        | FO-01-13 | cpy is no name of any tool | a="A" | copy | cpy | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-01-20 | copyfile is no name of any tool | a="A" | copy | copyfile | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-01-21 | movefile is no name of any tool | a="A" | move | movefile | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        # Names that a registry takes for others: spelt otherwise, or found in what every object inherits.
        | FO-01-22 | list-directory is no name of list_directory | a="A" | list_directory | list-directory | {"path": "."} | fails with any error and changes nothing |
        | FO-01-23 | listDirectory is no name of list_directory | a="A" | list_directory | listDirectory | {"path": "."} | fails with any error and changes nothing |
        | FO-01-24 | fs.ls is no name of list_directory | a="A" | list_directory | fs.ls | {"path": "."} | fails with any error and changes nothing |
        | FO-01-25 | constructor is no name of list_directory | a="A" | list_directory | constructor | {"path": "."} | fails with any error and changes nothing |
        | FO-01-26 | toString is no name of list_directory | a="A" | list_directory | toString | {"path": "."} | fails with any error and changes nothing |

      @prudent @interpretation:AMB-FO-02
      Examples:
        | id | case of FR-FOPS-01 by a name | tree | tool | name | arguments | ends |
        | FO-01-10 | MV is no name of any tool | a="A" | move | MV | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-01-11 | Move is no name of any tool | a="A" | move | Move | {"source": "a", "destination": "b"} | fails with any error and changes nothing |
        | FO-01-12 | CP is no name of any tool | a="A" | copy | CP | {"source": "a", "destination": "b"} | fails with any error and changes nothing |

    @FO-01-14
    Scenario: move is the tool's own name
      When move is described
      Then the definition has {"name": "move"}

    @FO-01-15
    Scenario: copy is the tool's own name
      When copy is described
      Then the definition has {"name": "copy"}

    Scenario Outline: list_directory has the name <name>
      Given the tree "a="A""
      When list_directory is called by the name "<name>" with {"path": "."}
      Then there is a tool of this name

      Examples:
        | id | name |
        | FO-01-16 | list_directory |
        | FO-01-17 | listdir |
        | FO-01-18 | ls |
        | FO-01-19 | dir |

  @FR-FOPS-LS-01
  Rule: list_directory is what its own specification says, whatever it is called

    Scenario Outline: <case of FR-FOPS-LS-01 by a name>
      Given the tree "<tree>"
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "<listed>"

      Examples:
        | id | case of FR-FOPS-LS-01 by a name | tree | name | listed |
        | FO-LS-101 | list_directory lists by the name list_directory | b="1", a="2", c/, .h="3" | list_directory | a, b, c |
        | FO-LS-102 | list_directory lists by the name listdir | b="1", a="2", c/, .h="3" | listdir | a, b, c |
        | FO-LS-103 | list_directory lists by the name ls | b="1", a="2", c/, .h="3" | ls | a, b, c |
        | FO-LS-104 | list_directory lists by the name dir | b="1", a="2", c/, .h="3" | dir | a, b, c |
        | FO-LS-303 | list_directory lists what is in directories on demand only, by the name listdir | b="1", c/{x="X", d/{y="Y"}} | listdir | b, c |
        | FO-LS-304 | list_directory lists what is in directories on demand only, by the name ls | b="1", c/{x="X", d/{y="Y"}} | ls | b, c |
        | FO-LS-305 | list_directory lists what is in directories on demand only, by the name dir | b="1", c/{x="X", d/{y="Y"}} | dir | b, c |
        | FO-LS-210 | list_directory lists no more than 200 entries by the name listdir | f000..f204 | listdir | f000..f199 |
        | FO-LS-211 | list_directory lists no more than 200 entries by the name ls | f000..f204 | ls | f000..f199 |
        | FO-LS-212 | list_directory lists no more than 200 entries by the name dir | f000..f204 | dir | f000..f199 |

    # The acceptance tests of that specification, unchanged: each with one of the names, some with all names.
    @FO-LS-01
    Scenario: T-LD-02 of list_directory by the name list_directory
      Then list_directory's own T-LD-02 holds by the name "list_directory"

    @FO-LS-02
    Scenario: T-LD-03 of list_directory by the name listdir
      Then list_directory's own T-LD-03 holds by the name "listdir"

    @FO-LS-03
    Scenario: T-LD-04 of list_directory by the name ls
      Then list_directory's own T-LD-04 holds by the name "ls"

    @FO-LS-04
    Scenario: T-LD-05 of list_directory by the name dir
      Then list_directory's own T-LD-05 holds by the name "dir"

    @FO-LS-05
    Scenario: T-LD-06 of list_directory by the name list_directory
      Then list_directory's own T-LD-06 holds by the name "list_directory"

    @FO-LS-06
    Scenario: T-LD-07 of list_directory by the name listdir
      Then list_directory's own T-LD-07 holds by the name "listdir"

    @FO-LS-07
    Scenario: T-LD-08 of list_directory by the name ls
      Then list_directory's own T-LD-08 holds by the name "ls"

    @FO-LS-08
    Scenario: T-LD-09 of list_directory by the name dir
      Then list_directory's own T-LD-09 holds by the name "dir"

    @FO-LS-09
    Scenario: T-LD-10 of list_directory by the name list_directory
      Then list_directory's own T-LD-10 holds by the name "list_directory"

    @FO-LS-10
    Scenario: T-LD-11 of list_directory by the name listdir
      Then list_directory's own T-LD-11 holds by the name "listdir"

    @FO-LS-11
    Scenario: T-LD-12 of list_directory by the name ls
      Then list_directory's own T-LD-12 holds by the name "ls"

    @FO-LS-12
    Scenario: T-LD-13 of list_directory by the name dir
      Then list_directory's own T-LD-13 holds by the name "dir"

    @FO-LS-13
    Scenario: T-LD-14 of list_directory by the name list_directory
      Then list_directory's own T-LD-14 holds by the name "list_directory"

    @FO-LS-14
    Scenario: T-LD-03 of list_directory by the name list_directory
      Then list_directory's own T-LD-03 holds by the name "list_directory"

    @FO-LS-15
    Scenario: T-LD-05 of list_directory by the name list_directory
      Then list_directory's own T-LD-05 holds by the name "list_directory"

    @FO-LS-16
    Scenario: T-LD-08 of list_directory by the name list_directory
      Then list_directory's own T-LD-08 holds by the name "list_directory"

    @FO-LS-17
    Scenario: T-LD-05 of list_directory by the name listdir
      Then list_directory's own T-LD-05 holds by the name "listdir"

    @FO-LS-18
    Scenario: T-LD-08 of list_directory by the name listdir
      Then list_directory's own T-LD-08 holds by the name "listdir"

    @FO-LS-19
    Scenario: T-LD-03 of list_directory by the name ls
      Then list_directory's own T-LD-03 holds by the name "ls"

    @FO-LS-20
    Scenario: T-LD-05 of list_directory by the name ls
      Then list_directory's own T-LD-05 holds by the name "ls"

    @FO-LS-21
    Scenario: T-LD-03 of list_directory by the name dir
      Then list_directory's own T-LD-03 holds by the name "dir"

    @FO-LS-22
    Scenario: T-LD-08 of list_directory by the name dir
      Then list_directory's own T-LD-08 holds by the name "dir"

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

    Scenario Outline: <case of FR-FOPS-LS-01>
      Given the tree "<tree>"
      When list_directory is called with <arguments>
      Then the entries in order are "<listed>"

      Examples:
        | id | case of FR-FOPS-LS-01 | tree | arguments | listed |
        | FO-LS-107 | list_directory lists what its arguments ask for: {"path": "."} | b="22", d/{x="X"}, l->b, .h="1" | {"path": "."} | b, d, l |
        | FO-LS-108 | list_directory lists what its arguments ask for: {"path": "d"} | b="22", d/{x="X"}, l->b, .h="1" | {"path": "d"} | x |
        | FO-LS-109 | list_directory lists what its arguments ask for: {"path": ".", "recursive": true} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "recursive": true} | b, d, d/x, l |
        | FO-LS-110 | list_directory lists what its arguments ask for: {"path": ".", "recursive": true, "max_depth": 1} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "recursive": true, "max_depth": 1} | b, d, l |
        | FO-LS-111 | list_directory lists what its arguments ask for: {"path": ".", "include_hidden": true} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "include_hidden": true} | .h, b, d, l |
        | FO-LS-112 | list_directory lists what its arguments ask for: {"path": ".", "include_files": false} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "include_files": false} | d, l |
        | FO-LS-113 | list_directory lists what its arguments ask for: {"path": ".", "include_dirs": false} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "include_dirs": false} | b, l |
        | FO-LS-114 | list_directory lists what its arguments ask for: {"path": ".", "include_symlinks": false} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "include_symlinks": false} | b, d |
        | FO-LS-115 | list_directory lists what its arguments ask for: {"path": ".", "max_entries": 2} | b="22", d/{x="X"}, l->b, .h="1" | {"path": ".", "max_entries": 2} | b, d |
        | FO-LS-302 | what is neither a file nor a directory nor a link is listed on demand only | a="A", p:fifo, s:sock | {"path": "."} | a |

    Scenario Outline: list_directory refuses <what>
      Given the tree "b="22", d/{x="X"}, out->../away"
      When list_directory is called with exactly <arguments>
      Then the call fails with <fails> and changes nothing

      Examples:
        | id | what | arguments | fails |
        | FO-LS-116 | a file | {"path": "b"} | ExecutionFailed |
        | FO-LS-117 | a name that is not there | {"path": "nope"} | ExecutionFailed |
        | FO-LS-118 | an empty path | {"path": ""} | BadArgs |
        | FO-LS-119 | no path at all | {} | BadArgs |
        | FO-LS-120 | a number as a path | {"path": 1} | BadArgs |
        | FO-LS-121 | a depth without recursion | {"path": ".", "max_depth": 2} | BadArgs |
        | FO-LS-122 | the directory above | {"path": ".."} | SandboxViolation |

    Scenario Outline: list_directory, by the name <name>, refuses <what>
      Given the tree "b="22", d/{x="X"}"
      When list_directory is called by the name "<name>" with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | name | what | arguments |
        | FO-LS-201 | listdir | a file | {"path": "b"} |
        | FO-LS-202 | ls | a file | {"path": "b"} |
        | FO-LS-203 | dir | a file | {"path": "b"} |
        | FO-LS-204 | listdir | a name that is not there | {"path": "nope"} |
        | FO-LS-205 | ls | a name that is not there | {"path": "nope"} |
        | FO-LS-206 | dir | a name that is not there | {"path": "nope"} |
        | FO-LS-207 | listdir | no path at all | {} |
        | FO-LS-208 | ls | no path at all | {} |
        | FO-LS-209 | dir | no path at all | {} |

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

      Examples:
        | id | name |
        | FO-LS-213 | list_directory |
        | FO-LS-214 | listdir |
        | FO-LS-215 | ls |
        | FO-LS-216 | dir |

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

    @FO-LS-123
    Scenario: list_directory tells times to the millisecond
      Given the tree "b="22"@1000000000123, d/@1000000000456"
      When list_directory is called with {"path": "."}
      Then the entries have
        | path | modified_epoch_ms |
        | b    | 1000000000123     |
        | d    | 1000000000456     |

    @FO-LS-105
    Scenario: list_directory says that it changes nothing
      When list_directory is described
      Then the definition has {"is_side_effecting": false}

  @T-FOPS-LS-01
  Rule: its entries are sorted, by the path that its own specification sorts by

    @FO-T-LS-01
    Scenario: sorted by the name list_directory
      Then list_directory's own T-LD-01 holds by the name "list_directory"

    @FO-T-LS-02
    Scenario: sorted by the name listdir
      Then list_directory's own T-LD-01 holds by the name "listdir"

    @FO-T-LS-03
    Scenario: sorted by the name ls
      Then list_directory's own T-LD-01 holds by the name "ls"

    @FO-T-LS-04
    Scenario: sorted by the name dir
      Then list_directory's own T-LD-01 holds by the name "dir"

    Scenario Outline: <case of T-FOPS-LS-01>
      Given the tree "<tree>"
      When list_directory is called with <arguments>
      Then the entries in order are "<listed>"

      Examples:
        | id | case of T-FOPS-LS-01 | tree | arguments | listed |
        # By size, in either direction, the order is another one.
        | FO-T-LS-05 | entries of different sizes are sorted by path | c="1", a="22", b="333", d/ | {"path": "."} | a, b, c, d |
        # Paths are compared as texts: a dot comes before a slash.
        | FO-T-LS-07 | entries of different directories are sorted by path | a/{b="1"}, a.txt="2", a-b="3" | {"path": ".", "recursive": true} | a, a-b, a.txt, a/b |
        # By name, the entry of the directory comes first.
        | FO-T-LS-12 | entries of a directory are sorted by path, not by name | c/{a="1"}, b="2", d="3" | {"path": ".", "recursive": true} | b, c, c/a, d |
        # The order of code points is that of bytes, and not that of UTF-16 or of a language.
        | FO-T-LS-11 | entries with names in several scripts are sorted by path | '\\uff5e', '\\U0001f600', '\\u00e9', z, Z, a, '\\u6587' | {"path": "."} | Z, a, z, '\\u00e9', '\\u6587', '\\uff5e', '\\U0001f600' |

    # Some sort only a page, or only lists below a certain length.
    Scenario Outline: more than a hundred entries are sorted by path, by the name <name>
      Given the tree "f000..f149"
      When list_directory is called by the name "<name>" with {"path": "."}
      Then the entries in order are "f000..f149"

      Examples:
        | id | name |
        | FO-T-LS-06 | list_directory |
        | FO-T-LS-08 | listdir |
        | FO-T-LS-09 | ls |
        | FO-T-LS-10 | dir |

  @FR-REG-01
  Rule: both tools say that they change something

    @FO-REG-01-01
    Scenario: move has side effects
      When move is described
      Then the definition has {"is_side_effecting": true}

    @FO-REG-01-02
    Scenario: copy has side effects
      When copy is described
      Then the definition has {"is_side_effecting": true}

  @FR-APR-06
  Rule: both tools declare the risk of changing files

    # A candidate that considers overwriting may declare High (AMB-FO-14).
    @FO-APR-06-01 @interpretation:AMB-FO-14
    Scenario: move is a Medium risk
      When move is described
      Then the definition has {"risk_level": ["Medium", "High"]}

    @FO-APR-06-02 @interpretation:AMB-FO-14
    Scenario: copy is a Medium risk
      When copy is described
      Then the definition has {"risk_level": ["Medium", "High"]}
