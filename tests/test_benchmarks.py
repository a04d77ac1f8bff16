"""The benchmark script: what it measures, what it prints, and when it ends with 1. No budget is tried here."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def script() -> ModuleType:
    file = Path(__file__).parents[1] / "benchmarks" / "commands.py"
    spec = importlib.util.spec_from_file_location("benchmark_script", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def test_a_command_is_measured_with_its_children(script: ModuleType, tmp_path: Path) -> None:
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(3_000_000))'])"
    taken = script.measure(script.Benchmark("busy", (("-c", busy), ("-c", "pass")), 1), tmp_path)
    assert taken.wall > 0.02
    assert taken.processor > 0.02


def test_a_command_that_fails_is_no_measurement(script: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="broken: exit 3"):
        script.measure(script.Benchmark("broken", (("-c", "raise SystemExit(3)"),), 1), tmp_path)


def test_the_table_compares_with_the_first_line_and_says_what_is_late(script: ModuleType) -> None:
    start = script.Benchmark("start", (), 1)
    slow = script.Benchmark("slow", (), 1, budget=1.0)
    lines = list(script.format_table([(start, script.Timing(0.5, 0.1)), (slow, script.Timing(2.0, 0.3))]))
    assert lines[2].split() == ["slow", "2.000", "4.0", "0.300", "3.0", "1.0", "too", "slow"]
    assert [
        script.exceeds_budget(start, script.Timing(9, 9)),
        script.is_late(slow, script.Timing(1.0, 9)),
    ] == [
        False,
        False,
    ]


def test_the_verbs_that_are_measured_exist(script: ModuleType) -> None:
    from treeproof.cli.parser import build_parser

    for measured in script.BENCHMARKS:
        for words in measured.commands:
            if "--help" not in words:
                build_parser().parse_args(words[2:])


def test_the_curve_of_a_candidate_is_printed() -> None:
    script = Path(__file__).parents[1] / "benchmarks" / "scaling.py"
    done = subprocess.run(
        [sys.executable, str(script), "reference", "640"], capture_output=True, text=True, check=True
    )
    header, *lines = done.stdout.splitlines()
    assert header.split() == ["entries", "listed", "ms", "n", "log", "n", "ten,", "ms"]
    assert [line.split()[:2] for line in lines] == [[str(20 << shift)] * 2 for shift in range(6)]
    assert [line.split()[3] for line in lines][0] == "1.00"


def test_a_second_opinion_without_the_tool_is_one_line_that_says_what_to_write() -> None:
    script = Path(__file__).parents[1] / "benchmarks" / "mutmut_survivors.py"
    done = subprocess.run(
        [sys.executable, "-S", str(script), "listing"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert (
        done.stderr
        == "second_opinion: mutmut is not installed: .venv/bin/python -m pip install mutmut==3.8.1\n"
    )
