"""The wheel contains the right files and works in an environment with nothing else.

The environment is a new venv with copies of the run-time dependencies only. pip installs the wheel without network and
fails if a dependency is missing.
"""

from __future__ import annotations

import contextlib
import fcntl
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

from treeproof.spec import bundled_packs, load_pack, parse_feature

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ("features", "steps", "fixtures", "adapters", "reference_impl", "rows", "mutants", "variants", "oracles")


def build(kind: str, source: Path, destination: Path) -> Path:
    """Build a ``wheel`` or ``sdist`` of ``source`` with the locked backend and return the file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(destination)]
    result = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=400, check=False)
    assert result.returncode == 0, result.stderr
    (built,) = destination.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of pytest-xdist share: one of them builds and installs what all use."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "shared wheel"
    folder.mkdir(exist_ok=True)
    return folder


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="module")
def wheel(shared: Path) -> Path:
    with locked(shared):
        built = [*(shared / "wheel").glob("*.whl")]
        return built[0] if built else build("wheel", ROOT, shared / "wheel")


def wheel_files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_top_level_is_only_the_package(wheel: Path) -> None:
    names = {name.split("/")[0] for name in wheel_files(wheel)}
    assert {name for name in names if not name.endswith(".dist-info")} == {"treeproof"}
    assert len(names) == 2


def test_it_contains_every_file_of_the_project(wheel: Path) -> None:
    expected = {
        file.relative_to(ROOT).as_posix()
        for folder in ("treeproof", *CONTENT)
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and not any(_is_ignored(part) for part in file.relative_to(ROOT).parts)
    }
    actual = {name.removeprefix("treeproof/") if _is_content(name) else name for name in wheel_files(wheel)}
    assert expected - actual == set()
    assert {"treeproof/py.typed", "treeproof/report/run.schema.json"} <= actual


def _is_ignored(part: str) -> bool:
    return part.startswith(".") or part == "__pycache__"


def _is_content(name: str) -> bool:
    parts = name.split("/")
    return parts[0] == "treeproof" and parts[1] in CONTENT


def test_it_contains_no_byte_code_and_no_tests(wheel: Path) -> None:
    assert [name for name in wheel_files(wheel) if name.endswith(".pyc") or "/tests/" in name] == []


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build("sdist", ROOT, tmp_path / "dist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("treeproof-*")
    assert (source / "tests" / "test_wheel.py").is_file()
    assert build("wheel", source, tmp_path / "again").read_bytes() == wheel.read_bytes()


def test_a_release_workflow_gives_the_addresses_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    def urls() -> dict[str, str]:
        command = [sys.executable, "-m", "hatchling", "metadata", "urls"]
        return json.loads(subprocess.check_output(command, cwd=ROOT, text=True, timeout=60) or "{}")  # type: ignore[no-any-return]

    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert urls() == {}
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://host.example")
    monkeypatch.setenv("GITHUB_REPOSITORY", "me/treeproof")
    assert urls()["Source"] == "https://host.example/me/treeproof"
    assert set(urls()) == {"Source", "Documentation", "Issues", "Changelog"}


def dependencies(requirements: list[str]) -> set[str]:
    """Return the names of the distributions that the requirements need, directly or indirectly."""
    found: set[str] = set()
    pending = [requirement for requirement in requirements if _is_needed(requirement)]
    while pending:
        name = re.split(r"[^A-Za-z0-9._-]", pending.pop(), maxsplit=1)[0].lower().replace("_", "-")
        if name not in found:
            found.add(name)
            pending += [each for each in metadata.requires(name) or [] if _is_needed(each)]
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
    """The wheel in a new environment; commands run outside the checkout."""

    def __init__(self, place: Path, folder: Path) -> None:
        self.place = place
        self.folder = folder

    def install(self, wheel: Path) -> None:
        """Create the environment."""
        venv.create(self.place, symlinks=True)
        site = Path(
            self._run_in_environment("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
        )
        for name in dependencies(requirements(wheel)):
            self._copy(metadata.distribution(name), site)
        result = self.pip("install", "--quiet", "--no-index", "--no-compile", str(wheel))
        assert result.returncode == 0, result.stderr

    @staticmethod
    def _copy(distribution: metadata.Distribution, site: Path) -> None:
        for file in distribution.files or ():
            if ".." not in file.parts and Path(str(file.locate())).exists():  # pip removes byte code without a source
                target = site / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(str(file.locate()), target)  # with its time, on which the validity of byte code depends

    def pip(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run the pip of this environment for the new one, which needs none then."""
        return self._run(sys.executable, "-m", "pip", "--python", str(self.place), "--isolated", *args)

    def _run_in_environment(self, *args: str) -> subprocess.CompletedProcess[str]:
        return self._run(str(self.place / "bin" / "python"), *args)

    def treeproof(self, *args: str) -> subprocess.CompletedProcess[str]:
        return self._run(str(self.place / "bin" / "treeproof"), *args)

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "COV"))
        }
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=400, check=False
        )


