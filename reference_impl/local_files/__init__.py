"""LocalFiles: entries and their order, the reading of directories by absolute paths, and globs."""
