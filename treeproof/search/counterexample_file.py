"""Counterexample files: the data to replay a counterexample with any candidate, without paths of the run.

The format is JSON with the members of SavedCounterexample. Trees are in the tree notation, so that users can edit them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from treeproof import __version__
from treeproof.candidate import CallResult
from treeproof.candidate.schema import validator_for, validator_of
from treeproof.errors import UsageError, format_parse_error, reject_json_constant
from treeproof.files.json_schema import JsonSchema
from treeproof.model.case import Case, CommandSequence
from treeproof.search.search_spaces import SearchCase
from treeproof.tree import NotationError, parse_tree
from treeproof.verdict import Profile

FORMAT_VERSION = 1
_OPTIONAL_KEYS: dict[str, Any] = {"answer": {}, "agreement": "", "candidate": {}, "seed": 0, "version": ""}
_TEXT_KEYS = ("spec", "family", "outside", "requirement", "message", "expected", "got", "scenario", "target")
_CONTEXT_DEFAULTS: Mapping[str, Any] = {"roots": [], "working_dir": ""}
"""The members of every call's context that are not saved."""

_TEXT, _OBJECT = {"type": "string"}, {"type": "object"}
_TABLES = {"type": "object", "additionalProperties": _OBJECT}
_CONTEXT = {"type": "object", "properties": {"config": {**_TABLES, "properties": {"tools": _TABLES}}}}
_CALL: dict[str, Any] = {"tool": _TEXT, "arguments": {}, "context": _CONTEXT}
_CASE: dict[str, Any] = {"tree": _TEXT, **_CALL}


def _object(members: Mapping[str, Any], **optional: Any) -> dict[str, Any]:
    return {"type": "object", "required": [*members], "properties": {**members, **optional}}


_MEMBERS = {
    **dict.fromkeys(_TEXT_KEYS, _TEXT),
    "profile": {"enum": [str(profile) for profile in Profile]},
}
_OPTIONAL = {"answer": _OBJECT, "agreement": _TEXT, "candidate": _OBJECT, "seed": {"type": "integer"}, "version": _TEXT}
_SINGLE = _object(_CASE, earlier={"type": "array", "items": _object(_CASE, earlier={"type": "array", "maxItems": 0})})
_CALLS = {"type": "array", "minItems": 1, "items": _object({**_CALL, "arguments": _OBJECT})}
_SEQUENCE = _object({"tree": _TEXT, "calls": _CALLS})


@dataclass(frozen=True)
class SavedCounterexample:
    """A case in which the candidate differs from the model.

    `version` is that of the specification, empty in older files. `answer` is the last raw answer, `family` the name of
    the search space. `agreement` is a text on whether the
    reference implementation agrees with the model.
    """

    spec: str
    family: str
    outside: str
    case: SearchCase
    requirement: str
    message: str
    expected: str
    got: str
    scenario: str
    answer: Mapping[str, Any]
    agreement: str
    target: str
    candidate: Mapping[str, str]
    profile: str
    seed: int
    version: str = ""

    @property
    def file_name(self) -> str:
        """The name of its file, which differs between counterexamples of one requirement."""
        text = json.dumps(self.case.to_json(), sort_keys=True)
        return f"{self.requirement}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"

    def to_json(self) -> dict[str, Any]:
        """Return the counterexample as JSON."""
        members = {key: value for key, value in asdict(self).items() if key != "case"}
        return {"treeproof": __version__, "format": FORMAT_VERSION, **members, "case": self.case.to_json()}

    def write(self, folder: Path) -> Path:
        """Write it to a folder, which is created if it is missing. Raises UsageError if that is impossible."""
        path = folder / self.file_name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(self.to_json(), indent=2, ensure_ascii=True) + "\n", "ascii")
        except OSError as error:
            raise UsageError(f"{path}: cannot be written ({error.strerror}); name another folder with --save") from None
        return path


def read_counterexample(path: Path) -> SavedCounterexample:
    """Return the counterexample in a file. Raises UsageError that names the file and the problem."""
    try:
        data = json.loads(path.read_text("utf-8"), parse_constant=reject_json_constant)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); name a file that --save wrote") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {format_parse_error(error, 'JSON')}; name a file that --save wrote") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT_VERSION:
        raise UsageError(
            f'{path}: no counterexample of format {FORMAT_VERSION} (its key "format"); name one that --save wrote'
        )
    case: Any = data.get("case")
    is_sequence = isinstance(case, dict) and "calls" in case
    schema = _object({**_MEMBERS, "case": _SEQUENCE if is_sequence else _SINGLE}, **_OPTIONAL)
    problem = validator_of(JsonSchema(schema))(data)
    calls = [] if problem else case["calls"] if is_sequence else [case, *case.get("earlier", ())]
    for call in calls:
        params = {"tool": call["tool"], "arguments": None, "context": {**_CONTEXT_DEFAULTS, **call["context"]}}
        if problem is None and (wrong := validator_for("call.params")(params)):
            problem = f"case{wrong[0]}", wrong[1]
    if problem is not None:
        place = problem[0].removeprefix(".")
        what = f'the key "{place}"' if place else "it"
        raise UsageError(f"{path}: {what} {problem[1]}; name a file that --save wrote")
    key = "outside"
    try:
        parse_tree(data["outside"])
        key = "case.tree"
        data["case"] = CommandSequence.from_json(case) if is_sequence else Case.from_json(case)
    except NotationError as error:
        raise UsageError(f'{path}: the key "{key}": {error}') from None
    members: dict[str, Any] = {**_OPTIONAL_KEYS, **data}
    return SavedCounterexample(**{field.name: members[field.name] for field in fields(SavedCounterexample)})


def answer_to_json(answer: CallResult) -> dict[str, Any]:
    """Return an answer as it is saved: its members, and its raw bytes as text."""
    members = {
        "status": answer.status,
        "content": answer.content,
        "kind": answer.error_kind,
        "message": answer.error_message,
    }
    return {**members, "raw": answer.raw.decode("utf-8", "backslashreplace")}
