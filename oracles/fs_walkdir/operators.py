"""The operators of FS.WalkDir, and the requirements that the change of an answer by each of them breaks."""

from __future__ import annotations

import posixpath
from typing import Any

from treeproof.api import Exchange, Kind, Operator, by_path

from ..shared.operators import (
    EntryOperators,
    because,
    changed_entry,
    list_at,
    of_odd_names,
    on_answer,
    on_json,
    on_text,
    unreadable,
    where,
)

_TOOL, _MAX_PATH_BYTES = "FS.WalkDir", 4000

_list_of = list_at()
_entries = EntryOperators(_list_of)
_output = EntryOperators(_list_of, "output of a script,")

_LISTED = (
    *("WD-WALK-01", "WD-WALK-03", "WD-WALK-04", "WD-SEC-02", "WD-SEC-03", "WD-ERR-06", "WD-ARG-04", "WD-ARG-05"),
    *("WD-ENT-01", "WD-ENT-04", "WD-ENT-05"),
)
"""What an entry or a list that is not there breaks: the rule with a word on it, or else that every entry is listed."""

_NIL = (
    *("WD-ARG-01", "WD-ARG-02", "WD-ARG-03", "WD-ARG-04", "WD-SEC-01"),
    *("WD-ERR-02", "WD-ERR-03", "WD-ERR-04", "WD-ERR-05", "WD-ERR-06"),
)


def _is_no_file(recorded: Exchange, changed: Exchange) -> bool:
    entry = changed_entry(recorded, changed, _list_of)
    nodes = by_path(recorded.case.tree)
    path = posixpath.normpath(f"{recorded.case.arguments['path']}/{entry['path']}").encode("utf-8", "surrogatepass")
    name = str(entry["name"]).encode("utf-8", "surrogatepass")
    found = [nodes[path]] if path in nodes else [nodes[one] for one in nodes if one.rpartition(b"/")[2] == name]
    return all(node.kind is not Kind.FILE for node in found)


def _is_no_double(recorded: Exchange, changed: Exchange) -> bool:
    entry = changed_entry(recorded, changed, _list_of)
    return isinstance(entry, dict) and entry.get("size", 0) > 2**53


def _of_sizes(recorded: Exchange, changed: Exchange) -> str:
    if _is_no_double(recorded, changed):
        return "a number is a double, which is not exact beyond 2^53"
    return "only files have a size that the document gives" if _is_no_file(recorded, changed) else ""


def _has_closed_entry(recorded: Exchange, changed: Exchange) -> bool:
    return any(
        node.faults
        or (node.mode is not None and not node.mode & 0o100)
        or (node.mtime_ns or 0) >= 2**63
        or len(path) > _MAX_PATH_BYTES
        for path, node in by_path(recorded.case.tree).items()
    )


def _is_nil(exchange: Exchange) -> bool:
    return exchange.answer.content == "null"


def _starts_at_absolute_link(recorded: Exchange, changed: Exchange) -> bool:
    node = by_path(recorded.case.tree).get(recorded.case.arguments["path"].encode("utf-8", "surrogatepass"))
    return node is not None and (node.target or b"").startswith((b"/", b"$"))


_of_absolute_links = because("with the sandbox for the root an absolute link leads nowhere", _starts_at_absolute_link)
_of_odd_names = of_odd_names(_list_of)

_of_the_tool = (
    *_entries.less(*_LISTED, reason=because("a part that cannot be read may be left out", _has_closed_entry)),
    *_entries.twice("WD-WALK-01"),
    _entries.invented(("name", "path"), "WD-WALK-01", "WD-SEC-02"),
    *_entries.member("name", value=("WD-ENT-01",), form=("WD-ENT-01",), absent=("WD-RET-01",), reason=_of_odd_names),
    *_entries.member("path", value=("WD-ENT-02",), form=("WD-RET-01",), absent=("WD-RET-01",), reason=_of_odd_names),
    *_entries.member("isDir", value=("WD-ENT-03",), form=("WD-ENT-03",), absent=("WD-RET-01",)),
    *_entries.member(
        "size",
        value=("WD-ENT-04", "WD-ENT-06"),
        form=("WD-ENT-04",),
        absent=("WD-RET-01",),
        reason=_of_sizes,
    ),
    *_entries.member("modTime", value=("WD-ENT-05",), form=("WD-ENT-05",), absent=("WD-RET-01",)),
    _entries.further("WD-RET-01"),
    *unreadable("WD-RET-01"),
    on_text("nil for a list", (*_LISTED, "WD-LOG-01"), lambda text: "null" if text.startswith("[{") else None),
    on_text(
        "nil for an empty list",
        ("WD-RET-02", "WD-WALK-04", "WD-LOG-01", "WD-ARG-04"),
        lambda text: "null" if text == "[]" else None,
        _of_absolute_links,
    ),
    *where(  # whether a call fails beside nil is open (AMB-WD-23), so an error for nil shows nothing
        _is_nil,
        on_text(
            "a list for nil",
            _NIL,
            lambda text: "[]",
            because("an empty list shows nothing of what is outside", lambda one, _: bool(one.case.outside)),
        ),
    ),
    *where(
        lambda exchange: exchange.answer.status == "ok" and not _is_nil(exchange),
        on_answer(
            "an error for a list",
            (*_LISTED, "WD-RET-02", "WD-ERR-02", "WD-LOG-01"),
            _of_absolute_links,
            status="error",
            content=None,
            error_kind="Other",
        ),
    ),
)

_IN_SCRIPTS = ("WD-LAST-01", "WD-ERR-01", "WD-WALK-01")
"""What the output of a script breaks: what LAST is, that a script goes on after nil, the number of elements."""

_of_scripts = (
    *_output.less(*_IN_SCRIPTS),
    *_output.twice(*_IN_SCRIPTS),
    _output.invented((), *_IN_SCRIPTS),
    on_json("output of a script, another text", _IN_SCRIPTS, lambda holder: _another_text(holder[0])),
)


def _another_text(texts: Any) -> bool:
    if not isinstance(texts, list) or not texts:
        return False
    texts[0] += "x"
    return True


operators: tuple[Operator, ...] = (
    *where(lambda exchange: exchange.case.tool == _TOOL, *_of_the_tool),
    *where(lambda exchange: exchange.case.tool != _TOOL, *_of_scripts),
)
