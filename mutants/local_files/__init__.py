"""Wrong versions of LocalFiles, a subject a file."""
