"""`treeproof new candidate`: its files run at once and report missing parts; existing files are not overwritten."""

from __future__ import annotations

import ast
import fcntl
import functools
import json
import os
import re
import shutil
import subprocess
import tomllib
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
PAIRS = [
    *(("python", kind) for kind in ADAPTERS),
    ("node", "command"),
    ("typescript", "command"),
    ("generic", "command"),
]
"""All kinds of adapters, and languages without a compiler; stdio is tested with every language below."""
TOOLCHAINS = {
    "python": "python3",
    "node": "node",
    "typescript": "node",
    "go": "go",
    "java": "javac",
    "rust": "cargo",
    "ruby": "ruby",
    "generic": "sh",
}
LINES = {"python": 42, "node": 40, "typescript": 45, "go": 44, "java": 220, "rust": 80, "ruby": 40, "generic": 50}
"""The largest number of lines of the glue, without the comment at its beginning."""
MANIFEST = "treeproof.toml"
SKELETONS = {"generic"}
"""These have no tool: each call returns an error."""
SPECS = [folder.name for folder in bundled_packs()]
STARTERS = [
    *((SPECS[number % len(SPECS)], language) for number, language in enumerate(LANGUAGES) if language != "typescript"),
    *((spec, "typescript") for spec in SPECS),
]
"""Each language once and each specification: one template of a language makes its starters for all specifications.

TypeScript for all, because it takes the tool bodies of Node.
"""
COMPILED = {"go", "java", "rust"}
WITH_MARKS = [
    pytest.param(spec, language, marks=[pytest.mark.slow] * (language in COMPILED)) for spec, language in STARTERS
]


def skip_without(language: str) -> None:
    """Skip the test without the program that the starter of a language needs."""
    program = TOOLCHAINS[language]
    if (shutil.which(program) if language != "typescript" else node_for_types()) is None:
        pytest.skip(
            f"not verified: the starter in {language}; needs the program {program}{OLDEST_NODE.get(language, '')}"
        )


OLDEST_NODE = {"typescript": " 22.18 or newer"}


@functools.cache
def node_for_types() -> Path | None:
    """Return the first Node on the path that runs TypeScript, None without one."""
    for folder in os.get_exec_path():
        node = Path(folder) / "node"
        if node.is_file() and os.access(node, os.X_OK):
            shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=60).stdout
            if (found := re.match(r"v(\d+)\.(\d+)\.", shown)) and (int(found[1]), int(found[2])) >= (22, 18):
                return node
    return None


