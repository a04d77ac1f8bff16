@list_directory
Feature: Paths in the output have one separator

  @NFR-LD-PORT-01
  Rule: the components of a path are joined by / and by nothing else

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id             | case                                  | tree              | call                               | answer                             |
        | LD-PORT-01-01  | entries further down                  | a/{b/{c}}         | {"recursive": true}                | no entry is "'a\\\b', 'a\\\b\\\c'" |
        | LD-PORT-01-101 | as deep as a listing goes             | a/{b/{c/{d, e/}}} | {"path": "a", "recursive": true}   | no entry is "'b\\\c', 'b\\\c\\\d'" |
        | LD-PORT-01-102 | below a directory further down        | a/{b/{c/{d}, e}}  | {"path": "a/b", "recursive": true} | no entry is "'c\\\d'"              |
        # On a system where a backslash is an ordinary character it separates nothing (AMB-LD-22).
        | LD-PORT-01-03  | a backslash in a name is no separator | 'a\\\b', c/{d}    | {"recursive": true}                | the entries are "'a\\\b', c, c/d"  |

    @LD-PORT-01-103
    Scenario: a directory with a backslash in its name
      Given the tree "'a\\b'/{'c\\'/{d}}, a/{b}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path             | name     |
        | 'a\\\\b'         | "a\\\\b" |
        | 'a\\\\b/c\\\\'   | "c\\\\"  |
        | 'a\\\\b/c\\\\/d' | "d"      |
        | a/b              | "b"      |
