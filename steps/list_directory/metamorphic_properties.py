"""The properties of list_directory that compare several calls: with another filter, depth, spelling or process.

See `properties` for the rules of all properties.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from treeproof.api import (
    MISSING_ENTRIES,
    REMOVE_MEMBER,
    UNEXPECTED_ENTRIES,
    Call,
    CallResult,
    CaseRun,
    Kind,
    Mismatch,
)

from ..shared import common_properties
from ..shared.common_properties import AnswerComparison
from ..shared.properties import PropertyCheck
from ..shared.values import first_difference, format_json, format_names
from .json_encoding import mismatch_of_failure
from .properties import (
    RECURSIVE_FROM_ROOT,
    UNCONFIGURED,
    assert_same_counts,
    comparable,
    listing_or_none,
    parse_or_none,
    path_parts,
)
from .view import Document, JsonObject


def _entries(found: Document) -> Counter[str]:
    return Counter(format_json(entry) for entry in found.entries)


def hidden_are_left_out(check: PropertyCheck) -> bool:
    """P-11: omitting hidden entries removes exactly the entries with a component that begins with a dot."""
    with_hidden = listing_or_none(check.case_run, {**UNCONFIGURED, "arguments.include_hidden": True})
    without = listing_or_none(check.case_run, {**UNCONFIGURED, "arguments.include_hidden": False})
    if with_hidden is None or without is None:
        return False
    visible = Counter(
        format_json(entry)
        for entry in with_hidden.entries
        if not any(part.startswith(".") for part in path_parts(entry))
    )
    assert_same_counts("leaving out hidden entries changes others", visible, _entries(without))
    return bool(with_hidden.entries)


KINDS = ("files", "dirs", "symlinks")


def kinds_make_the_whole(check: PropertyCheck) -> bool:
    """P-12: the listings of files, directories and links together are the listing of all three."""
    every = {f"arguments.include_{kind}": True for kind in KINDS} | {"arguments.include_other": False}
    whole = listing_or_none(check.case_run, {**UNCONFIGURED, **every})
    if whole is None:
        return False
    alone: list[JsonObject] = []
    for kind in KINDS:
        only = {f"arguments.include_{other}": other == kind for other in KINDS}
        part = listing_or_none(check.case_run, {**UNCONFIGURED, **every, **only})
        if part is None:
            return False
        alone += part.entries
    if len({entry["path"] for entry in alone}) < len(alone):
        return False  # another property judges entries with equal names
    what = "files, directories and links do not make the whole"
    assert_same_counts(what, _entries(whole), Counter(map(format_json, alone)))
    return bool(whole.entries)


def other_is_the_difference(check: PropertyCheck) -> bool:
    """P-12: include_other adds exactly the entries of type other."""
    without = listing_or_none(check.case_run, {**UNCONFIGURED, "arguments.include_other": False})
    with_other = listing_or_none(check.case_run, {**UNCONFIGURED, "arguments.include_other": True})
    if with_other is None or without is None:
        return False
    special = Counter(format_json(entry) for entry in with_other.entries if entry["type"] == "other")
    assert_same_counts("include_other adds something else", _entries(without) + special, _entries(with_other))
    return bool(special)


def _has_plain_directories(check: PropertyCheck) -> bool:
    """Return whether paths have the same depth if a candidate treats a backslash as a separator."""
    return not any(node.kind is Kind.DIR and b"\\" in node.name for _, node in check.case_run.case.tree.walk())


def depth_cuts_and_nothing_else(check: PropertyCheck) -> bool:
    """P-13: a smaller depth lists exactly the entries of a greater one up to this depth."""
    deep = listing_or_none(check.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 4})
    if deep is None or not _has_plain_directories(check):
        return False
    for depth in range(1, 4):
        found = listing_or_none(check.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": depth})
        if found is not None:
            near = Counter(format_json(entry) for entry in deep.entries if len(path_parts(entry)) <= depth)
            assert_same_counts(f"at depth {depth} there is not what depth 4 shows of it", near, _entries(found))
    return bool(deep.entries)


def flat_is_depth_one(check: PropertyCheck) -> bool:
    """P-13 without recursion: a flat listing is the first level of a deep one."""
    deep = listing_or_none(check.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 4})
    flat = listing_or_none(
        check.case_run,
        {**RECURSIVE_FROM_ROOT, "arguments.recursive": False, "arguments.max_depth": REMOVE_MEMBER},
    )
    if deep is None or flat is None or not _has_plain_directories(check):
        return False
    children = Counter(format_json(entry) for entry in deep.entries if len(path_parts(entry)) == 1)
    assert_same_counts("a flat listing is not the first level of a deep one", children, _entries(flat))
    return bool(flat.entries)


EntryProjection = Callable[[JsonObject, str], Any]
"""The compared part of an entry in the listing of the parent of this directory, or of the directory itself ("")."""


def _subtree(check: PropertyCheck, projection: EntryProjection, what: str) -> bool:
    """P-14: the listing of a subdirectory is the part of its parent's listing below it."""
    above = listing_or_none(check.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 3})
    if above is None or not _has_plain_directories(check):
        return False
    judged = False
    for name in _nameable_directories(check):
        below = listing_or_none(
            check.case_run, {**RECURSIVE_FROM_ROOT, "arguments.path": name, "arguments.max_depth": 2}
        )
        if below is None:
            continue
        entries = (entry for entry in above.entries if len(path_parts(entry)) > 1 and path_parts(entry)[0] == name)
        due = Counter(format_json(projection(entry, name)) for entry in entries)
        got = Counter(format_json(projection(entry, "")) for entry in below.entries)
        assert_same_counts(f"{what} of {format_names([name])} by itself and inside its parent differ", due, got)
        judged = judged or bool(below.entries)
    return judged


