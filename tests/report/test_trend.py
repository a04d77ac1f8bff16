"""All runs of one candidate, links to reports, and answers of several candidates side by side."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.document import dump
from treeproof.report.formats.registry import MATRIX_FORMATS
from treeproof.report.html.matrix_page import trend_chart
from treeproof.report.matrix import bar_lengths, build_matrix, cut_around_difference
from treeproof.report.matrix_report import print_matrix
from treeproof.report.signs import BY_URGENCY, VERDICTS, WARNING
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import Verdict

Json = dict[str, Any]


@pytest.fixture
def run_of(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> Callable[..., Json]:
    """Return a function that makes the run of a day in which some of 40 requirements fail."""

    def make(day: int, failed: int, name: str = "acme", answer: str = "[]", **other: Any) -> Json:
        ids = range(1, 41)
        outcome = {"status": "ok", "content": answer}
        scenarios = [scenario(f"S-{i}", f"A-{i}", "failed" if i <= failed else "passed", outcome=outcome) for i in ids]
        requirements = [
            requirement(f"A-{i}", "FAIL" if i <= failed else "PASS", scenarios=[f"S-{i}"], section="3 Order")
            for i in ids
        ]
        document = run(requirements, scenarios, started=f"2001-01-{day:02}T00:00:00Z", **other)
        document["candidate"] = {**document["candidate"], "name": name}
        document["specs"][0]["name"] = "other"
        return document | ({"verdict": "non-conformant", "exit": 1} if failed else {})

    return make


def test_the_trend_has_every_run_the_oldest_first(run_of: Callable[..., Json]) -> None:
    (candidate,) = build_matrix(RunDocument.from_json(run_of(day, day % 3)) for day in (3, 1, 5, 2, 4)).candidates
    assert [(one.run.started[8:10], one.results[VERDICTS[Verdict.FAIL]], one.failed) for one in candidate.runs] == [
        ("01", 1, 1),
        ("02", 2, 2),
        ("03", 0, 0),
        ("04", 1, 1),
        ("05", 2, 2),
    ]


def test_a_narrowed_run_counts_the_requirements_that_it_is_about(run_of: Callable[..., Json]) -> None:
    narrowed = run_of(2, 0) | {"selection": ["A-1"], "claim": False}
    for one in narrowed["specs"][0]["requirements"][1:]:
        one |= {"verdict": "NOT VERIFIED", "cause": "not selected", "code": "not_selected"}
    (candidate,) = build_matrix([RunDocument.from_json(run_of(1, 0)), RunDocument.from_json(narrowed)]).candidates
    assert [(one.total, one.run.claim) for one in candidate.runs] == [(40, True), (1, False)]


def test_a_bar_has_the_whole_length_and_shows_a_single_failure(run_of: Callable[..., Json]) -> None:
    (candidate,) = build_matrix([RunDocument.from_json(run_of(1, 1)), RunDocument.from_json(run_of(2, 0))]).candidates
    assert bar_lengths(candidate.runs[0], 40, 24) == [(BY_URGENCY[0], 1), (VERDICTS[Verdict.PASS], 23)]
    assert bar_lengths(candidate.runs[1], 80, 24) == [(VERDICTS[Verdict.PASS], 12)]


def test_a_failure_that_decides_nothing_is_no_red_bar(run_of: Callable[..., Json]) -> None:
    warned = run_of(1, 1) | {"verdict": "conformant", "exit": 0}
    warned["specs"][0]["requirements"][0]["level"] = "SHOULD"
    (candidate,) = build_matrix([RunDocument.from_json(warned)]).candidates
    assert bar_lengths(candidate.runs[0], 40, 24) == [(WARNING, 1), (VERDICTS[Verdict.PASS], 23)]


def test_the_chart_has_a_bar_for_each_of_many_runs(run_of: Callable[..., Json]) -> None:
    (candidate,) = build_matrix(RunDocument.from_json(run_of(1 + i % 28, i % 2)) for i in range(300)).candidates
    chart = trend_chart(candidate)
    assert len(chart.bars) == 300 and chart.width == 1800
    for bar in chart.bars:
        assert bar.x + bar.width <= chart.width
        assert {part.y + part.height <= chart.base and part.y >= 0 for part in bar.segments} == {True}
    page = MATRIX_FORMATS["html"](
        build_matrix(RunDocument.from_json(run_of(1 + i % 28, i % 2)) for i in range(300))
    ).decode()
    assert page.count('<rect class="bar-pass"') == 300 and page.count('<th scope="row">2001-01-') == 300


def test_the_chart_is_described_and_its_numbers_are_a_table(run_of: Callable[..., Json]) -> None:
    page = MATRIX_FORMATS["html"](
        build_matrix(
            [
                RunDocument.from_json(run_of(1, 3)),
                RunDocument.from_json(run_of(2, 2)),
                RunDocument.from_json(run_of(3, 0)),
            ]
        )
    ).decode()
    assert "<h1>3 runs of one candidate</h1>" in page
    assert (
        'role="img" aria-label="Requirements by verdict in 3 runs. Failed in the first run: 3, in the last run: 0, '
        in page
    )
    assert page.count("<title>2001-01-0") == 3
    (row,) = re.findall(r'<tr><th scope="row">2001-01-02 00:00 UTC</th>(.*)</tr>', page)
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row) == ["3.1.0", "non-conformant", "2", "38", "2", "0"]


def test_one_run_has_no_trend(run_of: Callable[..., Json]) -> None:
    for name in ("html", "json"):
        text = MATRIX_FORMATS[name](
            build_matrix([RunDocument.from_json(run_of(1, 1)), RunDocument.from_json(run_of(1, 1, "two"))])
        ).decode()
        assert "<svg viewBox" not in text and "Trend" not in text and '"runs"' not in text


def test_terminal_and_json_have_the_trend(run_of: Callable[..., Json]) -> None:
    found = build_matrix(
        [
            RunDocument.from_json(run_of(1, 10)),
            RunDocument.from_json(run_of(2, 2)),
            RunDocument.from_json(run_of(3, 0, claim=False)),
        ]
    )
    stream = io.StringIO()
    print_matrix(found, ConsoleWriter(console_for(stream, {"COLUMNS": "100"})))
    text = stream.getvalue()
    assert text.startswith("3 runs of one candidate\n")
    assert "  2001-01-01 00:00  ✗✗✗✗✗✗━━━━━━━━━━━━━━━━━━  3.1.0: non-conformant: 10 fail, 30 pass\n" in text
    assert "  2001-01-03 00:00  ━━━━━━━━━━━━━━━━━━━━━━━━  3.1.0: conformant, no claim: 40 pass\n" in text
    (candidate,) = json.loads(MATRIX_FORMATS["json"](found))["candidates"]
    assert [one["requirements"] for one in candidate["runs"]] == [
        {"PASS": 30, "FAIL": 10},
        {"PASS": 38, "FAIL": 2},
        {"PASS": 40},
    ]


def test_answers_to_one_scenario_are_side_by_side_and_equal_ones_together(run_of: Callable[..., Json]) -> None:
    runs = [run_of(1, 1, "one", "[b, a]"), run_of(1, 0, "two", "[a, b]"), run_of(1, 0, "three", "[a, b]")]
    found = build_matrix(list(map(RunDocument.from_json, runs)))
    (answers,) = found.rows[0].answers
    assert answers.scenario.to_json()["id"] == "S-1" and answers.omitted == 0
    assert [(one.outcome, one.text, one.message, one.candidates) for one in answers.answers] == [
        ("passed", "[a, b]", "", [1, 2]),
        ("failed", "[b, a]", "why S-1 ended failed", [0]),
    ]
    assert all(not row.answers for row in found.rows[1:])
    page = MATRIX_FORMATS["html"](found).decode()
    assert "<strong>two, three</strong>" in page and "<pre>[b, a]</pre>" in page


def test_without_the_answer_of_success_the_page_shows_what_was_expected(run_of: Callable[..., Json]) -> None:
    runs = [
        json.loads(dump(RunDocument.from_json(run)))
        for run in (run_of(1, 0, "two", "[a, b]"), run_of(1, 1, "one", "[b, a]"))
    ]
    failed = runs[1]["specs"][0]["scenarios"][0]["evidence"]
    failed |= {"tree": "a, b", "expected": "[a, b] in order"}
    found = build_matrix(map(RunDocument.from_json, runs))
    (answers,) = found.rows[0].answers
    assert answers.scenario.to_json()["evidence"]["tree"] == "a, b"
    assert [(one.outcome, one.text, one.is_expected) for one in answers.answers] == [
        ("passed", "[a, b] in order", True),
        ("failed", "[b, a]", False),
    ]
    assert '<p class="dim">as expected:</p><pre>[a, b] in order</pre>' in MATRIX_FORMATS["html"](found).decode()
    del failed["expected"]
    page = MATRIX_FORMATS["html"](build_matrix(map(RunDocument.from_json, runs))).decode()
    assert '<p class="dim">as expected</p>' in page and "contains no answer" not in page


def test_every_outcome_is_among_the_shown_answers(run_of: Callable[..., Json]) -> None:
    runs = [run_of(1, 0, f"right {i}", f"[{i}]") for i in range(9)] + [run_of(1, 1, "wrong", "[]")]
    (answers,) = build_matrix(list(map(RunDocument.from_json, runs))).rows[0].answers
    assert [one.outcome for one in answers.answers] == ["passed", "failed", "passed", "passed"] and answers.omitted == 6


def test_long_answers_are_cut_around_their_first_difference() -> None:
    one, other = cut_around_difference(["x" * 5000 + "A" + "y" * 5000, "x" * 5000 + "B" + "y" * 5000], 400)
    assert "A" in one and "B" in other and len(one) < 500
    assert one.startswith("(4880 characters) …xxx") and one.endswith("… (4721 more characters)")
    assert cut_around_difference(["short", "shore", ""], 400) == ["short", "shore", ""]


def test_the_page_links_to_the_reports_beside_the_json_files(
    run_of: Callable[..., Json], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("in put", "out"):
        Path(folder).mkdir()
    for name in ("one", "two", "three"):
        Path(f"in put/{name}.json").write_bytes(dump(RunDocument.from_json(run_of(1, int(name == "one"), name))))
    for name in ("one", "two"):
        Path(f"in put/{name}.html").touch()
    files = [f"in put/{name}.json" for name in ("one", "two", "three")]
    assert main(["merge", *files, "--report", "html=out/matrix.html"]) == 0
    page = Path("out/matrix.html").read_text()
    assert set(re.findall(r'href="([^"#]+)(?:#A-1)?">report', page)) == {
        "../in%20put/one.html",
        "../in%20put/two.html",
    }
    assert 'href="../in%20put/one.html#A-1"' in page
    capsys.readouterr()
    assert main(["merge", *files, "--report", "html=-"]) == 0
    assert 'html">report' not in capsys.readouterr().out


def test_texts_of_candidates_are_escaped_in_the_trend_and_the_answers(run_of: Callable[..., Json]) -> None:
    hostile = '"><script>alert(1)</script>\x1b[2J\u202e\n::error::x'
    runs = [run_of(1, 1, hostile, hostile), run_of(2, 1, hostile, hostile), run_of(1, 0, "two", "[]")]
    for one in runs[:2]:
        one["candidate"]["version"] = hostile
    found = build_matrix(list(map(RunDocument.from_json, runs)))
    page = MATRIX_FORMATS["html"](found).decode()
    assert "<script>alert" not in page and "\x1b" not in page and "\u202e" not in page
    stream = io.StringIO()
    print_matrix(found, ConsoleWriter(console_for(stream)))
    text = stream.getvalue()
    assert "\x1b" not in text and "\u202e" not in text
    assert not [line for line in text.split("\n") if line.lstrip().startswith("::")]
