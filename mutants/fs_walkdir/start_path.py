"""Mutants: errors in the arguments and in the start of the walk."""

import os
from typing import Any

from treeproof.reference_impl.fs_walkdir.request import ArgumentParser, CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartMissing, StartResolver
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import build_mutant


class IgnoresFurther(ArgumentParser):
    def check_names(self, arguments: dict[str, Any]) -> None:
        if "path" not in arguments:
            raise CallRefused("path is missing")


class SameNameTwice(ArgumentParser):
    """Takes the name in another case for the same argument, so that the last one counts."""

    def parse_path(self, arguments: Any) -> str:
        twice = isinstance(arguments, dict) and len(arguments) == 2 and {name.lower() for name in arguments} == {"path"}
        return super().parse_path({"path": list(arguments.values())[-1]} if twice else arguments)


class DotByDefault(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        return super().parse_path(arguments or {"path": "."})


class TakesAnything(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        values = {"true": True, "null": None}
        text = next((word for word, value in values.items() if arguments.get("path", 0) is value), None)
        return super().parse_path({**arguments, "path": text or str(arguments.get("path"))} if arguments else arguments)


class FirstOfAList(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        path = arguments.get("path")
        return super().parse_path({**arguments, "path": path[0]} if isinstance(path, list) and path else arguments)


class EmptyIsDot(ArgumentParser):
    def check_text(self, text: str) -> None:
        if "\0" in text:
            raise CallRefused("NUL")


class BlankIsEmpty(ArgumentParser):
    def check_text(self, text: str) -> None:
        super().check_text(text.strip())


class Trims(ArgumentParser):
    def parse_path(self, arguments: Any) -> str:
        return super().parse_path(arguments).strip() or "."


class CutsAtNul(ArgumentParser):
    def check_text(self, text: str) -> None:
        super().check_text(text.partition("\0")[0])

    def parse_path(self, arguments: Any) -> str:
        return super().parse_path(arguments).partition("\0")[0]


class SlashLeadsUp(StartResolver):
    def normalise_path(self, path: str) -> str:
        """Take what is before the last slash, as functions for the name of a directory do."""
        normalised = super().normalise_path(path)
        return normalised.rpartition("/")[0] or "." if path.endswith("/") else normalised


class NoDot(StartResolver):
    def normalise_path(self, path: str) -> str:
        cleaned = super().normalise_path(path)
        if cleaned == ".":
            raise CallRefused("the sandbox itself is not walked")
        return cleaned


class NoLeadingDots(StartResolver):
    def normalise_path(self, path: str) -> str:
        if path.startswith(".."):
            raise CallRefused("the path leads out")
        return super().normalise_path(path)


class SmallLetters(StartResolver):
    def normalise_path(self, path: str) -> str:
        return super().normalise_path(path).lower()


class Expands(StartResolver):
    def normalise_path(self, path: str) -> str:
        return super().normalise_path(os.path.expandvars(os.path.expanduser(path)))


class Unquotes(StartResolver):
    def normalise_path(self, path: str) -> str:
        return super().normalise_path(path.replace("%2e", "."))


class Unconfined(StartResolver):
    def refuse_absolute(self, cleaned: str) -> None:
        pass

    def real(self, cleaned: str) -> bytes:
        return os.fsencode(os.path.realpath(os.path.join(self._context.working_dir, cleaned)))

    def resolve_in_sandbox(self, cleaned: str) -> Place:
        return self.at(self.real(cleaned))

    def at(self, path: bytes) -> Place:
        try:
            os.stat(path)
        except OSError as error:
            return Place(path, (), error.errno)
        return Place(path, ())

    @property
    def root(self) -> bytes:
        return os.fsencode(os.path.realpath(self._context.working_dir))


class ByPrefix(Unconfined):
    def resolve_in_sandbox(self, cleaned: str) -> Place:
        if not self.real(cleaned).startswith(self.root):
            raise CallRefused("the path leads out")
        return super().resolve_in_sandbox(cleaned)


class ByText(Unconfined):
    """Checks the text of the path only, and follows all links."""

    def refuse_absolute(self, cleaned: str) -> None:
        StartResolver.refuse_absolute(self, cleaned)
        if cleaned == ".." or cleaned.startswith("../"):
            raise CallRefused("the path leads out")


class ByAnyCase(Unconfined):
    """A path that differs from the sandbox's in case only is inside."""

    def refuse_absolute(self, cleaned: str) -> None:
        StartResolver.refuse_absolute(self, cleaned)

    def resolve_in_sandbox(self, cleaned: str) -> Place:
        real, root = self.real(cleaned).lower(), self.root.lower()
        if real != root and not real.startswith(root + b"/"):
            raise CallRefused("the path leads out")
        return super().resolve_in_sandbox(cleaned)


class LinksByAnyCase(ByAnyCase):
    def refuse_absolute(self, cleaned: str) -> None:
        StartResolver.refuse_absolute(self, cleaned)
        if ".." in cleaned.split("/"):
            raise CallRefused("the path leads out")


class LastStepOnly(ByText):
    """Checks only the target of the last component."""

    def resolve_in_sandbox(self, cleaned: str) -> Place:
        path = os.path.join(self._context.working_dir, cleaned)
        if os.path.islink(path) and not self.real(cleaned).startswith(self.root + b"/"):
            raise CallRefused("the link leads out")
        return super().resolve_in_sandbox(cleaned)


class AbsoluteAnywhere(Unconfined):
    def resolve_in_sandbox(self, cleaned: str) -> Place:
        return (
            super().resolve_in_sandbox(cleaned)
            if cleaned.startswith("/")
            else StartResolver.resolve_in_sandbox(self, cleaned)
        )


class OutsideIsMissing(StartResolver):
    def resolve_in_sandbox(self, cleaned: str) -> Place:
        try:
            return super().resolve_in_sandbox(cleaned)
        except CallRefused as refusal:
            raise StartMissing(str(refusal)) from refusal


class OutsideByLinksIsMissing(StartResolver):
    def resolve_in_sandbox(self, cleaned: str) -> Place:
        try:
            return super().resolve_in_sandbox(cleaned)
        except CallRefused as refusal:
            if ".." in cleaned.split("/"):
                raise
            raise StartMissing(str(refusal)) from refusal


class TrimsAround(StartResolver):
    def normalise_path(self, path: str) -> str:
        return super().normalise_path(path.strip() or path)


class RaisesWhenMissing(StartResolver):
    def error_of_errno(self, code: int) -> Exception:
        found = super().error_of_errno(code)
        return ToolError(ErrorKind.EXECUTION_FAILED, "missing") if isinstance(found, StartMissing) else found


class RaisesWhenUnreachable(StartResolver):
    def error_of_errno(self, code: int) -> Exception:
        found = super().error_of_errno(code)
        return (
            found if isinstance(found, StartMissing) else ToolError(ErrorKind.EXECUTION_FAILED, "cannot be looked at")
        )


class UnreachableIsEmpty(StartResolver):
    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except CallRefused as refusal:
            if "cannot be looked at" in str(refusal):
                return None
            raise


class SlashNamesTheLink(StartResolver):
    """Takes a link with a slash behind it for a file."""

    def resolve(self, path: str) -> Place | None:
        place = super().resolve(path)
        if place is None and path.endswith(("/", "/.")):
            return Place(os.path.dirname(os.fsencode(os.path.join(self._context.working_dir, path.rstrip("/.")))), ())
        return place


SPELLINGS = "WD-ARG-04 WD-ARG-05 WD-ENT-02 WD-WALK-02 WD-RET-02 WD-ERR-05 WD-SEC-02"
OUT = "WD-SEC-01 WD-SEC-02"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-WD-070", "A second argument is ignored.", "WD-ARG-01", argument_parser=IgnoresFurther),
    build_mutant(
        "MUT-WD-186",
        "The name in another case is the same argument, and the last one counts.",
        "WD-ARG-01",
        argument_parser=SameNameTwice,
    ),
    build_mutant(
        "MUT-WD-071", "Without an argument, the sandbox is walked.", "WD-ARG-01", argument_parser=DotByDefault
    ),
    build_mutant("MUT-WD-073", "Values that are no string are converted.", "WD-ARG-02", argument_parser=TakesAnything),
    build_mutant("MUT-WD-074", "The first path of a list is walked.", "WD-ARG-02", argument_parser=FirstOfAList),
    build_mutant(
        "MUT-WD-075",
        "The empty path is the sandbox.",
        "WD-ARG-03",
        argument_parser=EmptyIsDot,
    ),
    build_mutant("MUT-WD-076", "A path of blanks counts as empty.", "WD-ARG-04", argument_parser=BlankIsEmpty),
    build_mutant(
        "MUT-WD-077",
        "Blanks around a path are removed.",
        "WD-ARG-04 WD-ERR-03",
        argument_parser=Trims,
    ),
    build_mutant("MUT-WD-078", "A path ends at a NUL.", "WD-ERR-02 WD-LOG-01", argument_parser=CutsAtNul),
    build_mutant("MUT-WD-080", "A trailing slash leads to the parent.", SPELLINGS, start=SlashLeadsUp),
    build_mutant(
        "MUT-WD-081",
        "The sandbox itself is refused.",
        "WD-ARG-05",
        SPELLINGS,
        "WD-ENT-01 WD-SYN-01 WD-ERR-06 WD-LOG-01 WD-WALK-01",
        start=NoDot,
    ),
    build_mutant(
        "MUT-WD-082",
        "A name that begins with two dots is refused.",
        "WD-ARG-04 WD-WALK-01",
        start=NoLeadingDots,
    ),
    build_mutant("MUT-WD-083", "A path becomes lower case.", "WD-ARG-04", start=SmallLetters),
    build_mutant("MUT-WD-084", "A tilde and variables are expanded.", "WD-ARG-04", start=Expands),
    build_mutant("MUT-WD-085", "Percent escapes are decoded.", "WD-ARG-04", start=Unquotes),
    build_mutant("MUT-WD-088", "There is no sandbox.", OUT, start=Unconfined),
    build_mutant("MUT-WD-089", "A path that begins with the sandbox's text is inside.", OUT, start=ByPrefix),
    build_mutant(
        "MUT-WD-090",
        "Only the text of a path is checked.",
        "WD-SEC-02",
        start=ByText,
    ),
    build_mutant(
        "MUT-WD-091",
        "Links before the last component are not checked.",
        "WD-SEC-02",
        start=LastStepOnly,
    ),
    build_mutant(
        "MUT-WD-152",
        "A path that differs in case only from the sandbox's is inside.",
        "WD-SEC-01 WD-SEC-02",
        start=ByAnyCase,
    ),
    build_mutant(
        "MUT-WD-153",
        "Targets of links are checked case-insensitively.",
        "WD-SEC-02",
        start=LinksByAnyCase,
    ),
    build_mutant("MUT-WD-092", "Absolute paths outside are accepted.", OUT, start=AbsoluteAnywhere),
    build_mutant(
        "MUT-WD-093",
        "A path outside is not logged, like a missing one.",
        "WD-LOG-01",
        start=OutsideIsMissing,
    ),
    build_mutant(
        "MUT-WD-144",
        "A path outside through a link is not logged.",
        "WD-LOG-01",
        start=OutsideByLinksIsMissing,
    ),
    build_mutant(
        "MUT-WD-145",
        "Leading and trailing blanks of the path are ignored.",
        "WD-ARG-04 WD-ERR-03",
        start=TrimsAround,
    ),
    build_mutant(
        "MUT-WD-095",
        "A missing start fails the call.",
        "WD-ERR-01 WD-ERR-03 WD-LAST-01",
        start=RaisesWhenMissing,
    ),
    build_mutant(
        "MUT-WD-096",
        "A start without metadata fails the call.",
        "WD-ERR-04 WD-ERR-01",
        start=RaisesWhenUnreachable,
    ),
    build_mutant(
        "MUT-WD-178", "A start that cannot be looked at gives the empty list.", "WD-ERR-04", start=UnreachableIsEmpty
    ),
    build_mutant(
        "MUT-WD-179",
        "A link with a slash behind it as start gives the list of its own directory.",
        "WD-WALK-04",
        start=SlashNamesTheLink,
    ),
)