def _nameable_directories(check: PropertyCheck) -> list[str]:
    """Return the names of visible directories that a call can name, except those with equal texts."""
    entries = [(node.kind, node.name.decode("utf-8", "replace")) for node in check.case_run.case.tree.entries]
    counts = Counter(name for _, name in entries)
    return [
        name
        for kind, name in entries
        if kind is Kind.DIR and counts[name] == 1 and name.strip() == name and not set(name) & set("\ufffd\\:")
        if not name.startswith(".")
    ]


def _path_from(entry: JsonObject, name: str) -> str:
    path = str(entry["path"])
    return path.removeprefix(name + "/") if name else path


def _depth_from(entry: JsonObject, name: str) -> Any:
    depth = entry.get("depth")
    return depth - 1 if name and type(depth) is int else depth


def subtree_names(check: PropertyCheck) -> bool:
    """P-14 for names, which does not depend on paths and depths."""
    return _subtree(check, lambda entry, _: entry["name"], "the names")


def subtree_paths(check: PropertyCheck) -> bool:
    """P-14 for paths."""
    return _subtree(check, _path_from, "the paths")


def subtree_depths(check: PropertyCheck) -> bool:
    """P-14 for depths."""
    return _subtree(check, _depth_from, "the depths")


def _assert_same_text(what: str, first: str | None, second: str | None) -> None:
    if first != second:
        expected, got = first or "", second or ""
        diff = first_difference(expected, got) if first and second else ""
        error = "" if first and second else "; one of the two answers is no listing"
        kind = "two answers differ"
        raise Mismatch(what + error, expected=expected, got=got, diff=diff, compares_answers=True, kind=kind)


def _has_entries(case_run: CaseRun) -> bool:
    found = listing_or_none(case_run)
    return bool(found and found.entries)


def _output(answer: CallResult, call: Call) -> str:
    return comparable(answer)


def _document_text(answer: CallResult, call: Call) -> str | None:
    found = parse_or_none(answer)
    return found.raw if found else None


_OUTPUTS = AnswerComparison(_output, _assert_same_text, _has_entries)
independent_of_creation_order = _OUTPUTS.independent_of_creation_order
"""P-16."""
independent_of_process = _OUTPUTS.independent_of_process
"""P-17."""
read_only = common_properties.read_only(_has_entries)


def one_entry_per_node(check: PropertyCheck) -> bool:
    """P-18: there is one entry for each entry on the disk, even if names have the same text."""
    case = check.case_run.case
    everything = {f"arguments.include_{kind}": True for kind in (*KINDS, "other", "hidden")}
    found = listing_or_none(check.case_run, {**RECURSIVE_FROM_ROOT, **everything, "arguments.max_depth": 4})
    if found is None:
        return False
    due = sum(place.count(b"/") < 4 for place, _ in case.tree.walk())
    if due != len(found.entries):
        what = f"the disk has {due} entries, and {len(found.entries)} are listed"
        kind = MISSING_ENTRIES if len(found.entries) < due else UNEXPECTED_ENTRIES
        raise Mismatch(what, got=format_names(found.keys), kind=kind)
    return bool(found.entries)


