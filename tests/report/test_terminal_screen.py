"""The report on a terminal has one screen, whatever fails, and counts what it leaves out."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len

from treeproof.report.console_writer import console_for
from treeproof.report.terminal import render
from treeproof.verdict.run_document import RunDocument

from .test_hostile import HOSTILE, hostile_run

Json = dict[str, Any]
Make = Callable[..., Json]
WIDE = "日本語の長い名前" * 40
LINES = "\n".join(f"line {i} of an answer" for i in range(300))


def render_text(run: Json, columns: int = 80, **env: str) -> str:
    stream = io.StringIO()
    render(RunDocument.from_json(run), console_for(stream, {"COLUMNS": str(columns), **env}))
    return stream.getvalue()


def count_rows(text: str, columns: int = 80) -> int:
    return sum(max(1, -(-cell_len(line) // columns)) for line in text.removesuffix("\n").split("\n"))


def failing_run(run: Make, requirement: Make, scenario: Make, text: str = "the answer differs", **other: Any) -> Json:
    """Return a run in which a dozen causes have all members of evidence, with long ids and ``text`` in each."""
    ids = [f"FR-{i:03}-{'X' * 190}" for i in range(12)]
    members = ("tree", "outside", "before", "after", "step", "docstring", "expected", "got", "diff", "stderr")
    evidence = dict.fromkeys(members, text) | {"call": {"tool": "ls", "arguments": text, "context": {"a": text}}}
    scenarios = [
        scenario(f"S-{i:03}-{'Y' * 190}-{j}", ids[i], "failed", **evidence, message=f"{chr(0x4E00 + i)} {text}")
        for i in range(12)
        for j in range(3)
    ]
    requirements = [
        *(requirement(id, "FAIL", text=text) for id in ids),
        *(requirement(f"N-{i}", "NOT VERIFIED", cause=f"reason {i}: {text}", code="host_lacks") for i in range(9)),
    ]
    document = run(requirements, scenarios, verdict="non-conformant", exit=1, warnings=[text, "b"], **other)
    return {**document, "reason": f"12 requirements do not hold: {', '.join(ids[:3])}, …"}


@pytest.mark.parametrize(
    ("text", "columns"),
    [("short", 200), ("word " * 900, 80), (WIDE, 80), (WIDE, 100), (LINES, 80), (LINES, 200), ("x" * 900, 100)],
)
def test_a_failing_run_has_forty_rows(run: Make, requirement: Make, scenario: Make, text: str, columns: int) -> None:
    document = failing_run(run, requirement, scenario, text)
    assert count_rows(render_text(document, columns), columns) <= 40
    specs = [{**document["specs"][0], "name": f"specification_{i}"} for i in range(9)]
    assert count_rows(render_text({**document, "specs": specs}, columns), columns) <= 40
    command = ["stdio:node " + "a" * 3000]
    assert count_rows(render_text({**document, "command": command, "selection": ["S"]}, columns), columns) <= 40


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_run_has_forty_rows(text: str) -> None:
    assert count_rows(render_text(hostile_run([text] * 5))) <= 40


def test_causes_have_one_line_and_one_command_and_the_others_are_counted(
    run: Make, requirement: Make, scenario: Make
) -> None:
    scenarios = [
        scenario(f"S-{i}-{j}", f"FR-{i}", "failed", tree="a", message=f"why {chr(0x4E00 + i)}")
        for i in range(12)
        for j in range(2)
    ]
    text = render_text(run([requirement(f"FR-{i}", "FAIL") for i in range(12)], scenarios, exit=1))
    assert "Causes · 12 · 12 requirements · met in 24 scenarios\n" in text
    assert "✗ 1  wrong answer · FR-0  MUST · stated · 3.4 Traversal semantics\n" in text
    assert "✗ 2  FR-1  why 丁  (2 scenarios)\n     treeproof run TARGET --select S-1-0\n✗ 3  FR-2" in text
    assert "✗ 5  " in text and "  7 more causes: --verbose\n" in text and "✗ 6  " not in text
    assert text.count("    tree       a") == 1


def test_a_case_is_cut_around_its_difference(run: Make, requirement: Make, scenario: Make) -> None:
    names = [f"file{i:03}" for i in range(200)]
    expected, got = ", ".join(names), ", ".join(names[:150] + names[151:])
    members = dict.fromkeys(("tree", "before", "after", "step"), expected)
    long = scenario("A-1", "FR-A", "failed", expected=expected, got=got, **members)
    text = render_text(run([requirement("FR-A", "FAIL")], [long], exit=1))
    assert re.search(r"expected   ….*file150, file151", text) and re.search(r"got        ….*file149, file151", text)


def test_what_is_open_has_a_count_and_a_remedy(run: Make, requirement: Make, scenario: Make) -> None:
    text = render_text(failing_run(run, requirement, scenario))
    assert "? 1 requirement not verified: reason 0: the answer differs\n" in text
    assert "? 7 more requirements not verified, for 7 other reasons\n" in text
    assert "! the answer differs (and 1 more)\n" in text
    assert "  All of it: --verbose, or --report html=FILE\n" in text
    open_run = run(
        [requirement(f"N-{i}", "NOT VERIFIED", cause=f"reason {i}", code="trace_unavailable") for i in range(9)],
        [scenario("A-1", "FR-A")],
        verdict="incomplete",
        exit=3,
    )
    text = render_text(open_run)
    assert text.count("remedy: install strace and allow ptrace") == 5 and "? 4 more requirements " in text
    assert count_rows(text) <= 40


def test_a_conformant_run_has_fifteen_rows(run: Make, requirement: Make, scenario: Make) -> None:
    advice = scenario("A-1", "FR-A", "failed", message="the times differ") | {"advisory": True}
    document = run(
        [
            requirement("FR-A", scenarios=["A-1"]),
            requirement("FR-B", "FAIL", level="SHOULD", cause="not done"),
            *(requirement(f"N-{i}", "NOT VERIFIED", level="MAY", cause=f"{i}", remedy="x " * 90) for i in range(3)),
        ],
        [advice],
        warnings=["one", "two"],
        interpretations=[{"id": "AMB-1", "observed": ["a"], "treatment": "any", "consistent": True}],
    )
    text = render_text(document)
    assert count_rows(text) <= 15
    assert "△ warnings of 2 causes: 1 SHOULD, 1 beyond the document (FR-B, FR-A)\n" in text
    assert "Causes" not in text and "✗" not in text
    assert "\x1b[31m" not in render_text(document, FORCE_COLOR="1")
    specs = [{**document["specs"][0], "name": f"s{i}"} for i in range(5)]
    assert count_rows(render_text({**document, "specs": specs})) <= 19


def test_one_selected_scenario_has_its_whole_evidence(mixed: Json) -> None:
    spec = mixed["specs"][0]
    spec["scenarios"] = spec["scenarios"][:1]
    spec["requirements"] = [one for one in spec["requirements"] if one["id"] == "FR-LD-LST-05"]
    spec["scenarios"][0]["evidence"]["scenario"] = "Given x"
    text = render_text({**mixed, "selection": ["LD-LST-05-01"], "claim": False})
    assert "    difference - a/b\n               + a-b\n" in text and "      Given x\n" in text
    assert "All of it" not in text and count_rows(text) <= 40


def test_no_color_and_a_pipe_have_the_same_text(mixed: Json) -> None:
    coloured = render_text(mixed, FORCE_COLOR="1")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_text(mixed) == render_text(mixed, NO_COLOR="1")
    assert coloured != render_text(mixed)
