@list_directory
Feature: The sandbox judges a path before anything is done with it

  @FR-LD-VAL-07
  Rule: what lies outside the sandbox is refused, whether it is there or not

    # The sandbox root is named root. Beside it are root2, a directory with the same prefix, and a file.

    @also:NFR-LD-SEC-01 @behaviour:BEH-01
    Scenario Outline: a path that leads out: <path>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "root2/{secret}, secret"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples: upwards
        | id            | path             |
        | LD-VAL-07-01  | ".."             |
        | LD-VAL-07-05  | "../"            |
        | LD-VAL-07-101 | "../."           |
        | LD-VAL-07-06  | "./../x"         |
        | LD-VAL-07-07  | "in//..//.."     |
        | LD-VAL-07-102 | "../../../../.." |

      Examples: upwards and down again, to what is there and what is not
        | id            | path               |
        | LD-VAL-07-103 | "../root2"         |
        | LD-VAL-07-02  | "../secret-dir"    |
        | LD-VAL-07-104 | "../secret"        |
        | LD-VAL-07-105 | "in/../../root2"   |
        | LD-VAL-07-106 | "nope/../../root2" |

      Examples: an absolute path, where none is allowed
        | id            | path             |
        | LD-VAL-07-13  | "/etc"           |
        | LD-VAL-07-107 | "/etc/passwd"    |
        | LD-VAL-07-108 | "/no-such-place" |
        | LD-VAL-07-109 | "/"              |
        | LD-VAL-07-110 | "$OUTSIDE/root2" |

      @framework:allow_absolute
      Examples: an absolute path to the inside, where none is allowed
        | id            | path             |
        | LD-VAL-07-14  | "$ROOT/in"       |

    # The trimmed path leads out; the text as it came begins with a name that is not there.
    @also:NFR-LD-SEC-01 @behaviour:BEH-01
    Scenario Outline: a path that leads out, behind whitespace: <path>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "root2/{secret}, secret"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-19 the answer is one of
        | reading | fails            |
        | a       | SandboxViolation |
        | b       | ExecutionFailed  |

      Examples:
        | id            | path             |
        | LD-VAL-07-08  | " .. "           |
        | LD-VAL-07-09  | " /etc"          |
        | LD-VAL-07-111 | "\\t../root2\\n" |

      @framework:allow_absolute
      Examples: an absolute path to the inside, where none is allowed
        | id            | path             |
        | LD-VAL-07-761 | " $ROOT/in"      |
        | LD-VAL-07-762 | "\\n$ROOT/in"    |

    Scenario Outline: a path that goes up and stays inside: <path>
      Given the tree "in/{x}, f"
      When list_directory is called with {"path": <path>}
      Then by AMB-LD-21 the answer is one of
        | reading | entries   | fails            |
        | refuse  |           | SandboxViolation |
        | resolve | <entries> |                  |

      Examples:
        | id            | path          | entries |
        | LD-VAL-07-03  | "in/../in"    | x       |
        | LD-VAL-07-04  | "in/.."       | f, in   |
        | LD-VAL-07-112 | "in/../"      | f, in   |
        | LD-VAL-07-113 | "./in/../in/" | x       |

    Scenario Outline: <case>
      Given the tree "<tree>"
      And beside the sandbox the tree "<beside>"
      When list_directory is called with <call>
      Then <answer>

      Examples:
        | id            | case                              | tree               | beside                     | call               | answer                               |
        # Resolved as text this stays inside; resolved on the disk it does not.
        | LD-VAL-07-114 | upwards out of a symlink          | m->../root2/sub, f | root2/{sub/{deep}, secret} | {"path": "m/.."}   | the call does not list "secret, sub" |
        # A sandbox may be cautious about a component that is two dots for some platform.
        | LD-VAL-07-127 | two dots with a blank behind them | in/{x}, f          | secret                     | {"path": ".. /in"} | the call fails with any error        |

    # A sandbox may refuse it; to list another directory in its place is wrong.
    @interpretation:AMB-LD-70 @behaviour:BEH-13
    Scenario Outline: a name that only looks like a way up: <path>
      Given the tree "in/{x}, a..b/{y}, .../{z}, ..c/{w}, '. .'/{v}, 'a\n..'/{r}"
      And beside the sandbox the tree "secret"
      When list_directory is called with {"path": <path>}
      Then the call does not list "in, secret, x"

      Examples:
        | id            | path      |
        | LD-VAL-07-10  | "a..b"    |
        | LD-VAL-07-11  | "..."     |
        | LD-VAL-07-12  | "..c"     |
        | LD-VAL-07-115 | ". ."     |
        | LD-VAL-07-775 | "a\\n.." |

    Scenario Outline: characters that look like dots: <path>
      Given the tree "in/{x}, '\uff0e\uff0e'/{u}, '\u2025'/{t}"
      And beside the sandbox the tree "secret"
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | path             | entries |
        | LD-VAL-07-116 | "\\uff0e\\uff0e" | u       |
        | LD-VAL-07-117 | "\\u2025"        | t       |

    @interpretation:AMB-LD-70 @behaviour:BEH-01
    Scenario Outline: what looks like the way up or a home directory is expanded as little: <path>
      Given the tree "in/{x}, f<tree>"
      And beside the sandbox the tree "secret"
      When list_directory is called with {"path": <path>}
      Then <answer>

      Examples:
        | id            | path          | tree      | answer                         |
        | LD-VAL-07-35  | "~"           |           | the call fails with any error  |
        | LD-VAL-07-120 | "~root"       |           | the call fails with any error  |
        | LD-VAL-07-128 | "in\\uff0f.." |           | the call fails with any error  |
        | LD-VAL-07-130 | "~"           | , '~'/{t} | the call does not list "f, in" |

    @behaviour:BEH-07
    Scenario Outline: nothing in a path is decoded or expanded, where it is not there: <path>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "secret"
      When list_directory is called with {"path": <path>}
      Then the call fails with ExecutionFailed

      Examples:
        | id            | path          |
        | LD-VAL-07-34  | "%2e%2e"      |
        | LD-VAL-07-118 | "%2e%2e%2fin" |
        | LD-VAL-07-119 | "i%6e"        |
        | LD-VAL-07-121 | "$HOME"       |
        | LD-VAL-07-122 | "*"           |
        | LD-VAL-07-123 | "in/*"        |
        | LD-VAL-07-124 | "i?"          |
        | LD-VAL-07-125 | "{in,f}"      |
        | LD-VAL-07-126 | "$(echo in)"  |
        | LD-VAL-07-36  | "file:///etc" |

    @behaviour:BEH-13
    Scenario Outline: nothing in a path is decoded or expanded, where it is there: <path>
      Given the tree "in/{x}, '%2e%2e'/{p}, '$HOME'/{h}, '*'/{s}, 'file:'/{etc/{e}}"
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | path          | entries |
        | LD-VAL-07-129 | "%2e%2e"      | p       |
        | LD-VAL-07-131 | "$HOME"       | h       |
        | LD-VAL-07-132 | "*"           | s       |
        | LD-VAL-07-133 | "file:///etc" | e       |

    Scenario Outline: an absolute path that leads inside, where absolute paths are allowed: <path>
      Given the tree "in/{x}, f"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | path | entries |
        | LD-VAL-07-135 | "in" | x       |

      @framework:allow_absolute
      Examples:
        | id            | path       | entries |
        | LD-VAL-07-15  | "$ROOT/in" | x       |
        | LD-VAL-07-134 | "$ROOT"    | f, in   |

    @also:NFR-LD-SEC-01
    Scenario Outline: a path that leads out, where absolute paths are allowed: <path>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "root2/{secret}, secret"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path                   |
        | LD-VAL-07-16  | "/etc"                 |
        | LD-VAL-07-136 | "/no-such-place"       |
        | LD-VAL-07-137 | "/"                    |
        | LD-VAL-07-138 | "$OUTSIDE"             |
        # As text, the root is a prefix of this path.
        | LD-VAL-07-17  | "$OUTSIDE/root2"       |
        | LD-VAL-07-139 | "$OUTSIDE/root-gone"   |
        | LD-VAL-07-140 | "$ROOT/../root2"       |
        | LD-VAL-07-141 | "$ROOT/in/../../root2" |
        | LD-VAL-07-142 | ".."                   |

    @needs:case_sensitive @behaviour:BEH-01
    Scenario Outline: a sibling whose name is the root's in capitals, <case>
      Given the tree "in/{x}, l->../ROOT"
      And beside the sandbox the tree "ROOT/{in/{secret}}"
      When list_directory is called with {"path": <path>}
      Then the call fails with <fails>

      Examples:
        | id            | case        | path         | fails                               |
        | LD-VAL-07-776 | itself      | "../ROOT"    | SandboxViolation                    |
        | LD-VAL-07-777 | below it    | "../ROOT/in" | SandboxViolation                    |
        | LD-VAL-07-778 | by a link   | "l/in"       | SandboxViolation or ExecutionFailed |

    @LD-VAL-07-28 @needs:case_sensitive
    Scenario: another case of the root is another place
      Given the tree "in/{x}, f"
      And the context {"allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/ROOT"}
      Then the call fails with SandboxViolation or ExecutionFailed

    @also:NFR-LD-SEC-01 @interpretation:AMB-LD-36 @behaviour:BEH-01
    Scenario Outline: a symlink that leads out: <case>
      Given the tree "<tree>, f"
      And beside the sandbox the tree "root2/{secret, sub/{deep}}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation or ExecutionFailed

      Examples:
        | id            | case                                  | tree                  | path    |
        | LD-VAL-07-18  | to a sibling of the same beginning    | esc->../root2         | "esc"   |
        | LD-VAL-07-143 | the same with a slash behind it       | esc->../root2         | "esc/"  |
        | LD-VAL-07-144 | the same with a dot segment behind it | esc->../root2         | "esc/." |
        | LD-VAL-07-145 | the same, absolutely                  | esc->$OUTSIDE/root2   | "esc"   |
        | LD-VAL-07-301 | the same with dot segments before it  | esc->./.././root2     | "esc"   |
        | LD-VAL-07-19  | to the parent                         | up->..                | "up"    |
        | LD-VAL-07-20  | to a system directory                 | e->/etc               | "e"     |
        | LD-VAL-07-146 | to the top                            | e->/                  | "e"     |
        | LD-VAL-07-21  | on the way                            | m->../root2           | "m/sub" |
        | LD-VAL-07-147 | on the way to what is not there       | m->../root2           | "m/no"  |
        | LD-VAL-07-148 | by way of another symlink             | a->b, b->../root2     | "a"     |
        | LD-VAL-07-149 | below what another symlink leads to   | a->b/sub, b->../root2 | "a"     |

      # Read into 256 bytes, the target ends inside.
      Examples: by a long way
        | id            | case                       | tree                    | path  |
        | LD-VAL-07-705 | a target of 308 characters | esc->'./'*150'../root2' | "esc" |

    @LD-VAL-07-22
    Scenario: a symlink on the way that stays inside
      Given the tree "m->in, in/{sub/{q}}"
      When list_directory is called with {"path": "m/sub"}
      Then by AMB-LD-36 the answer is one of
        | reading | entries | fails                               |
        | follow  | q       |                                     |
        | refuse  | q       |                                     |
        | refuse  |         | SandboxViolation or ExecutionFailed |

    # Joined as text, x/y/m/../../root2 is inside; m leads to d, and from there it is outside.
    @LD-VAL-07-706 @interpretation:AMB-LD-36 @behaviour:BEH-01
    Scenario: a symlink that leads out from where another symlink leads
      Given the tree "d/{esc->../../root2}, x/{y/{m->../../d}, root2/{decoy}}, f"
      And beside the sandbox the tree "root2/{secret}"
      When list_directory is called with {"path": "x/y/m/esc"}
      Then the call fails with SandboxViolation or ExecutionFailed

    Scenario Outline: <case> (what lies outside the sandbox is refused, whether it is there or not)
      Given the tree "<tree>"
      When list_directory is called with <call>
      Then by AMB-LD-36 the answer is one of
        | reading | entries | fails                               |
        | follow  | x       |                                     |
        | follow  |         | SandboxViolation                    |
        | refuse  |         | SandboxViolation or ExecutionFailed |

      Examples:
        | id            | case                                  | tree                  | call          |
        # The resolved path decides; a candidate that refuses the intermediate path is not wrong.
        | LD-VAL-07-23  | a symlink that leads out and in again | o->../root/in, in/{x} | {"path": "o"} |
        | LD-VAL-07-150 | an absolute symlink that stays inside | i->$ROOT/in, in/{x}   | {"path": "i"} |

    @interpretation:AMB-LD-37
    Scenario Outline: a symlink to what is not there, outside: <target>
      Given the tree "b-><target>, f"
      When list_directory is called with {"path": "b"}
      Then the call fails with ExecutionFailed or SandboxViolation

      Examples:
        | id            | target              |
        | LD-VAL-07-27  | ../nowhere/x        |
        | LD-VAL-07-151 | $OUTSIDE/nowhere    |
        | LD-VAL-07-152 | /no-such-place/here |

    @LD-VAL-07-24 @interpretation:AMB-LD-51
    Scenario: a symlink into a second root
      Given the tree "s->$OUTSIDE/second/dir, f"
      And beside the sandbox the tree "second/{dir/{q}}"
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"]}
      When list_directory is called with {"path": "s"}
      Then by AMB-LD-36 the answer is one of
        | reading | entries | document      | fails                               |
        | follow  | q       | {"path": "s"} |                                     |
        | follow  |         |               | SandboxViolation                    |
        | refuse  |         |               | SandboxViolation or ExecutionFailed |

    @LD-VAL-07-153 @framework:allow_absolute
    Scenario: an absolute path into a second root
      Given the tree "f"
      And beside the sandbox the tree "second/{dir/{q}}"
      And the context {"roots": ["$ROOT", "$OUTSIDE/second"], "allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/second/dir"}
      Then the entries are "q"

    Scenario Outline: a root that is itself reached through a symlink: <path>
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "link->root"
      And the context {"roots": ["$OUTSIDE/link"], "working_dir": "$OUTSIDE/link", "allow_absolute": true}
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | path               | entries |
        | LD-VAL-07-25  | "."                | f, in   |
        | LD-VAL-07-154 | "in"               | x       |

      @framework:allow_absolute
      Examples:
        | id            | path               | entries |
        | LD-VAL-07-156 | "$ROOT/in"         | x       |

    @LD-VAL-07-155 @framework:allow_absolute
    Scenario: an absolute path through the symlink that a root is reached through
      Given the tree "in/{x}, f"
      And beside the sandbox the tree "link->root"
      And the context {"roots": ["$OUTSIDE/link"], "working_dir": "$OUTSIDE/link", "allow_absolute": true}
      When list_directory is called with {"path": "$OUTSIDE/link/in"}
      Then by AMB-LD-36 the answer is one of
        | reading | entries | document                       | fails                               |
        | follow  | x       | {"path": "$OUTSIDE/link/in"} |                                     |
        | refuse  | x       | {"path": "$OUTSIDE/link/in"} |                                     |
        | refuse  |         |                                | SandboxViolation or ExecutionFailed |

    @framework:denied_patterns
    Scenario Outline: a denied pattern: <case>
      Given the tree "certs.pem/{x}, my.key/{x}, id_rsa.d/{x}, .ssh/{keys/{id}}, .gnupg/{d/{y}}, home/{.ssh/{keys/{id}}}, in/{x}"
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | case                     | path                  |
        | LD-VAL-07-29  | by its end               | "certs.pem"           |
        | LD-VAL-07-30  | by what it is in         | ".ssh/keys"           |
        | LD-VAL-07-160 | another one              | ".gnupg/d"            |
        | LD-VAL-07-161 | further down             | "home/.ssh/keys"      |
        | LD-VAL-07-162 | spelt the long way       | "./home//.ssh/./keys" |
        | LD-VAL-07-302 | by another end           | "my.key"              |
        | LD-VAL-07-303 | by its beginning         | "id_rsa.d"            |
        | LD-VAL-07-304 | of nothing that is there | "none.pem"            |
        | LD-VAL-07-305 | below what is not there  | "none/deep/.ssh/keys" |

    @LD-VAL-07-163 @framework:denied_patterns @interpretation:AMB-LD-36
    Scenario: a denied pattern by way of a symlink
      Given the tree ".ssh/{keys/{id}}, home/{l->../.ssh/keys}, in/{x}"
      When list_directory is called with {"path": "home/l"}
      Then the call fails with SandboxViolation or ExecutionFailed

    # Whether the pattern **/.ssh/** matches .ssh itself depends on the dialect.
    @LD-VAL-07-31 @framework:denied_patterns
    Scenario: the directory that a denied pattern begins with
      Given the tree ".ssh/{config}, in/{x}"
      When list_directory is called with {"path": ".ssh"}
      Then by AMB-LD-35 the answer is one of
        | reading | entries | fails            |
        | no      | config  |                  |
        | no      |         | SandboxViolation |
        | omit    | ""      |                  |
        | omit    |         | SandboxViolation |
        | listed  | config  |                  |
        | listed  |         | SandboxViolation |

    @framework:denied_patterns
    Scenario Outline: a denied pattern of one's own: <path>
      Given the tree "private/{sub/{x}}, privateer/{y}, in/{private/{z}}"
      And the context {"denied_patterns": ["private/**"]}
      When list_directory is called with {"path": <path>}
      Then the call fails with SandboxViolation

      Examples:
        | id            | path            |
        | LD-VAL-07-164 | "private/sub"   |
        | LD-VAL-07-165 | "private//sub/" |

    @framework:denied_patterns
    Scenario Outline: what is not denied is listed: <case>
      Given the tree "private/{sub/{x}}, privateer/{y}, .ssh/{keys/{id}}"
      And the context <context>
      When list_directory is called with {"path": <path>}
      Then the entries are "<entries>"

      Examples:
        | id            | case                          | context                             | path        | entries |
        | LD-VAL-07-166 | a name that goes on           | {"denied_patterns": ["private/**"]} | "privateer" | y       |
        | LD-VAL-07-167 | the shipped patterns put away | {"include_default_denies": false}   | ".ssh/keys" | id      |

    @LD-VAL-07-32 @interpretation:AMB-LD-33
    Scenario: out of the sandbox with bad arguments
      Given the tree "in/{x}, f"
      When list_directory is called with {"path": "../x", "max_entries": 0}
      Then the call fails with BadArgs or SandboxViolation

    # The error may be correct although the outside path was already opened. For a path that is accepted, nothing shows
    # whether a look at a component was the sandbox's or the tool's, so the order can be seen only where it refuses.
    @also:NFR-LD-SEC-01
    Scenario Outline: nothing outside is opened: <case>
      Given the tree "in/{x}, esc->../root2, m->../root2"
      And beside the sandbox the tree "root2/{secret, sub/{deep}}"
      And opened directories are watched
      When list_directory is called with <arguments>
      Then the call fails with SandboxViolation or BadArgs
      And a control call with {"path": "in"} lists "x"
      And ".., ../root2, ../root2/sub" were never opened

      Examples:
        | id            | case                           | arguments                               |
        | LD-VAL-07-168 | the parent                     | {"path": ".."}                          |
        | LD-VAL-07-169 | a sibling                      | {"path": "../root2", "recursive": true} |
        | LD-VAL-07-170 | a sibling by way of the inside | {"path": "in/../../root2"}              |
        | LD-VAL-07-171 | a sibling, absolutely          | {"path": "$OUTSIDE/root2"}              |
        | LD-VAL-07-174 | a sibling, with bad arguments  | {"path": "../root2", "max_entries": 0}  |

    # Whoever follows no link may say that a link is no directory (AMB-LD-36).
    @also:NFR-LD-SEC-01 @interpretation:AMB-LD-36
    Scenario Outline: nothing outside is opened by way of a symlink: <case>
      Given the tree "in/{x}, esc->../root2, m->../root2"
      And beside the sandbox the tree "root2/{secret, sub/{deep}}"
      And opened directories are watched
      When list_directory is called with <arguments>
      Then the call fails with SandboxViolation or BadArgs or ExecutionFailed
      And a control call with {"path": "in"} lists "x"
      And ".., ../root2, ../root2/sub" were never opened

      Examples:
        | id            | case                          | arguments                          |
        | LD-VAL-07-172 | a sibling                     | {"path": "esc", "recursive": true} |
        | LD-VAL-07-173 | below a sibling               | {"path": "m/sub"}                  |
        | LD-VAL-07-175 | a symlink, with bad arguments | {"path": "esc", "max_entries": 0}  |

    # The sandbox may look at what is outside in order to judge; nothing of it is opened for reading.
    @LD-VAL-07-176 @also:NFR-LD-SEC-01 @needs:strace
    Scenario: no system call opens what is outside
      Given the tree "in/{x}"
      And beside the sandbox the tree "root2/{secret}"
      And system calls are traced
      When list_directory is called with {"path": "../root2"}
      Then the call fails with SandboxViolation
      And a control call with {} lists "in"
      And no system call opened "root2"
