"""The description of a variant, and the variants of a specification with their combinations. Contains no variants."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol

from treeproof.rows.shared.row import Row, chain

Parts = Mapping[str, Any]
"""The exchanged parts of the reference: the name of a field, such as `walk`, and the class to use."""

Build = Callable[[Parts], Any]
"""Returns the reference of a specification as a new candidate, with parts exchanged."""

JOIN = "+"
"""Joins the ids of variants to the id of their combination."""


@dataclass(frozen=True)
class Variant:
    """A right implementation: the reference with changes of its calls, answers and trees, or with parts exchanged.

    `rows` are the changes, `parts` exchange parts of the reference. `readings` are the readings that the variant takes,
    by the id of the interpretation. `unverified` gives, by the id of a requirement, the reason why it ends NOT
    VERIFIED. `excludes` has ids of variants that this one cannot be combined with, although nothing else prevents it.
    """

    id: str
    summary: str
    parts: Parts = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    unverified: Mapping[str, str] = field(default_factory=dict)
    excludes: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()


class Changing(Protocol):
    """A variant without its rows and parts."""

    def __call__(self, *rows: Row, **parts: Any) -> Variant: ...


def variant(
    id: str,
    summary: str,
    readings: Mapping[str, str] | None = None,
    *,
    unverified: Mapping[str, str] | None = None,
    excludes: tuple[str, ...] = (),
) -> Changing:
    """Return the function from rows, and parts by their names, to the variant.

    An id such as `AMB-X-01=a` is that of an interpretation, and the label of the reading that the variant takes.
    """
    interpretation, _, label = id.partition("=")
    taken = {**({interpretation: label} if label else {}), **(readings or {})}

    def changing(*rows: Row, **parts: Any) -> Variant:
        return Variant(id, summary, parts, taken, unverified or {}, excludes, rows)

    return changing


class IncompatibleVariants(ValueError):
    """Two variants that one implementation cannot combine."""


def combine(first: Variant, second: Variant) -> Variant:
    """Return the combination of two variants. Raises IncompatibleVariants.

    If both exchange the same part, the class of `second` extends that of `first`. Rows are around the reference that
    has the parts of both.
    """
    members, others = set(first.id.split(JOIN)), set(second.id.split(JOIN))
    if others & set(first.excludes) or members & set(second.excludes):
        raise IncompatibleVariants(f"{first.id} excludes {second.id}")
    if first.readings.keys() & second.readings.keys():
        raise IncompatibleVariants(f"{first.id} and {second.id} take a reading of the same interpretation")
    parts = dict(first.parts)
    for name, part in second.parts.items():
        parts[name] = _extend(parts[name], part, f"{first.id}, {second.id}: {name}") if name in parts else part
    return Variant(
        first.id + JOIN + second.id,
        f"{first.summary} {second.summary}",
        parts,
        {**first.readings, **second.readings},
        {**first.unverified, **second.unverified},
        first.excludes + second.excludes,
        first.rows + second.rows,
    )


def _extend(first: Any, second: Any, place: str) -> Any:
    if first is second:
        return first
    if not (isinstance(first, type) and isinstance(second, type)):
        raise IncompatibleVariants(f"{place} is no class in both")
    try:
        return type(f"{second.__name__}Of{first.__name__}", (second, first), {})
    except TypeError as error:
        raise IncompatibleVariants(f"{place}: {error}") from None


class VariantCandidate:
    """A variant that can be started; a call without arguments returns a new candidate, around which its rows come.

    `plant` returns the change of all its rows; it is None without rows.
    """

    def __init__(self, variant: Variant, build: Build) -> None:
        self.id, self.summary = variant.id, variant.summary
        self.readings, self.unverified = variant.readings, variant.unverified
        self.plant = chain(variant.rows).plant if variant.rows else None
        self._build = partial(build, variant.parts)

    def __call__(self) -> Any:
        return NamedCandidate(self._build(), self.id)


class NamedCandidate:
    """A candidate with the name of its variant. It declares no reading: an accepted one need not be declared."""

    def __init__(self, candidate: Any, name: str) -> None:
        self._candidate, self._name = candidate, name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._candidate, name)

    def initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        result = self._candidate.initialize(params)
        return {**result, "candidate": {**result["candidate"], "name": self._name}}


class VariantSet(Mapping[str, VariantCandidate]):
    """The variants of a specification by id. `a+b` is the combination of `a` and `b`; iteration yields single ones."""

    def __init__(self, variants: Mapping[str, Variant], build: Build) -> None:
        self._variants = variants
        self._build = build

    def __getitem__(self, id: str) -> VariantCandidate:
        """Return a variant or a combination. Raises KeyError and IncompatibleVariants."""
        first, *others = (self._variants[part] for part in id.split(JOIN))
        for other in others:
            first = combine(first, other)
        return VariantCandidate(first, self._build)

    def __iter__(self) -> Iterator[str]:
        return iter(self._variants)

    def __len__(self) -> int:
        return len(self._variants)


def collect_variants(package: str, build: Build) -> VariantSet:
    """Return the `VARIANTS` of all modules of `package`, sorted by id. Raises ValueError for an id used twice."""
    found: dict[str, Variant] = {}
    for module in iter_modules(import_module(package).__path__):
        for variant in getattr(import_module(f"{package}.{module.name}"), "VARIANTS", ()):
            if variant.id in found:
                raise ValueError(f"{package}.{module.name}: {variant.id} is used twice")
            found[variant.id] = variant
    return VariantSet(dict(sorted(found.items())), build)
