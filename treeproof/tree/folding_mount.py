"""A directory on a file system that folds names: one that is there, or one that treeproof mounts for a scenario."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Self

from treeproof.systems import is_linux
from treeproof.tree import folding_server
from treeproof.tree.builder import CannotBuild

_END_SECONDS = 5


def folds_case(directory: bytes) -> bool:
    """Return whether a name in another case names the same entry in a writable directory. Raises OSError."""
    name = os.path.join(directory, b"fold-" + secrets.token_hex(8).encode())
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        return os.path.lexists(os.path.join(directory, os.path.basename(name).upper()))
    finally:
        os.unlink(name)


class FoldingMount:
    """A file system in memory that folds names (`folding_server`), mounted at an existing directory until `close`.

    Its process unmounts it when this process ends, in whatever way. Raises CannotBuild with the cause.
    """

    def __init__(self, directory: Path) -> None:
        if not is_linux():
            raise CannotBuild("only Linux mounts a file system of a process; set TREEPROOF_WORKSPACE to one that folds")
        self._directory = str(directory)
        # In a session of its own: a signal of the terminal must not end it before the trees are removed.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", folding_server.__file__, self._directory],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline().decode("utf-8", "replace").strip()
        if said != "mounted":
            self.close()
            raise CannotBuild(f"no file system can be mounted here: {said or 'its process ended'}")

    def close(self) -> None:
        """Unmount it. Idempotent."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        if self._process.returncode != 0:  # someone has ended it
            self._process.kill()
            self._process.wait()
            folding_server.unmount(self._directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
