"""The progress of a run: one redrawn line on a terminal, occasional lines in a log. The runner calls it."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from rich.console import Console

from treeproof.report.digest import pluralize
from treeproof.report.status_line import StatusLine

_OUTCOME_LABELS: tuple[tuple[str, str, str], ...] = (
    ("passed", "passed", "green"),
    ("failed", "failed", "red"),
    ("fault", "fault", "magenta"),
    ("not-verified", "not verified", "yellow"),
    ("not-applicable", "not applicable", "dim"),
)


class CandidateInfo(Protocol):
    """Name and version of a candidate; untrusted text."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


class ScenarioOutcome(Protocol):
    """A finished scenario; ``outcome`` is one of the five of the run document."""

    @property
    def id(self) -> str: ...
    @property
    def requirement(self) -> str: ...
    @property
    def outcome(self) -> str: ...


class RunProgress(StatusLine):
    """The progress of a run. A log gets one line at the start and one every ten seconds."""

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        super().__init__(console, live=live)
        self._outcomes: Counter[str] = Counter()
        self._total = 0

    def on_start(self, candidate: CandidateInfo, total: int) -> None:
        """The candidate has started; ``total`` scenarios will run."""
        self._total = total
        if self.live:
            self._draw("")
            return
        label = f"{candidate.name} {candidate.version}".strip()
        self.write(f"treeproof: running {pluralize(total, 'scenario')}, candidate {label}")

    def on_scenario_done(self, scenario: ScenarioOutcome) -> None:
        """Count one scenario; draw or write the line if it is due."""
        self._outcomes[str(scenario.outcome)] += 1
        if not self.is_due():
            return
        if self.live:
            self._draw(f"{scenario.requirement} {scenario.id}")
        else:
            counts = ", ".join(label for label, _ in self._counts())
            self.write(f"treeproof: {self._outcomes.total()} of {self._total} scenarios: {counts}")

    def _counts(self) -> list[tuple[str, str]]:
        return [
            (f"{self._outcomes[outcome]} {label}", style)
            for outcome, label, style in _OUTCOME_LABELS
            if self._outcomes[outcome]
        ]

    def _draw(self, current: str) -> None:
        writer, width, done = self.writer, self.width, self._outcomes.total()
        bar = min(24, width // 4) if width >= 48 else 0
        filled = min(bar, bar * done // self._total) if self._total else 0
        line = writer.join(
            writer.text("━" * filled, "green"),
            writer.text("─" * (bar - filled), "dim"),
            " " if bar else "",
            writer.text(f"{done}/{self._total}", "bold"),
        )
        for label, style in self._counts():
            line.append_text(writer.join("  ", writer.text(label, style)))
        line.append_text(writer.text(f"  {current}" if current else "", "dim"))
        self.draw(line)
