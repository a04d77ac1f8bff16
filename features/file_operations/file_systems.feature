@file_operations
Feature: From one file system to another

  # $FAR is a second sandbox root that is really on another file system; `far` in the first root is a link to it.
  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-MV-04
  Rule: where renaming cannot do it, a file is copied and then deleted

    Scenario Outline: to another file system: <what>
      Given at $FAR, on another file system, the tree "<there>"
      And the tree "<tree>"
      When move is called with <arguments>
      Then the call succeeds and leaves "far->$FAR<left>", and at $FAR "<got>"

      Examples:
        | id          | what                  | there   | tree                                        | arguments                                   | left      | got                            |
        | FO-MV-04-01 | under a new name      |         | a="A", far->$FAR                            | {"source": "a", "destination": "far/b"}     |           | b="A"                          |
        | FO-MV-04-02 | beside another file   | k="K"   | a="A", far->$FAR                            | {"source": "a", "destination": "far/a"}     |           | a="A", k="K"                   |
        | FO-MV-04-03 | an empty file         |         | a, far->$FAR                                | {"source": "a", "destination": "far/b"}     |           | b                              |
        | FO-MV-04-05 | into a subdirectory   | s/      | x/{a="A"}, far->$FAR                        | {"source": "x/a", "destination": "far/s/a"} | , x/      | s/{a="A"}                      |
        | FO-MV-04-07 | a file of two names   |         | a="A", h=>a, far->$FAR                      | {"source": "a", "destination": "far/b"}     | , h="A"   | b="A"                          |
        | FO-MV-04-108 | into a directory     | s/{k="K"} | a="A", far->$FAR                          | {"source": "a", "destination": "far/s"}     |           | s/{a="A", k="K"}               |
        | FO-MV-04-301 | a name of 255 bytes |   | 'n'*255="A", far->$FAR | {"source": "$('n'*255)", "destination": "far/$('n'*255)"} | | 'n'*255="A" |
        | FO-MV-04-302 | a file that nobody may write to | | a="A"%0444, far->$FAR | {"source": "a", "destination": "far/b"} | | b="A" |

    # A mount in the sandbox: no second root, and no link in the path.
    @FO-MV-04-24
    Scenario: to a file system that is mounted in the sandbox
      Given the tree "a="A", far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far/{b="A", k="K"}"

    @FO-MV-04-08
    Scenario: back from another file system
      Given at $FAR, on another file system, the tree "a="A", k="K""
      And the tree "b="B", far->$FAR"
      When move is called with {"source": "far/a", "destination": "a"}
      Then the call succeeds and leaves "a="A", b="B", far->$FAR", and at $FAR "k="K""

    @FO-MV-04-09
    Scenario: a file there is overwritten where that is asked for
      Given at $FAR, on another file system, the tree "b="OLDER""
      And the tree "a="NEW", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then a control call moves a file onto another
      And the call succeeds and leaves "far->$FAR", and at $FAR "b="NEW""

    @FO-MV-04-25
    Scenario: in a directory there a file of that name is overwritten where that is asked for
      Given at $FAR, on another file system, the tree "a="OLDEST", s/{a="OLDER", k="K"}"
      And the tree "a="NEW", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/s", "overwrite": true}
      Then a control call moves a file onto another
      And a control call moves a file into a directory
      And the call succeeds and leaves "far->$FAR", and at $FAR "a="OLDEST", s/{a="NEW", k="K"}"

    Scenario Outline: files there that look like unfinished copies are the user's: <what>
      Given at $FAR, on another file system, the tree "<old>b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", a="8", a.tmp="9""
      And the tree "a="NEW", a.tmp="0", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then a control call moves a file onto another
      And the call succeeds and leaves "a.tmp="0", far->$FAR", and at $FAR "b="NEW", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", a="8", a.tmp="9""

      Examples:
        | id          | what                 | old        |
        | FO-MV-04-26 | under a new name     |            |
        | FO-MV-04-27 | where one is replaced | b="OLDER", |

    @FO-MV-04-10 @also:FR-FOPS-MV-03
    Scenario: a file there is not overwritten where that is not asked for
      Given at $FAR, on another file system, the tree "b="OLDER""
      And the tree "a="NEW", far->$FAR"
      When move is called with {"source": "a", "destination": "far/b"}
      Then a control call moves nothing onto a file
      And the call fails with any error and changes nothing
      And a control call moves a file

    # The system reports another file system, wherever the destination is; a tool may compare the devices instead.
    @prudent
    Scenario Outline: renaming fails with EXDEV: <what>
      Given the tree "<tree>"
      And renaming "a" fails with EXDEV
      When move is called with <arguments>
      Then the call succeeds and leaves "<left>"

      Examples:
        | id          | what             | tree       | arguments                             | left        |
        | FO-MV-04-16 | a new name       | a="A"      | {"source": "a", "destination": "b"}   | b="A"       |
        | FO-MV-04-17 | a large file     | a="0123456789abcdef\\n"*50000 | {"source": "a", "destination": "b"} | b="0123456789abcdef\\n"*50000 |

    # The document speaks of another file system only: the move is done all the same, or not begun.
    @interpretation:AMB-FO-23
    Scenario Outline: renaming fails with <error>: the whole move, or none
      Given the tree "a="A", d/"
      And renaming "a" fails with <error>
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call either leaves "d/{b="A"}", or fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id          | error  |
        | FO-MV-04-18 | EACCES |
        | FO-MV-04-19 | EPERM  |
        | FO-MV-04-20 | EIO    |
        | FO-MV-04-21 | ENOSPC |
        | FO-MV-04-22 | EROFS  |

  @DFO-01
  Rule: what was moved to another file system is there as it was, with all that it had

    Scenario Outline: the bytes of a file on another file system: <what>
      Given at $FAR, on another file system, the tree "<there>"
      And the tree "<tree>"
      When move is called with <arguments>
      Then the call succeeds and leaves "far->$FAR<left>", and at $FAR "<got>"

      Examples:
        | id          | what                  | there   | tree                                        | arguments                                   | left      | got                            |
        | FO-MV-04-04 | a large file          |         | a="0123456789abcdef\\n"*50000, far->$FAR    | {"source": "a", "destination": "far/b"}     |           | b="0123456789abcdef\\n"*50000  |
        | FO-MV-04-06 | bytes that are no text |        | a="\\x00\\xff\\r\\n", far->$FAR             | {"source": "a", "destination": "far/b"}     |           | b="\\x00\\xff\\r\\n"           |
        | FO-MV-04-101 | two pages to the byte |        | a="x"*8192, far->$FAR                       | {"source": "a", "destination": "far/b"}     |           | b="x"*8192                     |
        | FO-MV-04-106 | a block of 64 KiB    |         | a="x"*65536, far->$FAR                      | {"source": "a", "destination": "far/b"}     |           | b="x"*65536                    |
        | FO-MV-04-107 | a mark of the byte order |     | a="\\xef\\xbb\\xbfA\\r\\n", far->$FAR        | {"source": "a", "destination": "far/b"}     |           | b="\\xef\\xbb\\xbfA\\r\\n"      |
        | FO-MV-04-102 | a byte more than a mebibyte |  | a="0123456789abcdef\\n"*61681, far->$FAR    | {"source": "a", "destination": "far/b"}     |           | b="0123456789abcdef\\n"*61681  |

    @FO-D01-302
    Scenario: a shorter file takes the place of a longer one on another file system
      Given at $FAR, on another file system, the tree "b="OLDER AND LONGER""
      And the tree "a="N", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then a control call moves a file onto another
      And the call succeeds and leaves "far->$FAR", and at $FAR "b="N""

    Scenario Outline: a directory with <what> that may not be read does not lose it
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call fails with any error and loses nothing
      And a control call moves a file

      Examples:
        | id           | what        | tree                      |
        | FO-MV-04-28  | a file      | d/{f="F", g="G"%0000}     |
        | FO-MV-04-109 | a directory | d/{f="F", s/%0000{g="G"}} |

    Scenario Outline: a directory, completely or not at all: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves     | at $FAR              |
        | error    | any error, nothing lost |            |                      |
        | complete |                         | far->$FAR  | <got>, k="K"         |
      And a control call moves a file

      Examples:
        | id          | what             | tree                       | got                        |
        | FO-MV-04-11 | with files in it | d/{f="F", s/{g="G"}}       | e/{f="F", s/{g="G"}}       |
        | FO-MV-04-12 | empty            | d/                         | e/                         |
        | FO-MV-04-23 | with names that tools like to skip | d/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}} | e/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}} |

    # Links may be kept, followed or refused (AMB-FO-45); what they lead to stays outside.
    @interpretation:AMB-FO-45
    Scenario Outline: a directory with links, completely or not at all: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves     | at $FAR              |
        | error    | any error, nothing lost |            |                      |
        | complete | any error, nothing lost |            |                      |
        | complete |                         | far->$FAR  | <got>, k="K"         |
      And a control call moves a file

      Examples:
        | id          | what          | tree                       | got                        |
        | FO-MV-04-13 | one dangling  | d/{f="F", l->f, m->nope}   | e/{f="F", l->f, m->nope}   |

    @returns
    Scenario Outline: what is no file neither hangs nor becomes one: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>, far->$FAR"
      When move is called with {"source": "p", "destination": "far/q"}
      Then the call either leaves "far->$FAR", and at $FAR "<got>, k="K"", or fails with any error and loses nothing
      And a control call moves a file

      Examples:
        | id          | what         | tree   | got    |
        | FO-MV-04-14 | a named pipe | p:fifo | q:fifo |
        | FO-MV-04-15 | a socket     | p:sock | q:sock |

  @DFO-08
  Rule: permissions survive a copy, and a move to another file system

    Scenario Outline: a copy keeps the permissions <mode>
      Given the tree "a="A"%<mode>"
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A"%<mode>, b="A"%<mode>"

      Examples:
        | id        | mode |
        | FO-D08-01 | 0666 |
        | FO-D08-02 | 0777 |
        | FO-D08-03 | 0600 |
        | FO-D08-04 | 0444 |

    Scenario Outline: a move to another file system keeps the permissions <mode>
      Given at $FAR, on another file system, the tree ""
      And the tree "a="A"%<mode>, far->$FAR"
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="A"%<mode>"

      Examples:
        | id        | mode |
        | FO-D08-05 | 0666 |
        | FO-D08-06 | 0750 |
        | FO-D08-07 | 0444 |

    @FO-D08-08 @interpretation:AMB-FO-10
    Scenario: a move to another file system keeps the modification time
      Given at $FAR, on another file system, the tree ""
      And the tree "a="A"@1000000000123, far->$FAR"
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="A"@1000000000123"

    @FO-D08-09
    Scenario: a move keeps permissions and modification time
      Given the tree "a="A"%0666@1000000000123, d/%0750@1000000000456{f="F"%0777}"
      When move is called with {"source": "d", "destination": "e"}
      Then the call succeeds and leaves "a="A"%0666@1000000000123, e/%0750{f="F"%0777}"

    @FO-D08-10
    Scenario: a move onto a file brings its permissions along
      Given the tree "a="NEW"%0600, b="OLD"%0666"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "b="NEW"%0600"

    @FO-D08-106
    Scenario: a copy onto a file brings its permissions along
      Given the tree "a="NEW"%0600, b="OLD"%0666"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "a="NEW"%0600, b="NEW"%0600"

    @FO-D08-101
    Scenario: a move onto a file brings its modification time along
      Given the tree "a="NEW"@1000000000123, b="OLD""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "b="NEW"@1000000000123"

    @FO-D08-102
    Scenario: a directory keeps its modification time
      Given the tree "d/@1000000000123{f="F"}"
      When move is called with {"source": "d", "destination": "e"}
      Then the call succeeds and leaves "e/@1000000000123{f="F"}"

    # The file with the same time at $FAR shows that the other file system supports such times.
    @interpretation:AMB-FO-10
    Scenario Outline: a move to another file system keeps a modification time <when>
      Given at $FAR, on another file system, the tree "k="K"@<time>"
      And the tree "a="A"@<time>, far->$FAR"
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="A"@<time>, k="K"@<time>"

      Examples:
        | id         | when                   | time          |
        | FO-D08-103 | before 1970            | -86400000     |
        | FO-D08-104 | that 31 bits cannot hold | 4102444800000 |

    @FO-D08-105 @interpretation:AMB-FO-10
    Scenario: a move onto a file of another file system brings permissions and modification time along
      Given at $FAR, on another file system, the tree "b="OLD"%0666"
      And the tree "a="NEW"%0600@1000000000123, far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="NEW"%0600@1000000000123"

    @FO-D08-110 @interpretation:AMB-FO-10
    Scenario: an empty file keeps its modification time on the way to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a@1000000000500, far->$FAR"
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b@1000000000500, k="K""

    @FO-D08-111
    Scenario: a directory that is copied keeps the permissions of all that is in it
      Given the tree "d/%0750{f="F"%0640, s/%0711{g="G"%0755}}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails     | leaves |
        | error    | any error |        |
        | complete |           | d/%0750{f="F"%0640, s/%0711{g="G"%0755}}, e/%0750{f="F"%0640, s/%0711{g="G"%0755}} |
      And a control call copies a file

    # Quarters of a second: a floating-point number of seconds has them exactly.
    @FO-D08-112
    Scenario: a directory that goes to another file system keeps permissions and times of all that is in it
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/%0750@1000000000250{f="F"%0640@1000000000500, s/%0711@1000000000750{g="G"%0755@1000000001000}}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails     | leaves    | at $FAR |
        | error    | any error |           |         |
        | complete |           | far->$FAR | e/%0750@1000000000250{f="F"%0640@1000000000500, s/%0711@1000000000750{g="G"%0755@1000000001000}}, k="K" |
      And a control call moves a file

    Scenario Outline: a move keeps the permissions <mode>
      Given the tree "a="A"%<mode>"
      When move is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A"%<mode>"

      Examples:
        | id         | mode |
        | FO-D08-107 | 0666 |
        | FO-D08-108 | 0711 |

    @FO-D08-109
    Scenario: a file that is moved into a directory keeps permissions and modification time
      Given the tree "a="A"%0640@1000000000123, d/{k="K"}"
      When move is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "d/{a="A"%0640@1000000000123, k="K"}"
