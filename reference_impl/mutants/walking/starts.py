"""Wrong in how a call is understood and where its walk begins."""

import os
from typing import Any

from ...errors import Kind, ToolError
from ...sandbox import Place
from ...walking.argument import Argument, Refused
from ...walking.start import Missing, Start
from ..mutant import Mutant
from .made import wrong


class IgnoresFurther(Argument):
    def check_names(self, arguments: dict[str, Any]) -> None:
        if "path" not in arguments:
            raise Refused("path is missing")


class DotByDefault(Argument):
    def path(self, arguments: Any) -> str:
        return super().path(arguments or {"path": "."})


class AnyCaseOfName(Argument):
    def path(self, arguments: Any) -> str:
        return super().path({key.lower(): value for key, value in arguments.items()})


class TakesAnything(Argument):
    def path(self, arguments: Any) -> str:
        values = {"true": True, "null": None}
        text = next((word for word, value in values.items() if arguments.get("path", 0) is value), None)
        return super().path(
            {**arguments, "path": text or str(arguments.get("path"))} if arguments else arguments
        )


class FirstOfAList(Argument):
    def path(self, arguments: Any) -> str:
        path = arguments.get("path")
        return super().path({**arguments, "path": path[0]} if isinstance(path, list) and path else arguments)


class EmptyIsDot(Argument):
    def check_text(self, text: str) -> None:
        if "\0" in text:
            raise Refused("NUL")


class BlankIsEmpty(Argument):
    def check_text(self, text: str) -> None:
        super().check_text(text.strip())


class Trims(Argument):
    def path(self, arguments: Any) -> str:
        return super().path(arguments).strip() or "."


class CutsAtNul(Argument):
    def check_text(self, text: str) -> None:
        super().check_text(text.partition("\0")[0])

    def path(self, arguments: Any) -> str:
        return super().path(arguments).partition("\0")[0]


class NoDots(Start):
    def cleaned(self, path: str) -> str:
        if path != "." and ("//" in path or "." in path.split("/")):
            raise Refused("the path is not clean")
        return super().cleaned(path)


class NoSlashBehind(Start):
    def cleaned(self, path: str) -> str:
        if path.endswith("/"):
            raise Refused("the path ends in a slash")
        return super().cleaned(path)


class NoDot(Start):
    def cleaned(self, path: str) -> str:
        cleaned = super().cleaned(path)
        if cleaned == ".":
            raise Refused("the sandbox itself is not walked")
        return cleaned


class NoLeadingDots(Start):
    def cleaned(self, path: str) -> str:
        if path.startswith(".."):
            raise Refused("the path leads out")
        return super().cleaned(path)


class SmallLetters(Start):
    def cleaned(self, path: str) -> str:
        return super().cleaned(path).lower()


class Expands(Start):
    def cleaned(self, path: str) -> str:
        return super().cleaned(os.path.expandvars(os.path.expanduser(path)))


class Unquotes(Start):
    def cleaned(self, path: str) -> str:
        return super().cleaned(path.replace("%2e", "."))


class SlashIsTheSandbox(Start):
    def cleaned(self, path: str) -> str:
        return super().cleaned(path.lstrip("/") or ".")


class AbsoluteInside(Start):
    def cleaned(self, path: str) -> str:
        root = self._context.working_dir
        return super().cleaned("." + path[len(root) :] if path.startswith(root + "/") else path)


class Unconfined(Start):
    def refuse_absolute(self, cleaned: str) -> None:
        pass

    def real(self, cleaned: str) -> bytes:
        return os.fsencode(os.path.realpath(os.path.join(self._context.working_dir, cleaned)))

    def confined(self, cleaned: str) -> Place:
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
    def confined(self, cleaned: str) -> Place:
        if not self.real(cleaned).startswith(self.root):
            raise Refused("the path leads out")
        return super().confined(cleaned)


class ByText(Unconfined):
    """Looks at the text of the path only, and follows whatever links there are."""

    def refuse_absolute(self, cleaned: str) -> None:
        Start.refuse_absolute(self, cleaned)
        if cleaned == ".." or cleaned.startswith("../"):
            raise Refused("the path leads out")


