"""A written baseline lists what failed and no more; what a person wrote in the file stays."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.spec import Requirement
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord, baseline
from treeproof.verdict.baseline_update import BaselineUpdate, update_baseline
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.judge import Conclusion, conclude

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]

TODAY = datetime.date(2030, 6, 1)
MISSING = "entries are missing"
ESCAPE = "entries are listed that should not be"


class File:
    """A baseline file that runs write and apply."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "baseline.toml"

    @property
    def entries(self) -> tuple[baseline.BaselineEntry, ...]:
        return baseline.read_baseline(self.path, None) if self.path.exists() else ()

    @property
    def ids(self) -> list[str]:
        return [entry.id for entry in self.entries]

    def update(self, judgement: PackJudgement, *, is_whole: bool = True) -> BaselineUpdate:
        text = self.path.read_text("utf-8") if self.path.exists() else ""
        done = update_baseline(text, self.entries, [judgement], is_whole=is_whole, platform="Linux", today=TODAY)
        self.path.write_text(done.text, "utf-8")
        return done

    def conclude(self, judgement: PackJudgement) -> tuple[Conclusion, list[str], tuple[str, ...]]:
        applied = baseline.apply_baseline(self.entries, [judgement], platform="Linux", today=TODAY)
        conclusion, _ = conclude(
            applied.judgements,
            Profile.DEFAULT,
            has_selection=False,
            completeness_errors=(),
            contradictions=applied.contradictions,
        )
        return conclusion, [entry.state for entry in applied.entries], applied.changes


@pytest.fixture
def file(tmp_path: Path) -> File:
    return File(tmp_path)


def passed(id: str, requirement: str) -> ScenarioRecord:
    return ScenarioRecord(id, requirement, Outcome.PASSED)


def fault(id: str, requirement: str, cause: str) -> ScenarioRecord:
    return ScenarioRecord(
        id, requirement, Outcome.FAULT, evidence=Evidence.from_json({"cause": cause, "code": "candidate_fault"})
    )


def test_another_scenario_of_the_same_requirement_is_a_new_failure(
    requirement: Make, failure: Fail, judged: Judge, file: File
) -> None:
    requirements = (requirement("R-1"),)
    before = judged(requirements, failure("X-1", "R-1", MISSING), passed("X-2", "R-1"))
    file.update(before)
    assert file.ids == ["X-1"]
    assert file.conclude(before) == (Conclusion.PARTIAL, ["failed"], ())
    after = judged(requirements, failure("X-1", "R-1", MISSING), failure("X-2", "R-1", ESCAPE))
    assert file.conclude(after)[:2] == (Conclusion.NON_CONFORMANT, ["failed"])


def test_a_scenario_that_fails_in_another_way_is_a_new_failure(
    requirement: Make, failure: Fail, judged: Judge, file: File
) -> None:
    requirements = (requirement("R-1"),)
    file.update(judged(requirements, failure("X-1", "R-1", MISSING), passed("X-2", "R-1")))
    again = judged(requirements, failure("X-1", "R-1", MISSING, message="other names"), passed("X-2", "R-1"))
    assert file.conclude(again)[0] is Conclusion.PARTIAL
    changed = judged(requirements, failure("X-1", "R-1", ESCAPE), passed("X-2", "R-1"))
    conclusion, states, changes = file.conclude(changed)
    assert (conclusion, states) == (Conclusion.NON_CONFORMANT, ["changed"])
    assert changes == (
        "the baseline lists X-1, and it fails in another way now: correct it, or write the baseline again",
    )
    harmful = judged(requirements, failure("X-1", "R-1", MISSING, harm="data"), passed("X-2", "R-1"))
    assert file.conclude(harmful)[0] is Conclusion.NON_CONFORMANT


def test_a_requirement_is_listed_if_all_its_scenarios_fail_alike(
    requirement: Make, failure: Fail, judged: Judge, file: File
) -> None:
    requirements = (requirement("R-1"), requirement("R-2"))
    judgement = judged(
        requirements,
        *(failure(f"X-{n}", "R-1", MISSING) for n in range(3)),
        *(failure(f"X-{n}", "R-2", way) for n, way in ((4, MISSING), (5, ESCAPE))),
    )
    file.update(judgement)
    assert file.ids == ["R-1", "X-4", "X-5"]
    assert file.conclude(judgement)[:2] == (Conclusion.PARTIAL, ["failed"] * 3)
    changed = judged(requirements, failure("X-0", "R-1", ESCAPE), failure("X-4", "R-2", MISSING))
    assert file.conclude(changed)[:2] == (Conclusion.NON_CONFORMANT, ["changed", "failed", "unused"])
    file.path.unlink()
    file.update(judgement, is_whole=False)
    assert file.ids == ["X-0", "X-1", "X-2", "X-4", "X-5"], "other scenarios of a requirement may pass"


