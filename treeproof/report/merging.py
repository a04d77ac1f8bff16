"""Several run documents that belong together: which of them are parts of one run, and what they make together.

A pure function of the documents: no catalogue is read and nothing is asked. Requirements are judged anew from the
records of all parts, by the same code as in a run; what the parts said of them decides nothing.
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
from treeproof.spec.catalogue import Interpretation, Level, Pack, Requirement, Treatment
from treeproof.verdict import NotVerified, PackJudgement, Profile, ScenarioRecord, baseline, judge
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START, Conclusion, Verdict, conclude
from treeproof.verdict.outcome import CauseCode
from treeproof.verdict.run_document import RunFacts, build_run_document, merge_host_facts

SHARD_PREFIX = "shard "
"""How the words of a selection begin that name a part of a run."""

_PLATFORMS = {"Darwin": "macOS"}


@dataclass(frozen=True)
class RunReport:
    """A run document and the file that it was read from."""

    file: Path
    document: Document

    @property
    def display_name(self) -> str:
        """The file, fit to be shown."""
        return visible(str(self.file))

    @property
    def shard(self) -> Mapping[str, Any] | None:
        """What it says as a part of a run; None for a whole one."""
        found: Mapping[str, Any] | None = self.document.get("shard")
        return found


def group_runs(reports: Sequence[RunReport]) -> list[tuple[RunReport, ...]]:
    """Return the runs that some documents belong to, in their order: a whole one by itself, shards of one together.

    Raises UsageError for a document that is given twice and for shards that are not of one run.
    """
    seen: dict[Path, RunReport] = {}
    found: dict[object, list[RunReport]] = {}
    for part in reports:
        place = part.file.resolve()
        if place in seen:
            raise UsageError(f"{part.display_name}: given twice; name each report once")
        seen[place] = part
        key = (part.file,) if part.shard is None else _run_identity(part.document)
        found.setdefault(key, []).append(part)
    several = len(found) > 1
    for group in found.values():
        if group[0].shard is not None:
            _check_same_run(group)
            missing = _missing_shards(group)
            if missing and several:
                raise UsageError(
                    f"{group[0].display_name}: {_format_shards(missing, group[0])} missing, and the other reports are of other "
                    f"candidates ({', '.join(visible(candidate_label(others[0].document)) for others in found.values())})"
                )
    return [tuple(group) for group in found.values()]


def merge_shards(shards: Sequence[RunReport]) -> Document:
    """Return the document of a whole run of which ``run`` holds the shards; a whole document as it is.

    But for ``started`` and ``seconds`` it is what the run would have written in one piece. A shard that is missing
    leaves its scenarios NOT VERIFIED, and the word is not `conformant`.
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
    guards = [*lost, *broken]
    word, reason = conclude(
        applied.judgements,
        profile,
        has_selection=bool(select),
        completeness_errors=guards,
        contradictions=applied.contradictions,
    )
    if faults and word is not Conclusion.NON_CONFORMANT:
        word, reason = Conclusion.FAULT, f"{CANDIDATE_DID_NOT_START}: {faults[0]}"
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
        warnings=[*guards, *applied.contradictions, *_other_warnings(shards)],
        baseline=applied.to_json(first.document["baseline"]["file"]) if first.document["baseline"] else None,
        shard={**first.document["shard"], "numbers": numbers, "guards": broken} if missing else None,
    )
    return build_run_document(applied.judgements, word, reason, facts)


# ---- are they of one run? ---------------------------------------------------------------------------------------


def _run_identity(document: Document) -> tuple[object, ...]:
    who = document["candidate"]
    return (who["name"], who["version"], who["adapter"], *document.get("command", ())[:1])


