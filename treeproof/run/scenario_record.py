"""The record of a scenario: checks its prerequisites, and maps a World and an exception to an outcome.

Knows no test runner, so every caller records a scenario in the same way.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate import CandidateFault
from treeproof.errors import UsageError
from treeproof.run.call_judge import CallJudge
from treeproof.run.world import FAULT_NOT_TRIGGERED, World
from treeproof.spec.catalogue import PLATFORMS, Basis, Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.packs import shown_path
from treeproof.verdict import Evidence, Fault, Mismatch, NotApplicable, NotVerified, Outcome, ScenarioRecord
from treeproof.verdict.attribution import shared_readings
from treeproof.verdict.plain_text import truncate

MAX_OUTPUT_CHARACTERS = 4000
"""The longest part of a candidate's stderr in the evidence."""


def check_prerequisites(world: World) -> None:
    """Raise NotApplicable for a platform that is not simulated here, NotVerified for a missing host feature."""
    case = world.case
    if world.simulated_platform is not None:
        return
    platform = world.session.platform
    if case.simulated is not None and (platform is None or platform.name != case.simulated):
        name = PLATFORMS[case.simulated]
        raise NotApplicable(f"a rule of {name}, which this machine only simulates, and only for the reference")
    for capability in framework_capabilities(world.session.pack, case):
        if not world.session.offers_capability(capability):
            raise NotApplicable(f"a rule of the framework, for candidates with the capability {capability!r}")
    for need in case.needs:
        world.session.require_facility(need)


def framework_capabilities(pack: Pack, case: ScenarioCase) -> list[str]:
    """Return the capabilities without which the scenario does not apply: its own, and that of its requirement.

    What the document states or implies does not need that of the requirement.
    """
    own = [] if case.capability is None else [case.capability]
    if case.basis in ("stated", "implied"):
        return own
    requirement = next((one for one in pack.requirements if one.id == case.requirement), None)
    return own if requirement is None or requirement.capability is None else [requirement.capability, *own]


def _requirement_basis(pack: Pack, id: str) -> Basis:
    return next((requirement.basis for requirement in pack.requirements if requirement.id == id), "stated")


def build_record(
    pack: Pack,
    case: ScenarioCase,
    world: World | None,
    error: BaseException | None,
    seconds: float,
    *,
    teardown: bool = False,
) -> ScenarioRecord:
    """Return the record of a scenario that ended with ``error`` (None: every step has passed).

    ``world`` is None if it could not be created; ``teardown``: the error comes from the cleanup.
    """
    outcome, details = _classify(error, world, teardown=teardown)
    if isinstance(error, Mismatch) and world is not None:
        world.judge_form(error)
    warnings = list(world.evidence.warnings) if world is not None else []
    evidence: Mapping[str, Any] = details
    if world is not None:
        try:
            index = error.answer_index if isinstance(error, Mismatch) else None
            evidence = world.build_evidence(outcome, details, answer_index=index)
        except Exception as evidence_error:  # affects only this scenario
            fault_outcome, fault_details = _classify(evidence_error, world, teardown=teardown)
            if outcome is Outcome.PASSED:
                outcome, evidence = fault_outcome, fault_details
            else:
                warnings.append(truncate(f"its evidence could not be kept: {evidence_error}", 400))
    return ScenarioRecord(
        id=case.id,
        requirement=case.requirement,
        outcome=outcome,
        title=case.title,
        file=shown_path(pack, case.file),
        line=case.line,
        also=case.also,
        basis=case.basis or _requirement_basis(pack, case.requirement),
        readings=_readings(world) if world is not None else {},
        warnings=tuple(warnings),
        seconds=seconds,
        evidence=Evidence.from_json(evidence),
        calls=() if world is None or evidence.get("code") in _SHOWS_NOTHING else tuple(world.judgements),
    )


_LACKS = frozenset(
    {"missing_capability", "missing_tool", "adapter_unsupported", "mapped_output", "no_persistent_process"}
)
"""The causes of a missing verdict that are no fault of a tool that claims nothing."""
_SHOWS_NOTHING = frozenset({"no_space", "harness_fault"})
"""The causes of a missing verdict that make every answer of the scenario worthless."""


def _readings(world: World) -> dict[str, str]:
    """Return the readings that lines have recorded, and those that the model has seen in right answers.

    Several calls together can show a reading that none of them shows alone.
    """
    seen = {id: label for call in world.judgements for id, label in sorted(shared_readings(call.explanations).items())}
    possible: dict[str, set[str]] = {}
    for call in world.judgements:
        for id in set.intersection(*map(set, call.explanations)) if call.explanations else ():
            labels = {readings[id] for readings in call.explanations}
            possible[id] = possible.get(id, labels) & labels
    seen |= {id: labels.pop() for id, labels in sorted(possible.items()) if len(labels) == 1}
    if not world.session.pack.has_model:
        return dict(world.evidence.readings)
    # A row of a table can fit several readings; the model separates them, where it knows the interpretation.
    known = CallJudge.for_session(world.session).interpretations
    return {**{id: label for id, label in world.evidence.readings.items() if id not in known}, **seen}


def _end_of(text: str) -> str:
    """Return the last characters of a text: an exception comes at the end."""
    left_out = len(text) - MAX_OUTPUT_CHARACTERS
    return text if left_out <= 0 else f"({left_out} more characters) …{text[left_out:]}"


