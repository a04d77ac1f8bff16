"""The examples of glue in docs/glue are complete: they are sound and pass scenarios."""

from __future__ import annotations

import re
import shutil
import subprocess
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
OTHERS = {"php": "php", "perl": "perl", "cpp": "c++"}
"""The languages of the examples on the page of other languages that are run, and the programs that they need."""
HELD_BY_OTHERS = {"LD-LST-01-01", "LD-ERR-03-01", "LD-REL-02-04", "LD-OUT-DOC-08"}


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


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_an_example_in_another_language_is_sound_and_passes_scenarios(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which(OTHERS[language]) is None:
        pytest.skip(f"not verified: the example in {language}; needs the program {OTHERS[language]}")
    page = (PAGES / "other-languages.md").read_text("utf-8")
    block = r"^```{} (\S+)\n(.*?)^```$"
    program = re.search(block.format(language), page, re.MULTILINE | re.DOTALL)
    assert program
    manifest = re.compile(block.format("toml"), re.MULTILINE | re.DOTALL).search(page, program.end())
    assert manifest
    (tmp_path / program[1]).write_text(program[2], "utf-8")
    (tmp_path / "treeproof.toml").write_text(manifest[2], "utf-8")
    if language == "cpp":
        (command,) = re.findall(r"`(c\+\+ .*?)`", page)
        built = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        if "nlohmann/json.hpp: No such file" in built.stderr:
            pytest.skip("not verified: the example in cpp; needs the library nlohmann/json")
        assert built.returncode == 0, built.stderr
    assert main(["doctor", str(tmp_path)]) == 0, capsys.readouterr().out
    document = run(Options(target=str(tmp_path), select=tuple(sorted(HELD_BY_OTHERS)))).document
    outcomes = {one["id"]: one["outcome"] for found in document.to_json()["specs"] for one in found["scenarios"]}
    assert outcomes == dict.fromkeys(HELD_BY_OTHERS, "passed")
