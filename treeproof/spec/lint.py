"""The lint: combines all checks of a pack. It imports the step modules, but calls no candidate and builds no tree."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from treeproof.errors import FileError, UsageError
from treeproof.spec.catalogue import PACK_FILE, Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.frozen_versions import ChangeKind, changes_since_frozen
from treeproof.spec.gherkin import UNFINISHED, FeatureText, ScenarioCase, parse_feature
from treeproof.spec.lint_calls import Vocabulary, lint_calls, lint_sent_arguments
from treeproof.spec.lint_document import lint_document
from treeproof.spec.lint_feature import lint_feature
from treeproof.spec.lint_modules import DryRun, diagnose_import, lint_judgement, lint_modules
from treeproof.spec.lint_places import with_lines
from treeproof.spec.lint_readings import lint_doubtful_readings, lint_missing_rows, lint_readings, lint_topics
from treeproof.spec.lint_references import lint_doubtful, lint_ids, lint_methods, lint_references
from treeproof.spec.lint_schemas import lint_schemas
from treeproof.spec.lint_source import lint_source
from treeproof.spec.lint_steps import Notation, lint_missing_names, lint_step_definitions, lint_steps
from treeproof.spec.locks import FROZEN_FILE, HEADING, read_frozen
from treeproof.spec.packs import command_name
from treeproof.spec.step_definitions import StepDefinition, StepMatcher, load_step_definitions
from treeproof.spec.version_features import feature_in_version


def lint(
    pack: Pack,
    *,
    notation: Notation | None = None,
    needs: Collection[str] | None = None,
    document: Path | None = None,
    vocabulary: Vocabulary | None = None,
    dry_run: DryRun | None = None,
    is_thorough: bool = False,
    with_frozen: bool = True,
) -> list[Diagnostic]:
    """Return all diagnostics on one pack, by file and line.

    `notation`: reads trees and lists of paths; None does not check them.
    `needs`: the names that may follow `@needs:` and stand in a decorator's needs=…; None does not check them.
    `document`: the document that the pack restates; None does not check its hash and sentences.
    `vocabulary`: the words of the protocol; None does not check words, and tables of readings.
    `dry_run`: calls the functions of a model for some cases; None calls none.
    `is_thorough`: imports the reference, the models, the mutants and the variants, too, and adds notes on what may be a
    mistake.
    `with_frozen`: compares frozen versions with their frozen state.
    """
    found: set[Diagnostic] = set()
    all_features: list[FeatureText] = []
    for path in pack.feature_files():
        try:
            all_features.append(parse_feature(path))
        except FileError as error:
            found.add(Diagnostic(error.file, error.line, "malformed", error.problem))
    is_whole = not found
    found.update(_other_endings(pack))
    step_definitions: Sequence[StepDefinition] = ()
    try:
        step_definitions = load_step_definitions(pack.steps, pack.folder)
    except UsageError as error:
        found.add(diagnose_import(pack, error, "steps"))
    features = [one for one in (feature_in_version(feature, pack) for feature in all_features) if one is not None]
    cases = [case for feature in features for case in feature.scenarios]
    all_cases = [case for feature in all_features for case in feature.scenarios]
    for feature in all_features:
        found.update(lint_feature(feature, pack, step_definitions, needs))
    found.update(lint_ids(pack, all_cases))
    found.update(lint_references(pack, features, cases))
    found.update(lint_readings(pack, cases))
    found.update(_lint_unfinished(all_cases))
    if is_whole and with_frozen:
        found.update(lint_frozen(pack, cases))
    if document is not None:
        found.update(lint_document(pack, document))
    if step_definitions:
        matcher = StepMatcher(step_definitions)
        found.update(lint_step_definitions(pack, matcher, needs))
        found.update(lint_steps(cases, matcher, notation))
        found.update(_lint_missing_schemas(pack, cases, matcher))
        if vocabulary is not None:
            found.update(lint_calls(pack, cases, matcher, vocabulary))
            if is_whole:
                found.update(lint_missing_rows(pack, cases))
                found.update(lint_methods(pack, cases, matcher))
                found.update(lint_topics(pack))
        if is_thorough:
            found.update(lint_doubtful(pack, cases, all_cases, matcher))
            found.update(lint_doubtful_readings(pack, cases))
            found.update(lint_sent_arguments(pack, cases, matcher))
            if notation is not None:
                found.update(lint_missing_names(cases, matcher, notation))
    if is_thorough:
        found.update(lint_schemas(pack))
        found.update(lint_modules(pack, all_cases, dry_run))
        found.update(lint_source(pack, found))
    elif pack.has_model:
        found.update(lint_judgement(pack))
    # Notes are on what no scenario does, and the scenarios of a file that cannot be read are not known.
    return sorted(with_lines(pack, (one for one in found if is_whole or one.is_error)))


def _lint_unfinished(cases: Iterable[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield notes on scenarios that are still to be written: they run, and verify nothing."""
    for case in cases:
        for step in case.steps:
            if step.text == UNFINISHED:
                message = f'{case.id} is unfinished, so it verifies nothing; write its steps, and remove "{UNFINISHED}"'
                yield Diagnostic(case.file, step.line, "uncovered", message)


