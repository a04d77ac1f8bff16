"""What a wrong implementation says of itself, and how one is made from the reference. No wrongness lives here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor, Tool

MutantKind = Literal["wrong", "null"]


@dataclass(frozen=True)
class Mutant:
    """A wrong implementation. Called without arguments it gives a new candidate, so it is a target itself.

    `violates` holds requirement ids: first the one that must be blamed, then those that it implies and that may
    fail as well. `reading` names the interpretation, and its label, that would make it right where a candidate
    declares it. A null candidate does nothing at all; it violates no requirement in particular, and must not
    earn a single one.
    """

    id: str
    summary: str
    violates: tuple[str, ...]
    factory: Callable[[], Any]
    reading: str | None = None
    kind: MutantKind = "wrong"

    def __call__(self) -> Any:
        return self.factory()


def mutate_reference(
    id: str,
    summary: str,
    *violates: str,
    tools: Sequence[Tool],
    executor: type[Executor] = Executor,
    candidate_class: type[Candidate] = Candidate,
    reading: str | None = None,
) -> Mutant:
    """A reference with one piece exchanged: in a tool, in the executor, or in the protocol's face."""

    def make() -> Candidate:
        return candidate_class(tools, executor=executor, name=id)

    return Mutant(id, summary, tuple(dict.fromkeys(violates)), make, reading)


def build_null_candidate(id: str, summary: str, factory: Callable[[], Any]) -> Mutant:
    return Mutant(id, summary, (), factory, kind="null")
