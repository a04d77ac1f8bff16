"""A candidate of LS that was written from the specification alone, with other readings, conforms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack
from treeproof.verdict import Profile

PACK = load_pack(find_pack("ls"))

SAME_READING = {"AMB-LS-15", "AMB-LS-42", "AMB-LS-60", "AMB-LS-61"}
"""Of these it has the recommended reading, for its messages are those of the table and it follows paths on the disk."""


@pytest.fixture(scope="module", autouse=True)
def gallery() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent / "gallery"))
        yield


def judged(target: str, profile: Profile = Profile.DEFAULT, select: tuple[str, ...] = ()) -> dict[str, Any]:
    return run(Options(target=target, specs=("ls",), profile=profile, select=select)).document


def verdicts(document: dict[str, Any], word: str) -> list[str]:
    return [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == word]


def test_it_conforms_although_it_reads_nearly_everything_otherwise() -> None:
    document = judged("python:lister:Lister")
    assert verdicts(document, "FAIL") == []
    assert document["verdict"] == "conformant"
    seen = {one["id"]: set(one["observed"]) for one in document["specs"][0]["interpretations"]}
    recommended = {entry.id: entry.recommended for entry in PACK.interpretations}
    same = {id for id, labels in seen.items() if recommended[id] in labels}
    assert same <= SAME_READING
    assert len([id for id, labels in seen.items() if labels and id not in same]) >= 30


def test_the_strict_profile_pins_the_recommended_readings() -> None:
    pinned = ("LS-PAGE-02", "LS-FILT-05", "LS-FILT-09", "LS-ARG-04")
    document = judged("python:lister:Lister", Profile.STRICT, pinned)
    assert set(verdicts(document, "FAIL")) == set(pinned)


def test_messages_of_its_own_are_right_if_it_declares_them() -> None:
    errors = tuple(f"LS-ERR-{number:02}" for number in range(1, 9))
    document = judged("python:lister:Talkative", select=errors)
    assert document["verdict"] == "partial"
    assert verdicts(document, "FAIL") == []
