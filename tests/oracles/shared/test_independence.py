"""Oracles and reference implementations share no code, so that they cannot share an error by copying it.

Syntax trees are compared after names, attributes and constants are made equal, so that renaming does not hide a copy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parent.parent.parent.parent
MAX_COMMON_STATEMENTS = 5


def trees(folder: str) -> dict[Path, ast.Module]:
    files = sorted((PROJECT_ROOT / folder).rglob("*.py"))
    return {file: ast.parse(file.read_text("utf-8")) for file in files}


def imported_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_oracles_and_references_do_not_import_each_other() -> None:
    for folder, other in (("oracles", "reference_impl"), ("reference_impl", "oracles")):
        found = [(file, name) for file, tree in trees(folder).items() for name in imported_names(tree) if other in name]
        assert found == []


def test_an_oracle_imports_only_the_api_its_own_modules_and_shared_ones() -> None:
    wrong = [
        f"{file.name}: {node.module}"
        for file, tree in trees("oracles").items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.level == 2 and not (node.module or "").startswith("shared.") or node.level > 2)
        or isinstance(node, ast.ImportFrom)
        and node.level == 0
        and (node.module or "").startswith("treeproof")
        and node.module != "treeproof.api"
    ]
    assert wrong == []


class Anonymous(ast.NodeTransformer):
    """Replaces all names and constants."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("_", node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return ast.Attribute(node.value, "_", node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg("_")

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        return ast.keyword("_", node.value)


def statement_sequences(tree: ast.Module, length: int) -> Iterator[tuple[str, ...]]:
    """Yield each sequence of `length` statements of one function; of compound statements only the header."""
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        statements = [unparse_header(statement) for statement in flatten(function.body)]
        yield from (tuple(statements[at : at + length]) for at in range(len(statements) - length + 1))


def flatten(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from flatten(getattr(statement, block, []))


def unparse_header(statement: ast.stmt) -> str:
    bare = Anonymous().visit(ast.parse(ast.unparse(statement)).body[0])
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        if hasattr(bare, block) and not isinstance(bare, ast.Expr):
            setattr(bare, block, [])
    return ast.dump(bare)


def test_no_sequence_of_statements_is_shared() -> None:
    length = MAX_COMMON_STATEMENTS + 1
    reference_sequences = {
        sequence for tree in trees("reference_impl").values() for sequence in statement_sequences(tree, length)
    }
    shared = [
        file.name
        for file, tree in trees("oracles").items()
        for sequence in statement_sequences(tree, length)
        if sequence in reference_sequences
    ]
    assert reference_sequences, "no function of the reference is long enough to compare"
    assert shared == []


def test_a_renamed_copy_is_found() -> None:
    one = "def f(x):\n    a = x + 1\n    b = a.y\n    if a:\n        c = g(b, k=2)\n    return [a, c]\n"
    other = "def h(z):\n    '''D'''\n    q = z + 7\n    r = q.s\n    if q:\n        t = m(r, n=0)\n    return [q, t]\n"
    assert set(statement_sequences(ast.parse(one), 5)) == set(statement_sequences(ast.parse(other), 5)) != set()
    assert set(statement_sequences(ast.parse(one), 5)) != set(statement_sequences(ast.parse(one.replace("+", "-")), 5))
