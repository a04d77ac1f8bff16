"""A specification of one tool and a short candidate, for complete runs in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Target, connect
from treeproof.run.connected_candidate import ConnectedCandidate, Environment, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.runner import Options, run
from treeproof.run.session import Session
from treeproof.spec import Pack, load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.tree import Workspace, probe_host

from ..echoes import FEATURE, SPEC, STEPS
from .scripted import ScriptedAdapter

PACK_FILE_TAIL = """
default_arguments = { path = "." }

[[requirement]]
id = "EC-R-1"
level = "MUST"
section = "1 All"
text = "It returns its argument."
basis = "stated"
sentences = ["0123456789ab"]
verified_by = ["scenario"]

[[requirement]]
id = "EC-R-2"
level = "MUST"
section = "1 All"
text = "It returns nothing else."
basis = "stated"
sentences = ["0123456789ab"]
verified_by = ["scenario"]
"""

CANDIDATE = """
class Echo:
    def initialize(self, params):
        return {"protocol": 1, "candidate": {"name": "echo", "version": "1", "language": "python"},
                "tools": {"say": "echoes@1"}, "capabilities": []}
    def describe(self, params):
        return {"name": "say"}
    def call(self, params):
        arguments = params["arguments"]
        if arguments.get("die"):
            raise RuntimeError("requested")
        return {"status": "ok", "content": arguments["text"]}
"""


@pytest.fixture
def echoes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that writes the pack with one feature text and returns its folder."""

    def write(feature: str, *, steps: str = STEPS, candidate: str = CANDIDATE) -> Path:
        module = f"echo_steps_{abs(hash((feature, steps)))}"
        folder = tmp_path / "features" / "echoes"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "spec.toml").write_text(SPEC.format(steps=module, capabilities="") + PACK_FILE_TAIL, "utf-8")
        (folder / "echoes.feature").write_text(textwrap.dedent(feature), "utf-8")
        (tmp_path / f"{module}.py").write_text(steps, "utf-8")
        (tmp_path / "echo_candidate.py").write_text(candidate, "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.chdir(tmp_path)
        return folder

    return write


@pytest.fixture
def run_feature(echoes: Callable[..., Path], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Return a function that runs the echo candidate over a feature text and returns the run document."""

    def execute(feature: str, *, steps: str = STEPS, candidate: str = CANDIDATE, **options: Any) -> dict[str, Any]:
        folder = echoes(feature, steps=steps, candidate=candidate)
        target = f"python:{tmp_path / 'echo_candidate.py'}:Echo"
        return run(Options(target=target, specs=(str(folder),), **options)).document.to_json()

    return execute


@pytest.fixture
def plain_steps() -> str:
    """Return the source of the step definitions."""
    return STEPS


@pytest.fixture
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    """Return a session of the reference of `PACK`, which the module of the test has."""
    pack = request.module.PACK
    adapter = connect(Target.for_entry_point("reference", pack.reference or ""))
    with (
        open_environment(Interrupts()) as environment,
        ConnectedCandidate(adapter, environment) as candidate,
        contextlib.closing(Session(pack, candidate.start())) as created,
    ):
        yield created


@pytest.fixture
def pack(echoes: Callable[..., Path]) -> Pack:
    return load_pack(echoes(FEATURE))


@pytest.fixture
def case(pack: Pack) -> ScenarioCase:
    return parse_feature(pack.feature_files()[0]).scenarios[0]


@pytest.fixture
def scripted_session(pack: Pack) -> Iterator[Session]:
    """Return a session of a candidate without a process."""
    with Workspace.create() as workspace:
        environment = Environment(workspace, probe_host(os.fsencode(workspace.path)))
        yield Session(pack, ConnectedCandidate(ScriptedAdapter(), environment).start())
