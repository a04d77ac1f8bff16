"""Several versions of a specification in one folder: what holds in each, frozen versions, and their differences."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.spec.two_versions import READ_TEXT, write_two_versions
from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.mutation.measurement import measure
from treeproof.mutation.runner import MutantPlan
from treeproof.run.pack_lint import lint_folder
from treeproof.spec import find_pack, load_pack, open_pack
from treeproof.spec.frozen_versions import FROZEN_FILE, changes_since_frozen, frozen_text
from treeproof.spec.mutants import load_mutants
from treeproof.spec.packs import address_of
from treeproof.spec.version_differences import compare_versions
from treeproof.spec.version_features import scenarios_of
from treeproof.spec.version_span import VersionSpan

ORDER = ("1.0", "1.1", "1.2")
COMMON = ["RT2-OUT-01-01", "RT2-OUT-01-02", "RT2-OUT-01-03", "RT2-OUT-01-04"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_two_versions(tmp_path / "read_text")


def freeze(folder: Path, version: str) -> None:
    (folder / FROZEN_FILE).write_text(frozen_text(load_pack(folder, version)), "utf-8")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


# --- what holds in a version ---


@pytest.mark.parametrize(
    ("since", "until", "holding"),
    [
        (None, None, ["1.0", "1.1", "1.2"]),
        ("1.1", None, ["1.1", "1.2"]),
        (None, "1.1", ["1.0", "1.1"]),
        ("1.1", "1.1", ["1.1"]),
    ],
)
def test_a_span_includes_both_of_its_versions(since: str | None, until: str | None, holding: list[str]) -> None:
    span = VersionSpan(since, until)
    assert [version for version in ORDER if span.contains(version, ORDER)] == holding
    assert span.problem(ORDER) is None


def test_the_order_of_a_span_is_that_of_the_file_and_not_of_the_numbers() -> None:
    order = ("9", "10", "beta")
    assert VersionSpan("9", "10").contains("10", order)
    assert not VersionSpan("beta").contains("10", order)
    assert VersionSpan("10", "9").problem(order) == (
        "until",
        '"9" is before "10", so it holds in no version; write a later one',
    )


def test_each_version_has_its_own_requirements_and_scenarios(folder: Path) -> None:
    older, newer = load_pack(folder, "1.1"), load_pack(folder)
    assert (older.version, newer.version, newer.versions) == ("1.1", "1.2", ("1.1", "1.2"))
    common = ["RT2-OUT-01", "RT2-ERR-01", "RT2-ACC-01"]
    assert sorted(one.id for one in older.requirements) == sorted([*common, "RT2-OUT-02", "RT2-ERR-02"])
    assert sorted(one.id for one in newer.requirements) == sorted([*common, "RT2-OUT-02", "RT2-ERR-03"])
    assert older.requirement("RT2-OUT-02").text != newer.requirement("RT2-OUT-02").text
    assert [case.id for case in scenarios_of(older)] == [*COMMON, "RT2-OUT-02-01", "RT2-ERR-01-01", "RT2-ERR-02-01"]
    assert [case.id for case in scenarios_of(newer)] == ["RT2-OUT-02-02", "RT2-ERR-03-01", *COMMON, "RT2-ERR-01-01"]


def test_a_requirement_of_another_version_is_left_out_of_also(folder: Path) -> None:
    by_version = {
        version: next(case.also for case in scenarios_of(load_pack(folder, version)) if case.id == "RT2-ERR-01-01")
        for version in ("1.1", "1.2")
    }
    assert by_version == {"1.1": ("RT2-ERR-02",), "1.2": ()}


def test_the_version_with_a_reference_of_its_own_has_its_own_mutants(folder: Path) -> None:
    older, newer = load_pack(folder, "1.1"), load_pack(folder)
    assert older.reference == "read_text_reference:Candidate"
    assert newer.reference == "read_text_candidate_1_2:Candidate"
    assert sorted(load_mutants(newer)) == ["MUT-RT2-11", "MUT-RT2-12"]
    assert "MUT-RT2-04" in load_mutants(older)
    edit(
        folder / "spec.toml",
        'mutants = "read_text_mutants:mutants"\nvariants = "read_text_variants:variants"\n\n',
        "\n",
    )
    assert load_pack(folder, "1.1").mutants is None  # those of 1.2 change another reference


def test_mutants_of_other_versions_are_left_out_if_the_reference_is_the_same(folder: Path) -> None:
    edit(folder / "spec.toml", "read_text_mutants_1_2:mutants", "read_text_mutants:mutants")
    assert "MUT-RT2-04" not in load_mutants(load_pack(folder))  # violates RT2-ERR-02, which is of 1.1
    assert "MUT-RT2-03" in load_mutants(load_pack(folder))


def test_a_version_follows_a_name_or_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert open_pack("./read_text@1.1").version == "1.1"
    assert open_pack("./read_text").version == "1.2"
    monkeypatch.chdir(folder)
    assert open_pack(".@1.1").version == "1.1"
    older = open_pack(".@1.1")
    assert open_pack(address_of(older)) == older
    with pytest.raises(UsageError, match=r'there is no version "1.3"; write one of: 1.1, 1.2'):
        open_pack(".@1.3")
    with pytest.raises(UsageError, match='ls is not bundled in version "9"; available: .*ls@2.0.0'):
        find_pack("ls@9")


def test_a_folder_whose_name_contains_an_at_sign_is_a_folder(folder: Path) -> None:
    other = write_two_versions(folder.parent / "copy@1.1")
    assert open_pack(str(other)).folder == other
    other.rename(folder.parent / "read_text@1.1")
    with pytest.raises(UsageError, match=r"can be this folder and version 1.1 of .*read_text; rename the folder"):
        open_pack(f"{folder}@1.1")


# --- commands ---


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
    matrix, _ = measure(pack, MutantPlan(pack), jobs=1)
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


# --- lint ---


def test_lint_checks_every_version_and_names_an_earlier_one(folder: Path) -> None:
    assert lint_folder(folder) == []
    edit(folder / "text.feature", "    @RT2-ERR-02-01\n", "    @RT2-ERR-02-01 @also:RT2-ERR-09\n")
    found = [str(one).removeprefix(f"{folder}/") for one in lint_folder(folder)]
    assert found == [
        'text.feature:72: orphaned: @also:RT2-ERR-09 names no requirement; write "RT2-ERR-02" (version 1.1)'
    ]


def test_a_step_that_only_an_earlier_version_uses_is_used(folder: Path) -> None:
    edit(folder / "text.feature", "    @RT2-OUT-01-04\n", "    @RT2-OUT-01-04 @until:1.1\n")
    assert lint_folder(folder) == []


def test_an_id_of_a_scenario_is_assigned_once_for_all_versions(folder: Path) -> None:
    edit(folder / "added.feature", "@RT2-OUT-02-02", "@RT2-OUT-02-01")
    assert any("has the id RT2-OUT-02-01 too; choose another" in one.message for one in lint_folder(folder))


def test_tags_that_leave_no_version_are_reported(folder: Path) -> None:
    edit(folder / "added.feature", "@RT2-OUT-02-02", "@RT2-OUT-02-02 @until:1.1")
    assert any("leave no version in which the scenario holds" in one.message for one in lint_folder(folder))


def test_a_diagnostic_on_a_catalogue_has_the_line_of_its_own_version(folder: Path) -> None:
    edit(folder / "spec.toml", 'sentences = ["3738e4b0e99a"]', 'sentences = ["000000000000"]')
    found = [one for one in lint_folder(folder) if "000000000000" in one.message]
    lines = (folder / "spec.toml").read_text("utf-8").splitlines()
    assert found
    assert "000000000000" in lines[found[0].line - 1]


def test_a_document_of_an_earlier_version_is_compared_with_that_version(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", str(folder), "--document", str(folder / "specification-1.1.md")]) == 0
    edit(folder / "specification-1.1.md", "A directory MUST be", "Each directory MUST be")
    assert main(["lint", str(folder), "--document", str(folder / "specification-1.1.md")]) == 2
    assert "RT2-ERR-02: no sentence of specification-1.1.md has the hash f4b077d0fbd7" in capsys.readouterr().out


def test_confirm_writes_the_hash_and_the_lock_of_the_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    older = folder / "specification-1.1.md"
    assert main(["confirm", "--spec", str(folder), "--document", str(folder / "specification.md")]) == 0
    assert main(["confirm", "--spec", f"{folder}@1.1", "--document", str(older)]) == 0
    assert (folder / "sentences.lock").exists()
    assert (folder / "sentences-1.1.lock").exists()
    edit(older, "A missing file MUST be", "Each missing file MUST be")
    assert main(["lint", str(folder), "--document", str(older)]) == 2
    main(["confirm", "RT2-ERR-01", "--spec", f"{folder}@1.1", "--document", str(older)])
    main(["confirm", "--spec", f"{folder}@1.1", "--document", str(older)])
    capsys.readouterr()
    assert main(["lint", str(folder)]) == 0, capsys.readouterr().out
    assert len(load_pack(folder).requirement("RT2-ERR-01").sentences) == 2  # 1.2 still has the old words


# --- frozen versions ---


def test_a_frozen_version_without_changes_has_no_diagnostics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["freeze", "--spec", f"{folder}@1.1"]) == 0
    assert "read_text 1.1: frozen, 16 items" in capsys.readouterr().out
    assert lint_folder(folder) == []
    assert changes_since_frozen(load_pack(folder, "1.1")) == []
    assert changes_since_frozen(load_pack(folder)) is None


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("text.feature", 'the content is "one"', 'the content is "two"', {"RT2-OUT-01-01": "changed"}),
        ("text.feature", "@RT2-OUT-01-04\n", "@RT2-OUT-01-04 @prudent\n", {"RT2-OUT-01-04": "changed"}),
        ("text.feature", "@RT2-OUT-01-04\n", "@RT2-OUT-01-04 @since:1.2\n", {"RT2-OUT-01-04": "removed"}),
        ("text.feature", "| 1   | one     |", "| 1   | two     |", {"RT2-OUT-02-01": "changed"}),
        ("text.feature", "| verbatim | one\\|   |\n", "", {"RT2-OUT-01-02": "changed"}),
        ("added.feature", "@read_text @since:1.2", "@read_text", {"RT2-OUT-02-02": "added"}),
        ("spec.toml", 'treatment = "any"', 'treatment = "declared"', {"AMB-RT2-01": "changed"}),
        ("spec.toml", 'text = "No."', 'text = "No."\naccepted = false', {"AMB-RT2-01": "changed"}),
        ("spec.toml", 'until = "1.1"\nlevel = "MUST"', 'until = "1.1"\nlevel = "SHOULD"', {"RT2-OUT-02": "changed"}),
        ("spec.toml", "capabilities = []", 'capabilities = ["config"]', {"tool:read_text": "changed"}),
        ("spec.toml", 'path = "."', 'path = "a"', {"tool:read_text": "changed"}),
        ("spec.toml", 'error_kinds = ["NotFound", "NotAFile"]', 'error_kinds = ["NotAFile"]', {"settings": "changed"}),
        ("spec.toml", 'determinism = "RT2-OUT-01"\n', "", {"settings": "changed"}),
        ("spec.toml", 'owns = ["output"]\n', "", {"RT2-OUT-01": "changed"}),
        ("arguments.schema.json", '"type"', '"title": "t", "type"', {"schema:arguments": "changed"}),
    ],
)
def test_a_change_of_what_decides_verdicts_changes_the_frozen_version(
    folder: Path, file: str, old: str, new: str, changes: dict[str, str]
) -> None:
    freeze(folder, "1.1")
    edit(folder / file, old, new)
    assert {one.id: one.kind for one in changes_since_frozen(load_pack(folder, "1.1")) or ()} == changes


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("text.feature", "Scenario: one line", "Scenario: a single line"),
        ("text.feature", "@RT2-OUT-01-04\n", "@RT2-OUT-01-04 @since:1.1\n"),
        ("spec.toml", 'text = "A missing file is NotFound."', 'text = "Where no file is, the error is NotFound."'),
        ("spec.toml", 'text = "Yes."', 'text = "It does."'),
        ("added.feature", 'the content is "three"', 'the content is "four"'),
    ],
)
def test_words_and_other_versions_do_not_change_a_frozen_version(folder: Path, file: str, old: str, new: str) -> None:
    freeze(folder, "1.1")
    edit(folder / file, old, new)
    assert changes_since_frozen(load_pack(folder, "1.1")) == []


def test_lint_and_a_run_refuse_a_changed_frozen_version_until_it_is_frozen_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    freeze(folder, "1.1")
    edit(folder / "text.feature", 'the content is "one"', 'the content is "two"')
    found = [str(one).removeprefix(f"{folder}/") for one in lint_folder(folder)]
    assert len(found) == 1
    assert re.match(r"text.feature:8: outdated: RT2-OUT-01-01: it has changed, and version 1.1 is frozen;", found[0])
    assert "if it was wrong: treeproof freeze --spec" in found[0]
    assert main(["run", "reference", "--spec", f"{folder}@1.1"]) == 2
    assert main(["freeze", "--spec", f"{folder}@1.1"]) == 0
    assert "changed  RT2-OUT-01-01" in capsys.readouterr().out
    assert lint_folder(folder) == []


def test_a_pack_with_errors_cannot_be_frozen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(folder / "text.feature", 'the content is "one"', "the content is purple")
    assert main(["freeze", "--spec", f"{folder}@1.1"]) == 2
    assert "matches no step definition" in capsys.readouterr().err
    assert not (folder / FROZEN_FILE).exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# 1.1\nnonsense\n", '2: malformed: "nonsense" is no hash with an id below a version; restore the file'),
        ("4ed11de95e4b AMB-RT2-01\n", '1: malformed: "4ed11de95e4b AMB-RT2-01" is no hash with an id below a version'),
        ("// x\n# 0.9\n", '2: orphaned: there is no version "0.9"; write it into spec.toml, or remove its lines'),
    ],
)
def test_a_broken_file_of_frozen_versions_is_reported_with_its_line(folder: Path, text: str, message: str) -> None:
    (folder / FROZEN_FILE).write_text(text, "utf-8")
    found = [str(one).removeprefix(f"{folder}/{FROZEN_FILE}:") for one in lint_folder(folder)]
    assert [one for one in found if one.startswith(message)], found


# --- differences ---


def test_differences_are_what_an_implementer_has_to_do(folder: Path) -> None:
    found = compare_versions(load_pack(folder, "1.1"), load_pack(folder))
    kinds = {one.id: one.kind for one in found.requirements}
    assert kinds == {"RT2-OUT-02": "changed", "RT2-ERR-03": "new", "RT2-ERR-02": "withdrawn"}
    changed = next(one for one in found.requirements if one.id == "RT2-OUT-02")
    assert [one.key for one in changed.fields] == ["text"]
    assert (changed.new_scenarios, changed.gone_scenarios) == (("RT2-OUT-02-02",), ("RT2-OUT-02-01",))
    assert found.same == 3


def test_a_version_does_not_differ_from_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare_versions(load_pack(folder), load_pack(folder)).is_empty
    assert main(["diff-spec", str(folder), str(folder)]) == 0
    assert "nothing differs for a candidate" in capsys.readouterr().out


def test_new_readings_tools_error_kinds_and_schemas_are_differences(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / "copies").mkdir()
    write_two_versions(other)
    reading = '[[interpretation.reading]]\nlabel = "half"\ntext = "Half."\n\n[[retired]]'
    edit(other / "spec.toml", "[[retired]]", reading)
    edit(other / "spec.toml", '"NotFound", "NotAFile"', '"NotFound", "NotText"')
    edit(other / "spec.toml", "capabilities = []", 'capabilities = ["config"]')
    edit(other / "arguments.schema.json", '"type"', '"title": "t", "type"')
    found = compare_versions(load_pack(folder), load_pack(other))
    assert [(one.id, one.fields[0].old, one.fields[0].new) for one in found.interpretations] == [
        ("AMB-RT2-01", "verbatim, stripped", "verbatim, stripped, half")
    ]
    assert found.error_kinds == (("NotText", "new"), ("NotAFile", "withdrawn"))
    assert [(one.id, one.fields[0].key) for one in found.tools] == [("read_text", "capabilities")]
    assert found.schemas == (("arguments", "changed"),)


@pytest.mark.parametrize("format", ["text", "md", "json"])
def test_the_differences_are_printed_in_each_format(
    folder: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    assert main(["diff-spec", f"{folder}@1.1", str(folder), "--format", format]) == 0
    output = capsys.readouterr().out
    if format == "json":
        document = json.loads(output)
        assert (document["old"], document["new"], document["same"]) == ("read_text@1.1", "read_text@1.2", 3)
        assert {one["id"]: one["kind"] for one in document["requirements"]}["RT2-ERR-03"] == "new"
        return
    flat = " ".join(output.split())
    assert "To do" in flat
    assert "An empty path is BadArgs." in flat
    assert "No longer required" in flat
    assert "--select RT2-OUT-02" in flat


def test_two_specifications_have_no_differences_of_versions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff-spec", "ls", str(folder)]) == 2
    assert "ls and read_text are two specifications; write two versions of one" in capsys.readouterr().err


def test_a_pack_of_one_version_needs_no_entry(tmp_path: Path) -> None:
    pack = load_pack(READ_TEXT)
    assert pack.versions == ("1.1",)
    assert pack.ids_of_other_versions == frozenset()
    assert pack.is_newest


# --- a command without --spec, and what commands print ---


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
    edit(catalogue, 'sentences = ["de3298070665"]', 'sentences = ["de3298070665", "c5941bd49bf4"]')
    main(["confirm", "--spec", str(folder)])
    main(["confirm", "--spec", f"{folder}@1.1"])
    edit(folder / "specification.md", "A missing file MUST be", "Each missing file MUST be")
    capsys.readouterr()
    assert main(["lint", str(folder)]) == 2
    output = capsys.readouterr().out
    assert "RT2-ERR-01: its sentence de3298070665 is now" in output
    assert f"treeproof confirm RT2-ERR-01 --spec {folder}" in output
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
    assert "survives MUT-RT2-11" in output
    assert "it did not start:" in output
    assert "no such thing" in output
