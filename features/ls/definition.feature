@ls
Feature: What an agent is told of the tool: its name, its parameters and their defaults

  @LS-DEF-01
  Rule: the tool is called LS, in capitals

    # A definition without a working tool is not enough: each of these scenarios also lists an entry.
    @LS-DEF-01-01
    Scenario: the name in the definition
      Given the tree "a/{b}, f"
      When LS is described
      Then the definition has {"name": "LS"}

  @LS-DEF-03
  Rule: there are five parameters, and none is required

    @LS-DEF-03-01
    Scenario: names and types of the parameters
      Given the tree "a/{b}, f"
      When LS is described
      Then the parameters are {"path": "string", "offset": "integer", "limit": "integer", "include_hidden": "boolean", "ignore": "array"}, none of them required

    @LS-DEF-03-02
    Scenario: the schema of the parameters is a schema
      Given the tree "a/{b}, f"
      When LS is described
      Then the definition's schema is valid

  @LS-DEF-04
  Rule: what is left out has its default

    @LS-DEF-04-01
    Scenario: the defaults in the definition
      Given the tree "a/{b}, f"
      When LS is described
      Then the parameters are named "path, offset, limit, include_hidden, ignore"
      And the definition has {"input_schema": {"properties": {"path": {"default": "."}, "offset": {"default": 0}, "limit": {"default": 100}, "include_hidden": {"default": false}}}}

    # The published default of ignore does not fit its own type, so that not to publish it is as right.
    @LS-DEF-04-101 @prudent
    Scenario: the default of ignore in the definition
      Given the tree "a/{b}, f"
      When LS is described
      Then the parameters are named "path, offset, limit, include_hidden, ignore"
      And the definition has {"input_schema": {"properties": {"ignore": {"default": null}}}}

    @LS-DEF-04-02
    Scenario: no argument at all
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md, setup.py, .env, .git/{config}, node_modules/{pkg/{i.js}}"
      When LS is called with {}
      Then the entries are "agents, docs, src, README.md, setup.py"

    @LS-DEF-04-03
    Scenario: all defaults written out
      Given the tree "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md, setup.py, .env, .git/{config}, node_modules/{pkg/{i.js}}"
      When LS is called with {"path": ".", "offset": 0, "limit": 100, "include_hidden": false, "ignore": null}
      Then the entries are "agents, docs, src, README.md, setup.py"

    Scenario Outline: <what> at its default changes nothing
      Given the tree "d/, f, .h, build/"
      When LS is called with <arguments>
      Then the entries are "d, f"

      Examples:
        | id           | what           | arguments                 |
        | LS-DEF-04-05 | path           | {"path": "."}             |
        | LS-DEF-04-06 | offset         | {"offset": 0}             |
        | LS-DEF-04-07 | limit          | {"limit": 100}            |
        | LS-DEF-04-08 | include_hidden | {"include_hidden": false} |
        | LS-DEF-04-09 | ignore         | {"ignore": null}          |

    Scenario Outline: a page of the default size: <case>
      Given the tree "<tree>"
      When LS is called with <arguments>
      Then there are 100 entries

      Examples:
        | id            | case                                        | tree       | arguments                                                           |
        | LS-DEF-04-10  | 101 entries are one too many                | f000..f100 | {}                                                                  |
        | LS-DEF-04-102 | 101 entries behind an offset are too many   | f000..f101 | {"offset": 1}                                                       |
        | LS-DEF-04-103 | 101 entries with all arguments are too many | f000..f100 | {"path": ".", "offset": 0, "include_hidden": true, "ignore": ["x"]} |
        | LS-DEF-04-11  | 100 entries fit                             | f000..f099 | {}                                                                  |

    @LS-DEF-04-13
    Scenario: the arguments of an earlier call are no defaults
      Given the tree "d/{x, y.log}, a.log, b, .h"
      When LS is called with {"path": "d", "offset": 1, "limit": 1, "include_hidden": true, "ignore": ["*.log"]}
      And LS is called again with {}
      Then the entries are "d, a.log, b"

    @LS-DEF-04-104
    Scenario: the end of an earlier page is not the default offset
      Given the tree "d/, a, b, c"
      When LS is called with {"limit": 2}
      And LS is called again with {}
      Then the entries are "d, a, b, c"

    @LS-DEF-04-12
    Scenario: the default path is the working directory and not the root
      Given the tree "src/{main.py}, README.md"
      And the context {"working_dir": "$ROOT/src"}
      When LS is called with {"path": "."}
      And LS is called again with {}
      Then all answers list the same entries

  @LS-DEF-05
  Rule: the words of the descriptions are the published ones

    @LS-DEF-05-01
    Scenario: the description of the tool
      Given the tree "a/{b}, f"
      When LS is described
      Then the definition has {"description": "List files and directories in a given path with pagination and filters."}

    @LS-DEF-05-02
    Scenario: the descriptions of the parameters
      Given the tree "a/{b}, f"
      When LS is described
      Then the parameters are named "path, offset, limit, include_hidden, ignore"
      And the definition has {"input_schema": {"properties": {"path": {"description": "Directory path to list (relative to project root or absolute within it)."}, "offset": {"description": "Pagination start index (>=0)."}, "limit": {"description": "Max items to return (1-200)."}, "include_hidden": {"description": "Whether to include hidden files (starting with '.')."}, "ignore": {"description": "Optional list of glob patterns to ignore."}}}}
