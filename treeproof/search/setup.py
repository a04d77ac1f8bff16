"""A candidate opened for a search: the pack that has a model, a workspace, the candidate started, and its grounds."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treeproof.candidate import CandidateFault, Target, connect
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.run.circuit_breaker import CircuitBreaker
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import REFERENCE, SelectedPack, declared_readings, packs_claimed
from treeproof.run.session import Session
from treeproof.run.targets import resolve_target
from treeproof.search.search_spaces import SearchCase, SearchSpaces, has_model
from treeproof.spec import bundled_packs, find_pack, load_pack
from treeproof.tree import Workspace, probe_host
from treeproof.verdict import Profile


@contextlib.contextmanager
def open_search(
    target: str, specs: Sequence[str], profile: Profile, seed: int, stop: Interrupts
) -> Iterator[SearchSpaces]:
    """Start the candidate that TARGET names; it is closed, and what it was shown is removed, at the end.

    Raises UsageError, and CandidateFault where it does not start.
    """
    candidate = None if target == REFERENCE else resolve_target(target, specs)
    if candidate is not None:
        specs = specs or candidate.specs
    packs = [
        pack
        for pack in map(load_pack, map(find_pack, specs) if specs else bundled_packs())
        if has_model(pack)
    ]
    if not packs:
        raise UsageError(
            "there is no model to search with: none of the specifications names an oracle or a state_machine in its "
            "spec.toml; see: treeproof list specs"
        )
    reached = candidate or Target.parse(target, reference=packs[0].reference, folder=packs[0].folder)
    with Workspace.create() as workspace, OrphanReaper():
        machine = probe_host(os.fsencode(workspace.path))
        adapter = connect(reached)
        try:
            with stop.interruptible():
                hello = adapter.start(str(workspace.path))
            asked = packs_claimed(
                [SelectedPack(pack, {}, None) for pack in packs], hello, named_explicitly=bool(specs)
            )
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
            yield SearchSpaces(session)
        finally:
            adapter.close()


@contextlib.contextmanager
def reference_search(grounds: SearchSpaces, target: str) -> Iterator[SearchSpaces | None]:
    """The reference, in this process, on the same workspace; None where it is the candidate or there is none."""
    session = grounds.session
    if session.pack.reference is None or target == REFERENCE:
        yield None
        return
    adapter = connect(Target.for_entry_point("reference", session.pack.reference, session.pack.folder))
    try:
        hello = adapter.start(str(session.workspace.path))
        yield SearchSpaces(
            replace(
                session,
                adapter=adapter,
                initialize_result=hello,
                declared_readings={},
                circuit_breaker=CircuitBreaker(),
                module_state={},
            )
        )
    except CandidateFault:
        yield None
    finally:
        adapter.close()


def reference_agrees(grounds: SearchSpaces, name: str, case: SearchCase) -> bool | None:
    """Whether the candidate of `grounds` answers a case as the model says; None where it cannot be asked."""
    ground = grounds.get(name)
    return None if ground is None else not ground.run_case(case).findings
