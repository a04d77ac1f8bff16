"""The variants of `list_directory`."""

from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {
    "AMB-LD-23=c": "It differs from `a` for UNC names only, which no system but Windows has.",
    "AMB-LD-44=b": "Only Windows has junctions and other reparse points.",
    "AMB-LD-49=b": "It asks for more than `a`, which is all that a row asks for; the reference satisfies both.",
    "AMB-LD-62=b": "Only Windows gives another meaning to trailing dots and blanks, stream names and device names.",
}
"""Readings without a variant, as `AMB-LD-01=reached`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts of the tool exchanged; `tool`, `candidate_class` and `executor` are classes."""
    fields = dict(parts)
    tool, executor = fields.pop("tool", ListDirectory), fields.pop("executor", Executor)
    return fields.pop("candidate_class", Candidate)([tool(**fields)], executor=executor)


variants = collect_variants(__name__, build)
