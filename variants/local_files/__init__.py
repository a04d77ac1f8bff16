"""The variants of LocalFiles."""

from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory, build_candidate
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {}
"""Readings without a variant, as `AMB-LF-01=kind`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts of both tools exchanged.

    `list_directory`, `find_files` and `candidate_class` are classes; `glob` is a part of `findFiles` alone.
    `both_tools` is a class of `ListDirectory` that both tools extend.
    """
    fields = dict(parts)
    listing, search = fields.pop("list_directory", ListDirectory), fields.pop("find_files", FindFiles)
    if both := fields.pop("both_tools", None):
        listing, search = type("Listing", (both, listing), {}), type("Search", (both, search), {})
    candidate_class = fields.pop("candidate_class", Candidate)
    own = {name: fields.pop(name) for name in ("glob",) if name in fields}
    return build_candidate(listing(**fields), search(**fields, **own), candidate_class=candidate_class)


variants = collect_variants(__name__, build)
