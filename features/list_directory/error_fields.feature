@list_directory
Feature: The error fields speak for unknown entries and are null for all others

  @EF-08
  Rule: error_code is one of five words for unknown entries and null otherwise

    @LD-FIELDS-44 @behaviour:BEH-10
    Scenario: null on healthy entries, a broken link included
      Given the tree "d/, f, l->gone"
      When list_directory is called with {}
      Then the entries have
        | path | error_code | error |
        | d    | null       | null  |
        | f    | null       | null  |
        | l    | null       | null  |

    @LD-FIELDS-45 @interpretation:AMB-LD-03 @interpretation:AMB-LD-57
    Scenario: a word for each unknown entry, null beside it
      Given the tree "d/%0444{x}, e/%0000{y}, f/{g}"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then the entries include "d, e, f, f/g"

    # A walk that goes by the record of the parent tries d all the same; the injected failure may meet that, too.
    @LD-FIELDS-46 @needs:strace
    Scenario: read_dir_failed is for directories
      Given the tree "f!L, d/!L{x}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-66 the answer is one of
        | reading | entries      | fields                                                                                                                            |
        | a       | d, f, z      | {"d": {"type": "unknown", "error_code": ["metadata_unavailable", "permission_denied", "io_error", "unknown"]}}                    |
        | b       | d, f, z      | {"d": {"type": "unknown", "error_code": ["metadata_unavailable", "permission_denied", "io_error", "unknown", "read_dir_failed"]}} |
        | b       | d, d/x, f, z | {"d": {"type": "unknown", "error_code": ["metadata_unavailable", "permission_denied", "io_error", "unknown"]}}                    |
      And the entry "f" has {"type": "unknown", "error_code": ["metadata_unavailable", "permission_denied", "io_error", "unknown"]}

    # The code of each cause is open within these sets (AMB-LD-11): none names a refusal where nothing was refused.
    @needs:strace @interpretation:AMB-LD-11
    Scenario Outline: no word for another cause: <errno>
      Given the tree "a, g!L=<errno>, z"
      When list_directory is called with {"include_other": true}
      Then the entry "g" has {"error_code": <codes>}

      Examples:
        | id            | errno        | codes                                                                |
        | LD-FIELDS-601 | EIO          | ["io_error", "metadata_unavailable", "unknown"]                      |
        | LD-FIELDS-602 | ENOENT       | ["metadata_unavailable", "io_error", "unknown"]                      |
        | LD-FIELDS-603 | EACCES       | ["permission_denied", "metadata_unavailable", "io_error", "unknown"] |
        | LD-FIELDS-604 | EPERM        | ["permission_denied", "metadata_unavailable", "io_error", "unknown"] |
        | LD-FIELDS-605 | ELOOP        | ["metadata_unavailable", "io_error", "unknown"]                      |
        | LD-FIELDS-606 | ESTALE       | ["metadata_unavailable", "io_error", "unknown"]                      |
        | LD-FIELDS-607 | ENAMETOOLONG | ["metadata_unavailable", "io_error", "unknown"]                      |
        | LD-FIELDS-608 | ENOTDIR      | ["metadata_unavailable", "io_error", "unknown"]                      |

    @LD-FIELDS-122
    Scenario: null on directories that were not to be read
      Given the tree "a/{b}, c/%0000{x}"
      When list_directory is called with {}
      Then the entries have
        | path | error_code | error |
        | a    | null       | null  |
        | c    | null       | null  |

    @LD-FIELDS-123
    Scenario: null on files that cannot be opened
      Given the tree "f=3%0000, g=4%0200"
      When list_directory is called with {}
      Then the entries have
        | path | error_code | error |
        | f    | null       | null  |
        | g    | null       | null  |

    @LD-FIELDS-775
    Scenario: null on every kind of entry
      Given the tree "d/, f, l->gone, m->m, p:fifo"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | error_code |
        | d    | null       |
        | f    | null       |
        | l    | null       |
        | m    | null       |
        | p    | null       |

  @EF-09
  Rule: error says in a few words what went wrong, and is null otherwise

    @LD-FIELDS-47
    Scenario: a text for every failing entry
      Given the tree "d/%0444{x, y/}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then by AMB-LD-57 the answer is one of
        | reading | entries        | fields |
        | a       | d, d/x, d/y, z | {"d": {"error": null}, "d/x": {"error": "$TEXT"}, "d/y": {"error": "$TEXT"}, "z": {"error": null}} |
        | b       | d, z           | {"z": {"error": null}} |
        | b       | d, d, z        | {"z": {"error": null}} |

    @LD-FIELDS-125
    Scenario: null, not an empty text, on healthy entries
      Given the tree "d/{x}, f, l->d"
      When list_directory is called with {"recursive": true}
      Then every entry has {"error": null, "error_code": null}

    @LD-FIELDS-776
    Scenario: null on kinds of entries that are rare
      Given the tree "d/, f, l->gone, m->m, p:fifo"
      When list_directory is called with {"include_other": true}
      Then the entries have
        | path | error      |
        | d    | null       |
        | f    | null       |
        | l    | null       |
        | m    | null       |
        | p    | null       |

  @EF-10
  Rule: the text is short and the same in every language

    @interpretation:AMB-LD-55
    Scenario Outline: <case>
      Given the tree "<tree>"
      When list_directory is called with {"recursive": true, "include_other": true}
      Then <answer>
      And the error texts are short, on one line and name no path

      Examples:
        | id            | case                                         | tree                      | answer                        |
        | LD-FIELDS-124 | a short one, on one line, that names no path | d/%0000{x}, e/%0444{y}, z | the entries include "d, e, z" |
        | LD-LST-04-113 | the error text is short and names no path    | d/%0444{x}, z             | the entries include "d, z"    |

    @LD-FIELDS-126 @interpretation:AMB-LD-55
    Scenario: the same under every locale
      Given the tree "d/%0000{x}, e/%0444{y}, z"
      When list_directory is called with {"recursive": true, "include_other": true}
      And the same call is made by fresh processes with
        | process                                              |
        | {"env": {"LC_ALL": "C", "LANGUAGE": "C"}}            |
        | {"env": {"LC_ALL": "fr_FR.UTF-8", "LANGUAGE": "fr"}} |
      Then all answers are the same bytes
      And the entries include "d, e, z"
