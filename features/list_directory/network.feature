@list_directory
Feature: A listing stays on the machine

  @C-05
  Rule: no network is needed and none is used

    # A candidate that finds itself traced may behave; the kernel counts what it sends untraced.
    @LD-C-05-01 @needs:namespaces
    Scenario: a process without any network lists as ever
      Given the tree "a/{b}, c, l->a"
      And the candidate's process has no network
      When list_directory is called with {"recursive": true}
      Then the entries include "a, a/b, c"
      And the same call again sends nothing that the kernel counts

    @needs:strace
    Scenario Outline: <case>
      Given the tree "<tree>"
      And system calls are traced
      When list_directory is called with <call>
      Then no system call opened a network socket
      And <answer>

      Examples:
        | id          | case                                      | tree                                                 | call                            | answer                          |
        | LD-C-05-02  | no network socket is opened for a listing | a/{b}, c, l->a                                       | {"recursive": true}             | the entries include "a, a/b, c" |
        | LD-C-05-101 | names that look like addresses are names  | 'http:'/{'example.test'/{x}}, 'host:80', '192.0.2.1' | {"path": "http://example.test"} | the entries are "x"             |

    @LD-C-05-102 @needs:strace
    Scenario: an error is no reason to ask around either
      Given the tree "a/{b}, c"
      And system calls are traced
      When list_directory is called with {"path": "nope"}
      Then the call fails with any error
      And no system call opened a network socket
      And a control call with {} lists "a, c"
