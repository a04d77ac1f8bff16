"""The texts of calls and scenarios in lists and for the clipboard. They contain no HTML."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.report.escape import shortened, visible
from treeproof.report.html.steps import Step

_MAX_CALL_LINE = 160  # characters
_ADAPTERS_WITH_MESSAGES = frozenset({"stdio", "command", "python"})


def call_text(call: Mapping[str, Any]) -> str:
    """Return the tool and its arguments, as the reports show a call."""
    return f"{call['tool']} {call['arguments']}"


def call_line(scenario: Mapping[str, Any]) -> str:
    """Return the call of a scenario in one short line; empty if none is recorded."""
    call = scenario["evidence"].get("call")
    return shortened(call_text(call), _MAX_CALL_LINE) if call else ""


def request_line(call: Mapping[str, Any], adapter: str) -> str:
    """Return the message ``call`` of the candidate protocol in one line; empty if there is none.

    There is none if the ``adapter`` translates the call for a server, or if the arguments are cut. The directories of
    the run are ``$ROOT`` and ``$OUTSIDE``.
    """
    if adapter not in _ADAPTERS_WITH_MESSAGES or not _is_json(call["arguments"]):
        return ""
    # The arguments as they were sent: a value that was parsed could have lost a member or a digit.
    members = [f'"tool": {json.dumps(call["tool"])}', f'"arguments": {call["arguments"]}']
    if "context" in call:
        members.append(f'"context": {json.dumps(call["context"])}')
    return f'{{"jsonrpc": "2.0", "id": 1, "method": "call", "params": {{{", ".join(members)}}}}}'


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return "\n" not in text


def scenario_text(title: str, steps: Sequence[Step]) -> str:
    """Return the scenario as in a feature file: its steps, and the table and the text block of the last one."""
    lines = [f"Scenario: {visible(title)}"]
    for step in steps:
        lines.append(f"  {step.keyword or '*'} {visible(step.text)}")
        lines += [f"    | {' | '.join(map(_cell, row))} |" for row in step.table]
        if step.docstring:
            block = (visible(line) for line in step.docstring.split("\n"))
            lines += ['    """', *(f"    {line}" for line in block), '    """']
    return "\n".join(lines)


def _cell(text: str) -> str:
    return visible(text).replace("|", "\\|")


def manifest_line(interpretation: str, label: str) -> str:
    """Return the line of the manifest's table ``[interpretations]`` that declares a reading."""
    return f"{interpretation} = {json.dumps(label)}"
