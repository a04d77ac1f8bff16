"""Mutants: errors in the limits max_entries and max_depth."""

from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.request import ArgumentParser, bad_arguments
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError, message_for_caller
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import REFUSED


class ClampsEntries(ArgumentParser):
    def parse_max_entries(self) -> int:
        return int(min(self.arguments.get("max_entries", self.settings.max_entries), self.settings.max_entries))


class EntriesBelowTheLimit(ArgumentParser):
    def parse_max_entries(self) -> int:
        if self.arguments.get("max_entries") == self.settings.max_entries:
            raise bad_arguments(f"max_entries must be less than {self.settings.max_entries}")
        return super().parse_max_entries()


class EntriesUpToTheBuiltIn(ArgumentParser):
    def parse_max_entries(self) -> int:
        given = self.arguments.get("max_entries", self.settings.max_entries)
        if given > 200:
            raise bad_arguments("max_entries must be at most 200")
        return int(given)


class AnyNumberOfEntries(ArgumentParser):
    def parse_max_entries(self) -> int:
        return int(self.arguments.get("max_entries", self.settings.max_entries))


class NoDepthCap(ArgumentParser):
    def parse_max_depth(self) -> int:
        if self.arguments.get("recursive") and "max_depth" in self.arguments:
            return int(self.arguments["max_depth"])
        return super().parse_max_depth()


class ClampsDepth(ArgumentParser):
    def parse_max_depth(self) -> int:
        return min(NoDepthCap(self.arguments, self.settings, self.flavour).parse_max_depth(), self.settings.max_depth)


class DepthBelowTheCap(ArgumentParser):
    def parse_max_depth(self) -> int:
        if self.arguments.get("recursive") and self.arguments.get("max_depth") == self.settings.max_depth:
            raise bad_arguments(f"max_depth must be less than {self.settings.max_depth}")
        return super().parse_max_depth()


class DepthCapIsBuiltIn(ArgumentParser):
    def parse_max_depth(self) -> int:
        if self.arguments.get("recursive") and self.arguments.get("max_depth", 0) > 4:
            raise bad_arguments("max_depth must be at most 4")
        return super().parse_max_depth()


class FlatIgnoresDepth(ArgumentParser):
    def parse_max_depth(self) -> int:
        return super().parse_max_depth() if self.arguments.get("recursive") else 1


class DepthMeansRecursive(ArgumentParser):
    def parse_max_depth(self) -> int:
        if self.arguments.get("max_depth", 1) > 1:
            self.arguments = {**self.arguments, "recursive": True}
        return super().parse_max_depth()


class FlatRefusesDepth(ArgumentParser):
    def parse_max_depth(self) -> int:
        if not self.arguments.get("recursive") and "max_depth" in self.arguments:
            raise bad_arguments("max_depth needs recursive")
        return super().parse_max_depth()


class DefaultDepth(ArgumentParser):
    DEPTH = 4

    def parse_max_depth(self) -> int:
        if self.arguments.get("recursive") and "max_depth" not in self.arguments:
            return self.DEPTH
        return super().parse_max_depth()


class UnlimitedByDefault(DefaultDepth):
    DEPTH = 10**6


class RangesFailLate(Executor):
    """The tool reports exceeded limits as a failure of execution."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if result.kind is ErrorKind.BAD_ARGS and "at most" in (result.message or ""):
            error = ToolError(ErrorKind.EXECUTION_FAILED, result.message or "")
            return Result(kind=error.kind, message=message_for_caller(name, error))
        return result


def with_argument_parser(reading: type[ArgumentParser]) -> ListDirectory:
    return ListDirectory(argument_parser=reading)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-101",
        "max_entries above the limit is reduced to it.",
        "FR-LD-VAL-04",
        REFUSED,
        tool=with_argument_parser(ClampsEntries),
    ),
    build_mutant(
        "MUT-103",
        "The cap on max_depth is not enforced.",
        "FR-LD-VAL-06b CFG-LD-03",
        REFUSED,
        tool=with_argument_parser(NoDepthCap),
    ),
    build_mutant(
        "MUT-104",
        "max_depth is ignored where recursive is false.",
        "FR-LD-VAL-02 FR-LD-ERR-01",
        REFUSED,
        tool=with_argument_parser(FlatIgnoresDepth),
    ),
    build_mutant(
        "MUT-106",
        "A recursive call without max_depth has no depth limit.",
        "FR-LD-VAL-03 CFG-LD-03 CFG-LD-05 FR-LD-LST-02 FR-LD-LST-08 FR-LD-VAL-06b",
        tool=with_argument_parser(UnlimitedByDefault),
    ),
    build_mutant(
        "MUT-231",
        "max_entries must stay below the limit.",
        "FR-LD-VAL-04 FR-LD-LST-07 FR-LD-OUT-08 SCH-LD",
        tool=with_argument_parser(EntriesBelowTheLimit),
    ),
    build_mutant(
        "MUT-232",
        "max_entries may be at most 200, whatever is configured.",
        "FR-LD-VAL-04 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 SCH-LD EF-04 FR-LD-VAL-06",
        tool=with_argument_parser(EntriesUpToTheBuiltIn),
    ),
    build_mutant(
        "MUT-233",
        "max_entries has no limit at all.",
        "FR-LD-VAL-04",
        REFUSED,
        tool=with_argument_parser(AnyNumberOfEntries),
    ),
    build_mutant(
        "MUT-234",
        "max_depth above the cap is reduced to it.",
        "FR-LD-VAL-06b CFG-LD-03",
        REFUSED,
        tool=with_argument_parser(ClampsDepth),
    ),
    build_mutant(
        "MUT-235",
        "max_depth must stay below the cap.",
        "FR-LD-VAL-06b CFG-LD-01 CFG-LD-03 NFR-LD-PERF-01 SCH-LD T-LD-04",
        tool=with_argument_parser(DepthBelowTheCap),
    ),
    build_mutant(
        "MUT-236",
        "max_depth may be at most 4, whatever is configured.",
        "FR-LD-VAL-06b CFG-LD-03",
        tool=with_argument_parser(DepthCapIsBuiltIn),
    ),
    build_mutant(
        "MUT-237",
        "max_depth above 1 makes a call recursive.",
        "FR-LD-VAL-02 FR-LD-ERR-01",
        REFUSED,
        tool=with_argument_parser(DepthMeansRecursive),
    ),
    build_mutant(
        "MUT-238",
        "A flat listing refuses any max_depth, even 1.",
        "FR-LD-VAL-02 FR-LD-LST-01 SCH-LD",
        tool=with_argument_parser(FlatRefusesDepth),
    ),
    build_mutant(
        "MUT-239",
        "A recursive call without max_depth has four levels, whatever the configuration.",
        "FR-LD-VAL-03 CFG-LD-03 FR-LD-LST-02",
        tool=with_argument_parser(DefaultDepth),
    ),
    build_mutant(
        "MUT-247",
        "An exceeded limit is reported as ExecutionFailed.",
        "FR-LD-ERR-01 FR-LD-VAL-04 FR-LD-VAL-06b CFG-LD-03",
        executor=RangesFailLate,
    ),
)
