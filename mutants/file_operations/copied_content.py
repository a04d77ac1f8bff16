"""Mutants: errors in the copied content and metadata."""

MEBIBYTE = 1024 * 1024
PAGE = 4096
BLOCK = 65536
