@file_operations
Feature: Nobody moves what the policy stops

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @NFR-FOPS-SEC-02 @framework:policy
  Rule: moving and copying wait for the approval that the policy asks for

    Scenario Outline: <tool> is approved, and carried out
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"
      And approval was requested

      Examples:
        | id           | tool | left           |
        | FO-SEC-02-01 | move | b="A"          |
        | FO-SEC-02-02 | copy | a="A", b="A"   |

    Scenario Outline: <tool> is not approved, and nothing is done
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with ApprovalDenied and changes nothing
      And approval was requested
      And a control call <does> a file

      Examples:
        | id           | tool | does   |
        | FO-SEC-02-03 | move | moves  |
        | FO-SEC-02-04 | copy | copies |

    # A tool that finds a missing directory first fails with another error.
    Scenario Outline: no directory is made for a call that is not approved: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with {"source": "a", "destination": "x/y/b"}
      Then the call fails with any error and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-SEC-02-08  | copy | copies |
        | FO-SEC-02-301 | move | moves  |

    Scenario Outline: <tool> is not approved, and the old file stays
      Given the tree "a="NEW", b="OLD""
      And the configuration {"allow_overwrite": true}
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then a control call <does> a file onto another
      And the call fails with ApprovalDenied and changes nothing

      Examples:
        | id           | tool | does   |
        | FO-SEC-02-09 | move | moves  |
        | FO-SEC-02-10 | copy | copies |

    Scenario Outline: <tool> by the name <name> is not approved either
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with ApprovalDenied and changes nothing
      And a control call <does> a file

      Examples:
        | id           | tool | name   | does   |
        | FO-SEC-02-05 | move | mv     | moves  |
        | FO-SEC-02-06 | move | rename | moves  |
        | FO-SEC-02-07 | copy | cp     | copies |

    # An approval is the answer to one call.
    Scenario Outline: <tool> is approved once, and not approved the next time
      Given the tree "a="A", c="C""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"
      Given the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called again with {"source": "c", "destination": "d"}
      Then the call fails with ApprovalDenied and changes nothing
      And approval was requested

      Examples:
        | id           | tool | left                  |
        | FO-SEC-02-11 | move | b="A", c="C"          |
        | FO-SEC-02-12 | copy | a="A", b="A", c="C"   |

  @FR-APR-04a
  Rule: tools that are switched off do not run

    Scenario Outline: <tool> while tools are switched off
      Given the tree "a="A""
      And the context {"policy": {"enabled": false, "allowlist": ["<tool>"]}}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-APR-04a-01 | move | moves  |
        | FO-APR-04a-02 | copy | copies |

    # Tools are switched on where a policy does not say.
    Scenario Outline: <tool> where the policy says nothing of a switch
      Given the tree "a="A""
      And the context {"policy": {"mode": "auto"}}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id            | tool | left         |
        | FO-APR-04a-06 | move | b="A"        |
        | FO-APR-04a-07 | copy | a="A", b="A" |

    # An approval is no switch.
    Scenario Outline: <tool> is approved while tools are switched off
      Given the tree "a="A""
      And the context {"policy": {"enabled": false, "mode": "prompt", "prompt_side_effects": true}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-APR-04a-04 | move | moves  |
        | FO-APR-04a-05 | copy | copies |

    # The third tool runs by the same policy.
    @FO-APR-04a-03
    Scenario: list_directory while tools are switched off
      Given the tree "a="A""
      And the context {"policy": {"enabled": false, "allowlist": ["list_directory"]}}
      When list_directory is called with {"path": "."}
      Then the call fails with PolicyDenied and changes nothing
      And a control call moves a file

  @FR-APR-04b
  Rule: what is on the denylist does not run, by any name

    Scenario Outline: denied: <name> in mode <mode>
      Given the tree "a="A""
      And the context {"policy": {"mode": "<mode>", "denylist": <denied>}, "approval": "approve"}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And a control call <does> a file

      Examples:
        | id            | tool | name   | denied   | mode   | does   |
        | FO-APR-04b-01 | move | move   | ["move"] | auto   | moves  |
        | FO-APR-04b-04 | copy | copy   | ["copy"] | auto   | copies |

      # Both tools are denied: which of them a further name leads to is a matter of FR-FOPS-01.
      @framework:executor @interpretation:AMB-FO-18
      Examples: called by a further name
        | id            | tool | name   | denied           | mode   | does   |
        | FO-APR-04b-02 | move | mv     | ["move", "copy"] | auto   | moves  |
        | FO-APR-04b-03 | move | rename | ["move", "copy"] | prompt | moves  |
        | FO-APR-04b-05 | copy | cp     | ["move", "copy"] | prompt | copies |

      @prudent @interpretation:AMB-FO-18
      Examples: a further name on the list
        | id            | tool | name   | denied | mode   | does   |
        | FO-APR-04b-06 | move | move   | ["mv"] | auto   | moves  |
        | FO-APR-04b-07 | copy | copy   | ["cp"] | deny   | copies |

    @FO-APR-04b-08
    Scenario: the denylist outweighs the allowlist
      Given the tree "a="A""
      And the context {"policy": {"allowlist": ["move"], "denylist": ["move"]}}
      When move is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And a control call moves a file

    @FO-APR-04b-09
    Scenario: one of the two tools is denied, and the other runs
      Given the tree "a="A""
      And the context {"policy": {"denylist": ["move"]}}
      When copy is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "a="A", b="A""

    # A name that contains the name of the tool, or a part of it, is another name.
    Scenario Outline: <tool> is not on the denylist <denied>, and it runs
      Given the tree "a="A""
      And the context {"policy": {"mode": "auto", "denylist": <denied>}}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id            | tool | denied                           | left         |
        | FO-APR-04b-11 | move | ["remove", "move_all", "mo", ""] | b="A"        |
        | FO-APR-04b-12 | copy | ["xcopy", "copy_all", "co", ""]  | a="A", b="A" |

    @FO-APR-04b-10
    Scenario: list_directory is on the denylist
      Given the tree "a="A""
      And the context {"policy": {"denylist": ["list_directory"]}}
      When list_directory is called with {"path": "."}
      Then the call fails with PolicyDenied and changes nothing
      And a control call moves a file

  @FR-APR-04c
  Rule: mode deny runs what is on the allowlist

    Scenario Outline: mode deny, and <tool> is not on the list
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": ["list_directory"]}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-APR-04c-01 | move | moves  |
        | FO-APR-04c-02 | copy | copies |

    Scenario Outline: mode deny, and the list is empty: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": []}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-APR-04c-08 | move | moves  |
        | FO-APR-04c-09 | copy | copies |

    Scenario Outline: mode deny, and the list has other names, <listed>: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": <listed>}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing
      And approval was not requested
      And a control call <does> a file

      Examples:
        | id            | tool | does   | listed                           |
        | FO-APR-04c-10 | move | moves  | ["remove", "move_all", "mo", ""] |
        | FO-APR-04c-11 | copy | copies | ["xcopy", "copy_all", "co", ""]  |

    @FO-APR-04c-07
    Scenario: mode deny, and list_directory is not on the list
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": ["move", "copy"]}, "approval": "approve"}
      When list_directory is called with {"path": "."}
      Then the call fails with PolicyDenied and changes nothing
      And approval was not requested
      And a control call moves a file

    Scenario Outline: mode deny, and <tool> is on the list
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": <listed>}, "approval": "approve"}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id            | tool | name | listed   | left           |
        | FO-APR-04c-03 | move | move | ["move"] | b="A"          |
        | FO-APR-04c-04 | copy | copy | ["copy"] | a="A", b="A"   |

      @prudent
      Examples: a further name on the list
        | id            | tool | name | listed | left           |
        | FO-APR-04c-06 | copy | copy | ["cp"] | a="A", b="A"   |

    # Both tools are allowed: which of them a further name leads to is a matter of FR-FOPS-01.
    @FO-APR-04c-05 @framework:executor @interpretation:AMB-FO-18
    Scenario: mode deny, and a tool on the list is called by a further name
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": ["move", "copy"]}, "approval": "approve"}
      When move is called by the name "mv" with {"source": "a", "destination": "b"}
      Then the outcome is one of
        | fails | leaves       |
        |       | b="A"        |
        |       | a="A", b="A" |
      And a control call moves a file

  @FR-APR-04d
  Rule: mode prompt asks before side effects, but for what is on the allowlist

    Scenario Outline: on the allowlist, and nobody is asked: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["<tool>"]}, "approval": "<answer>"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then by AMB-FO-09 the outcome is one of
        | reading | fails    | leaves |
        | policy  |          | <left> |
        | always  | <denied> | <else> |
      And a control call <does> a file

      Examples:
        | id            | tool | does   | answer  | left           | denied         | else |
        | FO-APR-04d-01 | move | moves  | deny    | b="A"          | ApprovalDenied |      |
        | FO-APR-04d-02 | copy | copies | deny    | a="A", b="A"   | ApprovalDenied |      |
        | FO-APR-04d-03 | move | moves  | approve | b="A"          |                | b="A" |

    # The protocol names the defaults of what a policy leaves out.
    Scenario Outline: only the mode is given, and somebody is asked: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt"}, "approval": "deny"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with ApprovalDenied and changes nothing
      And approval was requested
      And a control call <does> a file

      Examples:
        | id            | tool | does   |
        | FO-APR-04d-08 | move | moves  |
        | FO-APR-04d-09 | copy | copies |

    Scenario Outline: on no list, and somebody is asked: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["<other>"]}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"
      And approval was requested

      Examples:
        | id            | tool | other | left         |
        | FO-APR-04d-06 | move | copy  | b="A"        |
        | FO-APR-04d-07 | copy | move  | a="A", b="A" |

    # Each single call fits both readings, or one; both together fit one.
    @FO-APR-04d-05
    Scenario: nobody is asked where the policy asks for none, nor for what is on the allowlist
      Given the tree "a="A", c="C""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": false}, "approval": "deny"}
      When move is called with {"source": "a", "destination": "b"}
      Given the context {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["move"]}, "approval": "deny"}
      When move is called again with {"source": "c", "destination": "d"}
      Then by AMB-FO-09 the outcome is one of
        | reading | fails          | leaves         |
        | policy  |                | b="A", d="C"   |
        | always  | ApprovalDenied | a="A", c="C"   |
      And a control call moves a file

    # A tool that requests approval by itself may do so in mode prompt only.
    @FO-APR-04d-10
    Scenario: mode auto asks for nothing that mode prompt does not ask for
      Given the tree "a="A", c="C""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": false}, "approval": "deny"}
      When move is called with {"source": "a", "destination": "b"}
      Given the context {"policy": {"mode": "auto", "prompt_side_effects": true}, "approval": "deny"}
      When move is called again with {"source": "c", "destination": "d"}
      Then by AMB-FO-09 the outcome is one of
        | reading | fails          | leaves         |
        | policy  |                | b="A", d="C"   |
        | always  | ApprovalDenied | a="A", c="C"   |
        | always  |                | a="A", d="C"   |
      And a control call moves a file

    @FO-APR-04d-04
    Scenario: no prompts for side effects where the policy asks for none
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": false}, "approval": "deny"}
      When move is called with {"source": "a", "destination": "b"}
      Then by AMB-FO-09 the outcome is one of
        | reading | fails          | leaves |
        | policy  |                | b="A"  |
        | always  | ApprovalDenied |        |
      And a control call moves a file

  @FR-APR-05
  Rule: switched off, denylist, sandbox, the question of mode prompt, in this order

    Scenario Outline: <first> before <second>
      Given the tree "a="A""
      And the context {"policy": <policy>, "approval": "deny"}
      When move is called with {"source": "a", "destination": "<destination>"}
      Then a control call moves nothing out of the sandbox
      And the call fails with <fails> and changes nothing
      And approval was not requested
      And a control call moves a file

      Examples:
        | id           | first        | second       | policy                                   | destination | fails            |
        | FO-APR-05-01 | the denylist | the sandbox  | {"denylist": ["move"]}                   | ../away/x   | PolicyDenied     |
        | FO-APR-05-02 | the sandbox  | mode deny    | {"mode": "deny"}                         | ../away/x   | SandboxViolation or PolicyDenied |
        | FO-APR-05-03 | the sandbox  | the prompt   | {"mode": "prompt", "prompt_side_effects": true}                       | ../away/x   | SandboxViolation |
        | FO-APR-05-04 | switched off | the denylist | {"enabled": false, "denylist": ["move"]} | b           | PolicyDenied     |
        | FO-APR-05-05 | the denylist | the prompt   | {"mode": "prompt", "prompt_side_effects": true, "denylist": ["move"]} | b           | PolicyDenied     |
        | FO-APR-05-06 | switched off | the sandbox  | {"enabled": false}                       | ../away/x   | PolicyDenied     |
        | FO-APR-05-07 | the sandbox  | a list       | {"mode": "deny", "allowlist": ["move"]}  | ../away/x   | SandboxViolation |

    # Schema and switch may come in either order.
    @FO-APR-05-08
    Scenario: arguments that do not fit, while tools are switched off
      Given the tree "a="A""
      And the context {"policy": {"enabled": false}, "approval": "deny"}
      When move is called with exactly {"source": "a", "destination": null}
      Then the call fails with BadArgs or PolicyDenied and changes nothing
      And approval was not requested
      And a control call moves a file
