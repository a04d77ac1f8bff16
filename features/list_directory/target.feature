@list_directory
Feature: What is asked for has to be there, and has to be a directory

  @FR-LD-VAL-08
  Rule: what the path resolves to is an existing directory

    @LD-VAL-08-01 @also:FR-LD-ERR-03
    Scenario: a file is not a directory
      Given the tree "in/{x}, f"
      When list_directory is called with {"path": "f"}
      Then the call fails with ExecutionFailed
      And the error has a message

    @behaviour:BEH-07
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      @also:FR-LD-ERR-03 @returns
      Examples:
        | id            | case                                                 | tree                      | call            | answer                              |
        | LD-VAL-08-02  | not a directory: a file with a slash behind it       | in/{x}, f, p:fifo, s:sock | {"path": "f/"}  | the call fails with ExecutionFailed |
        | LD-VAL-08-03  | not a directory: a file with a dot segment behind it | in/{x}, f, p:fifo, s:sock | {"path": "f/."} | the call fails with ExecutionFailed |
        | LD-VAL-08-04  | not a directory: something below a file              | in/{x}, f, p:fifo, s:sock | {"path": "f/x"} | the call fails with ExecutionFailed |
        | LD-VAL-08-07  | not a directory: a FIFO that nobody writes to        | in/{x}, f, p:fifo, s:sock | {"path": "p"}   | the call fails with ExecutionFailed |
        | LD-VAL-08-08  | not a directory: a socket                            | in/{x}, f, p:fifo, s:sock | {"path": "s"}   | the call fails with ExecutionFailed |
        | LD-VAL-08-102 | not a directory: something below a FIFO              | in/{x}, f, p:fifo, s:sock | {"path": "p/x"} | the call fails with ExecutionFailed |

      @also:FR-LD-ERR-03
      Examples:
        | id            | case                                                      | tree      | call                             | answer                              |
        | LD-VAL-08-103 | a file is not listed as its own only entry                | in/{x}, f | {"path": "f", "recursive": true} | the call fails with ExecutionFailed |
        | LD-VAL-08-05  | not there: a missing name                                 | in/{x}, f | {"path": "nope"}                 | the call fails with ExecutionFailed |
        | LD-VAL-08-06  | not there: a missing name with more behind it             | in/{x}, f | {"path": "nope/a/b"}             | the call fails with ExecutionFailed |
        | LD-VAL-08-105 | not there: a name that only begins like one that is there | in/{x}, f | {"path": "i"}                    | the call fails with ExecutionFailed |

      @needs:case_sensitive
      Examples:
        | id            | case                         | tree      | call           | answer                              |
        | LD-VAL-08-110 | another case is another name | in/{x}, f | {"path": "IN"} | the call fails with ExecutionFailed |

      @needs:non_utf8_names
      Examples:
        | id            | case                                | tree            | call                | answer                              |
        # Where names are bytes, two spellings of one letter are two names.
        | LD-VAL-08-111 | another normal form is another name | '\u00e9'/{x}, f | {"path": "e\u0301"} | the call fails with ExecutionFailed |

      Examples:
        | id            | case                              | tree        | call                   | answer              |
        | LD-VAL-08-118 | a name as long as can be there    | 'p'*255/{x} | {"path": "$('p'*255)"} | the entries are "x" |
        | LD-VAL-08-24  | an empty directory is a directory | empty/, f   | {"path": "empty"}      | the entries are ""  |

    @LD-VAL-08-738 @also:FR-LD-ERR-03
    Scenario: the message names what is missing: the path, the argument, or the kind of thing
      Given the tree "in/{x}, f"
      When list_directory is called with {"path": "in/nope"}
      Then by AMB-LD-38 the answer is one of
        | reading | fails           | saying    | message  |
        | a       | ExecutionFailed | nope      |          |
        | a       | ExecutionFailed | path      |          |
        | a       | ExecutionFailed | directory |          |
        | b       | ExecutionFailed |           | any text |

    @LD-VAL-08-09 @also:FR-LD-ERR-03 @framework:allow_absolute @returns
    Scenario: a device is not a directory
      Given the tree "in/{x}, f"
      And the context {"roots": ["$ROOT", "/dev"], "allow_absolute": true}
      When list_directory is called with {"path": "/dev/null"}
      Then the call fails with ExecutionFailed

    @LD-VAL-08-109 @also:FR-LD-ERR-03
    Scenario: a missing directory is not an empty one
      Given the tree "in/{x}, f"
      When list_directory is called with {"path": "nope", "recursive": true, "include_hidden": true}
      Then the call fails with ExecutionFailed

    @also:FR-LD-ERR-03 @interpretation:AMB-LD-36
    Scenario Outline: a symlink that leads to no directory: <case>
      Given the tree "f, to-file->f, to-nothing->gone, in/{m->gone}"
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed or SandboxViolation

      Examples:
        | id            | case                                      | path           |
        | LD-VAL-08-10  | to a file                                 | "to-file"      |
        | LD-VAL-08-101 | to a file, with a slash behind it         | "to-file/"     |
        | LD-VAL-08-13  | to a missing name                         | "to-nothing"   |
        | LD-VAL-08-106 | to a missing name, with a slash behind it | "to-nothing/"  |
        | LD-VAL-08-107 | to a missing name, with more behind it    | "to-nothing/x" |
        | LD-VAL-08-108 | to a missing name, further down           | "in/m"         |

    Scenario Outline: a symlink to a directory is as good as the directory: <case>
      Given the tree "in/{x, sub/{q}}, l->in, l1->l2, l2->in, up/{back->../in}"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-36 the answer is one of
        | reading | entries   | fails                               |
        | follow  | <entries> |                                     |
        | refuse  |           | SandboxViolation or ExecutionFailed |

      Examples:
        | id            | case                           | path      | entries |
        | LD-VAL-08-11  | one link                       | "l"       | sub, x  |
        | LD-VAL-08-12  | a chain of links               | "l1"      | sub, x  |
        | LD-VAL-08-112 | a slash behind the link        | "l/"      | sub, x  |
        | LD-VAL-08-113 | a link that climbs and returns | "up/back" | sub, x  |

    # A sandbox may take no links; one that takes a plain one takes these as well.
    @behaviour:BEH-14
    Scenario Outline: a symlink whose target is written the long way: <target>
      Given the tree "l-><target>, m->in, in/{x, sub/{q}}"
      When list_directory is called with {"path": "m"}
      And list_directory is called again with {"path": "l"}
      Then all calls succeed, or all fail
      And by AMB-LD-36 the answer is one of
        | reading | entries   | fails                               |
        | follow  | <entries> |                                     |
        | refuse  |           | SandboxViolation or ExecutionFailed |

      Examples:
        | id            | target       | entries |
        | LD-VAL-08-701 | in/          | sub, x  |
        | LD-VAL-08-702 | .//in//sub   | q       |
        | LD-VAL-08-703 | './'*150'in' | sub, x  |
        | LD-VAL-08-704 | './'*500'in' | sub, x  |

    @behaviour:BEH-14
    Scenario Outline: symlinks on the way to a directory: <case>
      Given the tree "in/{x, me->., sub/{q}}, m->in, <links>"
      When list_directory is called with {"path": "m/sub"}
      And list_directory is called again with {"path": <path>}
      Then all calls succeed, or all fail
      And by AMB-LD-36 the answer is one of
        | reading | entries | fails                               |
        | follow  | q       |                                     |
        | refuse  | q       |                                     |
        | refuse  |         | SandboxViolation or ExecutionFailed |

      Examples:
        | id            | case                 | links                                                                                          | path           |
        | LD-VAL-08-114 | two in a row         | l1->l2, l2->in                                                                                 | "l1/sub"       |
        # A link that is met twice is no loop as long as each pass consumes a part of the path.
        | LD-VAL-08-705 | one that comes twice | l->in                                                                                          | "in/me/me/sub" |
        | LD-VAL-08-706 | twelve in a row      | l0->in, l1->l0, l2->l1, l3->l2, l4->l3, l5->l4, l6->l5, l7->l6, l8->l7, l9->l8, la->l9, lb->la | "lb/sub"       |

    @returns
    Scenario Outline: symlinks that go round in circles: <path>
      Given the tree "in/{x}, l->l, m->n, n->m, o->o/x"
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed or SandboxViolation

      Examples:
        | id            | path  |
        | LD-VAL-08-14  | "l"   |
        | LD-VAL-08-115 | "m"   |
        | LD-VAL-08-116 | "l/x" |
        | LD-VAL-08-117 | "o"   |

    @LD-VAL-08-15 @also:FR-LD-ERR-03 @interpretation:AMB-LD-34
    Scenario: a name longer than any that can be there
      Given the tree "in/{x}"
      When list_directory is called with {"path": "$('a'*256)"}
      Then the call fails with BadArgs or ExecutionFailed or SandboxViolation

    @LD-VAL-08-16 @interpretation:AMB-LD-34
    Scenario: a path longer than the system takes
      Given the tree "in/{x}"
      When list_directory is called with {"path": "$('a/'*3000)"}
      Then the call fails with BadArgs or ExecutionFailed or SandboxViolation

    Scenario Outline: a path that is long, but not too long: <levels> names of 200 characters
      Given the tree "'p'*200/{x, 'p'*200/{x, 'p'*200/{x, 'p'*200/{x}}}}"
      When list_directory is called with {"path": <path>, "include_dirs": false}
      Then the entries are "x"

      Examples:
        | id            | levels | path                                          |
        | LD-VAL-08-707 | two    | "$('p'*200)/$('p'*200)"                       |
        | LD-VAL-08-708 | four   | "$('p'*200)/$('p'*200)/$('p'*200)/$('p'*200)" |

    @LD-VAL-08-709
    Scenario: a path of twenty names
      Given the tree "a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{a/{x}}}}}}}}}}}}}}}}}}}}"
      When list_directory is called with {"path": "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"}
      Then the entries are "x"

    # Normalised before use, the path is short; used unchanged, it is too long for the system.
    @LD-VAL-08-17
    Scenario: a long path to somewhere near
      Given the tree "in/{x}"
      When list_directory is called with {"path": "in$('/.'*3000)"}
      Then by AMB-LD-20 the answer is one of
        | reading | entries | document         | fails                                          |
        | a       | x       | {"path": "in"}   |                                                |
        | b       | x       | {"path": "in/."} |                                                |
        | a       |         |                  | BadArgs or ExecutionFailed or SandboxViolation |
        | b       |         |                  | BadArgs or ExecutionFailed or SandboxViolation |

    # Truncated at the NUL, this is an existing directory.
    @LD-VAL-08-18 @interpretation:AMB-LD-34
    Scenario: a NUL in the path
      Given the tree "in/{x}"
      When list_directory is called with {"path": "in\u0000x"}
      Then the call fails with BadArgs or ExecutionFailed or SandboxViolation

    @LD-VAL-08-119 @interpretation:AMB-LD-34
    Scenario: a NUL behind the path
      Given the tree "in/{x}"
      When list_directory is called with {"path": "in\u0000"}
      Then by AMB-LD-18 the answer is one of
        | reading | entries | fails                                          |
        | a       |         | BadArgs or ExecutionFailed or SandboxViolation |
        | b       |         | BadArgs or ExecutionFailed or SandboxViolation |
        | c       |         | BadArgs or ExecutionFailed or SandboxViolation |
        | d       |         | BadArgs or ExecutionFailed or SandboxViolation |
        | e       |         | BadArgs or ExecutionFailed or SandboxViolation |
        | e       | x       |                                                |

    Scenario Outline: a directory that may not be read: mode <mode>, <case>
      Given the tree "in/%<mode>{x}, f"
      When list_directory is called with {"path": "in", "include_other": true<more>}
      Then by AMB-LD-10 the answer is one of
        | reading          | fails                               | number |
        | execution_failed | ExecutionFailed or SandboxViolation |        |
        | unknown_entry    |                                     | 1      |

      Examples:
        | id            | mode | case        | more                |
        | LD-VAL-08-20  | 0311 | flat        |                     |
        | LD-VAL-08-120 | 0000 | flat        |                     |
        | LD-VAL-08-710 | 0311 | recursively | , "recursive": true |
        | LD-VAL-08-711 | 0000 | recursively | , "recursive": true |

    @LD-VAL-07-707
    Scenario: up from where a symlink on the way leads, not from where it stands
      Given the tree "m->in/deep, in/{deep/{back->../y}, y/{right}}, y/{wrong}"
      When list_directory is called with {"path": "m/back"}
      Then by AMB-LD-36 the answer is one of
        | reading | entries | fails                               |
        | follow  | right   |                                     |
        | refuse  |         | SandboxViolation or ExecutionFailed |

    # Passing through a directory requires search permission only, opening it for each step more.
    @LD-VAL-08-712
    Scenario: below a directory that may be searched and not read
      Given the tree "in/%0311{sub/{q}}, f"
      When list_directory is called with {"path": "in/sub"}
      Then by AMB-LD-67 the answer is one of
        | reading | entries | fails                               |
        | a       | q       |                                     |
        | b       |         | ExecutionFailed or SandboxViolation |

    @LD-VAL-08-21
    Scenario: below a directory that may not be searched
      Given the tree "in/%0600{sub/{q}}, f"
      When list_directory is called with {"path": "in/sub"}
      Then the call fails with ExecutionFailed or SandboxViolation

    @LD-VAL-08-22 @needs:strace
    Scenario: a directory that goes away before it is read
      Given the tree "in/!R=ENOENT{x}, f"
      When list_directory is called with {"path": "in", "include_other": true}
      Then by AMB-LD-10 the answer is one of
        | reading          | fails           | number |
        | execution_failed | ExecutionFailed |        |
        | unknown_entry    | ExecutionFailed |        |
        | unknown_entry    |                 | 1      |

  @FR-LD-LST-08
  Rule: a directory that can be read but half way is not listed by half without a word

    @needs:strace
    Scenario Outline: a directory that can be read but half way, <case>
      Given the tree "in/!R2=EIO{f0000..f1999}, f"
      And the configuration {"max_entries": 5000}
      And budgets of 10000000 and 10000000 bytes
      When list_directory is called with {"path": "in", "include_other": true<more>}
      Then by AMB-LD-10 the answer is one of
        | reading          | fails           | number | some entry          |
        | execution_failed | ExecutionFailed |        |                     |
        | unknown_entry    | ExecutionFailed |        |                     |
        | unknown_entry    |                 |        | {"type": "unknown"} |

      Examples:
        | id            | case        | more                |
        | LD-VAL-08-23  | flat        |                     |
        | LD-VAL-08-713 | recursively | , "recursive": true |
