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

from treeproof.candidate import Adapter, Answer, Call, Definition, Launch
from treeproof.run.placeholders import expand, expand_text, scrub
from treeproof.run.session import Session
from treeproof.spec.gherkin import ScenarioRow
from treeproof.tree import (
    LISTED,
    REVERSED,
    CannotBuild,
    CannotInject,
    Kind,
    Node,
    Order,
    Snapshot,
    Tree,
    Watch,
    WatchUnavailable,
    Workspace,
    build,
    differences,
    disk_base,
    injection,
    parse,
    shuffled,
    take,
)
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome
from treeproof.verdict.evidence import bounded

ROOT = "root"
"""Basename of every sandbox root (the workspace's choice), so that ``root2`` beside it shares its prefix."""


class World:
    """One scenario. Steps are the only callers; they find here what the sentences before them left."""

    def __init__(self, session: Session, row: ScenarioRow) -> None:
        self.session = session
        self.row = row
        self.step = ""
        self.phase = "given"
        self.readings: dict[str, str] = {}
        self.warnings: list[str] = []
        self.simulated: str | None = None
        self.positive = False
        self.order: Order = LISTED
        self.context: dict[str, Any] = {}
        self.config: dict[str, Any] | None = None
        self.table: dict[str, Any] | None = None
        self.launch: Launch | None = None
        self.calls: list[Call] = []
        self.answers: list[Answer] = []
        self.definition: Definition | None = None
        self.trees: dict[str, str] = {}
        self.tree = Tree(())
        self._roots: list[bytes] = []
        self.on_disk = False
        self._disk: Workspace | None = None
        self._before: Snapshot | None = None
        self._fresh: Adapter | None = None
        self._watch: Watch | None = None
        self._opened: frozenset[bytes] = frozenset()
        self.watching = False
        self.sweep: object = None
        self.growth: object = None
        self.strace: tuple[bytes, ...] = ()
        self.trace: tuple[str, ...] = ()
        self.injected = 0
        self.once_attached: Callable[[], object] = lambda: None
        self._expected = ""

    # ---- places -------------------------------------------------------------------------------------------------

    @property
    def outside(self) -> bytes:
        """Absolute path of the folder that holds the sandbox root and its siblings."""
        return os.path.dirname(self.root)

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        if not self._roots:
            self._roots.append(self._fixture(self.row.id))
        return self._roots[0]

    def _fixture(self, label: str) -> bytes:
        try:
            return self._place().fixture(label)
        except CannotBuild as refusal:
            if isinstance(refusal.__cause__, FileNotFoundError):
                raise Fault(
                    "candidate", "it has removed the workspace, where the trees are made"
                ) from refusal
            why = getattr(refusal.__cause__, "strerror", refusal)
            raise NotVerified(f"this machine cannot make a place for the tree: {why}") from refusal

    def _place(self) -> Workspace:
        """Where the fixtures of this scenario lie: the run's workspace, or one on a disk's file system."""
        if not self.on_disk:
            return self.session.workspace
        base = disk_base()
        if base is None:
            raise NotVerified("needs disk: no writable directory is on a disk")
        if self._disk is None:
            self._disk = Workspace.create(base)
        return self._disk

    @property
    def names(self) -> dict[str, str]:
        """The placeholders of this scenario and what they stand for."""
        return {"$ROOT": os.fsdecode(self.root), "$OUTSIDE": os.fsdecode(self.outside)}

    # ---- Given --------------------------------------------------------------------------------------------------

    def grow(self, notation: str, *, beside: bool = False) -> None:
        """Build the tree of ``notation`` as the sandbox root, or beside it. Raises NotVerified where it cannot be."""
        tree = parse(notation)
        self.trees["outside" if beside else "tree"] = notation
        if not beside:
            self.tree = tree
        self.build(tree, self.outside if beside else self.root)

    def build(self, tree: Tree, at: bytes) -> None:
        """Build ``tree`` below the existing folder ``at``. Raises NotVerified where it would not be what it seems."""
        if not self.session.adapter.heeds_modes and any(map(_is_barred, tree.walk())):
            raise NotVerified(
                "the candidate may ignore file modes, and not by the suite's leave: start its process without "
                "CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH on this machine, or let the suite start it"
            )
        names = {name.encode(): os.fsencode(path) for name, path in self.names.items()}
        try:
            build(tree, at, order=self.order, substitutions=names)
        except CannotBuild as refusal:
            raise NotVerified(f"this machine cannot make the tree: {refusal}") from refusal

    def require(self, capability: str) -> None:
        """Raise NotVerified when the candidate does not declare ``capability``."""
        self.session.require(capability)

    # ---- When ---------------------------------------------------------------------------------------------------

    def call(
        self, tool: str, text: str, *, exactly: bool = False, extra: Mapping[str, Any] | None = None
    ) -> Answer:
        """Call ``tool`` with the JSON ``text`` as arguments and keep the answer as the last one."""
        call = self.prepare(tool, text, exactly=exactly, extra=extra)
        return self.send(call)

    def prepare(
        self, tool: str, text: str, *, exactly: bool = False, extra: Mapping[str, Any] | None = None
    ) -> Call:
        """Return the call, placeholders replaced, with the context that the Given sentences made."""
        spelled = expand_text(text, self.names)
        arguments = _load(spelled)
        if not exactly and isinstance(arguments, dict):
            arguments.setdefault("path", ".")
        root = os.fsdecode(self.root)
        context = {"roots": [root], "working_dir": root, **expand(self.context, self.names), **(extra or {})}
        config = self._configuration(tool)
        if config is not None:
            context["config"] = config
        return Call(
            tool=tool, arguments=arguments, context=context, arguments_text=spelled if exactly else None
        )

    def _configuration(self, tool: str) -> dict[str, Any] | None:
        if self.config is None and self.table is None:
            return None
        config = json.loads(json.dumps(self.config or {}))
        if self.table is not None:
            own = {t.name for t in self.session.pack.tools}
            name = tool if tool in own else self.session.pack.tools[0].name
            config.setdefault("tools", {}).setdefault(name, {}).update(self.table)
        return dict(config)

    def send(self, call: Call) -> Answer:
        """Send a prepared call; remembers call and answer. Raises CandidateFault."""
        self.begin()
        self.calls.append(call)
        answer = self.ask(call)
        self.answers.append(answer)
        return answer

    def ask(self, call: Call) -> Answer:
        """Ask the candidate, under the faults of the tree or a trace where there are any. Raises CandidateFault."""
        if self._watch is None:
            return self._ask(call)
        self._watch.arm()
        try:
            return self._ask(call)
        finally:
            self._opened |= self._seen(self._watch)

    def _seen(self, watch: Watch) -> frozenset[bytes]:
        try:
            return watch.read()
        except WatchUnavailable as why:
            raise NotVerified(f"opened directories cannot be watched here: {why}") from why

    def _ask(self, call: Call) -> Answer:
        words = self.strace
        if self.tree.faults():
            try:
                words = (*words, *injection(self.tree, self.root))
            except CannotInject as why:
                raise NotVerified(f"the faults cannot be injected: {why}") from why
        if not words:
            return self.session.call(call, self.process())
        attached, self.once_attached = self.once_attached, lambda: None
        answer, trace = self.session.observed(call, words, self.process(), attached)
        self.injected += trace.injected
        self.trace += trace.lines
        return answer

    def send_elsewhere(self, call: Call, *, order: str, deeper: str = "") -> Answer:
        """Make ``call`` on the same tree, built anew in ``order`` in another sandbox root (``deeper`` below it)."""
        root = os.path.join(self.another(order), deeper.encode()).rstrip(b"/")
        os.makedirs(root, exist_ok=True)
        kept, self.order = self.order, order_of(order)
        try:
            self.build(self.tree, root)
        finally:
            self.order = kept
        return self.send(self.with_context(call, roots=[os.fsdecode(root)], working_dir=os.fsdecode(root)))

    def another(self, label: str) -> bytes:
        """Return a new empty sandbox root, removed with this scenario's own."""
        _ = self.root  # the scenario's own root is the first
        self._roots.append(self._fixture(f"{self.row.id} {label}"))
        return self._roots[-1]

    @staticmethod
    def with_context(call: Call, **members: Any) -> Call:
        """Return ``call`` with members of its context replaced."""
        return replace(call, context={**call.context, **members})

    def control(self, tool: str, text: str, notation: str | None = None) -> Answer:
        """Make a call with the default context, on this tree or a small one of its own; it is not the last answer."""
        self.begin()
        root = self.root
        if notation is not None:
            root = self.another("control")
            self.build(parse(notation), root)
        arguments = json.loads(expand_text(text, self.names))
        arguments.setdefault("path", ".")
        place = os.fsdecode(root)
        return self.ask(Call(tool, arguments, {"roots": [place], "working_dir": place}))

    def begin(self) -> None:
        """Take the snapshot that "the tree is unchanged" compares with, and start watching, once."""
        if self._before is None:
            self._before = self.look()
        if self.watching and self._watch is None:
            try:
                self._watch = Watch(self.outside)
                self._watch.__enter__()
            except WatchUnavailable as why:
                raise NotVerified(f"opened directories cannot be watched here: {why}") from why

    def process(self) -> Adapter | None:
        """The fresh process that this scenario's calls go to; None for the run's own."""
        if self.launch is None:
            return None
        if self._fresh is None:
            self._fresh = self.session.fresh(self.launch)
        return self._fresh

    def relaunch(self, launch: Launch | None) -> None:
        """Send the following calls to a fresh process with ``launch`` (None: back to the run's own process)."""
        if self._fresh is not None:
            self._fresh.close()
            self._fresh = None
        self.launch = launch

    def send_to_each(self, launches: Sequence[Launch]) -> None:
        """Make the first call again in one fresh process a launch; their starts overlap, their answers keep the order.

        Raises CandidateFault. With faults in the tree or under a trace they go one after the other.
        """
        call = self.calls[0]
        if self.strace or self.tree.faults():
            for launch in launches:
                self.relaunch(launch)
                self.send(call)
            self.relaunch(None)
            return

        def ask(launch: Launch) -> Answer:
            adapter = self.session.fresh(launch)
            try:
                return self.session.call(call, adapter)
            finally:
                adapter.close()

        # A child dies with the thread that started it, so each is started, asked and closed in one thread.
        with ThreadPoolExecutor(max_workers=4) as pool:
            answers = list(pool.map(ask, launches))
        self.calls += [call] * len(answers)
        self.answers += answers

    @property
    def answer(self) -> Answer:
        """The last answer."""
        if not self.answers:
            raise Mismatch("no call was made before this sentence")
        return self.answers[-1]

    # ---- Then ---------------------------------------------------------------------------------------------------

    def opened(self) -> frozenset[bytes]:
        """Return the directories, relative to the folder beside the root, that the calls until now have opened."""
        if self._watch is None:
            raise Mismatch("nothing was watched: the sentence 'opened directories are watched' is missing")
        return self._opened

    def changes(self) -> list[str]:
        """Return what the calls changed in the tree or beside it, as texts."""
        return differences(self._before, self.look()) if self._before is not None else []

    def look(self) -> Snapshot:
        """Return what stands in the sandbox root and beside it."""
        return take(self.outside)

    def accepted(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        return self.session.accepted(interpretation)

    def saw(self, interpretation: str, label: str) -> None:
        """Record the reading that this scenario saw; two different ones in one scenario are a mismatch."""
        before = self.readings.setdefault(interpretation, label)
        if before != label:
            raise Mismatch(f"{interpretation}: this scenario saw the reading {before} and then {label}")

    def advise(self, text: str) -> None:
        """Note what is worth saying and decides nothing outside the strict profile."""
        if self.session.profile == "strict":
            raise Mismatch(text)
        self.warnings.append(bounded(text, 400))

    def settle(self) -> None:
        """After the last step: raise NotVerified when the tree has faults and none of them was met."""
        if self.watching and not self._opened:
            raise NotVerified("the watch saw no directory opened at all, so it shows nothing")
        if self.tree.faults() and not self.injected:
            raise NotVerified("the injected fault was not met: nothing shows what the candidate does with it")

    def expecting(self, text: str) -> None:
        """Note in words what the sentence at hand expects, for the evidence."""
        self._expected = text

    # ---- the end ------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop what this scenario started and remove what it built. Nothing remains."""
        if self._watch is not None:
            self._watch.__exit__(None, None, None)
        if self._fresh is not None:
            self._fresh.close()
        if self._disk is not None:
            self._disk.remove()
        else:
            for root in self._roots:
                self.session.workspace.discard(root)

    def evidence(self, outcome: Outcome, why: Mapping[str, str]) -> dict[str, Any]:
        """Return what the report keeps of this scenario, without a path of this run."""
        result: dict[str, Any] = {**self.trees}
        if self.calls:
            result["call"] = _call_evidence(self.calls[-1])
        if self.answers:
            ours = outcome is not Outcome.PASSED or not self.context.get("roots")
            result["outcome"] = _answer_evidence(self.answers[-1], content=ours)
        if outcome is not Outcome.PASSED:
            result["steps"] = [f"{step.keyword_type} {step.text}" for step in self.row.steps]
            result["step"] = self.step
            if len(self.calls) > 1:
                result["calls"] = [_call_evidence(call) for call in self.calls[:8]]
            if outcome is Outcome.FAULT:
                result["stderr"] = bounded(self.session.adapter.diagnostics(), 4000)
        result.update(why)
        if not result.get("expected") and self._expected and outcome is Outcome.FAILED:
            result["expected"] = bounded(self._expected)
        return dict(scrub(result, self._all_names())) if self._roots else result

    def _all_names(self) -> dict[str, str]:
        """The placeholders, those of the other sandbox roots of this scenario included: ``$ROOT2``, ``$OUTSIDE2``…"""
        found = self.names
        for number, root in enumerate(self._roots[1:], start=2):
            found[f"$ROOT{number}"] = os.fsdecode(root)
            found[f"$OUTSIDE{number}"] = os.fsdecode(os.path.dirname(root))
        return found


def _is_barred(entry: tuple[bytes, Node]) -> bool:
    """Whether it is a directory that its owner may not list or enter, unless he ignores modes."""
    node = entry[1]
    return node.kind is Kind.DIR and node.mode is not None and node.mode & 0o500 != 0o500


def order_of(text: str) -> Order:
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


def _load(text: str) -> Any:
    return json.loads(text)


def _call_evidence(call: Call) -> dict[str, Any]:
    arguments = (
        call.arguments_text
        if call.arguments_text is not None
        else json.dumps(call.arguments, ensure_ascii=False)
    )
    return {"tool": call.tool, "arguments": bounded(arguments, 4000), "context": dict(call.context)}


def _answer_evidence(answer: Answer, *, content: bool) -> dict[str, Any]:
    if answer.status == "ok":
        text = answer.content or ""
        return {"status": "ok", "content": bounded(text, 8000)} if content else {"status": "ok"}
    return {"status": "error", "kind": answer.kind, "message": bounded(answer.message or "", 2000)}
