"""Many runs side by side: the compared candidates, and the comparison in every format."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.document import dump
from treeproof.report.formats.registry import MATRIX_FORMATS, parse_requests, write_joint
from treeproof.report.matrix import build_matrix
from treeproof.report.matrix_report import print_matrix
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]


@pytest.fixture
def run_of(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> Callable[..., Json]:
    """Return a function that makes a run from the verdicts of A-1, A-2, …; their sections are odd or even."""

    def make(name: str, *verdicts: str, started: str = "2001-01-01T00:00:00Z", spec: str = "list_directory") -> Json:
        requirements, scenarios = [], []
        for number, verdict in enumerate(verdicts, 1):
            id = f"A-{number}"
            cause = {"cause": "not selected", "code": "not_selected"} if verdict == "not selected" else {}
            section = "3.10 even" if number % 2 == 0 else "3.2 odd"
            kind = "NOT VERIFIED" if verdict == "not selected" else verdict
            requirements.append(requirement(id, kind, section=section, **cause))
            if verdict == "FAIL":
                scenarios.append(scenario(f"S-{number}", id, "failed", message=f"{name} broke {id}"))
            elif verdict == "PASS":
                scenarios.append(scenario(f"S-{number}", id, "passed"))
        document = run(requirements, scenarios, started=started)
        if "FAIL" in verdicts:
            document.update(verdict="non-conformant", exit=1)
        document["candidate"]["name"] = name
        document["specs"][0]["name"] = spec
        return document

    return make


def test_candidates_are_columns_and_sections_are_sorted_by_number(run_of: Callable[..., Json]) -> None:
    found = build_matrix(
        [RunDocument.from_json(run_of("one", "PASS", "FAIL")), RunDocument.from_json(run_of("two", "PASS", "PASS"))]
    )
    assert [candidate.name for candidate in found.candidates] == ["one", "two"]
    (sheet,) = found.specs
    assert list(sheet.sections) == ["3.2 odd", "3.10 even"]
    assert [[cell.verdict for cell in row.cells] for row in sheet.rows] == [["PASS", "PASS"], ["FAIL", "PASS"]]
    assert [row.differs for row in sheet.rows] == [False, True]
    assert [scenario.to_json()["id"] for scenario in sheet.rows[1].cells[0].failed_scenarios] == ["S-2"]


def test_runs_of_one_candidate_on_two_platforms_are_two_columns(run_of: Callable[..., Json]) -> None:
    linux, windows = run_of("one", "PASS", "PASS"), run_of("one", "PASS", "FAIL")
    windows["candidate"]["platform"] = "Windows (Wine 8.0)"
    documents = [RunDocument.from_json(one) for one in (linux, windows)]
    found = build_matrix(documents)
    assert [candidate.name for candidate in found.candidates] == ["one", "one on Windows (Wine 8.0)"]
    assert found.differences() == {(0, 1): 1}
    assert [one.to_json()["candidate"].get("platform") for one in documents] == [None, "Windows (Wine 8.0)"]
    assert documents[1].candidate.label.endswith(" on Windows (Wine 8.0)")


def test_differences_count_only_requirements_selected_for_both_candidates(run_of: Callable[..., Json]) -> None:
    found = build_matrix(
        [
            RunDocument.from_json(run_of("one", "PASS", "PASS", "FAIL")),
            RunDocument.from_json(run_of("two", "FAIL", "FAIL", "FAIL")),
            RunDocument.from_json(run_of("three", "PASS", "not selected")),
        ]
    )
    assert found.differences() == {(0, 1): 2, (0, 2): 0, (1, 2): 1}


def test_many_candidates_are_numbers_on_the_terminal(run_of: Callable[..., Json]) -> None:
    runs = [run_of(f"c{number}", "PASS", "FAIL" if number % 4 else "PASS") for number in range(100)]
    stream = io.StringIO()
    print_matrix(build_matrix(list(map(RunDocument.from_json, runs))), ConsoleWriter(console_for(stream)))
    text = stream.getvalue()
    assert re.search(r"^A-2  . 25, . 75  the text of A-2$", text, re.MULTILINE), text
    assert text.count(": 1 requirement\n") == 40 and "and 1835 more pairs; all of them: --report json=FILE" in text


def test_the_newer_run_of_a_candidate_is_shown_and_compared_with_the_older(run_of: Callable[..., Json]) -> None:
    old = run_of("one", "PASS", "FAIL", "NOT VERIFIED", "NOT APPLICABLE", "PASS", "not selected", "FAIL", "PASS")
    new = run_of("one", "FAIL", *["PASS"] * 5, "NOT VERIFIED", "NOT VERIFIED", started="2001-01-02T00:00:00Z")
    for order in ([old, new], [new, old]):
        found = build_matrix(list(map(RunDocument.from_json, order)))
        (candidate,) = found.candidates
        assert (candidate.newest.started, candidate.previous and candidate.previous.started) == (
            "2001-01-02T00:00:00Z",
            "2001-01-01T00:00:00Z",
        )
        changes = [(row.cells[0].previous_verdict, row.cells[0].change) for row in found.rows]
        assert changes == [
            ("PASS", "worse"),
            ("FAIL", "better"),
            ("NOT VERIFIED", "better"),
            ("NOT APPLICABLE", "other"),
            ("PASS", ""),
            ("", ""),
            ("FAIL", "lost"),
            ("PASS", "lost"),
        ]


def test_runs_without_a_common_specification_are_named_and_not_counted_as_equal(run_of: Callable[..., Json]) -> None:
    runs = [run_of("one", "PASS", spec="a"), run_of("two", "FAIL", spec="b"), run_of("three", "PASS", spec="b")]
    found = build_matrix(list(map(RunDocument.from_json, runs)))
    assert found.differences() == {(1, 2): 1}
    (note,) = found.notes
    assert note == "No specification in common, so nothing is compared: one (a 1.1) and two, three (b 1.1)"
    assert note in MATRIX_FORMATS["html"](found).decode()
    again = run_of("one", "PASS", spec="b", started="2001-01-03T00:00:00Z")
    (note,) = build_matrix(list(map(RunDocument.from_json, (runs[0], again)))).notes
    assert "runs of one 2001-01-01T00:00:00Z (a 1.1) and 2001-01-03T00:00:00Z (b 1.1)" in note


def test_a_candidate_without_a_run_of_a_specification_has_empty_cells(run_of: Callable[..., Json]) -> None:
    found = build_matrix(
        [
            RunDocument.from_json(run_of("one", "PASS", spec="a")),
            RunDocument.from_json(run_of("one", "FAIL", spec="b")),
            RunDocument.from_json(run_of("two", "PASS", spec="b")),
        ]
    )
    assert [sheet.title for sheet in found.specs] == ["a 1.1", "b 1.1"]
    assert [[cell.verdict for cell in row.cells] for row in found.rows] == [["PASS", ""], ["FAIL", "PASS"]]
    assert not found.rows[0].changed  # a run of another specification is no earlier run


def test_the_page_names_the_candidate_of_each_verdict(run_of: Callable[..., Json]) -> None:
    runs = [run_of("one", "PASS", spec="a"), run_of("two", "FAIL", spec="b"), run_of("three", "not selected", spec="b")]
    page = MATRIX_FORMATS["html"](build_matrix(list(map(RunDocument.from_json, runs)))).decode()
    assert re.findall(r'<dt class="untrusted">(\w+)</dt>\s*<dd>(\w+)', page) == [("one", "PASS"), ("two", "FAIL")]


def test_every_matrix_format_is_written_and_others_are_refused(run_of: Callable[..., Json], tmp_path: Path) -> None:
    found = build_matrix(
        [RunDocument.from_json(run_of("one", "PASS", "FAIL")), RunDocument.from_json(run_of("two", "PASS", "PASS"))]
    )
    arguments = [f"{name}={tmp_path / name}" for name in MATRIX_FORMATS]
    write_joint(found, parse_requests(arguments, MATRIX_FORMATS))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["html", "json"]
    with pytest.raises(UsageError, match="unknown format 'tap'; formats are html, json"):
        parse_requests(["tap=x"], MATRIX_FORMATS)


def test_the_json_file_names_candidates_and_omits_unselected_requirements(run_of: Callable[..., Json]) -> None:
    runs = [run_of("one", "FAIL", "not selected"), run_of("one", "PASS", "PASS", started="2000-01-01T00:00:00Z")]
    value = json.loads(
        MATRIX_FORMATS["json"](
            build_matrix([*map(RunDocument.from_json, runs), RunDocument.from_json(run_of("two", "PASS", "PASS"))])
        )
    )
    assert [candidate["verdict"] for candidate in value["candidates"]] == ["non-conformant", "conformant"]
    first, second = value["specs"][0]["requirements"]
    assert first["candidates"]["one"] == {"verdict": "FAIL", "before": "PASS", "change": "worse", "failed": ["S-1"]}
    assert list(second["candidates"]) == ["two"] and not second["differs"]
    assert value["differences"] == [{"candidates": ["one", "two"], "requirements": 1}]


def test_the_terminal_shows_different_verdicts(run_of: Callable[..., Json]) -> None:
    stream = io.StringIO()
    runs = [run_of("one", "FAIL", "PASS"), run_of("two", "PASS", "PASS"), run_of("three", "PASS", "NOT VERIFIED")]
    print_matrix(
        build_matrix(list(map(RunDocument.from_json, runs))), ConsoleWriter(console_for(stream, {"COLUMNS": "60"}))
    )
    lines = [" ".join(line.split()) for line in stream.getvalue().split("\n")]
    assert "A-1 ✗ ✓ ✓ the text of A-1" in lines and "A-2 ✓ ✓ ? the text of A-2" in lines
    assert "1 and 3: 2 requirements" in lines
    stream = io.StringIO()
    print_matrix(
        build_matrix(
            [
                RunDocument.from_json(runs[0]),
                RunDocument.from_json(copy.deepcopy(runs[0]) | {"candidate": runs[1]["candidate"]}),
            ]
        ),
        ConsoleWriter(console_for(stream)),
    )
    assert "No differences between candidates" in stream.getvalue()


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", "…"), ("ascii", "...")])
def test_a_text_that_does_not_fit_ends_with_an_ellipsis(run_of: Callable[..., Json], encoding: str, end: str) -> None:
    runs = [run_of("one", "FAIL"), run_of("two", "PASS")]
    for run in runs:
        run["specs"][0]["requirements"][0]["text"] = "It lists every entry. " * 9
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    print_matrix(
        build_matrix(list(map(RunDocument.from_json, runs))), ConsoleWriter(console_for(stream, {"COLUMNS": "40"}))
    )
    stream.seek(0)
    (row,) = [line for line in stream.read().split("\n") if line.startswith("A-1 ")]
    assert row.endswith(end) and len(row) <= 40


def test_equal_documents_give_equal_bytes(run_of: Callable[..., Json]) -> None:
    runs = [run_of("one", "PASS", "FAIL"), run_of("two", "PASS", "PASS")]
    for rendered in MATRIX_FORMATS.values():
        assert rendered(build_matrix(list(map(RunDocument.from_json, runs)))) == rendered(
            build_matrix(copy.deepcopy(list(map(RunDocument.from_json, runs))))
        )


def test_merge_puts_runs_of_several_candidates_side_by_side(
    run_of: Callable[..., Json], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        Path(f"{name}.json").write_bytes(
            dump(RunDocument.from_json(run_of(name, "PASS" if name == "one" else "FAIL", spec="other")))
        )
    assert main(["merge", "one.json", "two.json", "--report", "html=matrix.html", "--report", "json=-"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["differences"] == [{"candidates": ["one", "two"], "requirements": 1}]
    assert "Comparison of 2 candidates" in captured.err
    assert "one.json: the catalogue of other 1.1 cannot be checked" in captured.err
    assert b"compatibility matrix" in Path("matrix.html").read_bytes()
    assert main(["merge", "one.json", "two.json", "--report", "tap=x"]) == 2
    assert "formats are html, json" in capsys.readouterr().err