def _catalogue_identity(document: Document) -> list[Any]:
    told = ("id", "level", "section", "text", "restates", "condition", "scenarios")
    return [
        [
            {name: spec[name] for name in ("name", "version", "sha256")},
            [{name: requirement.get(name) for name in told} for requirement in spec["requirements"]],
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
    "seed": lambda one: one["seed"],
    "profile": lambda one: one["profile"],
    "selection": _selection_without_shards,
    "command": lambda one: one.get("command"),
    "candidate": lambda one: one["candidate"],
    "baseline": _baseline_without_states,
    "specification": _catalogue_identity,
    "state of the catalogue and features": lambda one: one["shard"]["content"],
}
"""What shards of one run have in common, by the words for it."""


def _check_same_run(group: Sequence[RunReport]) -> None:
    first = group[0]
    taken: dict[int, RunReport] = {}
    for part in group:
        for what, of in _EQUAL_IN_ALL_SHARDS.items():
            if of(part.document) != of(first.document):
                told = [visible(str(of(one.document))) for one in (first, part)]
                values = f" ({told[0]}, {told[1]})" if max(map(len, told)) <= 40 else ""
                raise UsageError(
                    f"{part.display_name}: a shard of another run than {first.display_name}: another {what}{values}"
                )
        machines = (first.document["machine"], part.document["machine"])
        for name, value in machines[0].items():
            other = machines[1].get(name)
            if name != "causes" and None not in (value, other) and value != other:
                raise UsageError(
                    f"{part.display_name}: a shard of another run than {first.display_name}: another machine "
                    f"({name}: {visible(str(value))}, {visible(str(other))})"
                )
        for number in _shard_numbers(part):
            if number in taken:
                of_all = first.document["shard"]["of"]
                raise UsageError(
                    f"{part.display_name}: shard {number}/{of_all} is in {taken[number].display_name} already"
                )
            taken[number] = part


def _shard_numbers(part: RunReport) -> list[int]:
    return list(part.document["shard"]["numbers"])


def _missing_shards(group: Sequence[RunReport]) -> list[int]:
    there = {number for part in group for number in _shard_numbers(part)}
    return [number for number in range(1, group[0].document["shard"]["of"] + 1) if number not in there]


def _missing_shard_messages(missing: Sequence[int], part: RunReport) -> list[str]:
    return [f"{_format_shards(missing, part)} missing"] if missing else []


def _format_shards(numbers: Sequence[int], part: RunReport) -> str:
    of = part.document["shard"]["of"]
    named = ", ".join(f"{number}/{of}" for number in numbers[:5]) + (", …" if len(numbers) > 5 else "")
    return f"shard {named} is" if len(numbers) == 1 else f"shards {named} are"


# ---- what do they make together? --------------------------------------------------------------------------------


def _judge_spec(
    told: Sequence[Mapping[str, Any]],
    select: Sequence[str],
    *,
    platform: str,
    profile: Profile,
    unfinished: NotVerified | None,
) -> PackJudgement:
    """Judge one specification from what every shard told of it."""
    pack = _pack_from_report(told[0])
    records = [ScenarioRecord.from_json(record) for spec in told for record in spec["scenarios"]]
    own = [r for r in told[0]["requirements"] if r.get("restates") is None]
    expected = {id: requirement["id"] for requirement in own for id in requirement["scenarios"]}
    expected |= {record.id: record.requirement for record in records}
    for requirement in told[0]["requirements"]:
        for id in requirement["scenarios"]:
            expected.setdefault(id, requirement["id"])
    return judge(
        pack,
        records,
        platform=platform,
        selected=_selected_scenarios(pack, expected, select) if select else None,
        expected=expected,
        profile=profile,
        unfinished=unfinished,
    )


def _selected_scenarios(pack: Pack, expected: Mapping[str, str], select: Sequence[str]) -> frozenset[str]:
    """The scenarios that a selection names: by their id, their requirement's, one that restates it, or their pack's."""
    wanted = {*select, *(r.restates for r in pack.requirements if r.id in select and r.restates)}
    return frozenset(id for id, requirement in expected.items() if wanted & {id, requirement, pack.name})


def _pack_from_report(told: Mapping[str, Any]) -> Pack:
    """The catalogue, as far as a run document tells it and verdicts need it."""
    return Pack(
        folder=Path(told["name"]),
        name=told["name"],
        version=told["version"],
        title=told["title"],
        source="",
        sha256=told["sha256"],
        prefix="",
        steps=(),
        reference=None,
        oracle=None,
        mutants=None,
        schemas={},
        tools=(),
        requirements=tuple(_requirement_from_report(one) for one in told["requirements"]),
        interpretations=tuple(
            Interpretation(
                id=one["id"],
                question="",
                treatment=cast(Treatment, one["treatment"]),
                recommended=None,
                why="",
                affects=(),
                readings=(),
            )
            for one in told["interpretations"]
        ),
        retired=(),
    )


def _requirement_from_report(told: Mapping[str, Any]) -> Requirement:
    return Requirement(
        id=told["id"],
        level=cast(Level, told["level"]),
        section=told["section"],
        text=told["text"],
        verified_by=("scenario",),
        restates=told.get("restates"),
        condition=told.get("condition"),
        excluded=told["cause"] if told["verdict"] == Verdict.EXCLUDED and not told.get("restates") else None,
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
        )
        for entry in listed["entries"]
    )


def _other_warnings(run: Sequence[RunReport]) -> list[str]:
    """The warnings that are neither a guard's nor the baseline's nor of what was missing before, each once."""
    found = []
    for part in run:
        one, listed = part.document, part.document["baseline"]
        states = [entry["state"] for entry in listed["entries"]] if listed else []
        said = baseline.AppliedBaseline(
            (), tuple(zip(_baseline_entries(one), states, strict=True))
        ).contradictions
        known = {*one["shard"]["guards"], *said, *_missing_shard_messages(_missing_shards([part]), part)}
        found.append([text for text in one["warnings"] if text not in known])
    return _unique(found)


def _unique(lists: Any) -> list[str]:
    return list(dict.fromkeys(text for texts in lists for text in texts))
