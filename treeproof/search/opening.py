"""A candidate opened for a search: the pack that has a model, a workspace, the candidate started, and its samples."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treeproof.candidate import CandidateFault, Target, connect
from treeproof.candidate.orphans import Orphans
from treeproof.errors import UsageError
from treeproof.run.breaker import Breaker
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import REFERENCE, Asked, claimed, declared_readings
from treeproof.run.session import Session
from treeproof.search.model import Case
from treeproof.search.subject import Samples, Subject
from treeproof.spec import bundled, find, load
from treeproof.tree import Workspace, probe
from treeproof.verdict import Profile


@contextlib.contextmanager
def opened(
    target: str, specs: Sequence[str], profile: Profile, seed: int, stop: Interrupts
) -> Iterator[Samples]:
    """Start the candidate that TARGET names; it is closed, and what it was shown is removed, at the end.

    Raises UsageError, and CandidateFault where it does not start.
    """
    packs = [pack for pack in map(load, map(find, specs) if specs else bundled()) if pack.oracle]
    if not packs:
        raise UsageError(
            "there is no model to search with: none of the specifications names an oracle; see: treeproof list specs"
        )
    reached = Target.parse(target, reference=packs[0].reference)
    with Workspace.create() as workspace, Orphans():
        machine = probe(os.fsencode(workspace.path))
        adapter = connect(reached)
        try:
            with stop.waiting():
                hello = adapter.start(str(workspace.path))
            asked = claimed([Asked(pack, {}, None) for pack in packs], hello, named=bool(specs))
            declared = declared_readings(reached, hello, asked)
            session = Session(
                asked[0].pack,
                adapter,
                hello,
                workspace,
                machine,
                profile,
                declared,
                interrupts=stop,
                seed=seed,
            )
            yield Samples(session)
        finally:
            adapter.close()


@contextlib.contextmanager
def referee(samples: Samples, target: str) -> Iterator[Samples | None]:
    """The reference, in this process, on the same workspace; None where it is the candidate or there is none."""
    session = samples.session
    if session.pack.reference is None or target == REFERENCE:
        yield None
        return
    adapter = connect(Target.for_reference(session.pack.reference))
    try:
        hello = adapter.start(str(session.workspace.path))
        yield Samples(replace(session, adapter=adapter, hello=hello, declared={}, breaker=Breaker(), kept={}))
    except CandidateFault:
        yield None
    finally:
        adapter.close()


def agrees(samples: Samples, family: str, case: Case) -> bool | None:
    """Whether the candidate of `samples` answers a case as the model says; None where it was not asked."""
    known = samples.families.get(family)
    if known is None:
        return None
    with samples.made(known, case) as subject:
        return not differences_of(samples, subject)


def differences_of(samples: Samples, subject: Subject) -> tuple[object, ...]:
    """The findings of the model on a subject's answer. Raises CandidateFault and Unmodelled."""
    return subject.judged(samples.model, samples.accepted).findings
