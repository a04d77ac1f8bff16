"""The feature file of generated rows: outlines with what their rows have in common in the steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treeproof.model.input_table import InputTable
from treeproof.search.covering_rows import Row
from treeproof.spec import Pack
from treeproof.spec.gherkin import GENERATED_TAG
from treeproof.spec.version_features import scenarios_of

FEATURE_NAME = "generated.feature"


def write_feature(pack: Pack, table: InputTable, rows: Sequence[Row]) -> Path:
    """Add rows to the pack's file of generated scenarios, and return the file. Raises UsageError.

    What the rows of an outline have in common is in its steps, and what differs in the columns.
    """
    file = pack.folder / FEATURE_NAME
    stem = f"{pack.prefix}-GEN"
    used = [int(case.id.rpartition("-")[2]) for case in scenarios_of(pack) if case.id.startswith(f"{stem}-")]
    number = max(used, default=0) + 1
    lines = [] if file.exists() else _head(pack, table.scenario)
    for steps in dict.fromkeys(row.steps for row in rows):
        same = [row for row in rows if row.steps == steps]
        lines += _outline(same, stem, number)
        number += len(same)
    with file.open("a", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")
    return file


def _outline(rows: Sequence[Row], stem: str, first: int) -> Iterator[str]:
    """Yield the lines of a scenario outline; the ids of its rows begin at a number."""
    steps, columns = list(rows[0].steps), ["inputs"]
    for name, text in rows[0].columns.items():
        if not any(f"<{name}>" in step for step in steps):
            continue
        if name == "expected" or any(row.columns[name] != text for row in rows):
            columns.append(name)
        else:
            steps = [step.replace(f"<{name}>", text) for step in steps]
    yield ""
    yield f"    Scenario Outline: {'generated' if first == 1 else f'generated from {stem}-{first:03} on'}: <inputs>"
    yield from (f"      {step}" for step in steps)
    yield from ("", "      Examples:", f"        | {' | '.join(['id', *columns])} |")
    for number, row in enumerate(rows, first):
        yield f"        | {' | '.join([f'{stem}-{number:03}', *(_cell(row.columns[name]) for name in columns)])} |"


def _head(pack: Pack, scenario: Mapping[str, Any]) -> list[str]:
    tags = " ".join([f"@{pack.name}", f"@{GENERATED_TAG}", *scenario.get("tags", ())])
    return [
        "# Pairs of inputs that nothing else reaches, written by `treeproof coverage --write`. The expected results",
        "# are those of the model; read them before you commit them.",
        "",
        tags,
        "Feature: Pairs of inputs",
        "",
        f"  @{scenario['rule']}",
        "  Rule: whatever meets in one call, the answer is right",
    ]


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")
