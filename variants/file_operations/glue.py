"""Variants: texts and kinds of answers, names, the order of checks, and what the glue offers."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, Tool
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.variant import variant
from .directories import IdleSlashOfDestination, MakesParents
from .overwriting import WithoutGate
from .overwriting_links import DanglingIsFree, MakesTheTarget, RenamesOverLinks

OWN_NAMES = frozenset({"move", "rename", "mv", "copy", "cp"})
FRAMEWORK = frozenset({"policy", "executor", "denied_patterns", "allow_absolute", "working_dir"})

NEED_A_CONFIGURATION = (
    *("FR-FOPS-MV-01", "FR-FOPS-MV-02", "FR-FOPS-MV-04", "FR-FOPS-CP-01", "FR-FOPS-CP-02"),
    *("NFR-FOPS-SEC-01", "NFR-FOPS-SEC-02", "CFG-FOPS-01", "FR-VAL-07"),
    *("DFO-01", "DFO-02", "DFO-03", "DFO-04", "DFO-05", "DFO-06", "DFO-07", "DFO-08", "DFO-11", "FR-EXE-01"),
    "FR-FOPS-LS-01",
)
"""Requirements with scenarios in which overwriting, or a listing, is configured."""


class Glue(Candidate):
    """A candidate with a method for the answers of `move` and `copy`. Declares all capabilities but `lacks`."""

    lacks: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **parts: Any) -> None:
        super().__init__(*args, **parts)
        # Two variants are one class: it lacks what each of them lacks.
        lacks = frozenset[str]().union(*(vars(base).get("lacks", ()) for base in type(self).__mro__))
        self._capabilities = tuple(name for name in self._capabilities if name not in lacks)

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        answer = super().call(params)
        return self.answer(answer) if params["tool"] in OWN_NAMES else answer

    def answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of `move` or `copy` as the glue gives it."""
        return answer


class SaysNothing(Glue):
    """Texts are empty, but for those of the policy."""

    def answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(answer)
        if answer["status"] == "ok":
            return {**answer, "content": ""}
        if answer["error"]["kind"] == ErrorKind.POLICY_DENIED:
            return answer
        return {**answer, "error": {**answer["error"], "message": ""}}


class OneKind(Glue):
    """Every error has one kind."""

    lacks = FRAMEWORK
    kind = ""

    def answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(answer)
        return answer if answer["status"] == "ok" else {**answer, "error": {**answer["error"], "kind": self.kind}}


class OnlyExecutionFailed(OneKind):
    kind = "ExecutionFailed"


class OnlyBadArgs(OneKind):
    kind = "BadArgs"


class OnlyUnclassified(OneKind):
    kind = "Unclassified"


class Verbose(Glue):
    """Answers are JSON objects."""

    def answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(answer)
        return {**answer, "content": '{"ok": true}'} if answer["status"] == "ok" else answer


class WithoutExecutor(Glue):
    lacks = frozenset({"executor"})


class WithoutConfiguration(Glue):
    lacks = frozenset({"config"})


class WithoutFramework(Glue):
    lacks = FRAMEWORK


class WithoutListing(Candidate):
    """Does not offer list_directory."""

    def __init__(self, tools: Iterable[Tool], *args: Any, **parts: Any) -> None:
        super().__init__([tool for tool in tools if tool.definition.name != "list_directory"], *args, **parts)


class DeclaresListing(Candidate):
    """Declares a reading of list_directory."""

    def initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        result = super().initialize(params)
        return {**result, "interpretations": {**result.get("interpretations", {}), "AMB-LD-21": "resolve"}}


class FoldsCase(Executor):
    """Names of tools are found in any case."""

    def find_tool(self, name: str) -> Tool:
        return super().find_tool(name if name in self._tool_by_alias else name.lower())


class OwnNamesInLists(Executor):
    """The lists of a policy hold the tools' own names."""

    def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
        return tool.definition.name in names


class ArgumentsFirst(Executor):
    """Checks the arguments before the policy."""

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
    """Mode deny stops a call before the sandbox does."""

    def _find_permitted_tool(self, name: str, policy: Any) -> Tool:
        tool = super()._find_permitted_tool(name, policy)
        self._needs_approval(tool.definition, policy)
        return tool


class AsksFirst(Executor):
    """Both tools ask before every call, and before anything is checked."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name not in OWN_NAMES:
            return super().execute(name, arguments, context, flavour)
        if not context.approves:
            return Result(kind=ErrorKind.APPROVAL_DENIED, message="not approved", approval_requested=True)
        return replace(super().execute(name, arguments, context, flavour), approval_requested=True)


class RulesOfCopy(MakesTheTarget, MakesParents, IdleSlashOfDestination):
    """Missing directories are made, a slash at the end is idle, and dangling links are written through."""


VARIANTS = (
    variant("VAR-FO-01", "Successes and errors have empty texts.")(candidate_class=SaysNothing),
    variant("VAR-FO-02", "Every error is ExecutionFailed.")(candidate_class=OnlyExecutionFailed),
    variant("VAR-FO-03", "Every error is BadArgs.")(candidate_class=OnlyBadArgs),
    variant("VAR-FO-04", "Errors are not classified.")(candidate_class=OnlyUnclassified),
    variant("VAR-FO-15", "Names of tools are found in any case.")(executor=FoldsCase),
    variant("VAR-FO-16", "Lists of a policy hold the tools' own names only.")(executor=OwnNamesInLists),
    variant("VAR-FO-24", "Arguments are checked before the policy.")(executor=ArgumentsFirst),
    variant("VAR-FO-53", "Mode deny stops a call before the sandbox does.")(executor=ModeFirst),
    variant(
        "VAR-FO-26",
        "Each tool has its own rules for missing directories, slashes and dangling links.",
        {"AMB-FO-37": "replaced", "AMB-FO-47": "make", "AMB-FO-46": "strip", "AMB-FO-38": "created"},
    )(move_resolution=DanglingIsFree, move_transfer=RenamesOverLinks, copy_resolution=RulesOfCopy),
    variant(
        "VAR-FO-27",
        "list_directory is not offered.",
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
    variant("VAR-FO-54", "Successes are JSON objects.")(candidate_class=Verbose),
    variant("VAR-FO-55", "Calls do not run through an executor.")(candidate_class=WithoutExecutor),
    variant("VAR-FO-73", "Both tools ask before every call and every check.", {"AMB-FO-09": "always"})(
        executor=AsksFirst, candidate_class=WithoutExecutor
    ),
    variant(
        "VAR-FO-57",
        "The glue passes on no configuration, and the argument decides alone.",
        unverified=dict.fromkeys(NEED_A_CONFIGURATION, "Some of its scenarios need a configuration."),
    )(candidate_class=WithoutConfiguration, resolution=WithoutGate),
    variant("VAR-FO-56", "The glue passes on nothing of the framework.")(candidate_class=WithoutFramework),
)
