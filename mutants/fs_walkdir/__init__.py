"""The mutants and null candidates of FS.WalkDir: one module for each group of requirements."""

from ..shared.registry import collect_mutants

mutants = collect_mutants(__name__)
