"""Variants: values that the schema leaves open, and the order of checks."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

from treeproof.reference_impl.ls.candidate import DEFINITION, ListFiles, LsPlan
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import INVALID_ARGUMENTS, PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.ls.request import PARAMETERS, ArgumentParser, Request
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.variant import Variant, reading_variant

LARGEST_EXACT_DOUBLE = 2**53


class NullPath(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        return super().parse_path("." if value is None else value)


class NullOffset(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(0 if value is None else value)


class NullLimit(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(100 if value is None else value)


class NullIncludeHidden(ArgumentParser):
    def parse_include_hidden(self, value: Any) -> bool:
        return super().parse_include_hidden(False if value is None else value)


class WholeFloats(ArgumentParser):
    def _parse_integer(self, value: Any, minimum: int, maximum: int | None) -> int:
        is_whole = isinstance(value, float) and value.is_integer()
        return super()._parse_integer(int(value) if is_whole else value, minimum, maximum)


class SafeIntegersOnly(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        offset = super().parse_offset(value)
        if offset >= LARGEST_EXACT_DOUBLE:
            raise self.invalid_arguments()
        return offset


class EmptyPathRefused(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        if value == "":
            raise self.invalid_arguments()
        return super().parse_path(value)


class KnownNamesOnly(ArgumentParser):
    def parse(self) -> Request:
        if isinstance(self.sent_arguments, dict) and self.sent_arguments.keys() - PARAMETERS.keys():
            raise self.invalid_arguments()
        return super().parse()


class EmptyPathIsMissing(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if not path:
            raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().resolve(path)


class NulRefused(ArgumentParser):
    """Refuses a path that contains a NUL with a code of its own."""

    code = ErrorCode.INVALID_PARAM

    def parse_path(self, value: Any) -> str:
        if isinstance(value, str) and "\0" in value:
            raise CallRefused(self.code, INVALID_ARGUMENTS)
        return super().parse_path(value)


class NulIsOutside(NulRefused):
    code = ErrorCode.ACCESS_DENIED


class NulIsMissing(NulRefused):
    code = ErrorCode.NOT_FOUND


class NulIsInternal(NulRefused):
    code = ErrorCode.INTERNAL_ERROR


class NullIsEmpty(ArgumentParser):
    def parse(self) -> Request:
        sent = self.sent_arguments
        self.sent_arguments = {} if sent is None else sent
        try:
            return super().parse()
        finally:
            self.sent_arguments = sent


class ProtoDropped(Envelope):
    """The reader of JSON drops a name by which objects are attacked."""

    def context(self, path: str | None) -> Members:
        members = super().context(path)
        sent = members["params_input"]
        if not isinstance(sent, dict):
            return members
        return {**members, "params_input": {name: value for name, value in sent.items() if name != "__proto__"}}


class EchoOfObjects(Envelope):
    """params_input is always an object."""

    def context(self, path: str | None) -> Members:
        members = super().context(path)
        return members if isinstance(self.sent_arguments, dict) else {**members, "params_input": {}}


class ObjectsOnly(ListFiles):
    """Arguments that are no object are refused before the tool runs."""

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> LsPlan:
        if not isinstance(arguments, dict):
            raise ToolError(ErrorKind.BAD_ARGS, "the arguments are no object")
        return super().plan(arguments, context, flavour)


class TypedArguments(Envelope):
    """The arguments are parsed into a type, as by serde or by Go, which has no place for others."""

    def context(self, path: str | None) -> Members:
        members = super().context(path)
        sent = members["params_input"]
        if not isinstance(sent, dict):
            return members
        return {**members, "params_input": {name: value for name, value in sent.items() if name in PARAMETERS}}


class EmptyPatternRefused(ArgumentParser):
    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        patterns = super().parse_ignore(value)
        if "" in patterns:
            raise self.invalid_arguments()
        return patterns


class BrokenPatternRefused(ArgumentParser):
    """Refuses a pattern that ends in an escape, or has a range whose ends are reversed, as in Java and Go."""

    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        patterns = super().parse_ignore(value)
        if any(re.search(r"(?<!\\)(\\\\)*\\$|\[z-[ay]\]", pattern) for pattern in patterns):
            raise self.invalid_arguments()
        return patterns


class DoublesOnly(Envelope):
    """Numbers pass through a double on their way out, and are written with as few digits as possible."""

    def to_json(self, members: Members) -> str:
        return super().to_json(_with_doubles(members))


def _with_doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_doubles(member) for member in value]
    is_large = type(value) is int and abs(value) > LARGEST_EXACT_DOUBLE
    return int(Decimal(repr(float(value)))) if is_large else value


class PathFirstPlan(LsPlan):
    """Looks at the path before the other arguments."""

    def list_page(self, project: Project, envelope: Envelope) -> Members:
        path = self.sent_arguments.get("path", ".") if isinstance(self.sent_arguments, dict) else None
        if isinstance(path, str) and path and "\0" not in path:
            self.read_entries(project, project.resolve(path), Request(path, 0, 1, False, ()))
        return super().list_page(project, envelope)


class PathFirst(ListFiles):
    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> LsPlan:
        plan = super().plan(arguments, context, flavour)
        return PathFirstPlan(plan.tool, plan.sent_arguments, plan.context, plan.flavour)


_PARAMETERS_WITHOUT_NULL = {
    name: {key: value for key, value in one.items() if value is not None} for name, one in PARAMETERS.items()
}
DEFINITION_WITHOUT_NULL = replace(
    DEFINITION, input_schema={**DEFINITION.input_schema, "properties": _PARAMETERS_WITHOUT_NULL}
)

DEFINITION_WITH_EMPTY_IGNORE = replace(
    DEFINITION,
    input_schema={
        **DEFINITION.input_schema,
        "properties": {**PARAMETERS, "ignore": {**PARAMETERS["ignore"], "default": []}},
    },
)

VARIANTS = (
    reading_variant(
        "AMB-LS-12", "b", "A whole number with a fraction of zero is an integer.", argument_parser=WholeFloats
    ),
    reading_variant("AMB-LS-13", "b", "null as a path is the default.", argument_parser=NullPath),
    reading_variant("AMB-LS-71", "b", "null as an offset is the default.", argument_parser=NullOffset),
    reading_variant("AMB-LS-72", "b", "null as a limit is the default.", argument_parser=NullLimit),
    reading_variant("AMB-LS-75", "b", "null as include_hidden is false.", argument_parser=NullIncludeHidden),
    reading_variant("AMB-LS-17", "b", "The empty path is refused.", argument_parser=EmptyPathRefused),
    reading_variant("AMB-LS-51", "b", "Unknown arguments are refused.", argument_parser=KnownNamesOnly),
    reading_variant("AMB-LS-18", "b", "A path with a NUL lies outside.", argument_parser=NulIsOutside),
    reading_variant("AMB-LS-18", "c", "A path with a NUL does not exist.", argument_parser=NulIsMissing),
    reading_variant("AMB-LS-18", "d", "A path with a NUL is a failure of the system.", argument_parser=NulIsInternal),
    reading_variant(
        "AMB-LS-57", "b", "params_input is empty for arguments that are no object.", envelope=EchoOfObjects
    ),
    reading_variant("AMB-LS-57", "c", "Arguments that are no object never reach the tool.", tool=ObjectsOnly),
    reading_variant("AMB-LS-81", "b", "Arguments pass through a type with five members.", envelope=TypedArguments),
    reading_variant("AMB-LS-82", "b", "An empty pattern is refused.", argument_parser=EmptyPatternRefused),
    reading_variant("AMB-LS-33", "b", "The path is checked before the other arguments.", tool=PathFirst),
    Variant("VAR-LS-06", "An offset that is no safe integer is refused.", {"argument_parser": SafeIntegersOnly}),
    Variant("VAR-LS-33", "A broken pattern is refused.", {"argument_parser": BrokenPatternRefused}),
    Variant("VAR-LS-34", "The empty path does not exist, as for the system.", {"project": EmptyPathIsMissing}),
    Variant("VAR-LS-18", "Numbers are doubles, as in JavaScript.", {"envelope": DoublesOnly}),
    Variant("VAR-LS-13", "null as arguments means none.", {"argument_parser": NullIsEmpty}),
    Variant("VAR-LS-14", "An argument `__proto__` never arrives.", {"envelope": ProtoDropped}),
    Variant(
        "VAR-LS-15",
        "The schema says that ignore is an empty array by default.",
        {"definition": DEFINITION_WITH_EMPTY_IGNORE},
    ),
    Variant("VAR-LS-10", "The schema does not say that null is a default.", {"definition": DEFINITION_WITHOUT_NULL}),
)
