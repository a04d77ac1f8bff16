@local_files
Feature: A directory is a list of entries, and each says of which kind it is

  @LF-MODEL-01
  Rule: listDirectory gives one list of objects

    @LF-MODEL-01-01
    Scenario: several entries
      Given the tree "src/, pom.xml=9854"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "pom.xml"
      And the tree is unchanged

    @LF-MODEL-01-02
    Scenario: one entry is a list as well
      Given the tree "a=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "a"
      And the tree is unchanged

    @LF-MODEL-01-03
    Scenario: an empty directory is an empty list
      Given the tree "d/, f"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the entries are ""
      And a control call with {"path": "$ROOT"} lists "d, f"
      And the tree is unchanged

    @LF-MODEL-01-04
    Scenario: a long list is one of objects as well
      Given the tree "f0000..f1199"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "f0000, f1199"
      And the tree is unchanged

  @LF-MODEL-02
  Rule: every entry has the members of its kind

    Scenario Outline: members: <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "<entry>"
      And every entry has the members of its kind and no other
      And the tree is unchanged

      Examples:
        | id              | case                      | tree                                | entry |
        | LF-MODEL-02-01  | of a file                 | f=1                                 | f     |
        | LF-MODEL-02-02  | of a directory            | d/{x}                               | d     |
        | LF-MODEL-02-03  | of a link                 | l->d, d/                            | d     |
        | LF-MODEL-02-04  | of a link that dangles    | l->gone, f=1                        | f     |
        | LF-MODEL-02-05  | of special files          | p:fifo, s:sock, f=1                 | f     |
        | LF-MODEL-02-07  | of files by their modes   | f=1%0755, g%0000, h=2%4711          | f     |
        | LF-MODEL-02-08  | of directories by what is in them | d/{x, y}, e/, f=1           | f     |
        | LF-MODEL-02-09  | of files with several names | f=1, g=>f, h, d/{i=>f}            | f     |
        | LF-MODEL-02-06  | of all of them together   | d/, f=1, l->f, p:fifo, .h           | f     |

  @LF-TYPE-01
  Rule: the property @type has one of four words

    @LF-TYPE-01-01 @interpretation:AMB-LF-04
    Scenario: the kinds of the document's example
      Given the tree "src/, pom.xml=9854, latest_log->/tmp/app.log"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry      | @type               |
        | src        | "DirectoryEntry"    |
        | pom.xml    | "FileEntry"         |
      And every entry has one of the four kinds
      And the tree is unchanged

    # Some mappers drop the discriminator in a list of a base type and keep it in a single object.
    @LF-TYPE-01-02
    Scenario: the kind is there on every element of a list
      Given the tree "a/, b/, c=1, d=2, e->a, f->gone, p:fifo"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "a, c"
      And every entry has one of the four kinds
      And the tree is unchanged

    @LF-TYPE-01-03 @interpretation:AMB-LF-04
    Scenario: the kind is there on a list of one
      Given the tree "c=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "c" has {"@type": "FileEntry"}
      And every entry has one of the four kinds
      And the tree is unchanged

  @LF-TYPE-02
  Rule: a link is a link, whatever it leads to

    @returns
    Scenario Outline: a link to <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "l" has {"@type": "SymbolicLinkEntry"}
      And the tree is unchanged

      Examples:
        | id             | case                  | tree             |
        | LF-TYPE-02-01  | a directory           | d/, l->d         |
        | LF-TYPE-02-02  | a file                | f=1, l->f        |
        | LF-TYPE-02-03  | nothing               | l->nope          |
        | LF-TYPE-02-04  | itself                | l->l             |
        | LF-TYPE-02-05  | its own directory     | l->.             |
        | LF-TYPE-02-06  | another link          | t=1, m->t, l->m  |
        | LF-TYPE-02-07  | a FIFO                | p:fifo, l->p     |
        | LF-TYPE-02-08  | a directory, by a slash | d/, l->d/      |
        | LF-TYPE-02-13  | a directory, from the system's root | d/, l->$ROOT/d |
        | LF-TYPE-02-14  | a file, from the system's root | f=1, l->$ROOT/f |
        | LF-TYPE-02-16  | a file without content | z, l->z         |
        | LF-TYPE-02-17  | a socket              | s:sock, l->s     |
        | LF-TYPE-02-18  | a device              | f, l->/dev/null  |

    @LF-TYPE-02-09
    Scenario: what is no link stays what it is
      Given the tree "d/, l->d, f=1, m->f"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               |
        | d     | "DirectoryEntry"    |
        | l     | "SymbolicLinkEntry" |
        | f     | "FileEntry"         |
        | m     | "SymbolicLinkEntry" |
      And the tree is unchanged

    @LF-TYPE-02-10
    Scenario: a file with several names is a file under each
      Given the tree "f=1, g=>f, d/{h=>f}, l->f, z"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type               |
        | z     | "FileEntry"         |
        | f     | "FileEntry"         |
        | g     | "FileEntry"         |
        | d     | "DirectoryEntry"    |
        | l     | "SymbolicLinkEntry" |
      And the tree is unchanged

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
      And the tree is unchanged

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
      And a control call with {"path": "$ROOT"} on the tree "a/{b}, c" lists "a, c"
      And the tree is unchanged

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
      And the tree is unchanged

  @LF-TYPE-03
  Rule: everything else is OtherEntry

    @LF-TYPE-03-01 @returns
    Scenario: FIFOs and sockets
      Given the tree "p:fifo, s:sock, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries have
        | entry | @type        |
        | p     | "OtherEntry" |
        | s     | "OtherEntry" |
        | f     | "FileEntry"  |
      And the tree is unchanged

    @LF-TYPE-03-02 @needs:mknod @returns
    Scenario: a device
      Given the tree "c:chr, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "c" has {"@type": "OtherEntry"}
      And the entry "f" has {"@type": "FileEntry"}
      And the tree is unchanged

    @LF-TYPE-03-04 @needs:mknod @returns
    Scenario: a block device
      Given the tree "b:blk, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "b" has {"@type": "OtherEntry"}
      And the entry "f" has {"@type": "FileEntry"}
      And the tree is unchanged

    @LF-TYPE-03-03 @returns
    Scenario: a device of the system
      Given the tree "f=1"
      And the context {"roots": ["/dev"], "working_dir": "/dev"}
      When listDirectory is called with {"path": "/dev"}
      Then the entry "null" has {"@type": "OtherEntry"}
      And the tree is unchanged
