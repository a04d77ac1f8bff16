"""Adapter kind container, with a fake engine that notes what it is asked, and runs the candidate without a container.

The last tests use podman itself, on an image that is made of this interpreter.
"""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treeproof.adapters.container import engine as engine_module
from treeproof.adapters.container import transport as transport_module
from treeproof.candidate import (
    Call,
    CandidateFault,
    Limits,
    PrivateMount,
    ProcessOptions,
    Target,
    UnsupportedByAdapter,
    UsageError,
    connect,
)

CANDIDATE = Path(__file__).parents[1] / "candidate" / "sample_candidates" / "misbehaving.py"
PATIENCE_SECONDS = 60.0

FAKE = """
import json, os, signal, subprocess, sys, time
state = {state!r}
words = sys.argv[1:]
runtime = ""
if words[0] == "--runtime":
    runtime, words = words[1], words[2:]
told = sys.stdin.read() if words[0] == "create" else ""
with open(state + "/log", "a") as log:
    log.write(json.dumps([runtime, words, told, dict(os.environ)]) + "\\n")
problem = {problems!r}.get(words[0])
if problem and not (runtime and {fixed_by_runtime!r}):
    if problem == "hang":
        time.sleep(600)
    sys.exit("Error: " + problem)
if words[:2] == ["image", "inspect"]:
    print(json.dumps([{{"Id": "sha256:1", "Config": {config!r}}}]))
elif words[0] == "create":
    name = words[words.index("--name") + 1]
    at = words.index("--entrypoint")
    with open(state + "/" + name, "w") as made:
        json.dump([words[at + 1], *words[at + 3:]], made)
    if {dies!r}:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(0.3)
elif words[0] == "init":
    process = subprocess.Popen(["sleep", "600"], stdin=-3, stdout=-3, stderr=-3)
    with open(state + "/process", "w") as file:
        file.write(str(process.pid))
elif words[0] == "inspect":
    print(open(state + "/process").read() if os.path.exists(state + "/process") else os.getpid())
elif words[0] == "start":
    command = json.load(open(state + "/" + words[-1]))
    os.execvp(command[0], command)
elif words[0] == "rm":
    if os.path.exists(state + "/process"):
        with __import__("contextlib").suppress(OSError):
            os.kill(int(open(state + "/process").read()), signal.SIGKILL)
        os.remove(state + "/process")
    if os.path.exists(state + "/" + words[-1]):
        os.remove(state + "/" + words[-1])
"""
Request = tuple[str, list[str], str, dict[str, str]]


