"""LocalFiles step by step: the entries and their order, reading directories by absolute paths, and globs."""
