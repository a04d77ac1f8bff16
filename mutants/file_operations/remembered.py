"""Mutants: what an earlier call or an earlier look has shown counts for a later call."""

import os
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from treeproof.reference_impl.file_operations.candidate import copy_tool, file_tools, move_tool
from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
from treeproof.reference_impl.file_operations.transfer import Copy
from treeproof.reference_impl.shared.context import CallContext, PolicyMode
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.executor import Executor, Result, Tool
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy
from .file_writers import source_path
from .sandbox import OpensByPath


class KeepsTheArgument(Executor):
    """An overwrite that is left out is that of the last call that had one."""

    _last: Any = None

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if isinstance(arguments, dict) and "source" in arguments:
            if "overwrite" in arguments:
                self._last = arguments["overwrite"]
            elif self._last is not None:
                arguments = {**arguments, "overwrite": self._last}
        return super().execute(name, arguments, context, flavour)


class KeptSettings:
    """A value that is not written is that of an earlier call."""

    def __init__(self) -> None:
        self._allowed = False

    def __call__(self, config: Any) -> Settings:
        table = ((config or {}).get("tools") or {}).get("fileops") or {}
        if "allow_overwrite" in table:
            self._allowed = read_settings(config).allow_overwrite
        return Settings(allow_overwrite=self._allowed)


class KeepsApprovals(Executor):
    """After one approval, no approval is requested again."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        super().__init__(tools)
        self._is_approved = False

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if self._is_approved and context.policy.mode is PolicyMode.PROMPT:
            context = replace(context, policy=replace(context.policy, mode=PolicyMode.AUTO))
        result = super().execute(name, arguments, context, flavour)
        self._is_approved = self._is_approved or (result.approval_requested and context.approves)
        return result


class KeepsChecks(LinkSandbox):
    """A directory that was inside once is inside for ever."""

    known: ClassVar[dict[bytes, CanonicalPath]] = {}

    def _canonicalise(self, path: bytes) -> CanonicalPath:
        directory, name = os.path.split(os.path.normpath(path))
        if directory in self.known:
            kept = self.known[directory]
            return CanonicalPath(kept.anchor, (*kept.parts, name), None)
        found = super()._canonicalise(path)
        if os.path.isdir(directory) and not os.path.islink(directory):
            self.known[directory] = super()._canonicalise(directory)
        return found


class StaysMissing(Executor):
    """A source that was missing once stays missing."""

    _missing: frozenset[str] = frozenset()

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        source = arguments.get("source") if isinstance(arguments, dict) else None
        if not isinstance(source, str):
            return super().execute(name, arguments, context, flavour)
        path = os.path.join(context.working_dir, source)
        if path in self._missing:
            return Result(kind=ErrorKind.EXECUTION_FAILED, message="the source does not exist")
        result = super().execute(name, arguments, context, flavour)
        if result.kind is ErrorKind.EXECUTION_FAILED and not os.path.lexists(path):
            self._missing |= {path}
        return result


class ContentOfInode(FileCopy):
    """The content of a small file is the one of its first copy."""

    known: ClassVar[dict[Hashable, bytes]] = {}

    def key(self, source: int) -> Hashable:
        found = os.fstat(source)
        return found.st_dev, found.st_ino

    def read_chunks(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().read_chunks(source))
        yield self.known.setdefault(self.key(source), content) if 0 < len(content) < 1024 else content


class ContentOfPath(ContentOfInode):
    """The content of a small file is the one of the first copy from its path."""

    known: ClassVar[dict[Hashable, bytes]] = {}

    def key(self, source: int) -> Hashable:
        return source_path(self)


class CopiesByInode(Copy):
    copier = ContentOfInode


class CopiesByPath(Copy):
    copier = ContentOfPath


def with_settings(settings: Any) -> list[Tool]:
    """Return the tools, with settings that both share."""
    return file_tools(move_tool(settings=settings), copy_tool(settings=settings))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-334",
        "An overwrite that is left out is that of the last call.",
        "FR-EXE-01 FR-FOPS-MV-03 FR-FOPS-CP-03 CFG-FOPS-01 DFO-05",
        executor=KeepsTheArgument,
    ),
    build_mutant(
        "MUT-FO-335",
        "A configuration that is not written is that of an earlier call.",
        "CFG-FOPS-01",
        tools=with_settings(KeptSettings()),
    ),
    build_mutant(
        "MUT-FO-339",
        "A directory that was inside once is inside, whatever it has become.",
        "NFR-FOPS-SEC-01 FR-VAL-06 FR-EXE-01",
        tools=file_tools(
            OpensByPath(**vars(move_tool(sandbox=KeepsChecks))), OpensByPath(**vars(copy_tool(sandbox=KeepsChecks)))
        ),
    ),
    build_mutant(
        "MUT-FO-344",
        "After one approval, none is requested again.",
        "NFR-FOPS-SEC-02 FR-APR-04d",
        executor=KeepsApprovals,
    ),
    build_mutant(
        "MUT-FO-441",
        "A source that was missing once stays missing.",
        "DFO-01 DFO-02 FR-EXE-01",
        executor=StaysMissing,
    ),
    build_mutant(
        "MUT-FO-442",
        "A file of the same inode as one that was copied before is copied with its content.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopiesByInode),
    ),
    build_mutant(
        "MUT-FO-443",
        "A file of the same path as one that was copied before is copied with its content.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopiesByPath),
    ),
)
