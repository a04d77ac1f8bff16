"""The commit of a candidate: only of a tracked manifest, and without a program of the repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

from treeproof.run.candidate_commit import candidate_commit


def git(folder: Path, *arguments: str) -> str:
    options = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *options, *arguments], capture_output=True, check=True, text=True)
    return done.stdout.strip()


def test_the_commit_is_that_of_a_tracked_manifest(tmp_path: Path) -> None:
    manifest = tmp_path / "tool" / "treeproof.toml"
    manifest.parent.mkdir()
    manifest.write_text("x")
    assert candidate_commit(None) is candidate_commit(manifest) is None
    git(tmp_path, "init", "-q")
    assert candidate_commit(manifest) is None  # in a work tree, but not of it
    git(tmp_path, "add", "tool/treeproof.toml")
    assert candidate_commit(manifest) is None  # no commit yet
    git(tmp_path, "commit", "-q", "-m", "a")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert candidate_commit(manifest) == commit


def test_no_program_of_the_repository_runs(tmp_path: Path) -> None:
    (tmp_path / "treeproof.toml").write_text("x")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "a")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(program))
    git(tmp_path, "config", "filter.evil.clean", str(program))
    (tmp_path / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    (tmp_path / "treeproof.toml").write_text("y")
    assert candidate_commit(tmp_path / "treeproof.toml")
    assert not (tmp_path / "ran").exists()
