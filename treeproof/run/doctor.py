"""The checks of `treeproof doctor`: of this host and its features, and of a candidate's adapter.

Knows which features of the host a scenario needs; `treeproof.tree.Host` probes them. The reports format the results.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import normalize

from treeproof.candidate import connect
from treeproof.candidate.isolation import isolation_problem
from treeproof.candidate.orphans import OrphanReaper
from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.errors import UsageError
from treeproof.run.adapter_checks import run_checks
from treeproof.run.candidate_folders import with_own_home
from treeproof.run.candidate_platform import CandidatePlatform
from treeproof.run.check_context import CheckContext
from treeproof.run.connected_candidate import open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.targets import REFERENCE, own_target, resolve_target
from treeproof.spec import Pack, bundled_packs, load_pack, open_pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.spec.version_features import scenarios_of
from treeproof.tree import (
    PROBES,
    Kind,
    Node,
    Tree,
    Workspace,
    parse_tree,
    probe_host,
    raise_open_file_limit,
    usual_umask,
)
from treeproof.verdict.checks import CheckResult, HostFacility, HostReport

SIMULATED = "simulated:"


def inspect_host() -> HostReport:
    """Probe every feature of the host. Raises UsageError if no workspace can be created, or too few files opened."""
    raise_open_file_limit()
    packs = [load_pack(folder) for folder in bundled_packs()]
    needed: dict[str, set[str]] = {name: set() for name in PROBES}
    verified: set[str] = set()
    for pack in packs:
        for requirement, need in _requirement_needs(pack):
            verified.add(requirement)
            if need is not None:
                needed[need].add(requirement)
    with usual_umask(), Workspace.create() as workspace:
        host = probe_host(os.fsencode(workspace.path), drop_dac_capabilities)
        facilities = tuple(
            HostFacility(name, host.unsupported_reason(name), tuple(sorted(needed[name]))) for name in PROBES
        )
    facilities += (HostFacility("isolation", isolation_problem(), ()),)
    return HostReport(host.system, host.is_root, str(workspace.path.parent), facilities, len(verified))


def _requirement_needs(pack: Pack) -> Iterator[tuple[str, str | None]]:
    """Yield each requirement with each host feature that one of its scenarios needs, and once with None."""
    matcher = StepMatcher(load_step_definitions(pack.steps, pack.folder))
    exempt = {r.id for r in pack.requirements if r.excluded or r.condition}
    restated: dict[str, list[str]] = {}
    for requirement in pack.requirements:
        if requirement.restates:
            restated.setdefault(requirement.restates, []).append(requirement.id)
    for case in scenarios_of(pack):
        if case.basis == "prudent" or any(tag.startswith(SIMULATED) for tag in case.tags):
            continue
        for requirement_id in (case.requirement, *restated.get(case.requirement, ())):
            if requirement_id not in exempt:
                yield requirement_id, None
                yield from ((requirement_id, need) for need in needs_of(case, matcher))


def check_adapter(target: str, specs: Sequence[str] = ()) -> Iterator[CheckResult]:
    """Yield the results of all checks of the adapter of TARGET. Raises UsageError for a wrong target.

    ``specs`` are specifications beside the bundled ones, as names or folders; without them, those of the manifest.
    """
    bundled = [load_pack(folder) for folder in bundled_packs()]
    own = [open_pack(spec) for spec in specs]
    first = next((pack for pack in (*own, *bundled) if pack.reference), None)
    resolved = own_target(first) if target == REFERENCE and first is not None else resolve_target(target, specs)
    own = own or [open_pack(spec) for spec in resolved.specs]
    packs = [*own, *(pack for pack in bundled if pack.name not in {one.name for one in own})]
    resolved = resolved.with_own_error_kinds([kind for pack in packs for kind in pack.error_kinds])
    connect(resolved).close()  # a missing program or extra is a usage error
    with open_environment(Interrupts()) as environment, OrphanReaper() as orphans:
        resolved = with_own_home(resolved, environment.workspace)
        platform = None if resolved.platform is None else CandidatePlatform(resolved, environment.workspace)
        resolved = resolved if platform is None else platform.apply_to(resolved)
        context = CheckContext(resolved, packs, environment, orphans, platform)
        try:
            yield from run_checks(context)
        except UsageError as error:
            yield CheckResult("manifest", "error", str(error))
        finally:
            context.close()


# ext4 supports sizes below 16 TiB and times from 1901 to 2446.
_ORDINARY_SIZE = 2**44 - 2**12
_ORDINARY_SECONDS = range(-(2**31), 15_032_385_536)
_FULL_OWNER_MODE = {Kind.DIR: 0o700}


def needs_of(case: ScenarioCase, matcher: StepMatcher) -> frozenset[str]:
    """Return the host features that the scenario needs. ``matcher`` finds the step definitions of its pack."""
    found = set(case.needs)
    for step in case.steps:
        for definition in matcher.matching(step.keyword_type, step.text):
            found.update(definition.info.needs)
            notation = definition.tree_notation(step)
            if notation:
                found.update(needs_of_tree(parse_tree(notation)))
    return frozenset(found)


def needs_of_tree(tree: Tree) -> Iterable[str]:
    """Yield the host features needed to build this tree and to inject its faults."""
    yield from _collisions(tree.entries)
    for _, node in tree.walk():
        yield from _needs_of_node(node)
        yield from _collisions(node.children)


def _needs_of_node(node: Node) -> Iterable[str]:
    if node.faults:
        yield "strace"
    if not _is_utf8(node.name):
        yield "non_utf8_names"
    if node.size >= _ORDINARY_SIZE:
        yield "huge_files"
    if node.mtime_ns is not None and node.mtime_ns // 10**9 not in _ORDINARY_SECONDS:
        yield "wide_mtimes"
    if node.mode is not None and ~node.mode & _FULL_OWNER_MODE.get(node.kind, 0):
        yield "drop_caps"
    match node.kind:
        case Kind.SYMLINK:
            yield "symlinks"
        case Kind.FIFO | Kind.SOCKET:
            yield "special_files"
        case Kind.CHARDEV | Kind.BLOCKDEV:
            yield "mknod"
        case Kind.FILE | Kind.DIR:
            pass


def _collisions(siblings: Sequence[Node]) -> Iterable[str]:
    names = [node.name.decode("utf-8", "surrogateescape") for node in siblings]
    if len({name.casefold() for name in names}) < len(names):
        yield "case_sensitive"
    if len({normalize("NFD", name) for name in names}) < len(names):
        yield "normal_forms"


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
