"""Progress: a status line on a terminal that is erased at the end, and plain lines in a log."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from treeproof.report.console_writer import console_for, is_live
from treeproof.report.status_line import RunProgress
from treeproof.verdict import Outcome, ScenarioRecord


def finished(id: str, outcome: str) -> ScenarioRecord:
    return ScenarioRecord(id, "FR-LD-LST-05", Outcome(outcome))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_gets_one_line_at_the_start_and_no_control_character() -> None:
    stream = io.StringIO()
    with RunProgress(console_for(stream, {})) as progress:
        progress.on_start("acme 3.1", 3)
        for outcome in ("passed", "failed", "fault"):
            progress.on_scenario_done(finished("LD-1", outcome))
    assert stream.getvalue() == "treeproof: running 3 scenarios, candidate acme 3.1\n"


def test_a_slow_run_reports_its_progress_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 6))
    monkeypatch.setattr("treeproof.report.status_line.time.monotonic", lambda: float(next(clock)))
    stream = io.StringIO()
    with RunProgress(console_for(stream, {})) as progress:
        progress.on_start("acme 3.1", 5)
        for outcome in ("passed", "failed", "not-verified", "passed"):
            progress.on_scenario_done(finished("LD-1", outcome))
    assert stream.getvalue().split("\n")[1:] == [
        "treeproof: 2 of 5 scenarios: 1 passed, 1 failed",
        "treeproof: 4 of 5 scenarios: 2 passed, 1 failed, 1 not verified",
        "",
    ]


@pytest.mark.parametrize("columns", [10, 40, 80, 200])
def test_the_status_line_fits_the_terminal_and_is_erased(columns: int) -> None:
    stream = Terminal()
    console = Console(file=stream, force_terminal=True, color_system=None, width=columns, _environ={})
    with RunProgress(console, live=True) as progress:
        progress.on_start("acme 3.1", 200)
        for i in range(100):
            progress._last_drawn = 0.0  # as if the last drawing were long ago
            progress.on_scenario_done(finished(f"LD-LST-05-{i}", "passed" if i % 3 else "failed"))
    drawings = stream.getvalue().split("\r\x1b[2K")
    assert drawings[0] == "" and drawings[-1] == ""
    assert len(drawings) == 103
    assert all(len(drawing) < columns and "\n" not in drawing for drawing in drawings)


def test_the_status_line_shows_counts_and_the_last_scenario() -> None:
    stream = Terminal()
    console = Console(file=stream, force_terminal=True, color_system=None, width=100, _environ={})
    with RunProgress(console, live=True) as progress:
        progress.on_start("acme 3.1", 2)
        progress._last_drawn = 0.0
        progress.on_scenario_done(finished("LD-LST-05-01", "passed"))
    last = stream.getvalue().split("\r\x1b[2K")[-2]
    assert last.split()[1:] == ["1/2", "1", "passed", "FR-LD-LST-05", "LD-LST-05-01"]


def test_drawing_is_throttled() -> None:
    stream = Terminal()
    console = Console(file=stream, force_terminal=True, color_system=None, width=100, _environ={})
    with RunProgress(console, live=True) as progress:
        progress.on_start("acme 3.1", 10_000)
        for i in range(1000):
            progress.on_scenario_done(finished(f"LD-{i}", "passed"))
    assert stream.getvalue().count("\r") < 200


@pytest.mark.parametrize(
    ("env", "live"), [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "CI": "true"}, False)]
)
def test_only_a_terminal_with_a_cursor_outside_ci_has_a_status_line(env: dict[str, str], live: bool) -> None:
    assert is_live(console_for(Terminal(), env), env) is live
    assert is_live(console_for(io.StringIO(), env), env) is False


def test_nothing_is_written_before_the_start() -> None:
    stream = Terminal()
    with RunProgress(console_for(stream, {"TERM": "xterm"}), live=True):
        pass
    assert stream.getvalue() == ""
