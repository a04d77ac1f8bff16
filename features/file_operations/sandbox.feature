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
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                                 | tool | does   | arguments                                                    |
        | FO-SEC-01-01 | a destination above                  | move | moves  | {"source": "a", "destination": "../away/x"}                  |
        | FO-SEC-01-02 | a copy's destination above           | copy | copies | {"source": "a", "destination": "../away/x"}                  |
        | FO-SEC-01-03 | a source above                       | move | moves  | {"source": "../away/secret", "destination": "x"}             |
        | FO-SEC-01-04 | a copy's source above                | copy | copies | {"source": "../away/secret", "destination": "x"}             |
        | FO-SEC-01-05 | through a link that leads out        | move | moves  | {"source": "a", "destination": "out/x"}                      |
        | FO-SEC-01-06 | a copy, through a link that leads out | copy | copies | {"source": "a", "destination": "out/x"}                     |
        | FO-SEC-01-07 | into a directory, by a link          | move | moves  | {"source": "a", "destination": "out", "overwrite": false}                     |
        | FO-SEC-01-08 | a copy into a directory, by a link   | copy | copies | {"source": "a", "destination": "out", "overwrite": false}                     |
        | FO-SEC-01-12 | a source below a link that leads out | copy | copies | {"source": "out/secret", "destination": "x"}                 |
        | FO-SEC-01-13 | a move of what lies outside          | move | moves  | {"source": "out/secret", "destination": "x"}                 |
        | FO-SEC-01-14 | onto what lies outside               | copy | copies | {"source": "a", "destination": "../away/secret", "overwrite": true} |
        | FO-SEC-01-41 | two missing directories behind a link | copy | copies | {"source": "a", "destination": "out/x/y/b"}                 |
        | FO-SEC-01-42 | two missing directories behind a link | move | moves  | {"source": "a", "destination": "out/x/y/b"}                 |
        | FO-SEC-01-43 | a source behind the way up from a link | copy | copies | {"source": "out/../away/secret", "destination": "x"}        |

    # What may be overwritten is no more outside than anything else.
    Scenario Outline: refused, though overwriting is allowed and asked for: <what>
      Given the tree "a="A", d/, out->../away"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id            | what                          | tool | does   | arguments                                                        |
        | FO-SEC-01-301 | a new name behind a link      | move | moves  | {"source": "a", "destination": "out/x", "overwrite": true}       |
        | FO-SEC-01-302 | a new name behind a link      | copy | copies | {"source": "a", "destination": "out/x", "overwrite": true}       |
        | FO-SEC-01-303 | onto a file behind a link     | move | moves  | {"source": "a", "destination": "out/secret", "overwrite": true}  |
        | FO-SEC-01-304 | onto a file behind a link     | copy | copies | {"source": "a", "destination": "out/secret", "overwrite": true}  |
        | FO-SEC-01-305 | onto a file above             | move | moves  | {"source": "a", "destination": "../away/secret", "overwrite": true} |
        | FO-SEC-01-306 | from behind a link, onto a file | move | moves | {"source": "out/secret", "destination": "a", "overwrite": true}  |
        | FO-SEC-01-307 | from behind a link, onto a file | copy | copies | {"source": "out/secret", "destination": "a", "overwrite": true} |

    Scenario Outline: list_directory lists nothing outside, by the name <name>: <path>
      Given the tree "a="A", d/, out->../away"
      When list_directory is called by the name "<name>" with {"path": "<path>"}
      Then the call fails with any error and changes nothing
      And a control call moves a file

      Examples:
        | id            | name           | path    |
        | FO-SEC-01-201 | list_directory | out     |
        | FO-SEC-01-202 | listdir        | out     |
        | FO-SEC-01-203 | ls             | ../away |
        | FO-SEC-01-204 | dir            | out/.   |

    # No way out to the letter. It becomes one where the path is changed after it was judged.
    Scenario Outline: nothing leaves by a path that is changed after the check: <what>
      Given the tree "a="A", d/"
      When copy is called with {"source": "a", "destination": "<path>"}
      Then nothing has come to be beside the sandbox
      And a control call copies a file

      Examples:
        | id           | what                  | path                                 |
        | FO-SEC-01-46 | backslashes           | ..\\\\away\\\\x                      |
        | FO-SEC-01-47 | percent signs         | %2e%2e/away/x                        |
        | FO-SEC-01-48 | an encoded slash      | ..%2faway%2fx                        |
        | FO-SEC-01-49 | encoded twice         | %252e%252e%252faway%252fx            |
        | FO-SEC-01-50 | a blank in front      | \\u0020../away/x                     |
        | FO-SEC-01-51 | a line feed in front  | \\n../away/x                         |
        | FO-SEC-01-52 | quotes                | '../away/x'                          |
        | FO-SEC-01-53 | characters that are not seen | ..\\u200b/away/x              |
        | FO-SEC-01-54 | dots of another width | \\uff0e\\uff0e/away/x                |
        | FO-SEC-01-55 | a variable            | $PWD/../away/x                       |

    Scenario Outline: nothing comes in by a path that is changed after the check: <what>
      Given the tree "a="A", d/"
      When copy is called with {"source": "<path>", "destination": "x"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

      Examples:
        | id           | what                  | path                                 |
        | FO-SEC-01-56 | backslashes           | ..\\\\away\\\\secret                 |
        | FO-SEC-01-57 | percent signs         | %2e%2e/away/secret                   |
        | FO-SEC-01-58 | an encoded slash      | ..%2faway%2fsecret                   |
        | FO-SEC-01-59 | an address            | file://$OUTSIDE/away/secret          |
        | FO-SEC-01-60 | a line feed in front  | \\n../away/secret                    |
        | FO-SEC-01-61 | dots of another width | \\uff0e\\uff0e/away/secret           |

    # As text the path stays inside; on the disk it does not.
    Scenario Outline: the way up from a link that leads out: <tool>
      Given the tree "a="A", out->../away"
      When <tool> is called with {"source": "a", "destination": "out/../x"}
      Then the call either leaves "<left>out->../away, x="A"", or fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | tool | does   | left    |
        | FO-SEC-01-44 | copy | copies | a="A",  |
        | FO-SEC-01-45 | move | moves  |         |

    # Each link of the chain leads to a name in the sandbox, but for the last one.
    Scenario Outline: refused, though only the last of several links leads out: <what>
      Given the tree "a="A", k->l, l->m, m->../away, p->q, q->r, r->../away/secret"
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                     | tool | does   | arguments                                  |
        | FO-SEC-01-31 | a move                   | move | moves  | {"source": "a", "destination": "k/x"}      |
        | FO-SEC-01-32 | a copy                   | copy | copies | {"source": "a", "destination": "k/x"}      |
        | FO-SEC-01-33 | a move into a directory  | move | moves  | {"source": "a", "destination": "k"}        |
        | FO-SEC-01-34 | a source of a copy       | copy | copies | {"source": "k/secret", "destination": "x"} |
        | FO-SEC-01-35 | a source of a move       | move | moves  | {"source": "k/secret", "destination": "x"} |

    # A link may be copied as a link (AMB-FO-04).
    @FO-SEC-01-37
    Scenario: a copy of the first of several links, the last of which leads out
      Given the tree "a="A", p->q, q->r, r->../away/secret"
      When copy is called with {"source": "p", "destination": "x"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails     | leaves                                             |
        | usual   | any error |                                                    |
        | target  | any error |                                                    |
        | link    | any error |                                                    |
        | link    |           | a="A", p->q, q->r, r->../away/secret, x->q         |
      And a control call copies a file

    # The name may be given to another file; what the last link leads to stays as it is (AMB-FO-15).
    @interpretation:AMB-FO-15
    Scenario Outline: <tool> onto the first of several links, the last of which leads out: <what>
      Given the tree "a="A", p->q, q->r, r-><target>"
      When <tool> is called with {"source": "a", "destination": "p", "overwrite": true}
      Then the call either leaves "<left>p="A", q->r, r-><target>", or fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what           | tool | does   | target         | left   |
        | FO-SEC-01-38 | to a file      | copy | copies | ../away/secret | a="A", |
        | FO-SEC-01-39 | to a file      | move | moves  | ../away/secret |        |
        | FO-SEC-01-40 | it is dangling | copy | copies | ../away/new    | a="A", |

    # The way was inside when it was checked.
    @FO-SEC-01-36
    Scenario: a directory that has become a link since it was written to
      Given the tree "a="A", d/"
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call succeeds and leaves "a="A", d/{b="A"}"
      When move is called again with {"source": "d", "destination": "e"}
      And the tree gets "d->../away"
      And copy is called again with {"source": "a", "destination": "d/b"}
      Then nothing has come to be beside the sandbox
      And a control call copies a file

    @FO-SEC-01-09
    Scenario: a copy of a link that leads out
      Given the tree "a="A", d/, out->../away, outf->../away/secret"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "outf", "destination": "x"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails     | leaves                                                                |
        | usual   | any error |                                                                       |
        | target  | any error |                                                                       |
        | link    | any error |                                                                       |
        | link    |           | a="A", d/, out->../away, outf->../away/secret, x->../away/secret      |
      And a control call copies a file

    # The name may be given to another file; what it led to stays as it is (AMB-FO-15).
    @interpretation:AMB-FO-15
    Scenario Outline: <tool> onto a link that leads out
      Given the tree "a="A", d/, out->../away, outf->../away/secret"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "outf", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves |
        | any error |        |
        |           | <left> |
      And a control call <does> a file

      Examples:
        | id           | tool | does   | left                                   |
        | FO-SEC-01-10 | copy | copies | a="A", d/, out->../away, outf="A"      |
        | FO-SEC-01-11 | move | moves  | d/, out->../away, outf="A"             |

    # The final name in a directory is a path like any other.
    @FO-SEC-01-15 @interpretation:AMB-FO-15
    Scenario: in the directory a link leads out
      Given the tree "a="A", d/{a->../../away/secret}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "d", "overwrite": true}
      Then the call either leaves "a="A", d/{a="A"}", or fails with any error and changes nothing
      And a control call copies a file

    @FO-SEC-01-16 @interpretation:AMB-FO-15
    Scenario: a dangling link that leads out is not written through
      Given the tree "a="A", l->../away/new"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the call either leaves "a="A", l="A"", or fails with any error and changes nothing
      And a control call copies a file

    @FO-SEC-01-17 @interpretation:AMB-FO-15
    Scenario: a dangling link that leads out, without overwrite
      Given the tree "a="A", l->../away/new"
      When copy is called with {"source": "a", "destination": "l"}
      Then the outcome is one of
        | fails     | leaves        |
        | any error |               |
        |           | a="A", l="A"  |
      And a control call copies a file

    @FO-SEC-01-18
    Scenario: a link that leads out is moved as a link or not at all
      Given the tree "outf->../away/secret, d/"
      When move is called with {"source": "outf", "destination": "x"}
      Then the call either leaves "x->../away/secret, d/", or fails with any error and changes nothing
      And a control call moves a file

    # The links may be kept or the call refused (AMB-FO-45). That none of them is missing is a matter of the copy.
    @FO-SEC-01-21
    Scenario: a copied directory brings nothing in through a link
      Given the tree "d/{f="F", l->../../away/secret, m->../../away}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves |
        | error    | any error, nothing lost |        |
        | complete | any error, nothing lost |        |
        | complete |                         | d/{f="F", l->../../away/secret, m->../../away}, e/{f="F", l->../../away/secret, m->../../away} |
        | complete |                         | d/{f="F", l->../../away/secret, m->../../away}, e/{f="F"} |
      And a control call copies a file

    @FO-SEC-01-22
    Scenario: a directory brings nothing to another file system through a link
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", l->../../away/secret, m->../../away}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves    | at $FAR |
        | error    | any error, nothing lost |           |         |
        | complete | any error, nothing lost |           |         |
        | complete |                         | far->$FAR | e/{f="F", l->../../away/secret, m->../../away}, k="K" |
        | complete |                         | far->$FAR | e/{f="F"}, k="K" |
      And a control call moves a file

    # A root counts as the place that it leads to.
    @FO-SEC-01-20 @implied
    Scenario: a root that is reached through a link
      Given beside the sandbox the tree "alias->root"
      And the tree "a="A""
      And the context {"roots": ["$OUTSIDE/alias"], "working_dir": "$OUTSIDE/alias"}
      When move is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "b="A""

  @FR-VAL-02
  Rule: the sandbox has spoken before anybody is asked

    Scenario Outline: <tool>: <what> outside, and nobody is asked
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "<answer>"}
      When <tool> is called with <arguments>
      Then a control call <does> nothing out of the sandbox
      And the call fails with SandboxViolation and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id           | what          | tool | does   | answer  | arguments                                          |
        | FO-VAL-02-01 | a destination | move | moves  | approve | {"source": "a", "destination": "../away/x"}        |
        | FO-VAL-02-02 | a source      | copy | copies | approve | {"source": "../away/secret", "destination": "x"}   |
        | FO-VAL-02-03 | a destination | move | moves  | deny    | {"source": "a", "destination": "../away/x"}        |
        | FO-VAL-02-04 | a source      | copy | copies | deny    | {"source": "../away/secret", "destination": "x"}   |

    # The final name in a directory is judged like any other.
    Scenario Outline: <tool>: the final name in a directory is denied, and nobody is asked
      Given the tree "a="A", d/, e/"
      And the context {"denied_patterns": ["**/d/a"], "policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "<answer>"}
      When <tool> is called with {"source": "a", "destination": "d"}
      Then a control call <does> a file into a directory
      And the call fails with SandboxViolation and changes nothing
      And approval was not requested

      Examples:
        | id           | tool | does   | answer  |
        | FO-VAL-02-05 | move | moves  | approve |
        | FO-VAL-02-06 | copy | copies | deny    |

  @FR-VAL-04
  Rule: what a path's text and its links say

    Scenario Outline: a path is refused: <what>
      Given the tree "a="A", d/, e->../root2"
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what                                        | tool | does   | arguments                                              |
        | FO-VAL-04-03 | an absolute source of the system            | copy | copies | {"source": "/etc/hostname", "destination": "x"}        |
        | FO-VAL-04-04 | up and out in the middle                    | move | moves  | {"source": "a", "destination": "d/../../away/x"}       |
        | FO-VAL-04-05 | a sibling whose name begins as the root's   | move | moves  | {"source": "a", "destination": "e"}                    |
        | FO-VAL-04-06 | a sibling, as a copy                        | copy | copies | {"source": "a", "destination": "e/x"}                  |

    Scenario Outline: the way up, and it stays inside: <what>
      Given the tree "a="A", d/, e->../root2"
      When <tool> is called with <arguments>
      Then by AMB-FO-32 the outcome is one of
        | reading | fails     | leaves |
        | refuse  | any error |        |
        | resolve |           | <left> |
      And a control call <does> a file

      Examples:
        | id           | what             | tool | does   | arguments                                  | left                          |
        | FO-VAL-04-07 | as a source      | move | moves  | {"source": "d/../a", "destination": "b"}   | b="A", d/, e->../root2        |
        | FO-VAL-04-08 | as a destination | copy | copies | {"source": "a", "destination": "d/../b"}   | a="A", b="A", d/, e->../root2 |

    @FO-VAL-04-11
    Scenario: names that only look like the way up
      Given the tree "..a="A", c="C""
      When move is called with {"source": "..a", "destination": "b.."}
      Then the call succeeds and leaves "'b..'="A", c="C""

    Scenario Outline: three dots are a name: <what>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call succeeds and leaves "<left>"

      Examples:
        | id            | what                 | tool | tree                   | arguments                                  | left                        |
        | FO-VAL-04-106 | a source             | move | '...'="A", c="C"       | {"source": "...", "destination": "b"}      | b="A", c="C"                |
        | FO-VAL-04-107 | a destination        | copy | a="A", c="C"           | {"source": "a", "destination": "...."}     | a="A", '....'="A", c="C"    |
        | FO-VAL-04-108 | a directory on the way | move | a="A", x/{'...'/}    | {"source": "a", "destination": "x/.../b"}  | x/{'...'/{b="A"}}           |

    Scenario Outline: a directory that has the name of a tilde is no home directory: <tool>
      Given the tree "<tree>"
      When <tool> is called with {"source": "~/x", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id            | tool | tree                       | left                              |
        | FO-VAL-04-109 | move | '~'/{x="A"}, x="O"         | b="A", x="O", '~'/                |
        | FO-VAL-04-110 | copy | a="A", x="O", '~'/{x="P"}  | a="A", b="P", x="O", '~'/{x="P"}  |

    @FO-VAL-04-101
    Scenario: a slash behind a name that ends like the way up
      Given the tree "a="A", 'd..'/"
      When move is called with {"source": "a", "destination": "d../b"}
      Then the call succeeds and leaves "'d..'/{b="A"}"

    Scenario Outline: a second root is as good as the first: <tool>
      Given at $FAR, on another file system, the tree "k="K", s/"
      And the tree "a="A", far->$FAR"
      When <tool> is called with {"source": "far/k", "destination": "far/s/k"}
      Then the call succeeds and leaves "a="A", far->$FAR", and at $FAR "<left>"

      Examples:
        | id            | tool | left              |
        | FO-VAL-04-104 | copy | k="K", s/{k="K"}  |
        | FO-VAL-04-105 | move | s/{k="K"}         |

    # The roots are those of one call.
    @FO-VAL-04-201
    Scenario: a root of one call is none of the next one
      Given beside the sandbox the tree "third/{k="K"}"
      And the tree "a="A", e->../third"
      And the context {"roots": ["$ROOT", "$OUTSIDE/third"]}
      When copy is called with {"source": "e/k", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="K", e->../third"
      Given the context {"roots": ["$ROOT"]}
      When copy is called again with {"source": "e/k", "destination": "c"}
      Then the call fails with any error and changes nothing
      And a control call copies a file

    @needs:case_sensitive
    Scenario Outline: a sibling whose name is the root's in capitals is another place: <what>
      Given beside the sandbox the tree "ROOT/{k="K"}"
      And the tree "a="A", e->../ROOT"
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
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
        | FO-VAL-05-09 | into a directory, by a link      | move | moves  | a="A", .ssh/{c="C"}, l->.ssh | {"source": "a", "destination": "l"}             |

    # Without a configuration, overwriting may be refused as well.
    Scenario Outline: denied, though overwriting is asked for: <what>
      Given the tree "a="A", x.pem="K""
      When <tool> is called with <arguments>
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id            | what             | tool | does   | arguments                                                  |
        | FO-VAL-05-305 | a key is replaced | move | moves  | {"source": "a", "destination": "x.pem", "overwrite": true} |
        | FO-VAL-05-306 | a key is replaced | copy | copies | {"source": "a", "destination": "x.pem", "overwrite": true} |
        | FO-VAL-05-307 | a key replaces   | move | moves  | {"source": "x.pem", "destination": "a", "overwrite": true} |
        | FO-VAL-05-308 | a key replaces   | copy | copies | {"source": "x.pem", "destination": "a", "overwrite": true} |

    Scenario Outline: denied for <tool> by the name <name> as well: <what>
      Given the tree "a="A", k.pem="K""
      When <tool> is called by the name "<name>" with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | does   | name   | what          | arguments                                   |
        | FO-VAL-05-301 | move | moves  | rename | a source      | {"source": "k.pem", "destination": "k.txt"} |
        | FO-VAL-05-302 | move | moves  | mv     | a destination | {"source": "a", "destination": "x.pem"}     |
        | FO-VAL-05-303 | copy | copies | cp     | a source      | {"source": "k.pem", "destination": "k.txt"} |
        | FO-VAL-05-304 | copy | copies | cp     | a destination | {"source": "a", "destination": "x.key"}     |

    Scenario Outline: the usual patterns cover more than the plainest names: <what>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call copies a file

      Examples:
        | id           | what                       | tree                              | arguments                                            |
        | FO-VAL-05-14 | the other half of a key    | id_rsa.pub="K"                    | {"source": "id_rsa.pub", "destination": "k.txt"}     |
        | FO-VAL-05-15 | a key four directories deep | w/{x/{y/{z/{k.pem="K"}}}}        | {"source": "w/x/y/z/k.pem", "destination": "k.txt"}  |
        | FO-VAL-05-16 | deep below a denied directory | x/{.ssh/{y/{z/{c="C"}}}}       | {"source": "x/.ssh/y/z/c", "destination": "k.txt"}   |
        | FO-VAL-05-17 | a key as a destination, deep | a="A", w/{x/{y/}}               | {"source": "a", "destination": "w/x/y/id_rsa_2"}     |

    # The protocol says no more than that these are globs.
    @prudent
    Scenario Outline: a pattern of the call's own: <what>
      Given the tree "<tree>"
      And the context {"denied_patterns": ["<pattern>"]}
      When copy is called with {"source": "<source>", "destination": "x"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call copies a file

      Examples:
        | id           | what                           | tree              | pattern        | source    |
        | FO-VAL-05-18 | a question mark                | k1.txt="K"        | **/k?.txt      | k1.txt    |
        | FO-VAL-05-19 | brackets                       | k1.txt="K"        | **/k[0-9].txt  | k1.txt    |
        | FO-VAL-05-20 | a name that begins with a dot  | .k.lock="K"       | **/*.lock      | .k.lock   |
        | FO-VAL-05-21 | below a directory with a dot   | s/{.a/{k="K"}}    | **/s/**        | s/.a/k    |

    Scenario Outline: names that the usual patterns do not cover: <name>
      Given the tree "<name>="K", a="A""
      When copy is called with {"source": "<name>", "destination": "x"}
      Then the call succeeds and leaves "<name>="K", a="A", x="K""

      Examples:
        | id           | name      |
        | FO-VAL-05-22 | monkey    |
        | FO-VAL-05-23 | a.keys    |
        | FO-VAL-05-24 | a.pem.txt |
        | FO-VAL-05-25 | my_id_rsa |

    @FO-VAL-05-08
    Scenario: a copy of a link to a key
      Given the tree "k.pem="K", l->k.pem"
      When copy is called with {"source": "l", "destination": "x"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails            | leaves                        |
        | usual   | SandboxViolation |                               |
        | target  | SandboxViolation |                               |
        | link    | SandboxViolation |                               |
        | link    |                  | k.pem="K", l->k.pem, x->k.pem |
      And a control call copies a file

    @FO-VAL-05-10
    Scenario: a pattern of the call's own
      Given the tree "a="A", b/"
      And the context {"denied_patterns": ["**/*.lock"]}
      When move is called with {"source": "a", "destination": "b/x.lock"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-VAL-05-201
    Scenario: a pattern of the call's own holds where the usual ones do not
      Given the tree "a="A", b/"
      And the context {"denied_patterns": ["**/*.lock"], "include_default_denies": false}
      When move is called with {"source": "a", "destination": "b/x.lock"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-VAL-05-13
    Scenario: the usual patterns hold beside one of the call's own
      Given the tree "k.pem="K""
      And the context {"denied_patterns": ["**/*.lock"]}
      When move is called with {"source": "k.pem", "destination": "k.txt"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    @FO-VAL-05-12
    Scenario: a pattern that the final name in a directory alone fits
      Given the tree "a="A", d/, e/"
      And the context {"denied_patterns": ["**/d/a"]}
      When move is called with {"source": "a", "destination": "d"}
      Then a control call moves a file into a directory
      And the call fails with SandboxViolation and changes nothing

    @FO-VAL-05-11
    Scenario: without the usual patterns keys are files like any other
      Given the tree "k.pem="K""
      And the context {"include_default_denies": false}
      When move is called with {"source": "k.pem", "destination": "k.txt"}
      Then the call succeeds and leaves "k.txt="K""

  @FR-VAL-08
  Rule: absolute paths hold where they are allowed

    Scenario Outline: absolute, and not allowed: <what>
      Given the tree "a="A", d/"
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id           | what          | tool | does   | arguments                                   |
        | FO-VAL-08-01 | a destination | move | moves  | {"source": "a", "destination": "$ROOT/x"}   |
        | FO-VAL-08-02 | a source      | copy | copies | {"source": "$ROOT/a", "destination": "x"}   |

    @FO-VAL-08-03
    Scenario: absolute paths where they are allowed
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When move is called with {"source": "$ROOT/a", "destination": "$ROOT/d/b"}
      Then the call succeeds and leaves "d/{b="A"}"

    # What counts is the place, not the text.
    @FO-VAL-08-06 @prudent
    Scenario: an absolute path through a link outside that leads inside
      Given beside the sandbox the tree "alias->root"
      And the tree "a="A", c="C""
      And the context {"allow_absolute": true}
      When copy is called with {"source": "$OUTSIDE/alias/a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A", c="C""

    @FO-VAL-08-05
    Scenario: an absolute path into another root
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "a="A", far->$FAR"
      And the context {"allow_absolute": true}
      When copy is called with {"source": "a", "destination": "$FAR/b"}
      Then the call succeeds and leaves "a="A", far->$FAR", and at $FAR "b="A", k="K""

    @FO-VAL-08-04
    Scenario: an absolute path where they are allowed, and yet outside
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When move is called with {"source": "a", "destination": "$OUTSIDE/away/x"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call moves a file

    Scenario Outline: a source by an absolute path, where they are allowed, and yet outside: <tool>
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When <tool> is called with {"source": "$OUTSIDE/away/secret", "destination": "x"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-VAL-08-201 | copy | copies |
        | FO-VAL-08-202 | move | moves  |

    Scenario Outline: an absolute path outside, where they are allowed and overwriting is asked for: <tool>
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When <tool> is called with {"source": "a", "destination": "$OUTSIDE/away/secret", "overwrite": true}
      Then the call fails with SandboxViolation and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-VAL-08-204 | move | moves  |
        | FO-VAL-08-205 | copy | copies |

    # What one call is allowed says nothing of the next one.
    @FO-VAL-08-203
    Scenario: absolute paths where they are allowed, and then where they are not
      Given the tree "a="A""
      And the context {"allow_absolute": true}
      When copy is called with {"source": "$ROOT/a", "destination": "$ROOT/b"}
      Then the call succeeds and leaves "a="A", b="A""
      Given the context {"allow_absolute": false}
      When copy is called again with {"source": "$ROOT/a", "destination": "$ROOT/c"}
      Then the call fails with SandboxViolation and changes nothing
      And a control call copies a file

  @FR-VAL-06
  Rule: between the check and the use nothing slips out

    @FO-VAL-06-01
    Scenario: the destination's directory becomes a link that leads out
      Given the tree "a="A", d/"
      And "d" becomes a link to "../away" while "a" is renamed
      When move is called with {"source": "a", "destination": "d/b"}
      Then "d" has become a link
      And nothing has come to be beside the sandbox
      And a control call moves a file

    @FO-VAL-06-02
    Scenario: the source's directory becomes a link that leads out
      Given the tree "x/{secret="X"}, d/"
      And "x" becomes a link to "../away" while "x/secret" is renamed
      When move is called with {"source": "x/secret", "destination": "d/b"}
      Then "x" has become a link
      And nothing has come to be beside the sandbox
      And a control call moves a file

    # A tool that does not open the directory by its name passes: the two scenarios above are about its renaming.
    Scenario Outline: <tool>: <what> becomes a link that leads out, while it is opened
      Given beside the sandbox the tree "elsewhere/{d/}"
      And the tree "a="A", x/{d/}"
      And "<name>" becomes a link to "<target>" while it is being opened
      When <tool> is called with {"source": "a", "destination": "x/d/b"}
      Then nothing has come to be beside the sandbox
      And a control call <does> a file

      Examples:
        | id           | what                                | tool | does   | name | target          |
        | FO-VAL-06-03 | the directory of the final name     | copy | copies | x/d  | ../../elsewhere |
        | FO-VAL-06-04 | the directory of the final name     | move | moves  | x/d  | ../../elsewhere |
        | FO-VAL-06-05 | a directory on the way to it        | move | moves  | x    | ../elsewhere    |
