"""Mutants: source or destination not checked against the sandbox, or checked by text."""

import contextlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.reference_impl.file_operations.candidate import (
    FileTool,
    TransferPlan,
    copy_tool,
    file_tools,
    move_tool,
)
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.transfer import Move
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move
from .file_writers import WritesInPlace, WritesThroughLinks, final_path, open_nonblocking, source_path
from .overwriting import FollowsToLook


class Anywhere(LinkSandbox):
    """Every place is inside the sandbox."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return [CanonicalPath(b"/", ())]

    def _check_text(self, path: str) -> None:
        pass


class ChecksOne(LinkSandbox):
    """Checks only one of source and destination."""

    checked_index = 0

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._loose: LinkSandbox = Anywhere(context, flavour)
        self._seen = 0

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        self._seen += 1
        return super().resolve_named(path) if self._seen - 1 == self.checked_index else self._loose.resolve_named(path)

    def resolve_in_directory(self, directory: Place, name: bytes) -> NamedPlace:
        return (
            super().resolve_in_directory(directory, name)
            if self.checked_index
            else self._loose.resolve_in_directory(directory, name)
        )


class ChecksSource(ChecksOne):
    """Does not check the destination."""


class ChecksDestination(ChecksOne):
    checked_index = 1


class ByTheBeginning(LinkSandbox):
    """A place is inside if its path begins with the root's path."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        path = b"/" + b"/".join(target.parts)
        inside = any(path.startswith(b"/" + b"/".join(root.parts)) for root in self._roots)
        return [CanonicalPath(b"/", ())] if inside else []


class RawRoots(LinkSandbox):
    """Roots are not canonicalised."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._roots = [
            CanonicalPath(b"/", tuple(filter(None, os.fsencode(root).split(b"/")))) for root in context.roots
        ]


class NoDenials(LinkSandbox):
    """No pattern denies anything."""

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        pass


class DeniesSources(ChecksOne):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._loose = NoDenials(context, flavour)


class DeniesWhatWasNamed(LinkSandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._loose = NoDenials(context, flavour)

    def resolve_in_directory(self, directory: Place, name: bytes) -> NamedPlace:
        return self._loose.resolve_in_directory(directory, name)


class ByName(LinkSandbox):
    """A link is checked by its own place."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        try:
            return super().resolve_named(path)
        except ToolError:
            if not path.name:
                raise
            directory = self.resolve(path.parent)
            name = path.name.encode()
            self._check_denied_patterns((*directory.components, name))
            below = (*directory.components, name)
            found = os.path.join(directory.root, *below)
            if not os.path.islink(found):
                raise
            return NamedPlace(directory, name, Place(directory.root, below, None))


class MovesByPath(Move):
    """Renames by the checked paths."""

    def rename(self) -> None:
        if self.replaces_existing:
            super().rename()
        else:
            os.rename(source_path(self), final_path(self))


class TakesByPath(Move):
    def rename(self) -> None:
        if self.replaces_existing:
            super().rename()
        else:
            os.rename(source_path(self), self.final_name, dst_dir_fd=self.target_dir_fd)


class CopiesThrough(WritesInPlace):
    """Reads and writes by path, through every link."""

    def run(self) -> None:
        with open_nonblocking(source_path(self), "rb") as old:
            content = old.read()
        if not stat.S_ISREG(os.stat(self.source_name, dir_fd=self.source_dir_fd).st_mode):
            return
        with open_nonblocking(final_path(self), "wb") as new:
            new.write(content)


