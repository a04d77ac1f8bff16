"""Scenarios of another specification, asked of the same candidate under another name of a tool.

For a specification that says of a tool only: what it does is written elsewhere. Nothing here knows which.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treeproof.candidate import Adapter, Answer, Call, Definition, Hello, Launch
from treeproof.run.lookup import Vocabulary
from treeproof.run.performing import perform
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import Pack, find, load
from treeproof.spec.gherkin import ScenarioRow, parse
from treeproof.verdict import Fault, NotApplicable, NotVerified


class Renamed:
    """An adapter that calls one tool by another of its names. What is said of the tool is said of the same one."""

    def __init__(self, adapter: Adapter, tool: str, name: str) -> None:
        self._adapter = adapter
        self._tool, self._name = tool, name

    @property
    def kind(self) -> str:
        """The adapter kind."""
        return self._adapter.kind

    @property
    def target(self) -> str:
        """The TARGET as the user wrote it."""
        return self._adapter.target

    @property
    def pid(self) -> int | None:
        """The process that lives from call to call."""
        return self._adapter.pid

    @property
    def heeds_modes(self) -> bool:
        """Whether file modes bind the candidate."""
        return self._adapter.heeds_modes

    def start(self, workspace: str) -> Hello:
        """Start the candidate. Raises CandidateFault."""
        return self._adapter.start(workspace)

    def describe(self, tool: str) -> Definition:
        """The definition of the tool, whatever it is called. Raises CandidateFault."""
        return self._adapter.describe(tool)

    def call(self, call: Call) -> Answer:
        """One call, the tool by its other name. Raises CandidateFault."""
        return self._adapter.call(replace(call, tool=self._name) if call.tool == self._tool else call)

    def stand_by(self, call: Call) -> None:
        """See to it that the process that would answer runs. Raises CandidateFault."""
        self._adapter.stand_by(call)

    def close(self) -> None:
        """End the candidate's process."""
        self._adapter.close()

    def fresh(self, launch: Launch) -> Adapter:
        """The same in a new process. Raises CannotAsk."""
        return Renamed(self._adapter.fresh(launch), self._tool, self._name)

    def diagnostics(self) -> str:
        """The end of what the candidate wrote to stderr."""
        return self._adapter.diagnostics()


def borrowed(session: Session, specification: str, requirement: str, name: str) -> Iterator[World]:
    """Perform the scenarios of a requirement of another specification, its first tool called by ``name``.

    Yield the world of each when its steps have held. Raises what the first sentence that does not hold raises, and
    Fault where the specification has no such scenario.
    """
    pack, scenarios = _scenarios(session, specification)
    rows = [row for row in scenarios if row.requirement == requirement]
    if not rows:
        raise Fault("harness", f"no scenario of {specification} verifies {requirement}")
    adapter = Renamed(session.adapter, pack.tools[0].name, name)
    other = replace(session, pack=pack, adapter=adapter, kept={}, _traceable=None, _answered=None)
    vocabulary = Vocabulary(pack.steps)
    try:
        for row in rows:
            world = World(other, row)
            try:
                _performed(world, vocabulary)
                yield world
            finally:
                world.close()
    finally:
        other.close()


def _scenarios(session: Session, specification: str) -> tuple[Pack, list[ScenarioRow]]:
    """The pack of a specification and all of its scenarios, read once in a run."""
    known: dict[str, tuple[Pack, list[ScenarioRow]]] = session.kept.setdefault(__name__, {})  # type: ignore[assignment]
    if specification not in known:
        pack = load(find(specification))
        known[specification] = pack, [row for file in pack.features() for row in parse(file).scenarios]
    return known[specification]


def _performed(world: World, vocabulary: Vocabulary) -> None:
    row: ScenarioRow = world.row
    for need in row.needs:
        why = world.session.machine.why_not(need)
        if why is not None:
            raise NotVerified(f"{row.id} needs {need}: {why}")
    if row.simulated is not None:
        return
    try:
        perform(world, vocabulary)
        world.settle()
    except NotApplicable:
        world.positive = True
    except NotVerified as why:
        raise NotVerified(f"{row.id}: {why.cause}") from why
    if not world.positive:
        raise Fault("harness", f"{row.id} showed no positive evidence")
