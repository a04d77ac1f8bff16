"""The results of variants and their gates. Pure functions from results to failed gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.spec import Interpretation, Pack
from treeproof.spec.variants import Variant


@dataclass(frozen=True)
class VariantResult:
    """The result of the suite for one variant, or for a combination.

    ``failures`` has the message of each scenario for which a requirement fails. ``unverified`` has the cause of each
    requirement that decides and was not verified. ``observed`` has the labels of each interpretation that scenarios
    observed. ``changed`` are the scenarios in which it answers differently from the reference, if the
    request compares them.
    """

    id: str
    failures: Mapping[str, str]
    unverified: Mapping[str, str]
    observed: Mapping[str, Sequence[str]]
    changed: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class VariantRow:
    """One variant with its result. ``problems`` has a line for each reason why it is not accepted."""

    variant: Variant
    result: VariantResult
    problems: tuple[str, ...]


@dataclass(frozen=True)
class VariantReport:
    """All variants with their results.

    ``missing`` are the accepted readings that have neither a variant nor a reason why no call shows them.
    """

    rows: tuple[VariantRow, ...]
    missing: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = field(default=())
    """Readings that have a variant although a reason denies that a call shows them."""

    @property
    def rejected(self) -> list[VariantRow]:
        """The variants that the suite does not accept."""
        return [row for row in self.rows if row.problems]

    def broken_gates(self) -> list[str]:
        """Return one message per failed gate."""
        messages = []
        if self.rejected:
            messages.append(f"{_ids(row.variant.id for row in self.rejected)}: a right implementation is not accepted")
        if self.missing:
            messages.append(f"{_ids(self.missing)}: no variant and no reason for that")
        if self.contradicted:
            messages.append(f"{_ids(self.contradicted)}: a variant although a reason denies it")
        return messages

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON."""
        results = [
            {
                "id": row.variant.id,
                "summary": row.variant.summary,
                "problems": list(row.problems),
                "unverified": dict(row.variant.unverified),
            }
            for row in self.rows
        ]
        return {"gates": self.broken_gates(), "results": results}


def build_variant_report(
    pack: Pack,
    variants: Mapping[str, Variant],
    results: Iterable[VariantResult],
    reference_readings: Mapping[str, Sequence[str]],
    unobservable: Mapping[str, str],
) -> VariantReport:
    """Compare the results with what the variants promise.

    ``reference_readings``: the labels that scenarios observe with the reference, which needs no variant for them.
    """
    rows = tuple(
        VariantRow(variants[result.id], result, find_problems(variants[result.id], result)) for result in results
    )
    needed = {
        f"{entry.id}={label}"
        for entry in pack.interpretations
        for label in accepted_labels(entry)
        if label not in (reference_readings.get(entry.id) or (entry.recommended,))
    }
    covered = {f"{id}={label}" for variant in variants.values() for id, label in variant.readings.items()}
    return VariantReport(
        rows,
        tuple(sorted(needed - covered - unobservable.keys())),
        tuple(sorted(covered & unobservable.keys())),
    )


def accepted_labels(entry: Interpretation) -> list[str]:
    """Return the labels that a candidate may follow under the default profile, if it declares them."""
    match entry.treatment:
        case "strict":
            return [] if entry.recommended is None else [entry.recommended]
        case "editorial":
            return []
        case _:
            return [reading.label for reading in entry.readings if reading.accepted]


def find_problems(variant: Variant, result: VariantResult) -> tuple[str, ...]:
    """Return a line for each reason why ``variant`` is not accepted."""
    return tuple(_problems(variant, result))


def _problems(variant: Variant, result: VariantResult) -> Iterable[str]:
    for scenario, message in result.failures.items():
        yield f"{scenario} fails: {message}"
    for interpretation, labels in result.observed.items():
        if len(labels) > 1:
            yield f"inconsistent readings of {interpretation}: {', '.join(labels)}"
        elif interpretation in variant.readings and variant.readings[interpretation] not in labels:
            yield f"{interpretation} was observed as {labels[0]}, the variant takes {variant.readings[interpretation]}"
    for requirement, cause in result.unverified.items():
        if requirement not in variant.unverified:
            yield f"{requirement} is not verified: {cause}"


def _ids(ids: Iterable[str]) -> str:
    every = list(ids)
    return ", ".join(every[:8]) + (f" and {len(every) - 8} more" if len(every) > 8 else "")
