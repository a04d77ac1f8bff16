"""Runs of the FS.WalkDir pack against candidates that take a reading without declaring it."""

from __future__ import annotations

from tests.selections import first_scenarios, scenarios_with_interpretations
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.run.runner import Options, run
from treeproof.variants.fs_walkdir import build
from treeproof.variants.fs_walkdir.results import ErrorsFail

TARGET = f"python:{__name__}:failing_candidate"


def failing_candidate() -> Candidate:
    """Return the reference whose errors fail the call, without the declaration of this reading."""
    candidate: Candidate = build({"tool": ErrorsFail})
    return candidate


def test_errors_that_fail_the_call_are_a_choice_that_needs_no_declaration() -> None:
    """Everything runs against such a candidate over stdio, in tests/test_causes.py."""
    selected = (*first_scenarios("fs_walkdir"), *scenarios_with_interpretations("fs_walkdir"))
    document = run(Options(target=TARGET, specs=("fs_walkdir",), select=selected, jobs=1)).document
    (spec,) = document.to_json()["specs"]
    assert not [one["id"] for one in spec["requirements"] if one["verdict"] == "FAIL"]
    (choice,) = (one for one in spec["interpretations"] if one["id"] == "AMB-WD-23")
    assert choice["observed"] == ["error"]
