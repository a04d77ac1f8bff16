"""The expected outcome of a call by one combination of readings: a listing, or an error with its codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from treeproof.api import Case, Kind, Node, Tree, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import Request, parse_arguments
from .filters import Filters, has_hidden_component, type_of
from .outcomes import ExcludedEntry, ExpectedEntry, ExpectedFailure, ExpectedListing, ExpectedOutcome
from .path_resolution import (
    Location,
    Project,
    ResolvedPath,
    leads_to_a_directory_inside,
    may_be_looked_into,
)
from .refusals import PathRules, format_path, textual_path

RECOMMENDED_READINGS: Mapping[str, str] = {
    **{
        f"AMB-LS-{number}": "a"
        for number in (
            *("01", "02", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "17", "18", "21", "22"),
            *("27", "33", "41", "44", "50", "51", "52", "53", "54", "55", "56", "58", "59", "60", "61", "63", "64"),
            *("65", "66", "68", "69", "70", "71", "72", "73", "74", "75"),
        )
    },
    "AMB-LS-67": "forbidden",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""

_LEAVES_BY_TEXT = "a path with a link that leaves the project by its text"


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    if others := case.context.keys() - {"working_dir", "allow_absolute", "roots"}:
        raise Unmodelled(f"the context has {min(others)}")
    project = Project(case)
    return _Call(project, _working_dir(project, case), (case.tree, case.outside), readings).outcome(case.arguments)


def _working_dir(project: Project, case: Case) -> Location:
    text = case.context.get("working_dir", project.root_text.decode())
    target = project.resolve(project.root, str(text).encode())
    if not (target.is_inside and target.is_directory and not target.through_link):
        raise Unmodelled("the working directory is no plain directory in the project")
    return target.location


class _Call:
    """One call, resolved from its working directory `start`."""

    def __init__(self, project: Project, start: Location, trees: tuple[Tree, Tree], readings: ReadingChoices) -> None:
        self.trees = trees
        self.project = project
        self.readings = readings
        self.below_root = start[len(project.root) :]
        self.cwd = format_path(self.below_root)
        self.paths = PathRules(project, start, self.cwd, readings)

    def outcome(self, arguments: object) -> ExpectedOutcome:
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

    def listing(self, request: Request) -> ExpectedOutcome:
        target = self.paths.resolve(request.path)
        nodes = self.project.entries(target.location)
        if any(node.faults for node in nodes):
            raise Unmodelled("an entry that cannot be looked at for a fault")
        if not all(map(_is_utf8, nodes)) and self.readings["AMB-LS-27"] == "d":
            reason = "a name is not UTF-8"
            return ExpectedFailure(("INTERNAL_ERROR",), "LS-DATA-06", reason, self.cwd)
        resolved = format_path(target.relative)
        base = self.base(request, target) if nodes or target.through_link else resolved
        can_look = may_be_looked_into(target.node)
        entries, excluded = self.filtered(request, target, base, can_look)
        headings: tuple[str, ...] = tuple(dict.fromkeys((base, resolved)))
        if request.path != resolved and self.readings["AMB-LS-04"] == "b":
            headings = (request.path,)
        return ExpectedListing(
            request=request,
            cwd=self.cwd,
            resolved_paths=tuple(dict.fromkeys((resolved, base))),
            headings=headings,
            entries=tuple(sorted(entries, key=lambda entry: (*entry.sort_key, entry.key))),
            excluded=excluded,
            is_truncated=self.is_truncated(request, len(entries)),
            shows_names_only=base != "." and bool(entries) and self.readings["AMB-LS-05"] == "b",
            through_link=target.through_link,
            is_simple_path=request.path == resolved,
            has_extra_members=bool(entries) and self.readings["AMB-LS-67"] == "tolerated",
            has_free_types=not can_look,
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
        textual = textual_path(self.below_root, request.path, self.project.root_text.decode())
        if textual is None:
            raise Unmodelled(_LEAVES_BY_TEXT)
        return textual

    def is_truncated(self, request: Request, total: int) -> bool:
        """Return whether the page is truncated: entries follow it, or by another reading an offset precedes it."""
        if request.offset + request.limit < total:
            return True
        if request.offset == 0:
            return False
        past = request.offset - total
        return self.readings["AMB-LS-02" if past > 0 else "AMB-LS-01" if past else "AMB-LS-70"] == "b"

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
        if target.through_link:
            textual = textual_path(self.below_root, request.path, self.project.root_text.decode())
            if textual != path and self.readings["AMB-LS-56"] == "b":
                if textual is None:
                    raise Unmodelled(_LEAVES_BY_TEXT)
                path = textual
        return "" if path == "." else path + "/"

    def entry(self, key: str, node: Node, target: ResolvedPath, base: str, can_look: bool) -> ExpectedEntry:
        type = type_of(node)
        sorts_first = can_look and (type == "dir" or (type == "link" and self.leads_to_directory(target, node)))
        is_link = type == "link"
        rank = 0.0 if sorts_first else self.link_rank() if is_link and can_look else 1.0
        return ExpectedEntry(
            key,
            base,
            type,
            sorts_first,
            rank,
            is_link and not self.project.resolve(target.location, node.target or b"").is_inside,
            (node.target or b"").decode("utf-8", "replace"),
            self.shown_name(node),
            node.mode is not None and not node.mode & 0o400,
        )

    def shown_name(self, node: Node) -> str:
        """Return the pattern of the texts for a name that is not UTF-8; "" for another name."""
        if _is_utf8(node):
            return ""
        if self.readings["AMB-LS-27"] == "b":
            return ".+"
        text = node.name.decode("utf-8", "surrogateescape")
        return "".join("\ufffd?" if "\udc80" <= sign <= "\udcff" else re.escape(sign) for sign in text)

    def link_rank(self) -> float:
        """Return the rank of a link that does not lead to a directory inside."""
        return {"a": 1.0, "b": 2.0, "c": 0.5}[self.readings["AMB-LS-64"]]

    def leads_to_directory(self, target: ResolvedPath, link: Node) -> bool:
        return link.kind is Kind.SYMLINK and leads_to_a_directory_inside(
            self.project, target.location, link, self.readings
        )


def _is_utf8(node: Node) -> bool:
    try:
        node.name.decode()
    except UnicodeDecodeError:
        return False
    return True
