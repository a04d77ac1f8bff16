"""The profile `behaviour`: tools that claim nothing are judged by what they show and do, and can be sound."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.report import document
from treeproof.run.plan import Options, Shard
from treeproof.run.runner import run
from treeproof.spec.contract import CONTRACT_FILE, load_contract
from treeproof.spec.version_features import scenarios_of
from treeproof.verdict import Profile
from treeproof.verdict.run_document import RunDocument

ROOT = Path(__file__).parents[2]

TOOL = '''
"""A tool with one argument and names only: whoever wrote it knew no specification."""
import json, os

def names(path):
    return sorted(name.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for name in os.listdir(path))

class Tool:
    def initialize(self, params):
        tools = {"list_directory": "list_directory@1.1"}
        about = {"name": "names", "version": "1", "language": "python"}
        return {"protocol": 1, "candidate": about, "tools": tools, "capabilities": []}
    def describe(self, params):
        return {"name": "list_directory", "input_schema": {"type": "object", "properties": {"path": {}}}}
    def call(self, params):
        root, arguments = params["context"]["roots"][0], params["arguments"]
        if not isinstance(arguments, dict) or set(arguments) - {"path"}:
            return {"status": "unsupported", "reason": "no such argument"}
        path = os.path.join(root, arguments.get("path", "."))
        CHECK
        try:
            return {"status": "ok", "content": json.dumps({"entries": SHOWN})}
        except (OSError, ValueError) as error:
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": str(error)}}
    def shutdown(self, params):
        return {}

tool = Tool()
'''
CONFINED = """
        if os.path.commonpath([os.path.realpath(root), os.path.realpath(path)]) != os.path.realpath(root):
            return {"status": "error", "error": {"kind": "SandboxViolation", "message": "outside"}}
