"""Mutants: errors in the meaning of arguments beyond the schema."""

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.request import ArgumentParser, Request, bad_arguments

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import REFUSED


class SpecialFilesWillDo(ArgumentParser):
    def check_switches(self, request: Request) -> None:
        if not request.include_other:
            super().check_switches(request)


class AnyKinds(ArgumentParser):
    def check_switches(self, request: Request) -> None:
        pass


class FilesOrDirectories(ArgumentParser):
    def check_switches(self, request: Request) -> None:
        if not (request.include_files or request.include_dirs):
            raise bad_arguments("at least one of include_files and include_dirs must be true")


class ExplicitKindsOnly(ArgumentParser):
    def check_switches(self, request: Request) -> None:
        switches = ("include_files", "include_dirs", "include_symlinks")
        if all(self.arguments.get(name) is False for name in switches):
            super().check_switches(request)


class BlankIsHere(ArgumentParser):
    def parse_path(self) -> str:
        return super().parse_path() if self.arguments["path"].strip() else "."


class OnlyEmptyIsBlank(ArgumentParser):
    def parse_path(self) -> str:
        text = self.arguments["path"]
        return "." if text and not text.strip() else super().parse_path()


class OnlySpacesAreBlank(ArgumentParser):
    def parse_path(self) -> str:
        text = self.arguments["path"]
        return text if text.strip(" ") and not text.strip() else super().parse_path()


def with_argument_parser(reading: type[ArgumentParser]) -> ListDirectory:
    return ListDirectory(argument_parser=reading)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-037",
        "Special files count as an included type.",
        "FR-LD-VAL-05",
        REFUSED,
        tool=with_argument_parser(SpecialFilesWillDo),
    ),
    build_mutant(
        "MUT-110",
        "Only the call's arguments are checked for an included type.",
        "FR-LD-VAL-05",
        REFUSED,
        tool=with_argument_parser(ExplicitKindsOnly),
    ),
    build_mutant(
        "MUT-241",
        "All types may be excluded.",
        "FR-LD-VAL-05",
        REFUSED,
        tool=with_argument_parser(AnyKinds),
    ),
    build_mutant(
        "MUT-242",
        "Symlinks alone do not suffice as an included type.",
        "FR-LD-VAL-05 FR-LD-LST-06 FR-LD-VAL-06 FR-LD-VAL-09",
        tool=with_argument_parser(FilesOrDirectories),
    ),
    build_mutant(
        "MUT-243",
        "A blank path means the working directory.",
        "FR-LD-VAL-01",
        REFUSED,
        tool=with_argument_parser(BlankIsHere),
    ),
    build_mutant(
        "MUT-244",
        "Only an empty path is refused; white space means the working directory.",
        "FR-LD-VAL-01",
        REFUSED,
        tool=with_argument_parser(OnlyEmptyIsBlank),
    ),
    build_mutant(
        "MUT-245",
        "Only spaces count as blank; a tab is used as a name.",
        "FR-LD-VAL-01",
        REFUSED,
        tool=with_argument_parser(OnlySpacesAreBlank),
    ),
)
