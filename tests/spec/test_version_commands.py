"""Commands on one version of a specification, and on that of the working directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.spec.two_versions import edit, freeze
from treeproof.cli import main
from treeproof.mutation.measurement import measure
from treeproof.mutation.mutant_plan import MutantPlan
from treeproof.run.pack_lint import lint_folder
from treeproof.spec import load_pack
from treeproof.spec.packs import shortest_folder
from treeproof.spec.version_features import scenarios_of


@pytest.mark.parametrize("version", ["1.1", "1.2"])
def test_a_run_judges_by_one_version_and_names_it(folder: Path, tmp_path: Path, version: str) -> None:
    report = tmp_path / "run.json"
    assert main(["run", "reference", "--spec", f"{folder}@{version}", "--report", f"json={report}"]) == 0
    document = json.loads(report.read_text("utf-8"))
    assert [(one["name"], one["version"]) for one in document["specs"]] == [("read_text", version)]
    assert {one["id"] for one in document["specs"][0]["scenarios"]} == {
        case.id for case in scenarios_of(load_pack(folder, version))
    }


def test_the_reference_of_one_version_fails_the_other(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "run.json"
    target = "python:read_text_reference:Candidate"
    code = main(["run", target, "--spec", f"{folder}@1.2", "--report", f"json={report}"])
    document = json.loads(report.read_text("utf-8"))
    assert code == 1
    failed = [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == "FAIL"]
    assert failed == ["RT2-OUT-02", "RT2-ERR-03"]
    assert any("it was judged by read_text@1.2; its own version: --spec …@1.1" in one for one in document["warnings"])


def test_workers_run_the_version_that_was_asked_for(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "run.json"
    arguments = ["run", "reference", "--spec", f"{folder}@1.1", "--jobs", "2", "--report", f"json={report}"]
    assert main(arguments) == 0
    assert json.loads(report.read_text("utf-8"))["specs"][0]["version"] == "1.1"


@pytest.mark.parametrize(("version", "killed"), [("1.1", 4), ("1.2", 2)])
def test_adequacy_asks_the_mutants_of_a_version(folder: Path, version: str, killed: int) -> None:
    pack = load_pack(folder, version)
    matrix = measure(pack, MutantPlan(pack), jobs=1).matrix
    assert matrix is not None
    assert matrix.broken_gates() == []
    assert sum(row.killed and row.mutant.kind == "wrong" for row in matrix.rows) == killed


def test_two_versions_in_one_run_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "reference", "--spec", f"{folder}@1.1", "--spec", f"{folder}@1.2"]) == 2
    assert "read_text is selected twice, in the versions 1.1 and 1.2; run them one after the other" in (
        capsys.readouterr().err
    )


def test_explain_shows_the_requirement_of_each_selected_version(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "RT2-OUT-02", "--spec", f"{folder}@1.1", "--spec", str(folder)]) == 0
    output = capsys.readouterr().out
    assert "read_text 1.1" in output
    assert "read_text 1.2" in output
    assert "the last ones" in output


def test_merge_of_two_versions_of_one_run_names_both(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, version in ((1, "1.1"), (2, "1.2")):
        report = tmp_path / f"{number}.json"
        shard = ["--shard", f"{number}/2", "--report", f"json={report}"]
        main(["run", "python:read_text_reference:Candidate", "--spec", f"{folder}@{version}", *shard])
    capsys.readouterr()
    assert main(["merge", str(tmp_path / "1.json"), str(tmp_path / "2.json")]) == 2
    assert "another version of a specification (read_text 1.1, read_text 1.2); merge shards of one run" in (
        capsys.readouterr().err
    )


def test_a_baseline_names_the_versions_and_a_run_of_another_one_warns(folder: Path, tmp_path: Path) -> None:
    baseline, report = tmp_path / "baseline.toml", tmp_path / "run.json"
    target = "python:read_text_reference:Candidate"
    main(["run", target, "--spec", str(folder), "--write-baseline", str(baseline)])
    assert '[specifications]\nread_text = "1.2"\n' in baseline.read_text("utf-8")
    main(["run", target, "--spec", str(folder), "--baseline", str(baseline), "--report", f"json={report}"])
    assert not [one for one in json.loads(report.read_text("utf-8"))["warnings"] if "the baseline is of" in one]
    edit(baseline, '"1.2"', '"1.1"')
    main(["run", target, "--spec", str(folder), "--baseline", str(baseline), "--report", f"json={report}"])
    message = "the baseline is of read_text 1.1, and this run judged read_text 1.2: write the baseline again"
    assert message in json.loads(report.read_text("utf-8"))["warnings"]


def test_a_command_without_a_specification_takes_that_of_the_working_directory(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["list", "specs"]) == 0
    assert "read_text@1.2" in capsys.readouterr().out
    assert main(["run", "reference", "--report", "json=run.json"]) == 0
    document = json.loads(Path("run.json").read_text("utf-8"))
    assert [one["name"] for one in document["specs"]] == ["read_text"]
    assert document["command"] == ["reference", "--spec", "."]
    assert {one["file"] for one in document["specs"][0]["scenarios"]} == {"added.feature", "text.feature"}


def test_paths_of_scenarios_start_from_the_working_directory(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_file(directory: Path) -> str:
        monkeypatch.chdir(directory)
        main(["run", "reference", "--spec", str(folder), "--report", f"json={tmp_path / 'run.json'}"])
        document = json.loads((tmp_path / "run.json").read_text("utf-8"))
        return min(str(one["file"]) for one in document["specs"][0]["scenarios"])

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert first_file(folder.parent) == "read_text/added.feature"
    assert first_file(elsewhere) == "read_text/added.feature"
    assert first_file(folder) == "added.feature"


def test_an_id_of_another_version_is_explained_as_such(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "RT2-ERR-02", "--spec", str(folder)]) == 2
    assert 'nothing has the id "RT2-ERR-02" in read_text 1.2; it is of another version: 1.1' in capsys.readouterr().err


def test_a_reworded_sentence_is_found_although_another_one_is_unchanged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = folder / "spec.toml"
    edit(catalogue, 'sentences = ["201d2f0af18f"]', 'sentences = ["201d2f0af18f", "673093401967"]')
    main(["confirm", "--spec", str(folder)])
    main(["confirm", "--spec", f"{folder}@1.1"])
    edit(folder / "specification.md", "A missing file MUST be", "Each missing file MUST be")
    capsys.readouterr()
    assert main(["lint", str(folder)]) == 2
    output = capsys.readouterr().out
    assert "RT2-ERR-01: its sentence 201d2f0af18f is now" in output
    assert f"treeproof confirm RT2-ERR-01 --spec {shortest_folder(folder)}" in output
    assert main(["confirm", "RT2-ERR-01", "--spec", str(folder)]) in (0, 2)
    assert len(load_pack(folder).requirement("RT2-ERR-01").sentences) == 3


def test_variants_of_two_versions_can_have_one_id(folder: Path) -> None:
    (folder / "read_text_variants_1_2.py").write_text((folder / "read_text_variants.py").read_text("utf-8"), "utf-8")
    edit(folder / "spec.toml", "error_kinds", 'variants = "read_text_variants_1_2:variants"\nerror_kinds')
    assert [one for one in lint_folder(folder) if one.is_error] == []


def test_a_baseline_can_contain_ids_of_both_versions(folder: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.toml"
    entries = ("RT2-ERR-02", "RT2-ERR-02-01", "RT2-ERR-03-01")
    text = "".join(f'[[known]]\nid = "{id}"\nreason = "r"\n' for id in entries)
    baseline.write_text(text, "utf-8")
    for version in ("1.1", "1.2"):
        target = "mutant:MUT-RT2-02" if version == "1.1" else "mutant:MUT-RT2-11"
        assert main(["run", target, "--spec", f"{folder}@{version}", "--baseline", str(baseline)]) != 2


def test_a_scenario_from_a_counterexample_holds_from_its_version_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    freeze(folder, "1.1")
    saved = {
        "format": 1,
        "spec": "read_text",
        "version": "1.2",
        "family": "text",
        "outside": "",
        "requirement": "RT2-OUT-01",
        "message": "the content differs",
        "expected": "x",
        "got": "y",
        "scenario": 'Given the tree "a="x""\nWhen read_text is called with {"path": "a"}\n'
        'Then the content is "x"\nAnd the tree is unchanged',
        "target": "reference",
        "profile": "default",
        "case": {"tree": 'a="x"', "tool": "read_text", "arguments": {"path": "a"}, "context": {}},
    }
    file = tmp_path / "counterexample.json"
    file.write_text(json.dumps(saved), "utf-8")
    assert main(["new", "scenario", "--from", str(file), "--spec", str(folder)]) == 0
    assert "@RT2-OUT-01-101 @since:1.2" in (folder / "text.feature").read_text("utf-8")
    assert lint_folder(folder) == []
    capsys.readouterr()
    assert main(["replay", str(file), "--spec", f"{folder}@1.1"]) == 2
    assert f"is of version 1.2; write --spec {folder}@1.2" in capsys.readouterr().err


def test_adequacy_reports_why_a_mutant_does_not_start(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "class FirstLines(Candidate):\n"
    edit(
        folder / "read_text_mutants_1_2.py",
        head,
        f"{head}    def __init__(self) -> None:\n        raise OSError('no such thing')\n\n",
    )
    assert main(["adequacy", "--spec", str(folder), "--select", "MUT-RT2-11"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "no verdict MUT-RT2-11" in output
    assert "it did not start:" in output
    assert "no such thing" in output
