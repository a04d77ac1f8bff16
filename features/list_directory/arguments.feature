@list_directory
Feature: What counts as arguments: the published schema, and a path with something in it

  @SCH-LD
  Rule: the schema is the published one, and calls are judged by it

    # Equality checks all of it: nine properties, only path required, no closed object, a valid schema.
    @LD-SCH-01
    Scenario: the schema on offer is the published one
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition's schema equals the published one, or by AMB-LD-30 b but for annotations
      And a control call with {} lists "a, f"
      And the tree is unchanged

    @LD-SCH-02
    Scenario: the properties and their types
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "recursive": {"type": "boolean"}, "max_depth": {"type": "integer"}, "max_entries": {"type": "integer"}}}}
      And the definition has {"input_schema": {"properties": {"include_hidden": {"type": "boolean"}, "include_files": {"type": "boolean"}, "include_dirs": {"type": "boolean"}, "include_symlinks": {"type": "boolean"}, "include_other": {"type": "boolean"}}}}
      And a control call with {} lists "a, f"
      And the tree is unchanged

    @LD-SCH-05
    Scenario: both limits begin at 1
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"input_schema": {"properties": {"max_depth": {"minimum": 1}, "max_entries": {"minimum": 1}}}}
      And a control call with {} lists "a, f"
      And the tree is unchanged

    @LD-SCH-06
    Scenario: the defaults of the switches
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"input_schema": {"properties": {"recursive": {"default": false}, "include_hidden": {"default": false}, "include_other": {"default": false}}}}
      And the definition has {"input_schema": {"properties": {"include_files": {"default": true}, "include_dirs": {"default": true}, "include_symlinks": {"default": true}}}}
      And a control call with {} lists "a, f"
      And the tree is unchanged

    @LD-SCH-08
    Scenario: a configured call leaves the schema as it was
      Given the tree "a/{b}, h"
      And the configuration {"include_hidden_default": true, "max_entries": 7}
      When list_directory is called with {}
      And list_directory is described
      Then the entries are "a, h"
      And the definition's schema equals the published one, or by AMB-LD-30 b but for annotations
      And the tree is unchanged

    @LD-ARGS-01
    Scenario: a path is all it takes
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": "."}
      Then the entries are "a, f"
      And the tree is unchanged

    @LD-ARGS-101
    Scenario: all nine members at once, the path last
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"include_other": false, "include_symlinks": true, "include_dirs": true, "include_files": true, "include_hidden": false, "max_entries": 150, "max_depth": 3, "recursive": true, "path": "."}
      Then the entries are "a, a/b, f"
      And the tree is unchanged

    @LD-ARGS-102
    Scenario: the smallest limits are allowed
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "recursive": true, "max_depth": 1, "max_entries": 1}
      Then the listing has 1 entries
      And the tree is unchanged

    Scenario Outline: not a path: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly <arguments>
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id          | case                       | arguments                    |
        | LD-ARGS-02  | none                       | {}                           |
        | LD-ARGS-03  | null                       | {"path": null}               |
        | LD-ARGS-04  | a number                   | {"path": 1}                  |
        | LD-ARGS-05  | an array                   | {"path": ["."]}              |
        | LD-ARGS-06  | an object                  | {"path": {}}                 |
        | LD-ARGS-07  | a boolean                  | {"path": true}               |
        | LD-ARGS-103 | zero                       | {"path": 0}                  |
        | LD-ARGS-104 | false                      | {"path": false}              |
        | LD-ARGS-08  | another case of the key    | {"Path": "."}                |
        | LD-ARGS-105 | the key of another tool    | {"directory": "."}           |
        | LD-ARGS-106 | blanks around the key      | {" path ": "."}              |
        | LD-ARGS-107 | inherited from a prototype | {"__proto__": {"path": "."}} |

    Scenario Outline: not an object of arguments: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly <arguments>
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id          | case                  | arguments               |
        | LD-ARGS-43  | an empty array        | []                      |
        | LD-ARGS-44  | a path on its own     | "."                     |
        | LD-ARGS-45  | null                  | null                    |
        | LD-ARGS-108 | a number              | 0                       |
        | LD-ARGS-109 | a boolean             | true                    |
        | LD-ARGS-110 | an object in an array | [{"path": "."}]         |
        | LD-ARGS-111 | pairs                 | [["path", "."]]         |
        | LD-ARGS-112 | an object as text     | "{\\"path\\": \\".\\"}" |

    Scenario Outline: not a switch: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", <member>}
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id          | case                           | member                      |
        | LD-ARGS-11  | recursive as 0                 | "recursive": 0              |
        | LD-ARGS-12  | recursive as 1                 | "recursive": 1              |
        | LD-ARGS-13  | recursive as text              | "recursive": "true"         |
        | LD-ARGS-113 | recursive as the text false    | "recursive": "false"        |
        | LD-ARGS-114 | recursive as empty text        | "recursive": ""             |
        | LD-ARGS-115 | recursive as an array          | "recursive": []             |
        | LD-ARGS-36  | include_hidden as text         | "include_hidden": "false"   |
        | LD-ARGS-37  | include_files as text          | "include_files": "false"    |
        | LD-ARGS-38  | include_dirs as text           | "include_dirs": "false"     |
        | LD-ARGS-39  | include_symlinks as text       | "include_symlinks": "false" |
        | LD-ARGS-40  | include_other as text          | "include_other": "false"    |
        | LD-ARGS-42  | include_files as 1             | "include_files": 1          |
        | LD-ARGS-116 | include_hidden as 0            | "include_hidden": 0         |
        | LD-ARGS-117 | include_dirs as 1              | "include_dirs": 1           |
        | LD-ARGS-118 | include_symlinks as empty text | "include_symlinks": ""      |
        | LD-ARGS-119 | include_other as 0             | "include_other": 0          |
        | LD-ARGS-120 | include_hidden as an object    | "include_hidden": {}        |
        | LD-ARGS-121 | include_files in an array      | "include_files": [true]     |

    Scenario Outline: not a depth: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "recursive": true, "max_depth": <depth>}
      Then the call fails with BadArgs
      And a control call with {"recursive": true} lists "a, a/b, f"
      And the tree is unchanged

      Examples:
        | id          | case              | depth      |
        | LD-ARGS-15  | zero              | 0          |
        | LD-ARGS-16  | negative          | -1         |
        | LD-ARGS-17  | a fraction        | 1.5        |
        | LD-ARGS-18  | text              | "2"        |
        | LD-ARGS-19  | a boolean         | true       |
        | LD-ARGS-122 | false             | false      |
        | LD-ARGS-123 | empty text        | ""         |
        | LD-ARGS-124 | an array          | [2]        |
        | LD-ARGS-125 | an object         | {}         |
        | LD-ARGS-22  | minus zero        | -0.0       |
        | LD-ARGS-126 | a small fraction  | 0.5        |

    @LD-ARGS-127
    Scenario: a depth as text in a flat listing
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "max_depth": "1"}
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

    Scenario Outline: not a number of entries: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", "max_entries": <entries>}
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id          | case              | entries                         |
        | LD-ARGS-23  | zero              | 0                               |
        | LD-ARGS-24  | negative          | -5                              |
        | LD-ARGS-128 | a fraction        | 2.5                             |
        | LD-ARGS-129 | a number as text  | "10"                            |
        | LD-ARGS-27  | empty text        | ""                              |
        | LD-ARGS-25  | a boolean         | true                            |
        | LD-ARGS-130 | false             | false                           |
        | LD-ARGS-28  | an array          | [1]                             |
        | LD-ARGS-131 | an object         | {}                              |
        | LD-ARGS-132 | below -2 to 63    | -9223372036854775809            |

    Scenario Outline: null for an optional limit: <member>
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path": ".", <rest>"<member>": null}
      Then by AMB-LD-28 the answer is one of
        | reading | entries   | fails   |
        | reject  |           | BadArgs |
        | absent  | <entries> |         |
      And a control call with {} lists "a, f"
      And the tree is unchanged

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
      And a control call with {} lists "a, f"
      And the tree is unchanged

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
      And a control call with {} lists "a, f"
      And the tree is unchanged

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
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id          | case                         | members                          |
        | LD-ARGS-09  | one that means nothing       | "bogus": 1                       |
        | LD-ARGS-10  | two plausible ones           | "depth": 3, "hidden": true       |
        | LD-ARGS-139 | another case of recursive    | "Recursive": true                |
        | LD-ARGS-140 | another spelling of a limit  | "maxEntries": 1                  |
        | LD-ARGS-141 | the name of a configured key | "include_dirs_default": false    |
        | LD-ARGS-142 | one without a name           | "": {"path": "a"}                |
        | LD-ARGS-143 | a prototype                  | "__proto__": {"recursive": true} |

    # JSON does not define which duplicate applies, or whether either does.
    @LD-ARGS-48
    Scenario: the path given twice
      Given the tree "a/{b}, f"
      When list_directory is called with exactly {"path":".","path":"a"}
      Then the call does not list "a/b"
      And a control call with {} lists "a, f"
      And the tree is unchanged

  @FR-LD-VAL-01
  Rule: a path has something in it besides whitespace

    Scenario Outline: a blank path: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with {"path": <path>}
      Then the call fails with BadArgs
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id           | case        | path       |
        | LD-VAL-01-01 | empty       | ""         |
        | LD-VAL-01-02 | one blank   | " "        |
        | LD-VAL-01-03 | a tab       | "\\t"      |
        | LD-VAL-01-04 | a newline   | "\\n"      |
        | LD-VAL-01-05 | CR and LF   | "\\r\\n"   |
        | LD-VAL-01-06 | a mixture   | " \\t\\n " |
        | LD-VAL-01-07 | a form feed | "\\f"      |

    # Which other characters are whitespace depends on the language: U+0085 is in some, U+FEFF in others.
    Scenario Outline: a path of one character that some call whitespace: <case>
      Given the tree "a/{b}, f"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-18 the answer is one of
        | reading | fails                      |
        | a       | <ascii>                    |
        | b       | <unicode>                  |
        | c       | <ecmascript>               |
        | d       | <python>                   |
        | e       | BadArgs or ExecutionFailed |
      And a control call with {} lists "a, f"
      And the tree is unchanged

      Examples:
        | id            | case               | path      | ascii           | unicode         | ecmascript      | python          |
        | LD-VAL-01-08  | vertical tab       | "\\u000b" | BadArgs         | BadArgs         | BadArgs         | BadArgs         |
        | LD-VAL-01-09  | next line          | "\\u0085" | ExecutionFailed | BadArgs         | ExecutionFailed | BadArgs         |
        | LD-VAL-01-10  | no-break space     | "\\u00a0" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         |
        | LD-VAL-01-101 | ogham space mark   | "\\u1680" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         |
        | LD-VAL-01-102 | em space           | "\\u2003" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         |
        | LD-VAL-01-103 | line separator     | "\\u2028" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         |
        | LD-VAL-01-11  | ideographic space  | "\\u3000" | ExecutionFailed | BadArgs         | BadArgs         | BadArgs         |
        | LD-VAL-01-13  | byte order mark    | "\\ufeff" | ExecutionFailed | ExecutionFailed | BadArgs         | ExecutionFailed |
        | LD-VAL-01-14  | unit separator     | "\\u001f" | ExecutionFailed | ExecutionFailed | ExecutionFailed | BadArgs         |
        | LD-VAL-01-12  | zero width space   | "\\u200b" | ExecutionFailed | ExecutionFailed | ExecutionFailed | ExecutionFailed |
        | LD-VAL-01-104 | vowel separator    | "\\u180e" | ExecutionFailed | ExecutionFailed | ExecutionFailed | ExecutionFailed |
        | LD-VAL-01-105 | left-to-right mark | "\\u200e" | ExecutionFailed | ExecutionFailed | ExecutionFailed | ExecutionFailed |

    @LD-VAL-01-15
    Scenario: a directory whose name is one blank cannot be asked for
      Given the tree "' '/{x}"
      When list_directory is called with {"path": " "}
      Then the call fails with BadArgs
      And a control call with {} lists "' '"
      And the tree is unchanged

    # A pattern that is compared line by line finds an empty line in these.
    Scenario Outline: an empty line does not make a path empty: <path>
      Given the tree "'a\n\nb'/{x}, 'a\n \t\nb'/{y}"
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | path            | entries |
        | LD-VAL-01-771 | "a\\n\\nb"      | x       |
        | LD-VAL-01-772 | "a\\n \\t\\nb"  | y       |

    @LD-VAL-01-106
    Scenario: a blank path is not the working directory
      Given the tree "a/{b}, f"
      When list_directory is called with {"path": " ", "recursive": true}
      Then the call fails with BadArgs
      And a control call with {"recursive": true} lists "a, a/b, f"
      And the tree is unchanged
