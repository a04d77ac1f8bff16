"""Counterexample files: the data to replay a counterexample with any candidate, without paths of the run.

The format is JSON with the members of SavedCounterexample. Trees are in the tree notation, so that users can edit them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from treeproof import __version__
from treeproof.candidate import CallResult
from treeproof.candidate.schema import validator_for
from treeproof.errors import UsageError, abbreviated_json, format_parse_error, reject_json_constant
from treeproof.model.case import Case, CommandSequence
from treeproof.search.search_spaces import SearchCase
from treeproof.tree import NotationError, parse_tree
from treeproof.verdict import Profile

FORMAT_VERSION = 1
_TEXT_KEYS = (
    "spec",
    "family",
    "outside",
    "requirement",
    "message",
    "expected",
    "got",
    "scenario",
    "target",
    "profile",
)
_CONTEXT_DEFAULTS: Mapping[str, Any] = {"roots": [], "working_dir": ""}
"""The members of every call's context that are not saved."""
_OPTIONAL_KEYS: dict[str, Any] = {"answer": {}, "agreement": "", "candidate": {}, "seed": 0, "version": ""}


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
    for key in _TEXT_KEYS:
        if not isinstance(data.get(key), str):
            raise UsageError(f'{path}: the key "{key}" is missing or no text; name a file that --save wrote')
    others = {key: data.get(key, default) for key, default in _OPTIONAL_KEYS.items()}
    for key, value in others.items():
        if type(value) is not type(_OPTIONAL_KEYS[key]):
            raise UsageError(f'{path}: the key "{key}" holds {abbreviated_json(value)}; name a file that --save wrote')
    if data["profile"] not in set(Profile):
        profiles = ", ".join(Profile)
        raise UsageError(
            f'{path}: the key "profile" holds {abbreviated_json(data["profile"])}; write one of: {profiles}'
        )
    try:
        parse_tree(data["outside"])
    except NotationError as error:
        raise UsageError(f'{path}: the key "outside": {error}') from None
    return SavedCounterexample(
        **{key: data[key] for key in _TEXT_KEYS}, case=_parse_case(path, data.get("case")), **others
    )


def _parse_case(path: Path, case: Any) -> SearchCase:
    """Return the case of a counterexample. Raises UsageError."""
    is_sequence = isinstance(case, dict) and "calls" in case
    calls = case["calls"] if is_sequence else [case]
    earlier = [] if is_sequence or not isinstance(case, dict) else case.get("earlier", [])
    if not isinstance(earlier, list) or not all(
        isinstance(one, dict) and isinstance(one.get("tree"), str) for one in earlier
    ):
        raise UsageError(f'{path}: the key "case.earlier" is no array of cases with a tree')
    if isinstance(calls, list):
        calls = [*calls, *earlier]
    if not isinstance(calls, list) or not calls or not all(_is_call(call) for call in calls):
        raise UsageError(
            f'{path}: the key "case" has not all of tree, tool, arguments and context, or tree and calls with the rest'
        )
    for call in calls:
        params = {
            "tool": call["tool"],
            "arguments": None,
            "context": {**_CONTEXT_DEFAULTS, **call["context"]},
        }
        problem = validator_for("call.params")(params)
        if problem is not None:
            raise UsageError(f'{path}: the key "case{problem[0]}" {problem[1]}')
        config = call["context"].get("config", {})
        for prefix, tables in (("", config), ("tools.", config.get("tools", {}))):
            for name, table in tables.items():
                if not isinstance(table, dict):
                    what = f"{prefix}{name} is {abbreviated_json(table)}, not an object"
                    raise UsageError(f'{path}: the key "case.context.config": {what}')
    if is_sequence and not all(isinstance(call["arguments"], dict) for call in calls):
        raise UsageError(f'{path}: the key "case.calls": the arguments of every call have to be an object')
    if not isinstance(case.get("tree"), str):
        raise UsageError(f'{path}: the key "case.tree" is missing or no text; write a tree in the notation')
    try:
        return CommandSequence.from_json(case) if is_sequence else Case.from_json(case)
    except UsageError as error:
        raise UsageError(f'{path}: the key "case.tree": {error}') from None


def _is_call(call: Any) -> bool:
    if not isinstance(call, dict) or "arguments" not in call:
        return False
    return isinstance(call.get("tool"), str) and isinstance(call.get("context"), dict)


def answer_to_json(answer: CallResult) -> dict[str, Any]:
    """Return an answer as it is saved: its members, and its raw bytes as text."""
    members = {
        "status": answer.status,
        "content": answer.content,
        "kind": answer.error_kind,
        "message": answer.error_message,
    }
    return {**members, "raw": answer.raw.decode("utf-8", "backslashreplace")}
