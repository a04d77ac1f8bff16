"""Readings that are not accepted are told in words, with the line of the manifest if they may be declared."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.spec import Interpretation, Reading
from treeproof.steps.shared.reading_texts import reading_mismatch
from treeproof.verdict import Profile, accepted_readings

READINGS = (Reading("a", "It sorts."), Reading("b", "It does not sort."), Reading("c", "x" * 999, accepted=False))


def source(treatment: str, profile: Profile = Profile.DEFAULT) -> Any:
    entry = Interpretation("AMB-X-01", "?", treatment, "a", "because", (), READINGS)  # type: ignore[arg-type]
    session = SimpleNamespace(
        pack=SimpleNamespace(interpretation=lambda id: entry),
        policy=SimpleNamespace(profile=profile),
        accepted_readings=lambda id: accepted_readings(entry, profile, {}),
    )
    return SimpleNamespace(session=session)


def message(treatment: str, *labels: str, profile: Profile = Profile.DEFAULT) -> str:
    return reading_mismatch(source(treatment, profile), [{"AMB-X-01": label} for label in labels]).message


@pytest.mark.parametrize(("treatment", "profile"), [("strict", Profile.DEFAULT), ("any", Profile.STRICT)])
def test_a_reading_that_is_not_accepted_is_described(treatment: str, profile: Profile) -> None:
    text = message(treatment, "b", profile=profile)
    assert "AMB-X-01 b: It does not sort." in text
    assert "Accepted of AMB-X-01 is a: It sorts." in text
    assert "This reading is not accepted" in text


def test_all_readings_that_fit_are_named_and_long_texts_are_cut() -> None:
    mismatch = reading_mismatch(source("strict"), [{"AMB-X-01": "b"}, {"AMB-X-01": "c"}])
    assert "AMB-X-01 b: " in mismatch.message and "AMB-X-01 c: " in mismatch.message
    assert len(mismatch.message) < 800
    assert mismatch.kind == "a reading that is not accepted: AMB-X-01 b or AMB-X-01 c"
