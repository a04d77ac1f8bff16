"""Progress: one line on a terminal, plain lines in a log, nothing left behind."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pytest
from rich.console import Console

from treeproof.report.console_writer import console_for, is_live
from treeproof.report.progress import RunProgress


@dataclass(frozen=True)
class Hello:
    name: str = "acme"
    version: str = "3.1"


@dataclass(frozen=True)
class FinishedScenario:
    id: str
    outcome: str
    requirement: str = "FR-LD-LST-05"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_one_line_at_the_start_and_no_control_character() -> None:
    stream = io.StringIO()
    with RunProgress(console_for(stream, {})) as progress:
        progress.on_start(Hello(), 3)
        for outcome in ("passed", "failed", "fault"):
            progress.on_scenario_done(FinishedScenario("LD-1", outcome))
    assert stream.getvalue() == "treeproof: running 3 scenarios, candidate acme 3.1\n"


def test_a_slow_run_says_every_ten_seconds_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 6))
    monkeypatch.setattr("treeproof.report.status_line.time.monotonic", lambda: float(next(clock)))
    stream = io.StringIO()
    with RunProgress(console_for(stream, {})) as progress:
        progress.on_start(Hello(), 5)
        for outcome in ("passed", "failed", "not-verified", "passed"):
            progress.on_scenario_done(FinishedScenario("LD-1", outcome))
    assert stream.getvalue().split("\n")[1:] == [
        "treeproof: 2 of 5 scenarios: 1 passed, 1 failed",
        "treeproof: 4 of 5 scenarios: 2 passed, 1 failed, 1 not verified",
        "",
    ]


@pytest.mark.parametrize("columns", [10, 40, 80, 200])
def test_the_live_line_fits_the_terminal_and_is_erased(columns: int) -> None:
    stream = Terminal()
    console = Console(file=stream, force_terminal=True, color_system=None, width=columns, _environ={})
    with RunProgress(console, live=True) as progress:
        progress.on_start(Hello(), 200)
        for i in range(100):
            progress._last_drawn = 0.0  # as if the last drawing were long ago
            progress.on_scenario_done(FinishedScenario(f"LD-LST-05-{i}", "passed" if i % 3 else "failed"))
    drawings = stream.getvalue().split("\r\x1b[2K")
    assert drawings[0] == "" and drawings[-1] == ""
    assert len(drawings) == 103
    assert all(len(drawing) < columns and "\n" not in drawing for drawing in drawings)


def test_the_live_line_counts_and_names_what_it_is_at() -> None:
    stream = Terminal()
    console = Console(file=stream, force_terminal=True, color_system=None, width=100, _environ={})
    with RunProgress(console, live=True) as progress:
        progress.on_start(Hello(), 2)
        progress._last_drawn = 0.0
        progress.on_scenario_done(FinishedScenario("LD-LST-05-01", "passed"))
    last = stream.getvalue().split("\r\x1b[2K")[-2]
    assert last.split()[1:] == ["1/2", "1", "passed", "FR-LD-LST-05", "LD-LST-05-01"]


def test_drawing_is_throttled() -> None:
    stream = Terminal()
    console = Console(file=stream, force_terminal=True, color_system=None, width=100, _environ={})
    with RunProgress(console, live=True) as progress:
        progress.on_start(Hello(), 10_000)
        for i in range(1000):
            progress.on_scenario_done(FinishedScenario(f"LD-{i}", "passed"))
    assert stream.getvalue().count("\r") < 200


@pytest.mark.parametrize(
    ("env", "live"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "CI": "true"}, False)],
)
def test_only_a_terminal_with_a_cursor_that_is_no_ci_log_is_redrawn(env: dict[str, str], live: bool) -> None:
    assert is_live(console_for(Terminal(), env), env) is live
    assert is_live(console_for(io.StringIO(), env), env) is False


def test_nothing_is_written_when_nothing_started() -> None:
    stream = Terminal()
    with RunProgress(console_for(stream, {"TERM": "xterm"}), live=True):
        pass
    assert stream.getvalue() == ""
