"""The lint of packs with everything the house knows: catalogue, features, sentences, and the trees in them.

The room of the specifications knows no trees; here the two meet, without a candidate and without a disk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec import Pack, bundled, find, load
from treeproof.spec.findings import Finding
from treeproof.spec.gherkin import StepText
from treeproof.spec.lint import lint, lint_together, strays
from treeproof.tree import PROBES, NotationError, parse

_TREE = re.compile(
    r'(?:beside the sandbox )?the tree "(?P<notation>.*)"|.* on the tree "(?P<other>.+?)" lists .*'
)


def findings_of(paths: Sequence[str]) -> list[Finding]:
    """Return the findings on the packs at ``paths`` (none: on the bundled ones). Raises UsageError for a wrong path."""
    folders = [find(_as_path(path)) for path in paths] if paths else bundled()
    if not folders:
        raise UsageError("there is nothing to lint: no bundled specification, and no PATH was given")
    packs = [load(folder) for folder in folders]
    found = [finding for pack in packs for finding in findings_of_pack(pack)]
    found += lint_together(packs)
    for top in {folder.parent for folder in folders}:
        found += strays(top)
    return sorted(found)


def findings_of_pack(pack: Pack) -> list[Finding]:
    """Return every finding on one pack, the notation of its trees included."""
    return lint(pack, check_step=what_is_wrong, needs=PROBES)


def what_is_wrong(step: StepText) -> str | None:
    """Return what is wrong with the tree that a step names, or None."""
    notation = notation_of(step)
    if not notation:
        return None
    try:
        parse(notation)
    except NotationError as error:
        return str(error)
    return None


def notation_of(step: StepText) -> str | None:
    """Return the tree that a step names, as it is written; None when it names none."""
    if step.text == "the tree":
        return " ".join((step.docstring or "").split("\n"))
    match = _TREE.fullmatch(step.text)
    return (match["notation"] or match["other"]) if match else None


def _as_path(path: str) -> str:
    # The words of `lint` are paths: a bare name is a folder here and not the name of a bundled pack.
    return path if Path(path).is_absolute() or path.startswith(".") else f"./{path}"
