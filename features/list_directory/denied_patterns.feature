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
      And the tree is unchanged

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
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | path              |
        | LD-VAL-07-718 | ".ssh/keys/old"   |
        | LD-VAL-07-719 | ".ssh/keys/old/z" |
        | LD-VAL-07-720 | "home/.gnupg/a/b" |

    @LD-VAL-07-721
    Scenario: the second of two patterns
      Given the tree "private/{sub/{x}}, secret/{sub/{x}}, in/{x}"
      And the context {"denied_patterns": ["private/**", "secret/**"]}
      When list_directory is called with {"path": "secret/sub"}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

    # The shipped patterns hold beside those of the context, unless the context puts them away.
    Scenario Outline: patterns of one's own come on top of the shipped ones: <path>
      Given the tree ".ssh/{keys/{id}}, certs.pem/{y}, private/{sub/{x}}, in/{x}"
      And the context {"denied_patterns": ["private/**"]}
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

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
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

    @LD-VAL-07-722
    Scenario: asked for absolutely, where that is allowed
      Given the tree ".ssh/{keys/{id}}, in/{x}"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$ROOT/.ssh/keys"}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

    @LD-VAL-07-723
    Scenario: in the second of two roots
      Given the tree "in/{x}"
      And beside the sandbox the tree "second/{.ssh/{keys/{id}}}"
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"], "allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/second/.ssh/keys"}
      Then the call fails with SandboxViolation
      And a control call with {"path": "in"} lists "x"
      And the tree is unchanged

    # Appended to the root as text, a pattern begins with [b], which matches one letter.
    @LD-VAL-07-724
    Scenario: in a root whose name would be a pattern itself
      Given the tree "f"
      And beside the sandbox the tree "'a[b]'/{.ssh/{keys/{id}}}"
      And the context {"roots": ["$OUTSIDE/a[b]"], "working_dir": "$OUTSIDE/a[b]"}
      When list_directory is called with {"path": ".ssh/keys"}
      Then the call fails with SandboxViolation
      And a control call with {"include_dirs": false} lists "f"
      And the tree is unchanged

    @LD-VAL-07-725
    Scenario: in a root whose name would be a pattern itself, what is not denied
      Given the tree "f"
      And beside the sandbox the tree "'a[b]'/{in/{x}}"
      And the context {"roots": ["$OUTSIDE/a[b]"], "working_dir": "$OUTSIDE/a[b]"}
      When list_directory is called with {"path": "in"}
      Then the entries are "x"
      And the tree is unchanged
