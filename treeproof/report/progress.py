"""How far a run is while it is running: one line redrawn on a terminal, a line now and then in a log.

Counts and shows; the runner calls it, and no verdict is made here.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from rich.console import Console

from treeproof.report.digest import pluralize
from treeproof.report.status_line import StatusLine

_OUTCOME_LABELS: tuple[tuple[str, str, str], ...] = (
    ("passed", "passed", "green"),
    ("failed", "failed", "red"),
    ("fault", "broke", "magenta"),
    ("not-verified", "not verified", "yellow"),
    ("not-applicable", "not applicable", "dim"),
)


class CandidateInfo(Protocol):
    """What progress shows of a candidate; untrusted text."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


class ScenarioOutcome(Protocol):
    """A scenario that ended; ``outcome`` is one of the five words of the run document."""

    @property
    def id(self) -> str: ...
    @property
    def requirement(self) -> str: ...
    @property
    def outcome(self) -> str: ...


class RunProgress(StatusLine):
    """Live progress of a run. A log gets a line at the start and one every ten seconds."""

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        super().__init__(console, live=live)
        self._outcomes: Counter[str] = Counter()
        self._total = 0

    def on_start(self, candidate: CandidateInfo, total: int) -> None:
        """The candidate answered; ``total`` scenarios will be asked of it."""
        self._total = total
        if self.live:
            self._draw("")
            return
        named = f"{candidate.name} {candidate.version}".strip()
        self.write(f"treeproof: asking {named}, {pluralize(total, 'scenario')}")

    def on_scenario_done(self, scenario: ScenarioOutcome) -> None:
        """Count one scenario and show it, where it is time to."""
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
        page, width, done = self.writer, self.width, self._outcomes.total()
        bar = min(24, width // 4) if width >= 48 else 0
        filled = min(bar, bar * done // self._total) if self._total else 0
        line = page.join(
            page.text("━" * filled, "green"),
            page.text("─" * (bar - filled), "dim"),
            " " if bar else "",
            page.text(f"{done}/{self._total}", "bold"),
        )
        for label, style in self._counts():
            line.append_text(page.join("  ", page.text(label, style)))
        line.append_text(page.text(f"  {current}" if current else "", "dim"))
        self.draw(line)
