@list_directory
Feature: The same tree and the same inputs give the same bytes

  @FR-LD-OUT-02
  Rule: the output depends on the file system's state and the inputs alone

    @LD-OUT-02-01
    Scenario: asked a hundred times
      Given the tree "b/{y, x/{v}}, A, 'a b', '\u00e9', '\U0001f600', '\xff', .h, l->b"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      And the call is repeated 99 times
      Then all answers are the same bytes
      And the listing has 11 entries

    @LD-OUT-02-02
    Scenario: asked of fresh processes with different hash seeds
      Given the tree "b/{y, x/{v}}, A, 'a b', '\u00e9', '\U0001f600', '\xff', .h, l->b"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      And the same call is made by fresh processes with
        | process                               |
        | {}                                    |
        | {"env": {"PYTHONHASHSEED": "1"}}      |
        | {"env": {"PYTHONHASHSEED": "2"}}      |
        | {"env": {"PYTHONHASHSEED": "random"}} |
      Then the listing has 11 entries
      And all answers are the same bytes

    @LD-OUT-02-03
    Scenario: entries made in different orders
      Given the tree "b/{y, x/{v}}, A, 'a b', '\u00e9', '\U0001f600', '\xff', .h, l->b"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2, shuffled 3"
      Then the listing has 11 entries
      And all answers are the same bytes

    @LD-OUT-02-101
    Scenario: entries made in different orders on the disk
      Given the file system of the disk
      And the tree "b/{y, x/{v}}, A, 'a b', '\u00e9', '\U0001f600', .h, l->b, f00..f19"
      When list_directory is called with {"recursive": true}
      And the same call is made on the tree built in the orders "reversed, shuffled 5"
      Then the entries are "A, 'a b', b, b/x, b/x/v, b/y, f00..f19, l, '\u00e9', '\U0001f600'"
      And all answers are the same bytes

    @LD-OUT-02-04
    Scenario: other locales
      Given the tree "'\u0131', I, i, '\u0130', z, '\u00e4', _a, A, 'a b', ab"
      When list_directory is called with {}
      And the same call is made by fresh processes with
        | process                            |
        | {"env": {"LC_ALL": "C"}}           |
        | {"env": {"LC_ALL": "POSIX"}}       |
        | {"env": {"LC_ALL": "C.UTF-8"}}     |
        | {"env": {"LC_ALL": "tr_TR.UTF-8"}} |
        | {"env": {"LC_ALL": "de_DE.UTF-8"}} |
      Then the entries are "A, I, _a, 'a b', ab, i, z, '\u00e4', '\u0130', '\u0131'"
      And all answers are the same bytes

    # ICU writes numbers with the native digits of these languages.
    @LD-OUT-02-602
    Scenario: locales with digits of their own
      Given the tree "f=1234"
      When list_directory is called with {}
      And the same call is made by fresh processes with
        | process                            |
        | {"env": {"LC_ALL": "ar_EG.UTF-8"}} |
        | {"env": {"LC_ALL": "fa_IR.UTF-8"}} |
      Then all answers are the same bytes
      And the entry "f" has {"size_bytes": 1234}

    # New York had the hour of `r` and `s` twice: in local time they are equal.
    @LD-OUT-02-05
    Scenario: other time zones
      Given the tree "d/{f@1700000000000}, r@1699162200000, s@1699165800000, w@1720000000000"
      When list_directory is called with {"recursive": true}
      And the same call is made by fresh processes with
        | process                             |
        | {"env": {"TZ": "UTC"}}              |
        | {"env": {"TZ": "America/New_York"}} |
        | {"env": {"TZ": "Asia/Kathmandu"}}   |
        | {"env": {"TZ": "XXX-12:34"}}        |
      Then all answers are the same bytes
      And the entries have
        | path | modified_epoch_ms |
        | d/f  | 1700000000000     |
        | r    | 1699162200000     |
        | s    | 1699165800000     |
        | w    | 1720000000000     |

    @LD-OUT-02-06
    Scenario: other working directories and umasks
      Given the tree "b/{y, x}, a=3, l->b"
      When list_directory is called with {"recursive": true}
      And the same call is made by fresh processes with
        | process            |
        | {"cwd": "/"}       |
        | {"cwd": "$ROOT"}   |
        | {"cwd": "$ROOT/b"} |
        | {"umask": "000"}   |
        | {"umask": "077"}   |
      Then the entries are "a, b, b/x, b/y, l"
      And all answers are the same bytes

    @LD-OUT-02-07
    Scenario: a poorer environment
      Given the tree "b/{y, x}, a=3, '\u00e9', '\xff'"
      When list_directory is called with {"recursive": true}
      And the same call is made by fresh processes with
        | process |
        | {"env": {"LANG": null, "LC_ALL": null, "LC_CTYPE": null}} |
        | {"env": {"HOME": null}} |
        | {"env": {"COLUMNS": "1"}} |
        | {"env": {"HOME": null, "USER": null, "TERM": "dumb", "COLUMNS": "1"}} |
      Then the listing has 6 entries
      And all answers are the same bytes

    @LD-OUT-02-08
    Scenario: the same tree somewhere else
      Given the tree "b/{y, x/{v}}, A, 'a b', '\u00e9', '\xff', l->b"
      When list_directory is called with {"recursive": true}
      And the same call is made on a copy of the tree
      Then all answers are the same bytes
      And the document's text does not contain "$ROOT"
      And the listing has 9 entries

    # Both names become U+FFFD. Their order is open, as long as it follows from the names themselves (AMB-LD-13).
    @LD-OUT-02-09
    Scenario: names that become one and the same
      Given the tree "'\xff'=1, '\xfe'=2"
      When list_directory is called with {}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2"
      Then all answers are the same bytes
      And by AMB-LD-13 the answer is one of
        | reading | entries              | fields                                              |
        | a       | '\\ufffd', '\\ufffd' | {"\\ufffd": [{"size_bytes": 2}, {"size_bytes": 1}]} |
        | c       | '\\ufffd', '\\ufffd' | {"\\ufffd": [{"size_bytes": 1}, {"size_bytes": 2}]} |
        | c       | '\\ufffd', '\\ufffd' | {"\\ufffd": [{"size_bytes": 2}, {"size_bytes": 1}]} |

    @LD-OUT-02-102
    Scenario: directories that become one and the same, on the disk
      Given the file system of the disk
      And the tree "'\xff'/{x=1}, '\xfe'/{x=2}, '\xfd'/{x=3}"
      When list_directory is called with {"recursive": true}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2"
      Then every entry has {"is_hidden": false}
      And all answers are the same bytes

    @LD-OUT-02-103
    Scenario: the limit decides between names that become one and the same
      Given the tree "'\xff'=1, '\xfe'=2"
      When list_directory is called with {"max_entries": 1}
      And the same call is made on the tree built in the orders "reversed, shuffled 1, shuffled 2"
      Then every entry has {"type": "file"}
      And all answers are the same bytes

    @LD-OUT-02-10 @needs:strace
    Scenario: the same fault reads the same
      Given the tree "a, g!L=EIO, z"
      When list_directory is called with {"include_other": true}
      And the call is repeated 3 times
      Then the entries are "a, g, z"
      And all answers are the same bytes

    @LD-OUT-02-104
    Scenario: the same refusal reads the same in fresh processes
      Given the tree "d/%0000{x}, e/%0444{y}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      And the same call is made by fresh processes with
        | process      |
        | {}           |
        | {"cwd": "/"} |
      Then the entries include "d, e, z"
      And all answers are the same bytes

    @LD-OUT-02-105
    Scenario: what was asked in between leaves no trace
      Given the tree "a/{b}, .h, c"
      When list_directory is called with {"recursive": true, "include_hidden": true, "max_entries": 2}
      And list_directory is called again with {"recursive": true}
      Then the entries are "a, a/b, c"

    @behaviour:BEH-14
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      And the tree gets "<added>"
      And list_directory is called again with <again>
      Then <answer>

      Examples:
        | id            | case                                                   | tree     | call                | added | again               | answer                           |
        # The directory's modification time is unchanged, so a cache must not rely on it.
        | LD-OUT-02-301 | what has come in the meantime is there                 | a, d/{x} | {"recursive": true} | b     | {"recursive": true} | the entries are "a, b, d, d/x"   |
        | LD-OUT-02-603 | nor by that of a directory further down                | a, d/{x} | {"recursive": true} | d/{y} | {"recursive": true} | the entries are "a, d, d/x, d/y" |
        | LD-OUT-02-751 | what was missing and has come in the meantime is there | a        | {"path": "b"}       | b/{x} | {"path": "b"}       | the entries are "x"              |
