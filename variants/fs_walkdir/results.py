"""Variants: nil, errors, records, the definition, and what the candidate offers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.script import Interpreter
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.rows.fs_walkdir.row import value_of
from treeproof.rows.shared.row import Row, Sent

from ..shared.variant import variant
from .rows import row


class ErrorsFail(WalkDir):
    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        super().nil_with_logged_error(context, reason)
        raise ToolError(ErrorKind.EXECUTION_FAILED, reason)


def logging(change: Callable[[list[Any], Any], list[Any]]) -> Row:
    """Return the row that changes the records of a call, by them and its value."""

    def answer(sent: Sent) -> Any:
        found = sent.answer()
        return found if found.log is None else replace(found, log=tuple(change(list(found.log), value_of(found))))

    return row(answer=answer)


def errors_at(level: str) -> Row:
    return logging(lambda records, value: [{**one, "level": level} for one in records])


def missing_at(level: str) -> Row:
    """Return the row with a record of each missing start: nil without an error."""
    record = {"level": level, "message": "there is no such directory"}
    return logging(lambda records, value: records or ([record] if value is None else []))


class WithoutLog(Candidate):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "capabilities": ()})


class InternalName(Candidate):
    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        found = super().describe(params)
        return {**found, "name": found["name"].replace("FS.", "TOOL.")}


class WithoutScripts(Candidate):
    def __init__(self, tools: Any, *args: Any, **options: Any) -> None:
        super().__init__([tool for tool in tools if not isinstance(tool, Interpreter)], *args, **options)


WALKED = {"level": "error", "message": "the walk has ended"}
NO_LOG = "The candidate does not report its log."

VARIANTS = (
    variant("AMB-WD-01=nil", "An empty directory is nil.")(row(value=lambda elements: elements or None)),
    variant("AMB-WD-23=error", "An error fails the call, and with it a script.")(tool=ErrorsFail),
    variant("VAR-WD-14", "Errors are logged as warnings.")(errors_at("warning")),
    variant("VAR-WD-15", "Errors are logged at the level info.")(errors_at("info")),
    variant("VAR-WD-16", "A missing start is logged as a warning.")(missing_at("warning")),
    variant("VAR-WD-17", "A missing start is logged at the level info.")(missing_at("info")),
    variant("VAR-WD-18", "A walk that succeeds is logged as an error.")(
        logging(lambda records, value: records if value is None else [*records, WALKED])
    ),
    variant("VAR-WD-19", "The log is not reported.", unverified={"WD-LOG-01": NO_LOG, "WD-LOG-02": NO_LOG})(
        candidate_class=WithoutLog
    ),
    variant("VAR-WD-20", "The definition has the internal name.")(candidate_class=InternalName),
    variant("VAR-WD-21", "There is no interpreter for scripts.")(candidate_class=WithoutScripts),
)
