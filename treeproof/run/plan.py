"""The plan of a run: its options, the packs with their features, the selected scenarios, the targets.

Everything is checked before a candidate starts, except the packs that it claims (`claims`) and the readings that it
declares.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.candidate import InitializeResult, Target
from treeproof.errors import UsageError
from treeproof.pack_modules import full_module_name
from treeproof.run.clean_packs import require_clean
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.selection import apply_selection, exact_selection
from treeproof.run.targets import REFERENCE, own_target
from treeproof.spec import Pack, load_pack, open_pack
from treeproof.spec.catalogue import PLATFORMS
from treeproof.spec.contract import under_contract
from treeproof.spec.packs import bundled_packs, is_bundled
from treeproof.spec.version_features import features_of
from treeproof.systems import system_name
from treeproof.verdict import Profile

"""The TARGET for the reference implementation of the pack."""

PROPERTIES_FEATURE = "laws.feature"
"""A file of this name runs last: timeouts on random trees would open the circuit breaker before the scenarios that
show the cause.
"""


@dataclass(frozen=True)
class Shard:
    """One of ``total`` parts of a run; ``number`` counts from 1."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Parse ``I/N``. Raises ValueError, with the remedy in its message."""
        parts = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        number, total = map(int, parts.groups()) if parts else (0, 0)
        if not 1 <= number <= total:
            raise ValueError(f"{text!r} is no shard; write I/N with I from 1 to N, such as 1/4")
        return cls(number, total)


@dataclass(frozen=True)
class Options:
    """The options of a run.

    ``profile`` is None for that of the manifest, or the default one. ``select`` holds the words of ``--select`` as
    typed (`treeproof.run.selection`). ``examples`` is the number of random cases per property [each property's own].
    ``jobs`` is the number of parallel processes; None: chosen from the CPU count, at most two unless the target is the
    reference. ``isolate``: confine the candidate. ``mutant``: the id of one to plant into the candidate. ``reruns``:
    try the commands by which a report repeats its first cases. ``documents``: those that reports quote; None: those
    that are in use.
    """

    target: str
    specs: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    profile: Profile | None = None
    seed: int = 0
    baseline: Path | None = None
    examples: int | None = None
    order: Callable[[list[Any]], None] | None = None
    shard: Shard | None = None
    jobs: int | None = 1
    isolate: bool = False
    mutant: str | None = None
    reruns: bool = False
    documents: tuple[Path, ...] | None = ()

    @property
    def chosen_profile(self) -> Profile:
        """The profile by which the run judges."""
        return self.profile or Profile.DEFAULT

    @property
    def selection(self) -> tuple[str, ...]:
        """The selected ids and the shard, as texts; empty for a whole run."""
        return (*self.select, *([f"shard {self.shard}"] if self.shard else []))

    @property
    def command(self) -> list[str]:
        """The arguments of ``treeproof run`` that change verdicts, without the selection."""
        args = [self.target]
        for spec in self.specs:
            args += ["--spec", spec]
        if self.profile not in (None, Profile.DEFAULT):
            args += ["--profile", str(self.profile)]
        if self.seed:
            args += ["--seed", str(self.seed)]
        if self.examples is not None:
            args += ["--examples", str(self.examples)]
        if self.isolate:
            args.append("--isolate")
        if self.mutant is not None:
            args += ["--mutant", self.mutant]
        return args


@dataclass(frozen=True)
class TargetPlan:
    """A target and its packs. A run has one plan, or one per reference implementation."""

    target: Target
    packs: tuple[SelectedPack, ...]

    @property
    def is_reference(self) -> bool:
        """True if the target is the reference implementation of its packs."""
        return self.target.text == REFERENCE

    @property
    def is_harmless(self) -> bool:
        """True if nothing outside of the workspaces is at stake: the candidate belongs to treeproof, or is isolated."""
        return self.target.is_own or self.target.isolation is not None


def reference_targets(packs: Sequence[SelectedPack]) -> list[TargetPlan]:
    """Return one plan per reference implementation. Raises UsageError for a pack that names none."""
    by_entry: dict[str | None, list[SelectedPack]] = {}
    for part in packs:
        entry = part.pack.reference
        by_entry.setdefault(entry and full_module_name(entry, part.pack.folder), []).append(part)
    return [TargetPlan(own_target(parts[0].pack), tuple(parts)) for parts in by_entry.values()]


def with_exact_selection(options: Options) -> Options:
    """Return the options of a shard with a selection that `treeproof merge` can apply: ids alone. Raises UsageError."""
    if options.shard is None or not options.select:
        return options
    return replace(options, select=exact_selection(_load_packs(options), options.select))


def plan_run(options: Options) -> list[SelectedPack]:
    """Return the packs of the run with their features. Raises UsageError, before any candidate starts."""
    selected = _load_packs(options)
    if options.select:
        selected = apply_selection(selected, options.select)
    require_clean(part.pack for part in selected)
    return shard(selected, options.shard) if options.shard else selected


