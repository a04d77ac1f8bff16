"""Mutants: arguments, names and paths that are read as another program would read them."""

import glob
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result, Tool
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, sandbox_violation

from ..shared.mutant import Mutant
from .arguments import with_path_changed
from .builders import build_mutant, tools_with_both, tools_with_copy


class ReadsText(Executor):
    """Parses arguments that are a text."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        return super().execute(name, arguments, context, flavour)


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


def without_quotes(path: str) -> str:
    """Return the path without quotes around it."""
    return path[1:-1] if len(path) > 2 and path[0] == path[-1] and path[0] in "'\"" else path


class ExpandsPatterns(LinkSandbox):
    """A missing path that is a pattern means the first file that the pattern fits."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        place = super().resolve_named(path)
        found = glob.glob(path.text, root_dir=os.fsdecode(self._working_dir))
        is_missing = not os.path.lexists(os.path.join(place.directory.root, *place.directory.components, place.name))
        return super().resolve_named(RequestedPath(found[0], False)) if found and is_missing else place


class FoldsNames(Resolution):
    """A name that differs in case only is taken."""

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        found = super().stat_existing(final)
        directory = os.path.join(final.directory.root, *final.directory.components)
        names = {name.lower() for name in os.listdir(directory)}
        if found is None and final.name.lower() in names:
            raise execution_failed("destination exists, and overwrite is not set")
        return found


def with_patterns_changed(change: Callable[[str], str]) -> type[LinkSandbox]:
    """Return a sandbox that reads every denied pattern as another one as well."""

    class Rereads(LinkSandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            super().__init__(context, flavour)
            self._denied_patterns += tuple(change(one) for one in self._denied_patterns)

    return Rereads


def with_own_patterns_changed(change: Callable[[str], str]) -> type[LinkSandbox]:
    """Return a sandbox that reads the denied patterns of the call as others."""

    class Misreads(LinkSandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            patterns = [change(one) for one in context.denied_patterns]
            super().__init__(replace(context, denied_patterns=tuple(patterns)), flavour)

    return Misreads


class AbsoluteInFirstRoot(LinkSandbox):
    """An absolute path counts in the first root only."""

    def _check_text(self, path: str) -> None:
        super()._check_text(path)
        self._is_absolute = path.startswith("/")

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        found = super()._roots_containing(target)
        return [root for root in found if root == self._roots[0]] if getattr(self, "_is_absolute", False) else found


class ComparesRoots(LinkSandbox):
    """The text of an absolute path must begin with a root."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._given_roots = context.roots

    def _check_text(self, path: str) -> None:
        super()._check_text(path)
        if path.startswith("/") and not any(path.startswith(root) for root in self._given_roots):
            raise sandbox_violation("the path leads outside the sandbox")


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


class MakesTheWayFirst(Resolution):
    """Makes several missing directories on the way before the sandbox judges the path."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        way = os.path.join(os.fsdecode(self.sandbox._working_dir), self.request.destination.parent)
        if not os.path.lexists(way) and not os.path.lexists(os.path.dirname(way)):
            os.makedirs(way, exist_ok=True)


class NamedBehindBackslash(Resolution):
    """In a directory, the name is what follows the last backslash."""

    def file_name(self, source: NamedPlace) -> bytes:
        return super().file_name(source).rpartition(b"\\")[2]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-352",
        "Quotes around a path are removed.",
        "DFO-01 DFO-02",
        tools=tools_with_both(argument_parser=with_path_changed(without_quotes)),
    ),
    build_mutant(
        "MUT-FO-353",
        "A path ends where the path of an address would end.",
        "DFO-01 DFO-02",
        tools=tools_with_both(argument_parser=with_path_changed(lambda path: path.partition("#")[0])),
    ),
    build_mutant(
        "MUT-FO-354",
        "Names of copies are normalised to NFC.",
        "DFO-02",
        tools=tools_with_copy(argument_parser=with_path_changed(lambda path: normalize("NFC", path))),
    ),
    build_mutant(
        "MUT-FO-356",
        "A missing source that is a pattern means the first file that it fits.",
        "DFO-03",
        tools=tools_with_both(sandbox=ExpandsPatterns),
    ),
    build_mutant(
        "MUT-FO-358",
        "Arguments that are a text are parsed.",
        "FR-FOPS-MV-01 FR-FOPS-CP-01",
        executor=ReadsText,
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
        "MUT-FO-362",
        "A name that differs in case only is taken.",
        "DFO-01 DFO-02",
        tools=tools_with_both(resolution=FoldsNames),
    ),
    build_mutant(
        "MUT-FO-363",
        "Denied patterns have no end.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=with_patterns_changed(lambda pattern: pattern + "*")),
    ),
    build_mutant(
        "MUT-FO-364",
        "A dot in a denied pattern need not be in a name.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=with_patterns_changed(lambda pattern: pattern.replace("*.", "*"))),
    ),
    build_mutant(
        "MUT-FO-365",
        "A bracket in a denied pattern of the call is a bracket.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=with_own_patterns_changed(lambda pattern: pattern.replace("[", "[[]"))),
    ),
    build_mutant(
        "MUT-FO-366",
        "A star in a denied pattern of the call fits no name that begins with a dot.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=with_own_patterns_changed(lambda pattern: pattern.replace("/*", "/[!.]*"))),
    ),
    build_mutant(
        "MUT-FO-367",
        "An absolute path counts in the first root only.",
        "FR-VAL-08",
        tools=tools_with_both(sandbox=AbsoluteInFirstRoot),
    ),
    build_mutant(
        "MUT-FO-368",
        "Several missing directories are made before the sandbox judges the path.",
        "NFR-FOPS-SEC-01 DFO-10 FR-VAL-04 DFO-09 DFO-03",
        tools=tools_with_both(resolution=MakesTheWayFirst),
    ),
    build_mutant(
        "MUT-FO-386",
        "In a directory, the name is what follows the last backslash.",
        "FR-FOPS-MV-02 FR-FOPS-CP-02",
        tools=tools_with_both(resolution=NamedBehindBackslash),
    ),
    build_mutant(
        "MUT-FO-389",
        "An absolute path through a link that leads inside is refused.",
        "FR-VAL-08",
        tools=tools_with_both(sandbox=ComparesRoots),
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
