@fs_walkdir
Feature: Links are met, and lead nowhere

  @WD-SEC-03
  Rule: a link that the walk meets is an element and is not followed

    @returns @behaviour:BEH-09
    Scenario Outline: a link is listed, and not followed: <case>
      Given the tree "<tree>"
      And beside the sandbox the tree "outside/{secret, od/{deep}}"
      When FS.WalkDir is called with {"path": "t"}
      Then the entries are "<entries>"

      Examples:
        | id            | case                                      | tree                                  | entries                 |
        | WD-SEC-03-01  | to a directory and to a file              | t/{real/{x=1}, ld->real, lf->real/x}  | ld, lf, real, real/x    |
        | WD-SEC-03-02  | to a directory outside                    | t/{o->../../outside, f=1}             | f, o                    |
        | WD-SEC-03-03  | by an absolute path                       | t/{o->$OUTSIDE/outside, r->$ROOT/t, f} | f, o, r                |
        | WD-SEC-03-04  | to a system directory                     | t/{e->/etc, f}                        | e, f                    |
        | WD-SEC-03-05  | dangling, and in a circle                 | t/{d->nope, l->l, m->n, n->m, f=1}    | d, f, l, m, n           |
        | WD-SEC-03-06  | to its parent                             | t/{a/{up->..}, f=1}                   | a, a/up, f              |
        | WD-SEC-03-07  | to its own directory                      | t/{a/{here->.}}                       | a, a/here               |
        | WD-SEC-03-08  | to each other's directories               | t/{a/{tob->../b}, b/{toa->../a}}      | a, a/tob, b, b/toa      |
        | WD-SEC-03-09  | to a directory of the sandbox that is not walked | t/{l->../s}, s/{x}             | l                       |
        | WD-SEC-03-10  | with a target that ends in a slash        | t/{l->d/, d/{x}}                      | d, d/x, l               |
        | WD-SEC-03-11  | in a chain                                | t/{a->b, b->c, c/{x}}                 | a, b, c, c/x            |
        | WD-SEC-03-12  | hidden                                    | t/{.l->d, d/{x}}                      | .l, d, d/x              |
        | WD-SEC-03-101 | into a directory that nobody may enter    | t/{l->../c/in/x, f=1}, c/%0000{in/{x}} | f, l                   |
        | WD-SEC-03-102 | a dozen                                   | t/{l00..l11->../s, m/{f=1}, z}        | l00..l11, m, m/f, z     |

    @WD-SEC-03-13
    Scenario: the targets of links are not opened
      Given the tree "t/{l->../s, m->../../outside, d/{x}}, s/{y}"
      And beside the sandbox the tree "outside/{secret}"
      And opened directories are watched
      When FS.WalkDir is called with {"path": "t"}
      Then the entries include "d, d/x"
      And "s, ../outside" were never opened

  @WD-WALK-04
  Rule: a start that is a link to a directory inside

    Scenario Outline: a start that is a link has its content, nothing, or is refused: <case>
      Given the tree "real/{d/{x=1}, y}, <links>"
      When FS.WalkDir is called with {"path": "<path>"}
      Then by AMB-WD-06 the answer is one of
        | reading | entries   | result  |
        | content | d, d/x, y |         |
        | empty   | ""        |         |
        | nil     |           | no list |

      Examples:
        | id            | case                | links           | path |
        | WD-WALK-04-01 | one link            | l->real         | l    |
        | WD-WALK-04-02 | a chain of links    | l->m, m->real   | l    |
        | WD-WALK-04-03 | an absolute link    | l->$ROOT/real   | l    |
        | WD-WALK-04-04 | a link further down | e/{l->../real}  | e/l  |

    # Systems take the slash for a request to follow the link, and tools that clean a path remove it.
    Scenario Outline: a start that is a link has its content, nothing, or is refused, also with <case>
      Given the tree "real/{x=1}, l->real"
      When FS.WalkDir is called with {"path": "<path>"}
      Then the answer is one of
        | entries | result  |
        | x       |         |
        | ""      |         |
        |         | no list |

      Examples:
        | id            | case                     | path |
        | WD-WALK-04-06 | a slash behind it       | l/   |
        | WD-WALK-04-07 | a slash and a dot behind it | l/.  |

    @WD-WALK-04-05
    Scenario: a start that passes through a link inside is walked, or refused
      Given the tree "real/{d/{x=1}}, l->real"
      When FS.WalkDir is called with {"path": "l/d"}
      Then by AMB-WD-06 the answer is one of
        | reading | entries | result  |
        | empty   | x       |         |
        | content | x       |         |
        | nil     | x       |         |
        | nil     |         | no list |
