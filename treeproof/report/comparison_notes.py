"""What two compared runs do not have in common: candidate, specifications, options, host. Each is one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.report.digest import abbreviate, pluralize
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import SpecResult

_MAX_WORDS = 6  # words of a selection


def comparison_notes(old: RunDocument, new: RunDocument) -> list[str]:
    """Return one sentence for each difference that limits what the comparison of two runs shows."""
    return [
        *_candidate_notes(old, new),
        *_specification_notes(old, new),
        *_option_notes(old, new),
        *_host_notes(old, new),
    ]


def _candidate_notes(old: RunDocument, new: RunDocument) -> Iterator[str]:
    before, now = old.candidate, new.candidate
    if before.name != now.name:
        yield (
            f"These are two candidates: {old.candidate.label} (OLD) and {new.candidate.label} (NEW). "
            "New and fixed are differences between them, and no progress of one of them."
        )
    if before.adapter != now.adapter:
        yield f"OLD was connected by the adapter {before.adapter}, NEW by {now.adapter}."
    if old.started > new.started:
        yield f"OLD started after NEW ({old.started}, {new.started}): check the order of the two files."


def _specification_notes(old: RunDocument, new: RunDocument) -> Iterator[str]:
    before = {spec.name: spec for spec in old.specs}
    now = {spec.name: spec for spec in new.specs}
    for label, names in (("OLD", before.keys() - now.keys()), ("NEW", now.keys() - before.keys())):
        if names:
            yield f"Only {label} ran {', '.join(sorted(names))}: nothing of it is compared."
    for name in [name for name in now if name in before]:
        versions = before[name].version, now[name].version
        if versions[0] != versions[1]:
            yield f"{name}: OLD has version {versions[0]}, NEW version {versions[1]}. Equal ids are compared."
        elif before[name].sha256 != now[name].sha256:
            yield f"{name} {versions[0]}: the two runs have different texts of the document."
        added = _scenario_ids(now[name]) - _scenario_ids(before[name])
        if added:
            yield f"{name}: {pluralize(len(added), 'scenario')} of NEW {_are(len(added))} not in the catalogue of OLD."
    if old.treeproof != new.treeproof:
        yield (
            f"OLD was written by treeproof {old.treeproof}, NEW by {new.treeproof}: the descriptions of failures "
            "can differ, so another way of failing decides nothing."
        )


def _scenario_ids(spec: SpecResult) -> set[str]:
    return {id for one in spec.requirements for id in one.scenarios}


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _option_notes(old: RunDocument, new: RunDocument) -> Iterator[str]:
    if old.profile != new.profile:
        yield f"OLD has the profile {old.profile}, NEW {new.profile}: they accept different readings."
    executed = {label: _executed(run) for label, run in (("OLD", old), ("NEW", new))}
    for label, run, other in (("OLD", old, "NEW"), ("NEW", new, "OLD")):
        rest = len(executed[other] - executed[label])
        if run.selection is not None:
            what = "narrowed to" if run.is_narrowed else "a part of a run:"
            words = ", ".join(abbreviate(run.selection, _MAX_WORDS))
            count = f"{pluralize(rest, 'scenario')} of {other} {_are(rest)} not compared: neither fixed nor worse"
            yield f"{label} was {what} {words}{f'; {count}' if rest else ''}."
        if run.interrupted:
            yield f"{label} was interrupted: the rest of its scenarios has no result."
        if run.baseline:
            effect = "its known failures decide nothing" if label == "NEW" else "it has no effect here"
            yield f"{label} has a baseline; {effect}."
    if old.seed != new.seed:
        yield f"The random cases of properties differ (seed {old.seed}, {new.seed})."


def _executed(run: RunDocument) -> set[tuple[str, str]]:
    return {(spec.name, one.id) for spec in run.specs for one in spec.scenarios}


def _host_notes(old: RunDocument, new: RunDocument) -> Iterator[str]:
    pairs = {name: (old.machine.facts.get(name), value) for name, value in new.machine.facts.items()}
    changed = [
        f"{name.replace('_', ' ')} {_word(before)}, {_word(now)}"
        for name, (before, now) in pairs.items()
        if None not in (before, now) and before != now
    ]
    if changed:
        yield f"The hosts differ (OLD, NEW): {'; '.join(changed)}."


def _word(value: str | bool | None) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
