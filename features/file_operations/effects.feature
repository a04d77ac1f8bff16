@file_operations
Feature: What a success means, and what an error does not do

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-01
  Rule: after a move the source's name is gone, and the final name has all that it had

    # What a name was in an earlier call is no matter of this one.
    @FO-D01-208 @behaviour:BEH-14
    Scenario: moved: to a name that a directory had before
      Given the tree "a="A", b="B", d/"
      When move is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "b="B", d/{a="A"}"
      When "d" has been renamed
      And move is called again with {"source": "b", "destination": "d"}
      Then the call succeeds and leaves "d="B", d.renamed/{a="A"}"

    @behaviour:BEH-04
    Scenario Outline: <case of DFO-01>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-01 | tree | arguments | ends |
        | FO-D01-01 | moved: in place | a="A", c="C" | {"source": "a", "destination": "b"} | succeeds and leaves "b="A", c="C"" |
        | FO-D01-02 | moved: NUL, high bytes and line ends | a="B\\r\\n\\x00\\xff\\x80" | {"source": "a", "destination": "b"} | succeeds and leaves "b="B\\r\\n\\x00\\xff\\x80"" |
        | FO-D01-03 | moved: to another directory, under another name | x/{a="A"}, y/{} | {"source": "x/a", "destination": "y/b"} | succeeds and leaves "x/, y/{b="A"}" |
        | FO-D01-07 | moved: a file with another name keeps it | a="A", h=>a | {"source": "a", "destination": "b"} | succeeds and leaves "b="A", h=>b" |
        | FO-D01-09 | moved: a large file | a="0123456789abcdef\\n"*50000 | {"source": "a", "destination": "b"} | succeeds and leaves "b="0123456789abcdef\\n"*50000" |
        | FO-D01-207 | moved: a file beyond 2 GiB | a=2147483653 | {"source": "a", "destination": "b"} | succeeds and leaves "b=2147483653" |
        | FO-D01-10 | moved: a name that begins with a dot | .a="A" | {"source": ".a", "destination": ".b"} | succeeds and leaves ".b="A"" |
        | FO-D01-11 | moved: dots and slashes that say nothing | x/{a="A"} | {"source": "./x//a", "destination": "x/./b"} | succeeds and leaves "x/{b="A"}" |
        | FO-D01-14 | moved: a name of two characters that look as one | 'e\\u0301'="A", '\\u00e9'="B" | {"source": "e\\u0301", "destination": "x"} | succeeds and leaves "'\\u00e9'="B", x="A"" |
        | FO-D01-102 | moved: percent signs | 'a%2eb'="A" | {"source": "a%2eb", "destination": "c%20d"} | succeeds and leaves "'c%20d'="A"" |
        | FO-D01-103 | moved: what looks like a variable | '$HOME'="A" | {"source": "$HOME", "destination": "${USER}"} | succeeds and leaves "'${USER}'="A"" |
        | FO-D01-18 | moved: an empty file | a, c="C" | {"source": "a", "destination": "b"} | succeeds and leaves "b, c="C"" |
        | FO-D01-106 | moved: capitals behind the dot | a.TXT="A" | {"source": "a.TXT", "destination": "b.TXT"} | succeeds and leaves "b.TXT="A"" |
        | FO-D01-108 | moved: quotes around the whole name | '"a"'="A", a="O" | {"source": "\\"a\\"", "destination": "'b'"} | succeeds and leaves "a="O", '\\'b\\''="A"" |
        | FO-D01-117 | moved: twenty directories | 1/{2/{3/{4/{5/{6/{7/{8/{9/{a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{x="A"}}}}}}}}}}}}}}}}}}}} | {"source": "1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/x", "destination": "1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/y"} | succeeds and leaves "1/{2/{3/{4/{5/{6/{7/{8/{9/{a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{y="A"}}}}}}}}}}}}}}}}}}}}" |
        | FO-D01-110 | moved: a destination that looks like a name that is taken | a="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'} | {"source": "a", "destination": "e\\u0301"} | succeeds and leaves "'e\\u0301'="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'}" |
        # The system allows 255 bytes: a shorter name would be another one.
        | FO-D01-206 | a move to a final name that is too long | a="A" | {"source": "a", "destination": "$('b'*256)"} | fails with any error and changes nothing |
        # The directory holds the name of a file: a move neither reads nor writes the file itself.
        | FO-D01-107 | a file that may not be read is moved | a=7%0000 | {"source": "a", "destination": "b"} | succeeds and leaves "b=7%0000" |

      @interpretation:AMB-FO-49
      Examples:
        | id | case of DFO-01 | tree | arguments | ends |
        | FO-D01-15 | moved: names that a shell would not leave alone | '~'="A", '*'="S" | {"source": "~", "destination": "*x"} | either leaves "'*'="S", '*x'="A"", or fails with any error and changes nothing |
        | FO-D01-04 | moved: odd names | '-r\\u00e9 x\\n'="A" | {"source": "-r\\u00e9 x\\n", "destination": "\\u6587 b"} | either leaves "'\\u6587 b'="A"", or fails with any error and changes nothing |
        | FO-D01-05 | moved: a name with blanks at both ends | ' a '="A", a="O" | {"source": " a ", "destination": " b "} | either leaves "' b '="A", a="O"", or fails with any error and changes nothing |
        | FO-D01-104 | moved: characters that other systems forbid | a="A" | {"source": "a", "destination": "c:<d>\|?\\""} | either leaves "'c:<d>\|?"'="A"", or fails with any error and changes nothing |
        | FO-D01-105 | moved: the name of another system's device | a="A" | {"source": "a", "destination": "nul.txt"} | either leaves "nul.txt="A"", or fails with any error and changes nothing |
        | FO-D01-201 | moved: a line feed at the end | a="A", c="C" | {"source": "a", "destination": "b\\n"} | either leaves "'b\\n'="A", c="C"", or fails with any error and changes nothing |
        | FO-D01-109 | moved: what ends a path in an address | 'a#1'="A", a="O" | {"source": "a#1", "destination": "b?c;d"} | either leaves "a="O", 'b?c;d'="A"", or fails with any error and changes nothing |
        | FO-D01-113 | moved: colons, as of a drive or a stream | 'c:'="A", 'a:b'="O" | {"source": "c:", "destination": "a:c"} | either leaves "'a:b'="O", 'a:c'="A"", or fails with any error and changes nothing |
        | FO-D01-114 | moved: characters that are not seen | '\\u200ba\\ufeff'="A", a="O" | {"source": "\\u200ba\\ufeff", "destination": "\\u202eb\\u00ad"} | either leaves "a="O", '\\u202eb\\u00ad'="A"", or fails with any error and changes nothing |
        | FO-D01-115 | moved: nothing but a blank | ' '="A", a="O" | {"source": " ", "destination": "\\u00a0"} | either leaves "a="O", '\\u00a0'="A"", or fails with any error and changes nothing |
        | FO-D01-116 | moved: signs of patterns | '[ab]*'="A", a="O" | {"source": "[ab]*", "destination": "{c,d}?"} | either leaves "a="O", '{c,d}?'="A"", or fails with any error and changes nothing |

      # Libraries of other platforms take a backslash for a slash; the document has no word on separators.
      @prudent @interpretation:AMB-FO-49
      Examples:
        | id | case of DFO-01 | tree | arguments | ends |
        | FO-D01-16 | moved: a backslash in a name | 'a\\\\b'="A", a/{b="B"}, c/ | {"source": "a\\\\b", "destination": "c\\\\d"} | either leaves "'c\\\\d'="A", a/{b="B"}, c/", or fails with any error and changes nothing |

      @interpretation:AMB-FO-34
      Examples:
        | id | case of DFO-01 | tree | arguments | ends |
        | FO-D01-06 | moved: a directory with all that it holds | d/{e/{f="F"}, l->e, p:fifo, '\\xff'} | {"source": "d", "destination": "n"} | either leaves "n/{e/{f="F"}, l->e, p:fifo, '\\xff'}", or fails with any error and changes nothing |
        | FO-D01-19 | moved: an empty directory | d/, c="C" | {"source": "d", "destination": "e"} | either leaves "e/, c="C"", or fails with any error and changes nothing |
        | FO-D01-118 | moved: a directory, to a name that begins like its own | d/{f="F"}, c="C" | {"source": "d", "destination": "dd"} | either leaves "c="C", dd/{f="F"}", or fails with any error and changes nothing |

      @returns
      Examples:
        | id | case of DFO-01 | tree | arguments | ends |
        | FO-D01-08 | a named pipe, which nobody opens | p:fifo, a="A" | {"source": "p", "destination": "q"} | either leaves "q:fifo, a="A"", or fails with any error and changes nothing |

      @needs:case_sensitive
      Examples:
        | id | case of DFO-01 | tree | arguments | ends |
        | FO-D01-111 | a name that differs in case only is free: beside a file of the name | a="A", b="B" | {"source": "a", "destination": "B"} | succeeds and leaves "B="A", b="B"" |
        | FO-D01-112 | a name that differs in case only is free: the source's own | a="A", b="B" | {"source": "a", "destination": "A"} | succeeds and leaves "A="A", b="B"" |

    @FO-D01-12 @behaviour:BEH-14
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
      Then by AMB-FO-41 the outcome is one of
        | reading | leaves               |
        | name    | b="NEW", h="OLDER"   |
        | through | b="NEW", h=>b        |

    @FO-D01-17
    Scenario: two files of the same content are two files
      Given the tree "a="SAME", b="SAME""
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "b="SAME""

    @FO-D01-301
    Scenario: a source that was missing in an earlier call
      Given the tree "c="C""
      When move is called with {"source": "a", "destination": "b"}
      And the tree gets "a="A""
      And move is called again with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A", c="C""

  @DFO-02
  Rule: after a copy there are two files of the same bytes

    @FO-D02-130 @needs:disk_space
    Scenario: copied: a file beyond 2 GiB
      Given the file system of the disk
      And the tree "a=2147483653"
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a=2147483653, b=2147483653"

    # What a name was in an earlier call is no matter of this one.
    @FO-D02-131
    Scenario: copied: to a name that a directory had before
      Given the tree "a="A", b="B", d/"
      When copy is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d/{a="A"}"
      When "d" has been renamed
      And copy is called again with {"source": "b", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d="B", d.renamed/{a="A"}"

    @behaviour:BEH-04
    Scenario Outline: <case of DFO-02>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-01 | copied: beside | a="A", c="C" | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A", c="C"" |
        | FO-D02-02 | copied: NUL, high bytes and line ends | a="B\\r\\n\\x00\\xff\\x80" | {"source": "a", "destination": "b"} | succeeds and leaves "a="B\\r\\n\\x00\\xff\\x80", b="B\\r\\n\\x00\\xff\\x80"" |
        | FO-D02-03 | copied: an empty file | a, c="C" | {"source": "a", "destination": "b"} | succeeds and leaves "a, b, c="C"" |
        | FO-D02-04 | copied: a large file | a="0123456789abcdef\\n"*50000 | {"source": "a", "destination": "b"} | succeeds and leaves "a="0123456789abcdef\\n"*50000, b="0123456789abcdef\\n"*50000" |
        | FO-D02-05 | copied: a file that ends in zeros | a="A\\x00\\x00\\x00" | {"source": "a", "destination": "b"} | succeeds and leaves "a="A\\x00\\x00\\x00", b="A\\x00\\x00\\x00"" |
        | FO-D02-06 | copied: a file of two names | a="A", h=>a | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", h=>a, b="A"" |
        | FO-D02-07 | copied: one byte more than a page | a="x"*4097 | {"source": "a", "destination": "b"} | succeeds and leaves "a="x"*4097, b="x"*4097" |
        | FO-D02-102 | copied: two pages to the byte | a="x"*8192 | {"source": "a", "destination": "b"} | succeeds and leaves "a="x"*8192, b="x"*8192" |
        | FO-D02-103 | copied: a byte more than a mebibyte | a="0123456789abcdef\\n"*61681 | {"source": "a", "destination": "b"} | succeeds and leaves "a="0123456789abcdef\\n"*61681, b="0123456789abcdef\\n"*61681" |
        | FO-D02-104 | copied: a mark of the byte order | a="\\xef\\xbb\\xbfA" | {"source": "a", "destination": "b"} | succeeds and leaves "a="\\xef\\xbb\\xbfA", b="\\xef\\xbb\\xbfA"" |
        | FO-D02-105 | copied: nothing but zeros | a=5000, c="C" | {"source": "a", "destination": "b"} | succeeds and leaves "a=5000, b=5000, c="C"" |
        | FO-D02-129 | copied: a file with a hole at its end | a="A"*1"\\x00"*70000 | {"source": "a", "destination": "b"} | succeeds and leaves "a="A"*1"\\x00"*70000, b="A"*1"\\x00"*70000" |
        | FO-D02-123 | copied: lines that end as elsewhere | a="A\\r\\nC\\r\\n" | {"source": "a", "destination": "b"} | succeeds and leaves "a="A\\r\\nC\\r\\n", b="A\\r\\nC\\r\\n"" |
        | FO-D02-120 | copied: a block of 64 KiB | a="x"*65536 | {"source": "a", "destination": "b"} | succeeds and leaves "a="x"*65536, b="x"*65536" |
        | FO-D02-121 | copied: a mebibyte to the byte | a="0123456789abcdef"*65536 | {"source": "a", "destination": "b"} | succeeds and leaves "a="0123456789abcdef"*65536, b="0123456789abcdef"*65536" |
        # What cannot be read cannot be copied: a success would be a copy with a hole.
        | FO-D02-23 | a directory with a file that may not be read is not copied | d/{f="F", g="G"%0000} | {"source": "d", "destination": "e"} | fails with any error and loses nothing |
        | FO-D02-122 | a directory with a directory that may not be read is not copied | d/{f="F", s/%0000{g="G"}} | {"source": "d", "destination": "e"} | fails with any error and loses nothing |
        | FO-D02-108 | the names of a copy are taken as they are: quotes around the whole name | '"a"'="A", a="O" | {"source": "\\"a\\"", "destination": "'b'"} | succeeds and leaves "'"a"'="A", a="O", '\\'b\\''="A"" |
        | FO-D02-110 | the names of a copy are taken as they are: percent signs | 'a%2eb'="A", a.b="O" | {"source": "a%2eb", "destination": "c%20d"} | succeeds and leaves "'a%2eb'="A", a.b="O", 'c%20d'="A"" |
        | FO-D02-112 | the names of a copy are taken as they are: what a shell would expand | '*'="A", b="O", '~'="P" | {"source": "*", "destination": "$HOME"} | succeeds and leaves "'*'="A", b="O", '~'="P", '$HOME'="A"" |
        | FO-D02-114 | the names of a copy are taken as they are: a destination that looks like a name that is taken | a="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'} | {"source": "a", "destination": "e\\u0301"} | succeeds and leaves "a="A", '\\u00e9'="B", k/{'e\\u0301', '\\u00e9'}, 'e\\u0301'="A"" |
        # The system allows 255 bytes: a shorter name would be another one.
        | FO-D02-206 | a copy to a final name that is too long | a="A" | {"source": "a", "destination": "$('b'*256)"} | fails with any error and changes nothing |
        # A copy that is first written under a temporary name needs one that is no longer than the final name.
        | FO-D02-13 | a name as long as names can be | a="A" | {"source": "a", "destination": "$('n'*255)"} | succeeds and leaves "a="A", 'n'*255="A"" |
        | FO-D02-15 | a copy leaves the source its time | a="A"@1000000000123 | {"source": "a", "destination": "b"} | succeeds and leaves "a="A"@1000000000123, b="A"" |
        # The directory of the source takes no temporary file.
        | FO-D02-27 | a copy from a directory that may not be written to | x/%0555{a="A"}, d/ | {"source": "x/a", "destination": "d/b"} | succeeds and leaves "x/%0555{a="A"}, d/{b="A"}" |

      @returns
      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-09 | neither waits for a named pipe nor pretends | p:fifo, a="A" | {"source": "p", "destination": "q"} | either leaves "p:fifo, q:fifo, a="A"", or fails with any error and loses nothing |
        | FO-D02-10 | neither waits for a socket nor pretends | p:sock, a="A" | {"source": "p", "destination": "q"} | either leaves "p:sock, q:sock, a="A"", or fails with any error and loses nothing |

      @interpretation:AMB-FO-04
      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-107 | a link that leads nowhere is copied as a link or not at all | l->nope, b="B" | {"source": "l", "destination": "m"} | either leaves "l->nope, m->nope, b="B"", or fails with any error and loses nothing |

      @interpretation:AMB-FO-49
      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-12 | odd names of a copy | ' -a\\n'="A", ' b'="B" | {"source": " -a\\n", "destination": "\\u6587 c"} | either leaves "' -a\\n'="A", ' b'="B", '\\u6587 c'="A"", or fails with any error and changes nothing |
        | FO-D02-203 | the names of a copy are taken as they are: a line feed at the end | a="A" | {"source": "a", "destination": "b\\n"} | either leaves "a="A", 'b\\n'="A"", or fails with any error and changes nothing |
        | FO-D02-109 | the names of a copy are taken as they are: what ends a path in an address | 'a#1'="A", a="O" | {"source": "a#1", "destination": "b?c;d"} | either leaves "'a#1'="A", a="O", 'b?c;d'="A"", or fails with any error and changes nothing |
        | FO-D02-111 | the names of a copy are taken as they are: a dot at the end | 'a.'="A", a="O" | {"source": "a.", "destination": "b."} | either leaves "'a.'="A", a="O", 'b.'="A"", or fails with any error and changes nothing |
        | FO-D02-125 | the names of a copy are taken as they are: colons | 'c:'="A", 'a:b'="O" | {"source": "c:", "destination": "a:c"} | either leaves "'c:'="A", 'a:b'="O", 'a:c'="A"", or fails with any error and changes nothing |
        | FO-D02-126 | the names of a copy are taken as they are: characters that are not seen | '\\u200ba\\ufeff'="A", a="O" | {"source": "\\u200ba\\ufeff", "destination": "\\u202eb\\u00ad"} | either leaves "'\\u200ba\\ufeff'="A", a="O", '\\u202eb\\u00ad'="A"", or fails with any error and changes nothing |
        | FO-D02-127 | the names of a copy are taken as they are: nothing but a blank | ' '="A", a="O" | {"source": " ", "destination": "\\u00a0"} | either leaves "' '="A", a="O", '\\u00a0'="A"", or fails with any error and changes nothing |
        | FO-D02-128 | the names of a copy are taken as they are: signs of patterns | '[ab]*'="A", a="O" | {"source": "[ab]*", "destination": "{c,d}?"} | either leaves "'[ab]*'="A", a="O", '{c,d}?'="A"", or fails with any error and changes nothing |

      @prudent @interpretation:AMB-FO-49
      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-113 | the names of a copy are taken as they are: a backslash | 'a\\\\b'="A", a/{b="O"}, c/ | {"source": "a\\\\b", "destination": "c\\\\d"} | either leaves "'a\\\\b'="A", a/{b="O"}, c/, 'c\\\\d'="A"", or fails with any error and changes nothing |

      @interpretation:AMB-FO-33
      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-19 | a directory is copied with all that it holds, or not at all | d/{f="F", s/{g="G"}} | {"source": "d", "destination": "e"} | either leaves "d/{f="F", s/{g="G"}}, e/{f="F", s/{g="G"}}", or fails with any error and loses nothing |
        | FO-D02-20 | an empty directory is copied, or is an error | d/, e/{x="X"} | {"source": "d", "destination": "e"} | either leaves "d/, e/{d/, x="X"}", or fails with any error and loses nothing |
        # Directories with these names are often left out of searches; a copy is to be complete.
        | FO-D02-21 | a directory is copied with names that tools like to skip, or not at all | d/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}} | {"source": "d", "destination": "e"} | either leaves "d/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}}, e/{.git/{x="X"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}}", or fails with any error and loses nothing |

      @needs:case_sensitive
      Examples:
        | id | case of DFO-02 | tree | arguments | ends |
        | FO-D02-115 | a name that differs in case only is free for a copy | a="A", b="B" | {"source": "a", "destination": "B"} | succeeds and leaves "B="A", a="A", b="B"" |

    @FO-D02-18
    Scenario: a copy over a longer file has no rest of it
      Given the tree "a="N", b="OLDER AND LONGER""
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call succeeds and leaves "a="N", b="N""

    @FO-D02-106 @returns
    Scenario: a copy onto a named pipe, with overwrite, neither waits nor pretends
      Given the tree "a="A", p:fifo"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "p", "overwrite": true}
      Then the call either leaves "a="A", p="A"", or fails with any error and loses nothing

    Scenario Outline: <case of DFO-02 with a further look>
      Given the tree "<tree>"
      When copy is called with {"source": "a", "destination": "b"}
      Then the call <ends>
      And "a" and "b" are files of their own

      Examples:
        | id | case of DFO-02 with a further look | tree | ends |
        | FO-D02-08 | a copy is no other name of the source | a="A" | succeeds and leaves "a="A", b="A"" |
        | FO-D02-201 | a file that may only be read is copied, and the copy is no other name of it | a="A"%0444 | succeeds and leaves "a="A"%0444, b="A"" |

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
        | complete |                         | d/{f="F", l->f}, e/{f="F", l->$ROOT/d/f}  |

    # A part of a file is no copy of it.
    @FO-D02-205
    Scenario: a directory with a file that grows too large is not copied
      Given the tree "d/{f="F", z="0123456789abcdef"*20000}"
      And no file grows beyond 64 KiB
      When copy is called with {"source": "d", "destination": "e"}
      Then the call fails with any error and loses nothing

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

    Scenario Outline: <case of DFO-02 on two file systems>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>"
      When copy is called with {"source": "a", "destination": "far/b"}
      Then the call <ends>

      Examples:
        | id | case of DFO-02 on two file systems | tree | ends |
        # The second file system is a second root; the temporary name of a copy must lie there as well.
        | FO-D02-16 | a copy to another file system | a="A", far->$FAR | succeeds and leaves "a="A", far->$FAR", and at $FAR "b="A", k="K"" |
        | FO-D02-17 | a copy of a byte more than a mebibyte to another file system | a="0123456789abcdef\\n"*61681, far->$FAR | succeeds and leaves "a="0123456789abcdef\\n"*61681, far->$FAR", and at $FAR "b="0123456789abcdef\\n"*61681, k="K"" |

    Scenario Outline: a copy to another file system replaces a file there: <what>
      Given at $FAR, on another file system, the tree "b="OLDER", k="K", s/{a="OLDEST"}"
      And the tree "a="NEW", far->$FAR"
      And the configuration {"allow_overwrite": true}
      When copy is called with <arguments>
      Then the call succeeds and leaves "a="NEW", far->$FAR", and at $FAR "<got>"

      Examples:
        | id | what | arguments | got |
        | FO-D02-24 | by its name | {"source": "a", "destination": "far/b", "overwrite": true} | b="NEW", k="K", s/{a="OLDEST"} |
        | FO-D02-25 | in a directory, by its own name | {"source": "a", "destination": "far/s", "overwrite": true} | b="OLDER", k="K", s/{a="NEW"} |

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

    @behaviour:BEH-05
    Scenario Outline: <case of DFO-03>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of DFO-03 | tree | tool | arguments | ends |
        # A tool may open the destination first: an empty file under its name is no loss.
        | FO-D03-01 | move: no such source: a new name | b="B" | move | {"source": "a", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-02 | copy: no such source: a new name, copied | b="B" | copy | {"source": "a", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-03 | move: no such source: into a directory | d/{b="B"} | move | {"source": "a", "destination": "d"} | fails with any error and loses nothing |
        | FO-D03-04 | copy: no such source: into a directory, copied | d/{b="B"} | copy | {"source": "a", "destination": "d"} | fails with any error and loses nothing |
        | FO-D03-05 | move: no such source: its directory is missing | b="B" | move | {"source": "x/a", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-06 | copy: no such source: below a file | b="B" | copy | {"source": "b/a", "destination": "c"} | fails with any error and loses nothing |
        # The file that a pattern would fit is another one.
        | FO-D03-101 | move: a pattern is no source: an asterisk | b.txt="B" | move | {"source": "*.txt", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-102 | copy: a pattern is no source: an asterisk | b.txt="B" | copy | {"source": "b*", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-103 | copy: a pattern is no source: a question mark | b.txt="B" | copy | {"source": "?.txt", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-104 | move: a pattern is no source: brackets | b.txt="B" | move | {"source": "[ab].txt", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-105 | copy: a pattern is no source: braces | b.txt="B" | copy | {"source": "{a,b}.txt", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-203 | move: blanks around a name are part of it: a\\n | a="A", b="B" | move | {"source": "a\\n", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-204 | copy: blanks around a name are part of it: \\ta | a="A", b="B" | copy | {"source": "\\ta", "destination": "c"} | fails with any error and loses nothing |
        # The missing source or the missing directory may be detected first, and the directory may be made before.
        | FO-D03-08 | neither the source nor the directory is there | a="A" | move | {"source": "gone", "destination": "x/y/b"} | fails with any error and loses nothing |

      @needs:case_sensitive
      Examples:
        | id | case of DFO-03 | tree | tool | arguments | ends |
        | FO-D03-201 | move: a name in another case is no source | b="B" | move | {"source": "B", "destination": "c"} | fails with any error and loses nothing |
        | FO-D03-202 | copy: a name in another case is no source | b="B" | copy | {"source": "B", "destination": "c"} | fails with any error and loses nothing |

      @interpretation:AMB-FO-30
      Examples:
        | id | case of DFO-03 | tree | tool | arguments | ends |
        | FO-D03-07 | a slash at the end of a file's name | a="A" | move | {"source": "a/", "destination": "b"} | either leaves "b="A"", or fails with any error and changes nothing |

    Scenario Outline: <tool>: no such source, and overwriting is asked for
      Given the tree "b="B""
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with any error and loses nothing

      Examples:
        | id | tool |
        | FO-D03-09 | move |
        | FO-D03-10 | copy |

  @DFO-09
  Rule: a final name without a directory is made completely, or the call fails

    Scenario Outline: <case of DFO-09>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      @interpretation:AMB-FO-08
      Examples:
        | id | case of DFO-09 | tree | tool | arguments | ends |
        | FO-D09-01 | move: the directory is missing: two of them | a="A", c/ | move | {"source": "a", "destination": "x/y/b"} | either leaves "c/, x/{y/{b="A"}}", or fails with any error and changes nothing |
        | FO-D09-03 | move: the directory is missing: one of them | a="A", c/ | move | {"source": "a", "destination": "c/x/b"} | either leaves "c/{x/{b="A"}}", or fails with any error and changes nothing |
        # A candidate that follows links first finds a missing directory and may create it.
        | FO-D09-06 | a dangling link is no directory | a="A", l->nope | move | {"source": "a", "destination": "l/b"} | either leaves "l->nope, nope/{b="A"}", or fails with any error and changes nothing |

      @interpretation:AMB-FO-47
      Examples:
        | id | case of DFO-09 | tree | tool | arguments | ends |
        | FO-D09-02 | copy: the directory is missing: two, for a copy | a="A", c/ | copy | {"source": "a", "destination": "x/y/b"} | either leaves "a="A", c/, x/{y/{b="A"}}", or fails with any error and changes nothing |

      Examples:
        | id | case of DFO-09 | tree | tool | arguments | ends |
        | FO-D09-04 | move: a file is no directory | a="A", f="F" | move | {"source": "a", "destination": "f/b"} | fails with any error and changes nothing |
        | FO-D09-05 | copy: a file, for a copy is no directory | a="A", f="F" | copy | {"source": "a", "destination": "f/b"} | fails with any error and changes nothing |
        | FO-D09-07 | copy: a named pipe is no directory | a="A", p:fifo | copy | {"source": "a", "destination": "p/b"} | fails with any error and changes nothing |
        # The directory may be made before it shows that the source cannot be read.
        | FO-D09-09 | a copy that fails has lost nothing | a="A"%0000 | copy | {"source": "a", "destination": "x/y/b"} | fails with any error and loses nothing |

  @FR-EXE-01
  Rule: every call is carried out, and has a result of its own

    Scenario Outline: <case of FR-EXE-01 with a second call>
      Given the tree "a="A""
      When <tool> is called with <arguments>
      Then the call <ends>
      When <tool 2> is called again with {"source": "a", "destination": "b"}
      Then the call <ends 2>

      Examples:
        | id | case of FR-EXE-01 with a second call | tool | arguments | ends | tool 2 | ends 2 |
        | FO-EXE-01-01 | the same move a second time finds no source | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A"" | move | fails with any error and changes nothing |
        | FO-EXE-01-02 | the same copy a second time finds a name that is taken | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A"" | copy | fails with any error and changes nothing |
        # Nothing can be left at a name below a file, where it would stand in the way of the second call.
        | FO-EXE-01-03 | a call that failed does not stop the next one | move | {"source": "gone", "destination": "a/b"} | fails with any error and changes nothing | move | succeeds and leaves "b="A"" |

    Scenario Outline: <case of FR-EXE-01 with a second call (2)>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>
      When move is called again with <arguments 2>
      Then the call <ends 2>
      When <tool 3> is called again with <arguments 3>
      Then the call <ends 3>

      Examples:
        | id | case of FR-EXE-01 with a second call (2) | tree | tool | arguments | ends | arguments 2 | ends 2 | tool 3 | arguments 3 | ends 3 |
        # The cause of the error is gone: the name is free.
        | FO-EXE-01-04 | a move that failed is carried out when it is made again | a="A", b="B" | move | {"source": "a", "destination": "b"} | fails with any error and changes nothing | {"source": "b", "destination": "c"} | succeeds and leaves "a="A", c="B"" | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A", c="B"" |
        # The cause of the error is gone: the source is there.
        | FO-EXE-01-05 | a copy that failed is carried out when it is made again | e/{x="X"} | copy | {"source": "e/y", "destination": "e/c"} | fails with any error and changes nothing | {"source": "e/x", "destination": "e/y"} | succeeds and leaves "e/{y="X"}" | copy | {"source": "e/y", "destination": "e/c"} | succeeds and leaves "e/{c="X", y="X"}" |

    # The destination of the first call is a directory, and that of the last one is free.
    @FO-EXE-01-201
    Scenario: a name that is no directory any more is a name
      Given the tree "a="A", b="B", d/"
      When copy is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d/{a="A"}"
      When "d" has been renamed
      And copy is called again with {"source": "b", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d="B", d.renamed/{a="A"}"

    # The destination of the first call is no directory, and that of the second one is.
    @FO-EXE-01-06
    Scenario: a name that has become a directory takes the next source in
      Given the tree "a="A", b="B""
      When copy is called with {"source": "a", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", d="A""
      When move is called again with {"source": "d", "destination": "f"}
      Then the call succeeds and leaves "a="A", b="B", f="A""
      When the tree gets "d/{k="K"}"
      And copy is called again with {"source": "b", "destination": "d"}
      Then the call succeeds and leaves "a="A", b="B", f="A", d/{b="B", k="K"}"

    # The first call shows what the argument is where it is left out; the second one gives it.
    Scenario Outline: <tool>: an argument of one call is none of the next one
      Given the tree "a="A", b="B", c="C", d="D""
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with any error and changes nothing
      When <tool> is called again with {"source": "a", "destination": "b", "overwrite": true}
      And <tool> is called again with {"source": "c", "destination": "d"}
      Then the call fails with any error and changes nothing

      Examples:
        | id | tool |
        | FO-EXE-01-07 | move |
        | FO-EXE-01-08 | copy |

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

      Examples:
        | id | tool | closed | open |
        | FO-EXE-01-09 | move | a="AA", b="B", d="CC", e="EE", f="F" | b="AA", d="CC", f="EE" |
        | FO-EXE-01-10 | copy | a="AA", b="B", c="CC", d="CC", e="EE", f="F" | a="AA", b="AA", c="CC", d="CC", e="EE", f="EE" |
