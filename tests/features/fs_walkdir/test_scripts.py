"""The scripts of the fs_walkdir pack."""

from __future__ import annotations

from pathlib import Path

from treeproof.spec import parse_feature

PROJECT = Path(__file__).parent.parents[2]


def test_every_script_is_run_by_a_scenario() -> None:
    features = map(parse_feature, (PROJECT / "features" / "fs_walkdir").glob("*.feature"))
    steps = [step.text for feature in features for case in feature.scenarios for step in case.steps]
    named = {step.split('"')[1] for step in steps if step.startswith("the script ") and "is run" in step}
    assert named == {file.stem for file in (PROJECT / "fixtures" / "fs_walkdir").glob("*.ns")}
