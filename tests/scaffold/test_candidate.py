"""`treeproof new candidate`: its files run at once and report missing parts; existing files are not overwritten."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.candidate import CAPABILITIES
from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run
from treeproof.scaffold import ADAPTERS, LANGUAGES, new_candidate
from treeproof.spec import Pack, bundled_packs, find_pack, load_pack

BUNDLED = bundled_packs()[0]
PAIRS = [(name, kind) for name in LANGUAGES for kind in ADAPTERS if kind != "python" or name == "python"]
TOOLCHAINS = {
    "python": "python3",
    "node": "node",
    "go": "go",
    "java": "javac",
    "rust": "cargo",
    "ruby": "ruby",
    "generic": "sh",
}
LINES = {"python": 42, "node": 40, "go": 44, "java": 220, "rust": 80, "ruby": 40, "generic": 50}
"""The largest number of lines of the glue, without the comment at its beginning."""
SKELETONS = {"generic"}
"""These have no tool: each call returns an error."""
SPECS = [folder.name for folder in bundled_packs()]


def build(language: str, folder: Path) -> None:
    """Compile the candidate if its language needs that; skip the test without the program."""
    if shutil.which(TOOLCHAINS[language]) is None:
        pytest.skip(f"not verified: the starter in {language}; needs the program {TOOLCHAINS[language]}")
    if command := LANGUAGES[language].build_command:
        subprocess.run(command, shell=True, cwd=folder, check=True, timeout=300, capture_output=True)


@pytest.fixture
def pack() -> Pack:
    return load_pack(BUNDLED)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Candidates in the languages whose starters contain a JSON reader."""
    folders = {language: tmp_path_factory.mktemp(language) for language in ("java", "rust")}
    for language, folder in folders.items():
        new_candidate(load_pack(BUNDLED), language, "stdio", folder)
        build(language, folder)
    return folders


def run_outcomes(folder: Path, *select: str) -> dict[str, str]:
    """Return scenario id to outcome of a narrowed run over the new candidate."""
    document = run(Options(target=str(folder), select=select)).document
    return {s["id"]: s["outcome"] for spec in document["specs"] for s in spec["scenarios"]}


@pytest.mark.parametrize(("language", "adapter"), PAIRS)
def test_the_first_run_passes_a_part_of_the_scenarios(pack: Pack, language: str, adapter: str, tmp_path: Path) -> None:
    plan = new_candidate(pack, language, adapter, tmp_path)
    build(language, tmp_path)
    found = run_outcomes(tmp_path, "LD-LST-01-01", "LD-LST-02-01", "FR-LD-DEF-04", "LD-OUT-03-01")
    assert found["LD-LST-01-01"] == ("failed" if language in SKELETONS else "passed")  # it lists
    assert found["LD-LST-02-01"] == "failed"  # and not recursively
    assert {"fault"}.isdisjoint(found.values())
    assert plan.next_commands[-1].startswith("treeproof run ")


