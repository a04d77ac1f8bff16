"""Wrong in what arguments mean beyond the schema: no kind is left, or the path is blank."""

from ...list_directory import ListDirectory
from ...listing.request import Reading, Request, bad
from ..mutant import Mutant
from .implied import REFUSED
from .made import wrong


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


def tool(reading: type[Reading]) -> ListDirectory:
    return ListDirectory(reading=reading)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-037",
        "Special files count as a kind that is left.",
        "FR-LD-VAL-05",
        *REFUSED,
        tool=tool(SpecialFilesWillDo),
    ),
    wrong(
        "MUT-110",
        "That one kind must be left is checked on what the call says alone.",
        "FR-LD-VAL-05",
        *REFUSED,
        tool=tool(ExplicitKindsOnly),
    ),
    wrong("MUT-241", "All kinds may be switched off.", "FR-LD-VAL-05", *REFUSED, tool=tool(AnyKinds)),
    wrong(
        "MUT-242",
        "Symlinks alone are not kind enough.",
        "FR-LD-VAL-05",
        "FR-LD-LST-06",
        "FR-LD-VAL-06",
        "FR-LD-VAL-09",
        tool=tool(FilesOrDirectories),
    ),
    wrong(
        "MUT-243",
        "A blank path means the working directory.",
        "FR-LD-VAL-01",
        *REFUSED,
        tool=tool(BlankIsHere),
    ),
    wrong(
        "MUT-244",
        "Only an empty path is refused; white space means the working directory.",
        "FR-LD-VAL-01",
        *REFUSED,
        tool=tool(OnlyEmptyIsBlank),
    ),
    wrong(
        "MUT-245",
        "Only spaces count as blank; a tab is looked for as a name.",
        "FR-LD-VAL-01",
        *REFUSED,
        tool=tool(OnlySpacesAreBlank),
    ),
)
