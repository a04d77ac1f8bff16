"""A whole run: target and packs in, run document out. What can be refused is refused before anything runs."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from treeproof.candidate import Adapter, CandidateFault, Hello, Target, connect
from treeproof.candidate.orphans import Orphans
from treeproof.errors import UsageError
from treeproof.run.breaker import Breaker
from treeproof.run.engine import INTERRUPTED, Executed, execute
from treeproof.run.interrupts import Interrupts
from treeproof.run.session import Session
from treeproof.spec import Pack, load
from treeproof.spec.gherkin import FeatureText, parse
from treeproof.spec.lint import lint
from treeproof.spec.packs import bundled, find
from treeproof.tree import Machine, Workspace, probe
from treeproof.verdict import Judgement, Profile, Record, baseline, judge
from treeproof.verdict.document import RunFacts, document
from treeproof.verdict.judge import Word, conclude

REFERENCE = "reference"
"""The TARGET that is the pack's own right implementation."""


@dataclass(frozen=True)
class Options:
    """What a run was asked for. ``select`` holds requirement, scenario or specification ids as typed.

    ``examples`` is how many random cases each law shall see; None leaves it to the laws.
    """

    target: str
    specs: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    profile: Profile = Profile.DEFAULT
    seed: int = 0
    baseline: Path | None = None
    examples: int | None = None
    order: Callable[[list[Any]], None] | None = None


@dataclass(frozen=True)
class Run:
    """What a run ends with: the document, and the judgements that it was made of."""

    document: dict[str, Any]
    judgements: tuple[Judgement, ...]


@dataclass(frozen=True)
class Asked:
    """One pack of the run: its features, parsed, and the scenario ids that were asked for (None: all)."""

    pack: Pack
    features: Mapping[Path, FeatureText]
    selected: frozenset[str] | None

    @property
    def expected(self) -> dict[str, str]:
        """Every scenario id of the pack and the requirement it verifies."""
        return {row.id: row.requirement for text in self.features.values() for row in text.scenarios}

    @property
    def size(self) -> int:
        """How many scenarios will run."""
        return len(self.expected) if self.selected is None else len(self.selected)


def run(
    options: Options,
    *,
    started: Callable[[Hello, int], None] = lambda hello, scenarios: None,
    listener: Callable[[Record], None] = lambda record: None,
    interrupts: Interrupts | None = None,
) -> Run:
    """Judge the target. Raises UsageError before anything ran (exit 2).

    SIGINT, SIGTERM and SIGHUP end the run early and in order: what ran until then is judged, the rest is NOT VERIFIED,
    and the exit is never 0. ``interrupts`` are those of a caller who wants to be spared by them for longer.
    """
    began, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
    target = None if options.target == REFERENCE else Target.parse(options.target)
    if target is not None and not options.specs:
        options = replace(options, specs=target.specs)
    asked = ask(options)
    known = _known(options.baseline, asked)
    if target is None:
        target = Target.parse(REFERENCE, reference=asked[0].pack.reference)
    with interrupts or Interrupts() as stop, Workspace.create() as workspace, Orphans() as orphans:
        machine = probe(os.fsencode(workspace.path))
        machine.to_json()  # looked at before a candidate can spoil what is looked at
        adapter = connect(target)
        asking = _Asking(options, target, adapter, workspace, machine, stop, started, listener)
        try:
            done = asking.of(asked)
        finally:
            adapter.close()
        facilities = machine.to_json()
        strangers = workspace.strangers()
    warnings = [*_left(orphans.ended, strangers, workspace.leftovers), *done.warnings]
    judgements = [_judged(part, records, options.profile, done.interrupted) for part, records in done.results]
    applied = baseline.apply(known, judgements, platform=_platform(), today=began.date())
    word, reason = conclude(
        applied.judgements,
        options.profile,
        narrowed=bool(options.select),
        guards=done.guards,
        contradictions=applied.contradictions,
    )
    if done.fault is not None:
        word, reason = Word.FAULT, f"the candidate did not start: {done.fault.detail}"
    facts = RunFacts(
        candidate=_candidate(target, done.hello, adapter),
        machine=facilities,
        profile=options.profile,
        selection=options.select or None,
        seed=options.seed,
        started=began.isoformat(timespec="seconds"),
        seconds=time.monotonic() - clock,
        interrupted=done.interrupted,
        warnings=[*done.guards, *applied.contradictions, *warnings],
        baseline=applied.to_json(options.baseline.name) if options.baseline else None,
    )
    return Run(document(applied.judgements, word, reason, facts), applied.judgements)


