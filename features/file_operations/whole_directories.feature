@file_operations
Feature: A directory is copied, or moved to another file system, as a whole or not at all

  # Whether either is done is open (AMB-FO-33, AMB-FO-34), and so is what becomes of links (AMB-FO-45, AMB-FO-53).
  Background:
    Given beside the sandbox the tree "away/{secret="S"}, root2/"

  @DFO-02
  Rule: the copy of a directory lacks nothing

    @interpretation:AMB-FO-33 @behaviour:BEH-04
    Scenario Outline: <case of DFO-02>
      Given the tree "<tree>"
      When copy is called with {"source": "d", "destination": "e"}
      Then the call <ends>

      @returns
      Examples:
        | id | case of DFO-02 | tree | ends |
        | FO-D02-29 | a directory is copied with a named pipe, or not at all | d/{f="F", p:fifo} | either leaves "d/{f="F", p:fifo}, e/{f="F", p:fifo}", or fails with any error and loses nothing |
        | FO-D02-30 | a directory is copied with a socket, or not at all | d/{f="F", p:sock} | either leaves "d/{f="F", p:sock}, e/{f="F", p:sock}", or fails with any error and loses nothing |

      Examples:
        | id | case of DFO-02 | tree | ends |
        | FO-D02-31 | a directory is copied with all its entries, or not at all: directories that are empty | d/{f="F", s/{t/}} | either leaves "d/{f="F", s/{t/}}, e/{f="F", s/{t/}}", or fails with any error and loses nothing |
        | FO-D02-32 | a directory is copied with all its entries, or not at all: names of left-overs | d/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"} | either leaves "d/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"}, e/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"}", or fails with any error and loses nothing |
        | FO-D02-33 | a directory is copied with all its entries, or not at all: empty files | d/{f, s/{g}} | either leaves "d/{f, s/{g}}, e/{f, s/{g}}", or fails with any error and loses nothing |
        | FO-D02-34 | a directory is copied with all its entries, or not at all: names that are not UTF-8 | d/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}} | either leaves "d/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}}, e/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}}", or fails with any error and loses nothing |
        | FO-D02-35 | a directory is copied with all its entries, or not at all: directories in directories | d/{a/{b/{c/{d/{e/{f/{g/{h="H"}}}}}}}} | either leaves "d/{a/{b/{c/{d/{e/{f/{g/{h="H"}}}}}}}}, e/{a/{b/{c/{d/{e/{f/{g/{h="H"}}}}}}}}", or fails with any error and loses nothing |
        | FO-D02-116 | a directory is copied with all its entries, or not at all: names that tools skip, further down | d/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"} | either leaves "d/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"}, e/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"}", or fails with any error and loses nothing |
        | FO-D02-117 | a directory is copied with all its entries, or not at all: directories of many files | d/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}} | either leaves "d/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}}, e/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}}", or fails with any error and loses nothing |
        | FO-D02-124 | a directory is copied with all its entries, or not at all: names with a meaning elsewhere | d/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"} | either leaves "d/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"}, e/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"}", or fails with any error and loses nothing |
        | FO-D02-118 | a directory is copied with all its entries, or not at all: twelve directories deep | d/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}} | either leaves "d/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}}, e/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}}", or fails with any error and loses nothing |

    @FO-D02-119 @returns @interpretation:AMB-FO-33
    Scenario: a directory is copied with a link that leads nowhere, or not at all
      Given the tree "d/{f="F", m->nope}"
      When copy is called with {"source": "d", "destination": "e"}
      Then the outcome is one of
        | fails                   | leaves                                          |
        | any error, nothing lost |                                                 |
        |                         | d/{f="F", m->nope}, e/{f="F", m->nope}          |
        |                         | d/{f="F", m->nope}, e/{f="F", m->$ROOT/d/nope}  |

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

  @DFO-01
  Rule: a directory on another file system lacks nothing

    @interpretation:AMB-FO-34
    Scenario Outline: <case of DFO-01 on two file systems>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>"
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call <ends>

      @returns
      Examples:
        | id | case of DFO-01 on two file systems | tree | ends |
        | FO-MV-04-30 | a directory is moved to another file system with a named pipe, or not at all | d/{f="F", p:fifo}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{f="F", p:fifo}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-31 | a directory is moved to another file system with a socket, or not at all | d/{f="F", p:sock}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{f="F", p:sock}, k="K"", or fails with any error and loses nothing |

      Examples:
        | id | case of DFO-01 on two file systems | tree | ends |
        | FO-MV-04-32 | a directory is moved to another file system with all its entries, or not at all: directories that are empty | d/{f="F", s/{t/}}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{f="F", s/{t/}}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-33 | a directory is moved to another file system with all its entries, or not at all: names of left-overs | d/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{.DS_Store="1", .env="2", __pycache__/{x.pyc="3"}, build/{o.o="4"}, k.bak="5", k~="6", core="7", .#l="8", x.tmp="9"}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-34 | a directory is moved to another file system with all its entries, or not at all: empty files | d/{f, s/{g}}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{f, s/{g}}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-35 | a directory is moved to another file system with all its entries, or not at all: names that are not UTF-8 | d/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{'\\xff'="F", s/{'\\xfe\\xfe'="G"}}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-103 | a directory is moved to another file system with all its entries, or not at all: names that tools skip, further down | d/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{s/{.git/{x="X"}, build/{u="U"}, dist/{w="W"}, node_modules/{y="Y"}, target/{z="Z"}, vendor/{v="V"}}, .gitignore="I"}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-104 | a directory is moved to another file system with all its entries, or not at all: directories of many files | d/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{a/{f00..f99}, b/{f000..f127}, c/{f000..f255}}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-110 | a directory is moved to another file system with all its entries, or not at all: names with a meaning elsewhere | d/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{'a:b'="1", 'c:'="2", con="3", 'a  b'="4", ' '="5", '\\u200bx\\ufeff'="6", '\\u202ey'="7", '"q"'="8", A.TXT="9", '~root'="A", '[ab]{c}*?'="B", '%2f%00'="C", '#'="D", '\\x01\\x1b[m\\x7f'="E", '$(x)`y`'="F", null="G"}, k="K"", or fails with any error and loses nothing |
        | FO-MV-04-105 | a directory is moved to another file system with all its entries, or not at all: twelve directories deep | d/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}}, far->$FAR | either leaves "far->$FAR", and at $FAR "e/{d1/{d2/{d3/{d4/{d5/{d6/{d7/{d8/{d9/{d10/{d11/{d12/{h="H"}}}}}}}}}}}}}, k="K"", or fails with any error and loses nothing |

  @DFO-04
  Rule: a directory that cannot be moved or copied is not lost

    @FO-D04-26
    Scenario: a directory does not fit on the other file system
      Given the tree "d/{f="F", g="0123456789abcdef"*20000, s/{h="H"}}, far/"
      And "far" is a file system of 64 KiB with the tree "k="K""
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call fails with any error and loses nothing

    # What was copied already may stay. What was deleted already must be in the copy.
    @FO-D04-27
    Scenario: a part of a directory cannot be deleted after its copy is on another file system
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{a="A", s/%0555{b="B"}, z="Z"}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then nothing is lost
      And the call fails with any error

    # The files may go one by one: each of them is whole, under its old or its new name.
    Scenario Outline: no file is lost where a directory cannot be moved to another file system: <what>
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "<tree>"
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call fails with any error and loses nothing

      Examples:
        | id | what | tree |
        | FO-MV-04-28 | a directory with a file that may not be read | d/{f="F", g="G"%0000}, far->$FAR |
        | FO-MV-04-109 | a directory with a directory that may not be read | d/{f="F", s/%0000{g="G"}}, far->$FAR |

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

    # Without a configuration it is open whether anything is overwritten (AMB-FO-01).
    @FO-D05-30
    Scenario: a directory is moved into one of another file system that has one of its name, with overwrite
      Given at $FAR, on another file system, the tree "k="K", s/{d/{g="G"}}"
      And the tree "d/{f="F"}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/s", "overwrite": true}
      Then the call either leaves "far->$FAR", and at $FAR "k="K", s/{d/{f="F", g="G"}}", or fails with any error and loses nothing

  @DFO-06
  Rule: a directory that leads into itself does not run away

    @returns @interpretation:AMB-FO-33 @behaviour:BEH-03
    Scenario Outline: <case of DFO-06>
      Given the tree "d/{f="F", <inside>}"
      When copy is called with {"source": "d", "destination": "e"}
      Then the outcome is one of
        | fails                   | leaves                                       |
        | any error, nothing lost |                                              |
        |                         | d/{f="F", <inside>}, e/{f="F", <inside>}     |
        |                         | d/{f="F", <inside>}, e/{f="F", <absolute>}   |

      Examples:
        | id        | case of DFO-06                                                  | inside    | absolute       |
        | FO-D06-37 | a directory with a link to itself is copied, or not at all      | l->.      | l->$ROOT/d     |
        | FO-D06-38 | a directory with a link to the one above is copied, or not at all | s/{l->..} | s/{l->$ROOT/d} |

    @FO-D06-39 @returns @interpretation:AMB-FO-34
    Scenario: a directory with a link to itself is moved to another file system, or not at all
      Given at $FAR, on another file system, the tree "k="K""
      And the tree "d/{f="F", l->.}, far->$FAR"
      When move is called with {"source": "d", "destination": "far/e"}
      Then the call either leaves "far->$FAR", and at $FAR "e/{f="F", l->.}, k="K"", or fails with any error and loses nothing
