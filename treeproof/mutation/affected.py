"""The mutants and variants of a pack that a change since a revision of git can affect. Runs none."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError, load_toml
from treeproof.mutation.git_changes import Revision
from treeproof.mutation.import_graph import ImportGraph
from treeproof.mutation.kill_matrix import NULL_CANDIDATE_KIND
from treeproof.pack_modules import full_module_name
from treeproof.spec import Pack
from treeproof.spec.entry_points import import_pack_module
from treeproof.spec.gherkin import ScenarioCase, parse_feature_text
from treeproof.spec.mutants import is_plantable, load_mutants
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.spec.variants import load_variants
from treeproof.spec.version_features import scenarios_of

_OTHER_KEYS = ("spec", "tool")
"""The tables of spec.toml that concern every scenario."""


@dataclass(frozen=True)
class Affected:
    """What has to run again.

    ``requirements``: a scenario of them, or their text, has changed; their mutants run, and null candidates against
    them. ``mutants`` are all mutants to run. Each variant runs against ``scenarios``, and those of ``variants``, which
    have changed themselves, against the whole suite.
    """

    requirements: frozenset[str]
    mutants: tuple[str, ...]
    scenarios: tuple[str, ...]
    variants: tuple[str, ...]


def find_affected(pack: Pack, name: str) -> Affected:
    """Return what changes since the revision ``name`` affect. Raises UsageError for a revision that git lacks.

    A scenario is affected if its text, the module of one of its steps or what that imports has changed; a property
    also if the oracle has. A mutant is affected if its module or what that imports has changed, such as the reference,
    or a scenario of the requirement that it violates. Changes of treeproof itself affect nothing here.
    """
    revision = Revision(pack.folder, name)
    changed = revision.changed_files()
    graph = ImportGraph(changed)
    cases = scenarios_of(pack)
    scenarios = {case.id for case in _affected_cases(pack, cases, changed, revision, graph)}
    removed = _removed_requirements(pack, cases, changed, revision)
    requirements = frozenset(
        {case.requirement for case in cases if case.id in scenarios}
        | removed
        | _changed_requirements(pack, changed, revision)
    )
    mutants, variants = load_mutants(pack), load_variants(pack)
    own = set(_in_changed_modules(pack, pack.mutants, mutants, graph))
    own_variants = set(_in_changed_modules(pack, pack.variants, variants, graph))
    if pack.reference is not None and graph.is_affected(_import(pack, pack.reference)):  # they are planted into it
        own |= {id for id, mutant in mutants.items() if is_plantable(mutant)}
        own_variants |= {id for id, variant in variants.items() if is_plantable(variant)}
    violating = {id for id, mutant in mutants.items() if requirements.intersection(mutant.violates[:1])}
    null = {id for id, mutant in mutants.items() if requirements and mutant.kind == NULL_CANDIDATE_KIND}
    return Affected(
        requirements,
        tuple(id for id in mutants if id in own | violating | null),
        tuple(case.id for case in cases if case.id in scenarios),
        tuple(id for id in variants if id in own_variants),
    )


def _affected_cases(
    pack: Pack, cases: Sequence[ScenarioCase], changed: frozenset[Path], revision: Revision, graph: ImportGraph
) -> Iterator[ScenarioCase]:
    if changed.intersection(pack.schemas.values()) or _other_tables_changed(pack, changed, revision):
        yield from cases
        return
    earlier = {
        id: case for file in pack.feature_files() for id, case in _earlier_cases(file, changed, revision).items()
    }
    matcher = StepMatcher(load_step_definitions(pack.steps, pack.folder))
    is_oracle_affected = any(
        entry is not None and graph.is_affected(_import(pack, entry)) for entry in (pack.oracle, pack.state_machine)
    )
    modules: dict[str, bool] = {}
    for case in cases:
        before = earlier.get(case.id) if case.file in changed else case
        is_property = not any(step.keyword_type == "when" for step in case.steps)
        if (
            before is None
            or _content(before) != _content(case)
            or (is_oracle_affected and is_property)
            or any(_is_module_affected(pack, matcher.definition(step), graph, modules) for step in case.steps)
        ):
            yield case


def _is_module_affected(pack: Pack, definition: Any, graph: ImportGraph, known: dict[str, bool]) -> bool:
    if definition is None:
        return False
    name = definition.module
    if name not in known:
        known[name] = graph.is_affected(full_module_name(name, pack.folder))
    return known[name]


def _content(case: ScenarioCase) -> ScenarioCase:
    """Return a scenario without its place in the file."""
    return replace(case, line=0, title="", steps=tuple(replace(step, line=0) for step in case.steps))


def _earlier_cases(file: Path, changed: frozenset[Path], revision: Revision) -> Mapping[str, ScenarioCase]:
    text = revision.earlier_text(file) if file in changed else None
    if text is None:
        return {}
    try:
        return {case.id: case for case in parse_feature_text(file, text).scenarios}
    except UsageError:  # the earlier text was no feature
        return {}


def _removed_requirements(
    pack: Pack, cases: Sequence[ScenarioCase], changed: frozenset[Path], revision: Revision
) -> set[str]:
    """Return the requirements that have lost a scenario."""
    present = {case.id for case in cases}
    gone = [file for file in changed if file.suffix == ".feature" and pack.folder in file.parents]
    earlier = [case for file in gone for case in _earlier_cases(file, changed, revision).values()]
    known = {requirement.id for requirement in pack.requirements}
    return {case.requirement for case in earlier if case.id not in present} & known


def _other_tables_changed(pack: Pack, changed: frozenset[Path], revision: Revision) -> bool:
    now, before = _catalogues(pack, changed, revision)
    return any(now.get(key) != before.get(key) for key in _OTHER_KEYS)


def _changed_requirements(pack: Pack, changed: frozenset[Path], revision: Revision) -> set[str]:
    """Return the requirements whose table, or an interpretation that affects them, has changed in spec.toml."""
    now, before = _catalogues(pack, changed, revision)
    found: set[str] = set()
    for heading in ("requirement", "interpretation"):
        earlier = {one.get("id"): one for one in before.get(heading, ())}
        for one in now.get(heading, ()):
            if one != earlier.get(one["id"]):
                found.update([one["id"]] if heading == "requirement" else one.get("affects", ()))
    return found


def _catalogues(
    pack: Pack, changed: frozenset[Path], revision: Revision
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the present and the earlier content of spec.toml; both empty if it has not changed."""
    import tomllib

    if pack.pack_file not in changed:
        return {}, {}
    text = revision.earlier_text(pack.pack_file)
    try:
        before = tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        before = {}
    return load_toml(pack.pack_file), before


