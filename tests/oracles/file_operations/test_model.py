"""The model of the file operations on cases with outcomes worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.oracles.file_operations import expected as outcomes
from treeproof.oracles.file_operations import model as oracle
from treeproof.oracles.file_operations.gates import conversions
from treeproof.oracles.file_operations.outcome import make_request
from treeproof.oracles.file_operations.tree_state import State
from treeproof.tree import nest, normalise, parse_tree, render_tree, subtree, without_default_metadata

ALL_READINGS = {
    "AMB-FO-01": frozenset({"gate", "default", "both"}),
    "AMB-FO-04": frozenset({"usual", "link", "target"}),
    "AMB-FO-05": frozenset({"error", "replace"}),
    "AMB-FO-39": frozenset({"name", "through", "refuse"}),
    "AMB-FO-40": frozenset({"name", "through", "refuse"}),
    "AMB-FO-41": frozenset({"name", "through"}),
    "AMB-FO-42": frozenset({"name", "through"}),
    "AMB-FO-33": frozenset({"error", "complete"}),
    "AMB-FO-47": frozenset({"error", "make"}),
    "AMB-FO-08": frozenset({"error", "make"}),
}


def expected_outcomes(
    tree: str,
    tool: str,
    source: str,
    destination: str,
    *,
    overwrite: Any = None,
    allowed: bool = False,
    **more: Any,
) -> list[str]:
    """Return every expected outcome: an error kind ("error" for any), or the resulting tree."""
    arguments = {"source": source, "destination": destination}
    if overwrite is not None:
        arguments["overwrite"] = overwrite
    request = make_request(
        tool, arguments, {"allow_overwrite": allowed}, State.from_tree(nest(normalise(parse_tree(tree)), b"root"))
    )
    found = outcomes.expected_outcomes(request, more.get("accepted", {}))
    return [
        outcome.error_kind or "error"
        if outcome.error_kind is not None
        else render_tree(without_default_metadata(subtree(outcome.state.to_tree(), b"root")))
        for outcome in found
    ]


@pytest.mark.parametrize(
    ("tree", "tool", "source", "destination", "expected"),
    [
        ('a="A"', "move", "a", "b", ['b="A"']),
        ('a="A"', "copy", "a", "b", ['a="A", b="A"']),
        ('a="A", d/', "move", "a", "d", ['d/{a="A"}']),
        ('a="A", d/, l->d', "copy", "a", "l", ['a="A", d/{a="A"}, l->d']),
        ('a="A", h=>a', "move", "a", "b", ['b="A", h=>b']),
        ("d/{f, s/{g}}", "move", "d", "e", ["e/{f, s/{g}}"]),
        ('a="A", b="B"', "move", "a", "b", ["error"]),
        ('a="A", l->gone', "copy", "a", "l", ["error"]),
        ('a="A"', "move", "gone", "b", ["error"]),
        ('a="A"', "move", "a", "../x", ["error"]),
        ('a="A", o->../away', "move", "a", "o/x", ["error"]),
        ("d/{s/}", "move", "d", "d/s", ["error"]),
        ("d/", "copy", "d", "e", ["error"]),
        ('a="A"', "move", "a", "x/y", ["error"]),
        ('a="A", l->a', "move", "l", "m", ['a="A", m->a']),
        ('a="A", l->a', "copy", "l", "m", ['a="A", l->a, m="A"']),
    ],
)
def test_outcomes_by_the_recommended_readings(
    tree: str, tool: str, source: str, destination: str, expected: list[str]
) -> None:
    assert expected_outcomes(tree, tool, source, destination) == expected


@pytest.mark.parametrize(
    ("tree", "tool", "expected"),
    [
        ('a="A", b="B"', "move", ['b="A"']),
        ('a="A", b="B"', "copy", ['a="A", b="A"']),
        ('a="A", b=>a', "move", ["error", 'a="A", b=>a', 'b="A"']),
        ('a="A", b=>a', "copy", ["error", 'a="A", b=>a', 'a="A", b="A"']),
        ('a="A", b/{a/}', "move", ["error", 'b/{a="A"}']),
        ("a/{f}, b/{a/}", "move", ["error"]),
        ('a/, b="B"', "move", ["error", "error", "b/"]),  # after the second error the old file is gone
        ('a="A", b="B", h=>b', "copy", ['a="A", b="A", h="B"']),
    ],
)
def test_outcomes_if_overwriting_is_requested_and_allowed(tree: str, tool: str, expected: list[str]) -> None:
    assert expected_outcomes(tree, tool, "a", "b", overwrite=True, allowed=True) == expected


def test_more_readings_permit_more_outcomes() -> None:
    def all_outcomes(*arguments: Any, **more: Any) -> set[str]:
        return set(expected_outcomes(*arguments, **more, accepted=ALL_READINGS))

    assert all_outcomes("a/{f}, b/{a/}", "move", "a", "b", overwrite=True, allowed=True) == {"error", "b/{a/{f}}"}
    assert all_outcomes('a="A", b="B"', "move", "a", "b", overwrite=True) == {"error", 'b="A"'}
    assert all_outcomes('a="A"', "copy", "a", "x/y") == {"error", 'a="A", x/{y="A"}'}
    assert all_outcomes('d/{f="F"}', "copy", "d", "e") == {"error", 'd/{f="F"}, e/{f="F"}'}
    assert all_outcomes('a="A", t="T", l->t', "copy", "a", "l", overwrite=True, allowed=True) == {
        'a="A", l="A", t="T"',
        'a="A", l->t, t="A"',
        "error",
    }


@pytest.mark.parametrize(
    ("tree", "tool", "source", "destination", "reading", "expected"),
    [
        ('a="A", d/, l->d', "move", "a", "l", ("AMB-FO-19", "name"), ["error"]),
        ('a="A", l->a', "move", "l", "m", ("AMB-FO-04", "refuse"), ["error"]),
        ('a="A", l->a', "move", "l", "m", ("AMB-FO-04", "moved"), ['a="A", m->a']),
        ('a="A", l->a', "copy", "l", "m", ("AMB-FO-04", "moved"), ["error"]),
        ("d/{f}", "move", "d", "e", ("AMB-FO-34", "never"), ["error"]),
        ('a="A", d/, l->d', "move", "a", "l/b", ("AMB-FO-48", "refuse"), ["error"]),
        ('a="A", d/, l->d', "move", "a", "l", ("AMB-FO-48", "refuse"), ['d/{a="A"}, l->d']),
        ('a="A"', "move", "a", "~b", ("AMB-FO-49", "refuse"), ["error"]),
        ('a="A"', "move", "a", "b~", ("AMB-FO-49", "refuse"), ['b~="A"']),
        ('a="A"', "copy", "a", "Nul.txt", ("AMB-FO-49", "refuse"), ["error"]),
        ('a="A"', "move", "a", "b?", ("AMB-FO-49", "refuse"), ["error"]),
        ('a="A"', "move", "a", "null", ("AMB-FO-49", "refuse"), ['null="A"']),
        ('nul.txt="A"', "move", "nul.txt", "b", ("AMB-FO-49", "refuse"), ['b="A"']),
        ("'\\u200ba'=\"A\"", "move", "\u200ba", "b", ("AMB-FO-49", "refuse"), ["error"]),
    ],
)
def test_outcomes_by_another_reading(
    tree: str, tool: str, source: str, destination: str, reading: tuple[str, str], expected: list[str]
) -> None:
    entry, label = reading
    accepted = {entry: frozenset({label})}
    assert expected_outcomes(tree, tool, source, destination, accepted=accepted) == expected


@pytest.mark.parametrize(
    ("arguments", "labels"),
    [
        ({"source": "a", "destination": "b", "overwrite": True}, [{}]),
        ({"source": "a", "destination": "b", "overwrite": None}, [{}]),
        ({"source": "a", "destination": "b", "overwrite": "no"}, [{"AMB-FO-50": "flag"}, {"AMB-FO-50": "all"}]),
        ({"source": 1, "destination": "b"}, [{"AMB-FO-50": "all"}]),
        ({"Source": "a", "destination": "b"}, [{"AMB-FO-52": "folded"}]),
        ({"source": "a", "destination": ["b"]}, [{"AMB-FO-50": "all"}]),
        ({"source": "a", "destination": ["b", "c"]}, []),
        ({"source": None, "destination": "b"}, []),
        ({"source": "a"}, []),
        (["a", "b"], []),
    ],
)
def test_arguments_that_do_not_fit_may_be_converted(arguments: Any, labels: list[dict[str, str]]) -> None:
    found = [dict(readings) for readings, _ in conversions(arguments)]
    assert [one for at, one in enumerate(found) if one not in found[:at]] == labels


def test_a_dangling_source_may_be_checked_before_or_after_the_sandbox() -> None:
    def all_outcomes(*arguments: Any) -> set[str]:
        return set(expected_outcomes(*arguments, accepted=ALL_READINGS))

    assert all_outcomes("l->gone", "move", "l", "m") == {"m->gone", "error"}
    assert all_outcomes("l->l, o->../away", "move", "l", "o") == {"error"}
    assert all_outcomes('a="A", o->../away', "move", "a", "o") == {"error"}


def step(before: str, after: str, answer: CallResult, **arguments: Any) -> Exchange:
    command = oracle.model.command("move", "a", "b", arguments.get("overwrite"), True)
    trees = [nest(normalise(parse_tree(tree)), b"root") for tree in (before, after)]
    case = Case(command.tool, parse_tree(before), command.arguments, command.context)
    return Exchange(case, answer, trees[0], trees[1], Call("move", {}, {}))


OK = CallResult("ok", "done", None, None, None, None, None, b"")
NO = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")


@pytest.mark.parametrize(
    ("before", "after", "answer", "requirement"),
    [
        ('a="A"', 'b="A"', OK, None),
        ('a="A"', 'a="A"', OK, "DFO-01"),
        ('a="A"', 'b="A"', NO, "DFO-01"),
        ('a="A"', 'a="A", b="A"', OK, "DFO-01"),
        ('a="A", b="B"', 'a="A", b="B"', NO, None),
        ('a="A", b="B"', 'b="A"', OK, "FR-FOPS-MV-03"),
        ('a="A", b/', 'b="A"', OK, "FR-FOPS-MV-02"),
        ('b="B"', 'b="B"', OK, "DFO-03"),
    ],
)
def test_the_call_result_and_the_tree_are_judged_together(
    before: str, after: str, answer: CallResult, requirement: str | None
) -> None:
    found = oracle.model.judge(step(before, after, answer, overwrite=False), {}).findings
    assert [one.requirement for one in found] == ([] if requirement is None else [requirement])


def scenario_of(*steps: Exchange, accepted: Any = None) -> list[str]:
    """Return the steps of a scenario without the first one."""
    lines = oracle.model.scenario_steps(steps, accepted or {})
    assert lines[0] == f'Given beside the sandbox the tree "{oracle.model.outside}"'
    return list(lines[1:])


def test_a_case_is_written_as_a_scenario() -> None:
    assert scenario_of(step('a="A", b="B"', 'b="A"', OK, overwrite=False)) == [
        'And the tree "a="A", b="B""',
        'And the configuration {"allow_overwrite": true}',
        'When move is called with {"source": "a", "destination": "b", "overwrite": false}',
        "Then the call fails with any error and changes nothing",
    ]


@pytest.mark.parametrize(
    ("tree", "steps"),
    [
        (
            "a/{f}, b/{a/}",
            ['Then the call either leaves "b/{a/{f}}", or fails with any error and changes nothing'],
        ),
        (
            'a="A", b=>a',
            [
                "Then the outcome is one of",
                "  | fails | leaves |",
                "  | any error |  |",
                '  |  | a="A", b=>a |',
                '  |  | b="A" |',
            ],
        ),
        (
            'a="A", l=>b, b="B"',
            [
                "Then by AMB-FO-41 the outcome is one of",
                "  | reading | fails | leaves |",
                '  | name |  | b="A", l="B" |',
                '  | through |  | b="A", l=>b |',
            ],
        ),
    ],
)
def test_a_written_scenario_lists_the_outcomes_of_all_accepted_readings(tree: str, steps: list[str]) -> None:
    assert scenario_of(step(tree, tree, OK, overwrite=True), accepted=ALL_READINGS)[3:] == steps


def test_a_scenario_with_several_calls_states_each_outcome() -> None:
    first, second = step('a="A", b/', 'b/{a="A"}', OK), step('b/{a="A"}', 'b/{a="A"}', OK)
    assert scenario_of(first, second)[2:] == [
        'When move is called with {"source": "a", "destination": "b"}',
        'Then the call succeeds and leaves "b/{a="A"}"',
        'When move is called again with {"source": "a", "destination": "b"}',
        "Then the call fails with any error and changes nothing",
    ]


def test_cases_that_no_scenario_can_express_are_not_modelled() -> None:
    conforming, wrong = step('a="A", b/', 'b/{a="A"}', OK), step('a="A", b/', 'a="A", b/', OK)
    unconfigured = replace(conforming, case=replace(conforming.case, context={}))
    invalid = replace(conforming, case=replace(conforming.case, arguments={"source": 1}))
    for steps in ([wrong, conforming], [conforming, unconfigured], [invalid]):
        with pytest.raises(Unmodelled):
            oracle.model.scenario_steps(steps, {})


TREE = 'a="A", h=>a, b="B", d/{a="D"}, l->b, p:sock, o->../away'


@pytest.mark.parametrize(
    ("parts", "labels"),
    [
        (("move", "a", "x", None, None), {"source: file of several names", "content: other", "destination: nothing"}),
        (("cp", "b", "d", None, None), {"source: file", "destination: nothing in a directory"}),
        (("move", "a", "d", True, None), {"destination: file in a directory"}),
        (("copy", "a", "l", True, True), {"destination: link to a file"}),
        (("move", "d", "d/x", None, None), {"source: directory", "destination: inside the source"}),
        (("move", "a", "h", None, None), {"destination: another name of the source"}),
        (("move", "b", "b", None, None), {"destination: the source itself"}),
        (
            ("move", "l", "gone/x", None, None),
            {"source: link to a file", "destination: nothing in a missing directory"},
        ),
        (("move", "l", "x", None, None), {"source: link to a file", "content: none", "name: another"}),
        (("copy", "p", "x", None, None), {"source: special file"}),
        (("move", "a", "b", None, False), {"destination: file", "overwriting: refused"}),
        (("copy", "gone", "o", None, None), {"source: nothing", "destination: link out"}),
        (("copy", "d/../a", "../x", None, None), {"source: file", "destination: none"}),
    ],
)
def test_a_call_has_case_labels(parts: tuple[Any, ...], labels: set[str]) -> None:
    before = nest(normalise(parse_tree(TREE)), b"root")
    command = oracle.model.command(*parts)
    case = Case(command.tool, parse_tree(TREE), command.arguments, command.context)
    found = oracle.model.case_labels(Exchange(case, OK, before, before, Call("", {}, {})))
    assert labels <= found <= set(oracle.model.all_case_labels)
