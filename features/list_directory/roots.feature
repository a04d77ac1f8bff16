@list_directory
Feature: The sandbox is what lies in its roots, however these lie to each other and to the working directory

  @FR-LD-VAL-07
  Rule: one root that holds a place is enough, and the working directory is none

    Scenario Outline: a root inside another, <case>
      Given the tree "in/{x, deep/{q}}, f"
      And the context {"roots": <roots>}
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | case                     | roots                           | path      | entries |
        | LD-VAL-07-601 | the outer one first      | ["$ROOT", "$ROOT/in"]           | "."       | f, in   |
        | LD-VAL-07-602 | and what lies in both    | ["$ROOT", "$ROOT/in"]           | "in/deep" | q       |
        | LD-VAL-07-603 | the inner one first      | ["$ROOT/in", "$ROOT"]           | "."       | f, in   |
        | LD-VAL-07-604 | the same root twice      | ["$ROOT", "$ROOT"]              | "in"      | deep, x |
        | LD-VAL-07-605 | three in each other      | ["$ROOT/in/deep", "$ROOT/in", "$ROOT"] | "in/deep" | q       |

    Scenario Outline: a root below the working directory: <path>
      Given the tree "in/{x, deep/{q}}, inner/{wrong}, f"
      And the context {"roots": ["$ROOT/in"]}
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | path      | entries |
        | LD-VAL-07-606 | "in"      | deep, x |
        | LD-VAL-07-607 | "in/deep" | q       |

    Scenario Outline: outside the only root, though in the working directory: <path>
      Given the tree "in/{x}, inner/{wrong}, out->inner, f"
      And the context {"roots": ["$ROOT/in"]}
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | path      |
        | LD-VAL-07-608 | "."       |
        | LD-VAL-07-609 | "inner"   |
        | LD-VAL-07-611 | "missing" |
        | LD-VAL-07-612 | "f"       |

    @LD-VAL-07-610
    Scenario: a symlink outside the only root, though in the working directory
      Given the tree "in/{x}, inner/{wrong}, out->inner, f"
      And the context {"roots": ["$ROOT/in"]}
      When list_directory is called with {"path": "out"}
      Then by AMB-LD-36 the answer is one of
        | reading | fails                               |
        | follow  | SandboxViolation                    |
        | refuse  | SandboxViolation or ExecutionFailed |
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

    # A relative path starts in the working directory alone (AMB-LD-59).
    Scenario Outline: a directory that is <where> alone, by a relative path
      Given the tree "in/{x}, w/{y}"
      And beside the sandbox the tree "second/{dir/{q}}"
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"], "working_dir": <working_dir>}
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      @interpretation:AMB-LD-59
      Examples:
        | id            | where                           | working_dir | path  |
        | LD-VAL-07-763 | in the second root              | "$ROOT"     | "dir" |
        | LD-VAL-07-764 | beside the working directory    | "$ROOT/w"   | "in"  |

  @FR-LD-VAL-07
  Rule: a root is a place, however it is written

    Scenario Outline: the root <root>
      Given the tree "in/{x}, f"
      And the context {"roots": [<root>]}
      When list_directory is called with {"path": "in"}
      Then the entries are "x"
      And the tree is unchanged

      Examples:
        | id            | root          |
        # Followed by a slash as text, it is not a prefix of any path.
        | LD-VAL-07-701 | "/"           |
        | LD-VAL-07-702 | "$ROOT/"      |
        | LD-VAL-07-703 | "$ROOT/./in/" |
        | LD-VAL-07-704 | "$ROOT//in"   |

  @FR-LD-VAL-07
  Rule: a path is judged in each call by where it leads then

    Scenario Outline: a name that leads outside since an earlier call: first <first>
      Given the tree "<first>, in/{x}"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": "l"}
      And "l" has been removed
      And the tree gets "l->../root2"
      And list_directory is called again with {"path": "l"}
      Then by AMB-LD-36 the answer is one of
        | reading | fails                               |
        | follow  | SandboxViolation                    |
        | refuse  | SandboxViolation or ExecutionFailed |
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | first |
        | LD-VAL-07-771 | l->in |
        | LD-VAL-07-773 | l=1   |

    @LD-VAL-07-774
    Scenario: a name that leads inside since an earlier call
      Given the tree "l->../root2, in/{x}"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": "l"}
      And "l" has been removed
      And the tree gets "l/"
      And list_directory is called again with {"path": "l"}
      Then the entries are ""
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged
