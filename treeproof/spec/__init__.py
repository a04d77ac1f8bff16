"""What is asked: a pack's catalogue, its feature files as rows, the lint over both, and what traces to what.

This floor knows nothing of trees, candidates, runs or verdicts.
"""

from treeproof.spec.catalogue import (
    Interpretation,
    Pack,
    Reading,
    Requirement,
    Retired,
    Tool,
    load,
)
from treeproof.spec.gherkin import FeatureError, FeatureText, ScenarioRow, StepText, parse
from treeproof.spec.packs import bundled, find, open_pack

__all__ = [
    "FeatureError",
    "FeatureText",
    "Interpretation",
    "Pack",
    "Reading",
    "Requirement",
    "Retired",
    "ScenarioRow",
    "StepText",
    "Tool",
    "bundled",
    "find",
    "load",
    "open_pack",
    "parse",
]
