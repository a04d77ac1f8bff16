"""The entries that are missing and those that should not be there, and the rule that each of them breaks.

An entry can be missing for several reasons, such as its name or its place. A reason is out of the question if another
entry that it concerns is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Finding, Kind

from ..shared.formatting import format_paths
from .globs import is_malformed
from .identification import Pairing
from .outcomes import ExpectedEntry, ExpectedListing, ExpectedSearch

TWICE, OTHER_NAME = "an entry is there twice", "an entry has another name"

_PLAIN_GLOB = re.compile(r"\*\*/[a-z]*\*(\.[a-z]+)?")
"""Globs that every dialect reads alike: if something is lost, it is rather lost on the way than by its name."""

_FILTERED = re.compile(
    rb"(?s)\..*|node_modules|target|build|dist|vendor|venv|out|bin|obj|__pycache__|lost\+found|Thumbs\.db|desktop\.ini"
    rb"|id_rsa|#.*#|.*(~|\.bak|\.class|\.pem|\.o|\.tmp|\.lock|\.log|\.sw[po]|\.key)"
)
"""Names that programs leave out of lists."""


def membership_findings(expected: ExpectedListing, pairing: Pairing) -> Iterator[Finding]:
    """Yield a finding for each entry that is missing, unexpected or there twice."""
    rules = _Rules(expected, pairing)
    for entry, element in pairing.renamed:
        due, got = format_paths([entry.path]), format_paths([str(element.get("name"))])
        finding = Finding("LF-FIELD-01", f"{due} has another name", due, got, kind=OTHER_NAME)
        if expected.search is not None:
            finding = replace(finding, requirement="LF-FIND-03", other_requirements=("LF-FIELD-01",))
        yield finding
    for path in pairing.twice:
        rule = "LF-LIST-01" if expected.search is None else "LF-FIND-02"
        yield rules.finding(rule, f"{format_paths([path])} is there twice", TWICE)
    for path, _ in pairing.foreign:
        yield from rules.foreign(path)
    for entry in pairing.missing:
        if expected.search is not None and "\n" in _part_of_stars(entry.path, expected.search.glob):
            # Two stars of some libraries stand for no line break; the document does not state that they do.
            kind = "matches behind a line break are missing"
            finding = rules.finding("LF-FIND-02", f"{format_paths([entry.path])} is missing", kind)
            yield replace(finding, basis="prudent")
            continue
        if expected.search is not None and is_malformed(expected.search.glob):
            # By another reading the glob is malformed, of which the document does not speak.
            kind = "a malformed glob finds nothing"
            yield replace(rules.finding("LF-ERR-02", f"{format_paths([entry.path])} is missing", kind), basis="prudent")
            continue
        first, *others = rules.missing(entry)
        yield rules.finding(first, f"{format_paths([entry.path])} is missing", rules.kind_of(first), *others)


def _part_of_stars(path: str, glob: str) -> str:
    """Return what two stars of the glob may stand for."""
    return path if "**" in glob.rpartition("/")[2] else path.rpartition("/")[0]


class _Rules:
    """The rules that the membership of an answer breaks."""

    def __init__(self, expected: ExpectedListing, pairing: Pairing) -> None:
        self._expected, self._pairing = expected, pairing
        self._present = [entry for entry, _ in pairing.pairs]

    def finding(self, requirement: str, message: str, kind: str, *others: str) -> Finding:
        """Return a finding that shows all paths."""
        return Finding(requirement, message, self._due, self._got, others, kind)

    @cached_property
    def _due(self) -> str:
        return format_paths(sorted(entry.path for entry in self._expected.entries))

    @cached_property
    def _got(self) -> str:
        pairs = (*self._pairing.pairs, *self._pairing.renamed)
        paths = [entry.path for entry, _ in pairs] + self._pairing.twice + [path for path, _ in self._pairing.foreign]
        return format_paths(sorted(paths))

    def kind_of(self, rule: str) -> str:
        """Return what is missing, by the rule that it breaks."""
        return {
            "LF-LIST-02": "entries are left out for their names or modes",
            "LF-TYPE-03": "special files are missing",
            "LF-LINK-01": "links that lead nowhere are missing",
            "LF-FIELD-01": "entries whose names are not UTF-8 are missing",
            "LF-FIND-01": "matches in directories below are missing",
            "LF-FIND-05": "matches beside links are missing",
        }.get(rule, MISSING_ENTRIES)

    def foreign(self, path: str) -> Iterator[Finding]:
        """Yield the finding of an element that is none of the entries."""
        search, subject = self._expected.search, format_paths([path])
        if search is None:
            yield self.finding("LF-LIST-01", f"{subject} is no child", UNEXPECTED_ENTRIES)
        elif any(path.startswith(link + "/") for link in search.open_links):
            return
        elif not search.enters_links and any(path.startswith(link + "/") for link in search.links):
            yield self.finding("LF-FIND-05", f"{subject} lies behind a link", "what lies behind a link is found")
        elif not search.is_recursive and path.count("/") > search.glob.replace("**/", "").count("/"):
            kind = "what lies deeper is found without recursion"
            others = ["LF-FIND-02"] if path.count("/") <= search.glob.count("/") else []
            yield self.finding("LF-FIND-04", f"{subject} lies deeper", kind, *others)
        elif is_malformed(search.glob):
            kind = "a malformed glob finds other names"
            yield replace(self.finding("LF-ERR-02", f"{subject} does not match", kind), basis="prudent")
        else:
            yield self.finding("LF-FIND-02", f"{subject} does not match", "what does not match is found")

    def missing(self, entry: ExpectedEntry) -> list[str]:
        """Return the rules that a missing entry breaks alike, the most specific one first."""
        search = self._expected.search
        return [self._missing_child(entry)] if search is None else self._missing_match(entry, search)

    def _missing_child(self, entry: ExpectedEntry) -> str:
        for concerns, rule in self._reasons:
            if concerns(entry):
                return rule
        return "LF-LIST-01"

    @cached_property
    def _reasons(self) -> list[tuple[Callable[[ExpectedEntry], bool], str]]:
        """The reasons that what is there does not exclude."""
        return [(concerns, rule) for concerns, rule in _REASONS if not any(map(concerns, self._present))]

    def _missing_match(self, entry: ExpectedEntry, search: ExpectedSearch) -> list[str]:
        directory = entry.path.rpartition("/")[0]
        if not search.is_recursive:
            return ["LF-FIND-02", "LF-FIND-04"]
        rules = ["LF-FIND-02"]
        if directory and directory not in self._directories_of_present:
            is_plain = _PLAIN_GLOB.fullmatch(search.glob) and not entry.raw_path.startswith(b".")
            rules = ["LF-FIND-01", "LF-FIND-02"] if is_plain else ["LF-FIND-02", "LF-FIND-01"]
        if self._may_be_lost_beside_links:
            rules.insert(0, "LF-FIND-05")
        return rules

    @cached_property
    def _directories_of_present(self) -> frozenset[str]:
        """The directories in which something is that is there. Of thousands of missing entries, each asks."""
        parents: set[str] = set()
        for entry in self._present:
            parent = entry.path.rpartition("/")[0]
            while parent and parent not in parents:
                parents.add(parent)
                parent = parent.rpartition("/")[0]
        return frozenset(parents)

    @cached_property
    def _may_be_lost_beside_links(self) -> bool:
        search = self._expected.search
        if search is None or not _PLAIN_GLOB.fullmatch(search.glob):
            return False
        return any(one.is_link for one in search.everything)


def _is_special(entry: ExpectedEntry) -> bool:
    return entry.node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK)


def _is_no_text(entry: ExpectedEntry) -> bool:
    return not entry.is_utf8


def _is_hidden(entry: ExpectedEntry) -> bool:
    return entry.raw_path.startswith(b".")


def _is_filtered(entry: ExpectedEntry) -> bool:
    return _FILTERED.fullmatch(entry.raw_path) is not None


def _leads_nowhere(entry: ExpectedEntry) -> bool:
    """Return whether a link leads to no entry beside it."""
    if not entry.is_link:
        return False
    target = (entry.node.target or b"").rstrip(b"/")
    sibling = next((node for node in entry.place[-1].children if node.name == target), None) if entry.place else None
    return sibling is None or sibling.kind is Kind.SYMLINK


def _is_closed(entry: ExpectedEntry) -> bool:
    return entry.node.mode is not None and entry.node.mode & 0o400 == 0


_REASONS: tuple[tuple[Callable[[ExpectedEntry], bool], str], ...] = (
    (_is_special, "LF-TYPE-03"),
    (_is_no_text, "LF-FIELD-01"),
    (_is_hidden, "LF-LIST-02"),
    (_is_filtered, "LF-LIST-02"),
    (_leads_nowhere, "LF-LINK-01"),
    (_is_closed, "LF-LIST-02"),
)
