@list_directory
Feature: The modification time is the entry's own, in whole milliseconds

  @EF-06
  Rule: modified_epoch_ms comes from the entry's own metadata, null where it is unavailable or out of range

    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with {}
      Then <answer>

      Examples:
        | id            | case                                                        | tree                    | answer                                                 |
        | LD-FIELDS-23  | exact times: a whole second                                 | f@1700000000000000000ns | the entry "f" has {"modified_epoch_ms": 1700000000000} |
        | LD-FIELDS-24  | exact times: a millisecond that seconds as floats get wrong | f@1700000000002000000ns | the entry "f" has {"modified_epoch_ms": 1700000000002} |
        | LD-FIELDS-27  | exact times: the epoch itself, which is not null            | f@0ns                   | the entry "f" has {"modified_epoch_ms": 0}             |
        | LD-FIELDS-28  | exact times: one millisecond                                | f@1000000ns             | the entry "f" has {"modified_epoch_ms": 1}             |
        | LD-FIELDS-33  | exact times: the rollover of 2038                           | f@2147483648000000000ns | the entry "f" has {"modified_epoch_ms": 2147483648000} |
        | LD-FIELDS-34  | exact times: 2^32 seconds                                   | f@4294967296000000000ns | the entry "f" has {"modified_epoch_ms": 4294967296000} |
        | LD-FIELDS-118 | exact times: milliseconds are kept                          | f@1700000000789000000ns | the entry "f" has {"modified_epoch_ms": 1700000000789} |
        | LD-FIELDS-119 | a link to nothing has a time                                | l->gone@1234567890123   | the entry "l" has {"modified_epoch_ms": 1234567890123} |

    # 64 bits of nanoseconds end in 2262, and only memory file systems keep a time after 2446: exact or null.
    Scenario Outline: after the year 2262: <case>
      Given the tree "f@<ns>ns, z"
      When list_directory is called with {}
      Then the entry "f" has {"modified_epoch_ms": [<ms>, null]}

      Examples:
        | id           | case                                     | ns                    | ms              |
        | LD-FIELDS-35 | the last second that ext4 keeps, in 2446 | 15032385535000000000  | 15032385535000  |
        | LD-FIELDS-36 | the last millisecond of the year 9999    | 253402300799999000000 | 253402300799999 |

    Scenario Outline: less than a millisecond: <case>
      Given the tree "f@<ns>ns"
      When list_directory is called with {}
      Then the entries are "f"
      And by AMB-LD-26 the answer is one of
        | reading | fields                                      |
        | floor   | {"f": {"modified_epoch_ms": 1700000000000}} |
        | trunc   | {"f": {"modified_epoch_ms": 1700000000000}} |
        | nearest | {"f": {"modified_epoch_ms": <nearest>}}     |

      Examples:
        | id           | case                           | ns                  | nearest                        |
        | LD-FIELDS-25 | a nanosecond short of the next | 1700000000000999999 | 1700000000001                  |
        | LD-FIELDS-26 | half of one                    | 1700000000000500000 | [1700000000000, 1700000000001] |

    # Times before 1970 are times; a candidate may treat them as out of range (AMB-LD-25).
    Scenario Outline: before 1970: <case>
      Given the tree "f@<ns>ns, z"
      When list_directory is called with {}
      Then the entries are "f, z"
      And by AMB-LD-25 the answer is one of
        | reading | fields                             |
        | b       | {"f": {"modified_epoch_ms": <ms>}} |
        | c       | {"f": {"modified_epoch_ms": <ms>}} |
        | d       | {"f": {"modified_epoch_ms": <ms>}} |
        | e       | {"f": {"modified_epoch_ms": <ms>}} |
        | f       | {"f": {"modified_epoch_ms": <ms>}} |
        | a       | {"f": {"modified_epoch_ms": null}} |

      Examples:
        | id           | case                     | ns                   | ms             |
        | LD-FIELDS-29 | a millisecond            | -1000000             | -1             |
        | LD-FIELDS-32 | 2^31 seconds, in 1901    | -2147483648000000000 | -2147483648000 |

    # Before 1970 each time is judged separately: exact or null (AMB-LD-25), and no crash.
    Scenario Outline: long ago: <case>
      Given the tree "f@<ns>ns, z"
      When list_directory is called with {}
      Then the entry "f" has {"modified_epoch_ms": [<ms>, null]}

      Examples:
        | id            | case                                       | ns                         | ms                   |
        | LD-FIELDS-309 | a second farther than 2^31 seconds         | -2147483649000000000       | -2147483649000       |
        | LD-FIELDS-310 | farther than 64 bits of nanoseconds reach  | -9223372037000000000       | -9223372037000       |
        | LD-FIELDS-311 | a second before the year 1601              | -11644473601000000000      | -11644473601000      |
        | LD-FIELDS-312 | a second before the year 1                 | -62135596801000000000      | -62135596801000      |
        | LD-FIELDS-313 | 2^53 seconds                               | -9007199254740992000000000 | -9007199254740992000 |

    # Before 1970, rounding down is not rounding towards zero.
    Scenario Outline: less than a millisecond before 1970: <case>
      Given the tree "f@<ns>ns, z"
      When list_directory is called with {}
      Then the entries are "f, z"
      And by AMB-LD-25 and AMB-LD-26 the answer is one of
        | AMB-LD-25 | AMB-LD-26 | fields                                  |
        | b         | floor     | {"f": {"modified_epoch_ms": <floor>}}   |
        | b         | trunc     | {"f": {"modified_epoch_ms": <trunc>}}   |
        | b         | nearest   | {"f": {"modified_epoch_ms": <nearest>}} |
        | c         | floor     | {"f": {"modified_epoch_ms": <floor>}}   |
        | c         | trunc     | {"f": {"modified_epoch_ms": <trunc>}}   |
        | c         | nearest   | {"f": {"modified_epoch_ms": <nearest>}} |
        | d         | floor     | {"f": {"modified_epoch_ms": <floor>}}   |
        | d         | trunc     | {"f": {"modified_epoch_ms": <trunc>}}   |
        | d         | nearest   | {"f": {"modified_epoch_ms": <nearest>}} |
        | e         | floor     | {"f": {"modified_epoch_ms": <floor>}}   |
        | e         | trunc     | {"f": {"modified_epoch_ms": <trunc>}}   |
        | e         | nearest   | {"f": {"modified_epoch_ms": <nearest>}} |
        | f         | floor     | {"f": {"modified_epoch_ms": <floor>}}   |
        | f         | trunc     | {"f": {"modified_epoch_ms": <trunc>}}   |
        | f         | nearest   | {"f": {"modified_epoch_ms": <nearest>}} |
        | a         |           | {"f": {"modified_epoch_ms": null}}      |

      Examples:
        | id           | case                     | ns       | floor | trunc | nearest  |
        | LD-FIELDS-30 | a millisecond and a half | -1500000 | -2    | -1    | [-2, -1] |
        | LD-FIELDS-31 | a nanosecond             | -1       | -1    | 0     | 0        |

    # Memory file systems keep times that few programs can represent: no wrap, no clamp and no crash.
    Scenario Outline: far in the future: <case>
      Given the tree "f@<ns>ns, z"
      When list_directory is called with {}
      Then the entries are "f, z"
      And by AMB-LD-25 the answer is one of
        | reading | fields                             |
        | a       | {"f": {"modified_epoch_ms": <ms>}} |
        | b       | {"f": {"modified_epoch_ms": <ms>}} |
        | e       | {"f": {"modified_epoch_ms": <ms>}} |
        | c       | {"f": {"modified_epoch_ms": null}} |
        | d       | {"f": {"modified_epoch_ms": null}} |
        | f       | {"f": {"modified_epoch_ms": null}} |

      Examples:
        | id           | case                                          | ns                        | ms                  |
        | LD-FIELDS-37 | a millisecond beyond the last ECMAScript date | 8640000000000001000000    | 8640000000000001    |
        | LD-FIELDS-38 | 2^53 seconds                                  | 9007199254740992000000000 | 9007199254740992000 |

    # More milliseconds than 64 bits hold.
    @LD-FIELDS-39
    Scenario: farther than a 64-bit number reaches
      Given the tree "f@4611686018427387904000000000ns, z"
      When list_directory is called with {}
      Then the entries are "f, z"
      And by AMB-LD-25 the answer is one of
        | reading | fields                                               |
        | b       | {"f": {"modified_epoch_ms": null}}                   |
        | c       | {"f": {"modified_epoch_ms": null}}                   |
        | d       | {"f": {"modified_epoch_ms": null}}                   |
        | f       | {"f": {"modified_epoch_ms": null}}                   |
        | a       | {"f": {"modified_epoch_ms": 4611686018427387904000}} |
        | e       | {"f": {"modified_epoch_ms": 4611686018427387904000}} |

    @LD-FIELDS-40
    Scenario: a link has its own time
      Given the tree "f@1000, l->f@1234567890123"
      When list_directory is called with {}
      Then the entries have
        | path | modified_epoch_ms |
        | f    | 1000              |
        | l    | 1234567890123     |

    @LD-FIELDS-41
    Scenario: directories, links and special files have times
      Given the tree "d/@5, p:fifo@6, l->d@7"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | modified_epoch_ms |
        | d    | 5                 |
        | l    | 7                 |
        | p    | 6                 |

    @LD-FIELDS-120
    Scenario: a directory's time is not that of what is in it
      Given the tree "d/@1000000000000{f@1100000000000, e/@1200000000000{g@1000000000000}}"
      When list_directory is called with {"recursive": true}
      Then the entries have
        | path | modified_epoch_ms |
        | d    | 1000000000000     |
        | d/e  | 1200000000000     |
        | d/f  | 1100000000000     |

    @LD-FIELDS-42 @needs:strace
    Scenario: without metadata there is no time
      Given the tree "u!L"
      When list_directory is called with {}
      Then the entries are "u"
      And the entry "u" has {"type": "unknown", "modified_epoch_ms": null}

    @LD-FIELDS-121
    Scenario: where metadata are refused there is no time
      Given the tree "d/%0444{x@5}, z@6"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-57 the answer is one of
        | reading | entries   | fields |
        | a       | d, d/x, z | {"d/x": {"modified_epoch_ms": null}, "z": {"modified_epoch_ms": 6}} |
        | b       | d, z      | {"z": {"modified_epoch_ms": 6}} |
        | b       | d, d, z   | {"z": {"modified_epoch_ms": 6}} |

    @LD-FIELDS-765
    Scenario: times that are others since an earlier call
      Given the tree "d/@1000000000000, f@1000000000001, l->f@1000000000002"
      When list_directory is called with {}
      And "d" has got the time 1200000000000
      And "f" has got the time 1200000000001
      And "l" has got the time 1200000000002
      And list_directory is called again with {}
      Then the entries have
        | path | modified_epoch_ms |
        | d    | 1200000000000     |
        | f    | 1200000000001     |
        | l    | 1200000000002     |

    @LD-FIELDS-766
    Scenario: a name that has a file of another time since an earlier call
      Given the tree "f=1@1000000000000"
      When list_directory is called with {}
      And "f" has been removed
      And the tree gets "f=1@1200000000000"
      And list_directory is called again with {}
      Then the entry "f" has {"modified_epoch_ms": 1200000000000}

    # AMB-LD-04: the true time, or none; no other.
    @LD-LST-08-16 @needs:strace
    Scenario: a directory that cannot be read
      Given the tree "d/@1234567890123!R{x}"
      When list_directory is called with {"recursive": true}
      Then by AMB-LD-03 and AMB-LD-04 the answer is one of
        | AMB-LD-03 | AMB-LD-04 | entries | fields                                                                                    |
        | replace   | a         | d       | {"d": {"type": "unknown", "modified_epoch_ms": 1234567890123}}                            |
        | replace   | b         | d       | {"d": {"type": "unknown", "modified_epoch_ms": null}}                                     |
        | append    | a         | d, d    | {"d": {"modified_epoch_ms": 1234567890123}}                                               |
        | append    | b         | d, d    | {"d": {"any order": [{"modified_epoch_ms": 1234567890123}, {"modified_epoch_ms": null}]}} |

    @LD-LST-08-113 @interpretation:AMB-LD-03 @interpretation:AMB-LD-04
    Scenario: a directory of mode 0000
      Given the tree "d/%0000@1234567890123{x}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entries include "d, z"
