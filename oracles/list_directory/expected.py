"""The expected outcome of a call by one combination of readings: a listing or a failure.

The checks run in the order of AMB-LD-33: schema, rules between arguments, sandbox, existence, readability, budget.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from treeproof.api import Case, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import ExpectedFailure, Request, apply_defaults, check_schema
from .document import (
    CUT_BY_COUNT,
    CUT_BY_SIZE,
    ExpectedEntry,
    document_json,
    document_size,
    largest_fitting_count,
)
from .path_resolution import (
    COMMON_WHITESPACE,
    FAILURE,
    VIOLATION,
    VIOLATION_OR_FAILURE,
    ResolvedDirectory,
    normalise_path,
    resolve_path,
)
from .walk import readable, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LD-01": "exceeded",
    "AMB-LD-02": "a",
    "AMB-LD-03": "replace",
    "AMB-LD-04": "a",
    "AMB-LD-06": "always",
    "AMB-LD-08": "descend",
    "AMB-LD-09": "a",
    "AMB-LD-10": "execution_failed",
    "AMB-LD-11": "a",
    "AMB-LD-12": "maximal_subpart",
    "AMB-LD-13": "a",
    "AMB-LD-15": "minimal",
    "AMB-LD-17": "truthful",
    "AMB-LD-18": "b",
    "AMB-LD-20": "a",
    "AMB-LD-21": "refuse",
    "AMB-LD-22": "platform",
    "AMB-LD-23": "a",
    "AMB-LD-25": "b",
    "AMB-LD-26": "floor",
    "AMB-LD-27": "a",
    "AMB-LD-28": "reject",
    "AMB-LD-29": "ignore",
    "AMB-LD-31": "a",
    "AMB-LD-33": "a",
    "AMB-LD-34": "a",
    "AMB-LD-36": "follow",
    "AMB-LD-37": "b",
    "AMB-LD-45": "a",
    "AMB-LD-57": "a",
    "AMB-LD-66": "a",
    "AMB-LD-67": "a",
    "AMB-LD-68": "first",
    "AMB-LD-69": "reject",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""

ROOT_PLACEHOLDER = "$ROOT"
"""The beginning of the path of a listing of an absolute path, which is not compared."""

DEFAULT_OUTPUT_BYTES, DEFAULT_CAPACITY_BYTES = 102400, 65536

_UNUSUAL_CHARACTERS = frozenset(".\\: \t\n")

_MODELLED_CONTEXT = {
    "max_output_bytes",
    "available_capacity_bytes",
    "config",
    "allow_absolute",
    "include_default_denies",
    "denied_patterns",
    "working_dir",
    "policy",
    "approval",
}
_EVERYTHING_IN_A_DIRECTORY = re.compile(r"(\w+)/\*\*")


@dataclass(frozen=True)
class ExpectedListing:
    """The expected listing, not yet cut by the budget. `qualifying` holds all qualifying entries in walk order.

    `reserves_truncated_header`: the budget of an empty listing must also fit the truncated document (AMB-LD-17).
    `is_filtered`: a filter dropped at least one entry. `has_unusual_path`: the requested path was normalised, or has a
    character that normalisation might affect.
    """

    path: str
    qualifying: tuple[ExpectedEntry, ...]
    request: Request
    is_count_truncated: bool
    budget: int
    any_order: bool
    """Entries with equal paths may have any order."""
    any_escapes: bool
    """Any valid JSON escapes are accepted (AMB-LD-15)."""
    reserves_truncated_header: bool
    directory: ResolvedDirectory
    is_filtered: bool
    has_unusual_path: bool

    @cached_property
    def entries(self) -> tuple[ExpectedEntry, ...]:
        """Return the entries within the limit, in output order (FR-LD-OUT-01)."""
        return tuple(sorted(self.qualifying[: self.request.max_entries], key=lambda entry: entry.path))

    @property
    def reason(self) -> str | None:
        """Return the truncated_reason of the document if the budget does not cut it."""
        return CUT_BY_COUNT if self.is_count_truncated else None

    @cached_property
    def kept_count(self) -> int | None:
        """Return how many entries fit into the budget (with placeholder error texts); None if the call fails."""
        limit, sizes = self.request.max_entries, [entry.json_size for entry in self.entries]
        if self.reserves_truncated_header and document_size(self.path, (), limit, CUT_BY_SIZE) > self.budget:
            return None
        return largest_fitting_count(self.path, sizes, limit, self.reason, self.budget)

    @property
    def full_size(self) -> int:
        """Return the length of the document without a budget, in bytes."""
        sizes = [entry.json_size for entry in self.entries]
        return document_size(self.path, sizes, self.request.max_entries, self.reason)

    @property
    def text(self) -> str | None:
        """Return the exact output; None if the call fails because of its budget."""
        if self.kept_count is None:
            return None
        reason = self.reason if self.kept_count == len(self.entries) else CUT_BY_SIZE
        texts = [entry.json_text for entry in self.entries[: self.kept_count]]
        return document_json(self.path, texts, self.request.max_entries, reason)


ExpectedOutcome = ExpectedListing | ExpectedFailure


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the exact document, or the kinds of error."""
    if isinstance(expected, ExpectedListing):
        return expected.text or "ExecutionFailed"
    return " or ".join(sorted(expected.kinds))


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    context = case.context
    if not context.keys() <= _MODELLED_CONTEXT:
        raise Unmodelled("the context holds more than budgets, configuration and where paths begin")
    policy = context.get("policy")
    if policy is not None and (policy.get("mode") != "deny" or case.tool not in policy.get("allowlist", ())):
        raise Unmodelled("a policy by which the call may not run, or be asked about")
    budget = min(
        context.get("max_output_bytes", DEFAULT_OUTPUT_BYTES),
        context.get("available_capacity_bytes", DEFAULT_CAPACITY_BYTES),
    )
    members, failures = check_schema(case.arguments, readings)
    request, broken_rules = apply_defaults(members, case.config, readings)
    failures += broken_rules
    path, directory = ".", None
    if "path" in members:
        located = _locate(case, members["path"], readings)
        if isinstance(located, ExpectedFailure):
            failures.append(located)
        else:
            directory = located
            path = located.path
    if failures and document_size(path, (), 1, None) > budget:
        failures.append(ExpectedFailure(FAILURE, "FR-LD-OUT-08", "the budget is too small"))
    if failures or directory is None:
        return _select_failure(failures, readings)
    return _listing(case, request, directory, budget, readings)


