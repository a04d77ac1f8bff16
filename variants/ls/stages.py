"""The order of the rows of LS around the reference: those of a later stage are around those of an earlier one.

Without a stage, rows choose between success and failure.
"""

SPELLING = -1
"""Rows that follow a path in another way, which no other row sees."""

ENVELOPES = 1
"""Rows that change members of what is a listing or a failure already."""

ARGUMENTS = 2
"""Rows that refuse arguments."""

DEFAULTS = 3
"""Rows that replace arguments by others: what is inside sees those only."""

HEADINGS = 4
"""Rows that see the arguments that were sent."""

JSON = 5
"""Rows that change what is written of an envelope."""

WRITING = 6
"""Rows that write the text of an envelope."""
