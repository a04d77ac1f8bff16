"""What `--select` means: ids, beginnings of ids, patterns, interpretations and tags. Runs nothing."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from treeproof.errors import UsageError, closest_match
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec.catalogue import Interpretation
from treeproof.spec.gherkin import ScenarioCase, named_ids

_PATTERN_CHARACTERS = "*?["
_LISTS = "'treeproof list requirements' and 'treeproof list scenarios' print them"


def apply_selection(packs: Sequence[SelectedPack], select: Iterable[str]) -> list[SelectedPack]:
    """Return the packs with the selected scenarios. Raises UsageError for a word that selects nothing."""
    chosen: dict[str, set[str]] = {part.pack.name: set() for part in packs}
    indexes = [_Index(part) for part in packs]
    for wanted in select:
        found = [(index.part.pack.name, _select(index, wanted)) for index in indexes]
        if all(ids is None for _, ids in found):
            raise UsageError(_unknown_message(packs, wanted))
        for name, ids in found:
            chosen[name] |= ids or set()
    parts = [replace(part, selected_ids=frozenset(ids)) for part in packs if (ids := chosen[part.pack.name])]
    if not parts:
        raise UsageError(f"--select {' '.join(select)}: nothing would run, no scenario verifies what was selected")
    return parts


def exact_selection(packs: Sequence[SelectedPack], select: Iterable[str]) -> tuple[str, ...]:
    """Return the selection as ids alone, which another program can apply without the features."""
    known = {id for part in packs for id in _known_ids(part)}
    indexes = [_Index(part) for part in packs]
    exact: list[str] = []
    for wanted in select:
        ids = [wanted] if wanted in known else sorted({id for index in indexes for id in _select(index, wanted) or ()})
        exact += [id for id in ids if id not in exact]
    return tuple(exact)


class _Index:
    """The ids of a pack in upper case, of requirements and scenarios: a selection may have a word for each of them."""

    def __init__(self, part: SelectedPack) -> None:
        self.part = part
        self.requirements: dict[str, set[str]] = {}
        self.scenarios: dict[str, set[str]] = {}
        self.scenarios_of: dict[str, set[str]] = {}
        for requirement in part.pack.requirements:
            self.requirements.setdefault(requirement.id.upper(), set()).add(requirement.id)
        for _, case in _cases(part):
            self.scenarios.setdefault(case.id.upper(), set()).add(case.id)
            self.scenarios_of.setdefault(case.requirement, set()).add(case.id)
        self.restated = {r.id: r.restates for r in part.pack.requirements if r.restates}

    def fitting(self, fits: Callable[[str], bool]) -> set[str] | None:
        """Return the scenarios whose own id fits, or that of a requirement that they verify or that restates it."""
        return self._scenarios(filter(fits, self.requirements), filter(fits, self.scenarios))

    def exact(self, word: str) -> set[str] | None:
        """Return the same for an id in upper case."""
        return self._scenarios({word} & self.requirements.keys(), {word} & self.scenarios.keys())

    def _scenarios(self, requirements: Iterable[str], scenarios: Iterable[str]) -> set[str] | None:
        chosen = {id for key in requirements for id in self.requirements[key]}
        ids = {id for key in scenarios for id in self.scenarios[key]}
        for requirement in chosen | {self.restated[id] for id in chosen & self.restated.keys()}:
            ids |= self.scenarios_of.get(requirement, set())
        return ids if ids or chosen else None


def _select(index: _Index, wanted: str) -> set[str] | None:
    """Return the scenarios of a pack that a word selects; None if the pack does not know it."""
    part = index.part
    if wanted.startswith("@"):
        return _by_tag(part, wanted[1:]) or None
    word = wanted.upper()
    if any(character in wanted for character in _PATTERN_CHARACTERS):
        return index.fitting(lambda id: fnmatch.fnmatchcase(id, word))
    if word == part.pack.name.upper():
        return {case.id for _, case in _cases(part)}
    for entry in part.pack.interpretations:
        if entry.id.upper() == word:
            return _by_interpretation(index, entry)
    exact = index.exact(word)
    return exact if exact is not None else index.fitting(lambda id: id.startswith(f"{word}-"))


def _by_interpretation(index: _Index, entry: Interpretation) -> set[str]:
    """Return the scenarios that name an interpretation, and those of the requirements that it affects.

    A step such as `the document is canonical` depends on a reading without naming it.
    """
    naming = {case.id for _, case in _cases(index.part) if entry.id in named_ids(case)}
    return naming.union(*(index.exact(id.upper()) or () for id in entry.affects))


def _by_tag(part: SelectedPack, tag: str) -> set[str]:
    """Return the scenarios with a tag, or in the feature file of this name."""
    wanted = tag.casefold()
    return {
        case.id
        for file, case in _cases(part)
        if file.stem.casefold() == wanted or wanted in {one.casefold() for one in case.tags}
    }


def _cases(part: SelectedPack) -> Iterator[tuple[Path, ScenarioCase]]:
    for file, text in part.features.items():
        for case in text.scenarios:
            yield file, case


def _known_ids(part: SelectedPack) -> Iterator[str]:
    yield part.pack.name
    yield from (requirement.id for requirement in part.pack.requirements)
    yield from (case.id for _, case in _cases(part))


def _unknown_message(packs: Sequence[SelectedPack], wanted: str) -> str:
    if wanted.startswith("@"):
        tags = {tag for part in packs for file, case in _cases(part) for tag in (*case.tags, file.stem)}
        near = closest_match(wanted[1:], sorted(tags))
        hint = f"did you mean @{near}?" if near else "write a tag of a scenario, or the name of a feature file"
        return f"--select {wanted}: no scenario has this tag, and no feature file has this name; {hint}"
    if "," in wanted:
        ids = " ".join(wanted.replace(",", " ").split())
        return f"--select {wanted}: separate the ids with blanks, without commas: {ids}"
    known = {id for part in packs for id in _known_ids(part)}
    known |= {entry.id for part in packs for entry in part.pack.interpretations}
    near = closest_match(wanted.upper(), sorted(known))
    hint = f"did you mean {near}? " if near else ""
    return f"--select {wanted}: no requirement, scenario or specification has this id; {hint}{_LISTS}"
