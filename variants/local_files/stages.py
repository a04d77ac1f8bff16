"""The order of the rows of LocalFiles around the reference: those of a later stage are around those of an earlier one.

Without a stage, rows choose entries and where they are searched.
"""

PATHS = 1
"""Rows that change the requested path, or how it is shown."""

MEMBERS = 2
"""Rows that change members of entries."""

ORDER = 3
"""Rows that sort entries."""

REQUESTS = 4
"""Rows that refuse requested paths."""

JSON = 5
"""Rows that write the text of a list."""
