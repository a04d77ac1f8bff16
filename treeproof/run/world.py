"""The state of one scenario: its trees, its calls, its answers and what it learnt of the readings.

The steps speak to a world; a world speaks to the session. Nothing here knows a specification.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from treeproof.candidate import Adapter, Call, CallResult, ProcessOptions, ToolDefinition
from treeproof.run import evidence
from treeproof.run.directory_watch import DirectoryWatch
from treeproof.run.placeholders import expand, expand_text, scrub
from treeproof.run.sandboxes import Sandboxes
from treeproof.run.session import Session
from treeproof.spec import Tool
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import (
    LISTED,
    RENAME_CALLS,
    REVERSED,
    CannotBuild,
    CannotInject,
    CreationOrder,
    Kind,
    Node,
    Snapshot,
    Tree,
    build_tree,
    by_path,
    diff_snapshots,
    failure_args,
    fault_args,
    from_paths,
    nest,
    parse_tree,
    read_tree,
    shuffled,
    take_snapshot,
)
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome
from treeproof.verdict.record import truncate

FAULT_NOT_TRIGGERED = "the injected fault was not met: nothing shows what the candidate does with it"
"""Why a scenario about a fault shows nothing."""


class World:
    """One scenario. Steps are the only callers; they find here what the sentences before them left."""

    def __init__(self, session: Session, case: ScenarioCase) -> None:
        self.session = session
        self.case = case
        self.step = ""
        self.phase = "given"
        self.readings: dict[str, str] = {}
        self.warnings: list[str] = []
        self.simulated_platform: str | None = None
        self.has_positive_evidence = False
        self.creation_order: CreationOrder = LISTED
        self.context: dict[str, Any] = {}
        self.config: dict[str, Any] | None = None
        self.tool_config: dict[str, Any] | None = None
        self.process_options: ProcessOptions | None = None
        self.calls: list[Call] = []
        self.answers: list[CallResult] = []
        self.definition: ToolDefinition | None = None
        self.tree_notations: dict[str, str] = {}
        self.tree = Tree(())
        self.sandboxes = Sandboxes(session.workspace, case.id)
        self.directory_watch = DirectoryWatch()
        self.mount_namespace_root = b""
        self.tree_before: Tree | None = None
        self.tree_after: Tree | None = None
        self.expected_tree: Tree | None = None
        self._baseline_snapshot: Snapshot | None = None
        self.changed_by_suite = False
        self._own_adapter: Adapter | None = None
        self.budget_sweep: object = None
        self.scaling: object = None
        self.strace_args: tuple[bytes, ...] = ()
        self.trace_lines: tuple[str, ...] = ()
        self.injected_count = 0
        self.fault_required = False
        self.on_strace_attached: Callable[[], object] = lambda: None
        self.expected_text = ""

    # ---- places -------------------------------------------------------------------------------------------------

    @property
    def outside(self) -> bytes:
        """Absolute path of the folder that holds the sandbox root and its siblings."""
        return os.path.dirname(self.root)

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        return self.sandboxes.root

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of this scenario and what they stand for."""
        return self.sandboxes.placeholders

    # ---- Given --------------------------------------------------------------------------------------------------

    def build_tree(self, notation: str, *, beside_root: bool = False) -> None:
        """Build the tree of ``notation`` as the sandbox root, or beside it. Raises NotVerified where it cannot be."""
        tree = parse_tree(notation)
        self.tree_notations["outside" if beside_root else "tree"] = notation
        if not beside_root:
            self.tree = tree
        self.build(tree, self.outside if beside_root else self.root)

    def build(self, tree: Tree, at: bytes, *, adding: bool = False) -> None:
        """Build ``tree`` below the existing folder ``at``. Raises NotVerified where it would not be what it seems.

        With ``adding`` directories that are there already get more entries.
        """
        if not self.session.adapter.respects_file_modes and any(map(_is_unreadable_folder, tree.walk())):
            raise NotVerified(
                "the candidate may ignore file modes, and not by the suite's leave: start its process without "
                "CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH on this machine, or let the suite start it"
            )
        names = {name.encode(): os.fsencode(path) for name, path in self.placeholders.items()}
        try:
            build_tree(tree, at, order=self.creation_order, substitutions=names, add_to_existing=adding)
        except CannotBuild as refusal:
            raise NotVerified(f"this machine cannot make the tree: {refusal}") from refusal

    def require_capability(self, capability: str) -> None:
        """Raise NotVerified when the candidate does not declare ``capability``."""
        self.session.require_capability(capability)

    # ---- When ---------------------------------------------------------------------------------------------------

    def call(
        self, tool: str, text: str, *, verbatim: bool = False, extra_context: Mapping[str, Any] | None = None
    ) -> CallResult:
        """Call ``tool`` with the JSON ``text`` as arguments and keep the answer as the last one."""
        call = self.prepare_call(tool, text, verbatim=verbatim, extra_context=extra_context)
        return self.send(call)

    def prepare_call(
        self, tool: str, text: str, *, verbatim: bool = False, extra_context: Mapping[str, Any] | None = None
    ) -> Call:
        """Return the call, placeholders replaced, with the context that the Given sentences made."""
        spelled = expand_text(text, self.placeholders)
        arguments = json.loads(spelled)
        if not verbatim and isinstance(arguments, dict):
            arguments = {**self._tool(tool).default_arguments, **arguments}
        root = os.fsdecode(self.root)
        context = {
            "roots": [root],
            "working_dir": root,
            **expand(self._default_context(), self.placeholders),
            **(extra_context or {}),
        }
        config = self._config_for(tool)
        if config is not None:
            context["config"] = config
        return Call(
            tool=tool, arguments=arguments, context=context, arguments_text=spelled if verbatim else None
        )

    def _default_context(self) -> dict[str, Any]:
        return {**self.session.pack.context, **self.context}

    def _tool(self, name: str) -> Tool:
        return self.session.pack.tool(name)

    def _config_for(self, tool: str) -> dict[str, Any] | None:
        if self.config is None and self.tool_config is None:
            return None
        config = json.loads(json.dumps(self.config or {}))
        if self.tool_config is not None:
            config.setdefault("tools", {}).setdefault(self._tool(tool).config_table, {}).update(
                self.tool_config
            )
        return dict(config)

    def send(self, call: Call) -> CallResult:
        """Send a prepared call; remembers call and answer. Raises CandidateFault."""
        self.begin_observation()
        self.calls.append(call)
        if self.records_effects:
            self.tree_before = self.read_tree()
        answer = self.send_unrecorded(call)
        self.answers.append(answer)
        if self.records_effects:
            self.tree_after = self.read_tree()
        return answer

    def send_and_kill(self, call: Call, strace_args: Sequence[bytes]) -> None:
        """Make ``call`` in a process of its own that dies of it by ``words`` of strace; there is no answer.

        Raises CandidateFault, and NotVerified where it answered.
        """
        self.begin_observation()
        self.calls.append(call)
        self.tree_before = self.read_tree()
        if not self.session.call_and_kill(call, strace_args):
            raise NotVerified("the candidate never came to where it was to be killed")
        self.tree_after = self.read_tree()

    @property
    def records_effects(self) -> bool:
        """Whether what stands there before and after a call is evidence: where a tool changes the tree."""
        return any(tool.has_side_effects for tool in self.session.pack.tools)

    def read_tree(self) -> Tree:
        """What stands in the sandbox root and beside it, as the candidate sees it; the second root as ``$FAR``."""
        entries = by_path(read_tree(self.mount_namespace_root + self.outside))
        if self.sandboxes.second_root is not None:
            entries |= by_path(nest(read_tree(self.sandboxes.second_root), b"$FAR"))
        return from_paths(entries)

    def send_unrecorded(self, call: Call) -> CallResult:
        """Ask the candidate, under the faults of the tree or a trace where there are any. Raises CandidateFault."""
        with self.directory_watch.during_call():
            return self._send_with_faults(call)

    def _send_with_faults(self, call: Call) -> CallResult:
        words = self.strace_args
        if self.tree.faults():
            try:
                words = (*words, *fault_args(self.tree, self.root))
            except CannotInject as why:
                raise NotVerified(f"the faults cannot be injected: {why}") from why
        if self.sandboxes.simulates_cross_device:
            # No new second name: a copy that is complete may get its first one by a link.
            words = (
                *words,
                *failure_args(RENAME_CALLS, "error=EXDEV", (path for path, _ in self.tree.walk()), self.root),
            )
        if not words:
            return self.session.call(call, self.own_process())
        attached, self.on_strace_attached = self.on_strace_attached, lambda: None
        answer, trace = self.session.call_traced(call, words, self.own_process(), attached)
        self.injected_count += trace.injected_count
        self.trace_lines += trace.lines
        return answer

    def send_to_rebuilt_tree(self, call: Call, *, order: str, subfolder: str = "") -> CallResult:
        """Make ``call`` on the same tree, built anew in ``order`` in another sandbox root (``deeper`` below it)."""
        root = os.path.join(self.add_root(order), subfolder.encode()).rstrip(b"/")
        os.makedirs(root, exist_ok=True)
        kept, self.creation_order = self.creation_order, parse_creation_order(order)
        try:
            self.build(self.tree, root)
        finally:
            self.creation_order = kept
        place = os.fsdecode(root)
        there = {"$ROOT": place, "$OUTSIDE": os.path.dirname(place)}
        moved = replace(call, arguments=expand(scrub(call.arguments, self.placeholders), there))
        return self.send(self.with_context(moved, roots=[place], working_dir=place))

    def add_root(self, label: str) -> bytes:
        """Return a new empty sandbox root, removed with this scenario's own."""
        return self.sandboxes.add_root(label)

    @staticmethod
    def with_context(call: Call, **members: Any) -> Call:
        """Return ``call`` with members of its context replaced."""
        return replace(call, context={**call.context, **members})

    def control_call(self, tool: str, text: str, notation: str | None = None) -> CallResult:
        """Make a call with the default context, on this tree or a small one of its own; it is not the last answer."""
        self.begin_observation()
        root = self.root
        if notation is not None:
            root = self.add_root("control")
            self.build(parse_tree(notation), root)
        place = os.fsdecode(root)
        names = {"$ROOT": place, "$OUTSIDE": os.path.dirname(place)}
        arguments = {**self._tool(tool).default_arguments, **json.loads(expand_text(text, names))}
        context = {**self.session.pack.context, "roots": [place], "working_dir": place}
        return self.send_unrecorded(Call(tool, arguments, context))

    def reset_baseline(self) -> None:
        """Take the snapshot anew before the next call: the suite itself has changed the tree between two calls."""
        self._baseline_snapshot = None
        self.changed_by_suite = True

    def begin_observation(self) -> None:
        """Take the snapshot that "the tree is unchanged" compares with, and start watching, once."""
        if self._baseline_snapshot is None:
            self._baseline_snapshot = self.snapshot()
        self.directory_watch.start(self.outside)

    def own_process(self) -> Adapter | None:
        """The fresh process that this scenario's calls go to; None for the run's own."""
        if self.process_options is None:
            return None
        if self._own_adapter is None:
            self._own_adapter = self.session.spawn(self.process_options)
        return self._own_adapter

    def use_process(self, options: ProcessOptions | None) -> None:
        """Send the following calls to a fresh process with ``launch`` (None: back to the run's own process)."""
        if self._own_adapter is not None:
            self._own_adapter.close()
            self._own_adapter = None
        self.process_options = options

    def send_to_new_processes(self, option_sets: Sequence[ProcessOptions]) -> None:
        """Make the first call again in one fresh process a launch; their starts overlap, their answers keep the order.

        Raises CandidateFault. With faults in the tree or under a trace they go one after the other.
        """
        call = self.calls[0]
        if self.strace_args or self.tree.faults():
            for launch in option_sets:
                self.use_process(launch)
                self.send(call)
            self.use_process(None)
            return

        def ask(launch: ProcessOptions) -> CallResult:
            adapter = self.session.spawn(launch)
            try:
                return self.session.call(call, adapter)
            finally:
                adapter.close()

        # A child dies with the thread that started it, so each is started, asked and closed in one thread.
        with ThreadPoolExecutor(max_workers=4) as pool:
            answers = list(pool.map(ask, option_sets))
        self.calls += [call] * len(answers)
        self.answers += answers

    @property
    def answer(self) -> CallResult:
        """The last answer."""
        if not self.answers:
            raise Mismatch("no call was made before this sentence")
        return self.answers[-1]

    # ---- Then ---------------------------------------------------------------------------------------------------

    def tree_changes(self) -> list[str]:
        """Return what the calls changed in the tree or beside it, as texts."""
        return (
            diff_snapshots(self._baseline_snapshot, self.snapshot())
            if self._baseline_snapshot is not None
            else []
        )

    def snapshot(self) -> Snapshot:
        """Return what stands in the sandbox root and beside it."""
        return take_snapshot(self.outside)

    def accepted_readings(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        return self.session.accepted_readings(interpretation)

    def record_reading(self, interpretation: str, label: str) -> None:
        """Record the reading that this scenario saw; two different ones in one scenario are a mismatch."""
        before = self.readings.setdefault(interpretation, label)
        if before != label:
            raise Mismatch(f"{interpretation}: this scenario saw the reading {before} and then {label}")

    def warn(self, text: str) -> None:
        """Note what is worth saying and decides nothing outside the strict profile."""
        if self.session.profile == "strict":
            raise Mismatch(text)
        self.warnings.append(truncate(text, 400))

    def check_evidence(self) -> None:
        """After the last step: raise NotVerified where what had to be met was not: a watch, a fault."""
        self.directory_watch.check_evidence()
        if self.expects_fault and not self.injected_count:
            raise NotVerified(FAULT_NOT_TRIGGERED)

    @property
    def expects_fault(self) -> bool:
        """Whether something is to go wrong by the tree's recipe or by a sentence."""
        return self.fault_required or bool(self.tree.faults())

    @property
    def fault_not_triggered(self) -> bool:
        """Whether calls were made and something was to go wrong in them that no system call of the candidate met."""
        return self.expects_fault and bool(self.calls) and not self.injected_count

    def set_expected_text(self, text: str) -> None:
        """Note in words what the sentence at hand expects, for the evidence."""
        self.expected_text = text

    # ---- the end ------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop what this scenario started and remove what it built. Nothing remains."""
        self.directory_watch.close()
        if self._own_adapter is not None:
            self._own_adapter.close()
        self.sandboxes.close()

    def build_evidence(self, outcome: Outcome, details: Mapping[str, str]) -> dict[str, Any]:
        """Return what the report keeps of this scenario, without a path of this run."""
        return evidence.build_evidence(self, outcome, details)


def _is_unreadable_folder(entry: tuple[bytes, Node]) -> bool:
    """Whether it is a directory that its owner may not list or enter, unless he ignores modes."""
    node = entry[1]
    return node.kind is Kind.DIR and node.mode is not None and node.mode & 0o500 != 0o500


def parse_creation_order(text: str) -> CreationOrder:
    """Return the building order that ``listed``, ``reversed`` or ``shuffled 7`` names."""
    word, _, seed = text.partition(" ")
    match word:
        case "listed":
            return LISTED
        case "reversed":
            return REVERSED
        case "shuffled":
            return shuffled(int(seed))
        case _:
            raise Fault(
                "harness", f"no building order {text!r}; write listed, reversed or shuffled and a number"
            )
