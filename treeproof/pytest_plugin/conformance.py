"""The pytest plugin of a conformance run: its items, their records, and the summary at the end.

Registered only when a candidate is named. With pytest-xdist the workers run the items and the controller collects the
records. They travel as JSON text, because execnet cannot transmit every string of a record.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from treeproof.candidate import CandidateFault
from treeproof.errors import UsageError
from treeproof.pytest_plugin import terminal
from treeproof.pytest_plugin.items import (
    RECORD_KEY,
    ROOT_NODE_ID,
    GroupCollector,
    OutcomeMapper,
    ScenarioItem,
    StartFailureItem,
    node_id,
)
from treeproof.pytest_plugin.live_candidate import LiveCandidate
from treeproof.pytest_plugin.plugin_options import PluginOptions, read_options
from treeproof.pytest_plugin.run_collector import START_NODE_ID, ConformanceResult, RunCollector
from treeproof.report.formats import registry
from treeproof.run.plan import (
    REFERENCE,
    Options,
    SelectedPack,
    TargetPlan,
    plan_run,
    platform_name,
    reference_targets,
)
from treeproof.run.targets import resolve_target
from treeproof.verdict import ScenarioRecord, baseline
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START
from treeproof.verdict.run_document import merge_host_facts

WORKER_ATTRIBUTE = "workerinput"  # what a configuration has in a worker of pytest-xdist, and nowhere else
FACTS_KEY = "treeproof"
DEFAULT_WIDTH = 100
NODE_ID_PREFIX = ROOT_NODE_ID + "::"


class ConformancePlugin:
    """One conformance run, or a worker's part of it."""

    def __init__(self, config: pytest.Config, options: PluginOptions, plans: Sequence[TargetPlan]) -> None:
        self._config = config
        self._options = options
        self._plans = plans
        self._collector = RunCollector(plans)
        self._candidate: LiveCandidate | None = None
        self._requested_node_ids: list[str] = []  # our node ids on the command line
        self._available_node_ids: list[str] = []  # those that there are
        self._result: ConformanceResult | None = None
        self._baseline_entries: tuple[baseline.BaselineEntry, ...] = ()
        if options.baseline is not None:
            ids = {id for part in self._collector.packs.values() for id in part.requirement_by_scenario}
            ids |= {r.id for part in self._collector.packs.values() for r in part.pack.requirements}
            self._baseline_entries = baseline.read_baseline(options.baseline, ids)
        excused = {known.id: known.reason for known in self._baseline_entries if self._is_active(known)}
        self._outcome_mapper = OutcomeMapper(options.target, options.profile, excused, _terminal_width(config))

    @classmethod
    def from_config(cls, config: pytest.Config) -> ConformancePlugin:
        """Read the options of ``config``, and everything that can be read without the candidate.

        Raises pytest.UsageError, with one line, for what is wrong with them.
        """
        try:
            asked_for = read_options(config)
            reached = None
            if asked_for.target != REFERENCE:
                reached = resolve_target(asked_for.target, asked_for.specs, folder=asked_for.folder)
            specs = asked_for.specs or (reached.specs if reached is not None else ())
            asked = plan_run(Options(asked_for.target, specs=tuple(specs)))
            among = [TargetPlan(reached, tuple(asked))] if reached is not None else reference_targets(asked)
            return cls(config, asked_for, among)
        except UsageError as error:
            raise pytest.UsageError(f"treeproof: {error}") from None

    def _is_active(self, known: baseline.BaselineEntry) -> bool:
        today = self._collector.started_at.date()
        return known.platform in (None, platform_name()) and (known.expires is None or known.expires >= today)

    # ---- collection ---------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Take our node ids off the command line: no file has these names."""
        words = session.config.args
        self._requested_node_ids = [word for word in words if word.startswith(NODE_ID_PREFIX)]
        words[:] = [word for word in words if not word.startswith(NODE_ID_PREFIX)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the scenarios, before anybody selects among the items."""
        from_file = not self._options.from_command_line and not self._requested_node_ids
        if from_file and session.config.args_source is pytest.Config.ArgsSource.ARGS:
            return  # he names tests of his own
        top = GroupCollector.from_parent(session, name=ROOT_NODE_ID, nodeid=ROOT_NODE_ID)
        self._collect_scenarios(top)
        unknown = [
            name
            for name in self._requested_node_ids
            if not any(_is_at_or_below(id, name) for id in self._available_node_ids)
        ]
        if unknown:
            raise pytest.UsageError(f"not found: {terminal.safe_line(unknown[0])} (no scenario has this node id)")
        items += session.genitems(top)

    def _collect_scenarios(self, top: GroupCollector) -> None:
        """Start the candidate and put the scenarios of the packs that it claims into ``top``."""
        try:
            self._candidate = LiveCandidate(
                self._plans, self._options.profile, named_explicitly=bool(self._options.specs)
            )
        except UsageError as error:
            if not hasattr(self._config, WORKER_ATTRIBUTE):
                raise pytest.UsageError(f"treeproof: {error}") from None
            self._add_start_failure(top, str(error))
        except CandidateFault as fault:
            self._add_start_failure(top, f"{CANDIDATE_DID_NOT_START}: {fault.detail}")
        else:
            self._collector.candidate_facts = self._candidate.facts()
            for part in self._candidate.packs:
                self._add_pack(top, part, self._candidate)

    def _add_start_failure(self, top: GroupCollector, why: str) -> None:
        """One item stands for all; node ids on the command line name what nobody can know now."""
        self._available_node_ids = self._requested_node_ids
        top.children.append(StartFailureItem.from_parent(top, name="start", nodeid=START_NODE_ID, reason=why))

    def _add_pack(self, top: GroupCollector, part: SelectedPack, subject: LiveCandidate) -> None:
        spec, groups = top.add_group(part.pack.name), dict[str, GroupCollector]()
        for row in self._collector.runnable_cases(part):
            id = node_id(part.pack, row)
            self._available_node_ids.append(id)
            if self._requested_node_ids and not any(_is_at_or_below(id, name) for name in self._requested_node_ids):
                continue
            if row.requirement not in groups:
                groups[row.requirement] = spec.add_group(row.requirement)
            above = groups[row.requirement]
            words: dict[str, Any] = {
                "pack": part.pack,
                "case": row,
                "run_scenario": subject.run_scenario,
                "outcome_mapper": self._outcome_mapper,
            }
            above.children.append(ScenarioItem.from_parent(above, name=row.id, nodeid=id, **words))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What is left after every plugin's selection is what has to run."""
        self._collector.selected |= {item.nodeid for item in session.items if _is_scenario_node(item.nodeid)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        """The same, of a worker."""
        self._collector.selected |= {id for id in ids if _is_scenario_node(id)}

    # ---- execution ----------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        record = item.stash.get(RECORD_KEY, None)
        if record is not None and call.when == "call":
            vars(report)[FACTS_KEY] = json.dumps(record.to_json())  # what a report carries, xdist carries over
            if report.skipped and isinstance(report.longrepr, tuple):
                # Skips of one cause are one line at the end, wherever their scenarios are written.
                reason = str(report.longrepr[2])
                report.longrepr = (ROOT_NODE_ID, None, reason)  # type: ignore[assignment]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the books, in the controller as well."""
        if not _is_scenario_node(report.nodeid):
            return
        kept = vars(report).get(FACTS_KEY)
        if kept is not None:
            self._collector.add_record(report.nodeid, ScenarioRecord.from_json(json.loads(kept)))
        elif report.failed or (report.skipped and report.when == "setup"):
            here = report.when in ("setup", "call", "teardown")  # else: of xdist, whose worker crashed
            self._collector.add_lost_item(report.nodeid, terminal.safe_line(_failure_reason(report)), crashed=not here)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist has ended: what it knows of the candidate comes over."""
        sent = getattr(node, "workeroutput", {}).get(FACTS_KEY)
        if sent is None:
            return
        facts, before = json.loads(sent), self._collector.candidate_facts
        if before is not None:
            facts["machine"] = merge_host_facts([before["machine"], facts["machine"]])
        self._collector.candidate_facts = facts

    # ---- the end ------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stop the candidate, judge, write reports; fail the run where something decides that no item shows."""
        if self._candidate is not None:
            self._collector.candidate_facts = self._candidate.facts()  # of the machine more is known now
            self._candidate.close()
        if hasattr(self._config, WORKER_ATTRIBUTE):
            if self._collector.candidate_facts is not None:
                self._config.workeroutput[FACTS_KEY] = json.dumps(self._collector.candidate_facts)  # type: ignore[attr-defined]
            return
        if self._config.option.collectonly or not self._collector.selected:
            return
        self._result = self._collector.conclude(
            options=Options(self._options.target, specs=self._options.specs, profile=self._options.profile),
            adapter_kind=self._plans[0].target.kind,
            baseline_entries=self._baseline_entries,
            baseline_name=self._options.baseline.name if self._options.baseline else None,
            stopped=bool(session.shouldstop or session.shouldfail) or exitstatus == pytest.ExitCode.INTERRUPTED,
        )
        try:
            registry.write_reports(self._result.document, self._options.reports)
        except UsageError as lost:
            raise pytest.UsageError(f"treeproof: {lost}") from None
        if self._result.failures_without_item and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        done = self._result
        if done is None:
            return
        terminalreporter.section("treeproof: conformance")
        verbosity = config.get_verbosity()
        for style, text in terminal.format_summary(
            done.document, done.selected_count, done.scenario_count, done.failures_without_item, verbosity
        ):
            terminalreporter.write_line(text, **({style: True} if style else {}))

    def pytest_unconfigure(self) -> None:
        """Whatever happened, nothing stays behind."""
        if self._candidate is not None:
            self._candidate.close()


def _is_scenario_node(node: str) -> bool:
    return node.startswith(NODE_ID_PREFIX)


def _is_at_or_below(node: str, name: str) -> bool:
    return node == name or node.startswith(f"{name.removesuffix('::')}::")


def _failure_reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    return next((line for line in reversed(report.longreprtext.splitlines()) if line.strip()), "no reason given")


def _terminal_width(config: pytest.Config) -> int:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return int(reporter._tw.fullwidth) if reporter is not None else DEFAULT_WIDTH
