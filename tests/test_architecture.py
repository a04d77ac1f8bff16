"""The architecture of the project, checked on syntax trees: imports, and names in the core.

No module is imported here, so that a broken import cannot hide another one.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
CORE = PROJECT / "treeproof"
ROLES = ("steps", "fixtures", "adapters", "reference_impl", "rows", "mutants", "variants", "oracles")
CONTENT = ("features", *ROLES)
# The other roles whose parts of the same specification a role may import.
MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    "rows": ("reference_impl",),
    "mutants": ("reference_impl", "rows"),
    "variants": ("reference_impl", "rows"),
}
PACKS = {file.parent.name for file in PROJECT.glob("features/*/spec.toml")}

# The core packages that each core package may import, from the lowest layer to the highest.
ALLOWED_IMPORTS: Mapping[str, frozenset[str]] = {
    "tree": frozenset(),
    "files": frozenset(),
    "spec": frozenset({"files"}),
    "candidate": frozenset({"files"}),
    "verdict": frozenset({"files", "spec"}),
    "model": frozenset({"tree", "files", "spec", "candidate", "verdict"}),
    "run": frozenset({"tree", "files", "spec", "candidate", "verdict", "model"}),
    "report": frozenset({"files", "spec", "verdict"}),
    "search": frozenset({"tree", "files", "spec", "candidate", "verdict", "model", "run", "report"}),
    "mutation": frozenset({"tree", "files", "spec", "candidate", "verdict", "model", "run", "report", "search"}),
    "pytest_plugin": frozenset({"tree", "files", "spec", "candidate", "verdict", "model", "run", "report"}),
    "scaffold": frozenset({"tree", "files", "spec", "candidate", "verdict", "model", "run"}),
    "cli": frozenset(
        {"tree", "files", "spec", "candidate", "verdict", "model", "run", "report", "search", "mutation", "scaffold"}
    ),
    "api": frozenset({"tree", "files", "spec", "candidate", "verdict", "model", "run", "report", "search"}),
    "__main__": frozenset({"cli"}),
}
# Modules that every core package may import.
FOUNDATION = frozenset({"errors", "lazy_exports", "pack_modules", "processors", "systems", "__init__"})
VAGUE_NAMES = re.compile(r"utils?|helpers?|managers?|common|base\d*|misc")


ABOVE_THE_TOP = "(above the top)"


@dataclass(frozen=True)
class Import:
    """One imported module, as an absolute dotted name."""

    line: int
    module: str


def imports(source: str, package: str) -> Iterator[Import]:
    """Yield the imports of ``source``, a module of ``package``; relative names are made absolute.

    Imported names are part of the dotted name (``treeproof.tree.Tree``): one of them may be a module.
    """
    for node in outline(source).imports:
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        else:
            above = package.split(".")
            base = above[: len(above) - node.level + 1] if node.level else []
            if node.level > len(above):
                base = [ABOVE_THE_TOP]
            parts = [*base, *([node.module] if node.module else [])]
            yield from (Import(node.lineno, ".".join([*parts, alias.name])) for alias in node.names)


@dataclass(frozen=True)
class Outline:
    """What most rules need of a module. Its whole syntax tree takes long to walk through, and much memory to keep."""

    has_docstring: bool
    imports: tuple[ast.Import | ast.ImportFrom, ...]


@cache
def outline(source: str) -> Outline:
    """Return the outline of a module; several tests ask for it."""
    tree = ast.parse(source)
    found = tuple(node for node in statements(tree.body) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return Outline(bool(ast.get_docstring(tree)), found)


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield statements and those in their blocks."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(statement, block, ()))


def python_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*.py") if "__pycache__" not in file.parts)


def core_package_of(file: Path) -> str:
    return file.relative_to(CORE).parts[0].removesuffix(".py")


def package_of(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT).parent.parts)


def forbidden_content_imports(source: str, package: str) -> Iterator[tuple[Import, str]]:
    """Yield the forbidden imports of a module in the content package ``package``, each with the reason."""
    role, *inner = package.split(".")
    own = {"shared", *inner[:1]}
    for found in imports(source, package):
        top, *rest = found.module.split(".")
        if top == "treeproof" and {*rest[:1]} & set(CONTENT):
            top, *rest = rest
        if top == role or top in MAY_IMPORT.get(role, ()):
            if {*rest[:1]} & (PACKS | {"shared"}) - own:
                yield found, f"{package} may import {' and '.join(sorted(own))} of {top} only"
        elif top in (*CONTENT, "tests", ABOVE_THE_TOP):
            yield found, f"{role} may not import {top}"
        elif top == "treeproof" and role in ("reference_impl", "variants"):
            yield found, f"{role} may not import the core"
        elif top == "treeproof" and ("cli" in rest[:1] or (role != "adapters" and "api" not in rest[:1])):
            yield found, f"{role} may import treeproof.api only"


def forbidden_core_imports(source: str, package: str) -> Iterator[tuple[Import, str]]:
    """Yield the forbidden imports of a module in ``package``, each with the reason."""
    name = package.split(".")[1]
    allowed = ALLOWED_IMPORTS[name] | {name} | FOUNDATION
    for found in imports(source, package):
        top, *rest = found.module.split(".")
        if top in (*CONTENT, "tests") or (top == "treeproof" and {*rest[:1]} & set(CONTENT)):
            yield found, "the core loads content by entry points only"
        elif top == "treeproof" and rest and rest[0] not in allowed and not rest[0].startswith("__"):
            yield (found, f"{name} may import {', '.join(sorted(ALLOWED_IMPORTS[name])) or 'the foundation'} only")


def violations(file: Path, found: Iterator[tuple[Import, str]]) -> list[str]:
    name = file.relative_to(PROJECT)
    return [f"{name}:{one.line}: imports {one.module}: {reason}" for one, reason in found]


@pytest.mark.parametrize("role", ROLES)
def test_content_imports_only_what_its_role_may(role: str) -> None:
    assert [
        line
        for file in python_files(PROJECT / role)
        for line in violations(file, forbidden_content_imports(file.read_text("utf-8"), package_of(file)))
    ] == []


def test_the_reference_imports_only_the_standard_library_and_itself() -> None:
    modules = {
        one.module.partition(".")[0]
        for file in python_files(PROJECT / "reference_impl")
        for one in imports(file.read_text("utf-8"), package_of(file))
    }
    assert modules - {"reference_impl"} <= sys.stdlib_module_names


def test_no_core_package_imports_a_higher_layer() -> None:
    assert [
        line
        for file in python_files(CORE)
        if (name := core_package_of(file)) not in FOUNDATION
        for line in violations(file, forbidden_core_imports(file.read_text("utf-8"), f"treeproof.{name}"))
    ] == []


def test_the_foundation_imports_nothing_of_the_project() -> None:
    for name in FOUNDATION:
        source = (CORE / f"{name}.py").read_text("utf-8")
        assert [found for found in imports(source, "treeproof") if "treeproof" in found.module] == []


def test_every_core_package_has_its_allowed_imports() -> None:
    assert {core_package_of(file) for file in python_files(CORE)} - FOUNDATION == set(ALLOWED_IMPORTS)


@pytest.mark.parametrize("role", ["steps", "oracles", "reference_impl", "rows", "mutants", "variants"])
def test_each_role_has_one_folder_for_each_pack(role: str) -> None:
    others = {"shared", "behaviour"} if role == "oracles" else {"shared"}
    assert subfolders(PROJECT / role) - others == PACKS


@pytest.mark.parametrize("folder", ["fixtures", *(f"tests/{role}" for role in CONTENT if role != "adapters")])
def test_folders_of_fixtures_and_tests_have_the_names_of_packs(folder: str) -> None:
    assert subfolders(PROJECT / folder) <= PACKS | {"shared", "behaviour"}


def subfolders(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*/") if path.name != "__pycache__"}


def test_there_is_no_import_cycle() -> None:
    modules = {_module(file): file for file in python_files(CORE)}
    graph = {
        name: {
            target
            for found in imports(file.read_text("utf-8"), package_of(file))
            for target in [_nearest_module(found.module, modules)]
            if target is not None and target != name
        }
        for name, file in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail(" <- ".join(cycle.args[1]))


def _module(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


def _nearest_module(module: str, modules: Mapping[str, Path]) -> str | None:
    while module and module not in modules:
        module = module.rpartition(".")[0]
    return module or None


def bundled_names() -> set[str]:
    """Return the names of the bundled specifications and of their tools: the core must not contain them."""
    packs = [tomllib.loads((PROJECT / "features" / name / "spec.toml").read_text("utf-8")) for name in PACKS]
    return {tool["name"] for pack in packs for tool in (pack["spec"], *pack.get("tool", ()))}


@dataclass(frozen=True)
class Texts:
    """The strings and the names in the code of a module, each with its line; docstrings left out."""

    strings: tuple[tuple[int, str], ...]
    names: tuple[tuple[int, str], ...]


@cache
def texts(source: str) -> Texts:
    """Return the texts of a module; two tests ask for them."""
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return Texts(
        tuple(
            (node.lineno, node.value)
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        ),
        tuple(
            (node.lineno, node.id if isinstance(node, ast.Name) else node.attr)
            for node in nodes
            if isinstance(node, (ast.Name, ast.Attribute))
        ),
    )


# Ordinary words that are also names of tools: they name a tool only where they are a whole string.
ORDINARY_WORDS = frozenset({"move", "copy"})


def test_the_core_names_no_tool_with_an_ordinary_name() -> None:
    assert [
        f"{file.relative_to(PROJECT)}:{line}: {text}"
        for file in python_files(CORE)
        for line, text in texts(file.read_text("utf-8")).strings
        if text in ORDINARY_WORDS
    ] == []


def test_the_core_names_no_specification() -> None:
    names = bundled_names() - ORDINARY_WORDS
    assert "list_directory" in names
    places = [
        (f"{file.relative_to(PROJECT)}:{line}", text)
        for file in python_files(CORE)
        for found in [texts(file.read_text("utf-8"))]
        for line, text in (*found.strings, *found.names)
    ]
    places += [
        (str(file.relative_to(PROJECT)), file.read_text("utf-8"))
        for file in CORE.rglob("*")
        if file.suffix in (".json", ".toml", ".ini", ".txt", ".template")
    ]
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
    assert [f"{place}: {match[0]}" for place, text in places for match in pattern.finditer(text)] == []


def test_every_module_has_a_docstring() -> None:
    assert [
        str(file.relative_to(PROJECT))
        for folder in ("treeproof", *CONTENT)
        for file in python_files(PROJECT / folder)
        if not outline(file.read_text("utf-8")).has_docstring
    ] == []


def test_no_file_has_a_vague_name() -> None:
    assert [
        str(path.relative_to(PROJECT))
        for folder in ("treeproof", *CONTENT, "tests")
        for path in [PROJECT / folder, *(PROJECT / folder).rglob("*")]
        if VAGUE_NAMES.fullmatch(path.stem) and "__pycache__" not in path.parts
    ] == []


def lazy_export_tables(source: str) -> tuple[dict[str, str], dict[str, str], set[str]]:
    """Return the names of a module with lazy exports: imported for type checkers, in ``_EXPORTS``, in ``__all__``."""
    body = ast.parse(source).body
    typed = {
        alias.name: node.module or ""
        for block in body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    values = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("__all__", "_EXPORTS")
    }
    exports = {name: module for module, names in values["_EXPORTS"].items() for name in names}
    assert len(exports) == sum(map(len, values["_EXPORTS"].values())), "a name is exported twice"
    return typed, exports, set(values["__all__"])


@pytest.mark.parametrize(
    "file",
    [file for file in python_files(CORE) if "= lazy_exports(" in file.read_text("utf-8")],
    ids=lambda file: str(file.relative_to(CORE)),
)
def test_lazy_exports_agree_with_the_imports_for_type_checkers(file: Path) -> None:
    typed, exports, public = lazy_export_tables(file.read_text("utf-8"))
    submodules = {name for name, module in typed.items() if module == package_of(file)}
    assert exports == {name: module for name, module in typed.items() if name not in submodules}
    assert public == set(typed)


SKIPPING = ("skip", "skipif", "importorskip", "xfail")


def skips(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the constant beginning of the reason of every skipped test."""
    if not any(word in source for word in SKIPPING):
        return
    nodes = list(ast.walk(ast.parse(source)))
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in SKIPPING:
            continue
        call = calls.get(id(node))
        reasons = [keyword.value for keyword in call.keywords if keyword.arg == "reason"] if call else []
        if call and node.attr == "skip":
            reasons += call.args[:1]
        first = next(iter(reasons), None)
        while isinstance(first, ast.JoinedStr):
            first = first.values[0]
        yield node.lineno, str(first.value) if isinstance(first, ast.Constant) else ""


