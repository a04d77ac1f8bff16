"""`pytest --treeproof`: scenarios run as tests and do not disturb the user's own tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeproof.report.document import dump
from treeproof.run.runner import Options, run

from .conftest import Project

FIRST = "treeproof::echoes::EC-R-1::EC-1-01"
OTHER = "treeproof::echoes::EC-R-1::EC-1-02"
THIRD = "treeproof::echoes::EC-R-2::EC-2-01"
ECHO_LINE = 'text = params["arguments"]["text"]'
WRONG = ECHO_LINE + '\n        text = "\\x1b[31m" if text == "other" else text'


def test_scenarios_run_together_with_the_users_tests(project: Project) -> None:
    result = project.run_in_new_process("--treeproof", "treeproof.toml", "-v")
    own = {"tests/test_own.py::test_own": "PASSED", "tests/test_own.py::test_own_scenario": "PASSED"}
    assert result.outcomes() == own | dict.fromkeys((FIRST, OTHER, THIRD), "PASSED"), result.output
    assert result.exit_code == 0
    assert "echoes 1 · echo 7 · profile default" in result
    assert "PASS  EC-R-1, EC-R-2" in result
    assert "conformant: every applicable MUST holds" in result


def test_a_failure_shows_its_evidence_and_can_be_rerun(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    result = project.run_conformance()
    assert result.exit_code == 1
    for text in (
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
        assert text in result, result.output
    assert "\x1b" not in result
    assert "Traceback" not in result
    again = project.run_conformance("-v", "--lf")
    assert again.outcomes() == {OTHER: "FAILED"}
    assert "1 of 3 scenarios were selected: no conformance claim" in again
    alone = project.run_conformance("-v", OTHER)
    assert alone.outcomes() == {OTHER: "FAILED"}


def test_the_options_k_and_m_select_scenarios(project: Project) -> None:
    named = project.run_conformance("-v", "-k", "EC-R-1")
    assert named.outcomes() == {FIRST: "PASSED", OTHER: "PASSED"}
    assert "partial: everything selected held; not a conformance claim" in named
    assert "2 of 3 scenarios were selected" in named
    marked = project.run_conformance("-v", "--strict-markers", "-m", "not treeproof")
    assert set(marked.outcomes()) == {"tests/test_own.py::test_own", "tests/test_own.py::test_own_scenario"}
    assert "conformance" not in marked


def test_the_option_x_stops_the_run_at_the_first_failure(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    result = project.run_conformance("-v", "-x")
    assert (result.exit_code, result.outcomes()[OTHER]) == (1, "FAILED")
    assert THIRD not in result.outcomes()
    assert "the run was stopped before its end: no conformance claim" in result
    assert "NOT VERIFIED  the run was interrupted before it was its turn: EC-R-2" in result


def test_xdist_workers_report_the_same_as_one_process(project: Project) -> None:
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
    first, second = (result.output.split(section)[1].split("\n=")[0].split("\n", 1)[1] for result in (alone, shared))
    assert first == second


def test_a_crash_of_a_worker_fails_one_scenario_only(project: Project) -> None:
    crash = ECHO_LINE + '\n        if text == "other": import os; os._exit(3)'
    project.change_candidate(ECHO_LINE, crash)
    result = project.run_conformance("-v", "-n", "1")
    assert result.exit_code == 1
    assert {name: end for name, end in result.outcomes().items() if name in (FIRST, OTHER, THIRD)} == {
        FIRST: "PASSED",
        OTHER: "FAILED",
        THIRD: "PASSED",
    }
    assert "fault: the verdict is withheld for 1 scenario" in result


def test_an_unverified_scenario_is_skipped_and_its_cause_reported(project: Project) -> None:
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
    result = project.run_conformance("-v", "-rs")
    assert result.outcomes()["treeproof::echoes::EC-R-3::EC-3-01"] == "SKIPPED"
    assert result.exit_code == 0
    cause = "the candidate does not declare the capability 'log'"
    assert f"NOT VERIFIED: {cause}" in result
    assert f"NOT VERIFIED  {cause}: EC-R-3" in result
    assert "1 skipped scenarios were not verified, and none of them passed" in result
    assert "incomplete: 1 requirement was not verified: EC-R-3" in result


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
    items.sort(key=lambda item: "treeproof" not in item.nodeid)  # the user's tests come last

def pytest_sessionstart(session):
    session.config.before = state()

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    current = state()
    known = item.config.before
    changed = [n for n, (a, b) in enumerate(zip(current, known)) if a != b and n != 1]
    names = {k for k in {**current[1], **known[1]} if current[1].get(k) != known[1].get(k)} - {"PYTEST_CURRENT_TEST"}
    assert (changed, names) == ([], set())
"""


