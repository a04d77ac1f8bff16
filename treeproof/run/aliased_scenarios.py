"""Scenarios of another specification, run with the same candidate and an alias of the tool.

For a specification that requires a tool to behave as another specification defines.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from treeproof.candidate import Adapter, Call, CallResult, ProcessOptions
from treeproof.candidate.adapter_wrapper import AdapterWrapper
from treeproof.run.scenario_runner import perform_scenario
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import Pack, open_pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import scenarios_of
from treeproof.verdict import Fault, NotApplicable, NotVerified


class AliasAdapter(AdapterWrapper):
    """An adapter that calls one tool by its alias. The definition is that of the tool itself."""

    def __init__(self, inner: Adapter, tool: str, alias: str) -> None:
        super().__init__(inner)
        self._tool, self._alias = tool, alias

    def call(self, call: Call) -> CallResult:
        """Call a tool, by the alias if it is the aliased one. Raises CandidateFault."""
        return self.inner.call(replace(call, tool=self._alias) if call.tool == self._tool else call)

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Return an adapter with the same alias for a new process. Raises UnsupportedByAdapter."""
        return AliasAdapter(self.inner.spawn(options), self._tool, self._alias)


def run_under_alias(session: Session, spec_name: str, requirement_id: str, alias: str) -> Iterator[World]:
    """Run the scenarios of a requirement of another specification; its first tool is called by ``alias``.

    Scenarios that name the requirement in a tag `@also` belong to it.

    Yield the world of each scenario that passed. Raises the exception of the first step that fails, and Fault if the
    specification has no such scenario.
    """
    pack, cases = _load_scenarios(spec_name)
    cases = [case for case in cases if requirement_id in (case.requirement, *case.also)]
    if not cases:
        raise Fault("harness", f"no scenario of {spec_name} verifies {requirement_id}")
    candidate = session.candidate
    aliased = candidate.with_adapter(AliasAdapter(candidate.adapter, pack.tools[0].name, alias))
    other = Session(pack, aliased, session.policy)
    try:
        for case in cases:
            if case.simulated is not None:
                continue
            world = World(other, case)
            try:
                _perform(world)
                yield world
            finally:
                world.close()
    finally:
        other.close()


@cache
def _load_scenarios(specification: str) -> tuple[Pack, list[ScenarioCase]]:
    pack = open_pack(specification)
    return pack, scenarios_of(pack)


def _perform(world: World) -> None:
    with contextlib.suppress(NotApplicable):
        try:
            perform_scenario(world)
        except NotVerified as reason:
            raise NotVerified(reason.code, f"{world.case.id}: {reason.detail}", reason.remedy) from reason
