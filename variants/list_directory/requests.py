"""Variants: how the requested path is read, and which checks come first."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.list_directory.request import SCHEMA, ArgumentParser, Request
from treeproof.reference_impl.shared.arguments import validation_error
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext, Policy, PolicyMode
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, Tool, ToolDefinition
from treeproof.reference_impl.shared.paths import WHITE_SPACE, Flavour, trim
from treeproof.rows.list_directory.listing import ListCall, failed
from treeproof.rows.list_directory.row import row
from treeproof.rows.shared.row import Row

from ..shared.capabilities import without
from ..shared.variant import variant
from .capabilities import ORDER
from .failures import TOO_SMALL
from .refusals import CHECKED, has_message, of_kind, refusing, reworded
from .stages import ANSWERS

NO_DIRECTORY = "path is not a directory"
LIMITS = ("max_depth", "max_entries")
SWITCHES = (
    "recursive",
    "include_hidden",
    "include_files",
    "include_dirs",
    "include_symlinks",
    "include_other",
)


def trims(white_space: str) -> type[ArgumentParser]:
    """Return the parser that trims other white space."""

    class Trims(ArgumentParser):
        def trim(self, text: str) -> str:
            return text.strip(white_space)

    return Trims


def is_long(*texts: str) -> bool:
    """Return whether a path cannot exist because it is too long."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return any(len(text) > 4096 or any(len(part) > 255 for part in text.split(b"/")) for text in encoded)


def without_nulls(*members: str) -> Row:
    """Return the row for which null in some arguments is as good as no value."""
    return row(
        arguments=lambda given: {
            name: value for name, value in given.items() if value is not None or name not in members
        }
    )


def sandbox_first(is_meant: Callable[[ListCall], Any]) -> Row:
    """Return the row that refuses a path which leads out, whatever else is wrong with some calls."""

    def result(sent: ListCall, answer: Any) -> Any:
        if answer.error_kind != "BadArgs" or not isinstance(sent.given.get("path"), str) or not is_meant(sent):
            return answer
        alone = sent.with_arguments({"path": sent.text}).answer()
        return alone if alone.error_kind == "SandboxViolation" else answer

    return row(stage=ANSWERS, result=result)


def budget_first(sent: ListCall, answer: Any) -> Any:
    is_small = answer.error_kind == "SandboxViolation" and min(sent.budgets.values()) < 60
    return failed(answer, "ExecutionFailed", TOO_SMALL) if is_small else answer


def words_of_the_system(sent: ListCall, answer: Any) -> Any:
    """Say of a file with a slash behind it what the system says."""
    is_meant = answer.error_kind == "ExecutionFailed" and sent.text.endswith(("/", "/."))
    return replace(answer, error_message="the directory cannot be read: Not a directory") if is_meant else answer


def cleared_at_the_end(sent: ListCall, answer: Any) -> Any:
    """Clear the flag with a complete document alone."""
    return answer if answer.status == "ok" else replace(answer, context={**answer.context, "allow_truncation": True})


unusable = has_message("NUL or unpaired surrogates")


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


def asks(*, about_side_effects: bool) -> type[Executor]:
    """Return the executor whose mode prompt asks before each call, with or without `prompt_side_effects`."""

    class Asks(Executor):
        def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
            is_meant = policy.mode is PolicyMode.PROMPT and policy.prompt_side_effects is about_side_effects
            is_listed = self._is_listed(self.tools[definition.name], policy.allowlist)
            return super()._needs_approval(definition, policy) or (is_meant and not is_listed)

    return Asks


class DeniesFirst(Executor):
    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        tool = super()._find_permitted_tool(name, policy)
        if policy.mode is PolicyMode.DENY and not self._is_listed(tool, policy.allowlist):
            raise ToolError(ErrorKind.POLICY_DENIED, f"{tool.definition.name} is not on the allowlist")
        return tool


