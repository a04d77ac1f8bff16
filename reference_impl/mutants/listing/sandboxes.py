"""Wrong in the boundary: what a request may reach, and what is touched before that is clear."""

import contextlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from ...context import CallContext
from ...errors import Kind
from ...executor import Executor, Result
from ...list_directory import ListDirectory, ListingPlan, failed
from ...paths import Flavour
from ...sandbox import Canonical, Place, Sandbox, violation
from ..mutant import Mutant
from .implied import BREACH
from .made import wrong

ANYWHERE = Canonical(b"/", ())


class RefusesTwoDotsAnywhere(Sandbox):
    def _refuse_by_its_text(self, path: str) -> None:
        if ".." in path:
            raise violation("parent components ('..') are not allowed")
        super()._refuse_by_its_text(path)


class ResolvesParents(Sandbox):
    def place(self, path: str) -> Place:
        return super().place(os.path.normpath(path))


class RefusesParentsInFrontOnly(Sandbox):
    def _refuse_by_its_text(self, path: str) -> None:
        super()._refuse_by_its_text(path if path.startswith("..") else path.replace("..", "_"))

    def _containing(self, target: Canonical) -> list[Canonical]:
        return super()._containing(target) or [ANYWHERE]


class JudgesTheTextAlone(Sandbox):
    """Contains what the text of the path does, wherever links lead."""

    def place(self, path: str) -> Place:
        text = os.path.normpath(os.path.join(self._working_dir, path.encode()))
        self._written = Canonical(b"/", tuple(part for part in text.split(b"/") if part))
        return super().place(path)

    def _containing(self, target: Canonical) -> list[Canonical]:
        return super()._containing(target) or [ANYWHERE for _ in super()._containing(self._written)]


class JudgesTheLastLinkOnly(Sandbox):
    """A path below a link is taken to be where its text says."""

    def place(self, path: str) -> Place:
        self._is_below_a_link = any(
            os.path.islink(os.path.join(self._working_dir, *parts))
            for parts in ([os.fsencode(path[: at.start()])] for at in re.finditer("/", path))
        )
        return super().place(path)

    def _containing(self, target: Canonical) -> list[Canonical]:
        return super()._containing(target) or [ANYWHERE] * self._is_below_a_link


class LooksFirst(Sandbox):
    def place(self, path: str) -> Place:
        if not os.path.exists(os.path.join(self._working_dir, path.encode())):
            raise failed("path does not exist")
        return super().place(path)


class OpensFirst(Sandbox):
    def place(self, path: str) -> Place:
        with contextlib.suppress(OSError):
            os.close(os.open(os.path.join(self._working_dir, path.encode()), os.O_RDONLY | os.O_NONBLOCK))
        return super().place(path)


class FromTheProcess(Sandbox):
    """A relative path that leads somewhere from the process's directory is followed from there."""

    def _target(self, path: str) -> Canonical:
        here = os.path.join(os.getcwdb(), path.encode())
        return self._canonical(here) if path != "." and os.path.isdir(here) else super()._target(path)


class ByPrefix(Sandbox):
    def _containing(self, target: Canonical) -> list[Canonical]:
        text = b"/".join(target.parts)
        return super()._containing(target) or [
            ANYWHERE for root in self._roots if text.startswith(b"/".join(root.parts))
        ]


class FirstRootOnly(Sandbox):
    def _containing(self, target: Canonical) -> list[Canonical]:
        return [root for root in super()._containing(target) if root is self._roots[0]]


