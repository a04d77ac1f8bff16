"""The plan of a run: its options, the packs with their features, the selected scenarios, the targets.

Everything is checked before a candidate starts, except the packs that it claims and the readings that it declares.
"""

from __future__ import annotations

import hashlib
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from treeproof.candidate import InitializeResult, Target
from treeproof.errors import UsageError
from treeproof.spec import Pack, load_pack
from treeproof.spec.gherkin import FeatureText, parse_feature
from treeproof.spec.lint import lint
from treeproof.spec.packs import bundled_packs, find_pack
from treeproof.verdict import Profile

REFERENCE = "reference"
"""The TARGET that is the pack's own right implementation."""

PROPERTIES_FEATURE = "laws.feature"
"""A candidate is asked a file of this name after the others: what hangs on a random tree would use up the patience that
the scenarios need which say where.
"""


@dataclass(frozen=True)
class Shard:
    """One of ``of`` parts of a run; ``number`` counts from 1."""

    number: int
    total: int

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``I/N``. Raises ValueError that says what to write."""
        parts = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        number, of = map(int, parts.groups()) if parts else (0, 0)
        if not 1 <= number <= of:
            raise ValueError(f"{text!r} is no shard; write I/N with I from 1 to N, such as 1/4")
        return cls(number, of)


@dataclass(frozen=True)
class Options:
    """What a run was asked for. ``select`` holds requirement, scenario or specification ids as typed.

    ``examples`` is how many random cases each law shall see; None leaves it to the laws. ``shard`` is which part of how
    many parts of the run this one is; ``jobs`` how many processes ask beside each other (None: as
    many as pay).
    """

    target: str
    specs: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    profile: Profile = Profile.DEFAULT
    seed: int = 0
    baseline: Path | None = None
    examples: int | None = None
    order: Callable[[list[Any]], None] | None = None
    shard: Shard | None = None
    jobs: int | None = 1

    @property
    def selection(self) -> tuple[str, ...]:
        """What the run was narrowed to, in words; empty for a whole run."""
        return (*self.select, *([f"shard {self.shard}"] if self.shard else []))

    @property
    def command(self) -> list[str]:
        """The words behind ``treeproof run`` that the verdicts depend on, but for the selection."""
        words = [self.target]
        for spec in self.specs:
            words += ["--spec", spec]
        if self.profile is not Profile.DEFAULT:
            words += ["--profile", str(self.profile)]
        if self.seed:
            words += ["--seed", str(self.seed)]
        if self.examples is not None:
            words += ["--examples", str(self.examples)]
        return words


@dataclass(frozen=True)
class SelectedPack:
    """One pack of the run: its features, parsed, and the scenario ids that were asked for (None: all)."""

    pack: Pack
    features: Mapping[Path, FeatureText] = field(default_factory=dict)
    selected_ids: frozenset[str] | None = None

    @property
    def requirement_by_scenario(self) -> dict[str, str]:
        """Every scenario id of the pack and the requirement it verifies."""
        return {row.id: row.requirement for text in self.features.values() for row in text.scenarios}

    @property
    def scenario_count(self) -> int:
        """How many scenarios will run."""
        return len(self.requirement_by_scenario) if self.selected_ids is None else len(self.selected_ids)


@dataclass(frozen=True)
class TargetPlan:
    """A target and the packs that it is asked about. A run has one, or one a reference implementation."""

    target: Target
    packs: tuple[SelectedPack, ...]

    @property
    def is_reference(self) -> bool:
        """Whether it is the right implementation that its packs name, and no candidate."""
        return self.target.text == REFERENCE


def reference_targets(packs: Sequence[SelectedPack]) -> list[TargetPlan]:
    """One party a reference implementation. Raises UsageError for a pack that names none."""
    by_entry: dict[str | None, list[SelectedPack]] = {}
    for part in packs:
        by_entry.setdefault(part.pack.reference, []).append(part)
    return [
        TargetPlan(Target.parse(REFERENCE, reference=entry, folder=parts[0].pack.folder), tuple(parts))
        for entry, parts in by_entry.items()
    ]


def plan_run(options: Options) -> list[SelectedPack]:
    """Return the packs of the run with their features, everything checked that can be checked without a candidate."""
    folders = [find_pack(name) for name in options.specs] or bundled_packs()
    asked = []
    for folder in folders:
        pack = load_pack(folder)
        files = pack.feature_files()
        if options.target != REFERENCE:  # it does not hang, and the longest file last leaves processes idle
            files = tuple(sorted(files, key=lambda file: file.name == PROPERTIES_FEATURE))
        features = {file: parse_feature(file) for file in files}
        _require_lint_clean(pack)
        asked.append(SelectedPack(pack, features, None))
    if options.select:
        asked = _apply_selection(asked, options.select)
    return shard(asked, options.shard) if options.shard else asked


def shard(packs: Sequence[SelectedPack], shard: Shard) -> list[SelectedPack]:
    """Return the packs with the scenarios that fall to one shard: whole feature files, about as many rows for each.

    The scenarios of one file stay together because they may share what the first of them found out, as laws do. What
    falls to a shard depends on the selection and on nothing else. Raises UsageError where nothing falls to it.
    """
    parts = [replace(part, selected_ids=_shard_pack(part, shard)) for part in packs]
    if not any(part.selected_ids for part in parts):
        files = sum(len(scenario_ids_by_file(part)) for part in packs)
        raise UsageError(
            f"--shard {shard}: nothing falls to this shard; there are {files} feature files to run, "
            "and one is never split: write a smaller number of shards"
        )
    return parts


def scenario_ids_by_file(part: SelectedPack) -> dict[Path, list[str]]:
    """Return the feature files of a pack of which something was asked for, and the ids of those scenarios."""
    chosen = {
        file: [row.id for row in text.scenarios if part.selected_ids is None or row.id in part.selected_ids]
        for file, text in part.features.items()
    }
    return {file: ids for file, ids in chosen.items() if ids}


def _shard_pack(part: SelectedPack, shard: Shard) -> frozenset[str]:
    files = scenario_ids_by_file(part)
    # The longest file goes to the shard that has least; which shard begins differs from pack to pack.
    first = zlib.crc32(part.pack.name.encode())
    order = sorted(range(shard.total), key=lambda number: (number - first) % shard.total)
    rows = dict.fromkeys(order, 0)
    mine: set[str] = set()
    for file in sorted(files, key=lambda file: (-len(files[file]), file)):
        least = min(order, key=lambda number: rows[number])
        rows[least] += len(files[file])
        if least == shard.number - 1:
            mine.update(files[file])
    return frozenset(mine)


def catalogue_digest(packs: Sequence[SelectedPack]) -> str:
    """Return a hash of the catalogues and features of a run: shards of one run have the same one."""
    content = hashlib.sha256()
    for part in packs:
        for file in (part.pack.pack_file, *sorted(part.features)):
            data = file.read_bytes()
            name = file.relative_to(part.pack.folder).as_posix()
            content.update(f"{part.pack.name} {name} {len(data)}\n".encode("utf-8", "surrogateescape") + data)
    return content.hexdigest()


def _require_lint_clean(pack: Pack) -> None:
    states = [file.stat() for file in (pack.pack_file, *pack.feature_files())]
    _require_lint_clean_once(pack.folder, tuple((state.st_ino, state.st_mtime_ns, state.st_size) for state in states))


@lru_cache(maxsize=64)
def _require_lint_clean_once(folder: Path, states: tuple[tuple[int, int, int], ...]) -> None:
    """Raise UsageError for a pack that does not lint; looked at once for each state of its files."""
    pack = load_pack(folder)
    errors = [finding for finding in lint(pack, step_definitions=()) if finding.is_error]
    if errors:
        more = f" (and {len(errors) - 1} more; 'treeproof lint' prints them)" if len(errors) > 1 else ""
        raise UsageError(f"{errors[0]}{more}")


def _apply_selection(asked: Sequence[SelectedPack], select: Iterable[str]) -> list[SelectedPack]:
    chosen: dict[str, set[str]] = {part.pack.name: set() for part in asked}
    for wanted in select:
        hit = False
        for part in asked:
            ids = {i for i, r in part.requirement_by_scenario.items() if wanted in (i, r, part.pack.name)}
            known = wanted == part.pack.name or any(r.id == wanted for r in part.pack.requirements)
            restated = {r.restates for r in part.pack.requirements if r.id == wanted and r.restates}
            ids |= {i for i, r in part.requirement_by_scenario.items() if r in restated}
            chosen[part.pack.name] |= ids
            hit = hit or known or bool(ids)
        if not hit:
            raise UsageError(
                f"--select {wanted}: no requirement, scenario or specification has this id; "
                "'treeproof list requirements' and 'treeproof list scenarios' print them"
            )
    parts = [SelectedPack(p.pack, p.features, frozenset(chosen[p.pack.name])) for p in asked if chosen[p.pack.name]]
    if not parts:
        raise UsageError(f"--select {' '.join(select)}: nothing would run, no scenario verifies what was selected")
    return parts


def packs_claimed(
    packs: Sequence[SelectedPack], hello: InitializeResult, *, named_explicitly: bool
) -> list[SelectedPack]:
    """Return the packs that the candidate claims; those that were named on the command line stay in any case."""
    claims = {claim.partition("@")[0] for claim in hello.tools.values()}
    parts = [part for part in packs if named_explicitly or part.pack.name in claims]
    return parts or list(packs)


def declared_readings(target: Target, hello: InitializeResult, packs: Sequence[SelectedPack]) -> dict[str, str]:
    """Return the declared readings; raises UsageError for an unknown entry, an unknown label or a contradiction."""
    declared = dict(hello.interpretations)
    for entry, label in target.interpretations.items():
        if declared.setdefault(entry, label) != label:
            raise UsageError(
                f"{entry}: the manifest declares {label!r} and the candidate itself {declared[entry]!r}; "
                "let them agree or drop one"
            )
    register = {entry.id: entry for part in packs for entry in part.pack.interpretations}
    for entry, label in declared.items():
        if entry not in register:
            raise UsageError(f"interpretation {entry}: no such entry; 'treeproof list interpretations' prints them")
        labels = [reading.label for reading in register[entry].readings]
        if label not in labels:
            raise UsageError(f"interpretation {entry}: no reading {label!r}; write one of {', '.join(labels)}")
    return declared


def platform_name() -> str:
    """The name of this platform, as catalogues and baselines spell it."""
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
