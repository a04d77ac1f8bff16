# Each scenario checks a property on random trees and calls. All properties share one sample; --seed selects another
# one, --examples a larger one. A property verifies the requirement of its Rule and no other. The model computes the
# expected results independently and attributes each difference to one requirement.

@list_directory
Feature: What holds for any tree and any call

  @FR-LD-DEF-03
  Rule: the tool only reads

    @LD-P-25-01
    Scenario: nothing on the disk is changed by any call
      Then for any tree and call, the tree is left as it was

  @SCH-LD
  Rule: arguments are judged by the published schema

    @LD-P-19-01
    Scenario: the schema and the tool agree on what is refused
      Then for any tree and call, what the schema refuses is refused

    @LD-P-01-01
    Scenario: valid arguments are not refused
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-01
  Rule: a path that is blank is refused

    @LD-P-01-02
    Scenario: blank paths among others
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-02
  Rule: a flat listing knows no depth but 1

    @LD-P-01-03
    Scenario: depths without recursion
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-03
  Rule: recursion has the default depth

    @LD-P-01-04
    Scenario: recursion that names no depth
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-04
  Rule: no call gets more entries than are configured

    @LD-P-01-05
    Scenario: limits around the configured one
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-05
  Rule: one kind of entry at least is on

    @LD-P-12-01
    Scenario: each kind alone, and together the whole
      Then for any tree and call, the kinds listed one by one make the whole

    @LD-P-01-06
    Scenario: kinds switched off by call and configuration
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-06
  Rule: include_other is for special files

    @LD-P-12-02
    Scenario: special files and nothing else
      Then for any tree and call, special files are the difference that include_other makes

    @LD-P-01-07
    Scenario: special files with and without the switch
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-06a
  Rule: call before configuration before built-in value

    @LD-P-20-01
    Scenario: what is filled in could as well be written out
      Then for any tree, call and configuration, defaults written out change nothing

    @LD-P-01-08
    Scenario: switches in the call against those configured
      Then for any tree, call and configuration, the answer is what the model says of this rule

  @FR-LD-VAL-06b
  Rule: recursion goes no deeper than configured

    @LD-P-01-09
    Scenario: depths around the configured one
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-07
  Rule: the sandbox has no way out

    @LD-P-21-01
    Scenario: no spelling and no link leads out
      Then for any tree and call, what is listed lies inside the sandbox

    @LD-P-01-10
    Scenario: paths that leave and paths that stay
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-08
  Rule: the target is an existing directory

    @LD-P-01-11
    Scenario: directories, files, links and nothing at all
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-09
  Rule: no link is walked through

    @LD-P-01-12
    Scenario: links of all kinds in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-10
  Rule: the shown path is the cleaned one

    @LD-P-15-01
    Scenario: all spellings of one path
      Then for any tree and call, every spelling of a path shows the same

    @LD-P-22-01
    Scenario: paths of any characters, dots, slashes and blanks
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-01
  Rule: a flat listing holds the children

    @LD-P-13-01
    Scenario: the first level of a deep listing
      Then for any tree and call, a flat listing is the first level of a deep one

    @LD-P-01-13
    Scenario: flat listings of any tree
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-02
  Rule: a deep listing holds every descendant in reach

    @LD-P-13-02
    Scenario: depth by depth
      Then for any tree and call, a smaller depth shows the near part of a greater one

    @LD-P-14-01
    Scenario: directory by directory
      Then for any tree and call, a subdirectory by itself has the names that its parent shows in it

    @LD-P-01-14
    Scenario: deep listings of any tree
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-03
  Rule: no entry stands for the directory itself or its parent

    @LD-P-01-15
    Scenario: names that look like dots
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-04
  Rule: entries without metadata are listed as unknown

    @LD-P-24-01
    Scenario: directories that may be read and not searched
      Then for any tree, call and file modes, the answer is what the model says of this rule

  @FR-LD-LST-05
  Rule: the walk decides who survives the limit

    @LD-P-06-01
    Scenario: limits from one to all but one
      Then for any tree and call, under every limit the entries are the first of the walk

    @LD-P-01-16
    Scenario: survivors of any limit in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-06
  Rule: filters come before counting, and hidden entries are filtered

    @LD-P-11-01
    Scenario: with and without hidden entries
      Then for any tree and call, leaving out what is hidden leaves the rest as it is

    @LD-P-01-17
    Scenario: switches and limits in any combination
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-06a
  Rule: a leading dot hides, and nothing else does

    @LD-P-01-18
    Scenario: dots at the beginning, in the middle, at the end, and look-alikes
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-07
  Rule: the limit ends the walk and is told

    @LD-P-23-01
    Scenario: limits below the number of entries, at it and above it
      Then for any tree and call, from the limit on it is met, and above it the listing is cut

    @LD-P-01-19
    Scenario: flags around the limit
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-LST-08
  Rule: directories that cannot be read are told

    @LD-P-24-02
    Scenario: directories of any mode in any tree
      Then for any tree, call and file modes, the answer is what the model says of this rule

  @DOC-01
  Rule: the output is one object with six members

    @LD-P-01-20
    Scenario: outputs of any call
      Then for any tree and call, the answer is what the model says of this rule

  @DOC-03
  Rule: entries is an array of objects with nine members

    @LD-P-01-21
    Scenario: entries of any kind
      Then for any tree and call, the answer is what the model says of this rule

  @DOC-04
  Rule: returned counts the entries

    @LD-P-01-45
    Scenario: the counter of any document
      Then for any tree and call, the answer is what the model says of this rule

  @DOC-05
  Rule: max_entries is the limit in force

    @LD-P-01-22
    Scenario: limits of the call, of the configuration and the built-in one
      Then for any tree and call, the answer is what the model says of this rule

  @DOC-06
  Rule: truncated tells whether something was cut

    @LD-P-23-02
    Scenario: flat listings far below the limit
      Then for any tree and call, a flat listing below the limit is not cut

    @LD-P-01-23
    Scenario: listings that are whole
      Then for any tree and call, the answer is what the model says of this rule

  @DOC-07
  Rule: the reason is null or one of two words

    @LD-P-01-44
    Scenario: reasons of listings that are cut
      Then for any tree and call, the answer is what the model says of this rule

  @EF-01
  Rule: name is the last component of the path

    @LD-P-01-24
    Scenario: names of any bytes
      Then for any tree and call, the answer is what the model says of this rule

  @EF-02
  Rule: path leads from the requested directory to the entry

    @LD-P-14-02
    Scenario: paths seen from a directory and from its parent
      Then for any tree and call, a subdirectory by itself has the paths that its parent shows in it

    @LD-P-01-25
    Scenario: paths in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @EF-03
  Rule: depth counts from the requested directory

    @LD-P-14-03
    Scenario: depths seen from a directory and from its parent
      Then for any tree and call, a subdirectory by itself is one level less deep than in its parent

    @LD-P-01-26
    Scenario: depths in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @EF-04
  Rule: type is one of five words and never that of a link's target

    @LD-P-01-27
    Scenario: entries of every kind
      Then for any tree and call, the answer is what the model says of this rule

  @EF-05
  Rule: size is that of a file and of nothing else

    @LD-P-01-28
    Scenario: sizes in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @EF-06
  Rule: time is the entry's own

    @LD-P-01-29
    Scenario: times in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @EF-07
  Rule: is_hidden is a matter of the name

    @LD-P-01-30
    Scenario: is_hidden in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @EF-08
  Rule: error_code belongs to unknown entries

    @LD-P-24-03
    Scenario: codes of what fails in any tree
      Then for any tree, call and file modes, the answer is what the model says of this rule

  @EF-09
  Rule: error belongs to unknown entries

    @LD-P-24-04
    Scenario: error texts of what fails in any tree
      Then for any tree, call and file modes, the answer is what the model says of this rule

  @FR-LD-OUT-01
  Rule: entries are in the order of their paths

    @LD-P-01-31
    Scenario: order among names of any bytes
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-OUT-02
  Rule: equal trees and calls give equal bytes

    @LD-P-16-01
    Scenario: trees made in another order
      Then for any tree and call, the order in which the tree was made plays no part

    @LD-P-17-01
    Scenario: processes with another locale, time zone, directory, umask and hash seed
      Then for any tree and call, the process that is asked plays no part

  @FR-LD-OUT-02a
  Rule: the document is canonical

    @LD-P-01-32
    Scenario: characters of all kinds in names
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-OUT-02b
  Rule: counter, flag and reason agree

    @LD-P-01-33
    Scenario: the three members of any listing
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-OUT-03
  Rule: no output is longer than the smaller budget

    @LD-P-08-01
    Scenario: budgets around the length of the document
      Then for any tree, call and budget, the output is no longer than the smaller budget

    @LD-P-10-01
    Scenario: budgets the other way round
      Then for any tree, call and budget, exchanging the budgets changes nothing

    @LD-P-01-34
    Scenario: lengths under any budget
      Then for any tree, call and budget, the answer is what the model says of this rule

  @FR-LD-OUT-05
  Rule: what does not fit is cut, and that is told

    @LD-P-07-01
    Scenario: flag and reason under falling budgets
      Then for any tree, call and budget, what a budget cuts is said to be cut

    @LD-P-01-35
    Scenario: cuts under any budget
      Then for any tree, call and budget, the answer is what the model says of this rule

  @FR-LD-OUT-06
  Rule: length is that in bytes

    @LD-P-08-02
    Scenario: budgets between characters and bytes
      Then for any tree, call and budget, the output is measured in bytes

    @LD-P-01-36
    Scenario: names of many bytes under any budget
      Then for any tree, call and budget, the answer is what the model says of this rule

  @FR-LD-OUT-07
  Rule: entries go from the end, and no more than have to

    @LD-P-07-02
    Scenario: what is left under falling budgets
      Then for any tree, call and budget, what a budget leaves is the beginning of the whole list

    @LD-P-09-01
    Scenario: whether another entry would have fitted
      Then for any tree, call and budget, one entry more would not fit

    @LD-P-01-37
    Scenario: what is left under any budget
      Then for any tree, call and budget, the answer is what the model says of this rule

  @FR-LD-OUT-08
  Rule: a budget without room for any document fails the call

    @LD-P-08-03
    Scenario: failures under falling budgets
      Then for any tree, call and budget, a call that fails for its budget fails for every smaller one

    @LD-P-01-38
    Scenario: budgets around the shortest document
      Then for any tree, call and budget, the answer is what the model says of this rule

  @FR-LD-ERR-01
  Rule: bad arguments are BadArgs

    @LD-P-19-02
    Scenario: kinds of errors for arguments of all sorts
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-ERR-02
  Rule: breaches of the sandbox are SandboxViolation

    @LD-P-21-02
    Scenario: kinds of errors for paths that leave
      Then for any tree and call, the answer is what the model says of this rule

  @NFR-LD-REL-01
  Rule: the output is valid JSON whatever the budget

    @LD-P-08-04
    Scenario: outputs under falling budgets
      Then for any tree, call and budget, the output is JSON whatever the budget

    @LD-P-01-39
    Scenario: outputs under any budget
      Then for any tree, call and budget, the answer is what the model says of this rule

  @NFR-LD-REL-02
  Rule: names that are not UTF-8 are shown with U+FFFD, and none is lost

    @LD-P-18-01
    Scenario: entries counted here and on the disk
      Then for any tree and call, there are as many entries as on the disk

    @LD-P-01-40
    Scenario: names of stray bytes, alone and side by side
      Then for any tree and call, the answer is what the model says of this rule

  @NFR-LD-PORT-01
  Rule: components are joined by slashes

    @LD-P-01-41
    Scenario: separators in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @CFG-LD-03
  Rule: the configured depth is default and limit

    @LD-P-01-42
    Scenario: configured depths in any tree
      Then for any tree, call and configuration, the answer is what the model says of this rule

  @CFG-LD-05
  Rule: four levels where nothing is configured

    @LD-P-01-43
    Scenario: recursion to the built-in depth in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @FR-LD-VAL-06a
  Rule: configured defaults stand in for switches that are left out

    @LD-P-20-02
    Scenario: configured switches in any combination
      Then for any tree, call and configuration, the answer is what the model says of this rule
