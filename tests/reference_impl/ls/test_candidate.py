"""The reference of LS: its envelopes for listings, errors, and a failing file system."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.reference_impl.ls import candidate as ls
from treeproof.spec import find_pack, load_pack
from treeproof.tree import build_tree, parse_tree

PACK = load_pack(find_pack("ls"))
ENVELOPE = Draft202012Validator(json.loads(PACK.schemas["envelope"].read_text("utf-8")))

BASE = "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md, .env, build/{o}, l->src, out->.."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def call(root: Path, arguments: Any = None, tree: str = BASE, working_dir: str = ".", **context: Any) -> dict[str, Any]:
    """Return the envelope of one call after a check with the schema."""
    build_tree(parse_tree(tree), os.fsencode(root))
    values = {"roots": [str(root)], "working_dir": str(root / working_dir), **context}
    with drop_dac_capabilities():
        result = ls.candidate().call({"tool": "LS", "arguments": arguments or {}, "context": values})
    envelope = json.loads(result["content"])
    assert list(ENVELOPE.iter_errors(envelope)) == []
    return dict(envelope)


def paths(envelope: dict[str, Any]) -> list[str]:
    return [entry["path"] for entry in envelope["data"]["entries"]]


def test_all_parts_of_an_envelope_agree(root: Path) -> None:
    found = call(root, {"limit": 4})
    assert found["status"] == "partial"
    assert found["data"]["truncated"] is True
    assert paths(found) == ["agents", "docs", "l", "src"]
    stats = {key: value for key, value in found["stats"].items() if key != "time_ms"}
    assert stats == {"total_entries": 6, "dirs": 3, "files": 1, "links": 2, "returned": 4}
    assert found["context"] == {"cwd": ".", "params_input": {"limit": 4}, "path_resolved": "."}
    assert found["text"] == (
        "Listed 4 entries in '.'\n(Total: 6 items - 3 dirs, 1 files, 2 links)\n"
        "[Truncated: Showing 0-4 of 6. 2 more items available.]\nUse offset=4 to view next page.\n\n"
        "agents/\ndocs/\nl@\nsrc/"
    )


def test_all_paths_are_relative_to_the_root_and_not_to_the_working_directory(root: Path) -> None:
    found = call(root, {"path": "util"}, working_dir="src")
    assert paths(found) == ["src/util/x.py"]
    assert found["context"]["cwd"] == "src"
    assert found["context"]["path_resolved"] == "src/util"


def test_a_directory_behind_a_link_has_its_real_path(root: Path) -> None:
    found = call(root, {"path": "l"})
    assert (found["context"]["path_resolved"], paths(found)) == ("src", ["src/util", "src/main.py"])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"path": "missing"}, "NOT_FOUND", "Path 'missing' does not exist."),
        ({"path": "README.md/x"}, "NOT_FOUND", "Path 'README.md/x' does not exist."),
        ({"path": ".."}, "ACCESS_DENIED", "Access denied. Path must be within the project root."),
        ({"path": "out"}, "ACCESS_DENIED", "Access denied. Path must be within the project root."),
        (
            {"path": "README.md"},
            "INVALID_PARAM",
            "'README.md' is a file, not a directory. Use 'Read' tool to view its content.",
        ),
        ({"limit": 201}, "INVALID_PARAM", "offset/limit/ignore must be valid types."),
        ({"path": "a\0b"}, "INVALID_PARAM", "offset/limit/ignore must be valid types."),
        ({"path": "\ud800"}, "INVALID_PARAM", "offset/limit/ignore must be valid types."),
    ],
)
def test_an_error_has_code_text_and_input(root: Path, arguments: dict[str, Any], code: str, message: str) -> None:
    found = call(root, arguments)
    assert found["error"] == {"code": code, "message": message}
    assert found["text"] == message
    assert found["context"]["params_input"] == arguments


def test_an_unreadable_directory_is_refused_with_the_requested_path(root: Path) -> None:
    found = call(root, {"path": "./c/"}, tree="c/%0000{x}, a")
    os.chmod(root / "c", 0o700)
    assert found["error"] == {"code": "ACCESS_DENIED", "message": "Permission denied accessing './c/'."}


def test_a_failing_disk_is_an_internal_error_without_a_path(root: Path) -> None:
    class Broken(ls.Directory):  # type: ignore[misc, name-defined]
        def entries(self) -> Any:
            raise OSError(5, "Input/output error", str(root))

    from treeproof.reference_impl.shared.candidate import Candidate as candidate

    context = {"roots": [str(root)], "working_dir": str(root)}
    broken = candidate([ls.ListFiles(directory=Broken)])
    found = json.loads(broken.call({"tool": "LS", "arguments": {}, "context": context})["content"])
    assert found["error"] == {
        "code": "INTERNAL_ERROR",
        "message": "Failed to list directory - Input/output error",
    }


def test_a_root_may_be_named_through_a_link(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to("root")
    found = call(root, {"path": "src"}, roots=[str(link)], working_dir=str(link))
    assert paths(found) == ["src/util", "src/main.py"]


def test_the_tool_and_two_capabilities_are_declared() -> None:
    result = ls.candidate().initialize({"protocol": 1, "workspace": "/"})
    assert result["tools"] == {"LS": "ls@2.0.0"}
    assert set(result["capabilities"]) == {"policy", "context"}
