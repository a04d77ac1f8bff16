"""The variants of LS."""

from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {
    "AMB-LS-43=b": "It is advised against: a scenario beyond the document warns of it, and observes no reading.",
    "AMB-LS-16=b": "The messages about wrong arguments are free, and a remark is all that another one causes.",
}
"""Readings without a variant, as `AMB-LS-01=b`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts of the tool exchanged."""
    return Candidate([ListFiles(**parts)], capabilities=("policy", "context"))


variants = collect_variants(__name__, build)
