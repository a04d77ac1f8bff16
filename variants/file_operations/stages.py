"""The order of the rows of the file operations around the reference: those of a later stage are around earlier ones.

Without a stage, rows change the configuration, or forbid calls by the entries of their paths.
"""

DEFAULTS = 1
"""Rows that see the configuration of the call."""

PATHS = 2
"""Rows that replace paths."""

ARGUMENTS = 3
"""Rows that read arguments in another way."""

ANSWERS = 4
"""Rows that change answers."""
