"""Diagnostics on the modules that a catalogue names: reference, models, mutants, variants. Starts no candidate."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from treeproof.errors import Fault, UsageError, closest_match, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.entry_points import (
    MemberKind,
    import_pack_module,
    load_entry_point,
    registering_module,
    wrong_members,
)
from treeproof.spec.gherkin import ID_TAG, ScenarioCase
from treeproof.spec.lint_places import IdPlaces, spec_line
from treeproof.spec.mutants import MUTANT_MEMBERS, load_mutants, requirements_without_mutant
from treeproof.spec.variants import JOIN, VARIANT_MEMBERS, load_variants, unobservable_readings

CANDIDATE_METHODS = ("initialize", "describe", "call")
MODEL_METHODS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "oracle": {
        "families": ("capabilities",),
        "expected": ("case",),
        "judge": ("exchange", "accepted"),
        "scenario_steps": ("case", "outside"),
        "case_labels": ("case",),
    },
    "state_machine": {
        "command_choices": ("capabilities", "tree"),
        "command": ("*parts",),
        "judge": ("exchange", "accepted"),
        "scenario_steps": ("exchanges", "accepted"),
        "case_labels": ("exchange",),
    },
}
"""The methods of the protocols of models and their parameters; a test compares them with the protocols."""
MODEL_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "oracle": ("tool", "requirements", "interpretations", "all_case_labels"),
    "state_machine": ("outside", "tree_shape", "requirements", "interpretations", "all_case_labels"),
}
"""Their other members."""
FILE_MODES = "modes"
"""What the capabilities contain for a candidate to which file modes apply."""
NULL_KIND = "null"
MUTANT_KINDS = ("wrong", NULL_KIND)

DryRun: TypeAlias = "Callable[[Pack, frozenset[str]], tuple[frozenset[str], Mapping[Callable[..., Any], str]]]"
"""Returns the names of a model's families for a candidate with these capabilities, and what is wrong with functions."""

_SHAPE = re.compile(r"its TreeShape with (\w+) = ")
_PLACE = re.compile(r"(?P<what>.*?)(?P<file>/[^:]+\.py):(?P<line>\d+): (?P<cause>.*)")


def lint_modules(pack: Pack, cases: Sequence[ScenarioCase], dry_run: DryRun | None = None) -> Iterator[Diagnostic]:
    """Yield diagnostics on everything that an entry point names. A module with an error has one at its line."""
    keys = ("reference", "oracle", "state_machine", "mutants", "variants", "operators")
    entry_points = {key: getattr(pack, key) for key in keys}
    entry_points |= {f"simulated.{platform}": entry for platform, entry in pack.simulated.items()}
    for key, entry_point in entry_points.items():
        if entry_point is None:
            continue
        places = IdPlaces(pack, key, entry_point)
        try:
            value = load_entry_point(pack.pack_file, key, entry_point)
            match key:
                case "mutants":
                    wrong = list(_wrong_types("mutant", value, MUTANT_MEMBERS, places))
                    yield from wrong or _lint_mutants(pack, cases, places)
                case "variants":
                    wrong = list(_wrong_types("variant", value, VARIANT_MEMBERS, places))
                    yield from wrong or _lint_variants(pack, places)
                case "oracle" | "state_machine":
                    yield from _lint_model(pack, key, value, places, dry_run)
                case "operators":
                    pass  # `adequacy` loads the table
                case _:
                    yield from _lint_candidate(pack, value, places)
        except UsageError as error:
            yield diagnose_import(pack, error, key)


def lint_judgement(pack: Pack) -> Iterator[Diagnostic]:
    """Yield diagnostics on what the model can name, and on nothing else of its modules."""
    key = _judge_of(pack)
    try:
        model = load_entry_point(pack.pack_file, key, getattr(pack, key))
    except UsageError as error:
        yield diagnose_import(pack, error, key)
        return
    yield from _lint_judgement(pack, frozenset(model.requirements), IdPlaces(pack, key, getattr(pack, key)))


def diagnose_import(pack: Pack, error: UsageError, key: str) -> Diagnostic:
    """Return the diagnostic on a module that cannot be imported, at its place in the author's file if it is known."""
    text = str(error).removeprefix(f"{pack.pack_file}: ")
    found = _PLACE.fullmatch(text)
    if found is None:
        return Diagnostic(pack.pack_file, spec_line(pack, key), "orphaned", text)
    return Diagnostic(Path(found["file"]), int(found["line"]), "malformed", f"{found['what']}{found['cause']}")


