"""Measure whether the suite names the right requirement for a bug, and how many others fail with it.

    python benchmarks/blame.py SPEC [ID …] [--blind | --foreign FILE] [--every N] [--jobs N]
        [--records FILE [--resume] [--seconds N]] [--named]
    python benchmarks/blame.py SPEC [--blind | --foreign FILE] --judge FILE

Runs every scenario of a specification against each of its mutants, or with ``--blind`` against the changes of
``benchmarks/blind_mutants/SPEC.toml``, which were written from the specification alone. With ``--foreign`` it runs
them against the mutants of a candidate in another language: FILE has its ``command``, and for each mutant the
``switch`` that the candidate reads from the variable ``TREEPROOF_BUG``. ``--every N`` runs those whose number is a
multiple of N.
``--records`` keeps the records in a file of JSON lines; with ``--resume``, mutants whose records are there do not run
again. After ``--seconds N`` no further mutant starts, so that a long measurement can be done in parts. With
``--named``, the scenarios of the requirements that a mutant names run first, and the others only if none of these
fails: it tells at a third of the cost which mutants are caught, and not what fails beside. ``--judge`` judges such a
file again without a run.

Prints the share of mutants that are caught: something failed or broke. Of those it prints four figures: the other
requirements that FAIL for a mutant, on average; the share of mutants whose own requirement, the first that they name,
is among the failed, or in a cause that is a crash; the share of those of which one of the requirements that they name
is; the share of those whose first cause is one of these requirements.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treeproof.candidate import CandidateFault, Limits, Target
from treeproof.candidate.orphans import OrphanReaper
from treeproof.mutation.mutant_report import NULL_CANDIDATE_KIND
from treeproof.mutation.pack_runner import PackRunner
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import platform_name
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session, StepRegistry
from treeproof.run.targets import mutant_target
from treeproof.spec import Pack, find_pack, open_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.spec.mutants import load_mutants
from treeproof.tree import PROBES, Host, Workspace, probe_host
from treeproof.verdict import Outcome, Profile, ScenarioRecord, judge
from treeproof.verdict.causes import Severity
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.run_document import CandidateFacts, HostFacts, RunFacts, build_run_document
from treeproof.verdict.spec_result import Verdict

ROOT = Path(__file__).resolve().parent.parent
REFERENCE_FOLDER = "reference_impl"
CALL_SECONDS = 5.0
MUTANT_SECONDS = 300.0
"""The time after which no further scenario of a mutant starts: some changes make most calls hang."""


SWITCH_VARIABLE = "TREEPROOF_BUG"
UNCHANGED = "UNCHANGED"
"""The id of a foreign candidate without any switch, which is right."""


@dataclass(frozen=True)
class Subject:
    """A mutant. A blind change has its edits: file, text before, text after. A foreign one has a command."""

    id: str
    violates: tuple[str, ...]
    summary: str
    edits: tuple[tuple[str, str, str], ...] = ()
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    folder: Path = ROOT


@dataclass(frozen=True)
class Blame:
    """What a run says about a subject.

    ``others`` are failed requirements that it does not name. ``is_right``: the first one that it names is among the
    failed; ``names_one``: one of those that it names is.
    """

    subject: Subject
    failed: tuple[str, ...]
    others: tuple[str, ...]
    is_right: bool
    names_one: bool
    first_cause: str | None
    first_is_right: bool
    cause_count: int

    @property
    def is_caught(self) -> bool:
        return bool(self.failed) or self.cause_count > 0 or self.is_right


class Measurement:
    """A specification, its scenarios, and the machine."""

    def __init__(self, spec: str, *, blind: bool, foreign: Path | None = None, is_named_enough: bool = False) -> None:
        self.is_named_enough = is_named_enough
        self.pack: Pack = open_pack(str(find_pack(spec)))
        self.cases: list[ScenarioCase] = [
            case
            for file in self.pack.feature_files()
            for case in parse_feature(file).scenarios
            if case.simulated is None
        ]
        self._bases = {one.id: one.basis for one in self.pack.requirements}
        if foreign is not None:
            self.subjects = load_foreign_mutants(foreign)
        else:
            self.subjects = _blind_subjects(self.pack.name) if blind else _own_subjects(self.pack)
        with Workspace.create() as workspace:
            host: Host = probe_host(os.fsencode(workspace.path))
            for name in PROBES:
                host.supports(name)
        self.runner = PackRunner(self.pack, host, Interrupts(), StepRegistry(self.pack.steps, self.pack.folder))

    def records(self, subject: Subject) -> list[ScenarioRecord]:
        """Run every scenario against a subject.

        If the requirements that it names are enough, the others' scenarios run only if none of theirs fails.
        """
        parts = self._split_by_name(subject) if self.is_named_enough else [self.cases]
        records: list[ScenarioRecord] = []
        with tempfile.TemporaryDirectory(prefix="blame") as folder:
            target = self._target(subject, Path(folder))
            with suppress(CandidateFault), OrphanReaper(), self.runner.open_session(target, Session) as session:
                end = time.monotonic() + MUTANT_SECONDS
                for part in parts:
                    for case in part:
                        if time.monotonic() > end:
                            break
                        records.append(run_scenario(session, case))
                    if any(self._decides(record) for record in records):
                        break
        return records

    def _decides(self, record: ScenarioRecord) -> bool:
        """Return whether a scenario failed on what the document demands: a warning is no end of the search."""
        beyond = "prudent" in (record.basis, self._bases.get(record.requirement))
        return record.outcome is Outcome.FAILED and not beyond

    def _split_by_name(self, subject: Subject) -> list[list[ScenarioCase]]:
        restated = {one.id: one.restates or one.id for one in self.pack.requirements}
        names = {restated.get(id, id) for id in subject.violates}
        named = [case for case in self.cases if restated.get(case.requirement, case.requirement) in names]
        return [named, [case for case in self.cases if case not in named]]

    def _target(self, subject: Subject, folder: Path) -> Target:
        if subject.command:
            return Target(
                text=subject.id,
                kind="stdio",
                folder=subject.folder,
                argv=subject.command,
                env=subject.env,
                specs=(self.pack.name,),
                limits=Limits(call_seconds=CALL_SECONDS),
            )
        if not subject.edits:
            return mutant_target(self.pack, subject.id)
        package = "changed_" + "".join(filter(str.isalnum, subject.id)).lower()
        shutil.copytree(ROOT / REFERENCE_FOLDER, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        for file, before, after in subject.edits:
            path = folder / package / Path(file).relative_to(REFERENCE_FOLDER)
            path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")
        sys.path.insert(0, str(folder))
        entry_point = f"{package}.{self.pack.name}.candidate:candidate"
        target = Target.for_entry_point(f"blind:{subject.id}", entry_point, self.pack.folder)
        return replace(target, specs=(self.pack.name,), limits=Limits(call_seconds=CALL_SECONDS))

    def judge(self, subject: Subject, records: Sequence[ScenarioRecord]) -> Blame:
        """Judge the records of a subject."""
        judgement = judge(
            self.pack,
            records,
            platform=platform_name(),
            selected=frozenset(record.id for record in records),
            expected={case.id: case.requirement for case in self.cases},
        )
        candidate = CandidateFacts("", "", "", "python", ())
        facts = RunFacts(candidate, HostFacts("", False, {}, {}), Profile.DEFAULT, None, 0, "", 0.0)
        document = build_run_document([judgement], Conclusion.NON_CONFORMANT, "", facts)
        causes = [one for one in document.causes if not one.is_beyond_document]
        restates = {r.id: r.restates for r in self.pack.requirements if r.restates}
        prudent = {r.id for r in self.pack.requirements if r.basis == "prudent"}
        failed = sorted(
            {restates.get(v.id, v.id) for v in judgement.requirements if v.verdict is Verdict.FAIL} - prudent
        )
        named = {restates.get(id, id) for id in subject.violates}
        beyond = {one.id for cause in document.causes if cause.is_beyond_document for one in cause.requirements}
        broken = {one.id for cause in causes if cause.severity is Severity.CRASH for one in cause.requirements}
        found = {*failed, *beyond, *broken}
        first = causes[0].requirement.id if causes else None
        return Blame(
            subject,
            tuple(failed),
            tuple(id for id in failed if id not in named),
            bool(named) and restates.get(subject.violates[0], subject.violates[0]) in found,
            bool(named & found),
            first,
            (first in named) if first else bool(named & beyond),
            len(causes),
        )


def _own_subjects(pack: Pack) -> list[Subject]:
    found = load_mutants(pack).values()
    return [Subject(m.id, tuple(m.violates), m.summary) for m in found if m.kind != NULL_CANDIDATE_KIND]


def _blind_subjects(spec: str) -> list[Subject]:
    data = tomllib.loads((ROOT / "benchmarks" / "blind_mutants" / f"{spec}.toml").read_text("utf-8"))
    subjects = []
    outdated = []
    for row in data["mutant"]:
        edits = tuple((edit["file"], edit["before"], edit["after"]) for edit in row.get("edits", [row]))
        if all((ROOT / file).read_text("utf-8").count(before) == 1 for file, before, _ in edits):
            subjects.append(Subject(row["id"], tuple(row["violates"]), row["summary"], edits))
        else:
            outdated.append(row["id"])
    if outdated:
        print(f"not measured, because the reference has changed there: {' '.join(outdated)}")
    return subjects


def load_foreign_mutants(file: Path) -> list[Subject]:
    """Return the mutants of a candidate in another language, first the candidate without an error.

    Raises SystemExit for a file that has no ``command``, or for a mutant without ``id``, ``switch`` or ``violates``.
    """
    folder = file.resolve().parent
    data = tomllib.loads(file.read_text("utf-8"))
    if not data.get("command"):
        raise SystemExit(f"{file}: no `command`; write the command line of the candidate, with {{folder}} for {folder}")
    command = tuple(str(part).replace("{folder}", str(folder)) for part in data["command"])
    subjects = [Subject(UNCHANGED, (), "the candidate itself", (), command, {}, folder)]
    for number, row in enumerate(data.get("mutant", ()), 1):
        for key in ("id", "switch", "violates", "summary"):
            if not row.get(key):
                raise SystemExit(f"{file}: mutant {row.get('id', number)}: no `{key}`")
        env = {SWITCH_VARIABLE: row["switch"]}
        subjects.append(Subject(row["id"], tuple(row["violates"]), row["summary"], (), command, env, folder))
    return subjects


_measurement: Measurement


def _run_one(number: int) -> tuple[int, list[dict[str, Any]]]:
    subject = _measurement.subjects[number]
    return number, [_compact(record) for record in _measurement.records(subject)]


def _compact(record: ScenarioRecord) -> dict[str, Any]:
    data = record.to_json()
    return data if data["outcome"] not in ("passed", "not-applicable") else {**data, "evidence": {}, "title": ""}


def _run_all(numbers: Sequence[int], jobs: int, seconds: float) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Run subjects in worker processes; after ``seconds`` no further one starts."""
    end = time.monotonic() + seconds
    waiting = iter(numbers)
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        running = {pool.submit(_run_one, number) for number in itertools.islice(waiting, jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            if time.monotonic() < end:
                running |= {pool.submit(_run_one, number) for number in itertools.islice(waiting, len(done))}
            for one in done:
                yield one.result()


def _print_figures(found: Sequence[Blame]) -> None:
    caught = [one for one in found if one.is_caught]
    count = len(caught)
    for one in found:
        if one.others or not one.is_right or not one.first_is_right:
            marks = f"{'' if one.is_right else ' MISSED'}{'' if one.first_is_right else f' first {one.first_cause}'}"
            marks = marks if one.is_caught else " NOT CAUGHT"
            print(f"{one.subject.id} {one.subject.violates[0]}{marks}; others: {' '.join(one.others) or '-'}")
            print(f"    {one.subject.summary}")
    if count:
        print(
            f"{len(found)} mutants, {count / len(found):.1%} caught; of those: "
            f"{sum(len(one.others) for one in caught) / count:.2f} other requirements FAIL; "
            f"the right one is among the failed for {sum(one.is_right for one in caught) / count:.1%}, "
            f"one of those that it names for {sum(one.names_one for one in caught) / count:.1%}; "
            f"the first cause is right for {sum(one.first_is_right for one in caught) / count:.1%}; "
            f"{sum(one.cause_count for one in caught) / count:.1f} causes each"
        )


def main() -> None:
    """Run or judge, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("spec")
    parser.add_argument("ids", nargs="*", metavar="ID")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--blind", action="store_true")
    kind.add_argument("--foreign", type=Path, metavar="FILE")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--records", type=Path)
    parser.add_argument("--resume", action="store_true", help="do not run mutants again whose records are in FILE")
    parser.add_argument("--named", action="store_true", help="stop a mutant at the requirements that it names")
    parser.add_argument("--seconds", type=float, default=math.inf, help="the time after which no mutant starts")
    parser.add_argument("--judge", type=Path)
    options = parser.parse_intermixed_args()  # ids may follow options
    if options.resume and options.records is None:
        parser.error("--resume needs --records FILE")
    if options.judge is not None and not options.judge.exists():
        parser.error(f"--judge {options.judge}: no such file; make one with --records")
    global _measurement
    _measurement = measurement = Measurement(
        options.spec, blind=options.blind, foreign=options.foreign, is_named_enough=options.named
    )
    blames: dict[str, Blame] = {}
    for id, records in _results(options, measurement):
        subject = next((one for one in measurement.subjects if one.id == id), None)
        if subject is not None and (not options.ids or id in options.ids):
            blames[id] = measurement.judge(subject, [ScenarioRecord.from_json(record) for record in records])
    unchanged = blames.pop(UNCHANGED, None)
    if unchanged is not None and unchanged.is_caught:
        print(f"the candidate itself is not right: {' '.join(unchanged.failed)}; first {unchanged.first_cause}")
    _print_figures([blames[id] for id in sorted(blames)])


def _number(id: str) -> int:
    return int("".join(filter(str.isdigit, id)) or 0)


def _results(options: argparse.Namespace, measurement: Measurement) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    finished = set()
    file = options.records if options.resume else options.judge
    if file is not None and file.exists():
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                finished.add(row["id"])
                yield row["id"], row["records"]
    if options.judge is not None:
        return
    # By the number in the id, so that a mutant that is added or removed does not change the choice.
    ids = options.ids or [one.id for one in measurement.subjects if _number(one.id) % options.every == 0]
    numbers = [n for n, one in enumerate(measurement.subjects) if one.id in ids and one.id not in finished]
    stream = options.records.open("a", encoding="utf-8") if options.records else None
    for number, records in _run_all(numbers, options.jobs, options.seconds):
        subject = measurement.subjects[number]
        if stream is not None:
            stream.write(json.dumps({"id": subject.id, "records": records}) + "\n")
            stream.flush()
        yield subject.id, list(records)


if __name__ == "__main__":
    main()
