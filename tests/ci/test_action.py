"""action.yml and ci/action.py, in a runner made of environment variables and files; the candidates are real."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treeproof.spec import find_pack, load_pack

from .yaml_subset import parse_yaml

HOUSE = Path(__file__).resolve().parent.parent.parent
SCRIPT = HOUSE / "ci" / "action.py"
WRONG = """
def candidate(tool, arguments, context):
    print("::error::not a command")
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "::set-output name=verdict::conformant"}}
"""


@pytest.fixture(scope="module")
def action() -> Any:
    return parse_yaml((HOUSE / "action.yml").read_text("utf-8"))


@dataclass(frozen=True)
class StepResult:
    """How the step ended."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


def run_step(folder: Path, **inputs: str) -> StepResult:
    """Run the step's script as the runner does, in ``folder``, with treeproof as it is installed here."""
    given = {"TREEPROOF_SOURCE": "installed"} | {f"TREEPROOF_{name.upper()}": v for name, v in inputs.items()}
    files = {name: str(folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        cwd=folder,
        env={**os.environ, **given, **files, "GITHUB_ACTION_PATH": str(HOUSE), "CI": "true"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    text = (folder / "GITHUB_OUTPUT").read_text("utf-8")
    written = dict(re.findall(r"^([\w-]+)<<(?:\w+)\n(.*)\n\w{32}$", text, re.MULTILINE))
    summary = folder / "GITHUB_STEP_SUMMARY"
    return StepResult(
        done.returncode,
        done.stdout + done.stderr,
        written,
        summary.read_text("utf-8") if summary.exists() else "",
    )


def test_every_input_reaches_the_script_and_nothing_else_is_in_it(action: Any) -> None:
    [only] = action["runs"]["steps"]
    assert "${{" not in only["run"]
    handed = {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    assert {*only["env"].values(), only["working-directory"]} == handed
    text = SCRIPT.read_text("utf-8")
    assert [name for name in only["env"] if f'"{name}"' not in text] == []
    assert all(entry["description"] and "default" in entry for entry in action["inputs"].values())


def test_every_output_is_one_that_the_script_writes(action: Any, tmp_path: Path) -> None:
    done = run_step(tmp_path, target="reference", args="--select LD-LST-05-01")
    assert set(action["outputs"]) == set(done.outputs), done.log
    for name, output in action["outputs"].items():
        assert output["value"] == f"${{{{ steps.run.outputs.{name} }}}}"
    assert (done.code, done.outputs["verdict"], done.outputs["exit"]) == (0, "partial", "0")
    assert json.loads((tmp_path / done.outputs["json"]).read_text("utf-8"))["verdict"] == "partial"
    assert done.summary == (tmp_path / done.outputs["markdown"]).read_text("utf-8")
    assert "partial" in done.summary
    assert "::notice title=treeproof%3A partial" in done.log


@pytest.mark.parametrize(
    ("place", "workspace", "told"),
    [
        ("out/run.json", "/w", "tools/out/run.json"),
        ("/w/out/run.json", "/w", "out/run.json"),
        ("/elsewhere/run.json", "/w", "/elsewhere/run.json"),
        ("out/run.json", None, "out/run.json"),
    ],
)
def test_paths_of_reports_start_where_other_steps_start(
    script: Any, monkeypatch: pytest.MonkeyPatch, place: str, workspace: str | None, told: str
) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/w/tools")
    assert script.workspace_path({"GITHUB_WORKSPACE": workspace} if workspace else {}, Path(place)) == told


@pytest.mark.parametrize(("fail_on", "code"), [("fail", 1), ("never", 0)])
def test_a_candidate_that_fails(tmp_path: Path, fail_on: str, code: int) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    done = run_step(
        tmp_path, target="python:./wrong.py:candidate", args="--select 'LD-LST-05-01'", fail_on=fail_on
    )
    assert (done.code, done.outputs["verdict"], done.outputs["exit"]) == (code, "non-conformant", "1"), (
        done.log
    )
    # Whatever the candidate wrote stands where the runner takes no commands, or is escaped.
    token = re.search("::stop-commands::(\\w+)", done.log)
    assert token is not None
    after = done.log.split(f"::{token[1]}::")[1]
    assert "::error title=treeproof%3A non-conformant" in after
    assert [line for line in after.splitlines() if line.startswith(("::set-output", "::error::not"))] == []


@pytest.mark.parametrize(("fail_on", "code"), [("fail", 0), ("incomplete", 3)])
def test_what_is_not_verified_fails_where_that_was_asked_for(tmp_path: Path, fail_on: str, code: int) -> None:
    reference = load_pack(find_pack("list_directory")).reference
    (tmp_path / "treeproof.toml").write_text(
        f"[candidate]\nadapter = 'python'\nfactory = '{reference}'\ncapabilities = []\n", "utf-8"
    )
    done = run_step(tmp_path, args="--select FR-LD-OUT-07", fail_on=fail_on)
    assert (done.code, done.outputs["verdict"]) == (code, "incomplete"), done.log


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"target": "nowhere"}, "no such manifest or folder"),
        (
            {"target": "reference", "fail_on": "sometimes"},
            "fail-on: sometimes is none of fail, incomplete, never",
        ),
        ({"target": "reference", "args": "--select 'open"}, "No closing quotation"),
        ({"target": "reference", "profile": "$(touch injected)"}, "invalid choice"),
        ({"target": "reference; touch injected"}, "no such manifest or folder"),
    ],
)
def test_a_job_that_is_wrong_is_never_green(tmp_path: Path, inputs: dict[str, str], says: str) -> None:
    done = run_step(tmp_path, **{"fail_on": "never", **inputs})
    assert (done.code, done.outputs) == (2, {"verdict": "usage", "exit": "2"})
    [annotation] = [line for line in done.log.splitlines() if line.startswith("::error title=treeproof::")]
    assert says in annotation
    assert not (tmp_path / "injected").exists()
    assert "Traceback" not in done.log


