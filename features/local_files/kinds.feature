@local_files
Feature: Permissions do not change what an entry is

  @LF-TYPE-02
  Rule: the kind is that of the entry itself

    @LF-TYPE-02-302
    Scenario: a closed directory and a program with its owner's rights
      Given the tree "locked/%0000{x}, p=1%4755, f=1%0000"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry  | @type            |
        | locked | "DirectoryEntry" |
        | p      | "FileEntry"      |
        | f      | "FileEntry"      |
      And the tree is unchanged
