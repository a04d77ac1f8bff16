# Each scenario checks a property on random trees and calls; all properties share one sample. The model computes the
# expected results independently, and names the one requirement that each difference breaks.
@local_files
Feature: What holds for any tree and any call

  @LF-FIELD-03
  Rule: size in bytes

    @LF-P-FIELD-03-02
    Scenario: sizes of directories
      Then for any tree and call, sizes of directories are those on the disk

  @LF-FIELD-04
  Rule: lastModified in milliseconds

    @LF-P-FIELD-04-03
    Scenario: other time zones and locales
      Then for any tree and call, the process that is asked plays no part for times

  @LF-LIST-01
  Rule: every child once

    @LF-P-LIST-01-01
    Scenario: random trees and paths
      Then for any tree and call, the answer is what the model says

  @LF-SORT-02
  Rule: the order within a kind does not come from the file system

    @LF-P-SORT-02-01
    Scenario: random trees made in other orders
      Then for any tree and call, the order in which the tree was made plays no part

    @LF-P-SORT-02-02
    Scenario: asked twice
      Then for any tree and call, a second call gives the same

    @LF-P-SORT-02-03
    Scenario: asked in another process
      Then for any tree and call, the process that is asked plays no part for the order

  @LF-ERR-01
  Rule: what cannot be listed is an error

    @LF-P-ERR-01-01
    Scenario: closed directories
      Then for any tree, call and file modes, the answer is what the model says

  @LF-FIND-02
  Rule: the glob decides

    @LF-P-FIND-02-01
    Scenario: random globs
      Then for any tree and search, what is found is what the model says

  @LF-ROLE-02
  Rule: asking changes nothing

    @LF-P-WHY-01-01
    Scenario: the tree after any call
      Then for any tree and call, the tree is left as it was
