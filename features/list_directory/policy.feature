@list_directory @framework:policy
Feature: The policy that governs all tools governs this one

  @FR-LD-DEF-05
  Rule: what the policy stops is not carried out, what it lets through is

    # The order is: disabled, denylist, sandbox, mode, the tool's own approval requirement. Every refused scenario also
    # lists without any policy: a tool that refuses everything gives no positive evidence.

    @LD-DEF-05-01
    Scenario: tools switched off as a whole
      Given the tree "a/{b}, f"
      And the context {"policy": {"enabled": false, "mode": "auto", "allowlist": ["list_directory"]}}
      When list_directory is called with {}
      Then the call fails with PolicyDenied

    # The kind of the error is said by the framework only.
    @stated
    Scenario Outline: denylisted in mode <mode>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": <mode>, "denylist": ["list_directory"]}, "approval": "approve"}
      When list_directory is called with {}
      Then the call fails with any error

      Examples:
        | id            | mode     |
        | LD-DEF-05-02  | "auto"   |
        | LD-DEF-05-101 | "prompt" |
        | LD-DEF-05-102 | "deny"   |

    @stated
    Scenario Outline: denylisted among others: <denylist>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "auto", "denylist": <denylist>}}
      When list_directory is called with {}
      Then the call fails with any error

      Examples:
        | id            | denylist                        |
        | LD-DEF-05-701 | ["read_file", "list_directory"] |
        | LD-DEF-05-702 | ["list_directory", "read_file"] |

    @LD-DEF-05-03
    Scenario: the denylist outweighs the allowlist
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "auto", "allowlist": ["list_directory"], "denylist": ["list_directory"]}}
      When list_directory is called with {}
      Then the call fails with PolicyDenied

    Scenario Outline: <case>
      Given the tree "a/{b}, f"
      And the context <context>
      When list_directory is called with <call>
      Then <answer>

      @framework:executor
      Examples:
        | id            | case                                  | context                                                      | call             | answer                           |
        | LD-DEF-05-04  | the denylist comes before the sandbox | {"policy": {"mode": "auto", "denylist": ["list_directory"]}} | {"path": "../x"} | the call fails with PolicyDenied |
        | LD-DEF-05-109 | switched off comes before the sandbox | {"policy": {"enabled": false}}                               | {"path": "/etc"} | the call fails with PolicyDenied |

      @stated
      Examples:
        | id           | case                               | context                                                       | call          | answer                 |
        | LD-DEF-05-06 | mode deny runs what is allowlisted | {"policy": {"mode": "deny", "allowlist": ["list_directory"]}} | {"path": "."} | the entries are "a, f" |

      Examples:
        | id            | case                                           | context                                                  | call | answer                 |
        # Only mode deny needs an allowlist.
        | LD-DEF-05-706 | mode auto runs what an allowlist does not name | {"policy": {"mode": "auto", "allowlist": ["read_file"]}} | {}   | the entries are "a, f" |

    @LD-DEF-05-05 @interpretation:AMB-LD-40
    Scenario: outside the sandbox and not allowlisted in mode deny
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "deny"}}
      When list_directory is called with {"path": "../x"}
      Then the call fails with SandboxViolation or PolicyDenied

    @stated
    Scenario Outline: mode deny runs what is allowlisted among others: <allowlist>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "deny", "allowlist": <allowlist>}}
      When list_directory is called with {}
      Then the entries are "a, f"

      Examples:
        | id            | allowlist                                      |
        | LD-DEF-05-771 | ["read_file", "list_directory"]                |
        | LD-DEF-05-772 | ["list_directory", "read_file"]                |
        | LD-DEF-05-773 | ["read_file", "list_directory", "write_file"]  |

    Scenario Outline: mode deny runs nothing else: an allowlist of <allowlist>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "deny", "allowlist": <allowlist>}, "approval": "approve"}
      When list_directory is called with {"path": "."}
      Then the call fails with PolicyDenied

      Examples:
        | id            | allowlist                |
        | LD-DEF-05-07  | []                       |
        | LD-DEF-05-103 | ["read_file"]            |
        | LD-DEF-05-104 | ["list", "list_"]        |
        | LD-DEF-05-105 | ["list_directory_extra"] |

      # A name in different case is another name.
      @framework:executor
      Examples:
        | id            | allowlist                |
        | LD-DEF-05-703 | ["LIST_DIRECTORY"]       |
        | LD-DEF-05-704 | [" list_directory "]     |

    @LD-DEF-05-08
    Scenario: mode prompt runs what is allowlisted and asks nobody
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt", "allowlist": ["list_directory"], "prompt_side_effects": true}, "approval": "deny"}
      When list_directory is called with {}
      Then the entries are "a, f"
      And approval was not requested

    Scenario Outline: mode prompt and a tool that only reads: <case>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": <asks>}<answer>}
      When list_directory is called with {}
      Then by AMB-LD-39 the answer is one of
        | reading | entries | fails                          |
        | a       | a, f    |                                |
        | b       |         | ApprovalDenied or PolicyDenied |

      Examples:
        | id            | case                         | asks  | answer               |
        | LD-DEF-05-09  | nobody is there to be asked  | true  |                      |
        | LD-DEF-05-11  | the user would say no        | true  | , "approval": "deny" |

    @LD-DEF-05-106
    Scenario: mode prompt where not even side effects prompt
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": false}, "approval": "deny"}
      When list_directory is called with {}
      Then by AMB-LD-65 the answer is one of
        | reading | entries | fails                          |
        | a       | a, f    |                                |
        | b       |         | ApprovalDenied or PolicyDenied |

    # Whether a tool that only reads is asked about is open (AMB-LD-39, AMB-LD-65). A no is no yes.
    Scenario Outline: whoever asks in mode prompt stops after a no: <case>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt"<policy>}, "approval": "deny"}
      When list_directory is called with {}
      Then approval was not requested, or the call fails

      Examples:
        | id            | case                        | policy                                                |
        | LD-DEF-05-761 | side effects prompt         | , "prompt_side_effects": true                         |
        | LD-DEF-05-762 | another tool is allowlisted | , "prompt_side_effects": true, "allowlist": ["read"]  |

    @LD-DEF-05-107
    Scenario: whoever asks in mode prompt goes on after a yes
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "approve"}
      When list_directory is called with {}
      Then the entries are "a, f"

    @LD-DEF-05-10 @framework:executor
    Scenario: nobody is asked about a call that the schema refuses
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When list_directory is called with {"path": {}}
      Then the call fails with any error
      And approval was not requested

    # Only the tool can detect this error, so a policy that requires approval may request it first.
    @LD-DEF-05-108
    Scenario: a fault that the schema does not see, in mode prompt
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "prompt", "prompt_side_effects": true}, "approval": "deny"}
      When list_directory is called with {"path": "nope"}
      Then the call fails with any error

    @LD-DEF-05-12
    Scenario: everything is wrong at once
      Given the tree "a/{b}, f"
      And the context {"policy": {"enabled": false, "denylist": ["list_directory"]}}
      When list_directory is called with {"path": "/etc", "max_entries": 0}
      Then the call fails with PolicyDenied or BadArgs

    @LD-DEF-05-110
    Scenario: switched off means off, whatever the user would say
      Given the tree "a/{b}, f"
      And the context {"policy": {"enabled": false, "mode": "prompt"}, "approval": "approve"}
      When list_directory is called with {}
      Then the call fails with PolicyDenied

    @LD-DEF-05-111
    Scenario: a yes does not lead out of the sandbox
      Given the tree "a/{b}, f"
      And beside the sandbox the tree "root2/{secret}"
      And the context {"policy": {"mode": "prompt", "allowlist": ["list_directory"]}, "approval": "approve"}
      When list_directory is called with {"path": "../root2"}
      Then the call fails with SandboxViolation

    @stated
    Scenario Outline: a denylist that names other tools: <denylist>
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "auto", "denylist": <denylist>}}
      When list_directory is called with {}
      Then the entries are "a, f"

      Examples:
        | id            | denylist                                  |
        | LD-DEF-05-112 | ["run_command"]                           |
        | LD-DEF-05-113 | ["list", "directory", "list_directory_x"] |

    @framework:executor
    Scenario Outline: <case> (what the policy stops is not carried out, what it lets through is)
      Given the tree "a/{b}, f"
      And the context <context>
      When list_directory is called with {}
      Then <answer>
      And the call by any alias answers alike

      Examples:
        | id            | case                                         | context                                                       | answer                           |
        # Otherwise an alias would bypass a denylist.
        | LD-DEF-05-114 | a denylist holds for the aliases of a name   | {"policy": {"mode": "auto", "denylist": ["list_directory"]}}  | the call fails with PolicyDenied |
        | LD-DEF-05-115 | an allowlist holds for the aliases of a name | {"policy": {"mode": "deny", "allowlist": ["list_directory"]}} | the entries are "a, f"           |

    @LD-DEF-05-707 @framework:executor
    Scenario: a denylist may name a tool by its aliases
      Given the tree "a/{b}, f"
      And the context {"policy": {"mode": "auto", "denylist": ["list_directory"]}}
      When list_directory is called with {}
      Then the call fails with PolicyDenied
      And the call is stopped as well where the denylist has any alias in the name's place

    Scenario Outline: a call that is stopped opens nothing: <case>
      Given the tree "a/{b}, c/{f}"
      And the context {"policy": <policy>}
      And opened directories are watched
      When list_directory is called with {"path": "a"}
      Then the call fails with PolicyDenied
      And a control call with {"path": "c"} lists "f"
      And "a" was never opened

      Examples:
        | id            | case         | policy                                           |
        | LD-DEF-05-116 | switched off | {"enabled": false}                               |
        | LD-DEF-05-117 | denylisted   | {"mode": "auto", "denylist": ["list_directory"]} |

      @framework:executor
      Examples:
        | id            | case         | policy                                           |
        | LD-DEF-05-118 | mode deny    | {"mode": "deny"}                                 |