def test_every_skip_reason_states_what_is_not_verified() -> None:
    silent = [
        f"{file.relative_to(PROJECT)}:{line}: {reason!r} does not begin with 'not verified: '"
        for file in python_files(PROJECT / "tests")
        for line, reason in skips(file.read_text("utf-8"))
        if not reason.startswith("not verified: ")
    ]
    assert silent == []


# Each rule above must find one violation.


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("steps.ls", "from treeproof.adapters.stdio import connect"),
        ("steps.ls", "from treeproof import fixtures"),
        ("steps.ls", "import oracles.list_directory"),
        ("steps.ls", "def f():\n    from adapters import stdio"),
        ("steps", "from ..tree import Tree"),
        ("steps.ls", "import treeproof.cli"),
        ("steps.ls", "from treeproof.tree import Tree"),
        ("steps.ls", "from ..fs_walkdir import view"),
        ("steps.shared", "from ..ls import view"),
        ("adapters", "import treeproof.cli"),
        ("reference_impl.ls", "from treeproof.api import Tree"),
        ("reference_impl.ls", "from treeproof.mutants.ls import mutants"),
        ("reference_impl.ls", "from ..local_files.candidate import candidate"),
        ("oracles.ls", "from treeproof.reference_impl.ls.candidate import candidate"),
        ("mutants.ls", "from treeproof.reference_impl.local_files.candidate import candidate"),
        ("mutants.shared", "from treeproof.reference_impl.ls.candidate import candidate"),
        ("mutants.ls", "from treeproof.candidate import Call"),
        ("rows.ls", "from treeproof.mutants.ls import mutants"),
        ("variants.ls", "from treeproof.mutants.ls import mutants"),
        ("variants.ls", "from treeproof.rows.fs_walkdir.row import row"),
    ],
)
def test_a_forbidden_content_import_is_found(package: str, source: str) -> None:
    assert len(list(forbidden_content_imports(source, package))) == 1


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("steps.ls", "from treeproof.api import Tree"),
        ("steps.ls", "from ..shared.values import quoted"),
        ("steps.ls", "from .view import EntryView"),
        ("steps.ls", "import os"),
        ("mutants.ls", "from treeproof.reference_impl.ls.candidate import candidate"),
        ("mutants.ls", "from treeproof.reference_impl.shared.errors import ToolError"),
        ("variants.ls", "from treeproof.rows.ls.row import row"),
        ("reference_impl.shared", "from .. import NAME"),
        ("adapters", "from treeproof.candidate import Adapter"),
    ],
)
def test_an_allowed_content_import_is_accepted(package: str, source: str) -> None:
    assert list(forbidden_content_imports(source, package)) == []


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("tree", "from treeproof.spec import Pack"),
        ("tree", "from ..candidate import messages"),
        ("spec", "import treeproof.verdict.judge"),
        ("verdict", "from treeproof import run"),
        ("report", "def f():\n    from treeproof.run.runner import run"),
        ("run", "from treeproof.steps.shared.trees import grow"),
        ("candidate", "import adapters.stdio"),
    ],
)
def test_a_forbidden_core_import_is_found(package: str, source: str) -> None:
    assert len(list(forbidden_core_imports(source, f"treeproof.{package}"))) == 1


def test_a_name_in_code_is_found_and_one_in_a_docstring_is_not() -> None:
    source = '"""Knows list_directory."""\ndef f():\n    """list_directory"""\n    return "a list_directory"\n'
    assert [line for line, text in texts(source).strings if "list_directory" in text] == [4]
    assert (3, "list_directory") in texts("def f():\n    pass\nlist_directory(f)\n").names


@pytest.mark.parametrize(
    ("source", "reasons"),
    [
        ("pytest.skip('not verified: pipes; needs mkfifo')", ["not verified: pipes; needs mkfifo"]),
        ("pytest.skip(f'not verified: {what}')", ["not verified: "]),
        ("pytest.skip(why)", [""]),
        ("@pytest.mark.skipif(True, reason='no root')\ndef f(): pass", ["no root"]),
        ("@pytest.mark.skip\ndef f(): pass\npytest.importorskip('mcp')", ["", ""]),
    ],
)
def test_every_skip_is_found(source: str, reasons: list[str]) -> None:
    assert [reason for _, reason in skips(source)] == reasons
