"""Mutants: the reference implementation with one deliberate error each, and null candidates that ignore the tree.

They show that the suite detects errors. A mutant is a candidate and imports nothing of treeproof but the reference
implementation of its specification. It names the requirement that it violates.
"""
