@local_files
Feature: A link's target is its text, whatever that looks like

  @LF-LINK-01
  Rule: target is where a link points

    Scenario Outline: a target with <case>
      Given the tree "<tree>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "l" has {"target": [<target>, <absolute>]}

      Examples:
        | id | case | tree | target | absolute |
        | LF-LINK-01-301 | blanks at its ends | l->' a ' | " a " | "$ROOT/ a " |
        | LF-LINK-01-302 | a line break at its end | l->'a\\n' | "a\\n" | "$ROOT/a\\n" |
        | LF-LINK-01-303 | a thousand characters | l->'x'*1000 | "$('x'*1000)" | "$ROOT/$('x'*1000)" |
        | LF-LINK-01-304 | a backslash | l->'a\\\\b' | "a\\\\b" | "$ROOT/a\\\\b" |
        | LF-LINK-01-305 | a letter in two pieces | l->'e\u0301' | "e\u0301" | "$ROOT/e\u0301" |
        | LF-LINK-01-306 | a tilde | l->'~' | "~" | "$ROOT/~" |
        | LF-LINK-01-307 | a variable | l->'$HOME' | "$HOME" | "$ROOT/$HOME" |
        | LF-LINK-01-308 | a control character | l->'a\tb' | "a\\tb" | "$ROOT/a\\tb" |
        | LF-LINK-01-309 | an escape of addresses | l->'%2e' | "%2e" | "$ROOT/%2e" |
        | LF-LINK-01-310 | two thousand characters and one | l->'x/'*1000'y' | "$('x/'*1000)y" | "$ROOT/$('x/'*1000)y" |
        | LF-LINK-01-311 | what addresses escape, from the system's root | l->'/nowhere/a b%é#c' | "/nowhere/a b%é#c" | "/nowhere/a b%é#c" |

    # Programs print a link as `name -> target`; here the name has an arrow itself.
    @LF-LINK-01-312
    Scenario: an arrow in the name
      Given the tree "'x -> y'->z, f=1"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "'x -> y'" has {"target": ["z", "$ROOT/z"]}

  @LF-TYPE-02
  Rule: a link is a link, whatever it leads to

    @LF-TYPE-02-301
    Scenario: a link into a closed directory
      Given the tree "l->c/in/x, f=1, c/%0000{in/{x}}"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "c, f, l"
      And the entry "l" has {"@type": "SymbolicLinkEntry"}
