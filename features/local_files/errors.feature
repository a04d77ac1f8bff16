@local_files
Feature: What is no directory is an error, and no empty list

  @LF-ERR-01
  Rule: a path that cannot be listed is an error

    @behaviour:BEH-07
    Scenario Outline: <case>
      Given the tree "<tree>, in/{x}"
      When listDirectory is called with {"path": "$ROOT/<path>"}
      Then the call fails with any error

      Examples:
        | id           | case                              | tree                 | path    |
        | LF-ERR-01-01 | a file                            | f=1                  | f       |
        | LF-ERR-01-02 | something below a file            | f=1                  | f/x     |
        | LF-ERR-01-03 | a missing name                    | f=1                  | nope    |
        | LF-ERR-01-04 | something below a missing name    | f=1                  | nope/a  |
        | LF-ERR-01-05 | a directory that may not be read  | d/%0000{y}           | d       |
        | LF-ERR-01-06 | one that may be searched only     | d/%0311{y}           | d       |
        | LF-ERR-01-07 | an empty one that may not be read | d/%0000              | d       |
        | LF-ERR-01-08 | below an unsearchable directory   | d/%0600{e/{y}}       | d/e     |
        | LF-ERR-01-09 | a link to nothing                 | l->gone              | l       |
        | LF-ERR-01-10 | a link to a file                  | f=1, l->f            | l       |
        | LF-ERR-01-32 | a file without content            | z                    | z       |
        | LF-ERR-01-11 | a link to itself                  | l->l                 | l       |
        | LF-ERR-01-13 | a socket                          | s:sock               | s       |
        | LF-ERR-01-14 | the beginning of a name           | inner/{y}            | inne    |

    @LF-ERR-01-31 @needs:case_sensitive
    Scenario: a name that is there in another case only
      Given the tree "Inner/{y}, in/{x}"
      When listDirectory is called with {"path": "$ROOT/inner"}
      Then the call fails with any error

    @LF-ERR-01-33 @needs:mknod
    Scenario: a device
      Given the tree "c:chr, in/{x}"
      When listDirectory is called with {"path": "$ROOT/c"}
      Then the call fails with any error

    Scenario Outline: a path that can be none: <case>
      Given the tree "in/{x}"
      When listDirectory is called with {"path": <path>}
      Then the call fails with any error

      Examples:
        | id           | case                     | path                     |
        | LF-ERR-01-15 | with a NUL               | "$ROOT/in\u0000"         |
        | LF-ERR-01-16 | with a name too long     | "$ROOT/$('a'*256)"       |
        | LF-ERR-01-17 | too long for the system  | "$ROOT/$('a/'*3000)"     |

    Scenario Outline: wrong arguments: <case>
      Given the tree "in/{x}, 1/{y}, undefined/{y}, null/{y}, None/{y}, nil/{y}"
      When listDirectory is called with exactly <arguments>
      Then the call fails with any error

      Examples:
        | id           | case               | arguments            |
        | LF-ERR-01-18 | none               | {}                   |
        | LF-ERR-01-19 | a number           | {"path": 1}          |
        | LF-ERR-01-20 | null               | {"path": null}       |
        | LF-ERR-01-21 | a list             | {"path": ["$ROOT"]}  |
        | LF-ERR-01-27 | a truth value      | {"path": true}       |
        | LF-ERR-01-34 | a false one        | {"path": false}      |

    Scenario Outline: wrong arguments of a search: <case>
      Given the tree "in/{x}, 1/{y}"
      When findFiles is called with exactly <arguments>
      Then the call fails with any error

      Examples:
        | id           | case               | arguments                                      |
        | LF-ERR-01-28 | no path            | {"recursive": true, "glob": "**/*"}            |
        | LF-ERR-01-29 | a number as path   | {"path": 1, "recursive": true, "glob": "**/*"} |
        | LF-ERR-01-30 | null as path       | {"path": null, "recursive": true, "glob": "**/*"} |

    @LF-ERR-01-22
    Scenario: names that can be read, and metadata that cannot
      Given the tree "d/%0444{y}, in/{x}"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the call fails with any error

    Scenario Outline: a directory whose reading <case>
      Given the tree "<tree>, in/{x}"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the call fails with any error

      Examples:
        | id            | case                          | tree                |
        | LF-ERR-01-23  | fails                         | d/!R=EIO{y}         |
        | LF-ERR-01-301 | breaks off                    | d/!R2{x, y}         |
        | LF-ERR-01-303 | breaks off, of a long one     | d/!R2{f0000..f2999} |

    Scenario Outline: no directory by a path <way>
      Given the tree "d/, f=1, loop->loop, p:fifo, m->., empty/, locked/%0000{x}, closed/%0600{x}"
      When listDirectory is called with {"path": "<start>empty<end>"}
      And listDirectory is called again with {"path": "<start>locked<end>"}
      And listDirectory is called again with {"path": "<start>f<end>"}
      And listDirectory is called again with {"path": "<start>p<end>"}
      And listDirectory is called again with {"path": "<start>gone<end>"}
      And listDirectory is called again with {"path": "<start>loop<end>"}
      And listDirectory is called again with {"path": "<start>f/x<end>"}
      And listDirectory is called again with {"path": "<start>closed/x<end>"}
      Then the answer is right, for example "an error"

      Examples:
        | id            | way                    | start       | end |
        | LF-ERR-01-401 | with a slash behind it | $ROOT/      | /   |
        | LF-ERR-01-402 | with a dot             | $ROOT/./    |     |
        | LF-ERR-01-403 | with two slashes       | $ROOT//     |     |
        | LF-ERR-01-404 | with a step up         | $ROOT/d/../ |     |
        | LF-ERR-01-405 | through a link         | $ROOT/m/    |     |
        | LF-ERR-01-406 | that is relative       |             |     |

    @LF-ERR-01-302
    Scenario: an entry whose metadata the disk cannot read
      Given the tree "a, bad!L=EIO, c"
      When listDirectory is called with {"path": "$ROOT"}
      Then the call fails with any error

    @behaviour:BEH-07
    Scenario Outline: a search below <case>
      Given the tree "f=1, in/{x}, d/%0000{y}"
      When findFiles is called with {"path": "$ROOT/<path>", "recursive": true, "glob": "**/*"}
      Then the call fails with any error

      Examples:
        | id           | case                             | path |
        | LF-ERR-01-24 | a file                           | f    |
        | LF-ERR-01-25 | a missing name                   | nope |
        | LF-ERR-01-26 | a directory that may not be read | d    |

  @LF-ERR-03
  Rule: an error names its path

    Scenario Outline: the message about <case>
      Given the tree "f=1, d/%0000{y}, l->gone, m->f, in/{x}"
      When listDirectory is called with {"path": "$ROOT/<path>"}
      Then the call fails and names "$ROOT/<path>"

      Examples:
        | id           | case                                     | path        |
        | LF-ERR-03-01 | a file                                   | f           |
        | LF-ERR-03-02 | a missing name                           | nope        |
        | LF-ERR-03-03 | a directory that may not be read         | d           |
        | LF-ERR-03-07 | a missing name in other scripts          | é文         |
        | LF-ERR-03-08 | a missing name of two hundred characters | $('n'*200)  |
        | LF-ERR-03-09 | a link to nothing                        | l           |
        | LF-ERR-03-10 | a link to a file                         | m           |

    Scenario Outline: the message of a search below <case>
      Given the tree "f=1, in/{x}"
      When findFiles is called with {"path": "$ROOT/<path>", "recursive": <recursive>, "glob": "**/*"}
      Then the call fails and names "$ROOT/<path>"

      Examples:
        | id           | case                              | path | recursive |
        | LF-ERR-03-04 | a file                            | f    | true      |
        | LF-ERR-03-05 | a missing name                    | nope | true      |
        | LF-ERR-03-06 | a missing name, without recursion | nope | false     |

  @LF-ERR-02
  Rule: a malformed glob is an error

    Scenario Outline: malformed: <glob>
      Given the tree "a=1, in/{x}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the answer is one of
        | entries | fails     |
        |         | any error |
        | ""      |           |

      Examples:
        | id           | glob    |
        | LF-ERR-02-01 | {a      |

    # Where the sign is a character like others, at least if nothing closes it, the glob is the name of a file.
    Scenario Outline: malformed, or the name of a file: <glob>
      Given the tree "w/{'<name>', a, x}, in/{x}"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the answer is one of
        | entries    | fails     |
        |            | any error |
        | 'w/<name>' |           |

      Examples:
        | id           | glob    | name |
        | LF-ERR-02-03 | **/{x,y | {x,y |
        | LF-ERR-02-06 | **/[a   | [a   |

    Scenario Outline: malformed: <case>
      Given the tree "a=1, in/{x}"
      When findFiles is called with {"path": "$ROOT", "recursive": <recursive>, "glob": "<glob>"}
      Then the answer is one of
        | entries | fails     |
        |         | any error |
        | ""      |           |

      Examples:
        | id           | case                                         | recursive | glob  |
        | LF-ERR-02-02 | a set that does not close                    | true      | [a    |
        | LF-ERR-02-07 | a range from its end to its start            | true      | [z-b] |
        | LF-ERR-02-12 | a set that does not close, without recursion | false     | [a    |

    Scenario Outline: arguments of a search: <case>
      Given the tree "a=1, in/{x}"
      When findFiles is called with exactly <arguments>
      Then the call fails with any error

      Examples:
        | id           | case              | arguments                                             |
        | LF-ERR-02-04 | no glob           | {"path": "$ROOT", "recursive": true}                  |
        | LF-ERR-02-05 | a glob of no text | {"path": "$ROOT", "recursive": true, "glob": null}    |
        | LF-ERR-02-08 | a number as glob  | {"path": "$ROOT", "recursive": true, "glob": 1}       |
        | LF-ERR-02-09 | a list of globs   | {"path": "$ROOT", "recursive": true, "glob": ["**/*"]} |
        | LF-ERR-02-13 | an object as glob | {"path": "$ROOT", "recursive": true, "glob": {}}      |
        | LF-ERR-02-14 | false as glob     | {"path": "$ROOT", "recursive": true, "glob": false}   |
