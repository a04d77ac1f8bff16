"""Rows of LS: calls, answers and trees as a row sees them, and how it changes them."""
