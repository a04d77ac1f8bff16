@list_directory
Feature: Which kinds of entry are shown, and where a switch gets its value from

  @FR-LD-VAL-05
  Rule: files, directories and symlinks are not all switched off

    Scenario Outline: at least one on: files <files>, directories <dirs>, symlinks <symlinks>
      Given the tree "d/{x}, f, l->f, p:fifo"
      When list_directory is called with {"include_files": <files>, "include_dirs": <dirs>, "include_symlinks": <symlinks>}
      Then the entries are "<entries>"

      Examples:
        | id           | files | dirs  | symlinks | entries |
        | LD-VAL-05-02 | false | false | true     | l       |
        | LD-VAL-05-03 | false | true  | false    | d       |
        | LD-VAL-05-04 | false | true  | true     | d, l    |
        | LD-VAL-05-05 | true  | false | false    | f       |
        | LD-VAL-05-06 | true  | false | true     | f, l    |
        | LD-VAL-05-07 | true  | true  | false    | d, f    |
        | LD-VAL-05-08 | true  | true  | true     | d, f, l |

    Scenario Outline: all three off: <case>
      Given the tree "d/{x}, f, l->f, p:fifo"
      When list_directory is called with {"include_files": false, "include_dirs": false, "include_symlinks": false<more>}
      Then the call fails with BadArgs

      Examples:
        | id            | case                                | more                     |
        | LD-VAL-05-01  | and nothing more                    |                          |
        | LD-VAL-05-09  | special files do not save the call  | , "include_other": true  |
        | LD-VAL-05-101 | hidden entries do not save the call | , "include_hidden": true |
        | LD-VAL-05-102 | recursion does not save the call    | , "recursive": true      |

    @LD-VAL-05-103
    Scenario: special files do not save the call as a configured default either
      Given the tree "d/{x}, f, l->f, p:fifo"
      And the configuration {"include_other_default": true}
      When list_directory is called with {"include_files": false, "include_dirs": false, "include_symlinks": false}
      Then the call fails with BadArgs

    # The rule applies to the effective values, not to the values in the call. The first call shows that the
    # configuration has its effect, which is FR-LD-VAL-06a.
    @LD-VAL-05-10
    Scenario: two off in the call, the third in the configuration
      Given the tree "d/{x}, f, l->f, p:fifo"
      And the configuration {"include_symlinks_default": false}
      When list_directory is called with {}
      Then the call does not list "l"
      When list_directory is called again with {"include_files": false, "include_dirs": false}
      Then by AMB-LD-31 the answer is one of
        | reading | fails   | entries |
        | a       | BadArgs |         |
        | b       |         | ""      |
        | c       | BadArgs |         |

    @LD-VAL-05-104
    Scenario: two off in the call, the third on in the configuration
      Given the tree "d/{x}, f, l->f, p:fifo"
      And the configuration {"include_symlinks_default": true}
      When list_directory is called with {"include_files": false, "include_dirs": false}
      Then the entries are "l"

    # A configuration that cannot be used may be refused with its own error.
    @LD-VAL-05-11
    Scenario: all three off in the configuration alone
      Given the tree "d/{x}, f, l->f, p:fifo"
      And the configuration {"include_files_default": false, "include_dirs_default": false, "include_symlinks_default": false}
      When list_directory is called with {"include_files": true}
      Then the call does not list "d, l"
      When list_directory is called again with {"include_dirs": true}
      Then the call does not list "f, l"
      When list_directory is called again with {}
      Then by AMB-LD-31 the answer is one of
        | reading | fails     | entries |
        | a       | BadArgs   |         |
        | b       |           | ""      |
        | c       | any error |         |

    Scenario Outline: the call repairs a configuration of all three off: <arguments>
      Given the tree "d/{x}, f, l->f, p:fifo"
      And the configuration {"include_files_default": false, "include_dirs_default": false, "include_symlinks_default": false}
      When list_directory is called with <arguments>
      Then by AMB-LD-31 the answer is one of
        | reading | entries   | fails     |
        | a       | <entries> |           |
        | b       | <entries> |           |
        | c       |           | any error |

      Examples:
        | id            | arguments                                                               | entries |
        | LD-VAL-05-12  | {"include_dirs": true}                                                  | d       |
        | LD-VAL-05-105 | {"include_files": true, "include_dirs": true, "include_symlinks": true} | d, f, l |

  @FR-LD-VAL-06
  Rule: include_other is for what is neither file, directory nor symlink, and is off unless set

    @returns
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                                       | tree                   | call                                             | answer                       |
        | LD-VAL-06-101 | a FIFO that is switched off                                | d/{x}, f, l->f, p:fifo | {"include_other": false}                         | no entry is "p"              |
        | LD-VAL-06-02  | a FIFO that is switched on                                 | d/{x}, f, l->f, p:fifo | {"include_other": true}                          | the entries include "p"      |
        | LD-VAL-06-05  | a socket is something else                                 | s:sock, f              | {"include_other": true}                          | the entries include "s"      |
        | LD-VAL-06-107 | special files further down                                 | d/{p:fifo, x}, s:sock  | {"recursive": true, "include_other": true}       | the entries include "d/p, s" |
        | LD-VAL-06-110 | a hidden FIFO is hidden first of all                       | .p:fifo, p:fifo, f     | {"include_other": true, "include_hidden": false} | the entries include "p"      |
        | LD-VAL-06-06  | a FIFO that nobody writes to is shown without being opened | p:fifo                 | {"include_other": true}                          | the entries are "p"          |
        | LD-VAL-06-106 | special files further down that are switched off           | d/{p:fifo, x}, s:sock  | {"recursive": true, "include_other": false}      | the listing has 2 entries    |

    @returns
    Scenario Outline: a FIFO and nothing that is switched off: <arguments>
      Given the tree "d/{x}, f, l->f, p:fifo"
      When list_directory is called with <arguments>
      Then the entries include "p"

      Examples:
        | id            | arguments                                                              |
        | LD-VAL-06-03  | {"include_other": true, "include_files": false, "include_dirs": false} |
        | LD-VAL-06-04  | {"include_other": true, "include_files": false}                        |
        | LD-VAL-06-102 | {"include_other": true, "include_dirs": false}                         |
        | LD-VAL-06-103 | {"include_other": true, "include_symlinks": false}                     |

    Scenario Outline: <case> (include_other is for what is neither file, directory nor symlink, and is off unless set)
      Given the tree "a"
      And the context <context>
      And the configuration {"max_entries": 100000}
      And budgets of 100000000 and 100000000 bytes
      When list_directory is called with <call>
      Then <answer>

      @returns
      Examples:
        | id            | case                       | context                                    | call                                 | answer                           |
        # A host need not permit creating devices, so this scenario uses a device of the system.
        | LD-VAL-06-104 | a device is something else | {"roots": ["/dev"], "working_dir": "/dev"} | {"path": ".", "include_other": true} | the entries include "null, zero" |

      Examples:
        | id            | case                                | context                                             | call                                  | answer                   |
        | LD-VAL-06-105 | a device stays out unless asked for | {"roots": ["/dev", "$ROOT"], "working_dir": "/dev"} | {"path": ".", "include_other": false} | no entry is "null, zero" |

    @LD-VAL-06-07 @needs:strace
    Scenario: an entry of unknown kind is not something else
      Given the tree "g!L, f"
      When list_directory is called with {"include_other": false}
      Then the entries are "f, g"
      And the entry "g" has {"type": "unknown"}

    @returns
    Scenario Outline: a symlink is a symlink, whatever it leads to: <arguments>
      Given the tree "f, to-nothing->gone, to-pipe->p, p:fifo"
      When list_directory is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id            | arguments                                          | entries                |
        | LD-VAL-06-108 | {"include_other": false}                           | f, to-nothing, to-pipe |

    @LD-VAL-06-109 @returns
    Scenario: a symlink that is switched off is no special file
      Given the tree "f, to-nothing->gone, to-pipe->p, p:fifo"
      When list_directory is called with {"include_symlinks": false, "include_other": true}
      Then the entries include "p"

  @FR-LD-VAL-06a
  Rule: what the call says, else what is configured, else what is built in

    Scenario Outline: <case> (what the call says, else what is configured, else what is built in)
      Given the tree "<tree>"
      And the configuration <configuration>
      When list_directory is called with {}
      Then the entries are "a"

      Examples:
        | id            | case                                                | tree  | configuration      |
        | LD-VAL-04-07  | a call that does not ask gets the configured number | a     | {"max_entries": 7} |
        | LD-VAL-06a-14 | no configuration makes a call recursive             | a/{b} | {"max_depth": 4}   |

    @LD-VAL-06a-01
    Scenario: hidden entries stay out where nothing is said
      Given the tree ".h, v"
      When list_directory is called with {}
      Then the entries are "v"

    # A validator that inserts the schema's defaults would make the configuration ineffective.
    Scenario Outline: hidden entries: the call <arguments>, the configuration <hidden>
      Given the tree ".h, v"
      And the configuration {"include_hidden_default": <hidden>}
      When list_directory is called with <arguments>
      Then the entries are "<entries>"

      Examples:
        | id             | hidden | arguments                 | entries |
        | LD-VAL-06a-02  | true   | {}                        | .h, v   |
        | LD-VAL-06a-03  | true   | {"include_hidden": false} | v       |
        | LD-VAL-06a-04  | false  | {"include_hidden": true}  | .h, v   |
        | LD-VAL-06a-101 | false  | {}                        | v       |

    Scenario Outline: kinds: the call <arguments>, the configuration <configuration>
      Given the tree "d/{x}, f, l->f, p:fifo"
      And the configuration <configuration>
      When list_directory is called with <arguments>
      Then the entries are "<entries>"

      Examples: the configuration fills in what the call leaves out
        | id            | configuration                       | arguments | entries    |
        | LD-VAL-06a-06 | {"include_files_default": false}    | {}        | d, l       |
        | LD-VAL-06a-07 | {"include_dirs_default": false}     | {}        | f, l       |
        | LD-VAL-06a-08 | {"include_symlinks_default": false} | {}        | d, f       |
        | LD-VAL-06a-09 | {"include_other_default": true}     | {}        | d, f, l, p |

      Examples: the call outweighs the configuration, both ways
        | id             | configuration                       | arguments                   | entries    |
        | LD-VAL-06a-05  | {"include_files_default": false}    | {"include_files": true}     | d, f, l    |
        | LD-VAL-06a-102 | {"include_dirs_default": false}     | {"include_dirs": true}      | d, f, l    |
        | LD-VAL-06a-103 | {"include_symlinks_default": false} | {"include_symlinks": true}  | d, f, l    |
        | LD-VAL-06a-104 | {"include_other_default": false}    | {"include_other": true}     | d, f, l, p |
        | LD-VAL-06a-105 | {"include_files_default": true}     | {"include_files": false}    | d, l       |
        | LD-VAL-06a-106 | {"include_dirs_default": true}      | {"include_dirs": false}     | f, l       |
        | LD-VAL-06a-107 | {"include_symlinks_default": true}  | {"include_symlinks": false} | d, f       |
        | LD-VAL-06a-10  | {"include_other_default": true}     | {"include_other": false}    | d, f, l    |

      Examples: a table that does not say everything
        | id            | configuration       | arguments | entries |
        | LD-VAL-06a-12 | {"max_entries": 50} | {}        | d, f, l |
        | LD-VAL-06a-13 | {}                  | {}        | d, f, l |

    Scenario Outline: four levels where the table does not say: <configuration>
      Given the tree "a/{b/{c/{d/{e/{f}}}}}"
      And the configuration <configuration>
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/c, a/b/c/d"

      Examples:
        | id            | configuration       |
        | LD-VAL-03-05  | {"max_entries": 50} |
        | LD-VAL-03-101 | {}                  |

    @LD-VAL-06a-11
    Scenario: one key does not stand for another
      Given the tree ".h, v, l->v"
      And the configuration {"include_symlinks_default": false, "include_hidden_default": true}
      When list_directory is called with {}
      Then the entries are ".h, v"

    @LD-VAL-06a-108
    Scenario: a depth in the call outweighs the configured one
      Given the tree "a/{b/{c/{d}}}"
      And the configuration {"max_depth": 3}
      When list_directory is called with {"recursive": true, "max_depth": 2}
      Then the entries are "a, a/b"

    @LD-VAL-06a-109
    Scenario: a number of entries in the call outweighs the configured one
      Given the tree "a, b, c, d, e"
      And the configuration {"max_entries": 4}
      When list_directory is called with {"max_entries": 2}
      Then the listing has 2 entries

    @LD-VAL-06a-110
    Scenario: a configured default holds on every level
      Given the tree ".d/{.x, y}, v/{.z}"
      And the configuration {"include_hidden_default": true}
      When list_directory is called with {"recursive": true}
      Then the entries are ".d, .d/.x, .d/y, v, v/.z"

    @LD-VAL-06a-112
    Scenario: the arguments of one call are not those of the next
      Given the tree ".h, v"
      When list_directory is called with {"include_hidden": true}
      And list_directory is called again with {}
      Then the entries are "v"

    @LD-VAL-06a-771 @also:CFG-LD-04
    Scenario: what a call does not say stays configured, whatever else it says
      Given the tree "a, b, c, d/, .h"
      And the configuration {"max_entries": 2, "include_hidden_default": true, "include_dirs_default": false}
      When list_directory is called with {"include_files": true, "include_symlinks": false}
      Then the entries are ".h, a"
