"""The property laws of list_directory about calls that belong together: other filters, another depth, another spelling,
another process. What a law is, and when it is silent, is said in `properties`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

from treeproof.api import REMOVE_MEMBER, REVERSED, CannotBuild, Kind, Mismatch, shuffled

from ..shared.properties import PropertyCheck
from ..shared.values import first_difference, format_json, format_names
from .properties import (
    RECURSIVE_FROM_ROOT,
    UNCONFIGURED,
    assert_same_counts,
    comparable,
    format_value,
    listing_or_none,
    path_parts,
)
from .view import Document, JsonObject


def _entries(found: Document) -> Counter[str]:
    return Counter(format_value(entry) for entry in found.entries)


def hidden_are_left_out(trial: PropertyCheck) -> bool:
    """P-11: without include_hidden there is what there is with it, but for everything with a dotted component."""
    with_hidden = listing_or_none(trial.case_run, {**UNCONFIGURED, "arguments.include_hidden": True})
    without = listing_or_none(trial.case_run, {**UNCONFIGURED, "arguments.include_hidden": False})
    if with_hidden is None or without is None:
        return False
    visible = Counter(
        format_value(entry)
        for entry in with_hidden.entries
        if not any(part.startswith(".") for part in path_parts(entry))
    )
    assert_same_counts("leaving out hidden entries changes others", visible, _entries(without))
    return bool(with_hidden.entries)


KINDS = ("files", "dirs", "symlinks")


def kinds_make_the_whole(trial: PropertyCheck) -> bool:
    """P-12: the listings of one kind each make the listing of all three."""
    every = {f"arguments.include_{kind}": True for kind in KINDS} | {"arguments.include_other": False}
    whole = listing_or_none(trial.case_run, {**UNCONFIGURED, **every})
    if whole is None:
        return False
    alone: list[JsonObject] = []
    for kind in KINDS:
        only = {f"arguments.include_{other}": other == kind for other in KINDS}
        part = listing_or_none(trial.case_run, {**UNCONFIGURED, **every, **only})
        if part is None:
            return False
        alone += part.entries
    if len({entry["path"] for entry in alone}) < len(alone):
        return False  # where names look alike, what becomes of them is for another law
    assert_same_counts(
        "files, directories and links do not make the whole",
        _entries(whole),
        Counter(map(format_value, alone)),
    )
    return bool(whole.entries)


def other_is_the_difference(trial: PropertyCheck) -> bool:
    """P-12: what include_other adds is of type other, and all of that type."""
    with_other = listing_or_none(trial.case_run, {**UNCONFIGURED, "arguments.include_other": True})
    without = listing_or_none(trial.case_run, {**UNCONFIGURED, "arguments.include_other": False})
    if with_other is None or without is None:
        return False
    special = Counter(format_value(entry) for entry in with_other.entries if entry["type"] == "other")
    assert_same_counts("include_other adds something else", _entries(without) + special, _entries(with_other))
    return bool(special)


def _has_plain_directories(trial: PropertyCheck) -> bool:
    """Whether paths show how deep they are even where somebody takes a backslash for a separator."""
    return not any(
        node.kind is Kind.DIR and b"\\" in node.name for _, node in trial.case_run.case.tree.walk()
    )


def depth_cuts_and_nothing_else(trial: PropertyCheck) -> bool:
    """P-13: at a smaller depth there is what there is at a greater one, as far as it reaches."""
    deep = listing_or_none(trial.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 4})
    if deep is None or not _has_plain_directories(trial):
        return False
    for depth in range(1, 4):
        found = listing_or_none(trial.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": depth})
        if found is not None:
            near = Counter(format_value(entry) for entry in deep.entries if len(path_parts(entry)) <= depth)
            assert_same_counts(
                f"at depth {depth} there is not what depth 4 shows of it", near, _entries(found)
            )
    return bool(deep.entries)


def flat_is_depth_one(trial: PropertyCheck) -> bool:
    """P-13 without recursion: a flat listing is the part at depth one of a deep one."""
    deep = listing_or_none(trial.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 4})
    flat = listing_or_none(
        trial.case_run,
        {**RECURSIVE_FROM_ROOT, "arguments.recursive": False, "arguments.max_depth": REMOVE_MEMBER},
    )
    if deep is None or flat is None or not _has_plain_directories(trial):
        return False
    children = Counter(format_value(entry) for entry in deep.entries if len(path_parts(entry)) == 1)
    assert_same_counts("a flat listing is not the first level of a deep one", children, _entries(flat))
    return bool(flat.entries)


EntryProjection = Callable[[JsonObject, str], Any]
"""What a law looks at in an entry: as seen from above the directory of this name, or with no name from inside it."""


def _subtree(trial: PropertyCheck, seen: EntryProjection, what: str) -> bool:
    """P-14: a subdirectory by itself shows what its parent shows of it."""
    above = listing_or_none(trial.case_run, {**RECURSIVE_FROM_ROOT, "arguments.max_depth": 3})
    if above is None or not _has_plain_directories(trial):
        return False
    shown = False
    for name in _nameable_directories(trial):
        below = listing_or_none(
            trial.case_run, {**RECURSIVE_FROM_ROOT, "arguments.path": name, "arguments.max_depth": 2}
        )
        if below is None:
            continue
        entries = (
            entry for entry in above.entries if len(path_parts(entry)) > 1 and path_parts(entry)[0] == name
        )
        due = Counter(format_value(seen(entry, name)) for entry in entries)
        got = Counter(format_value(seen(entry, "")) for entry in below.entries)
        assert_same_counts(
            f"{what} of {format_names([name])} by itself and inside its parent differ", due, got
        )
        shown = shown or bool(below.entries)
    return shown


def _nameable_directories(trial: PropertyCheck) -> list[str]:
    """Names of visible directories that can be asked for and look like no other entry."""
    shown = [(node.kind, node.name.decode("utf-8", "replace")) for node in trial.case_run.case.tree.entries]
    looks = Counter(name for _, name in shown)
    return [
        name
        for kind, name in shown
        if kind is Kind.DIR and looks[name] == 1 and name.strip() == name and not set(name) & set("\ufffd\\:")
        if not name.startswith(".")
    ]


def _path_from(entry: JsonObject, name: str) -> str:
    path = str(entry["path"])
    return path.removeprefix(name + "/") if name else path


def _depth_from(entry: JsonObject, name: str) -> Any:
    depth = entry.get("depth")
    return depth - 1 if name and type(depth) is int else depth


def subtree_names(trial: PropertyCheck) -> bool:
    """P-14 by names, which hold whatever the paths and depths are."""
    return _subtree(trial, lambda entry, _: entry["name"], "the names")


def subtree_paths(trial: PropertyCheck) -> bool:
    """P-14 by paths."""
    return _subtree(trial, _path_from, "the paths")


def subtree_depths(trial: PropertyCheck) -> bool:
    """P-14 by depths."""
    return _subtree(trial, _depth_from, "the depths")


def independent_of_creation_order(trial: PropertyCheck) -> bool:
    """P-16: the order in which entries were made plays no part."""
    first = trial.case_run.call_candidate()
    for order in (REVERSED, shuffled(trial.case_run.session.seed)):
        try:
            with trial.case_run.rebuilt(order) as again:
                second = again.call_candidate()
        except CannotBuild:
            return False
        if comparable(first) != comparable(second):
            raise Mismatch(
                f"the same tree made in another order ({order.kind}) gives another output",
                expected=comparable(first),
                got=comparable(second),
                diff=first_difference(comparable(first), comparable(second)),
            )
    found = listing_or_none(trial.case_run)
    return bool(found and found.entries)


def independent_of_process(trial: PropertyCheck) -> bool:
    """P-17: a process with another locale, time zone, directory, umask and hash seed gives the same bytes."""
    first, second = (
        trial.case_run.call_candidate(),
        trial.case_run.call_candidate(adapter=trial.samples.altered_adapter()),
    )
    if comparable(first) != comparable(second):
        raise Mismatch(
            "another process gives another output",
            expected=comparable(first),
            got=comparable(second),
            diff=first_difference(comparable(first), comparable(second)),
        )
    found = listing_or_none(trial.case_run)
    return bool(found and found.entries)


def one_entry_per_node(trial: PropertyCheck) -> bool:
    """P-18: there are as many entries as there are on the disk, whatever their names look like."""
    case = trial.case_run.case
    everything = {f"arguments.include_{kind}": True for kind in (*KINDS, "other", "hidden")}
    found = listing_or_none(trial.case_run, {**RECURSIVE_FROM_ROOT, **everything, "arguments.max_depth": 4})
    if found is None:
        return False
    due = sum(place.count(b"/") < 4 for place, _ in case.tree.walk())
    if due != len(found.entries):
        got = f"{len(found.entries)} entries: {format_names(found.paths)}"
        raise Mismatch("the disk has another number of entries", expected=f"{due} entries", got=got)
    return bool(found.entries)


def independent_of_spelling(trial: PropertyCheck) -> bool:
    """P-15: every spelling of a path shows the same entries and the same path, which is a spelling of its own."""
    path = trial.case_run.case.arguments.get("path", ".")
    first = listing_or_none(trial.case_run)
    if first is None or any(c in path for c in "\\:"):
        return False
    shown = first.members.get("path")
    for spelling in (f"./{path}", f"{path}/", f"{path}//", f" {path}\t", f".//{path}/./"):
        other = listing_or_none(trial.case_run, {"arguments.path": spelling})
        if other is None:
            raise Mismatch(
                f"the spelling {format_json(spelling)} of {format_json(path)} is refused",
                expected=first.raw,
                got="an error",
            )
        if other.raw != first.raw:
            raise Mismatch(
                f"the spelling {format_json(spelling)} of {format_json(path)} gives another output",
                expected=first.raw,
                got=other.raw,
                diff=first_difference(first.raw, other.raw),
            )
    if shown != path:
        raise Mismatch(
            "the shown path is not the clean one that was asked for", expected=path, got=format_value(shown)
        )
    return bool(first.entries)


def stays_inside(trial: PropertyCheck) -> bool:
    """P-21: what is listed lies inside the sandbox, wherever links and dots lead."""
    found = listing_or_none(trial.case_run)
    if found is None:
        return False
    root = trial.case_run.root
    asked = os.fsencode(str(found.members.get("path")))
    for path in (b"", *(os.fsencode(entry) for entry in found.paths)):
        parent = os.path.realpath(os.path.dirname(os.path.join(root, asked, path)))
        if parent != root and not parent.startswith(root + b"/"):
            raise Mismatch("the listing shows what lies outside the sandbox", got=format_names(found.paths))
    if "secret" in found.paths:
        raise Mismatch("the listing shows what lies outside the sandbox", got=format_names(found.paths))
    return bool(found.entries)


def schema_violations_are_refused(trial: PropertyCheck) -> bool:
    """P-19: what the published schema refuses is BadArgs."""
    from jsonschema import Draft202012Validator  # here: a lint reads these sentences and validates nothing

    pack, case = trial.case_run.session.pack, trial.case_run.case
    schema = json.loads(pack.schemas["arguments"].read_text("utf-8"))
    answer = trial.case_run.call_candidate()
    if Draft202012Validator(schema).is_valid(case.arguments):
        return answer.status == "ok"
    nulls = isinstance(case.arguments, dict) and None in case.arguments.values()
    if nulls and "absent" in trial.samples.accepted_readings["AMB-LD-28"]:
        return False
    alone = not isinstance(case.arguments, dict) or case.arguments.get("path") in (".", "a")
    if answer.status == "ok" or (alone and answer.error_kind != "BadArgs"):
        raise Mismatch("the schema refuses these arguments", expected="BadArgs", got=comparable(answer)[:400])
    return False


def explicit_defaults_are_equivalent(trial: PropertyCheck) -> bool:
    """P-20: writing out what the configuration and the built-in values stand for changes nothing."""
    case = trial.case_run.case
    config = case.config or {}
    update: dict[str, Any] = {}
    for name, built_in in (
        ("hidden", False),
        ("files", True),
        ("dirs", True),
        ("symlinks", True),
        ("other", False),
    ):
        value = case.arguments.get(f"include_{name}", config.get(f"include_{name}_default", built_in))
        update[f"arguments.include_{name}"] = value
        update[f"config.include_{name}_default"] = REMOVE_MEMBER
    if not any(update[f"arguments.include_{kind}"] for kind in KINDS):
        return False
    if all(config.get(f"include_{kind}_default") is False for kind in KINDS):
        return False  # a configuration that may be refused as such
    first, second = trial.case_run.call_candidate(), trial.case_run.call_candidate(update)
    if comparable(first) != comparable(second):
        raise Mismatch(
            "the same call with its defaults written out gives another output",
            expected=comparable(second),
            got=comparable(first),
            diff=first_difference(comparable(second), comparable(first)),
        )
    return first.status == "ok" and bool((found := listing_or_none(trial.case_run)) and found.entries)


def read_only(trial: PropertyCheck) -> bool:
    """No call changes a name, a type, a mode, a time, a target or a content."""
    trial.case_run.call_candidate()
    changes = trial.case_run.changes()
    if changes:
        raise Mismatch(
            f"the call changed the file system: {changes[0]}",
            expected="no change",
            got="\n".join(changes[:20]),
        )
    found = listing_or_none(trial.case_run)
    return bool(found and found.entries)
