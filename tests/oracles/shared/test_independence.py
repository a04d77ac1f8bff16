"""The model and the reference share no code, so that they cannot share a mistake by copying it.

Only syntax trees are read. A run of statements counts as shared when it is equal after every name, attribute and
constant has been made anonymous: renaming does not hide a copy.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parent.parent.parent.parent
MAX_COMMON_RUN = 5


def trees(folder: str) -> dict[Path, ast.Module]:
    files = sorted((PROJECT_ROOT / folder).rglob("*.py"))
    return {file: ast.parse(file.read_text("utf-8")) for file in files}


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_neither_imports_the_other() -> None:
    for mine, other in (("oracles", "reference_impl"), ("reference_impl", "oracles")):
        found = [(file, name) for file, tree in trees(mine).items() for name in imported(tree) if other in name]
        assert found == []


def test_an_oracle_imports_the_public_interface_its_own_modules_and_the_shared_ones() -> None:
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
    """Leaves the shape of the code and takes away what it is called."""

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


def runs(tree: ast.Module, length: int) -> Iterator[tuple[str, ...]]:
    """Every `length` simple statements and headers of compound ones that follow each other in one function."""
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        statements = [unparse_header(statement) for statement in flattened(function.body)]
        yield from (tuple(statements[at : at + length]) for at in range(len(statements) - length + 1))


def flattened(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from flattened(getattr(statement, block, []))


def unparse_header(statement: ast.stmt) -> str:
    bare = Anonymous().visit(ast.parse(ast.unparse(statement)).body[0])
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        if hasattr(bare, block) and not isinstance(bare, ast.Expr):
            setattr(bare, block, [])
    return ast.dump(bare)


def test_no_run_of_statements_is_shared() -> None:
    length = MAX_COMMON_RUN + 1
    theirs = {run for tree in trees("reference_impl").values() for run in runs(tree, length)}
    shared = [file.name for file, tree in trees("oracles").items() for run in runs(tree, length) if run in theirs]
    assert theirs, "the reference has functions long enough to compare"
    assert shared == []


def test_a_renamed_copy_is_seen() -> None:
    one = "def f(x):\n    a = x + 1\n    b = a.y\n    if a:\n        c = g(b, k=2)\n    return [a, c]\n"
    other = "def h(z):\n    '''D'''\n    q = z + 7\n    r = q.s\n    if q:\n        t = m(r, n=0)\n    return [q, t]\n"
    assert set(runs(ast.parse(one), 5)) == set(runs(ast.parse(other), 5)) != set()
    assert set(runs(ast.parse(one), 5)) != set(runs(ast.parse(one.replace("+", "-")), 5))
