@fs_walkdir
Feature: Whatever goes wrong is nil

  @WD-ERR-01
  Rule: an error gives nil, and a script goes on after nil

    @WD-ERR-01-12
    Scenario: a second error in a row is nil as the first one is
      Given the tree "walktest/{file1.txt=9}, f=1"
      When FS.WalkDir is called with {"path": "f"}
      And FS.WalkDir is called again with {"path": "f"}
      Then by AMB-WD-23 the result is nil, or the call fails

    @WD-ERR-01-10
    Scenario: a script goes on after a missing directory
      Given the tree "walktest/{file1.txt=9}"
      When the script "going-on" is run
      Then the script emits, in any order
        """
        before
        after
        """

    @WD-ERR-01-16
    Scenario: a script goes on after an error
      Given the tree "walktest/{file1.txt=9}, f=1"
      When the script "going-on-after-an-error" is run
      Then the script emits, in any order
        """
        before
        after
        """

  @WD-ERR-02
  Rule: a path that fails its validation

    Scenario Outline: a path that is not valid is nil: <case>
      Given the tree "a/{b}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": <path>}
      Then the result is nil, or the call fails

      Examples:
        | id           | case            | path             |
        | WD-ERR-02-04 | a NUL in it     | "a\u0000b"       |
        | WD-ERR-02-05 | a NUL behind it | "walktest\u0000" |

    @WD-ERR-02-08
    Scenario: a path that leads two levels up, and on to a name that is here
      Given the tree "a/{b}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "../../walktest"}
      Then by AMB-WD-30 the answer is one of
        | reading | entries   | result  |
        | refused |           | no list |
        | rooted  | file1.txt |         |

  @WD-ERR-03
  Rule: a start that is not there

    @behaviour:BEH-07
    Scenario Outline: a missing start is nil: <case>
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the result is nil

      Examples:
        | id           | case                               | path           |
        | WD-ERR-03-01 | the document's second example      | no_such_dir    |
        | WD-ERR-03-02 | below a directory                  | walktest/nope  |
        | WD-ERR-03-03 | below what is missing              | nope/a/b       |
        | WD-ERR-03-06 | the beginning of a name            | walk           |
        | WD-ERR-03-08 | a name with a blank behind it      | walktest\u0020 |
        | WD-ERR-03-12 | a name with a line break behind it | walktest\\n    |
        | WD-ERR-03-13 | a name with a star                 | walk*          |
        | WD-ERR-03-14 | a name with a question mark        | walktes?       |
        | WD-ERR-03-15 | a name with a set                  | [w]alktest     |

    # The spelling may be refused (AMB-WD-14).
    @WD-ERR-03-11
    Scenario: a missing start with a slash behind it gives no list
      Given the tree "walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "no_such_dir/"}
      Then the result is nil, or the call fails

    # A link to nothing is there, and what it leads to is not: it is missing, or a link that is refused or is empty.
    Scenario Outline: a start by way of a link to nothing gives no entries: <case>
      Given the tree "walktest/{file1.txt=9}, l->nope, m->nope/deeper"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the answer is one of
        | result | fails     | count |
        | nil    |           |       |
        |        | any error |       |
        |        |           | 0     |

      Examples:
        | id           | case                               | path           |
        | WD-ERR-03-04 | a dangling link                    | l              |
        | WD-ERR-03-05 | below a dangling link              | l/x            |
        | WD-ERR-03-07 | a link to what is below nothing    | m              |

    @needs:case_sensitive
    Scenario Outline: a start that is there in another case only is nil: <path>
      Given the tree "Walk/{a}, d/{Sub/{b}}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the result is nil

      Examples:
        | id           | path  |
        | WD-ERR-03-09 | walk  |
        | WD-ERR-03-10 | d/sub |

    # The sandbox may be looked at before its path is checked, so that the error is one of the validation.
    Scenario Outline: in a sandbox that is not there every start is nil: <path>
      Given the tree "walktest/{file1.txt=9}"
      And beside the sandbox the tree "other/{x}"
      And the context {"roots": ["$OUTSIDE/none"], "working_dir": "$OUTSIDE/none"}
      When FS.WalkDir is called with {"path": "<path>"}
      Then the result is nil, or the call fails

      Examples:
        | id           | path     |
        | WD-ERR-03-17 | .        |
        | WD-ERR-03-18 | walktest |

  @WD-ERR-04
  Rule: a start that cannot be looked at

    @returns
    Scenario Outline: a start that cannot be looked at is nil: <case>
      Given the tree "<tree>, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-23 the result is nil, or the call fails

      Examples:
        | id           | case                                            | tree              | path              |
        | WD-ERR-04-01 | below a file                                    | f=1               | f/x               |
        | WD-ERR-04-02 | below an unsearchable directory                 | c/%0000{in/{f=1}} | c/in              |
        | WD-ERR-04-03 | below one that can only be read                 | c/%0444{in/{f=1}} | c/in              |
        | WD-ERR-04-04 | a link to itself                                | l->l              | l                 |
        | WD-ERR-04-05 | links in a circle                               | m->n, n->m        | m/x               |
        | WD-ERR-04-06 | a name that is too long                         | f                 | $('a'*256)        |
        | WD-ERR-04-07 | a path that is too long                         | f                 | $('./'*3000)f/x   |
        | WD-ERR-04-08 | below one without content that can only be read | c/%0444           | c/in              |
        | WD-ERR-04-09 | a link into an unsearchable directory           | c/%0000{in/{f=1}}, d/{l->../c/in} | d/l |

  @WD-ERR-05
  Rule: a start that is no directory

    @returns @behaviour:BEH-07
    Scenario Outline: a start that is no directory is nil: <case>
      Given the tree "f=1, z, l->f, p:fifo, s:sock, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-23 the result is nil, or the call fails

      Examples:
        | id           | case                       | path               |
        | WD-ERR-05-01 | a file                     | f                  |
        | WD-ERR-05-02 | a file with a slash behind | f/                 |
        | WD-ERR-05-03 | a link to a file           | l                  |
        | WD-ERR-05-04 | a FIFO                     | p                  |
        | WD-ERR-05-05 | a socket                   | s                  |
        | WD-ERR-05-06 | a file further down        | walktest/file1.txt |
        | WD-ERR-05-07 | a file without content     | z                  |

  @WD-ERR-06
  Rule: an error during the walk ends it, or costs just the part that cannot be read

    @interpretation:AMB-WD-08
    Scenario Outline: the walk ends, or leaves out a part: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-24 and AMB-WD-23 the answer is one of
        | reading | AMB-WD-23 | result | fails     | entries  |
        | skipped |           |        |           | <listed> |
        | skipped |           |        |           | <left>   |
        | nil     | nil       | nil    |           |          |
        | nil     | error     |        | any error |          |

      Examples: closed directories
        | id           | case                              | tree                                    | listed         | left    |
        | WD-ERR-06-01 | a directory that may not be read  | a/{1}, locked/%0000{x}, z               | a, a/1, locked, z | a, a/1, z |
        | WD-ERR-06-02 | one that may be searched only     | a/{1}, locked/%0111{x}, z               | a, a/1, locked, z | a, a/1, z |
        | WD-ERR-06-03 | an empty one that may not be read | a/{1}, locked/%0000, z                  | a, a/1, locked, z | a, a/1, z |
        | WD-ERR-06-04 | names without metadata            | a/{1}, locked/%0444{x}, z               | a, a/1, locked, z | a, a/1, z |
        | WD-ERR-06-05 | far down                          | a/{b/{c/{locked/%0000{x}}}}, z          | a, a/b, a/b/c, a/b/c/locked, z | a, a/b, a/b/c, z |
        | WD-ERR-06-14 | in two places                     | a/{k/%0000{x}, c/{d}}, b/{k/%0000{x}, e/{f}} | a, a/c, a/c/d, a/k, b, b/e, b/e/f, b/k | a, a/c, a/c/d, b, b/e, b/e/f |

    # A tool need not make the call that fails, and small directories are read at once: the list is complete then.
    Scenario Outline: the walk ends, leaves out a part, or does not meet the fault: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-24 and AMB-WD-23 the answer is one of
        | reading | AMB-WD-23 | result | fails     | entries  |
        | skipped |           |        |           | <listed> |
        | skipped |           |        |           | <left>   |
        | nil     | nil       | nil    |           |          |
        | nil     | error     |        | any error |          |
        |         |           |        |           | <all>    |

      Examples:
        | id           | case                               | tree                | listed    | left | all              |
        | WD-ERR-06-10 | the metadata of an entry           | a, bad!L, c         | a, c      | a, c | a, bad, c        |
        | WD-ERR-06-11 | the reading of a directory         | a, bad/!R=EIO{x}, c | a, bad, c | a, c | a, bad, bad/x, c |
        | WD-ERR-06-12 | the reading of a directory half way | a, bad/!R2{x}, c   | a, bad, c | a, c | a, bad, bad/x, c |

    Scenario Outline: a start that cannot be read is nil or empty: <case>
      Given the tree "t/<tree>"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-24 and AMB-WD-01 the answer is one of
        | reading | AMB-WD-01 | result  | entries |
        | nil     |           | no list |         |
        | skipped | list      |         | ""      |
        | skipped | nil       | no list |         |

      Examples:
        | id           | case                                | tree     |
        | WD-ERR-06-06 | the start itself may not be read    | %0000{x} |
        | WD-ERR-06-07 | the start may be searched only      | %0311{x} |
        | WD-ERR-06-08 | names of the start without metadata | %0444{x} |

    # An empty directory has no entries whose metadata could be missing, but a tool may look at the directory from inside.
    @WD-ERR-06-09
    Scenario: an empty directory that may be read and not searched
      Given the tree "t/{a, e/%0444, z}"
      When FS.WalkDir is called with {"path": "t"}
      Then the answer is one of
        | result  | entries |
        |         | a, e, z |
        |         | a, z    |
        | no list |         |

    @WD-ERR-06-13
    Scenario: an entry that is gone when its turn comes is left out, or ends the walk
      Given the tree "t/{a, bad!L=ENOENT, c}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-19 the answer is one of
        | reading | entries | result  |
        | skipped | a, c    |         |
        | nil     |         | no list |
        |         | a, bad, c |       |

    # Twenty names of 250 bytes: the absolute path exceeds PATH_MAX (4096) during the walk.
    @WD-WALK-01-14
    Scenario: paths longer than the system takes are walked, or end the walk
      Given the tree
        """
        t/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/}}}}}}}}}}}}}}}}}}}, z}
        """
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-20 and AMB-WD-24 the answer is one of
        | reading | AMB-WD-24 | include | count                                | result  |
        | walked  |           | z       | 21                                   |         |
        | nil     | nil       |         |                                      | no list |
        | nil     | skipped   | z       | [12, 13, 14, 15, 16, 17, 18, 19, 20] |         |
