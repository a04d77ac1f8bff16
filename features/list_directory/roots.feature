@list_directory
Feature: The sandbox is what lies in its roots, however these lie to each other and to the working directory

  @FR-LD-VAL-07
  Rule: one root that holds a place is enough

    Scenario Outline: a root inside another, <case>
      Given the tree "in/{x, deep/{q}}, f"
      And the context {"roots": <roots>}
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | case                     | roots                           | path      | entries |
        | LD-VAL-07-601 | the outer one first      | ["$ROOT", "$ROOT/in"]           | "."       | f, in   |
        | LD-VAL-07-602 | and what lies in both    | ["$ROOT", "$ROOT/in"]           | "in/deep" | q       |
        | LD-VAL-07-604 | the same root twice      | ["$ROOT", "$ROOT"]              | "in"      | deep, x |

    @LD-VAL-07-702
    Scenario: a root with a slash at its end
      Given the tree "in/{x}, f"
      And the context {"roots": ["$ROOT/"]}
      When list_directory is called with {"path": "in"}
      Then the entries are "x"

    Scenario Outline: a root that is missing: <path>
      Given the tree "in/{x}"
      And the context {"roots": ["$OUTSIDE/gone"], "working_dir": "$OUTSIDE/gone"}
      When list_directory is called with {"path": <path>}
      Then the call fails with any error

      Examples:
        | id            | path      |
        | LD-VAL-07-779 | "."       |
        | LD-VAL-07-780 | "../root" |
        | LD-VAL-07-781 | "in"      |
        | LD-VAL-07-782 | ""        |

  @CWD-LD
  Rule: a relative path starts in the working directory of the call, wherever its roots are

    Scenario Outline: the directory of the process is no start: <cwd>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "elsewhere/{in/{wrong}}"
      And the candidate's process has {"cwd": "<cwd>"}
      When list_directory is called with {"path": "in"}
      Then the entries are "x"

      Examples:
        | id            | cwd                |
        | LD-VAL-07-26  | /                  |
        | LD-VAL-07-157 | $OUTSIDE/elsewhere |

    Scenario Outline: <case>
      Given the tree "<tree>"
      And the context <context>
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | case                                          | tree                               | context                                           | path      | entries |
        | LD-VAL-07-158 | a working directory below the root            | in/{x, deep/{q}}, deep/{wrong}     | {"working_dir": "$ROOT/in"}                       | "deep"    | q       |
        | LD-VAL-07-603 | of two roots in each other the inner one first | in/{x, deep/{q}}, f               | {"roots": ["$ROOT/in", "$ROOT"]}                  | "."       | f, in   |
        | LD-VAL-07-605 | three roots in each other                     | in/{x, deep/{q}}, f                | {"roots": ["$ROOT/in/deep", "$ROOT/in", "$ROOT"]} | "in/deep" | q       |
        | LD-VAL-07-606 | a root below the working directory: "in"      | in/{x, deep/{q}}, inner/{wrong}, f | {"roots": ["$ROOT/in"]}                           | "in"      | deep, x |
        | LD-VAL-07-607 | a root below the working directory: "in/deep" | in/{x, deep/{q}}, inner/{wrong}, f | {"roots": ["$ROOT/in"]}                           | "in/deep" | q       |
        # Followed by a slash as text, it is not a prefix of any path.
        | LD-VAL-07-701 | the root "/"                                  | in/{x}, f                          | {"roots": ["/"]}                                  | "in"      | x       |
        | LD-VAL-07-703 | the root "$ROOT/./in/"                        | in/{x}, f                          | {"roots": ["$ROOT/./in/"]}                        | "in"      | x       |
        | LD-VAL-07-704 | the root "$ROOT//in"                          | in/{x}, f                          | {"roots": ["$ROOT//in"]}                          | "in"      | x       |

    @LD-VAL-07-159
    Scenario: a working directory outside every root
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "root2/{secret}"
      And the context {"roots": ["$ROOT"], "working_dir": "$OUTSIDE/root2"}
      When list_directory is called with {"path": "."}
      Then the call fails with SandboxViolation

    Scenario Outline: outside the only root, though in the working directory: <path>
      Given the tree "in/{x}, inner/{wrong}, out->inner, f"
      And the context {"roots": ["$ROOT/in"]}
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path      |
        | LD-VAL-07-608 | "."       |
        | LD-VAL-07-609 | "inner"   |
        | LD-VAL-07-611 | "missing" |
        | LD-VAL-07-612 | "f"       |

    @LD-VAL-07-610 @interpretation:AMB-LD-36
    Scenario: a symlink outside the only root, though in the working directory
      Given the tree "in/{x}, inner/{wrong}, out->inner, f"
      And the context {"roots": ["$ROOT/in"]}
      When list_directory is called with {"path": "out"}
      Then the call fails with SandboxViolation or ExecutionFailed

    Scenario Outline: a directory that is <where> alone, by a relative path
      Given the tree "in/{x}, w/{y}"
      And beside the sandbox the tree "second/{dir/{q}}"
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"], "working_dir": <working_dir>}
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed

      Examples:
        | id            | where                           | working_dir | path  |
        | LD-VAL-07-763 | in the second root              | "$ROOT"     | "dir" |
        | LD-VAL-07-764 | beside the working directory    | "$ROOT/w"   | "in"  |

  @FR-LD-VAL-07
  Rule: a path is judged in each call by where it leads then

    @behaviour:BEH-14
    Scenario Outline: <case> (a path is judged in each call by where it leads then)
      Given the tree "<tree>"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": "l"}
      And "l" has been removed
      And the tree gets "<added>"
      And list_directory is called again with {"path": "l"}
      Then <answer>

      @interpretation:AMB-LD-36
      Examples:
        | id            | case                                                         | tree          | added       | answer                                                  |
        | LD-VAL-07-771 | a name that leads outside since an earlier call: first l->in | l->in, in/{x} | l->../root2 | the call fails with SandboxViolation or ExecutionFailed |
        | LD-VAL-07-773 | a name that leads outside since an earlier call: first l=1   | l=1, in/{x}   | l->../root2 | the call fails with SandboxViolation or ExecutionFailed |

      Examples:
        | id            | case                                           | tree                | added | answer             |
        | LD-VAL-07-774 | a name that leads inside since an earlier call | l->../root2, in/{x} | l/    | the entries are "" |
