"""Scenarios as items of an adopter's own pytest run, with a conformance report at the end."""
