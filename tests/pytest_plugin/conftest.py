"""An adopter's project: a package, tests of its own with pytest-bdd among them, and a specification of one tool."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..echoes import FACE, FEATURE, STEPS

REQUIREMENT = """
[[requirement]]
id = "EC-R-{number}"
level = "MUST"
section = "1 All"
text = "Requirement {number} of the echoes."
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
@then("it logs")
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
# Plug-ins of the adopter's that cost time and have no part in any test here.
DISABLED_PLUGINS = ("-p", "no:hypothesispytest", "-p", "no:fakefs", "-p", "no:anyio")
MANIFEST = """
[candidate]
adapter = "python"
factory = "acme:Echo"
specs = ["./spec/echoes"]
"""


@dataclass(frozen=True)
class PytestResult:
    """How a run of pytest ended; ``out`` is stdout and stderr."""

    exit_code: int
    output: str

    def __contains__(self, text: str) -> bool:
        return text in self.output

    def outcomes(self) -> dict[str, str]:
        """Node id to outcome, of a run with -v."""
        found = (line.split() for line in self.output.splitlines() if "::" in line)
        ends = ("PASSED", "FAILED", "SKIPPED", "XFAIL")
        return {
            next(word for word in words if "::" in word): next(word for word in words if word in ends)
            for words in found
            if any(word in ends for word in words)
        }


@dataclass(frozen=True)
class Project:
    """The adopter's checkout, and pytest in it."""

    folder: Path

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), "utf-8")

    def change_candidate(self, before: str, after: str) -> None:
        """Change the candidate."""
        assert before in ECHO
        self.write("acme.py", ECHO.replace(before, after))

    def add_requirement(self, scenario: str, requirement: int) -> None:
        """Add a Rule for a new requirement to the specification."""
        face = self.folder / "spec" / "echoes" / "spec.toml"
        face.write_text(face.read_text("utf-8") + REQUIREMENT.format(number=requirement), "utf-8")
        feature = face.with_name("echoes.feature")
        rule = f"\n  @EC-R-{requirement}\n  Rule: requirement {requirement}\n"
        feature.write_text(feature.read_text("utf-8") + rule + textwrap.indent(scenario, "  "), "utf-8")

    def run_pytest(self, *words: str, **variables: str) -> PytestResult:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *DISABLED_PLUGINS, *words],
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

    def run_conformance(self, *words: str, **variables: str) -> PytestResult:
        """pytest with the scenarios, and with more variables in its environment."""
        return self.run_pytest("--treeproof", "treeproof.toml", *words, **variables)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.write(
        "spec/echoes/spec.toml",
        FACE.format(steps="echo_steps", capabilities='"log"') + "".join(REQUIREMENT.format(number=n) for n in (1, 2)),
    )
    made.write("spec/echoes/echoes.feature", FEATURE + MORE_SCENARIOS)
    made.write("echo_steps.py", STEPS + LOG_STEP)
    made.write("acme.py", ECHO)
    made.write("treeproof.toml", MANIFEST)
    made.write("pytest.ini", "[pytest]\n")
    made.write("tests/test_own.py", OWN_TESTS)
    made.write("tests/own.feature", OWN_FEATURE)
    return made
