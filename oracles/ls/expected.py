"""The expected outcome of a call by one combination of readings: a listing, or an error with its codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from treeproof.api import Case, Kind, Node, Tree, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import PARAMETERS, Request, parse_arguments
from .envelope_comparison import with_one_name
from .filters import Filters, has_hidden_component, type_of
from .outcomes import ALL_CODES, ExcludedEntry, ExpectedEntry, ExpectedFailure, ExpectedListing, ExpectedOutcome
from .path_resolution import (
    ABOVE_KNOWN,
    Location,
    Project,
    ResolvedPath,
    is_sorted_as_directory,
    leads_to_file,
    may_be_looked_into,
    project_of,
)
from .refusals import PathRules, format_path, spellings

RECOMMENDED_READINGS: Mapping[str, str] = {
    **{
        f"AMB-LS-{number}": "a"
        for number in (
            *("01", "02", "04", "05", "06", "09", "10", "12", "13", "17", "18", "21", "22", "23", "27", "33", "41"),
            *(
                "51",
                "52",
                "53",
                "59",
                "61",
                "63",
                "64",
                "66",
                "70",
                "71",
                "72",
                "75",
                "78",
                "79",
                "80",
                "81",
                "82",
                "83",
            ),
        )
    },
    "AMB-LS-67": "forbidden",
    "AMB-LS-76": "working_dir",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    if others := case.context.keys() - {"working_dir", "allow_absolute", "roots"}:
        raise Unmodelled(f"the context has {min(others)}")
    project = project_of(case)
    return _Call(project, _working_dir(project, case), (case.tree, case.outside), readings).outcome(case.arguments)


def _working_dir(project: Project, case: Case) -> Location:
    text = case.context.get("working_dir", "$ROOT")
    if project.is_missing and text == project.root_text.decode():
        return project.root
    target = project.resolve(project.root, str(text).encode())
    is_known = target.is_inside and target.location[:1] != ABOVE_KNOWN
    if not (is_known and target.is_directory and not target.through_link):
        raise Unmodelled("the working directory is no plain directory in the project")
    return target.location


class _Call:
    """One call from the working directory `start`."""

    def __init__(self, project: Project, start: Location, trees: tuple[Tree, Tree], readings: ReadingChoices) -> None:
        self.trees = trees
        self.project = project
        self.readings = readings
        self.start = start
        self.cwd = format_path(project.relative(start))

    @cached_property
    def paths(self) -> PathRules:
        """The rules for a path; looks up where relative ones start."""
        is_below = self.start != self.project.root and self.readings["AMB-LS-76"] == "root"
        root = ABOVE_KNOWN if self.project.is_system else self.project.root
        return PathRules(self.project, root if is_below else self.start, self.cwd, self.readings)

    def outcome(self, arguments: object) -> ExpectedOutcome:
        return replace(self._outcome(arguments), echo=self._echo(arguments))

    def _echo(self, arguments: object) -> object:
        """Return the arguments that the context shows. `__proto__` shows no reading: some readers of JSON drop it."""
        if not isinstance(arguments, dict) or arguments.keys() <= set(PARAMETERS):
            return arguments
        left_out = {"__proto__"} & arguments.keys()
        if arguments.keys() - left_out - set(PARAMETERS) and self.readings["AMB-LS-81"] == "b":
            left_out = arguments.keys() - set(PARAMETERS)
        elif left_out and self.readings.choose("__proto__", ("kept", "dropped")) == "kept":
            return arguments
        return {name: value for name, value in arguments.items() if name not in left_out}

    def _outcome(self, arguments: object) -> ExpectedOutcome:
        if self.project.is_missing:
            return ExpectedFailure(ALL_CODES, "LS-SEC-01", "the project root is no directory", self.cwd)
        self._refuse_rest_of_system(arguments)
        request = parse_arguments(arguments, self.readings)
        if isinstance(request, Request):
            return self.paths.failure(request.path) or self.listing(request)
        path = arguments.get("path", ".") if isinstance(arguments, dict) else "."
        codes = request.codes
        if isinstance(path, str) and "\0" not in path:
            failure = self.paths.failure(path)
            if failure is not None and self.readings["AMB-LS-33"] == "b":
                codes = failure.codes
        others = () if request.requirement == "LS-ARG-07" else ("LS-ERR-05",)
        return ExpectedFailure(codes, request.requirement, request.reason, self.cwd, other_requirements=others)

    def _refuse_rest_of_system(self, arguments: object) -> None:
        """Raise Unmodelled for a relative path that may start at the root of the file system (AMB-LS-76)."""
        if not self.project.is_system or self.start == self.project.root or not isinstance(arguments, dict):
            return
        path = arguments.get("path", ".")
        if isinstance(path, str) and not path.startswith(("/", "$")) and self.readings["AMB-LS-76"] == "root":
            raise Unmodelled("the path may lead to the rest of the system")

    def listing(self, request: Request) -> ExpectedOutcome:
        target = self.paths.resolve(request.path)
        if target.location[:1] == ABOVE_KNOWN:
            raise Unmodelled("the rest of the system is listed")
        nodes = self.project.entries(target.location)
        has_faults = any("lstat" in node.faults for node in nodes)
        if any(node.error == "ENOENT" for node in nodes):
            raise Unmodelled("an entry that vanishes while it is listed")
        if has_faults and self.readings.choose("an entry that cannot be looked at", ("listed", "refused")) == "refused":
            codes = ("INTERNAL_ERROR", "ACCESS_DENIED", "NOT_FOUND")
            return ExpectedFailure(codes, "LS-ERR-06", "an entry cannot be looked at", self.cwd)
        resolved = format_path(target.relative)
        base = self.base(request, target) if nodes or target.through_link else resolved
        can_look = may_be_looked_into(target.node)
        entries, excluded = self.filtered(request, target, base, can_look)
        is_open = can_look and any(self.cannot_be_followed(target, node) for node in nodes)
        if is_open and self.readings.choose("a link that cannot be followed", (False, True)):
            return ExpectedFailure(("ACCESS_DENIED",), "LS-ERR-04", "a link cannot be followed", self.cwd)
        headings: tuple[str, ...] = tuple(dict.fromkeys((base, resolved)))
        if request.path != resolved and self.readings["AMB-LS-04"] == "b":
            headings = tuple(map(with_one_name, spellings(request.path, self.project.root_text.decode(), resolved)))
        return ExpectedListing(
            request=request,
            cwd=self.cwd,
            resolved_paths=self.paths.shown_paths(resolved, base),
            headings=headings,
            entries=tuple(sorted(entries, key=lambda entry: (*entry.sort_key, entry.key))),
            excluded=excluded,
            is_truncated=self.is_truncated(request, len(entries)),
            line_forms=self.readings.accepted_labels("AMB-LS-05"),
            remaining=self.remaining(request, len(entries)),
            through_link=target.through_link,
            is_simple_path=request.path == resolved,
            may_have_others="tolerated" in self.readings.accepted_labels("AMB-LS-67"),
            has_free_order=has_faults or not can_look,
            is_in_hidden=has_hidden_component(resolved) or has_hidden_component(request.path),
            trees=self.trees,
        )

    def base(self, request: Request, target: ResolvedPath) -> str:
        """Return the path of the directory below which its entries are shown."""
        resolved, has_dots = format_path(target.relative), ".." in request.path.split("/")
        if not target.through_link or (not has_dots and self.readings["AMB-LS-21"] == "a"):
            return resolved
        if has_dots and self.readings.choose("dots behind a link", ("followed", "removed")) == "followed":
            return resolved  # it names no place below the link
        return self.paths.textual_path(request.path) or resolved  # one that leaves by its text names no place inside

    def is_truncated(self, request: Request, total: int) -> bool:
        """Return whether the page is truncated: entries follow it, or by another reading an offset precedes it."""
        if request.offset + request.limit < total:
            return True
        if request.offset == 0:
            return False
        past = request.offset - total
        return self.readings["AMB-LS-02" if past > 0 else "AMB-LS-01" if past else "AMB-LS-70"] == "b"

    def remaining(self, request: Request, total: int) -> int:
        """Return the number of entries that the third line of a truncated listing calls available."""
        behind = max(0, total - request.offset - request.limit)
        return total - request.limit if behind and request.offset and self.readings["AMB-LS-78"] == "b" else behind

    def filtered(
        self, request: Request, target: ResolvedPath, base: str, can_look: bool
    ) -> tuple[list[ExpectedEntry], dict[str, ExcludedEntry]]:
        """Return the entries of a directory that are listed, and those that are not."""
        entries: list[ExpectedEntry] = []
        excluded: dict[str, ExcludedEntry] = {}
        filters = Filters(
            request,
            lambda: self.pattern_base(request, target),
            lambda node: self.leads_to_directory(target, node),
            self.readings,
        )
        for node in self.project.entries(target.location):
            requirement = filters.exclusion(node)
            key = node.name.decode("utf-8", "surrogateescape")
            if requirement is not None:
                excluded[key] = ExcludedEntry(requirement, type_of(node))
            else:
                entries.append(self.entry(key, node, target, "" if base == "." else base, can_look))
        return entries, excluded

    def pattern_base(self, request: Request, target: ResolvedPath) -> str:
        """Return what patterns meet before the name of an entry."""
        path = format_path(target.relative)
        if target.through_link:  # as for the paths of entries; a tool may show one of them and match the other
            textual = self.paths.textual_path(request.path) or path
            if textual != path and self.readings.choose("patterns behind a link", ("resolved", "given")) == "given":
                path = textual
        return "" if path == "." else path + "/"

    def entry(self, key: str, node: Node, target: ResolvedPath, base: str, can_look: bool) -> ExpectedEntry:
        type = type_of(node)
        sorts_first = can_look and (type == "dir" or (type == "link" and self.leads_to_directory(target, node)))
        is_link = type == "link"
        rank = 0.0 if sorts_first else self.link_rank(target, node) if is_link and can_look else 1.0
        return ExpectedEntry(
            key,
            base,
            type,
            sorts_first,
            rank,
            is_link and not self.project.resolve(target.location, node.target or b"").is_inside,
            (node.target or b"").decode("utf-8", "replace"),
            self.shown_name(node),
            "lstat" in node.faults or (node.mode is not None and not node.mode & 0o400),
        )

    def shown_name(self, node: Node) -> str:
        """Return the pattern of the texts for a name that is not UTF-8; "" for another name."""
        if _is_utf8(node):
            return ""
        if self.readings["AMB-LS-27"] == "b":
            return ".+"
        text = node.name.decode("utf-8", "surrogateescape")
        return "".join("\ufffd?" if "\udc80" <= sign <= "\udcff" else re.escape(sign) for sign in text)

    def link_rank(self, target: ResolvedPath, link: Node) -> float:
        """Return the rank of a link that does not lead to a directory inside."""
        reading = self.readings["AMB-LS-64"]
        if reading == "d":
            return 1.0 if leads_to_file(self.project, target.location, link, self.readings) else 2.0
        return {"a": 1.0, "b": 2.0, "c": 0.5}[reading]

    def cannot_be_followed(self, target: ResolvedPath, link: Node) -> bool:
        is_link = link.kind is Kind.SYMLINK
        return is_link and self.project.resolve(target.location, link.target or b"").is_unsearchable

    def leads_to_directory(self, target: ResolvedPath, link: Node) -> bool:
        return link.kind is Kind.SYMLINK and is_sorted_as_directory(self.project, target.location, link, self.readings)


def _is_utf8(node: Node) -> bool:
    try:
        node.name.decode()
    except UnicodeDecodeError:
        return False
    return True