class FakeEngine:
    """A program in place of podman or docker."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch
        self._state = folder / "state"
        self._state.mkdir()

    def install(self, name: str = "podman", **changes: Any) -> "FakeEngine":
        config = {"Entrypoint": [sys.executable], "Cmd": [str(CANDIDATE)], "Env": ["FROM_IMAGE=1"]}
        values = {"config": config, "problems": {}, "fixed_by_runtime": False, "dies": False} | changes
        programs = self._folder / "bin"
        programs.mkdir(exist_ok=True)
        for each in (name, *(["runc"] if values["fixed_by_runtime"] else [])):
            program = programs / each
            program.write_text(f"#!{sys.executable} -IS\n" + FAKE.format(state=str(self._state), **values))
            program.chmod(0o755)
        others = [part for part in os.get_exec_path() if not any((Path(part) / e).exists() for e in ENGINES)]
        self._monkeypatch.setenv("PATH", os.pathsep.join([str(programs), *others, *self._links(programs)]))
        engine_module._engine.cache_clear()
        return self

    def _links(self, programs: Path) -> list[str]:
        """Offer the programs that a fake container needs, where the folder of an engine is not on the PATH."""
        for name in ("sleep", "env", "sh"):
            found = shutil.which(name)
            if found is not None and not (programs / name).exists():
                (programs / name).symlink_to(found)
        return []

    def requests(self, command: str) -> list[Request]:
        log = self._state / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [each for each in map(json.loads, lines) if each[1][0] == command]

    def containers(self) -> list[str]:
        return [path.name for path in self._state.iterdir() if path.name.startswith("treeproof-")]


ENGINES = ("podman", "docker", "runc")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEngine]:
    yield FakeEngine(tmp_path, monkeypatch)
    engine_module._engine.cache_clear()


def target(**changes: Any) -> Target:
    limits = Limits(call_seconds=60, start_seconds=60, close_seconds=60)
    return Target(text="container:tool", kind="container", folder=Path("/"), image="tool", limits=limits, **changes)


def value_of(words: list[str], option: str) -> str:
    return words[words.index(option) + 1]


def test_the_container_has_the_workspace_and_little_else(engine: FakeEngine) -> None:
    engine.install()
    candidate = connect(target(env={"TOKEN": "a secret"}, usual_env={"HOME": "/dev/shm/h"}))
    assert candidate.start("/tmp").name == "misbehaving"
    assert candidate.kind == "container"
    answer = json.loads(
        candidate.call(Call("list_directory", {}, {"roots": ["/tmp"], "working_dir": "/tmp"})).content or ""
    )
    assert answer["calls"] == 1
    [(_, words, variables, environment)] = engine.requests("create")
    assert value_of(words, "--network") == "none"
    assert value_of(words, "--pull") == "never"
    assert value_of(words, "--cap-drop") == "all"
    assert value_of(words, "--mount") == "type=bind,source=/tmp,destination=/tmp"
    assert "--cap-add" not in words
    assert not any("secret" in word for word in words)
    assert variables.splitlines() == ["HOME=/dev/shm/h", "TOKEN=a secret"]
    assert environment.get("HOME") == os.environ.get("HOME")  # the engine's own
    limits = dict(word.split("=") for at, word in enumerate(words) if words[at - 1] == "--ulimit")
    assert all(int(value) >= 0 for limit in limits.values() for value in limit.split(":"))
    candidate.close()
    assert getattr(candidate, "close_problem", "?") is None
    assert engine.containers() == []


@pytest.mark.parametrize(("name", "steps"), [("podman", ["create", "init", "start"]), ("docker", ["create", "start"])])
def test_podman_alone_has_a_process_before_the_program_starts(engine: FakeEngine, name: str, steps: list[str]) -> None:
    engine.install(name)
    candidate = connect(target())
    candidate.start("/tmp")
    assert [step for step in ("create", "init", "start") if engine.requests(step)] == steps
    candidate.close()
    assert engine.containers() == []


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (ProcessOptions(umask=0o077), ["--umask", "0077"]),
        (ProcessOptions(cwd=b"/opt"), ["--workdir", "/opt"]),
        (ProcessOptions(env={"FROM_IMAGE": None}), ["--unsetenv", "FROM_IMAGE"]),
        (ProcessOptions(has_own_network=True), ["--network", "none"]),
    ],
)
def test_a_process_of_a_scenario_is_another_container(
    engine: FakeEngine, options: ProcessOptions, wanted: list[str]
) -> None:
    engine.install()
    candidate = connect(target()).spawn(options)
    candidate.start("/tmp")
    words = engine.requests("create")[-1][1]
    assert any(words[at : at + 2] == wanted for at in range(len(words)))
    candidate.close()
    assert engine.containers() == []


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("docker", ProcessOptions(umask=0o077), "docker cannot give a container another umask"),
        ("docker", ProcessOptions(mount=PrivateMount(b"/tmp", b"/opt")), "which only podman on this machine permits"),
        ("docker", ProcessOptions(env={"HOME": None}), "may not have the program 'env'"),
        ("podman", ProcessOptions(cwd=b"/\xff"), "a path that is not UTF-8"),
        ("podman", ProcessOptions(env={"A": "b\nc"}), "a line break in a variable, or no UTF-8 (A)"),
        ("podman", ProcessOptions(command_prefix=("no-such-program",)), "has no program 'no-such-program'"),
    ],
)
def test_what_no_container_can_have_is_not_verified(
    engine: FakeEngine, name: str, options: ProcessOptions, reason: str
) -> None:
    engine.install(name)
    candidate = connect(target())
    candidate.start("/tmp")
    with pytest.raises(UnsupportedByAdapter, match=re.escape(reason)):
        candidate.spawn(options).start("/tmp")
    candidate.close()
    assert engine.containers() == []


@pytest.mark.parametrize("variable", [{"A": "b\nc"}, {"#A": "b"}, {"A B": "c"}, {"A*": ""}])
def test_a_variable_that_no_container_can_have_is_a_usage_error(engine: FakeEngine, variable: dict[str, str]) -> None:
    engine.install()
    with pytest.raises(UsageError, match="a container cannot have the variable"):
        connect(target(env=variable))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "image"),
        ('image = "tool"\ncwd = "."', "whose image has a working directory; remove it"),
        ('image = "tool"\nfactory = "a:b"', 'is for adapter = "python"; remove it'),
        ('image = "tool"\nallow_changes_in_cwd = true', "which sees no folder of yours; remove it"),
        ('image = "--privileged"', "the name of an image that is on this machine"),
        ('image = "tool"\nplatform = "windows"', '"platform" is for adapter = "stdio" and "command"; remove it'),
    ],
)
def test_a_manifest_of_a_container_has_an_image_and_no_folder(tmp_path: Path, lines: str, message: str) -> None:
    manifest = tmp_path / "treeproof.toml"
    manifest.write_text(f'[candidate]\nadapter = "container"\n{lines}\n')
    with pytest.raises(UsageError, match=re.escape(message)):
        Target.parse(str(manifest))


def test_the_words_after_the_image_follow_its_entry_point(engine: FakeEngine, tmp_path: Path) -> None:
    manifest = tmp_path / "treeproof.toml"
    manifest.write_text(f'[candidate]\nadapter = "container"\nimage = "tool"\ncommand = ["{CANDIDATE}", "one"]\n')
    engine.install()
    for parsed in (Target.parse(str(manifest)), Target.parse(f"container:tool {CANDIDATE} one")):
        candidate = connect(parsed)
        candidate.start("/tmp")
        words = engine.requests("create")[-1][1]
        assert words[words.index("--entrypoint") + 1 :] == [sys.executable, "sha256:1", str(CANDIDATE), "one"]
        candidate.close()


def test_a_process_that_does_not_see_the_workspace_is_not_that_of_the_container(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.install()
    monkeypatch.setattr(transport_module, "sees_directory", lambda process, place: False)
    candidate = connect(target())
    candidate.start("/tmp")
    assert candidate.pid is None  # nothing is traced, signalled or mounted in its place
    candidate.close()
    assert engine.containers() == []


def test_runc_is_tried_where_the_usual_runtime_is_refused(engine: FakeEngine) -> None:
    engine.install(problems={"init": "crun: writing file cgroup.procs: Operation not permitted"}, fixed_by_runtime=True)
    candidate = connect(target())
    candidate.start("/tmp")
    assert [request[0] for request in engine.requests("init")] == ["", "runc"]
    other = candidate.spawn(ProcessOptions())
    other.start("/tmp")
    assert [request[0] for request in engine.requests("init")] == ["", "runc", "runc"]
    for each in (candidate, other):
        each.close()
    assert engine.containers() == []


@pytest.mark.parametrize(
    ("problems", "message"),
    [
        ({"image": "tool: image not known"}, "there is no image 'tool' on this machine, and none is fetched unasked"),
        ({"image": "Cannot connect to the daemon"}, "podman does not work here: Cannot connect to the daemon; try"),
    ],
)
def test_an_image_that_cannot_be_used_is_a_usage_error(
    engine: FakeEngine, problems: dict[str, str], message: str
) -> None:
    engine.install(problems=problems)
    with pytest.raises(UsageError, match=f"^TARGET container:tool: {re.escape(message)}"):
        connect(target())


def test_an_image_without_a_command_is_a_usage_error(engine: FakeEngine) -> None:
    engine.install(config={"Entrypoint": None, "Cmd": None})
    with pytest.raises(UsageError, match="has no command; write one after its name, or as command"):
        connect(target())


def test_without_an_engine_the_remedy_is_to_install_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UsageError, match="no container engine on the PATH; install podman or docker"):
        connect(target())


@pytest.mark.parametrize("place", ["/tmp/a,b", '/tmp/"', "/tmp/\udcff"])
def test_a_workspace_that_no_option_can_name_is_a_usage_error(engine: FakeEngine, place: str) -> None:
    engine.install()
    with pytest.raises(UsageError, match="name another one in TREEPROOF_WORKSPACE"):
        connect(target()).start(place)
    assert engine.requests("create") == []


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ('executable file "x" not found in $PATH', "has no program"),
        (
            "error setting rlimit type 7: operation not permitted",
            "lower the limits of the shell (ulimit -n, ulimit -u)",
        ),
        ("no space left", "podman cannot start the image tool: no space left; try podman run tool"),
    ],
)
def test_a_container_that_cannot_start_is_a_fault(engine: FakeEngine, problem: str, message: str) -> None:
    engine.install(problems={"init": problem})
    with pytest.raises(CandidateFault, match=re.escape(message)) as fault:
        connect(target()).start("/tmp")
    assert fault.value.kind == "start"
    assert engine.containers() == []


def test_an_engine_that_hangs_is_a_fault(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_SECONDS", 0.5)
    engine.install(problems={"init": "hang"})
    with pytest.raises(CandidateFault, match="podman init did not end within"):
        connect(target()).start("/tmp")


def test_a_container_outlives_no_killed_run(engine: FakeEngine) -> None:
    engine.install(dies=True)
    program = """
        import sys
        from pathlib import Path
        from treeproof.candidate import Target, connect
        connect(Target("container:tool", "container", Path("/"), image="tool")).start("/tmp")
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL
    wait_until(lambda: engine.requests("rm") and not engine.containers())


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# ---- with podman ----------------------------------------------------------------------------------------------------

