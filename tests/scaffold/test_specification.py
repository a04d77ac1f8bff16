"""`treeproof new spec`: its files pass the lint, run and detect mutants; existing files are not overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.pack_lint import lint_folder
from treeproof.run.runner import Options, run
from treeproof.scaffold.specification import new_spec
from treeproof.spec import load_pack, parse_feature
from treeproof.spec.lint_document import lint_document
from treeproof.spec.locks import read_lock

NULL = """
def candidate(tool, arguments, context):
    return {"status": "ok", "content": ""}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return new_spec("my_tool2", tmp_path / "pack").folder


def run_document(target: str, folder: Path) -> dict[str, Any]:
    return run(Options(target=target, specs=(str(folder),))).document.to_json()


def test_it_passes_the_lint(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(folder)]) == 0
    assert "0 errors, 0 notes" in capsys.readouterr().out


def test_its_reference_conforms_to_one_reading(folder: Path) -> None:
    document = run_document("reference", folder)
    assert document["verdict"] == "conformant"
    assert [one["observed"] for one in document["specs"][0]["interpretations"]] == [["no"]]


def test_a_null_candidate_passes_no_requirement(folder: Path) -> None:
    (folder / "nothing.py").write_text(NULL, "utf-8")
    target = folder / "treeproof.toml"
    target.write_text(
        '[candidate]\nadapter = "python"\nfactory = "./nothing.py:candidate"\n[tools]\nmy_tool2 = "my_tool2@0.1"\n',
        "utf-8",
    )
    verdicts = {one["verdict"] for one in run_document(str(folder), folder)["specs"][0]["requirements"]}
    assert verdicts == {"FAIL"}


def test_its_mutants_are_killed_from_any_working_directory(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["adequacy", "--spec", str(folder)]) == 0
    output = capfd.readouterr().out
    assert "2 of 2 mutants are killed by the requirement that they violate" in output
    assert "1 of 1 null candidates pass no requirement" in output


def test_its_mutants_are_targets(folder: Path) -> None:
    document = run_document("mutant:MUT-MYTOOL-01", folder)
    failed = [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == "FAIL"]
    assert failed == ["MYTOOL-OUT-01"]


def test_the_catalogue_names_the_document_beside_it(folder: Path) -> None:
    pack = load_pack(folder)
    assert (folder / pack.source).is_file()
    assert (pack.name, pack.prefix) == ("my_tool2", "MYTOOL")


def test_existing_files_are_not_overwritten(folder: Path) -> None:
    (folder / "spec.toml").write_text("mine", "utf-8")
    with pytest.raises(UsageError, match=r"spec\.toml: the file exists"):
        new_spec("my_tool2", folder)
    assert (folder / "spec.toml").read_text("utf-8") == "mine"


def test_a_dangling_link_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=r"spec\.toml: the file exists"):
        new_spec("mine", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["spec.toml"]


@pytest.mark.parametrize("name", ["My", "2nd", "a-b", "", "ls"])
def test_an_invalid_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name"):
        new_spec(name, tmp_path / "pack")
    assert not (tmp_path / "pack").exists()


def test_the_command_prints_the_next_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "spec", "mine"]) == 0
    assert "treeproof run reference --spec ./mine" in capsys.readouterr().out
    assert main(["new", "spec", "mine", "of mine"]) == 0
    assert "treeproof run reference --spec './of mine'" in capsys.readouterr().out


@pytest.fixture(scope="module")
def with_oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_spec("pets", tmp_path_factory.mktemp("oracle") / "pets", with_oracle=True).folder


def test_with_an_oracle_it_passes_the_lint_and_its_reference_conforms(
    with_oracle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", str(with_oracle)]) == 0
    assert "0 errors, 0 notes" in capsys.readouterr().out
    document = run_document("reference", with_oracle)
    assert document["verdict"] == "conformant"
    verdicts = {one["id"]: one["verdict"] for one in document["specs"][0]["requirements"]}
    assert verdicts == {"PETS-OUT-01": "PASS", "PETS-NAM-01": "PASS", "PETS-ERR-01": "PASS"}


def test_a_schema_that_a_step_reads_is_named(tmp_path: Path) -> None:
    folder = new_spec("pets", tmp_path / "pets", with_oracle=True).folder
    catalogue = folder / "spec.toml"
    catalogue.write_text(catalogue.read_text("utf-8").replace('output = "output', 'other = "output'), "utf-8")
    (found,) = [one for one in lint_folder(folder) if one.is_error]
    assert (found.file.name, found.line) == ("first.feature", 11)
    assert 'the step reads the schema "output"; write output = ' in found.message


def test_with_an_oracle_mutants_are_killed_and_its_variant_is_accepted(
    with_oracle: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["adequacy", "--spec", str(with_oracle)]) == 0
    output = capfd.readouterr().out
    assert "3 of 3 mutants are killed by the requirement that they violate" in output
    assert "1 of 1 variants are accepted" in output


@pytest.mark.parametrize(
    ("mutant", "found"),
    [
        ("MUT-PETS-01", "PETS-OUT-01  path is not the requested one"),
        ("MUT-PETS-02", "PETS-NAM-01  the names are in another order"),
        ("MUT-PETS-03", "PETS-ERR-01  a missing directory is no error"),
    ],
)
def test_its_model_finds_each_mutant(
    with_oracle: Path, mutant: str, found: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeproof.search.search.MAX_COUNTEREXAMPLES", 1)
    assert main(["search", f"mutant:{mutant}", "--spec", str(with_oracle), "--seconds", "300"]) == 1
    assert found in capfd.readouterr().out


def test_the_new_document_is_confirmed(with_oracle: Path) -> None:
    pack = load_pack(with_oracle)
    assert list(lint_document(pack, with_oracle / pack.source)) == []
    assert read_lock(pack) is not None


def test_a_scenario_that_the_search_writes_for_an_error_passes_the_lint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = new_spec("pets", tmp_path / "pets", with_oracle=True).folder
    saved = tmp_path / "saved"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("treeproof.search.search.MAX_COUNTEREXAMPLES", 1)
        arguments = ["--spec", str(pack), "--seconds", "30", "--save", str(saved)]
        assert main(["search", "mutant:MUT-PETS-03", *arguments]) == 1
    (file,) = saved.glob("PETS-ERR-01-*.json")
    assert main(["new", "scenario", "--from", str(file), "--spec", str(pack)]) == 0
    assert main(["lint", str(pack)]) == 0
    assert "0 errors, 0 notes" in capsys.readouterr().out
    (added,) = [case for case in parse_feature(pack / "first.feature").scenarios if case.id == "PETS-ERR-01-101"]
    document = run(Options("reference", specs=(str(pack),), select=(added.id,))).document
    assert document.to_json()["verdict"] == "partial"
