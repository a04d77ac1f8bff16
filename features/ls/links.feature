@ls
Feature: A link has the place of what it leads to, if that is a directory inside the sandbox

  @LS-SORT-03
  Rule: a link to a directory inside stands among the directories

    @behaviour:BEH-09
    Scenario Outline: a link to a directory: <what>
      Given the tree "<tree>"
      When LS is called with {}
      Then the entries in order are "<entries>"

      Examples:
        | id             | what                    | tree                                                             | entries                                      |
        | LS-SORT-03-01  | beside it               | real/{x}, l->real, a, zz/                                        | l, real, zz, a                               |
        | LS-SORT-03-02  | by another link         | real/, l1->l2, l2->real, f                                       | l1, l2, real, f                              |
        | LS-SORT-03-03  | by an absolute target   | real/, l->$ROOT/real, f                                          | l, real, f                                   |
        | LS-SORT-03-04  | in which it stands      | z->., f                                                          | z, f                                         |
        | LS-SORT-03-05  | below another one       | z->b/c, b/{c/{x}}, a                                             | b, z, a                                      |
        | LS-SORT-03-06  | by a target with dots   | z->./b/../b/., b/, a                                             | b, z, a                                      |
        | LS-SORT-03-08  | that cannot be read     | z->e, e/%0000, a                                                 | e, z, a                                      |
        | LS-SORT-03-103 | by a chain of ten links | l0->l1, l1->l2, l2->l3, l3->l4, l4->l5, l5->l6, l6->l7, l7->l8, l8->l9, l9->m, m/, a | l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, m, a |

    Scenario Outline: links among directories: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries in order are "<entries>"

      Examples:
        | id            | case                                      | tree                           | arguments                 | entries             |
        | LS-SORT-03-09 | a link up to the root                     | d/{up->.., f, a/}              | {"path": "d"}             | a, up, f            |
        | LS-SORT-03-10 | links and directories are sorted together | b/, d/, a->b, c->b, e->b, 0, z | {}                        | a, b, c, d, e, 0, z |
        | LS-SORT-03-11 | on every page                             | real/, lnk->real, a, b         | {"offset": 1, "limit": 1} | real                |

    Scenario Outline: a link to a hidden directory <what>
      Given the tree "<tree>"
      When LS is called with {"path": "d"}
      Then the entries in order are "z, a"

      Examples:
        | id             | what          | tree                   |
        | LS-SORT-03-101 | with one dot  | d/{z->../.h, a}, .h/   |
        | LS-SORT-03-102 | with two dots | d/{z->../..c, a}, ..c/ |

    @LS-SORT-03-12
    Scenario: a link to a directory in a project whose root is reached through a link
      Given beside the sandbox the tree "way->root"
      And the tree "real/, z->real, a"
      And the context {"roots": ["$OUTSIDE/way"], "working_dir": "$OUTSIDE/way"}
      When LS is called with {}
      Then the entries in order are "real, z, a"

  @LS-SORT-04
  Rule: every other link stands behind the directories

    Scenario Outline: a link to <what> stands behind the directories
      Given the tree "<tree>"
      When LS is called with {}
      Then by AMB-LS-64 the answer is one of
        | reading | in order |
        | a       | <a>      |
        | b       | <b>      |
        | c       | <c>      |
        | d       | <d>      |

      Examples:
        | id            | what                       | tree                        | a               | b               | c               | d               |
        | LS-SORT-04-01 | a file                     | b=1, a->b, c, d/            | d, a, b, c      | d, b, c, a      | d, a, b, c      | d, a, b, c      |
        | LS-SORT-04-07 | a file that cannot be read | d/, g%0000=1, a->g          | d, a, g         | d, g, a         | d, a, g         | d, a, g         |
        | LS-SORT-04-08 | a link to a file           | a->l1, d/, l1->l2, l2->f, f | d, a, f, l1, l2 | d, f, a, l1, l2 | d, a, l1, l2, f | d, a, f, l1, l2 |

      @interpretation:AMB-LS-24
      Examples:
        | id            | what                           | tree                  | a             | b             | c             | d             |
        | LS-SORT-04-02 | nothing                        | zdir/, b, dang->nope  | zdir, b, dang | zdir, b, dang | zdir, dang, b | zdir, b, dang |
        | LS-SORT-04-03 | itself                         | d/, a, loop->loop     | d, a, loop    | d, a, loop    | d, loop, a    | d, a, loop    |
        | LS-SORT-04-04 | a link that leads back         | a, l1->l2, l2->l1, z/ | z, a, l1, l2  | z, a, l1, l2  | z, l1, l2, a  | z, a, l1, l2  |
        | LS-SORT-04-05 | a place below a file           | d/, f, a->f/x         | d, a, f       | d, f, a       | d, a, f       | d, f, a       |
        | LS-SORT-04-06 | a missing place in a directory | d/, f, a->d/nope      | d, a, f       | d, f, a       | d, a, f       | d, f, a       |

    # It may be refused, too: AMB-LS-59.
    @LS-SORT-04-09
    Scenario: to a place that cannot be seen
      Given the tree "closed/%0000{in/}, b, a->closed/in, d/"
      When LS is called with {}
      Then the answer is an envelope

    @LS-SORT-04-10
    Scenario: links and files are sorted together
      Given the tree "b, d, a->b, c->b, e->nope, z/"
      When LS is called with {}
      Then by AMB-LS-64 the answer is one of
        | reading | in order         |
        | a       | z, a, b, c, d, e |
        | b       | z, b, d, a, c, e |
        | c       | z, a, c, e, b, d |
        | d       | z, a, b, c, d, e |

  @LS-SEC-07
  Rule: a link out of the sandbox is listed as a link

    @behaviour:BEH-09
    Scenario Outline: a link to a directory outside: <what>
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}, root-evil/{x}"
      And the tree "<tree>"
      When LS is called with {}
      Then by AMB-LS-23 and AMB-LS-64 the answer is one of
        | reading | AMB-LS-64 | in order       |
        | a       | a         | <last>         |
        | a       | b         | <last>         |
        | a       | c         | <between>      |
        | a       | d         | <last>         |
        | b       |           | <among>        |

      Examples:
        | id           | what                              | tree                                | last           | between        | among          |
        | LS-SEC-07-01 | beside the root                   | aaa, zdir/, out->../outside         | zdir, aaa, out | zdir, out, aaa | out, zdir, aaa |
        | LS-SEC-07-03 | by an absolute target             | aaa, zdir/, out->$OUTSIDE/outside   | zdir, aaa, out | zdir, out, aaa | out, zdir, aaa |
        | LS-SEC-07-04 | the root of the file system       | aaa, zdir/, out->/                  | zdir, aaa, out | zdir, out, aaa | out, zdir, aaa |
        | LS-SEC-07-05 | the one above the root            | aaa, zdir/, out->..                 | zdir, aaa, out | zdir, out, aaa | out, zdir, aaa |
        | LS-SEC-07-07 | a name that begins as the root's  | aaa, zdir/, out->../root-evil       | zdir, aaa, out | zdir, out, aaa | out, zdir, aaa |
        | LS-SEC-07-08 | through a directory inside        | aaa, zdir/, out->zdir/../../outside | zdir, aaa, out | zdir, out, aaa | out, zdir, aaa |

    # A tool that looks at a link's own target alone finds the first one inside, and the second one outside.
    @LS-SEC-07-02
    Scenario: a link to a directory outside: by another link
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "l1->l2, l2->../outside, f, z/"
      When LS is called with {}
      Then by AMB-LS-23 and AMB-LS-64 the answer is one of
        | reading | AMB-LS-64 | in order     |
        | a       | a         | z, f, l1, l2 |
        | a       | b         | z, f, l1, l2 |
        | a       | c         | z, l1, l2, f |
        | a       | d         | z, f, l1, l2 |
        | b       |           | l1, l2, z, f |
        |         |           | l1, z, f, l2 |
        |         | c         | l1, z, l2, f |

    Scenario Outline: a link outside to <what>
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "aaa, zdir/, out->../outside/<name>"
      When LS is called with {}
      Then by AMB-LS-64 the answer is one of
        | reading | in order       |
        | a       | zdir, aaa, out |
        | b       | zdir, aaa, out |
        | c       | zdir, out, aaa |
        | d       | zdir, aaa, out |

      Examples:
        | id           | what                 | name   |
        | LS-SEC-07-06 | a file               | secret |
        | LS-SEC-07-09 | a place with nothing | nope   |

    @LS-SEC-07-10
    Scenario: a link outside in a directory below
      Given beside the sandbox the tree "outside/{secret}"
      And the tree "d/{out->../../outside, zz/, a}"
      When LS is called with {"path": "d"}
      Then by AMB-LS-23 and AMB-LS-64 the answer is one of
        | reading | AMB-LS-64 | in order   |
        | a       | a         | zz, a, out |
        | a       | b         | zz, a, out |
        | a       | c         | zz, out, a |
        | a       | d         | zz, a, out |
        | b       |           | out, zz, a |

    @LS-SEC-07-11 @prudent
    Scenario: what a directory outside holds is not looked at
      Given beside the sandbox the tree "outside/{secret, sub/{deep}}"
      And the tree "aaa, zdir/, out->../outside"
      And opened directories are watched
      When LS is called with {}
      Then the entries are "zdir, aaa, out"
      And "../outside, zdir" were never opened