def test_scenarios_and_the_users_tests_do_not_disturb_each_other(project: Project) -> None:
    project.write("conftest.py", HOSTILE_CONFTEST)
    project.change_candidate(ECHO_LINE, ECHO_LINE + '; import os; assert "PYTEST_CURRENT_TEST" not in os.environ')
    result = project.run_conformance("-v")
    assert set(result.outcomes().values()) == {"PASSED"}, result.output
    assert len(result.outcomes()) == 5
    assert result.exit_code == 0


def test_without_a_candidate_only_the_plugin_is_loaded(project: Project) -> None:
    project.write(
        "conftest.py",
        """
        import sys
        def pytest_unconfigure(config):
            print("loaded:", sorted(name for name in sys.modules if name.startswith("treeproof")))
        """,
    )
    result = project.run_in_new_process("--strict-config")
    assert "loaded: ['treeproof', 'treeproof.pytest_plugin', 'treeproof.pytest_plugin.plugin']" in result
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("[candidate]\nadapter = 'python'\n", "factory"),
        ("[candidate]\nadapter = 'python'\nfactory = 'acmee:Echo'\nspecs = ['./spec/echoes']\n", "no module 'acmee'"),
    ],
)
def test_an_error_in_the_target_is_one_line(project: Project, manifest: str, message: str) -> None:
    project.write("treeproof.toml", manifest)
    result = project.run_conformance()
    [line] = [line for line in result.output.splitlines() if line.startswith("ERROR: ")]
    assert line.startswith("ERROR: treeproof: ")
    assert message in line
    assert result.exit_code == 4
    assert "Traceback" not in result


def test_collected_scenarios_are_counted(project: Project) -> None:
    assert "5 tests collected" in project.run_conformance("--collect-only", "-q")
    listed = project.run_conformance("--collect-only", "-k", "EC-1-01")
    assert "1/5 tests collected (4 deselected)" in listed
    assert "conformance" not in listed


def test_an_interrupt_removes_the_workspace(project: Project) -> None:
    """The first scenario interrupts the run in the middle of a call."""
    (project.folder / "places").mkdir()
    project.change_candidate(ECHO_LINE, ECHO_LINE + "\n        import os, signal; os.kill(os.getppid(), signal.SIGINT)")
    result = project.run_conformance("-m", "treeproof", TREEPROOF_WORKSPACE="places")
    assert result.exit_code == 2
    assert "the run was stopped before its end: no conformance claim" in result
    assert list((project.folder / "places").iterdir()) == []


def test_an_unknown_node_id_is_one_line(project: Project) -> None:
    result = project.run_conformance("treeproof::echoes::EC-9-99")
    assert result.exit_code == 4
    assert "ERROR: not found: treeproof::echoes::EC-9-99 (no scenario has this node id)" in result


def test_a_candidate_that_does_not_start_is_one_failure(project: Project) -> None:
    project.change_candidate('return {"protocol": 1,', 'raise RuntimeError("no database"); return {"protocol": 1,')
    result = project.run_conformance("-v")
    assert result.outcomes()["treeproof::start"] == "FAILED"
    assert result.outcomes()["tests/test_own.py::test_own"] == "PASSED"
    assert result.exit_code == 1
    section = result.output.split("treeproof: conformance")[1]
    assert "NOT VERIFIED" not in section  # the cause is reported once
    assert "fault: the candidate did not start: " in section
    assert "no database" in result


