@local_files
Feature: A directory is a list of entries, and each says of which kind it is

  @LF-MODEL-01
  Rule: listDirectory gives one list of objects

    @LF-MODEL-01-01
    Scenario: several entries
      Given the tree "src/, pom.xml=9854"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "pom.xml"

    @LF-MODEL-01-03
    Scenario: an empty directory is an empty list
      Given the tree "d/, f"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the entries are ""

  @LF-MODEL-02
  Rule: every entry has the members of its kind

    Scenario Outline: members: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then every entry has the members of its kind and no other

      Examples:
        | id              | case                      | tree                                |
        | LF-MODEL-02-07  | of files by their modes   | f=1%0755, g%0000, h=2%4711 |
        | LF-MODEL-02-08  | of directories by what is in them | d/{x, y}, e/, f=1 |
        | LF-MODEL-02-06  | of all of them together   | d/, f=1, l->f, p:fifo, .h |

  @LF-TYPE-01
  Rule: the property @type has one of four words

    @LF-TYPE-01-01 @interpretation:AMB-LF-04 @behaviour:BEH-08
    Scenario: the kinds of the document's example
      Given the tree "src/, pom.xml=9854, latest_log->/tmp/app.log"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry      | @type               |
        | src        | "DirectoryEntry"    |
        | pom.xml    | "FileEntry"         |

    # Some mappers drop the discriminator in a list of a base type and keep it in a single object.
    @LF-TYPE-01-02
    Scenario: the kind is there on every element of a list
      Given the tree "a/, b/, c=1, d=2, e->a, f->gone, p:fifo"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "b" has {"@type": "DirectoryEntry"}
      And the entry "f" has {"@type": "SymbolicLinkEntry"}

  @LF-TYPE-02
  Rule: a link is a link, whatever it leads to

    @returns @behaviour:BEH-10
    Scenario Outline: a link to <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "l" has {"@type": "SymbolicLinkEntry"}

      Examples:
        | id             | case                  | tree             |
        | LF-TYPE-02-05  | its own directory     | l->.             |
        | LF-TYPE-02-07  | a FIFO                | p:fifo, l->p     |
        | LF-TYPE-02-14  | a file, from the system's root | f=1, l->$ROOT/f |
        | LF-TYPE-02-16  | a file without content | z, l->z         |
        | LF-TYPE-02-17  | a socket              | s:sock, l->s     |
        | LF-TYPE-02-18  | a device              | f, l->/dev/null  |

    @LF-TYPE-02-09 @behaviour:BEH-08
    Scenario: what is no link stays what it is
      Given the tree "d/, l->d, f=1, m->f"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               |
        | d     | "DirectoryEntry"    |
        | l     | "SymbolicLinkEntry" |
        | f     | "FileEntry"         |
        | m     | "SymbolicLinkEntry" |

    @LF-TYPE-02-10
    Scenario: a file with several names is a file under each
      Given the tree "f=10, g=>f, d/{h=>f}, l->f, z"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               |
        | z     | "FileEntry"         |
        | f     | "FileEntry"         |
        | g     | "FileEntry"         |
        | d     | "DirectoryEntry"    |
        | l     | "SymbolicLinkEntry" |

    @LF-TYPE-02-15
    Scenario: a name that stands for something else by now
      Given the tree "f=1, d/, e/{x}, l->e"
      When listDirectory is called with {"path": "$ROOT"}
      And "f" has been removed
      And "l" has been removed
      And the tree gets "f->d, l=1"
      And listDirectory is called again with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               |
        | f     | "SymbolicLinkEntry" |
        | l     | "FileEntry"         |
        | d     | "DirectoryEntry"    |

    # How the name is shown, and whether the list fails, is open.
    @LF-TYPE-02-12
    Scenario: a name that is not UTF-8 is no other kind
      Given the tree "a/, 'x\xff'=3"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-17 the answer is one of
        | reading     | fields                                            | count | other than | fails     |
        | replacement | {"'x\\ufffd'": {"@type": "FileEntry", "size": 3}} |       |            |           |
        | other       |                                                   | 2     | 'x\ufffd'  |           |
        | error       |                                                   |       |            | any error |

    @LF-TYPE-02-11
    Scenario: a directory with further bits in its mode is a directory
      Given the tree "s/%1777, g/%2755{x}, u/%4755, l->s"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               |
        | s     | "DirectoryEntry"    |
        | g     | "DirectoryEntry"    |
        | u     | "DirectoryEntry"    |
        | l     | "SymbolicLinkEntry" |

  @LF-TYPE-03
  Rule: everything else is OtherEntry

    @LF-TYPE-03-01 @returns
    Scenario: FIFOs and sockets
      Given the tree "p:fifo@1762473883050, s:sock@1762778123000, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type        | lastModified  |
        | p     | "OtherEntry" | 1762473883050 |
        | s     | "OtherEntry" | 1762778123000 |
        | f     | "FileEntry"  |               |

    @LF-TYPE-03-02 @needs:mknod @returns
    Scenario: a device stands as an OtherEntry
      Given the tree "c:chr, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "c" has {"@type": "OtherEntry"}
      And the entry "f" has {"@type": "FileEntry"}

    @LF-TYPE-03-04 @needs:mknod @returns
    Scenario: a block device
      Given the tree "b:blk, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "b" has {"@type": "OtherEntry"}
      And the entry "f" has {"@type": "FileEntry"}

    @LF-TYPE-03-03 @returns
    Scenario: a device of the system
      Given the tree "f=1"
      And the context {"roots": ["/dev"], "working_dir": "/dev"}
      When listDirectory is called with {"path": "/dev"}
      Then the entry "null" has {"@type": "OtherEntry"}
