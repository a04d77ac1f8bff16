"""The state of one scenario, as its steps see it. Contains no knowledge of a specification.

Steps use a World; a World uses the session of the run. Its parts are modules of their own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions
from treeproof.model.case import NO_ANSWER, Exchange
from treeproof.model.checked_model import OutputSchema
from treeproof.run import evidence_collection
from treeproof.run.call_builder import CallBuilder
from treeproof.run.call_judge import CallJudge, changed_tree, describe_changes
from treeproof.run.circuit_breaker import Subject
from treeproof.run.sandbox import Sandbox, SandboxRoots
from treeproof.run.scenario_state import CallLog, DirectoryWatch, EffectRecorder, FaultInjection, ScenarioEvidence
from treeproof.run.session import Session
from treeproof.spec.gherkin import ScenarioCase, StepText
from treeproof.tree import LISTED, REVERSED, CreationOrder, met_path_only_open, parse_tree, shuffled, unusual_kinds
from treeproof.verdict import Evidence, Fault, Mismatch, NotApplicable, NotVerified, Outcome
from treeproof.verdict.finding import Alternative, CallJudgement, Finding

T = TypeVar("T")

FAULT_NOT_TRIGGERED = "the injected fault was not triggered, so the candidate's reaction is unknown"
"""The cause for a scenario whose fault no system call has triggered."""
FAULT_WITHOUT_EFFECT = "the injected fault had no effect: the call gives the same answer without it"
"""The cause for a scenario whose fault met nothing that the answer depends on."""


def _output_schema(session: Session) -> OutputSchema:
    return OutputSchema(session.pack)


class World:
    """One scenario. Only steps call it; each finds here the records of earlier steps."""

    def __init__(self, session: Session, case: ScenarioCase, sandbox: Sandbox | None = None) -> None:
        self.session = session
        self.case = case
        self.step: StepText | None = None
        """The step that runs, or at which the scenario has ended."""
        self.phase = "given"
        self.simulated_platform: str | None = None
        self.sandbox = sandbox or Sandbox(
            SandboxRoots(session.workspace, case.id, session.candidate.other_workspaces),
            respects_file_modes=session.candidate.adapter.respects_file_modes,
        )
        self.call_builder = CallBuilder(session.pack, self.sandbox)
        self.log = CallLog()
        self.effects = EffectRecorder(self.sandbox, reads_trees=session.pack.has_side_effects)
        self.faults = FaultInjection()
        self.evidence = ScenarioEvidence(
            is_strict=session.policy.profile == "strict", is_determined=session.pack.is_determined
        )
        self.directory_watch = DirectoryWatch()
        self._has_changed_tree = False
        self.judgements: list[CallJudgement] = []
        """The judgements of the model on the calls, in order."""
        self.exchanges: list[Exchange] = []
        """The calls that can change the tree, as the model has seen them."""
        self._process_options: ProcessOptions | None = None
        self._own_adapter: Adapter | None = None
        self._slots: dict[type, object] = {}
        session.candidate.circuit_breaker.subject = self._subject
        self._platform = session.platform
        if self._platform is not None:
            self._platform.is_own_rule = case.simulated == self._platform.name

    @property
    def answer(self) -> CallResult:
        """The result of the last call. Raises Mismatch if there is none."""
        return self.log.last_answer

    def require_capability(self, capability: str) -> None:
        """Raise NotVerified when the candidate does not declare ``capability``.

        NotApplicable in a generated scenario, which verifies no requirement: it only reaches inputs.
        """
        if self.case.is_generated and not self.session.offers_capability(capability):
            raise NotApplicable(f"an input for candidates with the capability {capability!r}")
        self.session.require_capability(capability)

    def require_own_root(self) -> None:
        """Raise NotVerified when the candidate has the trees of the whole run as its root."""
        self.session.require_own_root()

    def accepted_readings(self, interpretation: str) -> frozenset[str]:
        """Return the readings of an interpretation that this run accepts."""
        return self.session.accepted_readings(interpretation)

    # ---- state of step modules ----------------------------------------------------------------------------------

    def keep(self, state: object) -> None:
        """Keep an object of a step module for later steps; there is one for each class."""
        self._slots[type(state)] = state

    def kept(self, kind: type[T]) -> T:
        """Return the object of class ``kind`` that an earlier step kept. Raises Mismatch if there is none."""
        found = self._slots.get(kind)
        if not isinstance(found, kind):
            raise Mismatch(f"no step before this one has made a {kind.__name__}")
        return found

    # ---- calls --------------------------------------------------------------------------------------------------

    def call(
        self, tool: str, text: str, *, verbatim: bool = False, extra_context: Mapping[str, Any] | None = None
    ) -> CallResult:
        """Call ``tool`` with the JSON ``text`` as arguments and keep the answer as the last one."""
        return self.send(self.call_builder.build(tool, text, verbatim=verbatim, extra_context=extra_context))

    def send(self, call: Call) -> CallResult:
        """Send a call and record it with its result. Raises CandidateFault."""
        is_read = self.effects.has_baseline
        self.begin_observation()
        self.log.add(call)
        if self.effects.reads_trees and is_read:
            self.effects.before = self.effects.read_tree()
        self.log.unanswered_call = call
        try:
            answer = self.send_unrecorded(call)
        except CandidateFault:
            self._judge_unanswered(call)
            raise
        self.log.unanswered_call = None
        self.log.add_answer(answer)
        if self.effects.reads_trees:
            after = self.effects.read_tree()
            self.effects.after = self.effects.before if after == self.effects.before else after
        self._judge(call, answer)
        return answer

    def _judge(self, call: Call, answer: CallResult) -> None:
        """Let the model judge a call, and look at the tree after it."""
        pack = self.session.pack
        if not pack.has_model and (pack.output_form is None or "output" not in pack.schemas):
            if "output" in pack.schemas:
                for finding in self.session.shared(_output_schema).judge_answer(answer).findings:
                    self.evidence.warn_first(f"the output does not fit its schema: {finding.message}")
            self._look_at_tree()
            return
        number, reason = len(self.log.calls), ""
        if self.expects_fault and not self.faults.injected_count:
            reason = FAULT_NOT_TRIGGERED
        elif self._has_changed_tree:
            reason = "an earlier call has changed the tree"
        elif self._platform is not None and self._platform.is_own_rule:
            reason = f"a rule of {self._platform.label}, which the lines of the scenario state"
        judgement = CallJudgement(number, not_modelled=reason)
        if not reason:
            judgement = CallJudge.for_session(self.session).judge(self, call, answer, number)
            if judgement.alternatives and self._answers_alike_without_fault(call, answer):
                judgement = CallJudgement(number, not_modelled=FAULT_WITHOUT_EFFECT)
        self._keep(judgement)
        self._look_at_tree()

    def _judge_unanswered(self, call: Call) -> None:
        """Judge a call that never returned by the tree after it: what a call has done counts."""
        if self.effects.reads_trees:
            with contextlib.suppress(OSError):  # the candidate can have removed the tree
                self.effects.after = self.effects.read_tree()
                self._judge(call, NO_ANSWER)
        else:
            self._look_at_tree()

    def judge_form(self, why: Mismatch) -> None:
        """Keep a finding on the last call, whose output a step could not read, for the rule that demands its form."""
        pack = self.session.pack
        if why.is_other_form and pack.output_form is not None and not pack.has_model:
            finding = Finding(pack.output_form, why.message, why.expected, why.got, kind=why.kind)
            self._keep(CallJudgement(len(self.log.calls), alternatives=(Alternative({}, (finding,)),)))

    def judge_without_answer(self, message: str) -> None:
        """Keep a finding on the last call, which has no answer, for the rule of the contract that demands one."""
        rule = self.session.pack.requirement(self.session.pack.returns or "")
        finding = Finding(rule.id, message, "an answer", "", kind=message.partition(":")[0])
        self._keep(CallJudgement(len(self.log.calls), alternatives=(Alternative({}, (finding,)),)))

    def _look_at_tree(self) -> None:
        """Keep a finding if the last call of a tool without side effects has changed the tree.

        It is a warning in a pack without a requirement on that.
        """
        pack = self.session.pack
        if self.faults.race or self.effects.reads_trees:
            return
        if pack.unchanged is None:
            if self.log.unanswered_call is None and (found := self.effects.changes()):
                self.evidence.warn_first(describe_changes(found))
            return
        changes, is_lost = self.effects.take_changes()
        if changes:
            self._has_changed_tree = True
            rule = pack.requirement(pack.unchanged)
            self._keep(changed_tree(rule, changes, len(self.log.calls), is_lost=is_lost))

    def _keep(self, judgement: CallJudgement) -> None:
        """Keep a judgement; a wrong answer has the evidence that shows its call alone."""
        if judgement.alternatives:
            judgement = self._of_a_later_call(judgement)
            judgement = replace(judgement, evidence=Evidence.from_json(evidence_collection.build_call_evidence(self)))
        self.judgements.append(judgement)

    def _of_a_later_call(self, judgement: CallJudgement) -> CallJudgement:
        """Return the judgement of a call; one that is wrong after right ones first breaks the rule about that."""
        rule = self.session.pack.later
        if rule != self.case.requirement or judgement.number == 1 or any(one.alternatives for one in self.judgements):
            return judgement
        alternatives = tuple(
            replace(one, findings=tuple(_first_broken(rule, finding) for finding in one.findings))
            for one in judgement.alternatives
        )
        return replace(judgement, alternatives=alternatives)

    def _answers_alike_without_fault(self, call: Call, answer: CallResult) -> bool:
        if not self.sandbox.tree.faults() or self.effects.reads_trees:
            return False
        untroubled = self.session.call(call, self.own_process())
        return (untroubled.status, untroubled.content) == (answer.status, answer.content)

    def suite_has_changed(self, *paths: bytes) -> None:
        """Take note that a step has changed these paths in the sandbox root between two calls."""
        self.effects.reset_baseline()
        self.sandbox.note_changes(paths)

    def send_and_kill(self, call: Call, strace_args: Sequence[bytes]) -> None:
        """Send ``call`` to a new process that ``strace_args`` kill during it; there is no result.

        Raises CandidateFault, and NotVerified if the process survived.
        """
        self.begin_observation()
        self.log.add(call)
        self.effects.before = self.effects.read_tree()
        with self._record_broken_call(call):
            was_killed = self.session.call_and_kill(call, strace_args)
        if not was_killed:
            raise NotVerified(
                "fault_not_injected", "the candidate never reached the system call at which strace kills it"
            )
        self.effects.after = self.effects.read_tree()
        self._judge(call, NO_ANSWER)

    def send_unrecorded(self, call: Call) -> CallResult:
        """Send a call, with the faults and the tracing that the scenario requires.

        Raises CandidateFault, and NotApplicable for a root outside of the workspaces that the candidate could damage.
        """
        is_drive = self._platform is not None and self._platform.open_roots(call, self.sandbox.root)
        if self.simulated_platform is None and not is_drive and not self.session.candidate.is_harmless:
            self._require_own_roots(call)
        self.session.candidate.circuit_breaker.subject = self._subject
        with self.directory_watch.during_call(), self._record_broken_call(call):
            args = self.faults.args_for(self.sandbox)
            if not args:
                return self.session.call(call, self.own_process())
            on_delay = self.faults.take_delay_callback()
            answer, trace = self.session.call_traced(call, args, self.own_process(), on_delay)
            if met_path_only_open(self.sandbox.tree, trace.lines) and not self.effects.reads_trees:
                # Only reading is to fail, and this candidate opens what it examines.
                args = self.faults.args_for(self.sandbox, spares_opens=True)
                answer, trace = self.session.call_traced(call, args, self.own_process())
            self.faults.record(trace.injected_count, trace.lines)
            self.faults.check_simulation(self.sandbox, trace.lines)
            return answer

    def _require_own_roots(self, call: Call) -> None:
        own = tuple(self.sandbox.roots.all_placeholders().values())
        roots = call.context.get("roots")
        for root in roots if isinstance(roots, list) else ():
            if isinstance(root, str) and not root.startswith(own):
                # A listing tool with an error removed and changed what was below such a root.
                raise NotApplicable(f"a root outside of the workspace ({root}) is only for candidates with --isolate")

    @contextlib.contextmanager
    def _record_broken_call(self, call: Call) -> Iterator[None]:
        try:
            yield
        except CandidateFault:
            self.log.broken_call = call
            raise

    def _subject(self) -> Subject:
        return Subject(self.case.requirement, unusual_kinds(self.sandbox.tree), self.case.must_return)

    def send_to_rebuilt_tree(self, call: Call, *, order: str, subfolder: str = "") -> CallResult:
        """Send ``call`` for the same tree, built in ``order`` in another sandbox root or a ``subfolder`` of it."""
        root = self.sandbox.rebuild(parse_creation_order(order), order, subfolder)
        return self.send(self.call_builder.move_to(call, root))

    def control_call(self, tool: str, text: str, notation: str | None = None) -> tuple[Call, CallResult]:
        """Make a call with the default context, for this tree or for the tree of ``notation``; it is not recorded."""
        self.begin_observation()
        root = self.sandbox.root
        if notation is not None:
            root = self.sandbox.add_root("control")
            self.sandbox.build(parse_tree(notation), root)
        call = self.call_builder.build_default(tool, text, root)
        return call, self.send_unrecorded(call)

    def show_control_call(self, call: Call, answer: CallResult, notation: str | None) -> None:
        """Let evidence show a control call that failed, with its tree: that of ``notation``, or the scenario's own."""
        self.log.show_further(call, answer)
        self.effects.forget_trees()
        if notation is not None:
            self.sandbox.notations.clear()
            self.sandbox.notations["tree"] = notation

    def begin_observation(self) -> None:
        """Take the snapshot that is compared after each call, and start the watch, once."""
        self.effects.take_baseline()
        if self._platform is not None and self.directory_watch.enabled:
            raise self._platform.not_traced()
        self.directory_watch.start(self.sandbox.outside)

    # ---- processes ----------------------------------------------------------------------------------------------

    def own_process(self) -> Adapter | None:
        """Return the new process that receives this scenario's calls; None for the run's own."""
        if self._process_options is None:
            return None
        if self._own_adapter is None:
            self._own_adapter = self.session.spawn(self._process_options)
        return self._own_adapter

    def use_process(self, options: ProcessOptions | None) -> None:
        """Send the following calls to a new process with ``options`` (None: to the run's own process)."""
        if self._own_adapter is not None:
            self._own_adapter.close()
            self._own_adapter = None
        self._process_options = options

    def send_to_new_processes(self, option_sets: Sequence[ProcessOptions]) -> None:
        """Repeat the first call in a new process for each of ``option_sets``; their starts overlap.

        Results keep the order. With injected faults or a trace the processes run one after the other. Raises
        CandidateFault.
        """
        call = self.log.calls[0]
        if self.faults.strace_args or self.sandbox.tree.faults():
            for options in option_sets:
                self.use_process(options)
                self.send(call)
            self.use_process(None)
            return

        def call_new_process(options: ProcessOptions) -> CallResult:
            adapter = self.session.spawn(options)
            try:
                with self._record_broken_call(call):
                    return self.session.call(call, adapter)
            finally:
                adapter.close()

        # A child dies with the thread that started it, so one thread starts, calls and closes it.
        with ThreadPoolExecutor(max_workers=4) as pool:
            answers = list(pool.map(call_new_process, option_sets))
        for answer in answers:
            self.log.add(call, answer)
            self._judge(call, answer)

    # ---- the end ------------------------------------------------------------------------------------------------

    def check_evidence(self) -> None:
        """Raise NotVerified if a required watch or fault has recorded nothing; called after the last step."""
        self.directory_watch.check_evidence()
        if self.expects_fault and not self.faults.injected_count:
            raise NotVerified("fault_not_injected", FAULT_NOT_TRIGGERED)

    def check_fault_had_effect(self) -> None:
        """Raise NotVerified if the last call answered, in spite of a fault, what it answers without one.

        Called when a step has failed. Only for tools that change nothing, whose calls can be repeated.
        """
        if self.effects.reads_trees or not (self.sandbox.tree.faults() and self.faults.injected_count):
            return
        if self.phase != "then" or not self.log.answers or self.answer.status != "ok":
            return
        untroubled = self.session.call(self.log.calls[-1], self.own_process())
        if (untroubled.status, untroubled.content) == ("ok", self.answer.content):
            raise NotVerified("fault_without_effect", FAULT_WITHOUT_EFFECT)

    @property
    def expects_fault(self) -> bool:
        """True when the tree or a step requires that a system call fails."""
        return self.faults.is_required or bool(self.sandbox.tree.faults())

    @property
    def fault_not_triggered(self) -> bool:
        """True when calls were made and no system call of the candidate triggered the expected fault."""
        return self.expects_fault and bool(self.log.calls) and not self.faults.injected_count

    def close(self) -> None:
        """Stop the processes of this scenario and remove its trees."""
        self.directory_watch.close()
        if self._own_adapter is not None:
            self._own_adapter.close()
        if self._platform is not None:
            self._platform.close_roots()
        self.sandbox.close()

    def build_evidence(
        self, outcome: Outcome, details: Mapping[str, str], *, answer_index: int | None = None
    ) -> dict[str, Any]:
        """Return the evidence of this scenario for the report, without a path of this run.

        It shows the call of ``answers[answer_index]``, by default the last one.
        """
        return evidence_collection.build_evidence(self, outcome, details, answer_index=answer_index)


def parse_creation_order(text: str) -> CreationOrder:
    """Return the order that ``listed``, ``reversed`` or ``shuffled 7`` names. Raises Fault for another text."""
    order, _, seed = text.partition(" ")
    match order:
        case "listed":
            return LISTED
        case "reversed":
            return REVERSED
        case "shuffled":
            return shuffled(int(seed))
        case _:
            raise Fault("harness", f"no creation order {text!r}; write listed, reversed or shuffled and a number")


def _first_broken(rule: str, finding: Finding) -> Finding:
    return replace(finding, requirement=rule, other_requirements=finding.possible_requirements)