def _load_packs(options: Options) -> list[SelectedPack]:
    packs = [open_pack(name) for name in options.specs] or [load_pack(folder) for folder in bundled_packs()]
    versions: dict[str, str] = {}
    selected = []
    if options.profile is Profile.BEHAVIOUR:
        packs = [_under_contract(pack) for pack in packs]
    for pack in packs:
        other = versions.setdefault(pack.name, pack.version)
        if other != pack.version:
            raise UsageError(
                f"--spec: {pack.name} is selected twice, in the versions {other} and {pack.version}; "
                "run them one after the other"
            )
        features = list(features_of(pack))
        if options.target != REFERENCE:  # it does not hang, and a long last file leaves workers idle
            features.sort(key=lambda feature: feature.file.name == PROPERTIES_FEATURE)
        selected.append(SelectedPack(pack, {feature.file: feature for feature in features}, None))
    return selected


def _under_contract(pack: Pack) -> Pack:
    """Return a pack that the behaviour contract judges. Raises UsageError for tools that the contract does not know."""
    if not is_bundled(pack.folder):
        raise UsageError(
            f"--profile {Profile.BEHAVIOUR}: the contract does not know the tools of {pack.name}; map your tool to "
            f"one of a bundled specification: {', '.join(folder.name for folder in bundled_packs())}"
        )
    return under_contract(pack)


def shard(packs: Sequence[SelectedPack], shard: Shard) -> list[SelectedPack]:
    """Return the packs with the scenarios of one shard: whole feature files, with similar numbers of scenarios.

    The scenarios of a file may share results, as properties do, so a file is never split. Only the selection determines
    the content of a shard. Raises UsageError for an empty shard.
    """
    parts = [replace(part, selected_ids=_shard_pack(part, shard)) for part in packs]
    if not any(part.selected_ids for part in parts):
        files = sum(len(scenario_ids_by_file(part)) for part in packs)
        raise UsageError(
            f"--shard {shard}: this shard is empty; the run has {files} feature files, and a file is never split: "
            "write a smaller number of shards"
        )
    return parts


def scenario_ids_by_file(part: SelectedPack) -> dict[Path, list[str]]:
    """Return the feature files of a pack with selected scenarios, and the ids of these scenarios."""
    chosen = {
        file: [case.id for case in text.scenarios if part.selected_ids is None or case.id in part.selected_ids]
        for file, text in part.features.items()
    }
    return {file: ids for file, ids in chosen.items() if ids}


def _shard_pack(part: SelectedPack, shard: Shard) -> frozenset[str]:
    files = scenario_ids_by_file(part)
    # Each file, the longest first, goes to the smallest shard; the first shard differs between packs.
    first = zlib.crc32(part.pack.name.encode())
    order = sorted(range(shard.total), key=lambda number: (number - first) % shard.total)
    counts = dict.fromkeys(order, 0)
    own: set[str] = set()
    for file in sorted(files, key=lambda file: (-len(files[file]), file)):
        smallest = min(order, key=lambda number: counts[number])
        counts[smallest] += len(files[file])
        if smallest == shard.number - 1:
            own.update(files[file])
    return frozenset(own)


def catalogue_digest(packs: Sequence[SelectedPack]) -> str:
    """Return a hash of the catalogues and features of a run; it is equal for all shards of a run."""
    content = hashlib.sha256()
    for part in packs:
        for file in (part.pack.pack_file, *sorted(part.features)):
            data = file.read_bytes()
            name = file.relative_to(part.pack.folder).as_posix()
            content.update(f"{part.pack.name} {name} {len(data)}\n".encode("utf-8", "surrogateescape") + data)
    return content.hexdigest()


def declared_readings(target: Target, hello: InitializeResult, packs: Sequence[SelectedPack]) -> dict[str, str]:
    """Return the declared readings. Raises UsageError for an unknown id, an unknown label or a contradiction.

    A candidate of several specifications declares readings of all of them, also for a run of one.
    """
    declared = dict(hello.interpretations)
    for entry, label in target.interpretations.items():
        if declared.setdefault(entry, label) != label:
            raise UsageError(
                f"{entry}: the manifest declares {label!r} and the candidate itself {declared[entry]!r}; "
                "let them agree or drop one"
            )
    register = {entry.id: entry for part in packs for entry in part.pack.interpretations}
    if not declared.keys() <= register.keys():
        bundled = (entry for folder in bundled_packs() for entry in load_pack(folder).interpretations)
        register = {entry.id: entry for entry in bundled} | register
    for entry, label in declared.items():
        if entry not in register:
            raise UsageError(f"interpretation {entry}: no such entry; 'treeproof list interpretations' prints them")
        labels = [reading.label for reading in register[entry].readings]
        if label not in labels:
            raise UsageError(f"interpretation {entry}: no reading {label!r}; write one of {', '.join(labels)}")
        if label not in {reading.label for reading in register[entry].readings if reading.accepted}:
            raise UsageError(
                f"interpretation {entry}: the document rejects {label!r}; `treeproof explain {entry}` prints why"
            )
    return declared


def platform_name(target: Target) -> str:
    """Return the name of a target's platform in catalogues and baselines; by default that of this machine."""
    return system_name() if target.platform is None else PLATFORMS[target.platform]
