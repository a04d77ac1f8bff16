@list_directory
Feature: The definition that a model is shown: a name, a sentence, and the promise to read and nothing more

  @FR-LD-DEF-01
  Rule: the tool is called list_directory, to the letter

    # A definition without a working tool is not enough: each of these scenarios also lists an entry.
    @LD-DEF-01-01
    Scenario: the name in the definition
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"name": "list_directory"}

  @FR-LD-DEF-02
  Rule: its description is three words

    @LD-DEF-02-01
    Scenario: the description in the definition
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"description": "List directory entries"}

    @LD-DEF-02-771
    Scenario: the description after a call with a configuration
      Given the tree "a/{b}, f"
      And the configuration {"max_entries": 5}
      When list_directory is called with {}
      And list_directory is described
      Then the definition has {"description": "List directory entries"}

  @FR-LD-DEF-03
  Rule: it reads, and leaves everything as it was

    @LD-DEF-03-01
    Scenario: the definition says that there are no side effects
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"is_side_effecting": false}

    @LD-DEF-03-02
    Scenario: a listing of every kind of entry changes nothing
      Given the tree "a/{b=3}, l->a, .h, p:fifo"
      When list_directory is called with {"recursive": true, "include_hidden": true, "include_other": true}
      Then the entries are ".h, a, a/b, l, p"

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                              | tree                    | call                                   | answer                                     |
        | LD-DEF-03-03  | a tree that may only be read is enough            | a/%0555{b%0444}, c%0444 | {"recursive": true}                    | the entries are "a, a/b, c"                |
        | LD-DEF-03-103 | a directory that is missing is not made           | a/{b}, f                | {"path": "new/dir", "recursive": true} | the call fails with any error              |
        # The owner of a directory could change its mode and read it.
        | LD-DEF-03-104 | a directory that may not be read is not opened up | d/%0000{x}, z           | {"recursive": true}                    | the entries include "z"                    |
        # A tool that writes names on the disk as it shows them would rename these.
        | LD-DEF-03-771 | names that are not UTF-8 stay what they are       | 'a\xff'=1, d/{'\xfe'}   | {"recursive": true}                    | the entries are "'a\ufffd', d, 'd/\ufffd'" |

    @LD-DEF-03-101
    Scenario: a requested directory that may only be read is enough
      Given the tree "in/%0555{a/%0555{b%0444}, c%0444}"
      When list_directory is called with {"path": "in", "recursive": true}
      Then the entries are "a, a/b, c"

    @LD-DEF-03-303
    Scenario: files and links that are of no use to anybody stay as they are
      Given the tree "a%0000, .l->gone, m->gone, d/{b%0000, .n->gone}, z"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries include "a, m, d, z"

    @LD-DEF-03-04 @needs:strace
    Scenario: a listing makes no system call that changes something
      Given the tree "a/{b}, l->a, .h"
      And system calls are traced
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries are ".h, a, a/b, l"
      And no system call changed the file system

    @LD-DEF-03-102 @needs:strace
    Scenario: a call that fails makes no system call that changes something
      Given the tree "a/{b}, f"
      And system calls are traced
      When list_directory is called with {"path": "new/dir"}
      Then the call fails with ExecutionFailed
      And no system call changed the file system
      And a control call with {} lists "a, f"

    @LD-DEF-03-301
    Scenario: what looks like rubbish is left where it is
      Given the tree "a, dangling->gone, loop->loop, 'x~', .x.swp, z.tmp"
      When list_directory is called with {"recursive": true}
      Then the entries include "a, z.tmp"

  @FR-LD-DEF-04
  Rule: it asks for no approval and is a Low risk

    @LD-DEF-04-01
    Scenario: approval and risk in the definition
      Given the tree "a/{b}, f"
      When list_directory is described
      Then the definition has {"requires_approval": false, "risk_level": ["Low", "low", "LOW"]}

    @LD-DEF-04-02 @framework:policy
    Scenario: a policy that prompts for side effects lets it run
      Given the tree "a/{b}, f"
      And the context {"policy": {"enabled": true, "mode": "prompt", "allowlist": ["read_file"], "denylist": ["run_command"], "prompt_side_effects": true}}
      When list_directory is called with {}
      Then by AMB-LD-39 the answer is one of
        | reading | entries | fails                          |
        | a       | a, f    |                                |
        | b       |         | ApprovalDenied or PolicyDenied |

    @LD-DEF-04-101 @framework:policy
    Scenario: where no policy is given nobody is asked
      Given the tree "a/{b}, f"
      And the context {"approval": "deny"}
      When list_directory is called with {}
      Then the entries are "a, f"
      And approval was not requested

    @LD-DEF-04-103 @framework:policy
    Scenario: nor does any argument make it ask
      Given the tree "a/{b}, f, .h, p:fifo"
      And the context {"approval": "deny"}
      When list_directory is called with {"recursive": true, "max_depth": 2, "max_entries": 9, "include_hidden": true, "include_files": true, "include_dirs": true, "include_symlinks": true, "include_other": true}
      Then the entries are ".h, a, a/b, f, p"
      And approval was not requested

    @LD-DEF-04-102 @behaviour:BEH-12
    Scenario: a call without a word on approval runs
      Given the tree "a/{b}, f"
      When list_directory is called with {}
      Then the entries are "a, f"
