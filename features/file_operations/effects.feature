@file_operations
Feature: What a success means, and what an error does not do

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-01
  Rule: after a move the source's name is gone, and the final name has all that it had

    Scenario Outline: moved: <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call succeeds and leaves "<left>"

      Examples:
        | id        | what                                       | tree                              | arguments                                     | left                               |
        | FO-D01-01 | in place                                   | a="A", c="C"                      | {"source": "a", "destination": "b"}           | b="A", c="C"                       |
        | FO-D01-02 | NUL, high bytes and line ends              | a="B\\r\\n\\x00\\xff\\x80"        | {"source": "a", "destination": "b"}           | b="B\\r\\n\\x00\\xff\\x80"         |
        | FO-D01-03 | to another directory, under another name   | x/{a="A"}, y/{}                   | {"source": "x/a", "destination": "y/b"}       | x/, y/{b="A"}                      |
        | FO-D01-04 | odd names                                  | '-r\\u00e9 x\\n'="A"              | {"source": "-r\\u00e9 x\\n", "destination": "\\u6587 b"} | '\\u6587 b'="A"            |
        | FO-D01-05 | a name with blanks at both ends            | ' a '="A", a="O"                  | {"source": " a ", "destination": " b "}       | ' b '="A", a="O"                   |
        | FO-D01-06 | a directory with all that it holds         | d/{e/{f="F"}, l->e, p:fifo, '\\xff'} | {"source": "d", "destination": "n"}        | n/{e/{f="F"}, l->e, p:fifo, '\\xff'} |
        | FO-D01-07 | a file with another name keeps it          | a="A", h=>a                       | {"source": "a", "destination": "b"}           | b="A", h=>b                        |
        | FO-D01-09 | a large file                               | a="0123456789abcdef\\n"*50000     | {"source": "a", "destination": "b"}           | b="0123456789abcdef\\n"*50000      |
        | FO-D01-10 | a name that begins with a dot              | .a="A"                            | {"source": ".a", "destination": ".b"}         | .b="A"                             |
        | FO-D01-11 | dots and slashes that say nothing          | x/{a="A"}                         | {"source": "./x//a", "destination": "x/./b"}  | x/{b="A"}                          |
        | FO-D01-14 | a name of two characters that look as one  | 'e\\u0301'="A", '\\u00e9'="B"     | {"source": "e\\u0301", "destination": "x"}    | '\\u00e9'="B", x="A"               |
        | FO-D01-15 | names that a shell would not leave alone   | '~'="A", '*'="S"                  | {"source": "~", "destination": "*x"}          | '*'="S", '*x'="A"                  |
        | FO-D01-16 | a backslash, which parts nothing           | 'a\\\\b'="A", a/{b="B"}           | {"source": "a\\\\b", "destination": "c\\\\d"} | 'c\\\\d'="A", a/{b="B"}            |
        | FO-D01-102 | percent signs                             | 'a%2eb'="A"                       | {"source": "a%2eb", "destination": "c%20d"}   | 'c%20d'="A"                        |
        | FO-D01-103 | what looks like a variable                | '$HOME'="A"                       | {"source": "$HOME", "destination": "${USER}"} | '${USER}'="A"                      |
        | FO-D01-104 | characters that other systems forbid      | a="A"                             | {"source": "a", "destination": "c:<d>\|?\""} | 'c:<d>\|?"'="A"                    |
        | FO-D01-105 | the name of another system's device       | a="A"                             | {"source": "a", "destination": "nul.txt"}     | nul.txt="A"                        |
        | FO-D01-18 | an empty file                              | a, c="C"                          | {"source": "a", "destination": "b"}           | b, c="C"                           |
        | FO-D01-201 | a line feed at the end | a="A", c="C" | {"source": "a", "destination": "b\\n"} | 'b\\n'="A", c="C" |
        | FO-D01-19 | an empty directory                         | d/, c="C"                         | {"source": "d", "destination": "e"}           | e/, c="C"                          |
        | FO-D01-106 | capitals behind the dot                   | a.TXT="A"                         | {"source": "a.TXT", "destination": "b.TXT"}   | b.TXT="A"                          |
        | FO-D01-108 | quotes around the whole name              | '"a"'="A", a="O"                  | {"source": "\\"a\\"", "destination": "'b'"} | a="O", '\\'b\\''="A"               |
        | FO-D01-109 | what ends a path in an address            | 'a#1'="A", a="O"                  | {"source": "a#1", "destination": "b?c;d"}     | a="O", 'b?c;d'="A"                 |
        | FO-D01-118 | a directory, to a name that begins like its own | d/{f="F"}, c="C"            | {"source": "d", "destination": "dd"}          | c="C", dd/{f="F"}                  |
        | FO-D01-113 | colons, as of a drive or a stream         | 'c:'="A", 'a:b'="O"               | {"source": "c:", "destination": "a:c"}        | 'a:b'="O", 'a:c'="A"               |
        | FO-D01-114 | characters that are not seen              | '\\u200ba\\ufeff'="A", a="O"      | {"source": "\\u200ba\\ufeff", "destination": "\\u202eb\\u00ad"} | a="O", '\\u202eb\\u00ad'="A" |
        | FO-D01-115 | nothing but a blank                       | ' '="A", a="O"                    | {"source": " ", "destination": "\\u00a0"}     | a="O", '\\u00a0'="A"               |
        | FO-D01-116 | signs of patterns                         | '[ab]*'="A", a="O"                | {"source": "[ab]*", "destination": "{c,d}?"}  | a="O", '{c,d}?'="A"                |
        | FO-D01-117 | twenty directories                        | 1/{2/{3/{4/{5/{6/{7/{8/{9/{a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{x="A"}}}}}}}}}}}}}}}}}}}} | {"source": "1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/x", "destination": "1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/y"} | 1/{2/{3/{4/{5/{6/{7/{8/{9/{a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{y="A"}}}}}}}}}}}}}}}}}}}} |
        | FO-D01-110 | a destination that looks like a name that is taken | a="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'} | {"source": "a", "destination": "e\\u0301"} | 'e\\u0301'="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'} |

    # The system allows 255 bytes: a shorter name would be another one.
    @FO-D01-206
    Scenario: a move to a final name that is too long
      Given the tree "a="A""
      When move is called with {"source": "a", "destination": "$('b'*256)"}
      Then the call fails with any error and changes nothing
      And a control call moves a file

    @FO-D01-08 @returns
    Scenario: a named pipe, which nobody opens
      Given the tree "p:fifo, a="A""
      When move is called with {"source": "p", "destination": "q"}
      Then the call either leaves "q:fifo, a="A"", or fails with any error and changes nothing
      And a control call moves a file

    @FO-D01-12
    Scenario: there and back again
      Given the tree "a="A", d/{c="C"}"
      When move is called with {"source": "a", "destination": "d/b"}
      Then the call succeeds and leaves "d/{b="A", c="C"}"
      When move is called again with {"source": "d/b", "destination": "a"}
      Then the call succeeds and leaves "a="A", d/{c="C"}"

    @FO-D01-13
    Scenario: a file that was overwritten is what the source was
      Given the tree "a="NEW", b="OLDER", h=>b"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then a control call moves a file onto another
      And by AMB-FO-41 the outcome is one of
        | reading | leaves               |
        | name    | b="NEW", h="OLDER"   |
        | through | b="NEW", h=>b        |
      And a control call moves a file

    @FO-D01-17
    Scenario: two files of the same content are two files
      Given the tree "a="SAME", b="SAME""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then a control call moves a file onto another
      And the call succeeds and leaves "b="SAME""

    # The directory holds the name of a file: a move neither reads nor writes the file itself.
    @FO-D01-107
    Scenario: a file that may not be read is moved
      Given the tree "a=7%0000"
      When move is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b=7%0000"

    Scenario Outline: a name that differs in case only is free: <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call succeeds and leaves "<left>"

      @needs:case_sensitive
      Examples:
        | id         | what                      | tree             | arguments                                | left             |
        | FO-D01-111 | beside a file of the name | a="A", b="B"     | {"source": "a", "destination": "B"}      | B="A", b="B"     |
        | FO-D01-112 | the source's own          | a="A", b="B"     | {"source": "a", "destination": "A"}      | A="A", b="B"     |

    @FO-D01-301
    Scenario: a source that was missing in an earlier call
      Given the tree "c="C""
      When move is called with {"source": "a", "destination": "b"}
      And the tree gets "a="A""
      And move is called again with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A", c="C""

  @DFO-02
  Rule: after a copy there are two files of the same bytes

    Scenario Outline: copied: <what>
      Given the tree "<tree>"
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id        | what                          | tree                             | left                                                              |
        | FO-D02-01 | beside                        | a="A", c="C"                     | a="A", b="A", c="C"                                               |
        | FO-D02-02 | NUL, high bytes and line ends | a="B\\r\\n\\x00\\xff\\x80"       | a="B\\r\\n\\x00\\xff\\x80", b="B\\r\\n\\x00\\xff\\x80"            |
        | FO-D02-03 | an empty file                 | a, c="C"                         | a, b, c="C"                                                       |
        | FO-D02-04 | a large file                  | a="0123456789abcdef\\n"*50000    | a="0123456789abcdef\\n"*50000, b="0123456789abcdef\\n"*50000      |
        | FO-D02-05 | a file that ends in zeros     | a="A\\x00\\x00\\x00"             | a="A\\x00\\x00\\x00", b="A\\x00\\x00\\x00"                        |
        | FO-D02-06 | a file of two names           | a="A", h=>a                      | a="A", h=>a, b="A"                                                |
        | FO-D02-07 | one byte more than a page     | a="x"*4097                       | a="x"*4097, b="x"*4097                                            |
        | FO-D02-102 | two pages to the byte        | a="x"*8192                       | a="x"*8192, b="x"*8192                                            |
        | FO-D02-103 | a byte more than a mebibyte  | a="0123456789abcdef\\n"*61681    | a="0123456789abcdef\\n"*61681, b="0123456789abcdef\\n"*61681      |
        | FO-D02-104 | a mark of the byte order     | a="\\xef\\xbb\\xbfA"             | a="\\xef\\xbb\\xbfA", b="\\xef\\xbb\\xbfA"                        |
        | FO-D02-105 | nothing but zeros            | a=5000, c="C"                    | a=5000, b=5000, c="C"                                             |
        | FO-D02-123 | lines that end as elsewhere  | a="A\\r\\nC\\r\\n"                 | a="A\\r\\nC\\r\\n", b="A\\r\\nC\\r\\n"                            |
        | FO-D02-120 | a block of 64 KiB            | a="x"*65536                      | a="x"*65536, b="x"*65536                                          |
        | FO-D02-121 | a mebibyte to the byte       | a="0123456789abcdef"*65536       | a="0123456789abcdef"*65536, b="0123456789abcdef"*65536            |

    @FO-D02-18
    Scenario: a copy over a longer file has no rest of it
      Given the tree "a="N", b="OLDER AND LONGER""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then a control call copies a file onto another
      And the call succeeds and leaves "a="N", b="N""

    @FO-D02-08
    Scenario: a copy is no other name of the source
      Given the tree "a="A""
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A""
      And "a" and "b" are files of their own

    @FO-D02-201
    Scenario: a file that may only be read is copied, and the copy is no other name of it
      Given the tree "a="A"%0444"
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A"%0444, b="A""
      And "a" and "b" are files of their own

    @returns
    Scenario Outline: neither waits for <what> nor pretends
      Given the tree "<tree>"
      When copy is called with {"source": "p", "destination": "q"}
      Then the call either leaves "<left>", or fails with any error and loses nothing
      And a control call copies a file

      Examples:
        | id        | what         | tree            | left                    |
        | FO-D02-09 | a named pipe | p:fifo, a="A"   | p:fifo, q:fifo, a="A"   |
        | FO-D02-10 | a socket     | p:sock, a="A"   | p:sock, q:sock, a="A"   |

    @FO-D02-106 @returns
    Scenario: a copy onto a named pipe, with overwrite, neither waits nor pretends
      Given the tree "a="A", p:fifo"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "p", "overwrite": true}
      Then the call either leaves "a="A", p="A"", or fails with any error and loses nothing
      And a control call copies a file

    @FO-D02-107
    Scenario: a link that leads nowhere is copied as a link or not at all
      Given the tree "l->nope, b="B""
      When copy is called with {"source": "l", "destination": "m"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails     | leaves                     |
        | usual   | any error, nothing lost |                            |
        | target  | any error, nothing lost |                            |
        | link    |           | l->nope, m->nope, b="B"    |
      And a control call copies a file

    @FO-D02-19
    Scenario: a directory is copied with all that it holds, or not at all
      Given the tree "d/{f="F", s/{g="G"}}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails     | leaves                                       |
        | error    | any error, nothing lost |                                              |
        | complete |           | d/{f="F", s/{g="G"}}, e/{f="F", s/{g="G"}}   |
      And a control call copies a file

    @FO-D02-20
    Scenario: an empty directory is copied, or is an error
      Given the tree "d/, e/{x="X"}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails     | leaves              |
        | error    | any error, nothing lost |                     |
        | complete |           | d/, e/{d/, x="X"}   |
      And a control call copies a file

    # Directories with these names are often left out of searches; a copy is to be complete.
    @FO-D02-21
    Scenario: a directory is copied with names that tools like to skip, or not at all
      Given the tree "d/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves |
        | error    | any error, nothing lost |        |
        | complete |                         | d/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}}, e/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}} |
      And a control call copies a file

    # Links may be kept, followed or refused (AMB-FO-45); what they lead to is in the tree.
    @FO-D02-22 @interpretation:AMB-FO-45
    Scenario: a directory is copied with a link in it, or not at all
      Given the tree "d/{f="F", l->f}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves                                    |
        | error    | any error, nothing lost |                                           |
        | complete | any error, nothing lost |                                           |
        | complete |                         | d/{f="F", l->f}, e/{f="F", l->f}          |
        | complete |                         | d/{f="F", l->f}, e/{f="F", l="F"}         |
      And a control call copies a file

    # What cannot be read cannot be copied: a success would be a copy with a hole.
    Scenario Outline: a directory with <what> that may not be read is not copied
      Given the tree "<tree>"
      When copy is called with {"source": "d", "destination": "e"}
      Then the call fails with any error and loses nothing
      And a control call copies a file

      Examples:
        | id         | what        | tree                          |
        | FO-D02-23  | a file      | d/{f="F", g="G"%0000}         |
        | FO-D02-122 | a directory | d/{f="F", s/%0000{g="G"}}     |

    # A part of a file is no copy of it.
    @FO-D02-205
    Scenario: a directory with a file that grows too large is not copied
      Given the tree "d/{f="F", z="0123456789abcdef"*20000}"
      And no file grows beyond 64 KiB
      When copy is called with {"source": "d", "destination": "e"}
      Then the call fails with any error and loses nothing
      And a control call copies a file

    # The device belongs to the tree: a copy that is really a move would take a device of the system away.
    @FO-D02-11 @prudent @needs:mknod
    Scenario: a device is no empty file
      Given the tree "a="A", n:chr"
      When copy is called with {"source": "n", "destination": "q"}
      Then the outcome is one of
        | fails                   | leaves              |
        | any error, nothing lost |                     |
        |                         | a="A", n:chr, q:chr |
        |                         | a="A", n:chr, q     |
      And a control call copies a file

    @FO-D02-12
    Scenario: odd names of a copy
      Given the tree "' -a\n'="A", ' b'="B""
      When copy is called with {"source": " -a\n", "destination": "\u6587 c"}
      Then the call succeeds and leaves "' -a\n'="A", ' b'="B", '\u6587 c'="A""

    Scenario Outline: the names of a copy are taken as they are: <what>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call succeeds and leaves "<tree>, <copy>"

      Examples:
        | id         | what                           | tree                             | arguments                                       | copy               |
        | FO-D02-108 | quotes around the whole name   | '"a"'="A", a="O"                 | {"source": "\\"a\\"", "destination": "'b'"}     | '\\'b\\''="A"      |
        | FO-D02-203 | a line feed at the end | a="A" | {"source": "a", "destination": "b\\n"} | 'b\\n'="A" |
        | FO-D02-109 | what ends a path in an address | 'a#1'="A", a="O"                 | {"source": "a#1", "destination": "b?c;d"}       | 'b?c;d'="A"        |
        | FO-D02-110 | percent signs                  | 'a%2eb'="A", a.b="O"             | {"source": "a%2eb", "destination": "c%20d"}     | 'c%20d'="A"        |
        | FO-D02-111 | a dot at the end               | 'a.'="A", a="O"                  | {"source": "a.", "destination": "b."}           | 'b.'="A"           |
        | FO-D02-112 | what a shell would expand      | '*'="A", b="O", '~'="P"          | {"source": "*", "destination": "$HOME"}         | '$HOME'="A"        |
        | FO-D02-113 | a backslash                    | 'a\\\\b'="A", a/{b="O"}          | {"source": "a\\\\b", "destination": "c\\\\d"}   | 'c\\\\d'="A"       |
        | FO-D02-125 | colons                         | 'c:'="A", 'a:b'="O"              | {"source": "c:", "destination": "a:c"}          | 'a:c'="A"          |
        | FO-D02-126 | characters that are not seen   | '\\u200ba\\ufeff'="A", a="O"     | {"source": "\\u200ba\\ufeff", "destination": "\\u202eb\\u00ad"} | '\\u202eb\\u00ad'="A" |
        | FO-D02-127 | nothing but a blank            | ' '="A", a="O"                   | {"source": " ", "destination": "\\u00a0"}       | '\\u00a0'="A"      |
        | FO-D02-128 | signs of patterns              | '[ab]*'="A", a="O"               | {"source": "[ab]*", "destination": "{c,d}?"}    | '{c,d}?'="A"       |
        | FO-D02-114 | a destination that looks like a name that is taken | a="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'} | {"source": "a", "destination": "e\\u0301"} | 'e\\u0301'="A" |

    # The system allows 255 bytes: a shorter name would be another one.
    @FO-D02-206
    Scenario: a copy to a final name that is too long
      Given the tree "a="A""
      When copy is called with {"source": "a", "destination": "$('b'*256)"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

    # A copy that is first written under a temporary name needs one that is no longer than the final name.
    @FO-D02-13
    Scenario: a name as long as names can be
      Given the tree "a="A""
      When copy is called with {"source": "a", "destination": "$('n'*255)"}
      Then the call succeeds and leaves "a="A", 'n'*255="A""

    @FO-D02-15
    Scenario: a copy leaves the source its time
      Given the tree "a="A"@1000000000123"
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A"@1000000000123, b="A""

    # The second file system is a second root; the temporary name of a copy must lie there as well.
    @FO-D02-16
    Scenario: a copy to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      When copy is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "a="A", far->$FAR", and at $FAR "b="A", k="K""

    @FO-D02-17
    Scenario: a copy of a byte more than a mebibyte to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="0123456789abcdef\n"*61681, far->$FAR"
      When copy is called with {"source": "a", "destination": "far/b"}
      Then the call succeeds and leaves "a="0123456789abcdef\n"*61681, far->$FAR", and at $FAR "b="0123456789abcdef\n"*61681, k="K""

    Scenario Outline: a copy to another file system replaces a file there: <what>
      Given at $FAR, on another file system, the tree "b="OLDER", k="K", s/{a="OLDEST"}"
      And the tree "a="NEW", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When copy is called with <arguments>
      Then a control call copies a file onto another
      And a control call copies a file into a directory
      And the call succeeds and leaves "a="NEW", far->$FAR", and at $FAR "<got>"

      Examples:
        | id        | what                            | arguments                                                    | got                                 |
        | FO-D02-24 | by its name                     | {"source": "a", "destination": "far/b", "overwrite": true}   | b="NEW", k="K", s/{a="OLDEST"}      |
        | FO-D02-25 | in a directory, by its own name | {"source": "a", "destination": "far/s", "overwrite": true}   | b="OLDER", k="K", s/{a="NEW"}       |

    # The directory of the source takes no temporary file.
    @FO-D02-27
    Scenario: a copy from a directory that may not be written to
      Given the tree "x/%0555{a="A"}, d/"
      When copy is called with {"source": "x/a", "destination": "d/b"}
      Then the call succeeds and leaves "x/%0555{a="A"}, d/{b="A"}"

    @FO-D02-115 @needs:case_sensitive
    Scenario: a name that differs in case only is free for a copy
      Given the tree "a="A", b="B""
      When copy is called with {"source": "a", "destination": "B"}
      Then the call succeeds and leaves "B="A", a="A", b="B""

    @FO-D02-301
    Scenario: a source of a copy that was missing in an earlier call
      Given the tree "c="C""
      When copy is called with {"source": "a", "destination": "b"}
      And the tree gets "a="A""
      And copy is called again with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A", c="C""

    @FO-D02-302
    Scenario: a source that has grown since an earlier copy
      Given the tree "a="A""
      When copy is called with {"source": "a", "destination": "b"}
      And "a" has been extended
      And copy is called again with {"source": "a", "destination": "c"}
      Then the call succeeds and leaves "a="A.", b="A", c="A.""

    @FO-D02-303
    Scenario: a source that is another file since an earlier copy
      Given the tree "a="OLD"@1000000000000"
      When copy is called with {"source": "a", "destination": "b"}
      And "a" has been removed
      And the tree gets "a="NEW"@1000000000000"
      And copy is called again with {"source": "a", "destination": "c"}
      Then the call succeeds and leaves "a="NEW", b="OLD", c="NEW""

  @DFO-03
  Rule: a source that is not there is an error, and nothing else

    # A tool may open the destination first: an empty file under its name is no loss.
    Scenario Outline: <tool>: no such source: <what>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call fails with any error and loses nothing
      And a control call <does> a file

      Examples:
        | id        | what                     | tool | does   | tree         | arguments                                |
        | FO-D03-01 | a new name               | move | moves  | b="B"        | {"source": "a", "destination": "c"}      |
        | FO-D03-02 | a new name, copied       | copy | copies | b="B"        | {"source": "a", "destination": "c"}      |
        | FO-D03-03 | into a directory         | move | moves  | d/{b="B"}    | {"source": "a", "destination": "d"}      |
        | FO-D03-04 | into a directory, copied | copy | copies | d/{b="B"}    | {"source": "a", "destination": "d"}      |
        | FO-D03-05 | its directory is missing | move | moves  | b="B"        | {"source": "x/a", "destination": "c"}    |
        | FO-D03-06 | below a file             | copy | copies | b="B"        | {"source": "b/a", "destination": "c"}    |

    # The file that a pattern would fit is another one.
    Scenario Outline: <tool>: a pattern is no source: <what>
      Given the tree "b.txt="B""
      When <tool> is called with <arguments>
      Then the call fails with any error and loses nothing
      And a control call <does> a file

      Examples:
        | id         | what            | tool | does   | arguments                                    |
        | FO-D03-101 | an asterisk     | move | moves  | {"source": "*.txt", "destination": "c"}      |
        | FO-D03-102 | an asterisk     | copy | copies | {"source": "b*", "destination": "c"}         |
        | FO-D03-103 | a question mark | copy | copies | {"source": "?.txt", "destination": "c"}      |
        | FO-D03-104 | brackets        | move | moves  | {"source": "[ab].txt", "destination": "c"}   |
        | FO-D03-105 | braces          | copy | copies | {"source": "{a,b}.txt", "destination": "c"}  |

    Scenario Outline: <tool>: no such source, and overwriting is asked for
      Given the tree "b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing
      And a control call <does> a file

      Examples:
        | id        | tool | does   |
        | FO-D03-09 | move | moves  |
        | FO-D03-10 | copy | copies |

    Scenario Outline: <tool>: a name in another case is no source
      Given the tree "b="B""
      When <tool> is called with {"source": "B", "destination": "c"}
      Then the call fails with any error and loses nothing
      And a control call <does> a file

      @needs:case_sensitive
      Examples:
        | id         | tool | does   |
        | FO-D03-201 | move | moves  |
        | FO-D03-202 | copy | copies |

    Scenario Outline: <tool>: blanks around a name are part of it: <source>
      Given the tree "a="A", b="B""
      When <tool> is called with {"source": "<source>", "destination": "c"}
      Then the call fails with any error and loses nothing
      And a control call <does> a file

      Examples:
        | id         | tool | does   | source |
        | FO-D03-203 | move | moves  | a\\n   |
        | FO-D03-204 | copy | copies | \\ta   |

    @FO-D03-07
    Scenario: a slash at the end of a file's name
      Given the tree "a="A""
      When move is called with {"source": "a/", "destination": "b"}
      Then by AMB-FO-30 the outcome is one of
        | reading | fails     | leaves |
        | error   | any error |        |
        | strip   |           | b="A"  |
      And a control call moves a file

    # The missing source or the missing directory may be detected first, and the directory may be made before.
    @FO-D03-08
    Scenario: neither the source nor the directory is there
      Given the tree "a="A""
      When move is called with {"source": "gone", "destination": "x/y/b"}
      Then the call fails with any error and loses nothing
      And a control call moves a file

  @DFO-09
  Rule: a final name without a directory is made completely, or the call fails

    Scenario Outline: <tool>: the directory is missing: <what>
      Given the tree "a="A", c/"
      When <tool> is called with <arguments>
      Then by <entry> the outcome is one of
        | reading | fails     | leaves |
        | error   | any error |        |
        | make    |           | <left> |
      And a control call <does> a file

      Examples:
        | id        | what            | tool | does   | entry     | arguments                                 | left                        |
        | FO-D09-01 | two of them     | move | moves  | AMB-FO-08 | {"source": "a", "destination": "x/y/b"}   | c/, x/{y/{b="A"}}           |
        | FO-D09-02 | two, for a copy | copy | copies | AMB-FO-47 | {"source": "a", "destination": "x/y/b"}   | a="A", c/, x/{y/{b="A"}}    |
        | FO-D09-03 | one of them     | move | moves  | AMB-FO-08 | {"source": "a", "destination": "c/x/b"}   | c/{x/{b="A"}}               |

    Scenario Outline: <tool>: <what> is no directory
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id        | what                | tool | does   | tree              | arguments                               |
        | FO-D09-04 | a file              | move | moves  | a="A", f="F"      | {"source": "a", "destination": "f/b"}   |
        | FO-D09-05 | a file, for a copy  | copy | copies | a="A", f="F"      | {"source": "a", "destination": "f/b"}   |
        | FO-D09-07 | a named pipe        | copy | copies | a="A", p:fifo     | {"source": "a", "destination": "p/b"}   |

    # A candidate that follows links first finds a missing directory and may create it.
    @FO-D09-06
    Scenario: a dangling link is no directory
      Given the tree "a="A", l->nope"
      When move is called with {"source": "a", "destination": "l/b"}
      Then by AMB-FO-08 the outcome is one of
        | reading | fails     | leaves               |
        | error   | any error |                      |
        | make    | any error |                      |
        | make    |           | l->nope, nope/{b="A"} |
      And a control call moves a file

    # The directory may be made before it shows that the source cannot be read.
    @FO-D09-09
    Scenario: a copy that fails has lost nothing
      Given the tree "a="A"%0000"
      When copy is called with {"source": "a", "destination": "x/y/b"}
      Then the call fails with any error and loses nothing
      And a control call copies a file

  @FR-EXE-01
  Rule: every call is carried out, and has a result of its own

    @FO-EXE-01-01
    Scenario: the same move a second time finds no source
      Given the tree "a="A""
      When move is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A""
      When move is called again with {"source": "a", "destination": "b"}
      Then a control call moves nothing from a name that is not there
      And the call fails with any error and changes nothing

    @FO-EXE-01-02
    Scenario: the same copy a second time finds a name that is taken
      Given the tree "a="A""
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A""
      When copy is called again with {"source": "a", "destination": "b"}
      Then a control call copies nothing onto a file
      And the call fails with any error and changes nothing

    @FO-EXE-01-03
    Scenario: a call that failed does not stop the next one
      Given the tree "a="A""
      When move is called with {"source": "gone", "destination": "b"}
      Then a control call moves nothing from a name that is not there
      And the call fails with any error and changes nothing
      When move is called again with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A""

    # The cause of the error is gone: the name is free.
    @FO-EXE-01-04
    Scenario: a move that failed is carried out when it is made again
      Given the tree "a="A", b="B""
      When move is called with {"source": "a", "destination": "b"}
      Then a control call moves nothing onto a file
      And the call fails with any error and changes nothing
      When move is called again with {"source": "b", "destination": "c"}
      Then the call succeeds and leaves "a="A", c="B""
      When move is called again with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A", c="B""

    # The cause of the error is gone: the source is there.
    @FO-EXE-01-05
    Scenario: a copy that failed is carried out when it is made again
      Given the tree "e/{x="X"}"
      When copy is called with {"source": "gone/x", "destination": "gone/c"}
      Then a control call copies nothing from a name that is not there
      And the call fails with any error and changes nothing
      When move is called again with {"source": "e", "destination": "gone"}
      Then the call succeeds and leaves "gone/{x="X"}"
      When copy is called again with {"source": "gone/x", "destination": "gone/c"}
      Then the call succeeds and leaves "gone/{c="X", x="X"}"

    # The destination of the first call is no directory, and that of the second one is.
    @FO-EXE-01-06
    Scenario: a name that has become a directory takes the next source in
      Given the tree "a="A", b="B", e/{k="K"}"
      When copy is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d="A", e/{k="K"}"
      When move is called again with {"source": "d", "destination": "f"}
      Then the call succeeds and leaves "a="A", b="B", f="A", e/{k="K"}"
      When move is called again with {"source": "e", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", f="A", d/{k="K"}"
      When copy is called again with {"source": "b", "destination": "d"}
      Then a control call copies a file into a directory
      And the call succeeds and leaves "a="A", b="B", f="A", d/{b="B", k="K"}"

    # The destination of the first call is a directory, and that of the last one is free.
    @FO-EXE-01-201
    Scenario: a name that is no directory any more is a name
      Given the tree "a="A", b="B", d/"
      When copy is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d/{a="A"}"
      When move is called again with {"source": "d", "destination": "e"}
      Then the call succeeds and leaves "a="A", b="B", e/{a="A"}"
      When copy is called again with {"source": "b", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d="B", e/{a="A"}"

    # The first call shows what the argument is where it is left out; the second one gives it.
    Scenario Outline: <tool>: an argument of one call is none of the next one
      Given the tree "a="A", b="B", c="C", d="D""
      When <tool> is called with {"source": "a", "destination": "b"}
      Then a control call <does> nothing onto a file
      And the call fails with any error and changes nothing
      When <tool> is called again with {"source": "a", "destination": "b", "overwrite": true}
      And <tool> is called again with {"source": "c", "destination": "d"}
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | tool | does   |
        | FO-EXE-01-07 | move | moves  |
        | FO-EXE-01-08 | copy | copies |

    # Whether the configuration stands in for the argument is open (AMB-FO-01); what stood in the call before does not.
    Scenario Outline: <tool>: an argument of one call is none of the next one, where overwriting is allowed
      Given the tree "a="AA", b="B", c="CC", d="D", e="EE", f="F""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": false}
      And <tool> is called again with {"source": "a", "destination": "b"}
      And <tool> is called again with {"source": "c", "destination": "d", "overwrite": true}
      And <tool> is called again with {"source": "e", "destination": "f"}
      Then by AMB-FO-01 the outcome is one of
        | reading    | fails     | leaves                    |
        | gate       | any error | <closed>                  |
        | configured | any error | <closed>                  |
        | both       |           | <open>                    |
        | default    |           | <open>                    |
      And a control call <does> a file

      Examples:
        | id           | tool | does   | closed                                       | open                                           |
        | FO-EXE-01-09 | move | moves  | a="AA", b="B", d="CC", e="EE", f="F"         | b="AA", d="CC", f="EE"                         |
        | FO-EXE-01-10 | copy | copies | a="AA", b="B", c="CC", d="CC", e="EE", f="F" | a="AA", b="AA", c="CC", d="CC", e="EE", f="EE" |
