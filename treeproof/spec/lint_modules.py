"""Diagnostics on the modules that a catalogue names: reference, models, mutants, variants. Imports them, runs none."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError, load_toml
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.entry_points import load_entry_point
from treeproof.spec.gherkin import ID_TAG, FeatureText
from treeproof.spec.mutants import load_mutants, requirements_without_mutant
from treeproof.spec.toml_lines import TomlLines
from treeproof.spec.toml_table import suggest
from treeproof.spec.variants import JOIN, load_variants, unobservable_readings

CANDIDATE_METHODS = ("initialize", "describe", "call")
MODEL_MEMBERS: Mapping[str, tuple[str, ...]] = {
    "oracle": (
        "tool",
        "requirements",
        "interpretations",
        "families",
        "expected",
        "judge",
        "scenario_steps",
        "case_labels",
        "all_case_labels",
    ),
    "state_machine": (
        "outside",
        "tree_shape",
        "command_choices",
        "command",
        "judge",
        "scenario_steps",
        "case_labels",
        "all_case_labels",
    ),
}
"""The members of the protocols of models; a test compares them with the protocols."""
NULL_KIND = "null"
MUTANT_KINDS = ("wrong", NULL_KIND)

_PLACE = re.compile(r"(?P<what>.*?)(?P<file>/[^:]+\.py):(?P<line>\d+): (?P<cause>.*)")

Found = tuple[Path, int, DiagnosticCode, str]


def lint_modules(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Diagnostic]:
    """Yield diagnostics on everything that an entry point names. A module with an error has one at its line."""
    for found in _lint_entry_points(pack, features):
        yield Diagnostic(*found)


def diagnose_import(pack: Pack, error: UsageError, key: str) -> Diagnostic:
    """Return the diagnostic on a module that cannot be imported, at its place in the author's file if it is known."""
    text = str(error).removeprefix(f"{pack.pack_file}: ")
    found = _PLACE.fullmatch(text)
    if found is None:
        return Diagnostic(pack.pack_file, spec_line(pack, key), "orphaned", text)
    return Diagnostic(Path(found["file"]), int(found["line"]), "malformed", f"{found['what']}{found['cause']}")


def spec_line(pack: Pack, key: str) -> int:
    """Return the line of a key of [spec], or of the [[version]] of the pack if that has it."""
    for number, values in enumerate(load_toml(pack.pack_file).get("version", ()), 1):
        if values.get("version") == pack.version and key.partition(".")[0] in values and not pack.is_newest:
            return TomlLines(pack.pack_file.read_text("utf-8")).line_of("version", (number,), key)
    return TomlLines(pack.pack_file.read_text("utf-8")).line_of("spec", (1,), key)


def _lint_entry_points(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Found]:
    entry_points = {key: getattr(pack, key) for key in ("reference", "oracle", "state_machine", "mutants", "variants")}
    entry_points |= {f"simulated.{platform}": entry for platform, entry in pack.simulated.items()}
    for key, entry_point in entry_points.items():
        if entry_point is None:
            continue
        try:
            value = load_entry_point(pack.pack_file, key, entry_point)
            if key == "mutants":
                yield from _lint_mutants(pack, features)
            elif key == "variants":
                yield from _lint_variants(pack)
            elif problem := _problem_of(key, entry_point, value):
                yield pack.pack_file, spec_line(pack, key), "malformed", problem
            elif key == "oracle":
                yield from _lint_model(pack, value)
        except UsageError as error:
            one = diagnose_import(pack, error, key)
            yield one.file, one.line, one.code, one.message


def _problem_of(key: str, entry_point: str, value: Any) -> str | None:
    """Return why an object is no candidate or no model; None if it is one, or a factory."""
    if key in MODEL_MEMBERS:
        missing = [name for name in MODEL_MEMBERS[key] if not hasattr(value, name)]
        kind = "a state machine" if key == "state_machine" else "a model"
        return f"{key}: {entry_point} is no {kind[2:]}: it lacks {', '.join(missing)}; define them" if missing else None
    if inspect.isfunction(value) or inspect.ismethod(value):
        return None
    missing = [name for name in CANDIDATE_METHODS if not callable(getattr(value, name, None))]
    if not missing or (callable(value) and not inspect.isclass(value)):
        return None
    return f"{key}: {entry_point} is no candidate: it lacks {', '.join(missing)}; define them, or name another object"


