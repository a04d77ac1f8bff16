"""The order of a list, by the readings of AMB-LF-01."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .entry_comparison import ALL_TYPES, OTHER_TYPE
from .identification import Element

ORDERS: Mapping[str, str] = {
    "kind": "by @type (DirectoryEntry, FileEntry, SymbolicLinkEntry, OtherEntry; the last two in either order)",
    "directories_first": "DirectoryEntry first, all others by descending name",
    "descending": "all by descending name, by code points, by UTF-16 units, or in lower case",
}
"""The order that each accepted reading prescribes, for messages."""


def fitting_orders(value: Sequence[Element]) -> frozenset[str]:
    """Return the readings that the order of a list fits."""
    checks = {"kind": _is_by_kind, "directories_first": _has_directories_first, "descending": _is_descending}
    return frozenset(label for label, fits in checks.items() if fits(value))


def _is_by_kind(value: Sequence[Element]) -> bool:
    """Links and other kinds may have either order (AMB-LF-02). What has no kind known from the tree stands anywhere."""
    types = [str(one["@type"]) for one in value if one.get("@type") in ALL_TYPES]
    first, file, *_ = ALL_TYPES
    for last in (("SymbolicLinkEntry", OTHER_TYPE), (OTHER_TYPE, "SymbolicLinkEntry")):
        ranks = {word: rank for rank, word in enumerate((first, file, *last))}
        kinds = [ranks[word] for word in types]
        if kinds == sorted(kinds):
            return True
    return False


def _has_directories_first(value: Sequence[Element]) -> bool:
    first = ALL_TYPES[0]
    flags = [one["@type"] != first for one in value if one.get("@type") in ALL_TYPES]
    return flags == sorted(flags) and _is_descending([one for one in value if one.get("@type") != first])


def _is_descending(value: Sequence[Element]) -> bool:
    names = [str(entry.get("name")) for entry in value]
    # Names that are not UTF-8 may compare by their bytes, which the answer does not show.
    return any("\ufffd" in name for name in names) or any(
        keys == sorted(keys, reverse=True) for keys in _sort_keys(names)
    )


def _sort_keys(names: list[str]) -> Iterator[list[bytes]]:
    """Yield the keys of names by code points, by UTF-16 units, and without regard to case."""
    for encoding in ("utf-8", "utf-16-be"):
        yield [name.encode(encoding, "surrogatepass") for name in names]
    yield [name.lower().encode("utf-8", "surrogatepass") for name in names]
