"""Plumbing of the oracles: combinations of readings, judgement, scenarios, case generation. No specification's rule."""
