"""The plan of the house, kept over the syntax trees: who may import whom, and what the hub may know.

No module is imported here; the files are read as text, so that a broken import cannot hide another one.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PROJECT_ROOT = Path(__file__).resolve().parent.parent
CORE = PROJECT_ROOT / "treeproof"
CONTENT = ("features", "steps", "fixtures", "adapters", "reference_impl", "mutants", "oracles")

# Room to the rooms it may import, from the ground up; `errors` and the version stand below all of them.
ALLOWED_IMPORTS: Mapping[str, frozenset[str]] = {
    "tree": frozenset(),
    "spec": frozenset(),
    "candidate": frozenset(),
    "verdict": frozenset({"spec"}),
    "run": frozenset({"tree", "spec", "candidate", "verdict"}),
    "report": frozenset({"spec", "verdict"}),
    "search": frozenset({"tree", "spec", "candidate", "verdict", "run", "report"}),
    "mutation": frozenset({"tree", "spec", "candidate", "verdict", "run", "report", "search"}),
    "pytest_plugin": frozenset({"tree", "spec", "candidate", "verdict", "run", "report"}),
    "scaffold": frozenset({"spec"}),
    "cli": frozenset(
        {"tree", "spec", "candidate", "verdict", "run", "report", "search", "mutation", "scaffold"}
    ),
    "api": frozenset({"tree", "spec", "candidate", "verdict", "run", "report", "search"}),
    "__main__": frozenset({"cli"}),
}
FOUNDATION = frozenset({"errors", "__init__"})
VAGUE_NAMES = re.compile(r"utils?|helpers?|managers?|common|base\d*|misc")


@dataclass(frozen=True)
class Import:
    """One imported module, as an absolute dotted name."""

    line: int
    module: str


def imports(source: str, package: str) -> Iterator[Import]:
    """Yield what ``source``, a module of ``package``, imports; relative names are made absolute.

    Imported names are part of the dotted name (``treeproof.tree.Tree``): one of them may be a module.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")
            base = above[: len(above) - node.level + 1] if node.level else []
            if node.level > len(above):
                base = ["(above the top)"]
            parts = [*base, *([node.module] if node.module else [])]
            yield from (Import(node.lineno, ".".join([*parts, alias.name])) for alias in node.names)


def python_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*.py") if "__pycache__" not in file.parts)


def core_package_of(file: Path) -> str:
    first = file.relative_to(CORE).parts[0]
    return first.removesuffix(".py")


def package_of(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT_ROOT).parent.parts)


def format_violation(file: Path, found: Import, why: str) -> str:
    return f"{file.relative_to(PROJECT_ROOT)}:{found.line}: imports {found.module}: {why}"


def forbidden_content_imports(source: str, folder: str, package: str) -> Iterator[tuple[Import, str]]:
    """Yield the imports that a file of the content folder ``folder`` must not have."""
    for found in imports(source, package):
        top, *rest = found.module.split(".")
        if top == folder:
            continue  # its own, relative
        if top in CONTENT or (top == "treeproof" and rest and rest[0] in CONTENT):
            yield found, "a content folder imports itself, relatively, and no other one"
        elif top in ("(above the top)", "tests"):
            yield found, "leaves the folder"
        elif top == "treeproof" and folder == "reference_impl":
            yield found, "the reference is a candidate like any other and knows nothing of the harness"
        elif top == "treeproof" and rest and rest[0] == "cli":
            yield found, "content stands on the rooms, not on the verbs"


def forbidden_core_imports(source: str, package_name: str, package: str) -> Iterator[tuple[Import, str]]:
    """Yield the imports that a file of the room ``room`` must not have."""
    allowed = ALLOWED_IMPORTS[package_name] | {package_name} | FOUNDATION
    for found in imports(source, package):
        top, *rest = found.module.split(".")
        if top in (*CONTENT, "tests") or (top == "treeproof" and rest and rest[0] in CONTENT):
            yield found, "the hub reaches content by string entry points only"
        elif top == "treeproof" and rest and rest[0] not in allowed and not rest[0].startswith("__"):
            yield (
                found,
                f"{package_name} may import {', '.join(sorted(ALLOWED_IMPORTS[package_name])) or 'no other room'}",
            )


@pytest.mark.parametrize("folder", CONTENT)
def test_content_imports_the_core_and_itself(folder: str) -> None:
    wrong = [
        format_violation(file, found, why)
        for file in python_files(PROJECT_ROOT / folder)
        for found, why in forbidden_content_imports(file.read_text("utf-8"), folder, package_of(file))
    ]
    assert wrong == []


def test_no_core_import_runs_upwards() -> None:
    wrong = [
        format_violation(file, found, why)
        for file in python_files(CORE)
        if core_package_of(file) not in FOUNDATION
        for found, why in forbidden_core_imports(
            file.read_text("utf-8"), core_package_of(file), package_of(file)
        )
    ]
    assert wrong == []


def test_the_foundation_imports_nothing_of_the_project() -> None:
    for name in FOUNDATION:
        file = CORE / f"{name}.py"
        assert [
            found for found in imports(file.read_text("utf-8"), "treeproof") if "treeproof" in found.module
        ] == []


def test_every_core_package_has_its_allowed_imports() -> None:
    rooms = {core_package_of(file) for file in python_files(CORE)} - FOUNDATION
    assert rooms <= set(ALLOWED_IMPORTS)
    assert {"tree", "spec", "candidate", "verdict", "run", "report", "cli"} <= rooms


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
    except CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]))