VARIANTS = (
    variant("AMB-LD-18=a", "The white space of ASCII is trimmed.")(argument_parser=trims(" \t\n\r\f\v")),
    variant("AMB-LD-18=c", "The white space of ECMAScript is trimmed.")(
        argument_parser=trims(WHITE_SPACE.replace("\x85", "") + "\ufeff")
    ),
    variant("AMB-LD-18=d", "The white space of Python is trimmed.")(
        argument_parser=trims(WHITE_SPACE + "\x1c\x1d\x1e\x1f")
    ),
    variant("AMB-LD-18=e", "Five characters are trimmed.")(argument_parser=trims(" \t\n\r\f")),
    variant("VAR-LD-18", "Everything up to the blank is trimmed.", {"AMB-LD-18": "e"})(
        argument_parser=trims("".join(map(chr, range(0x21))))
    ),
    variant("VAR-LD-18-1", "What is invisible is trimmed.", {"AMB-LD-18": "e"})(
        argument_parser=trims(WHITE_SPACE + "\u180e\u200b\ufeff")
    ),
    variant("AMB-LD-19=b", "The text of the path is opened as it came.", excludes=("AMB-LD-21=resolve", "VAR-LD-18"))(
        tool=OpensTheText
    ),
    variant(
        "VAR-LD-19",
        "The text is opened as it came, and a file with a slash behind it fails in the words of the system.",
        {"AMB-LD-19": "b"},
        excludes=("AMB-LD-21=resolve", "AMB-LD-35=listed", "AMB-LD-35=omit", "VAR-LD-18"),
    )(row(stage=ANSWERS, result=words_of_the_system), tool=OpensTheText),
    variant("AMB-LD-20=b", "A final dot stays.")(argument_parser=KeepsFinalDot),
    variant("AMB-LD-21=resolve", "A `..` inside the path is resolved.")(argument_parser=ResolvesDots),
    variant("AMB-LD-22=always", "Both slashes separate.")(argument_parser=BothSlashes),
    variant("AMB-LD-23=b", "There are drive roots on Windows only.")(argument_parser=NoDrives),
    variant("AMB-LD-27=b", "A number with a fraction is no integer.")(
        row(also=lambda sent: {name: "" for name in LIMITS if isinstance(sent.given.get(name), float)})
    ),
    variant("AMB-LD-28=absent", "A limit of null is absent.")(without_nulls(*LIMITS)),
    variant("AMB-LD-29=reject", "Unknown arguments are refused.")(
        row(arguments=lambda given: {**given, "path": None} if given.keys() - SCHEMA["properties"].keys() else given)
    ),
    variant("VAR-LD-30", "The published schema has annotations.")(candidate_class=AnnotatedSchema),
    variant("AMB-LD-31=c", "A configuration without any kind is refused.")(argument_parser=ChecksConfiguredKinds),
    variant("AMB-LD-33=b", "The sandbox comes before the rules of arguments.")(
        sandbox_first(lambda sent: validation_error(SCHEMA, sent.given) is None)
    ),
    variant("VAR-LD-33", "The budget comes before the sandbox.")(row(stage=ANSWERS, result=budget_first)),
    variant("VAR-LD-33-1", "The sandbox comes before the schema.", {"AMB-LD-33": "b"}, excludes=ORDER)(
        sandbox_first(lambda sent: True), candidate_class=without("executor")
    ),
    variant("AMB-LD-34=b", "A path that cannot exist is a bad argument.")(
        refusing("BadArgs", "path is too long", lambda sent: is_long(sent.path), behind=CHECKED)
    ),
    variant("VAR-LD-34", "Paths that are too long before they are tidied are bad.")(
        refusing("BadArgs", "path is too long", lambda sent: is_long(sent.path, trim(sent.text)), behind=CHECKED)
    ),
    variant("AMB-LD-34=c", "A path that cannot exist does not.")(
        reworded(unusable, error_kind="ExecutionFailed", error_message="list_directory failed: path does not exist")
    ),
    variant("AMB-LD-34=d", "A path that cannot exist is refused.")(
        reworded(unusable, error_kind="SandboxViolation", error_message="the path cannot be judged"),
        refusing("SandboxViolation", "path is too long", lambda sent: is_long(sent.path)),
    ),
    variant("AMB-LD-38=b", "Messages are one word, but for the quoted one.")(
        reworded(
            lambda answer: of_kind("BadArgs", "ExecutionFailed")(answer) and not has_message(NO_DIRECTORY)(answer),
            error_message="invalid",
        )
    ),
    variant("AMB-LD-39=b", "Reading needs approval where side effects do.")(executor=asks(about_side_effects=True)),
    variant("AMB-LD-40=b", "The mode deny comes before the sandbox.")(executor=DeniesFirst),
    variant("AMB-LD-41=b", "The flag is cleared with the document.")(row(stage=ANSWERS, result=cleared_at_the_end)),
    variant("AMB-LD-65=b", "Mode prompt asks about everything.")(executor=asks(about_side_effects=False)),
    variant("AMB-LD-68=again", "What tidying brings to the edge is trimmed.")(argument_parser=TrimsAgain),
    variant("AMB-LD-69=absent", "A switch of null is absent.")(without_nulls(*SWITCHES)),
)
