"""`pytest --treeproof`: scenarios are tests like the adopter's own, and his are left in peace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeproof.run.runner import Options, run

from .conftest import ECHO, Project

FIRST = "treeproof::echoes::EC-R-1::EC-1-01"
OTHER = "treeproof::echoes::EC-R-1::EC-1-02"
THIRD = "treeproof::echoes::EC-R-2::EC-2-01"
ECHO_LINE = 'text = params["arguments"]["text"]'
WRONG = ECHO_LINE + '\n        text = "\\x1b[31m" if text == "other" else text'


def test_scenarios_stand_beside_his_own_tests(project: Project) -> None:
    ended = project.run_conformance("-v")
    own = {"tests/test_own.py::test_own": "PASSED", "tests/test_own.py::test_own_scenario": "PASSED"}
    assert ended.outcomes() == own | dict.fromkeys((FIRST, OTHER, THIRD), "PASSED"), ended.output
    assert ended.exit_code == 0
    assert "echoes 1 · echo 7 · profile default" in ended
    assert "PASS  EC-R-1, EC-R-2" in ended
    assert "conformant: every applicable MUST holds" in ended


def test_a_failure_can_be_read_and_run_again(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    ended = project.run_conformance()
    assert ended.exit_code == 1
    for told in (
        "Requirement 1 of the echoes.",
        'call       say {"text": "other"}',
        'step       Then it says "other"',
        "expected   other",
        "got        \\x1b[31m",
        "explain    treeproof explain EC-1-02",
        f"again      pytest --treeproof treeproof.toml {OTHER}",
        f"FAILED {OTHER} - it says something else",
        "FAIL  EC-R-1 (MUST): EC-1-02",
        "non-conformant: 1 requirement does not hold: EC-R-1",
    ):
        assert told in ended, ended.output
    assert "\x1b" not in ended
    assert "Traceback" not in ended
    again = project.run_conformance("-v", "--lf")
    assert again.outcomes() == {OTHER: "FAILED"}
    assert "1 of 3 scenarios were asked for: no conformance claim" in again
    alone = project.run_conformance("-v", OTHER)
    assert alone.outcomes() == {OTHER: "FAILED"}


def test_his_selections_hold_for_scenarios(project: Project) -> None:
    named = project.run_conformance("-v", "-k", "EC-R-1")
    assert named.outcomes() == {FIRST: "PASSED", OTHER: "PASSED"}
    assert "partial: everything selected held; not a conformance claim" in named
    assert "2 of 3 scenarios were asked for" in named
    marked = project.run_conformance("-v", "--strict-markers", "-m", "not treeproof")
    assert set(marked.outcomes()) == {"tests/test_own.py::test_own", "tests/test_own.py::test_own_scenario"}
    assert "conformance" not in marked


def test_the_first_failure_stops_the_run(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    ended = project.run_conformance("-v", "-x")
    assert (ended.exit_code, ended.outcomes()[OTHER]) == (1, "FAILED")
    assert THIRD not in ended.outcomes()
    assert "the run was stopped before its end: no conformance claim" in ended
    assert "NOT VERIFIED  the run was interrupted before it was its turn: EC-R-2" in ended


def test_workers_say_what_one_process_says(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    project.add_requirement(
        """
  @EC-3-01
  Scenario: it logs
    Given the tree "a"
    When say is called with {"text": "x"}
    Then it logs
    And the tree is unchanged
""",
        3,
    )
    alone, shared = project.run_conformance("-v"), project.run_conformance("-v", "-n", "2")
    assert shared.outcomes() == alone.outcomes()
    assert shared.exit_code == alone.exit_code == 1
    section = "treeproof: conformance"
    first, second = (ended.output.split(section)[1].split("\n=")[0].split("\n", 1)[1] for ended in (alone, shared))
    assert first == second


def test_a_worker_that_crashes_takes_one_scenario_with_it(project: Project) -> None:
    dies = ECHO_LINE + '\n        if text == "other": import os; os._exit(3)'
    project.change_candidate(ECHO_LINE, dies)
    ended = project.run_conformance("-v", "-n", "1")
    assert ended.exit_code == 1
    assert {name: end for name, end in ended.outcomes().items() if name in (FIRST, OTHER, THIRD)} == {
        FIRST: "PASSED",
        OTHER: "FAILED",
        THIRD: "PASSED",
    }
    assert "fault: the verdict is withheld for 1 scenario" in ended


def test_what_could_not_be_verified_is_skipped_and_said(project: Project) -> None:
    project.add_requirement(
        """
  @EC-3-01
  Scenario: it logs
    Given the tree "a"
    When say is called with {"text": "x"}
    Then it logs
    And the tree is unchanged
