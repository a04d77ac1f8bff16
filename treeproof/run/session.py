"""A specification and a candidate, shared by all scenarios of a pack in a run. Knows no scenario."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

from treeproof.candidate import Adapter, Call, CallResult, ProcessOptions, ToolDefinition
from treeproof.candidate.adapter import RefusedByGlue
from treeproof.candidate.strace import Trace
from treeproof.candidate.tool_mapping import is_same, sent_arguments
from treeproof.run.candidate_folders import require_own_places
from treeproof.run.candidate_platform import CandidatePlatform
from treeproof.run.connected_candidate import ConnectedCandidate
from treeproof.run.traced_calls import TracedCalls
from treeproof.spec import Pack
from treeproof.spec.gherkin import StepText
from treeproof.spec.step_definitions import StepDefinition, StepMatcher, load_step_definitions
from treeproof.tree import Host, Workspace
from treeproof.verdict import Fault, NotApplicable, NotVerified, Profile, accepted_readings

T = TypeVar("T")


@dataclass(frozen=True)
class Policy:
    """The strictness of a run, and its random cases.

    ``examples`` is the number of random cases per property; None: each property has its own number.
    """

    profile: Profile = Profile.DEFAULT
    seed: int = 0
    examples: int | None = None
    minimises: bool = True
    """Whether properties reduce failing cases to smaller ones."""


class Session:
    """One pack, the started candidate and the policy of the run."""

    def __init__(self, pack: Pack, candidate: ConnectedCandidate, policy: Policy | None = None) -> None:
        self.pack = pack
        self.candidate = candidate
        self.policy = policy or Policy()
        self._traced_calls = TracedCalls(candidate)
        self._shared: dict[object, object] = {}

    @property
    def workspace(self) -> Workspace:
        """The workspace of the run."""
        return self.candidate.environment.workspace

    @property
    def host(self) -> Host:
        """The host of the run."""
        return self.candidate.environment.host

    @property
    def platform(self) -> CandidatePlatform | None:
        """The platform of the candidate's programs, if it is not that of this machine."""
        return self.candidate.platform

    def _require_linux(self) -> None:
        if self.platform is not None:
            raise self.platform.not_traced()

    @cached_property
    def step_registry(self) -> StepRegistry:
        """The step definitions of the pack. Raises UsageError for a step module that cannot be imported."""
        from treeproof.run.session import StepRegistry  # pytest-bdd takes a while to import

        return StepRegistry(self.pack.steps, self.pack.folder)

    @property
    def simulated_entry_points(self) -> Mapping[str, str]:
        """Entry points for simulated platforms by name; empty for every candidate but the reference."""
        return self.pack.simulated if self.candidate.is_reference else {}

    def shared(self, create: Callable[[Session], T]) -> T:
        """Return the object that ``create`` (a class, usually) makes; it is made once in a session.

        If it has a method ``close``, the session calls that at its own end.
        """
        if create not in self._shared:
            self._shared[create] = create(self)
        return cast(T, self._shared[create])

    def close(self) -> None:
        """Stop the additional processes of the candidate; they restart when they are needed."""
        self._traced_calls.close()
        for shared in self._shared.values():
            close = getattr(shared, "close", None)
            if close is not None:
                close()

    # ---- requests -----------------------------------------------------------------------------------------------

    def call(self, call: Call, adapter: Adapter | None = None) -> CallResult:
        """Call a tool in the candidate's process, or in the new process ``adapter``. Raises CandidateFault."""
        with self._checked(call):
            answer = self.candidate.call(call, adapter)
        return answer if self.platform is None else self.platform.read_answer(answer, self.pack)

    def describe(self, tool: str) -> ToolDefinition:
        """Return the candidate's definition of ``tool``. Raises CandidateFault."""
        self.require_tool(tool)
        return self.candidate.describe(tool)

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Start the candidate in a new process, which the caller closes. Raises CandidateFault and NotVerified."""
        return self.candidate.spawn(options)

    def call_traced(
        self,
        call: Call,
        strace_args: Sequence[bytes],
        adapter: Adapter | None = None,
        on_delay: Callable[[], object] | None = None,
    ) -> tuple[CallResult, Trace]:
        """Call a tool under strace and return the result and the trace. Raises CandidateFault and NotVerified."""
        self._require_linux()
        with self._checked(call):
            return self._traced_calls.call(call, strace_args, adapter, on_delay)

    def call_and_kill(self, call: Call, strace_args: Sequence[bytes]) -> bool:
        """Call a tool in a new process that strace kills; return True if it died. Raises NotVerified."""
        self._require_linux()
        with self._checked(call):
            return self._traced_calls.call_and_kill(call, strace_args)

    def sent_arguments(self, call: Call) -> str | None:
        """Return the arguments of a call as the candidate gets them, as JSON text; None if no mapping changes them."""
        plan = self.candidate.plan
        tools = {} if plan is None else plan.target.tools
        sent = sent_arguments(tools, call.tool, call.arguments, call.context)
        return None if is_same(sent, call.arguments) else json.dumps(sent, ensure_ascii=False)

    # ---- prerequisites ------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _checked(self, call: Call) -> Iterator[None]:
        """Check a call before it is made. Raises NotApplicable, also if the glue has no way to send it.

        With the arguments alone that show content, a call that the glue refuses is NotVerified.
        """
        self._require_parts(call)
        try:
            yield
        except NotVerified as missing:
            tool = next((own for own in self.pack.tools if own.name == call.tool), None)
            given = call.arguments if isinstance(call.arguments, dict) else {}
            if tool is None or tool.evidence is None or given.keys() <= {*tool.default_arguments, *tool.evidence}:
                raise
            if not isinstance(missing.__cause__, RefusedByGlue):
                raise
            raise NotApplicable(missing.detail) from missing

    def _require_parts(self, call: Call) -> None:
        """Raise for a call that the candidate does not offer, its tool or several roots, and for a root that is lost.

        NotApplicable for a second root, which no document promises.
        """
        self.require_tool(call.tool)
        roots = call.context.get("roots")
        if not isinstance(roots, list):
            return
        if len(roots) > 1 and not self.offers_capability("roots"):
            raise NotApplicable("a call with several roots, for candidates with the capability 'roots'")
        require_own_places(*(os.fsencode(root) for root in roots if isinstance(root, str)))
        if self.platform is not None:
            self.platform.require_call(call, self.pack)

    def require_tool(self, tool: str) -> None:
        """Raise for a tool of the specification that the candidate does not offer; any other name may be called.

        NotApplicable if the tool is optional, else NotVerified.
        """
        own = next((own for own in self.pack.tools if own.name == tool), None)
        if own is None or tool in self.candidate.initialize_result.tools:
            return
        if own.optional:
            raise NotApplicable(f"the candidate does not offer the tool {tool!r}, which it may do without")
        raise NotVerified("missing_tool", f"the candidate does not offer the tool {tool!r}")

    def offers_capability(self, capability: str) -> bool:
        """Return True if the candidate declares ``capability``."""
        return capability in self.candidate.initialize_result.capabilities

    def require_capability(self, capability: str) -> None:
        """Raise NotVerified if the candidate does not declare ``capability``."""
        if not self.offers_capability(capability):
            raise NotVerified("missing_capability", f"the candidate does not declare the capability {capability!r}")

    def require_own_root(self) -> None:
        """Raise NotVerified if the candidate has the trees of the whole run as its root, and not that of the call.

        A path that leaves the root of the call, without an argument that shows it, is then no breach.
        """
        if getattr(self.candidate.adapter, "shares_root", False):
            raise NotVerified(
                "adapter_unsupported",
                "the server's root is the whole run's, so a link that leads out of the sandbox is no breach",
                'start = "fixture" with {root} in its command line permits this scenario',
            )

    def require_facility(self, name: str) -> None:
        """Raise NotVerified if the host lacks the facility ``name``, and as the platform of the candidate does."""
        if self.platform is not None:
            self.platform.require_facility(name)
        self.candidate.environment.require_facility(name)

    def accepted_readings(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        entry = next(entry for entry in self.pack.interpretations if entry.id == interpretation)
        return accepted_readings(entry, self.policy.profile, self.candidate.declared_readings)

    def describe_unadvised_reading(self, interpretation: str, label: str) -> str | None:
        """Return the text of a reading that the recommendation advises against, or None (treatment ``advisory``)."""
        entry = self.pack.interpretation(interpretation)
        if entry.treatment != "advisory" or label == entry.recommended:
            return None
        return next((reading.text for reading in entry.readings if reading.label == label), label)


class StepRegistry:
    """The step definitions of some modules of the pack in ``folder``. Raises UsageError for one that has an error.

    pytest-bdd silently uses the last of two definitions that match. Here a step that matches no definition, or more
    than one, is a fault of the harness and never a pass.
    """

    def __init__(self, modules: Iterable[str], folder: Path | None = None) -> None:
        self._matcher = StepMatcher(load_step_definitions(modules, folder))

    def find(self, step: StepText) -> StepDefinition:
        """Return the only definition that matches a step.

        Raises Fault if there is none or more than one, and for a table with a column that the definition ignores.
        """
        found = self._matcher.matching(step.keyword_type, step.text)
        step_text = f"the step {step.keyword_type.capitalize()} {step.text}"
        if len(found) != 1:
            what = "several step definitions match" if found else "no step definition matches"
            raise Fault("harness", f"{what} {step_text}")
        for column in found[0].unknown_columns(step.text, step.table[0]) if step.table else ():
            known = ", ".join(found[0].info.columns)
            what = f'no column is called "{column}" in the table of {step_text}'
            raise Fault("harness", f"{what}; known columns: {known}")
        return found[0]
