"""The expected outcome of a call by one combination of readings: a listing or a failure.

The checks run in the order of AMB-LD-33: schema, rules between arguments, sandbox, existence, readability, budget.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from treeproof.api import Case, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import ExpectedFailure, Request, apply_defaults, check_schema, has_undocumented_keys
from .denied_patterns import DeniedPatterns
from .document import (
    CUT_BY_COUNT,
    CUT_BY_SIZE,
    ExpectedEntry,
    document_json,
    document_size,
    largest_fitting_count,
)
from .path_resolution import (
    ANY_ERROR,
    FAILURE,
    MAX_PATH_BYTES,
    VIOLATION,
    VIOLATION_OR_FAILURE,
    Names,
    ResolvedDirectory,
    Surroundings,
    resolve_path,
    surroundings_of,
)
from .path_text import normalise_path, opened_path, without_placeholders
from .policy import decide
from .walk import ShownNames, WalkResult, readable, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LD-01": "exceeded",
    "AMB-LD-02": "a",
    "AMB-LD-03": "replace",
    "AMB-LD-04": "a",
    "AMB-LD-10": "execution_failed",
    "AMB-LD-11": "a",
    "AMB-LD-12": "maximal_subpart",
    "AMB-LD-13": "a",
    "AMB-LD-15": "minimal",
    "AMB-LD-17": "truthful",
    "AMB-LD-18": "b",
    "AMB-LD-19": "a",
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
    "AMB-LD-32": "a",
    "AMB-LD-33": "a",
    "AMB-LD-34": "a",
    "AMB-LD-35": "no",
    "AMB-LD-36": "follow",
    "AMB-LD-37": "b",
    "AMB-LD-39": "a",
    "AMB-LD-45": "a",
    "AMB-LD-57": "a",
    "AMB-LD-61": "a",
    "AMB-LD-65": "a",
    "AMB-LD-66": "a",
    "AMB-LD-67": "a",
    "AMB-LD-68": "first",
    "AMB-LD-69": "reject",
    "AMB-LD-70": "name",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""

DEFAULT_OUTPUT_BYTES, DEFAULT_CAPACITY_BYTES = 102400, 65536

_UNUSUAL_CHARACTERS = frozenset(".\\: \t\n")

_LONG_PATH_BYTES = 3000 if sys.platform == "linux" else 800
"""Below PATH_MAX (4096 on Linux, 1024 on macOS) by more than the path of any sandbox root."""

_MODELLED_CONTEXT = {
    "max_output_bytes",
    "available_capacity_bytes",
    "config",
    "allow_absolute",
    "include_default_denies",
    "denied_patterns",
    "roots",
    "working_dir",
    "policy",
    "approval",
}


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
    needs_approval: bool = False
    """The user approves the call (AMB-LD-39, AMB-LD-65)."""
    is_respelt: bool = False
    """The requested path was normalised."""
    has_undocumented_keys: bool = False
    """The configured table has keys beside the documented ones."""
    has_other_tables: bool = False
    """The configuration has other tables than the tool's own, which it lacks."""

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
        if self.reserves_truncated_header:
            return None
        return largest_fitting_count(self.path, sizes, limit, self.reason, self.budget)

    @cached_property
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


_MARKS = {"dir": "/", "symlink": "@", "other": "?"}


def summarise(expected: ExpectedOutcome) -> str:
    """Return the listed paths, with `/` for a directory, `@` for a link and `?` for something else, or the errors.

    A file has its size, an entry in error its code, and a listing that is cut the reason at its end.
    """
    if not isinstance(expected, ExpectedListing) or expected.kept_count is None:
        return describe_outcome(expected)
    kept = expected.entries[: expected.kept_count]
    texts = [
        entry.path
        + _MARKS.get(entry.type, f"={entry.size_bytes}")
        + "".join(f" !{one}" for one in entry.error_codes[:1])
        for entry in kept
    ]
    reason = expected.reason if len(kept) == len(expected.entries) else CUT_BY_SIZE
    return ", ".join([*texts, *([f"cut by {reason}"] if reason else [])])


def expected_outcome(case: Case, readings: ReadingChoices, shown: ShownNames = MappingProxyType({})) -> ExpectedOutcome:
    """Return the expected outcome of a case; `shown`: the texts that names have in an answer. Raises Unmodelled."""
    context = case.context
    if not context.keys() <= _MODELLED_CONTEXT:
        raise Unmodelled("the context has a member of another tool")
    policy = decide(case, readings)
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
    if policy.stop is not None:
        return policy.stop
    if failures or directory is None:
        return _select_failure(failures, readings)
    listing = _listing(case, request, directory, budget, readings, shown)
    return replace(listing, needs_approval=True) if policy.needs_approval else listing


