# Where names that differ in case or in Unicode normalisation are one name, as on macOS and Windows.

@fs_walkdir
Feature: Names that the file system folds

  @WD-ENT-02
  Rule: paths lead from the directory that was asked for, by whichever spelling of its name

    Scenario Outline: a directory is asked for <case>
      Given a file system that folds names
      And the tree "<tree>"
      When FS.WalkDir is called with {"path": <requested>}
      Then the entries are "B, a, a/C"

      Examples:
        | id | case | tree | requested |
        | WD-ENT-02-401 | in another case | Dir/{B, a/{C}} | "DIR" |
        | WD-ENT-02-402 | in another normal form | é/{B, a/{C}} | "e\u0301" |
