"""The examples are conformant: each is built if necessary and tested completely."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.selections import scenarios_with_interpretations
from treeproof.run.runner import Options, run

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
TIMEOUT_SECONDS = 900
OFFLINE = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "CARGO_NET_OFFLINE": "true"}
"""Keeps the build tools from the network: no example has a dependency."""


@dataclass(frozen=True)
class Example:
    """The program that an example needs, and the command that builds it.

    Its name is that of its folder, with that of a manifest behind it if the folder has several.
    `may_warn`: the example does not do everything that the document only suggests, or that goes beyond it.
    """

    program: str
    build: tuple[str, ...] = ()
    may_warn: bool = False


EXAMPLES_BY_NAME: Mapping[str, Example] = {
    "node": Example("node"),
    "node/other-readings.toml": Example("node"),
    "go": Example("go", ("go", "build", "-o", "list-directory", ".")),
    "go/other-readings.toml": Example("go", ("go", "build", "-o", "list-directory", ".")),
    "go-walkdir": Example("go", ("go", "build", "-o", "walkdir", ".")),
    "java-local-files": Example(
        "javac", ("javac", "-encoding", "UTF-8", "-d", "classes", "LocalFiles.java"), may_warn=True
    ),
    "python-ls": Example("python3", may_warn=True),
    "rust-file-operations": Example("cargo", ("cargo", "build", "--release"), may_warn=True),
}


class BuiltExamples:
    """The targets of the examples with an installed toolchain, each built in a copy when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._built = set[str]()

    def get(self, name: str) -> Path | None:
        """Return the folder or the manifest of an example, None if its toolchain is not installed."""
        example = EXAMPLES_BY_NAME[name]
        source = name.partition("/")[0]
        if not shutil.which(example.program):
            return None
        if source not in self._built:
            folder = self._folder / source
            shutil.copytree(EXAMPLES / source, folder, ignore=shutil.ignore_patterns("target", "classes"))
            if example.build:
                environment = {**os.environ, **OFFLINE}
                subprocess.run(example.build, cwd=folder, env=environment, check=True, timeout=TIMEOUT_SECONDS)
            self._built.add(source)
        return self._folder / name


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltExamples:
    return BuiltExamples(tmp_path_factory.mktemp("examples"))


def run_example(target: Path, *select: str) -> dict[str, Any]:
    # Few random cases: what a property finds in them, it finds in the first ones, or a scenario is missing.
    return run(Options(str(target), select=select, examples=20)).document.to_json()


def example_target(name: str, built: BuiltExamples) -> Path:
    target = built.get(name)
    if target is None:
        pytest.skip(f"not verified: the example in {name}; needs the program {EXAMPLES_BY_NAME[name].program}")
    return target


@pytest.mark.parametrize("name", EXAMPLES_BY_NAME)
def test_an_example_has_a_manifest_and_a_readme(name: str) -> None:
    folder, _, manifest = name.partition("/")
    assert (EXAMPLES / folder / (manifest or "treeproof.toml")).is_file()
    assert (EXAMPLES / folder / "README.md").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXAMPLES_BY_NAME if name.endswith("/other-readings.toml")])
def test_no_scenario_with_an_interpretation_fails_with_other_readings(name: str, built: BuiltExamples) -> None:
    selected = scenarios_with_interpretations("list_directory")
    document = run_example(example_target(name, built), *selected)
    outcomes = Counter(one["outcome"] for one in document["specs"][0]["scenarios"])
    assert set(outcomes) <= {"passed", "not-verified", "not-applicable"}, document["causes"]
    assert outcomes["passed"] > 0.9 * len(selected) > 100
    assert document["warnings"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXAMPLES_BY_NAME if "/" not in name])
def test_no_scenario_of_the_specification_fails(name: str, built: BuiltExamples) -> None:
    example = EXAMPLES_BY_NAME[name]
    document = run_example(example_target(name, built))
    scenarios = [one for spec in document["specs"] for one in spec["scenarios"]]
    failed = [
        one["id"]
        for one in scenarios
        if one["outcome"] == "fault" or (one["outcome"] == "failed" and not (example.may_warn and one["advisory"]))
    ]
    assert failed == [], document["causes"]
    # `incomplete` is permitted if the host or the suite is the cause.
    assert document["verdict"] in ("conformant", "incomplete"), document["reason"]
    unverified = {
        one["id"]: one["cause"]
        for spec in document["specs"]
        for one in spec["requirements"]
        if one["verdict"] == "NOT VERIFIED"
    }
    causes = ("needs ", "no scenario", "this machine", "the directory was not replaced")
    assert document["verdict"] == "conformant" or all(cause.startswith(causes) for cause in unverified.values()), (
        unverified
    )
    assert document["warnings"] == [] or example.may_warn
