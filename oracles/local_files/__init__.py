"""The oracle of LocalFiles, written from the specification alone: pure functions of tree and call."""
