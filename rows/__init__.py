"""Rows: changes at the adapter, of calls, answers and trees. Mutants and variants are written with them.

Contains no mutants and no variants.
"""
