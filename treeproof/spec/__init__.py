"""What is asked: a pack's catalogue, its feature files as rows, the lint over both, and what traces to what.

This floor knows nothing of trees, candidates, runs or verdicts.
"""

from treeproof.spec.catalogue import Interpretation, Pack, Reading, Requirement, RetiredId, Tool, load_pack
from treeproof.spec.gherkin import FeatureError, FeatureText, ScenarioCase, StepText, parse_feature
from treeproof.spec.packs import bundled_packs, find_pack, open_pack

__all__ = [
    "FeatureError",
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
