@list_directory
Feature: One tree is one listing, whatever file system holds it

  @FR-LD-OUT-02
  Rule: memory and disk give the same bytes

    # The file system determines the order in which it returns names.
    @LD-OUT-02-601
    Scenario: the same tree in memory and on the disk
      Given the tree "f00..f39, A=7, 'a b', '\u00e9', .h@5, l->A, p:fifo, s:sock"
      When list_directory is called with {"include_hidden": true, "include_other": true}
      And the same call is made on a copy of the tree on a disk
      Then the entries include "A, f00..f39, l"
      And all answers are the same bytes
