@list_directory
Feature: Sizes are UTF-8 bytes of the finished text

  # The literal numbers are for minimal escaping. For a candidate that declares another escaping (AMB-LD-15), the
  # property in the next line applies, with sizes in its own encoding.

  @FR-LD-OUT-06
  Rule: what counts is the UTF-8 byte length of the final JSON string

    # 247 characters, 259 bytes.
    @LD-OUT-06-01
    Scenario: three CJK characters fit by their bytes
      Given the tree "'\u65e5\u672c\u8a9e'"
      And budgets of 259 and 259 bytes
      When list_directory is called with {}
      Then the document has as many entries as fit
      And a control call with {} lists "'\u65e5\u672c\u8a9e'"
      And the tree is unchanged

    Scenario Outline: one budget between characters and bytes: <case>
      Given the tree "<tree>"
      And budgets of <budget> and <budget> bytes
      When list_directory is called with {}
      Then the document has as many entries as fit
      And a control call with {} lists "<listed>"
      And the tree is unchanged

      Examples:
        | id            | case                                          | tree                    | budget | listed                  |
        | LD-OUT-06-02  | a byte short                                  | '\\u65e5\\u672c\\u8a9e' | 258    | '\\u65e5\\u672c\\u8a9e' |
        | LD-OUT-06-03  | as many bytes as there are characters         | '\\u65e5\\u672c\\u8a9e' | 247    | '\\u65e5\\u672c\\u8a9e' |
        | LD-OUT-06-04  | as many bytes as there are UTF-16 units       | '\\U0001f600'           | 245    | '\\U0001f600'           |
        | LD-OUT-06-06  | control characters grow sixfold               | '\\x01\\x02'            | 264    | '\\x01\\x02'            |
        | LD-OUT-06-101 | as many bytes as there are characters, astral | '\\U0001f600'           | 243    | '\\U0001f600'           |
        | LD-OUT-06-102 | quotes double                                 | '""""'                  | 256    | '""""'                  |
        | LD-OUT-06-103 | one undecodable byte becomes three            | '\\xff'                 | 246    | '\\ufffd'               |

    Scenario Outline: what is not escaped is not priced as if it were: <case>
      Given the tree "<name>"
      And budgets of <bytes> and <bytes> bytes
      When list_directory is called with {}
      Then the document has as many entries as fit
      And a control call with {} lists "<name>"
      And the tree is unchanged

      Examples:
        | id            | case           | name      | bytes |
        | LD-OUT-06-302 | line separator | '\\u2028' | 247   |
        | LD-OUT-06-303 | DEL            | '\\x7f'   | 243   |

    # The requested path is written with escapes too: two entries need 394 bytes, and 391 without escapes.
    @LD-OUT-06-301
    Scenario: escapes in the requested path count
      Given the tree "'\"\"\"'/{a, b}"
      And budgets of 393 and 393 bytes
      When list_directory is called with {"path": "\"\"\""}
      Then the document has as many entries as fit
      And the tree is unchanged

    # Cut to two of three entries, the document needs 407 bytes: 404 without escapes, or by characters, 403.
    Scenario Outline: the requested path counts where entries are cut, too: <case>
      Given the tree "<tree>"
      And budgets of 406 and 406 bytes
      When list_directory is called with {"path": <path>}
      Then the document has as many entries as fit
      And the tree is unchanged

      Examples:
        | id            | case        | tree                          | path               |
        | LD-OUT-06-761 | its escapes | '\"\"\"'/{a, b, c}            | "\\"\\"\\""         |
        | LD-OUT-06-762 | its bytes   | '\\u65e5\\u672c'/{a, b, c}    | "\\u65e5\\u672c"   |

    # Two undecodable bytes become two U+FFFD, or one for the run (AMB-LD-12): 253 bytes in total, or 247.
    @LD-OUT-06-05
    Scenario: undecodable bytes grow
      Given the tree "'\xff\xfe'"
      And budgets of 252 and 252 bytes
      When list_directory is called with {}
      Then the document has as many entries as fit
      And a control call with {} on the tree "a" lists "a"
      And the tree is unchanged

    @LD-OUT-06-07
    Scenario: the longest name there is, in CJK
      Given the tree "'\u65e5'*85"
      When list_directory is called with {}
      Then the entries are "'\u65e5'*85"
      And the document has 751 bytes
      And the tree is unchanged

    @LD-OUT-06-104
    Scenario: the echoed path counts in bytes, too
      Given the tree "'\u65e5\u672c'/{a}"
      And budgets of 248 and 248 bytes
      When list_directory is called with {"path": "\u65e5\u672c"}
      Then the document has as many entries as fit
      And a control call with {"recursive": true} lists "'\u65e5\u672c', '\u65e5\u672c/a'"
      And the tree is unchanged

    @LD-OUT-06-105
    Scenario: the echoed path a byte short
      Given the tree "'\u65e5\u672c'/{a}"
      And budgets of 247 and 247 bytes
      When list_directory is called with {"path": "\u65e5\u672c"}
      Then the document has as many entries as fit
      And a control call with {"recursive": true} lists "'\u65e5\u672c', '\u65e5\u672c/a'"
      And the tree is unchanged

    @LD-OUT-06-106
    Scenario: names of several bytes a character under every budget
      Given the tree "'\u65e5\u672c\u8a9e', '\U0001f600'"
      When list_directory is called with {} under every budget up to 414 bytes
      Then every answer is the largest that fits
      And the tree is unchanged

    @LD-OUT-06-107
    Scenario: names that are escaped under every budget
      Given the tree "'\x01', '"'"
      When list_directory is called with {} under every budget up to 404 bytes
      Then every answer is the largest that fits
      And the tree is unchanged