@pytest.fixture(autouse=True)
def the_node_of_a_language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the Node that runs TypeScript in front of an older one, for the tests of that language."""
    is_typed = "callspec" in dir(request.node) and request.node.callspec.params.get("language") == "typescript"
    if is_typed and (node := node_for_types()):
        monkeypatch.setenv("PATH", os.pathsep.join([str(node.parent), os.environ["PATH"]]))


class Starters:
    """The starters of all languages in folders that the tests of all workers share, each written and compiled once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, spec: str, language: str) -> Path:
        """Return the folder of the starter for ``spec`` over stdio; skip the test without its toolchain."""
        skip_without(language)
        folder = self._folder / f"{spec}-{language}"
        with (self._folder / f"{folder.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                new = self._folder / "unfinished" / folder.name
                new_candidate(load_pack(find_pack(spec)), language, "stdio", new)
                if command := LANGUAGES[language].build_command:
                    subprocess.run(command, shell=True, cwd=new, check=True, timeout=300, capture_output=True)
                new.rename(folder)
        return folder


@pytest.fixture
def pack() -> Pack:
    return load_pack(BUNDLED)


@pytest.fixture(scope="session")
def starters(tmp_path_factory: pytest.TempPathFactory) -> Starters:
    # Below the folder of a worker of pytest-xdist is that of the whole run.
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "starters"
    folder.mkdir(exist_ok=True)
    return Starters(folder)


def run_outcomes(folder: Path, *select: str) -> dict[str, str]:
    """Return scenario id to outcome of a narrowed run over the new candidate."""
    document = run(Options(target=str(folder), select=select)).document
    return {s["id"]: s["outcome"] for spec in document.to_json()["specs"] for s in spec["scenarios"]}


@pytest.mark.parametrize(("language", "adapter"), PAIRS)
def test_the_first_run_passes_a_part_of_the_scenarios(
    pack: Pack, language: str, adapter: str, tmp_path: Path, starters: Starters
) -> None:
    folder = tmp_path
    if adapter == "python":
        plan = new_candidate(pack, language, adapter, folder)
    else:  # only the manifest depends on the adapter
        compiled = starters.get(pack.name, language)
        plan = new_candidate(pack, language, adapter, tmp_path / compiled.name)
        folder = shutil.copytree(compiled, tmp_path / "compiled")
        assert {name for name, text in plan.files.items() if (folder / name).read_text("utf-8") != text} <= {MANIFEST}
        (folder / MANIFEST).write_text(plan.files[MANIFEST], "utf-8")
    found = run_outcomes(folder, "LD-LST-01-01", "LD-LST-02-01", "FR-LD-DEF-04", "LD-OUT-03-01")
    assert found["LD-LST-01-01"] in (("failed", "not-verified") if language in SKELETONS else ("passed",))  # it lists
    # and not recursively; without a tool the rule of the error blocks it
    assert found["LD-LST-02-01"] == ("not-verified" if language in SKELETONS else "failed")
    assert {"fault"}.isdisjoint(found.values())
    assert plan.next_commands[-1].startswith("treeproof run ")


FIRST_SCENARIO = {
    "list_directory": "LD-LST-01-01",
    "file_operations": "FO-D01-01",
    "fs_walkdir": "WD-WALK-01-01",
    "local_files": "LF-LIST-01-01",
    "ls": "LS-DATA-06-01",
}


@pytest.mark.parametrize(("spec", "language"), WITH_MARKS)
def test_the_doctor_finds_each_starter_sound_and_its_tool_answers(
    spec: str, language: str, starters: Starters, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = starters.get(spec, language)
    assert main(["doctor", str(folder)]) == 0
    output = capsys.readouterr().out
    tool = load_pack(find_pack(spec)).tools[0].name
    assert f"call {tool}: answered ok" in output or language in SKELETONS
    outcome = run_outcomes(folder, FIRST_SCENARIO[spec])
    expected = ("failed", "not-verified") if language in SKELETONS else ("passed",)
    assert outcome[FIRST_SCENARIO[spec]] in expected


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_starter_of_a_specification_contains_all_of_its_tools(language: str, starters: Starters) -> None:
    folder = starters.get("file_operations", language)
    found = run_outcomes(folder, "FO-D01-01", "FO-D02-01", "FO-CP-03-07", "FO-MV-03-01", "FO-LS-101")
    assert found["FO-LS-101"] == "failed"
    if language in SKELETONS:
        return
    assert [id for id, outcome in found.items() if outcome == "passed"] == [
        "FO-CP-03-07",  # nothing is copied onto a pipe, and no call blocks on one
        "FO-D01-01",  # it moves
        "FO-D02-01",  # it copies
    ]
    assert found["FO-MV-03-01"] == "failed"  # and overwrites


@pytest.mark.slow
@pytest.mark.parametrize("language", ["node", "typescript", "java", "rust", "ruby"])
def test_the_json_of_a_starter_is_exact(language: str, tmp_path: Path, starters: Starters) -> None:
    """LS returns its arguments in `params_input`: escapes, long numbers and the form of a number stay as they are."""
    folder = starters.get("ls", language)
    (tmp_path / 'd\u00e9 \u65e5\U0001f600"\\').mkdir()
    arguments = (
        '{"path": "d\\u00e9 \\u65e5\\ud83d\\ude00\\"\\\\", "empty": {}, "list": [[], 1, -0.5], "\\t\\u0001": null,'
        ' "yes": true, "no": false, "text": "\\b\\f\\n\\r\\/}],"}'
    )
    context = json.dumps({"roots": [str(tmp_path)], "working_dir": str(tmp_path)})
    params = f'{{"tool": "LS", "arguments": {arguments}, "context": {context}}}'
    request = f'{{"jsonrpc": "2.0", "id": 7, "method": "call", "params": {params}}}'
    command = [word.replace("{folder}", str(folder)) for word in LANGUAGES[language].command]
    done = subprocess.run(command, cwd=folder, input=request + "\n", capture_output=True, encoding="utf-8", check=True)
    response = json.loads(done.stdout)
    assert response["id"] == 7
    assert response["result"]["status"] == "ok", response
    assert json.loads(response["result"]["content"])["context"]["params_input"] == json.loads(arguments)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["java", "rust"])
def test_numbers_keep_their_digits(language: str, tmp_path: Path, starters: Starters) -> None:
    folder = starters.get("ls", language)
    numbers = "[1,1.0,1e3,-0.0,10000000000000000000000,2.50,1E-400]"
    context = json.dumps({"roots": [str(tmp_path)], "working_dir": str(tmp_path)})
    params = f'{{"tool":"LS","arguments":{{"limit":{numbers}}},"context":{context}}}'
    request = f'{{"jsonrpc":"2.0","id":7,"method":"call","params":{params}}}'
    command = [word.replace("{folder}", str(folder)) for word in LANGUAGES[language].command]
    done = subprocess.run(command, cwd=folder, input=request + "\n", capture_output=True, encoding="utf-8", check=True)
    assert f'"limit":{numbers}' in json.loads(done.stdout)["result"]["content"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["java", "rust"])
@pytest.mark.parametrize("wrong", ["{", "01", '"\\u12"', "{} x", "[1,]", "1e"])
def test_text_that_is_no_json_is_refused(language: str, wrong: str, starters: Starters) -> None:
    folder = starters.get(BUNDLED.name, language)
    command = [word.replace("{folder}", str(folder)) for word in LANGUAGES[language].command]
    done = subprocess.run(command, cwd=folder, input=wrong + "\n", capture_output=True, encoding="utf-8", check=False)
    assert "JSON" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(("spec", "language"), STARTERS)
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glue_is_short(pack: Pack, language: str, tmp_path: Path) -> None:
    plan = new_candidate(pack, language, "stdio", tmp_path)
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
    manifest = tmp_path / "python" / "treeproof.toml"
    assert 'specs = ["../pack@1.1"]\n' in manifest.read_text("utf-8")
    manifest.write_text(manifest.read_text("utf-8").replace("../pack@1.1", "list_directory"), "utf-8")
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