SERVER = """
import importlib, json, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
candidate = importlib.import_module(f"reference_impl.{sys.argv[1]}.candidate").candidate()
for line in sys.stdin:
    request = json.loads(line)
    last = request["method"] == "shutdown"
    result = None if last else getattr(candidate, request["method"])(request["params"])
    if "reversed" in sys.argv and result and "entries" in str(result.get("content")):
        listed = json.loads(result["content"])
        listed["entries"].reverse()
        result["content"] = json.dumps(listed, separators=(",", ":"), ensure_ascii=False)
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
    if last:
        break
"""
UNUSED_MODULES = re.compile(
    r"/(test|idlelib|tkinter|turtledemo|lib2to3|ensurepip|site-packages|dist-packages|config-[^/]*|__pycache__|unittest"
    r"|pydoc_data|distutils|asyncio|multiprocessing|sqlite3|email|xml|xmlrpc|venv|wsgiref|http|curses|dbm|zoneinfo"
    r"|logging|tomllib|urllib|html)(/|$)"
)
CHECKOUT = Path(__file__).parents[2]


def make_root(root: Path) -> None:
    """Write the files of an image as a tar file: this interpreter, a shell, env, and the reference implementations."""
    python = os.path.realpath(sys.executable)
    library = sysconfig.get_path("stdlib")
    programs = {python: python, "/bin/sh": "/bin/sh", "/usr/bin/env": "/usr/bin/env"}
    linked = [*programs, *map(str, Path(library, "lib-dynload").glob("*.so"))]
    text = subprocess.run(["ldd", *linked], capture_output=True, text=True, check=False).stdout
    shared = {path: path for path in re.findall(r"(/\S+) \(0x", text)}
    with tarfile.open(root, "w", dereference=True) as tar:
        for source, name in (programs | shared).items():
            tar.add(source, arcname=name)
        tar.add(library, filter=lambda entry: None if UNUSED_MODULES.search(entry.name) else entry)
        tar.add(CHECKOUT / "reference_impl", arcname="app/reference_impl")
        server = tarfile.TarInfo("app/server.py")
        server.size = len(SERVER)
        tar.addfile(server, io.BytesIO(SERVER.encode()))
        for name in ("tmp", "dev", "proc", "sys", "etc"):
            directory = tarfile.TarInfo(name)
            directory.type, directory.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(directory)