def _judge_of(pack: Pack) -> str:
    """Return the key of what judges the calls of scenarios."""
    return "oracle" if pack.state_machine is None else "state_machine"


def _lint_candidate(pack: Pack, value: Any, places: IdPlaces) -> Iterator[Diagnostic]:
    missing = [name for name in CANDIDATE_METHODS if not callable(getattr(value, name, None))]
    is_class = inspect.isclass(value)
    is_function = callable(value) and (not is_class or any("__call__" in vars(base) for base in value.__mro__))
    if missing and not is_function:
        fix = "define them, or name another object"
        message = f"{places.name} is no candidate: it lacks {', '.join(missing)}; {fix}"
        yield Diagnostic(*places.of_key(), "malformed", message)


def _lint_model(pack: Pack, key: str, model: Any, places: IdPlaces, dry_run: DryRun | None) -> Iterator[Diagnostic]:
    problem = ""
    if missing := [name for name in (*MODEL_ATTRIBUTES[key], *MODEL_METHODS[key]) if not hasattr(model, name)]:
        kind = "model" if key == "oracle" else "state machine"
        problem = f"is no {kind}: it lacks {', '.join(missing)}; define them"
    elif inspect.isclass(model):
        problem = f"is a class; name an object, such as model = {model.__name__}()"
    if problem:
        yield Diagnostic(*places.of_key(), "malformed", f"{places.name} {problem}")
        return
    wrong = list(_wrong_kinds(key, model))
    for member, message in wrong:
        place = _place_of(getattr(model, member)) or places.of_definition(member)
        yield Diagnostic(*place, "malformed", f"{places.name}: {message}")
    if wrong:
        return
    yield from _lint_names(pack, key, model, places)
    if key == _judge_of(pack):
        yield from _lint_judgement(pack, frozenset(model.requirements), places)
    if key == "oracle" and dry_run is not None:
        yield from _lint_cases(pack, places, dry_run)


def _lint_cases(pack: Pack, places: IdPlaces, dry_run: DryRun) -> Iterator[Diagnostic]:
    """Yield diagnostics on what the functions of a model return, and on properties of families that it lacks."""
    tools = (name for tool in pack.tools for name in (tool.name, *tool.capabilities))
    try:
        families, problems = dry_run(pack, frozenset({FILE_MODES, *tools}))
    except Fault as fault:
        yield Diagnostic(*places.of_key(), "malformed", fault.detail)
        return
    by_cause = {text.partition(" raised ")[2] or text: (function, text) for function, text in problems.items()}
    for function, problem in by_cause.values():
        found = _PLACE.fullmatch(problem)
        place = (Path(found["file"]), int(found["line"])) if found else _place_of(function) or places.of_key()
        if (shape := _SHAPE.search(problem)) is not None:
            place = places.of_single(shape[1]) or place
        message = f"{found['what']}{found['cause']}" if found else problem
        yield Diagnostic(*place, "malformed", message.removeprefix(f"{pack.name}: "))
    for name in pack.steps if families else ():
        module = import_pack_module(name, pack.folder, f'the step module "{name}"', 'its name in the key "steps"')
        for suite in [one for one in vars(module).values() if isinstance(getattr(one, "properties", None), Mapping)]:
            yield from _lint_properties(suite.properties, families, IdPlaces(pack, "steps", name))


def _lint_properties(
    properties: Mapping[str, Any], families: Collection[str], places: IdPlaces
) -> Iterator[Diagnostic]:
    for name, one in properties.items():
        named = getattr(one, "families", ())
        problem = f'families is a text; write a tuple such as ("{named}",)' if isinstance(named, str) else ""
        for family in (one for one in named if one not in families and not problem):
            problem = f'the model has no family "{family}"; {suggest(family, sorted(families))}'
        if problem:
            named = [named] if isinstance(named, str) else [one for one in named if one not in families]
            yield Diagnostic(*places.of(named[0]), "orphaned", f'the property "{name}": {problem}')


