@list_directory
Feature: Kinds and sizes come from the entry itself, never from what it points to

  @EF-04
  Rule: type is decided by no-follow metadata, and a link is always a symlink

    @LD-FIELDS-06 @behaviour:BEH-08
    Scenario: one of each kind
      Given the tree "d/, f, l->f, p:fifo"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | type      |
        | d    | "dir"     |
        | f    | "file"    |
        | l    | "symlink" |
        | p    | "other"   |

    # With include_other a link that is taken for a special file is there, of another type.
    @LD-FIELDS-07 @behaviour:BEH-10
    Scenario: a link to a directory
      Given the tree "d/, l->d"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | type      |
        | d    | "dir"     |
        | l    | "symlink" |

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with {"include_other": true}
      Then the entry "l" has {"type": "symlink"}

      Examples:
        | id           | case              | tree    |
        | LD-FIELDS-08 | a link to nothing | l->gone |
        | LD-FIELDS-09 | a link to itself  | l->l    |

    @LD-FIELDS-10
    Scenario: links with long and with binary targets
      Given the tree "l->'t'*4000, m->'\xff\x01\xfe', n->' '"
      When list_directory is called with {"include_other": true}
      Then every entry has {"type": "symlink"}
      And the document's text does not contain "tttt"

    @LD-FIELDS-11 @behaviour:BEH-08
    Scenario: executable, setuid, hard-linked and unreadable files
      Given the tree "a=3%0755, b=4%4755, c=5, d=6%0000, h=>c"
      When list_directory is called with {}
      Then the entries have
        | path | type   |
        | a    | "file" |
        | b    | "file" |
        | c    | "file" |
        | d    | "file" |
        | h    | "file" |

    @LD-FIELDS-314
    Scenario: no mode makes a directory something else
      Given the tree "a/%1777{x}, b/%2755{y}, c/%4755{z}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path | type   |
        | a    | "dir"  |
        | a/x  | "file" |
        | b    | "dir"  |
        | b/y  | "file" |
        | c    | "dir"  |
        | c/z  | "file" |

    @LD-FIELDS-110 @behaviour:BEH-11
    Scenario: links to special files and to links
      Given the tree "f, k->l, l->f, m->p, p:fifo"
      When list_directory is called with {}
      Then the entries have
        | path | type      |
        | f    | "file"    |
        | k    | "symlink" |
        | l    | "symlink" |
        | m    | "symlink" |

    # With include_other a link that is taken for what it leads to is there, of another type.
    @LD-FIELDS-767
    Scenario: links to a pipe, to a socket and to a device
      Given the tree "k->/dev/null, l->s, m->p, p:fifo, s:sock"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | type      |
        | k    | "symlink" |
        | l    | "symlink" |
        | m    | "symlink" |
        | p    | "other"   |
        | s    | "other"   |

    @LD-FIELDS-303
    Scenario: a link that is left out does not come back as what it leads to
      Given the tree "d/{x}, f=3, l->f, m->d, n->l"
      When list_directory is called with {"recursive": true, "include_symlinks": false}
      Then the entries have
        | path | type   |
        | d    | "dir"  |
        | d/x  | "file" |
        | f    | "file" |
      And no entry is "l, m, n"

    @LD-FIELDS-111
    Scenario: sockets
      Given the tree "p:fifo, s:sock, x"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | type    |
        | p    | "other" |
        | s    | "other" |
        | x    | "file"  |

    @LD-FIELDS-112 @needs:devpts
    Scenario: devices
      Given the tree "a"
      And the context {"roots": ["/dev"], "working_dir": "/dev"}
      And the configuration {"max_entries": 5000}
      And budgets of 10000000 and 10000000 bytes
      When list_directory is called with {"include_other": true}
      Then the entry "null" has {"type": "other"}
      And the entry "pts" has {"type": "dir"}
      And the entry "fd" has {"type": "symlink"}

    @LD-FIELDS-113 @behaviour:BEH-08
    Scenario: no name ending makes a file a directory or a link
      Given the tree "a.lnk, b.app/, c.d, d.txt/"
      When list_directory is called with {}
      Then the entries have
        | path  | type   |
        | a.lnk | "file" |
        | b.app | "dir"  |
        | c.d   | "file" |
        | d.txt | "dir"  |

    @LD-FIELDS-609
    Scenario: further down as at the top
      Given the tree "a/{b/{d/{x}, f, l->f, m->../../z, p:fifo}}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entries have
        | path    | type      |
        | a/b/d   | "dir"     |
        | a/b/d/x | "file"    |
        | a/b/f   | "file"    |
        | a/b/l   | "symlink" |
        | a/b/m   | "symlink" |
        | a/b/p   | "other"   |

    @LD-FIELDS-764 @behaviour:BEH-14
    Scenario: names that stand for something else since an earlier call
      Given the tree "a, b, c->a, e/"
      When list_directory is called with {"include_other": true}
      And "a" has been removed
      And "b" has been removed
      And "c" has been removed
      And the tree gets "a/, b->e, c"
      And list_directory is called again with {"include_other": true}
      Then the entries have
        | path | type      |
        | a    | "dir"     |
        | b    | "symlink" |
        | c    | "file"    |
        | e    | "dir"     |

  @EF-05
  Rule: size_bytes is the exact size of a regular file and null for anything else

    # From 2^53 on, only memory file systems support such a file.
    Scenario Outline: the size of a file: <size>
      Given the tree "f=<size>"
      When list_directory is called with {}
      Then the entry "f" has {"type": "file", "size_bytes": <size>}

      Examples:
        | id            | size                |
        | LD-FIELDS-12  | 0                   |
        | LD-FIELDS-13  | 1                   |
        | LD-FIELDS-14  | 4096                |
        | LD-FIELDS-15  | 2147483648          |
        | LD-FIELDS-16  | 4294967297          |
        | LD-FIELDS-17  | 1099511627776       |
        | LD-FIELDS-18  | 8796093022208       |
        | LD-FIELDS-114 | 511                 |
        | LD-FIELDS-115 | 4294967295          |

    @LD-FIELDS-127
    Scenario: the sizes of files in lower directories
      Given the tree "a/{x=4097, y=2147483648, z=4294967297, b/{x=4097, y=2147483648, z=4294967297}}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path  | size_bytes |
        | a     | null       |
        | a/b   | null       |
        | a/b/x | 4097       |
        | a/b/y | 2147483648 |
        | a/b/z | 4294967297 |
        | a/x   | 4097       |
        | a/y   | 2147483648 |
        | a/z   | 4294967297 |

    # A double has no more than 53 bits; programs write the nearest one in more than one way.
    Scenario Outline: the size of a file beyond 2^53: <size>
      Given the tree "f=<size>"
      When list_directory is called with {}
      Then by AMB-LD-61 the answer is one of
        | reading | fields                                        |
        | a       | {"f": {"type": "file", "size_bytes": <size>}} |
        | b       | {"f": {"type": "file", "size_bytes": <near>}} |

      Examples:
        | id            | size                | near                                       |
        | LD-FIELDS-19  | 9007199254740993    | [9007199254740992, 9007199254740994]       |
        | LD-FIELDS-20  | 9223372036854775807 | [9223372036854775808, 9223372036854776000] |

    # A file without any block, and one whose blocks hold more than its size.
    @LD-FIELDS-21
    Scenario: the apparent size, whatever the blocks say
      Given the tree "sparse=1048576, written="x", zero"
      When list_directory is called with {}
      Then the entries have
        | path    | size_bytes |
        | sparse  | 1048576    |
        | written | 1          |
        | zero    | 0          |

    @LD-FIELDS-22 @needs:strace
    Scenario: null for directories, links, special files and the unknown
      Given the tree "d/, l->d, p:fifo, u!L"
      When list_directory is called with {"include_other": true}
      Then every entry has {"size_bytes": null}

    @LD-FIELDS-304
    Scenario: null for what cannot be looked at or into, whatever it holds
      Given the tree "d/%0000{x=1}, e/%0444{y=2}, z=3"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entry "d" has {"size_bytes": null}

    @LD-FIELDS-305
    Scenario: null for a child that gives no metadata
      Given the tree "e/%0444{y=2}, z=3"
      When list_directory is called with {"path": "e", "include_other": true}
      Then by AMB-LD-10 and AMB-LD-57 the answer is one of
        | AMB-LD-10        | AMB-LD-57 | entries | number | without | fields                      | fails           |
        |                  | a         | y       |        |         | {"y": {"size_bytes": null}} |                 |
        | execution_failed | b         |         |        |         |                             | ExecutionFailed |
        | unknown_entry    | b         |         | 1      | y       |                             |                 |

    @LD-FIELDS-116
    Scenario: null for directories full and empty, links of any length, and special files
      Given the tree "d/{f00..f19=10}, e/, l->'d/f00', p:fifo, s:sock"
      When list_directory is called with {"include_other": true}
      Then every entry has {"size_bytes": null}

    @LD-FIELDS-306
    Scenario: modes and links change no size
      Given the tree "a=3%0755, b=4%4755, c=5, d=6%0000, h=>c, l->'t'*4000"
      When list_directory is called with {}
      Then the entries have
        | path | size_bytes |
        | a    | 3          |
        | b    | 4          |
        | c    | 5          |
        | d    | 6          |
        | h    | 5          |
        | l    | null       |

    @LD-FIELDS-117
    Scenario: the size of a link is not its target's
      Given the tree "f=12345, l->f"
      When list_directory is called with {}
      Then the entries have
        | path | size_bytes |
        | f    | 12345      |
        | l    | null       |

    # Read as text, b and c would be shorter on some systems, and all but b are fewer characters than bytes.
    @LD-FIELDS-761
    Scenario: the size counts bytes, whatever they mean
      Given the tree "a="\u00e9", b="x\r\ny\r\n", c="\ufeff\u65e5\u672c\n\n", d="\x00\x1a\xff""
      When list_directory is called with {}
      Then the entries have
        | path | size_bytes |
        | a    | 2          |
        | b    | 6          |
        | c    | 11         |
        | d    | 3          |

    @LD-FIELDS-762
    Scenario: a file that has grown since an earlier call
      Given the tree "f=3"
      When list_directory is called with {}
      And "f" has been extended
      And list_directory is called again with {}
      Then the entry "f" has {"size_bytes": 4}

    @LD-FIELDS-763
    Scenario: a name that has another file since an earlier call
      Given the tree "f=3"
      When list_directory is called with {}
      And "f" has been removed
      And the tree gets "f=12"
      And list_directory is called again with {}
      Then the entry "f" has {"size_bytes": 12}

    @LD-FIELDS-774
    Scenario: hidden files have a size, too
      Given the tree ".h=3, .d/{.i=4}, j=5"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries have
        | path  | size_bytes |
        | .h    | 3          |
        | .d    | null       |
        | .d/.i | 4          |
        | j     | 5          |
