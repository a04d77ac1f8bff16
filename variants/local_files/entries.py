"""Variants: kinds, sizes, times and targets of entries, and the order of a list."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from treeproof.rows.local_files import row as rows
from treeproof.rows.local_files.row import KINDS, LIST, Entry, FileCall, Item, refused
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .stages import MEMBERS, ORDER, PATHS, REQUESTS

member = partial(rows.row, stage=MEMBERS)


def order(key: Callable[[Entry], Any], *, is_reverse: bool = False) -> Row:
    """Return the row that sorts a list by a key."""
    return rows.row(
        stage=ORDER,
        found=lambda items, sent: sorted([item.entry for item in items], key=key, reverse=is_reverse),
    )


def within_kinds(key: Callable[[Entry], Any]) -> Row:
    return order(lambda entry: (rank(entry), key(entry)))


def rank(entry: Entry) -> int:
    """Return the place of the type of an entry among the types."""
    return KINDS.index(entry["@type"])


def name(entry: Entry) -> str:
    return str(entry["name"])


def downwards(text: str) -> list[int]:
    """Return a key that sorts texts in descending order."""
    return [*(-ord(sign) for sign in text), 1]


def signed_bytes(entry: Entry) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in name(entry).encode("utf-8", "surrogatepass")]


def up_from_the_target(sent: FileCall) -> str:
    """Return the requested directory, with steps up from where links lead."""
    path = os.path.join(sent.root, sent.path)
    return os.path.realpath(path) if ".." in path.split("/") else sent.directory


def shown(path: Callable[[str], str]) -> Row:
    """Return the row that opens the requested path as it is, and shows another text in its place."""

    def found(items: list[Item], sent: FileCall) -> list[Entry]:
        start, end = path(os.path.join(sent.root, sent.path)).rstrip("/"), len(up_from_the_target(sent).rstrip("/"))
        return [{**item.entry, "path": start + item.path[end:]} for item in items]

    return rows.row(stage=PATHS, place=up_from_the_target, found=found)


def without_single_dots(path: str) -> str:
    """Return a path with two dots only, as pathlib and java.nio.file.Path do."""
    return "/" + "/".join(part for part in path.split("/") if part not in ("", "."))


def has_dots(sent: FileCall) -> bool:
    return not {".", ".."}.isdisjoint(sent.path.split("/"))


def is_not_clean(sent: FileCall) -> bool:
    return bool(sent.path) and (sent.path != os.path.normpath(sent.path) or ".." in sent.path)


def refusing(condition: Callable[[FileCall], Any], kind: str = "ExecutionFailed", **others: Any) -> Row:
    """Return the row that refuses some calls with an error of a kind."""
    return rows.row(stage=REQUESTS, where=condition, answer=lambda sent: refused(sent, kind), **others)


def is_link(sent: FileCall) -> bool:
    """Return whether a path is a link to a directory, also with a slash behind it."""
    return os.path.islink(sent.path.rstrip("/") or "/") and os.path.isdir(sent.path)


def passes_a_link(sent: FileCall) -> bool:
    names = sent.path.rstrip("/").split("/")
    context: Any = sent.call.context
    # What is above the sandbox root belongs to the host.
    above = len(str(context["roots"][0]).split("/"))
    return any(os.path.islink("/".join(names[:at])) for at in range(above + 1, len(names)))


def absolute_target(item: Item) -> str:
    return os.path.join(item.above, item.target)


towards_1970 = member(time=lambda at: -(-at.own.st_mtime_ns // 10**6) if at.time < 0 else at.time)


def from_the_top(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with an absolute path."""
    path = given.get("path")
    return {**given, "path": f"/{path.lstrip('/')}"} if isinstance(path, str) else given


BY_KIND = {"AMB-LF-01": "kind"}

