"""Runs in shards: the scenarios of each shard, and merged reports that equal the report of one run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.report import document
from treeproof.report.merging import RunReport, group_runs, merge_shards
from treeproof.run.plan import Options, Shard, plan_run, scenario_ids_by_file
from treeproof.run.runner import run
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec import Interpretation, Pack, bundled_packs, find_pack, load_pack
from treeproof.spec.contract import find_installed
from treeproof.verdict.run_document import RunDocument

RunEcho = Callable[..., dict[str, Any]]
SELECT = ("LD-LST-05-01", "LD-LST-05-03", "LD-VAL-01-01", "LD-VAL-02-01")


def run_document(**options: Any) -> dict[str, Any]:
    done = run(Options(**{"target": "reference", "specs": ("list_directory",), **options})).document.to_json()
    document.validate(done)
    return done


def dump_without_times(run: dict[str, Any]) -> bytes:
    """Return a run document as it is written, without its times."""
    specs = [{**spec, "scenarios": [{**one, "seconds": 0} for one in spec["scenarios"]]} for spec in run["specs"]]
    return document.dump(RunDocument.from_json({**run, "started": "", "seconds": 0, "specs": specs}))


def run_shards(count: int, **options: Any) -> list[dict[str, Any]]:
    return [run_document(shard=Shard(number, count), **options) for number in range(1, count + 1)]


def merge_documents(documents: list[dict[str, Any]], folder: Path, **members: Any) -> dict[str, Any]:
    """Write the documents to files, load them and return the merged document. ``members`` are those of the pack."""
    parts = []
    for number, one in enumerate(documents):
        file = folder / f"{number}.json"
        file.write_bytes(document.dump(RunDocument.from_json(one)))
        parts.append(RunReport(file, document.parse_file(file)))
    (group,) = group_runs(parts)
    find = find_pack_of(documents[0])
    whole = merge_shards(group, lambda name: (pack := find(name)) and replace(pack, **members)).to_json()
    document.validate(whole)
    return whole


def find_pack_of(one: dict[str, Any]) -> Callable[[str], Pack | None]:
    """Return a function that finds bundled packs, and the pack in a folder that the run has named."""
    folders = [text for text in one["command"] if Path(text, "spec.toml").is_file()]
    return lambda name: load_pack(find_pack(folders[0])) if folders else find_installed(name)


@pytest.fixture(scope="module")
def selected_packs() -> list[SelectedPack]:
    return plan_run(Options("reference", specs=("list_directory",)))


def test_every_scenario_is_in_exactly_one_shard(selected_packs: list[SelectedPack]) -> None:
    for count in (1, 2, 5, 40):
        options = [Options("reference", specs=("list_directory",), shard=Shard(n, count)) for n in range(1, count + 1)]
        shares = [plan_run(one)[0].selected_ids or frozenset() for one in options]
        assert sum(len(share) for share in shares) == len(selected_packs[0].requirement_by_scenario)
        assert frozenset().union(*shares) == frozenset(selected_packs[0].requirement_by_scenario)


def test_a_feature_file_is_never_split_and_shards_have_similar_sizes(selected_packs: list[SelectedPack]) -> None:
    options = [Options("reference", specs=("list_directory",), shard=Shard(n, 4)) for n in range(1, 5)]
    parts = [plan_run(one)[0] for one in options]
    whole = {file: len(ids) for file, ids in scenario_ids_by_file(selected_packs[0]).items()}
    found = [scenario_ids_by_file(part) for part in parts]
    assert {file: len(ids) for files in found for file, ids in files.items()} == whole
    sizes = [part.scenario_count for part in parts]
    assert max(sizes) - min(sizes) <= max(whole.values())


def test_more_shards_than_feature_files_are_refused() -> None:
    with pytest.raises(UsageError, match=r"--shard \d+/90: this shard is empty; the run has \d+"):
        for number in range(1, 91):
            plan_run(Options("reference", specs=("list_directory",), shard=Shard(number, 90)))


@pytest.mark.parametrize("text", ["1", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/", "", "1/" + "9" * 5000])
def test_an_invalid_shard_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "reference", f"--shard={text}"]) == 2
    assert "is no shard; write I/N with I from 1 to N, such as 1/4" in capsys.readouterr().err


def test_the_merged_shards_of_a_selection_equal_the_run(tmp_path: Path) -> None:
    documents = run_shards(3, select=SELECT)
    for number, one in enumerate(documents, start=1):
        assert (one["verdict"], one["exit"], one["claim"]) == ("partial", 0, False)
        assert one["selection"] == [*SELECT, f"shard {number}/3"]
    whole = merge_documents([documents[2], documents[0], documents[1]], tmp_path)
    assert dump_without_times(whole) == dump_without_times(run_document(select=SELECT))


FEATURES = {
    "echoes": ("EC-R-1", ("EC-1-01", "hello"), ("EC-1-02", "hello")),
    "more": ("EC-R-1", ("EC-2-01", "good bye"), ("EC-2-02", "hello")),
    "others": ("EC-R-2", ("EC-3-01", "hello"), ("EC-3-02", "hello")),
}


@pytest.fixture
def run_echo(echoes: Callable[..., Path], tmp_path: Path) -> RunEcho:
    """Return a function that runs a candidate that fails one of six scenarios in three files."""
    folder = Path()
    for name, (rule, *scenarios) in FEATURES.items():
        text = f"@echoes\nFeature: {name}\n\n  @{rule}\n  Rule: of {name}\n" + "".join(
            f"\n    @{id}\n    Scenario: {id}\n"
            '      Given the tree "a"\n'
            f'      When say is called with {{"text": "{word}"}}\n'
            '      Then it says "hello"\n'
            "      And the tree is unchanged\n"
            for id, word in scenarios
        )
        if name == "echoes":
            folder = echoes(text)
        else:
            (folder / f"{name}.feature").write_text(text)
    target = f"python:{tmp_path / 'echo_candidate.py'}:Echo"
    return lambda **options: run_document(**{"target": target, "specs": (str(folder),), **options})


def test_a_failure_in_one_shard_is_a_failure_of_the_merged_run(run_echo: RunEcho, tmp_path: Path) -> None:
    documents = [run_echo(shard=Shard(number, 3)) for number in (1, 2, 3)]
    assert sorted(one["exit"] for one in documents) == [0, 0, 1]
    whole = merge_documents(documents, tmp_path)
    assert (whole["verdict"], whole["exit"], whole["claim"]) == ("non-conformant", 1, True)
    assert (whole["selection"], whole["shard"]) == (None, None)
    assert dump_without_times(whole) == dump_without_times(run_echo())


def test_a_selected_requirement_is_judged_by_all_of_its_shards(run_echo: RunEcho, tmp_path: Path) -> None:
    documents = [run_echo(shard=Shard(number, 2), select=("EC-R-1",)) for number in (1, 2)]
    assert sorted(one["specs"][0]["requirements"][0]["verdict"] for one in documents) == ["FAIL", "PASS"]
    whole = merge_documents(documents, tmp_path)
    assert whole["specs"][0]["requirements"][1]["cause"] == "not selected"
    assert dump_without_times(whole) == dump_without_times(run_echo(select=("EC-R-1",)))


def test_a_known_failure_is_not_expected_in_shards_without_its_scenario(run_echo: RunEcho, tmp_path: Path) -> None:
    known = tmp_path / "baseline.toml"
    known.write_text('[[known]]\nid = "EC-R-1"\nreason = "soon"\nissue = "X-1"\nexpires = 2999-01-01\n')
    documents = [run_echo(shard=Shard(number, 3), baseline=known) for number in (1, 2, 3)]
    assert [one["exit"] for one in documents] == [0, 0, 0]
    whole = merge_documents(documents, tmp_path)
    assert whole["baseline"]["entries"][0]["state"] == "failed"
    assert dump_without_times(whole) == dump_without_times(run_echo(baseline=known))


def test_a_wrong_baseline_entry_is_reported_once(run_echo: RunEcho, tmp_path: Path) -> None:
    known = tmp_path / "baseline.toml"
    known.write_text('[[known]]\nid = "EC-R-2"\nreason = "soon"\n[[known]]\nid = "EC-2-01"\nreason = "soon"\n')
    documents = [run_echo(shard=Shard(number, 3), baseline=known) for number in (1, 2, 3)]
    whole = merge_documents(documents, tmp_path)
    assert whole["warnings"] == ["the baseline lists EC-R-2 as failing, and it passed: remove the entry"]
    assert dump_without_times(whole) == dump_without_times(run_echo(baseline=known))


def test_shards_with_different_readings_fail_the_requirement_of_determinism(run_echo: RunEcho, tmp_path: Path) -> None:
    documents = [run_echo(shard=Shard(number, 3)) for number in (1, 2, 3)]
    for one, label in zip(documents, "aba", strict=True):
        (spec,) = one["specs"]
        seen = {"id": "AMB-EC-01", "observed": [label], "treatment": "any", "consistent": True, "determinism": "EC-R-2"}
        spec["interpretations"] = [seen]
        spec["scenarios"][0]["readings"] = {"AMB-EC-01": label}
    entry = Interpretation("AMB-EC-01", "?", "any", None, "", affects=("EC-R-2",), readings=())
    merged = merge_documents(documents, tmp_path, interpretations=(entry,), determinism="EC-R-2")["specs"][0]
    verdicts = {one["id"]: (one["verdict"], one["cause"]) for one in merged["requirements"]}
    assert verdicts["EC-R-2"][0] == "FAIL"
    assert "inconsistent readings of AMB-EC-01" in str(verdicts["EC-R-2"][1])
    assert merged["interpretations"][0]["consistent"] is False


def test_a_missing_shard_leaves_its_scenarios_unverified(run_echo: RunEcho, tmp_path: Path) -> None:
    documents = [run_echo(shard=Shard(number, 3)) for number in (1, 2, 3)]
    passed = [one for one in documents if one["exit"] == 0]
    whole = merge_documents(passed, tmp_path)
    (missing,) = {1, 2, 3} - {number for one in passed for number in one["shard"]["numbers"]}
    assert (whole["verdict"], whole["exit"], whole["claim"]) == ("incomplete", 3, False)
    assert whole["reason"] == f"shard {missing}/3 is missing"
    assert whole["specs"][0]["requirements"][0]["verdict"] == "NOT VERIFIED"
    assert whole["specs"][0]["requirements"][0]["cause"] == f"shard {missing}/3 is missing"
    # The available shards can be merged first, and the missing one later.
    missing_report = next(one for one in documents if one["shard"]["numbers"] == [missing])
    (tmp_path / "later").mkdir()
    again = merge_documents([whole, missing_report], tmp_path / "later")
    assert dump_without_times(again) == dump_without_times(run_echo())


def test_a_shard_in_which_the_candidate_did_not_start_makes_the_run_a_fault(run_echo: RunEcho, tmp_path: Path) -> None:
    documents = [run_echo(shard=Shard(number, 3)) for number in (1, 2, 3)]
    passed = [one for one in documents if one["exit"] == 0]
    broken = json.loads(json.dumps(next(one for one in documents if one["exit"] == 1)))
    broken["specs"][0]["scenarios"] = []
    broken["shard"]["fault"] = "no program"
    whole = merge_documents([*passed, broken], tmp_path)
    assert (whole["verdict"], whole["exit"]) == ("fault", 4)
    assert whole["reason"] == "the candidate did not start: no program"
    causes = [one["cause"] for spec in whole["specs"] for one in spec["requirements"]]
    assert "the candidate did not start" in causes and not any("did not run" in (c or "") for c in causes)


def set_member(document: dict[str, Any], *path: str | int, to: Any) -> dict[str, Any]:
    """Return a copy of a document with one member replaced."""
    changed = json.loads(json.dumps(document))
    node = changed
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    return dict(changed)


DIFFERENCES: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "seed": (("seed",), 7),
    "profile": (("profile",), "strict"),
    "version of treeproof": (("treeproof",), "0.0.1"),
    "number of shards": (("shard", "of"), 4),
    "state of the catalogue and features": (("shard", "content"), "0"),
    "specification": (("specs", 0, "sha256"), "1" * 64),
    "candidate": (("candidate", "capabilities"), ["log"]),
    "host": (("machine", "root"), "other"),
    "baseline": (("baseline",), {"file": "b.toml", "entries": []}),
}


@pytest.mark.parametrize("difference", DIFFERENCES)
def test_shards_of_different_runs_are_refused(run_echo: RunEcho, tmp_path: Path, difference: str) -> None:
    first, second = (run_echo(shard=Shard(number, 2)) for number in (1, 2))
    path, value = DIFFERENCES[difference]
    value = not first["machine"]["root"] if value == "other" else value
    with pytest.raises(UsageError, match=rf"1\.json: not a shard of the run in .*0\.json: another {difference}"):
        merge_documents([first, set_member(second, *path, to=value)], tmp_path)


def test_a_duplicate_shard_is_refused(run_echo: RunEcho, tmp_path: Path) -> None:
    one = run_echo(shard=Shard(1, 2))
    with pytest.raises(UsageError, match=r"1\.json: shard 1/2 is already in .*0\.json"):
        merge_documents([one, one], tmp_path)


def test_a_scenario_in_two_shards_is_refused(run_echo: RunEcho, tmp_path: Path) -> None:
    first, second = (run_echo(shard=Shard(number, 2)) for number in (1, 2))
    hidden = next(record for spec in first["specs"] for record in spec["scenarios"])
    second["specs"][0]["scenarios"].append({**hidden, "outcome": "passed"})
    with pytest.raises(UsageError, match=rf"1\.json: the scenario {hidden['id']} is already in .*0\.json"):
        merge_documents([first, second], tmp_path)


def test_shards_of_different_candidates_are_refused(run_echo: RunEcho, tmp_path: Path) -> None:
    first, second = (run_echo(shard=Shard(number, 2)) for number in (1, 2))
    with pytest.raises(UsageError, match=r"0\.json: shard 2/2 is missing, and the other reports are of other"):
        merge_documents([first, set_member(second, "candidate", "name", to="another")], tmp_path)


def test_the_merge_command_writes_the_report_and_has_the_exit_code_of_the_run(
    run_echo: RunEcho, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for number in (1, 2):
        file = tmp_path / f"{number}.json"
        file.write_bytes(document.dump(RunDocument.from_json(run_echo(shard=Shard(number, 2)))))
        files.append(str(file))
    expected = dump_without_times(run_echo())
    monkeypatch.chdir(tmp_path / "features" / "echoes")  # there the specification is installed
    assert main(["merge", *files, "--report", f"json={tmp_path / 'whole.json'}"]) == 1
    assert "non-conformant: 1 requirement does not hold: EC-R-1" in capsys.readouterr().out
    assert dump_without_times(document.load(tmp_path / "whole.json").to_json()) == expected
    assert main(["merge", str(tmp_path / "whole.json")]) == 1
    assert main(["merge", files[0], files[0]]) == 2
    assert capsys.readouterr().err.endswith("1.json: given twice; name each report once\n")


def test_a_file_that_is_no_run_report_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    for text, message in (
        ("{", "not JSON"),
        ("[]", "not a run report"),
        ('{"treeproof": "99.0.0"}', "written by treeproof 99.0.0, but this is"),
    ):
        file.write_text(text)
        assert main(["merge", str(file)]) == 2
        error = capsys.readouterr().err
        assert (error.startswith(f"treeproof: {file}: "), message in error, error.count("\n")) == (True, True, 1)


def test_merging_needs_the_specification(
    run_echo: RunEcho, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"{number}.json" for number in (1, 2)]
    for number, file in enumerate(files, start=1):
        file.write_bytes(document.dump(RunDocument.from_json(run_echo(shard=Shard(number, 2)))))
    assert main(["merge", *map(str, files)]) == 2
    error = capsys.readouterr().err
    assert f"{files[0]}: it is of echoes 1, and installed is none of that name; install treeproof " in error
    assert error.endswith(", which wrote it, or be in the folder of the specification\n")
    monkeypatch.chdir(tmp_path / "features" / "echoes")
    assert main(["merge", *map(str, files)]) == 1


def test_the_properties_of_a_specification_are_in_one_file() -> None:
    """Properties share a sample and its results; in one file they get the same ones in every shard."""
    for folder in bundled_packs():
        files = [file.name for file in load_pack(folder).feature_files() if "Then for any " in file.read_text("utf-8")]
        assert len(files) <= 1, files
