"""The oracle of FS.WalkDir, written from the specification alone: pure functions of a tree and a call."""
