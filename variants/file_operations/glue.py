"""Variants: texts and kinds of answers, names, the order of checks, and what the glue offers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, Tool
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.rows.file_operations.row import NAMES, At, row
from treeproof.rows.shared.row import Row

from ..shared.capabilities import without
from ..shared.variant import variant
from .directories import IdleSlashOfDestination, MakesParents
from .overwriting import without_gate
from .overwriting_links import MakesTheTarget
from .stages import ANSWERS

WITHOUT_EXECUTOR = without("executor")
WITHOUT_FRAMEWORK = without("policy", "executor", "denied_patterns", "allow_absolute", "working_dir")

NEED_A_CONFIGURATION = (
    *("FR-FOPS-MV-01", "FR-FOPS-MV-02", "FR-FOPS-MV-04", "FR-FOPS-CP-01", "FR-FOPS-CP-02"),
    *("NFR-FOPS-SEC-01", "NFR-FOPS-SEC-02", "CFG-FOPS-01", "FR-VAL-07"),
    *("DFO-01", "DFO-02", "DFO-03", "DFO-04", "DFO-05", "DFO-06", "DFO-07", "DFO-08", "DFO-11", "FR-EXE-01"),
    "FR-FOPS-LS-01",
)
"""Requirements with scenarios in which overwriting, or a listing, is configured."""


def answering(change: Callable[[Any], Any]) -> Row:
    """Return the row that changes the answers of `move` and `copy`."""
    return row(stage=ANSWERS, answer=lambda at: change(at.sent.answer()))


def says_nothing(answer: Any) -> Any:
    """Return an answer with an empty text, unless it is of the policy."""
    if answer.status == "ok":
        return replace(answer, content="")
    return answer if answer.error_kind == "PolicyDenied" else replace(answer, error_message="")


def one_kind(kind: str) -> Row:
    return answering(lambda answer: answer if answer.status == "ok" else replace(answer, error_kind=kind))


def in_any_case(call: Any, send: Callable[[Any], Any]) -> Any:
    """Find the name of a tool in any case."""
    folded = call.tool.lower()
    is_known = any(folded in names for names in NAMES.values())
    return send(replace(call, tool=folded) if is_known else call)


def asks_first(at: At) -> Any:
    """Ask before every call, and before anything is checked."""
    if at.context.get("approval") == "approve":
        return replace(at.sent.answer(), approval_requested=True)
    answer = replace(at.forbidden("ExecutionFailed"), error_kind="ApprovalDenied", error_message="not approved")
    return replace(answer, approval_requested=True)


class WithoutListing(Candidate):
    def __init__(self, tools: Iterable[Tool], *args: Any, **parts: Any) -> None:
        super().__init__([tool for tool in tools if tool.definition.name != "list_directory"], *args, **parts)


class DeclaresListing(Candidate):
    def initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        result = super().initialize(params)
        return {**result, "interpretations": {**result.get("interpretations", {}), "AMB-LD-21": "resolve"}}


class OwnNamesInLists(Executor):
    def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
        return tool.definition.name in names


class ArgumentsFirst(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        try:
            definition = self.find_tool(name).definition
        except ToolError:
            return super().execute(name, arguments, context, flavour)
        try:
            self._check_arguments(definition, arguments)
        except ToolError as error:
            return Result(kind=error.kind, message=error.message)
        return super().execute(name, arguments, context, flavour)


class ModeFirst(Executor):
    def _find_permitted_tool(self, name: str, policy: Any) -> Tool:
        tool = super()._find_permitted_tool(name, policy)
        self._needs_approval(tool.definition, policy)
        return tool


class RulesOfCopy(MakesTheTarget, MakesParents, IdleSlashOfDestination):
    """Missing directories are made, a slash at the end is idle, and dangling links are written through."""


VARIANTS = (
    variant("VAR-FO-01", "Successes and errors have empty texts.")(answering(says_nothing)),
    variant("VAR-FO-02", "Every error is ExecutionFailed.")(
        one_kind("ExecutionFailed"), candidate_class=WITHOUT_FRAMEWORK
    ),
    variant("VAR-FO-03", "Every error is BadArgs.")(one_kind("BadArgs"), candidate_class=WITHOUT_FRAMEWORK),
    variant("VAR-FO-04", "Errors are not classified.")(one_kind("Unclassified"), candidate_class=WITHOUT_FRAMEWORK),
    variant("VAR-FO-15", "Names of tools are found in any case.")(Row(lambda: in_any_case, stage=ANSWERS)),
    variant("VAR-FO-16", "Lists of a policy hold the tools' own names only.")(executor=OwnNamesInLists),
    variant("VAR-FO-24", "Arguments are checked before the policy.")(executor=ArgumentsFirst),
    variant("VAR-FO-53", "Mode deny stops a call before the sandbox does.")(executor=ModeFirst),
    variant(
        "VAR-FO-26",
        "A copy has rules of its own for missing directories, slashes and dangling links.",
        {"AMB-FO-47": "make", "AMB-FO-46": "strip", "AMB-FO-38": "created"},
    )(copy_resolution=RulesOfCopy),
    variant(
        "VAR-FO-27",
        "list_directory is not offered.",
        excludes=("AMB-FO-17=yes",),  # each name would be a tool
        unverified={
            "FR-FOPS-01": "There is no list_directory, so its names lead nowhere.",
            "FR-FOPS-LS-01": "There is no list_directory.",
            "T-FOPS-LS-01": "There is no list_directory.",
            "NFR-FOPS-SEC-01": "There is no list_directory, which is confined too.",
            "FR-VAL-07": "There is no list_directory, which is confined too.",
            "FR-VAL-09": "There is no list_directory, whose paths start there too.",
            "FR-APR-04a": "There is no list_directory, which the policy stops too.",
            "FR-APR-04b": "There is no list_directory, which the policy stops too.",
            "FR-APR-04c": "There is no list_directory, which the policy stops too.",
        },
    )(candidate_class=WithoutListing),
    variant("VAR-FO-28", "The glue declares a reading of list_directory beside those of the two tools.")(
        candidate_class=DeclaresListing
    ),
    variant("VAR-FO-54", "Successes are JSON objects.")(
        answering(lambda answer: replace(answer, content='{"ok": true}') if answer.status == "ok" else answer)
    ),
    variant("VAR-FO-55", "Calls do not run through an executor.")(candidate_class=WITHOUT_EXECUTOR),
    variant("VAR-FO-73", "Both tools ask before every call and every check.", {"AMB-FO-09": "always"})(
        row(stage=ANSWERS, answer=asks_first), candidate_class=WITHOUT_EXECUTOR
    ),
    variant(
        "VAR-FO-57",
        "The glue passes on no configuration, and the argument decides alone.",
        unverified=dict.fromkeys(NEED_A_CONFIGURATION, "Some of its scenarios need a configuration."),
    )(without_gate, candidate_class=without("config")),
    variant("VAR-FO-56", "The glue passes on nothing of the framework.")(candidate_class=WITHOUT_FRAMEWORK),
)