def test_known_failures_are_reported_as_xfail(project: Project) -> None:
    project.change_candidate(ECHO_LINE, WRONG)
    project.write("known.toml", '[[known]]\nid = "EC-R-1"\nreason = "fixed soon"\n')
    listed = project.run_conformance("-v", "--treeproof-baseline", "known.toml")
    assert listed.outcomes()[OTHER] == "XFAIL"
    assert listed.exit_code == 0
    assert "partial: everything but 1 known failure held; not a conformance claim" in listed
    project.change_candidate(ECHO_LINE, ECHO_LINE)
    fixed = project.run_conformance("--treeproof-baseline", "known.toml")
    assert fixed.exit_code == 1
    cause = "the baseline lists EC-R-1 as failing, and it passed: remove the entry"
    assert f"no single scenario shows it: {cause}" in fixed
    project.write("known.toml", '[[known]]\nid = "EC-1-01"\nreason = "was late"\nexpires = 2020-01-31\n')
    expired = project.run_conformance("--treeproof-baseline", "known.toml")
    assert expired.exit_code == 1
    assert "no single scenario shows it: the baseline's entry EC-1-01 expired on 2020-01-31" in expired
    project.write("known.toml", '[[known]]\nid = "EC-1-01"\nreason = "fixed soon"\n')
    single = project.run_conformance("-v", "--treeproof-baseline", "known.toml")
    assert single.outcomes()[FIRST] == "FAILED"
    assert "the baseline lists EC-1-01 as failing, and it passed: remove the entry" in single


INTERPRETATION = """
[[interpretation]]
id = "AMB-EC-01"
question = "Is it loud?"
treatment = "any"
recommended = "loud"
why = "The document does not define it."
invariant = "It is one or the other."
affects = ["EC-R-1"]

[[interpretation.reading]]
label = "loud"
text = "It is."

[[interpretation.reading]]
label = "soft"
text = "It is not."
"""
CONTRADICTORY_READINGS = """world, text):
    seen = "soft" if text == "other" else "loud"
    world.evidence.record_reading("AMB-EC-01", seen)
"""


def test_contradictory_readings_fail_the_requirement_of_determinism(project: Project) -> None:
    catalogue, steps = project.folder / "spec" / "echoes" / "spec.toml", project.folder / "echo_steps.py"
    text = catalogue.read_text("utf-8").replace('prefix = "EC"', 'prefix = "EC"\ndeterminism = "EC-R-1"')
    catalogue.write_text(text + INTERPRETATION, "utf-8")
    steps.write_text(
        steps.read_text("utf-8").replace("world, text):\n", CONTRADICTORY_READINGS, 1),
        "utf-8",
    )
    result = project.run_conformance("-v")
    assert set(result.outcomes().values()) == {"PASSED"}, result.output
    assert result.exit_code == 1
    assert "no single scenario shows it: inconsistent readings of AMB-EC-01: " in result
    assert "non-conformant: 1 requirement does not hold: EC-R-1" in result


def test_a_candidate_in_the_configuration_file_applies_to_whole_runs(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ntreeproof = treeproof.toml\ntreeproof_profile = strict\n")
    whole = project.run_pytest("-v")
    assert (whole.exit_code, whole.outcomes()[FIRST]) == (0, "PASSED")
    assert "profile strict" in whole
    part = project.run_pytest("-v", "tests/test_own.py")
    assert [node for node in part.outcomes() if node.startswith("treeproof")] == []
    one = project.run_pytest("-v", FIRST)
    assert one.outcomes() == {FIRST: "PASSED"}


SELECTION = "T-LD-01 or FR-LD-VAL-02 or FR-LD-LST-05 or FR-LD-OUT-07 or FR-LD-DEF-02"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "selection", "least_evidence"),
    # The properties of a run cost seconds, once.
    [("reference", f"({SELECTION}) and not LD-P-07", 0), ("mutant:NULL-01", f"({SELECTION}) and not LD-P-", 40)],
    ids=["reference", "mutant"],
)
def test_a_scenario_has_the_same_record_as_in_treeproof_run(
    project: Project, tmp_path: Path, target: str, selection: str, least_evidence: int
) -> None:
    """The records are equal, including their evidence; reports do not contain that of scenarios that passed."""
    arguments = ["--treeproof", target, "--treeproof-spec", "list_directory", "-m", "treeproof", "-k", selection]
    result = project.run_pytest(*arguments, "--treeproof-report", "json=run.json")
    in_pytest = json.loads((tmp_path / "run.json").read_text("utf-8"))
    selected = tuple(scenario["id"] for scenario in in_pytest["specs"][0]["scenarios"])
    standalone = json.loads(dump(run(Options(target=target, specs=("list_directory",), select=selected)).document))
    first, second = ({s["id"]: s for s in document["specs"][0]["scenarios"]} for document in (standalone, in_pytest))
    assert len(second) > 60, result.output
    assert sum("call" in record["evidence"] for record in second.values()) >= least_evidence
    for records in (first, second):
        for record in records.values():
            record.pop("seconds")
    assert first == second
    assert in_pytest["machine"] == standalone["machine"]
