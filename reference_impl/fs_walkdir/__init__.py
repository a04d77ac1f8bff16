"""FS.WalkDir: the argument, the start, the walk, the elements of the list, and scripts."""
