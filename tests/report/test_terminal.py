"""The report on a terminal: order, widths, colours, and the conclusion in the last line."""

from __future__ import annotations

import io
import os
import pty
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len

from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.terminal import print_run, render
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import RequirementResult

Json = dict[str, Any]


def render_text(run: Json, columns: int = 80, **env: str) -> str:
    stream = io.StringIO()
    render(RunDocument.from_json(run), console_for(stream, {"COLUMNS": str(columns), **env}), verbose=True)
    return stream.getvalue()


def test_the_last_line_is_the_conclusion_and_its_reason(mixed: Json) -> None:
    last = render_text(mixed).rstrip("\n").split("\n")[-1]
    assert last == "non-conformant: 2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05"


def test_the_parts_of_the_report_have_a_fixed_order(mixed: Json) -> None:
    text = render_text(mixed)
    parts = ["acme-tools", "3.2 Validation", "Causes", "Failed requirements", "Choices observed", "Not verified"]
    places = [text.index(part) for part in [*parts, "Warnings"]]
    assert places == sorted(places)


def test_a_failure_shows_tree_call_expected_got_and_difference(mixed: Json) -> None:
    lines = [line.strip() for line in render_text(mixed).split("\n")]
    for line in [
        "tree       a/{b}, a-b",
        'call       list_directory {"recursive": true, "max_entries": 2, "path": "."}',
        'context    {"max_output_bytes": 543}',
        'step       Then the entries are "a, a/b"',
        "expected   a, a/b",
        "got        a, a-b",
        "difference - a/b",
        "+ a-b",
    ]:
        assert line in lines


def test_the_trees_before_and_after_a_call_with_side_effects_are_shown(mixed: Json) -> None:
    evidence = mixed["specs"][0]["scenarios"][0]["evidence"]
    evidence |= {"before": "a/{b, c}", "after": "", "expected": "a/{c}"}
    text = render_text(mixed)
    assert re.search(r" tree       a/\{b\}, a-b\n +before     a/\{b, c\}\n +call ", text)
    assert re.search(r" after      \(empty\)\n +step ", text)
    evidence["before"] = evidence["tree"]
    assert "before     " not in render_text(mixed)


def test_the_rerun_command_is_one_line_of_any_length(mixed: Json) -> None:
    mixed["command"] = ["stdio:node " + "a" * 200]
    command = f"treeproof run 'stdio:node {'a' * 200}' --select LD-LST-05-01"
    assert f"    re-run     {command}\n" in render_text(mixed)
    assert f"    re-run:\n      {command}\n" in render_text(mixed, 40)


