"""The lint of one pack, with the words of the protocol and tree notations, which `treeproof.spec` does not know.

A command that uses packs refuses those with errors. The bundled ones are checked once, before a release.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from treeproof.candidate import ERROR_KINDS
from treeproof.candidate.messages import CAPABILITIES
from treeproof.candidate.schema import load_schema
from treeproof.errors import UsageError
from treeproof.files.json_schema import JsonSchema
from treeproof.model.case import CONTEXT_CAPABILITIES
from treeproof.model.dry_run import dry_run
from treeproof.spec import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.lint import lint
from treeproof.spec.lint_calls import Vocabulary
from treeproof.spec.lint_document import find_document
from treeproof.spec.lint_steps import Notation
from treeproof.spec.packs import is_bundled
from treeproof.tree import PROBES, parse_paths, parse_tree

_CONTEXT = load_schema("call.params")["properties"]["context"]
VOCABULARY = Vocabulary(CAPABILITIES, ERROR_KINDS, JsonSchema({**_CONTEXT, "required": []}), CONTEXT_CAPABILITIES)


def lint_pack(pack: Pack, document: Path | None = None, *, with_frozen: bool = True) -> list[Diagnostic]:
    """Return all diagnostics on one pack, including those on tree notations.

    ``document`` None: the one beside the pack, if there is one. Of the modules of bundled packs only the steps are
    imported, because mutation testing imports the others; and some of their scenarios have moved with their ids.
    """
    return lint(
        pack,
        notation=NOTATION,
        needs=PROBES,
        document=document or find_document(pack),
        vocabulary=VOCABULARY,
        dry_run=dry_run,
        is_thorough=not is_bundled(pack.folder),
        with_frozen=with_frozen,
    )


def require_clean(packs: Iterable[Pack]) -> None:
    """Raise UsageError for the first pack with an error of the lint, with the line that the lint prints.

    Bundled packs have none. A pack that was without errors is not checked again in this process until one of its files
    changes.
    """
    for pack in packs:
        if not is_bundled(pack.folder):
            _require_clean(pack)


def raise_first_error(found: Iterable[Diagnostic]) -> None:
    """Raise UsageError with the first diagnostic that is an error, if there is one."""
    errors = [finding for finding in found if finding.is_error]
    if errors:
        more = f" (and {len(errors) - 1} more; 'treeproof lint' prints them)" if len(errors) > 1 else ""
        raise UsageError(f"{errors[0]}{more}")


_clean_packs: dict[tuple[Path, str], tuple[tuple[str, int, int, int], ...]] = {}
"""The states of the files of each pack that was without errors, by its folder and version."""


def _require_clean(pack: Pack) -> None:
    files = sorted(file for file in pack.folder.rglob("*") if "__pycache__" not in file.parts and file.is_file())
    found = [(str(file), file.stat()) for file in files]
    states = tuple((name, state.st_ino, state.st_mtime_ns, state.st_size) for name, state in found)
    if _clean_packs.get((pack.folder, pack.version)) == states:
        return
    raise_first_error(lint_pack(pack))
    _clean_packs[pack.folder, pack.version] = states


@lru_cache(maxsize=4096)  # many scenarios share a tree
def _names_of_tree(notation: str) -> frozenset[bytes]:
    return frozenset(node.name for _, node in parse_tree(notation).walk())


def _paths(listed: str) -> tuple[bytes, ...]:
    return () if listed == '""' else parse_paths(listed)


NOTATION = Notation(_names_of_tree, _paths)
