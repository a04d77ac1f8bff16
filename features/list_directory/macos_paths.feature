# A file system that preserves the case of names and ignores it in comparisons, the default on macOS. Only the reference
# implementation runs here, on a simulation; results are reported and are never a PASS. The simulation cannot check
# composed and decomposed names, the hidden flag and the order of readdir.
@list_directory @simulated:macos
Feature: Paths as macOS has them

  @FR-LD-VAL-07
  Rule: another case is no way out

    # Two names with the same prefix are two directories, in any case.
    @LD-VAL-07-401
    Scenario: a directory beside the root whose name begins like the root's
      Given the tree "in/{x}"
      And beside the sandbox the tree "root2/{secret}"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/ROOT2"}
      Then the call fails with SandboxViolation

    Scenario Outline: a link that leads out, spelt <path>, to <target>
      Given the tree "in/{x}, up-><target>"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path  | target   |
        | LD-VAL-07-402 | "up"  | ../root2 |
        | LD-VAL-07-403 | "UP"  | ../root2 |
        | LD-VAL-07-404 | "Up/" | ../ROOT2 |

    @LD-VAL-07-405
    Scenario: a directory covered by a denied pattern, in capitals
      Given the tree ".ssh/{keys/{id}}, in/{x}"
      When list_directory is called with {"path": ".SSH/KEYS"}
      Then the call fails with SandboxViolation

  @FR-LD-VAL-08
  Rule: what is no directory is none in any case

    @LD-VAL-08-401
    Scenario: a file in capitals
      Given the tree "f, in/{x}"
      When list_directory is called with {"path": "F"}
      Then the call fails with ExecutionFailed
      And the error has a message

  @FR-LD-VAL-10
  Rule: the request keeps its case, the entries keep that of the disk

    Scenario Outline: <requested> where the disk has src/Sub
      Given the tree "src/{Sub/{X, y}, l->SUB}"
      When list_directory is called with {"path": <requested>}
      Then the entries are "<entries>"
      And the document has {"path": <shown>}
      And asking again with the document's path gives the same document

      Examples:
        | id            | requested    | shown     | entries |
        | LD-VAL-10-401 | "src"        | "src"     | l, Sub  |
        | LD-VAL-10-402 | "SRC"        | "SRC"     | l, Sub  |
        | LD-VAL-10-403 | "./SRC//sub" | "SRC/sub" | X, y    |
        | LD-VAL-10-404 | "Src/L/"     | "Src/L"   | X, y    |

    @LD-VAL-10-405
    Scenario: a listing further down
      Given the tree "src/{Sub/{X}}"
      When list_directory is called with {"path": "SRC", "recursive": true}
      Then the entries are "Sub, Sub/X"
      And the document has {"path": "SRC"}

    # Whether a backslash in a request follows the platform's rules or always separates is open (AMB-LD-22).
    @LD-VAL-10-406
    Scenario: on macOS, a directory with a backslash in its name
      Given the tree "'a\\b'/{x}, a/{b/{y}}"
      When list_directory is called with {"path": "a\\b"}
      Then by AMB-LD-22 the answer is one of
        | reading  | entries | document           |
        | platform | x       | {"path": "a\\\\b"} |
        | always   | y       | {"path": "a/b"}    |

    @LD-VAL-10-407
    Scenario: a directory named like a drive
      Given the tree "C:/{x}"
      When list_directory is called with {"path": "c:/"}
      Then by AMB-LD-23 the answer is one of
        | reading | entries | document        |
        | a       | x       | {"path": "c:/"} |
        | b       | x       | {"path": "c:"}  |
        | c       | x       | {"path": "c:/"} |

  @FR-LD-OUT-01
  Rule: names that differ in case only are not the only ones that case could move

    @LD-OUT-01-401
    Scenario: capitals before small letters
      Given the tree "a, B, _, c, D"
      When list_directory is called with {}
      Then the entries in order are "B, D, _, a, c"

  @NFR-LD-PORT-01
  Rule: a backslash in a name is no separator

    @LD-PORT-01-401
    Scenario: a name with a backslash among others
      Given the tree "'a\\b', c/{d}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'a\\b', c, c/d"
      And name, path and depth of every entry agree
