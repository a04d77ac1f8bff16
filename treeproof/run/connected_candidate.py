"""A candidate from its connection to its end: start, declarations, guarded requests, new processes.

Knows no scenario. A candidate outlives a broken process, because its adapter restarts it. After repeated faults the
circuit breaker stops all calls, so that a run of hundreds of scenarios still ends in seconds.
"""

from __future__ import annotations

import contextlib
import copy
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self, TypeVar

from treeproof.candidate import (
    Adapter,
    Call,
    CallResult,
    CandidateFault,
    InitializeResult,
    Limits,
    ProcessOptions,
    Target,
    ToolDefinition,
    UnsupportedByAdapter,
    connect,
)
from treeproof.candidate.adapter import LacksArgument, RefusedByGlue
from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.run.candidate_folders import (
    StartDirectory,
    WatchedFolders,
    lost_start_directory,
    protect_folders,
    require_own_places,
    with_own_home,
)
from treeproof.run.candidate_platform import CandidatePlatform
from treeproof.run.circuit_breaker import CircuitBreaker
from treeproof.run.claims import claim_warnings, packs_claimed
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import TargetPlan, declared_readings
from treeproof.run.sandbox import OtherWorkspaces
from treeproof.run.selected_pack import SelectedPack
from treeproof.tree import CannotBuild, Host, Workspace, probe_host, raise_open_file_limit, usual_umask
from treeproof.verdict import NotApplicable, NotSent, NotVerified
from treeproof.verdict.outcome import FACILITY_REMEDIES

Result = TypeVar("Result")


@dataclass(frozen=True)
class Environment:
    """The place where candidates run and trees are built."""

    workspace: Workspace
    host: Host
    interrupts: Interrupts = field(default_factory=Interrupts)

    def require_facility(self, name: str) -> None:
        """Raise NotVerified if the host lacks the facility ``name``."""
        reason = self.host.unsupported_reason(name)
        if reason is not None:
            raise NotVerified("host_lacks", f"needs {name}: {reason}", FACILITY_REMEDIES.get(name))


@contextlib.contextmanager
def open_environment(interrupts: Interrupts) -> Iterator[Environment]:
    """Create a workspace and examine the host before a candidate can falsify the result.

    Until it is closed, the process and the candidates that it starts have the usual umask 022: with another one, the
    directories and files of the workspace could not be used, and a copy would have other modes. Raises UsageError
    if the limit of open files is too low.
    """
    raise_open_file_limit()
    with usual_umask(), Workspace.create() as workspace:
        host = probe_host(os.fsencode(workspace.path), drop_dac_capabilities)
        host.to_json()
        yield Environment(workspace, host, interrupts)