def _wrong_kinds(key: str, model: Any) -> Iterator[tuple[str, str]]:
    """Yield the members of another kind, each with a message."""
    for member in MODEL_ATTRIBUTES[key]:
        if callable(getattr(model, member)):
            yield member, f"{member} is a method; write an attribute, or @property above it"
    for member, parameters in MODEL_METHODS[key].items():
        method, listed = getattr(model, member), ", ".join(parameters)
        fix = f"write def {member}(self, {listed})"
        if not callable(method):
            yield member, f"{member} is no method; {fix}"
        elif "*parts" not in parameters and not _takes(method, len(parameters)):
            yield member, f"{member} does not take ({listed}); {fix}"


def _takes(method: Any, count: int) -> bool:
    try:
        inspect.signature(method).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function without a signature that Python knows
        return True
    return True


def _place_of(member: Any) -> tuple[Path, int] | None:
    code = getattr(inspect.unwrap(getattr(member, "__func__", member)), "__code__", None)
    return None if code is None else (Path(code.co_filename), code.co_firstlineno)


def _lint_names(pack: Pack, key: str, model: Any, places: IdPlaces) -> Iterator[Diagnostic]:
    """Yield diagnostics on what a model names and the catalogue does not contain."""
    known = {
        "tool": ('calls the tool "{}"', [tool.name for tool in pack.tools]),
        "requirements": ('blames "{}", which is no requirement', [one.id for one in pack.requirements]),
        "interpretations": ('knows "{}", which is no interpretation', [one.id for one in pack.interpretations]),
    }
    for member in known.keys() & {*MODEL_ATTRIBUTES[key]}:
        (problem, ids), value = known[member], getattr(model, member)
        for id in [value] if isinstance(value, str) else sorted(value):
            if id not in ids and id not in pack.ids_of_other_versions:
                message = f"the model {problem.format(id)}; {suggest(id, ids)}"
                yield Diagnostic(*places.of(id), "orphaned", message)


def _lint_judgement(pack: Pack, named: frozenset[str], places: IdPlaces) -> Iterator[Diagnostic]:
    """Yield diagnostics on the requirements that the model can name, and on those it cannot."""
    for one in pack.requirements:
        can_fail = one.restates is None and one.excluded is None and one.condition is None
        is_judged = one.level == "MUST" and one.basis != "prudent" and can_fail
        is_named = one.id in named or one.id in (pack.unchanged, pack.naming)
        if one.id in named and one.excluded is not None:
            message = f"the model blames {one.id}, which is excluded and cannot fail; remove it"
            yield Diagnostic(*places.of(one.id), "unwanted", message)
        elif is_judged and not is_named and one.id not in pack.by_lines:
            message = f"{one.id}: the model does not name it; let a finding name it, or add it to by_lines in [spec]"
            yield Diagnostic(*places.of_definition("requirements"), "malformed", message)
        elif one.id in pack.by_lines and is_named:
            message = f"by_lines names {one.id}, which the model names too; remove it"
            yield Diagnostic(pack.pack_file, spec_line(pack, "by_lines"), "unwanted", message)


def _wrong_types(
    what: str, registered: object, members: Mapping[str, MemberKind], places: IdPlaces
) -> Iterator[Diagnostic]:
    """Yield diagnostics on members of other types; other checks expect the right ones."""
    # What is no mapping, or lacks a member, is an error of its own.
    if isinstance(registered, Mapping) and all(hasattr(one, name) for one in registered.values() for name in members):
        for id, message in wrong_members(registered, members):
            yield Diagnostic(*places.of(id), "malformed", f"{what} {id}: {message}")


