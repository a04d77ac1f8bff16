"""Entries that are listed and not due, or due and not listed: the rule that each of them breaks.

A path in a document is text; here it is looked up among all nodes of the recipe, whatever hides or excludes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treeproof.tree import Kind, Node

from .document import Entry
from .lossy import conversions, is_text
from .outcomes import Listing


def blame_surplus(outcome: Listing, surplus: Sequence[str], missing: Sequence[str]) -> str:
    """The requirement that keeps the first of these paths out of the listing."""
    path = surplus[0]
    asked, sources = outcome.asked, outcome.asked.sources
    parts = path.split("/")
    if "." in parts[1:] or ".." in parts or path == ".":
        return "FR-LD-LST-03"
    if "\\" in path and path.replace("\\", "/") in missing:
        return "NFR-LD-PORT-01"
    known = dict(_below(outcome.found.children))
    node = known.get(path)
    if node is None:
        links = (text for text, linked in known.items() if linked.kind is Kind.SYMLINK)
        by_link = any(path.startswith(text + "/") for text in links)
        return "FR-LD-VAL-09" if by_link else _misspelt(outcome, path, missing)
    if any(part.startswith(".") for part in parts) and not asked.hidden:
        return _by_source(sources["hidden"], "FR-LD-LST-06")
    if len(parts) > asked.depth:
        if not asked.recursive:
            return "FR-LD-LST-01"
        depths = {"configuration": "CFG-LD-03", "built-in": "FR-LD-VAL-03"}
        return depths.get(sources["max_depth"], "FR-LD-LST-02")
    if path in {entry.path for entry in outcome.walked}:
        code = any(entry.codes for entry in outcome.walked if entry.path == path)
        return "FR-LD-LST-08" if code else "NFR-LD-REL-02"
    if node.kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV):
        return _by_source(sources["other"], "FR-LD-VAL-06")
    switch = {Kind.FILE: "files", Kind.DIR: "dirs", Kind.SYMLINK: "symlinks"}[node.kind]
    if getattr(asked, switch):  # so its directory is what is in the way: it cannot be read
        return "FR-LD-LST-08"
    return _by_source(sources[switch], "FR-LD-LST-06")


def blame_missing(outcome: Listing, missing: Sequence[str]) -> str:
    """The requirement that asks for the first of these paths."""
    asked, sources = outcome.asked, outcome.asked.sources
    entry, *twins = (entry for entry in outcome.walked if entry.path == missing[0])
    if any(twin.raw != entry.raw for twin in twins):
        return "NFR-LD-REL-02"
    if entry.codes:
        return "FR-LD-LST-08" if "read_dir_failed" in entry.codes else "FR-LD-LST-04"
    if not is_text(entry.raw):
        return "NFR-LD-REL-02"
    if _looks_like_dots(entry):
        return "FR-LD-LST-03"
    if any(part.startswith(".") for part in entry.path.split("/")):
        return _by_source(sources["hidden"], "FR-LD-LST-06")
    if entry.name[0] in "\uff0e\u2024\u3002" or "." in (entry.name[1:2], entry.name[-1]):
        return "FR-LD-LST-06a"
    if entry.type == "other":
        return _by_source(sources["other"], "FR-LD-VAL-06")
    if any(other.codes for other in outcome.walked):
        return "FR-LD-ERR-04"
    if not asked.recursive:
        return "FR-LD-LST-01"
    if entry.depth > 1 and sources["max_depth"] != "call":
        deepest = max(other.depth for other in outcome.walked)
        if deepest == entry.depth == asked.depth:
            return "CFG-LD-03" if sources["max_depth"] == "configuration" else "FR-LD-VAL-03"
    return "FR-LD-LST-02"


def _by_source(source: str, by_the_call: str) -> str:
    """Where a switch got its value from elsewhere, or against it, that is where to look first."""
    return {"configuration": "CFG-LD-04", "overruling": "FR-LD-VAL-06a"}.get(source, by_the_call)


def _misspelt(outcome: Listing, path: str, missing: Sequence[str]) -> str:
    """The requirement for a path that no entry has: probably one that is missing, in another spelling."""
    asked = outcome.asked
    likely = [entry for entry in outcome.walked if entry.path in missing]
    longer = any(path.endswith("/" + entry.path) for entry in likely)
    if not longer and any(not is_text(entry.raw) for entry in likely):
        return "NFR-LD-REL-02"
    if likely:
        return "EF-02"
    return "FR-LD-LST-02" if asked.recursive else "FR-LD-LST-01"


def _looks_like_dots(entry: Entry) -> bool:
    return entry.name.startswith("..") or entry.name.strip(". ") == ""


def _below(children: tuple[Node, ...]) -> Iterator[tuple[str, Node]]:
    """Every node by every text that its path can become, unlimited in depth."""
    waiting = [("", children)]
    while waiting:
        prefix, siblings = waiting.pop()
        for node in siblings:
            for text in dict.fromkeys(conversions(node.name).values()):
                yield prefix + text, node
                if node.children:
                    waiting.append((prefix + text + "/", node.children))
