"""The reference on other kernels, on other file systems and with concurrent changes, which no scenario covers."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from treeproof.reference_impl.file_operations import candidate as operations
from treeproof.reference_impl.file_operations import file_copy as copying
from treeproof.reference_impl.file_operations import renaming, transfer
from treeproof.tree import build_tree, parse_tree, read_tree, render_tree, without_default_metadata

CROSS_DEVICE_ERROR = OSError(errno.EXDEV, os.strerror(errno.EXDEV))


def call(root: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    context = {
        "roots": [str(root)],
        "working_dir": str(root),
        "config": {"tools": {"fileops": {"allow_overwrite": True}}},
    }
    answer: dict[str, Any] = operations.candidate().call({"tool": tool, "arguments": arguments, "context": context})
    return answer


def build_root(root: Path, notation: str) -> Path:
    build_tree(parse_tree(notation), os.fsencode(root))
    return root


def tree_after(root: Path) -> str:
    return render_tree(without_default_metadata(read_tree(os.fsencode(root))))


@pytest.fixture
def cross_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every rename fail as if the destination were on another file system."""

    def rename(self: Any) -> None:
        raise CROSS_DEVICE_ERROR

    monkeypatch.setattr(transfer.Move, "rename", rename)


@pytest.fixture
def plain_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a kernel without renameat2 and a file system without O_TMPFILE."""
    monkeypatch.setattr(renaming, "_RENAMEAT2", None)
    monkeypatch.setattr(copying, "_TMPFILE_FLAG", 0)


@pytest.mark.parametrize(
    ("tree", "tool", "arguments", "after"),
    [
        ('a="A"', "move", {"source": "a", "destination": "b"}, 'b="A"'),
        ("d/{f}", "move", {"source": "d", "destination": "e"}, "e/{f}"),
        ("l->x", "move", {"source": "l", "destination": "m"}, "m->x"),
        ('a="A"', "copy", {"source": "a", "destination": "b"}, 'a="A", b="A"'),
        ('a="A", b="BB"', "copy", {"source": "a", "destination": "b", "overwrite": True}, 'a="A", b="A"'),
        ('a="A", b="BB"', "move", {"source": "a", "destination": "b", "overwrite": True}, 'b="A"'),
    ],
)
def test_operations_work_on_an_old_kernel(
    plain_kernel: None, tmp_path: Path, tree: str, tool: str, arguments: dict[str, Any], after: str
) -> None:
    assert call(build_root(tmp_path, tree), tool, **arguments)["status"] == "ok"
    assert tree_after(tmp_path) == after


@pytest.mark.parametrize("notation", ['a="A", b="B"', 'a="A", b/', "a/, b/"])
def test_a_rename_never_replaces_an_entry_created_meanwhile(plain_kernel: None, tmp_path: Path, notation: str) -> None:
    build_root(tmp_path, notation)
    at = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(FileExistsError):
            renaming.rename_exclusively(at, b"a", at, b"b")
    finally:
        os.close(at)
    assert tree_after(tmp_path) == notation


@pytest.mark.parametrize("kernel", ["new", "old"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_across_devices_a_source_that_cannot_be_deleted_changes_nothing(
    cross_device: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: str, overwrite: bool
) -> None:
    if kernel == "old":
        monkeypatch.setattr(renaming, "_RENAMEAT2", None)
        monkeypatch.setattr(copying, "_TMPFILE_FLAG", 0)

    def delete(self: Any, origin: os.stat_result) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(transfer.Move, "delete_source", delete)
    tree = 'a="NEW", b="OLDER", d/' if overwrite else 'a="NEW", d/'
    answer = call(build_root(tmp_path, tree), "move", source="a", destination="b", overwrite=overwrite)
    assert answer["error"]["kind"] == "ExecutionFailed"
    assert tree_after(tmp_path) == tree


@pytest.mark.parametrize("kernel", ["new", "old"])
def test_across_devices_the_replaced_file_exists_until_the_source_is_deleted(
    cross_device: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: str
) -> None:
    if kernel == "old":
        monkeypatch.setattr(renaming, "_RENAMEAT2", None)
    contents = []
    real = transfer.Move.delete_source

    def delete(self: Any, origin: os.stat_result) -> None:
        contents.append(sorted(file.read_text() for file in tmp_path.iterdir()))
        real(self, origin)

    monkeypatch.setattr(transfer.Move, "delete_source", delete)
    answer = call(build_root(tmp_path, 'a="NEW", b="OLDER"'), "move", source="a", destination="b", overwrite=True)
    assert answer["status"] == "ok"
    assert contents == [["NEW", "NEW", "OLDER"]]
    assert tree_after(tmp_path) == 'b="NEW"'


def test_a_source_that_changes_while_it_is_copied_is_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_root(tmp_path, 'a="A"')
    real = copying.FileCopy.write_chunk

    def write(self: Any, piece: bytes) -> None:
        (tmp_path / "a").write_text("ANOTHER")
        real(self, piece)

    monkeypatch.setattr(copying.FileCopy, "write_chunk", write)
    answer = call(tmp_path, "copy", source="a", destination="b")
    assert "changed while it was being copied" in answer["error"]["message"]
    assert sorted(os.listdir(tmp_path)) == ["a"]


def test_another_file_with_the_name_of_the_source_is_not_deleted(
    cross_device: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_root(tmp_path, 'a="A"')
    real = copying.FileCopy.sync_directory

    def sync_directory(self: Any) -> None:
        (tmp_path / "other").write_text("OTHER")
        os.rename(tmp_path / "other", tmp_path / "a")
        real(self)

    monkeypatch.setattr(copying.FileCopy, "sync_directory", sync_directory)
    assert call(tmp_path, "move", source="a", destination="b")["status"] == "error"
    assert (tmp_path / "a").read_text() == "OTHER"


def test_the_copy_is_flushed_before_the_source_is_deleted(
    cross_device: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    sync, unlink = os.fsync, os.unlink

    def fsync(descriptor: int) -> None:
        order.append("fsync")
        sync(descriptor)

    def recording_unlink(path: bytes, **more: Any) -> None:
        order.append("unlink")
        unlink(path, **more)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "unlink", recording_unlink)
    assert call(build_root(tmp_path, 'a="A"'), "move", source="a", destination="b")["status"] == "ok"
    assert order[:2] == ["fsync", "fsync"], "the file and then its directory"
    assert order[-1] == "unlink"
