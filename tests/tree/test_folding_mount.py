"""The file system that folds names: entries by every spelling, names as they were written, and nothing that remains."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from treeproof.run.sandbox import SandboxRoots
from treeproof.tree import (
    CannotBuild,
    FoldingMount,
    Workspace,
    build_tree,
    folds_case,
    parse_tree,
    read_tree,
    without_default_metadata,
)
from treeproof.tree.notation import render_tree

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


def mounted_at(directory: Path) -> bool:
    return f" {directory} " in Path("/proc/self/mountinfo").read_text()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    (base := tmp_path / "base").mkdir()
    try:
        mount = FoldingMount(base)
    except CannotBuild as cause:
        pytest.skip(f"not verified: a file system that folds names; {cause}")
    with mount:
        yield base
    assert not mounted_at(base)


def test_an_entry_is_there_by_every_spelling_and_keeps_its_own(place: Path) -> None:
    (place / "Read").write_text("R")
    (place / COMPOSED).mkdir()
    (place / DECOMPOSED / "x").touch()
    assert (place / "READ").read_text() == "R"
    assert os.path.samefile(place / "Read", place / "rEAD")
    assert sorted(os.listdir(place)) == ["Read", COMPOSED]
    assert os.listdir(place / COMPOSED.upper()) == ["x"]
    with pytest.raises(FileExistsError):
        (place / "read").open("x")


def test_a_change_of_case_is_a_rename_and_a_folded_name_is_replaced(place: Path) -> None:
    (place / "a").write_text("1")
    os.rename(place / "a", place / "A")
    assert os.listdir(place) == ["A"]
    (place / "b").write_text("2")
    os.rename(place / "b", place / "a")
    assert os.listdir(place) == ["a"]
    assert (place / "A").read_text() == "2"


def test_files_links_and_directories_are_as_usual(place: Path) -> None:
    content = os.urandom(300_000)
    (place / "f").write_bytes(content)
    with (place / "F").open("ab") as file:
        file.write(b"end")
    assert (place / "f").read_bytes() == content + b"end"
    os.truncate(place / "f", 5)
    assert (place / "F").read_bytes() == content[:5]
    os.truncate(place / "f", 2**60)
    with (place / "f").open("rb") as file:
        assert file.read(8) == content[:5] + bytes(3)
        file.seek(-2, os.SEEK_END)
        assert file.read() == bytes(2)
    os.truncate(place / "f", 5)
    os.link(place / "f", place / "twin")
    assert os.stat(place / "F").st_nlink == 2
    (place / "l").symlink_to("TWIN")
    assert (place / "L").read_bytes() == content[:5]
    for number in range(500):
        (place / f"many{number}").touch()
    assert len(os.listdir(place)) == 503
    (place / "d/e").mkdir(parents=True)
    for wrong, expected in (
        (lambda: os.rename(place / "d", place / "D/E/d"), errno.EINVAL),
        (lambda: os.rmdir(place / "D"), errno.ENOTEMPTY),
        (lambda: os.unlink(place / "d"), errno.EISDIR),
        (lambda: os.open(os.fsencode(place) + b"/\xff", os.O_CREAT), errno.EILSEQ),
        (lambda: os.pwrite(os.open(place / "f", os.O_WRONLY), b"x", 2**40), errno.EFBIG),
        (lambda: os.rename(place / "f", place / "d"), errno.EISDIR),
    ):
        with pytest.raises(OSError, match=os.strerror(expected)):
            wrong()


def test_trees_are_built_and_read(place: Path) -> None:
    notation = 'd/%0500@1000{l->../f}, f="F"%0640@-5000, p:fifo, s:sock, twin=>f'
    build_tree(parse_tree(notation), os.fsencode(place))
    assert read_tree(os.fsencode(place)).find(b"d/l") is not None
    read = without_default_metadata(read_tree(os.fsencode(place)))  # the builder has checked the times
    assert render_tree(read) == notation.replace("@1000", "").replace("@-5000", "")
    with pytest.raises(CannotBuild):
        build_tree(parse_tree("A, a"), os.fsencode(place))


def test_nothing_is_mounted_after_its_process_was_killed(tmp_path: Path, place: Path) -> None:
    (other := tmp_path / "other").mkdir()
    mount = FoldingMount(other)
    mount._process.kill()
    mount._process.wait()
    mount.close()
    assert not mounted_at(other)


def test_nothing_is_mounted_after_this_process_was_killed(tmp_path: Path, place: Path) -> None:
    (other := tmp_path / "other").mkdir()
    script = "import os, sys; from pathlib import Path; from treeproof.tree import FoldingMount; "
    script += "mount = FoldingMount(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    ended = subprocess.run([sys.executable, "-c", script, str(other)], check=False)
    assert ended.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 10
    while mounted_at(other) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not mounted_at(other)


def test_a_place_that_cannot_be_mounted_at_is_a_cause(tmp_path: Path) -> None:
    with pytest.raises(CannotBuild, match="no file system can be mounted here: "):
        FoldingMount(tmp_path / "missing")


def test_a_sandbox_where_names_are_folded_is_removed(place: Path) -> None:
    with Workspace.create() as workspace:
        roots = SandboxRoots(workspace, "X-1")
        roots.requires_folding = True
        root = roots.root
        assert folds_case(root)
        assert mounted_at(Path(os.fsdecode(root)).parents[2])
        roots.close()
        assert not mounted_at(Path(os.fsdecode(root)).parents[2])
        assert os.listdir(workspace.path) == []


def test_a_workspace_that_folds_names_needs_no_mount(place: Path) -> None:
    with Workspace.create(place) as workspace:
        roots = SandboxRoots(workspace, "X-1")
        roots.requires_folding = True
        assert Path(os.fsdecode(roots.root)).is_relative_to(workspace.path)
        assert len(Path(os.fsdecode(roots.root)).relative_to(workspace.path).parts) == 2
        roots.close()
