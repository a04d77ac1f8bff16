"""The oracle of LS, written from the specification alone: pure functions of a tree and a call."""
