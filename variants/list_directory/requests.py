"""Variants: how the requested path is read, and which checks come first."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan, execution_failed
from treeproof.reference_impl.list_directory.request import ArgumentParser, Request, bad_arguments
from treeproof.reference_impl.list_directory.settings import BUILT_IN
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext, Policy, PolicyMode
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, Tool, ToolDefinition
from treeproof.reference_impl.shared.paths import WHITE_SPACE, Flavour
from treeproof.reference_impl.shared.sandbox import sandbox_violation

from ..shared.variant import variant
from .capabilities import ORDER, without

LIMITS = ("max_depth", "max_entries")
SWITCHES = (
    "recursive",
    "include_hidden",
    "include_files",
    "include_dirs",
    "include_symlinks",
    "include_other",
)


class Trims(ArgumentParser):
    white_space = WHITE_SPACE

    def trim(self, text: str) -> str:
        return text.strip(self.white_space)


class TrimsAscii(Trims):
    white_space = " \t\n\r\f\v"


class TrimsLikeEcmaScript(Trims):
    white_space = WHITE_SPACE.replace("\x85", "") + "\ufeff"


class TrimsLikePython(Trims):
    white_space = WHITE_SPACE + "\x1c\x1d\x1e\x1f"


class TrimsFive(Trims):
    white_space = " \t\n\r\f"


class TrimsLikeJava(Trims):
    white_space = "".join(map(chr, range(0x21)))


class TrimsInvisible(Trims):
    white_space = WHITE_SPACE + "\u180e\u200b\ufeff"


class KeepsFinalDot(ArgumentParser):
    def tidy(self, text: str) -> str:
        path = super().tidy(text)
        return path.removesuffix("/") + "/." if text.endswith("/.") and path != "." else path


class ResolvesDots(ArgumentParser):
    """A `..` is resolved in the text; one that leads out is left to the sandbox."""

    def tidy(self, text: str) -> str:
        path = super().tidy(text)
        kept: list[str] = []
        for part in path.split("/"):
            if part == ".." and kept and kept[-1] not in ("", ".."):
                kept.pop()
            else:
                kept.append(part)
        return "/".join(kept) or ("/" if path.startswith("/") else ".")


class BothSlashes(ArgumentParser):
    def tidy(self, text: str) -> str:
        return super().tidy(text.replace("\\", "/"))


class NoDrives(ArgumentParser):
    def tidy(self, text: str) -> str:
        path = super().tidy(text)
        return path if self.flavour.drives or path == "/" else path.removesuffix("/")


class TrimsAgain(ArgumentParser):
    def tidy(self, text: str) -> str:
        path = super().tidy(text)
        while (trimmed := self.trim(path)) != path:
            if not trimmed:
                return "."
            path = super().tidy(trimmed)
        return path


class ChecksConfiguredKinds(ArgumentParser):
    def check_switches(self, request: Request) -> None:
        settings = self.settings
        if not (settings.include_files_default or settings.include_dirs_default or settings.include_symlinks_default):
            raise ToolError(ErrorKind.CONFIG_INVALID, "no kind of entry is included")
        super().check_switches(request)


class UnusableFails(ArgumentParser):
    def unusable_path(self) -> ToolError:
        return execution_failed("path does not exist")


class UnusableViolates(ArgumentParser):
    def unusable_path(self) -> ToolError:
        return sandbox_violation("the path cannot be judged")


class LongIsBad(ArgumentParser):
    def tidy(self, text: str) -> str:
        path = super().tidy(text)
        self.check_length(path)
        return path

    def check_length(self, text: str) -> None:
        if len(text.encode()) > 4096 or any(len(part.encode()) > 255 for part in text.split("/")):
            raise self.too_long()

    def too_long(self) -> ToolError:
        return bad_arguments("path is too long")


class LongViolates(UnusableViolates, LongIsBad):
    def too_long(self) -> ToolError:
        return sandbox_violation("path is too long")


class LongBeforeTidying(LongIsBad):
    def trim(self, text: str) -> str:
        trimmed = super().trim(text)
        self.check_length(trimmed)
        return trimmed


class RefusesFloats(Executor):
    limits = LIMITS

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        super()._check_arguments(definition, arguments)
        for name in self.limits:
            if isinstance(arguments.get(name), float):
                raise ToolError(ErrorKind.BAD_ARGS, f"{name} must be an integer")


class NullLimitsAreAbsent(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        return super().execute(name, without_nulls(arguments, LIMITS), context, flavour)


class NullSwitchesAreAbsent(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        return super().execute(name, without_nulls(arguments, SWITCHES), context, flavour)


def without_nulls(arguments: Any, members: tuple[str, ...]) -> Any:
    if not isinstance(arguments, dict):
        return arguments
    return {name: value for name, value in arguments.items() if value is not None or name not in members}


class RefusesUnknown(Executor):
    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        super()._check_arguments(definition, arguments)
        if arguments.keys() - definition.input_schema["properties"].keys():
            raise ToolError(ErrorKind.BAD_ARGS, "an argument is unknown")


class AnnotatedSchema(Candidate):
    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        described = super().describe(params)
        notes = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "ListDirectory"}
        return {**described, "input_schema": {**notes, **described["input_schema"]}}


class OpensTheText(ListDirectory):
    """The text as it came is checked and opened; the path in the document is trimmed and tidied."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        request = self.argument_parser(arguments, self.settings(context.config), flavour).parse()
        context.allow_truncation = False
        place = self.sandbox(context, flavour).resolve(arguments["path"])
        return ListingPlan(self, request, place, context.effective_max, flavour)


