"""The description of a mutant, and its construction from the reference. Contains no mutants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict, Unpack

from treeproof.api import PlantedChange
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor, Tool
from treeproof.rows.shared.row import Row

MutantKind = Literal["wrong", "null"]


@dataclass(frozen=True)
class Mutant:
    """A mutant or a null candidate; a call without arguments returns a new candidate.

    `violates` holds requirement ids: first the violated requirement, then those that may fail as a consequence.
    A null candidate ignores the tree: it violates no requirement in particular and must not pass any.
    `plant` returns an error at the adapter, for any candidate; without it, the mutant is a candidate of its own.
    """

    id: str
    summary: str
    violates: tuple[str, ...]
    factory: Callable[[], Any]
    kind: MutantKind = "wrong"
    plant: Callable[[], PlantedChange] | None = None

    def __call__(self) -> Any:
        return self.factory()


class CandidateParts(TypedDict, total=False):
    """The parts of a candidate that do not depend on the tool."""

    executor: type[Executor]
    candidate_class: type[Candidate]


def create_mutant(id: str, summary: str, violates: Sequence[str], factory: Callable[[], Any]) -> Mutant:
    """Return a mutant; each text of `violates` holds requirement ids, separated by blanks."""
    ids = tuple(dict.fromkeys(" ".join(violates).split()))
    return Mutant(id, summary, ids, factory)


def plant(id: str, summary: str, violates: Sequence[str], row: Row) -> Mutant:
    """Return a mutant that is a row; each text of `violates` holds requirement ids, separated by blanks."""
    return replace(create_mutant(id, summary, violates, _no_factory), plant=row.plant)


def _no_factory() -> Any:
    raise RuntimeError("a mutant at the adapter has no candidate of its own")


def mutate_reference(
    id: str, summary: str, violates: Sequence[str], tools: Sequence[Tool], **parts: Unpack[CandidateParts]
) -> Mutant:
    """Return the mutant that offers `tools`, with the given parts of the candidate replaced."""
    candidate_class, executor = parts.get("candidate_class", Candidate), parts.get("executor", Executor)
    factory = lambda: candidate_class(tools, executor=executor, name=id)  # noqa: E731
    return create_mutant(id, summary, violates, factory)
