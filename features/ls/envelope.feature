@ls
Feature: Every answer has the form of the envelope, a listing as well as an error

  @LS-ENV-01
  Rule: at the top there are five members, and error comes to them with an error only

    @interpretation:AMB-LS-31
    Scenario Outline: the members of a listing
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then by AMB-LS-32 the answer is one of
        | reading | keys                               |
        | a       | status, data, text, stats, context |
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments    |
        | LS-ENV-01-01 | {}           |
        | LS-ENV-01-02 | {"limit": 2} |

    @interpretation:AMB-LS-31 @interpretation:AMB-LS-24
    Scenario Outline: the members of a listing <case>
      Given the tree "d1/, a.txt, l->gone"
      When LS is called with <arguments>
      Then by AMB-LS-32 the answer is one of
        | reading | keys                               |
        | a       | status, data, text, stats, context |
      And a control call with {} lists "d1, a.txt, l"
      And the tree is unchanged

      Examples:
        | id            | case                 | arguments      |
        | LS-ENV-01-101 | with a dangling link | {}             |
        | LS-ENV-01-102 | without entries      | {"path": "d1"} |

    @LS-ENV-01-103 @interpretation:AMB-LS-31
    Scenario: the members of a listing after a failed call
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": "missing"}
      And LS is called again with {}
      Then by AMB-LS-32 the answer is one of
        | reading | keys                               |
        | a       | status, data, text, stats, context |
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

    @interpretation:AMB-LS-32
    Scenario Outline: the members of an error
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the keys of the envelope are "status, data, text, stats, context, error"
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-01-03 | {"limit": 0}        |
        | LS-ENV-01-04 | {"path": "missing"} |
        | LS-ENV-01-05 | {"path": ".."}      |
        | LS-ENV-01-06 | {"path": "a.txt"}   |

  @LS-ENV-02
  Rule: status is success, partial or error

    Scenario Outline: the status of a call
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"status": ["success", "partial", "error"]}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-02-01 | {}                  |
        | LS-ENV-02-02 | {"limit": 2}        |
        | LS-ENV-02-03 | {"limit": 0}        |
        | LS-ENV-02-04 | {"path": "missing"} |
        | LS-ENV-02-101 | {"path": "d1"}     |
        | LS-ENV-02-102 | {"offset": 9}      |
        | LS-ENV-02-103 | {"ignore": ["*"]}  |
        | LS-ENV-02-104 | {"path": ".."}     |
        | LS-ENV-02-105 | {"path": "a.txt"}  |
        | LS-ENV-02-106 | {"path": 5}        |

  @LS-ENV-03
  Rule: the data of a listing is an object

    Scenario Outline: the data of a page
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"data": {}}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments    |
        | LS-ENV-03-01 | {}           |
        | LS-ENV-03-02 | {"limit": 2} |
        | LS-ENV-03-101 | {"path": "d1"}    |
        | LS-ENV-03-102 | {"offset": 9}     |
        | LS-ENV-03-103 | {"ignore": ["*"]} |

  @LS-ENV-04
  Rule: error holds a code of the table and a message

    Scenario Outline: the error of a refused call
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"error": {"code": ["NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR"], "message": "$STRING"}}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-04-01 | {"limit": 0}        |
        | LS-ENV-04-02 | {"path": "missing"} |
        | LS-ENV-04-03 | {"path": ".."}      |
        | LS-ENV-04-04 | {"path": "a.txt"}   |
        | LS-ENV-04-05 | {"path": 5}         |

    @LS-ENV-04-06
    Scenario: the error of a directory that may not be read
      Given the tree "closed/%0000{x}, a.txt"
      When LS is called with {"path": "closed"}
      Then the envelope has {"error": {"code": ["NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR"], "message": "$STRING"}}
      And a control call with {} lists "closed, a.txt"
      And the tree is unchanged

    Scenario Outline: the error of a path that the system refuses
      Given the tree "loop->loop, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"error": {"code": ["NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR"], "message": "$STRING"}}
      And a control call with {} on the tree "a, d/" lists "a, d"
      And the tree is unchanged

      Examples:
        | id            | arguments               |
        | LS-ENV-04-102 | {"path": "loop"}        |
        | LS-ENV-04-103 | {"path": "$('x'*300)"}  |
        | LS-ENV-04-104 | {"path": "$('x/'*3000)"} |
        | LS-ENV-04-105 | {"path": "a\\u0000b"}   |

    @LS-ENV-04-101 @needs:strace
    Scenario: the error of a directory that the disk cannot read
      Given the tree "broken/!R=EIO{x}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: the entries are not "x"
      And the envelope has {"error": {"code": ["NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR"], "message": "$STRING"}}
      And a control call with {} on the tree "f, other/" lists "f, other"
      And the tree is unchanged

  @LS-ENV-05
  Rule: the text of a listing is not empty

    Scenario Outline: the text of a page
      Given the tree "d1/, d2/, a.txt, e/"
      When LS is called with <arguments>
      Then the envelope has {"text": "$TEXT"}
      And a control call with {} lists "d1, d2, a.txt, e"
      And the tree is unchanged

      Examples:
        | id           | arguments     |
        | LS-ENV-05-01 | {}            |
        | LS-ENV-05-02 | {"path": "e"} |

  @LS-ENV-06
  Rule: stats.time_ms of a listing is a number from 0 on

    Scenario Outline: the time of a page
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"stats": {"time_ms": "$NUMBER"}}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments    |
        | LS-ENV-06-01 | {}           |
        | LS-ENV-06-02 | {"limit": 2} |
        | LS-ENV-06-101 | {"path": "d1"} |
        | LS-ENV-06-102 | {"ignore": ["*"]} |

  @LS-ENV-10
  Rule: the answer is valid JSON in UTF-8

    @LS-ENV-10-01
    Scenario: names beyond ASCII
      Given the tree "'naïve file.txt', 文件.md, '\U0001f600', 'e\u0301'"
      When LS is called with {}
      Then the answer is valid UTF-8
      And a control call with {} on the tree "ok, other/" lists "ok, other"
      And the tree is unchanged

    @LS-ENV-10-02
    Scenario: a name that is not UTF-8
      Given the tree "'bad\xff', ok"
      When LS is called with {}
      Then the answer is valid UTF-8
      And a control call with {} on the tree "ok, other/" lists "ok, other"
      And the tree is unchanged

    @LS-ENV-10-03
    Scenario: names of quotes, backslashes and control characters
      Given the tree "'\"', '\\', 'a\tb', '\u0001', '\u007f'"
      When LS is called with {}
      Then the answer is valid UTF-8
      And a control call with {} on the tree "ok, other/" lists "ok, other"
      And the tree is unchanged

  @LS-ENV-11
  Rule: an error has data, a text, a message and a time too

    Scenario Outline: the data of an error
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"status": "error", "data": {}}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-03-03 | {"limit": 0}        |
        | LS-ENV-03-04 | {"path": "missing"} |
        | LS-ENV-03-05 | {"path": ".."}      |

    Scenario Outline: the text of an error
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"status": "error", "text": "$TEXT"}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-05-03 | {"limit": 0}        |
        | LS-ENV-05-04 | {"path": "missing"} |
        | LS-ENV-11-103 | {"ignore": "*.md"} |
        | LS-ENV-11-104 | {"ignore": [1]}    |
        | LS-ENV-11-105 | {"path": 5}        |
        | LS-ENV-11-106 | {"offset": -1}     |
        | LS-ENV-11-107 | {"path": ".."}     |

    Scenario Outline: the message of an error
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"status": "error", "error": {"message": "$TEXT"}}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-11-01 | {"limit": 0}        |
        | LS-ENV-11-02 | {"path": "missing"} |

    @LS-ENV-11-101 @needs:strace
    Scenario: text and message of a directory that the disk cannot read
      Given the tree "broken/!R=EIO{x}, f"
      When LS is called with {"path": "broken"}
      Then the fault has an effect: the entries are not "x"
      And the envelope has {"status": "error", "data": {}, "text": "$TEXT", "error": {"message": "$TEXT"}}
      And a control call with {} on the tree "f, other/" lists "f, other"
      And the tree is unchanged

    Scenario Outline: the time of an error
      Given the tree "d1/, d2/, a.txt"
      When LS is called with <arguments>
      Then the envelope has {"status": "error", "stats": {"time_ms": "$NUMBER"}}
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged

      Examples:
        | id           | arguments           |
        | LS-ENV-06-03 | {"limit": 0}        |
        | LS-ENV-06-04 | {"path": "missing"} |

    @LS-ENV-06-05
    Scenario: what else the stats of an error hold
      Given the tree "d1/, d2/, a.txt"
      When LS is called with {"path": "missing"}
      Then by AMB-LS-20 the answer is one of
        | reading | envelope                                                                                        | without                                                                  |
        | a       | {"status": "error"}                                                                             | stats.total_entries, stats.dirs, stats.files, stats.links, stats.returned |
        | b       | {"stats": {"total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0}} |                                                                          |
      And a control call with {} lists "d1, d2, a.txt"
      And the tree is unchanged
