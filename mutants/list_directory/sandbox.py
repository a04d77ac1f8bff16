"""Mutants: errors in the sandbox boundary, and accesses before its check."""

import contextlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan, execution_failed
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, Sandbox

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import BREACH

ANYWHERE = CanonicalPath(b"/", ())


class RefusesParentsInFrontOnly(Sandbox):
    def _check_text(self, path: str) -> None:
        super()._check_text(path if path.startswith("..") else path.replace("..", "_"))

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return super()._roots_containing(target) or [ANYWHERE]


class ChecksTextOnly(Sandbox):
    """Checks the text of the path, whatever the targets of links."""

    def resolve(self, path: str) -> Place:
        text = os.path.normpath(os.path.join(self._working_dir, path.encode()))
        self._written = CanonicalPath(b"/", tuple(part for part in text.split(b"/") if part))
        return super().resolve(path)

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return super()._roots_containing(target) or [ANYWHERE for _ in super()._roots_containing(self._written)]


class ChecksLastLinkOnly(Sandbox):
    """A path below a link counts as the place of its text."""

    def resolve(self, path: str) -> Place:
        self._is_below_a_link = any(
            os.path.islink(os.path.join(self._working_dir, *parts))
            for parts in ([os.fsencode(path[: at.start()])] for at in re.finditer("/", path))
        )
        return super().resolve(path)

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return super()._roots_containing(target) or [ANYWHERE] * self._is_below_a_link


class LooksFirst(Sandbox):
    def resolve(self, path: str) -> Place:
        if not os.path.exists(os.path.join(self._working_dir, path.encode())):
            raise execution_failed("path does not exist")
        return super().resolve(path)


class OpensFirst(Sandbox):
    def resolve(self, path: str) -> Place:
        with contextlib.suppress(OSError):
            os.close(os.open(os.path.join(self._working_dir, path.encode()), os.O_RDONLY | os.O_NONBLOCK))
        return super().resolve(path)


class FromTheProcess(Sandbox):
    """A relative path that exists in the process's directory is resolved there."""

    def _canonical_target(self, path: str) -> CanonicalPath:
        here = os.path.join(os.getcwdb(), path.encode())
        return self._canonicalise(here) if path != "." and os.path.isdir(here) else super()._canonical_target(path)


class ByPrefix(Sandbox):
    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        text = b"/".join(target.parts)
        return super()._roots_containing(target) or [
            ANYWHERE for root in self._roots if text.startswith(b"/".join(root.parts))
        ]


class FirstRootOnly(Sandbox):
    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return [root for root in super()._roots_containing(target) if root is self._roots[0]]


