"""The oracle of the file operations, written from the specification alone: pure functions of a tree and a call."""