class RootsAsWritten(Sandbox):
    """Roots are compared as they were written, links and all."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        roots = [os.fsencode(root).split(b"/") for root in context.roots]
        self._roots = [Canonical(b"/", tuple(part for part in root if part)) for root in roots]


def granting(**changes: Callable[[CallContext], Any]) -> type[Sandbox]:
    """A sandbox that reads another context than was given."""

    class Granting(Sandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            given = {name: change(context) for name, change in changes.items()}
            super().__init__(replace(context, **given), flavour)

    return Granting


class DeniesByTheLastName(Sandbox):
    def _refuse_denied(self, components: tuple[bytes, ...]) -> None:
        super()._refuse_denied(components[-1:])


def expanding(expanded: Callable[[str], str]) -> type[Sandbox]:
    class Expanding(Sandbox):
        def place(self, path: str) -> Place:
            return super().place(expanded(path))

    return Expanding


def home(path: str) -> str:
    return "." if path == "~" else path


class GlobsTheFirst(Sandbox):
    """A pattern stands for the first name that it covers."""

    def place(self, path: str) -> Place:
        if path == "*":
            path = min(
                (entry.name for entry in os.scandir(os.fsdecode(self._working_dir)) if entry.is_dir()),
                default=path,
            )
        return super().place(path)


class RefusesNothing(Sandbox):
    def _refuse_by_its_text(self, path: str) -> None:
        pass

    def _containing(self, target: Canonical) -> list[Canonical]:
        return super()._containing(target) or [ANYWHERE]


class ChecksUntrimmed(ListDirectory):
    """The sandbox judges the text as it came; what is opened is the trimmed one."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        text = arguments["path"]
        tool = ListDirectory() if text == text.strip() else ListDirectory(sandbox=RefusesNothing)
        return tool.plan(arguments, context, flavour)


class RefusesLinksOnTheWay(Sandbox):
    def place(self, path: str) -> Place:
        above = os.path.dirname(path.encode())
        while above.strip(b"/"):
            if os.path.islink(os.path.join(self._working_dir, above)):
                raise violation("a component is a symbolic link")
            above = os.path.dirname(above)
        return super().place(path)


def breaches(*, reported: Kind, when: Callable[[str], bool] = lambda message: True) -> type[Executor]:
    """What the sandbox refuses is reported as an error of another kind."""

    class Breaches(Executor):
        def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
            result = super().execute(name, arguments, context, flavour)
            is_meant = result.kind is Kind.SANDBOX_VIOLATION and when(result.message or "")
            return replace(result, kind=reported) if is_meant else result

    return Breaches


