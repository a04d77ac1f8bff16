@list_directory
Feature: How a call fails, and what does not make it fail

  @FR-LD-ERR-01
  Rule: arguments that break a rule are BadArgs

    Scenario Outline: a bad argument: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly <arguments>
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id            | case                                    | arguments                                                                               |
        | LD-ERR-01-01  | no path                                 | {}                                                                                      |
        | LD-ERR-01-101 | a path that is no text                  | {"path": 1}                                                                             |
        | LD-ERR-01-102 | a blank path                            | {"path": " "}                                                                           |
        | LD-ERR-01-103 | a switch that is no boolean             | {"path": ".", "recursive": "true"}                                                      |
        | LD-ERR-01-104 | a limit of nothing                      | {"path": ".", "max_entries": 0}                                                         |
        | LD-ERR-01-105 | a fraction of a level                   | {"path": ".", "recursive": true, "max_depth": 1.5}                                      |
        | LD-ERR-01-106 | a list in place of an object            | ["."]                                                                                   |
        | LD-ERR-01-107 | a depth in a flat listing               | {"path": ".", "max_depth": 2}                                                           |
        | LD-ERR-01-109 | more entries than the built-in cap      | {"path": ".", "max_entries": 201}                                                       |
        | LD-ERR-01-110 | files, directories and symlinks all off | {"path": ".", "include_files": false, "include_dirs": false, "include_symlinks": false} |
        | LD-ERR-01-111 | two bad arguments in one call           | {"path": " ", "max_entries": 0}                                                         |
        | LD-ERR-01-112 | a bad argument beside good ones         | {"path": "a", "recursive": true, "max_entries": 5, "include_hidden": "no"}              |

    # A message that names the incorrect value is clear and actionable; any other that is not empty draws a warning.
    Scenario Outline: the message names what to mend: <culprit>
      Given the tree "a/{b}, f"
      When list_directory is called with <arguments>
      Then by AMB-LD-38 the answer is one of
        | reading | fails   | saying    | message  |
        | a       | BadArgs | <culprit> |          |
        | b       | BadArgs |           | any text |
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id            | culprit          | arguments            |
        | LD-ERR-01-02  | max_depth        | {"max_depth": 2}     |
        | LD-ERR-01-113 | max_entries, 200 | {"max_entries": 201} |
        | LD-ERR-01-115 | path             | {"path": " "}        |
        | LD-ERR-01-116 | recursive        | {"recursive": 1}     |
        | LD-ERR-01-117 | include_files    | {"include_files": false, "include_dirs": false, "include_symlinks": false} |
        | LD-ERR-01-118 | max_depth, 4     | {"recursive": true, "max_depth": 5} |

    # An executor checks the schema before the tool: refused arguments cause no disk access.
    @LD-ERR-01-03 @framework:executor
    Scenario: nothing is opened for arguments that the schema refuses
      Given the tree "a/{b}, c/{d}"
      And opened directories are watched
      When list_directory is called with {"path": "a", "max_entries": 0}
      Then the call fails with BadArgs
      And a control call with {"path": "c"} lists "d"
      And "a" was never opened
      And the tree is unchanged

  @FR-LD-ERR-02
  Rule: a path that the sandbox refuses is a SandboxViolation

    Scenario Outline: a breach: <case>
      Given the tree "in/{x}"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | case                           | path             |
        | LD-ERR-02-01  | the parent                     | ".."             |
        | LD-ERR-02-101 | a sibling                      | "../root2"       |
        | LD-ERR-02-102 | a sibling by way of the inside | "in/../../root2" |
        | LD-ERR-02-103 | an absolute path outside       | "$OUTSIDE/root2" |
        | LD-ERR-02-104 | the root of the file system    | "/"              |

    Scenario Outline: a breach by symlink: <case>
      Given the tree "in/{x}, esc->../root2, up->.."
      And beside the sandbox the tree "root2/{secret}, exists/{secret}"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-36 the answer is one of
        | reading | fails                               |
        | follow  | SandboxViolation                    |
        | refuse  | SandboxViolation or ExecutionFailed |
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | case                           | path        |
        | LD-ERR-02-105 | a symlink that leads out       | "esc"       |
        | LD-ERR-02-106 | a symlink to the parent        | "up"        |
        | LD-ERR-02-112 | a sibling by way of the parent | "up/exists" |

    # If the errors for existing and missing paths differed, they would disclose what is outside.
    Scenario Outline: there or not, it is outside: <path>
      Given the tree "in/{x}"
      And beside the sandbox the tree "exists/{secret}, file"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | path               |
        | LD-ERR-02-03  | "../exists"        |
        | LD-ERR-02-107 | "../missing"       |
        | LD-ERR-02-108 | "../file"          |
        | LD-ERR-02-109 | "../file/below"    |
        | LD-ERR-02-110 | "$OUTSIDE/exists"  |
        | LD-ERR-02-111 | "$OUTSIDE/missing" |

    @LD-ERR-02-113 @framework:denied_patterns
    Scenario: a denied directory inside
      Given the tree "home/{.ssh/{keys/{id}}}, in/{x}"
      When list_directory is called with {"path": "home/.ssh/keys"}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

  @FR-LD-VAL-08
  Rule: a target that is missing or no directory is ExecutionFailed

    Scenario Outline: no directory to list: <case>
      Given the tree "in/{x}, f=3, p:fifo, s:sock"
      When list_directory is called with <arguments>
      Then the call fails with ExecutionFailed
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | case                           | arguments                           |
        | LD-ERR-03-01  | a missing name                 | {"path": "nope"}                    |
        | LD-ERR-03-101 | a missing name further down    | {"path": "in/nope"}                 |
        | LD-ERR-03-102 | something below a missing name | {"path": "nope/x"}                  |
        | LD-ERR-03-103 | a file                         | {"path": "f"}                       |
        | LD-ERR-03-104 | something below a file         | {"path": "f/x"}                     |
        | LD-ERR-03-105 | a FIFO                         | {"path": "p"}                       |
        | LD-ERR-03-106 | a socket                       | {"path": "s"}                       |
        | LD-ERR-03-107 | a missing name, recursively    | {"path": "nope", "recursive": true} |
        | LD-ERR-03-108 | a file, recursively            | {"path": "f", "recursive": true}    |

    # The framework returns a message that is a JSON object unchanged, without the tool's name before it.
    @LD-ERR-03-02
    Scenario: the message is words
      Given the tree "in/{x}"
      When list_directory is called with {"path": "nope"}
      Then the call fails with ExecutionFailed
      And the error's message should not be a JSON object
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

  # FR-LD-LST-04 defines the result for the failing entry itself.
  @FR-LD-LST-04
  Rule: metadata that fail do not fail the call

    @LD-ERR-04-01 @needs:strace
    Scenario: every entry fails
      Given the tree "a!L, b!L"
      When list_directory is called with {}
      Then by AMB-LD-06 the answer is one of
        | reading       | entries |
        | always        | a, b    |
        | include_other | ""      |
      And a control call with {} on the tree "c, d" lists "c, d"
      And the tree is unchanged

    @needs:strace
    Scenario Outline: the healthy ones are listed: <case>
      Given the tree "<tree>"
      When list_directory is called with <arguments>
      Then the entries include "<healthy>"
      And the tree is unchanged

      Examples:
        | id            | case                                         | tree             | arguments           | healthy       |
        | LD-ERR-04-02  | the first one fails                          | a!L, b, c        | {}                  | b, c          |
        | LD-ERR-04-03  | one fails deep down                          | a/{b/{c!L, d}}   | {"recursive": true} | a, a/b, a/b/d |
        | LD-ERR-04-04  | one fails among those the limit lets through | a!L, b, c, d     | {"max_entries": 3}  | b, c          |
        | LD-ERR-04-101 | the last one fails                           | a, b, c!L        | {}                  | a, b          |
        | LD-ERR-04-102 | a directory fails                            | a, d/!L{x}, z    | {"recursive": true} | a, z          |
        | LD-ERR-04-103 | a symlink fails                              | a, l!L->gone, z  | {}                  | a, z          |
        | LD-ERR-04-104 | the disk fails                               | a, g!L=EIO, z    | {}                  | a, z          |
        | LD-ERR-04-105 | one vanishes                                 | a, g!L=ENOENT, z | {}                  | a, z          |

    # Modes have the same effect without a tracer: this directory lists names and refuses their metadata.
    Scenario Outline: names without metadata: <case>
      Given the tree "a/{b}, d/%0444{x, y/{q}, l->x}, z"
      When list_directory is called with <arguments>
      Then the entries include "<healthy>"
      And the tree is unchanged

      Examples:
        | id            | case              | arguments                                                              | healthy      |
        | LD-ERR-04-106 | all kinds         | {"recursive": true}                                                    | a, a/b, z    |
        | LD-ERR-04-107 | special ones too  | {"recursive": true, "include_other": true}                             | a, a/b, d, z |
        | LD-ERR-04-108 | directories alone | {"recursive": true, "include_files": false, "include_symlinks": false} | a            |
