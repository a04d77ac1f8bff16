@fs_walkdir
Feature: Errors are logged, and what is only missing is none

  @WD-LOG-01
  Rule: the details of an error are logged

    Scenario Outline: an error is on record: <case>
      Given the tree "<tree>, walktest/{file1.txt=9}"
      And beside the sandbox the tree "other/{secret, od/{deep}}"
      When FS.WalkDir is called with {"path": <path>}
      Then a record is logged, unless a list was returned

      Examples:
        | id            | case                                           | tree                      | path                     |
        | WD-LOG-01-01  | no directory                                   | f=1                       | "f"                      |
        | WD-LOG-01-06  | a NUL                                          | f=1                       | "a\u0000b"               |
        | WD-LOG-01-10  | below an unsearchable directory                | c/%0000{in/{f}}           | "c/in"                   |

    # A tool that takes the sandbox for the root (AMB-WD-30) finds something there, and has no error to log.
    Scenario Outline: a way out is on record, or leads to something in the sandbox: <case>
      Given the tree "<tree>, walktest/{file1.txt=9}"
      And beside the sandbox the tree "other/{secret, od/{deep}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the answer is one of
        | result  | logged   |
        | no list | a record |
        | a list  |          |

      Examples:
        | id            | case                                             | tree                        | path                   |
        | WD-LOG-01-03  | beside                                           | outside/{x}                 | ../outside             |
        | WD-LOG-01-04  | in the middle                                    | outside/{x}                 | walktest/../../outside |
        | WD-LOG-01-101 | to something that is there                       | other/{od/{x}}              | ../other               |
        | WD-LOG-01-103 | by a link that leads to something that is there  | l->../other, other/{od/{x}} | l/od                   |

    # Only a walk that ends for its error owes a record; a list without the unreadable part owes none. Left out, a start
    # without anything that can be read is empty, which may be nil as well.
    Scenario Outline: an error that ends a walk is on record: <case>
      Given the tree "t/<tree>, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-24 and AMB-WD-01 the answer is one of
        | reading | AMB-WD-01 | result  | logged   |
        | nil     |           | no list | a record |
        | skipped | nil       | no list |          |
        |         |           | a list  |          |

      Examples:
        | id           | case                             | tree                     |
        | WD-LOG-01-07 | a directory that may not be read | {a, locked/%0000{x}, z}  |
        | WD-LOG-01-08 | a start that may not be read     | %0000{x}                 |
        | WD-LOG-01-12 | a fault of the disk              | {a, bad!L, c}            |

    # An interpreter may refuse such a call before the tool is reached; nil is the answer of the tool.
    Scenario Outline: wrong arguments are on record: <case>
      Given the tree "1/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with exactly <arguments>
      Then the answer is one of
        | result | logged   | fails     |
        | nil    | a record |           |
        |        |          | any error |
        | a list |          |           |

      Examples:
        | id            | case             | arguments                    |
        | WD-LOG-01-104 | no argument      | {}                           |
        | WD-LOG-01-105 | one too many     | {"path": "walktest", "x": 1} |
        | WD-LOG-01-106 | a number         | {"path": 1}                  |
        | WD-LOG-01-107 | the empty string | {"path": ""}                 |

  @WD-LOG-02 @interpretation:AMB-WD-02
  Rule: a start that is not there is no error

    Scenario Outline: a missing start is no error on record: <path>
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then no error is logged

      Examples:
        | id           | path          |
        | WD-LOG-02-01 | no_such_dir   |
        | WD-LOG-02-02 | walktest/nope |
        | WD-LOG-02-03 | nope/deeper   |
