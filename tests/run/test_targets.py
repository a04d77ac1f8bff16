"""TARGET ``mutant:ID``: which pack runs, how the run is repeated, and how an unknown id is reported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run
from treeproof.run.targets import resolve_target
from treeproof.spec import find_pack


def test_a_mutant_is_found_in_the_bundled_packs() -> None:
    target = resolve_target("mutant:MUT-WD-025")
    assert (target.kind, target.factory, target.specs) == (
        "python",
        "treeproof.mutants.fs_walkdir:mutants[MUT-WD-025]",
        ("fs_walkdir",),
    )
    assert resolve_target("mutant:MUT-WD-025", ["list_directory"]) == target


def test_a_mutant_at_the_adapter_is_planted_into_the_reference() -> None:
    target = resolve_target("mutant:MUT-WD-003")
    assert target.factory == "treeproof.reference_impl.fs_walkdir.candidate:candidate"
    assert target.planted is not None and (target.planted.id, target.planted.is_own) == ("MUT-WD-003", True)


def test_the_rows_of_a_variant_are_planted_into_the_reference_with_its_parts() -> None:
    both = resolve_target("variant:AMB-LS-13=b+AMB-LS-22=b")
    assert both.factory == "treeproof.variants.ls:variants[AMB-LS-13=b+AMB-LS-22=b]"
    assert both.planted is not None and (both.planted.id, both.planted.is_own) == ("AMB-LS-13=b+AMB-LS-22=b", True)
    assert resolve_target("variant:AMB-LS-22=b").planted is None


def test_a_mutant_is_planted_into_any_candidate() -> None:
    entry = "treeproof.reference_impl.fs_walkdir.candidate:candidate"
    host = f"stdio:{sys.executable} -m treeproof.candidate.host stdio {entry}"
    options = Options(host, specs=("fs_walkdir",), select=("WD-ENT-01-111", "WD-ENT-04-01"), mutant="MUT-WD-003")
    document = run(options).document
    assert document.to_json()["candidate"]["name"] == "treeproof reference with MUT-WD-003"
    assert document.to_json()["command"][-2:] == ["--mutant", "MUT-WD-003"]
    failed = {one["id"] for one in document.to_json()["specs"][0]["requirements"] if one["verdict"] == "FAIL"}
    assert (failed, document.to_json()["exit"]) == ({"WD-ENT-01"}, 1)


def test_a_mutant_inside_the_reference_is_planted_nowhere_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "stdio:true", "--mutant", "MUT-WD-025"]) == 2
    assert "--mutant MUT-WD-025: it changes the inside of the reference implementation" in capsys.readouterr().err
    assert main(["run", "stdio:true", "--mutant", "MUT-WD-999"]) == 2
    assert "--mutant MUT-WD-999: no mutant of " in capsys.readouterr().err


def test_other_targets_are_resolved_as_well(tmp_path: Path) -> None:
    assert resolve_target("stdio:./tool", folder=tmp_path).folder == tmp_path


@pytest.mark.parametrize("text", ["mutant:", "mutant:MUT-LS-1"])
def test_an_unknown_mutant_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"TARGET {text}: no mutant of list_directory, .*ls has this id; "):
        resolve_target(text)


def test_only_the_pack_of_the_mutant_runs() -> None:
    document = run(Options("mutant:MUT-FO-061", select=("FO-MV-03-01", "FO-D01-01"), jobs=2)).document
    assert [spec["name"] for spec in document.to_json()["specs"]] == ["file_operations"]
    assert document.to_json()["candidate"]["name"] == "MUT-FO-061"
    assert document.to_json()["command"][0] == "mutant:MUT-FO-061"
    assert document.to_json()["exit"] == 1


@pytest.mark.slow
def test_the_adapter_of_a_mutant_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "mutant:MUT-WD-001"]) == 0
    assert "MUT-WD-001" in capsys.readouterr().out


def test_a_selected_pack_is_searched_in_place_of_the_bundled_ones(tmp_path: Path) -> None:
    folder = tmp_path / "ls"
    folder.mkdir()
    for file in find_pack("ls").iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    assert resolve_target("mutant:MUT-LS-001", [f"{folder}/"]).folder == folder


def test_a_function_offers_the_tools_of_the_selected_packs() -> None:
    target = resolve_target("python:tools.py:run", ["ls", "local_files"])
    assert target.function_tools["LS"].startswith("ls@")
    assert "findFiles" not in target.function_tools  # optional
    assert not resolve_target("python:tools.py:run").function_tools
