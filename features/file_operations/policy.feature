@file_operations
Feature: Nobody moves what the policy stops

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @NFR-FOPS-SEC-02 @framework:policy
  Rule: moving and copying wait for the approval that the policy asks for

    Scenario Outline: <case of NFR-FOPS-SEC-02 in a context with an approval>
      Given the tree "a="A""
      And the context <context>
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call <ends>
      And approval was requested

      Examples:
        | id | case of NFR-FOPS-SEC-02 in a context with an approval | context | tool | ends |
        | FO-SEC-02-01 | move is approved, and carried out | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"} | move | succeeds and leaves "b="A"" |
        | FO-SEC-02-02 | copy is approved, and carried out | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"} | copy | succeeds and leaves "a="A", b="A"" |
        | FO-SEC-02-03 | move is not approved, and nothing is done | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"} | move | fails with ApprovalDenied and changes nothing |
        | FO-SEC-02-04 | copy is not approved, and nothing is done | {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"} | copy | fails with ApprovalDenied and changes nothing |

    # A tool that finds a missing directory first fails with another error.
    Scenario Outline: no directory is made for a call that is not approved: <tool>
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with {"source": "a", "destination": "x/y/b"}
      Then the call fails with any error and changes nothing

      Examples:
        | id | tool |
        | FO-SEC-02-08 | copy |
        | FO-SEC-02-301 | move |

    Scenario Outline: <tool> is not approved, and the old file stays
      Given the tree "a="NEW", b="OLD""
      And the configuration {"allow_overwrite": true}
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called with {"source": "a", "destination": "b", "overwrite": true}
      Then the call fails with ApprovalDenied and changes nothing

      Examples:
        | id | tool |
        | FO-SEC-02-09 | move |
        | FO-SEC-02-10 | copy |

    Scenario Outline: <tool> by the name <name> is not approved either
      Given the tree "a="A""
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with ApprovalDenied and changes nothing

      Examples:
        | id | tool | name |
        | FO-SEC-02-05 | move | mv |
        | FO-SEC-02-06 | move | rename |
        | FO-SEC-02-07 | copy | cp |

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
        | id | tool | left |
        | FO-SEC-02-11 | move | b="A", c="C" |
        | FO-SEC-02-12 | copy | a="A", b="A", c="C" |

  @FR-APR-04a
  Rule: tools that are switched off do not run

    Scenario Outline: <case of FR-APR-04a in a context>
      Given the tree "a="A""
      And the context <context>
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-APR-04a in a context | context | tool | arguments | ends |
        | FO-APR-04a-01 | move while tools are switched off | {"policy": {"enabled": false, "allowlist": ["move"]}} | move | {"source": "a", "destination": "b"} | fails with PolicyDenied and changes nothing |
        | FO-APR-04a-02 | copy while tools are switched off | {"policy": {"enabled": false, "allowlist": ["copy"]}} | copy | {"source": "a", "destination": "b"} | fails with PolicyDenied and changes nothing |
        # Tools are switched on where a policy does not say.
        | FO-APR-04a-06 | move where the policy says nothing of a switch | {"policy": {"mode": "auto"}} | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A"" |
        | FO-APR-04a-07 | copy where the policy says nothing of a switch | {"policy": {"mode": "auto"}} | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A"" |
        # The third tool runs by the same policy.
        | FO-APR-04a-03 | list_directory while tools are switched off | {"policy": {"enabled": false, "allowlist": ["list_directory"]}} | list_directory | {"path": "."} | fails with PolicyDenied and changes nothing |

    # An approval is no switch.
    Scenario Outline: <tool> is approved while tools are switched off
      Given the tree "a="A""
      And the context {"policy": {"enabled": false, "mode": "prompt", "prompt_side_effects": true}, "approval": "approve"}
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing

      Examples:
        | id | tool |
        | FO-APR-04a-04 | move |
        | FO-APR-04a-05 | copy |

  @FR-APR-04b
  Rule: what is on the denylist does not run, by any name

    Scenario Outline: denied by <denied>: <name> in mode <mode>
      Given the tree "a="A""
      And the context {"policy": {"mode": "<mode>", "denylist": <denied>}, "approval": "approve"}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call fails with PolicyDenied and changes nothing

      Examples:
        | id | tool | name | denied | mode |
        | FO-APR-04b-01 | move | move | ["move"] | auto |
        | FO-APR-04b-04 | copy | copy | ["copy"] | auto |

      # Both tools are denied: which of them a further name leads to is a matter of FR-FOPS-01.
      @framework:executor @interpretation:AMB-FO-18
      Examples: called by a further name
        | id | tool | name | denied | mode |
        | FO-APR-04b-02 | move | mv | ["move", "copy"] | auto |
        | FO-APR-04b-03 | move | rename | ["move", "copy"] | prompt |
        | FO-APR-04b-05 | copy | cp | ["move", "copy"] | prompt |

      @prudent @interpretation:AMB-FO-18
      Examples: a further name on the list
        | id | tool | name | denied | mode |
        | FO-APR-04b-06 | move | move | ["mv"] | auto |
        | FO-APR-04b-07 | copy | copy | ["cp"] | deny |

    Scenario Outline: <case of FR-APR-04b in a context>
      Given the tree "a="A""
      And the context <context>
      When <tool> is called with <arguments>
      Then the call <ends>

      Examples:
        | id | case of FR-APR-04b in a context | context | tool | arguments | ends |
        | FO-APR-04b-08 | the denylist outweighs the allowlist | {"policy": {"allowlist": ["move"], "denylist": ["move"]}} | move | {"source": "a", "destination": "b"} | fails with PolicyDenied and changes nothing |
        | FO-APR-04b-09 | one of the two tools is denied, and the other runs | {"policy": {"denylist": ["move"]}} | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A"" |
        # A name that contains the name of the tool, or a part of it, is another name.
        | FO-APR-04b-11 | move is not on the denylist ["remove", "move_all", "mo", ""], and it runs | {"policy": {"mode": "auto", "denylist": ["remove", "move_all", "mo", ""]}} | move | {"source": "a", "destination": "b"} | succeeds and leaves "b="A"" |
        | FO-APR-04b-12 | copy is not on the denylist ["xcopy", "copy_all", "co", ""], and it runs | {"policy": {"mode": "auto", "denylist": ["xcopy", "copy_all", "co", ""]}} | copy | {"source": "a", "destination": "b"} | succeeds and leaves "a="A", b="A"" |
        | FO-APR-04b-10 | list_directory is on the denylist | {"policy": {"denylist": ["list_directory"]}} | list_directory | {"path": "."} | fails with PolicyDenied and changes nothing |

  @FR-APR-04c
  Rule: mode deny runs what is on the allowlist

    # A tool that asks before every call may ask before it is denied (AMB-FO-09).
    Scenario Outline: <case of FR-APR-04c in a context>
      Given the tree "a="A""
      And the context <context>
      When <tool> is called with <arguments>
      Then the call fails with PolicyDenied and changes nothing

      Examples:
        | id | case of FR-APR-04c in a context | context | tool | arguments |
        | FO-APR-04c-01 | mode deny, and move is not on the list | {"policy": {"mode": "deny", "allowlist": ["list_directory"]}, "approval": "approve"} | move | {"source": "a", "destination": "b"} |
        | FO-APR-04c-02 | mode deny, and copy is not on the list | {"policy": {"mode": "deny", "allowlist": ["list_directory"]}, "approval": "approve"} | copy | {"source": "a", "destination": "b"} |
        | FO-APR-04c-08 | mode deny, and the list is empty: move | {"policy": {"mode": "deny", "allowlist": []}, "approval": "approve"} | move | {"source": "a", "destination": "b"} |
        | FO-APR-04c-09 | mode deny, and the list is empty: copy | {"policy": {"mode": "deny", "allowlist": []}, "approval": "approve"} | copy | {"source": "a", "destination": "b"} |
        | FO-APR-04c-10 | mode deny, and the list has other names, ["remove", "move_all", "mo", ""]: move | {"policy": {"mode": "deny", "allowlist": ["remove", "move_all", "mo", ""]}, "approval": "approve"} | move | {"source": "a", "destination": "b"} |
        | FO-APR-04c-11 | mode deny, and the list has other names, ["xcopy", "copy_all", "co", ""]: copy | {"policy": {"mode": "deny", "allowlist": ["xcopy", "copy_all", "co", ""]}, "approval": "approve"} | copy | {"source": "a", "destination": "b"} |
        | FO-APR-04c-07 | mode deny, and list_directory is not on the list | {"policy": {"mode": "deny", "allowlist": ["move", "copy"]}, "approval": "approve"} | list_directory | {"path": "."} |

    Scenario Outline: mode deny, and <tool> is on the list <listed>
      Given the tree "a="A""
      And the context {"policy": {"mode": "deny", "allowlist": <listed>}, "approval": "approve"}
      When <tool> is called by the name "<name>" with {"source": "a", "destination": "b"}
      Then the call succeeds and leaves "<left>"

      Examples:
        | id | tool | name | listed | left |
        | FO-APR-04c-03 | move | move | ["move"] | b="A" |
        | FO-APR-04c-04 | copy | copy | ["copy"] | a="A", b="A" |

      @prudent
      Examples: a further name on the list
        | id | tool | name | listed | left |
        | FO-APR-04c-06 | copy | copy | ["cp"] | a="A", b="A" |

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

  @FR-APR-04d
  Rule: mode prompt asks before side effects, but for what is on the allowlist

    @interpretation:AMB-FO-09
    Scenario Outline: <case of FR-APR-04d in a context>
      Given the tree "a="A""
      And the context <context>
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call <ends>

      Examples:
        | id | case of FR-APR-04d in a context | context | tool | ends |
        | FO-APR-04d-01 | on the allowlist, and nobody is asked: move | {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["move"]}, "approval": "deny"} | move | either leaves "b="A"", or fails with ApprovalDenied and changes nothing |
        | FO-APR-04d-02 | on the allowlist, and nobody is asked: copy | {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["copy"]}, "approval": "deny"} | copy | either leaves "a="A", b="A"", or fails with ApprovalDenied and changes nothing |
        | FO-APR-04d-03 | on the allowlist, and nobody is asked who would approve: move | {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["move"]}, "approval": "approve"} | move | succeeds and leaves "b="A"" |
        | FO-APR-04d-04 | no prompts for side effects where the policy asks for none | {"policy": {"mode": "prompt", "prompt_side_effects": false}, "approval": "deny"} | move | either leaves "b="A"", or fails with ApprovalDenied and changes nothing |

    Scenario Outline: <case of FR-APR-04d in a context with an approval>
      Given the tree "a="A""
      And the context <context>
      When <tool> is called with {"source": "a", "destination": "b"}
      Then the call <ends>
      And approval was requested

      Examples:
        | id | case of FR-APR-04d in a context with an approval | context | tool | ends |
        # The protocol names the defaults of what a policy leaves out.
        | FO-APR-04d-08 | only the mode is given, and somebody is asked: move | {"policy": {"mode": "prompt"}, "approval": "deny"} | move | fails with ApprovalDenied and changes nothing |
        | FO-APR-04d-09 | only the mode is given, and somebody is asked: copy | {"policy": {"mode": "prompt"}, "approval": "deny"} | copy | fails with ApprovalDenied and changes nothing |
        | FO-APR-04d-06 | on no list, and somebody is asked: move | {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["copy"]}, "approval": "approve"} | move | succeeds and leaves "b="A"" |
        | FO-APR-04d-07 | on no list, and somebody is asked: copy | {"policy": {"mode": "prompt", "prompt_side_effects": true, "allowlist": ["move"]}, "approval": "approve"} | copy | succeeds and leaves "a="A", b="A"" |

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

  @FR-APR-05
  Rule: switched off, denylist, sandbox, the question of mode prompt, in this order

    Scenario Outline: <first> before <second>
      Given the tree "a="A""
      And the context {"policy": <policy>, "approval": "deny"}
      When move is called with {"source": "a", "destination": "<destination>"}
      Then the call fails with <fails> and changes nothing
      And approval was not requested

      Examples:
        | id | first | second | policy | destination | fails |
        | FO-APR-05-01 | the denylist | the sandbox | {"denylist": ["move"]} | ../away/x | PolicyDenied |
        | FO-APR-05-02 | the sandbox | mode deny | {"mode": "deny"} | ../away/x | SandboxViolation or PolicyDenied |
        | FO-APR-05-03 | the sandbox | the prompt | {"mode": "prompt", "prompt_side_effects": true} | ../away/x | SandboxViolation |
        | FO-APR-05-04 | switched off | the denylist | {"enabled": false, "denylist": ["move"]} | b | PolicyDenied |
        | FO-APR-05-05 | the denylist | the prompt | {"mode": "prompt", "prompt_side_effects": true, "denylist": ["move"]} | b | PolicyDenied |
        | FO-APR-05-06 | switched off | the sandbox | {"enabled": false} | ../away/x | PolicyDenied |
        | FO-APR-05-07 | the sandbox | a list | {"mode": "deny", "allowlist": ["move"]} | ../away/x | SandboxViolation |

    # Schema and switch may come in either order.
    @FO-APR-05-08
    Scenario: arguments that do not fit, while tools are switched off
      Given the tree "a="A""
      And the context {"policy": {"enabled": false}, "approval": "deny"}
      When move is called with exactly {"source": "a", "destination": null}
      Then the call fails with BadArgs or PolicyDenied and changes nothing
      And approval was not requested
