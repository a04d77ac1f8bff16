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
      And the tree is unchanged

    @LD-C-05-02 @needs:strace
    Scenario: no network socket is opened for a listing
      Given the tree "a/{b}, c, l->a"
      And system calls are traced
      When list_directory is called with {"recursive": true}
      Then no system call opened a network socket
      And the entries include "a, a/b, c"
      And the tree is unchanged

    @LD-C-05-101 @needs:strace
    Scenario: names that look like addresses are names
      Given the tree "'http:'/{'example.test'/{x}}, 'host:80', '192.0.2.1'"
      And system calls are traced
      When list_directory is called with {"path": "http://example.test"}
      Then no system call opened a network socket
      And the entries are "x"
      And the tree is unchanged

    @LD-C-05-102 @needs:strace
    Scenario: an error is no reason to ask around either
      Given the tree "a/{b}, c"
      And system calls are traced
      When list_directory is called with {"path": "nope"}
      Then the call fails with any error
      And no system call opened a network socket
      And a control call with {} lists "a, c"
      And the tree is unchanged
