"""The wheel as a user gets it: what is in it, and that it works in an environment that holds nothing else.

The environment is real: a new venv, the run-time dependencies (and not the tools of this checkout) copied
into it, the wheel installed by pip, which refuses when one is missing. No network is needed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parent.parent
CONTENT = ("features", "steps", "fixtures", "adapters", "reference_impl", "oracles")


def build(kind: str, source: Path, into: Path) -> Path:
    """Build a ``wheel`` or ``sdist`` of ``source`` with the locked backend and return the file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", HOUSE, tmp_path_factory.mktemp("wheel"))


def wheel_files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_top_level_is_the_package_and_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in wheel_files(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"treeproof"}
    assert len(tops) == 2


def test_every_file_of_the_house_is_in_it(wheel: Path) -> None:
    here = {
        file.relative_to(HOUSE).as_posix()
        for folder in ("treeproof", *CONTENT)
        for file in (HOUSE / folder).rglob("*")
        if file.is_file() and not any(_is_stray_file(part) for part in file.relative_to(HOUSE).parts)
    }
    there = {name.removeprefix("treeproof/") if _is_content(name) else name for name in wheel_files(wheel)}
    assert here - there == set()
    assert {"treeproof/py.typed", "treeproof/report/run.schema.json"} <= there


def _is_stray_file(part: str) -> bool:
    return part.startswith(".") or part == "__pycache__"


def _is_content(name: str) -> bool:
    parts = name.split("/")
    return parts[0] == "treeproof" and parts[1] in CONTENT


def test_nothing_that_only_lies_around_is_in_it(wheel: Path) -> None:
    assert [name for name in wheel_files(wheel) if name.endswith(".pyc") or "/tests/" in name] == []


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build("sdist", HOUSE, tmp_path / "dist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("treeproof-*")
    assert (source / "tests" / "test_wheel.py").is_file()
    assert wheel_files(build("wheel", source, tmp_path / "again")) == wheel_files(wheel)


def dependencies(of: list[str]) -> set[str]:
    """Return the names of the installed distributions that the requirements ``of`` need here, and theirs."""
    found: set[str] = set()
    open_ones = [requirement for requirement in of if _is_needed(requirement)]
    while open_ones:
        name = re.split(r"[^A-Za-z0-9._-]", open_ones.pop(), maxsplit=1)[0].lower().replace("_", "-")
        if name not in found:
            found.add(name)
            open_ones += [each for each in metadata.requires(name) or [] if _is_needed(each)]
    return found


def _is_needed(requirement: str) -> bool:
    from packaging.requirements import Requirement

    marker = Requirement(requirement).marker
    return marker is None or marker.evaluate({"extra": ""})


def requirements(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode("utf-8")
    return [line.partition(": ")[2] for line in text.split("\n") if line.startswith("Requires-Dist: ")]


class InstalledWheel:
    """The wheel in an environment of its own, spoken to from a folder far from the checkout."""

    def __init__(self, wheel: Path, place: Path) -> None:
        self.place = place / "venv"
        self.elsewhere = place / "elsewhere"
        self.elsewhere.mkdir()
        venv.create(self.place, with_pip=True, symlinks=True)
        site = Path(
            self._run_in_environment(
                "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
            ).stdout.strip()
        )
        for name in dependencies(requirements(wheel)):
            self._copy(metadata.distribution(name), site)
        done = self._run_in_environment(
            "-m", "pip", "--isolated", "install", "--quiet", "--no-index", str(wheel)
        )
        assert done.returncode == 0, done.stderr

    @staticmethod
    def _copy(distribution: metadata.Distribution, site: Path) -> None:
        for file in distribution.files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                target = site / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(file.locate()), target)

    def _run_in_environment(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run(str(self.place / "bin" / "python"), *words)

    def treeproof(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run(str(self.place / "bin" / "treeproof"), *words)

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        quiet = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "PIP_", "COV"))
        }
        return subprocess.run(
            command, cwd=self.elsewhere, env=quiet, capture_output=True, text=True, timeout=400, check=False
        )


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[InstalledWheel]:
    yield InstalledWheel(wheel, tmp_path_factory.mktemp("installed"))


def test_pip_finds_everything_that_it_needs(installed: InstalledWheel) -> None:
    done = installed._run_in_environment("-m", "pip", "--isolated", "check")
    assert done.returncode == 0, done.stdout


def test_the_installed_package_is_the_one_that_answers(installed: InstalledWheel) -> None:
    done = installed._run_in_environment("-c", "import treeproof; print(treeproof.__file__)")
    assert done.stdout.startswith(str(installed.place.resolve())) or done.stdout.startswith(
        str(installed.place)
    )


def test_without_its_extra_a_kind_says_what_to_install(installed: InstalledWheel) -> None:
    done = installed.treeproof("run", "mcp:cat")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is not installed (pip install 'treeproof[mcp]')" in done.stderr


def test_the_extra_is_offered(wheel: Path) -> None:
    assert any(line.startswith("mcp") and "extra == 'mcp'" in line for line in requirements(wheel))


def test_help_and_version_answer(installed: InstalledWheel) -> None:
    assert installed.treeproof("--help").returncode == 0
    assert installed.treeproof("--version").stdout.startswith("treeproof ")


def test_lint_finds_the_bundled_packs_sound(installed: InstalledWheel) -> None:
    done = installed.treeproof("lint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_is_judged_as_in_the_checkout(installed: InstalledWheel) -> None:
    done = installed.treeproof("run", "reference", "--report", "json=run.json")
    assert done.returncode in (0, 3), done.stdout[-2000:] + done.stderr
    run = json.loads((installed.elsewhere / "run.json").read_bytes())
    assert run["exit"] == done.returncode
    scenarios = [scenario for spec in run["specs"] for scenario in spec["scenarios"]]
    assert scenarios
    assert [scenario["id"] for scenario in scenarios if scenario["outcome"] in ("failed", "fault")] == []
    assert sorted(os.listdir(installed.elsewhere)) == ["run.json"]


def test_pytest_finds_the_plugin_and_has_nothing_to_warn_of(installed: InstalledWheel) -> None:
    words = ["--treeproof", "reference", "--treeproof-spec", "list_directory", "-k", "LD-LST-05-01"]
    done = installed._run_in_environment(
        "-m",
        "pytest",
        *("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:fakefs"),
        "-W",
        "error",
        "-q",
        *words,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert "partial: everything selected held" in done.stdout
