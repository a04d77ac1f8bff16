"""The run document: the JSON document from which every report, merge and matrix is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof import __version__
from treeproof.verdict.causes import find_causes
from treeproof.verdict.judge import EXIT_CODES, Conclusion, PackJudgement
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord


@dataclass(frozen=True)
class RunFacts:
    """The members of the run document besides verdicts. ``started`` is ISO 8601 in UTC, ``seconds`` wall time.

    ``command`` has the arguments of ``treeproof run`` that affect verdicts, without the selection. ``shard`` has the
    data for a merge; None for a whole run.
    """

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
    command: Sequence[str] = ()
    shard: Mapping[str, Any] | None = None


def build_run_document(
    judgements: Sequence[PackJudgement], conclusion: Conclusion, reason: str, facts: RunFacts
) -> dict[str, Any]:
    """Return the run document, in the order of the published schema."""
    specs = [_spec_document(judgement) for judgement in judgements]
    return {
        "treeproof": __version__,
        "verdict": str(conclusion),
        "reason": reason,
        "exit": EXIT_CODES[conclusion],
        "claim": _is_claim(conclusion, facts),
        "profile": str(facts.profile),
        "candidate": dict(facts.candidate),
        "machine": dict(facts.machine),
        "command": list(facts.command),
        "selection": list(facts.selection) if facts.selection is not None else None,
        "shard": dict(facts.shard) if facts.shard is not None else None,
        "seed": facts.seed,
        "started": facts.started,
        "seconds": round(facts.seconds, 3),
        "interrupted": facts.interrupted,
        "warnings": list(dict.fromkeys([*facts.warnings, *(one.note for one in judgements if one.note)])),
        "baseline": dict(facts.baseline) if facts.baseline is not None else None,
        "causes": find_causes(specs, str(facts.profile)),
        "specs": specs,
    }


def merge_host_facts(facilities: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the facts of one host from several processes; a process probes only the facilities that it needs."""
    first, *others = facilities
    merged = dict(first)
    for other in others:
        merged |= {name: value for name, value in other.items() if merged.get(name) is None}
    causes = {name: cause for facts in facilities for name, cause in facts["causes"].items()}
    return {**merged, "causes": {name: causes[name] for name in merged if name in causes}}


def _is_claim(conclusion: Conclusion, facts: RunFacts) -> bool:
    is_whole = facts.selection is None and facts.shard is None and not facts.interrupted
    return conclusion is not Conclusion.PARTIAL and is_whole


def _spec_document(judgement: PackJudgement) -> dict[str, Any]:
    pack = judgement.pack
    catalogue = {requirement.id: requirement for requirement in pack.requirements}
    affects = {interpretation.id: interpretation.affects for interpretation in pack.interpretations}
    return {
        "name": pack.name,
        "version": pack.version,
        "title": pack.title,
        "sha256": pack.sha256,
        "evidence": [
            {"call": call, "shown": not problem, "problem": problem or None}
            for call, problem in judgement.evidence.items()
        ],
        "requirements": [
            {
                "id": v.id,
                "level": v.level,
                "basis": v.basis,
                "sentences": list(catalogue[v.id].sentences),
                "section": catalogue[v.id].section,
                "text": catalogue[v.id].text,
                "restates": catalogue[v.id].restates,
                "condition": catalogue[v.id].condition,
                "verdict": str(v.verdict),
                "scenarios": list(v.scenarios),
                "cause": v.cause,
                **_given(code=v.code, remedy=v.remedy, blocked_by=v.blocked_by),
                **_given(harm=catalogue[v.id].harm),
                "known": v.is_known_failure,
            }
            for v in judgement.requirements
        ],
        "interpretations": [
            {
                "id": observation.id,
                "observed": list(observation.observed),
                "treatment": observation.treatment,
                "consistent": observation.consistent,
                "determinism": pack.determinism if pack.is_determined(observation.id) else None,
                "affects": list(affects[observation.id]),
            }
            for observation in judgement.observations
        ],
        "scenarios": [_scenario_document(record, judgement) for record in judgement.records],
    }


def _scenario_document(record: ScenarioRecord, judgement: PackJudgement) -> dict[str, Any]:
    found = {**record.to_json(), **_given(known=True if record.id in judgement.known_scenarios else None)}
    for finding in found.get("findings", ()):
        if (record.id, finding["requirement"]) in judgement.known_findings:
            finding["known"] = True
    return found


def _given(**members: Any) -> dict[str, Any]:
    """Return the members that have a value."""
    return {name: value for name, value in members.items() if value is not None}
