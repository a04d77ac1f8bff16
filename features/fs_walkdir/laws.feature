# Each scenario checks a property on random trees and calls; all properties share one sample. The model computes the
# expected results independently and attributes each difference to one requirement.
@fs_walkdir
Feature: What holds for any tree and any call

  @WD-ARG-01
  Rule: path is the one argument

    @WD-P-ARG-01-01
    Scenario: arguments in the wrong number
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ARG-02
  Rule: path is a string

    @WD-P-ARG-02-01
    Scenario: arguments of other types
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ARG-03
  Rule: the empty string is no path

    @WD-P-ARG-03-01
    Scenario: empty paths among others
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ARG-04
  Rule: path is relative, however it is spelt

    @WD-P-ARG-04-01
    Scenario: spellings of paths
      Then for any tree and call, the answer is what the model says of this rule

    @WD-P-ARG-04-02
    Scenario: dots and slashes
      Then for any tree and call, dots and slashes in a path play no part

  @WD-ARG-05
  Rule: a dot names the sandbox

    @WD-P-ARG-05-01
    Scenario: the sandbox among other starts
      Then for any tree and call, the answer is what the model says of this rule

  @WD-RET-01
  Rule: success gives a list of maps

    @WD-P-RET-01-01
    Scenario: lists of maps
      Then for any tree and call, the answer is what the model says of this rule

  @WD-RET-02
  Rule: a directory without content gives the empty list

    @WD-P-RET-02-01
    Scenario: empty directories among others
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ENT-01
  Rule: name is the base name

    @WD-P-ENT-01-01
    Scenario: names of any bytes
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ENT-02
  Rule: path leads from the start to the entry

    @WD-P-ENT-02-01
    Scenario: paths of any names
      Then for any tree and call, the answer is what the model says of this rule

    @WD-P-ENT-02-02
    Scenario: parents and subdirectories
      Then for any tree and call, a directory by itself has what its parent shows in it

  @WD-ENT-03
  Rule: isDir is true for directories

    @WD-P-ENT-03-01
    Scenario: kinds of entries
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ENT-04
  Rule: size is the length of a file

    @WD-P-ENT-04-01
    Scenario: sizes
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ENT-05
  Rule: modTime is the modification time

    @WD-P-ENT-05-01
    Scenario: times
      Then for any tree and call, the answer is what the model says of this rule

    @WD-P-ENT-05-02
    Scenario: time zones and locales
      Then for any tree and call, the process that is asked plays no part for times

  @WD-WALK-01
  Rule: everything below the start, once

    @WD-P-WALK-01-01
    Scenario: random trees
      Then for any tree and call, the answer is what the model says of this rule

    @WD-P-WALK-01-02
    Scenario: as many as on the disk
      Then for any tree and call, there are as many elements as entries on the disk

    @WD-P-WALK-01-03
    Scenario: a file more
      Then for any tree and call, one file more is one element more

    @WD-P-WALK-01-04
    Scenario: the order of making
      Then for any tree and call, the order in which the tree was made plays no part

  @WD-WALK-02
  Rule: the start is no element

    @WD-P-WALK-02-01
    Scenario: starts of any kind
      Then for any tree and call, the answer is what the model says of this rule

  @WD-WALK-03
  Rule: nothing is filtered

    @WD-P-WALK-03-01
    Scenario: hidden and special entries
      Then for any tree and call, the answer is what the model says of this rule

  @WD-WALK-04
  Rule: starts that are links

    @WD-P-WALK-04-01
    Scenario: links as starts
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ERR-01
  Rule: an error is a value

    @WD-P-ERR-01-01
    Scenario: errors of all kinds
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ERR-02
  Rule: a path that is not valid

    @WD-P-ERR-02-01
    Scenario: paths with a NUL
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ERR-03
  Rule: a start that is not there

    @WD-P-ERR-03-01
    Scenario: missing starts
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ERR-04
  Rule: a start that cannot be looked at

    @WD-P-ERR-04-01
    Scenario: starts below files and closed directories
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ERR-05
  Rule: a start that is no directory

    @WD-P-ERR-05-01
    Scenario: files as starts
      Then for any tree and call, the answer is what the model says of this rule

  @WD-ERR-06
  Rule: an error ends the walk

    @WD-P-ERR-06-01
    Scenario: closed directories
      Then for any tree, call and file modes, the answer is what the model says of this rule

  @WD-SEC-01
  Rule: a way out is refused

    @WD-P-SEC-01-01
    Scenario: ways out by text
      Then for any tree and call, the answer is what the model says of this rule

  @WD-SEC-02
  Rule: the walk stays inside

    @WD-P-SEC-02-01
    Scenario: ways out by links
      Then for any tree and call, the answer is what the model says of this rule

  @WD-SEC-03
  Rule: links are not followed

    @WD-P-SEC-03-01
    Scenario: links among other entries
      Then for any tree and call, the answer is what the model says of this rule

    @WD-P-SEC-03-02
    Scenario: paths through links
      Then for any tree and call, no path goes through a link

  @WD-SEC-04
  Rule: nothing is changed

    @WD-P-SEC-04-01
    Scenario: the tree after any call
      Then for any tree and call, the tree is left as it was
