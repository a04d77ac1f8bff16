# Each scenario checks a property on random trees and calls. All properties share one sample; --seed selects another
# one, --examples a larger one. A property verifies the requirement of its Rule and no other. The model computes the
# expected results independently and attributes each difference to one requirement.

@ls
Feature: What holds for any tree and any call

  @LS-DEF-04
  Rule: what is left out has its default

    @LS-P-DEF-04-01
    Scenario: calls that leave out this and that
      Then for any tree and call, the answer is what the model says of this rule

    @LS-P-DEF-04-02
    Scenario: what is left out could as well be written out
      Then for any tree and call, defaults written out change nothing

  @LS-ARG-01
  Rule: path is a text

    @LS-P-ARG-01-01
    Scenario: paths of all types
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-02
  Rule: offset is a whole number from 0 on

    @LS-P-ARG-02-01
    Scenario: offsets of all types and sizes
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-03
  Rule: limit is a whole number from 1 to 200

    @LS-P-ARG-03-01
    Scenario: limits of all types and sizes
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-04
  Rule: include_hidden is true or false

    @LS-P-ARG-04-01
    Scenario: all that is neither
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-05
  Rule: ignore is null or an array of texts

    @LS-P-ARG-05-01
    Scenario: patterns of all types
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-06
  Rule: true and false are no integers

    @LS-P-ARG-06-01
    Scenario: true and false as numbers
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-07
  Rule: an unknown argument breaks nothing

    @LS-P-ARG-07-01
    Scenario: unknown arguments among known ones
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ARG-08
  Rule: whatever is asked, the answer is an envelope

    @LS-P-ARG-08-01
    Scenario: calls of all kinds
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ENV-07
  Rule: cwd is the working directory

    @LS-P-ENV-07-01
    Scenario: working directories in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ENV-08
  Rule: params_input is what was sent

    @LS-P-ENV-08-01
    Scenario: arguments of all kinds
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ENV-09
  Rule: path_resolved is the normalised path

    @LS-P-ENV-09-01
    Scenario: paths of all spellings
      Then for any tree and call, the answer is what the model says of this rule

    @LS-P-ENV-09-02
    Scenario: other spellings of a directory
      Then for any tree and call, slashes and dots that say nothing change nothing

  @LS-DATA-03
  Rule: paths are relative to the root

    @LS-P-DATA-03-01
    Scenario: the paths of all entries
      Then for any tree and call, the answer is what the model says of this rule

  @LS-DATA-05
  Rule: a link is a link

    @LS-P-DATA-05-01
    Scenario: the types of all entries
      Then for any tree and call, the answer is what the model says of this rule

  @LS-DATA-06
  Rule: direct children, each once

    @LS-P-DATA-06-01
    Scenario: directories in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-DATA-07
  Rule: where a link leads is never said

    @LS-P-DATA-07-01
    Scenario: links in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-PAGE-01
  Rule: a page begins at offset and holds limit entries

    @LS-P-PAGE-01-01
    Scenario: offsets and limits around the length of the list
      Then for any tree and call, the answer is what the model says of this rule

    @LS-P-PAGE-01-02
    Scenario: pages and the whole list
      Then for any tree and call, a page is a slice of the whole list

  @LS-PAGE-02
  Rule: truncated says that something was cut off

    @LS-P-PAGE-02-01
    Scenario: pages around the end of the list
      Then for any tree and call, the answer is what the model says of this rule

  @LS-PAGE-03
  Rule: partial is what is truncated

    @LS-P-PAGE-03-01
    Scenario: status and flag of all pages
      Then for any tree and call, the answer is what the model says of this rule

  @LS-PAGE-04
  Rule: the announced offsets lead through the list

    @LS-P-PAGE-04-02
    Scenario: from page to page
      Then for any tree and call, the announced offsets lead through the whole list

  @LS-PAGE-05
  Rule: an offset behind the end is no error

    @LS-P-PAGE-05-01
    Scenario: offsets at the end and behind it
      Then for any tree and call, the answer is what the model says of this rule

  @LS-STAT-02
  Rule: dirs, files and links count by type

    @LS-P-STAT-02-01
    Scenario: the counts of all listings
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-01
  Rule: names with a leading dot are hidden

    @LS-P-FILT-01-01
    Scenario: dots in any place of a name
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-02
  Rule: the listed names are left out

    @LS-P-FILT-02-01
    Scenario: listed names in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-03
  Rule: include_hidden shows both

    @LS-P-FILT-03-01
    Scenario: hidden and listed names with include_hidden
      Then for any tree and call, the answer is what the model says of this rule

    @LS-P-FILT-03-02
    Scenario: hidden entries are an addition
      Then for any tree and call, include_hidden shows all the rest as well

  @LS-FILT-04
  Rule: patterns are held against names

    @LS-P-FILT-04-01
    Scenario: patterns without a separator
      Then for any tree and call, the answer is what the model says of this rule

    @LS-P-FILT-04-02
    Scenario: one more pattern
      Then for any tree and call, a pattern takes away what it matches and nothing else

  @LS-FILT-05
  Rule: patterns with a separator are held against paths

    @LS-P-FILT-05-01
    Scenario: patterns with separators
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-06
  Rule: a leading **/ stands for no directory as well

    @LS-P-FILT-06-01
    Scenario: patterns that begin with it
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-07
  Rule: filters come before pages and counts

    @LS-P-FILT-07-01
    Scenario: filters and pages together
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-08
  Rule: ignore comes on top

    @LS-P-FILT-08-01
    Scenario: patterns with and without include_hidden
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-09
  Rule: only the very same names are meant

    @LS-P-FILT-09-01
    Scenario: names that are nearly listed ones
      Then for any tree and call, the answer is what the model says of this rule

  @LS-FILT-10
  Rule: the directory asked for may have any name

    @LS-P-FILT-10-01
    Scenario: listed names as paths
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SORT-01
  Rule: directories before files

    @LS-P-SORT-01-01
    Scenario: directories and files in any order of names
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SORT-02
  Rule: by name, without regard to case

    @LS-P-SORT-02-01
    Scenario: capitals, digits and small letters
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SORT-03
  Rule: links to directories inside are among the directories

    @LS-P-SORT-03-01
    Scenario: links to directories in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SORT-04
  Rule: other links stand behind the directories

    @LS-P-SORT-04-01
    Scenario: links to files and to nothing in any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SORT-05
  Rule: names that differ in case only have a fixed order

    @LS-P-SORT-05-02
    Scenario: the same tree made the other way round
      Then for any tree and call, the order in which the tree was made plays no part

  @LS-SEC-01
  Rule: a path outside is refused

    @LS-P-SEC-01-01
    Scenario: paths that leave and paths that stay
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SEC-02
  Rule: relative paths start at the working directory

    @LS-P-SEC-02-01
    Scenario: paths from directories below
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SEC-03
  Rule: an absolute path inside is accepted

    @LS-P-SEC-03-01
    Scenario: absolute paths in any spelling
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SEC-04
  Rule: what counts is where a path leads

    @LS-P-SEC-04-01
    Scenario: paths over links
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SEC-05
  Rule: a common beginning of two names is nothing

    @LS-P-SEC-05-01
    Scenario: paths to siblings of the root
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SEC-06
  Rule: whether something outside exists is not told

    @LS-P-SEC-06-01
    Scenario: paths to nothing outside
      Then for any tree and call, the answer is what the model says of this rule

  @LS-SEC-07
  Rule: a link out tells nothing

    @LS-P-SEC-07-01
    Scenario: links out of any tree
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ERR-01
  Rule: a path that does not exist is NOT_FOUND

    @LS-P-ERR-01-01
    Scenario: paths to nothing
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ERR-02
  Rule: the sentence for a path outside

    @LS-P-ERR-02-01
    Scenario: what is said of paths that leave
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ERR-03
  Rule: what is no directory is INVALID_PARAM

    @LS-P-ERR-03-01
    Scenario: paths to files
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ERR-04
  Rule: what may not be read is ACCESS_DENIED

    @LS-P-ERR-04-01
    Scenario: paths to closed directories
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ERR-05
  Rule: wrong arguments are INVALID_PARAM

    @LS-P-ERR-05-01
    Scenario: wrong arguments of all kinds
      Then for any tree and call, the answer is what the model says of this rule

  @LS-ERR-09
  Rule: messages are the suggested ones

    @LS-P-ERR-09-01
    Scenario: the messages of missing paths, files and closed directories
      Then for any tree and call, the answer is what the model says of this rule

  @LS-TEXT-03
  Rule: line 3 says what is shown and what is left

    @LS-P-TEXT-03-01
    Scenario: the third line of all cut listings
      Then for any tree and call, the answer is what the model says of this rule

  @LS-TEXT-04
  Rule: line 4 says how to go on

    @LS-P-TEXT-04-01
    Scenario: the fourth line of all cut listings
      Then for any tree and call, the answer is what the model says of this rule

  @LS-TEXT-05
  Rule: an empty line, and a line for each entry

    @LS-P-TEXT-05-01
    Scenario: the last lines of all listings
      Then for any tree and call, the answer is what the model says of this rule

  @LS-XR-01
  Rule: a listing only reads

    @LS-P-XR-01-02
    Scenario: nothing on the disk is changed by any call
      Then for any tree and call, the tree is left as it was
