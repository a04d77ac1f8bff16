"""A whole run: target and packs in, run document out. What can be refused is refused before anything runs."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeproof.candidate import Adapter, CandidateFault, Hello, Target, connect
from treeproof.errors import UsageError
from treeproof.run.engine import Executed, execute
from treeproof.run.session import Session
from treeproof.spec import Pack, load
from treeproof.spec.gherkin import FeatureText, parse
from treeproof.spec.lint import lint
from treeproof.spec.packs import bundled, find
from treeproof.tree import Machine, Workspace, probe
from treeproof.verdict import Judgement, Profile, Record, baseline, judge
from treeproof.verdict.document import RunFacts, document
from treeproof.verdict.judge import Word, conclude


@dataclass(frozen=True)
class Options:
    """What a run was asked for. ``select`` holds requirement, scenario or specification ids as typed."""

    target: str
    specs: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    profile: Profile = Profile.DEFAULT
    seed: int = 0
    baseline: Path | None = None
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
) -> Run:
    """Judge the target. Raises UsageError before anything ran (exit 2)."""
    began, clock = datetime.datetime.now(datetime.UTC), time.monotonic()
    asked = ask(options)
    known = _known(options.baseline, asked)
    target = Target.parse(options.target, reference=asked[0].pack.reference)
    with Workspace.create() as workspace:
        machine = probe(os.fsencode(workspace.path))
        adapter = connect(target)
        try:
            hello = adapter.start(str(workspace.path))
        except CandidateFault as fault:
            adapter.close()
            return _never_started(options, asked, adapter, target, machine, fault, began, clock)
        try:
            declared = declared_readings(target, hello, asked)
            asked = claimed(asked, hello, named=bool(options.specs))
            started(hello, sum(a.size for a in asked))
            results: list[tuple[Asked, Executed]] = []
            for part in asked:
                session = Session(part.pack, adapter, hello, workspace, machine, options.profile, declared)
                results.append(
                    (part, execute(session, part.features, part.selected, listener, options.order))
                )
                if results[-1][1].interrupted:
                    break
            facilities = machine.to_json()  # while there is a workspace to try things in
        finally:
            adapter.close()
    judgements = [_judged(part, executed.records, options.profile) for part, executed in results]
    guards = [sentence for _, executed in results for sentence in executed.guards]
    applied = baseline.apply(known, judgements, platform=_platform(), today=began.date())
    word, reason = conclude(
        applied.judgements,
        options.profile,
        narrowed=bool(options.select),
        guards=guards,
        contradictions=applied.contradictions,
    )
    facts = RunFacts(
        candidate=_candidate(hello, adapter),
        machine=facilities,
        profile=options.profile,
        selection=options.select or None,
        seed=options.seed,
        started=began.isoformat(timespec="seconds"),
        seconds=time.monotonic() - clock,
        interrupted=any(executed.interrupted for _, executed in results),
        warnings=[*guards, *applied.contradictions],
        baseline=applied.to_json(options.baseline.name) if options.baseline else None,
    )
    return Run(document(applied.judgements, word, reason, facts), applied.judgements)


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


def _judged(part: Asked, records: Sequence[Record], profile: Profile) -> Judgement:
    return judge(
        part.pack,
        records,
        platform=_platform(),
        selected=part.selected,
        expected=part.expected,
        profile=profile,
    )


def _platform() -> str:
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)


def _candidate(hello: Hello, adapter: Adapter) -> dict[str, Any]:
    return {
        "name": hello.name,
        "version": hello.version,
        "language": hello.language,
        "adapter": adapter.kind,
        "capabilities": sorted(hello.capabilities),
    }


def _never_started(
    options: Options,
    asked: Sequence[Asked],
    adapter: Adapter,
    target: Target,
    machine: Machine,
    fault: CandidateFault,
    began: datetime.datetime,
    clock: float,
) -> Run:
    judgements = tuple(_judged(part, (), options.profile) for part in asked)
    reason = f"the candidate did not start: {fault.detail}"
    facts = RunFacts(
        candidate={
            "name": target.name,
            "version": "",
            "language": "",
            "adapter": adapter.kind,
            "capabilities": [],
        },
        machine=machine.to_json(),
        profile=options.profile,
        selection=options.select or None,
        seed=options.seed,
        started=began.isoformat(timespec="seconds"),
        seconds=time.monotonic() - clock,
        warnings=[bounded for bounded in [adapter.diagnostics()] if bounded],
    )
    return Run(document(judgements, Word.FAULT, reason, facts), judgements)
