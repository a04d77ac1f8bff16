@list_directory
Feature: Control characters in names arrive as escapes, and names arrive unaltered

  # A program that writes to a terminal sanitises a copy of the text (AMB-LD-43). A tool can only avoid raw control
  # characters below U+0020. JSON does not restrict DEL, C1 and writing directions, so they stay unchanged.

  @NFR-LD-SEC-02
  Rule: no raw control character in the text, and no name altered for it

    @LD-SEC-02-01 @interpretation:AMB-LD-43
    Scenario: whatever a terminal would obey is still in the names
      Given the tree "'bell\x07', 'esc\x1b[2J', 'del\x7f', 'csi\u009b2J', 'rlo\u202egpj.exe', z"
      When list_directory is called with {}
      Then the entries are "'bell\x07', 'esc\x1b[2J', 'del\x7f', 'csi\u009b2J', 'rlo\u202egpj.exe', z"

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      @interpretation:AMB-LD-43
      Examples:
        | id           | case                         | tree          | call | answer                          |
        | LD-SEC-02-02 | an escape sequence in a name | '\x1b[31mred' | {}   | the entries are "'\x1b[31mred'" |

      # A sandbox may refuse it.
      @interpretation:AMB-LD-70
      Examples:
        | id            | case                           | tree                      | call                   | answer                         |
        | LD-SEC-02-103 | in the path that was asked for | 'a\x1b[2J'/{x}, a/{wrong} | {"path": "a\u001b[2J"} | the call does not list "wrong" |

      Examples:
        | id            | case                             | tree                      | call               | answer                             |
        | LD-SEC-02-104 | where the limit cuts the listing | 'a\x1b', 'b\x1b', 'c\x1b' | {"max_entries": 2} | the entries are "'a\x1b', 'b\x1b'" |

    @LD-SEC-02-101 @interpretation:AMB-LD-43
    Scenario: every control character that a name can hold
      Given the tree
        """
        'a\x01', 'a\x02', 'a\x03', 'a\x04', 'a\x05', 'a\x06', 'a\x07', 'a\x08', 'a\x09', 'a\x0a',
        'a\x0b', 'a\x0c', 'a\x0d', 'a\x0e', 'a\x0f', 'a\x10', 'a\x11', 'a\x12', 'a\x13', 'a\x14',
        'a\x15', 'a\x16', 'a\x17', 'a\x18', 'a\x19', 'a\x1a', 'a\x1b', 'a\x1c', 'a\x1d', 'a\x1e', 'a\x1f'
        """
      When list_directory is called with {}
      Then the entries include "'a\x01', 'a\x07', 'a\x08', 'a\x09', 'a\x0a', 'a\x0c', 'a\x0d', 'a\x1b', 'a\x1f'"

    @LD-SEC-02-102 @interpretation:AMB-LD-43
    Scenario: in the path of an entry further down
      Given the tree "'\x1b]0;t\x07'/{'\x1b[1A'/{'\x0d\x0a'}}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'\x1b]0;t\x07', '\x1b]0;t\x07/\x1b[1A', '\x1b]0;t\x07/\x1b[1A/\x0d\x0a'"
