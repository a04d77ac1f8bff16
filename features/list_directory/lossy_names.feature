@list_directory
Feature: Names that are not UTF-8 become text with replacement characters

  @NFR-LD-REL-02
  Rule: what cannot be decoded becomes U+FFFD, and the text that results is sorted by and shown

    @behaviour:BEH-06
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                           | tree                | call                | answer                                           |
        # Every counting method gives the same result for these.
        | LD-REL-02-01  | one stray byte, one replacement character: '\xff'              | '\xff'              | {}                  | the entries are "'\ufffd'"                       |
        | LD-REL-02-03  | one stray byte, one replacement character: '\x80'              | '\x80'              | {}                  | the entries are "'\ufffd'"                       |
        | LD-REL-02-05  | one stray byte, one replacement character: '\xc3('             | '\xc3('             | {}                  | the entries are "'\ufffd('"                      |
        | LD-REL-02-101 | one stray byte, one replacement character: '\xc3'              | '\xc3'              | {}                  | the entries are "'\ufffd'"                       |
        | LD-REL-02-102 | one stray byte, one replacement character: '\xffa\xffb\xff'    | '\xffa\xffb\xff'    | {}                  | the entries are "'\ufffda\ufffdb\ufffd'"         |
        | LD-REL-02-103 | one stray byte, one replacement character: '\u00e9\xe9'        | '\u00e9\xe9'        | {}                  | the entries are "'\u00e9\ufffd'"                 |
        | LD-REL-02-104 | one stray byte, one replacement character: '\U0001f600\xf0'    | '\U0001f600\xf0'    | {}                  | the entries are "'\U0001f600\ufffd'"             |
        # As bytes, 80 comes before C3 A9; as text, U+00E9 comes before U+FFFD.
        | LD-REL-02-112 | the text is what is sorted by                                  | '\x80', '\u00e9', a | {}                  | the entries in order are "a, '\u00e9', '\ufffd'" |
        | LD-REL-02-23  | a directory is entered by its own name, not by the text for it | 'd\xff'/{x}         | {"recursive": true} | the entries are "'d\ufffd', 'd\ufffd/x'"         |

    # The replacement count of a longer run varies: per maximal subpart, per byte, per run, as in Java or PHP.
    Scenario Outline: a stretch of bytes that is not UTF-8: <name>
      Given the tree "<name>"
      When list_directory is called with {}
      Then by AMB-LD-12 the answer is one of
        | reading         | entries      | replaced from, to   |
        | maximal_subpart | '<subparts>' |                     |
        | per_byte        | '<bytes>'    |                     |
        | per_run         | '<runs>'     |                     |
        | java            | '<java>'     |                     |
        | other           |              | '<runs>', '<bytes>' |
      And the document is valid UTF-8

      Examples:
        | id            | name                                        | subparts                                   | bytes                                                     | runs            | java                                |
        | LD-REL-02-04  | '\\x80\\x80'                                | \\ufffd\\ufffd                             | \\ufffd\\ufffd                                            | \\ufffd         | \\ufffd\\ufffd                      |
        | LD-REL-02-06  | '\\xc0\\xaf'                                | \\ufffd\\ufffd                             | \\ufffd\\ufffd                                            | \\ufffd         | \\ufffd\\ufffd                      |
        | LD-REL-02-07  | '\\xe2\\x82a'                               | \\ufffda                                   | \\ufffd\\ufffda                                           | \\ufffda        | \\ufffda                            |
        | LD-REL-02-08  | '\\xe2\\x82\\xe2\\x82\\xac'                 | \\ufffd\\u20ac                             | \\ufffd\\ufffd\\u20ac                                     | \\ufffd\\u20ac  | \\ufffd\\u20ac                      |
        | LD-REL-02-09  | '\\xe0\\x80\\xaf'                           | \\ufffd\\ufffd\\ufffd                      | \\ufffd\\ufffd\\ufffd                                     | \\ufffd         | \\ufffd\\ufffd\\ufffd               |
        | LD-REL-02-10  | '\\xed\\xa0\\x80'                           | \\ufffd\\ufffd\\ufffd                      | \\ufffd\\ufffd\\ufffd                                     | \\ufffd         | \\ufffd                             |
        | LD-REL-02-11  | '\\xed\\xa0\\xbd\\xed\\xb8\\x80'            | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd                | \\ufffd         | \\ufffd\\ufffd                      |
        | LD-REL-02-12  | '\\xf0\\x9f\\x98'                           | \\ufffd                                    | \\ufffd\\ufffd\\ufffd                                     | \\ufffd         | \\ufffd                             |
        | LD-REL-02-13  | '\\xf0\\x9fx'                               | \\ufffdx                                   | \\ufffd\\ufffdx                                           | \\ufffdx        | \\ufffdx                            |
        | LD-REL-02-14  | '\\xf0(\\x8c\\xbc'                          | \\ufffd(\\ufffd\\ufffd                     | \\ufffd(\\ufffd\\ufffd                                    | \\ufffd(\\ufffd | \\ufffd(\\ufffd\\ufffd              |
        | LD-REL-02-15  | '\\xf4\\x90\\x80\\x80'                      | \\ufffd\\ufffd\\ufffd\\ufffd               | \\ufffd\\ufffd\\ufffd\\ufffd                              | \\ufffd         | \\ufffd\\ufffd\\ufffd\\ufffd        |
        | LD-REL-02-16  | '\\xf8\\x88\\x80\\x80\\x80'                 | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd        | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd                       | \\ufffd         | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd |
        | LD-REL-02-17  | '\\xe1\\x80\\xe2\\xf0\\x91\\x92\\xf1\\xbfA' | \\ufffd\\ufffd\\ufffd\\ufffdA              | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdA | \\ufffdA        | \\ufffd\\ufffd\\ufffd\\ufffdA       |
        | LD-REL-02-116 | '\\xc0\\xafetc'                             | \\ufffd\\ufffdetc                          | \\ufffd\\ufffdetc                                         | \\ufffdetc      | \\ufffd\\ufffdetc                   |
        | LD-REL-02-771 | 'a\\xc0\\x80b'                              | a\\ufffd\\ufffdb                           | a\\ufffd\\ufffdb                                          | a\\ufffdb       | a\\ufffd\\ufffdb                    |
        | LD-REL-02-772 | '\\xc1\\xa1'                                | \\ufffd\\ufffd                             | \\ufffd\\ufffd                                            | \\ufffd         | \\ufffd\\ufffd                      |
        | LD-REL-02-773 | '\\xf0\\x82\\x82\\xac'                      | \\ufffd\\ufffd\\ufffd\\ufffd               | \\ufffd\\ufffd\\ufffd\\ufffd                              | \\ufffd         | \\ufffd\\ufffd\\ufffd\\ufffd        |
        | LD-REL-02-774 | '\\xe0\\x80\\xaf\\xc0\\xaf'                | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd        | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd                       | \\ufffd         | \\ufffd\\ufffd\\ufffd\\ufffd\\ufffd |

    # The longest name has 255 bytes; its text may have more.
    @LD-REL-02-117
    Scenario: a text longer than a name can be
      Given the tree "'\xff'*254'a', z"
      When list_directory is called with {}
      Then by AMB-LD-12 the answer is one of
        | reading         | entries          | include | replaced from, to            |
        | maximal_subpart | '\\ufffd'*254'a', z |         |                              |
        | per_byte        | '\\ufffd'*254'a', z |         |                              |
        | per_run         | '\\ufffda', z     |         |                              |
        | java            | '\\ufffd'*254'a', z |         |                              |
        | other           |                  | z       | '\\ufffda', '\\ufffd'*254'a' |

    @LD-REL-02-105
    Scenario: every field that shows the name shows the same text
      Given the tree "'d\xff'/{'\xfef'=3}, 'l\xff'->'\xfe', z"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path                | name       |
        | 'd\\ufffd'          | "d\\ufffd" |
        | 'd\\ufffd/\\ufffdf' | "\\ufffdf" |
        | 'l\\ufffd'          | "l\\ufffd" |
        | z                   | "z"        |
      And the document is valid UTF-8

    # Valid names are unchanged: no mark is read as a signature, nothing is composed, and no encoding is guessed.
    Scenario Outline: what is UTF-8 comes as it is: <case>
      Given the tree "<names>"
      When list_directory is called with {}
      Then the entries are "<names>"

      Examples:
        | id            | case                                         | names                                                   |
        | LD-REL-02-106 | a letter with its accent, together and apart | '\\u00e9', 'e\\u0301'                                   |
        | LD-REL-02-107 | a byte order mark at the front               | '\\ufeffa', a                                           |
        | LD-REL-02-108 | a replacement character and a question mark  | '\\ufffd', '?'                                          |
        | LD-REL-02-109 | noncharacters and the last code point        | '\\uffff', '\\ufdd0', '\\U0010ffff'                     |
        | LD-REL-02-110 | the ends of the one-byte to four-byte ranges | '\\x7f', '\\u0080', '\\u07ff', '\\u0800', '\\U00010000' |
        | LD-REL-02-111 | ligatures, wide forms and dotless letters    | '\\ufb01', '\\uff21', '\\u0131', '\\u017f'              |

    # Two names with one text are two entries. Their order is open, as long as it is always the same (AMB-LD-13).
    @behaviour:BEH-06
    Scenario Outline: names that become one text stay two entries: <case>
      Given the tree "<tree>"
      When list_directory is called with {}
      Then by AMB-LD-13 the answer is one of
        | reading | entries              | fields                                              |
        | a       | '\\ufffd', '\\ufffd' | {"\\ufffd": [{"size_bytes": 1}, {"size_bytes": 2}]} |
        | c       | '\\ufffd', '\\ufffd' | {"\\ufffd": [{"size_bytes": 1}, {"size_bytes": 2}]} |
        | c       | '\\ufffd', '\\ufffd' | {"\\ufffd": [{"size_bytes": 2}, {"size_bytes": 1}]} |

      Examples:
        | id           | case                                          | tree                   |
        | LD-REL-02-19 | two stray bytes                               | '\\xfe'=1, '\\xff'=2   |
        | LD-REL-02-20 | a stray byte and a true replacement character | '\\ufffd'=1, '\\xff'=2 |

    @LD-REL-02-21 @behaviour:BEH-06
    Scenario: directories that become one text are both walked
      Given the tree "'\xfe'/{x=1}, '\xff'/{x=2}"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-13 the answer is one of
        | reading | entries                                        | fields                                                |
        | a       | '\\ufffd', '\\ufffd', '\\ufffd/x', '\\ufffd/x' | {"\\ufffd/x": [{"size_bytes": 1}, {"size_bytes": 2}]} |
        | c       | '\\ufffd', '\\ufffd', '\\ufffd/x', '\\ufffd/x' | {"\\ufffd/x": [{"size_bytes": 1}, {"size_bytes": 2}]} |
        | c       | '\\ufffd', '\\ufffd', '\\ufffd/x', '\\ufffd/x' | {"\\ufffd/x": [{"size_bytes": 2}, {"size_bytes": 1}]} |

    @LD-REL-02-22
    Scenario: one of two names that become one text
      Given the tree "'\xfe'=1, '\xff'=2"
      When list_directory is called with {"max_entries": 1}
      Then by AMB-LD-13 the answer is one of
        | reading | entries   | fields                         |
        | a       | '\\ufffd' | {"\\ufffd": {"size_bytes": 1}} |
        | c       | '\\ufffd' | {"\\ufffd": {"size_bytes": 1}} |
        | c       | '\\ufffd' | {"\\ufffd": {"size_bytes": 2}} |

    @LD-REL-02-114
    Scenario: nor does another directory stand in whose name is that text
      Given the tree "'d\xff'/{x}, 'd\ufffd'/{y}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'d\ufffd', 'd\ufffd', 'd\ufffd/x', 'd\ufffd/y'"

    @LD-REL-02-115
    Scenario: metadata are those of the raw name
      Given the tree "'a\xff'=7, 'b\xff'/, 'c\xff'->x, '.\xff'=1"
      When list_directory is called with {"include_hidden": true}
      Then the entries have
        | path       | error_code |
        | 'a\\ufffd' | null       |
        | 'b\\ufffd' | null       |
        | 'c\\ufffd' | null       |
        | '.\\ufffd' | null       |

    # The text cannot be converted back to a name: several names can have the same text.
    @LD-REL-02-25 @behaviour:BEH-07
    Scenario: the text for a name is no request for it
      Given the tree "'d\xff'/{x}"
      When list_directory is called with {"path": "d\ufffd"}
      Then by AMB-LD-54 the answer is one of
        | reading | entries | fails     |
        | a       |         | any error |
        | b       | x       |           |

  @FR-LD-LST-05
  Rule: the walk goes by the text

    # As bytes, 80 comes before C3 A9; as text, U+00E9 comes before U+FFFD.
    @LD-REL-02-113
    Scenario: the text is what the walk goes by
      Given the tree "'\x80'/{b}, '\u00e9', a"
      When list_directory is called with {"recursive": true, "max_entries": 2}
      Then the entries are "a, '\u00e9'"
