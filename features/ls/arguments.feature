# Only the error code counts here; errors.feature checks the message of a refusal.

@ls
Feature: Arguments are of the right type and in range, or the call is refused as INVALID_PARAM

  @LS-ARG-01
  Rule: path is a text

    Scenario Outline: a path that is <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the call is refused with INVALID_PARAM

      Examples:
        | id            | what                 | arguments          |
        | LS-ARG-01-01  | a number             | {"path": 123}      |
        | LS-ARG-01-02  | an array with a text | {"path": ["src"]}  |
        | LS-ARG-01-03  | an object            | {"path": {"a": 1}} |
        | LS-ARG-01-04  | true                 | {"path": true}     |
        | LS-ARG-01-05  | the number 0         | {"path": 0}        |
        | LS-ARG-01-06  | an empty array       | {"path": []}       |
        | LS-ARG-01-102 | false                | {"path": false}    |

    @LS-ARG-01-07
    Scenario: null as a path
      Given the tree "d1/, a.txt"
      When LS is called with {"path": null}
      Then by AMB-LS-13 the answer is one of
        | reading | refused       | entries   |
        | a       | INVALID_PARAM |           |
        | b       |               | d1, a.txt |

    @LS-ARG-01-08
    Scenario: the empty path
      Given the tree "d1/, a.txt"
      When LS is called with {"path": ""}
      Then by AMB-LS-17 the answer is one of
        | reading | refused       | entries   |
        | a       |               | d1, a.txt |
        | b       | INVALID_PARAM or NOT_FOUND |           |

    @LS-ARG-01-09
    Scenario: a path with blanks around it is a name with blanks
      Given the tree "' d '/{x}, d/{y}"
      When LS is called with {"path": " d "}
      Then the entries are "x"

    @LS-ARG-01-101
    Scenario: a blank is a name
      Given the tree "' '/{x}, d/{y}"
      When LS is called with {"path": " "}
      Then the entries are "x"

  @LS-ARG-02
  Rule: offset is a whole number from 0 on

    Scenario Outline: an offset that is <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the call is refused with INVALID_PARAM

      Examples:
        | id            | what                        | arguments                  |
        | LS-ARG-02-01  | below 0                     | {"offset": -1}             |
        | LS-ARG-02-02  | the text 0                  | {"offset": "0"}            |
        | LS-ARG-02-03  | a fraction                  | {"offset": 0.5}            |
        | LS-ARG-02-04  | an array with a number      | {"offset": [0]}            |
        | LS-ARG-02-05  | an object                   | {"offset": {}}             |
        | LS-ARG-02-06  | an empty text               | {"offset": ""}             |
        | LS-ARG-02-07  | far below 0                 | {"offset": -5}             |
        | LS-ARG-02-101 | the text 1                  | {"offset": "1"}            |
        | LS-ARG-02-102 | below 0, with a right limit | {"offset": -1, "limit": 2} |

    @LS-ARG-02-08
    Scenario: null as an offset
      Given the tree "d1/, a.txt"
      When LS is called with {"offset": null}
      Then by AMB-LS-71 the answer is one of
        | reading | refused       | entries   |
        | a       | INVALID_PARAM |           |
        | b       |               | d1, a.txt |

    @LS-ARG-02-09
    Scenario: the lowest offset
      Given the tree "d1/, a.txt"
      When LS is called with {"offset": 0}
      Then the entries are "d1, a.txt"

  @LS-ARG-03
  Rule: limit is a whole number from 1 to 200, and what is beyond is not clamped

    Scenario Outline: a limit that is <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the call is refused with INVALID_PARAM

      Examples:
        | id            | what                           | arguments                   |
        | LS-ARG-03-01  | 0                              | {"limit": 0}                |
        | LS-ARG-03-02  | just above 200                 | {"limit": 201}              |
        | LS-ARG-03-03  | below 0                        | {"limit": -1}               |
        | LS-ARG-03-04  | a text of digits               | {"limit": "10"}             |
        | LS-ARG-03-05  | a fraction                     | {"limit": 2.5}              |
        | LS-ARG-03-06  | an array with a number         | {"limit": [2]}              |
        | LS-ARG-03-07  | an object                      | {"limit": {}}               |
        | LS-ARG-03-08  | an empty text                  | {"limit": ""}               |
        | LS-ARG-03-101 | the text of its default        | {"limit": "100"}            |
        | LS-ARG-03-104 | above 200, with a right offset | {"offset": 1, "limit": 201} |

      # Of these numbers 1 is left in 8, 16, 32 or 64 bits.
      Examples:
        | id            | what         | arguments                       |
        | LS-ARG-03-102 | 1 in 32 bits | {"limit": 4294967297}           |
        | LS-ARG-03-103 | 1 in 64 bits | {"limit": 18446744073709551617} |

    @LS-ARG-03-09
    Scenario: a limit far beyond every number of a machine
      Given the tree "d1/, a.txt"
      When LS is called with {"limit": 1000000000000000000000000000000}
      Then the call is refused with INVALID_PARAM

    @LS-ARG-03-10
    Scenario: the lowest limit
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with {"limit": 1}
      Then there are 1 entries

    @LS-ARG-03-11
    Scenario: the highest limit
      Given the tree "f000..f200"
      When LS is called with {"limit": 200}
      Then there are 200 entries

    @LS-ARG-03-12
    Scenario: null as a limit
      Given the tree "d1/, a.txt"
      When LS is called with {"limit": null}
      Then by AMB-LS-72 the answer is one of
        | reading | refused       | entries   |
        | a       | INVALID_PARAM |           |
        | b       |               | d1, a.txt |

    @LS-ARG-03-13
    Scenario: a whole number with a fraction of nothing
      Given the tree "d1/, d2/, a.txt"
      When LS is called with exactly {"limit": 2.0}
      Then by AMB-LS-12 the answer is one of
        | reading | refused       | in order |
        | a       | INVALID_PARAM |          |
        | b       |               | d1, d2   |

  @LS-ARG-04
  Rule: include_hidden is true or false

    Scenario Outline: <what> as include_hidden
      Given the tree "d1/, a.txt, .h"
      When LS is called with {"include_hidden": <value>}
      Then the call is refused with INVALID_PARAM

      Examples:
        | id            | what                 | value   |
        | LS-ARG-04-02  | the number 1         | 1       |
        | LS-ARG-04-03  | the number 0         | 0       |
        | LS-ARG-04-01  | the text false       | "false" |
        | LS-ARG-04-04  | the text true        | "true"  |
        | LS-ARG-04-05  | an empty array       | []      |
        | LS-ARG-04-101 | an object            | {}      |

    @LS-ARG-04-06
    Scenario: null as include_hidden
      Given the tree "d1/, a.txt, .h"
      When LS is called with {"include_hidden": null}
      Then by AMB-LS-75 the answer is one of
        | reading | refused       | entries   |
        | a       | INVALID_PARAM |           |
        | b       |               | d1, a.txt |

    # What each shows is a matter of the filters.
    Scenario Outline: include_hidden is <what>
      Given the tree "d1/, a.txt, .h"
      When LS is called with <arguments>
      Then the entries include "d1, a.txt"

      Examples:
        | id           | what  | arguments                 |
        | LS-ARG-04-07 | true  | {"include_hidden": true}  |
        | LS-ARG-04-08 | false | {"include_hidden": false} |

  @LS-ARG-05
  Rule: ignore is null or an array of texts

    Scenario Outline: an ignore that is <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the call is refused with INVALID_PARAM

      Examples:
        | id           | what                          | arguments                   |
        | LS-ARG-05-01 | a text                        | {"ignore": "*.txt"}         |
        | LS-ARG-05-02 | an object                     | {"ignore": {"a": 1}}        |
        | LS-ARG-05-03 | an array with a number        | {"ignore": [1]}             |
        | LS-ARG-05-04 | an array with a text and null | {"ignore": ["*.txt", null]} |
        | LS-ARG-05-05 | an empty text                 | {"ignore": ""}              |
        | LS-ARG-05-06 | false                         | {"ignore": false}           |
        | LS-ARG-05-07 | an empty object               | {"ignore": {}}              |
        | LS-ARG-05-08 | the number 0                  | {"ignore": 0}               |
        | LS-ARG-05-09 | an array in an array          | {"ignore": [["*.txt"]]}     |
        | LS-ARG-05-10 | an array with a text and true | {"ignore": ["*.md", true]}  |

    Scenario Outline: nothing to ignore: <what>
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the entries are "d1, d2, a.txt, b.txt, c.txt"

      Examples:
        | id           | what           | arguments        |
        | LS-ARG-05-11 | an empty array | {"ignore": []}   |
        | LS-ARG-05-12 | null           | {"ignore": null} |

    @LS-ARG-05-102
    Scenario: an empty pattern among others
      Given the tree "a.txt, b.txt, c.txt"
      When LS is called with {"ignore": ["", "b*"]}
      Then by AMB-LS-82 the answer is one of
        | reading | entries      | refused       |
        | a       | a.txt, c.txt |               |
        | b       |              | INVALID_PARAM |

    @LS-ARG-05-101
    Scenario: thirty patterns
      Given the tree "a, b"
      When LS is called with {"ignore": ["00","01","02","03","04","05","06","07","08","09","10","11","12","13","14","15","16","17","18","19","20","21","22","23","24","25","26","27","28","29"]}
      Then the entries are "a, b"

  @LS-ARG-06
  Rule: true and false are no integers

    Scenario Outline: <what>, which is no integer
      Given the tree "d1/, d2/, a.txt, b.txt, c.txt"
      When LS is called with <arguments>
      Then the call is refused with INVALID_PARAM

      Examples:
        | id           | what               | arguments         |
        | LS-ARG-06-01 | true as a limit    | {"limit": true}   |
        | LS-ARG-06-02 | false as a limit   | {"limit": false}  |
        | LS-ARG-06-03 | true as an offset  | {"offset": true}  |
        | LS-ARG-06-04 | false as an offset | {"offset": false} |

  @LS-ARG-07
  Rule: an argument without a name in the schema breaks nothing

    Scenario Outline: an unknown argument: <what>
      Given the tree "d1/{x}, a.txt"
      When LS is called with <arguments>
      Then by AMB-LS-51 the answer is one of
        | reading | refused       | entries   |
        | a       |               | d1, a.txt |
        | b       | INVALID_PARAM |           |

      Examples:
        | id            | what                           | arguments                         |
        | LS-ARG-07-01  | one that other tools have      | {"recursive": true}               |
        | LS-ARG-07-02  | a known one with a capital     | {"Limit": 1}                      |
        | LS-ARG-07-03  | an object with an array        | {"weird": {"k": [1, null, "v"]}}  |
        | LS-ARG-07-101 | names that objects have anyway | {"constructor": 1, "toString": 2} |

  @LS-ARG-08
  Rule: whatever is asked, the answer is an envelope

    Scenario Outline: arguments that are <what>
      Given the tree "d1/, a.txt"
      When LS is called with exactly <arguments>
      Then by AMB-LS-57 the answer is one of
        | reading | refused       | echoes      | fails   |
        | a       | INVALID_PARAM | <arguments> |         |
        | b       | INVALID_PARAM |             |         |
        | c       |               |             | BadArgs |

      Examples:
        | id           | what     | arguments |
        | LS-ARG-08-01 | an array | [1]       |
        | LS-ARG-08-02 | a text   | "."       |
        | LS-ARG-08-03 | a number | 7         |
        | LS-ARG-08-04 | true     | true      |

      # Texts that would be objects if they were parsed once more.
      Examples:
        | id            | what                        | arguments               |
        | LS-ARG-08-101 | a text with an empty object | "{}"                    |
        | LS-ARG-08-102 | a text with an object       | "{\\"path\\": \\".\\"}" |

      # A list of what would be right without it.
      Examples:
        | id            | what                    | arguments        |
        | LS-ARG-08-104 | an array with an object | [{"path": "d1"}] |
        | LS-ARG-08-105 | an empty array          | []               |

      @prudent
      Examples:
        | id            | what | arguments |
        | LS-ARG-08-103 | null | null      |

    @LS-ARG-08-06
    Scenario: a path with a NUL
      Given the tree "d1/, a.txt"
      When LS is called with {"path": "a\u0000b"}
      Then by AMB-LS-18 the answer is one of
        | reading | refused        |
        | a       | INVALID_PARAM  |
        | b       | ACCESS_DENIED  |
        | c       | NOT_FOUND      |
        | d       | INTERNAL_ERROR |

    @LS-ARG-08-07
    Scenario: a name that is longer than names can be
      Given the tree "d1/, a.txt"
      When LS is called with {"path": "$('x'*300)"}
      Then the answer is an envelope

    @LS-ARG-08-08
    Scenario: a path that is longer than paths can be
      Given the tree "d1/, a.txt"
      When LS is called with {"path": "$('x/'*3000)"}
      Then the answer is an envelope

    @LS-ARG-08-09 @returns
    Scenario: a link to itself as the path
      Given the tree "loop->loop, a.txt"
      When LS is called with {"path": "loop"}
      Then the call is refused with any code

    @LS-ARG-08-11
    Scenario: a limit that is wrong, in a missing directory
      Given the tree "d1/, a.txt"
      When LS is called with {"path": "missing", "limit": 0}
      Then by AMB-LS-33 the answer is one of
        | reading | refused       |
        | a       | INVALID_PARAM |
        | b       | NOT_FOUND     |

    @LS-ARG-08-12
    Scenario: patterns that look like broken ones
      Given the tree "'[a', b, '(c'"
      When LS is called with {"ignore": ["[", "[a", "(", "]", "[!", "[z-a]", "**", "***"], "include_hidden": true}
      Then the answer is an envelope
