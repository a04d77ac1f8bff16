"""Scenarios of another platform: the reference runs in this process on a simulated file system.

Steps use a simulated world like any other. A pass here is no evidence of conformance. Imported at the first such
scenario, because pyfakefs takes time to import.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.candidate import Adapter, Call, CallResult, ProcessOptions, connect
from treeproof.candidate.adapter_wrapper import AdapterWrapper
from treeproof.pack_modules import full_module_name
from treeproof.run.connected_candidate import ConnectedCandidate
from treeproof.run.sandbox import Sandbox, SandboxRoots
from treeproof.run.session import Session
from treeproof.run.targets import own_target
from treeproof.run.world import World
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import LISTED, ROOT_NAME, CannotBuild, Snapshot, Tree
from treeproof.tree.simulated_file_system import SimulatedFileSystem
from treeproof.verdict import Fault, NotVerified, Outcome


class SimulatedAdapter(AdapterWrapper):
    """An adapter whose candidate sees a simulated file system during a call, and only then."""

    def __init__(self, entry: str, pack: Pack) -> None:
        super().__init__(connect(own_target(pack, entry_point=entry).with_own_error_kinds(pack.error_kinds)))
        self.simulation: SimulatedFileSystem | None = None
        module = full_module_name(entry, pack.folder).partition(":")[0]
        package = module.rpartition(".")[0] or module
        # The package of the entry point, and the package beside it that several specifications share.
        self._packages = (package, f"{package.rpartition('.')[0]}.shared")

    def call(self, call: Call) -> CallResult:
        """Call a tool on the simulated file system. Raises CandidateFault."""
        if self.simulation is None:
            raise Fault("harness", "a simulated candidate is called without a simulation")
        with self.simulation.patch_os(*self._packages):
            return self.inner.call(call)

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Raise NotVerified: another process is not simulated."""
        raise NotVerified("not_simulated", "it needs another process")


class SimulatedPlatforms:
    """The simulated platforms of a session: one candidate per platform, started at its first scenario."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._candidates: dict[str, tuple[Session, SimulatedAdapter]] = {}

    def create_world(self, case: ScenarioCase, platform: str) -> SimulatedWorld:
        """Return a world on an empty file system of ``platform``. Raises CandidateFault and UsageError."""
        if platform not in self._candidates:
            self._candidates[platform] = self._start_candidate(self._session.simulated_entry_points[platform])
        session, adapter = self._candidates[platform]
        adapter.simulation = SimulatedFileSystem(platform)
        return SimulatedWorld(session, case, adapter.simulation)

    def _start_candidate(self, entry: str) -> tuple[Session, SimulatedAdapter]:
        real, adapter = self._session.candidate, SimulatedAdapter(entry, self._session.pack)
        candidate = ConnectedCandidate(adapter, real.environment).start()
        candidate.declared_readings = real.declared_readings
        return Session(self._session.pack, candidate, self._session.policy), adapter

    def close(self) -> None:
        """Stop the candidates."""
        for session, adapter in self._candidates.values():
            session.close()
            adapter.close()
        self._candidates.clear()


class SimulatedSandbox(Sandbox):
    """Trees on a simulated file system.

    The sandbox root is the first root that the scenario's context names: a drive or a share has no other path. So
    trees are built at the first call.
    """

    def __init__(self, roots: SandboxRoots, simulation: SimulatedFileSystem, context: Mapping[str, Any]) -> None:
        super().__init__(roots, respects_file_modes=True)
        self._simulation = simulation
        self._context = context
        self._default_root = os.path.join(simulation.base, ROOT_NAME)
        self._pending: list[tuple[Tree, bool]] = []
        self._extra_root_count = 0

    @property
    def root(self) -> bytes:
        """Path of the sandbox root, with slashes."""
        named = self._context.get("roots") or ["$ROOT"]
        return self._default_root if named[0] == "$ROOT" else os.fsencode(named[0])

    @property
    def outside(self) -> bytes:
        """Path of the folder that contains the root; a drive or share contains itself."""
        return self._simulation.base if self.root == self._default_root else self.root

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the scenario and their values."""
        return {"$ROOT": os.fsdecode(self.root), "$OUTSIDE": os.fsdecode(self.outside)}

    def build_tree(self, notation: str, *, beside_root: bool = False) -> None:
        """Record the tree of ``notation``; it is built by :meth:`build_pending`."""
        self._pending.append((self.set_tree(notation, beside_root=beside_root), beside_root))

    def build_pending(self) -> None:
        """Build the recorded trees. Raises NotVerified, and Fault for a tree beside a root that has no outside."""
        if self.root != self._default_root and any(beside_root for _, beside_root in self._pending):
            raise Fault("harness", f"the root {os.fsdecode(self.root)} of the context has no siblings")
        self.build(Tree(()), self.root)
        for tree, beside_root in self._pending:
            self._build_in_place(tree, beside_root=beside_root)

    def build(self, tree: Tree, at: bytes, *, adding: bool = False) -> None:
        """Build ``tree`` at ``at``. Raises NotVerified; existing directories cannot be extended in the simulation."""
        substitutions = {name.encode(): os.fsencode(path) for name, path in self.placeholders.items()}
        try:
            self._simulation.build_tree(tree, at, substitutions=substitutions)
        except CannotBuild as error:
            raise NotVerified("not_simulated", str(error)) from error

    def add_root(self, label: str) -> bytes:
        """Return a new empty sandbox root."""
        self._extra_root_count += 1
        return os.path.join(self._simulation.base, b"%d" % self._extra_root_count, ROOT_NAME)

    def snapshot(self) -> Snapshot:
        """Return the state of the root and of its siblings."""
        return self._simulation.take_snapshot(self.outside)

    def close(self) -> None:
        """Do nothing: the file system exists only in memory."""


