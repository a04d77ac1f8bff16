"""What a call comes to by one way of reading the specification: a listing, or a refusal.

The order of the checks is that of AMB-LD-33: schema, rules between arguments, sandbox, existence, reading, budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treeproof.api import Tree

from .arguments import ExpectedFailure, InvalidConfiguration, Request, apply_defaults, check_schema
from .document import (
    CUT_BY_COUNT,
    CUT_BY_SIZE,
    ExpectedEntry,
    document_json,
    document_size,
    largest_fitting_count,
)
from .path_resolution import FAILURE, ResolvedDirectory, UnmodelledPath, normalise_path, resolve_path
from .reading_choices import ReadingChoices
from .walk import PartialRead, readable, walk

DEFAULT_OUTPUT_BYTES, DEFAULT_CAPACITY_BYTES = 102400, 65536
"""The budgets of a call that names none."""

_UNUSUAL_CHARACTERS = frozenset(".\\: \t\n")

_MODELLED_CONTEXT = {
    "max_output_bytes",
    "available_capacity_bytes",
    "config",
    "allow_absolute",
    "include_default_denies",
}


class UnsupportedCall(Exception):
    """The call has a part of which this model does not speak."""


@dataclass(frozen=True)
class ExpectedListing:
    """The listing that is due, before the budget has its say. `walked` is all that qualifies, in walking order.

    `flagged`: truncated by the count. `loose`: entries of one path may stand in any order. `longer`: an empty
    directory, too, needs room for the longer document without entries (AMB-LD-17). `filtered`: a filter has dropped
    something. `tricky`: there was something to clean in the requested path, or something to leave alone.
    """

    path: str
    qualifying: tuple[ExpectedEntry, ...]
    request: Request
    is_count_truncated: bool
    budget: int
    any_order: bool
    reserves_truncated_header: bool
    directory: ResolvedDirectory
    is_filtered: bool
    has_unusual_path: bool

    @cached_property
    def entries(self) -> tuple[ExpectedEntry, ...]:
        """What survives the limit, in the order of the output (FR-LD-OUT-01)."""
        return tuple(sorted(self.qualifying[: self.request.max_entries], key=lambda entry: entry.path))

    @property
    def reason(self) -> str | None:
        """The truncated_reason of the document if the budget does not cut it."""
        return CUT_BY_COUNT if self.is_count_truncated else None

    @cached_property
    def kept_count(self) -> int | None:
        """How many entries stay within the budget, free texts being the suite's own; None where the call fails."""
        prices = [entry.json_size for entry in self.entries]
        if (
            self.reserves_truncated_header
            and not prices
            and document_size(self.path, (), self.request.max_entries, CUT_BY_SIZE) > self.budget
        ):
            return None
        return largest_fitting_count(self.path, prices, self.request.max_entries, self.reason, self.budget)

    @property
    def full_size(self) -> int:
        """The length of the document that no budget cuts."""
        return document_size(
            self.path, [entry.json_size for entry in self.entries], self.request.max_entries, self.reason
        )

    @property
    def text(self) -> str | None:
        """The exact output; None where the call fails because of its budget."""
        if self.kept_count is None:
            return None
        reason = self.reason if self.kept_count == len(self.entries) else CUT_BY_SIZE
        texts = [entry.json_text for entry in self.entries[: self.kept_count]]
        return document_json(self.path, texts, self.request.max_entries, reason)


def expected_outcome(
    tree: Tree,
    arguments: Any,
    context: Mapping[str, Any],
    config: Mapping[str, Any] | None,
    readings: ReadingChoices,
) -> ExpectedListing | ExpectedFailure:
    """What the call comes to. Raises NotModelled."""
    if not context.keys() <= _MODELLED_CONTEXT or context.get("include_default_denies") is False:
        raise UnsupportedCall("the context holds more than budgets and configuration")
    budget = min(
        context.get("max_output_bytes", DEFAULT_OUTPUT_BYTES),
        context.get("available_capacity_bytes", DEFAULT_CAPACITY_BYTES),
    )
    members, refusals = check_schema(arguments, readings)
    try:
        asked, broken_rules = apply_defaults(members, config, readings)
    except InvalidConfiguration as why:
        raise UnsupportedCall(f"the configuration: {why}") from why
    refusals += broken_rules
    path, found = ".", None
    if "path" in members:
        located = _locate(tree, members["path"], readings)
        if isinstance(located, ExpectedFailure):
            refusals.append(located)
        else:
            found = located
            path = located.path
    if refusals and document_size(path, (), 1, None) > budget:
        refusals.append(ExpectedFailure(FAILURE, "FR-LD-OUT-08", "the budget is too small"))
    if refusals or found is None:
        return _select_failure(refusals, readings)
    text = members["path"]
    listing = _listing(tree, asked, found, budget, readings)
    return replace(
        listing, has_unusual_path=text != found.path or bool(text != "." and set(text) & _UNUSUAL_CHARACTERS)
    )


def _locate(tree: Tree, text: str, readings: ReadingChoices) -> ResolvedDirectory | ExpectedFailure:
    if "$ROOT" in text or "$OUTSIDE" in text:
        raise UnsupportedCall("the path names a place of the run")
    path = normalise_path(text, readings)
    if path is None:
        return ExpectedFailure(frozenset({"BadArgs"}), "FR-LD-VAL-01", "the path is blank")
    try:
        found = resolve_path(tree, path, readings)
        if isinstance(found, ExpectedFailure) or found.node is None or readable(found.node, readings):
            return found
    except (UnmodelledPath, PartialRead) as why:
        raise UnsupportedCall(str(why)) from why
    match readings["AMB-LD-10"]:
        case "empty":
            return replace(found, children=())
        case "unknown_entry":
            raise UnsupportedCall("an entry that stands for the requested directory")
    return ExpectedFailure(FAILURE, "FR-LD-VAL-08", "the directory cannot be read")


def _select_failure(refusals: list[ExpectedFailure], readings: ReadingChoices) -> ExpectedFailure:
    if "b" not in readings.accepted_labels("AMB-LD-33"):
        return refusals[0]
    kinds = frozenset(kind for refusal in refusals for kind in refusal.kinds)
    saying = refusals[0].message_part if len(refusals) == 1 else ""
    return replace(refusals[0], kinds=kinds, message_part=saying)


def _listing(
    tree: Tree, asked: Request, found: ResolvedDirectory, budget: int, readings: ReadingChoices
) -> ExpectedListing:
    try:
        walked = walk(found.node, found.children, asked, readings)
    except PartialRead as why:
        raise UnsupportedCall("a directory whose reading breaks off") from why
    count, limit = len(walked.entries), asked.max_entries
    flagged = count > limit
    if count == limit:
        flagged = readings["AMB-LD-01"] == "reached"
        if not flagged:
            work_is_left = walked.visit_counts[-1] < walked.visited or walked.is_entered[-1]
            match readings["AMB-LD-02"]:
                case "b":
                    flagged = work_is_left
                case "c":
                    flagged = True
    return ExpectedListing(
        path=found.path,
        qualifying=walked.entries,
        request=asked,
        is_count_truncated=flagged,
        budget=budget,
        any_order=readings.chosen.get("AMB-LD-13", "a") != "a"
        or readings.chosen.get("AMB-LD-03") == "append",
        reserves_truncated_header=not walked.entries and readings["AMB-LD-17"] == "longer",
        directory=found,
        is_filtered=walked.visited > count,
        has_unusual_path=False,
    )
