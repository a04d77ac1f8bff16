"""The rule that a missing element breaks, by contrast with what is listed.

An element can be missing for several reasons: a hidden link, as a link or for its name. A reason is out of the question
if another element that it concerns is listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from treeproof.api import MISSING_ENTRIES, Kind

from .outcomes import ExpectedListing
from .walk import ExpectedElement

_FILTERED_NAMES = frozenset(
    b"build dist target vendor venv bin obj out core tmp temp cache node_modules site-packages lost+found __pycache__"
    b" Thumbs.db desktop.ini id_rsa id_dsa credentials passwd".split()
)
_FILTERED_ENDS = (b"~", b".swp", b".tmp", b".bak", b".pem", b".key", b".app", b".zip", b".o", b".lock", b".log")
"""Names that programs leave out, and their ends."""

_RESERVED = frozenset((b"con", b"nul", b"aux", b"prn"))
"""Names that Windows keeps, whatever follows after a dot."""

_PLAIN_SIGNS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.")

DIRECTORIES_MISSING = "directories are missing"
NOT_ENTERED = "directories are not entered"
_NOT_ENTERED_FOR_NAME = "directories are not entered for their names"
LOST_BESIDE_AN_ERROR = "entries that can be read are missing"


@dataclass(frozen=True)
class _Reason:
    """A reason for which an element may be missing, and the rule that it breaks.

    `is_compared`: it is none if another element that it concerns is listed. `is_general`: it is likelier than what
    cannot be read beside the element.
    """

    concerns: Callable[[ExpectedElement, frozenset[bytes]], bool]
    requirement: str
    kind: str
    is_compared: bool = True
    is_general: bool = False


class MissingElements:
    """Finds the rules of elements of one listing that are missing; `listed` are the paths that are there."""

    def __init__(self, expected: ExpectedListing, listed: frozenset[str]) -> None:
        self._expected, self._listed = expected, listed
        self._present = [one for one in expected.elements if one.path in listed]
        self._entered = {above for one in self._present for above in _directories(one.raw_path)}
        self._several: dict[bytes, bool] = {}
        self._children: dict[bytes, list[ExpectedElement]] = defaultdict(list)
        for one in expected.elements:
            self._children[one.raw_path.rpartition(b"/")[0]].append(one)

    def rule(self, element: ExpectedElement) -> tuple[str, str]:
        """Return the rule that a missing element breaks, and the kind of the difference."""
        reason = self._reason(element)
        if self._expected.is_partial:
            if reason is None or not reason.is_general:
                return "WD-ERR-06", LOST_BESIDE_AN_ERROR
            return reason.requirement, reason.kind
        if element.raw_path in self._entered:
            return "WD-WALK-01", DIRECTORIES_MISSING
        directory = element.raw_path.rpartition(b"/")[0]
        is_closed = directory in self._present_directories and directory not in self._entered
        if is_closed and (reason is None or self._has_several_reasons(directory)):
            return self._rule_of_entering(self._present_directories[directory])
        if reason is not None:
            return reason.requirement, reason.kind
        if element.node.kind is Kind.DIR and not self._present_directories:
            return "WD-WALK-01", DIRECTORIES_MISSING
        return "WD-WALK-01", MISSING_ENTRIES

    @cached_property
    def _present_directories(self) -> dict[bytes, ExpectedElement]:
        return {one.raw_path: one for one in self._present if one.node.kind is Kind.DIR}

    def _has_several_reasons(self, directory: bytes) -> bool:
        """Return whether what is in a directory would be missing for different reasons. Each is looked at once."""
        if directory not in self._several:
            self._several[directory] = len({self._reason(one) for one in self._children[directory]}) > 1
        return self._several[directory]

    @cached_property
    def _ignored(self) -> frozenset[bytes]:
        """The names that files with the patterns of what programs leave out contain."""
        files = (one for one in self._expected.elements if _name(one) in (b".gitignore", b".ignore"))
        return frozenset(name for one in files for name in (one.node.content or b"").split(b"\n"))

    @cached_property
    def _possible_reasons(self) -> tuple[_Reason, ...]:
        """The reasons that what is listed does not exclude."""
        return self._not_excluded(self._present)

    @cached_property
    def _possible_for_directories(self) -> tuple[_Reason, ...]:
        """The reasons for which a directory may not be entered, if another one is."""
        entered = [one for path, one in self._present_directories.items() if path in self._entered]
        return self._not_excluded(entered) if entered else ()

    def _not_excluded(self, present: Iterable[ExpectedElement]) -> tuple[_Reason, ...]:
        kept = list(present)
        return tuple(
            reason
            for reason in _REASONS
            if not (reason.is_compared and any(reason.concerns(one, self._ignored) for one in kept))
        )

    def _reason(self, element: ExpectedElement) -> _Reason | None:
        """Return the reason for which an element may be missing; None for a plain one."""
        for reason in self._possible_reasons:
            if reason.concerns(element, self._ignored):
                return reason
        # A sign in a name is a reason if no name that is listed has it.
        return _ODD_NAME if self._present and _signs([element]) - self._present_signs else None

    @cached_property
    def _present_signs(self) -> frozenset[int]:
        return _signs(self._present)

    @cached_property
    def _entered_signs(self) -> frozenset[int]:
        return _signs(one for path, one in self._present_directories.items() if path in self._entered)

    def _are_all_left_out(self) -> bool:
        """Return whether all directories with content have names that programs leave out."""
        closed = (one for path, one in self._present_directories.items() if self._children.get(path))
        return all(_is_hidden(one, self._ignored) or _is_filtered(one, self._ignored) for one in closed)

    def _rule_of_entering(self, directory: ExpectedElement) -> tuple[str, str]:
        """Return the rule and the kind for a directory that is listed, and nothing that is in it."""
        for reason in self._possible_for_directories:
            if reason.concerns(directory, self._ignored):
                return reason.requirement, _NOT_ENTERED_FOR_NAME
        if not self._entered and self._are_all_left_out():
            return "WD-WALK-03", _NOT_ENTERED_FOR_NAME
        if self._entered and _signs([directory]) - self._entered_signs:
            return "WD-WALK-03", _NOT_ENTERED_FOR_NAME
        return "WD-WALK-01", NOT_ENTERED


def _directories(path: bytes) -> Iterable[bytes]:
    return (path[:at] for at, sign in enumerate(path) if sign == ord("/"))


def _name(element: ExpectedElement) -> bytes:
    return element.raw_path.rpartition(b"/")[2]


def _is_special(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    return element.is_special


def _is_no_text(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    return not element.is_utf8


def _is_hidden(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    return _name(element).startswith(b".")


def _is_ignored(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    return _name(element) in ignored


def _is_filtered(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    return _is_left_out(_name(element))


def has_left_out_name(element: ExpectedElement) -> bool:
    """Return whether an element, or a directory above it, has a name that programs leave out."""
    names = element.raw_path.split(b"/")
    return any(name.startswith(b".") or _is_left_out(name) for name in names)


def _is_left_out(name: bytes) -> bool:
    return name.partition(b".")[0] in _RESERVED or name in _FILTERED_NAMES or name.endswith(_FILTERED_ENDS)


def _signs(elements: Iterable[ExpectedElement]) -> frozenset[int]:
    """Return the bytes of names that are neither ASCII letters nor digits nor dots."""
    return frozenset(sign for one in elements for sign in _name(one) if sign not in _PLAIN_SIGNS)


def _is_link(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    return element.node.kind is Kind.SYMLINK


def _is_unreadable(element: ExpectedElement, ignored: frozenset[bytes]) -> bool:
    node = element.node
    return node.kind is Kind.FILE and node.mode is not None and not node.mode & 0o400


_REASONS = (
    _Reason(_is_special, "WD-WALK-03", "special files are missing", is_compared=False),
    _Reason(_is_no_text, "WD-WALK-01", "elements whose names are not UTF-8 are missing"),
    _Reason(_is_ignored, "WD-WALK-03", "what an ignoring file names is missing"),
    _Reason(_is_hidden, "WD-WALK-03", "hidden entries are missing", is_general=True),
    _Reason(_is_link, "WD-WALK-03", "links are missing", is_compared=False),
    _Reason(_is_unreadable, "WD-WALK-03", "files that cannot be read are missing"),
    _Reason(_is_filtered, "WD-WALK-03", "entries are missing for their names"),
)
_ODD_NAME = _Reason(_is_filtered, "WD-WALK-03", "entries are missing for their names")
"""The reason that is a sign in a name."""
