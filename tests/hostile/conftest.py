"""A pack of three scenarios, run against a candidate that misbehaves in one of them.

Only a call that never returns has a short time limit: a busy machine must not make another one exceed it.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Method, RpcAdapter, RpcResponse
from treeproof.run.runner import Options, run

LONG_SECONDS = 120
TIMEOUT_SECONDS = {
    "hang": 0.4,
    "hang_at_every_call": 0.4,
    "close_stdin": 0.4,  # at the next call
    "hang_and_ignore_sigterm": 0.4,
    "spin": 0.4,
    "stop_itself": 0.4,
    "respond_without_newline": 0.4,
    "half_a_line_and_hang": 5,  # it has to write before
    "dribble_forever": 5,
}
"""Misbehaviours without a response, with the time limit of the call that gets none."""

CANDIDATE = Path(__file__).with_name("candidate.py")

PACK_FILE = """
[spec]
name = "hostile"
version = "1"
title = "A tool that lists one directory"
source = "hostile.md"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
prefix = "HO"
steps = ["treeproof.steps.shared.trees", "treeproof.steps.shared.calls", "hostile_steps"]

[[tool]]
name = "say"
capabilities = []
"""

REQUIREMENT = """
[[requirement]]
id = "HO-R-{number}"
level = "MUST"
section = "1 All"
text = "It lists a directory."
basis = "stated"
sentences = ["0123456789ab"]
verified_by = ["scenario"]
"""

STEPS = '''
"""The step of the pack."""
from treeproof.api import Mismatch, then

@then(r'it lists "(?P<text>.*)"', example='it lists "a"')
def it_lists(world, text):
    answer = world.answer
    if answer.content != text:
        raise Mismatch("it lists something else", expected=text, got=str(answer.content or answer.error_message))
'''

TREES = {"large": "f000..f199", "traced": "a!L, d/{b}"}
RULE = """
  @HO-R-{number}
  Rule: {name}

    @HO-{number}-01
    Scenario: {name}
      Given the tree "{tree}"
      When say is called with {arguments}
      Then it lists "a, d"
      And the tree is unchanged
"""


@dataclass
class HostileProject:
    """A folder with the pack and the files of a run."""

    folder: Path
    process_marker: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        (self.folder / "workspaces").mkdir()
        precious = self.folder / "precious"
        (precious / "d").mkdir(parents=True)
        (precious / "a").write_text("keep")
        (precious / "d" / "b").write_text("keep")
        (self.folder / "hostile_steps.py").write_text(STEPS)
        self.write_pack(["before", "bad", "after"])

    @property
    def pack(self) -> Path:
        return self.folder / "features" / "hostile"

    def write_pack(self, names: list[str]) -> None:
        """Write the pack with one scenario per name.

        The candidate misbehaves in scenarios ``bad…``; see TREES for ``large`` and ``traced``.
        """
        self.pack.mkdir(parents=True, exist_ok=True)
        numbers = range(1, len(names) + 1)
        requirements = "".join(REQUIREMENT.format(number=number) for number in numbers)
        (self.pack / "spec.toml").write_text(PACK_FILE + requirements)
        rules = "".join(
            RULE.format(
                number=n,
                name=name,
                tree=TREES.get(name.split()[-1], "a, d/{b}"),
                arguments=json.dumps({"bad": name[4:] or True} if name.startswith("bad") else {}),
            )
            for n, name in zip(numbers, names, strict=True)
        )
        (self.pack / "hostile.feature").write_text("@hostile\nFeature: Hostile\n" + rules)

    def write_manifest(self, mode: str, **limits: float) -> Path:
        """Write a manifest of the candidate with this misbehaviour, and return its path."""
        usual = {"call_timeout": LONG_SECONDS, "start_timeout": LONG_SECONDS, "max_answer_bytes": 1_000_000}
        values = usual | limits
        file = self.folder / "treeproof.toml"
        file.write_text(
            textwrap.dedent(f"""
            [candidate]
            adapter = "stdio"
            command = ["{sys.executable}", "-I", "-S", "{CANDIDATE}", "{mode}"]
            {chr(10).join(f"            {key} = {value}" for key, value in values.items()).strip()}
            [candidate.env]
            HOSTILE = "{self.process_marker}"
            PRECIOUS = "{self.folder / "precious"}"
            MARKER_FILE = "{self.folder / "marker"}"
            """)
        )
        return file

    def run(self, mode: str, **limits: float) -> tuple[dict[str, Any], float]:
        """Return the run document of the candidate and the duration in seconds."""
        if mode in TIMEOUT_SECONDS:
            limits = {"call_timeout": TIMEOUT_SECONDS[mode], **limits}
        began = time.monotonic()
        options = Options(target=str(self.write_manifest(mode, **limits)), specs=(str(self.pack),))
        document = run_patiently(options, unanswered_calls(mode))
        return document, time.monotonic() - began

    def command(self, mode: str, *args: str, **limits: float) -> list[str]:
        """Return the command line that runs the pack against the candidate in another process."""
        run_args = ["run", str(self.write_manifest(mode, **limits)), "--spec", str(self.pack), *args]
        return [sys.executable, "-c", "from treeproof.cli import command; raise SystemExit(command())", *run_args]

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables for `command`."""
        checkout = str(Path(__file__).parents[2])
        return {**os.environ, "PYTHONPATH": f"{checkout}:{self.folder}", "COLUMNS": "200"}

    def leftovers(self) -> list[str]:
        """Return what remains of a run: processes of the candidate, and files in the workspaces."""
        variable, found = f"HOSTILE={self.process_marker}".encode(), []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if variable in (process / "environ").read_bytes():
                    found.append(f"process {process.name}: {(process / 'cmdline').read_bytes()!r}")
            except OSError:
                continue
        tasks = Path("/proc/self/task").glob("*/children")
        found += [f"child {pid}" for task in tasks for pid in task.read_text().split()]
        return found + [f"file {path}" for path in (self.folder / "workspaces").iterdir()]

    def read_precious_files(self) -> dict[str, str]:
        """Return the files of the folder to which the candidate makes links."""
        folder = self.folder / "precious"
        return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def run_patiently(options: Options, is_limited: Callable[[Any], object]) -> dict[str, Any]:
    """Return the run document. The manifest's ``call_timeout`` holds only for calls whose params are limited."""
    send_request = RpcAdapter._send_request

    def send(adapter: RpcAdapter, method: Method, params: str, seconds: float) -> RpcResponse:
        holds = method == "initialize" or (method == "call" and is_limited(json.loads(params)))
        return send_request(adapter, method, params, seconds if holds else LONG_SECONDS)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RpcAdapter, "_send_request", send)
        return run(options).document.to_json()


def unanswered_calls(mode: str) -> Callable[[Any], bool]:
    """Return a function that tells whether a call gets no answer, or a wrong one."""
    has_misbehaved = False

    def is_unanswered(params: Any) -> bool:
        nonlocal has_misbehaved
        if mode == "hang_at_every_call":
            return True
        is_bad, is_later = "bad" in params["arguments"], has_misbehaved
        has_misbehaved = has_misbehaved or is_bad
        return is_later if mode == "close_stdin" else is_bad

    return is_unanswered


@pytest.fixture
def hostile_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostileProject]:
    monkeypatch.setenv("TREEPROOF_WORKSPACE", str(tmp_path / "workspaces"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "hostile_steps", raising=False)
    monkeypatch.chdir(tmp_path)
    yield HostileProject(tmp_path)
    sys.modules.pop("hostile_steps", None)
