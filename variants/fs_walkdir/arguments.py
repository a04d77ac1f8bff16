"""Variants: the argument, its name, and who refuses a wrong one."""

from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import DEFINITION, UnvalidatingExecutor
from treeproof.reference_impl.fs_walkdir.request import ArgumentParser, CallRefused
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import ToolDefinition

from ..shared.variant import variant


def bad_arguments(message: str) -> ToolError:
    return ToolError(ErrorKind.BAD_ARGS, message)


class ChecksFirst(UnvalidatingExecutor):
    """Refuses wrong arguments of the tool, as a schema can describe them."""

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        super()._check_arguments(definition, arguments)
        if definition.name != DEFINITION.name:
            return
        path = arguments.get("path") if isinstance(arguments, dict) and arguments.keys() == {"path"} else None
        if not isinstance(path, str) or not path:
            raise bad_arguments("path is the one argument, and a text that is not empty")


class ByPlace(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        values = list(arguments.values()) if isinstance(arguments, dict) else []
        return super().parse_path({"path": values[0]} if len(values) == 1 else arguments)


class WithoutNames(ArgumentParser):
    """Takes a value that is no object for the argument, as an interpreter with arguments by place does."""

    def parse_path(self, arguments: Any) -> str:
        if isinstance(arguments, list) and len(arguments) == 1:
            return super().parse_path({"path": arguments[0]})
        return super().parse_path({"path": arguments} if isinstance(arguments, str) else arguments)


class MissingFails(ArgumentParser):
    def check_names(self, arguments: dict[str, Any]) -> None:
        try:
            super().check_names(arguments)
        except CallRefused as refusal:
            if "path" in arguments:
                raise
            raise bad_arguments(str(refusal)) from refusal


class SurplusFails(ArgumentParser):
    def check_names(self, arguments: dict[str, Any]) -> None:
        if "path" in arguments and len(arguments) > 1:
            raise bad_arguments("there are too many arguments")
        super().check_names(arguments)


class OtherTypeFails(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        if isinstance(arguments, dict) and arguments.keys() == {"path"} and not isinstance(arguments["path"], str):
            raise bad_arguments("path must be a string")
        return super().parse_path(arguments)


class EmptyFails(ArgumentParser):
    def check_text(self, text: str) -> None:
        if not text:
            raise bad_arguments("path must not be empty")
        super().check_text(text)


VARIANTS = (
    variant("AMB-WD-25=place", "The argument is known by its place.")(argument_parser=ByPlace),
    variant("AMB-WD-26=call_error", "A missing argument fails the call.")(argument_parser=MissingFails),
    variant("AMB-WD-27=call_error", "A value of another type fails the call.")(argument_parser=OtherTypeFails),
    variant("AMB-WD-28=call_error", "The empty path fails the call.")(argument_parser=EmptyFails),
    variant("AMB-WD-29=call_error", "An argument too many fails the call.")(argument_parser=SurplusFails),
    variant("VAR-WD-29", "A value without a name is the argument.")(argument_parser=WithoutNames),
    variant(
        "VAR-WD-01",
        "All arguments are checked before the tool is reached.",
        {f"AMB-WD-{number}": "call_error" for number in (26, 27, 28, 29)},
        excludes=("AMB-WD-25=place",),
    )(executor=ChecksFirst),
)
