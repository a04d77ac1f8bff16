"""The variants of FS.WalkDir."""

from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {}
"""Readings without a variant, as `AMB-WD-01=nil`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts exchanged.

    `tool` and `candidate_class` are classes; the others are fields of the tool.
    """
    fields = dict(parts)
    tool, candidate_class = fields.pop("tool", WalkDir), fields.pop("candidate_class", Candidate)
    return build_candidate(tool(**fields), candidate_class=candidate_class)


variants = collect_variants(__name__, build)
