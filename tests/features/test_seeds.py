"""The reference is conformant whatever the random cases are: the properties of each pack, with another seed."""

from __future__ import annotations

import pytest

from treeproof.run.runner import Options, run
from treeproof.spec import load_pack
from treeproof.spec.gherkin import parse_feature
from treeproof.spec.packs import bundled_packs

PACKS = {folder.name: load_pack(folder) for folder in bundled_packs()}


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_the_properties_hold_with_another_seed(name: str) -> None:
    features = [parse_feature(file) for file in PACKS[name].feature_files()]
    cases = [case for feature in features for case in feature.scenarios]
    properties = tuple(case.id for case in cases if not any(step.keyword_type == "when" for step in case.steps))
    done = run(Options("reference", specs=(name,), select=properties, seed=1, examples=30)).document
    (spec,) = done.to_json()["specs"]
    wrong = [one["id"] for one in spec["scenarios"] if one["outcome"] == "failed" or one.get("findings")]
    assert len(spec["scenarios"]) == len(properties) > 4
    assert not wrong
