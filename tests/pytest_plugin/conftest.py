"""A user's project: a package, its own tests (one of them with pytest-bdd), and a specification of one tool."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
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
@then("it logs", capabilities="log", evidence="always")
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

    def run_pytest(self, *arguments: str, **variables: str) -> PytestResult:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *DISABLED_PLUGINS, *arguments],
            cwd=self.folder,
            env={
                **environment,
                "PYTHONPATH": f"{self.folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep),
                "COLUMNS": "100",
                "NO_COLOR": "1",
                **variables,
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return PytestResult(done.returncode, done.stdout + done.stderr)

    def run_conformance(self, *arguments: str, **variables: str) -> PytestResult:
        """Run pytest with the scenarios and with additional environment variables."""
        return self.run_pytest("--treeproof", "treeproof.toml", *arguments, **variables)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project(tmp_path)
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
