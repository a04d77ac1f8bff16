"""A whole run: target and packs in, run document out. What can be refused is refused before anything runs."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.candidate import Hello, Target
from treeproof.candidate.orphans import Orphans
from treeproof.run.asked import (
    REFERENCE,
    Asked,
    Options,
    Party,
    ask,
    claimed,
    content_of,
    declared_readings,
    files_of,
    platform_name,
    references,
)
from treeproof.run.asking import Done, Leavings, Means, ask_here
from treeproof.run.interrupts import Interrupts
from treeproof.run.jobs import ask_beside_each_other, usual_jobs
from treeproof.tree import Workspace, probe
from treeproof.verdict import Judgement, Profile, Record, baseline, judge
from treeproof.verdict.document import RunFacts, document, joined
from treeproof.verdict.judge import INTERRUPTED, NO_START, Word, conclude

__all__ = [
    "REFERENCE",
    "Asked",
    "Options",
    "Party",
    "Run",
    "ask",
    "claimed",
    "declared_readings",
    "platform_name",
    "references",
    "run",
]


@dataclass(frozen=True)
class Run:
    """What a run ends with: the document, and the judgements that it was made of."""

    document: dict[str, Any]
    judgements: tuple[Judgement, ...]


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
    command = options.command  # as it was typed: a manifest's own specifications need not be said again
    target = None if options.target == REFERENCE else Target.parse(options.target)
    if target is not None and not options.specs:
        options = replace(options, specs=target.specs)
    asked = ask(options)
    known = _known(options.baseline, asked)
    parties = [Party(target, tuple(asked))] if target is not None else references(asked)
    here = not _lives_where_it_is_asked(options, parties)
    options = replace(options, jobs=_jobs(options, parties))
    with interrupts or Interrupts() as stop, Workspace.create() as workspace, Orphans() as orphans:
        machine = probe(os.fsencode(workspace.path))
        machine.to_json()  # looked at before a candidate can spoil what is looked at
        means = Means(options, workspace, machine, stop, listener)
        ask_them = ask_here if here and options.jobs == 1 else ask_beside_each_other
        done = ask_them(parties, means, started)
        facilities = joined([machine.to_json(), *done.facilities])
        strangers = workspace.strangers()
    own = Leavings(orphans.ended, tuple(strangers), tuple(workspace.leftovers))
    warnings = [*_left([own, *done.left]), *done.warnings]
    judgements = [_judged(part, records, options.profile, done) for part, records in done.results]
    applied = baseline.apply(known, judgements, platform=platform_name(), today=began.date())
    word, reason = conclude(
        applied.judgements,
        options.profile,
        narrowed=bool(options.selection),
        guards=done.guards,
        contradictions=applied.contradictions,
    )
    if done.fault is not None:
        word, reason = Word.FAULT, f"{NO_START}: {done.fault.detail}"
    facts = RunFacts(
        candidate=_candidate(parties[0].target, done.hellos),
        machine=facilities,
        profile=options.profile,
        selection=options.selection or None,
        shard=_shard(options, asked, done),
        seed=options.seed,
        command=command,
        started=began.isoformat(timespec="seconds"),
        seconds=time.monotonic() - clock,
        interrupted=done.interrupted,
        warnings=[*done.guards, *applied.contradictions, *warnings],
        baseline=applied.to_json(options.baseline.name) if options.baseline else None,
    )
    return Run(document(applied.judgements, word, reason, facts), applied.judgements)


def _left(left: Sequence[Leavings]) -> list[str]:
    """What the candidate left behind, in sentences."""
    strangers = sorted({name for one in left for name in one.strangers})
    leftovers = sorted({problem for one in left for problem in one.leftovers})
    orphans = sum(one.orphans for one in left)
    said = [f"the candidate wrote beside the fixtures, in the workspace: {name}" for name in strangers[:5]]
    said += [f"in the workspace could not be removed: {problem}" for problem in leftovers]
    if orphans:
        several = "process" if orphans == 1 else "processes"
        said.append(f"the candidate left {orphans} {several} running; ended now")
    return said


def _jobs(options: Options, parties: Sequence[Party]) -> int:
    """How many processes ask. Of the reference it is known that several may be asked beside each other."""
    if options.jobs is not None:  # one file is never split, so more processes would have nothing to do
        files = sum(len(files_of(part)) for party in parties for part in party.asked)
        return min(options.jobs, max(files, 1))
    size = sum(part.size for party in parties for part in party.asked)
    return usual_jobs(size) if all(party.is_reference for party in parties) else 1


def _lives_where_it_is_asked(options: Options, parties: Sequence[Party]) -> bool:
    """Whether a candidate might take the judging process with it: it is Python, and no ``--jobs 1`` keeps it here.

    It can end the process that asks it (with exit code 0, as if all were well), keep it from ending, or spoil it.
    """
    return options.jobs != 1 and any(p.target.kind == "python" and not p.is_reference for p in parties)


def _shard(options: Options, asked: Sequence[Asked], done: Done) -> dict[str, Any] | None:
    """What a part of a run says for those who put the parts together."""
    if options.shard is None:
        return None
    return {
        "numbers": [options.shard.number],
        "of": options.shard.of,
        "content": content_of(asked),
        "guards": list(done.guards),
        "fault": done.fault.detail if done.fault is not None else None,
    }


def _known(path: Path | None, asked: Sequence[Asked]) -> tuple[baseline.Known, ...]:
    if path is None:
        return ()
    ids = {id for part in asked for id in part.expected}
    return baseline.read(path, ids | {r.id for part in asked for r in part.pack.requirements})


def _judged(part: Asked, records: Sequence[Record], profile: Profile, done: Done) -> Judgement:
    """What was not asked is no broken guard where the run was interrupted or nobody was there to be asked."""
    return judge(
        part.pack,
        records,
        platform=platform_name(),
        selected=part.selected,
        expected=part.expected,
        profile=profile,
        interrupted=done.interrupted or done.fault is not None,
        because=INTERRUPTED if done.fault is None else NO_START,
    )


def _candidate(target: Target, hellos: Sequence[Hello]) -> dict[str, Any]:
    """Who was asked; where several references were, the first speaks for all and their capabilities are joined."""
    hello = hellos[0] if hellos else None
    return {
        "name": hello.name if hello else target.called,
        "version": hello.version if hello else "",
        "language": hello.language if hello else "",
        "adapter": target.kind,
        "capabilities": sorted({word for hello in hellos for word in hello.capabilities}),
    }
