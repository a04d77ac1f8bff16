@file_operations
Feature: A directory is copied, or moved to another file system, as a whole or not at all

  # Whether either is done is open (AMB-FO-33, AMB-FO-34), and so is what becomes of links (AMB-FO-45).
  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-02
  Rule: the copy of a directory lacks nothing

    @returns
    Scenario Outline: a directory is copied with <what>, or not at all
      Given the tree "<tree>"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves         |
        | error    | any error, nothing lost |                |
        | complete | <refused>               |                |
        | complete |                         | <tree>, <copy> |
      And a control call copies a file

      Examples:
        | id        | what                   | tree                                 | copy                                 | refused                 |
        | FO-D02-29 | a named pipe           | d/{f="F", p:fifo}                    | e/{f="F", p:fifo}                    | any error, nothing lost |
        | FO-D02-30 | a socket               | d/{f="F", p:sock}                    | e/{f="F", p:sock}                    | any error, nothing lost |
        | FO-D02-119 | a link that leads nowhere | d/{f="F", m->nope}               | e/{f="F", m->nope}                   | any error, nothing lost |

    Scenario Outline: a directory is copied with all its entries, or not at all: <what>
      Given the tree "<tree>"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves         |
        | error    | any error, nothing lost |                |
        | complete |                         | <tree>, <copy> |
      And a control call copies a file

      Examples:
        | id        | what                           | tree                                        | copy                                        |
        | FO-D02-31 | directories that are empty     | d/{f="F", s/{t/}}                           | e/{f="F", s/{t/}}                           |
        | FO-D02-32 | names of left-overs            | d/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"} | e/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"} |
        | FO-D02-33 | empty files                    | d/{f, s/{g}}                                | e/{f, s/{g}}                                |
        | FO-D02-34 | names that are not UTF-8       | d/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}}       | e/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}}       |
        | FO-D02-35 | directories in directories     | d/{a/{b/{c/{d/{e/{f/{g/{h="H"}}}}}}}}       | e/{a/{b/{c/{d/{e/{f/{g/{h="H"}}}}}}}}       |
        | FO-D02-116 | names that tools skip, further down | d/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"} | e/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"} |
        | FO-D02-117 | directories of many files     | d/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}} | e/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}} |
        | FO-D02-124 | names with a meaning elsewhere | d/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"} | e/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"} |
        | FO-D02-118 | twelve directories deep       | d/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}} | e/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}} |

    # Both names may lead to one file of the copy, and never to a file of the source.
    @FO-D02-202
    Scenario: a directory is copied with a file of two names, or not at all
      Given the tree "d/{f="F", h=>d/f}"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves                                     |
        | error    | any error, nothing lost |                                            |
        | complete | any error, nothing lost |                                            |
        | complete |                         | d/{f="F", h=>d/f}, e/{f="F", h="F"}        |
        | complete |                         | d/{f="F", h=>d/f}, e/{f="F", h=>e/f}       |
      And a control call copies a file

  @DFO-01
  Rule: a directory on another file system lacks nothing

    @returns
    Scenario Outline: a directory is moved to another file system with <what>, or not at all
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves    | at $FAR       |
        | error    | any error, nothing lost |           |               |
        | complete | any error, nothing lost |           |               |
        | complete |                         | far->$FAR | <got>, k="K"  |
      And a control call moves a file

      Examples:
        | id          | what         | tree              | got               |
        | FO-MV-04-30 | a named pipe | d/{f="F", p:fifo} | e/{f="F", p:fifo} |
        | FO-MV-04-31 | a socket     | d/{f="F", p:sock} | e/{f="F", p:sock} |

    Scenario Outline: a directory is moved to another file system with all its entries, or not at all: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves    | at $FAR       |
        | error    | any error, nothing lost |           |               |
        | complete |                         | far->$FAR | <got>, k="K"  |
      And a control call moves a file

      Examples:
        | id          | what                       | tree                                  | got                                   |
        | FO-MV-04-32 | directories that are empty | d/{f="F", s/{t/}}                     | e/{f="F", s/{t/}}                     |
        | FO-MV-04-33 | names of left-overs        | d/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"} | e/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"} |
        | FO-MV-04-34 | empty files                | d/{f, s/{g}}                          | e/{f, s/{g}}                          |
        | FO-MV-04-35 | names that are not UTF-8   | d/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}} | e/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}} |
        | FO-MV-04-103 | names that tools skip, further down | d/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"} | e/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"} |
        | FO-MV-04-104 | directories of many files | d/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}} | e/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}} |
        | FO-MV-04-110 | names with a meaning elsewhere | d/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"} | e/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"} |
        | FO-MV-04-105 | twelve directories deep   | d/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}} | e/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}} |

  @DFO-04
  Rule: a directory that cannot be moved or copied is not lost

    @FO-D04-26
    Scenario: a directory does not fit on the other file system
      Given the tree "d/{f="F", g="0123456789abcdef"*20000, s/{h="H"}}, far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call fails with any error and loses nothing
      And a control call moves a file

    # What was copied already may stay. What was deleted already must be in the copy.
    @FO-D04-27
    Scenario: a part of a directory cannot be deleted after its copy is on another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{a="A", s/%0555{b="B"}, z="Z"}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then nothing is lost
      And the call fails with any error
      And a control call moves a file

  @DFO-05
  Rule: what a link in the directory leads to stays where it is

    # The directory goes, with the link; the place that the link leads to is another one.
    @FO-D05-29
    Scenario: a directory with a link to another is moved to another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", l->../keep}, keep/{g="G", s/{h="H"}}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then the outcome is one of
        | fails                   | leaves                               | at $FAR                                         |
        | any error, nothing lost |                                      |                                                 |
        |                         | keep/{g="G", s/{h="H"}}, far->$FAR   | e/{f="F", l->../keep}, k="K"                    |
        |                         | keep/{g="G", s/{h="H"}}, far->$FAR   | e/{f="F", l/{g="G", s/{h="H"}}}, k="K"          |
      And a control call moves a file

    # Without a configuration it is open whether anything is overwritten (AMB-FO-01).
    @FO-D05-30
    Scenario: a directory is moved into one of another file system that has one of its name, with overwrite
      Given at $FAR, on another file system, the tree "k="K", s/{d/{g="G"}}"
      And the tree "d/{f="F"}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/s", "overwrite": true}
      Then the outcome is one of
        | fails                   | leaves    | at $FAR                         |
        | any error, nothing lost |           |                                 |
        |                         | far->$FAR | k="K", s/{d/{f="F", g="G"}}     |
      And a control call moves a file into a directory

  @DFO-06
  Rule: a directory that leads into itself does not run away

    @returns
    Scenario Outline: a directory with a link to <what> is copied, or not at all
      Given the tree "<tree>"
      When copy is called with {"source": "d", "destination": "e"}
      Then by AMB-FO-33 the outcome is one of
        | reading  | fails                   | leaves         |
        | error    | any error, nothing lost |                |
        | complete | any error, nothing lost |                |
        | complete |                         | <tree>, <copy> |
      And a control call copies a file

      Examples:
        | id        | what              | tree                  | copy                  |
        | FO-D06-37 | itself            | d/{f="F", l->.}       | e/{f="F", l->.}       |
        | FO-D06-38 | the one above     | d/{f="F", s/{l->..}}  | e/{f="F", s/{l->..}}  |

    @FO-D06-39 @returns
    Scenario: a directory with a link to itself is moved to another file system, or not at all
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", l->.}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then by AMB-FO-34 the outcome is one of
        | reading  | fails                   | leaves    | at $FAR                |
        | error    | any error, nothing lost |           |                        |
        | complete | any error, nothing lost |           |                        |
        | complete |                         | far->$FAR | e/{f="F", l->.}, k="K" |
      And a control call moves a file
