"""The order of the rows of `list_directory` around the reference: those of a later stage are around earlier ones.

Without a stage, rows change calls, errors, and members of entries.
"""

ORDER = 1
"""Rows that sort entries."""

JSON = 2
"""Rows that write the document as another text, and so choose the entries that fit."""

ANSWERS = 3
"""Rows that choose between a listing and an error."""
