@fs_walkdir
Feature: A later call shows what is there by then

  @WD-ENT-03
  Rule: isDir is true for directories and for nothing else

    @WD-ENT-03-11 @behaviour:BEH-14
    Scenario: a file that is a directory by now has another isDir
      Given the tree "t/{f=1, g=1, d/}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been removed
      And the tree gets "t/{f/{x}}"
      And FS.WalkDir is called again with {"path": "t"}
      Then the entries are "d, f, f/x, g"
      And the directories among them are "d, f"

  @WD-ENT-04
  Rule: size is the length of a file in bytes

    @WD-ENT-04-12 @behaviour:BEH-14
    Scenario: a file that was replaced by a longer one has the new size
      Given the tree "t/{f=1@1234567890000}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been removed
      And the tree gets "t/{f=12@1745354160000}"
      And FS.WalkDir is called again with {"path": "t"}
      Then the entry "f" has {"size": 12}
      And modTime of "f" is the instant 2025-04-22T20:36:00Z

    # A time of now may be rounded or cut off to the same second, so that a run would show another reading each time.
    @WD-ENT-04-15 @behaviour:BEH-14
    Scenario: a file that was extended by a byte has the new size
      Given the tree "t/{f=1}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/f" has been extended
      And "t/f" has got the time 1745354160000
      And FS.WalkDir is called again with {"path": "t"}
      Then the entry "f" has {"size": 2}

  @WD-ENT-05
  Rule: modTime is the modification time in RFC 3339

    @WD-ENT-05-201 @behaviour:BEH-14
    Scenario: entries that were touched have the new time
      Given the tree "t/{d/@1234567890000, f=1@1234567890000}"
      When FS.WalkDir is called with {"path": "t"}
      And "t/d" has got the time 1745354160000
      And "t/f" has got the time 1745354160000
      And FS.WalkDir is called again with {"path": "t"}
      Then modTime of "d, f" is the instant 2025-04-22T20:36:00Z

  @WD-WALK-01
  Rule: every file and directory, at any depth

    @WD-WALK-01-15 @behaviour:BEH-14
    Scenario: a second walk of an unchanged tree gives the same
      Given the tree "t/{a/{b=1, c/}, d=2}"
      When FS.WalkDir is called with {"path": "t"}
      And FS.WalkDir is called again with {"path": "t"}
      Then the entries are "a, a/b, a/c, d"

    @WD-WALK-01-101 @behaviour:BEH-14
    Scenario: entries that have come in the meantime are met
      Given the tree "t/{a, d/{x}}"
      When FS.WalkDir is called with {"path": "t"}
      And the tree gets "t/{b, e/{y}}"
      And FS.WalkDir is called again with {"path": "t"}
      Then the entries are "a, b, d, d/x, e, e/y"

    @WD-WALK-01-106 @behaviour:BEH-14
    Scenario: a start that was missing, and is there by now, is walked
      Given the tree "t/{a}"
      When FS.WalkDir is called with {"path": "t/new"}
      And the tree gets "t/{new/{x}}"
      And FS.WalkDir is called again with {"path": "t/new"}
      Then the entries are "x"

    @WD-WALK-01-107 @behaviour:BEH-14
    Scenario: a start that was a file, and is a directory by now, is walked
      Given the tree "t/{a, s=1}"
      When FS.WalkDir is called with {"path": "t/s"}
      And "t/s" has been removed
      And the tree gets "t/{s/{x}}"
      And FS.WalkDir is called again with {"path": "t/s"}
      Then the entries are "x"

    @WD-WALK-01-110 @behaviour:BEH-14
    Scenario: an error of a walk costs that walk, and none behind it
      Given the tree "t/{a, locked/%0000{x}, z}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "t"}
      And FS.WalkDir is called again with {"path": "walktest"}
      Then the entries are "file1.txt"

    @behaviour:BEH-14
    Scenario Outline: the same call again, and once more on a tree that has changed: <case>
      Given the tree "t/{x, y=2}, d/{x}, e/, f=1, p:fifo, loop->loop, m->., out->../outside, locked/%0000{x}, closed/%0600{x/{y}}"
      And beside the sandbox the tree "outside/{secret, od/{deep}}, root2/{secret}, ROOT/{secret}"
      When FS.WalkDir is called with exactly <arguments>
      And FS.WalkDir is called again with <arguments>
      And the tree gets "n"
      And FS.WalkDir is called again with <arguments>
      Then the answer is right, for example <expected>

      Examples:
        | id             | case                                | arguments                  | expected                      |
        | WD-WALK-01-201 | a directory                         | {"path": "t"}              | "x, y"                        |
        | WD-WALK-01-202 | an empty one                        | {"path": "e"}              | "[]"                          |
        | WD-WALK-01-203 | an unreadable one                   | {"path": "locked"}         | "nil"                         |
        | WD-WALK-01-204 | a file                              | {"path": "f"}              | "nil"                         |
        | WD-WALK-01-205 | a FIFO                              | {"path": "p"}              | "nil"                         |
        | WD-WALK-01-206 | nothing                             | {"path": "gone"}           | "nil"                         |
        | WD-WALK-01-207 | a loop                              | {"path": "loop"}           | "nil"                         |
        | WD-WALK-01-208 | below a file                        | {"path": "f/x"}            | "nil"                         |
        | WD-WALK-01-209 | behind a closed directory           | {"path": "closed/x"}       | "nil"                         |
        | WD-WALK-01-210 | no path                             | {}                         | "nil or an error of the call" |
        | WD-WALK-01-211 | a number                            | {"path": 5}                | "nil or an error of the call" |
        | WD-WALK-01-212 | the empty path                      | {"path": ""}               | "nil or an error of the call" |
        | WD-WALK-01-213 | a dot in it                         | {"path": "./t"}            | "x, y"                        |
        | WD-WALK-01-214 | two slashes                         | {"path": "d//../t"}        | "x, y"                        |
        | WD-WALK-01-215 | a slash behind it                   | {"path": "t/"}             | "x, y"                        |
        | WD-WALK-01-216 | up and down                         | {"path": "d/../t"}         | "x, y"                        |
        | WD-WALK-01-217 | through a link                      | {"path": "m/t"}            | "x, y"                        |
        | WD-WALK-01-218 | above                               | {"path": ".."}             | "nil"                         |
        | WD-WALK-01-219 | two levels above                    | {"path": "../.."}          | "nil"                         |
        | WD-WALK-01-220 | down and out                        | {"path": "d/../.."}        | "nil"                         |
        | WD-WALK-01-221 | the root of the system              | {"path": "/"}              | "nil"                         |
        | WD-WALK-01-222 | a neighbour that begins alike       | {"path": "../root2"}       | "nil"                         |
        | WD-WALK-01-223 | a neighbour in another case         | {"path": "../ROOT"}        | "nil"                         |
        | WD-WALK-01-224 | a link out                          | {"path": "out"}            | "nil or []"                   |
        | WD-WALK-01-225 | the parent of a link out            | {"path": "out/.."}         | "nil"                         |
        | WD-WALK-01-226 | nothing behind a link out           | {"path": "out/gone"}       | "nil"                         |
        | WD-WALK-01-227 | absolute                            | {"path": "$ROOT/t"}        | "nil"                         |
        | WD-WALK-01-228 | absolute, a file                    | {"path": "$ROOT/f"}        | "nil"                         |
        | WD-WALK-01-229 | absolute, below a file              | {"path": "$ROOT/f/x"}      | "nil"                         |
        | WD-WALK-01-230 | absolute, behind a closed directory | {"path": "$ROOT/closed/x"} | "nil"                         |

  @WD-ERR-03
  Rule: a start that is not there

    @WD-ERR-03-16 @behaviour:BEH-14
    Scenario: a start that was walked, and is gone by now, is nil
      Given the tree "d/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "d"}
      And "d" has been renamed
      And FS.WalkDir is called again with {"path": "d"}
      Then the result is nil

  @WD-ERR-05
  Rule: a start that is no directory

    @WD-ERR-05-08 @behaviour:BEH-14
    Scenario: a start that was walked, and is a file by now, is nil
      Given the tree "d/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "d"}
      And "d" has been renamed
      And the tree gets "d=1"
      And FS.WalkDir is called again with {"path": "d"}
      Then by AMB-WD-23 the result is nil, or the call fails

  @WD-LOG-01
  Rule: the details of an error are logged

    @behaviour:BEH-14
    Scenario Outline: an error that an earlier call had as well is on record: <case>
      Given the tree "f=1, c/%0000{in/{x}}, outside/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": <path>}
      And FS.WalkDir is called again with {"path": <path>}
      Then a record is logged, unless a list was returned

      Examples:
        | id            | case                            | path         |
        | WD-LOG-01-108 | no directory                    | "f"          |
        | WD-LOG-01-110 | a NUL                           | "a\u0000b"   |
        | WD-LOG-01-111 | below an unsearchable directory | "c/in"       |

    # A tool that takes the sandbox for the root (AMB-WD-30) finds something there.
    @WD-LOG-01-109 @behaviour:BEH-14
    Scenario: a way out that an earlier call had as well is on record, or leads to something in the sandbox
      Given the tree "outside/{x}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "../outside"}
      And FS.WalkDir is called again with {"path": "../outside"}
      Then the answer is one of
        | result  | logged   |
        | no list | a record |
        | a list  |          |

    # Only a walk that ends for its error owes a record.
    @WD-LOG-01-112 @behaviour:BEH-14
    Scenario: an error in mid-walk that an earlier call had as well is on record
      Given the tree "t/{a, locked/%0000{x}, z}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "t"}
      And FS.WalkDir is called again with {"path": "t"}
      Then by AMB-WD-24 the answer is one of
        | reading | result  | logged   |
        | nil     | no list | a record |
        |         | a list  |          |

  @WD-LOG-02 @interpretation:AMB-WD-02
  Rule: a start that is not there is no error

    @WD-LOG-02-04 @behaviour:BEH-14
    Scenario: the same start that is missing again is no error on record
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "no_such_dir"}
      And FS.WalkDir is called again with {"path": "no_such_dir"}
      Then no error is logged

    @WD-LOG-02-05 @behaviour:BEH-14
    Scenario: the error of an earlier call is not on record again
      Given the tree "walktest/{file1.txt=9}, f=1"
      When FS.WalkDir is called with {"path": "f"}
      And FS.WalkDir is called again with {"path": "no_such_dir"}
      Then no error is logged
