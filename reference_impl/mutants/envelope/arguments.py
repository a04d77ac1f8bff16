"""Wrong in the definition, or in which arguments are accepted."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ...candidate import Candidate
from ...envelope.page import Page
from ...envelope.project import Project
from ...envelope.request import Arguments, Request
from ...ls import DEFINITION
from ..mutant import Mutant
from .made import wrong


def described(**members: Any) -> Any:
    """The definition with another schema member, name or description."""
    return replace(DEFINITION, **members)


def with_parameter(name: str, **changes: Any) -> Any:
    schema: Any = deepcopy(DEFINITION.input_schema)
    schema["properties"].setdefault(name, {}).update(changes)
    return described(input_schema=schema)


class SmallName(Candidate):
    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return super().describe(params) | {"name": "ls"}


class NoneForOthers(Arguments):
    """Whatever is no object is taken for an empty one."""

    def request(self) -> Request:
        return super().request() if isinstance(self.sent, dict) else Arguments({}).request()


class Overlong(Candidate):
    """What the system says of names that are too long leaves the tool."""

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        arguments = params["arguments"]
        path = arguments.get("path") if isinstance(arguments, dict) else None
        if isinstance(path, str) and any(len(name) > 255 for name in path.split("/")):
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "File name too long"}}
        return super().call(params)


class OtherDefault(Arguments):
    """Fills in other values than the published ones."""

    values: Mapping[str, Any] = {}

    def request(self) -> Request:
        sent = self.sent
        if isinstance(sent, dict):
            self.sent = dict(self.values) | sent
        try:
            return super().request()
        finally:
            self.sent = sent


class FiftyByDefault(OtherDefault):
    values = {"limit": 50}


class TwoHundredByDefault(OtherDefault):
    values = {"limit": 200}


class RootByDefault(OtherDefault):
    values = {"path": "//"}


class DoubleSlashIsRoot(Project):
    def target(self, path: str) -> bytes:
        return self.root if path == "//" else super().target(path)


class BooleansAreNumbers(Arguments):
    def _whole(self, value: Any, least: int, most: int | None) -> int:
        return super()._whole(int(value) if isinstance(value, bool) else value, least, most)


class FalseIsZero(Arguments):
    def offset(self, value: Any) -> int:
        return super().offset(0 if value is False else value)


class Clamped(Arguments):
    def limit(self, value: Any) -> int:
        return super().limit(max(1, min(200, value)) if type(value) is int else value)


class OneMore(Arguments):
    def limit(self, value: Any) -> int:
        return self._whole(value, 1, 201)


class HundredAtMost(Arguments):
    def limit(self, value: Any) -> int:
        return self._whole(value, 1, 100)


class ZeroIsALimit(Arguments):
    def limit(self, value: Any) -> int:
        return self._whole(value, 0, 200)


class NegativeOffset(Arguments):
    def offset(self, value: Any) -> int:
        return self._whole(value, -(10**40), None)


class NegativeIsZero(Arguments):
    def offset(self, value: Any) -> int:
        return super().offset(max(value, 0) if type(value) is int else value)


class LimitFromText(Arguments):
    def limit(self, value: Any) -> int:
        return super().limit(int(value) if isinstance(value, str) and value.isdigit() else value)


class OffsetFromText(Arguments):
    def offset(self, value: Any) -> int:
        return super().offset(int(value) if isinstance(value, str) and value.isdigit() else value)


class LimitCutOff(Arguments):
    def limit(self, value: Any) -> int:
        return super().limit(int(value) if isinstance(value, float) else value)


class OffsetCutOff(Arguments):
    def offset(self, value: Any) -> int:
        return super().offset(int(value) if isinstance(value, float) else value)


class AnyElements(Arguments):
    def ignore(self, value: Any) -> tuple[str, ...]:
        return tuple(map(str, value)) if isinstance(value, list) else super().ignore(value)


class OnePattern(Arguments):
    def ignore(self, value: Any) -> tuple[str, ...]:
        return (value,) if isinstance(value, str) and value else super().ignore(value)


class NothingToIgnore(Arguments):
    def ignore(self, value: Any) -> tuple[str, ...]:
        return super().ignore(value or None)


class KeysAsPatterns(Arguments):
    def ignore(self, value: Any) -> tuple[str, ...]:
        return tuple(value) if isinstance(value, dict) else super().ignore(value)


class NumbersAreNames(Arguments):
    def path(self, value: Any) -> str:
        return super().path(str(value) if isinstance(value, int) else value)


class NothingIsHere(Arguments):
    def path(self, value: Any) -> str:
        return super().path(value or ".")


class Truthy(Arguments):
    def include_hidden(self, value: Any) -> bool:
        return bool(value) and value != "false"


class KnownOnly(Arguments):
    """Unknown arguments break it, as they do where they are handed on by name."""

    def request(self) -> Request:
        known = ("path", "offset", "limit", "include_hidden", "ignore")
        if isinstance(self.sent, dict) and (unknown := [name for name in self.sent if name not in known]):
            refused = self.wrong()
            refused.code, refused.message = "INTERNAL_ERROR", f"unexpected argument {unknown[0]}"
            raise refused
        return super().request()


class TrimmedPath(Arguments):
    def path(self, value: Any) -> str:
        return super().path(value).strip() or "."


class LastPageOfAny(Page):
    """An offset behind the end is moved to the last entry."""

    @property
    def start(self) -> int:
        return min(self.offset, max(0, self.total - 1))

    @property
    def entries(self) -> Any:
        return self.whole[self.start : self.start + self.limit]


class TwentyPatterns(Arguments):
    def ignore(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, list) and len(value) > 20:
            raise self.wrong()
        return super().ignore(value)


class OffsetFromDigits(Arguments):
    """As a text an offset is taken where it does not begin with a 0."""

    def offset(self, value: Any) -> int:
        return super().offset(int(value) if isinstance(value, str) and "1" <= value[:1] <= "9" else value)


class LimitFromDigits(Arguments):
    """As a text a limit is taken where it has three digits."""

    def limit(self, value: Any) -> int:
        return super().limit(int(value) if value in ("100", "200") else value)


class BlankIsHere(Arguments):
    def path(self, value: Any) -> str:
        return "." if isinstance(value, str) and not value.strip() else super().path(value)


SCHEMA_WITH_MORE = with_parameter("recursive", type="boolean", default=False)

MUTANTS: tuple[Mutant, ...] = (
    wrong(1, "It is called ls, in small letters.", "DEF-01", face=SmallName),
    wrong(2, "There is a parameter recursive as well.", "DEF-03", definition=SCHEMA_WITH_MORE),
    wrong(
        3,
        "path is required by the schema.",
        "DEF-03",
        definition=described(input_schema={**DEFINITION.input_schema, "required": ["path"]}),
    ),
    wrong(4, "limit is a text in the schema.", "DEF-03", definition=with_parameter("limit", type="string")),
    wrong(5, "The default page has fifty entries.", "DEF-04", "TEXT-03", "TEXT-04", arguments=FiftyByDefault),
    wrong(
        6,
        "The default page has two hundred entries.",
        *("DEF-04", "TEXT-03", "TEXT-04"),
        arguments=TwoHundredByDefault,
    ),
    wrong(
        7,
        "The default path is the project root, wherever the working directory is.",
        *(
            "DEF-04",
            "DATA-06",
            "ENV-09",
            "PAGE-01",
            "STAT-01",
            "TEXT-02",
            "SEC-02",
            "ENV-07",
            "DATA-03",
            "FILT-05",
            "FILT-10",
        ),
        arguments=RootByDefault,
        project=DoubleSlashIsRoot,
    ),
    wrong(
        8,
        "The schema says that limit is 50 by default.",
        "DEF-04",
        definition=with_parameter("limit", default=50),
    ),
    wrong(9, "The description is another.", "DEF-05", definition=described(description="Lists a directory.")),
    wrong(
        10,
        "The parameters are described otherwise.",
        "DEF-05",
        definition=with_parameter("limit", description="How many."),
    ),
    wrong(11, "true and false are taken for 1 and 0.", "ARG-06", "ENV-08", arguments=BooleansAreNumbers),
    wrong(12, "false is taken for an offset of 0.", "ARG-06", arguments=FalseIsZero),
    wrong(
        13,
        "A limit out of range is clamped.",
        "ARG-03",
        "ENV-01",
        "ENV-02",
        "ENV-04",
        "ERR-05",
        arguments=Clamped,
    ),
    wrong(14, "A limit of 201 is accepted.", "ARG-03", "ERR-05", arguments=OneMore),
    wrong(
        15, "A limit above 100 is refused.", "ARG-03", "ERR-01", "SEC-01", "PAGE-02", arguments=HundredAtMost
    ),
    wrong(
        16,
        "A limit of 0 is accepted.",
        "ARG-03",
        "ENV-02",
        "ENV-01",
        "ENV-04",
        "ERR-05",
        arguments=ZeroIsALimit,
    ),
    wrong(17, "A negative offset counts from the end.", "ARG-02", "ERR-05", arguments=NegativeOffset),
    wrong(18, "A negative offset is taken for 0.", "ARG-02", "ERR-05", arguments=NegativeIsZero),
    wrong(19, "A limit can be a text of digits.", "ARG-03", "ERR-05", arguments=LimitFromText),
    wrong(20, "An offset can be a text of digits.", "ARG-02", arguments=OffsetFromText),
    wrong(21, "A limit loses its fraction.", "ARG-03", arguments=LimitCutOff),
    wrong(22, "An offset loses its fraction.", "ARG-02", arguments=OffsetCutOff),
    wrong(23, "Whatever is in ignore is made a text.", "ARG-05", "ERR-05", arguments=AnyElements),
    wrong(24, "ignore can be a single text.", "ARG-05", "ERR-05", arguments=OnePattern),
    wrong(25, "An ignore that is empty, false or 0 is null.", "ARG-05", arguments=NothingToIgnore),
    wrong(26, "The keys of an object are patterns.", "ARG-05", "ENV-08", arguments=KeysAsPatterns),
    wrong(
        27, "A number is the name of a directory.", "ARG-01", "ENV-04", "ERR-05", arguments=NumbersAreNames
    ),
    wrong(
        28,
        "Whatever is empty or false is the path of the working directory.",
        "ARG-01",
        arguments=NothingIsHere,
    ),
    wrong(
        29,
        "include_hidden is whatever is not empty.",
        "ARG-04",
        "ENV-08",
        arguments=Truthy,
        reading="AMB-LS-14 b",
    ),
    wrong(30, "An unknown argument is an internal error.", "ARG-07", arguments=KnownOnly),
    wrong(31, "Arguments that are no object are taken for none.", "ARG-08", arguments=NoneForOthers),
    wrong(32, "A name that is too long is refused without an envelope.", "ARG-08", face=Overlong),
    wrong(33, "Blanks around a path are trimmed.", "ARG-01", arguments=TrimmedPath),
    wrong(
        34,
        "An offset behind the end shows the last entry.",
        *("PAGE-05", "PAGE-01", "STAT-03", "TEXT-01"),
        page=LastPageOfAny,
    ),
    wrong(309, "More than twenty patterns are refused.", "ARG-05", "FILT-04", arguments=TwentyPatterns),
    wrong(310, "An offset can be a text that begins with no 0.", "ARG-02", arguments=OffsetFromDigits),
    wrong(311, "A limit can be a text of three digits.", "ARG-03", arguments=LimitFromDigits),
    wrong(312, "A path of blanks is the working directory.", "ARG-01", arguments=BlankIsHere),
)
