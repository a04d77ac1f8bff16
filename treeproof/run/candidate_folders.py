"""Folders that the tools of a candidate could damage: where its processes start, and where its own files are.

Some tools take an empty path as the working directory. If a tool moves and overwrites files, a process in the folder of
its adopter would lose that folder to a scenario. Such candidates therefore start in an empty directory of the
workspace, and a folder that vanishes is reported with the scenario during which it did.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from treeproof.candidate import CandidateFault, Target, UsageError, format_untrusted
from treeproof.candidate.manifest import ROOT_PLACEHOLDER
from treeproof.tree import CannotBuild, Workspace, WorkspaceLost, check_sandbox_of

_FOUND_BY_HOME = {
    "CARGO_HOME": ".cargo",
    "RUSTUP_HOME": ".rustup",
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "ASDF_DATA_DIR": ".asdf",
    "VOLTA_HOME": ".volta",
    "npm_config_cache": ".npm",
}
"""Directories in the home directory by which programs find a tool chain, and the variables that name them as well."""


def with_own_home(target: Target, workspace: Workspace) -> Target:
    """Return the target whose processes have a directory of the workspace as HOME, unless the manifest sets it.

    A tool that keeps a state or a cache must not write into the home directory of the user.
    """
    has_process = not (target.is_own or target.kind == "mcp+http") or target.isolation is not None
    if not has_process or "HOME" in target.env:
        return target
    user = os.path.expanduser("~")
    places = {name: os.path.join(user, place) for name, place in _FOUND_BY_HOME.items() if name not in os.environ}
    found = {name: place for name, place in places.items() if os.path.isdir(place)}
    home = os.fsdecode(workspace.create_sandbox("home"))
    return replace(target, usual_env={"HOME": home, **found})


def require_own_places(*paths: bytes) -> None:
    """Raise CandidateFault for a path in a sandbox of a workspace that is gone, or has become a link or a file.

    Nothing is done in such a place, and no process works there: a link can lead anywhere.
    """
    try:
        for path in paths:
            check_sandbox_of(path)
    except WorkspaceLost as lost:
        raise CandidateFault("workspace", str(lost)) from lost


class StartDirectory:
    """An empty directory of the workspace in which the processes of a candidate start."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._sandbox = workspace.create_sandbox("start")
        self._identity = _identity(self._sandbox)

    @property
    def path(self) -> Path:
        """Its absolute path, which stays the same."""
        return Path(os.fsdecode(self._sandbox))

    def restore(self) -> bool:
        """Make it again if a candidate has moved, removed or replaced it; return whether it had.

        Raises CandidateFault if the workspace is lost too.
        """
        with contextlib.suppress(WorkspaceLost):
            check_sandbox_of(self._sandbox)
            if _identity(self._sandbox) == self._identity:
                return False
        try:
            self._workspace.remake_sandbox(self._sandbox)
        except CannotBuild as lost:
            raise CandidateFault("workspace", str(lost)) from lost
        self._identity = _identity(self._sandbox)
        return True


class WatchedFolders:
    """Folders of the user that have to stay where they are during a run."""

    def __init__(self, folders: Iterable[Path]) -> None:
        found = {folder: _identity(folder) for folder in folders}
        self._identities = {folder: identity for folder, identity in found.items() if identity is not None}
        self.warnings: list[str] = []
        """One line for each folder that has lost its place."""

    def find_lost(self, scenario: str) -> CandidateFault | None:
        """Return the fault for a folder that has lost its place during a scenario; each is reported once."""
        lost = [folder for folder, identity in self._identities.items() if _identity(folder) != identity]
        for folder in lost:
            del self._identities[folder]
            self.warnings.append(
                f"{folder} was removed, moved or replaced during {scenario}: a call of the scenario has done it, "
                "unless another program has"
            )
        return CandidateFault("workspace", f"outside of the workspace, {self.warnings[-1]}") if lost else None


def lost_start_directory() -> CandidateFault:
    """Return the fault of a candidate that has moved, removed or replaced its working directory."""
    return CandidateFault(
        "workspace", "it moved, removed or replaced the directory in which it was started; no argument named that"
    )


def protect_folders(target: Target, workspace: Workspace) -> tuple[Target, StartDirectory | None]:
    """Return the target that starts in an empty directory of the workspace, and that directory.

    The directory is None where the user decides: a server that is already running, or a working directory in the
    manifest. Raises UsageError for one of the user's folders without permission.
    """
    _refuse_unprotected_directory(target)
    if target.kind == "mcp+http" or target.cwd is not None:
        return target, None
    directory = StartDirectory(workspace)
    return replace(target, start_directory=directory.path), directory


def _refuse_unprotected_directory(target: Target) -> None:
    """Raise UsageError for a manifest that starts a candidate, whose tools change files, in a folder of the user."""
    if target.cwd is None or target.allow_changes_in_cwd or ROOT_PLACEHOLDER in str(target.cwd):
        return
    raise UsageError(
        f"{target.manifest}: [candidate] cwd = {format_untrusted(str(target.cwd))}: the tools move and overwrite "
        "files, and a tool that takes an empty path as its working directory would move this folder away; remove cwd, "
        "so that the candidate starts in an empty directory of the workspace, or permit it: allow_changes_in_cwd = true"
    )


def _identity(folder: Path | bytes) -> tuple[int, int] | None:
    """Return device and inode of a directory; None if it does not exist."""
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino
