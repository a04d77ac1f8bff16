"""A candidate of LS that was written from the specification alone and follows other readings conforms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack
from treeproof.verdict import Profile

PACK = load_pack(find_pack("ls"))

SAME_READING = {
    f"AMB-LS-{number}"
    for number in ("23", "42", "61", "63", "64", "66", "70", "71", "72", "76", "78", "79", "80", "81", "82", "83")
} | {"AMB-LS-67"}
"""The candidate follows the recommended readings of these: it resolves paths on disk, for example."""


@pytest.fixture(scope="module", autouse=True)
def sample_candidates() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent / "sample_candidates"))
        yield


def run_target(target: str, profile: Profile = Profile.DEFAULT, select: tuple[str, ...] = ()) -> dict[str, Any]:
    return run(Options(target=target, specs=("ls",), profile=profile, select=select, examples=20)).document.to_json()


def verdicts(document: dict[str, Any], verdict: str) -> list[str]:
    return [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == verdict]


@pytest.mark.slow
def test_a_candidate_that_differs_in_nearly_every_reading_conforms() -> None:
    document = run_target("python:lister:Lister")
    assert verdicts(document, "FAIL") == []
    assert document["verdict"] == "conformant"
    observed = {one["id"]: set(one["observed"]) for one in document["specs"][0]["interpretations"]}
    recommended = {entry.id: entry.recommended for entry in PACK.interpretations}
    strict = {entry.id for entry in PACK.interpretations if entry.treatment == "strict"}
    same = {id for id, labels in observed.items() if recommended[id] in labels} - strict
    assert same <= SAME_READING
    assert len([id for id, labels in observed.items() if labels and id not in same]) >= 30


@pytest.mark.slow
def test_the_strict_profile_requires_the_recommended_readings() -> None:
    requirements = ("LS-PAGE-02", "LS-FILT-05", "LS-TEXT-05")
    document = run_target("python:lister:Lister", Profile.STRICT, requirements)
    assert set(verdicts(document, "FAIL")) == set(requirements)


@pytest.mark.slow
def test_other_messages_cause_warnings_only() -> None:
    errors = tuple(f"LS-ERR-{number:02}" for number in range(1, 10))
    document = run_target("python:lister:OtherMessages", select=errors)
    assert document["verdict"] == "partial"
    assert verdicts(document, "FAIL") == ["LS-ERR-02", "LS-ERR-08", "LS-ERR-09"]