"""


def run_tool(folder: Path, check: str = CONFINED, shown: str = "names(path)", **options: Any) -> RunDocument:
    folder.mkdir(exist_ok=True)
    (folder / "tool.py").write_text(TOOL.replace("CHECK", check.strip()).replace("SHOWN", shown))
    done = run(Options(f"python:{folder}/tool.py:tool", profile=Profile.BEHAVIOUR, **options)).document
    document.validate(done.to_json())
    return done


def broken(done: RunDocument) -> set[str]:
    return {one.id for spec in done.specs for one in spec.requirements if one.verdict == "FAIL"}


def test_a_tool_with_names_alone_can_be_sound(tmp_path: Path) -> None:
    done = run_tool(tmp_path)
    assert (str(done.verdict), done.exit, done.claim) == ("sound", 0, False), done.reason
    assert [spec.name for spec in done.specs] == ["behaviour"]
    verdicts = {one.id: str(one.verdict) for one in done.specs[0].requirements}
    assert {verdicts[id] for id in ("BEH-01", "BEH-06", "BEH-07", "BEH-13", "BEH-14")} == {"PASS"}
    assert verdicts["BEH-02"] == verdicts["BEH-04"] == "NOT APPLICABLE"  # it moves and copies nothing


@pytest.mark.parametrize(
    ("check", "shown", "expected"),
    [
        ("pass", "names(path)", {"BEH-01"}),
        (CONFINED, "names(path)[1:]", {"BEH-06"}),
        (CONFINED, "names(path) if os.path.isdir(path) else []", {"BEH-07"}),
        (CONFINED, "[n for n in names(path) if os.path.exists(os.path.join(path, n))]", {"BEH-06"}),
        (CONFINED, "names(glob.glob(path)[0]) if glob.glob(path) else names(path)", {"BEH-13"}),
    ],
)
def test_each_error_breaks_its_rule(tmp_path: Path, check: str, shown: str, expected: set[str]) -> None:
    shown = shown.replace("glob.glob", "__import__('glob').glob")
    done = run_tool(tmp_path, check, shown)
    assert (str(done.verdict), done.exit) == ("unsound", 1)
    assert expected <= broken(done) <= expected | {"BEH-06", "BEH-14"}, done.reason


def test_an_answer_that_is_kept_breaks_the_rule_about_later_calls(tmp_path: Path) -> None:
    done = run_tool(tmp_path, CONFINED, "tool.__dict__.setdefault(path, names(path))")
    assert broken(done) == {"BEH-14"}, done.reason


def test_a_tool_that_does_nothing_is_not_sound(tmp_path: Path) -> None:
    assert run_tool(tmp_path / "silent", shown="[]").exit == 1
    assert run_tool(tmp_path / "refusing", shown="int('x')").exit == 1


@pytest.mark.parametrize("shown", ["1", "[1]", "{'a': 1}"])
def test_a_tool_whose_answers_cannot_be_read_is_not_sound(tmp_path: Path, shown: str) -> None:
    done = run_tool(tmp_path, CONFINED, shown, select=("BEH-06",))
    assert str(done.verdict) == "incomplete", done.reason
    assert "map the output" in str(done.to_json())


def test_the_contract_knows_no_tools_of_other_specifications(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "features/ls", tmp_path / "mine")
    with pytest.raises(UsageError, match="does not know the tools of ls; map your tool"):
        run(Options("reference", specs=(str(tmp_path / "mine"),), profile=Profile.BEHAVIOUR))


def test_a_call_that_ends_the_tool_breaks_its_rule(tmp_path: Path) -> None:
    done = run_tool(tmp_path, CONFINED, "names(path) if 'p' not in names(path) else 1 / 0")
    assert "BEH-11" in broken(done), done.reason


@pytest.mark.parametrize("specs", [("list_directory",), ("file_operations",), ("fs_walkdir", "local_files", "ls")])
def test_the_references_are_sound(specs: tuple[str, ...]) -> None:
    done = run(Options("reference", specs=specs, profile=Profile.BEHAVIOUR, jobs=1)).document
    assert str(done.verdict) == "sound", done.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("AMB-LD-22=always", set()),
        ("AMB-LD-70=refuse", set()),
        ("AMB-WD-01=nil", set()),
        ("AMB-WD-14=clean", set()),
        ("AMB-WD-24=skipped", set()),
        ("AMB-LS-22=b", set()),
        ("AMB-FO-42=through", set()),
        ("AMB-FO-47=make", set()),
        # The document of the file operations is open where the contract is not.
        ("AMB-FO-04=target", {"BEH-09"}),
        ("VAR-FO-48", {"BEH-05"}),
        ("VAR-FO-52", {"BEH-05"}),
        ("VAR-FO-66", {"BEH-05"}),
        ("VAR-FO-67", {"BEH-05"}),
    ],
)
def test_implementations_that_their_document_permits(variant: str, expected: set[str]) -> None:
    done = run(Options(f"variant:{variant}", profile=Profile.BEHAVIOUR, jobs=1)).document
    assert broken(done) == expected, done.reason


def test_a_shard_knows_its_part_of_the_contract() -> None:
    parts = [
        run(Options("reference", specs=("ls",), profile=Profile.BEHAVIOUR, shard=Shard(number, 2), jobs=1)).document
        for number in (1, 2)
    ]
    assert {str(part.verdict) for part in parts} == {"partial"}
    ids = [{one.id for spec in part.specs for one in spec.scenarios} for part in parts]
    assert ids[0] and ids[1] and not ids[0] & ids[1]


def test_the_manifest_can_name_the_profile(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(TOOL.replace("CHECK", CONFINED.strip()).replace("SHOWN", "names(path)"))
    manifest = tmp_path / "treeproof.toml"
    manifest.write_text('[candidate]\nadapter = "python"\nfactory = "./tool.py:tool"\nprofile = "behaviour"\n')
    select = ("LD-LST-01-01",)
    assert run(Options(str(manifest), select=select)).document.profile == "behaviour"
    assert run(Options(str(manifest), select=select, profile=Profile.DEFAULT)).document.profile == "default"


def test_the_page_has_the_rules_of_the_contract() -> None:
    page = (ROOT / "docs/behaviour.md").read_text("utf-8")
    rows = re.findall(r"^\| (BEH-\d\d) \| (MUST|SHOULD)(, grave)? \| (.+?) \| .+ \|$", page, re.MULTILINE)
    contract = load_contract()
    rules = [(one.id, one.level, ", grave" if one.harm else "", one.text) for one in contract.requirements]
    assert [(id, level, grave, text) for id, level, grave, text in rows] == rules
    assert f"version {contract.version}" in page.partition("\n")[0]
    assert (
        tomllib.loads((ROOT / "features/behaviour" / CONTRACT_FILE).read_text("utf-8"))["source"] == "docs/behaviour.md"
    )


def test_each_rule_has_scenarios_and_no_question_is_asked_twice() -> None:
    cases = scenarios_of(load_contract())
    assert {case.requirement for case in cases} == {rule.id for rule in load_contract().requirements}
    # Tools that list one directory have three specifications; a tool may be judged by all of them.
    asked: dict[tuple[object, ...], str] = {}
    for case in (one for one in cases if one.id.startswith(("LD-", "LF-", "LS-"))):
        calls = tuple(re.sub(r"^\S+ is", "is", step.text) for step in case.steps if step.keyword_type == "when")
        question = (*(step.text for step in case.steps if step.keyword_type == "given"), *calls)
        assert asked.setdefault(question, case.id[:2]) == case.id[:2], f"{case.id} asks what {asked[question]} asks"
