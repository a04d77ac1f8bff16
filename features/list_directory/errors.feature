@list_directory
Feature: How a call fails, and what does not make it fail

  @FR-LD-ERR-01
  Rule: arguments that break a rule are BadArgs

    Scenario Outline: a bad argument: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly <arguments>
      Then the call fails with BadArgs

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

      Examples:
        | id            | culprit          | arguments            |
        | LD-ERR-01-116 | recursive        | {"recursive": 1}     |
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

  @FR-LD-ERR-02
  Rule: a path that the sandbox refuses is a SandboxViolation

    Scenario Outline: <case>
      Given the tree "in/{x}"
      And beside the sandbox the tree "<beside>"
      When list_directory is called with <call>
      Then the call fails with SandboxViolation

      Examples:
        | id            | case                                            | beside                | call                         |
        | LD-ERR-02-01  | a breach: the parent                            | root2/{secret}        | {"path": ".."}               |
        | LD-ERR-02-101 | a breach: a sibling                             | root2/{secret}        | {"path": "../root2"}         |
        | LD-ERR-02-102 | a breach: a sibling by way of the inside        | root2/{secret}        | {"path": "in/../../root2"}   |
        | LD-ERR-02-103 | a breach: an absolute path outside              | root2/{secret}        | {"path": "$OUTSIDE/root2"}   |
        | LD-ERR-02-104 | a breach: the root of the file system           | root2/{secret}        | {"path": "/"}                |
        # If the errors for existing and missing paths differed, they would disclose what is outside.
        | LD-ERR-02-03  | there or not, it is outside: "../exists"        | exists/{secret}, file | {"path": "../exists"}        |
        | LD-ERR-02-107 | there or not, it is outside: "../missing"       | exists/{secret}, file | {"path": "../missing"}       |
        | LD-ERR-02-108 | there or not, it is outside: "../file"          | exists/{secret}, file | {"path": "../file"}          |
        | LD-ERR-02-109 | there or not, it is outside: "../file/below"    | exists/{secret}, file | {"path": "../file/below"}    |
        | LD-ERR-02-110 | there or not, it is outside: "$OUTSIDE/exists"  | exists/{secret}, file | {"path": "$OUTSIDE/exists"}  |
        | LD-ERR-02-111 | there or not, it is outside: "$OUTSIDE/missing" | exists/{secret}, file | {"path": "$OUTSIDE/missing"} |

    @interpretation:AMB-LD-36 @behaviour:BEH-01
    Scenario Outline: a breach by symlink: <case>
      Given the tree "in/{x}, esc->../root2, up->.."
      And beside the sandbox the tree "root2/{secret}, exists/{secret}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation or ExecutionFailed

      Examples:
        | id            | case                           | path        |
        | LD-ERR-02-105 | a symlink that leads out       | "esc"       |
        | LD-ERR-02-106 | a symlink to the parent        | "up"        |
        | LD-ERR-02-112 | a sibling by way of the parent | "up/exists" |

    @LD-ERR-02-113 @framework:denied_patterns
    Scenario: a denied directory inside
      Given the tree "home/{.ssh/{keys/{id}}}, in/{x}"
      When list_directory is called with {"path": "home/.ssh/keys"}
      Then the call fails with SandboxViolation

  @FR-LD-VAL-08
  Rule: a target that is missing or no directory is ExecutionFailed

    @behaviour:BEH-07
    Scenario Outline: no directory to list: <case>
      Given the tree "in/{x}, f=3, p:fifo, s:sock"
      When list_directory is called with <arguments>
      Then the call fails with ExecutionFailed

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

  # FR-LD-LST-04 defines the result for the failing entry itself.
  @FR-LD-LST-04
  Rule: metadata that fail do not fail the call

    @LD-ERR-04-01 @needs:strace
    Scenario: every entry fails, and the call succeeds
      Given the tree "a!L, b!L"
      When list_directory is called with {}
      Then the entries are "a, b"

    @needs:strace
    Scenario Outline: <case> (metadata that fail do not fail the call)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                                      | tree             | call                | answer                              |
        | LD-ERR-04-02  | the healthy ones are listed: the first one fails                          | a!L, b, c        | {}                  | the entries include "b, c"          |
        | LD-ERR-04-04  | the healthy ones are listed: one fails among those the limit lets through | a!L, b, c, d     | {"max_entries": 3}  | the entries include "b, c"          |
        | LD-ERR-04-101 | the healthy ones are listed: the last one fails                           | a, b, c!L        | {}                  | the entries include "a, b"          |
        | LD-ERR-04-102 | the healthy ones are listed: a directory fails                            | a, d/!L{x}, z    | {"recursive": true} | the entries include "a, z"          |
        | LD-ERR-04-103 | the healthy ones are listed: a symlink fails                              | a, l!L->gone, z  | {}                  | the entries include "a, z"          |
        | LD-ERR-04-104 | the healthy ones are listed: the disk fails                               | a, g!L=EIO, z    | {}                  | the entries include "a, z"          |
        | LD-ERR-04-105 | the healthy ones are listed: one vanishes                                 | a, g!L=ENOENT, z | {}                  | the entries include "a, z"          |
        | LD-ERR-04-03  | the healthy ones are listed: one fails deep down                          | a/{b/{c!L, d}}   | {"recursive": true} | the entries include "a, a/b, a/b/d" |

    # Modes have the same effect without a tracer: this directory lists names and refuses their metadata.
    Scenario Outline: names without metadata: <case>
      Given the tree "a/{b}, d/%0444{x, y/{q}, l->x}, z"
      When list_directory is called with <arguments>
      Then the entries include "<healthy>"

      Examples:
        | id            | case              | arguments                                                              | healthy      |
        | LD-ERR-04-106 | all kinds         | {"recursive": true}                                                    | a, a/b, z    |
        | LD-ERR-04-107 | special ones too  | {"recursive": true, "include_other": true}                             | a, a/b, d, z |
        | LD-ERR-04-108 | directories alone | {"recursive": true, "include_files": false, "include_symlinks": false} | a            |
