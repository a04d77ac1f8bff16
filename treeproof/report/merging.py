"""Merging of run documents: grouping by run, and merging the shards of a run into one document.

Reads no catalogue. Requirements are judged again from the records of all shards, by the same code as in a run.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from treeproof.errors import UsageError
from treeproof.report.digest import candidate_label
from treeproof.report.document import Document
from treeproof.report.escape import visible
from treeproof.spec.catalogue import Basis, Interpretation, Level, Pack, Requirement, Treatment
from treeproof.verdict import NotVerified, PackJudgement, Profile, ScenarioRecord, baseline, judge
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START, INTERRUPTED, Conclusion, Verdict, conclude
from treeproof.verdict.outcome import CauseCode
from treeproof.verdict.run_document import RunFacts, build_run_document, merge_host_facts

SHARD_PREFIX = "shard "
"""The prefix of a shard in a selection."""

_PLATFORMS = {"Darwin": "macOS"}


@dataclass(frozen=True)
class RunReport:
    """A run document and its file."""

    file: Path
    document: Document

    @property
    def display_name(self) -> str:
        """The path of the file, escaped."""
        return visible(str(self.file))

    @property
    def shard(self) -> Mapping[str, Any] | None:
        """The shard data; None for a whole run."""
        shard: Mapping[str, Any] | None = self.document.get("shard")
        return shard


def group_runs(reports: Sequence[RunReport]) -> list[tuple[RunReport, ...]]:
    """Return the reports grouped by run, in their order: a whole run alone, the shards of a run together.

    Raises UsageError for a duplicate report and for shards that are not of one run.
    """
    check_distinct([report.file for report in reports])
    groups: dict[object, list[RunReport]] = {}
    for report in reports:
        key = (report.file,) if report.shard is None else _run_identity(report.document)
        groups.setdefault(key, []).append(report)
    for group in groups.values():
        if group[0].shard is not None:
            _check_same_run(group)
            _check_records_differ(group)
            missing = _missing_shards(group)
            if missing and len(groups) > 1:
                labels = ", ".join(visible(candidate_label(other[0].document)) for other in groups.values())
                raise UsageError(
                    f"{group[0].display_name}: {_format_shards(missing, group[0])} missing, and the other reports are "
                    f"of other candidates ({labels}); add the missing reports"
                )
    return [tuple(group) for group in groups.values()]


def check_distinct(files: Sequence[Path]) -> None:
    """Raise UsageError for a report that is given twice."""
    seen: set[Path] = set()
    for file in files:
        path = file.resolve()
        if path in seen:
            raise UsageError(f"{visible(str(file))}: given twice; name each report once")
        seen.add(path)


def merge_shards(shards: Sequence[RunReport]) -> Document:
    """Return the document of the whole run; a document without a shard is returned as it is.

    Except for ``started`` and ``seconds`` it equals the document of a run without shards. The scenarios of a missing
    shard are NOT VERIFIED, and the conclusion is not `conformant`.
    """
    first = shards[0]
    if first.shard is None:
        return first.document
    documents = [part.document for part in shards]
    missing = _missing_shards(shards)
    interrupted = any(one["interrupted"] for one in documents)
    lost = _missing_shard_messages(missing, first)
    facilities = merge_host_facts([one["machine"] for one in documents])
    platform = _PLATFORMS.get(facilities["system"], facilities["system"])
    profile = Profile(first.document["profile"])
    select = _selection_without_shards(first.document)
    faults = [one["shard"]["fault"] for one in documents if one["shard"]["fault"] is not None]
    gaps: dict[CauseCode, str] = {"missing_shard": lost[0]} if lost else {}
    if interrupted:
        gaps["interrupted"] = "a shard was interrupted"
    if faults:
        gaps["candidate_did_not_start"] = CANDIDATE_DID_NOT_START
    judgements = [
        _judge_spec(
            [one["specs"][number] for one in documents],
            select,
            platform=platform,
            profile=profile,
            unfinished=NotVerified([*gaps][-1], " and ".join(gaps.values())) if gaps else None,
        )
        for number in range(len(first.document["specs"]))
    ]
    started = min(one["started"] for one in documents)
    known = _baseline_entries(first.document)
    applied = baseline.apply_baseline(
        known, judgements, platform=platform, today=datetime.datetime.fromisoformat(started).date()
    )
    broken = _unique(one["shard"]["guards"] for one in documents)
    errors = [*lost, *broken]
    conclusion, reason = conclude(
        applied.judgements,
        profile,
        has_selection=bool(select),
        completeness_errors=errors,
        contradictions=applied.contradictions,
        interrupted=interrupted,
    )
    if faults and conclusion is not Conclusion.NON_CONFORMANT:
        conclusion, reason = Conclusion.FAULT, f"{CANDIDATE_DID_NOT_START}: {faults[0]}"
    numbers = sorted(number for part in shards for number in _shard_numbers(part))
    of = first.document["shard"]["of"]
    facts = RunFacts(
        candidate=first.document["candidate"],
        machine=facilities,
        profile=profile,
        selection=[*select, *(f"{SHARD_PREFIX}{number}/{of}" for number in numbers if missing)] or None,
        seed=first.document["seed"],
        command=first.document.get("command", ()),
        started=started,
        seconds=sum(one["seconds"] for one in documents),
        interrupted=interrupted,
        warnings=[*errors, *applied.contradictions, *applied.changes, *_other_warnings(shards)],
        baseline=applied.to_json(first.document["baseline"]["file"]) if first.document["baseline"] else None,
        shard={**first.document["shard"], "numbers": numbers, "guards": broken} if missing else None,
    )
    return build_run_document(applied.judgements, conclusion, reason, facts)


def judge_again(document: Document) -> tuple[Sequence[PackJudgement], Conclusion]:
    """Return the verdicts and the conclusion that the records of a whole run show."""
    system = document["machine"]["system"]
    platform, profile = _PLATFORMS.get(system, system), Profile(document["profile"])
    select = _selection_without_shards(document)
    judgements = [
        _judge_spec(
            [spec],
            select,
            platform=platform,
            profile=profile,
            unfinished=INTERRUPTED if document["interrupted"] else None,
        )
        for spec in document["specs"]
    ]
    today = datetime.datetime.fromisoformat(document["started"]).date()
    applied = baseline.apply_baseline(_baseline_entries(document), judgements, platform=platform, today=today)
    conclusion, _ = conclude(
        applied.judgements,
        profile,
        has_selection=bool(select),
        completeness_errors=(),
        contradictions=applied.contradictions,
        interrupted=document["interrupted"],
    )
    return applied.judgements, conclusion


# ---- identity of runs -------------------------------------------------------------------------------------------


def _run_identity(document: Document) -> tuple[object, ...]:
    candidate = document["candidate"]
    return (candidate["name"], candidate["version"], candidate["adapter"], *document.get("command", ())[:1])


def _catalogue_identity(document: Document) -> list[Any]:
    members = ("id", "level", "section", "text", "restates", "condition", "scenarios")
    return [
        [
            {name: spec[name] for name in ("name", "version", "sha256")},
            [{name: requirement.get(name) for name in members} for requirement in spec["requirements"]],
        ]
        for spec in document["specs"]
    ]


def _baseline_without_states(document: Document) -> object:
    known = document["baseline"]
    if known is None:
        return None
    entries = [{k: v for k, v in entry.items() if k != "state"} for entry in known["entries"]]
    return {**known, "entries": entries}


def _selection_without_shards(document: Document) -> list[str]:
    return [word for word in document["selection"] or () if not word.startswith(SHARD_PREFIX)]


_EQUAL_IN_ALL_SHARDS: Mapping[str, Callable[[Document], object]] = {
    "version of treeproof": lambda one: one["treeproof"],
    "number of shards": lambda one: one["shard"]["of"],
    "version of a specification": lambda one: ", ".join(f"{spec['name']} {spec['version']}" for spec in one["specs"]),
    "seed": lambda one: one["seed"],
    "profile": lambda one: one["profile"],
    "selection": _selection_without_shards,
    "command": lambda one: one.get("command"),
    "candidate": lambda one: one["candidate"],
    "baseline": _baseline_without_states,
    "specification": _catalogue_identity,
    "state of the catalogue and features": lambda one: one["shard"]["content"],
}
"""The properties that all shards of a run share."""


def _check_same_run(group: Sequence[RunReport]) -> None:
    first = group[0]
    taken: dict[int, RunReport] = {}
    for part in group:
        for name, property_of in _EQUAL_IN_ALL_SHARDS.items():
            if property_of(part.document) != property_of(first.document):
                texts = [visible(str(property_of(one.document))) for one in (first, part)]
                values = f" ({', '.join(texts)})" if max(map(len, texts)) <= 40 else ""
                raise _other_run_error(part, first, f"another {name}{values}")
        machines = (first.document["machine"], part.document["machine"])
        for name, value in machines[0].items():
            other = machines[1].get(name)
            if name != "causes" and None not in (value, other) and value != other:
                values = f"{name}: {visible(str(value))}, {visible(str(other))}"
                raise _other_run_error(part, first, f"another host ({values})")
        for number in _shard_numbers(part):
            if number in taken:
                total = first.document["shard"]["of"]
                raise UsageError(
                    f"{part.display_name}: shard {number}/{total} is already in {taken[number].display_name}; "
                    "name one of them"
                )
            taken[number] = part


def _check_records_differ(group: Sequence[RunReport]) -> None:
    """Raise UsageError for a scenario in two shards: one of the records would hide the other."""
    owners: dict[str, RunReport] = {}
    for part in group:
        for id in (record["id"] for spec in part.document["specs"] for record in spec["scenarios"]):
            if id in owners:
                raise UsageError(
                    f"{part.display_name}: the scenario {visible(id)} is already in {owners[id].display_name}; "
                    "run both shards again"
                )
            owners[id] = part


def _other_run_error(part: RunReport, first: RunReport, difference: str) -> UsageError:
    return UsageError(
        f"{part.display_name}: not a shard of the run in {first.display_name}: {difference}; merge shards of one run"
    )


def _shard_numbers(part: RunReport) -> list[int]:
    return list(part.document["shard"]["numbers"])


def _missing_shards(group: Sequence[RunReport]) -> list[int]:
    present = {number for part in group for number in _shard_numbers(part)}
    return [number for number in range(1, group[0].document["shard"]["of"] + 1) if number not in present]


def _missing_shard_messages(missing: Sequence[int], part: RunReport) -> list[str]:
    return [f"{_format_shards(missing, part)} missing"] if missing else []


def _format_shards(numbers: Sequence[int], part: RunReport) -> str:
    total = part.document["shard"]["of"]
    names = ", ".join(f"{number}/{total}" for number in numbers[:5]) + (", …" if len(numbers) > 5 else "")
    return f"shard {names} is" if len(numbers) == 1 else f"shards {names} are"


# ---- judging ----------------------------------------------------------------------------------------------------


def _judge_spec(
    specs: Sequence[Mapping[str, Any]],
    select: Sequence[str],
    *,
    platform: str,
    profile: Profile,
    unfinished: NotVerified | None,
) -> PackJudgement:
    """Judge one specification from its data in every shard."""
    pack = _pack_from_report(specs[0])
    records = [ScenarioRecord.from_json(record) for spec in specs for record in spec["scenarios"]]
    own = [r for r in specs[0]["requirements"] if r.get("restates") is None]
    expected = {id: requirement["id"] for requirement in own for id in requirement["scenarios"]}
    expected |= {record.id: record.requirement for record in records}
    for requirement in specs[0]["requirements"]:
        for id in requirement["scenarios"]:
            expected.setdefault(id, requirement["id"])
    evidence: dict[str, str] = {}
    for shown in (one for spec in specs for one in spec.get("evidence", ())):
        evidence[shown["call"]] = evidence.get(shown["call"]) or shown["problem"] or ""
    return judge(
        pack,
        records,
        platform=platform,
        selected=_selected_scenarios(pack, expected, select) if select else None,
        expected=expected,
        profile=profile,
        unfinished=unfinished,
        evidence=evidence,
    )


def _selected_scenarios(pack: Pack, expected: Mapping[str, str], select: Sequence[str]) -> frozenset[str]:
    """Return the scenarios that are selected by their id, requirement, restated requirement or pack."""
    wanted = {*select, *(r.restates for r in pack.requirements if r.id in select and r.restates)}
    return frozenset(id for id, requirement in expected.items() if wanted & {id, requirement, pack.name})


def _pack_from_report(spec: Mapping[str, Any]) -> Pack:
    """Return the part of the catalogue that a run document contains and verdicts need."""
    return Pack(
        folder=Path(spec["name"]),
        name=spec["name"],
        version=spec["version"],
        title=spec["title"],
        source="",
        sha256=spec["sha256"],
        prefix="",
        steps=(),
        reference=None,
        oracle=None,
        mutants=None,
        schemas={},
        tools=(),
        requirements=tuple(_requirement_from_report(one) for one in spec["requirements"]),
        interpretations=tuple(
            Interpretation(
                id=one["id"],
                question="",
                treatment=cast(Treatment, one["treatment"]),
                recommended=None,
                why="",
                affects=tuple(one["affects"] if "affects" in one else filter(None, [one.get("determinism")])),
                readings=(),
            )
            for one in spec["interpretations"]
        ),
        retired=(),
        determinism=next((one["determinism"] for one in spec["interpretations"] if one.get("determinism")), None),
    )


def _requirement_from_report(data: Mapping[str, Any]) -> Requirement:
    return Requirement(
        id=data["id"],
        level=cast(Level, data["level"]),
        section=data["section"],
        text=data["text"],
        verified_by=("scenario",),
        basis=cast(Basis, data.get("basis", "stated")),
        sentences=tuple(data.get("sentences", ())),
        restates=data.get("restates"),
        condition=data.get("condition"),
        excluded=data["cause"] if data["verdict"] == Verdict.EXCLUDED and not data.get("restates") else None,
        harm=data.get("harm"),
    )


def _baseline_entries(document: Document) -> tuple[baseline.BaselineEntry, ...]:
    listed = document["baseline"]
    if listed is None:
        return ()
    return tuple(
        baseline.BaselineEntry(
            entry["id"],
            entry["reason"],
            entry.get("issue"),
            datetime.date.fromisoformat(entry["expires"]) if "expires" in entry else None,
            entry.get("platform"),
            entry.get("digest"),
            entry.get("requirement"),
        )
        for entry in listed["entries"]
    )


def _other_warnings(run: Sequence[RunReport]) -> list[str]:
    """Return the warnings that are not about completeness or the baseline, without duplicates."""
    others = []
    for part in run:
        one, listed = part.document, part.document["baseline"]
        states = [entry["state"] for entry in listed["entries"]] if listed else []
        applied = baseline.AppliedBaseline((), tuple(zip(_baseline_entries(one), states, strict=True)))
        lost = _missing_shard_messages(_missing_shards([part]), part)
        known = {*one["shard"]["guards"], *applied.contradictions, *applied.changes, *lost}
        others.append([text for text in one["warnings"] if text not in known])
    return _unique(others)


def _unique(lists: Any) -> list[str]:
    return list(dict.fromkeys(text for texts in lists for text in texts))
