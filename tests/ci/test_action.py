"""action.yml and ci/action.py, in a runner simulated by environment variables and files; candidates are real."""

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

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "ci" / "action.py"
FAILING_CANDIDATE = """
def candidate(tool, arguments, context):
    print("::error::not a command")
    return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "::set-output name=verdict::conformant"}}
"""


@pytest.fixture(scope="module")
def action() -> Any:
    return parse_yaml((ROOT / "action.yml").read_text("utf-8"))


@dataclass(frozen=True)
class StepResult:
    """The exit code, log, outputs and summary of the step."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


def run_step(folder: Path, **inputs: str) -> StepResult:
    """Run the script like the runner, in ``folder``, with the installed treeproof."""
    variables = {"TREEPROOF_SOURCE": "installed"} | {f"TREEPROOF_{name.upper()}": v for name, v in inputs.items()}
    files = {name: str(folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    result = subprocess.run(
        [sys.executable, str(SCRIPT)],
        cwd=folder,
        env={**os.environ, **variables, **files, "GITHUB_ACTION_PATH": str(ROOT), "CI": "true"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    text = (folder / "GITHUB_OUTPUT").read_text("utf-8")
    written = dict(re.findall(r"^([\w-]+)<<(?:\w+)\n(.*)\n\w{32}$", text, re.MULTILINE))
    summary = folder / "GITHUB_STEP_SUMMARY"
    return StepResult(
        result.returncode,
        result.stdout + result.stderr,
        written,
        summary.read_text("utf-8") if summary.exists() else "",
    )


def test_every_input_is_passed_in_the_environment(action: Any) -> None:
    [step] = action["runs"]["steps"]
    assert "${{" not in step["run"]
    expected = {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    assert {*step["env"].values(), step["working-directory"]} == expected
    text = SCRIPT.read_text("utf-8")
    assert [name for name in step["env"] if f'"{name}"' not in text] == []
    assert all(entry["description"] and "default" in entry for entry in action["inputs"].values())


def test_the_script_writes_every_output(action: Any, tmp_path: Path) -> None:
    result = run_step(tmp_path, target="reference", args="--select LD-LST-05-01")
    assert set(action["outputs"]) == set(result.outputs), result.log
    for name, output in action["outputs"].items():
        assert output["value"] == f"${{{{ steps.run.outputs.{name} }}}}"
    assert (result.code, result.outputs["verdict"], result.outputs["exit"]) == (0, "partial", "0")
    assert json.loads((tmp_path / result.outputs["json"]).read_text("utf-8"))["verdict"] == "partial"
    assert result.summary == (tmp_path / result.outputs["markdown"]).read_text("utf-8")
    assert "partial" in result.summary
    assert "::notice title=treeproof%3A partial" in result.log


@pytest.mark.parametrize("fail_on", ["incomplete", "fail", "never"])
@pytest.mark.parametrize(
    ("end", "code", "verdict"),
    [("sys.exit(5)", 5, "interrupted"), ("os.kill(os.getpid(), signal.SIGKILL)", 128 + 9, "fault")],
)
def test_an_interrupted_or_killed_run_fails_the_job(
    script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fail_on: str, end: str, code: int, verdict: str
) -> None:
    monkeypatch.setattr(script, "install_treeproof", lambda _: [sys.executable, "-c", f"import os, signal, sys; {end}"])
    output = tmp_path / "output"
    variables = {"TREEPROOF_FAIL_ON": fail_on, "TREEPROOF_REPORTS": str(tmp_path), "GITHUB_OUTPUT": str(output)}
    assert script.main(variables) == code
    assert verdict in output.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("path", "workspace", "expected"),
    [
        ("out/run.json", "/w", "tools/out/run.json"),
        ("/w/out/run.json", "/w", "out/run.json"),
        ("/elsewhere/run.json", "/w", "/elsewhere/run.json"),
        ("out/run.json", None, "out/run.json"),
    ],
)
def test_paths_of_reports_are_relative_to_the_workspace(
    script: Any, monkeypatch: pytest.MonkeyPatch, path: str, workspace: str | None, expected: str
) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/w/tools")
    assert script.workspace_path({"GITHUB_WORKSPACE": workspace} if workspace else {}, Path(path)) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("fail_on", "code"), [("fail", 1), ("never", 0)])
def test_a_non_conformant_candidate_fails_the_job_unless_fail_on_is_never(
    tmp_path: Path, fail_on: str, code: int
) -> None:
    (tmp_path / "wrong.py").write_text(FAILING_CANDIDATE, "utf-8")
    result = run_step(tmp_path, target="python:./wrong.py:candidate", args="--select 'FR-LD-LST-02'", fail_on=fail_on)
    assert (result.code, result.outputs["verdict"], result.outputs["exit"]) == (code, "non-conformant", "1"), result.log
    # Output of the candidate is escaped or in the part where the runner ignores commands.
    token = re.search("::stop-commands::(\\w+)", result.log)
    assert token is not None
    after = result.log.split(f"::{token[1]}::")[1]
    assert "::error title=treeproof%3A non-conformant" in after
    assert [line for line in after.splitlines() if line.startswith(("::set-output", "::error::not"))] == []


@pytest.mark.slow
@pytest.mark.parametrize(("fail_on", "code"), [("fail", 0), ("incomplete", 3)])
def test_an_incomplete_run_fails_only_with_fail_on_incomplete(tmp_path: Path, fail_on: str, code: int) -> None:
    reference = load_pack(find_pack("list_directory")).reference
    (tmp_path / "treeproof.toml").write_text(
        f"[candidate]\nadapter = 'python'\nfactory = '{reference}'\ncapabilities = []\n", "utf-8"
    )
    result = run_step(tmp_path, args="--select FR-LD-OUT-07", fail_on=fail_on)
    assert (result.code, result.outputs["verdict"]) == (code, "incomplete"), result.log


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"target": "nowhere"}, "no such manifest or folder"),
        (
            {"target": "reference", "fail_on": "sometimes"},
            "fail-on: sometimes is unknown; use one of incomplete, fail, never",
        ),
        ({"target": "reference", "args": "--select 'open"}, "No closing quotation"),
        ({"target": "reference", "profile": "$(touch injected)"}, "invalid choice"),
        ({"target": "reference; touch injected"}, "no such manifest or folder"),
    ],
)
def test_an_invalid_job_always_fails(tmp_path: Path, inputs: dict[str, str], message: str) -> None:
    result = run_step(tmp_path, **{"fail_on": "never", **inputs})
    assert (result.code, result.outputs) == (2, {"verdict": "usage", "exit": "2"})
    [annotation] = [line for line in result.log.splitlines() if line.startswith("::error title=treeproof::")]
    assert message in annotation
    assert not (tmp_path / "injected").exists()
    assert "Traceback" not in result.log


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("action_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("variables", "requirement"),
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
def test_the_requirement_for_pip_contains_source_and_extras(
    script: Any, variables: dict[str, str], requirement: str | None
) -> None:
    assert script.pip_requirement({"GITHUB_ACTION_PATH": "/action", **variables}) == requirement


def test_inputs_become_arguments(script: Any) -> None:
    variables = {
        "TREEPROOF_TARGET": "stdio:node 'my server.mjs'",
        "TREEPROOF_SPEC": "list_directory other@2",
        "TREEPROOF_PROFILE": "behaviour",
        "TREEPROOF_BASELINE": "known failures.toml",
        "TREEPROOF_ARGS": "--select 'A B' C",
    }
    assert script.run_arguments(variables) == [
        *["run", "stdio:node 'my server.mjs'", "--spec", "list_directory", "--spec", "other@2"],
        *["--profile", "behaviour", "--baseline", "known failures.toml", "--select", "A B", "C"],
    ]
