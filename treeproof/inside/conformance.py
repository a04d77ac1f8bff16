"""The plugin of a conformance run inside pytest: which items there are, where records go, what is said at the end.

Registered only when a candidate is named. With pytest-xdist the workers run the items and the controller keeps the
books; what crosses over is JSON text, because records may hold what execnet cannot carry.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from treeproof.candidate import CandidateFault, Target
from treeproof.errors import UsageError
from treeproof.inside import telling
from treeproof.inside.items import RECORD, TOP, Group, NoStart, Scales, Scenario, node_id
from treeproof.inside.ledger import START, Conclusion, Ledger
from treeproof.inside.subject import Subject
from treeproof.inside.wanted import Wanted, wanted
from treeproof.report import formats
from treeproof.run.asked import REFERENCE, Asked, Options, Party, ask, platform_name, references
from treeproof.verdict import Record, baseline
from treeproof.verdict.document import joined
from treeproof.verdict.judge import NO_START

WORKER = "workerinput"  # what a configuration has in a worker of pytest-xdist, and nowhere else
FACTS = "treeproof"
WIDTH = 100
OURS = TOP + "::"


class Conformance:
    """One conformance run, or a worker's part of it."""

    def __init__(self, config: pytest.Config, asked_for: Wanted, among: Sequence[Party]) -> None:
        self._config = config
        self._wanted = asked_for
        self._parties = among
        self._ledger = Ledger(among)
        self._subject: Subject | None = None
        self._named: list[str] = []  # our node ids on the command line
        self._offered: list[str] = []  # those that there are
        self._conclusion: Conclusion | None = None
        self._known: tuple[baseline.Known, ...] = ()
        if asked_for.baseline is not None:
            ids = {id for part in self._ledger.packs.values() for id in part.expected}
            ids |= {r.id for part in self._ledger.packs.values() for r in part.pack.requirements}
            self._known = baseline.read(asked_for.baseline, ids)
        excused = {known.id: known.reason for known in self._known if self._holds(known)}
        self._scales = Scales(asked_for.target, asked_for.profile, excused, _width(config))

    @classmethod
    def of(cls, config: pytest.Config) -> Conformance:
        """Read the options of ``config``, and everything that can be read without the candidate.

        Raises pytest.UsageError, with one line, for what is wrong with them.
        """
        try:
            asked_for = wanted(config)
            reached = None
            if asked_for.target != REFERENCE:
                reached = Target.parse(asked_for.target, folder=asked_for.folder)
            specs = asked_for.specs or (reached.specs if reached is not None else ())
            asked = ask(Options(asked_for.target, specs=tuple(specs)))
            among = [Party(reached, tuple(asked))] if reached is not None else references(asked)
            return cls(config, asked_for, among)
        except UsageError as error:
            raise pytest.UsageError(f"treeproof: {error}") from None

    def _holds(self, known: baseline.Known) -> bool:
        today = self._ledger.began.date()
        return known.platform in (None, platform_name()) and (known.expires is None or known.expires >= today)

    # ---- collection ---------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Take our node ids off the command line: no file has these names."""
        words = session.config.args
        self._named = [word for word in words if word.startswith(OURS)]
        words[:] = [word for word in words if not word.startswith(OURS)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the scenarios, before anybody selects among the items."""
        from_file = not self._wanted.always and not self._named
        if from_file and session.config.args_source is pytest.Config.ArgsSource.ARGS:
            return  # he names tests of his own
        top = Group.from_parent(session, name=TOP, nodeid=TOP)
        self._fill(top)
        unknown = [name for name in self._named if not any(_is_below(id, name) for id in self._offered)]
        if unknown:
            raise pytest.UsageError(f"not found: {telling.line(unknown[0])} (no scenario has this node id)")
        items += session.genitems(top)

    def _fill(self, top: Group) -> None:
        """Start the candidate and put the scenarios of the packs that it claims into ``top``."""
        try:
            self._subject = Subject(self._parties, self._wanted.profile, named=bool(self._wanted.specs))
        except UsageError as error:
            if not hasattr(self._config, WORKER):
                raise pytest.UsageError(f"treeproof: {error}") from None
            self._without_start(top, str(error))
        except CandidateFault as fault:
            self._without_start(top, f"{NO_START}: {fault.detail}")
        else:
            self._ledger.facts = self._subject.facts()
            for part in self._subject.asked:
                self._add(top, part, self._subject)

    def _without_start(self, top: Group, why: str) -> None:
        """One item stands for all; node ids on the command line name what nobody can know now."""
        self._offered = self._named
        top.held.append(NoStart.from_parent(top, name="start", nodeid=START, why=why))

    def _add(self, top: Group, part: Asked, subject: Subject) -> None:
        spec, groups = top.group(part.pack.name), dict[str, Group]()
        for row in self._ledger.rows(part):
            id = node_id(part.pack, row)
            self._offered.append(id)
            if self._named and not any(_is_below(id, name) for name in self._named):
                continue
            if row.requirement not in groups:
                groups[row.requirement] = spec.group(row.requirement)
            above = groups[row.requirement]
            words: dict[str, Any] = {
                "pack": part.pack,
                "row": row,
                "ask": subject.perform,
                "scales": self._scales,
            }
            above.held.append(Scenario.from_parent(above, name=row.id, nodeid=id, **words))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What is left after every plugin's selection is what has to run."""
        self._ledger.selected |= {item.nodeid for item in session.items if _is_ours(item.nodeid)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        """The same, of a worker."""
        self._ledger.selected |= {id for id in ids if _is_ours(id)}

    # ---- execution ----------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        record = item.stash.get(RECORD, None)
        if record is not None and call.when == "call":
            vars(report)[FACTS] = json.dumps(record.to_json())  # what a report carries, xdist carries over
            if report.skipped and isinstance(report.longrepr, tuple):
                # Skips of one cause are one line at the end, wherever their scenarios are written.
                reason = str(report.longrepr[2])
                report.longrepr = (TOP, None, reason)  # type: ignore[assignment]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the books, in the controller as well."""
        if not _is_ours(report.nodeid):
            return
        kept = vars(report).get(FACTS)
        if kept is not None:
            self._ledger.note(report.nodeid, Record.from_json(json.loads(kept)))
        elif report.failed or (report.skipped and report.when == "setup"):
            here = report.when in ("setup", "call", "teardown")  # else: of xdist, whose worker crashed
            self._ledger.note_loss(report.nodeid, telling.line(_said(report)), crashed=not here)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist has ended: what it knows of the candidate comes over."""
        sent = getattr(node, "workeroutput", {}).get(FACTS)
        if sent is None:
            return
        facts, before = json.loads(sent), self._ledger.facts
        if before is not None:
            facts["machine"] = joined([before["machine"], facts["machine"]])
        self._ledger.facts = facts

    # ---- the end ------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Stop the candidate, judge, write reports; fail the run where something decides that no item shows."""
        if self._subject is not None:
            self._ledger.facts = self._subject.facts()  # of the machine more is known now
            self._subject.close()
        if hasattr(self._config, WORKER):
            if self._ledger.facts is not None:
                self._config.workeroutput[FACTS] = json.dumps(self._ledger.facts)  # type: ignore[attr-defined]
            return
        if self._config.option.collectonly or not self._ledger.selected:
            return
        self._conclusion = self._ledger.conclude(
            options=Options(self._wanted.target, specs=self._wanted.specs, profile=self._wanted.profile),
            kind=self._parties[0].target.kind,
            known=self._known,
            baseline_name=self._wanted.baseline.name if self._wanted.baseline else None,
            stopped=bool(session.shouldstop or session.shouldfail)
            or exitstatus == pytest.ExitCode.INTERRUPTED,
        )
        try:
            formats.write_all(self._conclusion.document, self._wanted.reports)
        except UsageError as lost:
            raise pytest.UsageError(f"treeproof: {lost}") from None
        if self._conclusion.unseen and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        done = self._conclusion
        if done is None:
            return
        terminalreporter.section("treeproof: conformance")
        verbosity = config.get_verbosity()
        for style, text in telling.summary(
            done.document, done.chosen, done.scenarios, done.unseen, verbosity
        ):
            terminalreporter.write_line(text, **({style: True} if style else {}))

    def pytest_unconfigure(self) -> None:
        """Whatever happened, nothing stays behind."""
        if self._subject is not None:
            self._subject.close()


def _is_ours(node: str) -> bool:
    return node.startswith(OURS)


def _is_below(node: str, name: str) -> bool:
    return node == name or node.startswith(f"{name.removesuffix('::')}::")


def _said(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    return next(
        (line for line in reversed(report.longreprtext.splitlines()) if line.strip()), "no reason given"
    )


def _width(config: pytest.Config) -> int:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return int(reporter._tw.fullwidth) if reporter is not None else WIDTH
