# Separators, drives and symlinks of Windows. They are evidence for a candidate whose manifest names the platform; the
# reference runs on a simulated file system, and never passes. X is a drive or share that is the sandbox root.
@list_directory @simulated:windows
Feature: Paths as Windows has them

  @FR-LD-VAL-07
  Rule: what Windows takes for a way out is refused

    Scenario Outline: a path that leads out: <path>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": <path>}
      Then the call does not list "secret, x"

      Examples:
        | id            | path                      |
        | LD-VAL-07-201 | "..\\\\root2"             |
        | LD-VAL-07-202 | "in\\\\..\\\\..\\\\root2" |
        | LD-VAL-07-203 | "\\\\Windows"             |
        | LD-VAL-07-204 | "C:\\\\Windows"           |
        | LD-VAL-07-205 | "C:Windows"               |
        | LD-VAL-07-206 | "\\\\\\\\srv\\\\share"    |
        | LD-VAL-07-210 | "D:/"                     |

      @interpretation:AMB-LD-62
      Examples:
        | id            | path                      |
        | LD-VAL-07-207 | "in/.. /../root2"         |
        | LD-VAL-07-208 | "in:stream"               |
        | LD-VAL-07-209 | "con"                     |

    Scenario Outline: a link that leads out, spelt <path>
      Given the tree "in/{x}, up->../root2"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path     |
        | LD-VAL-07-211 | "up"     |
        | LD-VAL-07-212 | "UP"     |
        | LD-VAL-07-213 | "UP\\\\" |

    # Two names with the same prefix are two directories, in any case.
    @LD-VAL-07-214
    Scenario: on Windows, a directory beside the root whose name begins like the root's
      Given the tree "in/{x}"
      And beside the sandbox the tree "root2/{secret}"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/ROOT2"}
      Then the call fails with SandboxViolation

    @LD-VAL-07-215
    Scenario: on Windows, a directory covered by a denied pattern, in capitals
      Given the tree ".ssh/{keys/{id}}, in/{x}"
      When list_directory is called with {"path": ".SSH\\KEYS"}
      Then the call fails with SandboxViolation

  @FR-LD-VAL-10
  Rule: backslashes become slashes, drive roots keep theirs

    Scenario Outline: on Windows, <requested> is shown as <shown>
      Given the tree "a/{b/{x, c/{z}}, y}"
      When list_directory is called with {"path": <requested>}
      Then the entries are "<entries>"
      And the document has {"path": <shown>}
      And asking again with the document's path gives the same document

      Examples:
        | id            | requested     | shown   | entries |
        | LD-VAL-10-207 | "a"           | "a"     | b, y    |
        | LD-VAL-10-218 | "a//b"        | "a/b"   | c, x    |
        | LD-VAL-10-259 | "a\\\\b"      | "a/b"   | c, x    |
        | LD-VAL-10-260 | "a\\\\"       | "a"     | b, y    |
        | LD-VAL-10-261 | ".\\\\a"      | "a"     | b, y    |
        | LD-VAL-10-262 | "a\\\\\\\\b"  | "a/b"   | c, x    |
        | LD-VAL-10-263 | "a/b\\\\c"    | "a/b/c" | z       |
        | LD-VAL-10-264 | "a\\\\.\\\\b" | "a/b"   | c, x    |
        | LD-VAL-10-301 | "a\\\\/b"     | "a/b"   | c, x    |

    @LD-VAL-10-237
    Scenario: the request keeps its case where the disk has another
      Given the tree "src/{x}"
      When list_directory is called with {"path": "SRC"}
      Then the entries are "x"
      And the document has {"path": "SRC"}

    Scenario Outline: <requested> on a drive
      Given the tree "Users/{x}"
      And the context {"roots": ["X:/"], "working_dir": "X:/", "allow_absolute": true}
      When list_directory is called with {"path": <requested>}
      Then the entries are "<entries>"
      And the document has {"path": <shown>}

      Examples:
        | id            | requested                  | shown                           | entries |
        | LD-VAL-10-265 | "\\\\"                     | "/"                             | Users   |
        | LD-VAL-10-266 | "X:/"                      | "X:/"                           | Users   |
        | LD-VAL-10-267 | "X:\\\\"                   | "X:/"                           | Users   |
        | LD-VAL-10-268 | "X:\\\\\\\\"               | "X:/"                           | Users   |
        | LD-VAL-10-269 | "X:/./"                    | "X:/"                           | Users   |
        | LD-VAL-10-270 | "x:/Users/"                | "x:/Users"                      | x       |
        | LD-VAL-10-271 | "X:\\\\Users\\\\"          | "X:/Users"                      | x       |

    # A drive without its slash means that drive's own working directory: refusing it is equally correct.
    @LD-VAL-10-272
    Scenario: a drive's letter alone
      Given the tree "Users/{x}"
      And the context {"roots": ["X:/"], "working_dir": "X:/", "allow_absolute": true}
      When list_directory is called with {"path": "X:"}
      Then by AMB-LD-23 the answer is one of
        | reading | entries | document                | fails                               |
        | a       | Users   | {"path": ["X:", "X:/"]} |                                     |
        | b       | Users   | {"path": ["X:", "X:/"]} |                                     |
        | c       | Users   | {"path": ["X:", "X:/"]} |                                     |
        |         |         |                         | SandboxViolation or ExecutionFailed |

    # Windows suspends its path rules for a verbatim name: refusing it is equally correct.
    @LD-VAL-10-274
    Scenario: a verbatim name
      Given the tree "Users/{x}"
      And the context {"roots": ["X:/"], "working_dir": "X:/", "allow_absolute": true}
      When list_directory is called with {"path": "\\\\?\\X:\\Users"}
      Then by AMB-LD-23 the answer is one of
        | reading | entries | document                 | fails                               |
        | a       | x       | {"path": "//?/X:/Users"} |                                     |
        | c       | x       | {"path": "/?/X:/Users"}  |                                     |
        |         |         |                          | SandboxViolation or ExecutionFailed |

    @LD-VAL-10-273
    Scenario: a directory on a share
      Given the tree "d/{x}"
      And the context {"roots": ["//srv/share"], "working_dir": "//srv/share", "allow_absolute": true}
      When list_directory is called with {"path": "\\\\srv\\share\\d"}
      Then by AMB-LD-23 the answer is one of
        | reading | entries | document                  |
        | a       | x       | {"path": "//srv/share/d"} |
        | b       | x       | {"path": "//srv/share/d"} |
        | b       | x       | {"path": "/srv/share/d"}  |
        | c       | x       | {"path": "/srv/share/d"}  |

  @NFR-LD-PORT-01
  Rule: the output knows no backslash

    @LD-PORT-01-02
    Scenario: a request with the platform's own separators
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"path": "a\\b"}
      Then the entries are "c"
      And the document has {"path": "a/b"}

    @LD-PORT-01-201
    Scenario: on Windows, entries further down
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/c"
