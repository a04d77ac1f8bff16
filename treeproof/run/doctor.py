"""The checks of `treeproof doctor`: of this host, and of a candidate's adapter. The reports format them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.candidate import connect
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.run.adapter_checks import run_checks
from treeproof.run.check_context import CheckContext, CheckResult
from treeproof.run.connected_candidate import open_environment
from treeproof.run.host_needs import needs_of
from treeproof.run.interrupts import Interrupts
from treeproof.run.targets import resolve_target
from treeproof.spec import Pack, bundled_packs, load_pack
from treeproof.spec.gherkin import parse_feature
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.tree import PROBES, Workspace, probe_host

ADVISORY = "advisory"
SIMULATED = "simulated:"


@dataclass(frozen=True)
class HostFacility:
    """A property of the machine: why it is missing (None: it is there), and which requirements need it."""

    name: str
    cause: str | None
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class HostReport:
    """What was found out about the machine, seen from where the trees would be built."""

    system: str
    is_root: bool
    workspace_parent: str
    facilities: tuple[HostFacility, ...]
    requirement_count: int
    """How many requirements of the bundled specifications scenarios verify."""

    @property
    def unverifiable_requirements(self) -> tuple[str, ...]:
        """The requirements that would end NOT VERIFIED here, each once."""
        missing = (f for f in self.facilities if f.cause is not None)
        return tuple(sorted({requirement for f in missing for requirement in f.requirements}))


def inspect_host() -> HostReport:
    """Look at the machine: every property is tried. Raises UsageError where no workspace can be made."""
    packs = [load_pack(folder) for folder in bundled_packs()]
    needed: dict[str, set[str]] = {name: set() for name in PROBES}
    verified: set[str] = set()
    for pack in packs:
        for requirement, need in _requirement_needs(pack):
            verified.add(requirement)
            if need is not None:
                needed[need].add(requirement)
    with Workspace.create() as workspace:
        machine = probe_host(os.fsencode(workspace.path))
        facilities = tuple(
            HostFacility(name, machine.unsupported_reason(name), tuple(sorted(needed[name]))) for name in PROBES
        )
    return HostReport(machine.system, machine.is_root, str(workspace.path.parent), facilities, len(verified))


def _requirement_needs(pack: Pack) -> Iterator[tuple[str, str | None]]:
    """Yield each requirement with each property that one of its scenarios needs, and once with None."""
    matcher = StepMatcher(load_step_definitions(pack.steps))
    exempt = {r.id for r in pack.requirements if r.excluded or r.condition}
    restated: dict[str, list[str]] = {}
    for requirement in pack.requirements:
        if requirement.restates:
            restated.setdefault(requirement.restates, []).append(requirement.id)
    for feature in pack.feature_files():
        for row in parse_feature(feature).scenarios:
            if ADVISORY in row.tags or any(tag.startswith(SIMULATED) for tag in row.tags):
                continue
            for requirement_id in (row.requirement, *restated.get(row.requirement, ())):
                if requirement_id not in exempt:
                    yield requirement_id, None
                    yield from ((requirement_id, need) for need in needs_of(row, matcher))


def check_adapter(target: str) -> Iterator[CheckResult]:
    """Check the adapter of TARGET, one check after the other. Raises UsageError where the target is wrong."""
    packs = [load_pack(folder) for folder in bundled_packs()]
    reference = next((pack.reference for pack in packs if pack.reference), None)
    reached = resolve_target(target, reference=reference)
    connect(reached).close()  # a missing program or extra is a matter of the call's words
    with open_environment(Interrupts()) as environment, OrphanReaper() as orphans:
        context = CheckContext(reached, packs, environment, orphans)
        try:
            yield from run_checks(context)
        except UsageError as contradiction:
            yield CheckResult("manifest", "error", str(contradiction))
        finally:
            context.close()
