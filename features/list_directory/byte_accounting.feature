@list_directory
Feature: Sizes are UTF-8 bytes of the finished text

  # The literal numbers are for minimal escaping. For a candidate that escapes otherwise (AMB-LD-15), the
  # property in the next line applies, with sizes in its own encoding.

  @FR-LD-OUT-06
  Rule: what counts is the UTF-8 byte length of the final JSON string

    Scenario Outline: <case>
      Given the tree "<tree>"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document has as many entries as fit

      Examples:
        | id            | case                                                                                   | tree                     | budgets     | call                     |
        # 247 characters, 259 bytes.
        | LD-OUT-06-01  | three CJK characters fit by their bytes                                                | '\u65e5\u672c\u8a9e'     | 259 and 259 | {}                       |
        | LD-OUT-06-302 | what is not escaped is not priced as if it were: line separator                        | '\u2028'                 | 247 and 247 | {}                       |
        | LD-OUT-06-303 | what is not escaped is not priced as if it were: DEL                                   | '\x7f'                   | 243 and 243 | {}                       |
        # The requested path is written with escapes too: two entries need 394 bytes, and 391 without escapes.
        | LD-OUT-06-301 | escapes in the requested path count                                                    | '\"\"\"'/{a, b}          | 393 and 393 | {"path": "\"\"\""}       |
        # Cut to two of three entries, the document needs 407 bytes: 404 without escapes, or by characters, 403.
        | LD-OUT-06-761 | the requested path counts where entries are cut, too: its escapes                      | '\"\"\"'/{a, b, c}       | 406 and 406 | {"path": "\"\"\""}       |
        | LD-OUT-06-762 | the requested path counts where entries are cut, too: its bytes                        | '\u65e5\u672c'/{a, b, c} | 406 and 406 | {"path": "\u65e5\u672c"} |
        # Two undecodable bytes become two U+FFFD, or one for the run (AMB-LD-12): 253 bytes in total, or 247.
        | LD-OUT-06-05  | undecodable bytes grow                                                                 | '\xff\xfe'               | 252 and 252 | {}                       |
        | LD-OUT-06-104 | the echoed path counts in bytes, too                                                   | '\u65e5\u672c'/{a}       | 248 and 248 | {"path": "\u65e5\u672c"} |
        | LD-OUT-06-105 | the echoed path a byte short                                                           | '\u65e5\u672c'/{a}       | 247 and 247 | {"path": "\u65e5\u672c"} |
        | LD-OUT-06-02  | one budget between characters and bytes: a byte short                                  | '\u65e5\u672c\u8a9e'     | 258 and 258 | {}                       |
        | LD-OUT-06-03  | one budget between characters and bytes: as many bytes as there are characters         | '\u65e5\u672c\u8a9e'     | 247 and 247 | {}                       |
        | LD-OUT-06-04  | one budget between characters and bytes: as many bytes as there are UTF-16 units       | '\U0001f600'             | 245 and 245 | {}                       |
        | LD-OUT-06-06  | one budget between characters and bytes: control characters grow sixfold               | '\x01\x02'               | 264 and 264 | {}                       |
        | LD-OUT-06-101 | one budget between characters and bytes: as many bytes as there are characters, astral | '\U0001f600'             | 243 and 243 | {}                       |
        | LD-OUT-06-102 | one budget between characters and bytes: quotes double                                 | '""""'                   | 256 and 256 | {}                       |
        | LD-OUT-06-103 | one budget between characters and bytes: one undecodable byte becomes three            | '\xff'                   | 246 and 246 | {}                       |

    Scenario Outline: <case> (what counts is the UTF-8 byte length of the final JSON string)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                      | tree        | call                                  | answer                                |
        | LD-OUT-06-07  | the longest name there is, in CJK         | '\u65e5'*85 | {}                                    | the entries are "'\u65e5'*85"         |
        | LD-OUT-06-107 | names that are escaped under every budget | '\x01', '"' | {} under every budget up to 404 bytes | every answer is the largest that fits |

    @LD-OUT-06-106
    Scenario: names of several bytes a character under every budget
      Given the tree "'\u65e5\u672c\u8a9e', '\U0001f600'"
      When list_directory is called with {} under every budget up to 414 bytes
      Then every answer is the largest that fits
