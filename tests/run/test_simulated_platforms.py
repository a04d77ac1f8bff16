"""Scenarios of a simulated platform: only the reference runs them, they are marked, and they are never a PASS."""

from __future__ import annotations

import importlib
import io
import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.report.console_writer import console_for
from treeproof.report.document import validate
from treeproof.report.terminal import render
from treeproof.run.runner import Options, run
from treeproof.spec import load_pack, parse_feature
from treeproof.tree.simulated_file_system import SimulatedFileSystem
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
RunFeature = Callable[..., Json]

LIST_DIRECTORY = Path(__file__).parents[2] / "features" / "list_directory"
HELD = "held in a simulated Windows, which is no evidence of conformance"

# A candidate that lists a directory with the `os` of its module; arguments make it create a directory or crash.
LISTER = """
import os
from json import dumps

class Lister:
    def initialize(self, params):
        return {"protocol": 1, "candidate": {"name": "lister", "version": "1", "language": "python"},
                "tools": {"say": "echoes@1"}, "capabilities": []}
    def describe(self, params):
        return {"name": "say"}
    def call(self, params):
        arguments, folder = params["arguments"], params["context"]["working_dir"]
        if arguments.get("die"):
            raise KeyboardInterrupt
        if "make" in arguments:
            os.mkdir(os.path.join(folder, arguments["make"]))
        text = " ".join(sorted(os.listdir(os.path.join(folder, arguments["path"]))))
        return {"status": "ok", "content": f"{os.sep} {text}"}

def candidate():
    return Lister()
"""

SIMULATED = """
    @echoes
    Feature: Echoes

      @EC-R-1
      Rule: it lists a directory

        @EC-1-01
        Scenario: before
          Given the tree "a/{x}"
          When say is called with {"path": "a"}
          Then it says "/ x"
          And the tree is unchanged

        @EC-1-02 @simulated:windows
        Scenario: somewhere else
          Given the tree "a/{Y}"
          When say is called with {"path": "A"}
          Then it says "\\ Y"
          And the tree is unchanged

        @EC-1-03
        Scenario: after
          Given the tree "a/{z}"
          When say is called with {"path": "a"}
          Then it says "/ z"
          And the tree is unchanged

      @EC-R-2
      Rule: it lists nothing else

        @EC-2-01 @simulated:windows
        Scenario: nowhere but there
          Given the tree "B"
          When say is called with {"path": "."}
          Then it says "\\ B"
          And the tree is unchanged
"""

_modules = itertools.count()


