@file_operations
Feature: What holds for any sequence of moves and copies

  # Random sequences on random trees: a model of the current tree checks each call. A failing sequence is reduced to the
  # smallest one and reported as a scenario.

  @FR-FOPS-MV-02
  Rule: moving into directories

    @FO-MV-02-101
    Scenario: any move into a directory
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @FR-FOPS-MV-03
  Rule: moving onto names that are taken

    @FO-MV-03-101
    Scenario: any move onto a name that is taken
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @FR-FOPS-CP-02
  Rule: copying into directories

    @FO-CP-02-101
    Scenario: any copy into a directory
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @FR-FOPS-CP-03
  Rule: copying onto names that are taken

    @FO-CP-03-101
    Scenario: any copy onto a name that is taken
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @NFR-FOPS-SEC-01
  Rule: the sandbox

    @FO-SEC-01-101
    Scenario: any path that leads out
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @DFO-01
  Rule: moving

    @FO-D01-101
    Scenario: any move
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @DFO-02
  Rule: copying

    @FO-D02-101
    Scenario: any copy
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @DFO-04
  Rule: errors

    @FO-D04-101
    Scenario: any call that fails
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @DFO-10
  Rule: traces of errors

    @FO-D10-101
    Scenario: any call that fails leaves no trace
      Then for any moves and copies, a call that fails changes nothing

  @DFO-05
  Rule: what is there

    @FO-D05-102
    Scenario: any directory that is in the way
      Then for any moves and copies, what is left is what a model of the tree says of this rule

  @DFO-06
  Rule: one and the same

    @FO-D06-101
    Scenario: any call whose ends are one, or one in the other
      Then for any moves and copies, what is left is what a model of the tree says of this rule
