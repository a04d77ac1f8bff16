"""Re-runs a saved counterexample, with the candidate that it was found with or with another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts
from treeproof.search.counterexample_file import SavedCounterexample, answer_to_json
from treeproof.search.model import Finding, Unmodelled
from treeproof.search.setup import open_search
from treeproof.tree import CannotBuild
from treeproof.verdict import NotVerified, Profile


@dataclass(frozen=True)
class ReplayResult:
    """What came of it: what the model finds now, and the bundle with the new answer. `cause`: why it was not asked."""

    counterexample: SavedCounterexample
    findings: tuple[Finding, ...] = ()
    cause: str = ""

    @property
    def exit_code(self) -> int:
        """1 where it is still a counterexample, 3 where it could not be asked."""
        if self.cause:
            return 3
        return 1 if self.findings else 0


def replay(
    counterexample: SavedCounterexample,
    target: str | None,
    profile: Profile | None,
    stop: Interrupts,
    *,
    file: Path,
) -> ReplayResult:
    """Ask once more. Raises UsageError, which names the bundle's ``file``, and CandidateFault where one breaks."""
    wanted = profile or Profile(counterexample.profile)
    with open_search(
        target or counterexample.target, [counterexample.spec], wanted, counterexample.seed, stop
    ) as grounds:
        ground = grounds.get(counterexample.family)
        if ground is None:
            if not grounds.is_known(counterexample.family):
                raise UsageError(
                    f'{file}: the key "family": the model has no family "{counterexample.family}" any more'
                )
            return ReplayResult(
                counterexample,
                cause=f"this candidate cannot be asked cases of the family {counterexample.family}",
            )
        if not ground.accepts(counterexample.case):
            raise UsageError(f'{file}: the key "case": it is none of the family "{counterexample.family}"')
        try:
            looked = ground.with_outside(counterexample.outside).run_case(counterexample.case)
        except CannotBuild as refusal:
            return ReplayResult(counterexample, cause=f"this machine cannot make the tree: {refusal}")
        except NotVerified as why:
            return ReplayResult(counterexample, cause=why.detail)
        except Unmodelled as why:
            return ReplayResult(counterexample, cause=f"the model does not speak about the case any more: {why}")
    return ReplayResult(replace(counterexample, answer=answer_to_json(looked.answer)), looked.findings)
