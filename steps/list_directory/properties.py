"""The functions that all properties of list_directory share. Contains no steps.

A property raises Mismatch if it does not hold, and returns whether the case was evidence. A refused call is no
evidence, and neither is a case in which a compared call fails. No property knows an expected document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from treeproof.api import (
    MISSING_ENTRIES,
    REMOVE_MEMBER,
    UNEXPECTED_ENTRIES,
    CallResult,
    CaseRun,
    CaseUpdate,
    Mismatch,
    TreeShape,
)

from .view import Document, JsonObject, parse_answer

UNBOUNDED: CaseUpdate = {
    "arguments.max_entries": REMOVE_MEMBER,
    "config.max_entries": REMOVE_MEMBER,
    "context.max_output_bytes": REMOVE_MEMBER,
    "context.available_capacity_bytes": REMOVE_MEMBER,
}
"""No limit that a small tree can reach."""

EVERYTHING: CaseUpdate = {
    **UNBOUNDED,
    "arguments.recursive": True,
    "arguments.max_depth": REMOVE_MEMBER,
    "arguments.include_hidden": True,
    "arguments.include_files": REMOVE_MEMBER,
    "arguments.include_dirs": REMOVE_MEMBER,
    "arguments.include_symlinks": REMOVE_MEMBER,
}
"""All entries of a tree."""


def listing_or_none(case_run: CaseRun, update: CaseUpdate | None = None) -> Document | None:
    """Return the document of an answer; None if it cannot be parsed."""
    return parse_or_none(case_run.call_candidate(update))


def parse_or_none(answer: CallResult) -> Document | None:
    """Return the document of an answer; None if it cannot be parsed."""
    return _parse_content(answer.content or "") if answer.status == "ok" else None


@lru_cache(maxsize=1024)
def _parse_content(content: str) -> Document | None:
    try:
        found = parse_answer(CallResult("ok", content, None, None, None, None, None, b""))
        entries = found.entries
    except Mismatch:
        return None
    texts = ("path", "name", "type")
    return found if all(isinstance(entry.get(text), str) for entry in entries for text in texts) else None


def listings(case_run: CaseRun) -> Iterator[Document]:
    """Yield the documents of a case, and of the call for everything if its tree is random.

    Each call is made when its document is needed, so that the call of a wrong one is the last.
    """
    updates = (None, EVERYTHING) if isinstance(case_run.family.tree, TreeShape) else (None,)
    for update in updates:
        if (found := listing_or_none(case_run, update)) is not None:
            yield found


def path_parts(entry: JsonObject) -> list[str]:
    """Return the components of an entry's path, even if the path is malformed."""
    path, name = str(entry["path"]), str(entry["name"])
    parent = path.removesuffix(name) if path.endswith(name) else path.rpartition("/")[0]
    return [*(part for part in parent.split("/") if part not in ("", ".")), name]


def assert_same_counts(what: str, expected: Counter[str], got: Counter[str]) -> None:
    """Raise Mismatch unless both have the same texts, each as often."""
    if expected != got:
        missing, surplus = (expected - got).elements(), (got - expected).elements()
        lines = [*(f"- {text}" for text in missing), *(f"+ {text}" for text in surplus)]
        message = f"{what}: {got.total()} entries, where {expected.total()} are due"
        kinds = [MISSING_ENTRIES] * bool(expected - got) + [UNEXPECTED_ENTRIES] * bool(got - expected)
        raise Mismatch(message, diff="\n".join(lines[:20]), kind=" and ".join(kinds))


def comparable(answer: CallResult) -> str:
    """Return the part of an answer that may not differ: its output, or the kind of its error."""
    return answer.content or "" if answer.status == "ok" else f"{answer.error_kind}"


UNCONFIGURED: CaseUpdate = {**UNBOUNDED, "context.config": REMOVE_MEMBER}
RECURSIVE_FROM_ROOT: CaseUpdate = {**UNCONFIGURED, "arguments.path": ".", "arguments.recursive": True}

VARIANTS: Mapping[str, tuple[CaseUpdate | None, ...]] = {
    "trees": (
        None,
        EVERYTHING,
        {**UNCONFIGURED, "arguments.include_hidden": False},
        {**UNCONFIGURED, "arguments.include_hidden": True},
        {**UNCONFIGURED, "arguments.include_other": True},
        {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 1},
        {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 2},
        {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 4},
        {**RECURSIVE_FROM_ROOT, "arguments.recursive": False, "arguments.max_depth": REMOVE_MEMBER},
    ),
    "faults": (None, EVERYTHING),
}
"""The variants of each case that the model judges: calls that other properties make as well."""


def has_entries(case_run: CaseRun) -> bool:
    """Return whether an answer to a case has entries."""
    found = list(listings(case_run))  # makes every call, for the attribution
    return any(document.entries for document in found)
