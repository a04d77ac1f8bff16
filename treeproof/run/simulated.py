"""Scenarios of a platform that this machine is not: the reference, asked in process on a simulated file system.

To its sentences a world is a world; what differs is where its trees stand and who is asked. That it holds here is
no evidence of conformance. Imported when the first such scenario runs, because pyfakefs costs time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.candidate import Adapter, Answer, Call, Definition, Hello, Launch, Target, connect
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec.gherkin import ScenarioRow
from treeproof.tree import LISTED, ROOT, CannotBuild, Snapshot, Tree, parse
from treeproof.tree.simulation import Simulation
from treeproof.verdict import Fault, NotVerified, Outcome


class Transplanted:
    """An adapter whose candidate sees a simulated file system while it is called, and only then."""

    kind = "python"
    pid = None
    heeds_modes = True

    def __init__(self, entry: str) -> None:
        self.target = entry
        self.around: Simulation | None = None
        self._package = entry.partition(":")[0].rpartition(".")[0] or entry.partition(":")[0]
        self._inner = connect(Target.for_reference(entry))

    def start(self, workspace: str) -> Hello:
        """Start the candidate, on the real file system. Raises CandidateFault, and UsageError for a wrong entry."""
        return self._inner.start(workspace)

    def describe(self, tool: str) -> Definition:
        """Return the candidate's definition of a tool. Raises CandidateFault."""
        return self._inner.describe(tool)

    def call(self, call: Call) -> Answer:
        """Call a tool on the simulated file system. Raises CandidateFault."""
        if self.around is None:
            raise Fault("harness", "a simulated candidate is asked and nothing is simulated")
        with self.around.seen_by(self._package):
            return self._inner.call(call)

    def stand_by(self, call: Call) -> None:
        """Nothing: it has no process."""

    def close(self) -> None:
        """Let the candidate go."""
        self._inner.close()

    def fresh(self, launch: Launch) -> Adapter:
        """Raise NotVerified: nothing is simulated in another process."""
        raise NotVerified("it needs a process of its own")

    def diagnostics(self) -> str:
        """Return the end of what the candidate printed."""
        return self._inner.diagnostics()


class SimulatedPlatforms:
    """The simulated platforms of one run: a candidate for each, started when it is needed first."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._there: dict[str, tuple[Session, Transplanted]] = {}

    def world(self, row: ScenarioRow, platform: str) -> SimulatedWorld:
        """Return a new world on an empty file system of ``platform``. Raises CandidateFault and UsageError."""
        if platform not in self._there:
            self._there[platform] = self._started(self._session.simulated[platform])
        session, adapter = self._there[platform]
        adapter.around = Simulation(platform)
        return SimulatedWorld(session, row, adapter.around)

    def _started(self, entry: str) -> tuple[Session, Transplanted]:
        real, adapter = self._session, Transplanted(entry)
        hello = adapter.start(str(real.workspace.path))
        session = Session(
            real.pack,
            adapter,
            hello,
            real.workspace,
            real.machine,
            real.profile,
            real.declared,
            interrupts=real.interrupts,
        )
        return session, adapter

    def close(self) -> None:
        """Let the candidates go."""
        for session, adapter in self._there.values():
            session.close()
            adapter.close()
        self._there.clear()


class SimulatedWorld(World):
    """One scenario on a simulated file system.

    The sandbox root is the first root that the scenario's context names: a drive or a share has no other way into a
    tree. So trees are made when the first call is, and what the sentences do to real trees beyond that is refused.
    """

    def __init__(self, session: Session, row: ScenarioRow, simulation: Simulation) -> None:
        super().__init__(session, row)
        self.simulated = simulation.platform
        self._simulation = simulation
        self._own = os.path.join(simulation.base, ROOT)
        self._planned: list[tuple[Tree, bool]] = []
        self._copies = 0
        self._ran = False

    @property
    def root(self) -> bytes:
        """Path of the sandbox root, with slashes."""
        named = self.context.get("roots") or ["$ROOT"]
        return self._own if named[0] == "$ROOT" else os.fsencode(named[0])

    @property
    def outside(self) -> bytes:
        """Path of what the calls must leave alone: the folder that holds the root; a drive or share holds itself."""
        return self._simulation.base if self.root == self._own else self.root

    @property
    def names(self) -> dict[str, str]:
        """The placeholders of this scenario and what they stand for."""
        return {"$ROOT": os.fsdecode(self.root), "$OUTSIDE": os.fsdecode(self.outside)}

    def grow(self, notation: str, *, beside: bool = False) -> None:
        """Keep the tree of ``notation``, to be made where the context says."""
        tree = parse(notation)
        self.trees["outside" if beside else "tree"] = notation
        if not beside:
            self.tree = tree
        self._planned.append((tree, beside))

    def build(self, tree: Tree, at: bytes, *, adding: bool = False) -> None:
        """Make ``tree`` at ``at``. Raises NotVerified, for a directory to add to as well: that is not simulated."""
        names = {name.encode(): os.fsencode(path) for name, path in self.names.items()}
        try:
            self._simulation.build(tree, at, substitutions=names)
        except CannotBuild as refusal:
            raise NotVerified(str(refusal)) from refusal

    def another(self, label: str) -> bytes:
        """Return a new empty sandbox root."""
        self._copies += 1
        return os.path.join(self._simulation.base, b"%d" % self._copies, ROOT)

    def begin(self) -> None:
        """Make the trees, once. Raises NotVerified for what only a real file system can show."""
        if self._before is None:
            self._refuse_what_is_not_simulated()
            self.build(Tree(()), self.root)
            for tree, beside in self._planned:
                self.build(tree, self.outside if beside else self.root)
        super().begin()

    def _refuse_what_is_not_simulated(self) -> None:
        for asked, what in (
            (self.places.on_disk, "a disk"),
            (self.watching.wanted, "watched directories"),
            (self.strace or self.tree.faults(), "traced or failing system calls"),
            (self.order != LISTED, "an order of making"),
        ):
            if asked:
                raise NotVerified(f"it needs {what}")
        if self.root != self._own and any(beside for _, beside in self._planned):
            raise Fault("harness", f"nothing lies beside the root {os.fsdecode(self.root)} of the context")

    def look(self) -> Snapshot:
        """Return what stands in the root and beside it."""
        return self._simulation.look(self.outside)

    def send_elsewhere(self, call: Call, *, order: str, deeper: str = "") -> Answer:
        """Raise NotVerified."""
        raise NotVerified("it needs the tree made anew")

    def send_to_each(self, launches: Sequence[Launch]) -> None:
        """Raise NotVerified."""
        raise NotVerified("it needs processes of its own")

    def settle(self) -> None:
        """Note that every step has held."""
        super().settle()
        self._ran = True

    def close(self) -> None:
        """Nothing to remove: the file system goes with the world."""

    def evidence(self, outcome: Outcome, why: Mapping[str, str]) -> dict[str, Any]:
        """Return what the report keeps, marked as simulated unless that could not be simulated."""
        shown = self._ran or outcome is not Outcome.NOT_APPLICABLE
        mark = {"simulated": self.simulated} if shown else {}
        return {**super().evidence(outcome, why), **mark}
