"""The variants of LocalFiles."""

from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory, build_candidate

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {}
"""Readings without a variant, as `AMB-LF-01=kind`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts of both tools exchanged.

    `list_directory` and `find_files` are classes; `glob` is a part of `findFiles` alone.
    """
    fields = dict(parts)
    listing, search = fields.pop("list_directory", ListDirectory), fields.pop("find_files", FindFiles)
    own = {name: fields.pop(name) for name in ("glob",) if name in fields}
    return build_candidate(listing(**fields), search(**fields, **own))


variants = collect_variants(__name__, build)
