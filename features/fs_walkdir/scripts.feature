# The scripts are in fixtures/fs_walkdir; a candidate that offers NeuroScript runs them in its own interpreter.
@fs_walkdir
Feature: What a script sees of the tool

  @WD-SYN-01
  Rule: callers know the tool as FS.WalkDir

    @WD-SYN-01-03
    Scenario: a script that calls it by that name runs to its end
      Given the tree "walktest/{file1.txt=9}"
      When the script "called" is run
      Then the script emits, in any order
        """
        before
        after
        """

  @WD-LAST-01 @interpretation:AMB-WD-12
  Rule: LAST holds the value of the call that was made last

    @WD-LAST-01-01 @also:WD-RET-01
    Scenario: the document's first example shows each entry
      Given the tree "walktest/{file1.txt="Content A", subdir/{file2.js="Content B"}}"
      When the script "nested" is run
      Then the script emits, in any order
        """
        Walk of walktest
        Results
         - Path: file1.txt, IsDir: …
         - Path: subdir, IsDir: …
         - Path: subdir/file2.js, IsDir: …
        """

    # Where an error of the call ends such a script (AMB-WD-23), the scenario does not apply.
    Scenario Outline: LAST holds the value of the last call: <case>
      Given the tree "walktest/{file1.txt=9}, other/{file2.txt=9}, f=1, e/"
      When the script "<script>" is run
      Then the script emits, in any order
        """
        <line>
        <another line>
        """

      Examples:
        | id            | case                                  | script             | line              | another line      |
        | WD-LAST-01-02 | nil in the document's second example  | missing            | Walk of no_such_dir | nil, as expected |
        | WD-LAST-01-03 | nil after a failing call              | after-failure      | before: file1.txt | after: nil        |
        | WD-LAST-01-04 | nil after a missing directory         | after-missing      | before: file1.txt | after: nil        |
        | WD-LAST-01-12 | nil after a way out                   | after-outside      | before: file1.txt | after: nil        |
        | WD-LAST-01-13 | nil after the empty path              | after-empty-path   | before: file1.txt | after: nil        |
        | WD-LAST-01-14 | nil after a number                    | after-number       | before: file1.txt | after: nil        |
        | WD-LAST-01-15 | nil after a path below a file         | after-below-a-file | before: file1.txt | after: nil        |
        | WD-LAST-01-07 | a list that was kept before an error  | kept               | before: file1.txt | after: nil        |
        | WD-LAST-01-05 | a list after an error                 | recovery           | first: nil        | second: file1.txt |
        | WD-LAST-01-06 | two calls on an unchanged tree        | twice              | first: file1.txt  | second: file1.txt |
        | WD-LAST-01-08 | nothing after an empty directory      | after-empty        | before: file1.txt | end               |
        | WD-LAST-01-09 | the same until the next call          | read-twice         | first: file1.txt  | second: file1.txt |
        | WD-LAST-01-11 | a list that was kept before another   | two-lists          | first: file1.txt  | second: file2.txt |

    @WD-LAST-01-10
    Scenario: a call in a block sets LAST as any call does
      Given the tree "walktest/{file1.txt=9}"
      When the script "in-a-block" is run
      Then the script emits, in any order
        """
        first: file1.txt
        """
