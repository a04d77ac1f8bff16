@list_directory
Feature: The document has one spelling

  # The literal documents and byte counts are for minimal escapes: quote, backslash, \b \t \n \f \r, the other C0
  # controls as \u00xx in lower case, and all other characters unchanged. Any other valid escapes are right (AMB-LD-15).

  @FR-LD-OUT-02a
  Rule: members in the documented order, no blanks between tokens, standard escapes

    @LD-OUT-02a-01
    Scenario: quote and backslash
      Given the tree "'a"b', 'c\\d'"
      When list_directory is called with {}
      Then the document is exactly
        """
        {"path":".","entries":[{"name":"a\"b","path":"a\"b","depth":1,"type":"file","size_bytes":0,"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null},{"name":"c\\d","path":"c\\d","depth":1,"type":"file","size_bytes":0,"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],"returned":2,"max_entries":200,"truncated":false,"truncated_reason":null}
        """
      And the document has 401 bytes

    # 166 bytes of escapes, twice: five short ones and 26 of six bytes.
    @LD-OUT-02a-02
    Scenario: every control character in one name
      Given the tree "'\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f'"
      When list_directory is called with {}
      Then the document is exactly
        """
        {"path":".","entries":[{"name":"\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f","path":"\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f","depth":1,"type":"file","size_bytes":0,"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}
        """
      And the document has 573 bytes

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the document is canonical

      Examples:
        | id             | case                                          | tree                      | call                                       |
        | LD-OUT-02a-03  | a newline in the name of a directory          | 'x\\ny'/{z}               | {"recursive": true}                        |
        | LD-OUT-02a-12  | an escape in the echoed path                  | 'q"b'/{a}                 | {"path": "q\"b/"}                          |
        | LD-OUT-02a-109 | the order of members survives the entry limit | a, b, c                   | {"max_entries": 1}                         |
        | LD-OUT-02a-110 | unknown entries are spelled like any other    | d/%0000{x}, e/%0444{y}, z | {"recursive": true, "include_other": true} |
        | LD-OUT-02a-08  | what is left as it is: the slash              | a/{b}                     | {"recursive": true}                        |

    @behaviour:BEH-06
    Scenario Outline: what is left as it is: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the document is canonical

      Examples:
        | id             | case                                          | tree                                | call |
        | LD-OUT-02a-04  | DEL                                           | '\\x7f'                             | {}   |
        | LD-OUT-02a-05  | C1 controls, which are the renderer's to tame | '\\u009b'                           | {}   |
        | LD-OUT-02a-06  | line and paragraph separator                  | '\\u2028', '\\u2029'                | {}   |
        | LD-OUT-02a-07  | what HTML would escape                        | '<a>&b'                             | {}   |
        | LD-OUT-02a-09  | letters beyond ASCII                          | '\\u00e9\\u65e5\\U0001f600'         | {}   |
        | LD-OUT-02a-10  | noncharacters and private use                 | '\\uffff', '\\ue000', '\\U0010ffff' | {}   |
        | LD-OUT-02a-11  | a byte order mark inside a name               | '\\ufeffx', x                       | {}   |
        | LD-OUT-02a-101 | the replacement character                     | 'a\\xffb'                           | {}   |
        | LD-OUT-02a-102 | the apostrophe and the backquote              | 'it\\'s', '`'                       | {}   |
        | LD-OUT-02a-103 | characters without width                      | '\\u200b', '\\u00ad', '\\u202e'     | {}   |
        | LD-OUT-02a-104 | a decomposed letter                           | 'e\\u0301'                          | {}   |
        | LD-OUT-02a-602 | blanks of other widths                        | '\\u00a0', '\\u2003', '\\u3000'     | {}   |
        | LD-OUT-02a-603 | what stands for no character                  | '\\u0378', '\\U0003fffd'            | {}   |
        | LD-OUT-02a-604 | marks that format                             | '\\u0600', '\\u206a', '\\ufff9'     | {}   |
        | LD-OUT-02a-605 | the next line and signs                       | '\\u0085', '=', '+'                 | {}   |
        | LD-OUT-02a-105 | text that looks like an escape                | '\\\\u0041', '\\\\n'                | {}   |

    Scenario Outline: <case> (members in the documented order, no blanks between tokens, standard escapes)
      Given the tree "d/{x=3, '\u65e5'}, f=7@5, l->f, .h, '"', p:fifo"
      And budgets of <budgets> bytes
      When list_directory is called with <call>
      Then the document is canonical

      Examples:
        | id             | case                                                              | budgets           | call                                                               |
        | LD-OUT-02a-13  | writing what was read gives the same text: all there is           | 102400 and 102400 | {"recursive": true, "include_hidden": true, "include_other": true} |
        | LD-OUT-02a-106 | writing what was read gives the same text: cut by the entry limit | 102400 and 102400 | {"recursive": true, "max_entries": 3}                              |
        | LD-OUT-02a-107 | canonical whatever the budget leaves: cut by the budget           | 420 and 420       | {"recursive": true}                                                |
        | LD-OUT-02a-108 | canonical whatever the budget leaves: cut by both                 | 270 and 270       | {"recursive": true, "max_entries": 3}                              |
