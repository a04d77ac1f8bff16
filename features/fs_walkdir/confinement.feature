@fs_walkdir
Feature: Nothing outside the sandbox is walked

  @WD-SEC-01
  Rule: a path that names something outside gives no list of it

    @behaviour:BEH-01
    Scenario Outline: a way out gives no list: <case>
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret}, root2/{secret}"
      When FS.WalkDir is called with {"path": <path>}
      Then the result is nil, or the call fails

      Examples:
        | id            | case                                      | path                           |
        | WD-SEC-01-03  | beside                                    | "../outside"                   |
        | WD-SEC-01-04  | out in the middle                         | "walktest/../../outside"       |
        | WD-SEC-01-05  | dots and doubled slashes                  | "./walktest//..//./../outside" |
        | WD-SEC-01-06  | a neighbour whose name begins alike       | "../root2"                     |
        | WD-SEC-01-07  | an absolute path                          | "/etc"                         |
        | WD-SEC-01-09  | an absolute path to a neighbour           | "$OUTSIDE/outside"             |
        | WD-SEC-01-10  | an absolute path to one that begins alike | "$ROOT2"                       |
        | WD-SEC-01-11  | far above                                 | "$('../'*40)etc"               |
        | WD-SEC-01-12  | out through what is missing               | "nope/../../outside"           |

    @behaviour:BEH-01
    Scenario Outline: nothing above the sandbox is listed: <case>
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret}, root2/{secret}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-30 the answer is one of
        | reading | entries                      | result  |
        | refused |                              | no list |
        | rooted  | walktest, walktest/file1.txt |         |

      Examples:
        | id            | case                | path  |
        | WD-SEC-01-01  | above               | ..    |
        | WD-SEC-01-02  | above, with a slash | ../   |
        | WD-SEC-01-101 | two levels above    | ../.. |
        | WD-SEC-01-116 | above, by way of a directory | walktest/../.. |

    # As text the path leads to the directory with the link, on the disk above the sandbox.
    @WD-SEC-01-117
    Scenario: nothing above a sandbox that is reached through a link is listed
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "other/{alias->../root, secret}"
      And the context {"roots": ["$OUTSIDE/other/alias"], "working_dir": "$OUTSIDE/other/alias"}
      When FS.WalkDir is called with {"path": ".."}
      Then by AMB-WD-30 the answer is one of
        | reading | entries                      | result  |
        | refused |                              | no list |
        | rooted  | walktest, walktest/file1.txt |         |

    @WD-SEC-01-118
    Scenario: beside a sandbox that is not there nothing is listed
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret}"
      And the context {"roots": ["$OUTSIDE/none"], "working_dir": "$OUTSIDE/none"}
      When FS.WalkDir is called with {"path": "../outside"}
      Then the result is nil, or the call fails

    # A path that is decoded, trimmed or normalised after it was checked leads out.
    Scenario Outline: taken as it is written, nothing has such a name: <case>
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret}, root2/{secret}"
      When FS.WalkDir is called with {"path": <path>}
      Then the result is nil, or the call fails

      Examples:
        | id            | case                      | path                      |
        | WD-SEC-01-106 | backslashes               | "..\\\\outside"           |
        | WD-SEC-01-107 | escapes of addresses      | "%2e%2e/outside"          |
        | WD-SEC-01-108 | an escape for the slash   | "..%2foutside"            |
        | WD-SEC-01-109 | escapes of escapes        | "%252e%252e%252foutside"  |
        | WD-SEC-01-110 | a blank before it         | " ../outside"             |
        | WD-SEC-01-111 | a line break before it    | "\\n../outside"           |
        | WD-SEC-01-112 | quotes around it          | "'../outside'"            |
        | WD-SEC-01-113 | a mark that shows nothing | "..\u200b/outside"        |
        | WD-SEC-01-114 | dots of another width     | "\uff0e\uff0e/outside"    |
        | WD-SEC-01-115 | an address of a file      | "file://$OUTSIDE/outside" |

    @WD-SEC-01-08
    Scenario: the root of the file system is not walked
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "/"}
      Then by AMB-WD-10 the answer is one of
        | reading  | entries                      | result  |
        | refused  |                              | no list |
        | accepted |                              | no list |
        | joined   | walktest, walktest/file1.txt |         |

    @WD-SEC-01-105
    Scenario: the sandbox of an earlier call is outside of a later one
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret}"
      And the context {"roots": ["$OUTSIDE/outside"], "working_dir": "$OUTSIDE/outside"}
      When FS.WalkDir is called with {"path": "."}
      Given the context {"roots": ["$ROOT"], "working_dir": "$ROOT"}
      When FS.WalkDir is called again with {"path": "../outside"}
      Then the result is nil, or the call fails

    # The sandbox is named root.
    @WD-SEC-01-103 @needs:case_sensitive @behaviour:BEH-01
    Scenario: a neighbour that differs in case only is outside
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "ROOT/{secret}"
      When FS.WalkDir is called with {"path": "../ROOT"}
      Then the result is nil, or the call fails

  @WD-SEC-02
  Rule: the walk stays inside, wherever its start leads

    @interpretation:AMB-WD-07 @interpretation:AMB-WD-30 @behaviour:BEH-01
    Scenario Outline: a directory outside is not walked: <case>
      Given the tree "<tree>, walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret, od/{deep}}, root2/{secret, od/{deep}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the result is nil, or the call fails

      Examples:
        | id           | case                                              | tree                 | path        |
        | WD-SEC-02-01 | a link on the way                                 | l->../outside        | l/od        |
        | WD-SEC-02-02 | an absolute link                                  | l->$OUTSIDE/outside  | l/od        |
        | WD-SEC-02-03 | a link to a neighbour whose name begins alike     | l->../root2          | l/od        |
        | WD-SEC-02-04 | two links                                         | l->m, m->../outside  | l/od        |
        | WD-SEC-02-05 | a link further down                               | d/{l->../../outside} | d/l/od      |
        | WD-SEC-02-06 | a link to the folder of the sandbox               | l->..                | l/outside   |
        | WD-SEC-02-106 | what is missing behind a link that leads out      | l->../outside       | l/nope      |
        | WD-SEC-02-17 | below a neighbour whose name begins alike, no link | z                   | ../root2/od |

    @WD-SEC-02-101 @needs:case_sensitive
    Scenario: a link to a neighbour that differs in case only leads out
      Given the tree "l->../ROOT, walktest/{file1.txt=9}"
      And beside the sandbox the tree "ROOT/{secret, od/{deep}}"
      When FS.WalkDir is called with {"path": "l/od"}
      Then the result is nil, or the call fails

    # To the letter of the steps, the look finds a directory, and the walk a link with nothing below it (AMB-WD-06).
    @behaviour:BEH-01
    Scenario Outline: a start that is a link leading out lists nothing: <case>
      Given the tree "<tree>, walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret, od/{deep}}, root2/{secret}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then no list with an entry is returned

      Examples:
        | id           | case                             | tree                  | path |
        | WD-SEC-02-07 | beside                           | l->../outside         | l    |
        | WD-SEC-02-08 | by an absolute link              | l->$OUTSIDE/outside   | l    |
        | WD-SEC-02-09 | a system directory               | l->/etc               | l    |
        | WD-SEC-02-10 | one that begins alike            | l->../root2           | l    |
        | WD-SEC-02-12 | with a slash behind it           | l->../outside         | l/   |
        | WD-SEC-02-13 | with a dot behind it             | l->../outside         | l/.  |
        | WD-SEC-02-16 | by two links                     | l->m, m->../outside   | l    |

    # With the sandbox for the root the link leads to the sandbox itself.
    @WD-SEC-02-11
    Scenario: a start that is a link to the folder of the sandbox lists nothing from there
      Given the tree "l->.., walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{secret, od/{deep}}, root2/{secret}"
      When FS.WalkDir is called with {"path": "l"}
      Then the answer is one of
        | entries                         | result  |
        |                                 | no list |
        | ""                              |         |
        | l, walktest, walktest/file1.txt |         |

    @WD-SEC-02-102
    Scenario: a way that was inside when it was walked, and leads out by now
      Given the tree "d/{od/{x}}, walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{od/{deep}}"
      When FS.WalkDir is called with {"path": "d/od"}
      And "d" has been renamed
      And the tree gets "d->../outside"
      And FS.WalkDir is called again with {"path": "d/od"}
      Then the result is nil, or the call fails

    # As text, two dots cancel the link before them; on the disk they lead above what it leads to. Either is right
    # (AMB-WD-14); what is checked and what is walked are the same place.
    Scenario Outline: two dots behind a link that leads out: <case>
      Given the tree "l->../outside/sub, od/{x}"
      And beside the sandbox the tree "outside/{sub/{secret}, od/{deep}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the answer is one of
        | entries   | result  |
        | <entries> |         |
        |           | no list |

      Examples:
        | id            | case              | path    | entries     |
        | WD-SEC-02-103 | to the sandbox    | l/..    | l, od, od/x |
        | WD-SEC-02-104 | to a name of both | l/../od | x           |

    # Relative to the sandbox the path names nothing outside, but a walk can go there.
    @WD-SEC-02-105
    Scenario: a name that only the working directory of the process has
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "outside/{od/{deep}}"
      And the candidate's process has {"cwd": "$OUTSIDE/outside"}
      When FS.WalkDir is called with {"path": "od"}
      Then the result is nil
