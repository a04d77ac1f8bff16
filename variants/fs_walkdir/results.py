"""Variants: nil, errors, records, the definition, and what the candidate offers."""

from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, WalkPlan
from treeproof.reference_impl.fs_walkdir.script import Interpreter
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.variant import variant


class EmptyIsNilPlan(WalkPlan):
    def value(self) -> Any:
        found = super().value()
        return None if found == [] else found


class EmptyIsNil(WalkDir):
    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> WalkPlan:
        return EmptyIsNilPlan(self, arguments, context, flavour)


class ErrorsFail(WalkDir):
    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        super().nil_with_logged_error(context, reason)
        raise ToolError(ErrorKind.EXECUTION_FAILED, reason)


def logging_errors_at(level: str) -> type[WalkDir]:
    """Return the tool with another level for its errors."""

    class OtherLevel(WalkDir):
        def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
            try:
                return super().nil_with_logged_error(context, reason)
            finally:
                context.log[-1] = (level, context.log[-1][1])

    return OtherLevel


def logging_missing_at(level: str) -> type[WalkDir]:
    """Return the tool with a record of each missing start."""

    class RecordsMissing(WalkDir):
        def nil_for_missing_start(self, context: CallContext) -> Any:
            context.log.append((level, "there is no such directory"))
            return super().nil_for_missing_start(context)

    return RecordsMissing


class LogsSuccess(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> list[dict[str, Any]]:
        found = super().list_elements(arguments, context, flavour)
        context.log.append(("error", f"walked {len(found)} entries"))
        return found


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


NO_LOG = "The candidate does not report its log."

VARIANTS = (
    variant("AMB-WD-01=nil", "An empty directory is nil.")(tool=EmptyIsNil),
    variant("AMB-WD-23=error", "An error fails the call, and with it a script.")(tool=ErrorsFail),
    variant("VAR-WD-14", "Errors are logged as warnings.")(tool=logging_errors_at("warning")),
    variant("VAR-WD-15", "Errors are logged at the level info.")(tool=logging_errors_at("info")),
    variant("VAR-WD-16", "A missing start is logged as a warning.")(tool=logging_missing_at("warning")),
    variant("VAR-WD-17", "A missing start is logged at the level info.")(tool=logging_missing_at("info")),
    variant("VAR-WD-18", "A walk that succeeds is logged as an error.")(tool=LogsSuccess),
    variant("VAR-WD-19", "The log is not reported.", unverified={"WD-LOG-01": NO_LOG, "WD-LOG-02": NO_LOG})(
        candidate_class=WithoutLog
    ),
    variant("VAR-WD-20", "The definition has the internal name.")(candidate_class=InternalName),
    variant("VAR-WD-21", "There is no interpreter for scripts.")(candidate_class=WithoutScripts),
)
