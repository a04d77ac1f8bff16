@fs_walkdir
Feature: A later call shows what is there by then

  @WD-ENT-03
  Rule: isDir is true for directories and for nothing else

    @WD-ENT-03-11
    Scenario: a name that stands for something else by now
      Given the tree "t/{f=1, g=1, d/}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been removed
      And the tree gets "t/{f/{x}}"
      And FS.WalkDir is called again with {"path": "t"}
      Then the elements are "d, f, f/x, g"
      And the directories among them are "d, f"
      And the tree is unchanged

  @WD-ENT-04
  Rule: size is the length of a file in bytes

    @WD-ENT-04-12
    Scenario: a file that has grown in the meantime
      Given the tree "t/{f=1}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been removed
      And the tree gets "t/{f=12}"
      And FS.WalkDir is called again with {"path": "t"}
      Then the entry "f" has {"size": 12}
      And the tree is unchanged

    @WD-ENT-04-15
    Scenario: a file that has become longer by a byte
      Given the tree "t/{f=1}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been extended
      And FS.WalkDir is called again with {"path": "t"}
      Then the entry "f" has {"size": 2}
      And the tree is unchanged

  @WD-ENT-05
  Rule: modTime is the modification time in RFC 3339

    @WD-ENT-05-106
    Scenario: a file that has another time by now
      Given the tree "t/{f=1@1234567890000}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been removed
      And the tree gets "t/{f=1@1745354160000}"
      And FS.WalkDir is called again with {"path": "t"}
      Then modTime of "f" is the instant 2025-04-22T20:36:00Z
      And the tree is unchanged

    @WD-ENT-05-201
    Scenario: a file that was touched in the meantime
      Given the tree "t/{d/@1234567890000, f=1@1234567890000}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/d" has got the time 1745354160000
      And "t/f" has got the time 1745354160000
      And FS.WalkDir is called again with {"path": "t"}
      Then modTime of "d" is the instant 2025-04-22T20:36:00Z
      And modTime of "f" is the instant 2025-04-22T20:36:00Z
      And the tree is unchanged

  @WD-WALK-01
  Rule: every file and directory, at any depth

    @WD-WALK-01-101
    Scenario: what has come in the meantime is met
      Given the tree "t/{a, d/{x}}"
      When FS.WalkDir is called with {"path": "t"}
      And the tree gets "t/{b, e/{y}}"
      And FS.WalkDir is called again with {"path": "t"}
      Then the walk meets "a, b, d, d/x, e, e/y"
      And the tree is unchanged

    @WD-WALK-01-106
    Scenario: a start that was missing, and is there by now
      Given the tree "t/{a}"
      When FS.WalkDir is called with {"path": "t/new"}
      And the tree gets "t/{new/{x}}"
      And FS.WalkDir is called again with {"path": "t/new"}
      Then the walk meets "x"
      And the tree is unchanged

    @WD-WALK-01-107
    Scenario: a start that was a file, and is a directory by now
      Given the tree "t/{a, s=1}"
      When FS.WalkDir is called with {"path": "t/s"}
      And "t/s" has been removed
      And the tree gets "t/{s/{x}}"
      And FS.WalkDir is called again with {"path": "t/s"}
      Then the walk meets "x"
      And the tree is unchanged

    @WD-WALK-01-110
    Scenario: an error of a walk costs that walk, and none behind it
      Given the tree "t/{a, locked/%0000{x}, z}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "t"}
      And FS.WalkDir is called again with {"path": "walktest"}
      Then the elements are "file1.txt"
      And the tree is unchanged

  @WD-ERR-03
  Rule: a start that is not there

    @WD-ERR-03-16
    Scenario: a start that was walked, and is gone by now
      Given the tree "d/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "d"}
      And "d" has been renamed
      And FS.WalkDir is called again with {"path": "d"}
      Then the result is nil
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-ERR-05
  Rule: a start that is no directory

    @WD-ERR-05-08
    Scenario: a start that was walked, and is a file by now
      Given the tree "d/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "d"}
      And "d" has been renamed
      And the tree gets "d=1"
      And FS.WalkDir is called again with {"path": "d"}
      Then by AMB-WD-23 the answer is one of
        | reading | result | fails     |
        | nil     | nil    |           |
        | error   |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-LOG-01
  Rule: the details of an error are logged

    Scenario Outline: an error that an earlier call had as well is on record: <case>
      Given the tree "f=1, c/%0000{in/{x}}, outside/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": <path>}
      And FS.WalkDir is called again with {"path": <path>}
      Then a record is logged, unless a list was returned
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

      Examples:
        | id            | case                            | path         |
        | WD-LOG-01-108 | no directory                    | "f"          |
        | WD-LOG-01-109 | a way out                       | "../outside" |
        | WD-LOG-01-110 | a NUL                           | "a\u0000b"   |
        | WD-LOG-01-111 | below an unsearchable directory | "c/in"       |

    # Only a walk that ends for its error owes a record.
    @WD-LOG-01-112
    Scenario: an error in mid-walk that an earlier call had as well
      Given the tree "t/{a, locked/%0000{x}, z}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "t"}
      And FS.WalkDir is called again with {"path": "t"}
      Then by AMB-WD-24 the answer is one of
        | reading | result  | logged   |
        | nil     | no list | a record |
        |         | a list  |          |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-LOG-02
  Rule: a start that is not there is no error

    @WD-LOG-02-04 @interpretation:AMB-WD-02
    Scenario: nothing on record either when the same start is missing again
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "no_such_dir"}
      And FS.WalkDir is called again with {"path": "no_such_dir"}
      Then no error is logged
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

    @WD-LOG-02-05 @interpretation:AMB-WD-02
    Scenario: nothing on record of an error that an earlier call had
      Given the tree "walktest/{file1.txt=9}, f=1"
      When FS.WalkDir is called with {"path": "f"}
      And FS.WalkDir is called again with {"path": "no_such_dir"}
      Then no error is logged
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged
