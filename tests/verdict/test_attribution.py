"""Attribution: few requirements that explain many findings."""

from __future__ import annotations

from treeproof.verdict.attribution import Attribution
from treeproof.verdict.finding import Finding


def finding(*candidates: str, message: str = "") -> Finding:
    return Finding(candidates[0], message, other_requirements=candidates[1:])


def attribution_of(*findings: Finding, lines: str = "") -> Attribution:
    """Return the attribution of findings, each met in a scenario of the requirement ``lines`` with a failed line."""
    return Attribution((one, lines) for one in findings)


def test_a_requirement_that_explains_every_finding_is_the_only_one() -> None:
    findings = [finding("NAME", "PLACE"), finding("DOTS", "PLACE"), finding("PLACE")]
    attribution = attribution_of(*findings)
    assert attribution.requirements == ("PLACE",)
    assert [attribution.requirement_for(one) for one in findings] == ["PLACE"] * 3


def test_among_equal_requirements_the_first_one_is_used() -> None:
    assert attribution_of(finding("NAME", "PLACE"), finding("NAME", "PLACE", message="2")).requirements == ("NAME",)


def test_two_errors_have_two_requirements() -> None:
    attribution = attribution_of(finding("A", "B"), finding("A", "C"), finding("D", "C"))
    assert attribution.requirements == ("A", "D") or attribution.requirements == ("C", "A")
    assert len(attribution_of(finding("A"), finding("B")).requirements) == 2


def test_another_finding_gets_one_of_the_requirements_if_possible() -> None:
    attribution = attribution_of(finding("A"))
    assert attribution.requirement_for(finding("B", "A")) == "A"
    assert attribution.requirement_for(finding("B")) == "B"
    assert attribution_of().requirement_for(finding("B", "C")) == "B"


def test_of_two_requirements_alike_the_one_whose_own_line_failed_is_chosen() -> None:
    found = finding("PLACE", "KIND", "NAME")
    assert attribution_of(found, lines="KIND").requirement_for(found) == "KIND"
    assert attribution_of(found, lines="OTHER").requirement_for(found) == "PLACE"
    assert attribution_of(found, finding("PLACE", "NAME"), lines="KIND").requirement_for(found) == "PLACE"
