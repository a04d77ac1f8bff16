"""The properties of list_directory for one document, and the functions that all properties share. Contains no steps.

A property raises Mismatch if it does not hold, and returns whether the case was evidence. A refused call is no
evidence, and neither is a case in which a compared call fails. No property knows an expected document.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from treeproof.api import (
    MISSING_ENTRIES,
    REMOVE_MEMBER,
    UNEXPECTED_ENTRIES,
    CallResult,
    CaseRun,
    CaseUpdate,
    ComparisonStage,
    Mismatch,
    TreeShape,
)

from ..shared.properties import PropertyCheck, PropertyFunction
from ..shared.values import first_difference, format_json, format_member, format_names
from .truncation import check_reason
from .view import CUT_BY_SIZE, ERROR_CODES, Document, JsonObject, canonical_json, parse_answer

ENTRY_TYPES = ("file", "dir", "symlink", "other", "unknown")

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


def for_each_listing(assert_document: Callable[[Document], None]) -> PropertyFunction:
    """Return a property of every document by itself."""

    def holds(check: PropertyCheck) -> bool:
        is_evidence = False
        for document in listings(check.case_run):
            assert_document(document)
            is_evidence = is_evidence or bool(document.entries)
        return is_evidence

    return holds


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
        raise Mismatch(message, diff="\n".join(lines[:20]), stage="entries", kind=" and ".join(kinds))


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


def canonical_text(check: PropertyCheck) -> bool:
    """P-02: the text is the canonical one of its value."""
    free_escapes = "any_valid" in check.samples.accepted_readings["AMB-LD-15"]

    @for_each_listing
    def assert_canonical(found: Document) -> None:
        again = canonical_json(found)
        if found.raw != again and not (free_escapes and _tokens(found.raw) == _tokens(again)):
            diff = first_difference(again, found.raw)
            raise Mismatch("the output is not canonical", expected=again, got=found.raw, diff=diff, stage="text")

    return assert_canonical(check)


def _tokens(text: str) -> list[str]:
    """Return the characters of a JSON text, with the value of each string as one item."""
    decoder, at, tokens = json.JSONDecoder(), 0, []
    while at < len(text):
        if text[at] == '"':
            value, at = decoder.raw_decode(text, at)
            tokens.append(value)
        else:
            tokens.append(text[at])
            at += 1
    return tokens


@for_each_listing
def counters_agree(found: Document) -> None:
    """P-03: returned counts the entries, and the reason is null exactly if nothing is truncated."""
    _returned_counts(found)
    check_reason(found)
    flag, reason = found.members.get("truncated"), found.members.get("truncated_reason")
    if type(flag) is not bool or (flag, reason) not in (
        (False, None),
        (True, "max_entries"),
        (True, CUT_BY_SIZE),
    ):
        raise Mismatch(
            "truncated and truncated_reason contradict each other",
            got=format_json({"truncated": flag, "truncated_reason": reason}),
            stage="members",
        )


def _returned_counts(found: Document) -> None:
    returned = found.members.get("returned", REMOVE_MEMBER)
    if type(returned) is not int or returned != len(found.entries):
        due = format_json({"returned": len(found.entries)})
        got = format_member(found.members, "returned")
        what = "returned is not the number of entries"
        raise Mismatch(what, expected=due, got=got, stage="members", kind="another returned")


returned_counts = for_each_listing(_returned_counts)
"""P-03, first half."""


@for_each_listing
def reason_is_documented(found: Document) -> None:
    """P-03, second half."""
    if "truncated_reason" not in found.members:
        raise Mismatch("there is no truncated_reason", stage="members", kind="another truncated_reason")
    check_reason(found)


@for_each_listing
def sorted_paths(found: Document) -> None:
    """P-04: paths do not decrease, compared as UTF-8 bytes."""
    due = sorted(found.keys, key=lambda path: path.encode("utf-8", "surrogatepass"))
    if found.keys != due:
        raise Mismatch(
            "the paths are not in order",
            expected=format_names(due),
            got=format_names(found.keys),
            stage="order",
            kind="the entries or their order differ",
        )


_KINDS_OF_DIFFERENCES: Mapping[str, str] = {
    "its name is the last component of its path": "another name",
    "its path has components between single slashes and no dots among them": "another path",
    "its depth is the number of components of its path": "another depth",
    "its type is one of the five words": "another type",
    "it has a size exactly if it is a file": "another size_bytes",
    "its time is a whole number or null": "another modified_epoch_ms",
    "it is hidden exactly if its name begins with a dot": "another is_hidden",
    "it has a documented error code exactly if it is unknown": "another error_code",
    "it has an error text only if it is unknown": "another error",
    "it is neither . nor ..": UNEXPECTED_ENTRIES,
}
"""The kinds of the differences that the conditions on one entry find, as the steps name them."""


def every_entry(condition: Callable[[JsonObject], bool], what: str) -> PropertyFunction:
    """Return a property of every entry by itself (P-05), except the one for the requested directory (AMB-LD-10)."""
    kind = _KINDS_OF_DIFFERENCES.get(what, "")

    def holds(check: PropertyCheck) -> bool:
        has_own_entry = "unknown_entry" in check.samples.accepted_readings["AMB-LD-10"]

        @for_each_listing
        def assert_entries(found: Document) -> None:
            for entry in found.entries:
                if not condition(entry) and not (has_own_entry and _is_requested_directory(entry)):
                    path = format_names([str(entry["path"])])
                    message = f"{what}: violated by {path}"
                    stage: ComparisonStage = "entries" if kind == UNEXPECTED_ENTRIES else "members"
                    raise Mismatch(message, got=format_json(entry), stage=stage, kind=kind)

        return assert_entries(check)

    return holds


def _is_requested_directory(entry: JsonObject) -> bool:
    return entry["type"] == "unknown" and entry["path"] in ("", ".")


def _name_ends_path(entry: JsonObject) -> bool:
    parent = str(entry["path"]).removesuffix(str(entry["name"]))
    return parent != entry["path"] and (parent == "" or parent.endswith("/"))


def _is_relative(entry: JsonObject) -> bool:
    return all(part not in ("", ".", "..") for part in str(entry["path"]).split("/"))


def _has_valid_size(entry: JsonObject) -> bool:
    size = entry.get("size_bytes", REMOVE_MEMBER)
    return type(size) is int and size >= 0 if entry["type"] == "file" else size is None


def _has_valid_time(entry: JsonObject) -> bool:
    time = entry.get("modified_epoch_ms", REMOVE_MEMBER)
    return time is None or type(time) is int


def _has_valid_error_code(entry: JsonObject) -> bool:
    code = entry.get("error_code", REMOVE_MEMBER)
    return code in ERROR_CODES if entry["type"] == "unknown" else code is None


ENTRY_PROPERTIES: Mapping[str, Callable[[JsonObject], bool]] = {
    "its name is the last component of its path": _name_ends_path,
    "its path has components between single slashes and no dots among them": _is_relative,
    "its depth is the number of components of its path": lambda e: e.get("depth") == len(path_parts(e)),
    "its type is one of the five words": lambda e: e["type"] in ENTRY_TYPES,
    "it has a size exactly if it is a file": _has_valid_size,
    "its time is a whole number or null": _has_valid_time,
    "it is hidden exactly if its name begins with a dot": lambda e: (
        e.get("is_hidden") is str(e["name"]).startswith(".")
    ),
    "it has a documented error code exactly if it is unknown": _has_valid_error_code,
    "it has an error text only if it is unknown": lambda e: (
        e["type"] == "unknown" or e.get("error", REMOVE_MEMBER) is None
    ),
    "it is neither . nor ..": lambda e: e["name"] not in (".", ".."),
}
"""Conditions on one entry by their names in steps."""
