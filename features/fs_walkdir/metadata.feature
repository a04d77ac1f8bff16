@fs_walkdir
Feature: A walk reads metadata and nothing else

  @WD-SEC-04
  Rule: no content is read, and nothing is changed

    @WD-SEC-04-01
    Scenario: files that nobody may read are listed
      Given the tree "t/{f=7%0000, g=9%0000, h}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "f, g, h"
      And the tree is unchanged

    # Opening a FIFO for reading blocks until a writer opens it.
    @WD-SEC-04-02 @returns
    Scenario: a FIFO is not waited for
      Given the tree "t/{p:fifo, f=7}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "f"
      And the tree is unchanged

    @WD-SEC-04-03
    Scenario: no file is opened
      Given the tree "t/{precious=7, d/{precious=9}}"
      And system calls are traced
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, precious"
      And no system call opened "precious"
      And the tree is unchanged

    # A candidate that finds itself traced may behave.
    @WD-SEC-04-06
    Scenario: no file is opened by a walk that is not traced
      Given the tree "t/{precious=7, d/{precious=9}}"
      And opened directories are watched
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, precious"
      And no file was opened
      And the tree is unchanged

    @WD-SEC-04-04
    Scenario: nothing is written anywhere
      Given the tree "t/{a/{b=3}, l->a, .h}"
      And system calls are traced
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "a"
      And no system call changed the file system
      And the tree is unchanged

    @WD-SEC-04-05
    Scenario: a failing walk changes nothing either
      Given the tree "t/{a, locked/%0000{x}, z}, walktest/{file1.txt=9}"
      When FS.WalkDir is called with {"path": "t"}
      Then a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged
