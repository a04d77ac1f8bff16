"""The judgement of a listing: what is there, and what the answer shows.

An answer is compared with what the path leads to. Where users of paths differ (blanks around a name, `..`, a link at
the end, a name that is not UTF-8), each way to read it is right, an error too.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from treeproof.api import ROOT_NAME, CallResult, Case, Exchange, Finding, Kind, Node, Unmodelled, by_path

from ..shared.formatting import format_paths
from .findings import broken
from .places import Nodes, Place, entries_below, is_inside, nodes_of_case, resolve
from .views import ListedEntry, ListingRequest, listed_entries, listing_request

MAX_ENTRIES = 100
"""The number of entries from which on a tool may cut its answer."""

_FAR_TOO_MANY = 100
"""The number of entries for each one that is there from which on an answer is not read in detail."""
_USUAL_NAMES_LEFT_OUT = frozenset(
    {b".git", b"node_modules", b"__pycache__", b".venv", b"venv", b"dist", b"build", b"Thumbs.db", b"desktop.ini"}
)
"""Names that tools leave out for their users' sake."""

_ODD = re.compile(r"[^A-Za-z0-9_./$-]|(^|/)-")
"""A character that means something to a shell, a pattern, a language or an encoding."""
_PLAIN = re.compile(r"(\.|{0}(/{0})*)".format(r"\w([\w.-]*[\w-])?"), re.ASCII)
"""A spelling of a path that no tool has a reason to refuse."""


@dataclass(frozen=True)
class _Expected:
    """What a directory holds: the entries by their paths from there. Those of `optional` may be left out."""

    entries: Mapping[bytes, Node]
    optional: frozenset[bytes]
    unreadable_names: int
    """How many entries have a name that no text can show as it is."""
    bytes_names: int
    """How many of them have one that is not UTF-8, and no reason to be left out."""

    @property
    def required(self) -> set[str]:
        """Return the paths that have to be listed, as texts."""
        return {os.fsdecode(path) for path in self.entries.keys() - self.optional}


def judge_listing(exchange: Exchange) -> list[Finding]:
    """Return what is wrong with the answer to a call that lists. Raises Unmodelled."""
    case, answer = exchange.case, exchange.answer
    if case.tree.faults():
        raise Unmodelled("a system call is made to fail")
    request, nodes = listing_request(case), nodes_of_case(case)
    places = _places(nodes, request.path)
    entries = _read(case, answer) if answer.status == "ok" else None
    if entries is None:
        return list(_judge_error(request, places, nodes, answer))
    if len(entries) > _FAR_TOO_MANY * len(nodes):  # an answer can have millions
        return [broken("BEH-07", "far more entries than are there", str(len(nodes)), str(len(entries)))]
    texts = [entry.text for entry in entries]
    directories = [place for place in places if place.is_inside and _is_directory(place)]
    if directories:
        found = [
            _differences(_expected(nodes, place, request), _relative(entries, base), request, nodes)
            for place in directories
            for base in _bases(exchange, request, place)
        ]
        return min(found, key=_weight)
    return list(_judge_where_nothing_is(request, places, nodes, texts))


def _read(case: Case, answer: CallResult) -> list[ListedEntry] | None:
    """Return the entries of an answer, None for a null. Raises Unmodelled."""
    try:
        return listed_entries(case, answer)
    except Unmodelled:
        if any(b"\n" in path or b"\r" in path for path in by_path(case.tree)):
            raise Unmodelled("a name with a line break may not fit into a listing of lines") from None
        raise


def _places(nodes: Nodes, path: str) -> list[Place]:
    """Return where a path may lead: as it is written, and as a listing may tidy it."""
    tidied = [path.strip(), "/".join(name.strip() for name in path.split("/")), path.replace("\\", "/")]
    if resolve(nodes, path).node is None:
        tidied += [unicodedata.normalize(form, path) for form in ("NFC", "NFD")]
    return [resolve(nodes, text) for text in dict.fromkeys((path, *tidied))]


def _is_directory(place: Place) -> bool:
    return place.node is not None and place.node.kind is Kind.DIR


def _is_open(node: Node) -> bool:
    return node.mode is None or node.mode & 0o500 == 0o500


def _judge_error(
    request: ListingRequest, places: Sequence[Place], nodes: Nodes, answer: CallResult
) -> Iterator[Finding]:
    place = places[0]
    is_usual = place.is_inside and not place.through_link and _is_directory(place)
    if not is_usual or request.is_filtered or ".." in request.path or not _PLAIN.fullmatch(request.usual_path):
        return
    parts = [b"/".join((place.path or ())[:depth]) for depth in range(1, len(place.path or ()) + 1)]
    if answer.status == "ok" and not _expected(nodes, place, request).required:
        return  # null stands for nothing
    below = dict(entries_below(nodes, place.key))
    if (
        all(_is_open(nodes[part]) for part in parts)
        and all(map(_is_open, below.values()))
        and all(map(_is_text, below))
    ):
        got = "null" if answer.status == "ok" else f"{answer.error_kind}: {answer.error_message}"
        yield broken("BEH-06", "a directory that is there cannot be listed", "its entries", got)


