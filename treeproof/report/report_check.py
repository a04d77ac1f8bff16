"""The check of run documents that come from elsewhere: against the schema, their own records, the installed catalogue.

A document is no proof, because its author can write anything. But the check finds a conclusion that the document's own
records contradict, and a catalogue without some requirements or scenarios of the specification. Many documents are
checked on several processors: child processes inherit them, and return notes alone.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_all_start_methods, get_context

from treeproof import __version__
from treeproof.errors import UsageError
from treeproof.processors import usable_processors
from treeproof.report.document import validate_file
from treeproof.report.escape import visible
from treeproof.report.merging import FindPack, RunReport, judge_again
from treeproof.spec import Pack
from treeproof.spec.version_features import scenarios_of
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.spec_result import RequirementResult, SpecResult, Verdict, unlisted_requirement

_MAX_IDS = 3
_RANKS: Mapping[str, int] = {
    Conclusion.CONFORMANT: 0,
    Conclusion.SOUND: 0,
    Conclusion.PARTIAL: 1,
    Conclusion.INCOMPLETE: 2,
    Conclusion.INTERRUPTED: 3,
}
"""Conclusions of runs in which nothing failed, the best first. Every other one is worse."""


MIN_REPORTS = 20
"""The least number of documents for which child processes save time."""
_MAX_PROCESSES = 8
_CHUNK_SIZE = 4


def check_reports(reports: Sequence[RunReport], find: FindPack) -> list[str]:
    """Return the notes of `check_report` on parsed documents, each once; first check them against the schema.

    Raises UsageError for the first document that is wrong.
    """
    processes = _count_processes(len(reports))
    if processes > 1:
        try:
            return _unique(_check_in_processes(reports, find, processes))
        except BrokenProcessPool:  # a child was killed, for example for its memory
            pass
    return _unique(_check(report, find) for report in reports)


def _count_processes(count: int) -> int:
    if count < MIN_REPORTS or "fork" not in get_all_start_methods():
        return 1
    return min(usable_processors(), _MAX_PROCESSES)


def _check(report: RunReport, find: FindPack) -> list[str]:
    validate_file(report.data, report.file)
    return check_report(report, find)


def _unique(notes: Iterator[list[str]]) -> list[str]:
    return list(dict.fromkeys(note for one in notes for note in one))


def _check_in_processes(reports: Sequence[RunReport], find: FindPack, processes: int) -> Iterator[list[str]]:
    children = ProcessPoolExecutor(processes, get_context("fork"), _inherit, (reports, find))
    try:
        yield from children.map(_check_inherited, range(len(reports)), chunksize=_CHUNK_SIZE)
    finally:
        children.shutdown(cancel_futures=True)


_inherited: tuple[Sequence[RunReport], FindPack]
"""What a child process has inherited: the documents, and the function that finds installed packs."""


def _inherit(reports: Sequence[RunReport], find: FindPack) -> None:
    global _inherited
    _inherited = reports, find
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the children


def _check_inherited(position: int) -> list[str]:
    reports, find = _inherited
    return _check(reports[position], find)


def check_report(report: RunReport, find: FindPack) -> list[str]:
    """Return notes about what could not be checked.

    Raises UsageError if the document lists something twice, if its records show a worse conclusion or another verdict
    of a requirement than it has, or if its catalogue is not that of the installed specification of the same version.
    """
    _check_uniqueness(report)
    packs = report.packs(find)
    verdicts = _check_conclusions(report, packs)
    specs = zip(report.document.specs, packs, strict=True)
    notes = [note for spec, pack in specs for note in _check_catalogue(report, spec, pack)]
    _check_verdicts(report, verdicts)
    return notes


def check_records(report: RunReport, find: FindPack) -> None:
    """Raise UsageError for no run document, something listed twice, or what the records contradict.

    Its catalogue may be another one than that of the installed specification; then only failures can contradict it.
    """
    validate_file(report.data, report.file)
    _check_uniqueness(report)
    run = report.document
    is_own = run.treeproof == __version__ and [spec.sha256 for spec in run.specs] == [
        pack and pack.sha256 for pack in report.packs(find)
    ]
    _check_verdicts(report, _check_conclusions(report, report.packs(find) if is_own else [None]))


def _check_conclusions(report: RunReport, packs: Sequence[Pack | None]) -> Mapping[str, Verdict]:
    """Return the verdicts that the records show; none without all packs, and for shards, which a merge judges."""
    installed = [pack for pack in packs if pack is not None]
    if report.document.shard is not None:
        return {}
    if len(installed) < len(packs):
        _check_failures(report)
        return {}
    judgements, shown = judge_again(report.document, installed)
    _check_conclusion(report, shown)
    return {one.id: one.verdict for judgement in judgements for one in judgement.requirements}


def _check_verdicts(report: RunReport, shown: Mapping[str, Verdict]) -> None:
    for one in (one for spec in report.document.specs for one in spec.requirements):
        if one.verdict != shown.get(one.id, one.verdict):
            raise UsageError(
                f"{report.display_name}: the verdict of {visible(one.id)} is {one.verdict}, and its own "
                f"records show {shown[one.id]}; run treeproof again"
            )


def _check_failures(report: RunReport) -> None:
    run = report.document
    for spec in run.specs:
        for one in spec.scenarios:
            requirement = spec.requirements_by_id.get(one.requirement) or unlisted_requirement(one.requirement)
            decides = requirement.decides(run.profile) and not one.is_advisory(run.profile)
            if one.outcome is Outcome.FAILED and decides and not one.known and not requirement.known:
                _check_conclusion(report, Conclusion.NON_CONFORMANT)


def _check_uniqueness(report: RunReport) -> None:
    specs = report.document.specs
    names = {
        "specification": [spec.name for spec in specs],
        "requirement": [one.id for spec in specs for one in spec.requirements],
        "interpretation": [one.id for spec in specs for one in spec.interpretations],
        "scenario": [one.id for spec in specs for one in spec.scenarios],
    }
    for noun, ids in names.items():
        repeated = [id for id, count in Counter(ids).items() if count > 1]
        if repeated:
            raise UsageError(
                f"{report.display_name}: it contains the {noun} {visible(repeated[0])} more than once; "
                "run treeproof again"
            )


def _check_conclusion(report: RunReport, shown: Conclusion) -> None:
    stated = report.document.verdict
    if stated in _RANKS and _RANKS.get(shown, len(_RANKS)) > _RANKS[stated]:
        raise UsageError(
            f"{report.display_name}: its conclusion is {stated}, and its own records show {shown}; run treeproof again"
        )


def _check_catalogue(report: RunReport, spec: SpecResult, pack: Pack | None) -> Iterable[str]:
    label, version = visible(spec.label), report.document.treeproof
    if pack is None or version != __version__:
        why = f"it is of treeproof {visible(version)}" if pack else "this installation does not contain it"
        yield f"{report.display_name}: the catalogue of {label} cannot be checked: {why}"
        return
    cases = scenarios_of(pack)
    bases = {requirement.id: requirement.basis for requirement in pack.requirements}
    installed = {case.id: (case.requirement, case.basis or bases[case.requirement]) for case in cases}
    listed_here = {id for one in spec.requirements for id in one.scenarios}
    if pack.is_contract:  # a run has the scenarios of the tools that the candidate has
        installed = {id: value for id, value in installed.items() if id in listed_here}
    restatements = {requirement.id for requirement in pack.requirements if requirement.restates}
    listed = {id for one in spec.requirements if one.id not in restatements for id in one.scenarios}
    differences = [
        *_difference("requirement", {one.id for one in pack.requirements}, {one.id for one in spec.requirements}),
        *_difference("scenario", installed.keys(), listed),
        *_changed_requirements(pack, spec.requirements),
        *(
            f"{visible(one.id)} verifies another requirement or has another basis"
            for one in spec.scenarios
            if installed.get(one.id) != (one.requirement, one.basis)
        ),
    ]
    affected = {one.id: one.affects for one in pack.interpretations}
    differences += [
        f"{visible(one.id)} affects other requirements"
        for one in spec.interpretations
        if one.affects not in (None, affected.get(one.id))
    ]
    if spec.sha256 != pack.sha256:
        differences.append("it is of another document")
    if differences:
        raise UsageError(
            f"{report.display_name}: its catalogue of {label} is not that of treeproof {__version__}: "
            f"{differences[0]}; run treeproof again"
        )


def _changed_requirements(pack: Pack, listed: Sequence[RequirementResult]) -> Iterable[str]:
    """Yield a text for each requirement with other data than in the catalogue, on which its verdict depends."""
    installed = {one.id: one for one in pack.requirements}
    for one in listed:
        own = installed.get(one.id)
        if own is not None:
            members = ("level", "basis", "restates", "condition")
            changed = [name for name in members if getattr(one, name) != getattr(own, name)]
            if one.verdict is Verdict.EXCLUDED and not own.excluded and not own.restates:
                changed.append("verdict EXCLUDED")
            if changed:
                yield f"{own.id} has another {changed[0]}"


def _difference(noun: str, installed: Set[str], listed: Set[str]) -> Iterable[str]:
    for ids, state in ((installed - listed, "missing"), (listed - installed, "unknown")):
        if ids:
            names = ", ".join(visible(id) for id in sorted(ids)[:_MAX_IDS]) + (", …" if len(ids) > _MAX_IDS else "")
            yield f"{len(ids)} {noun}{'s' * (len(ids) != 1)} {'is' if len(ids) == 1 else 'are'} {state}: {names}"