@pytest.fixture(scope="module")
def installed(wheel: Path, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> InstalledWheel:
    found = InstalledWheel(shared / "venv", tmp_path_factory.mktemp("folder"))
    with locked(shared):
        if not (shared / "installed").exists():
            found.install(wheel)
            (shared / "installed").touch()
    return found


@pytest.mark.parametrize("program", ["uvx", "pipx"])
def test_one_line_runs_it(program: str, wheel: Path, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"not verified: a run of the wheel by {program}; needs the program {program}")
    homes = {"UV_CACHE_DIR": "uv", "PIPX_HOME": "pipx", "PIPX_BIN_DIR": "bin", "PIPX_SHARED_LIBS": "shared"}
    environment = {**os.environ, **{name: str(tmp_path / folder) for name, folder in homes.items()}}
    options = ["--python", sys.executable]
    command = (
        ["uvx", *options, "--from", str(wheel)] if program == "uvx" else ["pipx", "run", *options, "--spec", wheel]
    )
    done = subprocess.run(
        [*command, "treeproof", "run", "reference", "--select", "LD-LST-01-01"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "partial: everything selected held" in done.stdout


def test_pip_finds_every_dependency(installed: InstalledWheel) -> None:
    result = installed.pip("check")
    assert result.returncode == 0, result.stdout


def test_the_installed_package_is_imported(installed: InstalledWheel) -> None:
    result = installed._run_in_environment("-c", "import treeproof; print(treeproof.__file__)")
    assert result.stdout.startswith(str(installed.place.resolve())) or result.stdout.startswith(str(installed.place))


def test_an_adapter_without_its_extra_names_the_command_to_install_it(installed: InstalledWheel) -> None:
    result = installed.treeproof("run", "mcp:cat")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "is not installed (pip install 'treeproof[mcp]')" in result.stderr


def test_the_extra_is_declared(wheel: Path) -> None:
    assert any(line.startswith("mcp") and "extra == 'mcp'" in line for line in requirements(wheel))


def test_help_and_version_work(installed: InstalledWheel) -> None:
    assert installed.treeproof("--help").returncode == 0
    assert installed.treeproof("--version").stdout.startswith("treeproof ")


def test_lint_finds_no_error_in_an_installed_pack(installed: InstalledWheel) -> None:
    (pack,) = installed.place.glob("lib/python*/site-packages/treeproof/features/fs_walkdir")
    result = installed.treeproof("lint", str(pack))
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_scenario_fails_in_a_run_of_the_reference(installed: InstalledWheel) -> None:
    """One scenario of each feature file runs; a run imports all step modules. Laws are slow: those of one pack run."""
    files = [
        file
        for folder in bundled_packs()
        for file in load_pack(folder).feature_files()
        if file.name != "laws.feature" or folder.name == "fs_walkdir"
    ]
    selection = [parse_feature(file).scenarios[0].id for file in files]
    result = installed.treeproof("run", "reference", "--select", *selection, "--report", "json=run.json")
    assert result.returncode in (0, 3), result.stdout[-2000:] + result.stderr
    run = json.loads((installed.folder / "run.json").read_bytes())
    assert run["exit"] == result.returncode
    scenarios = [scenario for spec in run["specs"] for scenario in spec["scenarios"]]
    assert len(scenarios) == len(selection) >= 90
    assert [scenario["id"] for scenario in scenarios if scenario["outcome"] in ("failed", "fault")] == []
    assert sorted(os.listdir(installed.folder)) == ["run.json"]


def test_pytest_loads_the_plugin_without_warnings(installed: InstalledWheel) -> None:
    options = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:fakefs", "-W", "error", "-q"]
    plugin = ["--treeproof", "reference", "--treeproof-spec", "list_directory", "-k", "LD-LST-05-01"]
    result = installed._run_in_environment("-m", "pytest", *options, *plugin)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 passed" in result.stdout
    assert "partial: everything selected held" in result.stdout
