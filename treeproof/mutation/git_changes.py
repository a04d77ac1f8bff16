"""What has changed in a working tree since a revision of git: files, and the earlier text of one."""

from __future__ import annotations

import subprocess
from pathlib import Path

from treeproof.errors import UsageError

_TIMEOUT_SECONDS = 60
_UNTRACKED = b"?? "


class Revision:
    """A revision of the repository that contains a folder. Raises UsageError if there is none, or no git."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        if name.startswith("-"):
            raise UsageError(f"--since {name}: is no revision; write one such as origin/main or HEAD~3")
        try:
            top = _git(folder, "rev-parse", "--show-toplevel")
            if top is None:
                raise UsageError(f"--since {name}: {folder} is in no git repository; leave --since out")
            self.root = Path(top.decode("utf-8", "surrogateescape").rstrip("\n"))
            found = _git(self.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except FileNotFoundError:
            raise UsageError(f"--since {name}: the program git is not installed; leave --since out") from None
        if found is None:
            raise UsageError(
                f"--since {name}: {self.root} has no such revision; write one such as origin/main or HEAD~3"
            )
        self._commit = found.decode().strip()

    def changed_files(self) -> frozenset[Path]:
        """Return the files that were added, changed or removed since then, committed or not."""
        compared = _git(self.root, "diff", "--name-only", "--no-renames", "-z", self._commit) or b""
        status = _git(self.root, "status", "--porcelain", "--untracked-files=all", "--no-renames", "-z") or b""
        new = [line.removeprefix(_UNTRACKED) for line in status.split(b"\0") if line.startswith(_UNTRACKED)]
        names = [name for name in (*compared.split(b"\0"), *new) if name]
        return frozenset(self.root / name.decode("utf-8", "surrogateescape") for name in names)

    def earlier_text(self, file: Path) -> str | None:
        """Return the text of a file in the revision; None if it was not there."""
        place = file.relative_to(self.root).as_posix()
        output = _git(self.root, "show", f"{self._commit}:{place}")
        return None if output is None else output.decode("utf-8", "replace")


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git in ``folder``, or None if it fails."""
    command = ["git", "-C", str(folder), "-c", "safe.directory=*", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UsageError(f"git {arguments[0]} did not end in {_TIMEOUT_SECONDS} s; leave --since out") from None
    return done.stdout if done.returncode == 0 else None
