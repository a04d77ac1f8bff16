"""The benchmark scripts: measurement, output and exit codes; no budget is checked here."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return _load("commands")


def _load(name: str) -> ModuleType:
    file = Path(__file__).parents[1] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses read it
    spec.loader.exec_module(module)
    return module


def test_a_measurement_includes_child_processes(script: ModuleType, tmp_path: Path) -> None:
    busy = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(3_000_000))'])"
    timing = script.measure(script.Benchmark("busy", (("-c", busy), ("-c", "pass")), 1), tmp_path)
    assert timing.wall > 0.02
    assert timing.processor > 0.02


def test_a_command_that_fails_ends_the_script(script: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="broken: exit 3"):
        script.measure(script.Benchmark("broken", (("-c", "raise SystemExit(3)"),), 1), tmp_path)


def test_the_table_shows_ratios_to_the_first_line_and_exceeded_budgets(script: ModuleType) -> None:
    start = script.Benchmark("start", (), 1)
    slow = script.Benchmark("slow", (), 1, budget=1.0)
    lines = list(script.format_table([(start, script.Timing(0.5, 0.1)), (slow, script.Timing(2.0, 0.3))]))
    assert lines[2].split() == ["slow", "2.000", "4.0", "0.300", "3.0", "1.0", "too", "slow"]
    assert not script.exceeds_budget(start, script.Timing(9, 9))
    assert not script.exceeds_budget(slow, script.Timing(1.0, 9))


def test_the_measured_commands_exist(script: ModuleType) -> None:
    from treeproof.cli.parser import build_parser

    for benchmark in script.BENCHMARKS:
        for arguments in benchmark.commands:
            if "--help" not in arguments:
                build_parser().parse_args(arguments[2:])


def test_scaling_prints_one_line_per_size() -> None:
    script = Path(__file__).parents[1] / "benchmarks" / "scaling.py"
    result = subprocess.run(
        [sys.executable, str(script), "reference", "640"], capture_output=True, text=True, check=True
    )
    header, *lines = result.stdout.splitlines()
    assert header.split() == ["entries", "listed", "ms", "n", "log", "n", "ten,", "ms"]
    assert [line.split()[:2] for line in lines] == [[str(20 << shift)] * 2 for shift in range(6)]
    assert [line.split()[3] for line in lines][0] == "1.00"


@pytest.fixture
def large_directories(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    module = _load("large_directories")
    page = tmp_path / "README.md"
    page.write_text(f"before\n{module.BEGIN}\nold\n{module.END}\nafter\n", "utf-8")
    monkeypatch.setattr(module, "README", page)
    return module


def test_large_directories_writes_a_row_for_each_tool_and_names_what_is_absent(
    large_directories: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed = large_directories.shutil.which
    monkeypatch.setattr(
        large_directories.shutil, "which", lambda name: None if name in ("fd", "fdfind", "tree") else installed(name)
    )
    records = str(tmp_path / "records.json")
    for sizes in (["20"], ["10"]):
        words = ["--sizes", *sizes, "--deep", "40", "--rounds", "1", "--records", records, "--write"]
        monkeypatch.setattr(sys, "argv", ["large_directories.py", *words])
        assert large_directories.main() == 0
    text = large_directories.README.read_text("utf-8")
    assert text.startswith(f"before\n{large_directories.BEGIN}\n")
    assert text.endswith(f"{large_directories.END}\nafter\n")
    assert "\nold\n" not in text
    assert "Not measured here: `fd`, `tree`, the official MCP server (no `--mcp`)." in text
    assert "| subject | 10 | 20 | × `ls -l` | MB |" in text
    rows = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
    assert rows == [
        "subject",
        "`ls -l`",
        "`ls -U`",
        "`find -printf`",
        "reference: `list_directory`",
        "reference: `LS`",
        "reference: `FS.WalkDir`",
        "reference: `listDirectory`",
        "subject",
        "`find -printf`",
        "`ls -lR`",
        "reference: `list_directory`",
        "reference: `FS.WalkDir`",
        "reference: `findFiles`",
    ]


def test_the_directories_that_are_measured_have_the_given_number_of_entries(
    large_directories: ModuleType, tmp_path: Path
) -> None:
    large_directories.build_flat(str(tmp_path / "flat"), 250)
    assert len(list((tmp_path / "flat").iterdir())) == 250
    large_directories.build_deep(str(tmp_path / "tree"), 250)
    assert len(list((tmp_path / "tree").rglob("*"))) == 250


def test_the_least_costs_of_several_measurements_are_kept(large_directories: ModuleType) -> None:
    cost = large_directories.Cost
    assert cost(2.0, 5.0).least(cost(3.0, 4.0)) == cost(2.0, 4.0)
    assert cost(2.0).least(None) == cost(2.0)
    subject = large_directories.Subject("large", lambda directory: cost(1.0), largest=5)
    assert large_directories.measure_all([subject], "d", 6, 1, {}) == {}
    assert large_directories.measure_all([subject], "d", 5, 2, {"large": cost(0.5)}) == {"large": cost(0.5)}


def test_the_page_has_a_section_for_the_tables_of_large_directories() -> None:
    module = _load("large_directories")
    text = module.README.read_text("utf-8")
    assert text.count(module.BEGIN) == text.count(module.END) == 1
    assert text.index(module.BEGIN) < text.index(module.END)


def test_without_mutmut_one_line_names_the_command_to_install_it() -> None:
    script = Path(__file__).parents[1] / "benchmarks" / "mutmut_survivors.py"
    result = subprocess.run(
        [sys.executable, "-S", str(script), "list_directory"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == (
        "mutmut_survivors: mutmut is not installed; .venv/bin/python -m pip install mutmut==3.8.1\n"
    )


def test_each_place_of_the_profile_of_a_whole_run_exists_and_the_shares_are_of_one_run() -> None:
    script, root = _load("whole_run"), Path(__file__).parents[1]
    for _, places in script.PARTS:
        for place in places:
            assert list(root.glob(f"{place.strip('/')}*")), place
    assert script.part_of(f"{root}/treeproof/tree/snapshot.py").startswith("snapshots")
    assert script.part_of(f"{root}/.venv/lib/python3.11/site-packages/treeproof/run/x.py") is None
    table = script.format_table({"a": 3.0, "b": 1.0, "none": 0.0}, 1000)
    assert table.splitlines()[4:] == ["| a | 75% | 3.00 |", "| b | 25% | 1.00 |"]