def _lint_mutants(pack: Pack, cases: Sequence[ScenarioCase], places: IdPlaces) -> Iterator[Diagnostic]:
    requirements = {one.id: one for one in pack.requirements}
    taken = pack.ids | {case.id for case in cases}
    mutants = load_mutants(pack)
    for id, mutant in mutants.items():
        is_null = mutant.kind == NULL_KIND
        checks: list[tuple[bool, DiagnosticCode, str]] = [
            (mutant.id != id, "malformed", f'its key is "{id}" and its id "{mutant.id}"; write the same twice'),
            (
                mutant.id == id and not ID_TAG.fullmatch(id),
                "malformed",
                "the id has another form; write capitals, digits and hyphens such as MUT-01",
            ),
            (id in taken, "duplicate", "a requirement, an interpretation or a scenario has this id; choose another"),
            (
                mutant.kind not in MUTANT_KINDS,
                "malformed",
                f'kind is "{mutant.kind}"; {suggest(mutant.kind, MUTANT_KINDS)}',
            ),
            (not mutant.summary.strip(), "malformed", "it has no summary; write what it does wrong"),
            (
                not is_null and not mutant.violates,
                "malformed",
                'it violates nothing; name a requirement in violates, or write kind "null"',
            ),
            (
                is_null and bool(mutant.violates),
                "unwanted",
                "a null candidate violates no single requirement; leave violates empty",
            ),
        ]
        for violated in mutant.violates:
            if violated not in requirements and violated not in pack.ids_of_other_versions:
                problem = f'it violates "{violated}", which is no requirement'
                checks.append((True, "orphaned", f"{problem}; {suggest(violated, sorted(requirements))}"))
            elif violated in requirements and requirements[violated].excluded is not None:
                problem = f"it violates {violated}, which is excluded; name another requirement"
                checks.append((True, "unwanted", problem))
        for is_wrong, code, message in checks:
            if is_wrong:
                yield Diagnostic(*places.of(id), code, f"mutant {id}: {message}")
    yield from places.repeated(mutants, "mutant")
    yield from _lint_overrides(pack, places)
    reasons = requirements_without_mutant(pack)
    named = {id for mutant in mutants.values() for id in mutant.violates[:1]}
    verified = {case.requirement for case in cases} - named - reasons.keys()
    for one in pack.requirements:
        if one.id in verified and not one.restates and not one.excluded:
            message = f"no mutant violates {one.id}; write one, or a reason in inseparable"
            yield Diagnostic(pack.pack_file, 0, "uncovered", message)
    for id in reasons:
        if id not in requirements and id not in pack.ids_of_other_versions:
            message = f'inseparable names "{id}", no requirement; {suggest(id, sorted(requirements))}'
            yield Diagnostic(*places.of(id), "orphaned", message)


def _lint_overrides(pack: Pack, places: IdPlaces) -> Iterator[Diagnostic]:
    """Yield diagnostics on classes beside the mutants that replace nothing of their base, and nearly a member of it."""
    module = registering_module(pack, "mutants")
    classes = [one for one in vars(module).values() if inspect.isclass(one)] if module is not None else []
    for one in (one for one in classes if one.__module__ == getattr(module, "__name__", "")):
        inherited = {name for base in one.__mro__[1:-1] for name in vars(base)}
        own = [] if inherited & vars(one).keys() - {"__module__", "__doc__"} else sorted(vars(one))
        for name in own:
            if (near := closest_match(name, (known for known in inherited if known[:2] != "__"), 0.7)) is not None:
                message = f'{one.__name__} replaces nothing: its base has no "{name}"; write "{near}"'
                yield Diagnostic(*places.of_definition(name), "orphaned", message)


def _lint_variants(pack: Pack, places: IdPlaces) -> Iterator[Diagnostic]:
    requirements = {one.id for one in pack.requirements}
    readings = {one.id: one.labels for one in pack.interpretations}
    others = pack.ids_of_other_versions
    single = {id: one for id, one in load_variants(pack).items() if JOIN not in id}
    rejected = {(one.id, it.label) for one in pack.interpretations for it in one.readings if not it.accepted}
    for id, variant in single.items():
        problems = []
        for entry, label in variant.readings.items():
            if entry not in readings and entry not in others:
                problem = f'it takes a reading of "{entry}", which is no interpretation'
                problems.append(f"{problem}; {suggest(entry, readings)}")
            elif entry in readings and label not in readings[entry]:
                problems.append(f'{entry} has no reading "{label}"; {suggest(label, readings[entry])}')
            elif (entry, label) in rejected:
                problems.append(f'the reading "{label}" of {entry} is not accepted, so it is no variant; remove it')
        for requirement in variant.unverified:
            if requirement not in requirements and requirement not in others:
                problem = f'unverified names "{requirement}", no requirement'
                problems.append(f"{problem}; {suggest(requirement, sorted(requirements))}")
        for problem in problems:
            yield Diagnostic(*places.of(id), "orphaned", f"variant {id}: {problem}")
    yield from places.repeated(single, "variant")
    for reading in unobservable_readings(pack):
        entry, _, label = reading.partition("=")
        if label not in readings.get(entry, ()) and entry not in others:
            message = f'unobservable names "{reading}", which is no reading; write AMB-…=label'
            yield Diagnostic(*places.of(reading), "orphaned", message)