def test_a_scenario_for_a_feature_file_is_not_wrapped(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"]["scenario"] = f'Given the tree "{"a, " * 80}b"\nWhen x'
    lines = render_text(mixed).split("\n")
    at = lines.index("    scenario   the same difference, for a feature file")
    assert lines[at + 1 : at + 3] == [f'      Given the tree "{"a, " * 80}b"', "      When x"]


def test_each_heading_names_its_specification_if_there_are_several(mixed: Json) -> None:
    mixed["specs"].append({**mixed["specs"][0], "name": "other"})
    text = render_text(mixed)
    assert "Not verified, other · " in text
    assert "Choices observed, other" in text


def test_a_candidate_that_did_not_start_has_a_short_report(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"] = []
    mixed["specs"][0]["requirements"][0] |= {"verdict": "NOT VERIFIED", "code": "candidate_did_not_start"}
    mixed |= {"verdict": "fault", "reason": "the candidate did not start: connection refused"}
    lines = render_text(mixed).rstrip("\n").split("\n")
    assert lines[-2:] == [
        "run `treeproof doctor TARGET` to check the connection step by step",
        "fault: the candidate did not start: connection refused",
    ]
    assert len(lines) < 15


def test_sections_are_counted(mixed: Json) -> None:
    text = render_text(mixed)
    assert re.search(r"✗ +3\.2 Validation +1 +1 +· +· +·\n", text)
    assert re.search(r"✗ +3\.4 Traversal semantics +· +1 +4 +1 +1\n", text)
    assert re.search(r"all +1 +2 +4 +1 +1\n", text)


def test_unverified_requirements_are_grouped_by_cause_with_their_remedy(mixed: Json) -> None:
    text = render_text(mixed, 200)
    assert "? no scenario verifies it yet · 2\n    FR-LD-LST-08, FR-LD-LST-09\n    remedy: " in text
    assert "? the candidate does not declare the capability config · 1\n    FR-LD-LST-07\n    remedy: implement" in text


def test_readings_that_contradict_each_other_are_named(mixed: Json) -> None:
    text = render_text(mixed)
    assert "✗ AMB-LD-02 inconsistent: a, b" in text
    assert "AMB-LD-01=exceeded" in text
    assert "AMB-LD-03" not in text


@pytest.mark.parametrize("columns", [20, 40, 63, 64, 80, 120])
def test_no_line_is_wider_than_the_terminal_nor_ends_in_blanks(mixed: Json, columns: int) -> None:
    mixed["specs"][0]["requirements"][0]["section"] = "a section with a long title 日本語日本語 that has to be folded"
    for line in render_text(mixed, columns).split("\n"):
        assert cell_len(line) <= columns or "treeproof run " in line  # to be copied
        assert line == line.rstrip()


def test_wrapping_loses_no_text(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"]["got"] = "abc," * 75
    narrow = render_text(mixed, 40)
    assert "abc," * 75 in re.sub(r"\s", "", narrow)


def test_a_log_has_no_escape_sequences(mixed: Json) -> None:
    assert "\x1b" not in render_text(mixed)
    assert "\x1b" not in render_text(mixed, TERM="xterm-256color", COLORTERM="truecolor")


def test_force_color_colours_a_log_and_no_color_overrides_it(mixed: Json) -> None:
    assert "\x1b[" in render_text(mixed, FORCE_COLOR="1")
    assert "\x1b" not in render_text(mixed, FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[" in render_text(mixed, FORCE_COLOR="1", NO_COLOR="")


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_a_terminal_is_coloured_unless_forbidden(mixed: Json, env: dict[str, str], coloured: bool) -> None:
    keyboard, screen = pty.openpty()
    with open(screen, "w", encoding="utf-8", closefd=True) as stream, open(keyboard, "rb") as seen:
        console = console_for(stream, env)
        console.print("x", style="red", end="")
        stream.flush()
        assert (b"\x1b[31m" in os.read(seen.fileno(), 1000)) is coloured


@pytest.mark.parametrize("columns", [30, 47, 80])
def test_no_line_is_a_workflow_command(mixed: Json, columns: int) -> None:
    command = "::error title=x::y"
    evidence = mixed["specs"][0]["scenarios"][0]["evidence"]
    evidence["got"] = f"{command}\n  {command}\n{'x ' * 17}{command} ##[error]z {'y' * 40}{command}"
    mixed["specs"][0]["requirements"][0]["section"] = command
    mixed["specs"][0]["requirements"][2]["text"] = command
    mixed["reason"] = f"why\n{command}"
    text = render_text(mixed, columns)
    assert [line for line in text.split("\n") if line.lstrip().startswith("::") or "##[" in line] == []
    assert "\\x3a:error" in text and "#\\x23[error]" in text
    wrapped = [line for line in text.split("\n") if "treeproof run " not in line]
    assert max(map(cell_len, wrapped)) <= columns


def test_long_evidence_is_cut_and_the_omission_is_reported(mixed: Json) -> None:
    evidence = mixed["specs"][0]["scenarios"][0]["evidence"]
    evidence["tree"] = "x, " * 20_000
    evidence["before"] = "x" * 50_000
    evidence["got"] = "\n".join("line" for _ in range(500))
    text = render_text(mixed)
    assert "more characters)" in text and "x… (50,000 bytes)" in text
    assert "more lines)" in text
    assert text.count("\n") < 150


def test_a_run_with_a_selection_states_that_it_is_no_claim(run: Callable[..., Json]) -> None:
    text = render_text(
        run([], [], verdict="non-conformant", exit=1, claim=False, selection=["FR-LD-LST-05"], reason="1 does not hold")
    )
    assert "selection" in text
    assert "not a conformance claim" in text


def test_an_interrupted_run_is_reported_as_interrupted(run: Callable[..., Json]) -> None:
    text = render_text(run([], [], verdict="incomplete", exit=3, claim=False, interrupted=True, reason="interrupted"))
    assert "The run was interrupted" in text


def test_rich_markup_in_a_text_is_not_interpreted(mixed: Json) -> None:
    mixed["candidate"]["name"] = "[bold]name[/bold] :smiley:"
    assert "[bold]name[/bold] :smiley:" in render_text(mixed)


def test_print_run_writes_to_the_given_stream(mixed: Json) -> None:
    stream = io.StringIO()
    print_run(RunDocument.from_json(mixed), stream)
    assert stream.getvalue().startswith(
        "treeproof 0.1.0 · acme-tools 3.1.0 (go, adapter stdio)\n8 scenarios in 2.4 s · profile "
    )


def test_a_report_of_selected_scenarios_is_about_nothing_else(
    run: Callable[..., Json], requirement: Callable[..., Json]
) -> None:
    left_out = [requirement(f"FR-{i}", "NOT VERIFIED", cause="not selected", code="not_selected") for i in range(9)]
    text = render_text(run(left_out, [], selection=["FR-B"], claim=False, reason="everything selected held"))
    assert "0 of 9 requirements" in text
    assert "not selected" not in text
    assert "FR-1" not in text
    shard = run(left_out, [], selection=["shard 1/2"], claim=False) | {
        "shard": {"numbers": [1], "of": 2, "content": "x", "guards": [], "fault": None}
    }
    assert "? not selected · 9" in render_text(shard)


def test_a_line_for_scripts_is_never_wrapped() -> None:
    stream = io.StringIO()
    ConsoleWriter(console_for(stream, {"COLUMNS": "40"})).line("x" * 300, "\n\x1b[31m")
    assert stream.getvalue() == "x" * 300 + "\\n\\x1b[31m\n"


def test_sections_are_sorted_by_number(run: Callable[..., Json], requirement: Callable[..., Json]) -> None:
    sections = ["3.10 ten", "Annex A", "3.2 two", "", "2 before", "3.2.1 below"]
    text = render_text(run([requirement(f"FR-{i}", section=section) for i, section in enumerate(sections)], []))
    places = [text.index(section) for section in ("2 before", "3.2 two", "3.2.1 below", "3.10 ten", "Annex A")]
    assert places == sorted(places)


def test_a_remedy_is_that_of_the_code_unless_the_document_contains_another(requirement: Callable[..., Json]) -> None:
    def remedy(**members: str) -> str | None:
        return RequirementResult.from_json(requirement("R-1", "FAIL") | members).general_remedy

    assert "install strace" in (remedy(code="trace_unavailable") or "")
    assert remedy(code="host_lacks", remedy="install unshare") == "install unshare"
    assert remedy(code="no_evidence") is None
    assert remedy(cause="written by an older version") is None


def test_the_style_of_a_label_ends_with_the_label() -> None:
    stream = io.StringIO()
    page = ConsoleWriter(console_for(stream, {"COLUMNS": "80", "FORCE_COLOR": "1"}))
    page.field("label", page.text("value"))
    page.paragraph("text", lead=page.text("! ", "red"))
    assert stream.getvalue() == "\x1b[2mlabel      \x1b[0mvalue\n\x1b[31m! \x1b[0mtext\n"