class ByAnyCase(Unconfined):
    """Whatever differs from the sandbox's path in case only is the sandbox to it."""

    def refuse_absolute(self, cleaned: str) -> None:
        Start.refuse_absolute(self, cleaned)

    def confined(self, cleaned: str) -> Place:
        real, root = self.real(cleaned).lower(), self.root.lower()
        if real != root and not real.startswith(root + b"/"):
            raise Refused("the path leads out")
        return super().confined(cleaned)


class LinksByAnyCase(ByAnyCase):
    def refuse_absolute(self, cleaned: str) -> None:
        Start.refuse_absolute(self, cleaned)
        if ".." in cleaned.split("/"):
            raise Refused("the path leads out")


class LastStepOnly(ByText):
    """Looks where the last component leads, and trusts those before it."""

    def confined(self, cleaned: str) -> Place:
        path = os.path.join(self._context.working_dir, cleaned)
        if os.path.islink(path) and not self.real(cleaned).startswith(self.root + b"/"):
            raise Refused("the link leads out")
        return super().confined(cleaned)


class AbsoluteAnywhere(Unconfined):
    def confined(self, cleaned: str) -> Place:
        return super().confined(cleaned) if cleaned.startswith("/") else Start.confined(self, cleaned)


class WaysOutAreMissing(Start):
    def confined(self, cleaned: str) -> Place:
        try:
            return super().confined(cleaned)
        except Refused as refusal:
            raise Missing(str(refusal)) from refusal


class WaysOutByLinksAreMissing(Start):
    def confined(self, cleaned: str) -> Place:
        try:
            return super().confined(cleaned)
        except Refused as why:
            if ".." in cleaned.split("/"):
                raise
            raise Missing(str(why)) from why


class TrimsAround(Start):
    def cleaned(self, path: str) -> str:
        return super().cleaned(path.strip() or path)


class Undecided(Start):
    """Relative links are walked, absolute ones are not."""

    def is_link(self, cleaned: str) -> bool:
        path = os.path.join(self._context.working_dir, cleaned)
        return os.path.islink(path) and os.readlink(path).startswith("/")


class RaisesWhenMissing(Start):
    def obstructed(self, code: int) -> Exception:
        found = super().obstructed(code)
        return ToolError(Kind.EXECUTION_FAILED, "missing") if isinstance(found, Missing) else found


class RaisesWhenUnreachable(Start):
    def obstructed(self, code: int) -> Exception:
        found = super().obstructed(code)
        return (
            found if isinstance(found, Missing) else ToolError(Kind.EXECUTION_FAILED, "cannot be looked at")
        )


class RaisesWhenInvalid(Start):
    def confined(self, cleaned: str) -> Place:
        try:
            return super().confined(cleaned)
        except Refused as refusal:
            raise ToolError(Kind.SANDBOX_VIOLATION, str(refusal)) from refusal


SPELLINGS = ("WD-ARG-04", "WD-ARG-05", "WD-ENT-02", "WD-WALK-02", "WD-RET-02", "WD-ERR-05", "WD-SEC-02")
OUT = ("WD-SEC-01", "WD-SEC-02", "WD-ERR-02", "WD-ARG-04", "WD-ERR-01", "WD-LOG-01")

MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-WD-070", "A second argument is ignored.", "WD-ARG-01", argument=IgnoresFurther),
    wrong("MUT-WD-071", "Without an argument the sandbox is walked.", "WD-ARG-01", argument=DotByDefault),
    wrong("MUT-WD-072", "The name of the argument may have any case.", "WD-ARG-01", argument=AnyCaseOfName),
    wrong("MUT-WD-073", "Whatever is no string is written as one.", "WD-ARG-02", argument=TakesAnything),
    wrong("MUT-WD-074", "The first path of a list is walked.", "WD-ARG-02", argument=FirstOfAList),
    wrong(
        "MUT-WD-075",
        "The empty path is the sandbox.",
        "WD-ARG-03",
        "WD-ERR-01",
        "WD-LOG-01",
        argument=EmptyIsDot,
    ),
    wrong("MUT-WD-076", "A path of blanks is refused as empty.", "WD-ARG-03", argument=BlankIsEmpty),
    wrong(
        "MUT-WD-077",
        "Blanks around a path are cut off.",
        "WD-ARG-03",
        "WD-ARG-04",
        "WD-ERR-03",
        argument=Trims,
    ),
    wrong("MUT-WD-078", "A path ends at a NUL.", "WD-ERR-02", "WD-LOG-01", argument=CutsAtNul),
    wrong("MUT-WD-079", "A path that is not clean is refused.", *SPELLINGS, start=NoDots),
    wrong("MUT-WD-080", "A slash at the end is refused.", *SPELLINGS, start=NoSlashBehind),
    wrong(
        "MUT-WD-081",
        "The sandbox itself is refused.",
        "WD-ARG-05",
        *SPELLINGS,
        "WD-ENT-01",
        "WD-SYN-01",
        "WD-ERR-06",
        "WD-LOG-01",
        "WD-WALK-01",
        start=NoDot,
    ),
    wrong(
        "MUT-WD-082",
        "A name that begins with two dots is a way out.",
        "WD-ARG-04",
        "WD-WALK-01",
        start=NoLeadingDots,
    ),
    wrong("MUT-WD-083", "Capitals of a path become small letters.", "WD-ARG-04", start=SmallLetters),
    wrong("MUT-WD-084", "A tilde and variables are expanded.", "WD-ARG-04", start=Expands),
    wrong("MUT-WD-085", "Percent signs are decoded.", "WD-ARG-04", start=Unquotes),
    wrong(
        "MUT-WD-086",
        "A slash in front means the sandbox.",
        "WD-ARG-04",
        "WD-SEC-01",
        "WD-LOG-01",
        start=SlashIsTheSandbox,
    ),
    wrong(
        "MUT-WD-087",
        "An absolute path that lies inside is walked.",
        *("WD-ARG-04",),
        start=AbsoluteInside,
        reading="AMB-WD-10 accepted",
    ),
    wrong("MUT-WD-088", "There is no sandbox.", *OUT, start=Unconfined),
    wrong("MUT-WD-089", "Inside is whatever begins with the sandbox's path.", *OUT, start=ByPrefix),
    wrong(
        "MUT-WD-090",
        "Only the text of a path is held against the sandbox.",
        "WD-SEC-02",
        "WD-LOG-01",
        start=ByText,
    ),
    wrong(
        "MUT-WD-091",
        "Links on the way are not held against the sandbox.",
        "WD-SEC-02",
        "WD-LOG-01",
        start=LastStepOnly,
    ),
    wrong(
        "MUT-WD-152",
        "Inside is what differs in case only from it.",
        "WD-SEC-01",
        "WD-SEC-02",
        start=ByAnyCase,
    ),
    wrong(
        "MUT-WD-153",
        "Where links lead is held against the sandbox in any case.",
        "WD-SEC-02",
        start=LinksByAnyCase,
    ),
    wrong("MUT-WD-092", "Absolute paths lead anywhere.", *OUT, start=AbsoluteAnywhere),
    wrong(
        "MUT-WD-093",
        "A way out is not logged, as if nothing were there.",
        "WD-LOG-01",
        start=WaysOutAreMissing,
    ),
    wrong(
        "MUT-WD-144",
        "A way out through a link is not logged.",
        "WD-LOG-01",
        start=WaysOutByLinksAreMissing,
    ),
    wrong("MUT-WD-145", "Blanks around the path are left out.", "WD-ARG-04", "WD-ERR-03", start=TrimsAround),
    wrong(
        "MUT-WD-094",
        "A link as start is walked if it is relative.",
        "WD-WALK-04",
        "WD-SEC-02",
        start=Undecided,
    ),
    wrong(
        "MUT-WD-095",
        "A missing start fails the call.",
        "WD-ERR-03",
        "WD-ERR-01",
        "WD-LOG-02",
        "WD-LAST-01",
        "WD-ERR-04",
        start=RaisesWhenMissing,
    ),
    wrong(
        "MUT-WD-096",
        "A start that cannot be looked at fails the call.",
        "WD-ERR-04",
        "WD-ERR-05",
        "WD-LOG-01",
        "WD-ERR-01",
        start=RaisesWhenUnreachable,
    ),
    wrong("MUT-WD-097", "A way out fails the call.", "WD-ERR-02", *OUT, start=RaisesWhenInvalid),
)
