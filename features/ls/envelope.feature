@ls
Feature: Every answer has the form of the envelope, a listing as well as an error

  @LS-ENV-01
  Rule: at the top there are five members, and error comes to them with an error only

    @interpretation:AMB-LS-31
    Scenario Outline: the members of <what>
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then by AMB-LS-32 the answer is one of
        | reading | keys                               |
        | a       | status, data, text, stats, context |

      Examples:
        | id           | what            | arguments    |
        | LS-ENV-01-01 | a whole listing | {}           |
        | LS-ENV-01-02 | a page          | {"limit": 2} |

    @LS-ENV-01-103 @interpretation:AMB-LS-31
    Scenario: the members of a listing after a failed call
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": "missing"}
      And LS is called again with {}
      Then by AMB-LS-32 the answer is one of
        | reading | keys                               |
        | a       | status, data, text, stats, context |

    @interpretation:AMB-LS-32
    Scenario Outline: the members of an error about <what>
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the keys of the envelope are "status, data, text, stats, context, error"

      Examples:
        | id           | what           | arguments           |
        | LS-ENV-01-03 | an argument    | {"limit": 0}        |
        | LS-ENV-01-04 | a missing path | {"path": "missing"} |
        | LS-ENV-01-05 | a path outside | {"path": ".."}      |
        | LS-ENV-01-06 | a file         | {"path": "a.txt"}   |

  @LS-ENV-02
  Rule: status is success, partial or error

    @LS-ENV-02-102
    Scenario: the status of a call
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"offset": 9}
      Then the envelope has {"status": ["success", "partial", "error"]}

  @LS-ENV-03
  Rule: the data of a listing is an object

    @LS-ENV-03-101
    Scenario: the data of a page
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": "d1"}
      Then the envelope has {"data": {}}

  @LS-ENV-04
  Rule: error holds a code of the table and a message

    @LS-ENV-04-05
    Scenario: the error of a refused call
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": 5}
      Then the envelope has {"error": {"code": ["NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR"], "message": "$STRING"}}

  @LS-ENV-05
  Rule: the text of a listing is not empty

    @LS-ENV-05-02
    Scenario: the text of a page
      Given the tree "d1/, d2/, a.txt, e/"
      When LS is called with {"path": "e"}
      Then the envelope has {"text": "$TEXT"}

  @LS-ENV-06
  Rule: stats.time_ms of a listing is a number from 0 on

    @LS-ENV-06-102
    Scenario: the time of a page
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"ignore": ["*"]}
      Then the envelope has {"stats": {"time_ms": "$NUMBER"}}

  @LS-ENV-10
  Rule: the answer is valid JSON in UTF-8

    @LS-ENV-10-01
    Scenario: names beyond ASCII
      Given the tree "'naïve file.txt', 文件.md, '\U0001f600', 'e\u0301'"
      When LS is called with {}
      Then the answer is valid UTF-8

  @LS-ENV-13
  Rule: no object has a member twice

    Scenario Outline: members are there once: <what>
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then no object of the answer has a member twice

      Examples:
        | id           | what       | arguments           |
        | LS-ENV-13-01 | a listing  | {"limit": 1}        |
        | LS-ENV-13-02 | an error   | {"path": "missing"} |

  @LS-ENV-11
  Rule: an error has data, a text, a message and a time too

    @LS-ENV-11-107
    Scenario: the text of an error
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": ".."}
      Then the envelope has {"status": "error", "text": "$TEXT"}

    @LS-ENV-06-05
    Scenario: what else the stats of an error hold
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": "missing"}
      Then by AMB-LS-20 the answer is one of
        | reading | envelope                                                                                        | without                                                                  |
        | a       | {"status": "error"}                                                                             | stats.total_entries, stats.dirs, stats.files, stats.links, stats.returned |
        | b       | {"stats": {"total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0}} |                                                                          |
