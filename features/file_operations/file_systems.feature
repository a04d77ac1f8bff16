@file_operations
Feature: From one file system to another

  # $FAR is a second sandbox root that is really on another file system; `far` in the first root is a link to it.
  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-MV-04
  Rule: where renaming cannot do it, a file is copied and then deleted

    Scenario Outline: <case of FR-FOPS-MV-04 on two file systems>
      Given at $FAR, on another file system, the tree "<far>"
      And the tree "<tree>"
      When move is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-FOPS-MV-04 on two file systems | far | tree | arguments | ends |
        | FO-MV-04-01 | to another file system: under a new name |  | a="A", far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"" |
        | FO-MV-04-02 | to another file system: beside another file | k="K" | a="A", far->$FAR | {"source": "a", "destination": "far/a"} | succeeds and leaves "far->$FAR", and at $FAR "a="A", k="K"" |
        | FO-MV-04-03 | to another file system: an empty file |  | a, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b" |
        | FO-MV-04-05 | to another file system: into a subdirectory | s/ | x/{a="A"}, far->$FAR | {"source": "x/a", "destination": "far/s/a"} | succeeds and leaves "far->$FAR, x/", and at $FAR "s/{a="A"}" |
        | FO-MV-04-07 | to another file system: a file of two names |  | a="A", h=>a, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR, h="A"", and at $FAR "b="A"" |
        | FO-MV-04-108 | to another file system: into a directory | s/{k="K"} | a="A", far->$FAR | {"source": "a", "destination": "far/s"} | succeeds and leaves "far->$FAR", and at $FAR "s/{a="A", k="K"}" |
        | FO-MV-04-301 | to another file system: a name of 255 bytes |  | 'n'*255="A", far->$FAR | {"source": "$('n'*255)", "destination": "far/$('n'*255)"} | succeeds and leaves "far->$FAR", and at $FAR "'n'*255="A"" |
        | FO-MV-04-302 | to another file system: a file that nobody may write to |  | a="A"%0444, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"" |
        | FO-MV-04-08 | back from another file system | a="A", k="K" | b="B", far->$FAR | {"source": "far/a", "destination": "a"} | succeeds and leaves "a="A", b="B", far->$FAR", and at $FAR "k="K"" |

      @also:FR-FOPS-MV-03
      Examples:
        | id | case of FR-FOPS-MV-04 on two file systems | far | tree | arguments | ends |
        | FO-MV-04-10 | a file there is not overwritten where that is not asked for | b="OLDER" | a="NEW", far->$FAR | {"source": "a", "destination": "far/b"} | fails with any error and changes nothing |

    # A mount in the sandbox: no second root, and no link in the path.
    @FO-MV-04-24
    Scenario: to a file system that is mounted in the sandbox
      Given the tree "a="A", far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When move is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "far/{b="A", k="K"}"

    Scenario Outline: <case of FR-FOPS-MV-04 on two file systems configured>
      Given at $FAR, on another file system, the tree "<far>"
      And the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When move is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-FOPS-MV-04 on two file systems configured | far | tree | arguments | ends |
        | FO-MV-04-09 | a file there is overwritten where that is asked for | b="OLDER" | a="NEW", far->$FAR | {"source": "a", "destination": "far/b", "overwrite": true} | succeeds and leaves "far->$FAR", and at $FAR "b="NEW"" |
        | FO-MV-04-25 | in a directory there a file of that name is overwritten where that is asked for | a="OLDEST", s/{a="OLDER", k="K"} | a="NEW", far->$FAR | {"source": "a", "destination": "far/s", "overwrite": true} | succeeds and leaves "far->$FAR", and at $FAR "a="OLDEST", s/{a="NEW", k="K"}" |
        | FO-MV-04-26 | files there that look like unfinished copies are the user's: under a new name | b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", a="8", a.tmp="9" | a="NEW", a.tmp="0", far->$FAR | {"source": "a", "destination": "far/b", "overwrite": true} | succeeds and leaves "a.tmp="0", far->$FAR", and at $FAR "b="NEW", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", a="8", a.tmp="9"" |
        | FO-MV-04-27 | files there that look like unfinished copies are the user's: where one is replaced | b="OLDER",b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", a="8", a.tmp="9" | a="NEW", a.tmp="0", far->$FAR | {"source": "a", "destination": "far/b", "overwrite": true} | succeeds and leaves "a.tmp="0", far->$FAR", and at $FAR "b="NEW", b.part="1", b.tmp="2", .b.tmp="3", b~="4", b.bak="5", .b.swp="6", tmp="7", a="8", a.tmp="9"" |

    # The system reports another file system, wherever the destination is; a tool may compare the devices instead.
    @prudent
    Scenario Outline: renaming fails with EXDEV: <what>
      Given the tree "<tree>"
      And renaming "a" fails with EXDEV
      When move is called with <arguments>
      Then the call succeeds and leaves "<left>"

      Examples:
        | id | what | tree | arguments | left |
        | FO-MV-04-16 | a new name | a="A" | {"source": "a", "destination": "b"} | b="A" |
        | FO-MV-04-17 | a large file | a="0123456789abcdef\\n"*50000 | {"source": "a", "destination": "b"} | b="0123456789abcdef\\n"*50000 |

  @DFO-04
  Rule: a move that the system refuses for another reason loses nothing

    # The document speaks of another file system only: the move is done all the same, or not begun.
    @FO-MV-04-18 @interpretation:AMB-FO-23
    Scenario: renaming fails with EACCES: the whole move, or none
      Given the tree "a="A", d/"
      And renaming "a" fails with EACCES
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call either leaves "d/{b="A"}", or fails with any error and changes nothing

    @FO-MV-04-19 @interpretation:AMB-FO-23
    Scenario: renaming fails with EPERM: the whole move, or none
      Given the tree "a="A", d/"
      And renaming "a" fails with EPERM
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call either leaves "d/{b="A"}", or fails with any error and changes nothing

    @FO-MV-04-20 @interpretation:AMB-FO-23
    Scenario: renaming fails with EIO: the whole move, or none
      Given the tree "a="A", d/"
      And renaming "a" fails with EIO
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call either leaves "d/{b="A"}", or fails with any error and changes nothing

    @FO-MV-04-21 @interpretation:AMB-FO-23
    Scenario: renaming fails with ENOSPC: the whole move, or none
      Given the tree "a="A", d/"
      And renaming "a" fails with ENOSPC
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call either leaves "d/{b="A"}", or fails with any error and changes nothing

    @FO-MV-04-22 @interpretation:AMB-FO-23
    Scenario: renaming fails with EROFS: the whole move, or none
      Given the tree "a="A", d/"
      And renaming "a" fails with EROFS
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call either leaves "d/{b="A"}", or fails with any error and changes nothing

  @DFO-01
  Rule: what was moved to another file system is there as it was, with all that it had

    @FO-D01-303
    Scenario: one call after the other between two file systems
      Given at $FAR, on another file system, the tree "b="B", d/, k="K", m="M", y="Y""
      And the tree ".h, .i="A\x00", [a]="A", [b]="C", z="0123456789abcde\n"*16385, far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called by the name "cp" with {"source": ".h", "destination": "far/h"}
      And move is called by the name "copy" with {"source": ".h", "destination": "far/b", "overwrite": true}
      And move is called by the name "cp" with {"source": ".i", "destination": "far/m", "overwrite": true}
      And move is called by the name "rename" with {"source": "[a]", "destination": "far/n"}
      And move is called by the name "mv" with {"source": "[b]", "destination": "far/k", "overwrite": true}
      And move is called by the name "cp" with {"source": "gone", "destination": "far/g"}
      And move is called by the name "rename" with {"source": "gone", "destination": "far/b", "overwrite": true}
      And move is called by the name "move" with {"source": "z", "destination": "far/y", "overwrite": true}
      Then the call succeeds and leaves ".h, .i="A\x00", far->$FAR", and at $FAR "b, d/, h, k="C", m="A\x00", n="A", y="0123456789abcde\n"*16385"

    Scenario Outline: <case of DFO-01 on two file systems>
      Given at $FAR, on another file system, the tree "<far>"
      And the tree "<tree>"
      When move is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-01 on two file systems | far | tree | arguments | ends |
        | FO-MV-04-04 | the bytes of a file on another file system: a large file |  | a="0123456789abcdef\\n"*50000, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="0123456789abcdef\\n"*50000" |
        | FO-MV-04-06 | the bytes of a file on another file system: bytes that are no text |  | a="\\x00\\xff\\r\\n", far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="\\x00\\xff\\r\\n"" |
        | FO-MV-04-101 | the bytes of a file on another file system: two pages to the byte |  | a="x"*8192, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="x"*8192" |
        | FO-MV-04-106 | the bytes of a file on another file system: a block of 64 KiB |  | a="x"*65536, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="x"*65536" |
        | FO-MV-04-107 | the bytes of a file on another file system: a mark of the byte order |  | a="\\xef\\xbb\\xbfA\\r\\n", far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="\\xef\\xbb\\xbfA\\r\\n"" |
        | FO-MV-04-102 | the bytes of a file on another file system: a byte more than a mebibyte |  | a="0123456789abcdef\\n"*61681, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="0123456789abcdef\\n"*61681" |
        | FO-MV-04-36 | the bytes of a file on another file system: a hole at its end |  | a="A"*1"\\x00"*70000, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"*1"\\x00"*70000" |

      @interpretation:AMB-FO-34
      Examples:
        | id | case of DFO-01 on two file systems | far | tree | arguments | ends |
        | FO-MV-04-11 | a directory, completely or not at all: with files in it | k="K" | d/{f="F", s/{g="G"}}, far->$FAR | {"source": "d", "destination": "far/e"} | either leaves "far->$FAR", and at $FAR "e/{f="F", s/{g="G"}}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-12 | a directory, completely or not at all: empty | k="K" | d/, far->$FAR | {"source": "d", "destination": "far/e"} | either leaves "far->$FAR", and at $FAR "e/, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-23 | a directory, completely or not at all: with names that tools like to skip | k="K" | d/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}}, far->$FAR | {"source": "d", "destination": "far/e"} | either leaves "far->$FAR", and at $FAR "e/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}}, k="K"", or fails with any error and loses nothing |

      @interpretation:AMB-FO-53 @interpretation:AMB-FO-34
      Examples:
        | id | case of DFO-01 on two file systems | far | tree | arguments | ends |
        # Links may be kept, followed or refused (AMB-FO-53); what they lead to stays outside.
        | FO-MV-04-13 | a directory with links, completely or not at all: one dangling | k="K" | d/{f="F", l->f, m->nope}, far->$FAR | {"source": "d", "destination": "far/e"} | either leaves "far->$FAR", and at $FAR "e/{f="F", l->f, m->nope}, k="K"", or fails with any error and loses nothing |

      @returns
      Examples:
        | id | case of DFO-01 on two file systems | far | tree | arguments | ends |
        | FO-MV-04-14 | what is no file neither hangs nor becomes one: a named pipe | k="K" | p:fifo, far->$FAR | {"source": "p", "destination": "far/q"} | either leaves "far->$FAR", and at $FAR "q:fifo, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-15 | what is no file neither hangs nor becomes one: a socket | k="K" | p:sock, far->$FAR | {"source": "p", "destination": "far/q"} | either leaves "far->$FAR", and at $FAR "q:sock, k="K"", or fails with any error and loses nothing |

    @FO-MV-04-303
    Scenario: links in a directory that is moved to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", l->f}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 and AMB-FO-53 the outcome is one of
        | reading  | AMB-FO-53 | fails                   | leaves    | at $FAR                |
        | error    |           | any error, nothing lost |           |                        |
        | never    |           | any error, nothing lost |           |                        |
        | complete | kept      |                         | far->$FAR | e/{f="F", l->f}, k="K" |
        | complete | followed  |                         | far->$FAR | e/{f="F", l="F"}, k="K" |
        | complete | error     | any error, nothing lost |           |                        |

    # The first move separates one reading, the second one the other two.
    @FO-MV-04-304
    Scenario: a directory is moved, and then another to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "c/{g="G"}, d/{f="F"}, far->$FAR"
      When move is called with {"source": "c", "destination": "e"}
      When move is called again with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails     | leaves                           | at $FAR          |
        | error    | any error | d/{f="F"}, e/{g="G"}, far->$FAR  | k="K"            |
        | complete |           | e/{g="G"}, far->$FAR             | e/{f="F"}, k="K" |
        | never    | any error | c/{g="G"}, d/{f="F"}, far->$FAR  | k="K"            |

    @FO-D01-302
    Scenario: a shorter file takes the place of a longer one on another file system
      Given at $FAR, on another file system, the tree "b="OLDER AND LONGER""
      And the tree "a="N", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="N""

  @DFO-08
  Rule: permissions survive a copy, and a move to another file system

    Scenario Outline: <case of DFO-08>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-08 | tree | tool | arguments | ends |
        | FO-D08-01 | a copy keeps the permissions 0666 | a="A"%0666 | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A"%0666, b="A"%0666" |
        | FO-D08-02 | a copy keeps the permissions 0777 | a="A"%0777 | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A"%0777, b="A"%0777" |
        | FO-D08-03 | a copy keeps the permissions 0600 | a="A"%0600 | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A"%0600, b="A"%0600" |
        | FO-D08-04 | a copy keeps the permissions 0444 | a="A"%0444 | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A"%0444, b="A"%0444" |
        | FO-D08-107 | a move keeps the permissions 0666 | a="A"%0666 | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A"%0666" |
        | FO-D08-108 | a move keeps the permissions 0711 | a="A"%0711 | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A"%0711" |
        | FO-D08-109 | a file that is moved into a directory keeps permissions and modification time | a="A"%0640@1000000000123, d/{k="K"} | move | {"source": "a", "destination": "d"} | succeeds and leaves "d/{a="A"%0640@1000000000123, k="K"}" |

      @interpretation:AMB-FO-34
      Examples:
        | id | case of DFO-08 | tree | tool | arguments | ends |
        | FO-D08-09 | a move keeps permissions and modification time | a="A"%0666@1000000000123, d/%0750@1000000000456{f="F"%0777} | move | {"source": "d", "destination": "e"} | either leaves "a="A"%0666@1000000000123, e/%0750{f="F"%0777}", or fails with any error and changes nothing |
        | FO-D08-102 | a directory keeps its modification time | d/@1000000000123{f="F"} | move | {"source": "d", "destination": "e"} | either leaves "e/@1000000000123{f="F"}", or fails with any error and changes nothing |

      @interpretation:AMB-FO-33
      Examples:
        | id | case of DFO-08 | tree | tool | arguments | ends |
        | FO-D08-111 | a directory that is copied keeps the permissions of all that is in it | d/%0750{f="F"%0640, s/%0711{g="G"%0755}} | copy | {"source": "d", "destination": "e"} | either leaves "d/%0750{f="F"%0640, s/%0711{g="G"%0755}}, e/%0750{f="F"%0640, s/%0711{g="G"%0755}}", or fails with any error and changes nothing |

    Scenario Outline: <case of DFO-08 on two file systems>
      Given at $FAR, on another file system, the tree "<far>"
      And the tree "<tree>"
      When move is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-08 on two file systems | far | tree | arguments | ends |
        | FO-D08-05 | a move to another file system keeps the permissions 0666 |  | a="A"%0666, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"%0666" |
        | FO-D08-06 | a move to another file system keeps the permissions 0750 |  | a="A"%0750, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"%0750" |
        | FO-D08-07 | a move to another file system keeps the permissions 0444 |  | a="A"%0444, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"%0444" |

      @interpretation:AMB-FO-10
      Examples:
        | id | case of DFO-08 on two file systems | far | tree | arguments | ends |
        | FO-D08-08 | a move to another file system keeps the modification time |  | a="A"@1000000000123, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"@1000000000123" |
        # The file with the same time at $FAR shows that the other file system supports such times.
        | FO-D08-103 | a move to another file system keeps a modification time before 1970 | k="K"@-86400000 | a="A"@-86400000, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"@-86400000, k="K"@-86400000" |
        | FO-D08-104 | a move to another file system keeps a modification time that 31 bits cannot hold | k="K"@4102444800000 | a="A"@4102444800000, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b="A"@4102444800000, k="K"@4102444800000" |
        | FO-D08-110 | an empty file keeps its modification time on the way to another file system | k="K" | a@1000000000500, far->$FAR | {"source": "a", "destination": "far/b"} | succeeds and leaves "far->$FAR", and at $FAR "b@1000000000500, k="K"" |

      @interpretation:AMB-FO-34
      Examples:
        | id | case of DFO-08 on two file systems | far | tree | arguments | ends |
        # Quarters of a second: a floating-point number of seconds has them exactly.
        | FO-D08-112 | a directory that goes to another file system keeps permissions and times of all that is in it | k="K" | d/%0750@1000000000250{f="F"%0640@1000000000500, s/%0711@1000000000750{g="G"%0755@1000000001000}}, far->$FAR | {"source": "d", "destination": "far/e"} | either leaves "far->$FAR", and at $FAR "e/%0750@1000000000250{f="F"%0640@1000000000500, s/%0711@1000000000750{g="G"%0755@1000000001000}}, k="K"", or fails with any error and changes nothing |

    Scenario Outline: <case of DFO-08 configured>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call <ends>

      Examples:
        | id | case of DFO-08 configured | tree | tool | ends |
        | FO-D08-10 | a move onto a file brings its permissions along | a="NEW"%0600, b="OLD"%0666 | move | succeeds and leaves "b="NEW"%0600" |
        | FO-D08-106 | a copy onto a file brings its permissions along | a="NEW"%0600, b="OLD"%0666 | copy | succeeds and leaves "a="NEW"%0600, b="NEW"%0600" |
        | FO-D08-101 | a move onto a file brings its modification time along | a="NEW"@1000000000123, b="OLD" | move | succeeds and leaves "b="NEW"@1000000000123" |

    @FO-D08-105 @interpretation:AMB-FO-10
    Scenario: a move onto a file of another file system brings permissions and modification time along
      Given at $FAR, on another file system, the tree "b="OLD"%0666"
      And the tree "a="NEW"%0600@1000000000123, far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "far/b", "overwrite": true}
      Then the call succeeds and leaves "far->$FAR", and at $FAR "b="NEW"%0600@1000000000123"
