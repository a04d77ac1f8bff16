"""`treeproof new candidate`: its files run at once and report missing parts; existing files are not overwritten."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run
from treeproof.scaffold import ADAPTERS, LANGUAGES, new_candidate
from treeproof.spec import Pack, bundled_packs, find_pack, load_pack

BUNDLED = bundled_packs()[0]
PAIRS = [(name, kind) for name in LANGUAGES for kind in ADAPTERS if kind != "python" or name == "python"]
TOOLCHAINS = {"python": "python3", "node": "node", "go": "go"}
LINES = {"python": 40, "node": 40, "go": 43}


@pytest.fixture
def pack() -> Pack:
    return load_pack(BUNDLED)


def run_outcomes(folder: Path, *select: str) -> dict[str, str]:
    """Return scenario id to outcome of a narrowed run over the new candidate."""
    document = run(Options(target=str(folder), select=select)).document
    return {s["id"]: s["outcome"] for spec in document["specs"] for s in spec["scenarios"]}


@pytest.mark.parametrize(("language", "adapter"), PAIRS)
def test_the_first_run_passes_a_part_of_the_scenarios(pack: Pack, language: str, adapter: str, tmp_path: Path) -> None:
    if shutil.which(TOOLCHAINS[language]) is None:
        pytest.skip(f"not verified: the starter in {language}; needs the program {TOOLCHAINS[language]}")
    plan = new_candidate(pack, language, adapter, tmp_path)
    settings = LANGUAGES[language]
    if settings.build_command:
        subprocess.run(settings.build_command, shell=True, cwd=tmp_path, check=True, timeout=300)
    found = run_outcomes(tmp_path, "LD-LST-01-01", "LD-LST-02-01", "FR-LD-DEF-04", "LD-OUT-03-01")
    assert found["LD-LST-01-01"] == "passed"  # it lists
    assert found["LD-LST-02-01"] == "failed"  # and not recursively
    assert {"fault"}.isdisjoint(found.values())
    assert plan.next_commands[-1].startswith("treeproof run ")


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_starter_of_a_specification_contains_all_of_its_tools(language: str, tmp_path: Path) -> None:
    if shutil.which(TOOLCHAINS[language]) is None:
        pytest.skip(f"not verified: the starter in {language}; needs the program {TOOLCHAINS[language]}")
    new_candidate(load_pack(find_pack("file_operations")), language, "stdio", tmp_path)
    if LANGUAGES[language].build_command:
        subprocess.run(str(LANGUAGES[language].build_command), shell=True, cwd=tmp_path, check=True, timeout=300)
    found = run_outcomes(tmp_path, "FO-D01-01", "FO-D02-01", "FO-CP-03-07", "FO-MV-03-01", "FO-LS-101")
    assert [id for id, outcome in found.items() if outcome == "passed"] == [
        "FO-CP-03-07",  # nothing is copied onto a pipe, and no call blocks on one
        "FO-D01-01",  # it moves
        "FO-D02-01",  # it copies
    ]
    assert found["FO-MV-03-01"] == "failed"  # and overwrites
    assert found["FO-LS-101"] == "failed"


@pytest.mark.parametrize(("language", "adapter"), PAIRS)
def test_the_glue_is_short(pack: Pack, language: str, adapter: str, tmp_path: Path) -> None:
    plan = new_candidate(pack, language, adapter, tmp_path)
    assert len(plan.files[LANGUAGES[language].source_file].splitlines()) <= LINES[language]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_manifest_names_the_requested_adapter(pack: Pack, adapter: str, tmp_path: Path) -> None:
    manifest = new_candidate(pack, "python", adapter, tmp_path).files["treeproof.toml"]
    assert tomllib.loads(manifest)["candidate"]["adapter"] == adapter


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_workflow_sets_the_language_up_and_keeps_the_reports(pack: Pack, language: str, tmp_path: Path) -> None:
    workflow = new_candidate(pack, language, "stdio", tmp_path).files[".github/workflows/treeproof.yml"]
    settings = LANGUAGES[language]
    assert "treeproof run . --report junit=treeproof.xml --report json=treeproof.json" in workflow
    assert "apt-get install -y strace" in workflow  # without it no run of it could end conformant
    assert all(line in workflow for line in [*settings.setup_action[:1], settings.build_command or ""])
    assert "\t" not in workflow


def test_without_a_starter_of_the_pack_the_tool_reports_an_error(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    shutil.copy(BUNDLED / "spec.toml", tmp_path / "pack")
    for schema in BUNDLED.glob("*.json"):
        shutil.copy(schema, tmp_path / "pack")
    for language in LANGUAGES:
        plan = new_candidate(load_pack(tmp_path / "pack"), language, "stdio", tmp_path / language)
        assert "not implemented yet" in plan.files[LANGUAGES[language].source_file]
    ast.parse((tmp_path / "python" / "candidate.py").read_text("utf-8"))
    assert run_outcomes(tmp_path / "python", "LD-LST-01-01") == {"LD-LST-01-01": "failed"}


@pytest.mark.parametrize("name", ["candidate.py", "treeproof.toml", ".github/workflows/treeproof.yml"])
def test_existing_files_are_reported_and_nothing_is_written(pack: Pack, name: str, tmp_path: Path) -> None:
    existing = tmp_path / name
    existing.parent.mkdir(parents=True, exist_ok=True)
    existing.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"already exists and would be overwritten") as refused:
        new_candidate(pack, "python", "stdio", tmp_path)
    assert name in str(refused.value)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [existing]
    assert existing.read_text("utf-8") == "mine"


def test_a_dangling_link_is_not_overwritten(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "treeproof.toml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=r"treeproof\.toml already exists"):
        new_candidate(pack, "node", "stdio", tmp_path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_pack_of_optional_tools_only_begins_with_the_first(pack: Pack, tmp_path: Path) -> None:
    optional = replace(pack, tools=tuple(replace(tool, optional=True) for tool in pack.tools))
    assert f'"{pack.tools[0].name}"' in new_candidate(optional, "python", "stdio", tmp_path).files["candidate.py"]


def test_a_file_in_place_of_the_folder_is_refused(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot be written: .*; name another folder"):
        new_candidate(pack, "python", "stdio", tmp_path / "file")


@pytest.mark.parametrize("language", ["node", "go"])
def test_only_python_runs_in_process(pack: Pack, language: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="write --adapter stdio or command"):
        new_candidate(pack, language, "python", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("unusual", ['a"b', "$tool", "-x", "naïve name"])
def test_an_unusual_folder_name_is_not_written_into_the_code(pack: Pack, unusual: str, tmp_path: Path) -> None:
    plan = new_candidate(pack, "python", "stdio", tmp_path / unusual)
    assert '"name": "my-candidate"' in plan.files["candidate.py"]


def test_the_help_lists_languages_and_adapters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "candidate", "--help"]) == 0
    help_text = capsys.readouterr().out
    assert f"{{{','.join(LANGUAGES)}}}" in help_text
    assert f"{{{','.join(ADAPTERS)}}}" in help_text


def test_the_command_prints_the_files_and_the_next_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "candidate", "--language", "go"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0] == "written:"
    assert output[-3:] == ["next:", "  go build -o candidate .", "  treeproof run ."]
    assert all((tmp_path / line.strip()).is_file() for line in output[1:-3])
    assert main(["new", "candidate", "--language", "python", "there"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  treeproof run there"
    assert main(["new", "candidate", "--language", "go", "two words"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "  (cd 'two words' && go build -o candidate .)",
        "  treeproof run 'two words'",
    ]
    assert main(["new", "candidate", "--language", "python", "there"]) == 2
    assert "already exist" in capsys.readouterr().err
    claims = json.dumps({pack.tools[0].name: f"{pack.name}@{pack.version}" for pack in map(load_pack, [BUNDLED])})
    assert claims.strip("{}") in (tmp_path / "there" / "candidate.py").read_text("utf-8")
