"""Requirements, packs and records of a small specification X."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from treeproof.spec import Pack, Requirement
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord, judge
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.spec_result import Verdict


def _requirement(id: str, **more: Any) -> Requirement:
    return Requirement(**{"id": id, "level": "MUST", "section": "1", "text": "t", "verified_by": ("scenario",), **more})


def _pack(requirements: tuple[Requirement, ...]) -> Pack:
    return Pack(
        folder=Path("x"),
        name="x",
        version="1",
        title="X",
        source="x.md",
        sha256="0" * 64,
        prefix="X",
        steps=(),
        reference=None,
        oracle=None,
        mutants=None,
        schemas={},
        tools=(),
        requirements=requirements,
        interpretations=(),
        retired=(),
    )


def _failure(id: str, requirement: str, kind: str, **more: Any) -> ScenarioRecord:
    evidence = {"message": f"{kind}, in {id}", "kind": kind, **more}
    return ScenarioRecord(id=id, requirement=requirement, outcome=Outcome.FAILED, evidence=Evidence.from_json(evidence))


def verdicts(judgement: PackJudgement) -> Mapping[str, Verdict]:
    """Return the verdict of each requirement."""
    return {one.id: one.verdict for one in judgement.requirements}


@pytest.fixture
def requirement() -> Callable[..., Requirement]:
    """Return a function that makes a MUST requirement of an id; keywords replace members."""
    return _requirement


@pytest.fixture
def failure() -> Callable[..., ScenarioRecord]:
    """Return a function that makes a failed record: id, requirement, kind, further evidence."""
    return _failure


@pytest.fixture
def judged() -> Callable[..., PackJudgement]:
    """Return a function that judges records against requirements."""

    def judged(
        requirements: tuple[Requirement, ...],
        *records: ScenarioRecord,
        profile: Profile = Profile.DEFAULT,
        **more: Any,
    ) -> PackJudgement:
        given = {"selected": None, "expected": {record.id: record.requirement for record in records}, **more}
        return judge(_pack(requirements), records, platform="Linux", profile=profile, **given)

    return judged
