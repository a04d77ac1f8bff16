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

HOUSE = Path(__file__).resolve().parent.parent
HUB = HOUSE / "treeproof"
CONTENT = ("features", "steps", "fixtures", "adapters", "reference_impl", "oracles")

# Room to the rooms it may import, from the ground up; `errors` and the version stand below all of them.
FLOORS: Mapping[str, frozenset[str]] = {
    "tree": frozenset(),
    "spec": frozenset(),
    "candidate": frozenset(),
    "verdict": frozenset({"spec"}),
    "run": frozenset({"tree", "spec", "candidate", "verdict"}),
    "report": frozenset({"spec", "verdict"}),
    "search": frozenset({"tree", "spec", "candidate", "verdict", "run", "report"}),
    "adequacy": frozenset({"tree", "spec", "candidate", "verdict", "run", "report", "search"}),
    "inside": frozenset({"tree", "spec", "candidate", "verdict", "run", "report"}),
    "scaffold": frozenset({"spec"}),
    "cli": frozenset(
        {"tree", "spec", "candidate", "verdict", "run", "report", "search", "adequacy", "scaffold"}
    ),
    "__main__": frozenset({"cli"}),
}
GROUND = frozenset({"errors", "__init__"})
NAMELESS = re.compile(r"utils?|helpers?|managers?|common|base\d*|misc")


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


def room_of(file: Path) -> str:
    first = file.relative_to(HUB).parts[0]
    return first.removesuffix(".py")


def package_of(file: Path) -> str:
    return ".".join(file.relative_to(HOUSE).parent.parts)


def shown(file: Path, found: Import, why: str) -> str:
    return f"{file.relative_to(HOUSE)}:{found.line}: imports {found.module}: {why}"


def wrong_in_content(source: str, folder: str, package: str) -> Iterator[tuple[Import, str]]:
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


def wrong_in_hub(source: str, room: str, package: str) -> Iterator[tuple[Import, str]]:
    """Yield the imports that a file of the room ``room`` must not have."""
    allowed = FLOORS[room] | {room} | GROUND
    for found in imports(source, package):
        top, *rest = found.module.split(".")
        if top in (*CONTENT, "tests") or (top == "treeproof" and rest and rest[0] in CONTENT):
            yield found, "the hub reaches content by string entry points only"
        elif top == "treeproof" and rest and rest[0] not in allowed and not rest[0].startswith("__"):
            yield found, f"{room} may import {', '.join(sorted(FLOORS[room])) or 'no other room'}"


@pytest.mark.parametrize("folder", CONTENT)
def test_content_imports_the_hub_and_itself(folder: str) -> None:
    wrong = [
        shown(file, found, why)
        for file in python_files(HOUSE / folder)
        for found, why in wrong_in_content(file.read_text("utf-8"), folder, package_of(file))
    ]
    assert wrong == []


def test_no_import_of_the_hub_runs_upwards() -> None:
    wrong = [
        shown(file, found, why)
        for file in python_files(HUB)
        if room_of(file) not in GROUND
        for found, why in wrong_in_hub(file.read_text("utf-8"), room_of(file), package_of(file))
    ]
    assert wrong == []


def test_the_ground_imports_nothing_of_the_house() -> None:
    for name in GROUND:
        file = HUB / f"{name}.py"
        assert [
            found for found in imports(file.read_text("utf-8"), "treeproof") if "treeproof" in found.module
        ] == []


def test_every_room_has_its_floor() -> None:
    rooms = {room_of(file) for file in python_files(HUB)} - GROUND
    assert rooms <= set(FLOORS)
    assert {"tree", "spec", "candidate", "verdict", "run", "report", "cli"} <= rooms


def test_there_is_no_circle() -> None:
    modules = {_module(file): file for file in python_files(HUB)}
    graph = {
        name: {
            target
            for found in imports(file.read_text("utf-8"), package_of(file))
            for target in [_existing(found.module, modules)]
            if target is not None and target != name
        }
        for name, file in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]))