def test_a_fault_can_be_listed(requirement: Make, failure: Fail, judged: Judge, file: File) -> None:
    requirements = (requirement("R-1"),)
    judgement = judged(requirements, fault("X-1", "R-1", "it ended with exit code 3"), passed("X-2", "R-1"))
    assert file.conclude(judgement)[0] is Conclusion.FAULT
    file.update(judgement)
    assert file.ids == ["X-1"]
    assert file.conclude(judgement)[:2] == (Conclusion.PARTIAL, ["failed"])
    other = judged(requirements, fault("X-1", "R-1", "it was killed by SIGSEGV"), passed("X-2", "R-1"))
    assert file.conclude(other)[:2] == (Conclusion.FAULT, ["changed"])
    more = judged(requirements, fault("X-1", "R-1", "it ended with exit code 3"), fault("X-2", "R-1", "it ended"))
    assert file.conclude(more)[0] is Conclusion.FAULT


def test_a_baseline_is_merged_into_the_present_file(
    requirement: Make, failure: Fail, judged: Judge, file: File
) -> None:
    file.path.write_text(
        """# Our list.

[[known]]
id = "X-1"
reason = "names; see the issue"  # Ada knows more
issue = "ACME-1"
expires = 2031-01-01

[[known]]
id = "X-2"
reason = "passes now"

[[known]]
id = "X-3"
reason = "only there"
platform = "macOS"

[[known]]
id = "X-9"
reason = "of another specification"

# All of R-2 is planned for later.
[[known]]
id = "R-2"
reason = "planned"
issue = "ACME-2"
""",
        "utf-8",
    )
    judgement = judged(
        (requirement("R-1"), requirement("R-2")),
        failure("X-1", "R-1", MISSING),
        passed("X-2", "R-1"),
        failure("X-3", "R-1", ESCAPE),
        failure("X-4", "R-2", MISSING),
        passed("X-5", "R-2"),
    )
    done = file.update(judgement)
    assert (done.added, done.removed, done.kept) == (("X-3", "X-4"), ("X-2", "R-2"), ("X-1", "X-3", "X-9"))
    assert file.conclude(judgement)[0] is Conclusion.PARTIAL
    text = file.path.read_text("utf-8")
    assert text.startswith("# Our list.\n")
    assert "# Ada knows more" in text
    by_id = {(entry.id, entry.platform): entry for entry in file.entries}
    kept = by_id["X-1", None]
    assert (kept.reason, kept.issue, kept.expires) == ("names; see the issue", "ACME-1", datetime.date(2031, 1, 1))
    assert kept.digest is not None
    assert by_id["X-3", "macOS"].digest is None
    of_requirement = by_id["X-4", None]
    assert (of_requirement.reason, of_requirement.issue) == ("planned", "ACME-2")
    assert file.update(judgement).text == text, "a second run changes nothing"


def test_an_expired_entry_stays_expired(requirement: Make, failure: Fail, judged: Judge, file: File) -> None:
    file.path.write_text('[[known]]\nid = "R-1"\nreason = "r"\nexpires = 2030-05-31\n', "utf-8")
    judgement = judged((requirement("R-1"),), failure("X-1", "R-1", MISSING))
    assert file.update(judgement).kept == ("R-1",)
    assert file.conclude(judgement)[:2] == (Conclusion.NON_CONFORMANT, ["expired"])


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("word " * 60, "word " * 39 + "…"),
        ("x" * 300, "x" * 200),
        ('a "quote"\nand \x1b[31m \udcff', 'a "quote" and \x1b[31m ?'),
    ],
)
def test_a_reason_is_cut_between_words_and_escaped(
    requirement: Make, failure: Fail, judged: Judge, file: File, message: str, reason: str
) -> None:
    file.update(judged((requirement("R-1"),), failure("X-1", "R-1", MISSING, message=message)))
    assert file.entries[0].reason == reason
    assert "\x1b" not in file.path.read_text("utf-8")


def test_a_run_without_failures_writes_a_file_that_can_be_read(requirement: Make, judged: Judge, file: File) -> None:
    file.update(judged((requirement("R-1"),), passed("X-1", "R-1")))
    assert file.entries == ()