FIRST_SCENARIO = {
    "list_directory": "LD-LST-01-01",
    "file_operations": "FO-D01-01",
    "fs_walkdir": "WD-RET-01-01",
    "local_files": "LF-FIELD-02-01",
    "ls": "LS-DATA-06-01",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", SPECS)
def test_the_doctor_finds_each_starter_sound_and_its_tool_answers(
    spec: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new_candidate(load_pack(find_pack(spec)), language, "stdio", tmp_path)
    build(language, tmp_path)
    assert main(["doctor", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    tool = load_pack(find_pack(spec)).tools[0].name
    assert f"call {tool}: answered ok" in output or language in SKELETONS
    outcome = run_outcomes(tmp_path, FIRST_SCENARIO[spec])
    assert outcome == {FIRST_SCENARIO[spec]: "failed" if language in SKELETONS else "passed"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_starter_of_a_specification_contains_all_of_its_tools(language: str, tmp_path: Path) -> None:
    new_candidate(load_pack(find_pack("file_operations")), language, "stdio", tmp_path)
    build(language, tmp_path)
    found = run_outcomes(tmp_path, "FO-D01-01", "FO-D02-01", "FO-CP-03-07", "FO-MV-03-01", "FO-LS-101")
    assert found["FO-LS-101"] == "failed"
    if language in SKELETONS:
        return
    assert [id for id, outcome in found.items() if outcome == "passed"] == [
        "FO-CP-03-07",  # nothing is copied onto a pipe, and no call blocks on one
        "FO-D01-01",  # it moves
        "FO-D02-01",  # it copies
    ]
    assert found["FO-MV-03-01"] == "failed"  # and overwrites


@pytest.mark.parametrize("language", ["node", "java", "rust", "ruby"])
def test_the_json_of_a_starter_is_exact(language: str, tmp_path: Path) -> None:
    """LS returns its arguments in `params_input`: escapes, long numbers and the form of a number stay as they are."""
    new_candidate(load_pack(find_pack("ls")), language, "stdio", tmp_path)
    build(language, tmp_path)
    (tmp_path / 'd\u00e9 \u65e5\U0001f600"\\').mkdir()
    arguments = (
        '{"path": "d\\u00e9 \\u65e5\\ud83d\\ude00\\"\\\\", "empty": {}, "list": [[], 1, -0.5], "\\t\\u0001": null,'
        ' "yes": true, "no": false, "text": "\\b\\f\\n\\r\\/}],"}'
    )
    context = json.dumps({"roots": [str(tmp_path)], "working_dir": str(tmp_path)})
    params = f'{{"tool": "LS", "arguments": {arguments}, "context": {context}}}'
    request = f'{{"jsonrpc": "2.0", "id": 7, "method": "call", "params": {params}}}'
    command = [word.replace("{folder}", str(tmp_path)) for word in LANGUAGES[language].command]
    done = subprocess.run(
        command, cwd=tmp_path, input=request + "\n", capture_output=True, encoding="utf-8", check=True
    )
    response = json.loads(done.stdout)
    assert response["id"] == 7
    assert response["result"]["status"] == "ok", response
    assert json.loads(response["result"]["content"])["context"]["params_input"] == json.loads(arguments)


@pytest.mark.parametrize("language", ["java", "rust"])
def test_numbers_keep_their_digits(language: str, tmp_path: Path) -> None:
    new_candidate(load_pack(find_pack("ls")), language, "stdio", tmp_path)
    build(language, tmp_path)
    numbers = "[1,1.0,1e3,-0.0,10000000000000000000000,2.50,1E-400]"
    context = json.dumps({"roots": [str(tmp_path)], "working_dir": str(tmp_path)})
    params = f'{{"tool":"LS","arguments":{{"limit":{numbers}}},"context":{context}}}'
    request = f'{{"jsonrpc":"2.0","id":7,"method":"call","params":{params}}}'
    command = [word.replace("{folder}", str(tmp_path)) for word in LANGUAGES[language].command]
    done = subprocess.run(
        command, cwd=tmp_path, input=request + "\n", capture_output=True, encoding="utf-8", check=True
    )
    assert f'"limit":{numbers}' in json.loads(done.stdout)["result"]["content"]


@pytest.mark.parametrize("language", ["java", "rust"])
@pytest.mark.parametrize(
    "wrong", ["{", "[1 2]", "01", '"\\x"', '"\\u12"', "{} x", "[1,]", "nul", "1.", "+1", ".5", "1e"]
)
def test_text_that_is_no_json_is_refused(language: str, wrong: str, built: Mapping[str, Path]) -> None:
    folder = built[language]
    command = [word.replace("{folder}", str(folder)) for word in LANGUAGES[language].command]
    done = subprocess.run(command, cwd=folder, input=wrong + "\n", capture_output=True, encoding="utf-8", check=False)
    assert "JSON" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_comments_list_what_the_specification_sends(spec: str, language: str, tmp_path: Path) -> None:
    pack = load_pack(find_pack(spec))
    source = new_candidate(pack, language, "stdio", tmp_path).files[LANGUAGES[language].source_file]
    comment = " ".join(line for line in source.splitlines() if line.startswith(LANGUAGES[language].comment))
    schema = json.loads((pack.folder / "arguments.schema.json").read_text("utf-8"))
    arguments = {name for part in (schema, *schema.get("oneOf", ())) for name in part.get("properties", ())}
    capabilities = {name for tool in pack.tools for name in tool.capabilities}
    needed = {*arguments, *capabilities, "roots", "working_dir"}
    assert {name for name in needed if not re.search(rf"\b{name}\b", comment)} == set()
    other = set(CAPABILITIES) - needed - {"context", "config", "executor"}
    assert {name for name in other - {"allow_absolute"} if re.search(rf"\b{name}\b", comment)} == set()


def test_an_unknown_language_names_the_known_ones_and_generic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "candidate", "--language", "perl", str(tmp_path / "glue")]) == 2
    error = capsys.readouterr().err
    assert all(language in error for language in LANGUAGES)
    assert "write --language generic" in error
    assert not (tmp_path / "glue").exists()


@pytest.mark.parametrize(("language", "adapter"), PAIRS)
def test_the_glue_is_short(pack: Pack, language: str, adapter: str, tmp_path: Path) -> None:
    plan = new_candidate(pack, language, adapter, tmp_path)
    lines = plan.files[LANGUAGES[language].source_file].splitlines()
    comment = [line for line in lines if line.startswith(LANGUAGES[language].comment)]
    assert len(lines) - len(comment) <= LINES[language]


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