@pytest.fixture(scope="module")
def script() -> Any:
    found = importlib.util.spec_from_file_location("action_script", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, "/action"),
        ({"TREEPROOF_EXTRAS": "mcp"}, "/action[mcp]"),
        ({"TREEPROOF_SOURCE": "treeproof==0.1.0"}, "treeproof==0.1.0"),
        ({"TREEPROOF_SOURCE": "treeproof==0.1.0", "TREEPROOF_EXTRAS": "mcp"}, "treeproof[mcp]==0.1.0"),
        ({"TREEPROOF_SOURCE": "treeproof >=0.1,<2", "TREEPROOF_EXTRAS": "mcp"}, "treeproof[mcp] >=0.1,<2"),
        ({"TREEPROOF_SOURCE": "treeproof", "TREEPROOF_EXTRAS": "mcp"}, "treeproof[mcp]"),
        ({"TREEPROOF_SOURCE": "./tools/treeproof", "TREEPROOF_EXTRAS": "mcp"}, "./tools/treeproof[mcp]"),
        (
            {"TREEPROOF_SOURCE": "git+https://host.example/treeproof@v1", "TREEPROOF_EXTRAS": "mcp"},
            "treeproof[mcp] @ git+https://host.example/treeproof@v1",
        ),
        ({"TREEPROOF_SOURCE": "installed", "TREEPROOF_EXTRAS": "mcp"}, None),
    ],
)
def test_what_is_installed(script: Any, given: dict[str, str], wanted: str | None) -> None:
    assert script.pip_requirement({"GITHUB_ACTION_PATH": "/action", **given}) == wanted


def test_inputs_become_words(script: Any) -> None:
    given = {
        "TREEPROOF_TARGET": "stdio:node 'my server.mjs'",
        "TREEPROOF_SPEC": "list_directory other@2",
        "TREEPROOF_BASELINE": "known failures.toml",
        "TREEPROOF_ARGS": "--select 'A B' C",
    }
    assert script.run_arguments(given) == [
        *["run", "stdio:node 'my server.mjs'", "--spec", "list_directory", "--spec", "other@2"],
        *["--profile", "default", "--baseline", "known failures.toml", "--select", "A B", "C"],
    ]
