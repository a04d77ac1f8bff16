"""The jobs for CI systems, run locally."""
