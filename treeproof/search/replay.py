"""A kept counterexample seen again: on the candidate that it was found with, or on any other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts
from treeproof.search.bundle import Bundle, answer_json
from treeproof.search.model import Finding, Unmodelled
from treeproof.search.opening import opened
from treeproof.tree import CannotBuild
from treeproof.verdict import Profile


@dataclass(frozen=True)
class Replayed:
    """What came of it: what the model finds now, and the bundle with the new answer. `cause`: why it was not asked."""

    bundle: Bundle
    findings: tuple[Finding, ...] = ()
    cause: str = ""


def replay(bundle: Bundle, target: str | None, profile: Profile | None, stop: Interrupts) -> Replayed:
    """Ask once more. Raises UsageError, and CandidateFault where the candidate breaks."""
    wanted = profile or Profile(bundle.profile)
    with opened(target or bundle.target, [bundle.spec], wanted, bundle.seed, stop) as samples:
        family = samples.families.get(bundle.family)
        if family is None:
            every = samples.model.families(frozenset({"config", "budget", "modes"}))
            if bundle.family not in {known.name for known in every}:
                raise UsageError(f'the key "family": the model has no family {bundle.family!r} any more')
            return Replayed(
                bundle, cause=f"this candidate cannot be asked cases of the family {bundle.family}"
            )
        # The tree is the bundle's, whatever the family's is by now.
        family = replace(family, tree=None, outside=bundle.outside)
        try:
            with samples.made(family, bundle.case) as subject:
                answer = subject.ask()
                findings = subject.judged(samples.model, samples.accepted).findings
        except CannotBuild as refusal:
            return Replayed(bundle, cause=f"this machine cannot make the tree: {refusal}")
        except Unmodelled as why:
            return Replayed(bundle, cause=f"the model does not speak about the case any more: {why}")
    return Replayed(replace(bundle, answer=answer_json(answer)), findings)
