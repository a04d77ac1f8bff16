"""The oracle of the file operations, written from the specification alone: pure functions of tree and call."""
