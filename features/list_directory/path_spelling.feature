@list_directory
Feature: The path in the output is the path that was asked for, tidied

  @FR-LD-VAL-10
  Rule: no outer whitespace, single slashes, no idle segments, no slash at the end; case and everything else as written

    Scenario Outline: <requested> is shown as <shown>
      Given the tree "a/{b/{x}, y}, z"
      When list_directory is called with {"path": <requested>}
      Then the document has {"path": <shown>}
      And asking again with the document's path gives the same document

      Examples: the working directory
        | id            | requested     | shown |
        | LD-VAL-10-01  | "."           | "."   |
        | LD-VAL-10-02  | "./"          | "."   |
        | LD-VAL-10-03  | ".//"         | "."   |
        | LD-VAL-10-04  | "././"        | "."   |
        | LD-VAL-10-05  | "./."         | "."   |
        | LD-VAL-10-101 | ".//././//./" | "."   |

      Examples: slashes at the end
        | id            | requested | shown |
        | LD-VAL-10-07  | "a"       | "a"   |
        | LD-VAL-10-08  | "a/"      | "a"   |
        | LD-VAL-10-09  | "a//"     | "a"   |
        | LD-VAL-10-10  | "a///"    | "a"   |
        | LD-VAL-10-102 | "a/b////" | "a/b" |

      Examples: idle segments
        | id            | requested   | shown |
        | LD-VAL-10-11  | "./a"       | "a"   |
        | LD-VAL-10-12  | ".//a"      | "a"   |
        | LD-VAL-10-13  | "././a"     | "a"   |
        | LD-VAL-10-103 | ".///.//a"  | "a"   |
        | LD-VAL-10-15  | "a/./"      | "a"   |
        | LD-VAL-10-16  | "a/.//./"   | "a"   |
        | LD-VAL-10-21  | "a/./b"     | "a/b" |
        | LD-VAL-10-22  | "a/././b"   | "a/b" |
        | LD-VAL-10-104 | "a/./././b" | "a/b" |

      # A single pass that replaces two slashes by one leaves two of four.
      Examples: slashes in the middle
        | id            | requested     | shown |
        | LD-VAL-10-17  | "a/b"         | "a/b" |
        | LD-VAL-10-18  | "a//b"        | "a/b" |
        | LD-VAL-10-19  | "a///b"       | "a/b" |
        | LD-VAL-10-20  | "a////b"      | "a/b" |
        | LD-VAL-10-105 | "a/////////b" | "a/b" |
        | LD-VAL-10-23  | "a/.//b"      | "a/b" |
        | LD-VAL-10-24  | "a//./b"      | "a/b" |

    # The text as it came is a name that is not there (AMB-LD-19).
    Scenario Outline: <requested>, with whitespace around it, is shown as <shown>
      Given the tree "a/{b/{x}, y}, z"
      When list_directory is called with {"path": <requested>}
      Then by AMB-LD-19 the answer is one of
        | reading | document          | fails     |
        | a       | {"path": <shown>} |           |
        | b       |                   | <refused> |

      # Blanks around a dot are an odd name, and so are other signs than blanks (AMB-LD-70).
      Examples:
        | id            | requested        | shown | refused                             |
        | LD-VAL-10-06  | " . "            | "."   | ExecutionFailed or SandboxViolation |
        | LD-VAL-10-41  | " ./ "           | "."   | ExecutionFailed or SandboxViolation |
        | LD-VAL-10-39  | "\\ta\\n"        | "a"   | ExecutionFailed or SandboxViolation |
        | LD-VAL-10-106 | "\\r\\n./a/b\\f" | "a/b" | ExecutionFailed or SandboxViolation |

      Examples:
        | id            | requested | shown | refused         |
        | LD-VAL-10-38  | " a "     | "a"   | ExecutionFailed |
        | LD-VAL-10-40  | " a/ "    | "a"   | ExecutionFailed |

    # The rule names only the segment ./ ; whether a dot at the very end is redundant too is open (AMB-LD-20).
    Scenario Outline: <requested> ends in a dot segment
      Given the tree "a/{b/{x}, y}, z"
      When list_directory is called with {"path": <requested>}
      Then by AMB-LD-20 the answer is one of
        | reading | entries   | document             |
        | a       | <entries> | {"path": <shown>}    |
        | b       | <entries> | {"path": <dot_kept>} |

      Examples:
        | id           | requested   | shown | dot_kept | entries |
        | LD-VAL-10-14 | "a/."       | "a"   | "a/."    | b, y    |
        | LD-VAL-10-25 | "./a/./b/." | "a/b" | "a/b/."  | x       |

    @behaviour:BEH-13
    Scenario Outline: <requested> keeps what is part of a name
      Given the tree "<tree>"
      When list_directory is called with {"path": <requested>}
      Then the document has {"path": <shown>}
      And asking again with the document's path gives the same document

      Examples: dots that belong to a name
        | id            | requested     | shown    | tree                      |
        | LD-VAL-10-26  | "a./b"        | "a./b"   | a./{b/{x}}, ab/{wrong}    |
        | LD-VAL-10-28  | ".a/b"        | ".a/b"   | .a/{b/{x}}, a/{b/{wrong}} |
        | LD-VAL-10-29  | "./.a"        | ".a"     | .a/{x}, a/{wrong}         |
        | LD-VAL-10-30  | "a/.b"        | "a/.b"   | a/{.b/{x}, b/{wrong}}     |
        | LD-VAL-10-33  | "a."          | "a."     | a./{x}, a/{wrong}         |

      Examples: case and normal form
        | id            | requested            | shown              | tree                      |
        | LD-VAL-10-36  | "A/b"                | "A/b"              | A/{b/{x}}                 |
        | LD-VAL-10-37  | "SRC"                | "SRC"              | SRC/{x}                   |
        | LD-VAL-10-46  | "\\u00e9"            | "\\u00e9"          | '\\u00e9'/{x}             |
        | LD-VAL-10-47  | "e\\u0301"           | "e\\u0301"         | 'e\\u0301'/{x}            |
        | LD-VAL-10-48  | "\\ud83d\\ude00/x"   | "\\ud83d\\ude00/x" | '\\U0001f600'/{x/{x}}     |
        | LD-VAL-10-108 | "./\\u0130/\\u00df/" | "\\u0130/\\u00df"  | '\\u0130'/{'\\u00df'/{x}} |
        | LD-VAL-10-109 | "\\ufffd"            | "\\ufffd"          | '\\ufffd'/{x}             |

      Examples: blanks and other characters inside
        | id            | requested   | shown       | tree                        |
        | LD-VAL-10-42  | "a b"       | "a b"       | 'a b'/{x}, ab/{wrong}       |
        | LD-VAL-10-43  | "a /b"      | "a /b"      | 'a '/{b/{x}}, a/{b/{wrong}} |
        | LD-VAL-10-44  | "a/ b"      | "a/ b"      | a/{' b'/{x}, b/{wrong}}     |
        | LD-VAL-10-49  | "a\\"b"     | "a\\"b"     | 'a"b'/{x}                   |
        | LD-VAL-10-309 | "%2e%2e"    | "%2e%2e"    | '%2e%2e'/{x}                |
        | LD-VAL-10-311 | "*/"        | "*"         | '*'/{x}                     |

      Examples: colons, but no drive
        | id            | requested   | shown      | tree             |
        | LD-VAL-10-75  | "CC:/"      | "CC:"      | 'CC:'/{x}        |
        | LD-VAL-10-76  | "1:/"       | "1:"       | '1:'/{x}         |
        | LD-VAL-10-113 | "\\u00e9:/" | "\\u00e9:" | '\\u00e9:'/{x}   |
        | LD-VAL-10-114 | "d/C:/"     | "d/C:"     | d/{'C:'/{x}}     |

    # A sandbox may refuse it; to list another directory in its place, or to show another path, is wrong.
    @interpretation:AMB-LD-70 @behaviour:BEH-13
    Scenario Outline: a name that looks like the way up, a home directory or a drive, or a control character: <requested>
      Given the tree "<tree>"
      When list_directory is called with {"path": <requested>}
      Then the call does not list "wrong"

      Examples: dots
        | id            | requested     | tree                      |
        | LD-VAL-10-27  | "a../b"       | a../{b/{x}}, a.b/{wrong}  |
        | LD-VAL-10-31  | "a/..b"       | a/{..b/{x}, b/{wrong}}    |
        | LD-VAL-10-32  | ".../a"       | .../{a/{x}}, ..a/{wrong}  |
        | LD-VAL-10-34  | "..a"         | ..a/{x}, a/{wrong}        |
        | LD-VAL-10-35  | "a.."         | a../{x}, a/{wrong}        |
        | LD-VAL-10-107 | "./a./..././" | a./{.../{x}}, a/{wrong}   |
        | LD-VAL-10-110 | "./. /a"      | '. '/{a/{x}}, a/{wrong}   |

      Examples: a home directory
        | id            | requested | tree           |
        | LD-VAL-10-310 | "./~"     | '~'/{x}, wrong |

      Examples: control characters
        | id            | requested     | tree                            |
        | LD-VAL-10-50  | "a\\nb"       | 'a\\nb'/{x}, ab/{wrong}         |
        | LD-VAL-10-111 | "a\\tb/"      | 'a\\tb'/{x}, ab/{wrong}         |
        | LD-VAL-10-112 | "a\\u007fb"   | 'a\\x7fb'/{x}, ab/{wrong}       |
        | LD-VAL-10-771 | "a \\n\\tb"   | 'a \\n\\tb'/{x}, 'a\\nb'/{wrong} |
        | LD-VAL-10-772 | "a\\n./b"     | 'a\\n.'/{b/{x}}, 'a\\nb'/{wrong} |
        | LD-VAL-10-773 | "a/\\nb/"     | a/{'\\nb'/{x}}, 'a\\nb'/{wrong} |
        | LD-VAL-10-774 | "a\\n/b"      | 'a\\n'/{b/{x}}, b/{wrong}       |

      # On a system without drives; whether a drive root keeps its slash there is AMB-LD-23.
      @interpretation:AMB-LD-23
      Examples: a drive
        | id            | requested   | tree                             |
        | LD-VAL-10-66  | "C:/"       | 'C:'/{x}, wrong                  |
        | LD-VAL-10-69  | "C:/./"     | 'C:'/{x}, wrong                  |
        | LD-VAL-10-117 | "C://"      | 'C:'/{x}, wrong                  |
        | LD-VAL-10-70  | "c:/Users/" | 'c:'/{Users/{x}}, Users/{wrong}  |
        | LD-VAL-10-72  | "C:"        | 'C:'/{x}, wrong                  |
        | LD-VAL-10-115 | "C:a/"      | 'C:a'/{x}, a/{wrong}             |

      @interpretation:AMB-LD-22
      Examples: a drive with backslashes
        | id           | requested         | tree                                                  |
        | LD-VAL-10-67 | "C:\\\\"          | 'C:\\\\'/{x}, 'C:'/{y}, wrong                         |
        | LD-VAL-10-68 | "C:\\\\\\\\"      | 'C:\\\\\\\\'/{x}, 'C:'/{y}, wrong                     |
        | LD-VAL-10-71 | "C:\\\\Users\\\\" | 'C:\\\\Users\\\\'/{x}, 'C:'/{Users/{y}}, Users/{wrong} |

    # Other scenarios check the directory of such a path: this one checks that the path is shown as requested.
    @behaviour:BEH-13
    Scenario Outline: <requested>, which means something to a program, is shown as <shown>
      Given the tree "a/{x}, '%61'/{x}, '*'/{x}, '-l'/{x}, __proto__/{x}, 0/{x}, null/{x}"
      When list_directory is called with {"path": <requested>}
      Then the document has {"path": <shown>}

      Examples:
        | id            | requested     | shown       |
        | LD-VAL-10-302 | "./%61"       | "%61"       |
        | LD-VAL-10-304 | "*/"          | "*"         |
        | LD-VAL-10-305 | "-l/"         | "-l"        |
        | LD-VAL-10-306 | "__proto__//" | "__proto__" |
        | LD-VAL-10-307 | ".//0"        | "0"         |

    # Whether a final dot is idle is open (AMB-LD-20).
    @LD-VAL-10-308
    Scenario: a word of programs with a dot behind it
      Given the tree "null/{n}, a/{x}"
      When list_directory is called with {"path": "null/."}
      Then by AMB-LD-20 the answer is one of
        | reading | entries | document           |
        | a       | n       | {"path": "null"}   |
        | b       | n       | {"path": "null/."} |

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      @needs:case_sensitive
      Examples:
        | id            | case                                | tree                 | call             | answer                         |
        | LD-VAL-10-116 | two names that differ in case alone | A/{upper}, a/{lower} | {"path": "./A/"} | the document has {"path": "A"} |

    @behaviour:BEH-13
    Scenario Outline: <requested>, where such a name is there, is shown without its whitespace
      Given the tree "a/{x}, ' a'/{y}, 'a\n'/{y}, '\ta '/{y}"
      When list_directory is called with {"path": <requested>}
      Then by AMB-LD-19 the answer is one of
        | reading | entries | document      | fails            |
        | a       | x       | {"path": "a"} |                  |
        | b       | y       | {"path": "a"} |                  |
        | b       |         |               | SandboxViolation |

      # The last row: a sandbox may refuse the tab and the line feed (AMB-LD-70).
      Examples:
        | id            | requested |
        | LD-VAL-10-120 | " a"      |
        | LD-VAL-10-121 | "a\\n"    |
        | LD-VAL-10-122 | "\\ta "   |

    @LD-VAL-10-140
    Scenario: blanks around a path do not make it blank
      Given the tree "a/{b}"
      When list_directory is called with {"path": " \ta\n"}
      Then by AMB-LD-19 the answer is one of
        | reading | entries | fails                               |
        | a       | b       |                                     |
        | b       |         | ExecutionFailed or SandboxViolation |

    # The whitespace is removed first: a blank that is at an edge only afterwards stays.
    @behaviour:BEH-13
    Scenario Outline: <requested> keeps the blank that is not at its edge
      Given the tree "a/{' '/{x}, y}, ' a'/{x}, 'a '/{x}"
      When list_directory is called with {"path": <requested>}
      Then by AMB-LD-19 and AMB-LD-68 the answer is one of
        | AMB-LD-19 | AMB-LD-68 | entries | document          |
        |           | first     | x       | {"path": <shown>} |
        | a         | again     | ' ', y  | {"path": "a"}     |
        | b         | again     | x       | {"path": "a"}     |

      Examples:
        | id            | requested | shown |
        | LD-VAL-10-45  | "a/ /"    | "a/ " |
        | LD-VAL-10-77  | "./ a"    | " a"  |
        | LD-VAL-10-118 | "a /"     | "a "  |

    # Languages differ in their whitespace characters; the shown path and the listed directory must agree.
    Scenario Outline: whitespace beyond ASCII around a path: <case>
      Given the tree "a/{x}, '<code>a'/{y}"
      When list_directory is called with {"path": "<code>a"}
      Then by AMB-LD-18 and AMB-LD-19 the answer is one of
        | AMB-LD-18 | AMB-LD-19 | entries      | document                  |
        | a         | a         | <ascii>      | {"path": <as_ascii>}      |
        | b         | a         | <unicode>    | {"path": <as_unicode>}    |
        | c         | a         | <ecmascript> | {"path": <as_ecmascript>} |
        | d         | a         | <python>     | {"path": <as_python>}     |
        | e         | a         | x            | {"path": "a"}             |
        | e         |           | y            | {"path": "<code>a"}       |
        | a         | b         | y            | {"path": <as_ascii>}      |
        | b         | b         | y            | {"path": <as_unicode>}    |
        | c         | b         | y            | {"path": <as_ecmascript>} |
        | d         | b         | y            | {"path": <as_python>}     |
        | e         | b         | y            | {"path": "a"}             |

      Examples:
        | id            | case               | code    | ascii | as_ascii   | unicode | as_unicode | ecmascript | as_ecmascript | python | as_python  |
        | LD-VAL-10-123 | a no-break space   | \\u00a0 | y     | "\\u00a0a" | x       | "a"        | x          | "a"           | x      | "a"        |
        | LD-VAL-10-124 | a next line        | \\u0085 | y     | "\\u0085a" | x       | "a"        | y          | "\\u0085a"    | x      | "a"        |
        | LD-VAL-10-125 | a byte order mark  | \\ufeff | y     | "\\ufeffa" | y       | "\\ufeffa" | x          | "a"           | y      | "\\ufeffa" |
        | LD-VAL-10-130 | a zero width space | \\u200b | y     | "\\u200ba" | y       | "\\u200ba" | y          | "\\u200ba"    | y      | "\\u200ba" |

    @framework:allow_absolute
    Scenario Outline: <requested> where the whole disk is allowed
      Given the tree "f"
      And the context {"roots": ["/"], "working_dir": "/", "allow_absolute": true}
      When list_directory is called with {"path": <requested>}
      Then the entries include "dev"
      And the document has {"path": "/"}

      Examples:
        | id            | requested |
        | LD-VAL-10-51  | "/"       |
        | LD-VAL-10-53  | "///"     |
        | LD-VAL-10-55  | "/./"     |
        | LD-VAL-10-52  | "//"      |

    @LD-VAL-10-126 @framework:allow_absolute
    Scenario: " / " where the whole disk is allowed
      Given the tree "f"
      And the context {"roots": ["/"], "working_dir": "/", "allow_absolute": true}
      When list_directory is called with {"path": " / "}
      Then by AMB-LD-19 the answer is one of
        | reading | include | document      | fails           |
        | a       | dev     | {"path": "/"} |                 |
        | b       |         |               | ExecutionFailed |

    @LD-VAL-10-54 @framework:allow_absolute
    Scenario: the top of the disk with a dot segment behind it
      Given the tree "f"
      And the context {"roots": ["/"], "working_dir": "/", "allow_absolute": true}
      When list_directory is called with {"path": "/."}
      Then by AMB-LD-20 the answer is one of
        | reading | document       |
        | a       | {"path": "/"}  |
        | b       | {"path": "/."} |
      And the entries include "dev"

    @framework:allow_absolute
    Scenario Outline: <requested> where absolute paths are allowed
      Given the tree "a/{b/{x}, y}"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": <requested>}
      Then the document has {"path": <shown>}
      And asking again with the document's path gives the same document

      Examples:
        | id            | requested       | shown       |
        | LD-VAL-10-56  | "$ROOT/a/"      | "$ROOT/a"   |
        | LD-VAL-10-57  | "$ROOT/a//b/./" | "$ROOT/a/b" |
        | LD-VAL-10-127 | "//$ROOT//./a"  | "$ROOT/a"   |
        | LD-VAL-10-58  | "/$ROOT/a"      | "$ROOT/a"   |

    @LD-VAL-10-128 @framework:allow_absolute
    Scenario: an absolute path with whitespace around it
      Given the tree "a/{b/{x}, y}"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "\t$ROOT/a/ "}
      Then by AMB-LD-19 the answer is one of
        | reading | entries | document            | fails                               |
        | a       | b, y    | {"path": "$ROOT/a"} |                                     |
        | b       |         |                     | ExecutionFailed or SandboxViolation |

    # The platform defines the separator. A candidate that splits at every backslash shows and lists a/b.
    @behaviour:BEH-13
    Scenario Outline: a backslash in <requested>
      Given the tree "<tree>"
      When list_directory is called with {"path": <requested>}
      Then by AMB-LD-19 and AMB-LD-22 the answer is one of
        | AMB-LD-19 | AMB-LD-22 | entries | document              |
        |           | platform  | x       | {"path": <requested>} |
        | a         | always    | y       | {"path": <rewritten>} |
        | b         | always    | x       | {"path": <rewritten>} |

      Examples:
        | id           | requested         | rewritten     | tree                                    |
        | LD-VAL-10-59 | "a\\\\b"          | "a/b"         | 'a\\\\b'/{x}, a/{b/{y}}                 |
        | LD-VAL-10-60 | "a\\\\"           | "a"           | 'a\\\\'/{x}, a/{y}                      |
        | LD-VAL-10-61 | ".\\\\a"          | "a"           | '.\\\\a'/{x}, a/{y}                     |
        | LD-VAL-10-62 | "a\\\\\\\\b"      | "a/b"         | 'a\\\\\\\\b'/{x}, a/{b/{y}}             |
        | LD-VAL-10-63 | "a/b\\\\c"        | "a/b/c"       | a/{'b\\\\c'/{x}, b/{c/{y}}}             |
        | LD-VAL-10-64 | "a\\\\.\\\\b"     | "a/b"         | 'a\\\\.\\\\b'/{x}, a/{b/{y}}            |

    Scenario Outline: a backslash at the beginning: <requested>
      Given the tree "<tree>, f"
      When list_directory is called with {"path": <requested>}
      Then by AMB-LD-19 and AMB-LD-22 the answer is one of
        | AMB-LD-19 | AMB-LD-22 | entries | document              | fails            |
        |           | platform  | x       | {"path": <requested>} |                  |
        | a         | always    |         |                       | SandboxViolation |
        | b         | always    | x       | {"path": <rewritten>} |                  |

      Examples:
        | id           | requested                   | rewritten      | tree                            |
        | LD-VAL-10-65 | "\\\\"                      | "/"            | '\\\\'/{x}                      |
        | LD-VAL-10-73 | "\\\\\\\\srv\\\\share\\\\d" | "/srv/share/d" | '\\\\\\\\srv\\\\share\\\\d'/{x} |
        | LD-VAL-10-74 | "\\\\\\\\?\\\\C:\\\\x"      | "/?/C:/x"      | '\\\\\\\\?\\\\C:\\\\x'/{x}      |

    @LD-VAL-10-78
    Scenario: tidied once is tidied for good
      Given the tree "a/{b/{x}, y}, z"
      When list_directory is called with {"path": "././/a//.//./b/./"}
      Then the document has {"path": "a/b"}
      And asking again with the document's path gives the same document

    @LD-VAL-10-79
    Scenario: two spellings of one directory are one request
      Given the tree "a/{b/{x, d/{y}}}"
      When list_directory is called with {"path": "a/b", "recursive": true}
      And list_directory is called again with {"path": ".//a/.//b//", "recursive": true}
      Then the entries are "d, d/y, x"
      And all answers are the same bytes

    @LD-VAL-10-80 @interpretation:AMB-LD-51
    Scenario: a symlink on the way is shown as it was asked for
      Given the tree "m->in, in/{sub/{q}}"
      When list_directory is called with {"path": "./m//sub/"}
      Then by AMB-LD-36 the answer is one of
        | reading | entries | document          | fails                               |
        | follow  | q       | {"path": "m/sub"} |                                     |
        | refuse  | q       | {"path": "m/sub"} |                                     |
        | refuse  |         |                   | SandboxViolation or ExecutionFailed |

    @LD-VAL-10-129
    Scenario: however the directory was spelt, the entries are named from it
      Given the tree "a/{b/{x}, y}, z"
      When list_directory is called with {"path": ".//a/", "recursive": true}
      Then the document has {"path": "a"}
