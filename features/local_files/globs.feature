# Each row is one possible error in a translation of globs into another language.
@local_files
Feature: What a glob matches, character by character and level by level

  @LF-FIND-02
  Rule: the glob decides what is found

    Scenario Outline: <glob>: <case>
      Given the tree "<tree>"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "<glob>"}
      Then the entries are "<entries>"
      And the tree is unchanged

      Examples:
        | id             | case                                | glob                   | tree                                       | entries                      |
        | LF-FIND-02-301 | a bar is plain                      | **/a\|b                | 'a\|b', a, b                               | 'a\|b'                       |
        | LF-FIND-02-302 | a dollar and a caret are plain      | **/^a$                 | '^a$', a                                   | '^a$'                        |
        | LF-FIND-02-303 | a set is no slash, nor is its opposite | a[!x]c              | abc, a/{c}                                 | abc                          |
        | LF-FIND-02-304 | two ranges in one set               | [a-cx-z]1              | a1, y1, d1                                 | a1, y1                       |
        | LF-FIND-02-305 | several characters that are not     | [!ab]1                 | a1, b1, c1                                 | c1                           |
        | LF-FIND-02-306 | a question mark is a dot as well    | a?c/x                  | a.c/{x}                                    | a.c/x                        |
        | LF-FIND-02-307 | a question mark beyond 16 bits      | a?c                    | 'a\U0001f600c', ac                         | 'a\U0001f600c'               |
        | LF-FIND-02-308 | alternatives of several directories | {src/main,test}/*.java | src/{main/{A.java}}, test/{B.java}, C.java | src/main/A.java, test/B.java |
        | LF-FIND-02-309 | two alternatives match, one finding | {a*,*b}/x              | ab/{x}, c/{x}                              | ab/x                         |
        | LF-FIND-02-310 | two ways to match, one finding      | **/x/**/*.java         | x/{x/{A.java}}                             | x/x/A.java                   |
        | LF-FIND-02-311 | two stars for the third time        | **/a/**/b/**/*.c       | a/{x/{b/{y/{z/{f.c}}}}}                    | a/x/b/y/z/f.c                |

    @LF-FIND-02-312 @needs:case_sensitive
    Scenario: case matters in a range
      Given the tree "a1, B1, d1"
      When findFiles is called with {"path": "$ROOT", "recursive": true, "glob": "[a-c]1"}
      Then the entries are "a1"
      And the tree is unchanged
