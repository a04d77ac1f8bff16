@ls
Feature: A listing only reads

  @LS-XR-01
  Rule: nothing on the disk is changed

    @behaviour:BEH-12
    Scenario Outline: nothing is changed by <what>
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "d/{x, .h}, a=3, l->d, out->../outside, .env, build/{y}, closed/%0000{z}, z, e/, gone->nowhere, loop->loop"
      When LS is called with <arguments>
      Then the answer is an envelope

      Examples:
        | id           | what                          | arguments                      |
        | LS-XR-01-01  | a listing of all              | {}                             |
        | LS-XR-01-02  | a listing with hidden entries | {"include_hidden": true}       |
        | LS-XR-01-03  | a page                        | {"limit": 1, "offset": 1}      |
        | LS-XR-01-04  | a pattern                     | {"path": "d", "ignore": ["x"]} |
        | LS-XR-01-05  | a missing path                | {"path": "missing"}            |
        | LS-XR-01-06  | a path that leads out         | {"path": ".."}                 |
        | LS-XR-01-07  | a closed directory            | {"path": "closed"}             |
        | LS-XR-01-08  | a wrong limit                 | {"limit": 0}                   |
        | LS-XR-01-09  | a path to a file              | {"path": "a"}                  |
        | LS-XR-01-102 | an empty directory            | {"path": "e"}                  |

    @LS-XR-01-101
    Scenario: a call with an absolute path changes nothing
      Given the tree "d/{x, .h}, a=3"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/d"}
      Then the entries are "x"

    @LS-XR-01-10
    Scenario: a tree that may only be read is enough
      Given the tree "in/%0555{a/%0555{b%0444}, c%0444}"
      When LS is called with {"path": "in"}
      Then the entries are "a, c"