class RootsAsWritten(Sandbox):
    """Roots are compared as text, with their links."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        roots = [os.fsencode(root).split(b"/") for root in context.roots]
        self._roots = [CanonicalPath(b"/", tuple(part for part in root if part)) for root in roots]


def with_context_changed(**changes: Callable[[CallContext], Any]) -> type[Sandbox]:
    """Return a sandbox with a changed context."""

    class Granting(Sandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            given = {name: change(context) for name, change in changes.items()}
            super().__init__(replace(context, **given), flavour)

    return Granting


class DeniesByTheLastName(Sandbox):
    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        super()._check_denied_patterns(components[-1:])


def with_path_expanded(expanded: Callable[[str], str]) -> type[Sandbox]:
    class Expanding(Sandbox):
        def resolve(self, path: str) -> Place:
            return super().resolve(expanded(path))

    return Expanding


def expand_home(path: str) -> str:
    return "." if path == "~" else path


class GlobsTheFirst(Sandbox):
    def resolve(self, path: str) -> Place:
        if path == "*":
            path = min(
                (entry.name for entry in os.scandir(os.fsdecode(self._working_dir)) if entry.is_dir()),
                default=path,
            )
        return super().resolve(path)


class RefusesNothing(Sandbox):
    def _check_text(self, path: str) -> None:
        pass

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return super()._roots_containing(target) or [ANYWHERE]


class ChecksUntrimmed(ListDirectory):
    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        text = arguments["path"]
        tool = ListDirectory() if text == text.strip() else ListDirectory(sandbox=RefusesNothing)
        return tool.plan(arguments, context, flavour)


class AbsoluteBehindBlanks(ListDirectory):
    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
        text = arguments["path"]
        if text != text.lstrip():
            context = replace(context, allow_absolute=True)
        return super().plan(arguments, context, flavour)


def with_violations_reported_as(
    *, reported: ErrorKind, when: Callable[[str], bool] = lambda message: True
) -> type[Executor]:
    """Return a sandbox that reports violations as another kind of error."""

    class ReportingViolations(Executor):
        def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
            result = super().execute(name, arguments, context, flavour)
            is_meant = result.kind is ErrorKind.SANDBOX_VIOLATION and when(result.message or "")
            return replace(result, kind=reported) if is_meant else result

    return ReportingViolations


def with_sandbox(sandbox: type[Sandbox]) -> ListDirectory:
    return ListDirectory(sandbox=sandbox)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-124",
        "Containment is checked before links are resolved.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        tool=with_sandbox(ChecksTextOnly),
    ),
    build_mutant(
        "MUT-125",
        "The existence of a path is checked before the sandbox.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        "FR-LD-DEF-05 T-LD-03",
        tool=with_sandbox(LooksFirst),
    ),
    build_mutant(
        "MUT-127",
        "A relative path is resolved in the directory of the process first.",
        "FR-LD-VAL-07 FR-LD-OUT-02",
        BREACH,
        tool=with_sandbox(FromTheProcess),
    ),
    build_mutant(
        "MUT-301",
        "A path that begins with the root's text is inside.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        tool=with_sandbox(ByPrefix),
    ),
    build_mutant(
        "MUT-302",
        "'..' is refused at the start of a path only.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        tool=with_sandbox(RefusesParentsInFrontOnly),
    ),
    build_mutant(
        "MUT-303",
        "Links are not resolved before the check, except for the last one.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        tool=with_sandbox(ChecksLastLinkOnly),
    ),
    build_mutant(
        "MUT-304",
        "The directory is opened before the sandbox check.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(OpensFirst),
    ),
    build_mutant(
        "MUT-305",
        "Only the first root has an effect.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(FirstRootOnly),
    ),
    build_mutant(
        "MUT-306",
        "A root given through a link contains nothing.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(RootsAsWritten),
    ),
    build_mutant(
        "MUT-307",
        "The context's denied patterns are ignored.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(with_context_changed(denied_patterns=lambda context: ())),
    ),
    build_mutant(
        "MUT-308",
        "The default denied patterns are ignored.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(with_context_changed(include_default_denies=lambda context: False)),
    ),
    build_mutant(
        "MUT-309",
        "The context's denied patterns replace the default ones.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(
            with_context_changed(
                include_default_denies=lambda context: context.include_default_denies and not context.denied_patterns
            )
        ),
    ),
    build_mutant(
        "MUT-310",
        "The default denied patterns cannot be disabled.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(with_context_changed(include_default_denies=lambda context: True)),
    ),
    build_mutant(
        "MUT-311",
        "Denied patterns apply to the last name only.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(DeniesByTheLastName),
    ),
    build_mutant(
        "MUT-312",
        "Absolute paths inside a root are accepted although they are not permitted.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        tool=with_sandbox(with_context_changed(allow_absolute=lambda context: True)),
    ),
    build_mutant(
        "MUT-313",
        "Absolute paths are refused although they are permitted.",
        "FR-LD-VAL-07 FR-LD-VAL-10",
        BREACH,
        tool=with_sandbox(with_context_changed(allow_absolute=lambda context: False)),
    ),
    build_mutant(
        "MUT-314",
        "Percent escapes in the path are decoded.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(with_path_expanded(unquote)),
    ),
    build_mutant(
        "MUT-315",
        "A tilde is expanded to a home directory.",
        # Properties that request a directory of that name get another one.
        "FR-LD-VAL-07",
        BREACH,
        "EF-02 EF-03 FR-LD-LST-02 FR-LD-VAL-10",
        tool=with_sandbox(with_path_expanded(expand_home)),
    ),
    build_mutant(
        "MUT-316",
        "An asterisk is expanded to a name.",
        "FR-LD-VAL-07",
        BREACH,
        tool=with_sandbox(GlobsTheFirst),
    ),
    build_mutant(
        "MUT-317",
        "Variables in the path are expanded.",
        "FR-LD-VAL-07",
        BREACH,
        "FR-LD-ERR-02 FR-LD-VAL-10 T-LD-03",
        tool=with_sandbox(with_path_expanded(lambda path: os.path.expandvars(path).strip("/") or ".")),
    ),
    build_mutant(
        "MUT-318",
        "The sandbox checks the path before its white space is removed.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        BREACH,
        tool=ChecksUntrimmed(),
    ),
    build_mutant(
        "MUT-320",
        "A violation is reported as BadArgs.",
        "FR-LD-ERR-02 FR-LD-VAL-07 T-LD-03",
        BREACH,
        executor=with_violations_reported_as(reported=ErrorKind.BAD_ARGS),
    ),
    build_mutant(
        "MUT-321",
        "A violation is reported as ExecutionFailed.",
        "FR-LD-ERR-02 FR-LD-VAL-07 T-LD-03",
        BREACH,
        executor=with_violations_reported_as(reported=ErrorKind.EXECUTION_FAILED),
    ),
    build_mutant(
        "MUT-322",
        "'..' is reported as BadArgs.",
        "FR-LD-ERR-02 FR-LD-VAL-07 T-LD-03",
        BREACH,
        executor=with_violations_reported_as(reported=ErrorKind.BAD_ARGS, when=lambda message: "parent" in message),
    ),
    build_mutant(
        "MUT-323",
        "A denied path is reported as PolicyDenied.",
        "FR-LD-ERR-02 FR-LD-VAL-07",
        BREACH,
        executor=with_violations_reported_as(
            reported=ErrorKind.POLICY_DENIED, when=lambda message: "pattern" in message
        ),
    ),
    build_mutant(
        "MUT-983",
        "An absolute path inside a root is accepted behind white space, although none is permitted.",
        "FR-LD-VAL-07 FR-LD-ERR-02",
        tool=AbsoluteBehindBlanks(),
    ),
)
