"""Many run documents are checked in child processes, with the same notes and errors as one after the other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.report import report_check
from treeproof.report.merging import RunReport
from treeproof.report.report_check import MIN_REPORTS, check_reports
from treeproof.run.plan import Options
from treeproof.run.runner import run
from treeproof.spec import Pack
from treeproof.spec.contract import find_installed


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return run(Options(target="reference", specs=("list_directory",), select=("LD-LST-05-01",))).document.to_json()


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)


def reports(document: dict[str, Any], **others: Any) -> list[RunReport]:
    """Return copies of ``document`` in numbered files; each of ``others`` replaces the one of its number."""
    numbered = {int(name[1:]): value for name, value in others.items()}
    return [RunReport(Path(f"{n}.json"), numbered.get(n, document)) for n in range(MIN_REPORTS + 5)]


@pytest.mark.usefixtures("two_cores")
def test_the_first_wrong_document_is_named(document: dict[str, Any]) -> None:
    (spec,) = document["specs"]
    repeated = {**document, "specs": [{**spec, "requirements": spec["requirements"] * 2}]}
    given = reports(document, r7={**document, "seed": "x"}, r15=repeated)
    with pytest.raises(UsageError, match=r"^7\.json: not a run report: seed "):
        check_reports(given, find_installed)
    with pytest.raises(UsageError, match=r"^15\.json: it contains the requirement \S+ more than once"):
        check_reports([*given[:7], *given[8:]], find_installed)


@pytest.mark.usefixtures("two_cores")
def test_each_note_appears_once_and_in_the_order_of_the_documents(document: dict[str, Any]) -> None:
    older = {**document, "treeproof": "0.0.1"}
    notes = check_reports(reports(document, r3=older, r20=older), find_installed)
    assert [note.partition(":")[0] for note in notes] == ["3.json", "20.json"]


@pytest.mark.usefixtures("two_cores")
def test_a_child_that_is_killed_costs_only_time(document: dict[str, Any]) -> None:
    parent = os.getpid()

    def find(name: str) -> Pack | None:
        if os.getpid() != parent:
            os.kill(os.getpid(), 9)
        return find_installed(name)

    assert check_reports(reports(document), find) == []


def test_few_documents_need_no_child(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_check, "ProcessPoolExecutor", None)
    assert check_reports(reports(document)[: MIN_REPORTS - 1], find_installed) == []