_same_spellings = AnswerComparison(_document_text, _assert_same_text, _has_entries).independent_of_spelling(
    "./{path}", "{path}/", "{path}//", ".//{path}/./"
)


def independent_of_spelling(check: PropertyCheck) -> bool:
    """P-15: every spelling of a path gives the same document, which shows the normalised path."""
    path = check.case_run.case.arguments.get("path", ".")
    if any(character in path for character in "\\:"):
        return False
    is_evidence, found = _same_spellings(check), listing_or_none(check.case_run)
    if found and (shown := found.members.get("path")) != path:
        what = "the shown path is not the normalised requested one"
        expected, got = format_json(path), format_json(shown)
        raise Mismatch(what, expected=expected, got=got, kind="another path")
    return is_evidence


def stays_inside(check: PropertyCheck) -> bool:
    """P-21: all listed entries are inside the sandbox, independent of links and dots."""
    found = listing_or_none(check.case_run)
    if found is None:
        return False
    # The text as it came may be opened, and shown as a path that leads elsewhere (AMB-LD-19).
    shown, came = str(found.members.get("path")), str(check.case_run.case.arguments["path"])
    opened = (shown,) if "$" in came else (shown, came)
    if "secret" in found.keys or all(_leads_out(check.case_run.root, text, found.keys) for text in opened):
        what = "the listing shows entries outside the sandbox"
        raise Mismatch(what, got=format_names(found.keys), kind=UNEXPECTED_ENTRIES)
    return bool(found.entries)


def _leads_out(root: bytes, requested: str, keys: Iterable[str]) -> bool:
    """Return whether one of the entries is outside, if the directory is at this path."""
    # No file system holds a lone surrogate or a NUL, so such a path leads nowhere.
    directory, *paths = (text.replace("\0", "").encode("utf-8", "replace") for text in (requested, "", *keys))
    directory = os.path.join(root, directory)
    parents = [os.path.realpath(os.path.dirname(os.path.join(directory, path))) for path in paths]
    return any(parent != root and not parent.startswith(root + b"/") for parent in parents)


def schema_violations_are_refused(check: PropertyCheck) -> bool:
    """P-19: a call that the published schema refuses fails with BadArgs."""
    from jsonschema import (
        Draft202012Validator,  # imported late, because the lint imports this module without using it
    )

    pack, case = check.case_run.session.pack, check.case_run.case
    schema = json.loads(pack.schemas["arguments"].read_text("utf-8"))
    answer = check.case_run.call_candidate()
    if Draft202012Validator(schema).is_valid(case.arguments):
        return answer.status == "ok"
    nulls = isinstance(case.arguments, dict) and None in case.arguments.values()
    accepted = check.samples.accepted_readings
    if nulls and any("absent" in accepted[entry] for entry in ("AMB-LD-28", "AMB-LD-69")):
        return False
    alone = not isinstance(case.arguments, dict) or case.arguments.get("path") in (".", "a")
    if answer.status == "ok" or (alone and answer.error_kind != "BadArgs"):
        raise mismatch_of_failure("the schema refuses these arguments", answer, "BadArgs")
    return False


def explicit_defaults_are_equivalent(check: PropertyCheck) -> bool:
    """P-20: giving the defaults of the configuration, or the built-in ones, as arguments changes nothing."""
    case = check.case_run.case
    config = case.config or {}
    update: dict[str, Any] = {}
    for name, built_in in {"hidden": False, "other": False, **dict.fromkeys(KINDS, True)}.items():
        value = case.arguments.get(f"include_{name}", config.get(f"include_{name}_default", built_in))
        update[f"arguments.include_{name}"] = value
        update[f"config.include_{name}_default"] = REMOVE_MEMBER
    if not any(update[f"arguments.include_{kind}"] for kind in KINDS):
        return False
    if all(config.get(f"include_{kind}_default") is False for kind in KINDS):
        return False  # the configuration itself may be refused
    second, first = check.case_run.call_candidate(update), check.case_run.call_candidate()
    what = "the same call with its defaults written out gives another output"
    _assert_same_text(what, comparable(second), comparable(first))
    return first.status == "ok" and _has_entries(check.case_run)
