# A path is a path: no part of it has another meaning.
@local_files
Feature: Requested paths that look like something else

  @LF-LIST-01
  Rule: every child once, and nothing else

    @behaviour:BEH-13
    Scenario Outline: of a directory whose name has <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT/<path>"}
      Then the entries are "<entry>"

      Examples:
        | id             | case                     | tree                 | path    | entry |
        | LF-LIST-01-301 | a backslash              | 'a\\\\b'/{u}, a/{b/} | a\\\\b  | u     |
        | LF-LIST-01-302 | a letter in two pieces   | 'e\u0301'/{n}        | e\u0301 | n     |
        | LF-LIST-01-303 | an escape of addresses   | '%2e'/{p}            | %2e     | p     |
        | LF-LIST-01-304 | a variable               | '$HOME'/{q}          | $HOME   | q     |
        | LF-LIST-01-305 | a line break at its end  | 'g\\n'/{r}, g/{s}    | g\\n    | r     |
        | LF-LIST-01-309 | a set                    | '[ab]'/{x}, a/{y}    | [ab]    | x     |
        | LF-LIST-01-310 | a star                   | '*'/{x}, a/{y}       | *       | x     |
        | LF-LIST-01-311 | a hash                   | 'a#b'/{x}, a/{y}     | a#b     | x     |
        | LF-LIST-01-312 | a question mark          | 'a?b'/{x}, a/{y}     | a?b     | x     |
        | LF-LIST-01-313 | a semicolon              | 'a;b'/{x}, a/{y}     | a;b     | x     |
        | LF-LIST-01-314 | a plus                   | 'a+b'/{x}, 'a b'/{y} | a+b     | x     |
        | LF-LIST-01-315 | twenty directories       | a/{b/{c/{d/{e/{f/{g/{h/{i/{j/{k/{l/{m/{n/{o/{p/{q/{r/{s/{t/{x}}}}}}}}}}}}}}}}}}}} | a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t | x |
        | LF-LIST-01-316 | what Windows keeps       | con/{aux.txt/{nul/{com1/{'d:12'/{x}}}}} | con/aux.txt/nul/com1/d:12 | x |
        | LF-LIST-01-322 | a line of a file         | 'a:12'/{x}, a/{y}    | a:12    | x     |
        | LF-LIST-01-317 | tildes                   | '~root'/{'~'/{'f~'/{x}}} | ~root/~/f~ | x |
        | LF-LIST-01-318 | blanks in a row          | 'a  b'/{'c\u00a0'/{'\u3000d'/{x}}}, 'a b'/{y} | a  b/c\u00a0/\u3000d | x |
        | LF-LIST-01-319 | marks that show nothing  | 'a\u200b'/{'\u202eb'/{'\ufeffc'/{x}}}, a/{y} | a\u200b/\u202eb/\ufeffc | x |
        | LF-LIST-01-320 | quotes around it         | '\'a\''/{'`b`'/{x}}, a/{y} | 'a'/`b` | x |
        | LF-LIST-01-321 | signs of shells          | '$(b)'/{'${c}'/{'d&e'/{'f\|g'/{'{h,i}'/{x}}}}} | $(b)/${c}/d&e/f\|g/{h,i} | x |

    # What refuses two dots in a path refuses these names too (AMB-LF-24).
    @behaviour:BEH-13
    Scenario Outline: of a directory whose name has two dots <where>
      Given the tree "<path>/{t}"
      When listDirectory is called with {"path": "$ROOT/<path>"}
      Then the answer is one of
        | entries | fails     |
        | t       |           |
        |         | any error |

      Examples:
        | id             | where         | path |
        | LF-LIST-01-306 | at its start  | ..c  |
        | LF-LIST-01-307 | at its end    | a..  |
        | LF-LIST-01-308 | in the middle | a..b |
