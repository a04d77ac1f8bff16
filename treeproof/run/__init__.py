"""Execution of scenarios: pytest collects features, a World holds each scenario, a Session reaches the candidate."""
