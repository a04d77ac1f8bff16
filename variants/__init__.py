"""Variants: right implementations, the reference implementation with one part exchanged each.

They show that the suite does not fail what a specification permits. There is one for each accepted reading of each
interpretation, and one for each freedom that a document leaves. A variant is a candidate and imports nothing of
treeproof but the reference implementation of its specification.
"""
