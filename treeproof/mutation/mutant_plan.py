"""The mutants of a pack as tasks: each against its own requirement, or against the whole suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treeproof.mutation.mutant_report import NULL_CANDIDATE_KIND, KillMatrix, MutantResult, build_kill_matrix
from treeproof.mutation.task_pool import Task
from treeproof.spec import Pack
from treeproof.spec.mutants import find_mutant, load_kills, load_mutants, requirements_without_mutant
from treeproof.spec.version_features import scenarios_of


class MutantPlan:
    """The tasks for the mutants of ``pack``, and the kill matrix of their results.

    By default a mutant runs against the scenarios of the requirement that it violates, because these must kill it.
    Null candidates, and all mutants if ``whole_suite`` is set, run against the whole suite; null candidates only
    against ``null_requirements`` if there are any. Raises UsageError for an unknown id.
    """

    def __init__(
        self,
        pack: Pack,
        *,
        ids: Sequence[str] = (),
        whole_suite: bool = False,
        null_requirements: frozenset[str] = frozenset(),
    ) -> None:
        self._pack = pack
        self._mutants = load_mutants(pack)
        self._is_selection = bool(ids)
        for id in ids:
            find_mutant([pack], id, id)
        self._selected = [self._mutants[id] for id in ids] if ids else list(self._mutants.values())
        cases = scenarios_of(pack)
        self._verified = {case.requirement for case in cases}
        kills, returning = load_kills(pack), {case.id for case in cases if case.must_return}
        self.tasks: list[Task] = []
        for mutant in self._selected:
            is_null = mutant.kind == NULL_CANDIDATE_KIND
            requirements = tuple(sorted(null_requirements)) if is_null else mutant.violates
            requirements = () if whole_suite else requirements
            task = {"kind": "mutant", "id": mutant.id, "requirements": requirements, "is_null_candidate": is_null}
            # What kills it is a call that does not return: the time limit passes without work.
            waits = not whole_suite and kills.get(mutant.id) in returning
            self.tasks.append({**task, "waits": True} if waits else task)
        # The longest tasks start first, so that all workers end at about the same time.
        self.tasks.sort(key=lambda task: (not task.get("waits"), not task["is_null_candidate"], task["id"]))

    def report(self, found: Mapping[str, MutantResult]) -> KillMatrix:
        """Return the kill matrix of the results, by id."""
        results = [found[mutant.id] for mutant in self._selected]
        requirements = self._pack.requirements
        if self._is_selection:  # a selection does not show which requirements have no mutant
            return build_kill_matrix(self._mutants, results, requirements)
        # Only requirements that have scenarios of their own need a mutant.
        needing = [r.id for r in requirements if r.id in self._verified and not r.restates and not r.excluded]
        reasons = requirements_without_mutant(self._pack)
        return build_kill_matrix(self._mutants, results, requirements, verified=needing, without_mutant=reasons)
