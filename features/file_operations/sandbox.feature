@file_operations
Feature: Both ends lie in the sandbox

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @NFR-FOPS-SEC-01
  Rule: source, destination and final name are judged, and nothing outside is changed or brought in

    Scenario Outline: <case of NFR-FOPS-SEC-01 configured>
      Given the tree "<tree>"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of NFR-FOPS-SEC-01 configured | tree | tool | arguments | ends |
        | FO-SEC-01-01 | refused: a destination above | a="A", d/, out->../away, outf->../away/secret | move | {"source": "a", "destination": "../away/x"} | fails with any error and changes nothing |
        | FO-SEC-01-02 | refused: a copy's destination above | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "a", "destination": "../away/x"} | fails with any error and changes nothing |
        | FO-SEC-01-03 | refused: a source above | a="A", d/, out->../away, outf->../away/secret | move | {"source": "../away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-04 | refused: a copy's source above | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "../away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-05 | refused: through a link that leads out | a="A", d/, out->../away, outf->../away/secret | move | {"source": "a", "destination": "out/x"} | fails with any error and changes nothing |
        | FO-SEC-01-06 | refused: a copy, through a link that leads out | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "a", "destination": "out/x"} | fails with any error and changes nothing |
        | FO-SEC-01-12 | refused: a source below a link that leads out | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "out/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-13 | refused: a move of what lies outside | a="A", d/, out->../away, outf->../away/secret | move | {"source": "out/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-14 | refused: onto what lies outside | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "a", "destination": "../away/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-41 | refused: two missing directories behind a link: copy | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "a", "destination": "out/x/y/b"} | fails with any error and changes nothing |
        | FO-SEC-01-42 | refused: two missing directories behind a link: move | a="A", d/, out->../away, outf->../away/secret | move | {"source": "a", "destination": "out/x/y/b"} | fails with any error and changes nothing |
        | FO-SEC-01-43 | refused: a source behind the way up from a link | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "out/../away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-62 | refused: the directory above is no destination: move, without a slash | a="A", d/ | move | {"source": "a", "destination": ".."} | fails with any error and changes nothing |
        | FO-SEC-01-63 | refused: the directory above is no destination: copy, without a slash | a="A", d/ | copy | {"source": "a", "destination": ".."} | fails with any error and changes nothing |
        | FO-SEC-01-64 | refused: the directory above is no destination: copy, from a directory | a="A", d/ | copy | {"source": "a", "destination": "d/../.."} | fails with any error and changes nothing |
        | FO-SEC-01-07 | a move does not go into a directory outside, by a link | a="A", d/, out->../away, outf->../away/secret | move | {"source": "a", "destination": "out", "overwrite": false} | fails with any error and changes nothing |
        | FO-SEC-01-08 | a copy does not go into a directory outside, by a link | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "a", "destination": "out", "overwrite": false} | fails with any error and changes nothing |
        # What may be overwritten is no more outside than anything else.
        | FO-SEC-01-301 | refused, though overwriting is allowed and asked for: a new name behind a link, move | a="A", d/, out->../away | move | {"source": "a", "destination": "out/x", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-302 | refused, though overwriting is allowed and asked for: a new name behind a link, copy | a="A", d/, out->../away | copy | {"source": "a", "destination": "out/x", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-303 | refused, though overwriting is allowed and asked for: onto a file behind a link, move | a="A", d/, out->../away | move | {"source": "a", "destination": "out/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-304 | refused, though overwriting is allowed and asked for: onto a file behind a link, copy | a="A", d/, out->../away | copy | {"source": "a", "destination": "out/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-305 | refused, though overwriting is allowed and asked for: onto a file above | a="A", d/, out->../away | move | {"source": "a", "destination": "../away/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-306 | refused, though overwriting is allowed and asked for: from behind a link, onto a file, move | a="A", d/, out->../away | move | {"source": "out/secret", "destination": "a", "overwrite": true} | fails with any error and changes nothing |
        | FO-SEC-01-307 | refused, though overwriting is allowed and asked for: from behind a link, onto a file, copy | a="A", d/, out->../away | copy | {"source": "out/secret", "destination": "a", "overwrite": true} | fails with any error and changes nothing |

      @interpretation:AMB-FO-04
      Examples:
        | id | case of NFR-FOPS-SEC-01 configured | tree | tool | arguments | ends |
        | FO-SEC-01-09 | a copy of a link that leads out | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "outf", "destination": "x"} | either leaves "a="A", d/, out->../away, outf->../away/secret, x->../away/secret", or fails with any error and changes nothing |

      @interpretation:AMB-FO-15
      Examples:
        | id | case of NFR-FOPS-SEC-01 configured | tree | tool | arguments | ends |
        # The name may be given to another file; what it led to stays as it is (AMB-FO-15).
        | FO-SEC-01-10 | copy onto a link that leads out | a="A", d/, out->../away, outf->../away/secret | copy | {"source": "a", "destination": "outf", "overwrite": true} | either leaves "a="A", d/, out->../away, outf="A"", or fails with any error and changes nothing |
        | FO-SEC-01-11 | move onto a link that leads out | a="A", d/, out->../away, outf->../away/secret | move | {"source": "a", "destination": "outf", "overwrite": true} | either leaves "d/, out->../away, outf="A"", or fails with any error and changes nothing |
        # The final name in a directory is a path like any other.
        | FO-SEC-01-15 | in the directory a link leads out | a="A", d/{a->../../away/secret} | copy | {"source": "a", "destination": "d", "overwrite": true} | either leaves "a="A", d/{a="A"}", or fails with any error and changes nothing |
        | FO-SEC-01-16 | a dangling link that leads out is not written through | a="A", l->../away/new | copy | {"source": "a", "destination": "l", "overwrite": true} | either leaves "a="A", l="A"", or fails with any error and changes nothing |

    Scenario Outline: list_directory lists nothing outside, by the name <name>: <path>
      Given the tree "a="A", d/, out->../away"
      When list_directory is called by the name "<name>" with {"path": "<path>"}
      Then the call fails with any error and changes nothing

      Examples:
        | id | name | path |
        | FO-SEC-01-201 | list_directory | out |
        | FO-SEC-01-202 | listdir | out |
        | FO-SEC-01-203 | ls | ../away |
        | FO-SEC-01-204 | dir | out/. |

    # No way out to the letter. It becomes one where the path is changed after it was judged.
    Scenario Outline: nothing leaves by a path that is changed after the check: <what>
      Given the tree "a="A", d/"
      When copy is called with {"source": "a", "destination": "<path>"}
      Then nothing has come to be beside the sandbox

      Examples:
        | id | what | path |
        | FO-SEC-01-46 | backslashes | ..\\\\away\\\\x |
        | FO-SEC-01-47 | percent signs | %2e%2e/away/x |
        | FO-SEC-01-48 | an encoded slash | ..%2faway%2fx |
        | FO-SEC-01-49 | encoded twice | %252e%252e%252faway%252fx |
        | FO-SEC-01-50 | a blank in front | \\u0020../away/x |
        | FO-SEC-01-51 | a line feed in front | \\n../away/x |
        | FO-SEC-01-52 | quotes | '../away/x' |
        | FO-SEC-01-53 | characters that are not seen | ..\\u200b/away/x |
        | FO-SEC-01-54 | dots of another width | \\uff0e\\uff0e/away/x |
        | FO-SEC-01-55 | a variable | $PWD/../away/x |

    @behaviour:BEH-02
    Scenario Outline: <case of NFR-FOPS-SEC-01>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of NFR-FOPS-SEC-01 | tree | tool | arguments | ends |
        | FO-SEC-01-56 | nothing comes in by a path that is changed after the check: backslashes | a="A", d/ | copy | {"source": "..\\\\away\\\\secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-57 | nothing comes in by a path that is changed after the check: percent signs | a="A", d/ | copy | {"source": "%2e%2e/away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-58 | nothing comes in by a path that is changed after the check: an encoded slash | a="A", d/ | copy | {"source": "..%2faway%2fsecret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-59 | nothing comes in by a path that is changed after the check: an address | a="A", d/ | copy | {"source": "file://$OUTSIDE/away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-60 | nothing comes in by a path that is changed after the check: a line feed in front | a="A", d/ | copy | {"source": "\\n../away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-61 | nothing comes in by a path that is changed after the check: dots of another width | a="A", d/ | copy | {"source": "\\uff0e\\uff0e/away/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-171 | refused, without a configuration: a destination above | a="A" | move | {"source": "a", "destination": "../away/x"} | fails with any error and changes nothing |
        | FO-SEC-01-172 | refused, without a configuration: a source above | d/ | copy | {"source": "../away/secret", "destination": "d/x"} | fails with any error and changes nothing |
        | FO-SEC-01-173 | refused, without a configuration: a sibling of the same beginning | a="A" | move | {"source": "a", "destination": "../root2/x"} | fails with any error and changes nothing |
        # The final name in a directory is a path like any other.
        | FO-SEC-01-174 | in the directory a link leads out, without overwrite | a="A", d/{a->../../away/secret} | copy | {"source": "a", "destination": "d"} | fails with any error and changes nothing |
        # As text the path stays inside; on the disk it does not.
        | FO-SEC-01-44 | the way up from a link that leads out: copy | a="A", out->../away | copy | {"source": "a", "destination": "out/../x"} | either leaves "a="A",out->../away, x="A"", or fails with any error and changes nothing |
        | FO-SEC-01-45 | the way up from a link that leads out: move | a="A", out->../away | move | {"source": "a", "destination": "out/../x"} | either leaves "out->../away, x="A"", or fails with any error and changes nothing |
        # Each link of the chain leads to a name in the sandbox, but for the last one.
        | FO-SEC-01-31 | refused, though only the last of several links leads out: a move | a="A", k->l, l->m, m->../away, p->q, q->r, r->../away/secret | move | {"source": "a", "destination": "k/x"} | fails with any error and changes nothing |
        | FO-SEC-01-32 | refused, though only the last of several links leads out: a copy | a="A", k->l, l->m, m->../away, p->q, q->r, r->../away/secret | copy | {"source": "a", "destination": "k/x"} | fails with any error and changes nothing |
        | FO-SEC-01-34 | refused, though only the last of several links leads out: a source of a copy | a="A", k->l, l->m, m->../away, p->q, q->r, r->../away/secret | copy | {"source": "k/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-35 | refused, though only the last of several links leads out: a source of a move | a="A", k->l, l->m, m->../away, p->q, q->r, r->../away/secret | move | {"source": "k/secret", "destination": "x"} | fails with any error and changes nothing |
        | FO-SEC-01-33 | a move does not go into a directory outside, by several links | a="A", k->l, l->m, m->../away, p->q, q->r, r->../away/secret | move | {"source": "a", "destination": "k"} | fails with any error and changes nothing |
        | FO-SEC-01-17 | a dangling link that leads out, without overwrite | a="A", l->../away/new | copy | {"source": "a", "destination": "l"} | fails with any error and changes nothing |
        | FO-SEC-01-18 | a link that leads out is moved as a link or not at all | outf->../away/secret, d/ | move | {"source": "outf", "destination": "x"} | either leaves "x->../away/secret, d/", or fails with any error and changes nothing |

      @interpretation:AMB-FO-04
      Examples:
        | id | case of NFR-FOPS-SEC-01 | tree | tool | arguments | ends |
        # A link may be copied as a link (AMB-FO-04).
        | FO-SEC-01-37 | a copy of the first of several links, the last of which leads out | a="A", p->q, q->r, r->../away/secret | copy | {"source": "p", "destination": "x"} | either leaves "a="A", p->q, q->r, r->../away/secret, x->q", or fails with any error and changes nothing |

      @interpretation:AMB-FO-15
      Examples:
        | id | case of NFR-FOPS-SEC-01 | tree | tool | arguments | ends |
        # The name may be given to another file; what the last link leads to stays as it is (AMB-FO-15).
        | FO-SEC-01-38 | copy onto the first of several links, the last of which leads out: to a file | a="A", p->q, q->r, r->../away/secret | copy | {"source": "a", "destination": "p", "overwrite": true} | either leaves "a="A",p="A", q->r, r->../away/secret", or fails with any error and changes nothing |
        | FO-SEC-01-39 | move onto the first of several links, the last of which leads out: to a file | a="A", p->q, q->r, r->../away/secret | move | {"source": "a", "destination": "p", "overwrite": true} | either leaves "p="A", q->r, r->../away/secret", or fails with any error and changes nothing |
        | FO-SEC-01-40 | copy onto the first of several links, the last of which leads out: it is dangling | a="A", p->q, q->r, r->../away/new | copy | {"source": "a", "destination": "p", "overwrite": true} | either leaves "a="A",p="A", q->r, r->../away/new", or fails with any error and changes nothing |

    # The way was inside when it was checked.
    @FO-SEC-01-36
    Scenario: a directory that has become a link since it was written to
      Given the tree "a="A", d/"
      When copy is called with {"source": "a", "destination": "d/b"}
      Then the call succeeds and leaves "a="A", d/{b="A"}"
      When "d" has been renamed
      And the tree gets "d->../away"
      And copy is called again with {"source": "a", "destination": "d/b"}
      Then nothing has come to be beside the sandbox

    # The links may be kept or the call refused (AMB-FO-45). That none of them is missing is a matter of the copy.
    @FO-SEC-01-21 @behaviour:BEH-02
    Scenario: a copied directory brings nothing in through a link
      Given the tree "d/{f="F", l->../../away/secret, m->../../away}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves |
        | error    | any error, nothing lost |        |
        | complete | any error, nothing lost |        |
        | complete |                         | d/{f="F", l->../../away/secret, m->../../away}, e/{f="F", l->../../away/secret, m->../../away} |
        | complete |                         | d/{f="F", l->../../away/secret, m->../../away}, e/{f="F", l->$OUTSIDE/away/secret, m->$OUTSIDE/away} |
        | complete |                         | d/{f="F", l->../../away/secret, m->../../away}, e/{f="F"} |

    @FO-SEC-01-22
    Scenario: a directory brings nothing to another file system through a link
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", l->../../away/secret, m->../../away}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves    | at $FAR |
        | error    | any error, nothing lost |           |         |
        | complete | any error, nothing lost |           |         |
        | never    | any error, nothing lost |           |         |
        | complete |                         | far->$FAR | e/{f="F", l->../../away/secret, m->../../away}, k="K" |
        | complete |                         | far->$FAR | e/{f="F"}, k="K" |

    # It leads to another place from there, or is refused; what it led to does not come along.
    Scenario Outline: a link that leads out brings nothing to another file system: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "l-><target>, far->$FAR"
      When move is called with {"source": "l", "destination": "far<name>"}
      Then the outcome is one of
        | fails                   | leaves    | at $FAR                                |
        | any error, nothing lost |           |                                        |
        |                         | far->$FAR | <final>-><target>, k="K"               |

      Examples:
        | id | what | target | name | final |
        | FO-SEC-01-65 | a file | ../away/secret | /m | m |
        | FO-SEC-01-66 | a directory | ../away | | l |

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

    Scenario Outline: <case of FR-VAL-02 in a context without a question>
      Given the tree "<tree>"
      And the context <context>
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing
      And approval was not requested

      Examples:
        | id | case of FR-VAL-02 in a context without a question | tree | context | tool | arguments |
        | FO-VAL-02-01 | move: a destination outside, and nobody is asked who would approve | a="A" | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"} | move | {"source": "a", "destination": "../away/x"} |
        | FO-VAL-02-02 | copy: a source outside, and nobody is asked who would approve | a="A" | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"} | copy | {"source": "../away/secret", "destination": "x"} |
        | FO-VAL-02-03 | move: a destination outside, and nobody is asked who would refuse | a="A" | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"} | move | {"source": "a", "destination": "../away/x"} |
        | FO-VAL-02-04 | copy: a source outside, and nobody is asked who would refuse | a="A" | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"} | copy | {"source": "../away/secret", "destination": "x"} |
        # The final name in a directory is judged like any other.
        | FO-VAL-02-05 | move: the final name in a directory is denied, and nobody is asked | a="A", d/, e/ | {"denied_patterns": ["**/d/a"], "policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"} | move | {"source": "a", "destination": "d"} |
        | FO-VAL-02-06 | copy: the final name in a directory is denied, and nobody is asked | a="A", d/, e/ | {"denied_patterns": ["**/d/a"], "policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"} | copy | {"source": "a", "destination": "d"} |

  @FR-VAL-04
  Rule: what a path's text and its links say

    @behaviour:BEH-13
    Scenario Outline: <case of FR-VAL-04>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-VAL-04 | tree | tool | arguments | ends |
        | FO-VAL-04-03 | a path is refused: an absolute source of the system | a="A", d/, e->../root2 | copy | {"source": "/etc/hostname", "destination": "x"} | fails with any error and changes nothing |
        | FO-VAL-04-04 | a path is refused: up and out in the middle | a="A", d/, e->../root2 | move | {"source": "a", "destination": "d/../../away/x"} | fails with any error and changes nothing |
        | FO-VAL-04-06 | a path is refused: a sibling, as a copy | a="A", d/, e->../root2 | copy | {"source": "a", "destination": "e/x"} | fails with any error and changes nothing |
        | FO-VAL-04-05 | a sibling whose name begins as the root's is not entered | a="A", d/, e->../root2 | move | {"source": "a", "destination": "e"} | fails with any error and changes nothing |

      @interpretation:AMB-FO-49
      Examples:
        | id | case of FR-VAL-04 | tree | tool | arguments | ends |
        | FO-VAL-04-11 | names that only look like the way up | ..a="A", c="C" | move | {"source": "..a", "destination": "b.."} | either leaves "'b..'="A", c="C"", or fails with any error and changes nothing |
        | FO-VAL-04-106 | three dots are a name: a source | '...'="A", c="C" | move | {"source": "...", "destination": "b"} | either leaves "b="A", c="C"", or fails with any error and changes nothing |
        | FO-VAL-04-107 | three dots are a name: a destination | a="A", c="C" | copy | {"source": "a", "destination": "...."} | either leaves "a="A", '....'="A", c="C"", or fails with any error and changes nothing |
        | FO-VAL-04-108 | three dots are a name: a directory on the way | a="A", x/{'...'/} | move | {"source": "a", "destination": "x/.../b"} | either leaves "x/{'...'/{b="A"}}", or fails with any error and changes nothing |
        | FO-VAL-04-109 | a directory that has the name of a tilde is no home directory: move | '~'/{x="A"}, x="O" | move | {"source": "~/x", "destination": "b"} | either leaves "b="A", x="O", '~'/", or fails with any error and changes nothing |
        | FO-VAL-04-110 | a directory that has the name of a tilde is no home directory: copy | a="A", x="O", '~'/{x="P"} | copy | {"source": "a", "destination": "~/b"} | either leaves "a="A", x="O", '~'/{b="A", x="P"}", or fails with any error and changes nothing |
        | FO-VAL-04-101 | a slash behind a name that ends like the way up | a="A", 'd..'/ | move | {"source": "a", "destination": "d../b"} | either leaves "'d..'/{b="A"}", or fails with any error and changes nothing |

      @interpretation:AMB-FO-32
      Examples:
        | id | case of FR-VAL-04 | tree | tool | arguments | ends |
        | FO-VAL-04-07 | the way up, and it stays inside: as a source | a="A", d/, e->../root2 | move | {"source": "d/../a", "destination": "b"} | either leaves "b="A", d/, e->../root2", or fails with any error and changes nothing |
        | FO-VAL-04-08 | the way up, and it stays inside: as a destination | a="A", d/, e->../root2 | copy | {"source": "a", "destination": "d/../b"} | either leaves "a="A", b="A", d/, e->../root2", or fails with any error and changes nothing |

    Scenario Outline: a second root is as good as the first: <tool>
      Given at $FAR, on another file system, the tree "k="K", s/"
      And the tree "a="A", far->$FAR"
      When <tool> is called with {"source": "far/k", "destination": "far/s/k"}
      Then the call succeeds and leaves "a="A", far->$FAR", and at $FAR "<left>"

      Examples:
        | id | tool | left |
        | FO-VAL-04-104 | copy | k="K", s/{k="K"} |
        | FO-VAL-04-105 | move | s/{k="K"} |

    # The roots are those of one call.
    @FO-VAL-04-201 @interpretation:AMB-FO-48
    Scenario: a root of one call is none of the next one
      Given beside the sandbox the tree "third/{k="K"}"
      And the tree "a="A", e->../third"
      And the context {"roots": ["$ROOT", "$OUTSIDE/third"]}
      When copy is called with {"source": "e/k", "destination": "b"}
      Then the call either leaves "a="A", b="K", e->../third", or fails with any error and changes nothing
      Given the context {"roots": ["$ROOT"]}
      When copy is called again with {"source": "e/k", "destination": "c"}
      Then the call fails with any error and changes nothing

    @needs:case_sensitive @behaviour:BEH-02
    Scenario Outline: a sibling whose name is the root's in capitals is another place: <what>
      Given beside the sandbox the tree "ROOT/{k="K"}"
      And the tree "a="A", e->../ROOT"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | what | tool | arguments | ends |
        | FO-VAL-04-103 | a copy from it | copy | {"source": "e/k", "destination": "x"} | fails with any error and changes nothing |
        | FO-VAL-04-102 | into it | move | {"source": "a", "destination": "e"} | fails with any error and changes nothing |

  @FR-VAL-05
  Rule: denied patterns hold at both ends

    Scenario Outline: <case of FR-VAL-05>
      Given the tree "<tree>"
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-VAL-05 | tree | tool | arguments | ends |
        | FO-VAL-05-01 | denied: a key as source | k.pem="K" | move | {"source": "k.pem", "destination": "k.txt"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-02 | denied: a key as a copy's source | id_rsa="K" | copy | {"source": "id_rsa", "destination": "k.txt"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-03 | denied: a key as a copy's destination | a="A" | copy | {"source": "a", "destination": "x.key"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-04 | denied: a key as destination | a="A" | move | {"source": "a", "destination": "x.pem"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-05 | denied: below a denied directory | a="A", .ssh/{config="C"} | move | {"source": "a", "destination": ".ssh/new"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-06 | denied: into a denied directory | a="A", .ssh/{config="C"} | move | {"source": "a", "destination": ".ssh"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-07 | denied: a copy into a denied directory | a="A", x/{.gnupg/{c="C"}} | copy | {"source": "a", "destination": "x/.gnupg"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-09 | denied: into a directory, by a link | a="A", .ssh/{c="C"}, l->.ssh | move | {"source": "a", "destination": "l"} | fails with any error and changes nothing |
        # Without a configuration, overwriting may be refused as well.
        | FO-VAL-05-305 | denied, though overwriting is asked for: a key is replaced, move | a="A", x.pem="K" | move | {"source": "a", "destination": "x.pem", "overwrite": true} | fails with any error and changes nothing |
        | FO-VAL-05-306 | denied, though overwriting is asked for: a key is replaced, copy | a="A", x.pem="K" | copy | {"source": "a", "destination": "x.pem", "overwrite": true} | fails with any error and changes nothing |
        | FO-VAL-05-307 | denied, though overwriting is asked for: a key replaces, move | a="A", x.pem="K" | move | {"source": "x.pem", "destination": "a", "overwrite": true} | fails with any error and changes nothing |
        | FO-VAL-05-308 | denied, though overwriting is asked for: a key replaces, copy | a="A", x.pem="K" | copy | {"source": "x.pem", "destination": "a", "overwrite": true} | fails with any error and changes nothing |
        | FO-VAL-05-14 | the usual patterns cover more than the plainest names: the other half of a key | id_rsa.pub="K" | copy | {"source": "id_rsa.pub", "destination": "k.txt"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-15 | the usual patterns cover more than the plainest names: a key four directories deep | w/{x/{y/{z/{k.pem="K"}}}} | copy | {"source": "w/x/y/z/k.pem", "destination": "k.txt"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-16 | the usual patterns cover more than the plainest names: deep below a denied directory | x/{.ssh/{y/{z/{c="C"}}}} | copy | {"source": "x/.ssh/y/z/c", "destination": "k.txt"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-17 | the usual patterns cover more than the plainest names: a key as a destination, deep | a="A", w/{x/{y/}} | copy | {"source": "a", "destination": "w/x/y/id_rsa_2"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-22 | names that the usual patterns do not cover: monkey | monkey="K", a="A" | copy | {"source": "monkey", "destination": "x"} | succeeds and leaves "monkey="K", a="A", x="K"" |
        | FO-VAL-05-23 | names that the usual patterns do not cover: a.keys | a.keys="K", a="A" | copy | {"source": "a.keys", "destination": "x"} | succeeds and leaves "a.keys="K", a="A", x="K"" |
        | FO-VAL-05-24 | names that the usual patterns do not cover: a.pem.txt | a.pem.txt="K", a="A" | copy | {"source": "a.pem.txt", "destination": "x"} | succeeds and leaves "a.pem.txt="K", a="A", x="K"" |
        | FO-VAL-05-25 | names that the usual patterns do not cover: my_id_rsa | my_id_rsa="K", a="A" | copy | {"source": "my_id_rsa", "destination": "x"} | succeeds and leaves "my_id_rsa="K", a="A", x="K"" |

      @interpretation:AMB-FO-04
      Examples:
        | id | case of FR-VAL-05 | tree | tool | arguments | ends |
        | FO-VAL-05-08 | a copy of a link to a key | k.pem="K", l->k.pem | copy | {"source": "l", "destination": "x"} | either leaves "k.pem="K", l->k.pem, x->k.pem", or fails with any error and changes nothing |

    Scenario Outline: denied for <tool> by the name <name> as well: <what>
      Given the tree "a="A", k.pem="K""
      When <tool> is called by the name "<name>" with <arguments>
      Then the call fails with SandboxViolation and changes nothing

      Examples:
        | id | tool | name | what | arguments |
        | FO-VAL-05-301 | move | rename | a source | {"source": "k.pem", "destination": "k.txt"} |
        | FO-VAL-05-302 | move | mv | a destination | {"source": "a", "destination": "x.pem"} |
        | FO-VAL-05-303 | copy | cp | a source | {"source": "k.pem", "destination": "k.txt"} |
        | FO-VAL-05-304 | copy | cp | a destination | {"source": "a", "destination": "x.key"} |

    Scenario Outline: <case of FR-VAL-05 in a context>
      Given the tree "<tree>"
      And the context <context>
      When <tool> is called with <arguments>
      Then the call <ends>

      @prudent
      Examples:
        | id | case of FR-VAL-05 in a context | tree | context | tool | arguments | ends |
        # The protocol says no more than that these are globs.
        | FO-VAL-05-18 | a pattern of the call's own: a question mark | k1.txt="K" | {"denied_patterns": ["**/k?.txt"]} | copy | {"source": "k1.txt", "destination": "x"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-19 | a pattern of the call's own: brackets | k1.txt="K" | {"denied_patterns": ["**/k[0-9].txt"]} | copy | {"source": "k1.txt", "destination": "x"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-20 | a pattern of the call's own: a name that begins with a dot | .k.lock="K" | {"denied_patterns": ["**/*.lock"]} | copy | {"source": ".k.lock", "destination": "x"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-21 | a pattern of the call's own: below a directory with a dot | s/{.a/{k="K"}} | {"denied_patterns": ["**/s/**"]} | copy | {"source": "s/.a/k", "destination": "x"} | fails with SandboxViolation and changes nothing |

      Examples:
        | id | case of FR-VAL-05 in a context | tree | context | tool | arguments | ends |
        | FO-VAL-05-10 | a pattern of the call's own | a="A", b/ | {"denied_patterns": ["**/*.lock"]} | move | {"source": "a", "destination": "b/x.lock"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-201 | a pattern of the call's own holds where the usual ones do not | a="A", b/ | {"denied_patterns": ["**/*.lock"], "include_default_denies": false} | move | {"source": "a", "destination": "b/x.lock"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-13 | the usual patterns hold beside one of the call's own | k.pem="K" | {"denied_patterns": ["**/*.lock"]} | move | {"source": "k.pem", "destination": "k.txt"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-12 | a pattern that the final name in a directory alone fits | a="A", d/, e/ | {"denied_patterns": ["**/d/a"]} | move | {"source": "a", "destination": "d"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-05-11 | without the usual patterns keys are files like any other | k.pem="K" | {"include_default_denies": false} | move | {"source": "k.pem", "destination": "k.txt"} | succeeds and leaves "k.txt="K"" |

  @FR-VAL-08
  Rule: absolute paths hold where they are allowed

    Scenario Outline: absolute, and not allowed: <what>
      Given the tree "a="A", d/"
      When <tool> is called with <arguments>
      Then the call fails with SandboxViolation and changes nothing

      Examples:
        | id | what | tool | arguments |
        | FO-VAL-08-01 | a destination | move | {"source": "a", "destination": "$ROOT/x"} |
        | FO-VAL-08-02 | a source | copy | {"source": "$ROOT/a", "destination": "x"} |

    Scenario Outline: <case of FR-VAL-08 in a context>
      Given the tree "a="A", d/"
      And the context {"allow_absolute": true}
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-VAL-08 in a context | tool | arguments | ends |
        | FO-VAL-08-03 | absolute paths where they are allowed | move | {"source": "$ROOT/a", "destination": "$ROOT/d/b"} | succeeds and leaves "d/{b="A"}" |
        | FO-VAL-08-04 | an absolute path where they are allowed, and yet outside | move | {"source": "a", "destination": "$OUTSIDE/away/x"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-08-201 | a source by an absolute path, where they are allowed, and yet outside: copy | copy | {"source": "$OUTSIDE/away/secret", "destination": "x"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-08-202 | a source by an absolute path, where they are allowed, and yet outside: move | move | {"source": "$OUTSIDE/away/secret", "destination": "x"} | fails with SandboxViolation and changes nothing |
        | FO-VAL-08-204 | an absolute path outside, where they are allowed and overwriting is asked for: move | move | {"source": "a", "destination": "$OUTSIDE/away/secret", "overwrite": true} | fails with any error and changes nothing |
        | FO-VAL-08-205 | an absolute path outside, where they are allowed and overwriting is asked for: copy | copy | {"source": "a", "destination": "$OUTSIDE/away/secret", "overwrite": true} | fails with any error and changes nothing |

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

  @FR-VAL-06
  Rule: between the check and the use nothing slips out

    @FO-VAL-06-01
    Scenario: the destination's directory becomes a link that leads out
      Given the tree "a="A", d/"
      And "d" becomes a link to "../away" while "a" is renamed
      When move is called with {"source": "a", "destination": "d/b"}
      Then "d" has become a link
      And nothing has come to be beside the sandbox

    @FO-VAL-06-02
    Scenario: the source's directory becomes a link that leads out
      Given the tree "x/{secret="X"}, d/"
      And "x" becomes a link to "../away" while "x/secret" is renamed
      When move is called with {"source": "x/secret", "destination": "d/b"}
      Then "x" has become a link
      And nothing has come to be beside the sandbox

    # A tool that does not open the directory by its name passes: the two scenarios above are about its renaming.
    Scenario Outline: <tool>: <what> becomes a link that leads out, while it is opened
      Given beside the sandbox the tree "elsewhere/{d/}"
      And the tree "a="A", x/{d/}"
      And "<name>" becomes a link to "<target>" while it is being opened
      When <tool> is called with {"source": "a", "destination": "x/d/b"}
      Then nothing has come to be beside the sandbox

      Examples:
        | id | what | tool | name | target |
        | FO-VAL-06-03 | the directory of the final name | copy | x/d | ../../elsewhere |
        | FO-VAL-06-04 | the directory of the final name | move | x/d | ../../elsewhere |

    @FO-VAL-06-05
    Scenario: move: a directory on the way to it becomes a link that leads out, while it is opened
      Given beside the sandbox the tree "elsewhere/{d/}"
      And the tree "a="A", x/{d/}"
      And "x" becomes a link to "../elsewhere" while it is being opened
      When move is called with {"source": "a", "destination": "x/d/b"}
      Then nothing has come to be beside the sandbox
