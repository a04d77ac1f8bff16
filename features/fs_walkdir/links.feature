@fs_walkdir
Feature: Links are met, and lead nowhere

  @WD-SEC-03
  Rule: a link that the walk meets is an element and is not followed

    @returns
    Scenario Outline: <case>
      Given the tree "<tree>"
      And beside the sandbox the tree "outside/{secret, od/{deep}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the elements are "<entries>"
      And the tree is unchanged

      Examples:
        | id           | case                                      | tree                                  | entries                 |
        | WD-SEC-03-01 | links to a directory and to a file        | t/{real/{x=1}, ld->real, lf->real/x}  | ld, lf, real, real/x    |
        | WD-SEC-03-02 | a link to a directory outside             | t/{o->../../outside, f=1}             | f, o                    |
        | WD-SEC-03-03 | a link by an absolute path                | t/{o->$OUTSIDE/outside, r->$ROOT/t, f} | f, o, r                |
        | WD-SEC-03-04 | a link to a system directory              | t/{e->/etc, f}                        | e, f                    |
        | WD-SEC-03-05 | dangling links and loops                  | t/{d->nope, l->l, m->n, n->m, f=1}    | d, f, l, m, n           |
        | WD-SEC-03-06 | a link to its parent                      | t/{a/{up->..}, f=1}                   | a, a/up, f              |
        | WD-SEC-03-07 | a link to its own directory               | t/{a/{here->.}}                       | a, a/here               |
        | WD-SEC-03-08 | links to each other's directories         | t/{a/{tob->../b}, b/{toa->../a}}      | a, a/tob, b, b/toa      |
        | WD-SEC-03-09 | a link to a directory of the sandbox that is not walked | t/{l->../s}, s/{x}      | l                       |
        | WD-SEC-03-10 | a link whose target ends in a slash       | t/{l->d/, d/{x}}                      | d, d/x, l               |
        | WD-SEC-03-11 | a chain of links                          | t/{a->b, b->c, c/{x}}                 | a, b, c, c/x            |
        | WD-SEC-03-12 | a hidden link                             | t/{.l->d, d/{x}}                      | .l, d, d/x              |
        | WD-SEC-03-102 | a dozen links                             | t/{l00..l11->../s, m/{f=1}, z}        | l00..l11, m, m/f, z     |
        | WD-SEC-03-101 | a link into a directory that nobody may enter | t/{l->../c/in/x, f=1}, c/%0000{in/{x}} | f, l              |

    @WD-SEC-03-13
    Scenario: what links lead to is not opened on their account
      Given the tree "t/{l->../s, m->../../outside, d/{x}}, s/{y}"
      And beside the sandbox the tree "outside/{secret}"
      And opened directories are watched
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, d/x"
      And "s, ../outside" were never opened
      And the tree is unchanged

  @WD-WALK-04
  Rule: a start that is a link to a directory inside

    # Whether the start is an element is the question of WD-WALK-02, and not counted.
    Scenario Outline: the start is <case>
      Given the tree "<tree>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-06 the answer is one of
        | reading | include | count | result  |
        | content | x       | 1     |         |
        | empty   |         | 0     |         |
        | nil     |         |       | no list |
      And a control call with {"path": "real"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | case                   | tree                        | path |
        | WD-WALK-04-01 | one link               | real/{x=1}, l->real         | l    |
        | WD-WALK-04-02 | a chain of links       | real/{x=1}, l->m, m->real   | l    |
        | WD-WALK-04-03 | an absolute link       | real/{x=1}, l->$ROOT/real   | l    |
        | WD-WALK-04-04 | a link further down    | real/{x=1}, d/{l->../real}  | d/l  |

    @WD-WALK-04-05
    Scenario: a start that passes through a link inside
      Given the tree "real/{d/{x=1}}, l->real"
      When FS.WalkDir is called with {"path": "l/d"}
      Then by AMB-WD-06 the answer is one of
        | reading | entries | result  |
        | empty   | x       |         |
        | content | x       |         |
        | nil     | x       |         |
        | nil     |         | no list |
      And a control call with {"path": "real"} lists "d, d/x"
      And the tree is unchanged

    @WD-WALK-04-08
    Scenario: a start that is a link, and more than one level below it
      Given the tree "real/{d/{x=1}, y}, l->real"
      When FS.WalkDir is called with {"path": "l"}
      Then by AMB-WD-06 the answer is one of
        | reading | include   | count | result  |
        | content | d, d/x, y | 3     |         |
        | empty   |           | 0     |         |
        | nil     |           |       | no list |
      And a control call with {"path": "real"} lists "d, d/x, y"
      And the tree is unchanged

    # Systems take the slash for a request to follow the link, and tools that clean a path remove it.
    Scenario Outline: the start is a link with <case> behind it
      Given the tree "real/{x=1}, l->real"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the answer is one of
        | include | count | result  |
        | x       | 1     |         |
        |         | 0     |         |
        |         |       | no list |
      And a control call with {"path": "real"} lists "x"
      And the tree is unchanged

      Examples:
        | id            | case              | path |
        | WD-WALK-04-06 | a slash           | l/   |
        | WD-WALK-04-07 | a slash and a dot | l/.  |
