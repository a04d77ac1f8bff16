@file_operations
Feature: A destination that is a directory takes the source in, under its own name

  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @FR-FOPS-MV-02
  Rule: move

    @behaviour:BEH-04
    Scenario Outline: moved into a directory: <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call succeeds and leaves "<left>"

      Examples:
        | id | what | tree | arguments | left |
        | FO-MV-02-01 | a slash at its end | a="A", docs/ | {"source": "a", "destination": "docs/"} | docs/{a="A"} |
        | FO-MV-02-02 | from a subdirectory | x/{y/{a="A"}}, docs/ | {"source": "x/y/a", "destination": "docs"} | x/{y/}, docs/{a="A"} |
        | FO-MV-02-06 | the working directory | x/{a="A"} | {"source": "x/a", "destination": "."} | x/, a="A" |
        | FO-MV-02-14 | a name with two dots | a.tar.gz="A", docs/ | {"source": "a.tar.gz", "destination": "docs"} | docs/{a.tar.gz="A"} |
        | FO-MV-02-104 | a name with a colon and a hash | 'a:b#c'="A", docs/ | {"source": "a:b#c", "destination": "docs"} | docs/{'a:b#c'="A"} |
        | FO-MV-02-15 | a name that is not ASCII | '\\u00e9 \\u6587'="A", docs/ | {"source": "\\u00e9 \\u6587", "destination": "docs"} | docs/{'\\u00e9 \\u6587'="A"} |
        | FO-MV-02-201 | a directory whose name has a dot | a="A", v1.2/ | {"source": "a", "destination": "v1.2"} | v1.2/{a="A"} |
        | FO-MV-02-202 | a directory that gives its group | a="A", docs/%2755 | {"source": "a", "destination": "docs"} | docs/%2755{a="A"} |
        | FO-MV-02-203 | a directory in which all may write | a="A", docs/%1777 | {"source": "a", "destination": "docs"} | docs/%1777{a="A"} |

    @FO-MV-02-103 @interpretation:AMB-FO-49
    Scenario: moved into a directory: a name with a backslash, or not at all
      Given the tree "'a\\b'="A", docs/"
      When move is called with {"source": "a\\b", "destination": "docs"}
      Then the call either leaves "docs/{'a\\b'="A"}", or fails with any error and changes nothing

    @interpretation:AMB-FO-34 @behaviour:BEH-04
    Scenario Outline: a directory is moved as a whole, or not at all: <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then the call either leaves "<left>", or fails with any error and changes nothing

      Examples:
        | id | what | tree | arguments | left |
        | FO-MV-02-03 | a directory into another | d/{f="F"}, e/{g="G"} | {"source": "d", "destination": "e"} | e/{d/{f="F"}, g="G"} |
        | FO-MV-02-09 | a directory gets a new name | d/{f="F"} | {"source": "d", "destination": "e"} | e/{f="F"} |
        | FO-MV-02-10 | names that are not UTF-8 come along | d/{'\\xff'="F"}, e/ | {"source": "d", "destination": "e"} | e/{d/{'\\xff'="F"}} |
        | FO-MV-02-13 | the source with a slash at its end | d/{f="F"}, e/{g="G"} | {"source": "d/", "destination": "e"} | e/{d/{f="F"}, g="G"} |

    # A tool that moves directories moves those with a slash at their end too.
    @FO-MV-02-204 @behaviour:BEH-14
    Scenario: a directory is moved into another, and then one with a slash at its end
      Given the tree "c/{g="G"}, d/{f="F"}, e/{x="X"}"
      When move is called with {"source": "c", "destination": "e"}
      When move is called again with {"source": "d/", "destination": "e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails     | leaves                           |
        | error    |           | e/{c/{g="G"}, d/{f="F"}, x="X"}  |
        | complete |           | e/{c/{g="G"}, d/{f="F"}, x="X"}  |
        | never    | any error | c/{g="G"}, d/{f="F"}, e/{x="X"}  |

    # A tool that moves links moves them into the directory that they lead to as well.
    @FO-MV-02-205 @behaviour:BEH-14
    Scenario: a link is moved, and then one into the directory that it leads to
      Given the tree "a="A", k->a, d/, l->d"
      When move is called with {"source": "k", "destination": "m"}
      When move is called again with {"source": "l", "destination": "d"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails     | leaves                   |
        | usual   |           | a="A", m->a, d/{l->d}    |
        | link    |           | a="A", m->a, d/{l->d}    |
        | target  | any error | m="A", k->a, d/, l->d    |
        | moved   |           | a="A", m->a, d/{l->d}    |
        | refuse  | any error | a="A", k->a, d/, l->d    |

    # A tool that moves links moves those that lead nowhere into a directory as well.
    @FO-MV-02-206 @behaviour:BEH-14
    Scenario: a link is moved into a directory, and then one that leads nowhere
      Given the tree "a="A", k->a, l->nope, d/"
      When move is called with {"source": "k", "destination": "d"}
      When move is called again with {"source": "l", "destination": "d"}
      Then by AMB-FO-04 the outcome is one of
        | reading | fails     | leaves                         |
        | usual   |           | a="A", d/{k->a, l->nope}       |
        | link    |           | a="A", d/{k->a, l->nope}       |
        | target  | any error | d/{k="A"}, k->a, l->nope       |
        | moved   |           | a="A", d/{k->a, l->nope}       |
        | refuse  | any error | a="A", k->a, l->nope, d/       |

    # A tool that moves directories moves those with a link that leads nowhere too.
    @FO-MV-02-207 @behaviour:BEH-14
    Scenario: a directory is moved, and then one with a link that leads nowhere
      Given the tree "c/{g="G"}, d/{l->nope}"
      When move is called with {"source": "c", "destination": "e"}
      When move is called again with {"source": "d", "destination": "h"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails     | leaves                    |
        | error    |           | e/{g="G"}, h/{l->nope}    |
        | complete |           | e/{g="G"}, h/{l->nope}    |
        | never    | any error | c/{g="G"}, d/{l->nope}    |

    Scenario Outline: moved onto <what>
      Given the tree "<tree>"
      When move is called with <arguments>
      Then by AMB-FO-19 the outcome is one of
        | reading | fails     | leaves |
        | follow  |           | <left> |
        | name    | any error |        |

      Examples:
        | id | what | tree | arguments | left |
        | FO-MV-02-04 | a link to a directory | a="A", real/, ld->real | {"source": "a", "destination": "ld"} | real/{a="A"}, ld->real |
        | FO-MV-02-05 | a link to a link to a directory | a="A", r/, l->m, m->r | {"source": "a", "destination": "l"} | r/{a="A"}, l->m, m->r |

    @FO-MV-02-08
    Scenario: moved into a directory below a link to another
      Given the tree "a="A", r/{s/}, l->r"
      When move is called with {"source": "a", "destination": "l/s"}
      Then by AMB-FO-48 the outcome is one of
        | reading | fails     | leaves            |
        | follow  |           | r/{s/{a="A"}}, l->r |
        | refuse  | any error |                   |

    @FO-MV-02-07
    Scenario: moved into a directory where overwrite is set, and nothing there
      Given the tree "a="A", docs/{k="K"}"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the call succeeds and leaves "docs/{a="A", k="K"}"

    @FO-MV-02-11
    Scenario: in the directory a file of that name is overwritten where that is asked for
      Given the tree "a="NEW", docs/{a="OLDER", keep="K"}"
      And the configuration {"allow_overwrite": true}
      When move is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the call succeeds and leaves "docs/{a="NEW", keep="K"}"

    @FO-MV-02-12
    Scenario: a slash at the end of a new name
      Given the tree "a="A""
      When move is called with {"source": "a", "destination": "new/"}
      Then by AMB-FO-29 the outcome is one of
        | reading | fails     | leaves       |
        | error   | any error |              |
        | make    |           | new/{a="A"}  |
        | strip   |           | new="A"      |

    @FO-MV-02-102
    Scenario: a link that is moved into a directory keeps its own name
      Given the tree "a="A", l->a, docs/"
      When move is called with {"source": "l", "destination": "docs"}
      Then by AMB-FO-04 and AMB-FO-44 the outcome is one of
        | reading | AMB-FO-44 | fails | leaves                |
        | usual   |           |       | a="A", docs/{l->a}    |
        | link    |           |       | a="A", docs/{l->a}    |
        | moved   |           |       | a="A", docs/{l->a}    |
        | refuse  |           | any error |                   |
        | target  | own       |       | l->a, docs/{l="A"}    |
        | target  | target    |       | l->a, docs/{a="A"}    |

  @FR-FOPS-CP-02
  Rule: copy

    @behaviour:BEH-04
    Scenario Outline: copied into a directory: <what>
      Given the tree "<tree>"
      When copy is called with <arguments>
      Then the call succeeds and leaves "<left>"

      Examples:
        | id | what | tree | arguments | left |
        | FO-CP-02-01 | the working directory | x/{a="A"} | {"source": "x/a", "destination": "."} | x/{a="A"}, a="A" |
        | FO-CP-02-04 | a slash at its end | a="A", docs/ | {"source": "a", "destination": "docs/"} | a="A", docs/{a="A"} |
        | FO-CP-02-05 | from a subdirectory | x/{y/{a="A"}}, docs/ | {"source": "x/y/a", "destination": "docs"} | x/{y/{a="A"}}, docs/{a="A"} |
        | FO-CP-02-08 | a name that begins with a dot | .a="A", docs/ | {"source": ".a", "destination": "docs"} | .a="A", docs/{.a="A"} |
        | FO-CP-02-09 | a name in capitals | A.TXT="A", docs/ | {"source": "A.TXT", "destination": "docs"} | A.TXT="A", docs/{A.TXT="A"} |
        | FO-CP-02-104 | a name with a colon and a hash | 'a:b#c'="A", docs/ | {"source": "a:b#c", "destination": "docs"} | 'a:b#c'="A", docs/{'a:b#c'="A"} |
        | FO-CP-02-10 | a name that begins with a blank | x/{' a'="A"}, docs/ | {"source": "x/ a", "destination": "docs"} | x/{' a'="A"}, docs/{' a'="A"} |
        | FO-CP-02-201 | a directory whose name has a dot | a="A", v1.2/ | {"source": "a", "destination": "v1.2"} | a="A", v1.2/{a="A"} |
        | FO-CP-02-202 | a directory that gives its group | a="A", docs/%2755 | {"source": "a", "destination": "docs"} | a="A", docs/%2755{a="A"} |
        | FO-CP-02-203 | a directory in which all may write | a="A", docs/%1777 | {"source": "a", "destination": "docs"} | a="A", docs/%1777{a="A"} |

    @FO-CP-02-103 @interpretation:AMB-FO-49
    Scenario: copied into a directory: a name with a backslash, or not at all
      Given the tree "'a\\b'="A", docs/"
      When copy is called with {"source": "a\\b", "destination": "docs"}
      Then the call either leaves "'a\\b'="A", docs/{'a\\b'="A"}", or fails with any error and changes nothing

    @FO-CP-02-02
    Scenario: copied onto a link to a directory
      Given the tree "a="A", real/, ld->real"
      When copy is called with {"source": "a", "destination": "ld"}
      Then by AMB-FO-19 the outcome is one of
        | reading | fails     | leaves                        |
        | follow  |           | a="A", real/{a="A"}, ld->real |
        | name    | any error |                               |

    @FO-CP-02-03
    Scenario: copied into a directory where overwrite is set, and nothing there
      Given the tree "a="A", docs/{keep="K"}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the call succeeds and leaves "a="A", docs/{a="A", keep="K"}"

    @FO-CP-02-06
    Scenario: in the directory a file of that name is replaced where that is asked for
      Given the tree "a="NEW", docs/{a="OLDER", keep="K"}"
      And the configuration {"allow_overwrite": true}
      When copy is called with {"source": "a", "destination": "docs", "overwrite": true}
      Then the call succeeds and leaves "a="NEW", docs/{a="NEW", keep="K"}"

    @FO-CP-02-07
    Scenario: a slash at the end of a new name of a copy
      Given the tree "a="A""
      When copy is called with {"source": "a", "destination": "new/"}
      Then by AMB-FO-46 the outcome is one of
        | reading | fails     | leaves             |
        | error   | any error |                    |
        | make    |           | a="A", new/{a="A"} |
        | strip   |           | a="A", new="A"     |

    @FO-CP-02-102
    Scenario: a link that is copied into a directory gives its own name
      Given the tree "a="A", l->a, docs/"
      When copy is called with {"source": "l", "destination": "docs"}
      Then by AMB-FO-04 and AMB-FO-44 the outcome is one of
        | reading | AMB-FO-44 | fails | leaves                       |
        | usual   | own       |       | a="A", l->a, docs/{l="A"}    |
        | target  | own       |       | a="A", l->a, docs/{l="A"}    |
        | usual   | target    |       | a="A", l->a, docs/{a="A"}    |
        | target  | target    |       | a="A", l->a, docs/{a="A"}    |
        | link    |           |       | a="A", l->a, docs/{l->a}     |
        | moved   |           | any error |                          |
        | refuse  |           | any error |                          |

  @T-FOPS-MV-01
  Rule: the specification's own test: a file into a directory

    @FO-T-MV-01-01 @interpretation:AMB-FO-11
    Scenario: a file is moved into a directory with something in it
      Given the tree "a="A", docs/{k="K"}"
      When move is called with {"source": "a", "destination": "docs"}
      Then the call succeeds and leaves "docs/{a="A", k="K"}"

    @FO-T-MV-01-02
    Scenario: an empty file is moved into an empty directory
      Given the tree "a, docs/"
      When move is called with {"source": "a", "destination": "docs"}
      Then the call succeeds and leaves "docs/{a}"

  @T-FOPS-CP-01
  Rule: the specification's own test: a copy into a directory

    @FO-T-CP-01-01 @interpretation:AMB-FO-11
    Scenario: a file is copied into a directory with something in it
      Given the tree "a="A", docs/{k="K"}"
      When copy is called with {"source": "a", "destination": "docs"}
      Then the call succeeds and leaves "a="A", docs/{a="A", k="K"}"

    @FO-T-CP-01-02
    Scenario: an empty file is copied into an empty directory
      Given the tree "a, docs/"
      When copy is called with {"source": "a", "destination": "docs"}
      Then the call succeeds and leaves "a, docs/{a}"
