"""Wrong versions of FS.WalkDir, a subject a file."""
