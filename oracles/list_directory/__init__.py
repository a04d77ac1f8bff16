"""The oracle of list_directory, written from the specification alone: pure functions of a tree and a call."""
