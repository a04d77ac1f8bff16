"""The property laws of list_directory about one document, and what all the laws share.

A law looks at one subject (a tree with a call, built, and a candidate that can be asked) and raises Mismatch where it
does not hold. It returns whether it had anything to judge: a law about listings says nothing of a refusal, and is
silent where a call that it compares with fails, for that is another law's matter. No step stands here, and no law
but `model` knows what the right answer is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from treeproof.api import REMOVE_MEMBER, CallResult, CaseRun, CaseUpdate, Mismatch, TreeShape

from ..shared.properties import PropertyCheck, PropertyFunction
from ..shared.values import first_difference, format_names
from .view import CUT_BY_SIZE, Document, JsonObject, NonCanonicalNumber, canonical_json, parse_answer

ERROR_CODES = ("metadata_unavailable", "permission_denied", "read_dir_failed", "io_error", "unknown")
ENTRY_TYPES = ("file", "dir", "symlink", "other", "unknown")

UNBOUNDED: CaseUpdate = {
    "arguments.max_entries": REMOVE_MEMBER,
    "config.max_entries": REMOVE_MEMBER,
    "context.max_output_bytes": REMOVE_MEMBER,
    "context.available_capacity_bytes": REMOVE_MEMBER,
}
"""No limit that a small tree could meet."""

EVERYTHING: CaseUpdate = {
    **UNBOUNDED,
    "arguments.recursive": True,
    "arguments.max_depth": REMOVE_MEMBER,
    "arguments.include_hidden": True,
    "arguments.include_files": REMOVE_MEMBER,
    "arguments.include_dirs": REMOVE_MEMBER,
    "arguments.include_symlinks": REMOVE_MEMBER,
}
"""All that a tree has to show."""


def listing_or_none(subject: CaseRun, update: CaseUpdate | None = None) -> Document | None:
    """The document of an answer; None where there is none that can be read."""
    answer = subject.call_candidate(update)
    return _parse_or_none(answer.content or "") if answer.status == "ok" else None


@lru_cache(maxsize=1024)
def _parse_or_none(content: str) -> Document | None:
    try:
        found = parse_answer(CallResult("ok", content, None, None, None, None, None, b""))
        entries = found.entries
    except Mismatch:
        return None
    texts = ("path", "name", "type")
    return found if all(isinstance(entry.get(text), str) for entry in entries for text in texts) else None


def listings(subject: CaseRun) -> list[Document]:
    """What a random tree shows to its own call, and to one that asks for everything."""
    updates = (None, EVERYTHING) if isinstance(subject.family.tree, TreeShape) else (None,)
    return [found for update in updates if (found := listing_or_none(subject, update)) is not None]


def for_each_listing(law: Callable[[Document], None]) -> PropertyFunction:
    """A law about every document by itself."""

    def judge(trial: PropertyCheck) -> bool:
        found = listings(trial.case_run)
        for document in found:
            law(document)
        return any(document.entries for document in found)

    return judge


def path_parts(entry: JsonObject) -> list[str]:
    """The components that the entry's path stands for, whatever else is wrong with how it is spelt."""
    path, name = str(entry["path"]), str(entry["name"])
    above = path.removesuffix(name) if path.endswith(name) else path.rpartition("/")[0]
    return [*(part for part in above.split("/") if part not in ("", ".")), name]


def assert_same_counts(what: str, expected: Counter[str], got: Counter[str]) -> None:
    """Raise Mismatch unless both hold the same texts, each as often."""
    if expected != got:
        missing, surplus = (expected - got).elements(), (got - expected).elements()
        lines = [*(f"- {text}" for text in missing), *(f"+ {text}" for text in surplus)]
        amounts = f"{expected.total()} entries", f"{got.total()} entries"
        raise Mismatch(what, expected=amounts[0], got=amounts[1], diff="\n".join(lines[:20]))