def _import(pack: Pack, entry_point: str) -> str:
    """Import the module of an entry point and return its full name."""
    name = entry_point.partition(":")[0]
    return import_pack_module(name, pack.folder, f"{pack.pack_file}: {entry_point}", "correct the entry").__name__


def _in_changed_modules(
    pack: Pack, entry_point: str | None, items: Mapping[str, object], graph: ImportGraph
) -> Iterable[str]:
    """Return the ids of mutants or variants whose own module, or what it imports, has changed."""
    if entry_point is None:
        return ()
    top = _import(pack, entry_point)
    homes = [name for name in sorted(sys.modules) if name.startswith(f"{top}.")]
    affected: set[str] = set()
    placed: set[str] = set()
    for name in homes:
        ids = set(_ids_defined(sys.modules[name], items))
        placed |= ids
        if graph.is_affected(name):
            affected |= ids
    if graph.is_affected(top):
        affected |= set(items) - placed
    return [id for id in items if id in affected]


def _ids_defined(module: object, items: Mapping[str, object]) -> Iterator[str]:
    """Yield the ids of the ``items`` that stand in a collection of the module."""
    for value in vars(module).values():
        if isinstance(value, Mapping):
            yield from (key for key in value if isinstance(key, str) and key in items)
        elif isinstance(value, list | tuple):
            yield from (one.id for one in value if isinstance(getattr(one, "id", None), str) and one.id in items)
