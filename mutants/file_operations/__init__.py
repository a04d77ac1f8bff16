"""Wrong versions of `move` and `copy`, a subject a file; `made.py` puts them together."""
