@list_directory
Feature: Filters act before anything is counted

  @FR-LD-LST-06
  Rule: what a filter drops does not use up the limit

    Scenario Outline: dropped entries are not counted: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the entries are "<entries>"

      Examples:
        | id            | case                                     | tree                           | call                                                           | entries |
        | LD-LST-06-06  | hidden ones                              | .1, .2, .3, .4, .5, a, b       | {"max_entries": 3, "include_hidden": false}                    | a, b    |
        | LD-LST-06-07  | files                                    | f0, f1, f2, f3, f4, f5, d/, e/ | {"max_entries": 3, "include_files": false}                     | d, e    |
        | LD-LST-06-08  | one that comes up when the limit is near | a, b, .c                       | {"max_entries": 3, "include_hidden": false}                    | a, b    |
        | LD-LST-06-101 | links                                    | l0->x, l1->x, l2->x, x         | {"max_entries": 2, "include_symlinks": false}                  | x       |
        | LD-LST-06-102 | special files                            | p0:fifo, p1:fifo, p2:fifo, x   | {"max_entries": 2}                                             | x       |
        | LD-LST-06-103 | a whole hidden subtree                   | .a/{f0..f9}, b                 | {"recursive": true, "max_entries": 2, "include_hidden": false} | b       |
        | LD-LST-06-104 | hidden ones inside directories           | a/{.0, .1, .2, .3, x}          | {"recursive": true, "max_entries": 3, "include_hidden": false} | a, a/x  |

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                            | tree                   | call                                                           | answer                    |
        # A candidate that keeps only the first names of a directory before it reads their types has no entry left.
        | LD-LST-06-120 | what is left comes behind many that are dropped | f000..f199, z/         | {"include_files": false, "max_entries": 1}                     | the entries are "z"       |
        | LD-LST-06-106 | the limit counts what is left, and cuts there   | .a, b, .c, d, .e, f, g | {"max_entries": 3, "include_hidden": false}                    | the listing has 3 entries |
        | LD-LST-06-10  | hidden entries shown, files dropped             | .f, .d/, d/            | {"include_hidden": true, "include_files": false}               | the entries are ".d, d"   |
        | LD-LST-05-106 | what is hidden leaves no gap                    | .a/{x}, b/{.c, d}, e   | {"recursive": true, "max_entries": 2, "include_hidden": false} | the listing has 2 entries |

    @LD-LST-06-105
    Scenario: directories that are left out do not count although they are walked
      Given the tree "a/{x}, b/{y}"
      When list_directory is called with {"recursive": true, "include_dirs": false, "max_entries": 3}
      Then the entries are "a/x, b/y"
      And the listing is complete

    # Two qualify and the limit is two; whether the directory after them is examined is open (AMB-LD-01, AMB-LD-02).
    @LD-LST-06-09
    Scenario: the limit is met exactly and the rest is filtered out
      Given the tree "a, b, zz/"
      When list_directory is called with {"max_entries": 2, "include_dirs": false}
      Then the entries are "a, b"
      And by AMB-LD-02 the answer is one of
        | reading | truncated   |
        | a       | no          |
        | b       | max_entries |
        | c       | max_entries |

    Scenario Outline: each switch drops its own kind: <case>
      Given the tree "d/{x}, f, l->f, m->d, p:fifo, .h"
      When list_directory is called with <call>
      Then the entries are "<entries>"

      Examples:
        | id            | case                                    | call                                                                        | entries           |
        | LD-LST-06-107 | files                                   | {"include_files": false}                                                    | d, l, m           |
        | LD-LST-06-108 | directories, and no link becomes one    | {"include_dirs": false, "include_hidden": false}                            | f, l, m           |
        | LD-LST-06-109 | links, and none is taken for its target | {"include_symlinks": false, "include_hidden": false}                        | d, f              |
        | LD-LST-06-110 | all but files                           | {"include_dirs": false, "include_symlinks": false, "include_hidden": false} | f                 |
        | LD-LST-06-111 | all but directories                     | {"include_files": false, "include_symlinks": false}                         | d                 |
        | LD-LST-06-112 | all but links                           | {"include_files": false, "include_dirs": false}                             | l, m              |
        | LD-LST-06-113 | nothing                                 | {"include_other": true, "include_hidden": true}                             | .h, d, f, l, m, p |
        | LD-LST-06-114 | files, and special files are no files   | {"include_files": false, "include_other": true}                             | d, l, m, p        |

    # What the path looks like, and where it starts, is no matter of the switches.
    @framework:allow_absolute
    Scenario Outline: the switches hold for an absolute path: <case>
      Given the tree "in/{.c/{d}, .h, a/{.x, y}, f, l->f, p:fifo}, z"
      And the context {"allow_absolute": true}
      When list_directory is called with <call>
      Then the entries are "<entries>"

      Examples:
        | id            | case              | call                                                                  | entries   |
        | LD-LST-06-761 | hidden ones       | {"path": "$ROOT/in", "recursive": true, "include_hidden": false}      | a, a/y, f, l |
        | LD-LST-06-762 | files             | {"path": "$ROOT/in", "include_files": false}                          | a, l      |
        | LD-LST-06-763 | directories       | {"path": "$ROOT/in", "include_dirs": false}                           | f, l      |
        | LD-LST-06-764 | links             | {"path": "$ROOT/in", "include_symlinks": false}                       | a, f      |

    @framework:working_dir
    Scenario Outline: the switches hold below a working directory that is no root: <case>
      Given the tree "w/{in/{.c/{d}, .h, a/{.x, y}, f, l->f, p:fifo}}, z"
      And the context {"working_dir": "$ROOT/w"}
      When list_directory is called with <call>
      Then the entries are "<entries>"

      Examples:
        | id            | case              | call                                                                  | entries   |
        | LD-LST-06-765 | hidden ones       | {"path": "in", "recursive": true, "include_hidden": false}            | a, a/y, f, l |
        | LD-LST-06-766 | files             | {"path": "in", "include_files": false}                                | a, l      |
        | LD-LST-06-767 | directories       | {"path": "in", "include_dirs": false}                                 | f, l      |
        | LD-LST-06-768 | links             | {"path": "in", "include_symlinks": false}                             | a, f      |