class SandboxFirst(ListDirectory):
    """The sandbox comes before the rules between arguments."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        context.allow_truncation = False
        path = self.argument_parser(arguments, BUILT_IN, flavour).parse_path()
        self.sandbox(context, flavour).resolve(path)
        return super().plan(arguments, context, flavour)


class SandboxBeforeSchema(Executor):
    """A path that leads out is refused whatever else is wrong with the call."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        path = arguments.get("path") if isinstance(arguments, dict) else None
        if isinstance(path, str):
            try:
                self._find_permitted_tool(name, context.policy).plan({"path": path}, context, flavour)
            except ToolError as error:
                if error.kind is ErrorKind.SANDBOX_VIOLATION:
                    return Result(kind=error.kind, message=error.message)
        return super().execute(name, arguments, context, flavour)


class BudgetFirst(ListDirectory):
    """A budget without room for any document is reported before the sandbox is asked."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        context.allow_truncation = False
        if context.effective_max < 60:
            raise execution_failed("output budget too small")
        return super().plan(arguments, context, flavour)


class ShortMessages(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        is_quoted = "path is not a directory" in (result.message or "")
        if result.kind not in (ErrorKind.BAD_ARGS, ErrorKind.EXECUTION_FAILED) or is_quoted:
            return result
        return replace(result, message="invalid")


class WordsOfTheSystem(Executor):
    """Says of a file with a slash behind it what the system says."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if result.kind is ErrorKind.EXECUTION_FAILED and arguments["path"].endswith(("/", "/.")):
            return replace(result, message="the directory cannot be read: Not a directory")
        return result


class AsksAboutReading(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, policy) or (
            policy.mode is PolicyMode.PROMPT
            and policy.prompt_side_effects
            and not self._is_listed(self.tools[definition.name], policy.allowlist)
        )


class AsksAboutEverything(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, policy) or (
            policy.mode is PolicyMode.PROMPT
            and not policy.prompt_side_effects
            and not self._is_listed(self.tools[definition.name], policy.allowlist)
        )


class DeniesFirst(Executor):
    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        tool = super()._find_permitted_tool(name, policy)
        if policy.mode is PolicyMode.DENY and not self._is_listed(tool, policy.allowlist):
            raise ToolError(ErrorKind.POLICY_DENIED, f"{tool.definition.name} is not on the allowlist")
        return tool


@dataclass(frozen=True)
class ClearingPlan:
    """A plan that clears the flag when its document is complete."""

    inner: ListingPlan
    context: CallContext

    @property
    def summary(self) -> str:
        return self.inner.summary

    def run(self) -> str:
        content = self.inner.run()
        self.context.allow_truncation = False
        return content


