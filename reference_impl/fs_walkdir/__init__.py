"""FS.WalkDir step by step: its argument, where the walk starts, the walk, the maps that it gives; and scripts."""
