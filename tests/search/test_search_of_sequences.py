"""A search among sequences of calls that change the tree, from end to end, as for any other model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import Options, run
from treeproof.search import search
from treeproof.search.counterexample_file import SavedCounterexample, read_counterexample
from treeproof.search.model import Finding
from treeproof.search.promote import promote
from treeproof.search.search import Search
from treeproof.search.sequences import SequenceRunner
from treeproof.search.setup import open_search, reference_search
from treeproof.search.state_machine import Command, CommandSequence, Transition
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.tree import CannotBuild
from treeproof.tree import parse_tree as parse_tree
from treeproof.verdict import Profile

GALLERY = str(Path(__file__).parent / "seeded_candidates")
SPEC = "file_operations"


@pytest.fixture(autouse=True)
def seeded_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(GALLERY)


class StopAtFirst:
    """Has had enough with the first counterexample."""

    def on_case(self, search: Search) -> None:
        pass

    def on_counterexample(self, counterexample: SavedCounterexample) -> None:
        raise KeyboardInterrupt


def first_counterexample(target: str) -> SavedCounterexample:
    """The first counterexample that a search finds."""
    with (
        Interrupts(process_exits_afterwards=True) as stop,
        open_search(target, [SPEC], Profile.DEFAULT, 0, stop) as grounds,
        reference_search(grounds, target) as right,
    ):
        found = Search(grounds, right, target, 120, StopAtFirst())
        found.run()
    assert found.exit_code == 1
    return found.counterexamples[0]


def save_first_counterexample(target: str, folder: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(GALLERY)
        patch.setattr(search, "SHRINK_ATTEMPTS", 60)
        return first_counterexample(target).write(folder)


@pytest.fixture(scope="module")
def gluing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counterexample of a candidate of which one call by itself shows what is wrong."""
    return save_first_counterexample("python:seeded:Gluing", tmp_path_factory.mktemp("gluing"))