def comparable(answer: CallResult) -> str:
    """What an answer says that is not free: its output, or the kind of its error."""
    return answer.content or "" if answer.status == "ok" else f"{answer.error_kind}"


def format_value(value: Any) -> str:
    """A member as JSON; odd numbers as they are spelt."""
    return json.dumps(value, ensure_ascii=False, default=_number_text)


def _number_text(value: object) -> str:
    return value.text if isinstance(value, NonCanonicalNumber) else "(no member)"


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
"""What the model is asked of each case of a family beside the case itself: calls that other laws make as well."""


def has_entries(subject: CaseRun) -> bool:
    """Whether an answer to a subject has entries."""
    return any(document.entries for document in listings(subject))


def canonical_text(trial: PropertyCheck) -> bool:
    """P-02: written again from what it says, the document is the same."""
    free_escapes = "any_valid" in trial.samples.accepted_readings["AMB-LD-15"]
    for found in listings(trial.case_run):
        again = canonical_json(found)
        if found.raw != again and not (free_escapes and _tokens(found.raw) == _tokens(again)):
            diff = first_difference(again, found.raw)
            raise Mismatch("the output is not canonical", expected=again, got=found.raw, diff=diff)
    return any(found.entries for found in listings(trial.case_run))


def _tokens(text: str) -> list[str]:
    """A JSON text with the values of its strings in place of their spelling."""
    decoder, at, bones = json.JSONDecoder(), 0, []
    while at < len(text):
        if text[at] == '"':
            value, at = decoder.raw_decode(text, at)
            bones.append(value)
        else:
            bones.append(text[at])
            at += 1
    return bones


@for_each_listing
def counters_agree(found: Document) -> None:
    """P-03: returned counts the entries, and the reason is null exactly when nothing was cut."""
    _returned_counts(found)
    flag, reason = found.members.get("truncated"), found.members.get("truncated_reason")
    if type(flag) is not bool or (flag, reason) not in (
        (False, None),
        (True, "max_entries"),
        (True, CUT_BY_SIZE),
    ):
        raise Mismatch(
            "truncated and truncated_reason contradict each other",
            expected="false with null, or true with max_entries or max_output_bytes",
            got=format_value([flag, reason]),
        )


def _returned_counts(found: Document) -> None:
    returned = found.members.get("returned", REMOVE_MEMBER)
    if type(returned) is not int or returned != len(found.entries):
        due = str(len(found.entries))
        raise Mismatch("returned is not the number of entries", expected=due, got=format_value(returned))


returned_counts = for_each_listing(_returned_counts)
"""P-03, its first half."""


@for_each_listing
def reason_is_documented(found: Document) -> None:
    """P-03, its last half."""
    reason = found.members.get("truncated_reason", REMOVE_MEMBER)
    if reason not in (None, "max_entries", CUT_BY_SIZE):
        words = "null, max_entries or max_output_bytes"
        raise Mismatch("the reason is no documented word", expected=words, got=format_value(reason))


@for_each_listing
def sorted_paths(found: Document) -> None:
    """P-04: paths do not decrease, compared as UTF-8 bytes."""
    due = sorted(found.paths, key=lambda path: path.encode("utf-8", "surrogatepass"))
    if found.paths != due:
        raise Mismatch(
            "the paths are not in order", expected=format_names(due), got=format_names(found.paths)
        )


def every_entry(good: Callable[[JsonObject], bool], what: str) -> PropertyFunction:
    """P-05: a law about every entry by itself."""

    @for_each_listing
    def law(found: Document) -> None:
        for entry in found.entries:
            if not good(entry):
                path = format_names([str(entry["path"])])
                raise Mismatch(f"{what}: not so for {path}", expected=what, got=format_value(entry))

    return law


def _name_ends_path(entry: JsonObject) -> bool:
    above = str(entry["path"]).removesuffix(str(entry["name"]))
    return above != entry["path"] and (above == "" or above.endswith("/"))


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
"""Laws about an entry, by their words."""
