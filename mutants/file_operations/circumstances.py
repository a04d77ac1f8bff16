"""Mutants: names, modes, times and earlier calls make a difference that they must not make."""

import os
import shutil
import stat
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.file_operations.transfer import Copy
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move
from .file_writers import final_path, source_path


class TimeZeroIsFree(Resolution):
    """A file of the modification time 0 is none."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if existing.st_mtime_ns != 0:
            super().check_replacement(source, found, final, existing)


class HiddenIsFree(Resolution):
    """A hidden file is none."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if not (final.name.startswith(b".") and stat.S_ISREG(existing.st_mode)):
            super().check_replacement(source, found, final, existing)


class ReplacesTheParent(Resolution):
    """With overwrite, a file where a directory is needed gives way to one."""

    def resolve(self) -> Any:
        if self.request.overwrite and self.request.overwrite_allowed:
            parent = self.sandbox.resolve(self.request.destination.parent)
            path = os.path.join(parent.root, *parent.components)
            if os.path.isfile(path):
                os.unlink(path)
                os.mkdir(path)
        return super().resolve()


class ReversesTheFlag(Executor):
    """By an alias, overwrite false means true."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        is_alias = name not in self.tools
        if is_alias and isinstance(arguments, dict) and arguments.get("overwrite") is False:
            arguments = {**arguments, "overwrite": True}
        return super().execute(name, arguments, context, flavour)


class LinksWhatIsReadOnly(Copy):
    """A copy of a file that may only be read is another name of it."""

    def run(self) -> None:
        if self.stat_source().st_mode & 0o222 or self.replaces_existing:
            super().run()
        else:
            os.link(source_path(self), final_path(self))


class OpensForWriting(FileCopy):
    """Opens the source for writing as well."""

    def copy_content(self) -> os.stat_result:
        os.close(os.open(self.source_name, os.O_RDWR | os.O_NONBLOCK, dir_fd=self.source_dir_fd))
        return super().copy_content()


class CopiesWhatMayBeWritten(Copy):
    copier = OpensForWriting


def link_or_copy(source: str, final: str) -> None:
    """Link a file of several names, and copy any other."""
    if os.lstat(source).st_nlink > 1:
        os.link(source, final)
    else:
        shutil.copy2(source, final, follow_symlinks=False)


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


class KeepsAbsolute(Executor):
    """Absolute paths that were allowed once are allowed for ever."""

    _is_allowed = False

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        self._is_allowed = self._is_allowed or context.allow_absolute
        return super().execute(name, arguments, replace(context, allow_absolute=self._is_allowed), flavour)


class KeepsRoots(Executor):
    """The roots of earlier calls count."""

    _roots: tuple[str, ...] = ()

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        self._roots = tuple(dict.fromkeys((*context.roots, *self._roots)))
        return super().execute(name, arguments, replace(context, roots=self._roots), flavour)


class OwnPatternsNeedTheUsual(Executor):
    """Without the usual patterns, those of the call do not hold either."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if not context.include_default_denies:
            context = replace(context, denied_patterns=())
        return super().execute(name, arguments, context, flavour)


class LooksInTheRoot(LinkSandbox):
    """What is not in the working directory is looked for in the first root."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._first_root, self._is_source = os.fsencode(context.roots[0]), True

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        is_source, self._is_source = self._is_source, False
        working_dir = self._working_dir
        if is_source and not os.path.lexists(os.path.join(working_dir, path.text.encode())):
            self._working_dir = self._first_root
        try:
            return super().resolve_named(path)
        finally:
            self._working_dir = working_dir


class KeepsTheWorkingDirectory(Executor):
    """The working directory of the first call in a root is that of the later ones."""

    _kept = ""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if not (context.roots and f"{self._kept}/".startswith(f"{context.roots[0]}/")):
            self._kept = context.working_dir
        return super().execute(name, arguments, replace(context, working_dir=self._kept), flavour)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-404",
        "A file of the modification time 0 counts as none, and is replaced.",
        "FR-FOPS-MV-03 FR-FOPS-CP-03",
        tools=tools_with_both(resolution=TimeZeroIsFree),
    ),
    build_mutant(
        "MUT-FO-405",
        "A hidden file counts as none, and is replaced by a move.",
        "FR-FOPS-MV-03",
        tools=tools_with_move(resolution=HiddenIsFree),
    ),
    build_mutant(
        "MUT-FO-406",
        "A hidden file counts as none, and is replaced by a copy.",
        "FR-FOPS-CP-03",
        tools=tools_with_copy(resolution=HiddenIsFree),
    ),
    build_mutant(
        "MUT-FO-407",
        "With overwrite, a file where a directory is needed is replaced by one.",
        "DFO-05",
        tools=tools_with_both(resolution=ReplacesTheParent),
    ),
    build_mutant(
        "MUT-FO-408",
        "By an alias, overwrite false means true.",
        "CFG-FOPS-01 FR-FOPS-MV-03",
        executor=ReversesTheFlag,
    ),
    build_mutant(
        "MUT-FO-409",
        "A copy of a file that may only be read is another name of it.",
        "DFO-02 DFO-08",
        tools=tools_with_copy(transfer=LinksWhatIsReadOnly),
    ),
    build_mutant(
        "MUT-FO-410",
        "A file that may only be read cannot be copied.",
        "DFO-02 DFO-08",
        tools=tools_with_copy(transfer=CopiesWhatMayBeWritten),
    ),
    build_mutant(
        "MUT-FO-412",
        "Where absolute paths are allowed, a source by one may lie anywhere.",
        "FR-VAL-08 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=AbsoluteSourceAnywhere),
    ),
    build_mutant(
        "MUT-FO-413",
        "Absolute paths stay allowed after a call that allowed them.",
        "FR-VAL-08",
        executor=KeepsAbsolute,
    ),
    build_mutant(
        "MUT-FO-414",
        "The roots of earlier calls still count.",
        "FR-VAL-04 NFR-FOPS-SEC-01",
        executor=KeepsRoots,
    ),
    build_mutant(
        "MUT-FO-415",
        "Without the usual patterns, those of the call do not hold.",
        "FR-VAL-05",
        executor=OwnPatternsNeedTheUsual,
    ),
    build_mutant(
        "MUT-FO-416",
        "A source that is not in the working directory is looked for in the first root.",
        "FR-VAL-09",
        tools=tools_with_both(sandbox=LooksInTheRoot),
    ),
    build_mutant(
        "MUT-FO-417",
        "The working directory of the first call counts for the later ones.",
        "FR-VAL-09",
        executor=KeepsTheWorkingDirectory,
    ),
)
