"""The run document: the one JSON value that every report, every merge and every matrix is a function of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof import __version__
from treeproof.verdict.judge import EXIT, Judgement, Word
from treeproof.verdict.readings import Profile


@dataclass(frozen=True)
class RunFacts:
    """What the run document says besides verdicts. ``started`` is ISO 8601 in UTC, ``seconds`` wall time."""

    candidate: Mapping[str, Any]
    machine: Mapping[str, Any]
    profile: Profile
    selection: Sequence[str] | None
    seed: int
    started: str
    seconds: float
    interrupted: bool = False
    warnings: Sequence[str] = ()
    baseline: Mapping[str, Any] | None = None


def document(judgements: Sequence[Judgement], word: Word, reason: str, facts: RunFacts) -> dict[str, Any]:
    """Return the run document, in the published shape and order."""
    return {
        "treeproof": __version__,
        "verdict": str(word),
        "reason": reason,
        "exit": EXIT[word],
        "claim": word is not Word.PARTIAL and facts.selection is None and not facts.interrupted,
        "profile": str(facts.profile),
        "candidate": dict(facts.candidate),
        "machine": dict(facts.machine),
        "selection": list(facts.selection) if facts.selection is not None else None,
        "seed": facts.seed,
        "started": facts.started,
        "seconds": round(facts.seconds, 3),
        "interrupted": facts.interrupted,
        "warnings": list(facts.warnings),
        "baseline": dict(facts.baseline) if facts.baseline is not None else None,
        "specs": [_spec(judgement) for judgement in judgements],
    }


def _spec(judgement: Judgement) -> dict[str, Any]:
    pack = judgement.pack
    sections = {requirement.id: requirement.section for requirement in pack.requirements}
    texts = {requirement.id: requirement.text for requirement in pack.requirements}
    return {
        "name": pack.name,
        "version": pack.version,
        "title": pack.title,
        "sha256": pack.sha256,
        "requirements": [
            {
                "id": v.id,
                "level": v.level,
                "section": sections[v.id],
                "text": texts[v.id],
                "verdict": str(v.verdict),
                "scenarios": list(v.scenarios),
                "cause": v.cause,
                "known": v.known,
            }
            for v in judgement.requirements
        ],
        "interpretations": [
            {
                "id": seen.id,
                "observed": list(seen.observed),
                "treatment": seen.treatment,
                "consistent": seen.consistent,
            }
            for seen in judgement.observations
        ],
        "scenarios": [record.to_json() for record in judgement.records],
    }
