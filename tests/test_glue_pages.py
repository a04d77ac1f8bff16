"""The examples of glue in docs/glue are complete: they are sound and pass scenarios."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.run.runner import Options, run
from treeproof.spec import bundled_packs

PAGES = Path(__file__).resolve().parent.parent / "docs" / "glue"
FILE = re.compile(r"^```(python|javascript|toml) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = {"candidate.py": "python3", "candidate.mjs": "node"}
HELD = {
    "list_directory": {"LD-LST-01-01", "LD-DEF-05-01", "LD-ERR-02-01", "LD-ERR-03-01"},
    "file_operations": {"FO-D01-01", "FO-D02-01", "FO-MV-03-01", "FO-SEC-01-20", "FO-SEC-02-01"},
    "fs_walkdir": {"WD-RET-01-01"},
    "local_files": {"LF-FIELD-02-01", "LF-FIELD-03-01", "LF-LINK-03-01"},
    "ls": {"LS-DATA-03-01", "LS-DATA-06-01", "LS-DATA-07-01"},
}
"""Scenarios that the example of each page passes."""


def example(spec: str) -> dict[str, str]:
    """Return the files of the example by name."""
    page = (PAGES / f"{spec}.md").read_text("utf-8")
    return {"treeproof.toml" if name == "manifest" else name: text for _, name, text in FILE.findall(page)}


def test_every_specification_has_an_example_and_both_languages_occur() -> None:
    examples = {folder.name: example(folder.name) for folder in bundled_packs()}
    assert set(examples) == set(HELD)
    assert {name for files in examples.values() for name in files if name in PROGRAMS} == set(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("spec", HELD)
def test_an_example_is_sound_and_passes_scenarios(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = example(spec)
    program = next(PROGRAMS[name] for name in files if name in PROGRAMS)
    if shutil.which(program) is None:
        pytest.skip(f"not verified: the example; needs the program {program}")
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert main(["doctor", str(tmp_path)]) == 0, capsys.readouterr().out
    document = run(Options(target=str(tmp_path), select=tuple(sorted(HELD[spec])))).document
    outcomes = {one["id"]: one["outcome"] for found in document.to_json()["specs"] for one in found["scenarios"]}
    assert outcomes == dict.fromkeys(HELD[spec], "passed")
