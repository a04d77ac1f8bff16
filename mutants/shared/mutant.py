"""The construction of mutants from the reference. Contains no mutants."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from treeproof.api import CandidateMutant
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor, Tool
from treeproof.rows.shared.row import Row

Mutant = CandidateMutant


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