@dataclass
class _Done:
    """What was asked and what came of it: the records of each pack, and what is to be said of the run itself."""

    results: list[tuple[Asked, tuple[Record, ...]]]
    hello: Hello | None = None
    fault: CandidateFault | None = None
    guards: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False


@dataclass(frozen=True)
class _Asking:
    """The part of a run that needs the candidate."""

    options: Options
    target: Target
    adapter: Adapter
    workspace: Workspace
    machine: Machine
    stop: Interrupts
    started: Callable[[Hello, int], None]
    listener: Callable[[Record], None]

    def of(self, asked: Sequence[Asked]) -> _Done:
        """Start the candidate and execute every pack. Raises UsageError where manifest and candidate disagree."""
        done = _Done([(part, ()) for part in asked])
        try:
            with self.stop.waiting():
                done.hello = self.adapter.start(str(self.workspace.path))
            declared = declared_readings(self.target, done.hello, asked)
            parts = claimed(asked, done.hello, named=bool(self.options.specs))
            done.results = [(part, ()) for part in parts]
            self.started(done.hello, sum(part.size for part in parts))
            breaker = Breaker()
            for number, part in enumerate(parts):
                executed = self._execute(part, done.hello, declared, breaker)
                done.results[number] = (part, executed.records)
                if executed.interrupted:
                    raise KeyboardInterrupt
                done.guards += executed.guards
            done.warnings += [f"the candidate was {breaker.why}"] if breaker.why else []
        except CandidateFault as fault:
            done.fault = fault
            done.warnings += [said for said in [self.adapter.diagnostics()] if said]
        except KeyboardInterrupt:
            done.interrupted = True
            done.guards += [INTERRUPTED]
        return done

    def _execute(self, part: Asked, hello: Hello, declared: Mapping[str, str], breaker: Breaker) -> Executed:
        session = Session(
            part.pack,
            self.adapter,
            hello,
            self.workspace,
            self.machine,
            self.options.profile,
            declared,
            breaker,
            self.stop,
            part.pack.simulated if self._is_the_reference_of(part.pack) else {},
            self.options.seed,
            self.options.examples,
        )
        return execute(session, part.features, part.selected, self.listener, self.options.order)

    def _is_the_reference_of(self, pack: Pack) -> bool:
        return self.target.text == "reference" and self.target.factory == pack.reference


def _left(orphans: int, strangers: Sequence[str], leftovers: Sequence[str]) -> list[str]:
    """What the candidate left behind, in sentences."""
    said = [f"the candidate wrote beside the fixtures, in the workspace: {name}" for name in strangers[:5]]
    said += [f"in the workspace could not be removed: {problem}" for problem in leftovers]
    if orphans:
        several = "process" if orphans == 1 else "processes"
        said.append(f"the candidate left {orphans} {several} running; ended now")
    return said


def _known(path: Path | None, asked: Sequence[Asked]) -> tuple[baseline.Known, ...]:
    if path is None:
        return ()
    ids = {id for part in asked for id in part.expected}
    return baseline.read(path, ids | {r.id for part in asked for r in part.pack.requirements})


def ask(options: Options) -> list[Asked]:
    """Return the packs of the run with their features, everything checked that can be checked without a candidate."""
    folders = [find(name) for name in options.specs] or bundled()
    asked = []
    for folder in folders:
        pack = load(folder)
        features = {file: parse(file) for file in pack.features()}
        _refuse_what_would_not_run(pack)
        asked.append(Asked(pack, features, None))
    return _narrow(asked, options.select) if options.select else asked


