"""Parts that the variants of all specifications use."""
