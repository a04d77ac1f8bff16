"""The wrong versions of `list_directory`, a subject a file; each file ends in its table `MUTANTS`."""