def boxed(sandbox: type[Sandbox]) -> ListDirectory:
    return ListDirectory(sandbox=sandbox)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-121",
        "Two dots anywhere in the path are taken for '..'.",
        "FR-LD-VAL-07",
        "FR-LD-VAL-10",
        *BREACH,
        tool=boxed(RefusesTwoDotsAnywhere),
    ),
    wrong(
        "MUT-122",
        "'..' is resolved in the text of the path and what is left is judged.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=boxed(ResolvesParents),
        reading="AMB-LD-21 resolve",
    ),
    wrong(
        "MUT-124",
        "Containment is checked before links are resolved.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=boxed(JudgesTheTextAlone),
    ),
    wrong(
        "MUT-125",
        "Whether something is there is asked before the sandbox is.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        "FR-LD-DEF-05",
        "T-LD-03",
        tool=boxed(LooksFirst),
    ),
    wrong(
        "MUT-127",
        "A relative path is looked for in the directory of the process first.",
        "FR-LD-VAL-07",
        "FR-LD-OUT-02",
        *BREACH,
        tool=boxed(FromTheProcess),
    ),
    wrong(
        "MUT-301",
        "Containment is a common start of two texts.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=boxed(ByPrefix),
    ),
    wrong(
        "MUT-302",
        "'..' is refused at the start of a path only.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=boxed(RefusesParentsInFrontOnly),
    ),
    wrong(
        "MUT-303",
        "Links on the way are not resolved before containment is checked, the last one is.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=boxed(JudgesTheLastLinkOnly),
    ),
    wrong(
        "MUT-304",
        "The directory is opened before the sandbox judges it.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(OpensFirst),
    ),
    wrong("MUT-305", "Only the first root counts.", "FR-LD-VAL-07", *BREACH, tool=boxed(FirstRootOnly)),
    wrong(
        "MUT-306",
        "A root that is given through a link contains nothing.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(RootsAsWritten),
    ),
    wrong(
        "MUT-307",
        "The context's denied patterns are ignored.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(granting(denied_patterns=lambda context: ())),
    ),
    wrong(
        "MUT-308",
        "The default denied patterns are ignored.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(granting(include_default_denies=lambda context: False)),
    ),
    wrong(
        "MUT-309",
        "The context's denied patterns replace the default ones.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(granting(include_default_denies=lambda context: not context.denied_patterns)),
    ),
    wrong(
        "MUT-310",
        "The default denied patterns cannot be switched off.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(granting(include_default_denies=lambda context: True)),
    ),
    wrong(
        "MUT-311",
        "Denied patterns are held against the last name alone.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(DeniesByTheLastName),
    ),
    wrong(
        "MUT-312",
        "Absolute paths inside a root are allowed even where absolute paths are not.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=boxed(granting(allow_absolute=lambda context: True)),
    ),
    wrong(
        "MUT-313",
        "Absolute paths are refused even where they are allowed.",
        "FR-LD-VAL-07",
        "FR-LD-VAL-10",
        *BREACH,
        tool=boxed(granting(allow_absolute=lambda context: False)),
    ),
    wrong(
        "MUT-314",
        "Percent escapes in the path are decoded.",
        "FR-LD-VAL-07",
        *BREACH,
        tool=boxed(expanding(unquote)),
    ),
    wrong(
        "MUT-315",
        "A tilde stands for a home directory.",
        "FR-LD-VAL-07",
        *BREACH,
        # A directory of that name, asked for by it, is another one: the laws that ask so see it.
        *("EF-02", "EF-03", "FR-LD-LST-02", "FR-LD-VAL-10"),
        tool=boxed(expanding(home)),
    ),
    wrong("MUT-316", "An asterisk stands for a name.", "FR-LD-VAL-07", *BREACH, tool=boxed(GlobsTheFirst)),
    wrong(
        "MUT-317",
        "Variables in the path are replaced from the environment.",
        "FR-LD-VAL-07",
        *BREACH,
        "FR-LD-ERR-02",
        "FR-LD-VAL-10",
        "T-LD-03",
        tool=boxed(expanding(lambda path: os.path.expandvars(path).strip("/") or ".")),
    ),
    wrong(
        "MUT-318",
        "The sandbox judges the path before its white space goes.",
        "FR-LD-VAL-07",
        "FR-LD-ERR-02",
        *BREACH,
        tool=ChecksUntrimmed(),
    ),
    wrong(
        "MUT-319",
        "A link on the way to the target is taken for a breach.",
        "FR-LD-VAL-07",
        "FR-LD-VAL-10",
        "FR-LD-VAL-08",
        *BREACH,
        tool=boxed(RefusesLinksOnTheWay),
    ),
    wrong(
        "MUT-320",
        "A breach is reported as BadArgs.",
        "FR-LD-ERR-02",
        "FR-LD-VAL-07",
        "T-LD-03",
        *BREACH,
        executor=breaches(reported=Kind.BAD_ARGS),
    ),
    wrong(
        "MUT-321",
        "A breach is reported as ExecutionFailed.",
        "FR-LD-ERR-02",
        "FR-LD-VAL-07",
        "T-LD-03",
        *BREACH,
        executor=breaches(reported=Kind.EXECUTION_FAILED),
    ),
    wrong(
        "MUT-322",
        "'..' is reported as BadArgs.",
        "FR-LD-ERR-02",
        "FR-LD-VAL-07",
        "T-LD-03",
        *BREACH,
        executor=breaches(reported=Kind.BAD_ARGS, when=lambda message: "parent" in message),
    ),
    wrong(
        "MUT-323",
        "A path that is denied by a pattern is reported as PolicyDenied.",
        "FR-LD-ERR-02",
        "FR-LD-VAL-07",
        *BREACH,
        executor=breaches(reported=Kind.POLICY_DENIED, when=lambda message: "pattern" in message),
    ),
)
