"""Mutants that need the candidate's own checks: what is judged is not what is used, or a name is no tool's own."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import Request, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Tool
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both


class AbsoluteSourceAnywhere(LinkSandbox):
    """A source by an absolute path is inside, where such paths are allowed."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._context, self._is_source = context, True

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        is_source, self._is_source = self._is_source, False
        if is_source and self._allow_absolute and path.text.startswith("/"):
            return LinkSandbox(replace(self._context, roots=("/",)), self._flavour).resolve_named(path)
        return super().resolve_named(path)


class WithoutCase(LinkSandbox):
    """A place is inside if its path begins with the root's components in any case."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        begins = [part.lower() for part in target.parts]
        return [
            CanonicalPath(root.anchor, target.parts[: len(root.parts)])
            for root in self._roots
            if begins[: len(root.parts)] == [part.lower() for part in root.parts]
        ]


class TrustsLinks(LinkSandbox):
    """The text of a path is checked, and not where its links lead."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return [CanonicalPath(b"/", ())]


class OverwritesAnywhere(LinkSandbox):
    """Checks no links of a destination once `trusts_links` is set."""

    trusts_links = False

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._trusting = TrustsLinks(context, flavour)
        self._is_source = True

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        is_source, self._is_source = self._is_source, False
        return (
            self._trusting.resolve_named(path) if self.trusts_links and not is_source else super().resolve_named(path)
        )


class TrustsOverwriting(Resolution):
    def __init__(self, request: Request, sandbox: LinkSandbox) -> None:
        super().__init__(request, sandbox)
        if isinstance(sandbox, OverwritesAnywhere):
            sandbox.trusts_links = request.overwrite


class PublishesLists(Candidate):
    """The published schema permits a list of paths; a call with one is refused."""

    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        definition = super().describe(params)
        for key in definition["input_schema"]["properties"].keys() & {"source", "destination"}:
            definition["input_schema"]["properties"][key]["type"] = ["string", "array"]
        return definition


class UnhyphenatesNames(Executor):
    def find_tool(self, name: str) -> Tool:
        return super().find_tool(name.replace("-", "_"))


class InheritsNames(Executor):
    """Every name that an object of this language has is a tool too."""

    def find_tool(self, name: str) -> Tool:
        return super().find_tool("list_directory" if name in ("constructor", "toString") else name)


class AbsoluteInFirstRoot(LinkSandbox):
    """An absolute path counts in the first root only."""

    def _check_text(self, path: str) -> None:
        super()._check_text(path)
        self._is_absolute = path.startswith("/")

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        found = super()._roots_containing(target)
        return [root for root in found if root == self._roots[0]] if getattr(self, "_is_absolute", False) else found


def with_paths_changed_afterwards(change: Callable[[str], str]) -> type[LinkSandbox]:
    """Return a sandbox that judges a path and then gives the place of another one."""

    class Changes(LinkSandbox):
        def resolve_named(self, path: RequestedPath) -> NamedPlace:
            place = super().resolve_named(path)
            text = change(path.text)
            if text == path.text:
                return place
            way = os.path.normpath(os.path.join(os.fsdecode(self._working_dir), text))
            parts = tuple(part for part in os.fsencode(way).split(b"/") if part)
            return NamedPlace(Place(b"/", parts[:-1]), parts[-1], Place(b"/", parts))

    return Changes


def decoded(path: str) -> str:
    """Return the path without percent signs, however often they are encoded."""
    while (text := unquote(path)) != path:
        path = text
    return path


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-412",
        "Where absolute paths are allowed, a source by one may lie anywhere.",
        "FR-VAL-08 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=AbsoluteSourceAnywhere),
    ),
    build_mutant(
        "MUT-FO-256",
        "A sibling with the root's name in another case is inside.",
        "FR-VAL-04 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=WithoutCase),
    ),
    build_mutant(
        "MUT-FO-476",
        "Where overwriting is asked for, a destination behind a link may lie outside.",
        "NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=OverwritesAnywhere, resolution=TrustsOverwriting),
    ),
    build_mutant(
        "MUT-FO-359",
        "The published schema permits lists of paths.",
        "FR-FOPS-MV-01 FR-FOPS-CP-01",
        candidate_class=PublishesLists,
    ),
    build_mutant("MUT-FO-360", "A hyphen in a tool's name is an underscore.", "FR-FOPS-01", executor=UnhyphenatesNames),
    build_mutant("MUT-FO-361", "What every object inherits is a tool.", "FR-FOPS-01", executor=InheritsNames),
    build_mutant(
        "MUT-FO-367",
        "An absolute path counts in the first root only.",
        "FR-VAL-08",
        tools=tools_with_both(sandbox=AbsoluteInFirstRoot),
    ),
    build_mutant(
        "MUT-FO-390",
        "Percent signs are decoded after the check.",
        "NFR-FOPS-SEC-01 DFO-01 DFO-02",
        tools=tools_with_both(sandbox=with_paths_changed_afterwards(decoded)),
    ),
    build_mutant(
        "MUT-FO-391",
        "Backslashes become slashes after the check.",
        "NFR-FOPS-SEC-01 DFO-01 DFO-02 FR-FOPS-MV-02 FR-FOPS-CP-02",
        tools=tools_with_both(sandbox=with_paths_changed_afterwards(lambda path: path.replace("\\", "/"))),
    ),
    build_mutant(
        "MUT-FO-392",
        "Names are normalised to NFKC after the check.",
        "NFR-FOPS-SEC-01 DFO-01 DFO-02",
        tools=tools_with_both(sandbox=with_paths_changed_afterwards(lambda path: normalize("NFKC", path))),
    ),
    build_mutant(
        "MUT-FO-393",
        "The path of an address is used after the check.",
        "NFR-FOPS-SEC-01 DFO-01 DFO-02",
        tools=tools_with_both(sandbox=with_paths_changed_afterwards(lambda path: path.removeprefix("file:"))),
    ),
    build_mutant(
        "MUT-FO-394",
        "White space in front and quotes go after the check.",
        "NFR-FOPS-SEC-01 DFO-01 DFO-02",
        tools=tools_with_both(sandbox=with_paths_changed_afterwards(lambda path: path.strip().strip("'"))),
    ),
)
