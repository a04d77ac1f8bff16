@fs_walkdir
Feature: A walk reads metadata and nothing else

  @WD-SEC-04
  Rule: no content is read, and nothing is changed

    # A tool that opens files to look at them meets an error.
    @WD-SEC-04-01 @behaviour:BEH-12
    Scenario: files that nobody may read are listed, or an error
      Given the tree "t/{f=7%0000, g=9%0000, h}"
      When FS.WalkDir is called with {"path": "t"}
      Then the answer is one of
        | entries | result  |
        | f, g, h |         |
        | h       |         |
        |         | no list |

    # Opening a FIFO for reading blocks until a writer opens it. Whether it is an element is open (AMB-WD-18).
    @WD-SEC-04-02 @returns @behaviour:BEH-11
    Scenario: a FIFO is not waited for
      Given the tree "t/{p:fifo, f=7}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "f"

    @WD-SEC-04-08
    Scenario: no content of a file is read
      Given the tree "t/{f="Kept in private", d/{g="Kept as well"}}"
      And system calls are traced
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, f"
      And no system call read "Kept"

    @WD-SEC-04-04
    Scenario: nothing is written anywhere
      Given the tree "t/{a/{b=3}, l->a, .h}"
      And system calls are traced
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "a"
      And no system call changed the file system

  # An open file may also be looked at.
  @WD-SEC-05
  Rule: nothing is opened but directories of the sandbox

    @WD-SEC-05-01
    Scenario: no file is opened
      Given the tree "t/{precious=7, d/{precious=9}}"
      And system calls are traced
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, precious"
      And no system call opened "precious"

    # A candidate that finds itself traced may behave.
    @WD-SEC-05-02
    Scenario: no file is opened by a walk that is not traced
      Given the tree "t/{precious=7, d/{precious=9}}"
      And opened directories are watched
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, precious"
      And no file was opened

    @WD-SEC-05-03
    Scenario: nothing outside is opened
      Given the tree "l->../outside, t/{m->../../outside, x}"
      And beside the sandbox the tree "outside/{secret, od/{deep}}"
      And opened directories are watched
      When FS.WalkDir is called with {"path": "l/od"}
      And FS.WalkDir is called again with {"path": "t"}
      Then the entries include "x"
      And "../outside, ../outside/od" were never opened