def _other_endings(pack: Pack) -> Iterator[Diagnostic]:
    """Yield diagnostics on files whose names nearly end like those of features: nothing reads them."""
    for file in pack.folder.rglob("*.*eature*"):
        if file.suffix != ".feature" and file.suffix.lower() in (".feature", ".features") and file.is_file():
            yield Diagnostic(file, 0, "orphaned", f"nothing reads this file; name it {file.stem}.feature")


def _lint_missing_schemas(pack: Pack, cases: Iterable[ScenarioCase], matcher: StepMatcher) -> Iterator[Diagnostic]:
    """Yield diagnostics on steps that read a schema that the pack does not name."""
    for case in cases:
        for step in case.steps:
            name = found.info.schema if (found := matcher.definition(step)) is not None else ""
            if name and name not in pack.schemas:
                message = f'the step reads the schema "{name}"; write {name} = "{name}.schema.json" into [spec.schemas]'
                yield Diagnostic(case.file, step.line, "orphaned", message)


def find_orphan_features(folder: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics on feature files at or below `folder` that are in no pack: nothing runs them."""
    message = f"this feature is in no pack, so nothing runs it; move it below a folder with a {PACK_FILE}"
    if any((above / PACK_FILE).is_file() for above in folder.resolve().parents):
        return
    for base, folders, files in os.walk(folder):
        if PACK_FILE in files:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        for name in files:
            if name.endswith(".feature"):
                yield Diagnostic(Path(base) / name, 0, "orphaned", message)


_FROZEN: Mapping[ChangeKind, tuple[DiagnosticCode, str]] = {
    "changed": (
        "outdated",
        "it has changed, and version {} is frozen; restore it, and let a new one begin with a later version",
    ),
    "added": (
        "unwanted",
        "version {} is frozen and does not contain it; let it begin with a later version: @since:… at a scenario, "
        "`since` in spec.toml",
    ),
    "removed": (
        "orphaned",
        "version {} is frozen and contains it; restore it, and end it with @until:… or `until`",
    ),
}


def lint_frozen(pack: Pack, cases: Iterable[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on what has changed in a frozen version, and on frozen versions that do not exist."""
    file = pack.folder / FROZEN_FILE
    try:
        frozen = read_frozen(pack)
    except FileError as error:
        yield Diagnostic(file, error.line, "malformed", error.problem)
        return
    for version in frozen:
        if version not in pack.versions:
            message = f'there is no version "{version}"; write it into {pack.pack_file.name}, or remove its lines'
            yield Diagnostic(file, _line_ending(file, f"{HEADING}{version}"), "orphaned", message)
    places = {case.id: (case.file, case.line) for case in cases}
    for change in changes_since_frozen(pack) or ():
        code, problem = _FROZEN[change.kind]
        place = places.get(change.id, (pack.pack_file, 0))
        if change.kind == "removed":
            place = (file, _line_ending(file, f" {change.id}"))
        again = f"if it was wrong: treeproof freeze --spec {command_name(pack)}"
        yield Diagnostic(*place, code, f"{change.id}: {problem.format(pack.version)}; {again}")


def _line_ending(file: Path, end: str) -> int:
    lines = file.read_text("utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.endswith(end)), 0)
