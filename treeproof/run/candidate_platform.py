"""The platform of a candidate that is not the one of this machine: which scenarios and calls have a meaning there.

`treeproof.tree.windows` knows what Windows can have, and `treeproof.candidate.wine` starts the programs. Verdicts come
from the same steps and models as elsewhere: a call whose meaning differs on Windows is not made.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from treeproof.candidate import Call, CallResult, ProcessOptions, Target
from treeproof.candidate.drives import Drives
from treeproof.candidate.wine import WinePrefix
from treeproof.model.case import CONTEXT_CAPABILITIES
from treeproof.spec import Pack
from treeproof.tree import ROOT_NAME, Workspace, format_path, is_workspace
from treeproof.tree.windows import MAX_PATH_UNITS, READABLE_SECONDS, name_problem, path_units, twin
from treeproof.verdict import NotApplicable, NotVerified

_NOT_THERE = ("case_sensitive", "symlinks", "non_utf8_names", "special_files", "mknod", "drop_caps")
"""The facilities of a host that no candidate on Windows has."""
_OF_LINUX = ("strace", "namespaces")
_KINDS = {stat.S_IFREG: "", stat.S_IFDIR: "", stat.S_IFLNK: "a symbolic link"}
_DRIVE_ROOT = re.compile(r"[D-PX]:/")


class CandidatePlatform:
    """Windows, as the programs of one candidate see it."""

    def __init__(self, target: Target, workspace: Workspace) -> None:
        folder = Path(os.fsdecode(workspace.create_sandbox("wine")))
        self._prefix = WinePrefix(target, folder, workspace.path)
        self.name = str(target.platform)
        """The name in `@simulated:NAME`."""
        self.label = str(target.platform_label)
        """The name in reports, with the version."""
        self.is_own_rule = False
        """Whether the scenario that runs is about a rule of Windows, and means what its arguments mean there."""
        self._roots: list[Path] = []

    def apply_to(self, target: Target) -> Target:
        """Return the target whose processes run on this platform."""
        env = {name: self.drives.native_file(value) for name, value in target.env.items()}
        return replace(target, env={**env, **self._prefix.env}, drives=self.drives)

    @property
    def drives(self) -> Drives:
        """The drives on which the trees of the run are."""
        return self._prefix.drives

    def close(self) -> None:
        """End everything that runs on the platform. Idempotent."""
        self._prefix.close()

    # ---- facilities ---------------------------------------------------------------------------------------------

    def require_facility(self, name: str) -> None:
        """Raise NotApplicable for a facility that Windows lacks, NotVerified for one that does not reach it."""
        if name in _NOT_THERE:
            raise NotApplicable(f"needs {name}, and the candidate is a program for Windows")
        if name in _OF_LINUX:
            raise self.not_traced()

    def not_traced(self) -> NotVerified:
        """Return why what rests on the system calls of Linux shows nothing."""
        why = "the system calls of Linux do not show what a program for Windows does"
        return NotVerified("adapter_unsupported", why, "verify it with a build of the candidate for Linux")

    def require_options(self, options: ProcessOptions) -> None:
        """Raise NotVerified for a process that needs a program of Linux before it."""
        if options.command_prefix:
            raise self.not_traced()

    # ---- trees and calls ----------------------------------------------------------------------------------------

    def open_roots(self, call: Call, directory: bytes) -> bool:
        """Make a drive that a scenario names as its root that of ``directory``; return whether it names one.

        Raises NotApplicable for a share.
        """
        roots = call.context.get("roots")
        first = roots[0] if isinstance(roots, list) and roots else None
        if not isinstance(first, str) or not _DRIVE_ROOT.fullmatch(first):
            return False
        self._roots.append(self.drives.add_root(first, os.fsdecode(directory)))
        return True

    def close_roots(self) -> None:
        """Remove the drives of a scenario: a path of a tree would else be shown as one on them."""
        for link in self._roots:
            link.unlink(missing_ok=True)
        self._roots.clear()

    def require_call(self, call: Call, pack: Pack) -> None:
        """Raise NotApplicable for a tree that Windows cannot have, and for arguments of another meaning there."""
        roots = list(_texts(call.context.get("roots")))
        if any(root.startswith("//") for root in roots):
            raise NotApplicable("a root on a share, which Wine shows as a path of a drive")
        own = [root for root in roots if root.startswith("/")]
        for root in own:
            self._require_tree(root)
        if self.is_own_rule or not isinstance(call.arguments, dict):
            return
        paths = path_arguments(pack, call.tool)
        start = next(iter(_texts([call.context.get("working_dir")])), "/")
        for name, value in call.arguments.items():
            if not isinstance(value, str):
                continue
            if "\\" in value:
                raise NotApplicable(f"a backslash in {name}, which Windows reads as a separator")
            has_budget = any(
                CONTEXT_CAPABILITIES.get(key) == "budget" for key in call.context.keys() - pack.context.keys()
            )
            places = [os.path.dirname(root) for root in own if os.path.dirname(root) in value]
            if has_budget and places:
                raise NotApplicable("a budget of bytes, and a path that is shorter on a drive")
            if any(not value.startswith(place) for place in places):
                raise NotApplicable(f"the path of a directory inside {name}, where Windows has no drive")
            if name in paths:
                self._require_path(value, start)

    def _require_tree(self, root: str) -> None:
        above = os.path.dirname(root) if os.path.basename(root) == os.fsdecode(ROOT_NAME) else root
        workspace = os.path.dirname(above)
        if not self.drives.has(root) and is_workspace(workspace):
            self.drives.add_workspace(workspace)
        if not self.drives.has(root):
            raise NotApplicable(f"a root outside of the workspace ({root}), which is on no drive")
        shown = len(self.drives.native(above)) - len(above)
        for place, problem in _problems(above, shown):
            raise NotApplicable(f"a tree that Windows cannot have: {format_path(os.fsencode(place))} {problem}")

    def _require_path(self, path: str, start: str) -> None:
        """Raise NotApplicable for a path with a name that Windows reads in another way, or finds in another case."""
        place = "/" if path.startswith("/") else start
        for part in path.split("/"):
            if part in ("", "."):
                continue
            if os.path.isfile(place):
                raise NotApplicable("a path below a file, which Windows reports as one that does not exist")
            if part != ".." and (problem := name_problem(part)) is not None:
                raise NotApplicable(f"a path with a name that Windows cannot have: {part!r} {problem}")
            try:
                other = None if part == ".." else twin(part, os.listdir(place))
                known = os.path.lexists(os.path.join(place, part))
            except (OSError, ValueError):
                other, known = None, False
            if other is not None and not known:
                raise NotApplicable(f"a path that Windows finds in another case: {part!r} is {other!r}")
            place = os.path.join(place, part)
        if path_units(self.drives.native(place)) > MAX_PATH_UNITS:
            raise NotApplicable("a path that is longer than those of Windows")

    def read_answer(self, answer: CallResult, pack: Pack) -> CallResult:
        """Return an answer of a tool whose entries have absolute paths: Windows spells those with backslashes."""
        if answer.content is None or not has_absolute_paths(pack):
            return answer
        content = self.drives.from_native_json(answer.content)
        return replace(answer, content=content, is_mapped=answer.is_mapped or content != answer.content)


def path_arguments(pack: Pack, tool: str) -> frozenset[str]:
    """Return the arguments of a tool that are paths: those in which its evidence has a placeholder."""
    own = [one for one in pack.tools if one.name == tool] or pack.tools  # an alias can be that of any
    found = [item for one in own for item in (one.evidence or {}).items()]
    return frozenset(name for name, value in found if isinstance(value, str) and value.startswith("$"))


def has_absolute_paths(pack: Pack) -> bool:
    """Return whether the tools of a pack take absolute paths, and show them in the form of the system."""
    values: list[Mapping[str, object]] = [one.evidence for one in pack.tools if one.evidence is not None]
    return any(str(value).startswith("$ROOT") for given in values for value in given.values())


def _texts(value: object) -> Iterator[str]:
    yield from (one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _problems(directory: str, further_units: int) -> Iterator[tuple[str, str]]:
    """Yield the entries below a directory that Windows cannot have, and why; ``further_units``: its path is longer."""
    pending = [directory]
    while pending:
        place = pending.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            yield place, "cannot be read"
            return
        folded: dict[str, str] = {}
        for entry in entries:
            shown = os.path.relpath(entry.path, directory)
            if (problem := name_problem(os.fsencode(entry.name))) is not None:
                yield shown, problem
                return
            other = folded.setdefault(entry.name.casefold(), entry.name)
            if other != entry.name:
                yield shown, f"and {other!r} are one name"
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:  # gone meanwhile
                continue
            if (kind := _KINDS.get(stat.S_IFMT(found.st_mode), "a special file")) != "":
                yield shown, f"is {kind}"
            is_directory = stat.S_ISDIR(found.st_mode)
            if ~found.st_mode & (0o700 if is_directory else 0o600):
                yield shown, "has a mode that keeps its owner out"
            if found.st_mtime_ns // 10**9 not in READABLE_SECONDS:
                yield shown, "has a time that 64 bits of nanoseconds do not hold"
            if path_units(entry.path) + further_units > MAX_PATH_UNITS:
                yield shown, "has a longer path than those of Windows"
            if is_directory:
                pending.append(entry.path)