""",
        3,
    )
    ended = project.run_conformance("-v", "-rs")
    assert ended.outcomes()["treeproof::echoes::EC-R-3::EC-3-01"] == "SKIPPED"
    assert ended.exit_code == 0
    cause = "the candidate does not declare the capability 'log'"
    assert f"NOT VERIFIED: {cause}" in ended
    assert f"NOT VERIFIED  {cause}: EC-R-3" in ended
    assert "1 skipped scenarios were not verified, and none of them passed" in ended
    assert "incomplete: 1 requirement was not verified: EC-R-3" in ended


HOSTILE_CONFTEST = """
import os, signal, sys
import pytest

@pytest.fixture(autouse=True)
def no_file_system(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "mkdir", None)
    monkeypatch.setattr("acme.Echo.call", None)

def state():
    umask = os.umask(0)
    os.umask(umask)
    handlers = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)]
    return os.getcwd(), dict(os.environ), umask, handlers, list(sys.meta_path)

def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: "treeproof" not in item.nodeid)  # his tests come last

def pytest_sessionstart(session):
    session.config.before = state()

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    current = state()
    known = item.config.before
    unlike = [n for n, (a, b) in enumerate(zip(current, known)) if a != b and n != 1]
    names = {k for k in {**current[1], **known[1]} if current[1].get(k) != known[1].get(k)} - {"PYTEST_CURRENT_TEST"}
    assert (unlike, names) == ([], set())
"""


def test_neither_disturbs_the_other(project: Project) -> None:
    project.write("conftest.py", HOSTILE_CONFTEST)
    project.change_candidate(ECHO_LINE, ECHO_LINE + '; import os; assert "PYTEST_CURRENT_TEST" not in os.environ')
    ended = project.run_conformance("-v")
    assert set(ended.outcomes().values()) == {"PASSED"}, ended.output
    assert len(ended.outcomes()) == 5
    assert ended.exit_code == 0


TRACING_CONFTEST = """
import sys

seen = set()

def trace(frame, event, argument):
    if frame.f_code.co_filename.endswith("acme.py"):
        seen.add(frame.f_lineno)
        return trace

def pytest_configure(config):
    sys.settrace(trace)

def pytest_unconfigure(config):
    sys.settrace(None)
    print("lines seen:", len(seen))
"""


def test_a_tracer_such_as_a_coverage_tool_sees_the_candidate(project: Project) -> None:
    project.write("conftest.py", TRACING_CONFTEST)
    said = project.run_conformance("-m", "treeproof").output
    assert int(said.split("lines seen: ")[1]) >= ECHO.count("return") + ECHO.count("def ")


def test_without_a_candidate_nothing_of_the_house_is_loaded(project: Project) -> None:
    project.write(
        "conftest.py",
        """
        import sys
        def pytest_unconfigure(config):
            print("loaded:", sorted(name for name in sys.modules if name.startswith("treeproof")))
        """,
    )
    ended = project.run_pytest("--strict-config")
    assert "loaded: ['treeproof', 'treeproof.pytest_plugin', 'treeproof.pytest_plugin.plugin']" in ended
    assert ended.exit_code == 0


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ("[candidate]\nadapter = 'python'\n", "factory"),
        (
            "[candidate]\nadapter = 'python'\nfactory = 'acmee:Echo'\nspecs = ['./spec/echoes']\n",
            "no module 'acmee'",
        ),
    ],
)
def test_what_is_wrong_with_the_target_is_one_line(project: Project, manifest: str, says: str) -> None:
    project.write("treeproof.toml", manifest)
    ended = project.run_conformance()
    [line] = [line for line in ended.output.splitlines() if line.startswith("ERROR: ")]
    assert line.startswith("ERROR: treeproof: ")
    assert says in line
    assert ended.exit_code == 4
    assert "Traceback" not in ended


def test_what_is_collected_is_counted(project: Project) -> None:
    assert "5 tests collected" in project.run_conformance("--collect-only", "-q")
    listed = project.run_conformance("--collect-only", "-k", "EC-1-01")
    assert "1/5 tests collected (4 deselected)" in listed
    assert "conformance" not in listed


def test_an_interrupt_leaves_nothing_behind(project: Project) -> None:
    """The first scenario interrupts the run, as a person would in the middle of a call."""
    (project.folder / "places").mkdir()
    project.change_candidate(ECHO_LINE, ECHO_LINE + "\n        import os, signal; os.kill(os.getpid(), signal.SIGINT)")
    ended = project.run_conformance("-m", "treeproof", TREEPROOF_WORKSPACE="places")
    assert ended.exit_code == 2
    assert "the run was stopped before its end: no conformance claim" in ended
    assert list((project.folder / "places").iterdir()) == []


def test_an_unknown_node_id_is_one_line(project: Project) -> None:
    ended = project.run_conformance("treeproof::echoes::EC-9-99")
    assert ended.exit_code == 4
    assert "ERROR: not found: treeproof::echoes::EC-9-99 (no scenario has this node id)" in ended


def test_a_candidate_that_does_not_start_is_one_failure(project: Project) -> None:
    project.change_candidate('return {"protocol": 1,', 'raise RuntimeError("no database"); return {"protocol": 1,')
    ended = project.run_conformance("-v")
    assert ended.outcomes()["treeproof::start"] == "FAILED"
    assert ended.outcomes()["tests/test_own.py::test_own"] == "PASSED"
    assert ended.exit_code == 1
    section = ended.output.split("treeproof: conformance")[1]
    assert "NOT VERIFIED" not in section  # one cause is told once
    assert "fault: the candidate did not start: " in section
    assert "no database" in ended


def test_known_failures_are_expected_ones(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    project.write("known.toml", '[[known]]\nid = "EC-R-1"\nreason = "mended soon"\n')
    listed = project.run_conformance("-v", "--treeproof-baseline", "known.toml")
    assert listed.outcomes()[OTHER] == "XFAIL"
    assert listed.exit_code == 0
    assert "partial: everything but 1 known failure held; not a conformance claim" in listed
    project.change_candidate(ECHO_LINE, ECHO_LINE)
    mended = project.run_conformance("--treeproof-baseline", "known.toml")
    assert mended.exit_code == 1
    why = "the baseline lists EC-R-1 as failing, and it passed: remove the entry"
    assert f"no single scenario shows it: {why}" in mended
    project.write("known.toml", '[[known]]\nid = "EC-1-01"\nreason = "was late"\nexpires = 2020-01-31\n')
    late = project.run_conformance("--treeproof-baseline", "known.toml")
    assert late.exit_code == 1
    assert "no single scenario shows it: the baseline's entry EC-1-01 expired on 2020-01-31" in late
    project.write("known.toml", '[[known]]\nid = "EC-1-01"\nreason = "mended soon"\n')
    single = project.run_conformance("-v", "--treeproof-baseline", "known.toml")
    assert single.outcomes()[FIRST] == "FAILED"
    assert "the baseline lists EC-1-01 as failing, and it passed: remove the entry" in single


AMBIGUITY = """
[[interpretation]]
id = "AMB-EC-01"
question = "Is it loud?"
treatment = "any"
recommended = "loud"
why = "Nothing says so."
invariant = "It is one or the other."
affects = ["EC-R-1"]

