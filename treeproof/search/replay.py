"""A kept counterexample seen again: on the candidate that it was found with, or on any other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts
from treeproof.search.bundle import Bundle, answer_json
from treeproof.search.model import Finding, Unmodelled
from treeproof.search.opening import opened
from treeproof.tree import CannotBuild
from treeproof.verdict import NotVerified, Profile


@dataclass(frozen=True)
class Replayed:
    """What came of it: what the model finds now, and the bundle with the new answer. `cause`: why it was not asked."""

    bundle: Bundle
    findings: tuple[Finding, ...] = ()
    cause: str = ""

    @property
    def exit(self) -> int:
        """1 where it is still a counterexample, 3 where it could not be asked."""
        if self.cause:
            return 3
        return 1 if self.findings else 0


def replay(
    bundle: Bundle, target: str | None, profile: Profile | None, stop: Interrupts, *, file: Path
) -> Replayed:
    """Ask once more. Raises UsageError, which names the bundle's ``file``, and CandidateFault where one breaks."""
    wanted = profile or Profile(bundle.profile)
    with opened(target or bundle.target, [bundle.spec], wanted, bundle.seed, stop) as grounds:
        ground = grounds.named(bundle.family)
        if ground is None:
            if not grounds.knows(bundle.family):
                raise UsageError(
                    f'{file}: the key "family": the model has no family "{bundle.family}" any more'
                )
            return Replayed(
                bundle, cause=f"this candidate cannot be asked cases of the family {bundle.family}"
            )
        if not ground.takes(bundle.case):
            raise UsageError(f'{file}: the key "case": it is none of the family "{bundle.family}"')
        try:
            looked = ground.beside(bundle.outside).look(bundle.case)
        except CannotBuild as refusal:
            return Replayed(bundle, cause=f"this machine cannot make the tree: {refusal}")
        except NotVerified as why:
            return Replayed(bundle, cause=why.cause)
        except Unmodelled as why:
            return Replayed(bundle, cause=f"the model does not speak about the case any more: {why}")
    return Replayed(replace(bundle, answer=answer_json(looked.answer)), looked.findings)
