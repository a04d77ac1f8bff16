"""Wrong in what arguments are taken for: the schema, and the limits that depend on the configuration."""

from collections.abc import Callable
from typing import Any

from ...context import CallContext
from ...errors import Kind, ToolError, message_for_caller
from ...executor import Definition, Executor, Result
from ...list_directory import ListDirectory
from ...listing.request import SCHEMA, Reading, Request, bad
from ...paths import Flavour
from ..mutant import Mutant, wrong

Arguments = dict[str, Any]

INTEGERS = ("max_depth", "max_entries")
SWITCHES = tuple(name for name, rule in SCHEMA["properties"].items() if rule["type"] == "boolean")


def hearing(change: Callable[[Arguments], Arguments]) -> type[Executor]:
    """An executor that hears other arguments than were said."""

    class Hearing(Executor):
        def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
            heard = change(arguments) if isinstance(arguments, dict) else arguments
            return super().execute(name, heard, context, flavour)

    return Hearing


def each(names: tuple[str, ...], change: Callable[[Any], Any]) -> Callable[[Arguments], Arguments]:
    """Changes the members of these names where they are given."""

    def changed(arguments: Arguments) -> Arguments:
        return {name: change(value) if name in names else value for name, value in arguments.items()}

    return changed


def wrapped(bits: int) -> Callable[[Any], Any]:
    return lambda value: value % 2**bits if isinstance(value, int) and value >= 2**bits else value


def without(unwanted: Callable[[str, Any], bool]) -> Callable[[Arguments], Arguments]:
    return lambda arguments: {k: v for k, v in arguments.items() if not unwanted(k, v)}


class ForbidsMore(Executor):
    def _check(self, definition: Definition, arguments: Any) -> None:
        super()._check(definition, arguments)
        if more := arguments.keys() - SCHEMA["properties"].keys():
            raise ToolError(Kind.BAD_ARGS, f"unknown argument {min(more)}")


