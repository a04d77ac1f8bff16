"""The report of the reference implementation does not depend on the adapter or the order of the scenarios."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from treeproof.candidate import make_preexec_fn
from treeproof.report import document
from treeproof.run.runner import Options, run
from treeproof.spec import bundled_packs, find_pack, load_pack
from treeproof.spec.gherkin import parse_feature

ENTRY = "treeproof.reference_impl.list_directory.candidate:candidate"
HOST = f"{sys.executable} -m treeproof.candidate.host"
TARGETS = {"python": "reference", "stdio": f"stdio:{HOST} stdio {ENTRY}", "command": f"command:{HOST} command {ENTRY}"}
MCP_SERVER = f"{sys.executable} -m treeproof serve reference --protocol mcp --trust-context"
needs_the_sdk = pytest.mark.skipif(
    importlib.util.find_spec("mcp") is None,
    reason="not verified: parity over MCP; needs the SDK: pip install 'treeproof[mcp]'",
)
TESTS_OF_THE_DOCUMENT = [f"T-LD-{number:02}" for number in range(1, 15)]
ACCEPTANCE = tuple(
    case.id
    for file in load_pack(find_pack("list_directory")).feature_files()
    if file.name == "acceptance.feature"
    for case in parse_feature(file).scenarios
)


def run_document(target: str, **options: Any) -> dict[str, Any]:
    result = run(Options(target=target, specs=("list_directory",), **options)).document
    document.validate(result.to_json())
    return result.to_json()


def comparable_run(run: dict[str, Any]) -> dict[str, Any]:
    """Return a run document without the times, the command and the name of the adapter."""
    scenarios = [
        {key: value for key, value in scenario.items() if key != "seconds"} for scenario in run["specs"][0]["scenarios"]
    ]
    candidate = {key: value for key, value in run["candidate"].items() if key != "adapter"}
    common = {key: value for key, value in run.items() if key not in ("command", "started", "seconds")}
    return {**common, "candidate": candidate, "specs": [{**run["specs"][0], "scenarios": scenarios}]}


@pytest.fixture(scope="module")
def in_process() -> dict[str, Any]:
    return run_document("reference", select=ACCEPTANCE)


def test_the_acceptance_tests_of_the_specification_pass(in_process: dict[str, Any]) -> None:
    scenarios = in_process["specs"][0]["scenarios"]
    assert {one["id"]: one["outcome"] for one in scenarios} == dict.fromkeys(ACCEPTANCE, "passed")
    assert (in_process["verdict"], in_process["claim"]) == ("partial", False)
    verified = Counter(id for one in scenarios for id in (one["requirement"], *one["also"]))
    assert all(verified[id] >= 3 for id in TESTS_OF_THE_DOCUMENT), verified


@pytest.mark.parametrize("kind", ["stdio", "command"])
def test_another_adapter_gives_the_same_report(in_process: dict[str, Any], kind: str) -> None:
    selected = ACCEPTANCE[::6] if kind == "command" else ACCEPTANCE  # a process for each message takes long
    other = run_document(TARGETS[kind], select=selected)
    assert other["candidate"]["adapter"] == kind
    same = in_process if selected == ACCEPTANCE else run_document("reference", select=selected)
    assert comparable_run(other) == comparable_run(same)


@needs_the_sdk
def test_an_mcp_server_gives_the_same_report(in_process: dict[str, Any]) -> None:
    other = run_document(f"mcp:{MCP_SERVER}", select=ACCEPTANCE)
    assert other["candidate"]["adapter"] == "mcp"
    assert comparable_run(other) == comparable_run(in_process)


@pytest.fixture
def address() -> Iterator[str]:
    """Serve the reference implementation over HTTP by a process that respects file modes; yield the address."""
    server = subprocess.Popen(
        [*MCP_SERVER.split(), "--http", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True, preexec_fn=make_preexec_fn()
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().removeprefix("serving at ").strip()
    finally:
        server.terminate()
        server.communicate(timeout=120)


@needs_the_sdk
def test_an_mcp_server_over_http_gives_the_same_report(in_process: dict[str, Any], address: str) -> None:
    other = run_document(f"mcp+{address}", select=ACCEPTANCE)
    assert other["candidate"]["adapter"] == "mcp+http"
    assert comparable_run(other) == comparable_run(in_process)


def test_a_random_order_gives_the_same_report(in_process: dict[str, Any]) -> None:
    assert comparable_run(
        run_document("reference", select=ACCEPTANCE, order=random.Random(7).shuffle)
    ) == comparable_run(in_process)


def test_every_bundled_specification_has_a_reference() -> None:
    assert [pack.name for pack in map(load_pack, bundled_packs()) if not pack.reference] == []
