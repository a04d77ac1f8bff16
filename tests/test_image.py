"""The image: built without a registry, it judges as this host does, but for what a container lacks.

The base is unpacked from Debian packages. Everything is in storage of its own, and nothing remains of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
PROGRAMS = ("buildah", "mmdebstrap", "podman", "runc")
PACKAGES = (
    *("base-files", "bash", "coreutils", "dash", "findutils", "grep", "libstdc++6", "sed"),  # as in any base
    *("bubblewrap", "mount", "python3", "python3-pip", "strace", "util-linux"),  # so that no build needs the network
)
LIMITS = ("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096")
"""An engine that may not raise its own limits cannot apply the usual ones."""
DATE = 1_700_000_000
TIMEOUT_SECONDS = 600
LACKS = {"mknod"}
"""The facilities of this host that the container lacks."""
SELECTED = {
    "reference": ("LF-TYPE", "LF-ERR-01", "@needs:strace", "@needs:namespaces"),
    "example": ("NFR-LD-REL-02", "DOC-03", "C-05", "LD-T"),
}
"""Scenarios with trees, links, device files, traces, injected failures, namespaces and output."""

OTHER_BYTE_CODE = """
from pathlib import Path
files = list(Path("/opt/treeproof").rglob("*.pyc"))
assert files
print([str(file) for file in files if file.read_bytes()[4:8] != bytes([1, 0, 0, 0])])
"""
"""Prints the files whose flags (PEP 552) are not those of an unchecked hash."""


def execute(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return its standard output; it must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
    return done.stdout


class Engine:
    """buildah and podman with a storage in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._storage = ("--root", str(folder / "images"), "--runroot", str(folder / "running"))
        self._podman = ("podman", *self._storage, "--tmpdir", str(folder / "podman"), "--runtime", "runc")

    def buildah(self, *args: str | Path, cwd: Path = ROOT) -> str:
        return execute("buildah", *self._storage, *args, cwd=cwd).strip()

    def build(self, name: str, context: Path, *args: str) -> None:
        """Build the Containerfile of a folder without network."""
        limits = ("--network", "none", "--runtime", "runc", *LIMITS, "--timestamp", str(DATE))
        self.buildah("build", "-q", "-t", name, *limits, *args, "-f", context / "Containerfile", context)

    def shell(self, script: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a command of the documentation, with podman in the place of docker."""
        define = 'docker() { shift; "${podman[@]}" run --network none "${limits[@]}" "$@"; }'
        arrays = f"podman=({' '.join(self._podman)}) limits=({' '.join(LIMITS)})"
        return subprocess.run(
            ["bash", "-c", f"{arrays}\n{define}\n{script}"],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )

    def remove(self) -> None:
        """Remove containers, images, mounts and files."""
        for command in ((*self._podman, "rm", "-af"), ("buildah", *self._storage, "rm", "-a")):
            subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECONDS)
        for mount in reversed(self.mounts()):
            subprocess.run(["umount", "-l", mount], capture_output=True, timeout=TIMEOUT_SECONDS)
        shutil.rmtree(self.folder)

    def mounts(self) -> list[str]:
        places = (line.split()[4] for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines())
        return [place for place in places if place.startswith(f"{self.folder}/")]


@pytest.fixture
def engine() -> Iterator[Engine]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("not verified: the image; needs Linux and root, to unpack a base")
    if missing := [program for program in PROGRAMS if shutil.which(program) is None]:
        pytest.skip(f"not verified: the image; needs the programs {', '.join(missing)}")
    engine = Engine(Path(tempfile.mkdtemp(prefix="image-")))  # podman permits 50 characters
    yield engine
    engine.remove()
    assert engine.mounts() == []


def make_base(engine: Engine) -> None:
    """Unpack packages of the Debian release that the Containerfile names, as the image ``base``."""
    found = re.search(r"^ARG BASE=debian:(\w+)-slim$", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE)
    assert found
    container = engine.buildah("from", "scratch")
    place = engine.buildah("mount", container)
    options = ("--quiet", "--mode=root", "--variant=extract", f"--include={','.join(PACKAGES)}")
    done = subprocess.run(
        ["mmdebstrap", *options, found[1], place], capture_output=True, text=True, timeout=TIMEOUT_SECONDS
    )
    if done.returncode:
        pytest.skip(f"not verified: the image; needs a mirror of Debian: {done.stderr.strip()[-300:]}")
    engine.buildah("unmount", container)
    engine.buildah("commit", "-q", "--rm", "--timestamp", str(DATE), container, "base")


def download_wheels(folder: Path) -> None:
    """Download what the Containerfile installs, in the same way."""
    (command,) = re.findall(r"sed -E '.*' requirements\.lock", (ROOT / "Containerfile").read_text("utf-8"))
    (folder / "lock").write_text(execute("bash", "-c", command), "utf-8")
    pip = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "--only-binary=:all:")
    execute(*pip, "--python-version", "3.11", "-d", folder / "wheels", "-r", folder / "lock")
    (folder / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /index\n", "utf-8")


@contextlib.contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Do some work in a thread meanwhile; what it raises is raised here."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        thread.join()
    if raised:
        raise raised[0]


def build_go(folder: Path) -> Path | None:
    """Build the example in Go without shared libraries, None without a toolchain."""
    program = os.environ.get("TREEPROOF_TEST_GO") or shutil.which("go")
    if program is None:
        return None
    shutil.copytree(ROOT / "examples" / "go", folder)
    offline = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    execute(program, "build", "-o", "list-directory", ".", cwd=folder, **offline)
    return folder


def with_node(engine: Engine, folder: Path) -> bool:
    """Build the image with Node as the documentation shows, from the Node of this host; return whether it has one."""
    node = shutil.which("node")
    if node is None:
        return False
    (text,) = re.findall(r"^```dockerfile Containerfile\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (name,) = re.findall(r"^FROM (node:\S+)", text, re.MULTILINE)
    for part, content in (("host", "FROM scratch\nCOPY node /usr/local/bin/node\n"), ("node", text)):
        (folder / part).mkdir(parents=True)
        (folder / part / "Containerfile").write_text(content, "utf-8")
    shutil.copy(node, folder / "host" / "node")
    engine.build(name, folder / "host")
    engine.build("with-node", folder / "node")
    return True


def verdicts(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the verdict of each requirement with its cause, and the outcome of each scenario, by id."""
    found = dict[str, tuple[str, str]]()
    for spec in document["specs"]:
        found.update((one["id"], (one["verdict"], one["cause"] or "")) for one in spec["requirements"])
        found.update((one["id"], (one["outcome"], "")) for one in spec["scenarios"])
    return found


def check_the_same_verdicts(engine: Engine, image: str, target: str, folder: Path, selected: tuple[str, ...]) -> None:
    """Judge a candidate in the image and outside. Only a lack of the container may make a difference."""
    mount = '-v "$PWD:/candidate:ro"' if target == "/candidate" else ""
    words = " ".join(f"'{word}'" for word in selected)
    inside = engine.shell(f"docker run --rm {mount} {image} run {target} --report json=- --select {words}", folder)
    assert inside.returncode in (0, 3), inside.stdout[-2000:] + inside.stderr[-2000:]
    document = json.loads(inside.stdout[inside.stdout.index("{\n") :])
    command = [sys.executable, "-m", "treeproof", "run", str(folder) if mount else target, "--report", "json=-"]
    outside = subprocess.run([*command, "--select", *selected], cwd=ROOT, capture_output=True, text=True)
    expected = verdicts(json.loads(outside.stdout[outside.stdout.index("{\n") :]))
    found = verdicts(document)
    assert sum(outcome == "passed" for outcome, _ in found.values()) > 80
    assert found.keys() == expected.keys()
    different = {id: (found[id], expected[id]) for id in found if found[id][0] != expected[id][0]}
    assert {here[0] for here, _ in different.values()} <= {"NOT VERIFIED", "not-verified"}, different
    causes = {here[1].partition(":")[0] for here, _ in different.values() if here[0] == "NOT VERIFIED"}
    assert causes == ({f"needs {facility}" for facility in LACKS} if target == "reference" else set()), different


@pytest.mark.slow
def test_the_image_judges_as_this_host_does(engine: Engine, tmp_path: Path, subtests: pytest.Subtests) -> None:
    folders = dict[str, Path | None]()
    with beside(lambda: download_wheels(tmp_path)):
        make_base(engine)
    wheels = ("--volume", f"{tmp_path / 'wheels'}:/index:ro", "--volume", f"{tmp_path / 'pip.conf'}:/etc/pip.conf:ro")
    arguments = ("BASE=localhost/base", f"SOURCE_DATE_EPOCH={DATE}", "VERSION=0.1.0")
    with beside(lambda: folders.update(go=build_go(tmp_path / "go"))):
        engine.build("treeproof", ROOT, *wheels, *(word for one in arguments for word in ("--build-arg", one)))

    with subtests.test("it is no root, has labels and is of one date"):
        image = json.loads(engine.buildah("inspect", "--type", "image", "treeproof"))["OCIv1"]
        assert image["config"]["User"] == "1000:1000"
        labels = image["config"]["Labels"]
        assert labels["org.opencontainers.image.version"] == "0.1.0"
        assert labels["org.opencontainers.image.base.name"] == "localhost/base"
        assert image["created"].startswith("2023-11-14T22:13:20")
        script = (
            f"docker run --rm --entrypoint find treeproof /opt/treeproof ! -newermt @{DATE - 1} -o -newermt @{DATE}"
        )
        done = engine.shell(script, tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    with subtests.test("its byte code does not depend on times, so that each build has the same bytes"):
        script = f"docker run --rm -i --entrypoint python3 treeproof - <<'END'\n{OTHER_BYTE_CODE}END"
        done = engine.shell(script, tmp_path)
        assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr

    with subtests.test("the reference"):
        done = engine.shell("docker run --rm treeproof doctor reference", tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        check_the_same_verdicts(engine, "treeproof", "reference", tmp_path, SELECTED["reference"])

    with subtests.test("the commands of the documentation, with an example in Python"):
        shutil.copytree(ROOT / "examples" / "python-ls", tmp_path / "python")
        commands = re.findall(r"^docker run .*$", PAGE, re.MULTILINE)
        for command in commands:
            done = engine.shell(f"{command} --select LS-DATA-06", tmp_path / "python")
            assert done.returncode == 0, done.stdout + done.stderr
        assert len(commands) == 2
        assert (tmp_path / "python" / "report.html").read_text("utf-8").startswith("<!doctype html>")

    with subtests.test("the example in Go"):
        if folders["go"] is None:
            pytest.skip("not verified: the example in Go in the image; needs the program go")
        check_the_same_verdicts(engine, "treeproof", "/candidate", folders["go"], SELECTED["example"])

    with subtests.test("the example in Node, in the image with Node"):
        if not with_node(engine, tmp_path / "node images"):
            pytest.skip("not verified: the example in Node in the image; needs the program node")
        check_the_same_verdicts(engine, "with-node", "/candidate", ROOT / "examples" / "node", SELECTED["example"])
