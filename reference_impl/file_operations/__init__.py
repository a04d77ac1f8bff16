"""`move` and `copy`."""
