"""The interpreter of the document's statements refuses all other statements."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

Emitted = list[str]


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Return a function that runs a script on a small tree and returns its texts or the error message."""
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_bytes(b"12345")

    def run(script: Any) -> Emitted | str:
        candidate = importlib.import_module("treeproof.reference_impl.fs_walkdir.candidate").candidate()
        context = {"roots": [str(tmp_path)], "working_dir": str(tmp_path)}
        answer = candidate.call({"tool": "NeuroScript", "arguments": {"script": script}, "context": context})
        if answer["status"] == "error":
            return str(answer["error"]["message"])
        emitted: Emitted = json.loads(answer["content"])
        return emitted

    return run


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("PRINT 1", "line 1"),
        ('EMIT "a"\nEMIT', "line 2"),
        ("EMIT x", "x has no value"),
        ('EMIT "a', "not understood"),
        ('EMIT "a" "b"', "not understood here"),
        ("EMIT 1 +", "a value is missing"),
        ("ENDBLOCK", "closes nothing"),
        ("ELSE", "closes nothing"),
        ("IF 1 == 1 THEN", "ENDBLOCK"),
        ("FOR EACH x IN LAST DO\nELSE\nENDBLOCK", "ENDBLOCK"),
        ("IF 1 THEN\nENDBLOCK", "no statement"),
        ('CALL FS.Mkdir("x")', "no tool"),
        ('CALL FS.WalkDir("d" "d")', "commas"),
        ('EMIT LAST["path"]', "no key"),
        ("SET x = 1\nEMIT x[1", "bracket"),
        (5, "string"),
    ],
)
def test_an_unknown_statement_is_refused(run: Any, script: Any, message: str) -> None:
    assert message in run(script)
