@list_directory
Feature: To cut a listing costs no more than to make it

  # A candidate that rewrites the whole document for each removed entry takes sixteen times as long for four times as
  # many. The specification states a cost for sorting only, so this is advisory.
  @NFR-LD-PERF-02
  Rule: a budget that keeps ten entries of many is met without trying them all

    @LD-PERF-02-601 @prudent
    Scenario: ten entries are left of five hundred and of two thousand
      Given the configuration {"max_entries": 10000}
      And budgets of 1700 and 1700 bytes
      When list_directory is timed on the trees "f000..f499" and "f0000..f1999" with {"max_entries": 10000}
      Then the second takes less than 9 times as long as the first
