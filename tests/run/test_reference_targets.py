"""TARGET `reference`: every specification runs against its own reference implementation, in one report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.candidate import InitializeResult
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run

FEATURE = """
    @{name}
    Feature: {name}

      @EC-R-1
      Rule: it returns its argument

        @EC-1-01
        Scenario: a word
          Given the tree "a"
          When say is called with {{"text": "{word}"}}
          Then it says "{word}"
          And the tree is unchanged
"""


@pytest.fixture
def pack(echoes: Callable[..., Path], tmp_path: Path) -> Callable[[str, str], str]:
    """Return a function that writes a pack whose reference returns one word only, and returns its folder."""

    def write(name: str, word: str, reference: str | None = "Echo") -> str:
        folder = echoes(FEATURE.format(name="echoes", word=word))
        target = tmp_path / name
        folder.rename(target)
        catalogue = (target / "spec.toml").read_text("utf-8").replace('"echoes"', f'"{name}"')
        if reference is not None:
            catalogue = catalogue.replace("[[tool]]", f'reference = "{name}_candidate:Echo"\n\n[[tool]]', 1)
        (target / "spec.toml").write_text(catalogue, "utf-8")
        feature = target / "echoes.feature"
        feature.write_text(feature.read_text("utf-8").replace("@echoes", f"@{name}"), "utf-8")
        text = (tmp_path / "echo_candidate.py").read_text("utf-8").replace("echoes@1", f"{name}@1")
        text = text.replace('arguments["text"]}', f'arguments["text"] if arguments["text"] == "{word}" else "?"}}')
        text = text.replace('"capabilities": []', f'"capabilities": ["{"log" if word == "one" else "budget"}"]')
        (tmp_path / f"{name}_candidate.py").write_text(text, "utf-8")
        return str(target)

    return write


def test_each_specification_runs_against_its_own_reference(pack: Callable[..., str]) -> None:
    counts: list[int] = []

    def started(result: InitializeResult, scenarios: int) -> None:
        counts.append(scenarios)

    folders = pack("first", "one"), pack("second", "two")
    document = run(Options(target="reference", specs=folders), on_start=started).document
    assert [spec["name"] for spec in document.to_json()["specs"]] == ["first", "second"]
    outcomes = [scenario["outcome"] for spec in document.to_json()["specs"] for scenario in spec["scenarios"]]
    assert (outcomes, counts) == (["passed", "passed"], [2])
    assert document.to_json()["candidate"]["capabilities"] == ["budget", "log"]


def test_after_a_reference_that_does_not_start_no_further_reference_runs(
    pack: Callable[..., str], tmp_path: Path
) -> None:
    folders = pack("sound", "one"), pack("broken", "two"), pack("later", "two")
    candidate = tmp_path / "broken_candidate.py"
    candidate.write_text(
        candidate.read_text("utf-8").replace(
            "def initialize(self, params):", "def initialize(self, params):\n        raise OSError"
        ),
        "utf-8",
    )
    document = run(Options(target="reference", specs=folders)).document
    outcomes = [[scenario["outcome"] for scenario in spec["scenarios"]] for spec in document.to_json()["specs"]]
    assert (document.to_json()["exit"], outcomes[0]) == (4, ["passed"])
    assert outcomes[1:] == [[], []]


def test_a_specification_without_a_reference_is_refused(pack: Callable[..., str]) -> None:
    with pytest.raises(UsageError, match="names no reference implementation"):
        run(Options(target="reference", specs=(pack("without", "one", None),)))
