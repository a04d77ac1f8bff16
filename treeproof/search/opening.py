"""A candidate opened for a search: the pack that has a model, a workspace, the candidate started, and its grounds."""

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
from treeproof.search.grounds import Grounds, Kept, can_be_searched
from treeproof.spec import bundled, find, load
from treeproof.tree import Workspace, probe
from treeproof.verdict import Profile


@contextlib.contextmanager
def opened(
    target: str, specs: Sequence[str], profile: Profile, seed: int, stop: Interrupts
) -> Iterator[Grounds]:
    """Start the candidate that TARGET names; it is closed, and what it was shown is removed, at the end.

    Raises UsageError, and CandidateFault where it does not start.
    """
    packs = [pack for pack in map(load, map(find, specs) if specs else bundled()) if can_be_searched(pack)]
    if not packs:
        raise UsageError(
            "there is no model to search with: none of the specifications names an oracle or a state_machine in its "
            "spec.toml; see: treeproof list specs"
        )
    own = packs[0].folder if target == REFERENCE else None
    reached = Target.parse(target, reference=packs[0].reference, folder=own)
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
            yield Grounds(session)
        finally:
            adapter.close()


@contextlib.contextmanager
def referee(grounds: Grounds, target: str) -> Iterator[Grounds | None]:
    """The reference, in this process, on the same workspace; None where it is the candidate or there is none."""
    session = grounds.session
    if session.pack.reference is None or target == REFERENCE:
        yield None
        return
    adapter = connect(Target.for_reference(session.pack.reference, session.pack.folder))
    try:
        hello = adapter.start(str(session.workspace.path))
        yield Grounds(replace(session, adapter=adapter, hello=hello, declared={}, breaker=Breaker(), kept={}))
    except CandidateFault:
        yield None
    finally:
        adapter.close()


def agrees(grounds: Grounds, name: str, case: Kept) -> bool | None:
    """Whether the candidate of `grounds` answers a case as the model says; None where it cannot be asked."""
    ground = grounds.named(name)
    return None if ground is None else not ground.look(case).findings
