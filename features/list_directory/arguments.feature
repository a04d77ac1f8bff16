@list_directory
Feature: What counts as arguments: the published schema, and a path with something in it

  @SCH-LD
  Rule: the schema is the published one, and calls are judged by it

    Scenario Outline: <case>
      Given the tree "a/{b}, f"
      When list_directory is described
      Then <answer>

      Examples:
        | id        | case                                     | answer                                                                                                            |
        # Equality checks all of it: nine properties, only path required, no closed object, a valid schema.
        | LD-SCH-01 | the schema on offer is the published one | the definition's schema equals the published one, or by AMB-LD-30 b but for annotations                           |
        | LD-SCH-05 | both limits begin at 1                   | the definition has {"input_schema": {"properties": {"max_depth": {"minimum": 1}, "max_entries": {"minimum": 1}}}} |

    @LD-SCH-02
    Scenario: the properties and their types
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "recursive": {"type": "boolean"}, "max_depth": {"type": "integer"}, "max_entries": {"type": "integer"}}}}
      And the definition has {"input_schema": {"properties": {"include_hidden": {"type": "boolean"}, "include_files": {"type": "boolean"}, "include_dirs": {"type": "boolean"}, "include_symlinks": {"type": "boolean"}, "include_other": {"type": "boolean"}}}}

    @LD-SCH-06
    Scenario: the defaults of the switches
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"input_schema": {"properties": {"recursive": {"default": false}, "include_hidden": {"default": false}, "include_other": {"default": false}}}}
      And the definition has {"input_schema": {"properties": {"include_files": {"default": true}, "include_dirs": {"default": true}, "include_symlinks": {"default": true}}}}

    @LD-SCH-08
    Scenario: a configured call leaves the schema as it was
      Given the tree "a/{b}, h"
      And the configuration {"include_hidden_default": true, "max_entries": 7}
      When list_directory is called with {}
      And list_directory is described
      Then the entries are "a, h"
      And the definition's schema equals the published one, or by AMB-LD-30 b but for annotations

    @LD-ARGS-101
    Scenario: all nine members at once, the path last
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"include_other": false, "include_symlinks": true, "include_dirs": true, "include_files": true, "include_hidden": false, "max_entries": 150, "max_depth": 3, "recursive": true, "path": "."}
      Then the entries are "a, a/b, f"

    Scenario Outline: a path that is no text, whatever the roots: <context>
      Given beside the sandbox the tree "linked->root, root2/{x}"
      And the tree "d/{x}, f"
      And the context <context>
      When list_directory is called with exactly {"path": 5}
      And the call is repeated 1 times
      Then the call fails with BadArgs

      Examples:
        | id          | context                                                          |
        | LD-ARGS-711 | {"roots": ["$ROOT", "$OUTSIDE/root2"]}                           |
        | LD-ARGS-712 | {"roots": ["$ROOT", "$ROOT/d"]}                                  |
        | LD-ARGS-713 | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked"} |
        | LD-ARGS-714 | {"roots": ["/"]}                                                 |

    Scenario Outline: <case> (the schema is the published one, and calls are judged by it)
      Given the tree "a/{b}, f"
      When list_directory is called with exactly <arguments>
      Then <answer>

      Examples:
        | id          | case                                              | arguments                                                          | answer                       |
        | LD-ARGS-102 | the smallest limits are allowed                   | {"path": ".", "recursive": true, "max_depth": 1, "max_entries": 1} | the listing has 1 entries    |
        | LD-ARGS-03  | not a path: null                                  | {"path": null}                                                     | the call fails with BadArgs  |
        | LD-ARGS-05  | not a path: an array                              | {"path": ["."]}                                                    | the call fails with BadArgs  |
        | LD-ARGS-06  | not a path: an object                             | {"path": {}}                                                       | the call fails with BadArgs  |
        | LD-ARGS-07  | not a path: a boolean                             | {"path": true}                                                     | the call fails with BadArgs  |
        | LD-ARGS-103 | not a path: zero                                  | {"path": 0}                                                        | the call fails with BadArgs  |
        | LD-ARGS-104 | not a path: false                                 | {"path": false}                                                    | the call fails with BadArgs  |
        | LD-ARGS-08  | not a path: another case of the key               | {"Path": "."}                                                      | the call fails with BadArgs  |
        | LD-ARGS-105 | not a path: the key of another tool               | {"directory": "."}                                                 | the call fails with BadArgs  |
        | LD-ARGS-106 | not a path: blanks around the key                 | {" path ": "."}                                                    | the call fails with BadArgs  |
        | LD-ARGS-107 | not a path: inherited from a prototype            | {"__proto__": {"path": "."}}                                       | the call fails with BadArgs  |
        | LD-ARGS-43  | not an object of arguments: an empty array        | []                                                                 | the call fails with BadArgs  |
        | LD-ARGS-44  | not an object of arguments: a path on its own     | "."                                                                | the call fails with BadArgs  |
        | LD-ARGS-45  | not an object of arguments: null                  | null                                                               | the call fails with BadArgs  |
        | LD-ARGS-108 | not an object of arguments: a number              | 0                                                                  | the call fails with BadArgs  |
        | LD-ARGS-109 | not an object of arguments: a boolean             | true                                                               | the call fails with BadArgs  |
        | LD-ARGS-110 | not an object of arguments: an object in an array | [{"path": "."}]                                                    | the call fails with BadArgs  |
        | LD-ARGS-151 | not an object of arguments: pairs                 | [["path", "."]]                                                    | the call fails with BadArgs  |
        | LD-ARGS-152 | not an object of arguments: an object as text     | "{\"path\": \".\"}"                                                | the call fails with BadArgs  |
        | LD-ARGS-11  | not a switch: recursive as 0                      | {"path": ".", "recursive": 0}                                      | the call fails with BadArgs  |
        | LD-ARGS-153 | not a switch: recursive as the text false         | {"path": ".", "recursive": "false"}                                | the call fails with BadArgs  |
        | LD-ARGS-154 | not a switch: recursive as empty text             | {"path": ".", "recursive": ""}                                     | the call fails with BadArgs  |
        | LD-ARGS-115 | not a switch: recursive as an array               | {"path": ".", "recursive": []}                                     | the call fails with BadArgs  |
        | LD-ARGS-36  | not a switch: include_hidden as text              | {"path": ".", "include_hidden": "false"}                           | the call fails with BadArgs  |
        | LD-ARGS-37  | not a switch: include_files as text               | {"path": ".", "include_files": "false"}                            | the call fails with BadArgs  |
        | LD-ARGS-38  | not a switch: include_dirs as text                | {"path": ".", "include_dirs": "false"}                             | the call fails with BadArgs  |
        | LD-ARGS-39  | not a switch: include_symlinks as text            | {"path": ".", "include_symlinks": "false"}                         | the call fails with BadArgs  |
        | LD-ARGS-40  | not a switch: include_other as text               | {"path": ".", "include_other": "false"}                            | the call fails with BadArgs  |
        | LD-ARGS-42  | not a switch: include_files as 1                  | {"path": ".", "include_files": 1}                                  | the call fails with BadArgs  |
        | LD-ARGS-116 | not a switch: include_hidden as 0                 | {"path": ".", "include_hidden": 0}                                 | the call fails with BadArgs  |
        | LD-ARGS-117 | not a switch: include_dirs as 1                   | {"path": ".", "include_dirs": 1}                                   | the call fails with BadArgs  |
        | LD-ARGS-118 | not a switch: include_symlinks as empty text      | {"path": ".", "include_symlinks": ""}                              | the call fails with BadArgs  |
        | LD-ARGS-119 | not a switch: include_other as 0                  | {"path": ".", "include_other": 0}                                  | the call fails with BadArgs  |
        | LD-ARGS-120 | not a switch: include_hidden as an object         | {"path": ".", "include_hidden": {}}                                | the call fails with BadArgs  |
        | LD-ARGS-121 | not a switch: include_files in an array           | {"path": ".", "include_files": [true]}                             | the call fails with BadArgs  |
        | LD-ARGS-15  | not a depth: zero                                 | {"path": ".", "recursive": true, "max_depth": 0}                   | the call fails with BadArgs  |
        | LD-ARGS-16  | not a depth: negative                             | {"path": ".", "recursive": true, "max_depth": -1}                  | the call fails with BadArgs  |
        | LD-ARGS-18  | not a depth: text                                 | {"path": ".", "recursive": true, "max_depth": "2"}                 | the call fails with BadArgs  |
        | LD-ARGS-19  | not a depth: a boolean                            | {"path": ".", "recursive": true, "max_depth": true}                | the call fails with BadArgs  |
        | LD-ARGS-122 | not a depth: false                                | {"path": ".", "recursive": true, "max_depth": false}               | the call fails with BadArgs  |
        | LD-ARGS-123 | not a depth: empty text                           | {"path": ".", "recursive": true, "max_depth": ""}                  | the call fails with BadArgs  |
        | LD-ARGS-124 | not a depth: an array                             | {"path": ".", "recursive": true, "max_depth": [2]}                 | the call fails with BadArgs  |
        | LD-ARGS-125 | not a depth: an object                            | {"path": ".", "recursive": true, "max_depth": {}}                  | the call fails with BadArgs  |
        | LD-ARGS-22  | not a depth: minus zero                           | {"path": ".", "recursive": true, "max_depth": -0.0}                | the call fails with BadArgs  |
        | LD-ARGS-126 | not a depth: a small fraction                     | {"path": ".", "recursive": true, "max_depth": 0.5}                 | the call fails with BadArgs  |
        | LD-ARGS-127 | a depth as text in a flat listing                 | {"path": ".", "max_depth": "1"}                                    | the call fails with BadArgs  |
        | LD-ARGS-24  | not a number of entries: negative                 | {"path": ".", "max_entries": -5}                                   | the call fails with BadArgs  |
        | LD-ARGS-128 | not a number of entries: a fraction               | {"path": ".", "max_entries": 2.5}                                  | the call fails with BadArgs  |
        | LD-ARGS-129 | not a number of entries: a number as text         | {"path": ".", "max_entries": "10"}                                 | the call fails with BadArgs  |
        | LD-ARGS-27  | not a number of entries: empty text               | {"path": ".", "max_entries": ""}                                   | the call fails with BadArgs  |
        | LD-ARGS-25  | not a number of entries: a boolean                | {"path": ".", "max_entries": true}                                 | the call fails with BadArgs  |
        | LD-ARGS-130 | not a number of entries: false                    | {"path": ".", "max_entries": false}                                | the call fails with BadArgs  |
        | LD-ARGS-28  | not a number of entries: an array                 | {"path": ".", "max_entries": [1]}                                  | the call fails with BadArgs  |
        | LD-ARGS-131 | not a number of entries: an object                | {"path": ".", "max_entries": {}}                                   | the call fails with BadArgs  |
        | LD-ARGS-132 | not a number of entries: below -2 to 63           | {"path": ".", "max_entries": -9223372036854775809}                 | the call fails with BadArgs  |
        # JSON does not define which duplicate applies, or whether either does.
        | LD-ARGS-48  | the path given twice                              | {"path":".","path":"a"}                                            | the call does not list "a/b" |

    Scenario Outline: null for an optional limit: <member>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", <rest>"<member>": null}
      Then by AMB-LD-28 the answer is one of
        | reading | entries   | fails   |
        | reject  |           | BadArgs |
        | absent  | <entries> |         |

      Examples:
        | id         | member      | rest               | entries   |
        | LD-ARGS-20 | max_depth   | "recursive": true, | a, a/b, f |
        | LD-ARGS-26 | max_entries |                    | a, f      |

    Scenario Outline: null for an optional switch: <member>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", <rest>"<member>": null}
      Then by AMB-LD-69 the answer is one of
        | reading | entries   | fails   |
        | reject  |           | BadArgs |
        | absent  | <entries> |         |

      Examples:
        | id          | member           | rest | entries |
        | LD-ARGS-14  | recursive        |      | a, f    |
        | LD-ARGS-41  | include_files    |      | a, f    |
        | LD-ARGS-133 | include_hidden   |      | a, f    |
        | LD-ARGS-134 | include_dirs     |      | a, f    |
        | LD-ARGS-135 | include_symlinks |      | a, f    |
        | LD-ARGS-136 | include_other    |      | a, f    |

    Scenario Outline: an integer in other words: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", <members>}
      Then by AMB-LD-27 the answer is one of
        | reading | entries   | fails   | document   |
        | a       | <entries> |         | <document> |
        | b       |           | BadArgs |            |

      Examples:
        | id          | case                | members                             | entries   | document             |
        | LD-ARGS-21  | a depth of 2.0      | "recursive": true, "max_depth": 2.0 | a, a/b, f | {"max_entries": 200} |
        | LD-ARGS-137 | a flat depth of 1.0 | "max_depth": 1.0                    | a, f      | {"max_entries": 200} |
        | LD-ARGS-46  | 1e2 entries         | "max_entries": 1e2                  | a, f      | {"max_entries": 100} |
        | LD-ARGS-138 | 7.0 entries         | "max_entries": 7.0                  | a, f      | {"max_entries": 7}   |

    # The schema does not close the object: an unknown member is ignored, and its name has no effect.
    Scenario Outline: a member that the schema does not name: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", <members>}
      Then by AMB-LD-29 the answer is one of
        | reading | entries | fails   | document             |
        | ignore  | a, f    |         | {"max_entries": 200} |
        | reject  |         | BadArgs |                      |

      Examples:
        | id          | case                         | members                          |
        | LD-ARGS-09  | one that means nothing       | "bogus": 1                       |
        | LD-ARGS-10  | two plausible ones           | "depth": 3, "hidden": true       |
        | LD-ARGS-139 | another case of recursive    | "Recursive": true                |
        | LD-ARGS-140 | another spelling of a limit  | "maxEntries": 1                  |
        | LD-ARGS-141 | the name of a configured key | "include_dirs_default": false    |
        | LD-ARGS-142 | one without a name           | "": {"path": "a"}                |
        | LD-ARGS-143 | a prototype                  | "__proto__": {"recursive": true} |

  @FR-LD-VAL-01
  Rule: a path has something in it besides whitespace

    Scenario Outline: <case> (a path has something in it besides whitespace)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the call fails with BadArgs

      Examples:
        | id            | case                                                    | tree     | call                             |
        | LD-VAL-01-01  | a blank path: empty                                     | a/{b}, f | {"path": ""}                     |
        | LD-VAL-01-03  | a blank path: a tab                                     | a/{b}, f | {"path": "\t"}                   |
        | LD-VAL-01-04  | a blank path: a newline                                 | a/{b}, f | {"path": "\\n"}                  |
        | LD-VAL-01-05  | a blank path: CR and LF                                 | a/{b}, f | {"path": "\r\\n"}                |
        | LD-VAL-01-06  | a blank path: a mixture                                 | a/{b}, f | {"path": " \t\\n "}              |
        | LD-VAL-01-07  | a blank path: a form feed                               | a/{b}, f | {"path": "\f"}                   |
        | LD-VAL-01-15  | a directory whose name is one blank cannot be asked for | ' '/{x}  | {"path": " "}                    |
        | LD-VAL-01-106 | a blank path is not the working directory               | a/{b}, f | {"path": " ", "recursive": true} |

    # Which other characters are whitespace depends on the language: U+0085 is in some, U+FEFF in others. A sandbox may
    # refuse the control characters of ASCII (AMB-LD-70).
    Scenario Outline: a path of one character that some call whitespace: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-18 the answer is one of
        | reading | fails                      |
        | a       | <ascii>                    |
        | b       | <unicode>                  |
        | c       | <ecmascript>               |
        | d       | <python>                   |
        | e       | <other>                    |

      Examples:
        | id            | case               | path      | ascii           | unicode         | ecmascript      | python          | other                                          |
        | LD-VAL-01-08  | vertical tab       | "\\u000b" | BadArgs         | BadArgs         | BadArgs         | BadArgs         | BadArgs or ExecutionFailed or SandboxViolation |
        | LD-VAL-01-09  | next line          | "\\u0085" | ExecutionFailed | BadArgs         | ExecutionFailed | BadArgs         | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-10  | no-break space     | "\\u00a0" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-101 | ogham space mark   | "\\u1680" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-102 | em space           | "\\u2003" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-103 | line separator     | "\\u2028" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-11  | ideographic space  | "\\u3000" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-13  | byte order mark    | "\\ufeff" | ExecutionFailed | ExecutionFailed | BadArgs         | ExecutionFailed | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-14  | unit separator     | "\\u001f" | ExecutionFailed | ExecutionFailed | ExecutionFailed | BadArgs         | BadArgs or ExecutionFailed or SandboxViolation |
        | LD-VAL-01-12  | zero width space   | "\\u200b" | ExecutionFailed | ExecutionFailed | ExecutionFailed | ExecutionFailed | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-104 | vowel separator    | "\\u180e" | ExecutionFailed | ExecutionFailed | ExecutionFailed | ExecutionFailed | BadArgs or ExecutionFailed                     |
        | LD-VAL-01-105 | left-to-right mark | "\\u200e" | ExecutionFailed | ExecutionFailed | ExecutionFailed | ExecutionFailed | BadArgs or ExecutionFailed                     |

    # A pattern that is compared line by line finds an empty line in these. A sandbox may refuse them.
    Scenario Outline: an empty line does not make a path empty: <path>
      Given the tree "'a\n\nb'/{x}, 'a\n \t\nb'/{y}"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-70 the answer is one of
        | reading | entries   | fails            |
        | name    | <entries> |                  |
        | refuse  |           | SandboxViolation |

      Examples:
        | id            | path           | entries |
        | LD-VAL-01-771 | "a\\n\\nb"     | x       |
        | LD-VAL-01-772 | "a\\n \\t\\nb" | y       |
