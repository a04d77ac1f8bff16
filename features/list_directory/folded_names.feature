# Where names that differ in case or in Unicode normalisation are one name, as on macOS and Windows.

@list_directory
Feature: Names that the file system folds

  # The directory is there by every spelling (FR-LD-VAL-08).
  @FR-LD-VAL-10
  Rule: the path of the document is the one that was asked for, and not the name as it is stored

    Scenario Outline: a directory is asked for <case>
      Given a file system that folds names
      And the tree "<tree>"
      When list_directory is called with {"path": <requested>}
      Then the document has {"path": <requested>}
      And the entries are "B, a"

      Examples:
        | id | case | tree | requested |
        | LD-VAL-10-501 | in another case | Dir/{B, a} | "DIR" |
        | LD-VAL-10-502 | in another case, below one | x/{Dir/{B, a}} | "X/dir" |
        | LD-VAL-10-503 | in another normal form | é/{B, a} | "e\u0301" |