def _locate(case: Case, text: str, readings: ReadingChoices) -> ResolvedDirectory | ExpectedFailure:
    trimmed = text.strip(COMMON_WHITESPACE)
    from_root = f"{trimmed}/".startswith("$ROOT/")
    if "$OUTSIDE" in text or text.count("$ROOT") != from_root:
        raise Unmodelled("the path has a placeholder, or more than one")
    if from_root and not case.context.get("allow_absolute"):
        return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path is absolute")
    path = normalise_path(trimmed.removeprefix("$ROOT").lstrip("/") or "." if from_root else text, readings)
    if path is None:
        return ExpectedFailure(frozenset({"BadArgs"}), "FR-LD-VAL-01", "the path is blank")
    start = "" if from_root else case.context.get("working_dir", "$ROOT").removeprefix("$ROOT").strip("/")
    if (start or from_root) and ".." in path.split("/"):
        raise Unmodelled("`..` from elsewhere than the root")
    found = resolve_path(case.tree, path, readings, start=start.encode())
    if "denied_patterns" in case.context and _is_denied(case.context["denied_patterns"], path):
        kinds = VIOLATION if isinstance(found, ResolvedDirectory) else VIOLATION_OR_FAILURE
        return ExpectedFailure(kinds, "FR-LD-VAL-07", "a denied pattern matches the path")
    if from_root and isinstance(found, ResolvedDirectory):
        found = replace(found, path=f"{ROOT_PLACEHOLDER}/{found.path}")
    if isinstance(found, ExpectedFailure) or found.node is None or readable(found.node, readings):
        return found
    match readings["AMB-LD-10"]:
        case "empty":
            return replace(found, children=())
        case "unknown_entry":
            raise Unmodelled("an unknown entry in place of the requested directory")
    return ExpectedFailure(FAILURE, "FR-LD-VAL-08", "the directory cannot be read")


def _is_denied(patterns: Sequence[str], path: str) -> bool:
    """Return whether a pattern matches the path. Raises Unmodelled for patterns and paths of which that is open."""
    names = [_EVERYTHING_IN_A_DIRECTORY.fullmatch(pattern) for pattern in patterns]
    first, *others = path.split("/")
    matches = [name is not None and name[1] == first for name in names]
    if not patterns or None in names or path == "." or (any(matches) and not others):
        raise Unmodelled("a denied pattern of another form, or one that matches what is in the requested directory")
    return any(matches)


def _select_failure(failures: list[ExpectedFailure], readings: ReadingChoices) -> ExpectedFailure:
    if "b" not in readings.accepted_labels("AMB-LD-33"):
        return failures[0]
    kinds = frozenset(kind for failure in failures for kind in failure.kinds)
    message_part = failures[0].message_part if len(failures) == 1 else ""
    return replace(failures[0], kinds=kinds, message_part=message_part)


def _listing(
    case: Case, request: Request, directory: ResolvedDirectory, budget: int, readings: ReadingChoices
) -> ExpectedListing:
    requested_path = case.arguments["path"]
    walked = walk(case.tree, directory.node, directory.children, request, readings)
    count, limit = len(walked.entries), request.max_entries
    truncated = count > limit
    if count == limit:
        truncated = readings["AMB-LD-01"] == "reached"
        if not truncated:
            work_is_left = walked.visit_counts[-1] < walked.visited or walked.is_entered[-1]
            match readings["AMB-LD-02"]:
                case "b":
                    truncated = work_is_left
                case "c":
                    truncated = True
    is_unusual = requested_path != "." and bool(set(requested_path) & _UNUSUAL_CHARACTERS)
    return ExpectedListing(
        path=directory.path,
        qualifying=walked.entries,
        request=request,
        is_count_truncated=truncated,
        budget=budget,
        any_order=readings.labels.get("AMB-LD-13", "a") != "a" or readings.labels.get("AMB-LD-03") == "append",
        any_escapes="any_valid" in readings.accepted_labels("AMB-LD-15"),
        reserves_truncated_header=not walked.entries and readings["AMB-LD-17"] == "longer",
        directory=directory,
        is_filtered=walked.visited > count,
        has_unusual_path=requested_path != directory.path or is_unusual,
    )
