"""Many findings, few requirements: the explanation that covers most."""

from __future__ import annotations

from treeproof.search.attribution import Attribution
from treeproof.search.model import Finding


def finding(*candidates: str, message: str = "") -> Finding:
    return Finding(candidates[0], message, other_requirements=candidates[1:])


def test_what_explains_everything_is_to_blame_alone() -> None:
    findings = [finding("NAME", "PLACE"), finding("DOTS", "PLACE"), finding("PLACE")]
    blame = Attribution(findings)
    assert blame.requirements == ("PLACE",)
    assert [blame.requirement_for(one) for one in findings] == ["PLACE"] * 3


def test_among_equals_the_likeliest_is_taken() -> None:
    assert Attribution([finding("NAME", "PLACE"), finding("NAME", "PLACE", message="2")]).requirements == ("NAME",)


def test_two_mistakes_are_two() -> None:
    blame = Attribution([finding("A", "B"), finding("A", "C"), finding("D", "C")])
    assert blame.requirements == ("A", "D") or blame.requirements == ("C", "A")
    assert len(Attribution([finding("A"), finding("B")]).requirements) == 2


def test_a_finding_from_elsewhere_goes_to_one_of_those_if_it_can() -> None:
    blame = Attribution([finding("A")])
    assert blame.requirement_for(finding("B", "A")) == "A"
    assert blame.requirement_for(finding("B")) == "B"
    assert Attribution([]).requirement_for(finding("B", "C")) == "B"
