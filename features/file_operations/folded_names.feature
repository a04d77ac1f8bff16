# Where names that differ in case or in Unicode normalisation are one name, as on macOS and Windows: an entry exists by
# every spelling of its name, and two spellings are one file.

@file_operations
Feature: Names that the file system folds

  @FR-FOPS-MV-03
  Rule: a move onto another spelling of a name that exists is an error without overwrite

    Scenario Outline: a move onto another spelling of <case>
      Given a file system that folds names
      And the tree "<tree>"
      When move is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case | tree | arguments |
        | FO-MV-03-401 | a file | a="A", Read="R" | {"source": "a", "destination": "READ"} |
        | FO-MV-03-402 | a file, in another normal form | a="A", é="R" | {"source": "a", "destination": "e\u0301"} |
        | FO-MV-03-403 | a file in a directory | READ="A", d/{Read="R"} | {"source": "READ", "destination": "D"} |

  @FR-FOPS-CP-03
  Rule: a copy onto another spelling of a name that exists is an error without overwrite

    Scenario Outline: a copy onto another spelling of <case>
      Given a file system that folds names
      And the tree "<tree>"
      When copy is called with <arguments>
      Then the call fails with any error and changes nothing

      Examples:
        | id | case | tree | arguments |
        | FO-CP-03-401 | a file | a="A", Read="R" | {"source": "a", "destination": "READ"} |
        | FO-CP-03-402 | a file, in another normal form | a="A", é="R" | {"source": "a", "destination": "e\u0301"} |

  @DFO-06
  Rule: two spellings of a name are one file, and nothing is lost

    # Whether the name gets the new spelling is open; the document knows nothing of such names.
    Scenario Outline: a <tool> onto another spelling of the same name, <case>
      Given a file system that folds names
      And the tree "Read="R", k"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "Read", "destination": "READ", "overwrite": <overwrite>}
      Then the outcome is one of
        | fails     | leaves       |
        | any error |              |
        |           | Read="R", k  |
        |           | READ="R", k  |

      Examples:
        | id | tool | case | overwrite |
        | FO-D06-401 | copy | with overwrite | true |
        | FO-D06-402 | move | with overwrite | true |
        | FO-D06-403 | move | without overwrite | false |

    @FO-D06-404
    Scenario: a copy of a directory into itself by another spelling does not run away
      Given a file system that folds names
      And the tree "Dir/{f="F", s/}"
      When copy is called with {"source": "Dir", "destination": "DIR/n"}
      Then the call either leaves "Dir/{f="F", s/, n/{f="F", s/}}", or fails with any error and loses nothing
      And no path that has come to be has more than 6 names
