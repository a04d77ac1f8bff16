"""Re-runs a saved counterexample, with the candidate that it was found with or with another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.model.case import Unmodelled
from treeproof.run.interrupts import Interrupts
from treeproof.search.counterexample_file import SavedCounterexample, answer_to_json
from treeproof.search.setup import open_search
from treeproof.tree import CannotBuild
from treeproof.verdict import NotVerified, Profile
from treeproof.verdict.finding import Finding


@dataclass(frozen=True)
class ReplayResult:
    """The findings of a replay, and the counterexample with the new answer. `cause`: why the case could not run."""

    counterexample: SavedCounterexample
    findings: tuple[Finding, ...] = ()
    cause: str = ""

    @property
    def exit_code(self) -> int:
        """1 if it is still a counterexample, 3 if the case could not run, else 0."""
        if self.cause:
            return 3
        return 1 if self.findings else 0


def replay(
    counterexample: SavedCounterexample,
    target: str,
    profile: Profile | None,
    interrupts: Interrupts,
    *,
    file: Path,
) -> ReplayResult:
    """Run the case again. Raises CandidateFault, and UsageError with the counterexample's ``file``."""
    effective_profile = profile or Profile(counterexample.profile)
    with open_search(target, [counterexample.spec], effective_profile, counterexample.seed, interrupts) as spaces:
        space = spaces.get(counterexample.family)
        if space is None:
            if not spaces.is_known(counterexample.family):
                raise UsageError(
                    f'{file}: the key "family": the model has no family "{counterexample.family}" any more'
                )
            return ReplayResult(
                counterexample,
                cause=f"this candidate does not support cases of the family {counterexample.family}",
            )
        if not space.accepts(counterexample.case):
            raise UsageError(f'{file}: the key "case": it is not a case of the family "{counterexample.family}"')
        try:
            result = space.with_outside(counterexample.outside).run_case(counterexample.case)
        except CannotBuild as error:
            return ReplayResult(counterexample, cause=f"this machine cannot make the tree: {error}")
        except NotVerified as why:
            return ReplayResult(counterexample, cause=why.detail)
        except Unmodelled as why:
            return ReplayResult(counterexample, cause=f"the model does not cover the case any more: {why}")
    return ReplayResult(replace(counterexample, answer=answer_to_json(result.answer)), result.findings)
