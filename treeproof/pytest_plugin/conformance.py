"""The pytest plugin of a conformance run: its items, their records, and the summary at the end.

Registered only when a candidate is named. With pytest-xdist the workers run the items and the controller collects the
records. They travel as JSON text, because execnet cannot transmit every string of a record.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import CandidateFault
from treeproof.errors import UsageError
from treeproof.pytest_plugin import summary
from treeproof.pytest_plugin.items import OutcomeMapper, StartFailureItem, format_failure
from treeproof.pytest_plugin.run_collector import (
    EVIDENCE_KEY,
    START_NODE_ID,
    ConformanceResult,
    RunCollector,
    merge_evidence,
)
from treeproof.report.formats import registry
from treeproof.run.connected_candidate import open_environment
from treeproof.run.execution import CandidateRun, RunContext
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import Options, TargetPlan, plan_run, platform_name, reference_targets
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_plugin import ROOT_NODE_ID, GroupCollector, ScenarioItem, ScenarioPlugin, node_id
from treeproof.run.targets import REFERENCE, resolve_target
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import ids_of_all_versions
from treeproof.verdict import Profile, ScenarioRecord, baseline
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START
from treeproof.verdict.run_document import merge_host_facts

WORKER_ATTRIBUTE = "workerinput"  # only the configuration of a pytest-xdist worker has it
FACTS_KEY = "treeproof"
DEFAULT_WIDTH = 100
NODE_ID_PREFIX = ROOT_NODE_ID + "::"


class ConformancePlugin(ScenarioPlugin):
    """One conformance run, or a worker's part of it."""

    def __init__(self, config: pytest.Config, options: PluginOptions, plans: Sequence[TargetPlan]) -> None:
        self._config = config
        self._options = options
        self._plans = plans
        self._collector = RunCollector(plans)
        self._run_options = Options(
            options.target, specs=options.specs, profile=options.profile, baseline=options.baseline
        )
        self._open = contextlib.ExitStack()
        self._candidates: list[CandidateRun] = []
        self._requested_node_ids: list[str] = []  # our node ids on the command line
        self._available_node_ids: list[str] = []  # all that exist
        self._result: ConformanceResult | None = None
        self._baseline_entries: tuple[baseline.BaselineEntry, ...] = ()
        if options.baseline is not None:
            ids = {id for part in self._collector.packs.values() for id in ids_of_all_versions(part.pack)}
            self._baseline_entries = baseline.read_baseline(options.baseline, ids)
        today = self._collector.began.date.date()
        excused = [entry for entry in self._baseline_entries if entry.is_valid(platform_name(plans[0].target), today)]
        self._outcome_mapper = OutcomeMapper(options.target, options.profile, excused, _terminal_width(config))

    @classmethod
    def from_config(cls, config: pytest.Config) -> ConformancePlugin:
        """Read the options of ``config``, the packs and the baseline. Raises pytest.UsageError with one line."""
        try:
            options = read_options(config)
            target = None
            if options.target != REFERENCE:
                target = resolve_target(options.target, options.specs, folder=options.folder)
            specs = options.specs or (target.specs if target is not None else ())
            packs = plan_run(Options(options.target, specs=tuple(specs)))
            plans = [TargetPlan(target, tuple(packs))] if target is not None else reference_targets(packs)
            return cls(config, options, plans)
        except UsageError as error:
            raise pytest.UsageError(f"treeproof: {error}") from None

    # ---- collection ---------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Remove our node ids from the command line: no file has these names."""
        args = session.config.args
        self._requested_node_ids = [arg for arg in args if arg.startswith(NODE_ID_PREFIX)]
        args[:] = [arg for arg in args if not arg.startswith(NODE_ID_PREFIX)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the scenarios, before other plugins select items."""
        from_file = not self._options.from_command_line and not self._requested_node_ids
        if from_file and session.config.args_source is pytest.Config.ArgsSource.ARGS:
            return  # the user names other tests
        top = GroupCollector.from_parent(session, name=ROOT_NODE_ID, nodeid=ROOT_NODE_ID)
        self._collect_scenarios(top)
        unknown = [
            name
            for name in self._requested_node_ids
            if not any(_is_at_or_below(id, name) for id in self._available_node_ids)
        ]
        if unknown:
            raise pytest.UsageError(f"not found: {summary.safe_line(unknown[0])} (no scenario has this node id)")
        items += session.genitems(top)

    def _collect_scenarios(self, top: GroupCollector) -> None:
        """Start the candidate and add the scenarios of the packs that it claims to ``top``."""
        try:
            self._start_candidates()
        except UsageError as error:
            if not hasattr(self._config, WORKER_ATTRIBUTE):
                raise pytest.UsageError(f"treeproof: {error}") from None
            self._add_start_failure(top, str(error))
        except CandidateFault as fault:
            self._add_start_failure(top, f"{CANDIDATE_DID_NOT_START}: {fault.detail}")
        else:
            self._collector.candidate_facts = self._facts()
            for run in self._candidates:
                for part in run.candidate.packs:
                    nodes = {node_id(part.pack, case): case for case in self._collector.runnable_cases(part)}
                    self._available_node_ids += nodes
                    self.add_scenarios(top, run.session(part), self._requested(nodes))

    def _start_candidates(self) -> None:
        """Start the candidate of each plan. Raises CandidateFault and UsageError; then none remains."""
        with self._open:
            # These interrupts are never entered: signals are pytest's.
            environment = self._open.enter_context(open_environment(Interrupts()))
            context = RunContext(self._run_options, environment, on_record=lambda record: None)
            for plan in self._plans:
                run = self._open.enter_context(CandidateRun(plan, context))
                run.start()
                self._candidates.append(run)
            self._open = self._open.pop_all()

    def _requested(self, nodes: Mapping[str, ScenarioCase]) -> Iterator[ScenarioCase]:
        """Yield the cases that the command line names; all if it names none."""
        names = self._requested_node_ids
        yield from (case for id, case in nodes.items() if not names or any(_is_at_or_below(id, name) for name in names))

    def _add_start_failure(self, top: GroupCollector, why: str) -> None:
        """Add one item instead of all scenarios; requested node ids cannot be checked without a candidate."""
        self._available_node_ids = self._requested_node_ids
        top.children.append(StartFailureItem.from_parent(top, name="start", nodeid=START_NODE_ID, reason=why))

    def _facts(self) -> dict[str, Any]:
        """Return what a report states about candidate and host, as JSON: a worker sends it to the controller."""
        candidates = [run.candidate for run in self._candidates]
        hellos = [candidate.initialize_result for candidate in candidates]
        return {
            "packs": [part.pack.name for candidate in candidates for part in candidate.packs],
            "hellos": [{**vars(one), "capabilities": sorted(one.capabilities), "raw": {}} for one in hellos],
            "machine": candidates[0].environment.host.to_json(),
        }

    def _finish(self) -> dict[str, Any]:
        """Return the facts at the end of the run: scenarios have probed the host, and have shown content."""
        sessions = [run.session(part) for run in self._candidates for part in run.candidate.packs]
        evidence = {one.pack.name: dict(PositiveEvidence.for_session(one).finish()) for one in sessions}
        return {**self._facts(), EVIDENCE_KEY: evidence}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the items that remain after the selection of all plugins."""
        self._collector.selected |= {item.nodeid for item in session.items if _is_scenario_node(item.nodeid)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        """Record the items of a worker."""
        self._collector.selected |= {id for id in ids if _is_scenario_node(id)}

    # ---- execution ----------------------------------------------------------------------------------------------

    def on_record(self, item: ScenarioItem, record: ScenarioRecord) -> None:
        """Raise the outcome of the item."""
        self._outcome_mapper.raise_outcome(record, item.pack, item.nodeid)

    def describe(self, case: ScenarioCase) -> str:
        """Return the scenario's id and title as a line that cannot act on a terminal."""
        return summary.safe_line(super().describe(case))

    def format_failure(self, item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """Return the report of a scenario that failed."""
        return format_failure(item, excinfo)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        record = item.record if isinstance(item, ScenarioItem) else None
        if record is not None and call.when == "call":
            vars(report)[FACTS_KEY] = json.dumps(record.to_json())  # xdist transmits the members of a report
            if report.skipped and isinstance(report.longrepr, tuple):
                # With one location, pytest folds all skips of one cause into one line.
                reason = str(report.longrepr[2])
                report.longrepr = (ROOT_NODE_ID, None, reason)  # type: ignore[assignment]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the results, in the controller as well."""
        if not _is_scenario_node(report.nodeid):
            return
        text = vars(report).get(FACTS_KEY)
        if text is not None:
            self._collector.add_record(report.nodeid, ScenarioRecord.from_json(json.loads(text)))
        elif report.failed or (report.skipped and report.when == "setup"):
            is_from_item = report.when in ("setup", "call", "teardown")  # else: from xdist, after a worker crashed
            reason = summary.safe_line(_failure_reason(report))
            self._collector.add_lost_item(report.nodeid, reason, crashed=not is_from_item)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over the facts about the candidate from a pytest-xdist worker that has ended."""
        message = getattr(node, "workeroutput", {}).get(FACTS_KEY)
        if message is None:
            return
        facts, before = json.loads(message), self._collector.candidate_facts
        if before is not None:
            facts["machine"] = merge_host_facts([before["machine"], facts["machine"]])
            facts[EVIDENCE_KEY] = merge_evidence(before.get(EVIDENCE_KEY, {}), facts[EVIDENCE_KEY])
        self._collector.candidate_facts = facts

    # ---- the end ------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stop the candidate, judge, write reports; fail the run for failures that belong to no item."""
        if self._candidates:
            self._collector.candidate_facts = self._finish()
            self._open.close()
        if hasattr(self._config, WORKER_ATTRIBUTE):
            if self._collector.candidate_facts is not None:
                self._config.workeroutput[FACTS_KEY] = json.dumps(self._collector.candidate_facts)  # type: ignore[attr-defined]
            return
        if self._config.option.collectonly or not self._collector.selected:
            return
        self._result = self._collector.conclude(
            self._run_options,
            self._baseline_entries,
            stopped=bool(session.shouldstop or session.shouldfail) or exitstatus == pytest.ExitCode.INTERRUPTED,
        )
        try:
            registry.write_reports(self._result.document, self._options.reports)
        except UsageError as error:
            raise pytest.UsageError(f"treeproof: {error}") from None
        if self._result.failures_without_item and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        result = self._result
        if result is None:
            return
        terminalreporter.section("treeproof: conformance")
        verbosity = config.get_verbosity()
        for style, text in summary.format_summary(
            result.document, result.selected_count, result.scenario_count, result.failures_without_item, verbosity
        ):
            terminalreporter.write_line(text, **({style: True} if style else {}))

    def pytest_unconfigure(self) -> None:
        """Stop the candidate after any end of the run."""
        self._open.close()


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


@dataclass(frozen=True)
class PluginOptions:
    """The options of a conformance run.

    ``from_command_line``: scenarios run even if the user names other tests; else (from a configuration file) only in
    whole runs. Relative targets start from ``folder``: the working directory, or that of the configuration file.
    """

    target: str
    folder: Path
    from_command_line: bool
    specs: tuple[str, ...]
    profile: Profile
    baseline: Path | None
    reports: tuple[registry.ReportRequest, ...]


def read_options(config: pytest.Config) -> PluginOptions:
    """Read the options of ``config``. Raises UsageError for an invalid value."""
    here = config.invocation_params.dir
    base = config.inipath.parent if config.inipath is not None else config.rootpath
    named = config.getoption("--treeproof")
    baseline = config.getoption("--treeproof-baseline")
    known = config.getini("treeproof_baseline")
    profile = config.getoption("--treeproof-profile") or config.getini("treeproof_profile") or "default"
    of_documents = [one for one in Profile if one is not Profile.BEHAVIOUR]
    if profile not in of_documents:
        raise UsageError(f"treeproof_profile = {profile}: write one of {', '.join(of_documents)}")
    return PluginOptions(
        target=named or config.getini("treeproof"),
        folder=here if named else base,
        from_command_line=bool(named),
        specs=tuple(config.getoption("--treeproof-spec") or config.getini("treeproof_spec")),
        profile=Profile(profile),
        baseline=here / baseline if baseline else base / known if known else None,
        reports=registry.parse_requests(config.getoption("--treeproof-report") or ()),
    )