def _module(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT_ROOT).with_suffix("").parts).removesuffix(".__init__")


def _nearest_module(module: str, modules: Mapping[str, Path]) -> str | None:
    while module and module not in modules:
        module = module.rpartition(".")[0]
    return module or None


def bundled_names() -> set[str]:
    """Return the names that only a pack may speak: of specifications and of their tools."""
    names = set()
    for face in sorted(PROJECT_ROOT.glob("features/*/spec.toml")):
        pack = tomllib.loads(face.read_text("utf-8"))
        names |= {pack["spec"]["name"], *(tool["name"] for tool in pack.get("tool", ()))}
    return names


def strings_and_names(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string and every name in the code of ``source``, docstrings left out."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        elif isinstance(node, (ast.Name, ast.Attribute)):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr


# Words that anybody says who speaks of files: they name a tool only where they stand alone between quotes.
ORDINARY_WORDS = frozenset({"move", "copy"})


def test_the_core_names_no_tool_with_an_ordinary_name() -> None:
    wrong = [
        f"{file.relative_to(PROJECT_ROOT)}:{node.lineno}: says {node.value}"
        for file in python_files(CORE)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in ORDINARY_WORDS
    ]
    assert wrong == []


def test_the_core_names_no_specification() -> None:
    names = bundled_names() - ORDINARY_WORDS
    assert "list_directory" in names
    wrong = [
        f"{file.relative_to(PROJECT_ROOT)}:{line}: says {name}"
        for file in python_files(CORE)
        for line, text in strings_and_names(file.read_text("utf-8"))
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", text)
    ]
    data = [
        file for file in CORE.rglob("*") if file.suffix in (".json", ".toml", ".ini", ".txt", ".template")
    ]
    wrong += [
        f"{file.relative_to(PROJECT_ROOT)}: says {name}"
        for file in data
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", file.read_text("utf-8"))
    ]
    assert wrong == []


def test_every_module_has_a_docstring() -> None:
    silent = [
        str(file.relative_to(PROJECT_ROOT))
        for folder in ("treeproof", *CONTENT)
        for file in python_files(PROJECT_ROOT / folder)
        if not ast.get_docstring(ast.parse(file.read_text("utf-8")))
    ]
    assert silent == []


def test_no_file_has_a_vague_name() -> None:
    wrong = [
        str(path.relative_to(PROJECT_ROOT))
        for folder in ("treeproof", *CONTENT, "tests")
        for path in [PROJECT_ROOT / folder, *(PROJECT_ROOT / folder).rglob("*")]
        if VAGUE_NAMES.fullmatch(path.stem) and "__pycache__" not in path.parts
    ]
    assert wrong == []


SKIPPING = ("skip", "skipif", "importorskip", "xfail")


def skips(source: str) -> Iterator[tuple[int, str]]:
    """Every way to skip a test, with its line and as much of its reason as is written there."""
    nodes = list(ast.walk(ast.parse(source)))
    calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in SKIPPING:
            continue
        call = calls.get(id(node))
        said = [word.value for word in call.keywords if word.arg == "reason"] if call else []
        if call and node.attr == "skip":
            said += call.args[:1]
        first = next(iter(said), None)
        while isinstance(first, ast.JoinedStr):
            first = first.values[0]
        yield node.lineno, str(first.value) if isinstance(first, ast.Constant) else ""


def test_every_skip_reason_states_what_is_not_verified() -> None:
    silent = [
        f"{file.relative_to(PROJECT_ROOT)}:{line}: {reason!r} does not begin with 'not verified: '"
        for file in python_files(PROJECT_ROOT / "tests")
        for line, reason in skips(file.read_text("utf-8"))
        if not reason.startswith("not verified: ")
    ]
    assert silent == []


# The rules above see nothing if their eyes are shut: each is shown one house that breaks it.


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("steps", "from treeproof.adapters.stdio import connect"),
        ("steps", "from treeproof import fixtures"),
        ("steps", "import oracles.list_directory"),
        ("steps", "def f():\n    from adapters import stdio"),
        ("steps", "from ..tree import Tree"),
        ("steps", "import treeproof.cli"),
        ("reference_impl", "from treeproof.tree import Tree"),
        ("oracles", "from treeproof.reference_impl.list_directory.candidate import candidate"),
    ],
)
def test_a_forbidden_content_import_is_found(folder: str, source: str) -> None:
    assert len(list(forbidden_content_imports(source, folder, folder))) == 1


@pytest.mark.parametrize(
    "source", ["from treeproof.tree import Tree", "from .words import quoted", "import os"]
)
def test_an_allowed_content_import_is_accepted(source: str) -> None:
    assert list(forbidden_content_imports(source, "steps", "steps")) == []


@pytest.mark.parametrize(
    ("room", "source"),
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
def test_a_forbidden_core_import_is_found(room: str, source: str) -> None:
    assert len(list(forbidden_core_imports(source, room, f"treeproof.{room}"))) == 1


def test_a_name_in_code_is_found_and_one_in_a_docstring_is_not() -> None:
    source = (
        '"""Knows list_directory."""\ndef f():\n    """list_directory"""\n    return "a list_directory"\n'
    )
    assert [line for line, text in strings_and_names(source) if "list_directory" in text] == [4]


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
