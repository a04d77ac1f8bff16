"""What `--select` means: ids, beginnings of ids, patterns, interpretations and tags. Runs nothing."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from treeproof.errors import UsageError, closest_match
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec.gherkin import ScenarioCase, named_ids

_PATTERN_CHARACTERS = "*?["
_LISTS = "'treeproof list requirements' and 'treeproof list scenarios' print them"


def apply_selection(packs: Sequence[SelectedPack], select: Iterable[str]) -> list[SelectedPack]:
    """Return the packs with the selected scenarios. Raises UsageError for a word that selects nothing."""
    chosen: dict[str, set[str]] = {part.pack.name: set() for part in packs}
    for wanted in select:
        found = [(part.pack.name, _select(part, wanted)) for part in packs]
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
    exact: list[str] = []
    for wanted in select:
        ids = [wanted] if wanted in known else sorted({id for part in packs for id in _select(part, wanted) or ()})
        exact += [id for id in ids if id not in exact]
    return tuple(exact)


def _select(part: SelectedPack, wanted: str) -> set[str] | None:
    """Return the scenarios of a pack that a word selects; None if the pack does not know it."""
    if wanted.startswith("@"):
        return _by_tag(part, wanted[1:]) or None
    word = wanted.upper()
    if any(character in wanted for character in _PATTERN_CHARACTERS):
        return _by_id(part, lambda id: fnmatch.fnmatchcase(id.upper(), word))
    if word == part.pack.name.upper():
        return {case.id for _, case in _cases(part)}
    if any(entry.id.upper() == word for entry in part.pack.interpretations):
        return {case.id for _, case in _cases(part) if word in {id.upper() for id in named_ids(case)}}
    exact = _by_id(part, lambda id: id.upper() == word)
    return exact if exact is not None else _by_id(part, lambda id: id.upper().startswith(f"{word}-"))


def _by_tag(part: SelectedPack, tag: str) -> set[str]:
    """Return the scenarios with a tag, or in the feature file of this name."""
    wanted = tag.casefold()
    return {
        case.id
        for file, case in _cases(part)
        if file.stem.casefold() == wanted or wanted in {one.casefold() for one in case.tags}
    }


def _by_id(part: SelectedPack, fits: Callable[[str], bool]) -> set[str] | None:
    """Return the scenarios whose own id fits, or the id of a requirement that they verify or that restates it."""
    requirements = {r.id for r in part.pack.requirements if fits(r.id)}
    known = bool(requirements)
    requirements |= {r.restates for r in part.pack.requirements if r.id in requirements and r.restates}
    ids = {case.id for _, case in _cases(part) if case.requirement in requirements or fits(case.id)}
    return ids if ids or known else None


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
    known = {id for part in packs for id in _known_ids(part)}
    known |= {entry.id for part in packs for entry in part.pack.interpretations}
    near = closest_match(wanted.upper(), sorted(known))
    hint = f"did you mean {near}? " if near else ""
    return f"--select {wanted}: no requirement, scenario or specification has this id; {hint}{_LISTS}"
