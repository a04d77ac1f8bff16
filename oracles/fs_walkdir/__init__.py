"""The oracle of FS.WalkDir, written from the specification alone: pure functions of tree and call."""
