"""Mutation testing: runs every mutant of a pack against the scenarios that must detect it."""
