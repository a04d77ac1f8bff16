"""The attribution of surplus and missing entries to the requirements that they may violate.

The cause can be the name, the kind or the location of an entry, so the functions return all suspects, the likeliest
first. The text of a path is looked up among all nodes of the tree, including hidden and excluded ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from treeproof.api import Kind, Node

from .document import ExpectedEntry
from .expected import ExpectedListing
from .lossy_names import REPLACEMENT, is_utf8, lossy_decodings

SIZE_SUSPECTS = (
    *("FR-LD-OUT-07", "FR-LD-OUT-05", "FR-LD-OUT-06", "FR-LD-OUT-03", "FR-LD-OUT-02a"),
    *("DOC-01", "DOC-03", "DOC-05", "DOC-06"),
)
"""The requirements that a candidate violates if it overestimates the length of a document, or writes a longer one."""

LOOK_ALIKES = "\uff0e\u2024\u3002"
"""Characters that look like a dot."""


def attribute_surplus(outcome: ExpectedListing, surplus: Sequence[str], missing: Sequence[str]) -> list[str]:
    """Return the requirements that exclude these paths, the likeliest first."""
    known: dict[str, list[Node]] = defaultdict(list)
    for text, node in _all_paths(outcome.directory.children):
        known[text].append(node)
    return _common_first([list(_surplus_suspects(outcome, path, known, missing)) for path in surplus])


def attribute_repeated(outcome: ExpectedListing, paths: Sequence[str]) -> list[str]:
    """Return the requirements that forbid to list entries twice, the likeliest first."""
    found = [_walk_requirement(outcome)]
    if any("read_dir_failed" in entry.error_codes for entry in outcome.qualifying if entry.path in paths):
        found.insert(0, "FR-LD-LST-08")
    if any(REPLACEMENT in path for path in paths):
        found.append("NFR-LD-REL-02")
    return found


def attribute_missing(outcome: ExpectedListing, missing: Sequence[str]) -> list[str]:
    """Return the requirements that include these paths, the likeliest first."""
    return _common_first([list(_missing_suspects(outcome, path)) for path in missing])


def _common_first(suspects: list[list[str]]) -> list[str]:
    """Return the requirements that explain every path, then the other ones."""
    common = [one for one in suspects[0] if all(one in others for others in suspects)]
    return list(dict.fromkeys([*common, *(one for several in suspects for one in several)]))


def _surplus_suspects(
    outcome: ExpectedListing, path: str, known: Mapping[str, list[Node]], missing: Sequence[str]
) -> Iterator[str]:
    request, sources = outcome.request, outcome.request.sources
    parts = path.split("/")
    if "." in parts[1:] or ".." in parts or path == ".":
        yield "FR-LD-LST-03"
    if path not in known:
        if "\\" in path and path.replace("\\", "/") in missing:
            yield "NFR-LD-PORT-01"
        if path.strip("/") != path and path.strip("/") in missing:  # the entry is there, with a slash around its path
            yield "EF-02"
            return
        if any(path == f"{outcome.path.rstrip('/')}/{one}" for one in missing):  # led to from elsewhere
            yield "EF-02"
            return
        links = (text for text, nodes in known.items() if any(node.kind is Kind.SYMLINK for node in nodes))
        if any(path.startswith(text + "/") for text in links):
            yield "FR-LD-VAL-09"
            return
        yield from _path_suspects(outcome, path, missing)
        return
    if any(part.startswith(".") for part in parts) and not request.hidden:
        if outcome.has_other_tables:
            yield "CFG-LD-05"
        # An explicit false shows whether the filter is wrong, or the default.
        if sources["hidden"] in ("unsaid", "built-in"):
            yield "FR-LD-VAL-06a"
        yield from _source_suspects(sources["hidden"], "FR-LD-LST-06")
        yield "FR-LD-LST-06a"
    if len(parts) > request.max_depth:
        yield from depth_suspects(outcome)
        return
    for kind in {node.kind: None for node in known[path]}:  # different names can have the same text
        if kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV):
            if not request.other:
                yield from _source_suspects(sources["other"], "FR-LD-VAL-06")
        else:
            flag = {Kind.FILE: "files", Kind.DIR: "dirs", Kind.SYMLINK: "symlinks"}[kind]
            if not getattr(request, flag):
                if outcome.has_undocumented_keys:
                    yield "CFG-LD-01"  # the table may be ignored as a whole
                yield "FR-LD-VAL-06a"  # it is on unless the call or the configuration turns it off
                yield from ("FR-LD-LST-06", "FR-LD-VAL-05")
        if kind is Kind.SYMLINK:
            yield "EF-04"
    yield ("FR-LD-LST-08" if any(entry.error_codes for entry in outcome.qualifying) else _walk_requirement(outcome))
    if REPLACEMENT in path:  # the name is decoded differently, or is not UTF-8
        yield "NFR-LD-REL-02"


def _missing_suspects(outcome: ExpectedListing, path: str) -> Iterator[str]:
    request, sources = outcome.request, outcome.request.sources
    entry, *duplicates = (entry for entry in outcome.qualifying if entry.path == path)
    if any(duplicate.raw_path != entry.raw_path for duplicate in duplicates):
        yield "NFR-LD-REL-02"
    if entry.error_codes:
        yield "FR-LD-LST-08" if "read_dir_failed" in entry.error_codes else "FR-LD-LST-04"
    if not is_utf8(entry.raw_path):
        yield "NFR-LD-REL-02"
    if entry.name.startswith("..") or entry.name.strip(". ") == "":
        yield "FR-LD-LST-03"
    if any(part.startswith(".") for part in entry.path.split("/")):
        yield from _source_suspects(sources["hidden"], "FR-LD-LST-06")
    elif _may_look_hidden(outcome, entry):
        yield "FR-LD-LST-06a"
    if any(part.startswith(".") for part in outcome.path.split("/")) and outcome.path != ".":
        yield "FR-LD-LST-06"
    if entry.type == "other":
        yield from _source_suspects(sources["other"], "FR-LD-VAL-06")
    flag = {"file": "files", "dir": "dirs", "symlink": "symlinks"}.get(entry.type)
    if flag is not None and sources[flag] in ("configuration", "overruling"):
        yield "FR-LD-VAL-06a"
    if any("read_dir_failed" in other.error_codes for other in outcome.qualifying):
        yield "FR-LD-LST-08"
    if any(other.error_codes for other in outcome.qualifying):
        yield "FR-LD-LST-04"
    if entry.depth == request.max_depth > 1:
        yield from depth_suspects(outcome)
    if entry.type in ("file", "dir") and _has_own_mode(outcome, entry.raw_path):
        yield "EF-04"  # its permissions may be taken for a kind
    yield _walk_requirement(outcome)
    if entry.type == "symlink":
        yield "EF-04"
    if not all((request.files, request.dirs, request.symlinks)):
        yield from ("FR-LD-LST-06", "FR-LD-VAL-05")
        if "configuration" in (sources["files"], sources["dirs"], sources["symlinks"]):
            yield "FR-LD-VAL-06a"  # one flag may be confused with another
    if outcome.directory.through_link:
        yield "FR-LD-VAL-08"


def _has_own_mode(outcome: ExpectedListing, raw_path: bytes) -> bool:
    """Return whether the tree gives an entry its own permissions."""
    siblings = outcome.directory.children
    for name in raw_path.split(b"/"):
        node = next((one for one in siblings if one.name == name), None)
        if node is None:
            return False
        siblings = node.children
    return node is not None and node.mode is not None


def _may_look_hidden(outcome: ExpectedListing, entry: ExpectedEntry) -> bool:
    """Return whether a program may take an entry for a hidden one: by its name, or by a list in a file .hidden.

    What a list such as .gitignore names is left out by some programs, and hidden by none.
    """
    lists = {node.name: node.content.split() for node in outcome.directory.children if node.content}
    naming = [name for name, names in lists.items() if entry.name.encode("utf-8", "surrogatepass") in names]
    if naming:
        return not any(b"ignore" in name for name in naming)
    return entry.name[0] in LOOK_ALIKES or "." in entry.name or "~" in entry.path


def depth_suspects(outcome: ExpectedListing) -> Iterator[str]:
    """Yield the requirements for the depth, by the source of its value."""
    source = outcome.request.sources["max_depth"]
    if not outcome.request.recursive:
        yield "FR-LD-LST-01"
    elif source == "call":
        yield "FR-LD-LST-02"
    else:
        if source == "configuration":
            yield "CFG-LD-03"
        elif source in ("unsaid", "built-in"):
            yield "CFG-LD-05" if source == "built-in" else "FR-LD-VAL-06a"
        yield "FR-LD-VAL-03"


def _source_suspects(source: str, call_requirement: str) -> Iterator[str]:
    """Yield the requirements for a filter, by the source of its value."""
    if source in ("configuration", "overruling"):
        yield "FR-LD-VAL-06a"
    yield call_requirement


def _path_suspects(outcome: ExpectedListing, path: str, missing: Sequence[str]) -> Iterator[str]:
    """Yield the requirements for an unknown path, probably a missing one in another form."""
    likely = [entry for entry in outcome.qualifying if entry.path in missing]
    longer = any(path.endswith("/" + entry.path) for entry in likely)
    if not longer and any(not is_utf8(entry.raw_path) for entry in likely):
        yield "NFR-LD-REL-02"
    if likely:
        yield "EF-02"
    # The path may be normalised to another directory; but where all that is due is there, the entry is invented.
    if outcome.has_unusual_path and (missing or not outcome.qualifying):
        yield "FR-LD-VAL-10"
    yield _walk_requirement(outcome)


def _walk_requirement(outcome: ExpectedListing) -> str:
    return "FR-LD-LST-02" if outcome.request.recursive else "FR-LD-LST-01"


def all_utf8(entries: Sequence[ExpectedEntry]) -> bool:
    """Return whether all names are UTF-8."""
    return all(is_utf8(entry.raw_path) for entry in entries)


def _all_paths(children: tuple[Node, ...]) -> Iterator[tuple[str, Node]]:
    """Yield every node at any depth with every possible text of its path."""
    pending = [("", children)]
    while pending:
        prefix, siblings = pending.pop()
        for node in siblings:
            for text in dict.fromkeys(lossy_decodings(node.name).values()):
                yield prefix + text, node
                if node.children:
                    pending.append((prefix + text + "/", node.children))
