"""A complete search over sequences of calls that change the tree."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.model.case import Command, CommandSequence, Exchange
from treeproof.oracles.file_operations.model import model
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import Options, run
from treeproof.search import search
from treeproof.search.counterexample_file import SavedCounterexample, read_counterexample
from treeproof.search.promote import promote
from treeproof.search.search import Search
from treeproof.search.search_spaces import open_search, reference_search
from treeproof.search.sequences import SequenceRunner
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.tree import CannotBuild
from treeproof.tree import parse_tree as parse_tree
from treeproof.verdict import Profile
from treeproof.verdict.finding import Finding

CANDIDATES = str(Path(__file__).parent / "seeded_candidates")
SPEC = "file_operations"


@pytest.fixture(autouse=True)
def seeded_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(CANDIDATES)


class StopAtFirst:
    """Stops a search at its first counterexample."""

    def on_case(self, search: Search) -> None:
        pass

    def on_counterexample(self, counterexample: SavedCounterexample) -> None:
        raise KeyboardInterrupt


def first_counterexample(target: str) -> SavedCounterexample:
    """Return the first counterexample that a search finds."""
    with (
        Interrupts(process_exits_afterwards=True) as interrupts,
        open_search(target, [SPEC], Profile.DEFAULT, 0, interrupts) as spaces,
        reference_search(spaces, target) as reference,
    ):
        found = Search(spaces, reference, target, 600, StopAtFirst())
        found.run()
    assert found.exit_code == 1
    return found.counterexamples[0]


def save_first_counterexample(target: str, folder: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(CANDIDATES)
        patch.setattr(search, "SHRINK_ATTEMPTS", 60)
        patch.setattr(model, "wider", None)  # unusual calls have no steps
        return first_counterexample(target).write(folder)


def saved_once(factory: pytest.TempPathFactory, target: str) -> Path:
    """Return the counterexample of a candidate; one of the workers of pytest-xdist searches for it."""
    base = factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / target.replace(":", "-")
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = [*folder.glob("*.json")]
        return found[0] if found else save_first_counterexample(target, folder)


@pytest.fixture(scope="module")
def appending(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the counterexample of a candidate whose error shows in a single call."""
    return saved_once(tmp_path_factory, "python:seeded:AppendsOldContent")


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the counterexample of a candidate whose error needs an earlier call."""
    return saved_once(tmp_path_factory, "python:seeded:RefusesSecondMove")


def command_tools(file: Path) -> list[str]:
    case = read_counterexample(file).case
    assert isinstance(case, CommandSequence)
    return [command.tool for command in case.commands]


@pytest.mark.slow
def test_an_error_of_one_call_is_minimised_to_one_call_on_few_entries(appending: Path) -> None:
    found = read_counterexample(appending)
    assert (found.requirement, found.family, len(command_tools(appending))) == ("DFO-02", "sequences", 1)
    assert len(list(found.case.tree.walk())) <= 4
    assert "only the candidate differs" in found.agreement
    assert str(appending.parent) not in appending.read_text()


@pytest.mark.slow
def test_an_error_that_needs_an_earlier_call_keeps_that_call(refusing: Path) -> None:
    assert 2 <= len(command_tools(refusing)) <= 4
    assert "is called again with" in read_counterexample(refusing).scenario


@pytest.mark.slow
def test_a_saved_sequence_is_reproduced_but_not_on_the_reference(
    appending: Path, refusing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (appending, refusing):
        assert main(["replay", str(file), read_counterexample(file).target]) == 1
        assert read_counterexample(file).requirement in capsys.readouterr().out
        assert main(["replay", str(file), "reference"]) == 0


@pytest.mark.slow
def test_a_sequence_that_needs_a_missing_capability_is_not_verified(
    appending: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(appending), "python:seeded:NoCapabilitiesOfMoves"]) == 3
    assert "'config'" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["appending", "refusing"])
def test_a_saved_sequence_becomes_a_scenario(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    file: Path = request.getfixturevalue(name)
    folder = tmp_path / "pack"
    shutil.copytree(load_pack(find_pack(SPEC)).folder, folder)
    found = replace(read_counterexample(file), spec=str(folder))
    feature, id = promote(found, None)
    case = next(case for case in parse_feature(feature).scenarios if case.id == id)
    outside_steps = [step.text for step in case.steps if step.text.startswith("beside the sandbox")]
    assert case.requirement == found.requirement
    assert len(outside_steps) == 1  # the step of the Background is not repeated

    def outcome(target: str) -> str:
        done = run(Options(target=target, specs=(str(folder),), select=(id,))).document
        return str(done.to_json()["specs"][0]["scenarios"][0]["outcome"])

    assert outcome(found.target) == "failed"
    assert outcome("reference") == "passed"


def test_a_search_without_counterexamples_reports_its_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "reference", "--spec", SPEC, "--seconds", "2", "--seed", "3"]) == 0
    output = capsys.readouterr().out
    assert "no counterexample in" in output
    assert "destination: " in " ".join(output.split())


@pytest.mark.slow
def test_calls_stay_together_if_the_tree_between_them_cannot_be_built(
    refusing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counterexample = read_counterexample(refusing)
    assert isinstance(counterexample.case, CommandSequence)
    run_sequence = SequenceRunner.run_sequence

    def refused(self: SequenceRunner, sequence: CommandSequence, beside: str | None = None) -> Iterator[Exchange]:
        if len(sequence.commands) == 1:
            raise CannotBuild("device: not permitted")
        return run_sequence(self, sequence, beside)

    monkeypatch.setattr(SequenceRunner, "run_sequence", refused)
    with (
        Interrupts(process_exits_afterwards=True) as interrupts,
        open_search(counterexample.target, [SPEC], Profile.DEFAULT, 0, interrupts) as spaces,
    ):
        space = spaces.get(counterexample.family)
        assert space is not None
        found = space.minimise(counterexample.case, Finding(counterexample.requirement, ""))
    assert found.case == counterexample.case
    assert found.finding.message == counterexample.message


def test_a_flaky_failure_is_saved_as_last_observed() -> None:
    commands = tuple(Command("copy", {"source": "a", "destination": name}) for name in "bcd")
    target = "python:seeded:FailsTwice"
    with (
        Interrupts(process_exits_afterwards=True) as interrupts,
        open_search(target, [SPEC], Profile.DEFAULT, 0, interrupts) as spaces,
    ):
        space = spaces.get("sequences")
        assert space is not None
        (finding,) = space.run_case(CommandSequence(parse_tree("a"), commands)).findings
    with (
        Interrupts(process_exits_afterwards=True) as interrupts,
        open_search(target, [SPEC], Profile.DEFAULT, 0, interrupts) as spaces,
    ):
        space = spaces.get("sequences")
        assert space is not None
        found = space.minimise(CommandSequence(parse_tree("a"), commands), finding)
    assert found.case == CommandSequence(parse_tree("a"), commands[:1])


CALL = {"tool": "move", "arguments": {}, "context": {}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"tree": "a", "calls": []}, "case"),
        ({"tree": "a", "calls": 1}, "case"),
        ({"tree": "a", "calls": [{**CALL, "tool": 1}]}, "case"),
        ({"tree": "a", "calls": [{**CALL, "context": []}]}, "case"),
        ({"tree": "a", "calls": [{**CALL, "arguments": [1]}]}, "case.calls"),
        ({"tree": "a", "calls": [{**CALL, "context": {"config": {"tools": []}}}]}, 'config.tools" is '),
        (
            {"tree": "a", "calls": [{**CALL, "context": {"config": {"tools": {"fileops": 7}}}}]},
            'config.tools.fileops" is 7',
        ),
        ({"tree": 1, "calls": [CALL]}, "case.tree"),
        ({"tree": "a/{", "calls": [CALL]}, "case.tree"),
        ([], "case"),
    ],
)
def test_a_file_that_is_no_sequence_is_refused(appending: Path, tmp_path: Path, case: Any, message: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({**json.loads(appending.read_text()), "case": case}))
    with pytest.raises(UsageError, match=message):
        read_counterexample(broken)


@pytest.mark.slow
def test_a_single_call_in_place_of_a_sequence_is_refused(
    appending: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({**json.loads(appending.read_text()), "case": {"tree": "a", **CALL}}))
    assert main(["replay", str(broken), read_counterexample(appending).target]) == 2
    assert 'not a case of the family "sequences"' in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [{"source": "\ud800", "destination": "b"}])
def test_a_call_that_the_model_does_not_support_is_not_verified(
    appending: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: dict[str, str]
) -> None:
    odd = tmp_path / "odd.json"
    case = {"tree": "a", "calls": [{**CALL, "arguments": arguments}]}
    odd.write_text(json.dumps({**json.loads(appending.read_text()), "case": case}))
    assert main(["replay", str(odd), read_counterexample(appending).target]) == 3
    assert "does not cover" in capsys.readouterr().out


def test_a_pack_without_any_model_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "spec", "mine", str(tmp_path / "mine")]) == 0
    capsys.readouterr()
    assert main(["search", "reference", "--spec", str(tmp_path / "mine")]) == 2
    assert "names an oracle or a state_machine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('oracle = "nowhere:model"', "oracle: nowhere:model cannot be imported: ModuleNotFoundError"),
        ('oracle = "mine_reference:Candidate"', "lacks tool, requirements"),
        ('state_machine = "mine_reference:nothing"', "state_machine: mine_reference:nothing cannot be imported"),
        (
            'state_machine = "mine_reference:Candidate"',
            "lacks outside, tree_shape",
        ),
    ],
)
def test_an_invalid_model_is_an_error_of_the_pack(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "spec", "mine", str(tmp_path / "mine")]) == 0
    catalogue = tmp_path / "mine" / "spec.toml"
    text = catalogue.read_text()
    catalogue.write_text(text.replace("mutants =", f"{line}\nmutants =", 1))
    number = text[: text.index("mutants =")].count("\n") + 1
    capsys.readouterr()
    assert main(["search", "reference", "--spec", str(tmp_path / "mine"), "--seconds", "1"]) == 2
    error = capsys.readouterr().err
    assert message in error and error.startswith(f"treeproof: {catalogue}:{number}: ")
