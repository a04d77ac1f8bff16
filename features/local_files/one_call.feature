# The defects of the first version; one call now replaces each of them.
@local_files
Feature: One call tells everything

  @LF-WHY-01
  Rule: no second call and no parsing

    @LF-WHY-01-01
    Scenario: a list of bare paths did not say what is what
      Given the tree "src/, pom.xml=9854, latest_log->/tmp/app.log, pipe:fifo"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry      | @type               |
        | src        | "DirectoryEntry"    |
        | pom.xml    | "FileEntry"         |
        | latest_log | "SymbolicLinkEntry" |
        | pipe       | "OtherEntry"        |
      And there are 4 entries
      And the tree is unchanged

    # Which size and time a link reports is a SHOULD (LF-LINK-02, LF-LINK-03) and not part of this requirement.
    @LF-WHY-01-02
    Scenario: kind, size, time and target took a call of ls -ld each
      Given the tree "d/@1762778000000, f=9854@1762473883050, l->f@1762778123000"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               | size | lastModified  | target | path      |
        | d     | "DirectoryEntry"    |      | 1762778000000 |        | "$ROOT/d" |
        | f     | "FileEntry"         | 9854 | 1762473883050 |        | "$ROOT/f" |
        | l     | "SymbolicLinkEntry" |      |               | ["f", "$ROOT/f"] | "$ROOT/l" |
      And size of "d" is its own
      And the tree is unchanged

    @LF-WHY-01-03
    Scenario: names that a parser of ls would stumble over
      Given the tree "'a b', ' leading', 'trailing ', 'x -> y', 'new\nline', 'quote\"d', '-l'->'a b', 'total 0'/"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "'a b', ' leading', 'trailing ', 'x -> y', 'new\nline', 'quote\"d', '-l', 'total 0'"
      And the entries have
        | entry      | name         | @type               | target |
        | 'x -> y'   | "x -> y"     | "FileEntry"         |        |
        | '-l'       | "-l"         | "SymbolicLinkEntry" | ["a b", "$ROOT/a b"] |
        | 'total 0'  | "total 0"    | "DirectoryEntry"    |        |
        | ' leading' | " leading"   | "FileEntry"         |        |
        | 'a b'      | "a b"        | "FileEntry"         |        |
      And the tree is unchanged

    @LF-WHY-01-04
    Scenario: the configuration of the system changes no word of the answer
      Given the tree "d/, f=9854@1762473883050"
      And the candidate's process has {"env": {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Pacific/Apia", "LS_COLORS": "di=1", "COLUMNS": "10"}}
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type            | size | lastModified  |
        | d     | "DirectoryEntry" |      |               |
        | f     | "FileEntry"      | 9854 | 1762473883050 |
      And the tree is unchanged

    @LF-WHY-01-05
    Scenario: a recursive search took find and grep
      Given the tree "src/{A.java=3, x/{B.java=4, 'C D.java'=5}}, e.txt"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries have
        | entry            | @type       | size |
        | src/A.java       | "FileEntry" | 3    |
        | src/x/B.java     | "FileEntry" | 4    |
        | 'src/x/C D.java' | "FileEntry" | 5    |
      And there are 3 entries
      And the tree is unchanged

  @LF-ROLE-02
  Rule: asking changes nothing

    @LF-WHY-01-06
    Scenario: the tree after a list
      Given the tree "d/{x}, f=1, l->f, p:fifo"
      And system calls are traced
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "d, f, l, p"
      And no system call changed the file system
      And the tree is unchanged
