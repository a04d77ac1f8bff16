"""Control calls of the file operations: a failure that another requirement names blocks the scenario."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.report import document
from treeproof.run.runner import Options, run

BY_DEFAULT, BY_CONFIGURATION, NEVER, NOT_ENTERED = "MUT-FO-063", "MUT-FO-066", "MUT-FO-067", "MUT-FO-041"


def run_mutant(id: str, *selected: str) -> dict[str, dict[str, Any]]:
    """Return the scenarios by their ids."""
    done = run(Options(target=f"mutant:{id}", specs=("file_operations",), select=selected)).document
    document.validate(done)
    return {one["id"]: one for one in done["specs"][0]["scenarios"]}


@pytest.mark.parametrize(
    ("mutant", "scenario", "owner_scenario", "owner"),
    [
        (BY_DEFAULT, "FO-CFG-01-06", "FO-MV-03-02", "FR-FOPS-MV-03"),
        (BY_DEFAULT, "FO-MV-04-10", "FO-MV-03-02", "FR-FOPS-MV-03"),
        (NEVER, "FO-D02-18", "FO-CFG-01-02", "CFG-FOPS-01"),
        (NOT_ENTERED, "FO-VAL-05-12", "FO-MV-02-01", "FR-FOPS-MV-02"),
    ],
)
def test_a_control_call_that_fails_blocks_the_scenario(
    mutant: str, scenario: str, owner_scenario: str, owner: str
) -> None:
    found = run_mutant(mutant, scenario, owner_scenario)
    if found[scenario]["evidence"].get("cause", "").startswith("needs "):
        pytest.skip(f"not verified: {found[scenario]['evidence']['cause']}")
    assert found[owner_scenario]["outcome"] == "failed"
    assert found[scenario]["outcome"] == "not-verified"
    assert found[scenario]["evidence"]["blocked_by"] == owner


@pytest.mark.parametrize(
    ("mutant", "scenario"), [(BY_DEFAULT, "FO-MV-01-108"), (BY_CONFIGURATION, "FO-CFG-01-04"), (NEVER, "FO-CFG-01-02")]
)
def test_what_only_the_scenario_shows_still_fails(mutant: str, scenario: str) -> None:
    found = run_mutant(mutant, scenario, "FO-MV-03-02")
    assert found[scenario]["outcome"] == "failed"
    assert not found[scenario]["evidence"].get("context")


def test_without_its_owner_a_control_call_is_a_failure() -> None:
    (one,) = run_mutant(BY_DEFAULT, "FO-CFG-01-06").values()
    assert one["outcome"] == "failed"
    assert one["evidence"]["message"].endswith("it succeeded; it should fail")
