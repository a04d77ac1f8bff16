"""Code that the mutants of all specifications use."""
