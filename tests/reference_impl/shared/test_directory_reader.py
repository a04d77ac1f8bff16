"""Reading directories by descriptor or by path: number of descriptors, deep trees, replaced directories."""

import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.reference_impl.list_directory.candidate import candidate
from treeproof.reference_impl.shared import directory_reader as directories
from treeproof.reference_impl.shared import paths, sandbox
from treeproof.tree import build_tree, parse_tree

UNLIMITED: dict[str, Any] = {
    "config": {"tools": {"list_directory": {"max_depth": 10**6, "max_entries": 10**6}}},
    "max_output_bytes": 10**9,
    "available_capacity_bytes": 10**9,
}


def list_directory(root: Path, **arguments: Any) -> dict[str, Any]:
    """Call the tool without the limits of its configuration, with file modes in effect; return the document."""
    context = {"roots": [str(root)], "working_dir": str(root), **UNLIMITED}
    with drop_dac_capabilities():
        answer = candidate().call({"tool": "list_directory", "arguments": arguments, "context": context})
    document: dict[str, Any] = json.loads(answer["content"])
    return document


def open_reader(root: Path, *components: bytes, by_path: bool = False) -> Any:
    place = sandbox.Place(os.fsencode(root), components)
    return directories.PathReader(place, paths.POSIX) if by_path else directories.open_reader(place, paths.POSIX)


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    in_use = max(map(int, os.listdir("/dev/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (in_use + 24, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("few_descriptors")
def test_a_deep_tree_needs_few_descriptors_and_leaves_none_open(tmp_path: Path) -> None:
    build_tree(parse_tree("d/{z, " * 300 + "e" + "}" * 300), os.fsencode(tmp_path))
    before = len(os.listdir("/dev/fd"))
    document = list_directory(tmp_path, path=".", recursive=True)
    assert document["returned"] == 601
    assert {entry["type"] for entry in document["entries"]} == {"dir", "file"}
    assert len(os.listdir("/dev/fd")) == before


def test_paths_longer_than_path_max_can_be_walked_and_requested(tmp_path: Path) -> None:
    name = "n" * 250
    build_tree(parse_tree(f"{name}/{{" * 20 + "z" + "}" * 20), os.fsencode(tmp_path))
    complete = list_directory(tmp_path, path=".", recursive=True)
    assert [entry["depth"] for entry in complete["entries"]] == list(range(1, 22))
    assert complete["entries"][-1]["type"] == "file"
    deepest = list_directory(tmp_path, path="/".join([name] * 20))
    assert [entry["path"] for entry in deepest["entries"]] == ["z"]


@pytest.mark.parametrize("by_path", [False, True])
def test_names_are_bytes_and_metadata_is_from_lstat(tmp_path: Path, by_path: bool) -> None:
    build_tree(parse_tree(r"'d\xff'/{l->x, 'y\xfe'=3}"), os.fsencode(tmp_path))
    with open_reader(tmp_path, by_path=by_path) as found:
        assert list(found.list_names(())) == [b"d\xff"]
        assert sorted(found.list_names((b"d\xff",))) == [b"l", b"y\xfe"]
        assert found.lstat((b"d\xff",), b"y\xfe").st_size == 3
        assert found.lstat((b"d\xff",), b"l").st_mode & 0o170000 == 0o120000


@pytest.mark.parametrize("by_path", [False, True])
@pytest.mark.parametrize("route", [(b"l",), (b"p",), (b"f",), (b"gone",), (b"l", b"below")])
def test_links_and_files_are_never_read(tmp_path: Path, by_path: bool, route: tuple[bytes, ...]) -> None:
    build_tree(parse_tree("d/{below/{x}}, l->d, f, p:fifo"), os.fsencode(tmp_path))
    with open_reader(tmp_path, by_path=by_path) as found:
        assert list(found.list_names((b"d", b"below"))) == [b"x"]
        with pytest.raises(OSError):
            list(found.list_names(route))
    with pytest.raises(OSError):
        open_reader(tmp_path, *route, by_path=by_path)


def test_a_directory_replaced_by_a_link_is_not_followed(tmp_path: Path) -> None:
    build_tree(parse_tree("root/{a/{b/{x}}}, outside/{b/{secret}}"), os.fsencode(tmp_path))
    with open_reader(tmp_path / "root") as found:
        assert list(found.list_names((b"a",))) == [b"b"]
        (tmp_path / "root/a").rename(tmp_path / "moved")
        (tmp_path / "root/a").symlink_to(tmp_path / "outside")
        assert list(found.list_names((b"a", b"b"))) == [b"x"]  # the directory that was checked is read
    with pytest.raises(NotADirectoryError):
        open_reader(tmp_path / "root", b"a", b"b")
