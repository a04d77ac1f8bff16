"""Opens a candidate for a search: the pack with a model, a workspace, the started candidate, its search spaces."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from treeproof.candidate import CandidateFault, Target, connect
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.run.clean_packs import require_clean
from treeproof.run.connected_candidate import ConnectedCandidate, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import REFERENCE, TargetPlan
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.run.targets import resolve_target
from treeproof.search.search_spaces import SearchCase, SearchSpaces, has_model
from treeproof.spec import bundled_packs, load_pack, open_pack
from treeproof.spec.packs import default_specs
from treeproof.verdict import Profile


@contextlib.contextmanager
def open_search(
    target: str, specs: Sequence[str], profile: Profile, seed: int, interrupts: Interrupts
) -> Iterator[SearchSpaces]:
    """Start the candidate that TARGET names; at the end it is closed and everything that was built is removed.

    Raises UsageError, and CandidateFault if the candidate does not start.
    """
    parsed = None if target == REFERENCE else resolve_target(target, specs)
    if parsed is not None:
        specs = specs or parsed.specs
    specs = specs or default_specs()
    selected = map(open_pack, specs) if specs else map(load_pack, bundled_packs())
    packs = [pack for pack in selected if has_model(pack)]
    if not packs:
        raise UsageError(
            "no specification has a model: none of them names an oracle or a state_machine in its spec.toml; "
            "see: treeproof list specs"
        )
    require_clean(packs)
    parsed = parsed or Target.parse(target, reference=packs[0].reference, folder=packs[0].folder)
    plan = TargetPlan(parsed, tuple(map(SelectedPack, packs)))
    with (
        open_environment(interrupts) as environment,
        OrphanReaper(),
        ConnectedCandidate.connect(plan, environment) as candidate,
    ):
        candidate.start(named_explicitly=bool(specs))
        yield SearchSpaces(Session(candidate.packs[0].pack, candidate, Policy(profile, seed)))


@contextlib.contextmanager
def reference_search(spaces: SearchSpaces, target: str) -> Iterator[SearchSpaces | None]:
    """Open the reference in this process and workspace; None if it is the candidate itself or does not exist."""
    session = spaces.session
    if session.pack.reference is None or target == REFERENCE:
        yield None
        return
    own = Target.for_entry_point("reference", session.pack.reference, session.pack.folder)
    adapter = connect(own.with_own_error_kinds(session.pack.error_kinds))
    with ConnectedCandidate(adapter, session.candidate.environment) as reference:
        try:
            reference.start()
        except CandidateFault:
            yield None
        else:
            yield SearchSpaces(Session(session.pack, reference, session.policy))


def reference_agrees(spaces: SearchSpaces, name: str, case: SearchCase) -> bool | None:
    """Return True if the reference answers a case as the model expects; None if it cannot run the case."""
    space = spaces.get(name)
    return None if space is None else not space.run_case(case).findings
