"""The adapters, one module per kind; each provides ``connect(target, limits)``."""
