@list_directory
Feature: A recursive listing is complete down to the effective depth

  @FR-LD-LST-02
  Rule: with recursion every descendant down to the effective depth is returned

    @behaviour:BEH-06
    Scenario Outline: descendants and depth: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then the entries are "<entries>"

      Examples:
        | id            | case                                         | tree                            | call                                        | entries                                     |
        | LD-LST-02-01  | everything within the default depth          | a/{b/{c}}, d/{e}                | {"recursive": true}                         | a, a/b, a/b/c, d, d/e                       |
        | LD-LST-02-02  | nothing below depth 2                        | a/{b/{c}}, d/{e}                | {"recursive": true, "max_depth": 2}         | a, a/b, d, d/e                              |
        | LD-LST-02-08  | empty directories                            | a/, b/{c/}, d/                  | {"recursive": true}                         | a, b, b/c, d                                |
        | LD-LST-02-09  | directories are complete without files       | a/{b/{c}}, d                    | {"recursive": true, "include_files": false} | a, a/b                                      |
        | LD-LST-02-101 | depth 1 is the flat listing                  | a/{b}, d                        | {"recursive": true, "max_depth": 1}         | a, d                                        |
        | LD-LST-02-102 | each branch has the whole depth to itself    | a/{b/{c}}, d/{e/{f}}, g/{h/{i}} | {"recursive": true, "max_depth": 3}         | a, a/b, a/b/c, d, d/e, d/e/f, g, g/h, g/h/i |
        | LD-LST-02-103 | a shallow branch after a deep one            | a/{b/{c/{d/{e}}}}, f/{g}        | {"recursive": true, "max_depth": 3}         | a, a/b, a/b/c, f, f/g                       |
        | LD-LST-02-104 | siblings after a subdirectory at every level | a/{b/{c, d}, e}, f              | {"recursive": true}                         | a, a/b, a/b/c, a/b/d, a/e, f                |
        | LD-LST-02-106 | blanks and quotes in directory names         | 'a b'/{c}, 'q"'/{d}             | {"recursive": true}                         | 'a b', 'a b/c', 'q"', 'q"/d'                |

    @LD-LST-02-761 @framework:allow_absolute
    Scenario: the depth is counted from the requested directory, by an absolute path
      Given the tree "in/{a/{b/{c/{d}}}, e, f}, z"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$ROOT/in", "recursive": true, "max_depth": 2}
      Then the entries are "a, a/b, e, f"

    Scenario Outline: three levels below <case>
      Given beside the sandbox the tree "linked->root, root2/{x}"
      And the tree "t/{a/{b/{c}}}, d/{x}"
      And the context <context>
      When list_directory is called with {"path": "<path>", "recursive": true}
      Then the entries are "a, a/b, a/b/c"

      Examples:
        | id            | case                              | context                                                        | path |
        | LD-LST-02-627 | a path with a dot                 | {}                                                             | ./t  |
        | LD-LST-02-628 | a path with a slash at its end    | {}                                                             | t/   |
        | LD-LST-02-629 | the first of two roots            | {"roots": ["$ROOT", "$OUTSIDE/root2"]}                         | t    |
        | LD-LST-02-630 | a root with another one in it     | {"roots": ["$ROOT", "$ROOT/d"]}                                | t    |
        | LD-LST-02-631 | a root that is a link             | {"roots": ["$OUTSIDE/linked"], "working_dir": "$OUTSIDE/linked"} | t    |

    @LD-LST-02-111
    Scenario: hidden directories that are asked for are walked like others
      Given the tree ".h/{x, .i/{y}}, e/{z}"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then the entries are ".h, .h/x, .h/.i, .h/.i/y, e, e/z"

    @LD-LST-02-110 @behaviour:BEH-06
    Scenario: directories whose names are not UTF-8
      Given the tree "'d\xff'/{x, '\xe9'/{y}}, e/{z}"
      When list_directory is called with {"recursive": true}
      Then the entries are "'d\ufffd', 'd\ufffd/x', 'd\ufffd/\ufffd', 'd\ufffd/\ufffd/y', e, e/z"

    @LD-LST-02-05
    Scenario: depth counts path components from the requested directory
      Given the tree "a/{b/{c}}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path  | depth |
        | a     | 1     |
        | a/b   | 2     |
        | a/b/c | 3     |

    @behaviour:BEH-06
    Scenario Outline: <case>
      Given the tree "<tree>"
      And the configuration <configuration>
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id           | case                                                   | tree               | configuration        | call                                    | answer                      |
        # 50 directories and 150 files are exactly the limit.
        | LD-LST-02-06 | many directories, exactly as many entries as the limit | d00..d49/{x, y, z} | {"max_entries": 200} | {"recursive": true}                     | the listing has 200 entries |
        | LD-LST-02-07 | many directories below the limit                       | d00..d48/{x, y, z} | {"max_entries": 300} | {"recursive": true, "max_entries": 300} | the listing has 196 entries |

    @LD-LST-02-10 @interpretation:AMB-LD-08
    Scenario: directories that are left out of the listing are still walked
      Given the tree "a/{b/{c}}, d"
      When list_directory is called with {"recursive": true, "include_dirs": false}
      Then the entries are "a/b/c, d"

    @behaviour:BEH-06
    Scenario Outline: <case> (with recursion every descendant down to the effective depth is returned)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                              | tree                          | call                                | answer                              |
        | LD-LST-02-11  | a subdirectory is the root of its own listing     | s/{a/{b}, c}                  | {"path": "s", "recursive": true}    | the entries are "a, a/b, c"         |
        | LD-LST-02-616 | every name of a file, in whatever directory       | a/{x="X"}, b/{y=>a/x}, z=>a/x | {"recursive": true}                 | the entries are "a, a/x, b, b/y, z" |
        | LD-LST-02-12  | descendants and depth: one name at several depths | a/{a/{a}}                     | {"recursive": true}                 | the entries are "a, a/a, a/a/a"     |
        | LD-LST-02-03  | stopping at a depth is not truncation             | a/{b/{c/{d/{e}}}}             | {"recursive": true, "max_depth": 2} | the entries are "a, a/b"            |

    # Other tools skip generated directories; a listing does not.
    @LD-LST-02-301 @behaviour:BEH-06
    Scenario: no name keeps a directory closed
      Given the tree "build/{x}, node_modules/{m/{x}}, target/{x}, venv/{x}"
      When list_directory is called with {"recursive": true}
      Then the entries are "build, build/x, node_modules, node_modules/m, node_modules/m/x, target, target/x, venv, venv/x"

    # A listing also includes the files and directories that systems and tools add.
    @LD-LST-02-612
    Scenario: no name is left out for what put it there
      Given the tree "__pycache__/{b}, dist/{c}, vendor/{d}, 'lost+found'/{e}, Thumbs.db, desktop.ini"
      When list_directory is called with {"recursive": true}
      Then the entries are "__pycache__, __pycache__/b, dist, dist/c, vendor, vendor/d, lost+found, lost+found/e, Thumbs.db, desktop.ini"

    # A directory of such a name may be listed and stay closed. Without denied patterns nothing is left out.
    @LD-LST-02-613
    Scenario: names that no request may have are met on the walk
      Given the tree "certs.pem/{x}, in/{id_rsa, my.key, plain}, out/{y}"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-35 the answer is one of
        | reading | entries |
        | no      | certs.pem, certs.pem/x, in, in/id_rsa, in/my.key, in/plain, out, out/y |
        | omit    | in, in/plain, out, out/y |
        | listed  | certs.pem, in, in/id_rsa, in/my.key, in/plain, out, out/y |

    # The number of entries shows whether the directories are entered. Whether hidden entries are shown is FR-LD-LST-06.
    @LD-LST-02-615
    Scenario: no hidden name is left out for what put it there, on request
      Given the tree ".git/{HEAD}, .hg/{a}, .ssh/{keys/{id}}, .DS_Store, ._x, .nfs01"
      When list_directory is called with {"recursive": true, "include_hidden": true}
      Then by AMB-LD-35 the answer is one of
        | reading | number | entries                                                             |
        | no      | 10     |                                                                     |
        | omit    |        | .git, .git/HEAD, .hg, .hg/a, .ssh, .DS_Store, ._x, .nfs01            |
        | omit    |        | .git, .git/HEAD, .hg, .hg/a, .DS_Store, ._x, .nfs01                  |
        | listed  |        | .git, .git/HEAD, .hg, .hg/a, .ssh, .DS_Store, ._x, .nfs01            |
        | listed  |        | .git, .git/HEAD, .hg, .hg/a, .ssh, .ssh/keys, .DS_Store, ._x, .nfs01 |

    # Sizes at which a library ends a part of a directory.
    @LD-LST-02-623
    Scenario: directories of as many entries as are read at once
      Given the tree "a/{f00..f31}, b/{f00..f63}, c/{f00..f99}, d/{f000..f127}"
      And the configuration {"max_entries": 1000}
      When list_directory is called with {"recursive": true, "max_entries": 1000}
      Then the listing has 328 entries

    @LD-LST-02-617 @behaviour:BEH-14
    Scenario: what has come since an equal call
      Given the tree "a, d/{x}"
      When list_directory is called with {"recursive": true}
      And the tree gets "b, d/{y}"
      And list_directory is called again with {"recursive": true}
      Then the entries are "a, b, d, d/x, d/y"

    @LD-LST-02-107
    Scenario: a configured depth beyond the built-in one is walked to its end
      Given the tree "a/{b/{c/{d/{e/{f/{g/{h/{i/{j}}}}}}}}}"
      And the configuration {"max_depth": 40}
      When list_directory is called with {"recursive": true, "max_depth": 40}
      Then the entries are "a, a/b, a/b/c, a/b/c/d, a/b/c/d/e, a/b/c/d/e/f, a/b/c/d/e/f/g, a/b/c/d/e/f/g/h, a/b/c/d/e/f/g/h/i, a/b/c/d/e/f/g/h/i/j"

    # Twenty names of 250 bytes: the absolute path exceeds PATH_MAX (4096, or 1024 on macOS) during the walk.
    @LD-LST-02-108
    Scenario: paths longer than the system's limit do not end the walk
      Given the tree
        """
        'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/{'p'*250/}}}}}}}}}}}}}}}}}}}, z
        """
      And the configuration {"max_depth": 30}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_depth": 30, "include_other": true}
      Then the entries include "z"
      And by AMB-LD-53 the answer is one of
        | reading | number                                                   | deepest             |
        | a       | 21                                                       | {"type": "dir"}     |
        | b       | [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19] | {"type": "unknown"} |

    @LD-LST-02-302
    Scenario: descendants and depth: three directories side by side below the top
      Given the tree "a/{b/{x}, c/{y}, d/{z}}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/b, a/b/x, a/c, a/c/y, a/d, a/d/z"

    @LD-LST-02-622
    Scenario: several directories at every depth
      Given the tree "a/{b/{c/{u}, d/{v}, e/{w}}, f/{g/{x}, h/{y}}}"
      When list_directory is called with {"recursive": true, "max_depth": 4}
      Then the entries are "a, a/b, a/b/c, a/b/c/u, a/b/d, a/b/d/v, a/b/e, a/b/e/w, a/f, a/f/g, a/f/g/x, a/f/h, a/f/h/y"

    @LD-LST-02-105
    Scenario: descendants and depth: the same names in two branches are both kept
      Given the tree "a/{x, y}, b/{x, y}"
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/x, a/y, b, b/x, b/y"

  @FR-LD-LST-03
  Rule: the entries . and .. never appear

    @behaviour:BEH-06
    Scenario Outline: <case> (the entries . and .. never appear)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                      | tree               | call                                        | answer                               |
        | LD-LST-03-01  | not in a flat listing with hidden entries | a                  | {"include_hidden": true}                    | the entries are "a"                  |
        | LD-LST-03-02  | not at any depth                          | a/{.h/{x}}         | {"recursive": true, "include_hidden": true} | the entries are "a, a/.h, a/.h/x"    |
        | LD-LST-03-101 | not inside empty directories              | d/{e/}, f/         | {"recursive": true, "include_hidden": true} | the entries include "d"              |
        | LD-LST-03-102 | they do not count toward the limit        | .x, a              | {"include_hidden": true, "max_entries": 3}  | the entries are ".x, a"              |
        | LD-LST-03-03  | names that only look like them are kept   | ..., ..x, '. ', .x | {"include_hidden": true}                    | the entries are "'. ', ..., ..x, .x" |
