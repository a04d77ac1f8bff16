"""Looking for what nobody wrote a scenario for: cases drawn at random, judged by a model, shrunk and kept.

A model of a specification is content (`oracles/`); here is what it has to look like, what draws cases for it,
and what becomes of a case that a candidate answers otherwise.
"""
