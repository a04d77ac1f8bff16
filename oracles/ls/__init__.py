"""The oracle of LS, written from the specification alone: pure functions of tree and call."""
