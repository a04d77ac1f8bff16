"""Mutants: `list_directory` differs where it is called by another of its names."""

ALIASES = ("listdir", "ls", "dir")
