"""Specifications: the catalogue of a pack, its feature files as scenario cases, the lint, and traceability.

Contains nothing about trees, candidates, runs and verdicts.
"""

from treeproof.spec.catalogue import Interpretation, Pack, Reading, Requirement, RetiredId, Tool
from treeproof.spec.gherkin import FeatureText, ScenarioCase, StepText, parse_feature
from treeproof.spec.pack_file import load_pack
from treeproof.spec.packs import bundled_packs, find_pack, open_pack

__all__ = [
    "FeatureText",
    "Interpretation",
    "Pack",
    "Reading",
    "Requirement",
    "RetiredId",
    "ScenarioCase",
    "StepText",
    "Tool",
    "bundled_packs",
    "find_pack",
    "load_pack",
    "open_pack",
    "parse_feature",
]
