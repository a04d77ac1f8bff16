"""A user's project: a package, its own tests (one of them with pytest-bdd), and a specification of one tool."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..echoes import FEATURE, SPEC, STEPS

REQUIREMENT = """
[[requirement]]
id = "EC-R-{number}"
level = "MUST"
section = "1 All"
text = "Requirement {number} of the echoes."
basis = "stated"
sentences = ["0123456789ab"]
verified_by = ["scenario"]
"""
MORE_SCENARIOS = """
    @EC-1-02
    Scenario: another word
      Given the tree "a"
      When say is called with {"text": "other"}
      Then it says "other"
      And the tree is unchanged

  @EC-R-2
  Rule: it says nothing else

    @EC-2-01
    Scenario: a third word
      Given the tree "a, b"
      When say is called with {"text": "third"}
      Then it says "third"
      And the tree is unchanged
"""
LOG_STEP = '''
@then("it logs", capabilities="log")
def it_logs(world):
    """Then it logs: needs the capability.

    Evidence: none
    """
    world.require_capability("log")
'''
ECHO = """
class Echo:
    def initialize(self, params):
        return {"protocol": 1, "candidate": {"name": "echo", "version": "7", "language": "python"},
                "tools": {"say": "echoes@1"}, "capabilities": []}

    def describe(self, params):
        return {"name": "say"}

    def call(self, params):
        text = params["arguments"]["text"]
        return {"status": "ok", "content": text}
"""
OWN_TESTS = """
import pytest
from pytest_bdd import scenarios, then

scenarios("own.feature")

@then("it is mine")
def it_is_mine():
    pass

def test_own(capsys):
    print("said")
    assert capsys.readouterr().out == "said\\n"
"""
OWN_FEATURE = """
Feature: own
  Scenario: own scenario
    Then it is mine
"""
# Plug-ins that cost time and that no test here needs.
DISABLED_PLUGINS = ("-p", "no:hypothesispytest", "-p", "no:fakefs", "-p", "no:anyio")
TIMEOUT_SECONDS = 120
MANIFEST = """
[candidate]
adapter = "python"
factory = "acme:Echo"
specs = ["./spec/echoes"]
"""


@dataclass(frozen=True)
class PytestResult:
    """The result of a run of pytest; ``output`` is stdout and stderr."""

    exit_code: int
    output: str

    def __contains__(self, text: str) -> bool:
        return text in self.output

    def outcomes(self) -> dict[str, str]:
        """Return the outcome of each node id; the run needs the option -v."""
        found = (line.split() for line in self.output.splitlines() if "::" in line)
        labels = ("PASSED", "FAILED", "SKIPPED", "XFAIL")
        return {
            next(word for word in words if "::" in word): next(word for word in words if word in labels)
            for words in found
            if any(word in labels for word in words)
        }


@dataclass(frozen=True)
class Project:
    """The folder of the user's project, and pytest runs in it."""

    folder: Path
    server: subprocess.Popen[str]

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), "utf-8")

    def change_candidate(self, before: str, after: str) -> None:
        """Replace a part of the candidate's code."""
        assert before in ECHO
        self.write("acme.py", ECHO.replace(before, after))

    def add_requirement(self, scenario: str, requirement: int) -> None:
        """Add a Rule for a new requirement to the specification."""
        catalogue = self.folder / "spec" / "echoes" / "spec.toml"
        catalogue.write_text(catalogue.read_text("utf-8") + REQUIREMENT.format(number=requirement), "utf-8")
        feature = catalogue.with_name("echoes.feature")
        rule = f"\n  @EC-R-{requirement}\n  Rule: requirement {requirement}\n"
        feature.write_text(feature.read_text("utf-8") + rule + textwrap.indent(scenario, "  "), "utf-8")

    def environment(self, **variables: str) -> dict[str, str]:
        outer = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
        path = f"{self.folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
        return {**outer, "PYTHONPATH": path, "COLUMNS": "100", "NO_COLOR": "1", **variables}

    def run_in_new_process(self, *arguments: str) -> PytestResult:
        """Run pytest as a user does, in a process that has imported nothing."""
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *DISABLED_PLUGINS, *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        return PytestResult(done.returncode, done.stdout + done.stderr)

    def run_pytest(self, *arguments: str, **variables: str) -> PytestResult:
        """Run pytest in a fork of the server, which has already imported pytest and treeproof."""
        output = self.folder.with_name(f"{self.folder.name} output")
        request = {
            # The packages of other plug-ins that the server has imported.
            "arguments": ["-W", "ignore:Module already imported", *DISABLED_PLUGINS, *arguments],
            "folder": str(self.folder),
            "environment": self.environment(**variables),
            "output": str(output),
        }
        assert self.server.stdin is not None and self.server.stdout is not None
        print(json.dumps(request), file=self.server.stdin, flush=True)
        assert select.select([self.server.stdout], [], [], TIMEOUT_SECONDS)[0], output.read_text("utf-8")
        return PytestResult(int(self.server.stdout.readline()), output.read_text("utf-8"))

    def run_conformance(self, *arguments: str, **variables: str) -> PytestResult:
        """Run pytest with the scenarios and with additional environment variables."""
        return self.run_pytest("--treeproof", "treeproof.toml", *arguments, **variables)


@pytest.fixture(scope="module")
def server_process() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(Path(__file__).with_name("pytest_server.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def project(tmp_path: Path, server_process: subprocess.Popen[str]) -> Project:
    created = Project(tmp_path, server_process)
    created.write(
        "spec/echoes/spec.toml",
        SPEC.format(steps="echo_steps", capabilities='"log"') + "".join(REQUIREMENT.format(number=n) for n in (1, 2)),
    )
    created.write("spec/echoes/echoes.feature", FEATURE + MORE_SCENARIOS)
    created.write("echo_steps.py", STEPS + LOG_STEP)
    created.write("acme.py", ECHO)
    created.write("treeproof.toml", MANIFEST)
    created.write("pytest.ini", "[pytest]\n")
    created.write("tests/test_own.py", OWN_TESTS)
    created.write("tests/own.feature", OWN_FEATURE)
    return created
