"""Diagnostics on frozen versions of a specification: what has changed in them since they were frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treeproof.errors import FileError
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.frozen_versions import (
    FROZEN_FILE,
    HEADING,
    ChangeKind,
    changes_since_frozen,
    read_frozen,
)
from treeproof.spec.packs import command_name
from treeproof.spec.version_features import scenarios_of

_CODES: Mapping[ChangeKind, DiagnosticCode] = {"changed": "outdated", "added": "unwanted", "removed": "orphaned"}
_PROBLEMS: Mapping[ChangeKind, str] = {
    "changed": "it has changed, and version {} is frozen; restore it, and let a new one begin with a later version",
    "added": "version {} is frozen and does not contain it; let it begin with a later version: @since:… at a scenario, "
    "`since` in spec.toml",
    "removed": "version {} is frozen and contains it; restore it, and end it with @until:… or `until`",
}


def lint_frozen(pack: Pack) -> Iterator[Diagnostic]:
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
            yield Diagnostic(file, _line_ending(pack, f"{HEADING}{version}"), "orphaned", message)
    if pack.version not in frozen:
        return
    cases = {case.id: case for case in scenarios_of(pack)}
    for change in changes_since_frozen(pack) or ():
        case = cases.get(change.id)
        place = (case.file, case.line) if case is not None else (pack.pack_file, 0)
        if change.kind == "removed":
            place = (file, _line_ending(pack, f" {change.id}"))
        again = f"if it was wrong: treeproof freeze --spec {command_name(pack)}"
        yield Diagnostic(
            *place, _CODES[change.kind], f"{change.id}: {_PROBLEMS[change.kind].format(pack.version)}; {again}"
        )


def _line_ending(pack: Pack, end: str) -> int:
    lines = (pack.folder / FROZEN_FILE).read_text("utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.endswith(end)), 0)