def _to_bytes(text: str) -> bytes:
    """Return a text of an answer as bytes; it can contain a lone surrogate."""
    return text.encode("utf-8", "surrogatepass")


def _is_utf8(path: bytes) -> bool:
    return path.decode(errors="replace").encode() == path


def _is_text(path: bytes) -> bool:
    """Return whether a path is text without a character that shows nothing, ends a line or stands for others."""
    text = path.decode(errors="replace")
    return "\ufffd" not in text and not any(
        unicodedata.category(character)[0] in "CZ" and character != " " for character in text
    )


def _judge_where_nothing_is(
    request: ListingRequest, places: Sequence[Place], nodes: Nodes, texts: Sequence[str]
) -> Iterator[Finding]:
    """Yield what is wrong with a success where no directory in the root is meant."""
    place = places[0]
    names = {text.rstrip("/").rpartition("/")[2] for text in texts}
    inside = {os.fsdecode(path.rpartition(b"/")[2]) for path, _ in entries_below(nodes, ROOT_NAME)}
    beyond = names - inside - {""}
    if place.is_inside:
        beyond &= _names_outside(nodes)
    if beyond:
        shown = format_paths(sorted(beyond)[:5])
        yield broken("BEH-01", "what is outside the root is listed", "an error", shown, harm="escape")
    elif not place.is_inside:
        return
    elif place.node is None and not place.through_link and request.path.strip() and "\ufffd" not in request.path:
        if names & inside:
            yield broken("BEH-13", f"from another directory: {texts[0]}", "an error", format_paths(texts[:5]))
        else:
            got = format_paths(texts[:5]) or "an empty list"
            yield broken("BEH-07", "a directory that is not there is listed", "an error", got)
    elif place.node is not None and names - {os.fsdecode(place.node.name), ""}:
        yield broken("BEH-07", "what is no directory has entries", "an error", format_paths(texts[:5]))


def _expected(nodes: Nodes, place: Place, request: ListingRequest) -> _Expected:
    """Return what a directory holds, as far as a listing shows it."""
    below = dict(entries_below(nodes, place.key))
    shown = {p: n for p, n in below.items() if request.depth is None or p.count(b"/") < request.depth}
    if len(shown) > MAX_ENTRIES:
        raise Unmodelled("a tool may cut an answer of so many entries")
    closed = [p for p, n in below.items() if n.kind is Kind.DIR and not _is_open(n)]
    is_closed_itself = place.node is not None and not _is_open(place.node)
    optional = frozenset(
        path
        for path, node in shown.items()
        if request.is_filtered
        or is_closed_itself
        or any(part.startswith(b".") or part in _USUAL_NAMES_LEFT_OUT for part in path.split(b"/"))
        or any(path.startswith(one + b"/") for one in closed)
        or not _is_text(path)
        or path in closed
        or (node.kind is Kind.SYMLINK and not _leads_inside(nodes, place.key + b"/" + path))
        or node.kind not in ((Kind.FILE,) if request.finds_files else (Kind.FILE, Kind.DIR, Kind.SYMLINK))
    )
    odd = [path for path in shown if not _is_text(path)]
    lost = [path for path in odd if not _is_utf8(path) and not path.startswith(b".") and b"/" not in path]
    may_lack = request.is_filtered or is_closed_itself
    return _Expected(shown, optional, len(odd), 0 if may_lack else len(lost))


def _lines(path: bytes) -> list[str]:
    return os.fsdecode(path).splitlines()


def _leads_inside(nodes: Nodes, link: bytes) -> bool:
    return resolve(nodes, os.fsdecode(link.removeprefix(ROOT_NAME + b"/"))).is_inside


def _bases(exchange: Exchange, request: ListingRequest, place: Place) -> list[str]:
    """Return what may stand before the path of an entry: nothing, the root, or the path of the call or the place."""
    roots = exchange.call.context.get("roots")
    root = str(roots[0]) if isinstance(roots, list) and roots else ""
    below = os.fsdecode(place.key.removeprefix(ROOT_NAME).removeprefix(b"/"))
    found = ["", f"{root}/", "/", f"{below}/", f"{root}/{below}/"]
    for path in dict.fromkeys((request.path.replace("$ROOT", root), request.path.replace("$ROOT", root).strip())):
        tidy = os.path.normpath(path)
        found += [f"{os.path.normpath(os.path.join(root, path))}/", f"{tidy.lstrip('/')}/", f"{path.rstrip('/')}/"]
    return list(dict.fromkeys(found))


def _relative(entries: Sequence[ListedEntry], base: str) -> list[ListedEntry]:
    """Return the entries with their paths from a base, without the base; what does not begin with it stays."""
    found = []
    for entry in entries:
        shown = entry.text.removeprefix("./")
        text = shown.removeprefix(base)
        text = text.rstrip("/") if len(text) > 1 else text
        # The name of the base may be that of an entry further down.
        if shown != base.rstrip("/") and text not in ("", ".", ".."):
            found.append(replace(entry, text=text))
    return found


