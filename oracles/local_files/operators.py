"""The operators of LocalFiles, and the requirements that the change of an answer by each of them breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import Exchange, Node, Operator, by_path

from ..shared.operators import (
    EntryOperators,
    because,
    changed_entry,
    list_at,
    of_odd_names,
    on_answer,
    on_text,
    unreadable,
    where,
)
from ..shared.reading_choices import ReadingChoices
from .expected import RECOMMENDED_READINGS
from .outcomes import RequestedDirectory
from .path_resolution import resolve_directory, surroundings_of
from .walk import Walked, walk

_SEARCH = "findFiles"


_list_of = list_at()
_entries = EntryOperators(_list_of)


def _is_listing(exchange: Exchange) -> bool:
    return exchange.case.tool != _SEARCH


def _is_search(exchange: Exchange) -> bool:
    return exchange.case.tool == _SEARCH


def _kinds(exchange: Exchange) -> list[Any]:
    return [entry.get("@type") for entry in json.loads(exchange.answer.content or "[]")]


def _same_kinds(recorded: Exchange, changed: Exchange) -> bool:
    return _kinds(recorded) == _kinds(changed)


def _is_absolute(node: Node) -> bool:
    return (node.target or b"").startswith(b"$ROOT")


def _size_reason(recorded: Exchange, changed: Exchange) -> str:
    entry = changed_entry(recorded, changed, _list_of)
    match entry["@type"]:
        case "DirectoryEntry":
            return "the size of a directory is what its own list takes, which the document does not count (AMB-LF-06)"
        case "OtherEntry":
            return "the document does not say what the size of a special file counts"
        case "SymbolicLinkEntry" if any(_is_absolute(node) for node in by_path(recorded.case.tree).values()):
            return "the length of an absolute target depends on where the root is"
    return ""


_LEFT_OUT = ("LF-LIST-01", "LF-LIST-02", "LF-LINK-01", "LF-TYPE-03", "LF-FIELD-01", "LF-FIELD-03", "LF-FIELD-04")
"""What an entry breaks that is not listed: the rule of what is unusual in it, or else that every child is listed."""

_NOT_FOUND = ("LF-FIND-01", "LF-FIND-02", "LF-FIND-04", "LF-FIND-05")
_ERRORS = ("LF-ERR-01", "LF-ERR-02", "LF-LIST-01")


def _operators(
    left_out: Sequence[str], twice: Sequence[str], invented: Sequence[str], own: Sequence[str]
) -> Iterator[Operator]:
    """Yield the operators of a tool; `own` are the requirements of what its entries are, besides that of a member."""

    def due(*requirements: str) -> tuple[str, ...]:
        return tuple(own) or requirements

    yield from _entries.less(*left_out, reason=_of_other_readings)
    yield from _entries.twice(*twice)
    yield _entries.invented(("name", "path"), *invented, reason=_of_odd_names)
    yield from _entries.member("@type", value=due("LF-TYPE-01"), form=due("LF-TYPE-01"), absent=due("LF-TYPE-01"))
    absent, odd = due("LF-MODEL-02"), of_odd_names(_list_of)
    for key, requirement in (("name", "LF-FIELD-01"), ("path", "LF-FIELD-02"), ("target", "LF-LINK-01")):
        own_rule = due(requirement)
        yield from _entries.member(key, value=own_rule, form=own_rule, absent=absent, reason=odd)
    yield from _entries.member(
        "size",
        value=(*due("LF-FIELD-03"), "LF-LINK-02"),
        form=due("LF-FIELD-03"),
        absent=absent,
        reason=_size_reason,
    )
    yield from _entries.member(
        "lastModified", value=(*due("LF-FIELD-04"), "LF-LINK-03"), form=due("LF-FIELD-04"), absent=absent
    )
    yield _entries.further(
        *absent,
        reason=because("only files and directories have nothing else", _has_only_links),
    )
    yield from unreadable(*due("LF-MODEL-01"))
    yield on_text(
        "an empty list for entries", left_out, lambda text: "[]" if text.startswith("[{") else None, _of_other_readings
    )


def _is_open_glob(recorded: Exchange, changed: Exchange) -> bool:
    glob = str(recorded.case.arguments.get("glob"))
    return any(open_sign in glob for open_sign in ("[-", "-]", "[!", "[^"))


_of_hyphens = because("what a hyphen or a sign at the border of a set means is open", _is_open_glob)


def _counts_units(recorded: Exchange, changed: Exchange) -> bool:
    names = "".join(str(entry.get("name")) for entry in json.loads(recorded.answer.content or "[]"))
    return "?" in str(recorded.case.arguments.get("glob")) and max(names, default="") > "\uffff"


_of_units = because("a question mark may stand for one of the two units of a character beyond 16 bits", _counts_units)


def _of_open_globs(recorded: Exchange, changed: Exchange) -> str:
    return _of_hyphens(recorded, changed) or _of_units(recorded, changed)


def _leaves_a_kind_out(recorded: Exchange, changed: Exchange) -> bool:
    return _is_search(recorded) and bool(set(_kinds(recorded)) - {"FileEntry", *_kinds(changed)})


def _finds_nothing(recorded: Exchange, changed: Exchange) -> bool:
    return _is_search(recorded) and not _kinds(changed) and "**" in str(recorded.case.arguments.get("glob"))


def _of_other_readings(recorded: Exchange, changed: Exchange) -> str:
    return (
        _of_open_globs(recorded, changed)
        or because("a search may leave this kind out (AMB-LF-11, 41, 42)", _leaves_a_kind_out)(recorded, changed)
        or because("two stars may stand for one level at least (AMB-LF-38, 39)", _finds_nothing)(recorded, changed)
    )


_of_odd_names = because(
    "any text may stand for a name that is not UTF-8",
    lambda recorded, changed: any(
        node.name.decode("utf-8", "replace").encode() != node.name for node in by_path(recorded.case.tree).values()
    ),
)


def _is_unclean(recorded: Exchange, changed: Exchange) -> bool:
    path = str(recorded.case.arguments.get("path"))
    return not {"", "."}.isdisjoint(path.split("/")[1:]) or ".." in path


_of_paths = because("a path that is not clean may be refused (AMB-LF-24)", _is_unclean)


def _meets_circle(recorded: Exchange, changed: Exchange) -> bool:
    surroundings, readings = surroundings_of(recorded.case), ReadingChoices(RECOMMENDED_READINGS)
    found = resolve_directory(surroundings, str(recorded.case.arguments.get("path")), readings)
    if not isinstance(found, RequestedDirectory) or not recorded.case.arguments.get("recursive"):
        return False
    walked = walk(found.place, True, surroundings, readings)
    return isinstance(walked, Walked) and walked.has_circle


_of_circles = because("a search that enters links may fail at a circle (AMB-LF-34)", _meets_circle)


def _of_failed_searches(recorded: Exchange, changed: Exchange) -> str:
    return _of_open_globs(recorded, changed) or _of_paths(recorded, changed) or _of_circles(recorded, changed)


def _is_malformed(recorded: Exchange, changed: Exchange) -> bool:
    glob = str(recorded.case.arguments.get("glob"))
    return recorded.case.tool == _SEARCH and not {"[", "{"}.isdisjoint(glob)


_of_malformed = because("a malformed set or alternative may be plain characters", _is_malformed)


def _has_only_links(recorded: Exchange, changed: Exchange) -> bool:
    return {"FileEntry", "DirectoryEntry"}.isdisjoint(_kinds(recorded))


def _named(prefix: str, operators: Iterator[Operator]) -> Iterator[Operator]:
    return (replace(one, name=f"{prefix}, {one.name}") for one in operators)


operators: tuple[Operator, ...] = (
    *where(
        _is_listing,
        *_operators(_LEFT_OUT, ("LF-LIST-01",), ("LF-LIST-01",), ()),
        *_entries.swapped(
            "LF-SORT-01",
            reason=because("the order within a kind is open (AMB-LF-01)", _same_kinds),
        ),
        *where(
            lambda exchange: exchange.answer.status == "ok",
            on_answer("an error for a list", _LEFT_OUT, _of_paths, status="error", content=None, error_kind="Other"),
        ),
    ),
    *where(
        _is_search,
        *_named("search", _operators(_NOT_FOUND, _NOT_FOUND, _NOT_FOUND, ("LF-FIND-03",))),
        *where(
            lambda exchange: exchange.answer.status == "ok",
            on_answer(
                "an error for a search",
                _NOT_FOUND,
                _of_failed_searches,
                status="error",
                content=None,
                error_kind="Other",
            ),
        ),
    ),
    *where(
        lambda exchange: exchange.answer.status == "error",
        on_answer("an empty list for an error", _ERRORS, _of_malformed, status="ok", content="[]", error_kind=None),
        on_answer("nil for an error", (*_ERRORS, "LF-MODEL-01"), status="ok", content="null", error_kind=None),
    ),
)
