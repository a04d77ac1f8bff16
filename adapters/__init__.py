"""Ways to reach a candidate, one module a kind; each offers ``connect(target, limits)``."""
