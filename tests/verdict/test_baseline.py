"""Baselines: their entries, and entries that contradict the run."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import Pack, Requirement
from treeproof.verdict import Outcome, Profile, ScenarioRecord, baseline, judge
from treeproof.verdict.judge import Conclusion, conclude

IDS = {"R-1", "R-2", "X-1", "X-2"}
TODAY = datetime.date(2030, 6, 1)


def write_baseline(folder: Path, text: str) -> Path:
    path = folder / "baseline.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[known]]\nid = "R-9"\nreason = "r"', 'R-9: no requirement or scenario of this run has the id "R-9"'),
        ('[[known]]\nid = "R-1"\nreason = "r"\n[[known]]\nid = "R-1"\nreason = "s"', "R-1: listed twice"),
        ('[[known]]\nid = "R-1"', 'R-1: the key "reason" is missing; write a text, such as'),
        ('[[known]]\nid = "R-1"\nreason = " "', 'R-1: the key "reason" holds an empty text; write a text'),
        ('[[known]]\nid = "R-1"\nreason = "r"\nexpires = "soon"', '"expires" holds "soon"; write a date'),
        ('[[known]]\nid = "R-1"\nreason = "r"\nplatform = "BeOS"', '"platform" holds "BeOS"; write one of: Linux'),
        ('[[known]]\nid = "R-1"\nreason = "r"\nwhy = "w"', 'the key "why" is unknown; write one of: id'),
        (
            '[[known]]\nid = "R-1"\nreason = "r"\ndigest = "12"',
            'the key "digest" holds "12"; write 12 hexadecimal digits',
        ),
        ('[known]\nid = "R-1"', r"\[\[known\]\]"),
        ("known = ", "not TOML"),
    ],
)
def test_an_invalid_baseline_is_refused_with_file_and_id(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refusal:
        baseline.read_baseline(write_baseline(tmp_path, text), IDS)
    assert "baseline.toml" in str(refusal.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        baseline.read_baseline(tmp_path / "none.toml", IDS)


def conclude_run(
    entries: list[baseline.BaselineEntry], outcome: Outcome, platform: str = "Linux"
) -> tuple[Conclusion, str, list[str]]:
    requirement = Requirement("R-1", "MUST", "1", "t", ("scenario",))
    pack = Pack(
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
        simulated={},
        schemas={},
        tools=(),
        requirements=(requirement,),
        interpretations=(),
        retired=(),
    )
    records = [ScenarioRecord("X-1", "R-1", outcome), ScenarioRecord("X-2", "R-1", Outcome.PASSED)]
    judgement = judge(pack, records, platform="Linux", selected=None, expected={"X-1": "R-1", "X-2": "R-1"})
    applied = baseline.apply_baseline(entries, [judgement], platform=platform, today=TODAY)
    conclusion, reason = conclude(
        applied.judgements,
        Profile.DEFAULT,
        has_selection=False,
        completeness_errors=(),
        contradictions=applied.contradictions,
    )
    return conclusion, reason, [entry.state for entry in applied.entries]


@pytest.mark.parametrize("id", ["R-1", "X-1"])
def test_a_known_failure_does_not_decide_and_is_no_claim(id: str) -> None:
    conclusion, reason, states = conclude_run([baseline.BaselineEntry(id, "r")], Outcome.FAILED)
    assert (conclusion, states) == (Conclusion.PARTIAL, ["failed"])
    assert "not a conformance claim" in reason


def test_a_failure_outside_of_the_baseline_still_decides() -> None:
    assert conclude_run([baseline.BaselineEntry("X-2", "r")], Outcome.FAILED)[0] is Conclusion.NON_CONFORMANT


def test_a_known_failure_that_passes_decides_and_is_named() -> None:
    conclusion, reason, states = conclude_run([baseline.BaselineEntry("R-1", "r")], Outcome.PASSED)
    assert (conclusion, states) == (Conclusion.NON_CONFORMANT, ["passed"])
    assert "R-1" in reason


def test_an_expired_entry_has_no_effect_and_is_reported() -> None:
    entry = baseline.BaselineEntry("R-1", "r", expires=datetime.date(2030, 5, 31))
    conclusion, _, states = conclude_run([entry], Outcome.PASSED)
    assert (conclusion, states) == (Conclusion.NON_CONFORMANT, ["expired"])
    on_the_day = baseline.BaselineEntry("R-1", "r", expires=TODAY)
    assert conclude_run([on_the_day], Outcome.FAILED)[0] is Conclusion.PARTIAL


def test_an_entry_for_another_platform_is_not_used() -> None:
    entry = baseline.BaselineEntry("R-1", "r", platform="macOS")
    conclusion, _, states = conclude_run([entry], Outcome.FAILED)
    assert (conclusion, states) == (Conclusion.NON_CONFORMANT, ["unused"])
