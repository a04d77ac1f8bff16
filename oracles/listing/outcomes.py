"""What a call comes to by one way of reading the specification: a listing, or a refusal.

The order of the checks is that of AMB-LD-33: schema, rules between arguments, sandbox, existence, reading, budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treeproof.tree import Tree

from .arguments import Asked, Refusal, UnusableConfiguration, check, fill
from .document import CUT_BY_COUNT, CUT_BY_SIZE, Entry, document, largest, price
from .readings import Readings
from .target import FAILURE, BeyondTheRecipe, Found, clean, locate
from .walk import HalfRead, readable, walk

OUTPUT_BYTES, CAPACITY_BYTES = 102400, 65536
"""The budgets of a call that names none."""

_TRICKY = frozenset(".\\: \t\n")

_PLAIN = {
    "max_output_bytes",
    "available_capacity_bytes",
    "config",
    "allow_absolute",
    "include_default_denies",
}


class NotModelled(Exception):
    """The call has a part of which this model does not speak."""


@dataclass(frozen=True)
class Listing:
    """The listing that is due, before the budget has its say. `walked` is all that qualifies, in walking order.

    `flagged`: truncated by the count. `loose`: entries of one path may stand in any order. `longer`: an empty
    directory, too, needs room for the longer document without entries (AMB-LD-17). `filtered`: a filter has dropped
    something. `tricky`: there was something to clean in the requested path, or something to leave alone.
    """

    path: str
    walked: tuple[Entry, ...]
    asked: Asked
    flagged: bool
    budget: int
    loose: bool
    longer: bool
    found: Found
    filtered: bool
    tricky: bool

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """What survives the limit, in the order of the output (FR-LD-OUT-01)."""
        return tuple(sorted(self.walked[: self.asked.limit], key=lambda entry: entry.path))

    @property
    def reason(self) -> str | None:
        """The truncated_reason of the document if the budget does not cut it."""
        return CUT_BY_COUNT if self.flagged else None

    @cached_property
    def kept(self) -> int | None:
        """How many entries stay within the budget, free texts being the suite's own; None where the call fails."""
        prices = [entry.price for entry in self.entries]
        if self.longer and not prices and price(self.path, (), self.asked.limit, CUT_BY_SIZE) > self.budget:
            return None
        return largest(self.path, prices, self.asked.limit, self.reason, self.budget)

    @property
    def full_price(self) -> int:
        """The length of the document that no budget cuts."""
        return price(self.path, [entry.price for entry in self.entries], self.asked.limit, self.reason)

    @property
    def text(self) -> str | None:
        """The exact output; None where the call fails because of its budget."""
        if self.kept is None:
            return None
        reason = self.reason if self.kept == len(self.entries) else CUT_BY_SIZE
        texts = [entry.text for entry in self.entries[: self.kept]]
        return document(self.path, texts, self.asked.limit, reason)


def outcome(
    tree: Tree,
    arguments: Any,
    context: Mapping[str, Any],
    config: Mapping[str, Any] | None,
    readings: Readings,
) -> Listing | Refusal:
    """What the call comes to. Raises NotModelled."""
    if not context.keys() <= _PLAIN or context.get("include_default_denies") is False:
        raise NotModelled("the context holds more than budgets and configuration")
    budget = min(
        context.get("max_output_bytes", OUTPUT_BYTES), context.get("available_capacity_bytes", CAPACITY_BYTES)
    )
    members, refusals = check(arguments, readings)
    try:
        asked, broken_rules = fill(members, config, readings)
    except UnusableConfiguration as why:
        raise NotModelled(f"the configuration: {why}") from why
    refusals += broken_rules
    path, found = ".", None
    if "path" in members:
        located = _located(tree, members["path"], readings)
        if isinstance(located, Refusal):
            refusals.append(located)
        else:
            found = located
            path = located.path
    if refusals and price(path, (), 1, None) > budget:
        refusals.append(Refusal(FAILURE, "FR-LD-OUT-08", "the budget is too small"))
    if refusals or found is None:
        return _first_of(refusals, readings)
    text = members["path"]
    listing = _listing(tree, asked, found, budget, readings)
    return replace(listing, tricky=text != found.path or bool(text != "." and set(text) & _TRICKY))


def _located(tree: Tree, text: str, readings: Readings) -> Found | Refusal:
    if "$ROOT" in text or "$OUTSIDE" in text:
        raise NotModelled("the path names a place of the run")
    path = clean(text, readings)
    if path is None:
        return Refusal(frozenset({"BadArgs"}), "FR-LD-VAL-01", "the path is blank")
    try:
        found = locate(tree, path, readings)
        if isinstance(found, Refusal) or found.node is None or readable(found.node, readings):
            return found
    except (BeyondTheRecipe, HalfRead) as why:
        raise NotModelled(str(why)) from why
    match readings["AMB-LD-10"]:
        case "empty":
            return replace(found, children=())
        case "unknown_entry":
            raise NotModelled("an entry that stands for the requested directory")
    return Refusal(FAILURE, "FR-LD-VAL-08", "the directory cannot be read")


def _first_of(refusals: list[Refusal], readings: Readings) -> Refusal:
    if "b" not in readings.labels("AMB-LD-33"):
        return refusals[0]
    kinds = frozenset(kind for refusal in refusals for kind in refusal.kinds)
    saying = refusals[0].saying if len(refusals) == 1 else ""
    return replace(refusals[0], kinds=kinds, saying=saying)


def _listing(tree: Tree, asked: Asked, found: Found, budget: int, readings: Readings) -> Listing:
    try:
        walked = walk(found.node, found.children, asked, readings)
    except HalfRead as why:
        raise NotModelled("a directory whose reading breaks off") from why
    count, limit = len(walked.entries), asked.limit
    flagged = count > limit
    if count == limit:
        flagged = readings["AMB-LD-01"] == "reached"
        if not flagged:
            work_is_left = walked.visits[-1] < walked.visited or walked.entered[-1]
            match readings["AMB-LD-02"]:
                case "b":
                    flagged = work_is_left
                case "c":
                    flagged = True
    return Listing(
        path=found.path,
        walked=walked.entries,
        asked=asked,
        flagged=flagged,
        budget=budget,
        loose=readings.taken.get("AMB-LD-13", "a") != "a" or readings.taken.get("AMB-LD-03") == "append",
        longer=not walked.entries and readings["AMB-LD-17"] == "longer",
        found=found,
        filtered=walked.visited > count,
        tricky=False,
    )
