@list_directory
Feature: Paths in the output have one separator

  @NFR-LD-PORT-01
  Rule: the components of a path are joined by / and by nothing else

    @LD-PORT-01-01
    Scenario: entries further down
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"recursive": true}
      Then no entry is "'a\\b', 'a\\b\\c'"
      And the entries are "a, a/b, a/b/c"
      And the tree is unchanged

    @LD-PORT-01-101
    Scenario: as deep as a listing goes
      Given the tree "a/{b/{c/{d, e/}}}"
      When list_directory is called with {"path": "a", "recursive": true}
      Then no entry is "'b\\c', 'b\\c\\d'"
      And the entries are "b, b/c, b/c/d, b/c/e"
      And the tree is unchanged

    @LD-PORT-01-102
    Scenario: below a directory further down
      Given the tree "a/{b/{c/{d}, e}}"
      When list_directory is called with {"path": "a/b", "recursive": true}
      Then no entry is "'c\\d'"
      And the entries are "c, c/d, e"
      And the tree is unchanged

    # On a system where a backslash is an ordinary character it separates nothing (AMB-LD-22).
    @LD-PORT-01-03
    Scenario: a backslash in a name is no separator
      Given the tree "'a\\b', c/{d}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'a\\b', c, c/d"
      And the entry "a\\b" has {"name": "a\\b"}
      And the tree is unchanged

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
      And the tree is unchanged
