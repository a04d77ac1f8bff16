@read_text
Feature: The content of a file

  @RT2-OUT-01
  Rule: the content is returned

    @RT2-OUT-01-01
    Scenario: one line
      Given the tree "a="one", d/"
      When read_text is called with {"path": "a"}
      Then the content is "one"

    @RT2-OUT-01-02
    Scenario: a line break at the end
      Given the tree "a="one\n""
      When read_text is called with {"path": "a"}
      Then by AMB-RT2-01 the content is one of
        | reading  | content |
        | verbatim | one\|   |
        | stripped | one     |

    @RT2-OUT-01-03
    Scenario: each file
      Given the tree "a="a", b="b""
      Then each file of the tree gives its content

    @RT2-OUT-01-04
    Scenario: two lines
      Given the tree "a="one\ntwo""
      When read_text is called with {"path": "a"}
      Then the content is the text
        """
        one
        two
        """

  @RT2-OUT-02
  Rule: at most max_lines lines are returned

    Scenario Outline: <max> lines
      Given the tree "a="one\ntwo\nthree""
      When read_text is called with {"path": "a", "max_lines": <max>}
      Then the content is the text
        """
        <content>
        """

      Examples:
        | id            | max | content |
        | RT2-OUT-02-01 | 1   | one     |

  @RT2-ERR-01
  Rule: a missing file is NotFound

    @RT2-ERR-01-01 @also:RT2-ERR-02
    Scenario: a missing file
      Given the tree "a="one""
      When read_text is called with {"path": "b"}
      Then the call fails with NotFound
      And a control call with {"path": "a"} gives "one"

  @RT2-ERR-02
  Rule: a directory is NotAFile

    @RT2-ERR-02-01
    Scenario: a directory
      Given the tree "d/, a="one""
      When read_text is called with {"path": "$ROOT/d"}
      Then the call fails with NotAFile
      And a control call with {"path": "a"} gives "one"
