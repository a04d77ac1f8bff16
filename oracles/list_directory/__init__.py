"""The oracle of list_directory, written from the specification alone: pure functions of tree and call."""
