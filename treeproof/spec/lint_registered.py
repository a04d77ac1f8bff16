"""Diagnostics on the mutants and the variants that a pack registers. Starts none of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from treeproof.errors import suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import DiagnosticCode
from treeproof.spec.entry_points import MemberKind, load_entry_point, wrong_members
from treeproof.spec.gherkin import ID_TAG, FeatureText
from treeproof.spec.id_places import Found, IdPlaces
from treeproof.spec.mutants import MUTANT_MEMBERS, load_mutants, requirements_without_mutant
from treeproof.spec.variants import JOIN, VARIANT_MEMBERS, load_variants, unobservable_readings

NULL_KIND = "null"
MUTANT_KINDS = ("wrong", NULL_KIND)


def lint_mutants(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Found]:
    requirements = {one.id: one for one in pack.requirements}
    taken = {*requirements, *(one.id for one in pack.interpretations), *(one.id for one in pack.retired)}
    taken |= {case.id for feature in features for case in feature.scenarios}
    places = IdPlaces(pack, "mutants", pack.mutants)
    wrong = list(_wrong_types(pack, "mutants", pack.mutants, MUTANT_MEMBERS, places))
    yield from wrong
    if wrong:
        return
    for id, mutant in load_mutants(pack).items():
        file, line = places.of(id)

        def found(code: DiagnosticCode, message: str, file: Path = file, line: int = line, id: str = id) -> Found:
            return file, line, code, f"mutant {id}: {message}"

        if mutant.id != id:
            yield found("malformed", f'its key is "{id}" and its id "{mutant.id}"; write the same twice')
        elif not ID_TAG.fullmatch(id):
            yield found("malformed", "the id has another form; write capitals, digits and hyphens such as MUT-01")
        if id in taken:
            yield found("duplicate", "a requirement, an interpretation or a scenario has this id; choose another")
        if mutant.kind not in MUTANT_KINDS:
            yield found("malformed", f'kind is "{mutant.kind}"; {suggest(mutant.kind, MUTANT_KINDS)}')
        if not mutant.summary.strip():
            yield found("malformed", "it has no summary; write what it does wrong")
        if mutant.kind != NULL_KIND and not mutant.violates:
            yield found("malformed", 'it violates nothing; name a requirement in violates, or write kind "null"')
        if mutant.kind == NULL_KIND and mutant.violates:
            yield found("unwanted", "a null candidate violates no single requirement; leave violates empty")
        for violated in mutant.violates:
            if violated in pack.ids_of_other_versions:
                pass
            elif violated not in requirements:
                yield found(
                    "orphaned", f'it violates "{violated}", which is no requirement; {_near(violated, requirements)}'
                )
            elif requirements[violated].excluded is not None:
                yield found("unwanted", f"it violates {violated}, which is excluded; name another requirement")
    yield from places.repeated(load_mutants(pack), "mutant")
    for id in requirements_without_mutant(pack):
        if id not in requirements and id not in pack.ids_of_other_versions:
            file, line = places.of(id)
            yield (
                file,
                line,
                "orphaned",
                f'inseparable names "{id}", no requirement; {_near(id, requirements)}',
            )


def lint_variants(pack: Pack) -> Iterator[Found]:
    requirements = {one.id for one in pack.requirements}
    readings = {one.id: one.labels for one in pack.interpretations}
    places = IdPlaces(pack, "variants", pack.variants)
    wrong = list(_wrong_types(pack, "variants", pack.variants, VARIANT_MEMBERS, places))
    yield from wrong
    if wrong:
        return
    single = {id: one for id, one in load_variants(pack).items() if JOIN not in id}
    for id, variant in single.items():
        file, line = places.of(id)
        for entry, label in variant.readings.items():
            message = ""
            if entry in pack.ids_of_other_versions:
                pass
            elif entry not in readings:
                message = f'it takes a reading of "{entry}", which is no interpretation; {suggest(entry, readings)}'
            elif label not in readings[entry]:
                message = f'{entry} has no reading "{label}"; {suggest(label, readings[entry])}'
            if message:
                yield file, line, "orphaned", f"variant {id}: {message}"
        for requirement in variant.unverified:
            if requirement not in requirements and requirement not in pack.ids_of_other_versions:
                message = f'unverified names "{requirement}", no requirement; {_near(requirement, requirements)}'
                yield file, line, "orphaned", f"variant {id}: {message}"
    yield from places.repeated(single, "variant")
    for reading in unobservable_readings(pack):
        entry, _, label = reading.partition("=")
        if label not in readings.get(entry, ()) and entry not in pack.ids_of_other_versions:
            file, line = places.of(reading)
            yield file, line, "orphaned", f'unobservable names "{reading}", which is no reading; write AMB-…=label'


def _wrong_types(
    pack: Pack, key: str, entry_point: str | None, members: Mapping[str, MemberKind], places: IdPlaces
) -> Iterator[Found]:
    """Yield diagnostics on members of other types; other checks expect the right ones."""
    registered = load_entry_point(pack.pack_file, key, entry_point or "")
    # What is no mapping, or lacks a member, is an error of its own.
    whole = isinstance(registered, Mapping) and all(
        hasattr(one, name) for one in registered.values() for name in members
    )
    for id, message in wrong_members(registered, members) if whole else ():
        yield *places.of(id), "malformed", f"{key.removesuffix('s')} {id}: {message}"


def _near(id: str, known: Collection[str]) -> str:
    return suggest(id, sorted(known))