def _module(file: Path) -> str:
    return ".".join(file.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__")


def _existing(module: str, modules: Mapping[str, Path]) -> str | None:
    while module and module not in modules:
        module = module.rpartition(".")[0]
    return module or None


def bundled_names() -> set[str]:
    """Return the names that only a pack may speak: of specifications and of their tools."""
    names = set()
    for face in sorted(HOUSE.glob("features/*/spec.toml")):
        pack = tomllib.loads(face.read_text("utf-8"))
        names |= {pack["spec"]["name"], *(tool["name"] for tool in pack.get("tool", ()))}
    return names


def spoken(source: str) -> Iterator[tuple[int, str]]:
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


def test_the_hub_knows_no_tool_of_an_ordinary_name() -> None:
    wrong = [
        f"{file.relative_to(HOUSE)}:{node.lineno}: says {node.value}"
        for file in python_files(HUB)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in ORDINARY_WORDS
    ]
    assert wrong == []


def test_the_hub_knows_no_specification_by_name() -> None:
    names = bundled_names() - ORDINARY_WORDS
    assert "list_directory" in names
    wrong = [
        f"{file.relative_to(HOUSE)}:{line}: says {name}"
        for file in python_files(HUB)
        for line, text in spoken(file.read_text("utf-8"))
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", text)
    ]
    data = [file for file in HUB.rglob("*") if file.suffix in (".json", ".toml", ".ini", ".txt", ".template")]
    wrong += [
        f"{file.relative_to(HOUSE)}: says {name}"
        for file in data
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", file.read_text("utf-8"))
    ]
    assert wrong == []


def test_every_file_says_first_what_lives_in_it() -> None:
    silent = [
        str(file.relative_to(HOUSE))
        for folder in ("treeproof", *CONTENT)
        for file in python_files(HOUSE / folder)
        if not ast.get_docstring(ast.parse(file.read_text("utf-8")))
    ]
    assert silent == []


def test_no_file_is_named_after_nothing() -> None:
    wrong = [
        str(path.relative_to(HOUSE))
        for folder in ("treeproof", *CONTENT, "tests")
        for path in [HOUSE / folder, *(HOUSE / folder).rglob("*")]
        if NAMELESS.fullmatch(path.stem) and "__pycache__" not in path.parts
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


def test_a_skip_says_what_it_left_unverified() -> None:
    silent = [
        f"{file.relative_to(HOUSE)}:{line}: {reason!r} does not begin with 'not verified: '"
        for file in python_files(HOUSE / "tests")
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
        ("oracles", "from treeproof.reference_impl.list_directory import candidate"),
    ],
)
def test_a_wrong_import_of_content_is_seen(folder: str, source: str) -> None:
    assert len(list(wrong_in_content(source, folder, folder))) == 1


@pytest.mark.parametrize(
    "source", ["from treeproof.tree import Tree", "from .words import quoted", "import os"]
)
def test_a_right_import_of_content_is_left_alone(source: str) -> None:
    assert list(wrong_in_content(source, "steps", "steps")) == []


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("tree", "from treeproof.spec import Pack"),
        ("tree", "from ..candidate import messages"),
        ("spec", "import treeproof.verdict.judge"),
        ("verdict", "from treeproof import run"),
        ("report", "def f():\n    from treeproof.run.runner import run"),
        ("run", "from treeproof.steps.trees import grow"),
        ("candidate", "import adapters.stdio"),
    ],
)
def test_a_wrong_import_of_the_hub_is_seen(room: str, source: str) -> None:
    assert len(list(wrong_in_hub(source, room, f"treeproof.{room}"))) == 1


def test_a_name_in_code_is_heard_and_one_in_a_docstring_is_not() -> None:
    source = (
        '"""Knows list_directory."""\ndef f():\n    """list_directory"""\n    return "a list_directory"\n'
    )
    assert [line for line, text in spoken(source) if "list_directory" in text] == [4]


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
def test_every_skip_is_heard(source: str, reasons: list[str]) -> None:
    assert [reason for _, reason in skips(source)] == reasons
