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

from treeproof.candidate import Answer
from treeproof.search.model import ABSENT, Shape, Update
from treeproof.search.subject import Subject
from treeproof.verdict import Mismatch

from ..laws import Law, Trial
from ..words import difference, spell
from .documents import CUT_BY_SIZE, Document, Members, Odd, canonical, read

CODES = ("metadata_unavailable", "permission_denied", "read_dir_failed", "io_error", "unknown")
TYPES = ("file", "dir", "symlink", "other", "unknown")

UNBOUNDED: Update = {
    "arguments.max_entries": ABSENT,
    "config.max_entries": ABSENT,
    "context.max_output_bytes": ABSENT,
    "context.available_capacity_bytes": ABSENT,
}
"""No limit that a small tree could meet."""

WIDE: Update = {
    **UNBOUNDED,
    "arguments.recursive": True,
    "arguments.max_depth": ABSENT,
    "arguments.include_hidden": True,
    "arguments.include_files": ABSENT,
    "arguments.include_dirs": ABSENT,
    "arguments.include_symlinks": ABSENT,
}
"""All that a tree has to show."""


def listing(subject: Subject, update: Update | None = None) -> Document | None:
    """The document of an answer; None where there is none that can be read."""
    answer = subject.ask(update)
    return _readable(answer.content or "") if answer.status == "ok" else None


@lru_cache(maxsize=1024)
def _readable(content: str) -> Document | None:
    try:
        found = read(Answer("ok", content, None, None, None, None, None, b""))
        entries = found.entries
    except Mismatch:
        return None
    texts = ("path", "name", "type")
    return found if all(isinstance(entry.get(text), str) for entry in entries for text in texts) else None


def views(subject: Subject) -> list[Document]:
    """What a random tree shows to its own call, and to one that asks for everything."""
    updates = (None, WIDE) if isinstance(subject.family.tree, Shape) else (None,)
    return [found for update in updates if (found := listing(subject, update)) is not None]


def of_each_view(law: Callable[[Document], None]) -> Law:
    """A law about every document by itself."""

    def judge(trial: Trial) -> bool:
        found = views(trial.subject)
        for document in found:
            law(document)
        return any(document.entries for document in found)

    return judge


def parts(entry: Members) -> list[str]:
    """The components that the entry's path stands for, whatever else is wrong with how it is spelt."""
    path, name = str(entry["path"]), str(entry["name"])
    above = path.removesuffix(name) if path.endswith(name) else path.rpartition("/")[0]
    return [*(part for part in above.split("/") if part not in ("", ".")), name]


def differ(what: str, expected: Counter[str], got: Counter[str]) -> None:
    """Raise Mismatch unless both hold the same texts, each as often."""
    if expected != got:
        missing, surplus = (expected - got).elements(), (got - expected).elements()
        lines = [*(f"- {text}" for text in missing), *(f"+ {text}" for text in surplus)]
        amounts = f"{expected.total()} entries", f"{got.total()} entries"
        raise Mismatch(what, expected=amounts[0], got=amounts[1], diff="\n".join(lines[:20]))


def told(answer: Answer) -> str:
    """What an answer says that is not free: its output, or the kind of its error."""
    return answer.content or "" if answer.status == "ok" else f"{answer.kind}"


def value_text(value: Any) -> str:
    """A member as JSON; odd numbers as they are spelt."""
    return json.dumps(value, ensure_ascii=False, default=_odd)


def _odd(value: object) -> str:
    return value.text if isinstance(value, Odd) else "(no member)"


PLAIN: Update = {**UNBOUNDED, "context.config": ABSENT}
DEEP: Update = {**PLAIN, "arguments.path": ".", "arguments.recursive": True}

VIEWS: Mapping[str, tuple[Update | None, ...]] = {
    "trees": (
        None,
        WIDE,
        {**PLAIN, "arguments.include_hidden": False},
        {**PLAIN, "arguments.include_hidden": True},
        {**PLAIN, "arguments.include_other": True},
        {**DEEP, "arguments.max_depth": 1},
        {**DEEP, "arguments.max_depth": 2},
        {**DEEP, "arguments.max_depth": 4},
        {**DEEP, "arguments.recursive": False, "arguments.max_depth": ABSENT},
    ),
    "faults": (None, WIDE),
}
"""What the model is asked of each case of a family beside the case itself: calls that other laws make as well."""


