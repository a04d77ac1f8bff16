"""The commit of a candidate: that of the work tree in which its manifest is tracked.

Whether the files differ from it is not asked: every command of git that compares them runs the filters of the
repository, which is as little trusted as the candidate.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_WITHOUT_PROGRAMS = ("--no-optional-locks", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_MAX_SECONDS = 5


def candidate_commit(manifest: Path | None) -> str | None:
    """Return the commit.

    None without a manifest, without git, and where the commit lacks the manifest: it is that of another project.
    """
    if manifest is None or _git(manifest, "rev-parse", "--verify", f"HEAD:./{manifest.name}") is None:
        return None
    return _git(manifest, "rev-parse", "--verify", "HEAD^{commit}") or None


def _git(manifest: Path, *arguments: str) -> str | None:
    """Return the output of git in the folder of the manifest; None if it fails."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(manifest.parent), *_WITHOUT_PROGRAMS, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_MAX_SECONDS,
            env=environ,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None
