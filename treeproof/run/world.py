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
from treeproof.run import showing
from treeproof.run.placeholders import expand, expand_text, scrub
from treeproof.run.places import Places
from treeproof.run.session import Session
from treeproof.run.watching import Watching
from treeproof.spec import Tool
from treeproof.spec.gherkin import ScenarioRow
from treeproof.tree import (
    LISTED,
    MOVES,
    REVERSED,
    CannotBuild,
    CannotInject,
    Kind,
    Node,
    Order,
    Snapshot,
    Tree,
    below,
    build,
    differences,
    failing,
    flat,
    injection,
    parse,
    planted,
    portray,
    shuffled,
    take,
)
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome
from treeproof.verdict.evidence import bounded

UNMET = "the injected fault was not met: nothing shows what the candidate does with it"
"""Why a scenario about a fault shows nothing."""


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
        self.places = Places(session.workspace, row.id)
        self.watching = Watching()
        self.seen_from = b""
        self.before: Tree | None = None
        self.after: Tree | None = None
        self.due: Tree | None = None
        self._before: Snapshot | None = None
        self.changed = False
        self._fresh: Adapter | None = None
        self.sweep: object = None
        self.growth: object = None
        self.strace: tuple[bytes, ...] = ()
        self.trace: tuple[str, ...] = ()
        self.injected = 0
        self.must_be_met = False
        self.once_attached: Callable[[], object] = lambda: None
        self.expected = ""

    # ---- places -------------------------------------------------------------------------------------------------

    @property
    def outside(self) -> bytes:
        """Absolute path of the folder that holds the sandbox root and its siblings."""
        return os.path.dirname(self.root)

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        return self.places.root

    @property
    def names(self) -> dict[str, str]:
        """The placeholders of this scenario and what they stand for."""
        return self.places.names

    # ---- Given --------------------------------------------------------------------------------------------------

    def grow(self, notation: str, *, beside: bool = False) -> None:
        """Build the tree of ``notation`` as the sandbox root, or beside it. Raises NotVerified where it cannot be."""
        tree = parse(notation)
        self.trees["outside" if beside else "tree"] = notation
        if not beside:
            self.tree = tree
        self.build(tree, self.outside if beside else self.root)

    def build(self, tree: Tree, at: bytes, *, adding: bool = False) -> None:
        """Build ``tree`` below the existing folder ``at``. Raises NotVerified where it would not be what it seems.

        With ``adding`` directories that are there already get more entries.
        """
        if not self.session.adapter.heeds_modes and any(map(_is_barred, tree.walk())):
            raise NotVerified(
                "the candidate may ignore file modes, and not by the suite's leave: start its process without "
                "CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH on this machine, or let the suite start it"
            )
        names = {name.encode(): os.fsencode(path) for name, path in self.names.items()}
        try:
            build(tree, at, order=self.order, substitutions=names, adding=adding)
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
        arguments = json.loads(spelled)
        if not exactly and isinstance(arguments, dict):
            arguments = {**self._tool(tool).assumed, **arguments}
        root = os.fsdecode(self.root)
        context = {
            "roots": [root],
            "working_dir": root,
            **expand(self._context(), self.names),
            **(extra or {}),
        }
        config = self._configuration(tool)
        if config is not None:
            context["config"] = config
        return Call(
            tool=tool, arguments=arguments, context=context, arguments_text=spelled if exactly else None
        )

    def _context(self) -> dict[str, Any]:
        return {**self.session.pack.context, **self.context}

    def _tool(self, name: str) -> Tool:
        return self.session.pack.tool(name)

    def _configuration(self, tool: str) -> dict[str, Any] | None:
        if self.config is None and self.table is None:
            return None
        config = json.loads(json.dumps(self.config or {}))
        if self.table is not None:
            config.setdefault("tools", {}).setdefault(self._tool(tool).table, {}).update(self.table)
        return dict(config)

    def send(self, call: Call) -> Answer:
        """Send a prepared call; remembers call and answer. Raises CandidateFault."""
        self.begin()
        self.calls.append(call)
        if self.tells_effects:
            self.before = self.portrait()
        answer = self.ask(call)
        self.answers.append(answer)
        if self.tells_effects:
            self.after = self.portrait()
        return answer

    def kill(self, call: Call, words: Sequence[bytes]) -> None:
        """Make ``call`` in a process of its own that dies of it by ``words`` of strace; there is no answer.

        Raises CandidateFault, and NotVerified where it answered.
        """
        self.begin()
        self.calls.append(call)
        self.before = self.portrait()
        if not self.session.killed(call, words):
            raise NotVerified("the candidate never came to where it was to be killed")
        self.after = self.portrait()

    @property
    def tells_effects(self) -> bool:
        """Whether what stands there before and after a call is evidence: where a tool changes the tree."""
        return any(tool.changes for tool in self.session.pack.tools)

    def portrait(self) -> Tree:
        """What stands in the sandbox root and beside it, as the candidate sees it; the second root as ``$FAR``."""
        entries = flat(portray(self.seen_from + self.outside))
        if self.places.far is not None:
            entries |= flat(below(portray(self.places.far), b"$FAR"))
        return planted(entries)

    def ask(self, call: Call) -> Answer:
        """Ask the candidate, under the faults of the tree or a trace where there are any. Raises CandidateFault."""
        with self.watching.during_a_call():
            return self._ask(call)

    def _ask(self, call: Call) -> Answer:
        words = self.strace
        if self.tree.faults():
            try:
                words = (*words, *injection(self.tree, self.root))
            except CannotInject as why:
                raise NotVerified(f"the faults cannot be injected: {why}") from why
        if self.places.far_is_near:
            # No new second name: a copy that is complete may get its first one by a link.
            words = (
                *words,
                *failing(MOVES, "error=EXDEV", (path for path, _ in self.tree.walk()), self.root),
            )
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
        place = os.fsdecode(root)
        there = {"$ROOT": place, "$OUTSIDE": os.path.dirname(place)}
        moved = replace(call, arguments=expand(scrub(call.arguments, self.names), there))
        return self.send(self.with_context(moved, roots=[place], working_dir=place))

    def another(self, label: str) -> bytes:
        """Return a new empty sandbox root, removed with this scenario's own."""
        return self.places.another(label)

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
        place = os.fsdecode(root)
        names = {"$ROOT": place, "$OUTSIDE": os.path.dirname(place)}
        arguments = {**self._tool(tool).assumed, **json.loads(expand_text(text, names))}
        context = {**self.session.pack.context, "roots": [place], "working_dir": place}
        return self.ask(Call(tool, arguments, context))

    def disturbed(self) -> None:
        """Take the snapshot anew before the next call: the suite itself has changed the tree between two calls."""
        self._before = None
        self.changed = True

    def begin(self) -> None:
        """Take the snapshot that "the tree is unchanged" compares with, and start watching, once."""
        if self._before is None:
            self._before = self.look()
        self.watching.begin(self.outside)

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
        """After the last step: raise NotVerified where what had to be met was not: a watch, a fault."""
        self.watching.settle()
        if self.has_faults and not self.injected:
            raise NotVerified(UNMET)

    @property
    def has_faults(self) -> bool:
        """Whether something is to go wrong by the tree's recipe or by a sentence."""
        return self.must_be_met or bool(self.tree.faults())

    @property
    def is_about_what_did_not_happen(self) -> bool:
        """Whether calls were made and something was to go wrong in them that no system call of the candidate met."""
        return self.has_faults and bool(self.calls) and not self.injected

    def expecting(self, text: str) -> None:
        """Note in words what the sentence at hand expects, for the evidence."""
        self.expected = text

    # ---- the end ------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop what this scenario started and remove what it built. Nothing remains."""
        self.watching.close()
        if self._fresh is not None:
            self._fresh.close()
        self.places.close()

    def evidence(self, outcome: Outcome, why: Mapping[str, str]) -> dict[str, Any]:
        """Return what the report keeps of this scenario, without a path of this run."""
        return showing.evidence(self, outcome, why)


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