def lists(subject: Subject) -> bool:
    """Whether an answer to a subject has entries."""
    return any(document.entries for document in views(subject))


def canonical_text(trial: Trial) -> bool:
    """P-02: written again from what it says, the document is the same."""
    free_escapes = "any_valid" in trial.samples.accepted["AMB-LD-15"]
    for found in views(trial.subject):
        again = canonical(found)
        if found.raw != again and not (free_escapes and _bones(found.raw) == _bones(again)):
            diff = difference(again, found.raw)
            raise Mismatch("the output is not canonical", expected=again, got=found.raw, diff=diff)
    return any(found.entries for found in views(trial.subject))


def _bones(text: str) -> list[str]:
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


@of_each_view
def counters(found: Document) -> None:
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
            got=value_text([flag, reason]),
        )


def _returned_counts(found: Document) -> None:
    returned = found.members.get("returned", ABSENT)
    if type(returned) is not int or returned != len(found.entries):
        due = str(len(found.entries))
        raise Mismatch("returned is not the number of entries", expected=due, got=value_text(returned))


returned_counts = of_each_view(_returned_counts)
"""P-03, its first half."""


@of_each_view
def reason_is_a_word(found: Document) -> None:
    """P-03, its last half."""
    reason = found.members.get("truncated_reason", ABSENT)
    if reason not in (None, "max_entries", CUT_BY_SIZE):
        words = "null, max_entries or max_output_bytes"
        raise Mismatch("the reason is no documented word", expected=words, got=value_text(reason))


@of_each_view
def sorted_paths(found: Document) -> None:
    """P-04: paths do not decrease, compared as UTF-8 bytes."""
    due = sorted(found.paths, key=lambda path: path.encode("utf-8", "surrogatepass"))
    if found.paths != due:
        raise Mismatch("the paths are not in order", expected=spell(due), got=spell(found.paths))


def each_entry(good: Callable[[Members], bool], what: str) -> Law:
    """P-05: a law about every entry by itself."""

    @of_each_view
    def law(found: Document) -> None:
        for entry in found.entries:
            if not good(entry):
                path = spell([str(entry["path"])])
                raise Mismatch(f"{what}: not so for {path}", expected=what, got=value_text(entry))

    return law


def _name_ends_path(entry: Members) -> bool:
    above = str(entry["path"]).removesuffix(str(entry["name"]))
    return above != entry["path"] and (above == "" or above.endswith("/"))


def _is_relative(entry: Members) -> bool:
    return all(part not in ("", ".", "..") for part in str(entry["path"]).split("/"))


def _has_its_size(entry: Members) -> bool:
    size = entry.get("size_bytes", ABSENT)
    return type(size) is int and size >= 0 if entry["type"] == "file" else size is None


def _has_a_time_or_null(entry: Members) -> bool:
    time = entry.get("modified_epoch_ms", ABSENT)
    return time is None or type(time) is int


def _has_its_code(entry: Members) -> bool:
    code = entry.get("error_code", ABSENT)
    return code in CODES if entry["type"] == "unknown" else code is None


ENTRIES: Mapping[str, Callable[[Members], bool]] = {
    "its name is the last component of its path": _name_ends_path,
    "its path has components between single slashes and no dots among them": _is_relative,
    "its depth is the number of components of its path": lambda e: e.get("depth") == len(parts(e)),
    "its type is one of the five words": lambda e: e["type"] in TYPES,
    "it has a size exactly if it is a file": _has_its_size,
    "its time is a whole number or null": _has_a_time_or_null,
    "it is hidden exactly if its name begins with a dot": lambda e: (
        e.get("is_hidden") is str(e["name"]).startswith(".")
    ),
    "it has a documented error code exactly if it is unknown": _has_its_code,
    "it has an error text only if it is unknown": lambda e: (
        e["type"] == "unknown" or e.get("error", ABSENT) is None
    ),
    "it is neither . nor ..": lambda e: e["name"] not in (".", ".."),
}
"""Laws about an entry, by their words."""