def _locate(case: Case, text: str, readings: ReadingChoices) -> ResolvedDirectory | ExpectedFailure:
    surroundings = surroundings_of(case)
    if surroundings.is_without_root:
        return ExpectedFailure(ANY_ERROR | {"ConfigInvalid"}, "FR-LD-VAL-07", "the sandbox root is no directory")
    path = normalise_path(without_placeholders(text), readings)
    if path is None:
        return ExpectedFailure(frozenset({"BadArgs"}), "FR-LD-VAL-01", "the path is blank")
    is_long = len(text.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES
    if is_long and readings.choose("a path that is too long before it is tidied", ("listed", "refused")) == "refused":
        return ExpectedFailure(ANY_ERROR, "FR-LD-VAL-08", "the path is too long")
    opened = opened_path(without_placeholders(text), path, readings)
    if opened.startswith("/") and not case.context.get("allow_absolute"):
        return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path is absolute")
    found, places = resolve_path(surroundings, opened, path, readings)
    if isinstance(found, ExpectedFailure) and "b" in readings.accepted_labels("AMB-LD-19"):
        # As it came, the text names something below the file, and no file: T-LD-02 requires no phrase.
        found = replace(found, message_part="" if text.strip().endswith(("/", "/.")) else found.message_part)
    found = _unless_denied(case, surroundings, found, places, readings)
    if isinstance(found, ExpectedFailure) or found.is_sandbox_root:
        return found
    breaks_off = "reread" in found.node.faults
    if not breaks_off and readable(found.node, readings):
        return found
    is_gone = found.node.error == "ENOENT" and "readdir" in found.node.faults
    if is_gone and readings.choose("a target that is gone when it is opened", ("missing", "")) == "missing":
        return ExpectedFailure(FAILURE, "FR-LD-VAL-08", "the path does not exist")
    reason = "the directory cannot be read"
    is_entry = readings["AMB-LD-10"] == "unknown_entry"
    kinds = FAILURE if breaks_off else VIOLATION_OR_FAILURE  # a sandbox may open the directory itself
    if is_entry and not breaks_off:
        kinds = frozenset()
    # A listing without a word of what is missing is no answer, empty or not.
    of_listing = "FR-LD-LST-08"
    return ExpectedFailure(kinds, "FR-LD-VAL-08", reason, requirement_of_listing=of_listing, stands_for_itself=is_entry)


def _unless_denied(
    case: Case,
    surroundings: Surroundings,
    found: ResolvedDirectory | ExpectedFailure,
    places: tuple[Names, ...],
    readings: ReadingChoices,
) -> ResolvedDirectory | ExpectedFailure:
    """Return the result for a path, or the failure if a denied pattern covers it."""
    if not places:
        return found
    relative = [surroundings.relative(place) for place in places]
    coverage = DeniedPatterns(case.context).coverage(relative[0], relative[1])
    if coverage == "none":
        return found
    if coverage == "open" and readings.choose("a pattern that may cover the path", ("listed", "refused")) == "listed":
        return found
    is_early = isinstance(found, ResolvedDirectory) or found.is_missing
    kinds = VIOLATION if is_early else VIOLATION_OR_FAILURE
    return ExpectedFailure(kinds, "FR-LD-VAL-07", "a denied pattern covers the path")


def _select_failure(failures: list[ExpectedFailure], readings: ReadingChoices) -> ExpectedFailure:
    if "b" not in readings.accepted_labels("AMB-LD-33"):
        return failures[0]
    kinds = frozenset(kind for failure in failures for kind in failure.kinds)
    if len(failures) == 1:
        return failures[0]
    return replace(failures[0], kinds=kinds, message_part="", stands_for_itself=False)


def _listing(
    case: Case,
    request: Request,
    directory: ResolvedDirectory,
    budget: int,
    readings: ReadingChoices,
    shown: ShownNames,
) -> ExpectedListing:
    requested_path = case.arguments["path"]
    top = None if directory.is_sandbox_root else directory.node
    walked = walk(case.tree, top, directory.children, request, readings, shown)
    if walked.has_open_order and _may_be_cut(walked, directory.path, request, budget):
        walked = walk(case.tree, top, directory.children, request, readings, shown, chooses_order=True)
    _refuse_covered_entries(case, directory, walked, readings)
    if any(len(entry.raw_path) > _LONG_PATH_BYTES for entry in walked.entries):
        raise Unmodelled("a path is longer than many systems permit (AMB-LD-53)")
    count, limit = len(walked.entries), request.max_entries
    truncated = count > limit
    if count == limit > 0:
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
        reserves_truncated_header=not walked.entries
        and document_size(directory.path, (), limit, CUT_BY_SIZE) > budget
        and readings["AMB-LD-17"] == "longer",
        directory=directory,
        is_filtered=walked.visited > count,
        has_unusual_path=requested_path != directory.path or is_unusual,
        is_respelt=requested_path != directory.path,
        has_undocumented_keys=has_undocumented_keys(case.config),
        has_other_tables=case.config is None and bool(case.context.get("config")),
    )


def _may_be_cut(walked: WalkResult, path: str, request: Request, budget: int) -> bool:
    """Return whether a listing reaches its limit, or perhaps its budget: an escape has six bytes at most."""
    size = document_size(path, [entry.json_size for entry in walked.entries], request.max_entries, CUT_BY_SIZE)
    return len(walked.entries) >= request.max_entries or size * 6 > budget


def _refuse_covered_entries(
    case: Case, directory: ResolvedDirectory, walked: WalkResult, readings: ReadingChoices
) -> None:
    """Raise Unmodelled if a denied pattern may keep an entry from the listing (AMB-LD-35)."""
    if readings.accepted_labels("AMB-LD-35") == ("no",):
        return
    surroundings = surroundings_of(case)
    below = [tuple(entry.raw_path.split(b"/")) for entry in walked.entries]
    if len(surroundings.roots) == 1:
        found = [(*start, *names) for start in surroundings.relative(directory.place) for names in below]
    else:
        found = [one for names in below for one in surroundings.relative((*directory.place, *names))]
    if DeniedPatterns(case.context).covers_any(found):
        raise Unmodelled("which entries a denied pattern covers is open")
