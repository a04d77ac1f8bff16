# Each scenario checks a property on random trees and calls; all properties share one sample. The model computes the
# expected results independently and attributes each difference to one requirement.
@local_files
Feature: What holds for any tree and any call

  @LF-MODEL-01
  Rule: one list of objects

    @LF-P-MODEL-01-01
    Scenario: lists of objects
      Then for any tree and call, the answer is what the model says of this rule

  @LF-MODEL-02
  Rule: the members of its kind

    @LF-P-MODEL-02-01
    Scenario: members of random entries
      Then for any tree and call, the answer is what the model says of this rule

  @LF-TYPE-01
  Rule: four words for kinds

    @LF-P-TYPE-01-01
    Scenario: kinds of random entries
      Then for any tree and call, the answer is what the model says of this rule

  @LF-TYPE-02
  Rule: a link is a link

    @LF-P-TYPE-02-01
    Scenario: links among random entries
      Then for any tree and call, the answer is what the model says of this rule

    @LF-P-TYPE-02-02
    Scenario: kinds on the disk
      Then for any tree and call, kinds are those on the disk

  @LF-TYPE-03
  Rule: everything else is OtherEntry

    @LF-P-TYPE-03-01
    Scenario: special files among random entries
      Then for any tree and call, the answer is what the model says of this rule

  @LF-FIELD-01
  Rule: name is the simple name

    @LF-P-FIELD-01-01
    Scenario: names of any bytes
      Then for any tree and call, the answer is what the model says of this rule

  @LF-FIELD-02
  Rule: path is absolute

    @LF-P-FIELD-02-01
    Scenario: paths of any names
      Then for any tree and call, the answer is what the model says of this rule

  @LF-FIELD-03
  Rule: size in bytes

    @LF-P-FIELD-03-01
    Scenario: sizes of random files
      Then for any tree and call, the answer is what the model says of this rule

    @LF-P-FIELD-03-02
    Scenario: sizes on the disk
      Then for any tree and call, sizes are those on the disk

  @LF-FIELD-04
  Rule: lastModified in milliseconds

    @LF-P-FIELD-04-01
    Scenario: times of random entries
      Then for any tree and call, the answer is what the model says of this rule

    @LF-P-FIELD-04-02
    Scenario: times on the disk
      Then for any tree and call, times are those on the disk

    @LF-P-FIELD-04-03
    Scenario: other time zones and locales
      Then for any tree and call, the process that is asked plays no part for times

  @LF-LINK-01
  Rule: target of a link

    @LF-P-LINK-01-01
    Scenario: targets of random links
      Then for any tree and call, the answer is what the model says of this rule

    @LF-P-LINK-01-02
    Scenario: targets on the disk
      Then for any tree and call, targets are those on the disk

  @LF-LINK-02
  Rule: size of a link

    @LF-P-LINK-02-01
    Scenario: sizes of random links
      Then for any tree and call, the answer is what the model says of this rule

  @LF-LINK-03
  Rule: time of a link

    @LF-P-LINK-03-01
    Scenario: times of random links
      Then for any tree and call, the answer is what the model says of this rule

  @LF-LIST-01
  Rule: every child once

    @LF-P-LIST-01-01
    Scenario: random trees
      Then for any tree and call, the answer is what the model says of this rule

    @LF-P-LIST-01-02
    Scenario: children on the disk
      Then for any tree and call, there is an entry for every child on the disk

  @LF-LIST-02
  Rule: nothing is filtered

    @LF-P-LIST-02-01
    Scenario: hidden entries among others
      Then for any tree and call, the answer is what the model says of this rule

  @LF-SORT-01
  Rule: the order of the example

    @LF-P-SORT-01-01
    Scenario: orders of random lists
      Then for any tree and call, the answer is what the model says of this rule

  @LF-SORT-02
  Rule: the order does not come from the file system

    @LF-P-SORT-02-01
    Scenario: made in other orders
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
      Then for any tree, call and file modes, the answer is what the model says of this rule

    @LF-P-ERR-01-02
    Scenario: missing places and files
      Then for any tree and call, the answer is what the model says of this rule

  # The rule on links is the first of the search: one that goes round in circles ends for all of them.
  @LF-FIND-05
  Rule: links do not disturb a search

    @LF-P-FIND-05-03
    Scenario: lists, stars and links
      Then for any tree and search, what a directory lists is found by two stars beside links

    @LF-P-FIND-05-01
    Scenario: links in searches
      Then for any tree and search, what is found is what the model says of this rule

  @LF-FIND-01
  Rule: every level is searched

    @LF-P-FIND-01-01
    Scenario: random searches
      Then for any tree and search, what is found is what the model says of this rule

    @LF-P-FIND-01-02
    Scenario: lists and stars
      Then for any tree and search, what a directory lists is found by two stars

  @LF-FIND-02
  Rule: the glob decides

    @LF-P-FIND-02-01
    Scenario: random globs
      Then for any tree and search, what is found is what the model says of this rule

  @LF-FIND-03
  Rule: the same entries

    @LF-P-FIND-03-01
    Scenario: entries of random searches
      Then for any tree and search, what is found is told as it is listed

  @LF-FIND-04
  Rule: not all levels without recursion

    @LF-P-FIND-04-01
    Scenario: searches without recursion
      Then for any tree and search, what is found is what the model says of this rule

    @LF-P-FIND-04-02
    Scenario: one level and all levels
      Then for any tree and search, what is found without recursion is found with it

  @LF-ROLE-02
  Rule: asking changes nothing

    @LF-P-WHY-01-01
    Scenario: the tree after any call
      Then for any tree and call, the tree is left as it was
