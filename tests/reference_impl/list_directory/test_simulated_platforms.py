"""Path rules of other platforms on a simulated file system."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pyfakefs.fake_filesystem import FakeFilesystem, OSType
from pyfakefs.fake_filesystem_unittest import Patcher

from treeproof.reference_impl.list_directory import candidate as list_directory


@pytest.fixture
def windows() -> Iterator[FakeFilesystem]:
    with Patcher() as patcher:
        assert patcher.fs is not None
        patcher.fs.os = OSType.WINDOWS
        for directory in ("C:\\t\\R\\a\\b\\c", "C:\\t\\R\\.h", "C:\\t\\Rc\\secret", "\\\\srv\\share\\d\\e"):
            patcher.fs.create_dir(directory)
        patcher.fs.create_file("C:\\t\\R\\f", contents="abc")
        patcher.fs.create_symlink("C:\\t\\R\\l", "C:\\t\\R\\a")
        patcher.fs.create_symlink("C:\\t\\R\\up", "C:\\t")
        yield patcher.fs


def call(path: str, arguments: dict[str, Any] | None = None, root: str = "C:\\t\\R", **context: Any) -> Any:
    return list_directory.candidate().call(
        {
            "tool": "list_directory",
            "arguments": {"path": path} | (arguments or {}),
            "context": {"roots": [root], "working_dir": root} | context,
        }
    )


def entries(answer: Any) -> tuple[str, list[str]]:
    document = json.loads(answer["content"])
    return document["path"], [entry["path"] for entry in document["entries"]]


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("requested", "path", "listed"),
    [
        (".", ".", ["a", "f", "l", "up"]),
        ("a\\b", "a/b", ["c"]),
        (".\\a\\", "a", ["b"]),
        ("a\\\\b/", "a/b", ["c"]),
        ("A", "A", ["b"]),
        ("l", "l", ["b"]),
    ],
)
def test_backslashes_separate_and_case_is_kept(requested: str, path: str, listed: list[str]) -> None:
    assert entries(call(requested)) == (path, listed)


@pytest.mark.usefixtures("windows")
def test_entry_paths_have_slashes() -> None:
    assert entries(call(".", {"recursive": True}))[1] == ["a", "a/b", "a/b/c", "f", "l", "up"]


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    "requested",
    [
        "..",
        "a\\..\\..",
        "\\",
        "\\t\\R",
        "C:/t/R",
        "C:",
        "C:a",
        "\\\\srv\\share",
        "\\\\?\\C:\\t\\R",
        "up",
        "up\\Rc",
    ],
)
def test_other_roots_and_escapes_are_refused(requested: str) -> None:
    assert entries(call("a")) == ("a", ["b"])
    assert call(requested)["error"]["kind"] == "SandboxViolation"


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("requested", ["a.", "a ./b", "con", "NUL.txt", "a\\f:stream", "a/.../b"])
def test_names_that_the_platform_would_rewrite_are_refused(requested: str) -> None:
    assert call(requested)["error"]["kind"] == "SandboxViolation"


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("requested", "root", "path"),
    [
        ("C:/t/R/a/", "C:\\t\\R", "C:/t/R/a"),
        ("c:\\t\\R\\a", "C:\\t\\R", "c:/t/R/a"),
        ("C:\\", "C:\\", "C:/"),
        ("\\\\srv\\share\\d\\", "\\\\srv\\share", "//srv/share/d"),
    ],
)
def test_absolute_paths_inside_are_listed_where_allowed(requested: str, root: str, path: str) -> None:
    assert entries(call(requested, root=root, allow_absolute=True))[0] == path


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("requested", ["C:\\t\\Rc", "C:\\t", "C:a", "C:", "\\\\srv\\share\\d", "\\\\?\\C:\\t\\R\\a"])
def test_absolute_paths_outside_are_always_refused(requested: str) -> None:
    assert call(requested, allow_absolute=True)["error"]["kind"] == "SandboxViolation"


@pytest.mark.usefixtures("windows")
def test_missing_directories_and_files_fail_as_on_linux() -> None:
    assert "path does not exist" in call("nope")["error"]["message"]
    assert "path is not a directory" in call("f")["error"]["message"]


def test_a_backslash_is_part_of_a_name_on_macos() -> None:
    with Patcher() as patcher:
        assert patcher.fs is not None
        patcher.fs.os = OSType.MACOS
        patcher.fs.create_dir("/t/R/a\\b/c")
        patcher.fs.create_dir("/t/R/C:/d")
        assert entries(call("a\\b", root="/t/R")) == ("a\\b", ["c"])
        assert entries(call("C:/", root="/t/R")) == ("C:/", ["d"])
        assert entries(call(".", {"recursive": True}, "/t/R"))[1] == ["C:", "C:/d", "a\\b", "a\\b/c"]
