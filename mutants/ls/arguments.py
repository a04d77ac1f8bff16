"""Mutants: errors in the definition and in the accepted arguments."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.ls.candidate import DEFINITION
from treeproof.reference_impl.ls.page import Page
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.ls.request import ArgumentParser, Request
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant
from .builders import build_mutant

EARLIER: list[str] = []
"""The patterns of the call before."""

TRUTHS = ("true", "false")


def with_definition(**members: Any) -> Any:
    """Return the tool with another schema member, name or description."""
    return replace(DEFINITION, **members)


def with_parameter(name: str, **changes: Any) -> Any:
    schema: Any = deepcopy(DEFINITION.input_schema)
    schema["properties"].setdefault(name, {}).update(changes)
    return with_definition(input_schema=schema)


class SmallName(Candidate):
    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return super().describe(params) | {"name": "ls"}


class NoneForOthers(ArgumentParser):
    def parse(self) -> Request:
        return super().parse() if isinstance(self.sent_arguments, dict) else ArgumentParser({}).parse()


class Overlong(Candidate):
    """Does not handle the system's error for names that are too long."""

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        arguments = params["arguments"]
        path = arguments.get("path") if isinstance(arguments, dict) else None
        if isinstance(path, str) and any(len(name) > 255 for name in path.split("/")):
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "File name too long"}}
        return super().call(params)


class OtherDefault(ArgumentParser):
    """Applies other defaults than the published ones."""

    values: Mapping[str, Any] = {}

    def parse(self) -> Request:
        sent = self.sent_arguments
        if isinstance(sent, dict):
            self.sent_arguments = dict(self.values) | sent
        try:
            return super().parse()
        finally:
            self.sent_arguments = sent


class FiftyByDefault(OtherDefault):
    values = {"limit": 50}


class TwoHundredByDefault(OtherDefault):
    values = {"limit": 200}


class RootByDefault(OtherDefault):
    values = {"path": "//"}


class DoubleSlashIsRoot(Project):
    def real_path(self, path: str) -> bytes:
        return self.root if path == "//" else super().real_path(path)


class EarlierPatterns(ArgumentParser):
    """Keeps the patterns of a call with all arguments for the next call if that has none."""

    def parse(self) -> Request:
        earlier = tuple(EARLIER)
        EARLIER.clear()
        request = super().parse()
        if isinstance(self.sent_arguments, dict) and len(self.sent_arguments) == 5:
            EARLIER.extend(request.ignore)
        return replace(request, ignore=earlier) if self.sent_arguments == {} else request


class BooleansAreNumbers(ArgumentParser):
    def _parse_integer(self, value: Any, least: int, most: int | None) -> int:
        return super()._parse_integer(int(value) if isinstance(value, bool) else value, least, most)


