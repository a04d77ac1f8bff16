"""Diagnostics on the ids that the texts of a catalogue mention: each one must exist in the pack."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treeproof.errors import suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ID_TAG, FeatureText

_NUMBER = re.compile(r"\d+[a-z]?(?![A-Za-z0-9])")


def lint_mentions(pack: Pack, features: Iterable[FeatureText]) -> Iterator[Diagnostic]:
    """Yield diagnostics on ids in the catalogue's texts that have the form of the pack's ids and do not exist."""
    known = {
        *(requirement.id for requirement in pack.requirements),
        *(entry.id for entry in pack.interpretations),
        *(item.id for item in pack.retired),
        *pack.ids_of_other_versions,
        *(case.id for feature in features for case in feature.scenarios),
    }
    forms = {_form(id) for id in known}
    for owner, key, text in _texts(pack):
        for id in dict.fromkeys(ID_TAG.findall(text)):
            if id not in known and _form(id) in forms:
                message = f"{owner}: {key} names {id}, which does not exist; {suggest(id, sorted(known))}"
                yield Diagnostic(pack.pack_file, 0, "orphaned", message)


def _form(id: str) -> str:
    """Return an id without its numbers: AMB-LS-N for AMB-LS-01, FR-N for FR-04a."""
    return _NUMBER.sub("N", id)


def _texts(pack: Pack) -> Iterator[tuple[str, str, str]]:
    """Yield every text of the catalogue with the id and the key under which it stands."""
    for requirement in pack.requirements:
        for key in ("text", "reason", "condition", "excluded"):
            yield requirement.id, key, getattr(requirement, key) or ""
    for entry in pack.interpretations:
        for key in ("question", "why", "invariant"):
            yield entry.id, key, getattr(entry, key) or ""
        for reading in entry.readings:
            for key in ("text", "implies"):
                yield f"{entry.id} {reading.label}", key, getattr(reading, key) or ""
    for topic in pack.settled:
        yield topic.topic, "reason", topic.reason
    for item in pack.retired:
        yield item.id, "reason", item.reason
