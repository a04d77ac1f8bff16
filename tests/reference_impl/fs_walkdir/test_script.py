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
    ("script", "emitted"),
    [
        ("", []),
        ('# a comment\n\n  EMIT "a"', ["a"]),
        ('EMIT "a # b"', ["a # b"]),
        ('EMIT "a" + 1 + nil', ["a1null"]),
        ('SET x = "a"\nSET x = x + x\nEMIT x', ["aa"]),
        ("EMIT LAST", ["null"]),
        (
            'CALL FS.WalkDir("d")\nSET one = LAST\nFOR EACH e IN one DO\nEMIT e["path"] + e["size"]\nENDBLOCK',
            ["f5"],
        ),
        ('CALL FS.WalkDir("nope")\nIF LAST == nil THEN\nEMIT "nil"\nELSE\nEMIT "list"\nENDBLOCK', ["nil"]),
        ('CALL FS.WalkDir("d")\nIF LAST == nil THEN\nEMIT "nil"\nELSE\nEMIT "list"\nENDBLOCK', ["list"]),
        ('CALL FS.WalkDir("d")\nIF LAST == nil THEN\nEMIT "nil"\nENDBLOCK', []),
        ('CALL FS.WalkDir("d")\nCALL FS.WalkDir("f")\nEMIT LAST', ["null"]),
        ("CALL FS.WalkDir()\nEMIT LAST", ["null"]),
        ('CALL FS.WalkDir("d", "d")\nEMIT LAST', ["null"]),
        ('CALL FS.WalkDir("nope")\nFOR EACH e IN LAST DO\nEMIT "x"\nENDBLOCK\nEMIT "end"', ["end"]),
        ('IF "1" == 1 THEN\nEMIT "same"\nELSE\nEMIT "other"\nENDBLOCK', ["other"]),
    ],
)
def test_a_script_emits_the_texts(run: Any, script: str, emitted: Emitted) -> None:
    assert run(script) == emitted


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
