"""The lint: every finding on a pack, offline. This file only joins the rooms that look.

Nothing is judged by running it: no candidate is asked and no tree is built. The step modules are imported.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec.catalogue import FACE, Pack
from treeproof.spec.findings import Finding
from treeproof.spec.gherkin import FeatureError, FeatureText, parse
from treeproof.spec.links import clashes, links
from treeproof.spec.shape import shape
from treeproof.spec.vocabulary import Sentence, vocabulary
from treeproof.spec.wording import CheckStep, sentence_findings, wording


def lint(
    pack: Pack,
    *,
    sentences: Sequence[Sentence] | None = None,
    check_step: CheckStep | None = None,
    needs: Collection[str] | None = None,
) -> list[Finding]:
    """Every finding on one pack, by file and line.

    `sentences`: the vocabulary; None imports the pack's step modules, an empty one leaves wording unchecked.
    `check_step` returns what is wrong with a step's arguments, or None (nothing is known of trees here).
    `needs`: what may follow `@needs:`; None leaves that unchecked.
    """
    found: set[Finding] = set()
    features: list[FeatureText] = []
    for path in pack.features():
        try:
            features.append(parse(path))
        except FeatureError as error:
            found.add(Finding(error.file, error.line, "malformed", error.what))
    if sentences is None:
        try:
            sentences = vocabulary(pack.steps)
        except UsageError as error:
            sentences = ()
            found.add(Finding(pack.face, 0, "malformed", str(error)))
    for feature in features:
        found.update(shape(feature, pack.name, needs))
    found.update(links(pack, features))
    if sentences:
        found.update(sentence_findings(pack, sentences))
        found.update(wording(features, sentences, check_step))
    return sorted(found)


def lint_together(packs: Iterable[Pack]) -> list[Finding]:
    """Findings that only several packs side by side can have."""
    return sorted(clashes(packs))


def strays(folder: Path) -> list[Finding]:
    """Feature files at or below `folder` that lie in no pack: nothing would ever run them."""
    message = f"this feature lies in no pack, so nothing runs it; put it below a folder with a {FACE}"
    return sorted(Finding(file, 0, "orphaned", message) for file in _outside_packs(folder))


def _outside_packs(folder: Path) -> Iterator[Path]:
    if any((above / FACE).is_file() for above in folder.resolve().parents):
        return
    for base, folders, files in os.walk(folder):
        if FACE in files:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        yield from (Path(base) / name for name in files if name.endswith(".feature"))
