"""The accepted outcomes of a call of move or copy, each with the readings that it depends on.

An outcome is an error after which nothing is lost, or the state after a success. The document names no kind of error.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace

from treeproof.api import AcceptedReadings, Kind

from ..shared.reading_choices import enumerate_readings
from .outcome import ANY_ERROR, ExpectedOutcome, Request, permissions
from .taken_name import TakenName
from .transfer import has_mode
from .tree_state import LeadsOutside, Path, ResolvedPath

MAX_NAME_BYTES = 255
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
"""Names that Windows keeps for devices, whatever follows a dot."""

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-FO-01": "gate",
    "AMB-FO-04": "usual",
    "AMB-FO-05": "error",
    "AMB-FO-08": "error",
    "AMB-FO-19": "follow",
    "AMB-FO-22": "kept",
    "AMB-FO-29": "error",
    "AMB-FO-30": "error",
    "AMB-FO-32": "refuse",
    "AMB-FO-33": "error",
    "AMB-FO-34": "error",
    "AMB-FO-37": "exists",
    "AMB-FO-38": "exists",
    "AMB-FO-39": "name",
    "AMB-FO-40": "name",
    "AMB-FO-41": "name",
    "AMB-FO-42": "name",
    "AMB-FO-44": "own",
    "AMB-FO-45": "kept",
    "AMB-FO-46": "error",
    "AMB-FO-47": "error",
    "AMB-FO-48": "follow",
    "AMB-FO-49": "name",
    "AMB-FO-53": "kept",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


def expected_outcomes(request: Request, accepted: AcceptedReadings) -> list[ExpectedOutcome]:
    """Return every outcome of a call that accepted readings allow, those of the recommended ones first."""
    distinct: list[ExpectedOutcome] = []
    states = [request.state]
    for _, outcomes in enumerate_readings(
        RECOMMENDED_READINGS, accepted, lambda readings: list(_Call(request, readings).outcomes())
    ):
        for outcome in outcomes:
            if outcome not in distinct:
                # Many readings come to one state, and a comparison of trees is long.
                same = next((state for state in states if state == outcome.state), None)
                states += [outcome.state] if same is None else []
                distinct.append(outcome if same is None else replace(outcome, state=same))
    return [*distinct, *_refusals(request, accepted)]


def _refusals(request: Request, accepted: AcceptedReadings) -> Iterator[ExpectedOutcome]:
    """Yield the errors of a gate that lets no call request overwriting, also where nothing would be overwritten."""
    if not request.overwrite:
        return
    recommended = frozenset({RECOMMENDED_READINGS["AMB-FO-01"]})
    for label, permits in permissions(request).items():
        if not permits and label in accepted.get("AMB-FO-01", recommended):
            yield ExpectedOutcome(ANY_ERROR, request.state, "CFG-FOPS-01", {"AMB-FO-01": label})


class _Call(TakenName):
    """A call under one combination of readings: what its paths mean, and which transfer comes of it."""

    def outcomes(self) -> Iterator[ExpectedOutcome]:
        if b".." in (*self.source, *self.destination):
            yield from self.with_parent_steps()
            return
        yield from self.without_parent_steps()

    def with_parent_steps(self) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes of a call with `..`: an error, or what the paths mean without it (AMB-FO-32).

        Only a path that leaves the root by one of its two meanings is a matter of the sandbox.
        """
        texts = [self.state.meanings(path) for path in (self.source, self.destination)]
        stays = all(len(meanings) == 2 and all(map(self.state.is_inside, meanings)) for meanings in texts)
        yield self.failure("FR-VAL-04" if stays else "NFR-FOPS-SEC-01")
        if self.readings["AMB-FO-32"] == "refuse":
            return
        for source in texts[0]:
            for destination in texts[1]:
                other = _Call(self.request, self.readings)
                other.source, other.destination = source, destination
                yield from other.without_parent_steps()

    def without_parent_steps(self) -> Iterator[ExpectedOutcome]:
        # Not recorded: each odd name is a choice of its own.
        is_odd, labels = has_odd_names(self.source, self.destination), self.readings.accepted_labels("AMB-FO-49")
        if not is_odd or "name" in labels:
            yield from self.with_these_names()
        if is_odd and "refuse" in labels:
            yield self.failure("FR-VAL-04")

    def with_these_names(self) -> Iterator[ExpectedOutcome]:
        try:
            source, destination = self.state.follow(self.source), self.state.follow(self.destination)
        except LeadsOutside:
            yield from self.leading_outside()
            return
        if source.leaves or destination.leaves:
            yield self.failure("NFR-FOPS-SEC-01")
        if any(map(self.passes_a_link, (self.source, self.destination))) and self.readings["AMB-FO-48"] == "refuse":
            yield self.failure("FR-VAL-04")
            return
        if not self.source:
            yield self.failure("DFO-06")
            return
        if any(len(name) > MAX_NAME_BYTES for name in (*self.source, *self.destination)):
            yield self.failure("DFO-01" if self.is_move else "DFO-02")
            return
        entry = self.existing_entry(self.source)
        if entry is None:
            yield self.failure("DFO-03")
            return
        node = self.node_at(entry)
        if self.request.directories[0] and node.kind is not Kind.DIR:
            if node.kind is Kind.SYMLINK:  # the slash is idle, or means what the link leads to, or is an error
                yield self.failure("DFO-03")
                for start in (entry, self.link_target(source)):
                    if start is not None:
                        yield from self.to_destination(start, destination)
                return
            if self.readings["AMB-FO-30"] == "error":
                yield self.failure("DFO-03")
                return
        start = self.link_or_target(entry)
        is_missing = not (source.reachable and self.state.node_at(source.path))
        if start is None or (is_missing and not self.is_move):
            yield self.failure("DFO-03")  # a dangling link may be copied as a link
        if start is not None:
            yield from self.to_destination(start, destination)

    def passes_a_link(self, path: Path) -> bool:
        """Return whether a link stands on the way of a path, before its last name (AMB-FO-48)."""
        return any(self.is_link(path[:length]) for length in range(1, len(path)))

    def is_link(self, path: Path) -> bool:
        """Return whether the entry at a path is a link; the links before it are followed."""
        entry = self.existing_entry(path)
        return entry is not None and self.node_at(entry).kind is Kind.SYMLINK

    def leading_outside(self) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes if a link leads outside; it may do so only if it is itself moved or replaced."""
        entry, final = self.existing_entry(self.source), self.existing_entry(self.destination)
        start = None if entry is None else self.link_or_target(entry)
        try:
            destination = self.state.follow(self.destination)
        except LeadsOutside:
            # Such a link may be replaced on request, and is never written through.
            if start is not None and final is not None:
                yield from self.to_final_name(start, final, into_directory=False)
        else:
            if start is not None:
                yield from self.to_destination(start, destination)
        yield self.failure("NFR-FOPS-SEC-01", labels={})

    def link_or_target(self, entry: Path) -> Path | None:
        """Return what is moved or copied for an entry that is there: a link, or what it leads to (AMB-FO-04)."""
        if self.node_at(entry).kind is not Kind.SYMLINK:
            return entry
        label = self.readings["AMB-FO-04"]
        if label == "link" or (label in ("usual", "moved") and self.is_move):
            return entry
        try:
            return None if label in ("moved", "refuse") else self.link_target(self.state.follow(entry))
        except LeadsOutside:
            return None

    def existing_entry(self, path: Path) -> Path | None:
        """Return the canonical path of an entry, its last name not followed; None if it does not exist."""
        if not path:
            return None
        try:
            parent = self.state.follow(path[:-1])
        except LeadsOutside:
            return None
        entry = (*parent.path, path[-1])
        return entry if parent.reachable and entry in self.state.names else None

    def link_target(self, target: ResolvedPath) -> Path | None:
        """Return the path that a link leads to; None for the sandbox root and for a missing target."""
        exists = target.path and target.reachable and self.state.node_at(target.path) is not None
        return target.path if exists else None

    def to_destination(self, start: Path, destination: ResolvedPath) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes for an entry that is transferred to the requested destination."""
        state = self.state
        if destination.reachable and state.is_directory(destination.path):
            follows = not self.is_link(self.destination) or self.readings["AMB-FO-19"] == "follow"
            if follows or self.request.directories[1]:  # the slash at its end means the directory
                yield from self.to_final_name(start, (*destination.path, self.file_name(start)), into_directory=True)
            if follows:
                return
        if self.request.directories[1] and self.destination:
            if state.node_at(destination.path) is not None:
                yield self.failure(self.taken_name_rule)
            else:
                label = self.readings["AMB-FO-29" if self.is_move else "AMB-FO-46"]
                if label == "error":
                    yield self.failure(self.entering_rule)
                elif label == "make":
                    yield from self.into_new_directory(start, destination.path)
                if label != "strip":
                    return
        parent = state.follow(self.destination[:-1])
        final = (*parent.path, self.destination[-1])
        if parent.reachable and state.is_directory(parent.path):
            yield from self.to_final_name(start, final, into_directory=False)
            return
        created = self.with_made_directories(parent.path)
        if created is None or final[: len(start)] == start or not self.makes_directories:
            yield self.failure("DFO-09")
            return
        for outcome in self.transferred(start, final, "DFO-09", created):
            yield outcome if outcome.error_kind is None else replace(outcome, state=self.state)

    def into_new_directory(self, start: Path, directory: Path) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes if the destination is made, because the slash at its end shows that it is a directory."""
        made = self.with_made_directories(directory)
        if made is None or directory[: len(start)] == start:
            yield self.failure(self.entering_rule)
        else:
            yield from self.transferred(start, (*directory, self.file_name(start)), self.entering_rule, made)

    @property
    def entering_rule(self) -> str:
        """The requirement on a destination that is a directory."""
        return "FR-FOPS-MV-02" if self.is_move else "FR-FOPS-CP-02"

    def file_name(self, start: Path) -> bytes:
        """Return the name that the source has in a directory: its own, or the one that a link leads to (AMB-FO-44)."""
        if start == self.existing_entry(self.source) or self.readings["AMB-FO-44"] == "own":
            return self.source[-1]
        return start[-1]

    def to_final_name(self, start: Path, final: Path, *, into_directory: bool) -> Iterator[ExpectedOutcome]:
        node, existing = self.node_at(start), self.state.node_at(final)
        if final == start and self.may_overwrite():
            yield self.success(self.state, "DFO-06")
        if node.kind is Kind.DIR and final[: len(start)] == start:
            is_taken = final == start and not self.request.overwrite and not self.request.overwrite_allowed
            yield self.failure(self.taken_name_rule if is_taken else "DFO-06")
            is_new_copy = not self.is_move and final != start and existing is None
            if is_new_copy and self.readings["AMB-FO-33"] == "complete":
                yield from self.copied_directory(start, final, "DFO-06", self.state)
            return
        move, copy = ("FR-FOPS-MV-02", "FR-FOPS-CP-02") if into_directory else ("DFO-01", "DFO-02")
        requirement = move if self.is_move else copy
        if not self.is_permitted(start, final):
            yield replace(self.failure(requirement), is_midway=True)
        if existing is None:
            yield from self.transferred(start, final, requirement)
        elif self.may_overwrite():
            for outcome in self.overwritten(start, final, requirement):
                yield replace(outcome, overwrites=outcome.error_kind is None and bool(self.request.overwrite))
        elif self.request.overwrite:
            # Only the configuration stands against it.
            yield self.failure("CFG-FOPS-01")
        else:
            yield from self.taken(start, final)

    def is_permitted(self, start: Path, final: Path) -> bool:
        """Return whether the permissions of directories let the entry be moved or copied."""
        opened = [path[:length] for path in (start, final) for length in range(len(path))]
        changed = [final[:-1], *([start[:-1], start] if self.is_move else [])]
        if self.is_move and self.state.is_far(start) != self.state.is_far(final):
            changed += [start, *self.state.below(start)]
        needed = [*((path, 0o100) for path in opened), *((path, 0o300) for path in changed)]
        found = ((self.state.node_at(path), bits) for path, bits in needed)
        return all(node is None or node.kind is not Kind.DIR or has_mode(node, bits) for node, bits in found)


def has_odd_names(source: Path, destination: Path) -> bool:
    """Return whether a tool may refuse a call for a name that this system takes (AMB-FO-49)."""
    texts = [[name.decode("utf-8", "replace") for name in path] for path in (source, destination)]
    return any(map(_looks_otherwise, (*texts[0], *texts[1]))) or any(map(_is_refused_elsewhere, texts[1]))


def _looks_otherwise(name: str) -> bool:
    """Return whether a name looks like the way up, a home directory or several names, or has unseen signs."""
    if name.startswith("~") or "\\" in name or (".." in name and name != ".."):
        return True
    return any(unicodedata.category(sign).startswith("C") for sign in name)


def _is_refused_elsewhere(name: str) -> bool:
    """Return whether other systems take no such name."""
    is_device = name.partition(".")[0].lower() in _DEVICES
    return is_device or bool(set(name) & set('<>:"|?*')) or (name != ".." and name.rstrip().rstrip(".") != name)