def podman(*words: str) -> str:
    return subprocess.run(["podman", *words], capture_output=True, text=True, check=True, timeout=120).stdout.strip()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of an image whose command serves the reference of list_directory."""
    if shutil.which("podman") is None or os.geteuid() != 0:
        pytest.skip("not verified: real containers, which need podman and root")
    root = tmp_path_factory.mktemp("image") / "root.tar"
    make_root(root)
    name = f"localhost/treeproof-test-{os.getpid()}"
    command = json.dumps([os.path.realpath(sys.executable), "server.py", "list_directory"])
    podman("import", "--change", "WORKDIR /app", "--change", f"CMD {command}", str(root), name)
    root.unlink()
    yield name
    podman("rmi", "--force", name)


def run(image: str, *words: str, select: str, command: str = "") -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-m", "treeproof", "run", f"container:{image} {command}".strip(), *words]
    line += [word for id in select.split() for word in ("--select", id)]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False, cwd="/")


# A trace, a mounted file system, a limit set by a shell.
SELECTED = "LD-C-05-102 FO-D11-02 FO-D10-18"


@pytest.mark.slow
def test_a_right_candidate_conforms_and_a_wrong_one_fails_in_a_container(image: str) -> None:
    python = os.path.realpath(sys.executable)
    command = f"{python} server.py file_operations"
    right = run(image, "--spec", "file_operations", "--spec", "list_directory", select=SELECTED, command=command)
    assert right.returncode == 0, right.stdout + right.stderr
    assert "3 scenarios" in right.stdout
    assert "not verified" not in right.stdout
    command = f"{python} server.py list_directory reversed"
    wrong = run(image, "--spec", "list_directory", select="LD-OUT-01-06", command=command)
    assert wrong.returncode == 1, wrong.stdout + wrong.stderr
    assert "FR-LD-OUT-01" in wrong.stdout


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_container_remains_after_a_signal(image: str, number: signal.Signals, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "treeproof", "run", f"container:{image}", "--spec", "list_directory", "--jobs", "1"]
    running = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    wait_until(lambda: containers_of(image))
    running.send_signal(number)
    running.wait(PATIENCE_SECONDS)
    if number is not signal.SIGKILL:
        assert containers_of(image) == []
    wait_until(lambda: not containers_of(image))


def containers_of(image: str) -> list[str]:
    return podman("ps", "--all", "--quiet", "--filter", f"ancestor={image}").split()
