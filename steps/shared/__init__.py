"""Steps and functions for all specifications."""