def _refuse_what_would_not_run(pack: Pack) -> None:
    states = [file.stat() for file in (pack.face, *pack.features())]
    _refuse(pack.folder, tuple((state.st_ino, state.st_mtime_ns, state.st_size) for state in states))


@lru_cache(maxsize=64)
def _refuse(folder: Path, states: tuple[tuple[int, int, int], ...]) -> None:
    """Raise UsageError for a pack that does not lint; looked at once for each state of its files."""
    pack = load(folder)
    errors = [finding for finding in lint(pack, sentences=()) if finding.is_error]
    if errors:
        more = f" (and {len(errors) - 1} more; 'treeproof lint' prints them)" if len(errors) > 1 else ""
        raise UsageError(f"{errors[0]}{more}")


def _narrow(asked: Sequence[Asked], select: Iterable[str]) -> list[Asked]:
    chosen: dict[str, set[str]] = {part.pack.name: set() for part in asked}
    for wanted in select:
        hit = False
        for part in asked:
            ids = {i for i, r in part.expected.items() if wanted in (i, r, part.pack.name)}
            known = wanted == part.pack.name or any(r.id == wanted for r in part.pack.requirements)
            restated = {r.restates for r in part.pack.requirements if r.id == wanted and r.restates}
            ids |= {i for i, r in part.expected.items() if r in restated}
            chosen[part.pack.name] |= ids
            hit = hit or known or bool(ids)
        if not hit:
            raise UsageError(
                f"--select {wanted}: no requirement, scenario or specification has this id; "
                "'treeproof list requirements' and 'treeproof list scenarios' print them"
            )
    parts = [Asked(p.pack, p.features, frozenset(chosen[p.pack.name])) for p in asked if chosen[p.pack.name]]
    if not parts:
        raise UsageError(
            f"--select {' '.join(select)}: nothing would run, no scenario verifies what was selected"
        )
    return parts


def claimed(asked: Sequence[Asked], hello: Hello, *, named: bool) -> list[Asked]:
    """Return the packs that the candidate claims; those that were named on the command line stay in any case."""
    claims = {claim.partition("@")[0] for claim in hello.tools.values()}
    parts = [part for part in asked if named or part.pack.name in claims]
    return parts or list(asked)


def declared_readings(target: Target, hello: Hello, asked: Sequence[Asked]) -> dict[str, str]:
    """Return the declared readings; raises UsageError for an unknown entry, an unknown label or a contradiction."""
    declared = dict(hello.interpretations)
    for entry, label in target.interpretations.items():
        if declared.setdefault(entry, label) != label:
            raise UsageError(
                f"{entry}: the manifest declares {label!r} and the candidate itself {declared[entry]!r}; "
                "let them agree or drop one"
            )
    register = {entry.id: entry for part in asked for entry in part.pack.interpretations}
    for entry, label in declared.items():
        if entry not in register:
            raise UsageError(
                f"interpretation {entry}: no such entry; 'treeproof list interpretations' prints them"
            )
        labels = [reading.label for reading in register[entry].readings]
        if label not in labels:
            raise UsageError(
                f"interpretation {entry}: no reading {label!r}; write one of {', '.join(labels)}"
            )
    return declared


def _judged(part: Asked, records: Sequence[Record], profile: Profile, interrupted: bool) -> Judgement:
    return judge(
        part.pack,
        records,
        platform=_platform(),
        selected=part.selected,
        expected=part.expected,
        profile=profile,
        interrupted=interrupted,
    )


def _platform() -> str:
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)


def _candidate(target: Target, hello: Hello | None, adapter: Adapter) -> dict[str, Any]:
    return {
        "name": hello.name if hello else target.name or target.text,
        "version": hello.version if hello else "",
        "language": hello.language if hello else "",
        "adapter": adapter.kind,
        "capabilities": sorted(hello.capabilities) if hello else [],
    }
