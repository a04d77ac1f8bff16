@local_files
Feature: What the disk does not give is not left out in silence

  @LF-ERR-01
  Rule: a path that cannot be listed is an error

    @LF-ERR-01-301
    Scenario: a directory whose reading breaks off
      Given the tree "d/!R2{x, y}, in/{x}"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the call fails with any error
      And a control call with {"path": "$ROOT/in"} lists "x"
      And the tree is unchanged

    @LF-ERR-01-303
    Scenario: a long directory whose reading breaks off
      Given the tree "d/!R2{f0000..f2999}, in/{x}"
      When listDirectory is called with {"path": "$ROOT/d"}
      Then the call fails with any error
      And a control call with {"path": "$ROOT/in"} lists "x"
      And the tree is unchanged

    @LF-ERR-01-302
    Scenario: an entry whose metadata the disk cannot read
      Given the tree "a, bad!L=EIO, c"
      When listDirectory is called with {"path": "$ROOT"}
      Then by AMB-LF-32 the answer is one of
        | reading | entries   | fails     |
        | error   |           | any error |
        | told    | a, bad, c |           |
        | skipped | a, c      |           |
      And a control call with {"path": "$ROOT"} on the tree "a/{b}, c" lists "a, c"
      And the tree is unchanged
