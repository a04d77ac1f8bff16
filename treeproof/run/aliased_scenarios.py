"""Scenarios of another specification, asked of the same candidate under another name of a tool.

For a specification that says of a tool only: what it does is written elsewhere. Nothing here knows which.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treeproof.candidate import Adapter, Call, CallResult, InitializeResult, ProcessOptions, ToolDefinition
from treeproof.run.session import Session
from treeproof.run.step_registry import StepRegistry
from treeproof.run.step_runner import run_steps
from treeproof.run.world import World
from treeproof.spec import Pack, find_pack, load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.verdict import Fault, NotApplicable, NotVerified


class AliasAdapter:
    """An adapter that calls one tool by another of its names. What is said of the tool is said of the same one."""

    def __init__(self, adapter: Adapter, tool: str, alias: str) -> None:
        self._adapter = adapter
        self._tool, self._alias = tool, alias

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
    def respects_file_modes(self) -> bool:
        """Whether file modes bind the candidate."""
        return self._adapter.respects_file_modes

    def start(self, workspace: str) -> InitializeResult:
        """Start the candidate. Raises CandidateFault."""
        return self._adapter.start(workspace)

    def describe(self, tool: str) -> ToolDefinition:
        """The definition of the tool, whatever it is called. Raises CandidateFault."""
        return self._adapter.describe(tool)

    def call(self, call: Call) -> CallResult:
        """One call, the tool by its other name. Raises CandidateFault."""
        return self._adapter.call(replace(call, tool=self._alias) if call.tool == self._tool else call)

    def ensure_started(self, call: Call) -> None:
        """See to it that the process that would answer runs. Raises CandidateFault."""
        self._adapter.ensure_started(call)

    def close(self) -> None:
        """End the candidate's process."""
        self._adapter.close()

    def spawn(self, options: ProcessOptions) -> Adapter:
        """The same in a new process. Raises CannotAsk."""
        return AliasAdapter(self._adapter.spawn(options), self._tool, self._alias)

    def captured_output(self) -> str:
        """The end of what the candidate wrote to stderr."""
        return self._adapter.captured_output()


def run_under_alias(session: Session, spec_name: str, requirement_id: str, alias: str) -> Iterator[World]:
    """Perform the scenarios of a requirement of another specification, its first tool called by ``name``.

    Yield the world of each when its steps have held. Raises what the first sentence that does not hold raises, and
    Fault where the specification has no such scenario.
    """
    pack, scenarios = _load_scenarios(session, spec_name)
    rows = [row for row in scenarios if row.requirement == requirement_id]
    if not rows:
        raise Fault("harness", f"no scenario of {spec_name} verifies {requirement_id}")
    adapter = AliasAdapter(session.adapter, pack.tools[0].name, alias)
    other = replace(
        session,
        pack=pack,
        adapter=adapter,
        module_state={},
        _traceable_process=None,
        _last_answered_call=None,
    )
    vocabulary = StepRegistry(pack.steps)
    try:
        for row in rows:
            world = World(other, row)
            try:
                _run_scenario(world, vocabulary)
                yield world
            finally:
                world.close()
    finally:
        other.close()


def _load_scenarios(session: Session, specification: str) -> tuple[Pack, list[ScenarioCase]]:
    """The pack of a specification and all of its scenarios, read once in a run."""
    known: dict[str, tuple[Pack, list[ScenarioCase]]] = session.module_state.setdefault(__name__, {})  # type: ignore[assignment]
    if specification not in known:
        pack = load_pack(find_pack(specification))
        known[specification] = (
            pack,
            [row for file in pack.feature_files() for row in parse_feature(file).scenarios],
        )
    return known[specification]


def _run_scenario(world: World, vocabulary: StepRegistry) -> None:
    row: ScenarioCase = world.case
    if row.simulated is not None:
        return
    try:
        for need in row.needs:
            world.session.require_facility(need)
        run_steps(world, vocabulary)
        world.check_evidence()
    except NotApplicable:
        world.evidence.is_positive = True
    except NotVerified as why:
        raise NotVerified(why.code, f"{row.id}: {why.detail}", why.remedy) from why
    if not world.evidence.is_positive:
        raise Fault("harness", f"{row.id} showed no positive evidence")
