"""Fixtures that call the reference implementation of list_directory on a tree."""

import importlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.tree import build_tree, parse_tree

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def call(tmp_path: Path) -> Call:
    """Return a function that calls list_directory with file modes in effect; only the first call builds its tree."""
    root = tmp_path / "root"

    def call(tree: str, arguments: dict[str, Any] | None = None, **context: Any) -> dict[str, Any]:
        if not root.exists():
            root.mkdir()
            build_tree(parse_tree(tree), os.fsencode(root))
        candidate = importlib.import_module("treeproof.reference_impl.list_directory.candidate").candidate()
        with drop_dac_capabilities():
            answer: dict[str, Any] = candidate.call(
                {
                    "tool": "list_directory",
                    "arguments": {"path": "."} | (arguments or {}),
                    "context": {"roots": [str(root)], "working_dir": str(root)} | context,
                }
            )
        return answer

    return call


@pytest.fixture
def listed(call: Call) -> Call:
    """Return a function that returns the document of a successful call."""

    def listed(tree: str, arguments: dict[str, Any] | None = None, **context: Any) -> dict[str, Any]:
        answer = call(tree, arguments, **context)
        assert answer["status"] == "ok", answer
        document: dict[str, Any] = json.loads(answer["content"])
        return document

    return listed


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of files that are opened from now on, in order."""
    names: list[str] = []
    real = os.open

    def recording_open(path: Any, *arguments: Any, **keywords: Any) -> int:
        names.append(os.path.basename(os.fsdecode(path)))
        return real(path, *arguments, **keywords)

    monkeypatch.setattr(os, "open", recording_open)
    monkeypatch.setattr(os, "supports_dir_fd", {*os.supports_dir_fd, recording_open})
    return names
