"""From the requested path to the directory that it names in the recipe: its spelling, the sandbox, what is there.

The spelling is cleaned once, in the order in which FR-LD-VAL-10 lists the steps, and that text is shown, judged and
followed. Links on the way are followed inside the sandbox; a walk below the requested directory follows none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from treeproof.tree import Kind, Node, Tree

from .arguments import Refusal, bad
from .readings import Readings

ALWAYS_BLANK = " \t\n\r\f"
_WHITE_SPACE = (
    ALWAYS_BLANK + "\v\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
BLANKS = {
    "a": ALWAYS_BLANK + "\v",
    "b": _WHITE_SPACE,
    "c": _WHITE_SPACE.replace("\x85", "") + "\ufeff",
    "d": _WHITE_SPACE + "\x1c\x1d\x1e\x1f",
}
"""What trimming takes away, by the readings of AMB-LD-18."""
_OTHER_BLANKS = (ALWAYS_BLANK, "".join(map(chr, range(0x21))), _WHITE_SPACE + "\x1c\x1d\x1e\x1f\ufeff\x00")
_DOUBTFUL = frozenset("".join([*BLANKS.values(), *_OTHER_BLANKS])) - frozenset(ALWAYS_BLANK)

_DRIVE_ROOT = re.compile("[A-Za-z]:")
_LONGEST_NAME, _LONGEST_PATH, _MOST_LINKS = 255, 4096, 40
_DENIED = re.compile(rb"\.ssh|\.gnupg|id_rsa.*|.*\.pem|.*\.key", re.DOTALL)

VIOLATION = frozenset({"SandboxViolation"})
FAILURE = frozenset({"ExecutionFailed"})
EITHER = VIOLATION | FAILURE
ANY_ERROR = EITHER | {"BadArgs"}


@dataclass(frozen=True)
class Found:
    """The directory that a path leads to. `node` is None for the sandbox root. `by_link`: its last step was a link."""

    path: str
    node: Node | None
    children: tuple[Node, ...]
    by_link: bool


class BeyondTheRecipe(Exception):
    """Where the path leads cannot be told from the recipe alone."""


def clean(text: str, readings: Readings) -> str | None:
    """The path in its normalised spelling (FR-LD-VAL-10); None for one that is blank (FR-LD-VAL-01)."""
    text = _trimmed(text, readings)
    if not text:
        return None
    if "\\" in text and readings["AMB-LD-22"] == "always":
        text = text.replace("\\", "/")
    kept = [part for part in text.split("/") if part not in ("", ".")]
    start = "/" if text.startswith("/") else ""
    shown = start + "/".join(kept) or "."
    if text.endswith("/.") and shown != "." and readings["AMB-LD-20"] == "b":
        return shown.removesuffix("/") + "/."
    if _DRIVE_ROOT.fullmatch(shown) and text.endswith(("/", "/.")) and readings["AMB-LD-23"] != "b":
        return shown + "/"
    return shown


def _trimmed(text: str, readings: Readings) -> str:
    surely = text.strip(ALWAYS_BLANK)
    if not surely or not ({surely[0], surely[-1]} & _DOUBTFUL):
        return surely
    label = readings["AMB-LD-18"]
    return text.strip(BLANKS[label] if label in BLANKS else readings.one_of("blanks", _OTHER_BLANKS))


def locate(tree: Tree, path: str, readings: Readings) -> Found | Refusal:
    """What a cleaned path leads to from the sandbox root. Raises BeyondTheRecipe."""
    if path.startswith("/"):
        return Refusal(VIOLATION, "FR-LD-VAL-07", "the path is absolute")
    parts = [part for part in path.split("/") if part not in (".", "")]
    if ".." in parts:
        if readings["AMB-LD-21"] == "refuse":
            return Refusal(VIOLATION, "FR-LD-VAL-07", "the path has a component ..")
        resolved = _lexically(parts)
        if resolved is None:
            return Refusal(VIOLATION, "FR-LD-VAL-07", "the path leads out of the sandbox")
        parts = resolved
    try:
        raw = [part.encode("utf-8") for part in parts]
    except UnicodeEncodeError:
        return _impossible("the path cannot be encoded", readings)
    if any(b"\0" in part for part in raw):
        return _impossible("the path holds a NUL", readings)
    if any(_DENIED.fullmatch(part) for part in raw):
        raise BeyondTheRecipe("a denied pattern may match the path")
    if len(path.encode("utf-8")) > _LONGEST_PATH:
        return Refusal(ANY_ERROR, "FR-LD-VAL-08", "the path is too long")
    return _Descent(tree, readings).to(raw, path)


def _lexically(parts: list[str]) -> list[str] | None:
    kept: list[str] = []
    for part in parts:
        if part != "..":
            kept.append(part)
        elif not kept:
            return None
        else:
            kept.pop()
    return kept


def _impossible(why: str, readings: Readings) -> Refusal:
    label = readings["AMB-LD-34"]
    if label == "a":
        return bad("FR-LD-ERR-01", why)
    return Refusal(ANY_ERROR, "FR-LD-ERR-01", why)


class _Descent:
    """Following names and links through the recipe. The stack holds the directories from the sandbox root on."""

    def __init__(self, tree: Tree, readings: Readings) -> None:
        self.tree = tree
        self.readings = readings
        self.stack: list[Node] = []
        self.links = 0

    def to(self, parts: list[bytes], path: str) -> Found | Refusal:
        waiting = list(reversed(parts))
        by_link = False
        while waiting:
            part = waiting.pop()
            if part in (b"", b"."):
                continue
            if part == b"..":  # of a link's target
                if not self.stack:
                    return self._outside(waiting)
                self.stack.pop()
                continue
            node = self._child(part, waiting)
            if isinstance(node, Refusal):
                return node
            if node.kind is Kind.SYMLINK:
                self.links += 1
                refused = self._follow(node, waiting)
                if refused is not None:
                    return refused
                by_link = True
            elif node.kind is Kind.DIR:
                self.stack.append(node)
            else:
                saying = "path is not a directory" if node.kind is Kind.FILE and not waiting else ""
                return Refusal(self._absent(waiting), "FR-LD-VAL-08", "the path is not a directory", saying)
        if by_link and self.readings["AMB-LD-36"] == "refuse":
            return Refusal(EITHER, "FR-LD-VAL-08", "the path is a link")
        node_at = self.stack[-1] if self.stack else None
        return Found(path, node_at, node_at.children if node_at else self.tree.entries, by_link)

    def _child(self, name: bytes, waiting: list[bytes]) -> Node | Refusal:
        here = self.stack[-1] if self.stack else None
        if here is not None and not searchable(here):
            return Refusal(
                EITHER, "FR-LD-VAL-08", "the path leads through a directory that nobody may search"
            )
        siblings = here.children if here else self.tree.entries
        node = next((child for child in siblings if child.name == name), None)
        if node is None or len(name) > _LONGEST_NAME:
            return Refusal(self._absent(waiting), "FR-LD-VAL-08", "the path does not exist")
        if "lstat" in node.faults:
            return Refusal(EITHER, "FR-LD-VAL-08", "the path cannot be looked at")
        return node

    def _absent(self, waiting: list[bytes]) -> frozenset[str]:
        """What is missing is a failure; behind a link that climbs from there, one cannot tell (AMB-LD-37)."""
        return EITHER if self.links and b".." in waiting else FAILURE

    def _follow(self, link: Node, waiting: list[bytes]) -> Refusal | None:
        target = link.target or b""
        if self.links > _MOST_LINKS:
            return Refusal(EITHER, "FR-LD-VAL-08", "the links go round in circles")
        if target == b"$ROOT" or target.startswith(b"$ROOT/"):
            self.stack.clear()
            target = target[len(b"$ROOT") :]
        elif target.startswith((b"$OUTSIDE", b"/")):
            return self._outside(target.split(b"/"))
        waiting += reversed(target.split(b"/"))
        return None

    def _outside(self, waiting: list[bytes]) -> Refusal:
        """A link has left the sandbox: a violation, or where it dangles perhaps a failure (AMB-LD-37)."""
        rest = [part for part in waiting if part not in (b"", b".", b"..")]
        if b"root" in rest:
            raise BeyondTheRecipe("a link leaves the sandbox and may come back")
        return Refusal(EITHER if rest else VIOLATION, "FR-LD-VAL-07", "a link leads out of the sandbox")


def searchable(directory: Node) -> bool:
    """Whether its owner may look at what lies in it."""
    return directory.mode is None or bool(directory.mode & 0o100)


def listable(directory: Node) -> bool:
    """Whether its owner may read the names in it."""
    return directory.mode is None or bool(directory.mode & 0o400)
