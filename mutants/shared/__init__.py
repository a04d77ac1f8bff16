"""Shared by every specification."""
