"""The run document: the data of a whole run, from which every report, merge and matrix is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from treeproof import __version__
from treeproof.verdict.baseline import BaselineResult
from treeproof.verdict.causes import Cause, find_causes
from treeproof.verdict.json_object import JsonObject, absent
from treeproof.verdict.judge import EXIT_CODES, Conclusion, PackJudgement
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.spec_result import SpecResult


@dataclass(frozen=True)
class CandidateFacts(JsonObject):
    """What a candidate reported of itself, and the kind of the adapter that connected to it.

    ``platform`` is that of its programs with its version, if it is not the host's. ``commit`` is that of the work tree
    in which its manifest is tracked; ``dirty``: files in its folder differ from it.
    """

    name: str
    version: str
    language: str
    adapter: str
    capabilities: tuple[str, ...]
    platform: str | None = absent()
    commit: str | None = absent()

    @property
    def label(self) -> str:
        """Name and version, and the platform."""
        return " ".join(filter(None, (self.name, self.version, self._where)))

    @property
    def column(self) -> str:
        """Name and platform: runs of one candidate on several platforms are columns of their own."""
        return " ".join(filter(None, (self.name, self._where)))

    @property
    def system(self) -> str | None:
        """The name of its platform in catalogues and baselines; None: it is the host's."""
        return None if self.platform is None else self.platform.partition(" ")[0]

    @property
    def _where(self) -> str:
        return "" if self.platform is None else f"on {self.platform}"


@dataclass(frozen=True)
class HostFacts(JsonObject):
    """The host of a run: whether it has each facility (None: not tried), and the causes of missing ones."""

    system: str
    root: bool
    facilities: Mapping[str, bool | None]
    causes: Mapping[str, str]

    @property
    def missing(self) -> list[str]:
        """The facilities that it lacks, in words."""
        return [name.replace("_", " ") for name, value in self.facilities.items() if value is False]

    @property
    def facts(self) -> Mapping[str, str | bool | None]:
        """All but the causes, by name."""
        return {"system": self.system, "root": self.root, **self.facilities}

    def to_json(self) -> dict[str, Any]:
        """Return the host as JSON: the facilities are members."""
        return {**self.facts, "causes": dict(self.causes)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the host of :meth:`to_json`."""
        others = {name: value for name, value in data.items() if name not in ("system", "root", "causes")}
        return cls(data["system"], data["root"], others, data.get("causes") or {})


@dataclass(frozen=True)
class ShardFacts(JsonObject):
    """What a merge of shards needs: their ``numbers``, ``of`` how many, and a hash of catalogues and features.

    ``guards`` are errors of the run itself; ``fault``: why the candidate did not start.
    """

    numbers: tuple[int, ...]
    of: int
    content: str
    guards: tuple[str, ...]
    fault: str | None


@dataclass(frozen=True)
class RunFacts:
    """The members of the run document besides verdicts. ``started`` is ISO 8601 in UTC, ``seconds`` wall time.

    ``command`` has the arguments of ``treeproof run`` that affect verdicts, without the selection. ``shard`` has the
    data for a merge; None for a whole run.
    """

    candidate: CandidateFacts
    machine: HostFacts
    profile: Profile
    selection: Sequence[str] | None
    seed: int
    started: str
    seconds: float
    interrupted: bool = False
    warnings: Sequence[str] = ()
    baseline: BaselineResult | None = None
    command: Sequence[str] = ()
    shard: ShardFacts | None = None


@dataclass(frozen=True, kw_only=True)
class RunDocument(JsonObject):
    """A whole run; `RunFacts` explains most members. ``treeproof`` is the version that wrote it."""

    treeproof: str
    verdict: Conclusion
    reason: str
    exit: int
    claim: bool
    profile: Profile
    candidate: CandidateFacts
    machine: HostFacts
    command: tuple[str, ...] = ()
    selection: tuple[str, ...] | None
    shard: ShardFacts | None = None
    seed: int
    started: str
    seconds: float
    interrupted: bool
    warnings: tuple[str, ...]
    baseline: BaselineResult | None = None
    specs: tuple[SpecResult, ...]

    @cached_property
    def causes(self) -> list[Cause]:
        """The causes, the worst first. They come from the scenarios: documents of older versions have none."""
        return find_causes(self.specs, self.profile)

    @cached_property
    def cause_numbers(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """The numbers of the causes that fail each requirement, by specification and id."""
        numbers: dict[tuple[str, str], list[int]] = {}
        for cause in self.causes:
            for requirement in cause.requirements:
                numbers.setdefault((cause.spec.name, requirement.id), []).append(cause.number)
        return numbers

    @property
    def is_narrowed(self) -> bool:
        """True if the user has selected scenarios: the rest of a catalogue is not what a report is about."""
        return self.selection is not None and self.shard is None

    @property
    def is_whole(self) -> bool:
        """True if nothing was left out: the run is no shard, without a selection, and came to its end."""
        return self.selection is None and self.shard is None and not self.interrupted

    @property
    def conclusion(self) -> str:
        """The conclusion, with a note if it is no conformance claim."""
        return str(self.verdict) if self.claim else f"{self.verdict} (not a conformance claim)"

    @property
    def target(self) -> Sequence[str]:
        """The arguments of ``treeproof run`` that repeat the run."""
        return self.command or ("TARGET",)

    def spec(self, name: str) -> SpecResult | None:
        """Return the results of a specification, or None."""
        return next((spec for spec in self.specs if spec.name == name), None)

    @property
    def failed_scenarios(self) -> list[ScenarioRecord]:
        """The scenarios that failed or ended with a fault."""
        ends = (Outcome.FAILED, Outcome.FAULT)
        return [scenario for spec in self.specs for scenario in spec.scenarios if scenario.outcome in ends]

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON, in the order of the published schema."""
        members = super().to_json()
        specs = members.pop("specs")
        return {**members, "causes": [cause.to_json() for cause in self.causes], "specs": specs}


def build_run_document(
    judgements: Sequence[PackJudgement], conclusion: Conclusion, reason: str, facts: RunFacts
) -> RunDocument:
    """Return the run document of judged specifications."""
    notes = [one.note for one in judgements if one.note]
    is_whole = facts.selection is None and facts.shard is None and not facts.interrupted
    return RunDocument(
        treeproof=__version__,
        verdict=conclusion,
        reason=reason,
        exit=EXIT_CODES[conclusion],
        claim=conclusion is not Conclusion.PARTIAL and is_whole and facts.profile is not Profile.BEHAVIOUR,
        profile=facts.profile,
        candidate=facts.candidate,
        machine=facts.machine,
        command=tuple(facts.command),
        selection=tuple(facts.selection) if facts.selection is not None else None,
        shard=facts.shard,
        seed=facts.seed,
        started=facts.started,
        seconds=round(facts.seconds, 3),
        interrupted=facts.interrupted,
        warnings=tuple(dict.fromkeys([*facts.warnings, *notes])),
        baseline=facts.baseline,
        specs=tuple(one.result for one in judgements),
    )


def merge_host_facts(facilities: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the facts of one host from several processes; a process probes only the facilities that it needs."""
    first, *others = facilities
    merged = dict(first)
    for other in others:
        merged |= {name: value for name, value in other.items() if merged.get(name) is None}
    causes = {name: cause for facts in facilities for name, cause in facts["causes"].items()}
    return {**merged, "causes": {name: causes[name] for name in merged if name in causes}}
