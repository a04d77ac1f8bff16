"""Search for counterexamples: random cases, judged by a model, minimised and saved.

The models are content (`oracles/`). This package defines their interface and generates, runs and minimises the cases.
"""