[[interpretation.reading]]
label = "loud"
text = "It is."

[[interpretation.reading]]
label = "soft"
text = "It is not."
"""
CONTRADICTORY_READINGS = """
    seen = "soft" if text == "other" else "loud"
    world.evidence.record_reading("AMB-EC-01", seen)
    world.evidence.is_positive = True
"""


def test_scenarios_that_agree_with_the_register_and_not_with_each_other_fail_the_run(
    project: Project,
) -> None:
    face, steps = project.folder / "spec" / "echoes" / "spec.toml", project.folder / "echo_steps.py"
    face.write_text(face.read_text("utf-8") + AMBIGUITY, "utf-8")
    steps.write_text(
        steps.read_text("utf-8").replace("\n    world.evidence.is_positive = True\n", CONTRADICTORY_READINGS, 1),
        "utf-8",
    )
    ended = project.run_conformance("-v")
    assert set(ended.outcomes().values()) == {"PASSED"}, ended.output
    assert ended.exit_code == 1
    assert "no single scenario shows it: inconsistent readings of AMB-EC-01: EC-1-02 saw soft" in ended
    assert "non-conformant: 1 requirement does not hold: EC-R-1" in ended


def test_a_configuration_file_asks_in_whole_runs(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ntreeproof = treeproof.toml\ntreeproof_profile = strict\n")
    whole = project.run_pytest("-v")
    assert (whole.exit_code, whole.outcomes()[FIRST]) == (0, "PASSED")
    assert "profile strict" in whole
    part = project.run_pytest("-v", "tests/test_own.py")
    assert [node for node in part.outcomes() if node.startswith("treeproof")] == []
    one = project.run_pytest("-v", FIRST)
    assert one.outcomes() == {FIRST: "PASSED"}


SELECTION = ("T-LD-01", "FR-LD-VAL-02", "FR-LD-LST-05", "FR-LD-OUT-07", "FR-LD-DEF-02")


def test_a_scenario_ends_as_in_a_run_of_its_own(project: Project, tmp_path: Path) -> None:
    """The same records, evidence and all: whoever performs a scenario performs the same."""
    sealed = run(Options(target="reference", specs=("list_directory",), select=SELECTION)).document
    chosen = " or ".join(SELECTION)
    words = [
        "--treeproof",
        "reference",
        "--treeproof-spec",
        "list_directory",
        "-m",
        "treeproof",
        "-k",
        chosen,
    ]
    ended = project.run_pytest(*words, "--treeproof-report", "json=run.json")
    inside = json.loads((tmp_path / "run.json").read_text("utf-8"))
    first, second = ({s["id"]: s for s in document["specs"][0]["scenarios"]} for document in (sealed, inside))
    assert len(second) > 60, ended.output
    for records in (first, second):
        for record in records.values():
            record.pop("seconds")
    assert {id: first[id] for id in second} == second
    assert inside["machine"] == sealed["machine"]
