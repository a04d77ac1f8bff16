@list_directory
Feature: A walk ends at every symlink

  @FR-LD-VAL-09
  Rule: a symlink is listed and never gone through

    @also:NFR-LD-SEC-03 @returns @behaviour:BEH-09
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                                     | tree                         | call                                        | answer                               |
        | LD-VAL-09-101 | a symlink to an absolute path inside     | d/{x}, l->$ROOT/d            | {"recursive": true}                         | the entries are "d, d/x, l"          |
        | LD-VAL-09-102 | a symlink whose target ends in a slash   | d/{x}, l->d/                 | {"recursive": true}                         | the entries are "d, d/x, l"          |
        | LD-VAL-09-103 | a chain of symlinks                      | d/{x}, l1->l2, l2->d         | {"recursive": true}                         | the entries are "d, d/x, l1, l2"     |
        | LD-VAL-09-104 | a symlink further down                   | a/{l->../b}, b/{x}           | {"recursive": true}                         | the entries are "a, a/l, b, b/x"     |
        | LD-VAL-09-02  | a symlink to a system directory          | l->/etc, a                   | {"recursive": true}                         | the entries are "a, l"               |
        | LD-VAL-09-105 | a symlink to what is not there           | l->gone, a/{m->../../gone}   | {"recursive": true}                         | the entries are "a, a/m, l"          |
        | LD-VAL-09-03  | a symlink to its own directory           | d/{loop->.}                  | {"recursive": true}                         | the entries are "d, d/loop"          |
        | LD-VAL-09-106 | a symlink to the listed directory itself | loop->., x                   | {"recursive": true}                         | the entries are "loop, x"            |
        | LD-VAL-09-04  | a symlink to its parent                  | d/{up->..}, z                | {"recursive": true}                         | the entries are "d, d/up, z"         |
        | LD-VAL-09-08  | a hidden symlink                         | .l->d, d/{x}                 | {"recursive": true, "include_hidden": true} | the entries are ".l, d, d/x"         |
        | LD-VAL-09-108 | a symlink in a flat listing              | d/{x}, l->d                  | {}                                          | the entries are "d, l"               |
        | LD-VAL-09-112 | a symlink to itself in a flat listing    | me->me, z                    | {}                                          | the entries are "me, z"              |
        | LD-VAL-09-113 | a symlink that leads out, flat           | l->../away, z                | {}                                          | the entries are "l, z"               |
        | LD-VAL-09-05  | symlinks to each other's directories     | a/{tob->../b}, b/{toa->../a} | {"recursive": true}                         | the entries are "a, a/tob, b, b/toa" |
        | LD-VAL-09-107 | a symlink to itself                      | d/{me->me}, z                | {"recursive": true}                         | the entries are "d, d/me, z"         |

    @LD-VAL-09-07
    Scenario: where files and directories are left out the symlinks in them are not
      Given the tree "d/{k->x, x}, l->d"
      When list_directory is called with {"recursive": true, "include_files": false, "include_dirs": false}
      Then the entries include "d/k, l"
      And no entry is "l/k, l/x"

    @LD-VAL-09-09 @behaviour:BEH-09
    Scenario: the requested directory may be a symlink, those below it end the walk
      Given the tree "l->real, real/{m->../other}, other/{x}"
      When list_directory is called with {"path": "l", "recursive": true}
      Then by AMB-LD-36 the answer is one of
        | reading | entries | fields                     | fails                               |
        | follow  | m       | {"m": {"type": "symlink"}} |                                     |
        | refuse  |         |                            | SandboxViolation or ExecutionFailed |

    @LD-VAL-09-110 @also:NFR-LD-SEC-03
    Scenario: what a symlink leads to outside is not opened
      Given the tree "a/{m->../../root2}, l->../root2"
      And beside the sandbox the tree "root2/{secret}"
      And opened directories are watched
      When list_directory is called with {"recursive": true}
      Then the entries are "a, a/m, l"
      And only ".", "a" were read
      And "../root2" was never opened

    @LD-VAL-09-111
    Scenario: what a symlink leads to inside is not read on its account
      Given the tree "s/{a, l->../d}, d/{x}"
      And opened directories are watched
      When list_directory is called with {"path": "s", "recursive": true}
      Then the entries are "a, l"
      And "d" was never read

    # Between the check that finds a directory and the call that opens it, another item can replace it.
    @LD-VAL-09-10 @needs:strace @prudent
    Scenario: a directory that becomes a symlink while it is being opened
      Given the tree "d/{x}, z"
      And beside the sandbox the tree "root2/{secret}"
      And "d" becomes a link to "../root2" while it is being opened
      When list_directory is called with {"recursive": true}
      Then the entries include "z"
      And no entry is "d/secret"
      And "d" has become a link