class SimulatedWorld(World):
    """One scenario on a simulated file system. Scenarios that need a real one are NOT VERIFIED."""

    def __init__(self, session: Session, case: ScenarioCase, simulation: SimulatedFileSystem) -> None:
        context: dict[str, Any] = {}
        self._simulated_sandbox = SimulatedSandbox(SandboxRoots(session.workspace, case.id), simulation, context)
        super().__init__(session, case, self._simulated_sandbox)
        self.call_builder.context = context
        self.simulated_platform = simulation.platform
        self._all_steps_passed = False

    def begin_observation(self) -> None:
        """Build the trees, once. Raises NotVerified if the scenario needs a real file system."""
        if not self.effects.has_baseline:
            self._require_simulatable()
            self._simulated_sandbox.build_pending()
        super().begin_observation()

    def _require_simulatable(self) -> None:
        for is_required, what in (
            (self.sandbox.roots.requires_disk, "a disk"),
            (self.sandbox.roots.requires_folding, "a file system that folds names"),
            (self.directory_watch.enabled, "watched directories"),
            (self.faults.strace_args or self.sandbox.tree.faults(), "traced or failing system calls"),
            (self.sandbox.creation_order != LISTED, "a creation order"),
        ):
            if is_required:
                raise NotVerified("not_simulated", f"it needs {what}")

    def send_to_rebuilt_tree(self, call: Call, *, order: str, subfolder: str = "") -> CallResult:
        """Raise NotVerified."""
        raise NotVerified("not_simulated", "it needs a rebuilt tree")

    def send_to_new_processes(self, option_sets: Sequence[ProcessOptions]) -> None:
        """Raise NotVerified."""
        raise NotVerified("not_simulated", "it needs other processes")

    def check_evidence(self) -> None:
        """Record that every step has passed."""
        super().check_evidence()
        self._all_steps_passed = True

    def build_evidence(
        self, outcome: Outcome, details: Mapping[str, str], *, answer_index: int | None = None
    ) -> dict[str, Any]:
        """Return the evidence for the report; it is marked as simulated unless the simulation was impossible."""
        is_marked = self._all_steps_passed or outcome is not Outcome.NOT_APPLICABLE
        mark = {"simulated": self.simulated_platform} if is_marked else {}
        return {**super().build_evidence(outcome, details, answer_index=answer_index), **mark}
