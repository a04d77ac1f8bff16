"""The check of run documents that come from elsewhere: against their own records, and against the installed catalogue.

A document is no proof, because its author can write anything. But the check finds a conclusion that the document's own
records contradict, and a catalogue without some requirements or scenarios of the specification.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from treeproof import __version__
from treeproof.errors import UsageError
from treeproof.report.document import Document
from treeproof.report.escape import visible
from treeproof.report.merging import RunReport, judge_again
from treeproof.spec import Pack
from treeproof.spec.version_features import scenarios_of
from treeproof.verdict.judge import Conclusion, PackJudgement, Verdict

_MAX_IDS = 3
_RANKS: Mapping[str, int] = {
    Conclusion.CONFORMANT: 0,
    Conclusion.PARTIAL: 1,
    Conclusion.INCOMPLETE: 2,
    Conclusion.INTERRUPTED: 3,
}
"""Conclusions of runs in which nothing failed, the best first. Every other one is worse."""


def check_report(report: RunReport, bundled: Callable[[str], Sequence[Pack]]) -> list[str]:
    """Return notes about what could not be checked. ``bundled`` returns the installed packs of a name, one or none.

    Raises UsageError if the document lists something twice, if its records show a worse conclusion or another verdict
    of a requirement than it has, or if its catalogue is not that of the installed specification of the same version.
    """
    judgements = _check_own_records(report)
    notes = [note for spec in report.document["specs"] for note in _check_catalogue(report, spec, bundled)]
    _check_verdicts(report, judgements)
    return notes


def check_records(report: RunReport) -> None:
    """Raise UsageError if a document lists something twice, or has another conclusion or verdict than its records show.

    Its catalogue may be another one than that of the installed specification.
    """
    _check_verdicts(report, _check_own_records(report))


def _check_own_records(report: RunReport) -> Sequence[PackJudgement]:
    _check_uniqueness(report)
    return _check_conclusion(report)


def _check_uniqueness(report: RunReport) -> None:
    specs = report.document["specs"]
    names = {"specification": [spec["name"] for spec in specs]}
    names |= {
        noun: [one["id"] for spec in specs for one in spec[f"{noun}s"]]
        for noun in ("requirement", "interpretation", "scenario")
    }
    for noun, ids in names.items():
        repeated = [id for id, count in Counter(ids).items() if count > 1]
        if repeated:
            raise UsageError(
                f"{report.display_name}: it contains the {noun} {visible(repeated[0])} more than once; "
                "run treeproof again"
            )


def _check_conclusion(report: RunReport) -> Sequence[PackJudgement]:
    """Return the verdicts that the records show; none for shards, which are judged when they are merged."""
    document: Document = report.document
    if report.shard is not None:
        return ()
    judgements, shown = judge_again(document)
    if document["verdict"] in _RANKS and _RANKS.get(shown, len(_RANKS)) > _RANKS[document["verdict"]]:
        raise UsageError(
            f"{report.display_name}: its conclusion is {document['verdict']}, and its own records show {shown}; "
            "run treeproof again"
        )
    return judgements


def _check_verdicts(report: RunReport, judgements: Sequence[PackJudgement]) -> None:
    shown = {one.id: str(one.verdict) for judgement in judgements for one in judgement.requirements}
    for one in (one for spec in report.document["specs"] for one in spec["requirements"]):
        if one["verdict"] != shown.get(one["id"], one["verdict"]):
            raise UsageError(
                f"{report.display_name}: the verdict of {visible(one['id'])} is {one['verdict']}, and its own "
                f"records show {shown[one['id']]}; run treeproof again"
            )


def _check_catalogue(
    report: RunReport, spec: Mapping[str, Any], bundled: Callable[[str], Sequence[Pack]]
) -> Iterable[str]:
    label = f"{visible(spec['name'])} {visible(spec['version'])}"
    pack = next((pack for pack in bundled(spec["name"]) if pack.version == spec["version"]), None)
    if pack is None or report.document["treeproof"] != __version__:
        version = visible(report.document["treeproof"])
        yield f"{report.display_name}: the catalogue of {label} cannot be checked: " + (
            "this installation does not contain it" if pack is None else f"it is of treeproof {version}"
        )
        return
    cases = scenarios_of(pack)
    bases = {requirement.id: requirement.basis for requirement in pack.requirements}
    installed = {case.id: (case.requirement, case.basis or bases[case.requirement]) for case in cases}
    restatements = {requirement.id for requirement in pack.requirements if requirement.restates}
    listed = {id for one in spec["requirements"] if one["id"] not in restatements for id in one["scenarios"]}
    differences = [
        *_difference("requirement", {one.id for one in pack.requirements}, {one["id"] for one in spec["requirements"]}),
        *_difference("scenario", installed.keys(), listed),
        *_changed_requirements(pack, spec["requirements"]),
        *(
            f"{visible(one['id'])} verifies another requirement or has another basis"
            for one in spec["scenarios"]
            if installed.get(one["id"]) != (one["requirement"], one.get("basis", "stated"))
        ),
    ]
    affected = {one.id: list(one.affects) for one in pack.interpretations}
    differences += [
        f"{visible(one['id'])} affects other requirements"
        for one in spec["interpretations"]
        if one.get("affects", affected.get(one["id"])) != affected.get(one["id"])
    ]
    if spec["sha256"] != pack.sha256:
        differences.append("it is of another document")
    if differences:
        raise UsageError(
            f"{report.display_name}: its catalogue of {label} is not that of treeproof {__version__}: "
            f"{differences[0]}; run treeproof again"
        )


def _changed_requirements(pack: Pack, listed: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Yield a text for each requirement with other data than in the catalogue, on which its verdict depends."""
    installed = {one.id: one for one in pack.requirements}
    for one in listed:
        own = installed.get(one["id"])
        if own is not None:
            facts = {"level": own.level, "basis": own.basis, "restates": own.restates, "condition": own.condition}
            changed = [name for name, value in facts.items() if one.get(name, value) != value]
            if one["verdict"] == Verdict.EXCLUDED and not own.excluded and not own.restates:
                changed.append("verdict EXCLUDED")
            if changed:
                yield f"{own.id} has another {changed[0]}"


def _difference(noun: str, installed: Set[str], listed: Set[str]) -> Iterable[str]:
    for ids, state in ((installed - listed, "missing"), (listed - installed, "unknown")):
        if ids:
            names = ", ".join(visible(id) for id in sorted(ids)[:_MAX_IDS]) + (", …" if len(ids) > _MAX_IDS else "")
            yield f"{len(ids)} {noun}{'s' * (len(ids) != 1)} {'is' if len(ids) == 1 else 'are'} {state}: {names}"
