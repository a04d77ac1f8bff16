"""Wrong in the limits that depend on the configuration: max_entries and max_depth."""

from typing import Any

from ...context import CallContext
from ...errors import Kind, ToolError, message_for_caller
from ...executor import Executor, Result
from ...list_directory import ListDirectory
from ...listing.request import Reading, bad
from ...paths import Flavour
from ..mutant import Mutant
from .implied import REFUSED
from .made import wrong


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
        "MUT-101",
        "max_entries above the limit is lowered to it.",
        "FR-LD-VAL-04",
        *REFUSED,
        tool=tool(ClampsEntries),
    ),
    wrong(
        "MUT-103",
        "The cap on max_depth is not enforced.",
        "FR-LD-VAL-06b",
        "CFG-LD-03",
        *REFUSED,
        tool=tool(NoDepthCap),
    ),
    wrong(
        "MUT-104",
        "max_depth is ignored where recursive is false.",
        "FR-LD-VAL-02",
        "FR-LD-ERR-01",
        *REFUSED,
        tool=tool(FlatIgnoresDepth),
    ),
    wrong(
        "MUT-106",
        "A recursive call without max_depth goes down without end.",
        "FR-LD-VAL-03",
        "CFG-LD-03",
        "CFG-LD-05",
        "FR-LD-LST-02",
        "FR-LD-LST-08",
        "FR-LD-VAL-06b",
        tool=tool(UnlimitedByDefault),
    ),
    wrong(
        "MUT-231",
        "max_entries must stay below the limit.",
        "FR-LD-VAL-04",
        "FR-LD-LST-07",
        "FR-LD-OUT-08",
        "SCH-LD",
        tool=tool(EntriesBelowTheLimit),
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
        "EF-04",
        "FR-LD-VAL-06",
        tool=tool(EntriesUpToTheBuiltIn),
    ),
    wrong(
        "MUT-233", "max_entries has no limit at all.", "FR-LD-VAL-04", *REFUSED, tool=tool(AnyNumberOfEntries)
    ),
    wrong(
        "MUT-234",
        "max_depth beyond the cap is lowered to it.",
        "FR-LD-VAL-06b",
        "CFG-LD-03",
        *REFUSED,
        tool=tool(ClampsDepth),
    ),
    wrong(
        "MUT-235",
        "max_depth must stay below the cap.",
        "FR-LD-VAL-06b",
        "CFG-LD-01",
        "CFG-LD-03",
        "NFR-LD-PERF-01",
        "SCH-LD",
        "T-LD-04",
        tool=tool(DepthBelowTheCap),
    ),
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
        *REFUSED,
        tool=tool(DepthMeansRecursive),
    ),
    wrong(
        "MUT-238",
        "A flat listing refuses any max_depth, 1 too.",
        "FR-LD-VAL-02",
        "FR-LD-LST-01",
        "SCH-LD",
        tool=tool(FlatRefusesDepth),
    ),
    wrong(
        "MUT-239",
        "A recursive call without max_depth goes four levels deep, whatever is configured.",
        "FR-LD-VAL-03",
        "CFG-LD-03",
        "FR-LD-LST-02",
        tool=tool(DefaultDepth),
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