class TakesAnything(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        heard = arguments if isinstance(arguments, dict) else {"path": "."}
        return super().execute(name, heard, context, flavour)


def as_list(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


class ClampsEntries(Reading):
    def max_entries(self) -> int:
        return int(
            min(self.arguments.get("max_entries", self.settings.max_entries), self.settings.max_entries)
        )


class EntriesBelowTheLimit(Reading):
    def max_entries(self) -> int:
        if self.arguments.get("max_entries") == self.settings.max_entries:
            raise bad(f"max_entries must be less than {self.settings.max_entries}")
        return super().max_entries()


class EntriesUpToTheBuiltIn(Reading):
    def max_entries(self) -> int:
        given = self.arguments.get("max_entries", self.settings.max_entries)
        if given > 200:
            raise bad("max_entries must be at most 200")
        return int(given)


class AnyNumberOfEntries(Reading):
    def max_entries(self) -> int:
        return int(self.arguments.get("max_entries", self.settings.max_entries))


class NoDepthCap(Reading):
    def max_depth(self) -> int:
        if self.arguments.get("recursive") and "max_depth" in self.arguments:
            return int(self.arguments["max_depth"])
        return super().max_depth()


class ClampsDepth(Reading):
    def max_depth(self) -> int:
        return min(
            NoDepthCap(self.arguments, self.settings, self.flavour).max_depth(), self.settings.max_depth
        )


class DepthBelowTheCap(Reading):
    def max_depth(self) -> int:
        if self.arguments.get("recursive") and self.arguments.get("max_depth") == self.settings.max_depth:
            raise bad(f"max_depth must be less than {self.settings.max_depth}")
        return super().max_depth()


class DepthCapIsBuiltIn(Reading):
    def max_depth(self) -> int:
        if self.arguments.get("recursive") and self.arguments.get("max_depth", 0) > 4:
            raise bad("max_depth must be at most 4")
        return super().max_depth()


class FlatIgnoresDepth(Reading):
    def max_depth(self) -> int:
        return super().max_depth() if self.arguments.get("recursive") else 1


class DepthMeansRecursive(Reading):
    def max_depth(self) -> int:
        if self.arguments.get("max_depth", 1) > 1:
            self.arguments = {**self.arguments, "recursive": True}
        return super().max_depth()


class FlatRefusesDepth(Reading):
    def max_depth(self) -> int:
        if not self.arguments.get("recursive") and "max_depth" in self.arguments:
            raise bad("max_depth needs recursive")
        return super().max_depth()


class DefaultDepth(Reading):
    DEPTH = 4

    def max_depth(self) -> int:
        if self.arguments.get("recursive") and "max_depth" not in self.arguments:
            return self.DEPTH
        return super().max_depth()


class UnlimitedByDefault(DefaultDepth):
    DEPTH = 10**6


class SpecialFilesWillDo(Reading):
    def check_kinds(self, request: Request) -> None:
        if not request.include_other:
            super().check_kinds(request)


class AnyKinds(Reading):
    def check_kinds(self, request: Request) -> None:
        pass


class FilesOrDirectories(Reading):
    def check_kinds(self, request: Request) -> None:
        if not (request.include_files or request.include_dirs):
            raise bad("at least one of include_files and include_dirs must be true")


class ExplicitKindsOnly(Reading):
    def check_kinds(self, request: Request) -> None:
        switches = ("include_files", "include_dirs", "include_symlinks")
        if all(self.arguments.get(name) is False for name in switches):
            super().check_kinds(request)


class BlankIsHere(Reading):
    def path(self) -> str:
        return super().path() if self.arguments["path"].strip() else "."


class OnlyEmptyIsBlank(Reading):
    def path(self) -> str:
        text = self.arguments["path"]
        return "." if text and not text.strip() else super().path()


class OnlySpacesAreBlank(Reading):
    def path(self) -> str:
        text = self.arguments["path"]
        return text if text.strip(" ") and not text.strip() else super().path()


class SaysNothing(Executor):
    def _check(self, definition: Definition, arguments: Any) -> None:
        try:
            super()._check(definition, arguments)
        except ToolError as error:
            raise ToolError(error.kind, "") from error


class RangesFailLate(Executor):
    """Breaches of a configured limit are found by the tool and reported as a failure of execution."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if result.kind is Kind.BAD_ARGS and "at most" in (result.message or ""):
            error = ToolError(Kind.EXECUTION_FAILED, result.message or "")
            return Result(kind=error.kind, message=message_for_caller(name, error))
        return result


def tool(reading: type[Reading]) -> ListDirectory:
    return ListDirectory(reading=reading)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-097",
        "Booleans pass for integers.",
        "SCH-LD",
        executor=hearing(each(INTEGERS, lambda value: int(value) if isinstance(value, bool) else value)),
    ),
    wrong(
        "MUT-098",
        "Null passes for an optional argument that is left out.",
        "SCH-LD",
        executor=hearing(without(lambda name, value: value is None and name != "path")),
        reading="AMB-LD-28 absent",
    ),
    wrong(
        "MUT-100",
        "Integers wrap around at 32 bits.",
        "FR-LD-VAL-04",
        "SCH-LD",
        "FR-LD-VAL-02",
        "FR-LD-VAL-06b",
        executor=hearing(each(INTEGERS, wrapped(32))),
    ),
    wrong(
        "MUT-101", "max_entries above the limit is lowered to it.", "FR-LD-VAL-04", tool=tool(ClampsEntries)
    ),
    wrong(
        "MUT-103",
        "The cap on max_depth is not enforced.",
        "FR-LD-VAL-06b",
        "CFG-LD-03",
        tool=tool(NoDepthCap),
    ),
    wrong(
        "MUT-104",
        "max_depth is ignored where recursive is false.",
        "FR-LD-VAL-02",
        "FR-LD-ERR-01",
        tool=tool(FlatIgnoresDepth),
    ),
    wrong(
        "MUT-106",
        "A recursive call without max_depth goes down without end.",
        "FR-LD-VAL-03",
        "CFG-LD-03",
        "CFG-LD-05",
        tool=tool(UnlimitedByDefault),
    ),
    wrong(
        "MUT-110",
        "That one kind must be left is checked on what the call says alone.",
        "FR-LD-VAL-05",
        tool=tool(ExplicitKindsOnly),
    ),
    wrong(
        "MUT-037",
        "Special files count as a kind that is left.",
        "FR-LD-VAL-05",
        tool=tool(SpecialFilesWillDo),
    ),
    wrong(
        "MUT-221",
        "Digits in a string pass for an integer.",
        "SCH-LD",
        executor=hearing(each(INTEGERS, lambda v: int(v) if isinstance(v, str) and v.isdigit() else v)),
    ),
    wrong(
        "MUT-222",
        "Fractions are cut off and the rest passes for an integer.",
        "SCH-LD",
        executor=hearing(each(INTEGERS, lambda v: int(v) if isinstance(v, float) and abs(v) < 9e99 else v)),
    ),
    wrong(
        "MUT-223",
        "Whatever is not empty passes for true.",
        "SCH-LD",
        executor=hearing(each(SWITCHES, lambda value: bool(value) if value is not None else value)),
    ),
    wrong(
        "MUT-224",
        "Unknown arguments are refused.",
        "SCH-LD",
        executor=ForbidsMore,
        reading="AMB-LD-29 reject",
    ),
    wrong(
        "MUT-225",
        "The names of arguments are taken in any case of letters.",
        "SCH-LD",
        executor=hearing(lambda arguments: {name.lower(): value for name, value in arguments.items()}),
    ),
    wrong(
        "MUT-226",
        "A missing path means the working directory.",
        "SCH-LD",
        executor=hearing(lambda arguments: {"path": "."} | arguments),
    ),
    wrong(
        "MUT-227",
        "Limits below 1 mean that there is none.",
        "SCH-LD",
        executor=hearing(
            without(lambda name, value: name in INTEGERS and not isinstance(value, bool | str) and value < 1)
        ),
    ),
    wrong(
        "MUT-228",
        "Arguments that are no object list the working directory.",
        "SCH-LD",
        executor=TakesAnything,
    ),
    wrong(
        "MUT-229",
        "A list of one path passes for a path.",
        "SCH-LD",
        executor=hearing(each(("path",), as_list)),
    ),
    wrong(
        "MUT-230",
        "Integers wrap around at 64 bits.",
        "FR-LD-VAL-04",
        "SCH-LD",
        "FR-LD-VAL-02",
        executor=hearing(each(INTEGERS, wrapped(64))),
    ),
    wrong(
        "MUT-231", "max_entries must stay below the limit.", "FR-LD-VAL-04", tool=tool(EntriesBelowTheLimit)
    ),
    wrong(
        "MUT-232",
        "max_entries may be at most 200, whatever is configured.",
        "FR-LD-VAL-04",
        "FR-LD-LST-02",
        "FR-LD-LST-07",
        "FR-LD-OUT-03",
        "FR-LD-OUT-07",
        "FR-LD-OUT-08",
        "SCH-LD",
        tool=tool(EntriesUpToTheBuiltIn),
    ),
    wrong("MUT-233", "max_entries has no limit at all.", "FR-LD-VAL-04", tool=tool(AnyNumberOfEntries)),
    wrong(
        "MUT-234",
        "max_depth beyond the cap is lowered to it.",
        "FR-LD-VAL-06b",
        "CFG-LD-03",
        tool=tool(ClampsDepth),
    ),
    wrong("MUT-235", "max_depth must stay below the cap.", "FR-LD-VAL-06b", tool=tool(DepthBelowTheCap)),
    wrong(
        "MUT-236",
        "max_depth may be at most 4, whatever is configured.",
        "FR-LD-VAL-06b",
        "CFG-LD-03",
        tool=tool(DepthCapIsBuiltIn),
    ),
    wrong(
        "MUT-237",
        "max_depth above 1 makes a call recursive.",
        "FR-LD-VAL-02",
        "FR-LD-ERR-01",
        tool=tool(DepthMeansRecursive),
    ),
    wrong(
        "MUT-238", "A flat listing refuses any max_depth, 1 too.", "FR-LD-VAL-02", tool=tool(FlatRefusesDepth)
    ),
    wrong(
        "MUT-239",
        "A recursive call without max_depth goes four levels deep, whatever is configured.",
        "FR-LD-VAL-03",
        "CFG-LD-03",
        tool=tool(DefaultDepth),
    ),
    wrong("MUT-241", "All kinds may be switched off.", "FR-LD-VAL-05", tool=tool(AnyKinds)),
    wrong("MUT-242", "Symlinks alone are not kind enough.", "FR-LD-VAL-05", tool=tool(FilesOrDirectories)),
    wrong("MUT-243", "A blank path means the working directory.", "FR-LD-VAL-01", tool=tool(BlankIsHere)),
    wrong(
        "MUT-244",
        "Only an empty path is refused; white space means the working directory.",
        "FR-LD-VAL-01",
        tool=tool(OnlyEmptyIsBlank),
    ),
    wrong(
        "MUT-245",
        "Only spaces count as blank; a tab is looked for as a name.",
        "FR-LD-VAL-01",
        tool=tool(OnlySpacesAreBlank),
    ),
    wrong(
        "MUT-246",
        "What the schema refuses is refused without a word.",
        "FR-LD-ERR-01",
        "SCH-LD",
        executor=SaysNothing,
    ),
    wrong(
        "MUT-247",
        "A limit that is exceeded is reported as ExecutionFailed.",
        "FR-LD-ERR-01",
        "FR-LD-VAL-04",
        "FR-LD-VAL-06b",
        "CFG-LD-03",
        executor=RangesFailLate,
    ),
)