@pytest.fixture(scope="module")
def remembering(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of one of which it takes a call before."""
    return save_first_counterexample("python:seeded:Remembering", tmp_path_factory.mktemp("remembering"))


def command_tools(file: Path) -> list[str]:
    case = read_counterexample(file).case
    assert isinstance(case, CommandSequence)
    return [turn.tool for turn in case.commands]


def test_what_one_call_shows_is_one_call_on_a_few_entries(gluing: Path) -> None:
    found = read_counterexample(gluing)
    assert (found.requirement, found.family, len(command_tools(gluing))) == ("DFO-02", "sequences", 1)
    assert len(list(found.case.tree.walk())) <= 4
    assert "only the candidate differs" in found.agreement
    assert str(gluing.parent) not in gluing.read_text()


def test_what_takes_a_call_before_is_kept_with_it(remembering: Path) -> None:
    assert 2 <= len(command_tools(remembering)) <= 4
    assert "is called again with" in read_counterexample(remembering).scenario


def test_a_kept_sequence_is_seen_again_and_not_on_the_reference(
    gluing: Path, remembering: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (gluing, remembering):
        assert main(["replay", str(file)]) == 1
        assert read_counterexample(file).requirement in capsys.readouterr().out
        assert main(["replay", str(file), "reference"]) == 0


def test_what_this_candidate_cannot_be_asked_is_not_verified(gluing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(gluing), "python:seeded:BareMoves"]) == 3
    assert "'config'" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gluing", "remembering"])
def test_a_kept_sequence_becomes_a_scenario(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    file: Path = request.getfixturevalue(name)
    folder = tmp_path / "pack"
    shutil.copytree(load_pack(find_pack(SPEC)).folder, folder)
    found = replace(read_counterexample(file), spec=str(folder))
    feature, id = promote(found, None)
    row = next(row for row in parse_feature(feature).scenarios if row.id == id)
    beside = [step.text for step in row.steps if step.text.startswith("beside the sandbox")]
    assert row.requirement == found.requirement
    assert len(beside) == 1  # what the Background says is not said once more

    def outcome(target: str) -> str:
        done = run(Options(target=target, specs=(str(folder),), select=(id,))).document
        return str(done["specs"][0]["scenarios"][0]["outcome"])

    assert outcome(found.target) == "failed"
    assert outcome("reference") == "passed"


def test_a_search_without_success_says_what_it_covered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "reference", "--spec", SPEC, "--seconds", "2", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert "no counterexample in" in told
    assert "into a directory" in " ".join(told.split())


def test_calls_are_kept_together_where_the_tree_between_them_cannot_be_made(
    remembering: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = read_counterexample(remembering)
    assert isinstance(bundle.case, CommandSequence)
    perform = SequenceRunner.run_sequence

    def refused(self: SequenceRunner, play: CommandSequence, beside: str | None = None) -> Iterator[Transition]:
        if len(play.commands) == 1:
            raise CannotBuild("device: not permitted")
        return perform(self, play, beside)

    monkeypatch.setattr(SequenceRunner, "run_sequence", refused)
    with (
        Interrupts(process_exits_afterwards=True) as stop,
        open_search(bundle.target, [SPEC], Profile.DEFAULT, 0, stop) as grounds,
    ):
        ground = grounds.get(bundle.family)
        assert ground is not None
        found = ground.minimise(bundle.case, Finding(bundle.requirement, ""))
    assert found.case == bundle.case
    assert found.finding.message == bundle.message


def test_what_fails_now_and_then_is_kept_as_it_was_seen_last() -> None:
    turns = tuple(Command("copy", {"source": "a", "destination": name}) for name in "bcd")
    target = "python:seeded:Moody"
    with (
        Interrupts(process_exits_afterwards=True) as stop,
        open_search(target, [SPEC], Profile.DEFAULT, 0, stop) as grounds,
    ):
        ground = grounds.get("sequences")
        assert ground is not None
        (finding,) = ground.run_case(CommandSequence(parse_tree("a"), turns)).findings
    with (
        Interrupts(process_exits_afterwards=True) as stop,
        open_search(target, [SPEC], Profile.DEFAULT, 0, stop) as grounds,
    ):
        ground = grounds.get("sequences")
        assert ground is not None
        found = ground.minimise(CommandSequence(parse_tree("a"), turns), finding)
    assert found.case == CommandSequence(parse_tree("a"), turns[:1])


CALL = {"tool": "move", "arguments": {}, "context": {}}


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"tree": "a", "calls": []}, "case"),
        ({"tree": "a", "calls": 1}, "case"),
        ({"tree": "a", "calls": [{**CALL, "tool": 1}]}, "case"),
        ({"tree": "a", "calls": [{**CALL, "context": []}]}, "case"),
        ({"tree": "a", "calls": [{**CALL, "arguments": [1]}]}, "case.calls"),
        ({"tree": "a", "calls": [{**CALL, "context": {"config": {"tools": []}}}]}, "tools is "),
        ({"tree": "a", "calls": [{**CALL, "context": {"config": {"tools": {"fileops": 7}}}}]}, "tools.fileops is 7"),
        ({"tree": 1, "calls": [CALL]}, "case.tree"),
        ({"tree": "a/{", "calls": [CALL]}, "case.tree"),
        ([], "case"),
    ],
)
def test_a_file_that_is_no_sequence_is_refused(gluing: Path, tmp_path: Path, case: Any, said: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({**json.loads(gluing.read_text()), "case": case}))
    with pytest.raises(UsageError, match=said):
        read_counterexample(broken)


def test_a_call_that_is_no_sequence_is_refused(
    gluing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({**json.loads(gluing.read_text()), "case": {"tree": "a", **CALL}}))
    assert main(["replay", str(broken)]) == 2
    assert 'not a case of the family "sequences"' in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [{}, {"source": "\ud800", "destination": "b"}])
def test_a_call_that_the_model_does_not_know_is_not_verified(
    gluing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: dict[str, str]
) -> None:
    odd = tmp_path / "odd.json"
    case = {"tree": "a", "calls": [{**CALL, "arguments": arguments}]}
    odd.write_text(json.dumps({**json.loads(gluing.read_text()), "case": case}))
    assert main(["replay", str(odd)]) == 3
    assert "does not cover" in capsys.readouterr().out


def test_a_pack_without_any_model_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "spec", "mine", str(tmp_path / "mine")]) == 0
    capsys.readouterr()
    assert main(["search", "reference", "--spec", str(tmp_path / "mine")]) == 2
    assert "names an oracle or a state_machine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('oracle = "nowhere:model"', "oracle: nowhere:model cannot be imported: ModuleNotFoundError"),
        ('oracle = "mine_reference:Candidate"', "oracle: mine_reference:Candidate lacks tool, requirements"),
        ('state_machine = "mine_reference:nothing"', "state_machine: mine_reference:nothing cannot be imported"),
        (
            'state_machine = "mine_reference:Candidate"',
            "implement the protocol treeproof.search.state_machine.StateMachineModel",
        ),
    ],
)
def test_a_model_that_is_none_is_the_mistake_of_the_pack(
    line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "spec", "mine", str(tmp_path / "mine")]) == 0
    face = tmp_path / "mine" / "spec.toml"
    face.write_text(face.read_text().replace("mutants =", f"{line}\nmutants =", 1))
    capsys.readouterr()
    assert main(["search", "reference", "--spec", str(tmp_path / "mine"), "--seconds", "1"]) == 2
    told = capsys.readouterr().err
    assert said in told and told.startswith(f"treeproof: {face}: ")