VARIANTS = (
    variant("AMB-LF-01=descending", "The list is sorted by name, downwards.")(order(name, is_reverse=True)),
    variant("AMB-LF-01=directories_first", "Directories come first, the others by name, downwards.")(
        order(lambda entry: (rank(entry) > 0, downwards(name(entry))))
    ),
    variant("VAR-LF-01", "Within a kind, names are sorted downwards.", BY_KIND)(
        within_kinds(lambda entry: downwards(name(entry)))
    ),
    variant("VAR-LF-02", "Within a kind, names are sorted without regard to case.", BY_KIND)(
        within_kinds(lambda entry: (name(entry).lower(), name(entry)))
    ),
    variant("VAR-LF-03", "Within a kind, names are sorted by units of UTF-16.", BY_KIND)(
        within_kinds(lambda entry: name(entry).encode("utf-16-be", "surrogatepass"))
    ),
    variant("VAR-LF-04", "Within a kind, names are sorted by signed bytes.", BY_KIND)(within_kinds(signed_bytes)),
    variant("VAR-LF-05", "Within a kind, entries are sorted by size.", BY_KIND)(
        within_kinds(lambda entry: (entry["size"], name(entry)))
    ),
    variant("VAR-LF-06", "Other kinds stand before links.", BY_KIND)(
        order(lambda entry: ((0, 1, 3, 2)[rank(entry)], name(entry)))
    ),
    variant(
        "VAR-LF-07", "The list is sorted by name, downwards and without regard to case.", {"AMB-LF-01": "descending"}
    )(order(lambda entry: name(entry).lower(), is_reverse=True)),
    variant("AMB-LF-05=resolved", "Paths have no link in them.")(
        rows.row(stage=PATHS, place=lambda sent: os.path.realpath(sent.directory))
    ),
    variant("AMB-LF-05=verbatim", "Paths keep the dots of the requested one.")(shown(str)),
    variant("VAR-LF-08", "Paths keep two dots of the requested one, and not one.", {"AMB-LF-05": "verbatim"})(
        shown(without_single_dots)
    ),
    variant("AMB-LF-06=allocated", "The size of a directory is its space.")(
        member(size=lambda at: at.own.st_blocks * 512 if at.is_dir else at.size)
    ),
    variant("AMB-LF-08=nearest", "A fraction of a millisecond is rounded.")(
        member(time=lambda at: (at.own.st_mtime_ns + 500_000) // 10**6)
    ),
    variant("AMB-LF-08=towards_1970", "A fraction is cut off towards 1970.")(towards_1970),
    variant("AMB-LF-24=physical", "A step up starts where a link leads.", excludes=("AMB-LF-05=verbatim",))(
        rows.row(stage=PATHS, place=up_from_the_target)
    ),
    variant("AMB-LF-24=refused", "A path with dots is refused.")(refusing(has_dots, "BadArgs")),
    variant("VAR-LF-27", "Only clean paths are taken.", {"AMB-LF-24": "refused"})(refusing(is_not_clean, "BadArgs")),
    variant("AMB-LF-48=refused", "A link is not listed.")(refusing(is_link, tool=LIST)),
    variant("AMB-LF-14=refused", "A relative path is refused.")(refusing(lambda sent: not sent.path.startswith("/"))),
    variant(
        "AMB-LF-14=elsewhere",
        "A relative path starts at the root of the file system.",
        excludes=("AMB-LF-05=verbatim", "AMB-LF-24=physical", "VAR-LF-08", "VAR-LF-17"),  # they look at the path, too
    )(rows.row(arguments=from_the_top)),
    variant("AMB-LF-49=refused", "A path through a link is refused.")(refusing(passes_a_link)),
    variant("AMB-LF-28=normalised", "A target is without dots.")(member(target=lambda at: os.path.normpath(at.target))),
    variant("AMB-LF-28=absolute", "A target is an absolute path.")(member(target=absolute_target)),
    variant("VAR-LF-09", "A target is an absolute path without dots.", {"AMB-LF-28": "absolute"})(
        member(target=lambda at: os.path.normpath(absolute_target(at)))
    ),
    variant("VAR-LF-10", "Links and other kinds have a further member.")(
        member(each=lambda at: {**at.entry, "mode": at.own.st_mode} if at.kind in KINDS[2:] else at.entry)
    ),
)
