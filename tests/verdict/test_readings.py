"""Which readings a profile accepts, for each treatment."""

from __future__ import annotations

import pytest

from treeproof.spec import Interpretation, Reading
from treeproof.verdict import Profile, accepted_readings

READINGS = (Reading("a", "first"), Reading("b", "second"), Reading("c", "third", accepted=False))


def entry(treatment: str) -> Interpretation:
    return Interpretation("AMB-X-01", "?", treatment, "a", "because", (), READINGS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("treatment", "default"),
    [("strict", {"a"}), ("any", {"a", "b"}), ("advisory", {"a", "b", "c"})],
)
def test_each_treatment_has_its_readings(treatment: str, default: set[str]) -> None:
    assert accepted_readings(entry(treatment), Profile.DEFAULT, {}) == default
    assert accepted_readings(entry(treatment), Profile.STRICT, {}) == {"a"}
    assert accepted_readings(entry(treatment), Profile.LENIENT, {}) == {"a", "b", "c"}


def test_a_pinned_reading_is_the_only_one_if_it_is_accepted() -> None:
    assert accepted_readings(entry("any"), Profile.DEFAULT, {"AMB-X-01": "b"}) == {"b"}
    assert accepted_readings(entry("any"), Profile.DEFAULT, {"AMB-X-01": "c"}) == {"a", "b"}
    assert accepted_readings(entry("any"), Profile.STRICT, {"AMB-X-01": "b"}) == {"a"}
    assert accepted_readings(entry("strict"), Profile.DEFAULT, {"AMB-X-01": "b"}) == {"a"}
