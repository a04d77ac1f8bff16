"""The cases that all properties of a run share, each built and called once."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Adapter, ProcessOptions
from treeproof.model.case import AcceptedReadings, Case, CaseFamily, TreeShape, Unmodelled
from treeproof.model.checked_model import load_model
from treeproof.run.session import Session
from treeproof.search.case_run import CaseRun
from treeproof.tree import CannotBuild, Tree
from treeproof.verdict.finding import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 17
"""The number of cases of an ordinary family, by default."""

MIN_FURTHER_EXAMPLES = 10
"""The minimum number of cases of a further sample."""

PROCESS_PER_CALL_EXAMPLES = 5
"""The default for a candidate that is started for each message."""

FILE_MODES_CAPABILITY = "modes"
"""The pseudo-capability of a candidate to which file modes apply, so that directories can be unreadable."""

SHRINK_ATTEMPTS_PER_CASE, SHRINK_ATTEMPTS_PER_RUN = 120, 400
"""The maximum number of further cases to shrink one failing case, and in a whole run."""

ALTERED_PROCESS_OPTIONS = ProcessOptions(
    env={
        "LC_ALL": "C",
        "LANG": None,
        "TZ": "Asia/Kathmandu",
        "HOME": None,
        "COLUMNS": "1",
        "PYTHONHASHSEED": "1",
    },
    cwd=b"/",
    umask=0o077,
)
"""Options for a process with an unusual locale, time zone, directory, umask and hash seed."""


class CaseSamples:
    """The cases that all properties of a run share, generated per family at the first use.

    Trees of a sample remain as long as the workspace; cases of a family with a fixed tree share one copy.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.model = load_model(session.pack)
        ids = {entry.id for entry in session.pack.interpretations} & self.model.interpretations
        self.accepted_readings: AcceptedReadings = {id: session.accepted_readings(id) for id in ids}
        self.respects_file_modes = session.candidate.adapter.respects_file_modes and session.host.supports("drop_caps")
        capabilities = {
            *session.candidate.initialize_result.capabilities,
            *session.candidate.initialize_result.tools,
            *([FILE_MODES_CAPABILITY] if self.respects_file_modes else []),
        }
        self.families = {family.name: family for family in self.model.families(frozenset(capabilities))}
        self._altered_adapter: Adapter | None = None
        self.shrink_attempts_left = SHRINK_ATTEMPTS_PER_RUN if session.policy.minimises else 0
        self.built_count = 0
        """The number of cases whose tree was built."""
        self.build_errors: list[CannotBuild] = []
        """The errors of the other cases."""
        self.cache: dict[str, Any] = {}
        """Results that properties have computed from all cases."""
        self._case_runs: dict[str, dict[str, CaseRun]] = {}
        self._shared_roots: dict[str, bytes] = {}

    @property
    def all_family_names(self) -> frozenset[str]:
        """The names of the families for a candidate that has every tool and capability of the pack."""
        tools = self.session.pack.tools
        capabilities = {
            FILE_MODES_CAPABILITY,
            *(tool.name for tool in tools),
            *(one for tool in tools for one in tool.capabilities),
        }
        return frozenset(family.name for family in self.model.families(frozenset(capabilities)))

    @classmethod
    def for_session(cls, session: Session) -> CaseSamples:
        """Return the samples of a session, always the same object."""
        return session.shared(cls)

    def case_runs(self, name: str) -> list[CaseRun]:
        """Return the built cases of a family, without those that this host cannot build."""
        if name not in self._case_runs:
            family = self.families[name]
            cases = self.draw_cases(family)
            self._case_runs[name] = {}
            for case in cases:
                with self._count_builds():
                    self._case_runs[name].setdefault(_case_key(case), self._build_run(family, case))
        return list(self._case_runs[name].values())

    @property
    def all_case_runs(self) -> Iterator[CaseRun]:
        """The built cases of all families that a property has used so far."""
        return (run for runs in self._case_runs.values() for run in runs.values())

    def further_runs(self, name: str, round: int) -> Iterator[CaseRun]:
        """Yield the cases of another sample of the family; each is built, and removed before the next one."""
        family = self.families[name]
        for case in self.draw_cases(family, round):
            with self._count_builds(), self.temporary_run(family, case) as run:
                yield run

    @contextlib.contextmanager
    def _count_builds(self) -> Iterator[None]:
        """Count the case as built, or keep the error and skip the case."""
        try:
            yield
            self.built_count += 1
        except CannotBuild as error:
            self.build_errors.append(error)

    def draw_cases(self, family: CaseFamily, round: int = 0) -> list[Case]:
        """Generate the cases of a family; rounds after 0 are other samples of at least MIN_FURTHER_EXAMPLES cases."""
        from treeproof.search.generation import sample  # hypothesis takes a while to import

        if not family.relative_size:
            return []
        examples = self.example_count(family) if round == 0 else max(MIN_FURTHER_EXAMPLES, self.example_count(family))
        return sample(self.strategy(family), seed=self.session.policy.seed + round, examples=examples)

    def strategy(self, family: CaseFamily) -> SearchStrategy[Case]:
        """Return the hypothesis strategy for the cases of a family on this host."""
        from treeproof.search.strategies import cases, restrict_shape_to_host

        if isinstance(family.tree, TreeShape):
            family = replace(family, tree=restrict_shape_to_host(family.tree, self.session.host))
        return cases(self.model.tool, family)

    def example_count(self, family: CaseFamily) -> int:
        """Return the number of cases of a family."""
        # A candidate of kind command needs one process per call.
        usual = PROCESS_PER_CALL_EXAMPLES if self.session.candidate.adapter.kind == "command" else DEFAULT_EXAMPLES
        return max(1, round((self.session.policy.examples or usual) * family.relative_size))

    def findings(self, case_run: CaseRun) -> Iterator[Finding]:
        """Yield the findings of the model in all answers of a case so far."""
        return (found for found, _ in self.findings_with_answers(case_run))

    def findings_with_answers(self, case_run: CaseRun) -> Iterator[tuple[Finding, int]]:
        """Yield the same findings, each with the index of its answer."""
        for index in range(len(case_run.answers)):
            with contextlib.suppress(Unmodelled):
                for found in case_run.judge_answer(index, self.model, self.accepted_readings).findings:
                    yield found, index

    def find_minimal_case(self, family: CaseFamily, fails: Callable[[CaseRun], bool]) -> Case | None:
        """Return the smallest failing case that is found; the search begins with the sample.

        A run has a limited number of attempts; without any left, return the smallest failing case of the sample.
        """
        from treeproof.search.minimisation import find_minimal

        cost = 5 if self.session.candidate.adapter.kind == "command" else 1
        attempts = min(SHRINK_ATTEMPTS_PER_CASE // cost, self.shrink_attempts_left)
        if attempts <= 0:
            failing = (run.case for run in self.case_runs(family.name) if fails(run))
            return min(failing, key=lambda case: case.weight, default=None)

        def fails_when_built(case: Case) -> bool:
            self.shrink_attempts_left -= cost
            existing = self._case_runs.get(family.name, {}).get(_case_key(case))
            if existing is not None:
                return fails(existing)
            try:
                with self.temporary_run(family, case) as run:
                    return fails(run)
            except CannotBuild:
                return False

        return find_minimal(
            self.strategy(family),
            fails_when_built,
            seed=self.session.policy.seed,
            examples=self.example_count(family),
            attempts=attempts,
            weight=lambda case: case.weight,
        )

    def altered_adapter(self) -> Adapter:
        """Return the candidate in a process with ALTERED_PROCESS_OPTIONS, which must not change its answers.

        Raises CandidateFault, and NotVerified if no such process can be started. `close` stops it.
        """
        if self._altered_adapter is None:
            self._altered_adapter = self.session.spawn(ALTERED_PROCESS_OPTIONS)
        return self._altered_adapter

    def close(self) -> None:
        """Stop the process of `altered_adapter`."""
        if self._altered_adapter is not None:
            self._altered_adapter.close()
            self._altered_adapter = None

    @contextlib.contextmanager
    def temporary_run(self, family: CaseFamily, case: Case) -> Iterator[CaseRun]:
        """Build a case, and remove it afterwards unless other cases share its tree. Raises CannotBuild."""
        run = self._build_run(family, case)
        try:
            yield run
        finally:
            if not _shares_tree(family, case):
                self.session.workspace.remove_sandbox(run.root)

    def _build_run(self, family: CaseFamily, case: Case) -> CaseRun:
        if family.name in self._shared_roots and _shares_tree(family, case):
            return CaseRun(self.session, family, case, self._shared_roots[family.name])
        run = CaseRun(self.session, family, case, self.session.workspace.create_sandbox(f"{family.name} case"))
        run.build_tree()
        if _shares_tree(family, case):
            self._shared_roots[family.name] = run.root
        return run


def _shares_tree(family: CaseFamily, case: Case) -> bool:
    """Return whether a case uses the one copy of its family's fixed tree."""
    return isinstance(family.tree, Tree) and not case.earlier


def _case_key(case: Case) -> str:
    return json.dumps(case.to_json())
