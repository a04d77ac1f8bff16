@list_directory
Feature: Names that mean something to a program are names like any other

  # A JavaScript table of entries loses `__proto__` and puts numbers first; a command line reads -l as an option; text
  # that is joined without escapes ends at a quote.

  @FR-LD-LST-02
  Rule: no name is lost, and no directory stays closed, for what it is called

    @behaviour:BEH-06
    Scenario Outline: names that are words of a language: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true}
      Then the entries include "<entries>"

      Examples:
        | id            | case                          | tree                                                          | entries                                                                         |
        | LD-LST-02-601 | members that every object has | __proto__/{x}, constructor/{y}, toString, hasOwnProperty, z   | __proto__, __proto__/x, constructor, constructor/y, hasOwnProperty, toString, z |
        | LD-LST-02-602 | values                        | null/{x}, true, false, undefined, NaN, None, nil, Infinity, z | Infinity, NaN, None, false, nil, null, null/x, true, undefined, z               |
        | LD-LST-02-603 | numbers                       | 0/{1/{2}}, -0, 007, 1e3, 0x10, '1.0', 9007199254740993, z     | -0, 0, 0/1, 0/1/2, 007, 0x10, '1.0', 1e3, 9007199254740993, z                   |
        | LD-LST-02-604 | options of a command          | '-l'/{x}, '--help'/{y}, '-delete', '-', '--', z               | '-', '--', '--help', '--help/y', '-delete', '-l', '-l/x', z                     |
        | LD-LST-02-605 | an expression of find         | '('/{x}, ')', '!', '-o', ';', '{}', z                         | '!', '(', '(/x', ')', '-o', ';', '{}', z                                        |
        | LD-LST-02-610 | one word in two cases         | readme/{x}, README/{y}, ReadMe, z                             | README, README/y, ReadMe, readme, readme/x, z                                   |

    # Another rule defines how a name is shown: this one checks that it is listed.
    @behaviour:BEH-06
    Scenario Outline: names that something might be made of: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true}
      Then the listing has <count> entries
      And the entries include "z"

      Examples:
        | id            | case                           | tree                                                 | count |
        | LD-LST-02-606 | patterns and expansions        | '*'/{x}, '?', '[a-z]'/{y}, '$HOME'/{z}, '`id`', a, z | 10    |
        | LD-LST-02-607 | formats                        | '%s'/{x}, '%n%n', '{0}', '\\\\x41', '&amp;', z       | 7     |
        | LD-LST-02-608 | blanks and dots at either end  | 'd '/{x}, 'd.'/{y}, ' d'/{z}, d/{w}, z               | 9     |
        | LD-LST-02-609 | two normal forms of one letter | '\\u00e9'/{x}, 'e\\u0301'/{y}, z                     | 5     |
        | LD-LST-02-624 | the longest names, line ends   | 'n'*255/{x}, 'a\\n'/{y}, '\\r', '\\n'/{v}, z       | 8     |
        | LD-LST-02-618 | characters that are not seen   | '\\u200ba'/{x}, 'b\\u00ad'/{y}, '\\u202ec', '\\ufeffd'/{v}, z | 8 |
        | LD-LST-02-619 | other blanks                   | '\\u00a0'/{x}, '\\u3000a'/{y}, 'a  b'/{v}, ' '/{w}, z | 9   |
        | LD-LST-02-620 | signs of shells                | '$(b)'/{x}, 'd&e'/{y}, '<h>', '"q"'/{v}, 'it`s', z  | 9     |
        | LD-LST-02-621 | drives, streams and devices    | 'c:'/{x}, 'a:b'/{y}, con/{v}, nul.txt, ':d', z       | 9     |

  @FR-LD-OUT-01
  Rule: numbers are not sorted before words

    @LD-OUT-01-601
    Scenario: names of digits keep their place as text
      Given the tree "10, 9, 1, b, a/{2, 11}, 01, 2, -1, +1"
      When list_directory is called with {"recursive": true}
      Then the entries in order are "+1, -1, 01, 1, 10, 2, 9, a, a/11, a/2, b"

  @FR-LD-OUT-02a
  Rule: what looks like JSON in a name is escaped

    @LD-OUT-02a-601
    Scenario: names that would go on with the document
      Given the tree "'","type":"dir', '"}],"returned":0}', '\\",', '\\\\', '<script>'"
      When list_directory is called with {}
      Then the document is canonical

  @FR-LD-VAL-08
  Rule: a directory is asked for by any name that it has

    Scenario Outline: a directory of the name <path>
      Given the tree "'-l'/{x}, '--help'/{y}, '__proto__'/{p}, 0/{n}, null/{v}, '*'/{s}, '!'/{wrong}"
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | path        | entries |
        | LD-VAL-08-601 | "-l"        | x       |
        | LD-VAL-08-602 | "--help"    | y       |
        | LD-VAL-08-603 | "__proto__" | p       |
        | LD-VAL-08-604 | "0"         | n       |
        | LD-VAL-08-605 | "null"      | v       |
        | LD-VAL-08-606 | "*"         | s       |

    Scenario Outline: a directory whose name means something to another system, a shell or a browser: <path>
      Given the tree "CON/{x}, nul/{x}, aux.txt/{x}, COM1/{x}, 'a|b'/{x}, 'a;b'/{x}, 'a&b'/{x}, 'a>b'/{x}, '-'/{x}, '`a`'/{x}, 'a?b'/{x}, 'a#b'/{x}, '@a'/{x}, '\u0080'/{x}, '\u202ea'/{x}, '\u0378'/{x}, a/{wrong}"
      When list_directory is called with {"path": <path>}
      Then the entries are "x"

      Examples:
        | id            | path       |
        | LD-VAL-08-721 | "CON"      |
        | LD-VAL-08-722 | "nul"      |
        | LD-VAL-08-723 | "aux.txt"  |
        | LD-VAL-08-724 | "COM1"     |
        | LD-VAL-08-725 | "a\|b"     |
        | LD-VAL-08-726 | "a;b"      |
        | LD-VAL-08-727 | "a&b"      |
        | LD-VAL-08-728 | "a>b"      |
        | LD-VAL-08-730 | "-"        |
        | LD-VAL-08-731 | "`a`"      |
        | LD-VAL-08-732 | "a?b"      |
        | LD-VAL-08-733 | "a#b"      |
        | LD-VAL-08-734 | "@a"       |
        # A control character, a mark that changes the writing direction, and an unassigned code point.
        | LD-VAL-08-735 | "\\u0080"  |
        | LD-VAL-08-736 | "\\u202ea" |
        | LD-VAL-08-737 | "\\u0378"  |
