"""Variants: right implementations, the reference with a row around it or a part exchanged.

They show that the suite does not fail what a specification permits. There is one for each accepted reading of each
interpretation, and one for each freedom that a document leaves. A variant imports nothing but the rows and the
reference implementation of its specification.
"""