@dataclass
class ConnectedCandidate:
    """A candidate behind an adapter; as a context manager it is closed at the end.

    ``plan`` is None for an adapter without a target of its own, such as a simulated one.
    """

    adapter: Adapter
    environment: Environment
    plan: TargetPlan | None = None
    circuit_breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    initialize_result: InitializeResult = field(init=False)
    declared_readings: Mapping[str, str] = field(default_factory=dict)
    packs: Sequence[SelectedPack] = ()
    """The packs of the plan that the candidate claims."""
    other_workspaces: OtherWorkspaces | None = None
    """The workspaces on other file systems, if the candidate can use only those that exist at its start."""
    platform: CandidatePlatform | None = None
    """The platform of its programs, if it is not that of this machine."""
    _target: Target | None = None
    _start_directory: StartDirectory | None = None
    _watched_folders: WatchedFolders = field(default_factory=lambda: WatchedFolders(()))
    _last_answered_call: Call | None = None

    @classmethod
    def connect(cls, plan: TargetPlan, environment: Environment) -> Self:
        """Return the candidate of ``plan``, not yet started. Raises UsageError."""
        own_kinds = [kind for part in plan.packs for kind in part.pack.error_kinds]
        target = with_own_home(plan.target.with_own_error_kinds(own_kinds), environment.workspace)
        others = None
        if target.image is not None:
            others = OtherWorkspaces.create(environment.workspace)
            target = replace(target, workspaces=others.paths)
        elif target.isolation is not None:
            others = OtherWorkspaces.create(environment.workspace)
            isolation = replace(target.isolation, writable=(environment.workspace.path, *others.paths))
            target = replace(target, isolation=isolation)
        platform = None if target.platform is None else CandidatePlatform(target, environment.workspace)
        target = target if platform is None else platform.apply_to(target)
        return cls(connect(target), environment, plan, other_workspaces=others, platform=platform, _target=target)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self, *, named_explicitly: bool = False) -> Self:
        """Start the candidate and read its declarations.

        ``named_explicitly``: the user has named the specifications, so the candidate need not claim them. Raises
        CandidateFault, KeyboardInterrupt, and UsageError for declarations that contradict the manifest or the packs.
        """
        with self.environment.interrupts.interruptible():
            self.initialize_result = self.adapter.start(str(self.environment.workspace.path))
        if self.plan is not None:
            hello, packs = self.initialize_result, self.plan.packs
            self.packs = packs_claimed(packs, hello, named_explicitly=named_explicitly)
            self.declared_readings = declared_readings(self.plan.target, hello, packs)
            if any(part.pack.has_side_effects for part in self.packs):
                self._protect_folders(self._target or self.plan.target)
        return self

    def _protect_folders(self, target: Target) -> None:
        """Watch the user's folders, and start the candidate again in an empty directory of the workspace.

        Raises CandidateFault if it does not start there, and UsageError for a working directory that is not protected.
        """
        self._watched_folders = WatchedFolders((target.folder, Path(os.curdir).absolute()))
        protected, self._start_directory = protect_folders(target, self.environment.workspace)
        if self._start_directory is None:
            return
        self.adapter.close()
        self.adapter = connect(protected)
        try:
            with self.environment.interrupts.interruptible():
                hello = self.adapter.start(str(self.environment.workspace.path))
        except CandidateFault as fault:
            detail = (
                f"{fault.detail}; it starts in its own folder, but not in an empty directory, as candidates do whose "
                "tools change files: write {folder} before the names of its files, or set a search path in env"
            )
            raise CandidateFault(fault.kind, detail, fault.output) from fault
        check_same_declarations(self.initialize_result, hello)

    @property
    def warnings(self) -> list[str]:
        """One line for each claim that the run does not follow, and for each folder of the user that is lost."""
        claims = claim_warnings(self.packs, self.initialize_result) if self.packs else []
        return [*claims, *self._watched_folders.warnings]

    def find_lost_folder(self, scenario: str) -> CandidateFault | None:
        """Return the fault if the candidate's working directory or a folder of the user has lost its place.

        ``scenario`` is the id of the one that has just ended. The working directory is made again, and the candidate
        starts in it for the next call.
        """
        lost = self._watched_folders.find_lost(scenario)
        try:
            if self._start_directory is None or not self._start_directory.restore():
                return lost
            with self.environment.interrupts.interruptible():
                self.adapter.start(str(self.environment.workspace.path))
        except CandidateFault as fault:
            return fault
        return lost or lost_start_directory()

    def close(self) -> None:
        """Stop the candidate."""
        try:
            self.adapter.close()
        finally:
            if self.platform is not None:
                self.platform.close()
        if self.other_workspaces is not None:
            self.other_workspaces.remove()

    @property
    def is_reference(self) -> bool:
        """True for the reference implementation that the packs name."""
        return self.plan is not None and self.plan.is_reference

    @property
    def is_harmless(self) -> bool:
        """True if nothing outside of the workspaces is at stake when the candidate gets a root there."""
        return self.plan is not None and self.plan.is_harmless

    @property
    def call_seconds(self) -> float:
        """The time limit of a call, in seconds."""
        return (Limits() if self.plan is None else self.plan.target.limits).call_seconds

    def with_adapter(self, adapter: Adapter) -> ConnectedCandidate:
        """Return the same started candidate behind another adapter; both share one circuit breaker."""
        other = copy.copy(self)
        other.adapter, other._last_answered_call = adapter, None
        return other

    # ---- requests -----------------------------------------------------------------------------------------------

    def call(self, call: Call, adapter: Adapter | None = None) -> CallResult:
        """Call a tool in the candidate's process, or in the new process ``adapter``. Raises CandidateFault."""
        answer = self.guard(lambda: (adapter or self.adapter).call(call))
        self._last_answered_call = call
        return answer

    def describe(self, tool: str) -> ToolDefinition:
        """Return the candidate's definition of ``tool``. Raises CandidateFault."""
        return self.guard(lambda: self.adapter.describe(tool))

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Start the candidate in a new process, which the caller closes.

        Raises CandidateFault, also if the new process declares something else, and NotVerified if the adapter cannot
        start a process.
        """
        require_own_places(*([] if options.cwd is None else [options.cwd]))
        if self.platform is not None:
            self.platform.require_options(options)
        try:
            adapter = self.adapter.spawn(options)
        except UnsupportedByAdapter as reason:
            raise NotVerified("adapter_unsupported", str(reason)) from reason
        try:
            path = str(self.environment.workspace.path)
            hello = self.guard(lambda: adapter.start(path), is_answer=False)
            check_same_declarations(self.initialize_result, hello)
        except BaseException:
            adapter.close()
            raise
        return adapter

    def guard(self, request: Callable[[], Result], *, is_answer: bool = True) -> Result:
        """Make a request unless the circuit breaker is open, and record how it ended.

        Raises CandidateFault, NotApplicable for a call with an argument that the tool lacks, and NotVerified for a
        request that the adapter cannot transmit or that is not made because of earlier faults.
        """
        if self._start_directory is not None:  # a later process would start where a link in its place leads
            require_own_places(os.fsencode(self._start_directory.path))
        self._probe_if_needed()
        self.circuit_breaker.raise_if_open()
        began = time.monotonic()
        try:
            with self.environment.interrupts.interruptible():
                result = request()
        except CandidateFault as fault:
            self.circuit_breaker.record_failure(fault, time.monotonic() - began)
            raise
        except UnsupportedByAdapter as reason:
            raise not_sent(reason) from reason
        if is_answer:
            self.circuit_breaker.record_success()
        return result

    def _probe_if_needed(self) -> None:
        """Make a call in an empty folder after consecutive faults; a fault opens the breaker.

        It is the last call with an answer; without one, a call with the default arguments.

        Only on the main thread: a restarted process dies with the thread that has started it.
        """
        breaker = self.circuit_breaker
        if not breaker.needs_probe or threading.current_thread() is not threading.main_thread():
            return
        answered, self._last_answered_call = self._last_answered_call or self._default_call(), None
        if answered is None:
            breaker.trip()
            return
        began = time.monotonic()
        try:
            folder = os.fsdecode(self.environment.workspace.create_sandbox("control"))
            context = {**answered.context, "roots": [folder], "working_dir": folder}
            with self.environment.interrupts.interruptible():
                self.adapter.call(replace(answered, context=context))
        except CandidateFault as fault:
            breaker.record_failure(fault, time.monotonic() - began)
            breaker.trip()
        except CannotBuild:
            breaker.trip()
        except UnsupportedByAdapter:  # no fault
            breaker.probe_succeeded()
        else:
            breaker.probe_succeeded()
            self._last_answered_call = answered

    def _default_call(self) -> Call | None:
        """Return a call of the first tool that the candidate offers; None if its specifications are unknown."""
        for selected in self.packs:
            for tool in selected.pack.tools:
                if tool.name in self.initialize_result.tools:
                    return Call(tool.name, dict(tool.default_arguments), dict(selected.pack.context))
        return None


def not_sent(reason: UnsupportedByAdapter) -> NotVerified | NotApplicable:
    """Return the outcome of a scenario whose call was not sent."""
    if isinstance(reason, LacksArgument):
        return NotApplicable(str(reason))
    kind = NotVerified if isinstance(reason, RefusedByGlue) else NotSent
    return kind("adapter_unsupported", str(reason))


def check_same_declarations(first: InitializeResult, other: InitializeResult) -> None:
    """Raise CandidateFault if a new process declares other tools, capabilities or readings than the first one."""
    names = ("tools", "capabilities", "interpretations")
    changed = [name for name in names if getattr(first, name) != getattr(other, name)]
    if changed:
        raise CandidateFault("inconsistent", f"in a new process it declares other {' and '.join(changed)} than before")
