"""The model of LocalFiles 2, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from treeproof.api import AcceptedReadings, CallResult, Exchange, Kind, ModelJudgement, Unmodelled, by_path

from ..shared.case_model import CaseModel
from .comparison import compare, find_unreadable, shown_readings
from .entry_comparison import ALL_TYPES, TWIN
from .expected import RECOMMENDED_READINGS, describe_outcome, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .outcomes import ExpectedOutcome
from .path_resolution import FOLDER, ROOT
from .scenario_writer import scenario_steps

_REQUIREMENTS = (
    *(("MODEL", 2), ("TYPE", 3), ("FIELD", 4), ("LINK", 3), ("LIST", 2)),
    *(("SORT", 1), ("ERR", 2), ("FIND", 5)),
)


class FilesModel(CaseModel[ExpectedOutcome]):
    """The model of both tools."""

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Judge a call; the answer has the placeholders of the case in place of the paths of the run."""
        answer = _with_placeholders(exchange.answer, exchange.root)
        exchange = replace(exchange, answer=answer)
        try:
            return super().judge(exchange, _possible_readings(answer, accepted))
        except Unmodelled:  # perhaps for too many combinations of readings
            judged = super().judge(exchange, _likely_readings(exchange, accepted))
            return replace(
                judged,
                observed_readings=_without_guesses(judged.observed_readings),
                explanations=tuple(map(_without_guesses, judged.explanations)),
            )


_FOUND = {"AMB-LF-11": "DirectoryEntry", "AMB-LF-41": "SymbolicLinkEntry", "AMB-LF-42": "OtherEntry"}
"""The word that shows that a search finds a kind."""

_KINDS = {
    "AMB-LF-11": frozenset({Kind.DIR}),
    "AMB-LF-41": frozenset({Kind.SYMLINK}),
    "AMB-LF-42": frozenset(Kind) - {Kind.DIR, Kind.SYMLINK, Kind.FILE},
}

_LEFT_OUT = frozenset({"files", "left_out"})


def _possible_readings(answer: CallResult, accepted: AcceptedReadings) -> AcceptedReadings:
    """Return the readings without those by which no such kind is in the answer: there are many combinations."""
    content = answer.content or ""
    shown = [id for id, word in _FOUND.items() if f'"@type": "{word}"' in content and id in accepted]
    return {**accepted, **{id: _preferred(accepted[id], accepted[id] - _LEFT_OUT) for id in shown}}


def _likely_readings(exchange: Exchange, accepted: AcceptedReadings) -> AcceptedReadings:
    """Return one reading of each kind, by whether the answer has such an entry, and one of odd names."""
    content, found = exchange.answer.content or "", dict(accepted)
    has_right_words = content.count('"path": ') == sum(content.count(f'"@type": "{word}"') for word in ALL_TYPES)
    for id, kinds in _KINDS.items():
        is_there = f'"@type": "{_FOUND[id]}"' in content
        if not has_right_words:  # then names show the kind
            nodes = (node for node in by_path(exchange.case.tree).values() if node.kind in kinds)
            names = (json.dumps(node.name.decode("utf-8", "replace")) for node in nodes)
            is_there = any(f'"name": {name}' in content or f"/{name[1:]}" in content for name in names)
        is_there = is_there or exchange.answer.status != "ok"
        found[id] = _preferred(accepted[id], accepted[id] - _LEFT_OUT if is_there else _LEFT_OUT)
    spellings = {"replacement"} if "\\ufffd" in content else {"replacement", "other"}
    found["AMB-LF-17"] = _preferred(accepted["AMB-LF-17"], spellings if exchange.answer.status == "ok" else {"error"})
    return found


def _without_guesses(readings: Mapping[str, str]) -> Mapping[str, str]:
    """Return readings without those of kinds that the answer lacks: perhaps nothing of the kind matches."""
    return {id: label for id, label in readings.items() if id not in _KINDS or label not in _LEFT_OUT}


def _preferred(accepted: frozenset[str], labels: Set[str]) -> frozenset[str]:
    return accepted & labels or accepted


def _with_placeholders(answer: CallResult, root: str) -> CallResult:
    if answer.status != "ok":
        return answer
    try:
        value = json.loads(answer.content or "", object_pairs_hook=_with_twins)
    except (ValueError, RecursionError):
        return answer
    if not isinstance(value, list):
        return answer
    names = {root: ROOT, root.rpartition("/")[0]: FOLDER} if root else {}
    scrubbed = [_scrub(element, names) if isinstance(element, dict) else element for element in value]
    return replace(answer, content=json.dumps(scrubbed))


def _with_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with the last value of each member; another one before it has a name of its own."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if found.get(name, value) != value:
            found[name + TWIN] = found[name]
        found[name] = value
    return found


def _scrub(element: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return an element with placeholders at the beginning of its texts that are paths."""
    found = dict(element)
    for member in ("path", "target"):
        text = found.get(member)
        for path, placeholder in names.items():
            if isinstance(text, str) and text.startswith(path):
                found[member] = placeholder + text[len(path) :]
                break
    return found


model = FilesModel(
    tool="listDirectory",
    requirements=frozenset(
        f"LF-{group}-{number:02}" for group, count in _REQUIREMENTS for number in range(1, count + 1)
    ),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset(RECOMMENDED_READINGS),
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=expected_outcome,
    compare=compare,
    describe_outcome=describe_outcome,
    write_scenario=scenario_steps,
    label_case=case_labels,
    find_unreadable=find_unreadable,
    shown_readings=shown_readings,
)
