@list_directory @framework:denied_patterns
Feature: A denied pattern covers what it says, all of it and nothing else

  # The default patterns are **/.ssh/**, **/.gnupg/**, **/id_rsa*, **/*.pem and **/*.key. The scenarios use only paths
  # that every pattern dialect judges in the same way.

  @FR-LD-VAL-07
  Rule: a pattern covers whole paths, at any depth and in every root

    Scenario Outline: not the name that is denied, though it looks like one: <path>
      Given the tree "monkey/{x}, a.keys/{x}, b.pem.d/{x}, my_id_rsa/{x}, id_rs/{x}, .sshd/{keys/{x}}, a.ssh/{keys/{x}}"
      When list_directory is called with {"path": <path>}
      Then the entries are "x"

      Examples:
        | id            | path         |
        # With a dot that matches any character, this ends in .key.
        | LD-VAL-07-711 | "monkey"     |
        | LD-VAL-07-712 | "a.keys"     |
        | LD-VAL-07-713 | "b.pem.d"    |
        | LD-VAL-07-714 | "my_id_rsa"  |
        | LD-VAL-07-715 | "id_rs"      |
        | LD-VAL-07-716 | ".sshd/keys" |
        | LD-VAL-07-717 | "a.ssh/keys" |

    Scenario Outline: denied far below: <path>
      Given the tree ".ssh/{keys/{old/{x, z/{y}}}}, home/{.gnupg/{a/{b/{c}}}}, in/{x}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path              |
        | LD-VAL-07-718 | ".ssh/keys/old"   |
        | LD-VAL-07-719 | ".ssh/keys/old/z" |
        | LD-VAL-07-720 | "home/.gnupg/a/b" |

    Scenario Outline: <case>
      Given the tree "<tree>"
      And the context <context>
      When list_directory is called with <call>
      Then the call fails with SandboxViolation

      Examples:
        | id            | case                                        | tree                                        | context                                          | call                        |
        | LD-VAL-07-721 | the second of two patterns                  | private/{sub/{x}}, secret/{sub/{x}}, in/{x} | {"denied_patterns": ["private/**", "secret/**"]} | {"path": "secret/sub"}      |
        | LD-VAL-07-722 | asked for absolutely, where that is allowed | .ssh/{keys/{id}}, in/{x}                    | {"allow_absolute": true}                         | {"path": "$ROOT/.ssh/keys"} |

    # The shipped patterns hold beside those of the context, unless the context puts them away.
    Scenario Outline: patterns of one's own come on top of the shipped ones: <path>
      Given the tree ".ssh/{keys/{id}}, certs.pem/{y}, private/{sub/{x}}, in/{x}"
      And the context {"denied_patterns": ["private/**"]}
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path        |
        | LD-VAL-07-726 | ".ssh/keys" |
        | LD-VAL-07-727 | "certs.pem" |

    @LD-VAL-07-728
    Scenario: a pattern of one's own holds without the shipped ones
      Given the tree ".ssh/{keys/{id}}, private/{sub/{x}}, in/{x}"
      And the context {"denied_patterns": ["private/**"], "include_default_denies": false}
      When list_directory is called with {"path": "private/sub"}
      Then the call fails with SandboxViolation

    @LD-VAL-07-723
    Scenario: in the second of two roots
      Given the tree "in/{x}"
      And beside the sandbox the tree "second/{.ssh/{keys/{id}}}"
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"], "allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/second/.ssh/keys"}
      Then the call fails with SandboxViolation

    Scenario Outline: <case> (a pattern covers whole paths, at any depth and in every root)
      Given the tree "f"
      And beside the sandbox the tree "<beside>"
      And the context {"roots": ["$OUTSIDE/a[b]"], "working_dir": "$OUTSIDE/a[b]"}
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                               | beside                    | call                  | answer                               |
        # Appended to the root as text, a pattern begins with [b], which matches one letter.
        | LD-VAL-07-724 | in a root whose name would be a pattern itself                     | 'a[b]'/{.ssh/{keys/{id}}} | {"path": ".ssh/keys"} | the call fails with SandboxViolation |
        | LD-VAL-07-725 | in a root whose name would be a pattern itself, what is not denied | 'a[b]'/{in/{x}}           | {"path": "in"}        | the entries are "x"                  |