@dataclass(frozen=True)
class OpensByPath(FileTool):
    """Opens the checked directories by their paths."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> TransferPlan:
        return PlanByPath(**vars(super().plan(arguments, context, flavour)))


class PlanByPath(TransferPlan):
    def run(self) -> str:
        source, final = self.target.source, self.target.final
        with contextlib.ExitStack() as stack:
            descriptors = []
            for place in (source.directory, final.directory):
                try:
                    descriptors.append(
                        os.open(os.path.join(place.root, *place.components), os.O_RDONLY | os.O_DIRECTORY)
                    )
                except OSError as error:
                    raise execution_failed(error.strerror or "") from error
                stack.callback(os.close, descriptors[-1])
            try:
                self.tool.transfer(
                    descriptors[0], source.name, descriptors[1], final.name, self.target.replaces_existing
                ).run()
            except OSError as error:
                raise execution_failed(error.strerror or "") from error
        return "done"


class FollowsOneLink(LinkSandbox):
    """Follows the first link of a path and takes its target as it is."""

    def _canonicalise(self, path: bytes) -> CanonicalPath:
        done = b"/"
        steps = [step for step in path.split(b"/") if step not in (b"", b".")]
        for number, step in enumerate(steps):
            done = os.path.join(done, step)
            if os.path.islink(done):
                target = os.path.normpath(os.path.join(os.path.dirname(done), os.readlink(done)))
                if not os.path.islink(target):
                    break
                rest = steps[number + 1 :]
                return CanonicalPath(b"/", (*filter(None, target.split(b"/")), *rest), None)
        return super()._canonicalise(path)


class DeniesPlainKeys(LinkSandbox):
    """`id_rsa*` covers `id_rsa` alone."""

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        if not components or not components[-1].startswith(b"id_rsa") or components[-1] == b"id_rsa":
            super()._check_denied_patterns(components)


class DeniesAtTheTop(LinkSandbox):
    """Two stars stand for two directories at most."""

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        if len(components) <= 3:
            super()._check_denied_patterns(components)


class ChecksTheNextLink(LinkSandbox):
    """Where a path ends at a link, the link that it leads to is not followed for the check."""

    def resolve(self, path: str) -> Place:
        try:
            return super().resolve(path)
        except ToolError:
            entry = os.path.join(self._working_dir, os.fsencode(path))
            if not os.path.islink(entry):
                raise
            target = os.path.join(os.path.dirname(entry), os.readlink(entry))
            if not os.path.islink(target):
                raise
            directory = self._locate(self._canonicalise(os.path.dirname(target)))
            return Place(directory.root, (*directory.components, os.path.basename(target)), None)


# What the checks leave open is read and written by the candidate, not by an error beside it.
MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-270",
        "A root that is reached through a link contains nothing.",
        "NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=RawRoots),
    ),
    build_mutant(
        "MUT-FO-181",
        "The destination is not checked.",
        "NFR-FOPS-SEC-01 FR-VAL-02 FR-VAL-04 FR-VAL-05 FR-APR-05",
        tools=tools_with_both(sandbox=ChecksSource),
    ),
    build_mutant(
        "MUT-FO-182",
        "The source is not checked.",
        "NFR-FOPS-SEC-01 FR-VAL-02 FR-VAL-04 FR-VAL-05",
        tools=tools_with_both(sandbox=ChecksDestination),
    ),
    build_mutant(
        "MUT-FO-183",
        "A sibling whose name begins with the root's is inside.",
        "FR-VAL-04 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=ByTheBeginning),
    ),
    build_mutant(
        "MUT-FO-188",
        "Denied patterns apply to sources only.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=DeniesSources),
    ),
    build_mutant(
        "MUT-FO-189",
        "Denied patterns do not apply to the final name in a directory.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=DeniesWhatWasNamed),
    ),
    build_mutant(
        "MUT-FO-192",
        "A link to the outside is read and written through.",
        "NFR-FOPS-SEC-01 DFO-02 DFO-04 DFO-05 DFO-06 DFO-07 FR-VAL-05 FR-FOPS-CP-03 DFO-08",
        tools=file_tools(copy=copy_tool(sandbox=ByName, resolution=Resolution, transfer=CopiesThrough)),
    ),
    build_mutant(
        "MUT-FO-193",
        "A dangling link to the outside is written through.",
        "NFR-FOPS-SEC-01 FR-FOPS-CP-03 DFO-06 DFO-07 FR-VAL-05",
        tools=tools_with_copy(sandbox=ByName, resolution=FollowsToLook, transfer=WritesThroughLinks),
    ),
    build_mutant(
        "MUT-FO-194",
        "The checked entry is used by its path.",
        "FR-VAL-06",
        tools=tools_with_move(transfer=MovesByPath),
    ),
    build_mutant(
        "MUT-FO-195",
        "The checked source is used by its path.",
        "FR-VAL-06",
        tools=tools_with_move(transfer=TakesByPath),
    ),
    build_mutant(
        "MUT-FO-297",
        "The checked directories are opened by their paths.",
        "FR-VAL-06",
        tools=file_tools(OpensByPath(**vars(move_tool())), OpensByPath(**vars(copy_tool()))),
    ),
    build_mutant(
        "MUT-FO-338",
        "Of several links in a row only the first is followed for the check.",
        "NFR-FOPS-SEC-01",
        tools=file_tools(
            OpensByPath(**vars(move_tool(sandbox=FollowsOneLink))),
            OpensByPath(**vars(copy_tool(sandbox=FollowsOneLink))),
        ),
    ),
    build_mutant(
        "MUT-FO-340",
        "Of the names that begin with `id_rsa` only that one is denied.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=DeniesPlainKeys),
    ),
    build_mutant(
        "MUT-FO-341",
        "Denied patterns reach three names deep.",
        "FR-VAL-05",
        tools=tools_with_both(sandbox=DeniesAtTheTop),
    ),
)