class ClearsAtTheEnd(ListDirectory):
    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> Any:
        before = context.allow_truncation
        try:
            return ClearingPlan(super().plan(arguments, context, flavour), context)
        finally:
            context.allow_truncation = before


VARIANTS = (
    variant("AMB-LD-18=a", "The white space of ASCII is trimmed.")(argument_parser=TrimsAscii),
    variant("AMB-LD-18=c", "The white space of ECMAScript is trimmed.")(argument_parser=TrimsLikeEcmaScript),
    variant("AMB-LD-18=d", "The white space of Python is trimmed.")(argument_parser=TrimsLikePython),
    variant("AMB-LD-18=e", "Five characters are trimmed.")(argument_parser=TrimsFive),
    variant("VAR-LD-18", "Everything up to the blank is trimmed.", {"AMB-LD-18": "e"})(argument_parser=TrimsLikeJava),
    variant("VAR-LD-18-1", "What is invisible is trimmed.", {"AMB-LD-18": "e"})(argument_parser=TrimsInvisible),
    variant("AMB-LD-19=b", "The text of the path is opened as it came.", excludes=("AMB-LD-21=resolve", "VAR-LD-18"))(
        tool=OpensTheText
    ),
    variant(
        "VAR-LD-19",
        "The text is opened as it came, and a file with a slash behind it fails in the words of the system.",
        {"AMB-LD-19": "b"},
        excludes=("AMB-LD-21=resolve", "AMB-LD-35=listed", "AMB-LD-35=omit", "VAR-LD-18"),
    )(tool=OpensTheText, executor=WordsOfTheSystem),
    variant("AMB-LD-20=b", "A final dot stays.")(argument_parser=KeepsFinalDot),
    variant("AMB-LD-21=resolve", "A `..` inside the path is resolved.")(argument_parser=ResolvesDots),
    variant("AMB-LD-22=always", "Both slashes separate.")(argument_parser=BothSlashes),
    variant("AMB-LD-23=b", "There are drive roots on Windows only.")(argument_parser=NoDrives),
    variant("AMB-LD-27=b", "A number with a fraction is no integer.")(executor=RefusesFloats),
    variant("AMB-LD-28=absent", "A limit of null is absent.")(executor=NullLimitsAreAbsent),
    variant("AMB-LD-29=reject", "Unknown arguments are refused.")(executor=RefusesUnknown),
    variant("VAR-LD-30", "The published schema has annotations.")(candidate_class=AnnotatedSchema),
    variant("AMB-LD-31=c", "A configuration without any kind is refused.")(argument_parser=ChecksConfiguredKinds),
    variant("AMB-LD-33=b", "The sandbox comes before the rules of arguments.")(tool=SandboxFirst),
    variant("VAR-LD-33", "The budget comes before the sandbox.")(tool=BudgetFirst),
    variant("VAR-LD-33-1", "The sandbox comes before the schema.", {"AMB-LD-33": "b"}, excludes=ORDER)(
        executor=SandboxBeforeSchema, candidate_class=without("executor")
    ),
    variant("AMB-LD-34=b", "A path that cannot exist is a bad argument.")(argument_parser=LongIsBad),
    variant("VAR-LD-34", "Paths that are too long before they are tidied are bad.")(argument_parser=LongBeforeTidying),
    variant("AMB-LD-34=c", "A path that cannot exist does not.")(argument_parser=UnusableFails),
    variant("AMB-LD-34=d", "A path that cannot exist is refused.")(argument_parser=LongViolates),
    variant("AMB-LD-38=b", "Messages are one word, but for the quoted one.")(executor=ShortMessages),
    variant("AMB-LD-39=b", "Reading needs approval where side effects do.")(executor=AsksAboutReading),
    variant("AMB-LD-40=b", "The mode deny comes before the sandbox.")(executor=DeniesFirst),
    variant("AMB-LD-41=b", "The flag is cleared with the document.")(tool=ClearsAtTheEnd),
    variant("AMB-LD-65=b", "Mode prompt asks about everything.")(executor=AsksAboutEverything),
    variant("AMB-LD-68=again", "What tidying brings to the edge is trimmed.")(argument_parser=TrimsAgain),
    variant("AMB-LD-69=absent", "A switch of null is absent.")(executor=NullSwitchesAreAbsent),
)