def _lint_model(pack: Pack, model: Any) -> Iterator[Found]:
    known = {
        "tool": ("calls the tool", "tool", [tool.name for tool in pack.tools]),
        "requirements": ("blames", "requirement", [one.id for one in pack.requirements]),
        "interpretations": ("knows", "interpretation", [one.id for one in pack.interpretations]),
    }
    places = _Places(pack, "oracle")
    for member, (verb, what, ids) in known.items():
        value = getattr(model, member)
        for id in [value] if isinstance(value, str) else sorted(value):
            if id not in ids and id not in pack.ids_of_other_versions:
                no = "" if what == "tool" else f", which is no {what}"
                yield *places.of(id), "orphaned", f'the model {verb} "{id}"{no}; {suggest(id, ids)}'


def _lint_mutants(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Found]:
    requirements = {one.id: one for one in pack.requirements}
    taken = {*requirements, *(one.id for one in pack.interpretations), *(one.id for one in pack.retired)}
    taken |= {case.id for feature in features for case in feature.scenarios}
    places = _Places(pack, "mutants")
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
        if not str(mutant.summary).strip():
            yield found("malformed", "it has no summary; write what it does wrong")
        if mutant.kind != NULL_KIND and not mutant.violates:
            yield found("malformed", 'it violates nothing; name a requirement in violates, or write kind "null"')
        if mutant.kind == NULL_KIND and mutant.violates:
            yield found("unwanted", "a null candidate violates no single requirement; leave violates empty")
        if isinstance(mutant.violates, str):
            yield found("malformed", f'violates is a text; write a tuple such as ("{mutant.violates}",)')
            continue
        for violated in mutant.violates:
            if violated in pack.ids_of_other_versions:
                pass
            elif violated not in requirements:
                yield found("orphaned", f'it violates "{violated}", which is no requirement; {_near(violated, taken)}')
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


def _lint_variants(pack: Pack) -> Iterator[Found]:
    requirements = {one.id for one in pack.requirements}
    readings = {one.id: one.labels for one in pack.interpretations}
    places = _Places(pack, "variants")
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


def _near(id: str, known: Collection[str]) -> str:
    return suggest(id, sorted(known))


class _Places:
    """Finds the lines of ids in the modules of a pack's folder."""

    def __init__(self, pack: Pack, key: str) -> None:
        self._pack = pack
        self._key = key
        self._key_line: int | None = None
        self._lines: list[tuple[Path, int, str]] | None = None

    def of(self, id: str) -> tuple[Path, int]:
        """Return the file and the line that contains an id; those of the catalogue's key if no module does."""
        found = self._all(id)
        if found:
            return found[0]
        if self._key_line is None:
            self._key_line = spec_line(self._pack, self._key)
        return self._pack.pack_file, self._key_line

    def repeated(self, ids: Collection[str], what: str) -> Iterator[Found]:
        """Yield diagnostics on ids that a call has twice: of the two, a mapping keeps one.

        Several versions have several mappings, which can have the same ids.
        """
        if len(self._pack.versions) > 1:
            return
        for id in ids:
            calls = [(file, line) for file, line in self._all(id) if self._is_first_argument(file, line, id)]
            for file, line in calls[1:]:
                message = f"{what} {id}: {calls[0][0].name}:{calls[0][1]} has this id too, and one of them is lost"
                yield file, line, "duplicate", f"{message}; choose another"

    def _all(self, id: str) -> list[tuple[Path, int]]:
        quoted = (f'"{id}"', f"'{id}'")
        return [(file, line) for file, line, text in self._texts() if any(one in text for one in quoted)]

    def _is_first_argument(self, file: Path, line: int, id: str) -> bool:
        text = next(text for one, number, text in self._texts() if (one, number) == (file, line))
        return re.search(rf"""\w\(\s*(?:id=)?["']{re.escape(id)}["']""", text) is not None

    def _texts(self) -> list[tuple[Path, int, str]]:
        if self._lines is None:
            files = sorted(self._pack.folder.rglob("*.py"))
            self._lines = [
                (file, number, text)
                for file in files
                for number, text in enumerate(file.read_text("utf-8", "replace").splitlines(), 1)
                if '"' in text or "'" in text
            ]
        return self._lines
