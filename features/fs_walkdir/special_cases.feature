@fs_walkdir
Feature: Cases that few trees contain

  @WD-ARG-01
  Rule: path is the one argument

    Scenario Outline: arguments that are <case>
      Given the tree "walktest/{file1.txt=9}, z"
      When FS.WalkDir is called with exactly <arguments>
      Then the answer is one of
        | result | fails     |
        | nil    |           |
        |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

      Examples:
        | id           | case          | arguments |
        | WD-ARG-01-10 | an empty list | []        |
        | WD-ARG-01-11 | a number      | 5         |
        | WD-ARG-01-12 | null          | null      |

  @WD-RET-01
  Rule: the list has maps of five keys, and nothing else

    Scenario Outline: a list of one element: <case>
      Given the tree "t/{<tree>}"
      When FS.WalkDir is called with {"path": "t"}
      Then every entry has the documented types
      And the tree is unchanged

      Examples:
        | id           | case        | tree |
        | WD-RET-01-07 | a file      | f=1  |
        | WD-RET-01-08 | a directory | d/   |

  @WD-ENT-01
  Rule: name is the base name

    @WD-ENT-01-113
    Scenario: a backslash in a name is a character
      Given the tree "t/{'a\\b'=1, 'c\\'/{'\\d'}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entry "'a\\b'" has {"name": "a\\b"}
      And every name is the last component of its path
      And the tree is unchanged

    @WD-ENT-01-114
    Scenario: letters of other scripts in a process with the simplest locale
      Given the tree "t/{'é文'/{'\U0001f600'}}"
      And the candidate's process has {"env": {"LC_ALL": "C", "LANG": null}}
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "'é文', 'é文/\U0001f600'"
      And every name is the last component of its path
      And the tree is unchanged

  @WD-ENT-02
  Rule: path leads from the start to the entry

    Scenario Outline: paths below a start with a name of its own: <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id           | case                    | tree                       | path      | entries   |
        | WD-ENT-02-13 | dots in front of names  | t/{.env, .git/{.x/{'..y'}}, '...'} | t | .env, .git, .git/.x, .git/.x/..y, '...' |
        | WD-ENT-02-14 | signs of expressions    | 'a+b'/{'(c)'/{x/{y}}}      | a+b/(c)   | x, x/y    |
        | WD-ENT-02-15 | a set and a dot         | '[d]'/{'e.*'/{x/{y}}}      | [d]/e.*   | x, x/y    |
        | WD-ENT-02-16 | a dot with a slash      | a/{b}, c                   | ./        | a, a/b, c |

    @WD-ENT-02-17
    Scenario: paths below a start that passes through a link
      Given the tree "far/{real/{d/{e/{x=1}}}}, l->far/real"
      When FS.WalkDir is called with {"path": "l/d"}
      Then by AMB-WD-06 the answer is one of
        | reading | entries | result  |
        | empty   | e, e/x  |         |
        | content | e, e/x  |         |
        | nil     | e, e/x  |         |
        | nil     |         | no list |
      And a control call with {"path": "far/real"} lists "d, d/e, d/e/x"
      And the tree is unchanged

  @WD-ENT-04
  Rule: size is the length of a file in bytes

    @WD-ENT-04-18
    Scenario: links that lead nowhere have a number as well
      Given the tree "t/{l->gone, m->m, d/{n->../nope}, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "f"
      And every size is a number
      And the tree is unchanged

  @WD-ENT-05
  Rule: modTime is the modification time in RFC 3339

    @WD-ENT-05-109
    Scenario: a directory's time is its own, and not that of what is in it
      Given the tree "t/{d/@1000000000000{f=1@1500000000000, g=1@500000000000, e/@1600000000000}}"
      When FS.WalkDir is called with {"path": "t"}
      Then modTime of "d" is the instant 2001-09-09T01:46:40Z
      And the tree is unchanged

  @WD-WALK-01
  Rule: every file and directory, at any depth

    Scenario Outline: everything, also <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the walk meets "<entries>"
      And the tree is unchanged

      Examples:
        | id            | case                    | tree                                            | path | entries                |
        | WD-WALK-01-21 | links to files          | t/{f=1, l->f, d/{m->../f, n->../g}, g=2}        | t    | d, d/m, d/n, f, g, l   |
        | WD-WALK-01-22 | large files             | t/{f=2147483648, g=4294967297, d/{h=1099511627777}, k=1} | t | d, d/h, f, g, k |
        | WD-WALK-01-23 | deep below the sandbox  | a/{b/{c/{d=1}}}, e                              | .    | a, a/b, a/b/c, a/b/c/d, e |

  @WD-WALK-02
  Rule: the start itself is no element

    Scenario Outline: a start with a hidden name: <path>
      Given the tree ".t/{a/{b}, .u/{c}}"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id            | path  | entries           |
        | WD-WALK-02-05 | .t    | a, a/b, .u, .u/c  |
        | WD-WALK-02-06 | .t/.u | c                 |

    # What is behind the link is another question, and so is the walk of the directory that it is in.
    @WD-WALK-02-07
    Scenario: a start that is a link
      Given the tree "d/{real/{x=1}}, l->d/real"
      When FS.WalkDir is called with {"path": "l"}
      Then the answer is one of
        | result              | without | include |
        | without the start   | l       |         |
        |                     |         | d       |
        | anything but a list |         |         |
      And a control call with {"path": "d/real"} lists "x"
      And the tree is unchanged

  @WD-ERR-01
  Rule: an error is a value, and the call succeeds

    @WD-ERR-01-15
    Scenario: no error of the call: a name that is not UTF-8
      Given the tree "walktest/{file1.txt=9}, t/{a, x'\xff'}"
      When FS.WalkDir is called with {"path": "t"}
      Then by AMB-WD-23 the answer is one of
        | reading | result | fails     |
        |         | a list |           |
        | nil     | nil    |           |
        | error   |        | any error |
      And a control call with {"path": "walktest"} lists "file1.txt"
      And the tree is unchanged

  @WD-SEC-04
  Rule: no content is read, and nothing is changed

    @WD-SEC-04-07
    Scenario: links that lead nowhere stay where they are
      Given the tree "t/{l->gone, m->m, d/{n->../nope}, f=1}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "f"
      And the tree is unchanged
