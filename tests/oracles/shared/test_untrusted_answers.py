"""Every model judges any answer: members of a candidate may be absent, and have unknown values or other types."""

from __future__ import annotations

import contextlib
import copy
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.candidate.factory import load_candidate
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.spec import open_pack
from treeproof.spec.entry_points import load_entry_point
from treeproof.tree import build_tree, parse_tree
from treeproof.verdict import Profile, accepted_readings

REMOVED = object()
VALUES: tuple[Any, ...] = (
    *(REMOVED, None, True, 1, -1, 1.5, 1e999, 10**400, "", "x", "/", "\0", "\ud800", "a/b", "../.."),
    *([], {}, [[]], [{}], ["x"], {"a": 1}, "main.FileEntry", "9" * 5000),
    *("2020-01-01T00:00:00." + "1" * 5000 + "Z", "0001-01-01T00:00:00+23:59", "2020-01-01T00:00:00+99:99"),
)
TEXTS = ("", "[", "nul", "NaN", '"\\ud800"', "[" * 100_000, '[{"a":' * 50_000, "1" * 5000, "[null]", "{}", "[[{}]]")
TREE = r"a/{b=3}, f=1, l->f, p:fifo, '\xff'=2"


@dataclass(frozen=True)
class Sample:
    """A call of a pack's first tools on the tree."""

    pack: str
    tool: str
    arguments: dict[str, Any]
    tree: str = TREE


SAMPLES = (
    Sample("list_directory", "list_directory", {"path": ".", "recursive": True, "include_hidden": True}),
    Sample("ls", "LS", {"path": "."}, "a/{b=3}, f=1, l->f"),
    Sample("fs_walkdir", "FS.WalkDir", {"path": "."}),
    Sample("local_files", "listDirectory", {"path": "$ROOT"}),
    Sample("local_files", "listDirectory", {"path": "$ROOT"}, "a/, f, l->f"),
    Sample("local_files", "findFiles", {"path": "$ROOT", "recursive": True, "glob": "**/*"}),
)


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value within a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from places(item, (*above, key))


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """Return a copy with another value at a place, or without it."""
    result = copy.deepcopy(value)
    *above, last = place
    found = result
    for key in above:
        found = found[key]
    if new is REMOVED:
        del found[last]
    else:
        found[last] = new
    return result


def odd_texts(text: str) -> Iterator[str]:
    """Yield answers with the last or all members of a name replaced."""
    yield from TEXTS
    value = json.loads(text)
    found = list(places(value))
    for place in {place[-1]: place for place in found}.values():
        yield from (json.dumps(changed(value, place, new)) for new in VALUES)
    for name in {place[-1] for place in found if isinstance(place[-1], str)}:
        for new in VALUES:
            result = value
            for place in found:
                if place[-1] == name:
                    with contextlib.suppress(KeyError, TypeError, IndexError):  # a place within another of its name
                        result = changed(result, place, new)
            yield json.dumps(result)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.tool}-{len(sample.tree)}")
def test_a_model_judges_any_answer(sample: Sample, tmp_path: Path) -> None:
    pack = open_pack(sample.pack)
    model = load_entry_point(pack.pack_file, "oracle", pack.oracle or "", object)
    root = tmp_path / "root"
    root.mkdir()
    tree = parse_tree(sample.tree)
    build_tree(tree, os.fsencode(root))
    arguments = {key: str(root) if value == "$ROOT" else value for key, value in sample.arguments.items()}
    request = {"tool": sample.tool, "arguments": arguments, "context": {"roots": [str(root)], "working_dir": str(root)}}
    answer = load_candidate(pack.reference or "", pack.folder, {}).call(request)
    case = Case(sample.tool, tree, sample.arguments)
    accepted = {
        entry.id: accepted_readings(entry, Profile.DEFAULT, {})
        for entry in pack.interpretations
        if entry.id in model.interpretations
    }
    for text in odd_texts(answer["content"]):
        with contextlib.suppress(Unmodelled):
            model.judge(Exchange(case, CallResult("ok", text, None, None, None, None, None, b"")), accepted)
