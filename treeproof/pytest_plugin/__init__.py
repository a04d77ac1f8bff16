"""Scenarios inside an adopter's own pytest run: items among his tests, and a conformance report at the end."""
