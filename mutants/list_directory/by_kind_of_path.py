"""Mutants: arguments without effect for an absolute path, or below a working directory that is no root."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant

Condition = Callable[[str, CallContext], bool]


def is_absolute(path: str, context: CallContext) -> bool:
    return path.startswith("/") and context.working_dir != "/"


def starts_below(path: str, context: CallContext) -> bool:
    return context.working_dir.startswith(tuple(f"{root}/" for root in context.roots))


def with_request_where(condition: Condition, **members: Any) -> ListDirectory:
    """Return the tool with other members of the request where the condition is true."""

    class Changing(ListDirectory):
        def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
            right = super().plan(arguments, context, flavour)
            if not condition(right.request.path, context):
                return right
            return replace(right, request=replace(right.request, **members))

    return Changing()


ALL_KINDS = {"include_files": True, "include_dirs": True, "include_symlinks": True}

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-991",
        "By an absolute path, hidden entries are listed.",
        "FR-LD-LST-06",
        tool=with_request_where(is_absolute, include_hidden=True),
    ),
    build_mutant(
        "MUT-992",
        "By an absolute path, all kinds of entries are listed.",
        "FR-LD-LST-06",
        tool=with_request_where(is_absolute, **ALL_KINDS),
    ),
    build_mutant(
        "MUT-993",
        "By an absolute path, a recursive listing has no limit of depth.",
        "FR-LD-LST-02",
        tool=with_request_where(is_absolute, max_depth=1000),
    ),
    build_mutant(
        "MUT-994",
        "By an absolute path, the limit of entries is the greatest one.",
        "FR-LD-LST-07 DOC-05",
        tool=with_request_where(is_absolute, max_entries=200),
    ),
    build_mutant(
        "MUT-995",
        "Below a working directory that is no root, hidden entries are listed.",
        "FR-LD-LST-06",
        tool=with_request_where(starts_below, include_hidden=True),
    ),
    build_mutant(
        "MUT-996",
        "Below a working directory that is no root, all kinds of entries are listed.",
        "FR-LD-LST-06",
        tool=with_request_where(starts_below, **ALL_KINDS),
    ),
)
