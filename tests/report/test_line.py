"""The summary in one line: documented members, one line whatever the texts are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treeproof.report.formats import line

Json = dict[str, Any]


def test_the_line_has_the_conclusion_counts_and_the_worst_cause(mixed: Json) -> None:
    text = line.dump(mixed).decode()
    assert text.endswith("}\n") and text.count("\n") == 1
    assert json.loads(text) == {
        "treeproof": "0.1.0",
        "candidate": "acme-tools",
        "version": "3.1.0",
        "specs": ["list_directory@1.1"],
        "profile": "default",
        "verdict": "non-conformant",
        "exit": 1,
        "claim": True,
        "reason": "2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05",
        "started": "2001-02-03T04:05:06Z",
        "seconds": 2.44,
        "requirements": {"pass": 1, "fail": 2, "not_verified": 4, "not_applicable": 1, "excluded": 1},
        "scenarios": {"passed": 2, "failed": 3, "fault": 1, "not_verified": 1, "not_applicable": 1},
        "causes": 4,
        "worst": {
            "severity": "crash",
            "requirement": "FR-LD-LST-06",
            "scenario": "LD-LST-06-01",
            "message": "candidate fault (exit): it ended with status 139 in the middle of a call",
        },
    }


def test_without_a_failure_there_is_no_worst_cause(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    found = json.loads(line.dump(run([requirement("FR-A", scenarios=["A-1"])], [scenario("A-1", "FR-A")])))
    assert (found["causes"], found["worst"]) == (0, None)


def test_a_narrowed_run_counts_the_requirements_that_it_asked(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    left_out = requirement("FR-B", "NOT VERIFIED", cause="not selected", code="not_selected")
    document = run([requirement("FR-A"), left_out], [scenario("A-1", "FR-A")], selection=["FR-A"], claim=False)
    found = json.loads(line.dump(document))
    assert found["requirements"] == {"pass": 1, "fail": 0, "not_verified": 0, "not_applicable": 0, "excluded": 0}


def test_no_text_ends_the_line_or_is_a_command(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    hostile = "\n::error::x\r##[error]x ##vso[task]\x1b[2J\u2028\u202e" + "y" * 900
    document = run([requirement("FR-A", "FAIL")], [scenario("A-1", "FR-A", "failed", message=hostile)], reason=hostile)
    document["candidate"]["name"] = hostile
    text = line.dump(document).decode()
    assert text.count("\n") == 1 and text.isprintable() is False and text[:-1].isprintable()
    assert not re.search(r"##(\[|vso\[)", text)
    found = json.loads(text)
    assert found["candidate"] == hostile
    assert found["reason"].startswith(hostile[:300]) and len(found["reason"]) < 340
    assert len(found["worst"]["message"]) < 340


def test_the_documentation_describes_every_member(mixed: Json) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    section = page.partition("\n## line\n")[2].partition("\n## ")[0]
    assert [name for name in json.loads(line.dump(mixed)) if f"`{name}`" not in section] == []
