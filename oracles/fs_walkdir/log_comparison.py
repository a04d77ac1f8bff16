"""The comparison of the records of a call that gives nil (WD-LOG-01, WD-LOG-02)."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.api import CallResult, Finding

from ..shared.formatting import format_json
from .outcomes import ExpectedFailure

_ERROR_LEVEL = "error"


def compare_log(expected: ExpectedFailure, answer: CallResult) -> Iterator[Finding]:
    """Yield the finding for a record that is missing, or that should not be there. Without a log there is none."""
    if answer.log is None:
        return
    records = [dict(record) for record in answer.log]
    got = format_json(records)
    if expected.logged == "record" and not any(str(record.get("message") or "").strip() for record in records):
        kind = "no error is logged"
        message = f"{kind}, although {expected.reason}: no record has a message"
        yield Finding("WD-LOG-01", message, '"a record with a message"', got, kind=kind)
    if expected.logged == "no error" and any(record.get("level") == _ERROR_LEVEL for record in records):
        kind = "an error is logged"
        message = f"{kind}, although {expected.reason}"
        yield Finding("WD-LOG-02", message, '"no record of the level error"', got, kind=kind)
