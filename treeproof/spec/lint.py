"""The lint: every finding on a pack, offline. This file only joins the rooms that look.

Nothing is judged by running it: no candidate is asked and no tree is built. The step modules are imported.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec.catalogue import PACK_FILE, Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import FeatureError, FeatureText, parse_feature
from treeproof.spec.lint_feature import lint_feature
from treeproof.spec.lint_references import lint_name_conflicts, lint_references
from treeproof.spec.lint_steps import CheckStep, lint_step_definitions, lint_steps
from treeproof.spec.step_definitions import StepDefinition, load_step_definitions


def lint(
    pack: Pack,
    *,
    step_definitions: Sequence[StepDefinition] | None = None,
    check_step: CheckStep | None = None,
    needs: Collection[str] | None = None,
) -> list[Diagnostic]:
    """Every finding on one pack, by file and line.

    `sentences`: the vocabulary; None imports the pack's step modules, an empty one leaves wording unchecked.
    `check_step` returns what is wrong with a step's arguments, or None (nothing is known of trees here).
    `needs`: what may follow `@needs:`; None leaves that unchecked.
    """
    found: set[Diagnostic] = set()
    features: list[FeatureText] = []
    for path in pack.feature_files():
        try:
            features.append(parse_feature(path))
        except FeatureError as error:
            found.add(Diagnostic(error.file, error.line, "malformed", error.problem))
    if step_definitions is None:
        try:
            step_definitions = load_step_definitions(pack.steps)
        except UsageError as error:
            step_definitions = ()
            found.add(Diagnostic(pack.pack_file, 0, "malformed", str(error)))
    for feature in features:
        found.update(lint_feature(feature, pack.name, needs))
    found.update(lint_references(pack, features))
    if step_definitions:
        found.update(lint_step_definitions(pack, step_definitions))
        found.update(lint_steps(features, step_definitions, check_step))
    return sorted(found)


def lint_across_packs(packs: Iterable[Pack]) -> list[Diagnostic]:
    """Findings that only several packs side by side can have."""
    return sorted(lint_name_conflicts(packs))


def find_orphan_features(folder: Path) -> list[Diagnostic]:
    """Feature files at or below `folder` that lie in no pack: nothing would ever run them."""
    message = f"this feature lies in no pack, so nothing runs it; put it below a folder with a {PACK_FILE}"
    return sorted(Diagnostic(file, 0, "orphaned", message) for file in _outside_packs(folder))


def _outside_packs(folder: Path) -> Iterator[Path]:
    if any((above / PACK_FILE).is_file() for above in folder.resolve().parents):
        return
    for base, folders, files in os.walk(folder):
        if PACK_FILE in files:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        yield from (Path(base) / name for name in files if name.endswith(".feature"))
