"""Right implementations in what the document leaves open beside the register: texts, looks, capabilities."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Sandbox
from treeproof.rows.list_directory.listing import ListCall
from treeproof.rows.list_directory.row import row

from ..shared.capabilities import without
from ..shared.variant import variant
from .capabilities import ABSOLUTE_PATHS, DENIED_PATTERNS, ORDER, POLICY
from .refusals import has_message, of_kind, refusing, reworded


class LooksOutside(Sandbox):
    def _check_text(self, path: str) -> None:
        try:
            super()._check_text(path)
        except ToolError:
            with suppress(OSError, ValueError):
                os.lstat(os.path.join(self._working_dir, path.encode()))
            raise


def is_odd(sent: ListCall) -> bool:
    """Return whether a path looks like the way up, a home directory or a drive, here or elsewhere, or has controls."""
    names = [name for name in sent.path.split("/") if name.strip() and name not in (".", "..")]
    is_name = any(name.startswith("~") or ".." in name or not name.strip(". ") for name in names)
    return is_name or bool(re.match("[A-Za-z]:", sent.path) or re.search("[\x01-\x1f\x7f]", sent.path))


def has_long_name(sent: ListCall) -> bool:
    return any(len(part.encode("utf-8", "surrogatepass")) > 255 for part in sent.path.split("/"))


CLOSED = "directory cannot be read: permission denied"


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
    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> Any:
        check = partial(super().plan, arguments, context, flavour)
        patterns = context.denied_patterns, context.include_default_denies
        context.denied_patterns, context.include_default_denies = (), False
        try:
            return LatePlan(check, super().plan(arguments, context, flavour))
        finally:
            context.denied_patterns, context.include_default_denies = patterns


VARIANTS = (
    variant("AMB-LD-70=refuse", "Odd names are refused.")(
        refusing("SandboxViolation", "a name means something else elsewhere", is_odd)
    ),
    variant("VAR-LD-101", "Error texts of entries are its own words.")(
        row(error=lambda item: item.code and "cannot be examined")
    ),
    variant("VAR-LD-102", "What the policy stops is refused in its own words.")(
        reworded(of_kind("PolicyDenied"), error_message="not permitted")
    ),
    variant("VAR-LD-103", "The sandbox looks at a place before it refuses it.")(sandbox=LooksOutside),
    variant("VAR-LD-105", "A component that is too long is refused by the sandbox.")(
        refusing("SandboxViolation", "a component is too long", has_long_name)
    ),
    variant("VAR-LD-107", "A directory that cannot be read fails with a short message.")(
        reworded(
            has_message("directory cannot be read", "a name is too long"), error_message="list_directory failed: failed"
        )
    ),
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
        reworded(has_message(CLOSED), error_kind="SandboxViolation", error_message=CLOSED)
    ),
    variant("VAR-LD-117", "Paths that lead out are refused without a word.")(
        reworded(of_kind("SandboxViolation"), error_message="")
    ),
)
