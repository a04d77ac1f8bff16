# The defects of the first version; one call now replaces each of them.
@local_files
Feature: One call tells everything

  @LF-WHY-01
  Rule: no second call and no parsing

    @LF-WHY-01-02 @behaviour:BEH-12
    Scenario: kind, size, time and target took a call of ls -ld each
      Given the tree "d/@1762778000000, f=9854@1762473883050, l->f@1762778123000"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "f"
      And every entry tells its kind, size and time, and a link its target

    @LF-WHY-01-03
    Scenario: names that a parser of ls would stumble over
      Given the tree "'a b', ' leading', 'trailing ', 'x -> y', 'new\nline', 'quote\"d', '-l'->'a b', 'total 0'/"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "'a b', 'x -> y', '-l', 'total 0'"
      And every entry tells its kind, size and time, and a link its target
      And the entry "'a b'" has {"name": "a b"}

    @LF-WHY-01-08
    Scenario: what nobody may read tells as much
      Given the tree "locked/%0000{x}, searched/%0111{x}, f=1%0000, p:fifo%0000"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries include "f"
      And every entry tells its kind, size and time, and a link its target

    @LF-WHY-01-05
    Scenario: a recursive search took find and grep
      Given the tree "src/{A.java=3, x/{B.java=4, 'C D.java'=5}}, e.txt"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "**/*.java"}
      Then the entries include "src/A.java"
      And every entry tells its kind, size and time, and a link its target

  @LF-ROLE-02
  Rule: asking changes nothing

    @LF-WHY-01-06
    Scenario: the tree after a list
      Given the tree "d/{x}, f=1, l->f, p:fifo"
      And system calls are traced
      When listDirectory is called with {"path": "$ROOT"}
      Then the entries are "d, f, l, p"
      And no system call changed the file system

    @LF-WHY-01-09
    Scenario: the tree after calls on what is no directory or may not be read
      Given the tree "f=1, closed/%0000{x}, read/%0444{y}, l->gone, in/{x}"
      When listDirectory is called with {"path": "$ROOT/missing"}
      And listDirectory is called again with {"path": "$ROOT/missing/below"}
      And listDirectory is called again with {"path": "$ROOT/l"}
      And listDirectory is called again with {"path": "$ROOT/f"}
      And listDirectory is called again with {"path": "$ROOT/read"}
      And listDirectory is called again with {"path": "$ROOT/closed"}
      Then the call fails with any error
