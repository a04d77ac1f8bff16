@ls
Feature: Without include_hidden, hidden entries and thirteen names of directories are left out

  @LS-FILT-01
  Rule: files that have a name with a leading dot are hidden

    @LS-FILT-01-01
    Scenario: files, directories and links
      Given the tree ".f, .d/{x}, .l->a, a, b/"
      When LS is called with {}
      Then by AMB-LS-63 the answer is one of
        | reading | entries      |
        | a       | a, b         |
        | b       | .d, a, b     |
        | c       | .d, .l, a, b |
        | d       | .l, a, b     |

    Scenario Outline: names with dots: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | case                                          | tree                                | arguments       | entries                        |
        | LS-FILT-01-02  | names of odd dots                             | ..a, ..., '. ', a., b..c, a/        | {}              | a., b..c, a                    |
        | LS-FILT-01-101 | what another system hides has no leading dot  | desktop.ini, '$RECYCLE.BIN'/, a, .h | {}              | '$RECYCLE.BIN', a, desktop.ini |
        | LS-FILT-01-104 | a link to a hidden file has a name of its own | .h, l->.h, a                        | {}              | a, l                           |
        | LS-FILT-01-03  | below the root as well                        | src/{.h, x}                         | {"path": "src"} | x                              |

    @LS-FILT-01-102
    Scenario: hidden entries of the root with a working directory below
      Given the tree "src/{x}, .h, a"
      And the context {"working_dir": "$ROOT/src", "allow_absolute": true}
      When LS is called with {"path": "$ROOT"}
      Then the entries are "a, src"

    @LS-FILT-01-103
    Scenario: hidden entries of a directory with an absolute path
      Given the tree "src/{.h, x}"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/src"}
      Then the entries are "x"

    # Whether such a directory can be asked for is open.
    @LS-FILT-01-105
    Scenario: if a hidden directory is listed, what is hidden in it is not
      Given the tree ".d/{.hidden_file, x}, a"
      When LS is called with {"path": ".d"}
      Then the answer does not say "hidden_file"

  @LS-FILT-02
  Rule: the listed names of directories are left out

    Scenario Outline: a directory <name> is left out
      Given the tree "<name>/{x}, keep/"
      When LS is called with {}
      Then the entries are "keep"

      Examples:
        | id            | name         |
        | LS-FILT-02-01 | __pycache__  |
        | LS-FILT-02-02 | node_modules |
        | LS-FILT-02-03 | target       |
        | LS-FILT-02-04 | build        |
        | LS-FILT-02-05 | dist         |
        | LS-FILT-02-06 | venv         |

    @LS-FILT-02-07
    Scenario: all thirteen of them
      Given the tree "__pycache__/, node_modules/, target/, build/, dist/, venv/, .git/, .hg/, .svn/, .idea/, .vscode/, .DS_Store/, .venv/, keep/"
      When LS is called with {}
      Then the entries are "keep"

    @LS-FILT-02-08
    Scenario: at every level
      Given the tree "src/{__pycache__/{a.pyc}, m.py, deep/{node_modules/{y}, n.py}}"
      When LS is called with {"path": "src/deep"}
      Then the entries are "n.py"

    @LS-FILT-02-101
    Scenario: at the root too, with a working directory below
      Given the tree "src/{x}, build/{y}, a"
      And the context {"working_dir": "$ROOT/src", "allow_absolute": true}
      When LS is called with {"path": "$ROOT"}
      Then the entries are "a, src"

    @LS-FILT-02-102
    Scenario: in a directory with an absolute path
      Given the tree "src/{build/{y}, x}"
      And the context {"allow_absolute": true}
      When LS is called with {"path": "$ROOT/src"}
      Then the entries are "x"

    # Whether such a directory can be asked for is open.
    @LS-FILT-02-103
    Scenario: if a directory of such a name is listed, others in it are not
      Given the tree "build/{node_modules/, x}, a"
      When LS is called with {"path": "build"}
      Then the answer does not say "node_modules"

    @LS-FILT-02-09
    Scenario: regular files of these names
      Given the tree "build=1, target=1, src/"
      When LS is called with {}
      Then by AMB-LS-06 the answer is one of
        | reading | entries            |
        | a       | build, target, src |
        | b       | src                |

    @LS-FILT-02-10
    Scenario: links of these names
      Given the tree "real/, f, build->real, dist->f"
      When LS is called with {}
      Then by AMB-LS-53 the answer is one of
        | reading | entries              |
        | a       | real, f, build, dist |
        | b       | real, f, dist        |
        | c       | real, f              |

  @LS-FILT-03
  Rule: include_hidden shows both

    Scenario Outline: what include_hidden shows: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | case                                   | tree                                                             | arguments                               | entries                                                          |
        | LS-FILT-03-01  | hidden entries and ignored directories | agents/, docs/, src/, README.md, setup.py, .env, .git/{config}, node_modules/{pkg/} | {"include_hidden": true}                | .git, agents, docs, node_modules, src, .env, README.md, setup.py |
        | LS-FILT-03-02  | all thirteen names                     | __pycache__/, node_modules/, target/, build/, dist/, venv/, .git/, .hg/, .svn/, .idea/, .vscode/, .DS_Store/, .venv/, keep/ | {"include_hidden": true}                | __pycache__, node_modules, target, build, dist, venv, .git, .hg, .svn, .idea, .vscode, .DS_Store, .venv, keep |
        | LS-FILT-03-102 | both are shown below the root too      | src/{.h, node_modules/, x}                                       | {"path": "src", "include_hidden": true} | .h, node_modules, x                                              |
        | LS-FILT-03-101 | names with more than one leading dot   | ..a, ..., '..b'/{x}, ..l->a, .c, a                               | {"include_hidden": true}                | ..b, ..a, ..., ..l, .c, a                                        |

  @LS-FILT-09
  Rule: only the very same names are meant

    Scenario Outline: names that are not on the list: <case>
      Given the tree "<tree>"
      When LS is called with {}
      Then the entries are "<entries>"

      Examples:
        | id             | case                                                       | tree                                                             | entries                                                          |
        | LS-FILT-09-01  | names that begin, end or sound alike                       | builds/, build2/, my-dist/, targets/, env/, vendor/, pycache/, 'dist '/, venv3/, rebuild/ | builds, build2, my-dist, targets, env, vendor, pycache, 'dist ', venv3, rebuild |
        | LS-FILT-09-101 | what other tools leave out                                 | bin/, coverage/, d.egg-info/, logs/, obj/, out/, tmp/, a.pyc, 'b~', c.swp, Thumbs.db | bin, coverage, d.egg-info, logs, obj, out, tmp, a.pyc, 'b~', c.swp, Thumbs.db |
        | LS-FILT-09-102 | names with another letter in place of the dot              | xgit/, ahg/, xsvn/, xidea/, avscode/, xDS_Store/, avenv/         | xgit, ahg, xsvn, xidea, avscode, xDS_Store, avenv                |
        | LS-FILT-09-103 | links to directories of such names have names of their own | build/, node_modules/{x}, lb->build, ln->node_modules, a         | lb, ln, a                                                        |
        | LS-FILT-09-104 | names that objects of some languages have anyway           | constructor/, toString/, '__proto__'/, hasOwnProperty/, valueOf/, a | constructor, toString, '__proto__', hasOwnProperty, valueOf, a   |

    @LS-FILT-09-02
    Scenario: names in other case
      Given the tree "Build/, NODE_MODULES/, Dist/, src/"
      When LS is called with {}
      Then by AMB-LS-07 the answer is one of
        | reading | entries                        |
        | a       | Build, NODE_MODULES, Dist, src |
        | b       | src                            |

  @LS-FILT-10
  Rule: the directory that is asked for may have such a name

    Scenario Outline: a directory that is asked for: <what>
      Given the tree ".git/{config}, node_modules/{pkg/{i.js}}, build/{dist/{y}, out}, .h/{.i, j}"
      When LS is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id            | what                                  | arguments                | entries |
        | LS-FILT-10-01 | a hidden name of the list             | {"path": ".git"}         | config  |
        | LS-FILT-10-02 | a name of the list                    | {"path": "node_modules"} | pkg     |
        | LS-FILT-10-03 | a name of the list with another in it | {"path": "build"}        | out     |
        | LS-FILT-10-04 | a name of the list in another         | {"path": "build/dist"}   | y       |
        | LS-FILT-10-05 | a hidden name                         | {"path": ".h"}           | j       |

    @LS-FILT-10-06
    Scenario: as the working directory
      Given the tree "build/{out, .h}, a"
      And the context {"working_dir": "$ROOT/build"}
      When LS is called with {"path": "."}
      Then by AMB-LS-76 the answer is one of
        | reading     | entries |
        | working_dir | out     |
        | root        | a       |