def _differences(
    expected: _Expected, entries: Sequence[ListedEntry], request: ListingRequest, nodes: Nodes
) -> list[Finding]:
    by_text = {os.fsdecode(path): node for path, node in expected.entries.items() if _is_text(path)}
    counts = Counter(entry.text for entry in entries)
    missing = sorted(expected.required - counts.keys())
    # A listing in lines shows a name with a line break as several.
    lines = {line for path in expected.entries if b"\n" in path or b"\r" in path for line in _lines(path)}
    unknown = [entry for entry in entries if entry.text not in by_text and entry.text not in lines]
    # A name that is no text is shown in some way of the tool's own, once.
    unknown.sort(key=lambda entry: _is_text(_to_bytes(entry.text)))
    unreadable, unknown = unknown[: expected.unreadable_names], unknown[expected.unreadable_names :]
    found = list(_of_unknown(unknown, expected, request, nodes))
    if missing and not (found and found[0].harm):
        listed = format_paths([entry.text for entry in entries][:10]) or "an empty list"
        found.append(broken("BEH-06", f"not listed: {format_paths(missing[:5])}", format_paths(missing), listed))
    elif len(unreadable) < expected.bytes_names:
        due = f"{expected.bytes_names} entries whose names are not UTF-8"
        found.append(broken("BEH-06", "entries are lost that have no name in UTF-8", due, str(len(unreadable))))
    twice = [text for text, count in counts.items() if count > 1 and text in expected.required]
    if twice:
        found.append(broken("BEH-06", f"listed more than once: {format_paths(twice[:5])}", "once", "twice"))
    for entry in entries:
        if entry.text in by_text and entry.kind is not None:
            found += _of_kind(entry, by_text[entry.text])
        if entry.name is not None and entry.name.rstrip("/") != entry.text.rpartition("/")[2]:
            found.append(broken("BEH-07", f"a name is not that of its path: {entry.text}", entry.text, entry.name))
    return found


def _of_unknown(
    unknown: Sequence[ListedEntry], expected: _Expected, request: ListingRequest, nodes: Nodes
) -> Iterator[Finding]:
    """Yield what is wrong with entries that the directory does not hold."""
    links = {os.fsdecode(path): node for path, node in expected.entries.items() if node.kind is Kind.SYMLINK}
    outside = _names_outside(nodes)
    for entry in unknown:
        text = entry.text
        name = text.rpartition("/")[2]
        is_behind = any(text.startswith(f"{link}/") for link in links)
        if is_behind and name not in outside:
            yield broken("BEH-09", f"behind a link: {text}", "the link alone", text)
        elif is_behind:
            yield broken("BEH-01", f"behind a link out of the root: {text}", "the link", text, harm="escape")
        elif name in outside and name not in {os.fsdecode(path.rpartition(b"/")[2]) for path in expected.entries}:
            yield broken("BEH-01", f"from outside the root: {text}", "nothing from there", text, harm="escape")
        elif not any(path.endswith(_to_bytes(f"/{text}")) for path in nodes):
            yield broken("BEH-07", f"not there, and listed: {text}", "what is there", text)
        elif _ODD.search(request.path) or (request.depth is not None and not _is_deeper(text, expected)):
            yield broken("BEH-13", f"from another directory: {text}", "the entries of the path", text)


def _names_outside(nodes: Nodes) -> set[str]:
    return {os.fsdecode(path.rpartition(b"/")[2]) for path in nodes if not is_inside(path)}


def _is_deeper(text: str, expected: _Expected) -> bool:
    """Return whether a path is below an entry: a tool may show more levels than one."""
    return any(text.startswith(f"{os.fsdecode(path)}/") for path in expected.entries)


def _of_kind(entry: ListedEntry, node: Node) -> Iterator[Finding]:
    what = json.dumps(entry.text)
    if node.kind is Kind.SYMLINK and entry.kind == "directory":
        yield broken("BEH-09", f"a link is shown as a directory: {what}", "a link", "a directory")
    elif node.kind is Kind.SYMLINK and entry.kind == "file":
        yield broken("BEH-10", f"a link is shown as a file: {what}", "a link", "a file")
    elif (node.kind is Kind.DIR) != (entry.kind == "directory") and node.kind is not Kind.SYMLINK:
        due = "a directory" if node.kind is Kind.DIR else "no directory"
        yield broken("BEH-08", f"the kind is wrong: {what}", due, str(entry.kind))
    elif node.kind is not Kind.SYMLINK and entry.kind == "link":
        yield broken("BEH-08", f"what is no link is shown as one: {what}", str(node.kind), "a link")


def _weight(findings: Sequence[Finding]) -> tuple[bool, int, int]:
    """Return how far an answer is from what is there; one that names the right entries is nearer than others."""
    unnamed = sum(one.requirement in ("BEH-06", "BEH-07", "BEH-13") for one in findings)
    return any(one.harm == "escape" for one in findings), unnamed, len(findings)