@pytest.fixture
def pack(echoes: Callable[..., Path], tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes the pack of the echoes with the lister as its reference."""

    def write(feature: str) -> Path:
        folder = echoes(feature)
        module = f"lister_{os.getpid()}_{next(_modules)}"
        (tmp_path / f"{module}.py").write_text(LISTER, "utf-8")
        catalogue = folder / "spec.toml"
        lines = f'reference = "{module}:candidate"\n[spec.simulated]\nwindows = "{module}:candidate"\n\n[[tool]]'
        catalogue.write_text(catalogue.read_text("utf-8").replace("[[tool]]", lines, 1), "utf-8")
        return folder

    return write


@pytest.fixture
def simulated(pack: Callable[[str], Path]) -> RunFeature:
    """Return a function that runs the lister as the reference of its own pack over a feature text."""

    def execute(feature: str, **options: Any) -> Json:
        document = run(Options(target="reference", specs=(str(pack(feature)),), **options)).document
        validate(document.to_json())
        return document.to_json()

    return execute


def scenarios(document: Json) -> dict[str, Json]:
    return {scenario["id"]: scenario for scenario in document["specs"][0]["scenarios"]}


def verdicts(document: Json) -> dict[str, str]:
    return {r["id"]: r["verdict"] for r in document["specs"][0]["requirements"]}


def test_a_passed_simulated_scenario_is_marked_and_not_applicable(simulated: RunFeature) -> None:
    record = scenarios(simulated(SIMULATED))["EC-1-02"]
    assert record["outcome"] == "not-applicable"
    assert record["evidence"]["cause"] == HELD
    assert record["evidence"]["simulated"] == "windows"
    assert record["evidence"]["outcome"]["content"] == "\\ Y"


def test_a_simulated_scenario_gives_no_pass(simulated: RunFeature) -> None:
    document = simulated(SIMULATED)
    assert verdicts(document) == {"EC-R-1": "PASS", "EC-R-2": "NOT APPLICABLE"}
    assert document["specs"][0]["requirements"][1]["cause"] == HELD
    assert document["verdict"] == "conformant"


def test_scenarios_before_and_after_a_simulated_one_have_real_trees(simulated: RunFeature) -> None:
    found = scenarios(simulated(SIMULATED))
    assert [found[id]["outcome"] for id in ("EC-1-01", "EC-1-03")] == ["passed", "passed"]
    assert not any("simulated" in found[id]["evidence"] for id in ("EC-1-01", "EC-1-03"))


def test_simulated_scenarios_run_in_any_order(simulated: RunFeature) -> None:
    backwards = scenarios(simulated(SIMULATED, order=lambda items: items.reverse()))
    assert {id: record["outcome"] for id, record in backwards.items()} == {
        "EC-1-01": "passed",
        "EC-1-02": "not-applicable",
        "EC-1-03": "passed",
        "EC-2-01": "not-applicable",
    }


def test_a_failed_simulated_scenario_fails_its_requirement(simulated: RunFeature) -> None:
    document = simulated(SIMULATED.replace('"\\ B"', '"\\ C"'))
    record = scenarios(document)["EC-2-01"]
    assert (record["outcome"], record["evidence"]["simulated"]) == ("failed", "windows")
    assert verdicts(document)["EC-R-2"] == "FAIL"
    assert document["verdict"] == "non-conformant"
    stream = io.StringIO()
    render(RunDocument.from_json(document), console_for(stream, {"COLUMNS": "100"}), verbose=True)
    assert "host       a simulated Windows" in stream.getvalue()


def test_a_side_effect_in_a_simulated_tree_is_detected(simulated: RunFeature) -> None:
    feature = SIMULATED.replace('{"path": "."}', '{"path": ".", "make": "C"}').replace('"\\ B"', '"\\ B C"')
    record = scenarios(simulated(feature))["EC-2-01"]
    assert (record["outcome"], record["evidence"]["step"]) == ("failed", "Then the tree is unchanged")
    assert record["evidence"]["diff"].splitlines()[-1] == "root/C: appeared"


def test_a_crash_in_a_simulated_scenario_does_not_affect_the_next_one(simulated: RunFeature) -> None:
    found = scenarios(simulated(SIMULATED.replace('{"path": "A"}', '{"path": "A", "die": true}')))
    assert found["EC-1-02"]["outcome"] == "fault"
    assert "KeyboardInterrupt" in found["EC-1-02"]["evidence"]["cause"]
    assert found["EC-1-03"]["outcome"] == "passed"


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        ('the tree "B"', 'the tree "B%0444"', "B: modes, hard links and faults are not simulated"),
        ('the tree "B"', "the tree \"'\\xff'\"", "names are Unicode there"),
        ('the tree "B"', "the tree \"'con'\"", "Windows has no such name"),
        ('Given the tree "B"', 'Given the file system of the disk\n          And the tree "B"', "needs a disk"),
    ],
)
def test_a_scenario_that_cannot_be_simulated_has_a_cause_and_no_mark(
    simulated: RunFeature, before: str, after: str, cause: str
) -> None:
    assert before in SIMULATED
    record = scenarios(simulated(SIMULATED.replace(before, after)))["EC-2-01"]
    assert record["outcome"] == "not-applicable"
    assert record["evidence"]["cause"].startswith("a rule of Windows that is not simulated: ")
    assert cause in record["evidence"]["cause"]
    assert "simulated" not in record["evidence"]


def test_a_simulated_tree_is_built_in_the_root_of_the_context(simulated: RunFeature) -> None:
    context = '\n          And the context {"roots": ["D:/"], "working_dir": "D:/"}'
    feature = SIMULATED.replace('Given the tree "B"', f'Given the tree "B"{context}')
    assert scenarios(simulated(feature))["EC-2-01"]["evidence"]["cause"] == HELD


def test_another_candidate_is_not_called_for_a_simulated_scenario(pack: Callable[[str], Path], tmp_path: Path) -> None:
    folder = pack(SIMULATED)
    other = next(tmp_path.glob("lister_*.py"))
    document = run(Options(target=f"python:{other}:candidate", specs=(str(folder),))).document
    record = scenarios(document.to_json())["EC-1-02"]
    assert record["outcome"] == "not-applicable"
    assert record["evidence"]["cause"] == (
        "a rule of Windows, which this machine only simulates, and only for the reference"
    )
    assert not record["evidence"].keys() & {"simulated", "call", "outcome"}
    assert scenarios(document.to_json())["EC-1-01"]["outcome"] == "passed"


@pytest.mark.usefixtures("unlinted")
def test_a_missing_entry_point_of_the_simulation_is_a_fault(pack: Callable[[str], Path]) -> None:
    folder = pack(SIMULATED)
    catalogue = folder / "spec.toml"
    catalogue.write_text(catalogue.read_text("utf-8").replace('windows = "', 'windows = "not_'), "utf-8")
    document = run(Options(target="reference", specs=(str(folder),))).document
    assert scenarios(document.to_json())["EC-2-01"]["outcome"] == "fault"
    assert "there is no module 'not_lister" in scenarios(document.to_json())["EC-2-01"]["evidence"]["cause"]


def test_the_terminal_counts_the_passed_simulated_scenarios_in_one_line(simulated: RunFeature) -> None:
    stream = io.StringIO()
    render(RunDocument.from_json(simulated(SIMULATED)), console_for(stream, {"COLUMNS": "100"}), verbose=True)
    line = "Simulated · 2 scenarios held (2 on Windows), which is no evidence of conformance"
    assert stream.getvalue().splitlines().count(line) == 1


def test_threads_processes_and_treeproof_use_the_real_file_system(tmp_path: Path) -> None:
    from treeproof.candidate import process

    (tmp_path / "real").touch()
    package = "treeproof.reference_impl.shared"
    sandbox = importlib.import_module(f"{package}.sandbox")
    seen: list[list[str]] = []
    with SimulatedFileSystem("macos").patch_os(package):
        assert not sandbox.os.path.exists(tmp_path)
        thread = threading.Thread(target=lambda: seen.append(os.listdir(tmp_path)))
        thread.start()
        thread.join()
        code = "import os, sys; print(os.listdir(sys.argv[1]))"
        child = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True)
        assert vars(process)["os"] is os is sys.modules["os"]
    assert (seen, child.stdout) == ([["real"]], "['real']\n")
    assert sandbox.os is os


def test_a_run_without_simulated_scenarios_does_not_load_the_simulation() -> None:
    code = (
        "import sys\n"
        "from treeproof.run.runner import Options, run\n"
        "run(Options('reference', specs=('list_directory',), select=('FR-LD-DEF-01',)))\n"
        "sys.exit(any(name.startswith('pyfakefs') for name in sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_every_bundled_simulated_scenario_passes_on_the_reference() -> None:
    files = load_pack(LIST_DIRECTORY).feature_files()
    cases = [case for file in files for case in parse_feature(file).scenarios if case.simulated]
    assert len(cases) >= 50
    options = Options("reference", specs=(str(LIST_DIRECTORY),), select=tuple(case.id for case in cases))
    document = run(options).document
    validate(document.to_json())
    records = scenarios(document.to_json())
    assert {id: record["evidence"]["cause"] for id, record in records.items()} == {
        case.id: HELD if case.simulated == "windows" else HELD.replace("Windows", "macOS") for case in cases
    }
