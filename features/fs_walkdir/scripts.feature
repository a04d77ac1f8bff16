# The scripts are in fixtures/fs_walkdir; a candidate that offers NeuroScript runs them in its own interpreter.
@fs_walkdir
Feature: What a script sees of the tool

  @WD-SYN-01
  Rule: callers know the tool as FS.WalkDir

    @WD-SYN-01-03
    Scenario: a script calls it by that name
      Given the tree "walktest/{file1.txt=9}"
      When the script "called" is run
      Then the script runs to its end
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-LAST-01
  Rule: LAST holds the value of the call that was made last

    @WD-LAST-01-01 @also:WD-RET-01
    Scenario: the document's first example
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
      And the tree is unchanged

    @WD-LAST-01-02 @also:WD-ERR-03
    Scenario: the document's second example
      Given the tree "walktest/{file1.txt="Content A"}"
      When the script "missing" is run
      Then the script emits, in any order
        """
        Walk of no_such_dir
        nil, as expected
        """
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

    @WD-LAST-01-03 @interpretation:AMB-WD-12
    Scenario: after a failing call LAST is nil and not what it was before
      Given the tree "walktest/{file1.txt=9}, f=1"
      When the script "after-failure" is run
      Then the script emits, in any order
        """
        before: file1.txt
        after: nil
        """
      And the tree is unchanged

    @WD-LAST-01-04
    Scenario: after a missing directory LAST is nil as well
      Given the tree "walktest/{file1.txt=9}"
      When the script "after-missing" is run
      Then the script emits, in any order
        """
        before: file1.txt
        after: nil
        """
      And the tree is unchanged

    # An error of the call ends such a script, and the scenario does not apply.
    @interpretation:AMB-WD-12
    Scenario Outline: after <case> LAST is nil as well
      Given the tree "walktest/{file1.txt=9}, f=1"
      When the script "<script>" is run
      Then the script emits, in any order
        """
        before: file1.txt
        after: nil
        """
      And the tree is unchanged

      Examples:
        | id            | case                | script             |
        | WD-LAST-01-12 | a way out           | after-outside      |
        | WD-LAST-01-13 | the empty path      | after-empty-path   |
        | WD-LAST-01-14 | a number            | after-number       |
        | WD-LAST-01-15 | a path below a file | after-below-a-file |

    @WD-LAST-01-05
    Scenario: a walk after a failure is seen
      Given the tree "walktest/{file1.txt=9}, f=1"
      When the script "recovery" is run
      Then the script emits, in any order
        """
        first: nil
        second: file1.txt
        """
      And the tree is unchanged

    @WD-LAST-01-06
    Scenario: two calls on an unchanged tree
      Given the tree "walktest/{file1.txt=9}"
      When the script "twice" is run
      Then the script emits, in any order
        """
        first: file1.txt
        second: file1.txt
        """
      And the tree is unchanged

    @WD-LAST-01-07 @interpretation:AMB-WD-12
    Scenario: a value that was kept stays what it was when LAST has another one
      Given the tree "walktest/{file1.txt=9}, f=1"
      When the script "kept" is run
      Then the script emits, in any order
        """
        before: file1.txt
        after: nil
        """
      And the tree is unchanged

    @WD-LAST-01-08
    Scenario: after an empty directory LAST has no entry of the call before
      Given the tree "walktest/{file1.txt=9}, e/"
      When the script "after-empty" is run
      Then the script emits, in any order
        """
        before: file1.txt
        end
        """
      And the tree is unchanged

    @WD-LAST-01-09
    Scenario: LAST stays until the next call
      Given the tree "walktest/{file1.txt=9}"
      When the script "read-twice" is run
      Then the script emits, in any order
        """
        first: file1.txt
        second: file1.txt
        """
      And the tree is unchanged

    @WD-LAST-01-10
    Scenario: a call in a block sets LAST as any call does
      Given the tree "walktest/{file1.txt=9}"
      When the script "in-a-block" is run
      Then the script emits, in any order
        """
        first: file1.txt
        """
      And the tree is unchanged

    @WD-LAST-01-11
    Scenario: a list that was kept stays what it was when LAST has another one
      Given the tree "walktest/{file1.txt=9}, other/{file2.txt=9}"
      When the script "two-lists" is run
      Then the script emits, in any order
        """
        first: file1.txt
        second: file2.txt
        """
      And the tree is unchanged
