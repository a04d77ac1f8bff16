"""A run as CTRF (Common Test Report Format), JSON for dashboards and CI summaries.

Not verified is `pending`, not applicable `skipped`, a fault `other`. A failure without effect (known, advisory) is
`other` as well; `rawStatus` has the exact state.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from treeproof.report.digest import candidate_label, conclusion
from treeproof.report.document import Document
from treeproof.report.escape import shortened, visible
from treeproof.report.formats import cases
from treeproof.report.formats.cases import Case

_MAX_MESSAGE = 500  # characters of a message
_STATUS: Mapping[str, str] = {
    cases.PASSED: "passed",
    cases.FAILED: "failed",
    cases.FAULT: "other",
    cases.NOT_VERIFIED: "pending",
    cases.NOT_APPLICABLE: "skipped",
    cases.EXCLUDED: "skipped",
    cases.ADVISORY: "other",
    cases.KNOWN: "other",
}
_SUMMARY_STATUSES = ("passed", "failed", "pending", "skipped", "other")


def dump(run: Document) -> bytes:
    """Return the run as a CTRF report in UTF-8. Times are milliseconds."""
    tests = [
        _test(case)
        for spec in run["specs"]
        for cases_of in (cases.scenario_cases, cases.requirement_cases)
        for case in cases_of(spec, run["profile"])
    ]
    counts = Counter(test["status"] for test in tests)
    start = _milliseconds(datetime.datetime.fromisoformat(run["started"]).timestamp())
    duration = _milliseconds(run["seconds"])
    report = {
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "generatedBy": "treeproof",
        "results": {
            "tool": {"name": "treeproof", "version": run["treeproof"]},
            "summary": {
                "tests": len(tests),
                **{status: counts[status] for status in _SUMMARY_STATUSES},
                "suites": len(run["specs"]),
                "start": start,
                "stop": start + duration,
                "duration": duration,
            },
            "tests": tests,
            "environment": {
                "reportName": f"treeproof: {conclusion(run)}",
                "appName": visible(run["candidate"]["name"]),
                "appVersion": visible(run["candidate"]["version"]),
                "osPlatform": visible(run["machine"]["system"]).lower(),
                "healthy": run["exit"] == 0,
            },
            "extra": {
                "verdict": run["verdict"],
                "reason": visible(run["reason"]),
                "exit": run["exit"],
                "claim": run["claim"],
                "profile": run["profile"],
                "candidate": visible(candidate_label(run)),
                "interrupted": run["interrupted"],
            },
        },
    }
    # Every text is escaped already.
    return (json.dumps(report, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _test(case: Case) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": visible(case.name),
        "status": _STATUS[case.state],
        "rawStatus": case.state,
        "duration": _milliseconds(case.seconds),
        "suite": [visible(f"{case.spec['name']} {case.spec['version']}"), case.requirement_id],
        "tags": [tag for tag in (case.level, case.verdict) if tag],
        "extra": {"requirement": case.requirement_id, "level": case.level, "verdict": case.verdict},
    }
    if case.section:
        test["suite"].insert(1, visible(case.section))
    if case.scenario is not None:
        if case.scenario["file"]:
            test |= {"filePath": visible(case.scenario["file"]), "line": case.scenario["line"]}
        if case.scenario["readings"]:
            test["extra"]["readings"] = {entry: visible(label) for entry, label in case.scenario["readings"].items()}
    if case.state != cases.PASSED:
        test["message"] = shortened(visible(case.message), _MAX_MESSAGE)
        trace = cases.evidence_text(case.evidence)
        if trace and case.state not in (cases.NOT_VERIFIED, cases.NOT_APPLICABLE):
            test["trace"] = trace
    return test


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
