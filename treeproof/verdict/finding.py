"""Findings: the judgement of a model on one call, as plain data that a record keeps. Compares no answer.

The kind of a difference is the problem without its paths, numbers and names; reports group by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from treeproof.spec.catalogue import Basis, SeenHarm

Readings = Mapping[str, str]
"""Labels of readings by the id of their interpretation."""

MAX_ALTERNATIVES, MAX_FINDINGS, MAX_EXPLANATIONS = 8, 8, 16
"""The largest numbers that a record keeps of one call; the nearest outcomes come first."""


@dataclass(frozen=True)
class Finding:
    """A difference between an answer and an accepted outcome, and the one requirement that it breaks.

    `kind` is the difference without names and numbers, by default made from the message. `basis` is that of the
    requirement, unless this difference rests on less. `harm`: what the call did, whatever the requirement; `none` if it
    did nothing of what that is to prevent, such as a refusal with another code.
    """

    requirement: str
    message: str
    expected: str = ""
    got: str = ""
    other_requirements: tuple[str, ...] = ()
    kind: str = ""
    basis: Basis | None = None
    harm: SeenHarm | None = None

    @property
    def possible_requirements(self) -> tuple[str, ...]:
        """All requirements that the finding can be attributed to, the most likely one first, each once."""
        return tuple(dict.fromkeys((self.requirement, *self.other_requirements)))

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON, with bounded texts and without empty members."""
        kind = difference_kind(self.kind or self.message)
        texts = {"message": truncate(self.message, 2000), "expected": truncate(self.expected)}
        given = {"got": truncate(self.got), "basis": self.basis, "harm": self.harm}
        others = list(self.other_requirements)
        found: dict[str, Any] = {"requirement": self.requirement, "other_requirements": others, **texts, **given}
        return {name: value for name, value in {**found, "kind": kind}.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Finding:
        """Return the finding of :meth:`to_json`."""
        given = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        return cls(**{**given, "other_requirements": tuple(data.get("other_requirements", ()))})


@dataclass(frozen=True)
class Alternative:
    """An accepted outcome that an answer does not match: the readings that it depends on, and the differences."""

    readings: Readings
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class ModelJudgement:
    """The comparison of an answer with the model.

    A right answer has no findings; `explanations` are the combinations of readings by which it is right, and
    `observed_readings` are those that all of them share. A wrong one has the `findings` of the nearest outcome;
    `alternatives` are all accepted outcomes, the nearest first.
    """

    findings: tuple[Finding, ...] = ()
    observed_readings: Readings = field(default_factory=dict)
    explanations: tuple[Readings, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True)
class CallJudgement:
    """The judgement of the model on one call of a scenario; `number` counts its calls from 1.

    A right answer has `explanations`, a wrong one `alternatives` and the `evidence` that shows the call alone.
    `not_modelled` is the reason why the model does not judge it.
    """

    number: int
    explanations: tuple[Readings, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    not_modelled: str = ""

    @property
    def is_plain(self) -> bool:
        """True for a right answer that depends on no reading: a report need not show it."""
        return not (self.alternatives or self.not_modelled or any(self.explanations))

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as JSON, without empty members."""
        found = {
            "number": self.number,
            # An empty one among others is kept: the answer is right by each combination.
            "explanations": [dict(one) for one in self.explanations] if any(self.explanations) else [],
            "alternatives": [
                {"readings": dict(one.readings), "findings": [finding.to_json() for finding in one.findings]}
                for one in self.alternatives
            ],
            "evidence": dict(self.evidence),
            "not_modelled": self.not_modelled,
        }
        return {name: value for name, value in found.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CallJudgement:
        """Return the judgement of :meth:`to_json`."""
        return cls(
            data["number"],
            tuple(data.get("explanations", ())),
            tuple(
                Alternative(one["readings"], tuple(map(Finding.from_json, one["findings"])))
                for one in data.get("alternatives", ())
            ),
            data.get("evidence", {}),
            data.get("not_modelled", ""),
        )


@dataclass(frozen=True)
class RunFinding:
    """A finding of a whole run: by the nearest outcome among the readings that the run has shown.

    `call` is the number of the call in its scenario, `evidence` shows that call alone with the difference. `decides`:
    its requirement fails. Otherwise it is a warning.
    """

    requirement: str
    call: int
    decides: bool
    evidence: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON of the run document."""
        members = {"requirement": self.requirement, "call": self.call, "decides": self.decides}
        return {**members, "evidence": dict(self.evidence)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunFinding:
        """Return the finding of :meth:`to_json`."""
        return cls(data["requirement"], data["call"], data["decides"], data["evidence"])


MISSING_ENTRIES = "entries are missing"
UNEXPECTED_ENTRIES = "entries are listed that should not be"
"""The kinds of a difference between two sets of entries."""

NO_RETURN = "the call does not return"
"""The kind of a failure of a call that hangs although the rule of its scenario forbids that."""

OTHER_NAME = "the tool has another name"
"""The kind of a failure of a candidate that claims the specification and offers the tool under another name."""

_MAX_KIND_CHARACTERS = 200
_VARIABLE_PARTS = re.compile(
    r"""\$(?:ROOT|OUTSIDE|FAR|DURATION)\b[^\s,;:'"]*   # a path of the run
    |"(?:[^"\\]|\\.)*"                                  # quoted names
    |(?<!\w)'(?:[^'\\]|\\.)*'
    |(?<!\w)/[^\s,;:'"]+
    |[^\s\ufffd]{0,255}+\ufffd\S*                       # a damaged name; a longer search takes quadratic time
    |[-+]?\d[\d.,]*""",
    re.VERBOSE,
)
_INTERPRETATION = re.compile(r"AMB-[A-Z][A-Z0-9]*-\d+")


def difference_kind(message: str) -> str:
    """Return the message without quoted names, paths and numbers. Ids of interpretations stay."""
    parts, at = [], 0
    for id in _INTERPRETATION.finditer(message):
        parts += [_VARIABLE_PARTS.sub("…", message[at : id.start()]), id.group()]
        at = id.end()
    parts.append(_VARIABLE_PARTS.sub("…", message[at:]))
    return re.sub(r"…(?:(?:,\s*|\s+)…)+", "…", "".join(parts))[:_MAX_KIND_CHARACTERS]


MAX_TEXT_CHARACTERS = 16_384
"""The longest text of one evidence member, in characters."""
_CUT = re.compile(r"… \(\d+ more characters\)")


def truncate(text: str, limit: int = MAX_TEXT_CHARACTERS) -> str:
    """Return ``text``, cut to ``limit`` characters and a note of how many are left out; cut again, it is the same."""
    if len(text) <= limit or _CUT.fullmatch(text, limit):
        return text
    return f"{text[:limit]}… ({len(text) - limit} more characters)"


def plain_text(value: object) -> str:
    """Return a text as it is; another value as JSON, or as Python shows it, of at most MAX_TEXT_CHARACTERS."""
    if isinstance(value, str):
        return str(value)
    try:
        return truncate(json.dumps(value, ensure_ascii=False))
    except Exception:  # not JSON, nested too deeply, or a class of the author's own
        pass
    try:
        return truncate(repr(value))
    except Exception:  # __repr__ may raise anything
        return f"({type(value).__name__}: it cannot be shown)"
