"""Diagnostics on the source of a pack's modules: ids, schemas and names that do not exist, and errors that are lost.

Only a run that reaches the line would show them.
"""

from __future__ import annotations

import ast
import builtins
import dis
import re
import sys
from collections.abc import Collection, Iterator
from types import CodeType

from treeproof.errors import closest_match, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import ID_TAG
from treeproof.spec.lint_references import id_form

Problem = tuple[int, DiagnosticCode, str]

_ERRORS = ("Mismatch", "NotVerified", "NotApplicable", "Unmodelled")
_QUOTED_ID = re.compile(rf"""(["'])({ID_TAG.pattern})\1""")
_READ_SCHEMA = re.compile(r"""\bpack\.schemas\[["'](\w+)["']\]""")


def lint_source(pack: Pack, found: Collection[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield diagnostics on the modules in the folder of a pack. `found`: the other ones, which may name an id."""
    reported = {(one.file, one.line) for one in found}
    imported = {getattr(one, "__file__", None): vars(one) for one in list(sys.modules.values())}
    for file in sorted(one for one in pack.folder.rglob("*.py") if one.is_file()):
        source = file.read_text("utf-8", "replace")
        problems = [*_schemas(source, pack), *(one for one in _ids(source, pack) if (file, one[0]) not in reported)]
        if str(file) in imported:
            problems += [*_names(source, imported[str(file)]), *_lost_errors(source)]
        yield from (Diagnostic(file, *problem) for problem in problems)


def _schemas(source: str, pack: Pack) -> Iterator[Problem]:
    for number, text in enumerate(source.split("\n"), 1):
        for name in (one for one in _READ_SCHEMA.findall(text) if one not in pack.schemas):
            fix = f'{suggest(name, pack.schemas)}, or add {name} = "{name}.schema.json" there'
            yield number, "orphaned", f'[spec.schemas] has no "{name}"; {fix}'


def _ids(source: str, pack: Pack) -> Iterator[Problem]:
    """Yield the ids that have the form of those of requirements and interpretations, and are none."""
    ids = [one.id for one in pack.requirements] + [one.id for one in pack.interpretations]
    forms = set(map(id_form, ids))
    for number, text in enumerate(source.split("\n"), 1):
        for id in (id for _, id in _QUOTED_ID.findall(text) if id not in pack.ids and id_form(id) in forms):
            message = f"{id} is no requirement and no interpretation; {suggest(id, sorted(pack.ids))}"
            yield number, "orphaned", message


def _names(source: str, members: Collection[str]) -> Iterator[Problem]:
    """Yield the names that functions read, and that neither the module nor Python has."""
    used = list(_globals(compile(source, "", "exec")))
    known = {*members, *vars(builtins), *(one.argval for one in used if one.opname == "STORE_GLOBAL")}
    for one in used:
        if one.argval not in known and one.positions is not None:
            near = closest_match(one.argval, known, 0.7)
            fix = f"write {near}" if near else "define or import it"
            yield one.positions.lineno or 0, "orphaned", f"the name {one.argval} does not exist; {fix}"


def _globals(code: CodeType) -> Iterator[dis.Instruction]:
    for inner in (one for one in code.co_consts if isinstance(one, CodeType)):
        yield from (one for one in dis.get_instructions(inner) if one.opname in ("LOAD_GLOBAL", "STORE_GLOBAL"))
        yield from _globals(inner)


def _lost_errors(source: str) -> Iterator[Problem]:
    for node in ast.walk(ast.parse(source)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _ERRORS:
            name = value.func.id
            yield value.lineno, "malformed", f"the {name} has no effect; write raise {name}(…)"
