"""The resolution of the requested path to a directory of the tree, or to the expected failure.

The path is normalised once, in the order of FR-LD-VAL-10. All checks and the document use the normalised path. Links in
the path are followed inside the sandbox; the walk below the requested directory follows none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial

from treeproof.api import Kind, Node, Tree, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import ExpectedFailure, bad_args

COMMON_WHITESPACE = " \t\n\r\f"
_WHITE_SPACE = (
    COMMON_WHITESPACE + "\v\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
WHITESPACE_BY_READING = {
    "a": COMMON_WHITESPACE + "\v",
    "b": _WHITE_SPACE,
    "c": _WHITE_SPACE.replace("\x85", "") + "\ufeff",
    "d": _WHITE_SPACE + "\x1c\x1d\x1e\x1f",
}
"""The trimmed characters, by the readings of AMB-LD-18."""
_OTHER_WHITESPACE = (
    COMMON_WHITESPACE,
    "".join(map(chr, range(0x21))),
    _WHITE_SPACE + "\x1c\x1d\x1e\x1f\ufeff\x00",
)
_AMBIGUOUS_WHITESPACE = frozenset("".join([*WHITESPACE_BY_READING.values(), *_OTHER_WHITESPACE])) - frozenset(
    COMMON_WHITESPACE
)

_DRIVE_ROOT = re.compile("[A-Za-z]:")
_MAX_NAME_BYTES, _MAX_PATH_BYTES, _MAX_LINKS = 255, 4096, 40
_DENIED = re.compile(rb"\.ssh|\.gnupg|id_rsa.*|.*\.pem|.*\.key", re.DOTALL)

VIOLATION = frozenset({"SandboxViolation"})
FAILURE = frozenset({"ExecutionFailed"})
VIOLATION_OR_FAILURE = VIOLATION | FAILURE
ANY_ERROR = VIOLATION_OR_FAILURE | {"BadArgs"}


@dataclass(frozen=True)
class ResolvedDirectory:
    """The directory that a path leads to. `node` is None for the sandbox root."""

    path: str
    node: Node | None
    children: tuple[Node, ...]
    through_link: bool


def normalise_path(text: str, readings: ReadingChoices) -> str | None:
    """Return the normalised path (FR-LD-VAL-10); None for a blank one (FR-LD-VAL-01)."""
    text = _trim(text, readings)
    if not text:
        return None
    path = _tidy(text, readings)
    while (trimmed := _trim(path, readings)) != path and readings["AMB-LD-68"] == "again":
        if not trimmed:
            left: str | None = readings.choose("blank after tidying", (None, "."))
            return left
        path = _tidy(trimmed, readings)
    return path


def _tidy(text: str, readings: ReadingChoices) -> str:
    """Return the path without idle separators and dots."""
    if "\\" in text and readings["AMB-LD-22"] == "always":
        text = text.replace("\\", "/")
    kept = [part for part in text.split("/") if part not in ("", ".")]
    prefix = "/" if text.startswith("/") else ""
    path = prefix + "/".join(kept) or "."
    if text.endswith("/.") and path != "." and readings["AMB-LD-20"] == "b":
        return path.removesuffix("/") + "/."
    if _DRIVE_ROOT.fullmatch(path) and text.endswith(("/", "/.")) and readings["AMB-LD-23"] != "b":
        return path + "/"
    return path


def _trim(text: str, readings: ReadingChoices) -> str:
    trimmed = text.strip(COMMON_WHITESPACE)
    if not trimmed or not ({trimmed[0], trimmed[-1]} & _AMBIGUOUS_WHITESPACE):
        return trimmed
    label = readings["AMB-LD-18"]
    return text.strip(
        WHITESPACE_BY_READING[label] if label in WHITESPACE_BY_READING else readings.choose("blanks", _OTHER_WHITESPACE)
    )


def resolve_path(
    tree: Tree, path: str, readings: ReadingChoices, start: bytes = b""
) -> ResolvedDirectory | ExpectedFailure:
    """Return the directory at a normalised path, or the failure. Raises Unmodelled.

    `start` is the path of the directory from which it begins, by default the sandbox root; no part of it is a link.
    """
    if path.startswith("/"):
        return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path is absolute")
    parts = [part for part in path.split("/") if part not in (".", "")]
    if ".." in parts:
        if readings["AMB-LD-21"] == "refuse":
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path has a component ..")
        resolved = _remove_dot_dot(parts)
        if resolved is None:
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path leads out of the sandbox")
        parts = resolved
        path = readings.choose("dots in the path that is shown", (path, "/".join(parts) or "."))
    try:
        raw = [part.encode("utf-8") for part in parts]
    except UnicodeEncodeError:
        return _unencodable("the path cannot be encoded", readings)
    if any(b"\0" in part for part in raw):
        return _unencodable("the path holds a NUL", readings)
    if any(_DENIED.fullmatch(part) for part in raw):
        raise Unmodelled("a denied pattern may match the path")
    if len(path.encode("utf-8")) > _MAX_PATH_BYTES:
        return ExpectedFailure(ANY_ERROR, "FR-LD-VAL-08", "the path is too long")
    return _PathWalker(tree, readings, start).resolve(raw, path)


def _remove_dot_dot(parts: list[str]) -> list[str] | None:
    kept: list[str] = []
    for part in parts:
        if part != "..":
            kept.append(part)
        elif not kept:
            return None
        else:
            kept.pop()
    return kept


def _unencodable(reason: str, readings: ReadingChoices) -> ExpectedFailure:
    label = readings["AMB-LD-34"]
    if label == "a":
        return bad_args("FR-LD-ERR-01", reason)
    return ExpectedFailure(ANY_ERROR, "FR-LD-ERR-01", reason)


class _PathWalker:
    """Follows names and links in the tree. The stack holds the directories from the sandbox root to the current one."""

    def __init__(self, tree: Tree, readings: ReadingChoices, start: bytes) -> None:
        self.tree = tree
        self.readings = readings
        self.stack: list[Node] = []
        for end in (at for at in range(1, len(start) + 1) if start[at : at + 1] in (b"", b"/")):
            directory = tree.find(start[:end])
            if directory is None or directory.kind is not Kind.DIR:
                raise Unmodelled("the working directory is no plain directory inside")
            self.stack.append(directory)
        self.links = 0

    def resolve(self, parts: list[bytes], path: str) -> ResolvedDirectory | ExpectedFailure:
        result = self._resolve(parts, path)
        if isinstance(result, ExpectedFailure):
            return self.readings.resolve("AMB-LD-36", partial(self._failure_by_reading, result))
        return result

    def _failure_by_reading(self, failure: ExpectedFailure, label: str) -> ExpectedFailure:
        """Return the failure for a candidate that follows links or refuses them; the latter sees nothing behind one."""
        if label == "follow" or not self.links:
            return failure
        return replace(failure, kinds=failure.kinds | VIOLATION_OR_FAILURE, message_part="")

    def _resolve(self, parts: list[bytes], path: str) -> ResolvedDirectory | ExpectedFailure:
        pending = list(reversed(parts))  # above the components of the request stand those of the targets of links
        requested = len(pending)
        through_link = ends_in_link = False
        while pending:
            part = pending.pop()
            requested = min(requested, len(pending))
            if part in (b"", b"."):
                continue
            if part == b"..":  # in the target of a link
                if not self.stack:
                    return self._outside(pending)
                self.stack.pop()
                continue
            node = self._child(part, pending)
            if isinstance(node, ExpectedFailure):
                return node
            if node.kind is Kind.SYMLINK:
                self.links += 1
                failure = self._follow(node, pending)
                if failure is not None:
                    return failure
                through_link = True
                ends_in_link = ends_in_link or not requested
            elif node.kind is Kind.DIR:
                self.stack.append(node)
            else:
                message_part = "path is not a directory" if node.kind is Kind.FILE and not pending else ""
                return ExpectedFailure(
                    self._missing_kinds(pending), "FR-LD-VAL-08", "the path is not a directory", message_part
                )
        if through_link and self.readings["AMB-LD-36"] == "refuse" and self._is_refused(ends_in_link):
            return ExpectedFailure(VIOLATION_OR_FAILURE, "FR-LD-VAL-08", "the path is a link")
        directory = self.stack[-1] if self.stack else None
        return ResolvedDirectory(path, directory, directory.children if directory else self.tree.entries, through_link)

    def _is_refused(self, ends_in_link: bool) -> bool:
        return ends_in_link or self.readings.choose("links on the way", ("followed", "refused")) == "refused"

    def _child(self, name: bytes, pending: list[bytes]) -> Node | ExpectedFailure:
        directory = self.stack[-1] if self.stack else None
        if directory is not None and not searchable(directory):
            return ExpectedFailure(
                VIOLATION_OR_FAILURE,
                "FR-LD-VAL-08",
                "the path leads through a directory that cannot be searched",
            )
        if directory is not None and not listable(directory) and self.readings["AMB-LD-67"] == "b":
            return ExpectedFailure(VIOLATION_OR_FAILURE, "FR-LD-VAL-08", "a directory on the way cannot be read")
        siblings = directory.children if directory else self.tree.entries
        node = next((child for child in siblings if child.name == name), None)
        if node is None or len(name) > _MAX_NAME_BYTES:
            return ExpectedFailure(self._missing_kinds(pending), "FR-LD-VAL-08", "the path does not exist")
        if "lstat" in node.faults:
            return ExpectedFailure(VIOLATION_OR_FAILURE, "FR-LD-VAL-08", "the metadata of the path cannot be read")
        return node

    def _missing_kinds(self, pending: list[bytes]) -> frozenset[str]:
        """Return the kinds of error for a missing entry; two kinds if `..` follows a link (AMB-LD-37)."""
        return VIOLATION_OR_FAILURE if self.links and b".." in pending else FAILURE

    def _follow(self, link: Node, pending: list[bytes]) -> ExpectedFailure | None:
        target = link.target or b""
        if self.links > _MAX_LINKS:
            return ExpectedFailure(VIOLATION_OR_FAILURE, "FR-LD-VAL-08", "the links form a loop")
        if target == b"$ROOT" or target.startswith(b"$ROOT/"):
            if self.readings.choose("absolute links", ("followed", "refused")) == "refused":
                return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "a link has an absolute target")
            self.stack.clear()
            target = target[len(b"$ROOT") :]
        elif target.startswith((b"$OUTSIDE", b"/")):
            return self._outside(target.split(b"/"))
        pending += reversed(target.split(b"/"))
        return None

    def _outside(self, pending: list[bytes]) -> ExpectedFailure:
        """Return the failure for a link that leaves the sandbox; a dangling one permits two kinds (AMB-LD-37)."""
        rest = [part for part in pending if part not in (b"", b".", b"..")]
        if b"root" in rest:
            raise Unmodelled("a link leaves the sandbox and may lead back")
        return ExpectedFailure(
            VIOLATION_OR_FAILURE if rest else VIOLATION, "FR-LD-VAL-07", "a link leads out of the sandbox"
        )


def searchable(directory: Node) -> bool:
    """Return whether the owner may access its entries."""
    return directory.mode is None or bool(directory.mode & 0o100)


def listable(directory: Node) -> bool:
    """Return whether the owner may read its names."""
    return directory.mode is None or bool(directory.mode & 0o400)
