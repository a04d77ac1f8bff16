"""Right implementations in what the document leaves open beside the register: texts, looks, capabilities."""

import errno
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document, JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Sandbox, sandbox_violation

from ..shared.variant import variant
from .capabilities import ABSOLUTE_PATHS, DENIED_PATTERNS, ORDER, POLICY, without


class OwnTexts(Document):
    """Uses its own short texts for entries."""

    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        return members if entry.error is None else members | {"error": "cannot be examined"}


class OwnPolicyTexts(Executor):
    """Refuses what the policy stops in its own words."""

    def execute(self, *call: object) -> Result:
        result = super().execute(*call)  # type: ignore[arg-type]
        if result.kind is ErrorKind.POLICY_DENIED:
            return Result(kind=result.kind, message="not permitted", approval_requested=result.approval_requested)
        return result


class LooksOutside(Sandbox):
    """Looks at the place outside before it refuses the path."""

    def _check_text(self, path: str) -> None:
        try:
            super()._check_text(path)
        except ToolError:
            with suppress(OSError, ValueError):
                os.lstat(os.path.join(self._working_dir, path.encode()))
            raise


class RefusesOddNames(Sandbox):
    """Refuses what looks like the way up, a home directory or a drive, here or on another system, and controls."""

    def _check_text(self, path: str) -> None:
        super()._check_text(path)
        names = [name for name in path.split("/") if name not in ("", ".", "..")]
        if any(name.startswith("~") or ".." in name or not name.strip(". ") for name in names if name.strip()):
            raise sandbox_violation("a name means something else elsewhere")
        if re.match("[A-Za-z]:", path):
            raise sandbox_violation("the path is absolute")
        if any("\0" < character < " " or character == "\x7f" for character in path):
            raise sandbox_violation("the path has a control character")


class TooLongIsOutside(Sandbox):
    """Refuses paths that no call of the system could take."""

    def _check_text(self, path: str) -> None:
        super()._check_text(path)
        if any(len(part.encode("utf-8", "surrogatepass")) > 255 for part in path.split("/")):
            raise sandbox_violation("a component is too long")


class BareMessages(ListDirectory):
    """Says less about a directory that cannot be listed."""

    def listing_error(self, error: OSError) -> ToolError:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return super().listing_error(error)
        return ToolError(ErrorKind.EXECUTION_FAILED, "failed")


class ClosedToTheSandbox(ListDirectory):
    """Go, os.Root: the sandbox opens the directory itself, and refuses one that it may not read."""

    def listing_error(self, error: OSError) -> ToolError:
        right = super().listing_error(error)
        return ToolError(ErrorKind.SANDBOX_VIOLATION, right.message) if error.errno == errno.EACCES else right


class SilentSandbox(Executor):
    """Says nothing about a path that leads out."""

    def execute(self, *call: object) -> Result:
        result = super().execute(*call)  # type: ignore[arg-type]
        return replace(result, message="") if result.kind is ErrorKind.SANDBOX_VIOLATION else result


@dataclass(frozen=True)
class LatePlan:
    """A plan that is checked once more before it runs."""

    check: Callable[[], object]
    inner: Any

    @property
    def summary(self) -> str:
        return str(self.inner.summary)

    def run(self) -> str:
        self.check()
        return str(self.inner.run())


class ChecksPatternsLast(ListDirectory):
    """Denied patterns are applied when the policy has let the call pass."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> Any:
        check = partial(super().plan, arguments, context, flavour)
        patterns = context.denied_patterns, context.include_default_denies
        context.denied_patterns, context.include_default_denies = (), False
        try:
            return LatePlan(check, super().plan(arguments, context, flavour))
        finally:
            context.denied_patterns, context.include_default_denies = patterns


VARIANTS = (
    variant("AMB-LD-70=refuse", "Odd names are refused.")(sandbox=RefusesOddNames),
    variant("VAR-LD-101", "Error texts of entries are its own words.")(document=OwnTexts),
    variant("VAR-LD-102", "What the policy stops is refused in its own words.")(executor=OwnPolicyTexts),
    variant("VAR-LD-103", "The sandbox looks at a place before it refuses it.")(sandbox=LooksOutside),
    variant("VAR-LD-105", "A component that is too long is refused by the sandbox.")(sandbox=TooLongIsOutside),
    variant("VAR-LD-107", "A directory that cannot be read fails with a short message.")(tool=BareMessages),
    variant("VAR-LD-108", "The glue applies no denied patterns.", excludes=DENIED_PATTERNS)(
        candidate_class=without("denied_patterns")
    ),
    variant("VAR-LD-109", "The glue has no switch for absolute paths.", excludes=ABSOLUTE_PATHS)(
        candidate_class=without("allow_absolute")
    ),
    variant("VAR-LD-110", "Calls do not run through an executor.", excludes=ORDER)(candidate_class=without("executor")),
    variant(
        "VAR-LD-115",
        "The glue has no policy.",
        unverified={"FR-LD-DEF-05": "Its rows are about the policy, which this candidate does not apply."},
        excludes=POLICY,
    )(candidate_class=without("policy")),
    variant(
        "VAR-LD-116", "Denied patterns come after the policy.", excludes=(*ORDER, "AMB-LD-35=listed", "AMB-LD-35=omit")
    )(tool=ChecksPatternsLast, candidate_class=without("executor")),
    variant("VAR-LD-119", "The sandbox refuses a directory that may not be read.", excludes=("AMB-LD-57=b",))(
        tool=ClosedToTheSandbox
    ),
    variant("VAR-LD-117", "Paths that lead out are refused without a word.")(executor=SilentSandbox),
)
