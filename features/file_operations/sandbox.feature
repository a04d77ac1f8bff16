@file_operations
Feature: Both ends lie in the sandbox

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @NFR-FOPS-SEC-01
  Rule: source, destination and final name are judged, and nothing outside is changed or brought in

    Scenario Outline: refused: <what>
      Given the tree "a="A", d/, out->../away, outf->../away/secret"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                                 | tool | does   | arguments                                                    |
        | FO-SEC-01-01 | a destination above                  | move | moves  | {"source": "a", "destination": "../away/x"}                  |
        | FO-SEC-01-02 | a copy's destination above           | copy | copies | {"source": "a", "destination": "../away/x"}                  |
        | FO-SEC-01-03 | a source above                       | move | moves  | {"source": "../away/secret", "destination": "x"}             |
        | FO-SEC-01-04 | a copy's source above                | copy | copies | {"source": "../away/secret", "destination": "x"}             |
        | FO-SEC-01-05 | through a link that leads out        | move | moves  | {"source": "a", "destination": "out/x"}                      |
        | FO-SEC-01-06 | a copy, through a link that leads out | copy | copies | {"source": "a", "destination": "out/x"}                     |
        | FO-SEC-01-07 | into a directory, by a link          | move | moves  | {"source": "a", "destination": "out"}                        |
        | FO-SEC-01-08 | a copy into a directory, by a link   | copy | copies | {"source": "a", "destination": "out"}                        |
        | FO-SEC-01-09 | a copy of a link that leads out      | copy | copies | {"source": "outf", "destination": "x"}                       |
        | FO-SEC-01-10 | onto a link that leads out           | copy | copies | {"source": "a", "destination": "outf", "overwrite": true}    |
        | FO-SEC-01-11 | a move onto a link that leads out    | move | moves  | {"source": "a", "destination": "outf", "overwrite": true}    |
        | FO-SEC-01-12 | a source below a link that leads out | copy | copies | {"source": "out/secret", "destination": "x"}                 |
        | FO-SEC-01-13 | a move of what lies outside          | move | moves  | {"source": "out/secret", "destination": "x"}                 |
        | FO-SEC-01-14 | onto what lies outside               | copy | copies | {"source": "a", "destination": "../away/secret", "overwrite": true} |

    # The final name in a directory is a path like any other.
    @FO-SEC-01-15
    Scenario: in the directory a link leads out
      Given the tree "a="A", d/{a->../../away/secret}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "d", "overwrite": true}
      Then the call either leaves "a="A", d/{a="A"}", or fails with any error and changes nothing
      And a control call copies a file

    @FO-SEC-01-16
    Scenario: a dangling link that leads out is not written through
      Given the tree "a="A", l->../away/new"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the call either leaves "a="A", l="A"", or fails with any error and changes nothing
      And a control call copies a file

    @FO-SEC-01-17
    Scenario: a dangling link that leads out, without overwrite
      Given the tree "a="A", l->../away/new"
      When copy is called with {"source": "a", "destination": "l"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

    @FO-SEC-01-18
    Scenario: a link that leads out is moved as a link or not at all
      Given the tree "outf->../away/secret, d/"
      When move is called with {"source": "outf", "destination": "x"}
      Then the call either leaves "x->../away/secret, d/", or fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-SEC-01-19
    Scenario: a second root is as good as the first
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      When copy is called with {"source": "far/k", "destination": "a2"}
      Then the call succeeds and leaves "a="A", a2="K", far->$FAR", and at $FAR "k="K""

  @FR-VAL-02
  Rule: the sandbox has spoken before anybody is asked

    Scenario Outline: <tool>: <what> outside, and nobody is asked
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt"}, "approval": "approve"}
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id           | what          | tool | does   | arguments                                          |
        | FO-VAL-02-01 | a destination | move | moves  | {"source": "a", "destination": "../away/x"}        |
        | FO-VAL-02-02 | a source      | copy | copies | {"source": "../away/secret", "destination": "x"}   |

  @FR-VAL-04
  Rule: what a path's text and its links say

    Scenario Outline: a path is refused: <what>
      Given the tree "a="A", d/, e->../root2"
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                                        | tool | does   | arguments                                              |
        | FO-VAL-04-01 | an absolute destination                     | move | moves  | {"source": "a", "destination": "$ROOT/x"}              |
        | FO-VAL-04-02 | an absolute source                          | copy | copies | {"source": "$ROOT/a", "destination": "x"}              |
        | FO-VAL-04-03 | an absolute source of the system            | copy | copies | {"source": "/etc/hostname", "destination": "x"}        |
        | FO-VAL-04-04 | up and out in the middle                    | move | moves  | {"source": "a", "destination": "d/../../away/x"}       |
        | FO-VAL-04-05 | a sibling whose name begins as the root's   | move | moves  | {"source": "a", "destination": "e"}                    |
        | FO-VAL-04-06 | a sibling, as a copy                        | copy | copies | {"source": "a", "destination": "e/x"}                  |
        | FO-VAL-04-07 | ".." that stays inside, as a source         | move | moves  | {"source": "d/../a", "destination": "b"}               |
        | FO-VAL-04-08 | ".." that stays inside, as a destination    | copy | copies | {"source": "a", "destination": "d/../b"}               |

    @FO-VAL-04-09
    Scenario: absolute paths where they are allowed
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When move is called with {"source": "$ROOT/a", "destination": "$ROOT/d"}
      Then the call succeeds and leaves "d/{a="A"}"

    @FO-VAL-04-10
    Scenario: an absolute path where they are allowed, and yet outside
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When move is called with {"source": "a", "destination": "$OUTSIDE/away/x"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-VAL-04-11
    Scenario: names that only look like the way up
      Given the tree "..a="A", 'b..'/"
      When move is called with {"source": "..a", "destination": "b.."}
      Then the call succeeds and leaves "'b..'/{..a="A"}"

    @FO-VAL-04-101
    Scenario: a slash behind a name that ends like the way up
      Given the tree "a="A", 'd..'/"
      When move is called with {"source": "a", "destination": "d../b"}
      Then the call succeeds and leaves "'d..'/{b="A"}"

    @needs:case_sensitive
    Scenario Outline: a sibling whose name is the root's in capitals is another place: <what>
      Given beside the sandbox the tree "ROOT/{k="K"}"
      And the tree "a="A", e->../ROOT"
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id            | what           | tool | does   | arguments                           |
        | FO-VAL-04-102 | into it        | move | moves  | {"source": "a", "destination": "e"} |
        | FO-VAL-04-103 | a copy from it | copy | copies | {"source": "e/k", "destination": "x"} |

  @FR-VAL-05
  Rule: denied patterns hold at both ends

    Scenario Outline: denied: <what>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                             | tool | does   | tree                         | arguments                                       |
        | FO-VAL-05-01 | a key as source                  | move | moves  | k.pem="K"                    | {"source": "k.pem", "destination": "k.txt"}     |
        | FO-VAL-05-02 | a key as a copy's source         | copy | copies | id_rsa="K"                   | {"source": "id_rsa", "destination": "k.txt"}    |
        | FO-VAL-05-03 | a key as a copy's destination    | copy | copies | a="A"                        | {"source": "a", "destination": "x.key"}         |
        | FO-VAL-05-04 | a key as destination             | move | moves  | a="A"                        | {"source": "a", "destination": "x.pem"}         |
        | FO-VAL-05-05 | below a denied directory         | move | moves  | a="A", .ssh/{config="C"}     | {"source": "a", "destination": ".ssh/new"}      |
        | FO-VAL-05-06 | into a denied directory          | move | moves  | a="A", .ssh/{config="C"}     | {"source": "a", "destination": ".ssh"}          |
        | FO-VAL-05-07 | a copy into a denied directory   | copy | copies | a="A", x/{.gnupg/{c="C"}}    | {"source": "a", "destination": "x/.gnupg"}      |
        | FO-VAL-05-08 | by a link to a key               | copy | copies | k.pem="K", l->k.pem          | {"source": "l", "destination": "x"}             |
        | FO-VAL-05-09 | into a directory, by a link      | move | moves  | a="A", .ssh/{c="C"}, l->.ssh | {"source": "a", "destination": "l"}             |

    @FO-VAL-05-10
    Scenario: a pattern of the call's own
      Given the tree "a="A", b/"
      And the context {"denied_patterns": ["**/*.lock"]}
      When move is called with {"source": "a", "destination": "b/x.lock"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-VAL-05-12
    Scenario: a pattern that the final name in a directory alone fits
      Given the tree "a="A", d/, e/"
      And the context {"denied_patterns": ["**/d/a"]}
      When move is called with {"source": "a", "destination": "d"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-VAL-05-11
    Scenario: without the usual patterns keys are files like any other
      Given the tree "k.pem="K""
      And the context {"include_default_denies": false}
      When move is called with {"source": "k.pem", "destination": "k.txt"}
      Then the call succeeds and leaves "k.txt="K""

  @FR-VAL-06
  Rule: between the check and the use nothing slips out

    @FO-VAL-06-01
    Scenario: the destination's directory becomes a link that leads out
      Given the tree "a="A", d/"
      And "d" becomes a link to "../away" while "a" is renamed
      When move is called with {"source": "a", "destination": "d/b"}
      Then nothing has come to be beside the sandbox
      And "d" has become a link
      And a control call moves a file

    @FO-VAL-06-02
    Scenario: the source's directory becomes a link that leads out
      Given the tree "x/{secret="X"}, d/"
      And "x" becomes a link to "../away" while "x/secret" is renamed
      When move is called with {"source": "x/secret", "destination": "d/b"}
      Then nothing has come to be beside the sandbox
      And "x" has become a link
      And a control call moves a file
