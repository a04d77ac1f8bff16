"""The causes of a document of an older version, or of one that was edited by hand."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from treeproof.report import markdown
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.document import validate
from treeproof.report.run_lookup import print_run_lookup
from treeproof.report.terminal import render
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
Make = Callable[..., Json]


def show_everywhere(run: Json) -> str:
    """Return the text of every report that shows causes; the document is valid."""
    validate(run)
    stream = io.StringIO()
    render(RunDocument.from_json(run), console_for(stream, {"COLUMNS": "100"}), verbose=True)
    writer = ConsoleWriter(console_for(stream, {"COLUMNS": "100"}))
    for spec in run["specs"]:
        for entry in (*spec["requirements"], *spec["scenarios"]):
            print_run_lookup(RunDocument.from_json(run), "run.json", entry["id"], writer)
    return stream.getvalue() + markdown.dump(RunDocument.from_json(run)).decode()


def test_a_scenario_of_a_requirement_that_the_document_lacks_is_shown(mixed: Json) -> None:
    mixed["specs"][0]["requirements"] = mixed["specs"][0]["requirements"][:1]
    mixed["specs"][0]["scenarios"][1]["evidence"]["harm"] = "data"
    text = show_everywhere(mixed)
    assert "‼ 1  data lost · FR-LD-LST-05  MUST · not in the catalogue\n" in text
    assert "! 2  crash or hang · FR-LD-LST-06  MUST · not in the catalogue\n" in text


@pytest.mark.parametrize("members", [{}, {"kind": "x"}, {"code": "blocked"}])
def test_optional_members_may_be_absent(run: Make, requirement: Make, scenario: Make, members: Json) -> None:
    document = run(
        [requirement("FR-A", "FAIL"), requirement("FR-B", "NOT VERIFIED", code="blocked", cause="blocked by FR-A")],
        [
            scenario("A-1", "FR-A", "failed", **members),
            scenario("B-1", "FR-B", "not-verified", **members),
            scenario("B-2", "FR-B", "not-verified", code="blocked", blocked_by="FR-Z"),
            scenario("B-3", "FR-B", "not-verified", code="blocked", blocked_by="FR-A"),
        ],
        verdict="non-conformant",
        exit=1,
    )
    for member in ("basis", "known"):
        for requirement_ in document["specs"][0]["requirements"]:
            del requirement_[member]
    for scenario_ in document["specs"][0]["scenarios"]:
        del scenario_["basis"]
    text = show_everywhere(document)
    assert "✗ 1  wrong answer · FR-A  MUST · 3.4 Traversal semantics\n" in text
    assert RunDocument.from_json(document).causes[0].blocked == ["B-3"]
    assert "? blocked by FR-A · 1\n    FR-B\n" in text  # which requirement blocks it is not a member


def test_a_specification_may_occur_twice(mixed: Json) -> None:
    mixed["specs"].append({**mixed["specs"][0], "requirements": [], "scenarios": mixed["specs"][0]["scenarios"][3:]})
    assert "crash or hang" in show_everywhere(mixed)


def test_no_scenario_is_needed(run: Make, requirement: Make) -> None:
    document = run([requirement("FR-A", "FAIL", cause=None)], [], verdict="non-conformant", exit=1)
    text = show_everywhere(document)
    assert "Failed requirements · 1\n✗ FR-A  MUST · 3.4 Traversal semantics · cause 1\n" in text


def test_a_scenario_that_no_finding_blocks_belongs_to_the_largest_cause_of_the_rule(
    run: Make, requirement: Make, scenario: Make
) -> None:
    blocked = {"cause": "blocked by FR-A", "code": "blocked", "blocked_by": "FR-A"}
    document = run(
        [requirement("FR-A", "FAIL"), requirement("FR-B", "NOT VERIFIED", **blocked)],
        [
            scenario("A-1", "FR-A", "failed", message="one"),
            scenario("A-2", "FR-A", "failed", message="two"),
            scenario("A-3", "FR-A", "failed", message="two"),
            scenario("B-1", "FR-B", "not-verified", **blocked),
        ],
    )
    typed = RunDocument.from_json(document)
    assert {cause.message: tuple(cause.blocked) for cause in typed.causes} == {"one": (), "two": ("B-1",)}
    assert typed.cause_numbers == {("list_directory", "FR-A"): [1, 2]}


def test_other_requirements_come_with_the_largest_first(run: Make, requirement: Make, scenario: Make) -> None:
    ids = ["FR-A", "FR-A", "FR-A", "FR-B", "FR-C", "FR-C"]
    document = run(
        [requirement(id, "NOT VERIFIED") for id in dict.fromkeys(ids)],
        [scenario(f"S-{number}", id, "fault", cause="it ended", code="c") for number, id in enumerate(ids)],
    )
    (cause,) = RunDocument.from_json(document).causes
    assert list(cause.other_requirements.items()) == [("FR-C", 2), ("FR-B", 1)]
    assert [one.id for one in cause.others][:2] == ["S-1", "S-2"]
