"""A counterexample as a file: everything that it takes to see it again, on any candidate, and nothing of the run.

The format is JSON with the members of `Bundle`; trees are in the notation, so that a person can read and change them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from treeproof import __version__
from treeproof.candidate import Answer
from treeproof.errors import UsageError
from treeproof.search.model import Case, Finding

FORMAT = 1
_TEXTS = (
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


@dataclass(frozen=True)
class Bundle:
    """A case that a candidate answers otherwise than the model, and how. `answer` is what it answered, raw.

    `agreement` says whether the reference answers it as the model does, in words.
    """

    spec: str
    family: str
    outside: str
    case: Case
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

    @property
    def name(self) -> str:
        """The name of its file, which tells two counterexamples of one requirement apart."""
        told = json.dumps(self.case.to_json(), sort_keys=True)
        return f"{self.requirement}-{hashlib.sha256(told.encode()).hexdigest()[:8]}.json"

    def to_json(self) -> dict[str, Any]:
        """The bundle as JSON."""
        members = {key: value for key, value in asdict(self).items() if key != "case"}
        return {"treeproof": __version__, "format": FORMAT, **members, "case": self.case.to_json()}

    def write(self, folder: Path) -> Path:
        """Write it into a folder, which is made if it is missing. Raises UsageError where that cannot be."""
        path = folder / self.name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(self.to_json(), indent=2, ensure_ascii=True) + "\n", "ascii")
        except OSError as error:
            raise UsageError(
                f"{path}: cannot be written ({error.strerror}); name another folder with --save"
            ) from None
        return path


def read(path: Path) -> Bundle:
    """The bundle in a file. Raises UsageError that names the file and what is wrong with it."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read ({error.strerror}); name a file that --save wrote"
        ) from None
    except ValueError as error:
        raise UsageError(f"{path}: not JSON ({error}); name a file that --save wrote") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(
            f'{path}: no counterexample of format {FORMAT} (its key "format"); name one that --save wrote'
        )
    for key in _TEXTS:
        if not isinstance(data.get(key), str):
            raise UsageError(f'{path}: the key "{key}" is missing or no text; name a file that --save wrote')
    case = data.get("case")
    if not isinstance(case, dict) or not {"tree", "tool", "arguments", "context"} <= case.keys():
        raise UsageError(f'{path}: the key "case" has not all of tree, tool, arguments and context')
    try:
        read_case = Case.from_json(case)
    except UsageError as error:
        raise UsageError(f'{path}: the key "case.tree": {error}') from None
    return Bundle(
        **{key: data[key] for key in _TEXTS},
        case=read_case,
        answer=data.get("answer", {}),
        agreement=str(data.get("agreement", "")),
        candidate=data.get("candidate", {}),
        seed=int(data.get("seed", 0)),
    )


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as it is kept: what it says, and the bytes it came in as text."""
    said = {
        "status": answer.status,
        "content": answer.content,
        "kind": answer.kind,
        "message": answer.message,
    }
    return {**said, "raw": answer.raw.decode("utf-8", "backslashreplace")}


def findings_text(findings: tuple[Finding, ...]) -> str:
    """Findings in one line each."""
    return "\n".join(f"{finding.requirement}: {finding.message}" for finding in findings)
