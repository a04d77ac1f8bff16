"""The oracle of LocalFiles, written from the specification alone: pure functions of a tree and a call."""