class FalseIsZero(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(0 if value is False else value)


class Clamped(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(max(1, min(200, value)) if type(value) is int else value)


class OneMore(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return self._parse_integer(value, 1, 201)


class TwoAtLeast(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return self._parse_integer(value, 2, 200)


class HundredAtMost(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return self._parse_integer(value, 1, 100)


class ZeroIsALimit(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return self._parse_integer(value, 0, 200)


class NegativeOffset(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return self._parse_integer(value, -(10**40), None)


class NegativeIsZero(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(max(value, 0) if type(value) is int else value)


class LimitFromText(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(int(value) if isinstance(value, str) and value.isdigit() else value)


class OffsetFromText(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(int(value) if isinstance(value, str) and value.isdigit() else value)


class LimitCutOff(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(int(value) if isinstance(value, float) else value)


class OffsetCutOff(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(int(value) if isinstance(value, float) else value)


class AnyElements(ArgumentParser):
    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        return tuple(map(str, value)) if isinstance(value, list) else super().parse_ignore(value)


class OnePattern(ArgumentParser):
    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        return (value,) if isinstance(value, str) and value else super().parse_ignore(value)


class NothingToIgnore(ArgumentParser):
    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        return super().parse_ignore(value or None)


class KeysAsPatterns(ArgumentParser):
    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        return tuple(value) if isinstance(value, dict) else super().parse_ignore(value)


class NumbersAreNames(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        return super().parse_path(str(value) if isinstance(value, int) else value)


class NothingIsHere(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        return super().parse_path(value or ".")


class Truthy(ArgumentParser):
    def parse_include_hidden(self, value: Any) -> bool:
        return bool(value) and value != "false"


class KnownOnly(ArgumentParser):
    """Fails for unknown arguments, as if they were passed on by name."""

    def parse(self) -> Request:
        known = ("path", "offset", "limit", "include_hidden", "ignore")
        if isinstance(self.sent_arguments, dict) and (
            unknown := [name for name in self.sent_arguments if name not in known]
        ):
            refused = self.invalid_arguments()
            refused.code, refused.message = "INTERNAL_ERROR", f"unexpected argument {unknown[0]}"
            raise refused
        return super().parse()


class TrimmedPath(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        return super().parse_path(value).strip() or "."


class LastPageOfAny(Page):
    @property
    def start(self) -> int:
        return min(self.offset, max(0, self.total - 1))

    @property
    def entries(self) -> Any:
        return self.all_entries[self.start : self.start + self.limit]


class TwentyPatterns(ArgumentParser):
    def parse_ignore(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, list) and len(value) > 20:
            raise self.invalid_arguments()
        return super().parse_ignore(value)


class OffsetFromDigits(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(int(value) if isinstance(value, str) and "1" <= value[:1] <= "9" else value)


class LimitFromDigits(ArgumentParser):
    """Accepts a limit as a text of three digits."""

    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(int(value) if value in ("100", "200") else value)


class BlankIsHere(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        return "." if isinstance(value, str) and not value.strip() else super().parse_path(value)


SCHEMA_WITH_MORE = with_parameter("recursive", type="boolean", default=False)


class TrueNumbers(ArgumentParser):
    def parse_include_hidden(self, value: Any) -> bool:
        return super().parse_include_hidden(bool(value) if isinstance(value, int | float) else value)


class TrueTexts(ArgumentParser):
    def parse_include_hidden(self, value: Any) -> bool:
        return super().parse_include_hidden({"true": True, "false": False}[value] if value in TRUTHS else value)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-001", "The name is ls, in lower case.", "LS-DEF-01", candidate_class=SmallName),
    build_mutant("MUT-LS-002", "There is a parameter recursive too.", "LS-DEF-03", definition=SCHEMA_WITH_MORE),
    build_mutant(
        "MUT-LS-003",
        "path is required by the schema.",
        "LS-DEF-03",
        definition=with_definition(input_schema={**DEFINITION.input_schema, "required": ["path"]}),
    ),
    build_mutant(
        "MUT-LS-004",
        "limit is a text in the schema.",
        "LS-DEF-03",
        definition=with_parameter("limit", type="string"),
    ),
    build_mutant(
        "MUT-LS-005",
        "The default page has fifty entries.",
        "LS-DEF-04 LS-TEXT-03 LS-TEXT-04",
        argument_parser=FiftyByDefault,
    ),
    build_mutant(
        "MUT-LS-006",
        "The default page has two hundred entries.",
        "LS-DEF-04 LS-TEXT-03 LS-TEXT-04",
        argument_parser=TwoHundredByDefault,
    ),
    build_mutant(
        "MUT-LS-007",
        "The default path is the project root, whatever the working directory.",
        "LS-DEF-04 LS-DATA-06 LS-ENV-09 LS-PAGE-01 LS-STAT-01 LS-TEXT-02 LS-SEC-02 LS-ENV-07 LS-DATA-03 "
        "LS-FILT-05 LS-FILT-10",
        argument_parser=RootByDefault,
        project=DoubleSlashIsRoot,
    ),
    build_mutant(
        "MUT-LS-008",
        "The schema says that limit is 50 by default.",
        "LS-DEF-04",
        definition=with_parameter("limit", default=50),
    ),
    build_mutant(
        "MUT-LS-009",
        "The description differs.",
        "LS-DEF-05",
        definition=with_definition(description="Lists a directory."),
    ),
    build_mutant(
        "MUT-LS-318",
        "The patterns of a call are the default of the next.",
        "LS-DEF-04 LS-DATA-06",
        argument_parser=EarlierPatterns,
    ),
    build_mutant(
        "MUT-LS-010",
        "The descriptions of the parameters differ.",
        "LS-DEF-05",
        definition=with_parameter("limit", description="How many."),
    ),
    build_mutant(
        "MUT-LS-011",
        "true and false are accepted as 1 and 0.",
        "LS-ARG-06 LS-ENV-08",
        argument_parser=BooleansAreNumbers,
    ),
    build_mutant("MUT-LS-012", "false is accepted as an offset of 0.", "LS-ARG-06", argument_parser=FalseIsZero),
    build_mutant(
        "MUT-LS-013",
        "A limit out of range is clamped.",
        "LS-ARG-03 LS-ENV-01 LS-ENV-02 LS-ENV-04 LS-ERR-05",
        argument_parser=Clamped,
    ),
    build_mutant("MUT-LS-014", "A limit of 201 is accepted.", "LS-ARG-03 LS-ERR-05", argument_parser=OneMore),
    build_mutant("MUT-LS-454", "A limit of 1 is refused.", "LS-ARG-03", argument_parser=TwoAtLeast),
    build_mutant(
        "MUT-LS-015",
        "A limit above 100 is refused.",
        "LS-ARG-03 LS-ERR-01 LS-SEC-01 LS-PAGE-02",
        argument_parser=HundredAtMost,
    ),
    build_mutant(
        "MUT-LS-016",
        "A limit of 0 is accepted.",
        "LS-ARG-03 LS-ENV-02 LS-ENV-01 LS-ENV-04 LS-ERR-05",
        argument_parser=ZeroIsALimit,
    ),
    build_mutant(
        "MUT-LS-017",
        "A negative offset counts from the end.",
        "LS-ARG-02 LS-ERR-05",
        argument_parser=NegativeOffset,
    ),
    build_mutant(
        "MUT-LS-018",
        "A negative offset becomes 0.",
        "LS-ARG-02 LS-ERR-05",
        argument_parser=NegativeIsZero,
    ),
    build_mutant(
        "MUT-LS-019", "A limit can be a text of digits.", "LS-ARG-03 LS-ERR-05", argument_parser=LimitFromText
    ),
    build_mutant("MUT-LS-020", "An offset can be a text of digits.", "LS-ARG-02", argument_parser=OffsetFromText),
    build_mutant("MUT-LS-021", "A limit loses its fraction.", "LS-ARG-03", argument_parser=LimitCutOff),
    build_mutant("MUT-LS-022", "An offset loses its fraction.", "LS-ARG-02", argument_parser=OffsetCutOff),
    build_mutant(
        "MUT-LS-023",
        "Every item of ignore is converted to a text.",
        "LS-ARG-05 LS-ERR-05",
        argument_parser=AnyElements,
    ),
    build_mutant("MUT-LS-024", "ignore can be a single text.", "LS-ARG-05 LS-ERR-05", argument_parser=OnePattern),
    build_mutant(
        "MUT-LS-025",
        "An ignore that is empty, false or 0 is null.",
        "LS-ARG-05",
        argument_parser=NothingToIgnore,
    ),
    build_mutant(
        "MUT-LS-026",
        "The keys of an object are patterns.",
        "LS-ARG-05 LS-ENV-08",
        argument_parser=KeysAsPatterns,
    ),
    build_mutant(
        "MUT-LS-027",
        "A number is accepted as the name of a directory.",
        "LS-ARG-01 LS-ENV-04 LS-ERR-05",
        argument_parser=NumbersAreNames,
    ),
    build_mutant(
        "MUT-LS-028",
        "An empty or false value means the working directory.",
        "LS-ARG-01",
        argument_parser=NothingIsHere,
    ),
    build_mutant(
        "MUT-LS-029",
        "Every value of include_hidden that is not empty means true.",
        "LS-ARG-04 LS-ENV-08",
        argument_parser=Truthy,
    ),
    build_mutant("MUT-LS-030", "An unknown argument is an internal error.", "LS-ARG-07", argument_parser=KnownOnly),
    build_mutant(
        "MUT-LS-031",
        "Arguments that are no object are ignored.",
        "LS-ARG-08",
        argument_parser=NoneForOthers,
    ),
    build_mutant(
        "MUT-LS-032",
        "A name that is too long is refused without an envelope.",
        "LS-ARG-08",
        candidate_class=Overlong,
    ),
    build_mutant("MUT-LS-033", "Blanks around a path are trimmed.", "LS-ARG-01 LS-SEC-02", argument_parser=TrimmedPath),
    build_mutant(
        "MUT-LS-034",
        "An offset after the end shows the last entry.",
        "LS-PAGE-05 LS-PAGE-01 LS-STAT-03 LS-TEXT-01",
        page=LastPageOfAny,
    ),
    build_mutant(
        "MUT-LS-309",
        "More than twenty patterns are refused.",
        "LS-ARG-05 LS-FILT-04",
        argument_parser=TwentyPatterns,
    ),
    build_mutant(
        "MUT-LS-310",
        "An offset can be a text that does not begin with 0.",
        "LS-ARG-02",
        argument_parser=OffsetFromDigits,
    ),
    build_mutant("MUT-LS-311", "A limit can be a text of three digits.", "LS-ARG-03", argument_parser=LimitFromDigits),
    build_mutant(
        "MUT-LS-312",
        "A path of blanks means the working directory.",
        "LS-ARG-01 LS-SEC-02",
        argument_parser=BlankIsHere,
    ),
    build_mutant(
        "MUT-LS-356",
        "The schema says that ignore is an empty array by default.",
        "LS-DEF-04",
        definition=with_parameter("ignore", default=[]),
    ),
    build_mutant(
        "MUT-LS-456",
        "A number as include_hidden is true or false.",
        "LS-ARG-04 LS-ERR-05",
        argument_parser=TrueNumbers,
    ),
    build_mutant(
        "MUT-LS-457",
        "The texts true and false are values of include_hidden.",
        "LS-ARG-04 LS-ERR-05",
        argument_parser=TrueTexts,
    ),
)
