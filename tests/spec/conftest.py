"""Small packs in tmp_path: spec.toml, feature files and step modules."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from tests.spec.two_versions import write_two_versions

PACK_TEXT = """
[spec]
name = "tiny"
version = "1.0"
title = "A tiny tool"
source = "tiny.md"
sha256 = "{sha256}"
prefix = "TY"
steps = [{steps}]

[[tool]]
name = "tiny"
capabilities = []
evidence = {path = "$DIRECTORY"}

[[requirement]]
id = "FR-TY-01"
level = "MUST"
section = "1"
text = "It lists what is there."
basis = "stated"
sentences = ["0123456789ab"]
verified_by = ["scenario"]

[[interpretation]]
id = "AMB-TY-01"
question = "Is a full list a cut list?"
treatment = "any"
recommended = "exceeded"
why = "The text permits both."
affects = ["FR-TY-01"]
[[interpretation.reading]]
label = "exceeded"
text = "Only when more would come."
[[interpretation.reading]]
label = "reached"
text = "As soon as it is full."

[[interpretation]]
id = "AMB-TY-02"
question = "A typing error."
treatment = "editorial"
why = "No effect."

[[retired]]
id = "TY-01-09"
reason = "it checked two things"
"""

STEPS = '''
from treeproof.api import given, then, when

@given(r'the tree "(?P<notation>.*)"', example='the tree "a/{b}"', role="tree", tree="notation")
def the_tree(notation: str) -> None:
    """Build the tree."""

@given(r"the configuration (?P<table>\\{.*\\})", example='the configuration {"max": 3}')
def configuration(table: str) -> None:
    """Set the table of the tool."""

@when(r"tiny is called with (?P<arguments>\\{.*\\})", example='tiny is called with {"path": "."}', role="call")
def called(arguments: str) -> None:
    """Make one call."""

@then(r'the entries are "(?P<names>.*)"', example='the entries are "a, b"')
def entries(names: str) -> None:
    """Compare the entries in order."""

@then("the call fails")
def fails() -> None:
    """Require any error."""

@then("the document is exactly")
def exactly(docstring: str) -> None:
    """Compare byte for byte."""

@then(
    r"by (?P<interpretation>AMB-[\\w-]+) the answer is one of",
    example="by AMB-TY-01 the answer is one of",
    columns=("reading", "entries", "document", "fails"),
)
def one_of(interpretation: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one per reading."""

@then(
    r'a control call with (?P<arguments>\\{.*\\}) lists "(?P<names>.*)"',
    example='a control call with {} lists "a"',
    role="control",
)
def control(arguments: str, names: str) -> None:
    """Require that the candidate lists these names."""

@then("the tree is unchanged")
def unchanged() -> None:
    """Compare the tree with its state before the call."""
'''

_numbers = itertools.count()


@pytest.fixture
def steps_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return a function that writes a step module and returns its name, a new one because modules are cached."""

    def write(source: str = STEPS) -> str:
        name = f"steps_of_a_test_{next(_numbers)}"
        (tmp_path / f"{name}.py").write_text(dedent(source), encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        return name

    return write


@pytest.fixture
def pack_folder(tmp_path: Path, steps_module: Callable[[str], str]) -> Callable[..., Path]:
    """Return a function that writes a pack: features by file name, the source of its steps, more of its spec.toml."""

    def write(features: Mapping[str, str] | str = "", steps: str = STEPS, more_steps: str = "", more: str = "") -> Path:
        folder = tmp_path / "tiny"
        folder.mkdir()
        named = {"one.feature": features} if isinstance(features, str) else features
        for name, text in named.items():
            if text:
                (folder / name).write_text(text, encoding="utf-8")
        modules = f'"{steps_module(steps + more_steps)}"' if steps else ""
        text = PACK_TEXT.replace("{steps}", modules).replace("{sha256}", "0" * 64)
        (folder / "spec.toml").write_text(text + more, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The specification read_text in the versions 1.1 and 1.2."""
    return write_two_versions(tmp_path / "read_text")
