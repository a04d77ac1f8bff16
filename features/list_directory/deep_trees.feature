@list_directory
Feature: A deep tree is listed to its end

  @FR-LD-LST-02
  Rule: neither the stack nor the number of open files ends a walk

    # A candidate that recurses for each level, or keeps each directory open, exhausts a resource during the walk.
    @LD-LST-02-611
    Scenario: three hundred directories in each other
      Given the tree
        """
        d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{d/{x}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}, z
        """
      And the configuration {"max_depth": 400, "max_entries": 1000}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_depth": 400, "max_entries": 1000}
      Then the listing has 302 entries

    # A process usually has 1024 descriptors.
    @LD-LST-02-614
    Scenario: more directories side by side than a process may have open
      Given the tree "d0000..d1023/, e/{x}"
      And the configuration {"max_entries": 2000}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2000}
      Then the listing has 1026 entries
