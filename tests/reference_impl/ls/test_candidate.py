"""The right LS, call by call: what its envelope says of listings, refusals, and a file system that fails."""

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
    place = tmp_path / "root"
    place.mkdir()
    return place


def ask(root: Path, arguments: Any = None, tree: str = BASE, below: str = ".", **context: Any) -> dict[str, Any]:
    """Return the envelope of one call; every one has to fit the schema."""
    build_tree(parse_tree(tree), os.fsencode(root))
    places = {"roots": [str(root)], "working_dir": str(root / below), **context}
    with drop_dac_capabilities():
        result = ls.candidate().call({"tool": "LS", "arguments": arguments or {}, "context": places})
    envelope = json.loads(result["content"])
    assert list(ENVELOPE.iter_errors(envelope)) == []
    return dict(envelope)


def paths(envelope: dict[str, Any]) -> list[str]:
    return [entry["path"] for entry in envelope["data"]["entries"]]


def test_a_listing_says_the_same_in_all_its_parts(root: Path) -> None:
    found = ask(root, {"limit": 4})
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


def test_from_a_working_directory_below_everything_is_relative_to_the_root(root: Path) -> None:
    found = ask(root, {"path": "util"}, below="src")
    assert paths(found) == ["src/util/x.py"]
    assert found["context"]["cwd"] == "src"
    assert found["context"]["path_resolved"] == "src/util"


def test_a_directory_behind_a_link_is_called_by_its_own_name(root: Path) -> None:
    found = ask(root, {"path": "l"})
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
def test_refusals(root: Path, arguments: dict[str, Any], code: str, message: str) -> None:
    found = ask(root, arguments)
    assert found["error"] == {"code": code, "message": message}
    assert found["text"] == message
    assert found["context"]["params_input"] == arguments


def test_a_closed_directory_is_refused_and_named_as_it_was_given(root: Path) -> None:
    found = ask(root, {"path": "./c/"}, tree="c/%0000{x}, a")
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


def test_a_root_that_is_reached_through_a_link_is_a_root(root: Path) -> None:
    way = root.parent / "way"
    way.symlink_to("root")
    found = ask(root, {"path": "src"}, roots=[str(way)], working_dir=str(way))
    assert paths(found) == ["src/util", "src/main.py"]


def test_what_it_declares_is_what_it_honours() -> None:
    hello = ls.candidate().initialize({"protocol": 1, "workspace": "/"})
    assert hello["tools"] == {"LS": "ls@2.0.0"}
    assert set(hello["capabilities"]) == {"policy", "context"}