def _place_in_pack(error: BaseException, pack: Pack) -> str | None:
    """Return file and line of the last frame in the folder of a pack; None if there is none, and for bundled packs."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(pack.folder)]
    return f"{shown_path(pack, Path(own[-1].filename))}:{own[-1].lineno}" if own else None


_OF_A_PLACE = (
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY),
    *(errno.ELOOP, errno.EACCES, errno.EPERM, errno.EXDEV),
)
"""The errors that another tree than the expected one causes; a full disk, for example, is none of them."""


def _is_of_a_lost_tree(error: OSError | CandidateFault, world: World) -> bool:
    """Return whether an earlier call has removed or replaced what the suite itself looks for or starts in.

    That call has a finding, which fails the requirement that forbids it.
    """
    is_of_the_place = error.errno in _OF_A_PLACE if isinstance(error, OSError) else error.kind in ("start", "workspace")
    return is_of_the_place and any(call.alternatives for call in world.judgements)


def _classify(error: BaseException | None, world: World | None, *, teardown: bool) -> tuple[Outcome, dict[str, str]]:
    """Return the outcome of a scenario and its details for the evidence."""
    match error:
        case None if world is not None and world.simulated_platform is not None:
            name = PLATFORMS[world.simulated_platform]
            cause = f"held in a simulated {name}, which is no evidence of conformance"
            return Outcome.NOT_APPLICABLE, {"cause": cause}
        case None:
            return Outcome.PASSED, {}
        case Mismatch() if world is not None and world.phase == "given":
            cause = f"the starting state could not be built: {error.message}"
            return Outcome.FAULT, {"cause": cause, "code": "harness_fault"}
        case Mismatch() if world is not None and world.fault_not_triggered:
            return Outcome.NOT_VERIFIED, {"cause": FAULT_NOT_TRIGGERED, "code": "fault_not_injected"}
        case Mismatch() if world is not None and world.session.workspace.is_full:
            cause = f"No space left in the workspace, so this shows nothing about the candidate: {error.message}"
            return Outcome.NOT_VERIFIED, {"cause": truncate(cause, 1000), "code": "no_space"}
        case Mismatch():
            output = error.__cause__.output if isinstance(error.__cause__, CandidateFault) else ""
            return Outcome.FAILED, {
                "message": truncate(error.message, 2000),
                "expected": truncate(error.expected),
                "got": truncate(error.got),
                "diff": truncate(error.diff),
                "kind": error.kind,
                **({"compares_answers": True} if error.compares_answers else {}),
                **({"harm": error.harm} if error.harm else {}),
                **({"context": error.context} if error.context else {}),
                **({"scenario": truncate(error.scenario)} if error.scenario else {}),
                **({"stderr": _end_of(output)} if output else {}),
            }
        case OSError() | CandidateFault() if world is not None and _is_of_a_lost_tree(error, world):
            cause = f"an earlier call has changed what this step needs: {error}"
            return Outcome.NOT_VERIFIED, {"cause": truncate(cause, 1000), "code": "other_requirement"}
        case NotVerified() if world is not None and world.session.pack.is_contract and error.code in _LACKS:
            return Outcome.NOT_APPLICABLE, {"cause": truncate(error.detail, 1000)}
        case NotVerified() if world is not None and world.simulated_platform is not None:
            cause = f"a rule of {PLATFORMS[world.simulated_platform]} that is not simulated: {error.detail}"
            return Outcome.NOT_APPLICABLE, {"cause": truncate(cause, 1000)}
        case NotVerified():
            remedy = {"remedy": error.remedy} if error.remedy else {}
            return Outcome.NOT_VERIFIED, {"cause": truncate(error.detail, 1000), "code": error.code, **remedy}
        case NotApplicable():
            return Outcome.NOT_APPLICABLE, {"cause": truncate(error.condition, 1000)}
        case CandidateFault():
            cause = truncate(f"candidate fault ({error.kind}): {error.detail}", 2000)
            return Outcome.FAULT, {
                "cause": cause,
                "code": "candidate_timeout" if error.kind == "timeout" else "candidate_fault",
                **({"stderr": _end_of(error.output)} if error.output else {}),
            }
        case Fault(origin="specification"):
            fix = "correct what the cause names; it is no fault of the candidate"
            return Outcome.FAULT, {"cause": truncate(str(error), 2000), "code": "harness_fault", "remedy": fix}
        case Fault():
            return Outcome.FAULT, {"cause": truncate(str(error), 2000), "code": f"{error.origin}_fault"}
        case _ if world is not None and (place := _place_in_pack(error, world.session.pack)) is not None:
            message = truncate(f"{type(error).__name__}: {error}", 2000)
            step = f"{shown_path(world.session.pack, world.case.file)}:{world.step.line}" if world.step else place
            cause = f"fault of the specification {world.session.pack.name}: {message} at {place}, for {step}"
            # A text that cannot be read is a mistake of the feature, another exception one of the definition.
            wrong = step if isinstance(error, (ValueError, UsageError)) else place
            fix = f"correct {wrong}; an exception of a step is no fault of the candidate"
            return Outcome.FAULT, {"cause": cause, "code": "harness_fault", "remedy": fix}
        case _:
            frames = traceback.extract_tb(error.__traceback__)[-1:]
            place = f" at {Path(frames[0].filename).name}:{frames[0].lineno}" if frames else ""
            when = " while the scenario was cleaned up" if teardown else ""
            message = truncate(f"{type(error).__name__}: {error}", 2000)
            return Outcome.FAULT, {"cause": f"harness fault{when}: {message}{place}", "code": "harness_fault"}
