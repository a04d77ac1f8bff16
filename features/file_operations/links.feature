@file_operations
Feature: Links are moved as links, and nothing is written through them

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-07
  Rule: a link is treated as a link

    @FO-D07-01 @behaviour:BEH-09
    Scenario: a link is moved
      Given the tree "a="A", l->a"
      When move is called with {"source": "l", "destination": "m"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails | leaves        |
        | usual   |       | a="A", m->a   |
        | link    |       | a="A", m->a   |
        | target  |       | m="A", l->a   |
        | moved   |       | a="A", m->a   |
        | refuse  | any error |           |

    @FO-D07-02 @behaviour:BEH-09
    Scenario: a link is copied
      Given the tree "a="A", l->a"
      When copy is called with {"source": "l", "destination": "m"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails | leaves               |
        | usual   |       | a="A", l->a, m="A"   |
        | link    |       | a="A", l->a, m->a    |
        | target  |       | a="A", l->a, m="A"   |
        | moved   | any error |                  |
        | refuse  | any error |                  |

    @FO-D07-03 @interpretation:AMB-FO-04 @behaviour:BEH-09
    Scenario: a link that leads nowhere is moved
      Given the tree "l->nope"
      When move is called with {"source": "l", "destination": "m"}
      Then the call either leaves "m->nope", or fails with any error and changes nothing

    @FO-D07-09 @implied @interpretation:AMB-FO-34 @behaviour:BEH-09
    Scenario: a directory with links in it is moved as it is
      Given the tree "d/{l->f, m->../x, f="F"}"
      When move is called with {"source": "d", "destination": "e"}
      Then the call either leaves "e/{l->f, m->../x, f="F"}", or fails with any error and changes nothing

    @FO-D07-04 @behaviour:BEH-09
    Scenario: a link to a directory is moved
      Given the tree "d/{f="F"}, l->d"
      When move is called with {"source": "l", "destination": "m"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails | leaves              |
        | usual   |       | d/{f="F"}, m->d     |
        | link    |       | d/{f="F"}, m->d     |
        | target  |       | m/{f="F"}, l->d     |
        | moved   |       | d/{f="F"}, m->d     |
        | refuse  | any error |                 |

    @FO-D07-05 @behaviour:BEH-09
    Scenario: a copy onto a link to a file, with overwrite
      Given the tree "a="NEWER", t="T", l->t"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "l", "overwrite": true}
      Then by AMB-FO-40 the outcome is one of
        | reading | fails     | leaves                              |
        | name    |           | a="NEWER", t="T", l="NEWER"         |
        | through |           | a="NEWER", t="NEWER", l->t          |
        | refuse  | any error |                                     |

    @FO-D07-06 @behaviour:BEH-09
    Scenario: a move onto a link to a file, with overwrite
      Given the tree "a="NEWER", t="T", l->t"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "l", "overwrite": true}
      Then by AMB-FO-39 the outcome is one of
        | reading | fails     | leaves                |
        | name    |           | t="T", l="NEWER"      |
        | through |           | t="NEWER", l->t       |
        | refuse  | any error |                       |

    @FO-D07-07 @behaviour:BEH-09
    Scenario: a copy onto a file that has another name, with overwrite
      Given the tree "a="NEWER", b="OLD", h=>b"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "b", "overwrite": true}
      Then by AMB-FO-42 the outcome is one of
        | reading | fails     | leaves                                 |
        | name    |           | a="NEWER", b="NEWER", h="OLD"          |
        | through |           | a="NEWER", b="NEWER", h=>b             |

    @FO-D07-08 @behaviour:BEH-09
    Scenario: a move onto a dangling link, with overwrite
      Given the tree "a="A", l->nope, d/"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "l", "overwrite": true}
      Then the outcome is one of
        | fails     | leaves                 |
        | any error |                        |
        |           | l="A", d/              |
        |           | l->nope, nope="A", d/  |

    @FO-D07-10 @behaviour:BEH-09
    Scenario: a link to another file system stays one
      Given at $FAR, on another file system, the tree "x="X""
      And the tree "a="A", l->a, far->$FAR"
      When move is called with {"source": "l", "destination": "far/m"}
      Then by AMB-FO-22 and AMB-FO-04 the outcome is one of
        | reading | AMB-FO-04 | fails     | leaves            | at $FAR       |
        | kept    |           |           | a="A", far->$FAR  | m->a, x="X"   |
        | error   |           | any error, nothing lost |                   |               |
        |         | target    |           | l->a, far->$FAR   | m="A", x="X"  |
        |         | refuse    | any error |                   |               |

    @FO-D07-101 @also:FR-FOPS-MV-04 @behaviour:BEH-09
    Scenario: a link to another file system takes the place of a file, with overwrite
      Given at $FAR, on another file system, the tree "b="OLD", x="X""
      And the tree "l->nope, far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "l", "destination": "far/b", "overwrite": true}
      Then by AMB-FO-22 and AMB-FO-04 the outcome is one of
        | reading | AMB-FO-04 | fails                   | leaves    | at $FAR           |
        | kept    |           |                         | far->$FAR | b->nope, x="X"    |
        | error   |           | any error, nothing lost |           |                   |
        |         | target    | any error               |           |                   |
        |         | refuse    | any error               |           |                   |

    @FO-D07-11 @behaviour:BEH-09
    Scenario: a dangling link whose target is no text, to another file system
      Given at $FAR, on another file system, the tree "x="X""
      And the tree "l->'no\xffpe', far->$FAR"
      When move is called with {"source": "l", "destination": "far/m"}
      Then by AMB-FO-22 and AMB-FO-04 the outcome is one of
        | reading | AMB-FO-04 | fails                   | leaves     | at $FAR                 |
        | kept    |           |                         | far->$FAR  | m->'no\xffpe', x="X"    |
        | error   |           | any error, nothing lost |            |                         |
        |         | target    | any error               |            |                         |
        |         | refuse    | any error               |            |                         |

    # The move tells one of the readings, the copy another; both together fit one.
    @FO-D07-12 @behaviour:BEH-09
    Scenario: a link is moved, and another is copied
      Given the tree "a="A", k->a, b="B", l->b"
      When move is called with {"source": "k", "destination": "m"}
      When copy is called again with {"source": "l", "destination": "n"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails | leaves                             |
        | usual   |       | a="A", m->a, b="B", l->b, n="B"    |
        | link    |       | a="A", m->a, b="B", l->b, n->b     |
        | target  |       | m="A", k->a, b="B", l->b, n="B"    |
        | moved   | any error | a="A", m->a, b="B", l->b       |
        | refuse  | any error | a="A", k->a, b="B", l->b       |

    # A tool that moves links moves those that lead nowhere too.
    @FO-D07-13 @behaviour:BEH-09
    Scenario: a link is moved, and then one that leads nowhere
      Given the tree "a="A", k->a, l->nope"
      When move is called with {"source": "k", "destination": "m"}
      When move is called again with {"source": "l", "destination": "n"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails     | leaves                 |
        | usual   |           | a="A", m->a, n->nope   |
        | link    |           | a="A", m->a, n->nope   |
        | target  | any error | m="A", k->a, l->nope   |
        | moved   |           | a="A", m->a, n->nope   |
        | refuse  | any error | a="A", k->a, l->nope   |

    # A tool that takes links to another file system takes those that lead nowhere too.
    @FO-D07-104 @behaviour:BEH-09
    Scenario: a link goes to another file system, and then one that leads nowhere
      Given at $FAR, on another file system, the tree "x="X""
      And the tree "a="A", k->a, l->nope, far->$FAR"
      When move is called with {"source": "k", "destination": "far/m"}
      When move is called again with {"source": "l", "destination": "far/n"}
      Then by AMB-FO-22 and AMB-FO-04 the outcome is one of
        | reading | AMB-FO-04 | fails     | leaves                           | at $FAR               |
        | kept    |           |           | a="A", far->$FAR                 | m->a, n->nope, x="X"  |
        | error   |           | any error | a="A", k->a, l->nope, far->$FAR  | x="X"                 |
        |         | target    | any error | k->a, l->nope, far->$FAR         | m="A", x="X"          |
        |         | refuse    | any error | a="A", k->a, l->nope, far->$FAR  | x="X"                 |

    # A tool that takes links to another file system replaces what may be replaced there too.
    @FO-D07-105 @behaviour:BEH-09
    Scenario: a link goes to another file system, and then one onto a file there, with overwrite
      Given at $FAR, on another file system, the tree "b="OLD""
      And the tree "a="A", k->a, l->a, far->$FAR"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "k", "destination": "far/m"}
      When move is called again with {"source": "l", "destination": "far/b", "overwrite": true}
      Then by AMB-FO-22 and AMB-FO-04 the outcome is one of
        | reading | AMB-FO-04 | fails     | leaves                           | at $FAR         |
        | kept    |           |           | a="A", far->$FAR                 | m->a, b->a      |
        | error   |           | any error | a="A", k->a, l->a, far->$FAR     | b="OLD"         |
        |         | target    | any error | k->a, l->a, far->$FAR            | m="A", b="OLD"  |
        |         | refuse    | any error | a="A", k->a, l->a, far->$FAR     | b="OLD"         |

    # The destination directory is entered once: an item in it with the final name is a name, wherever it leads.
    @behaviour:BEH-09
    Scenario Outline: in the directory a link to another has the name, with overwrite: <tool>
      Given the tree "a="A", docs/{a->../r}, r/"
      And the configuration {"allow_overwrite": true}
      When <tool> is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the call either leaves "<left>docs/{a="A"}, r/", or fails with any error and changes nothing

      Examples:
        | id | tool | left |
        | FO-D07-102 | move |  |
        | FO-D07-103 | copy | a="A", |
