"""Adapter kind mcp: the root of a server, the calls that remain possible, and its process."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "mcp", reason="not verified: roots over the MCP adapter; needs the SDK: pip install 'treeproof[mcp]'"
)

from treeproof.candidate import Adapter, Call, CallResult, ProcessOptions, ToolConfig, UnsupportedByAdapter

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]

ABSOLUTE = {"list_directory": ToolConfig("list_directory@1.1", absolute_path_arguments=("path",))}


def state(answer: CallResult) -> dict[str, Any]:
    assert answer.content is not None
    states: dict[str, Any] = json.loads(answer.content)
    return states


def context_below(root: str, **context: Any) -> dict[str, Any]:
    return {"roots": [root], "working_dir": root, **context}


def test_a_server_started_per_fixture_gets_each_root(server: Make, tmp_path: Path) -> None:
    candidate = server(declares=False, args="--root={root}", cwd=Path("{root}"), start=None)
    first, second = (str(tmp_path / name) for name in ("first", "second"))
    for root in (first, second):
        Path(root).mkdir()
    candidate.start(str(tmp_path))
    answers = [
        state(candidate.call(Call("list_directory", {"path": "."}, context_below(root))))
        for root in (first, first, second, first)
    ]
    assert [answer["argv"] for answer in answers] == [[f"--root={root}"] for root in (first, first, second, first)]
    assert [answer["cwd"] for answer in answers] == [first, first, second, first]
    assert [answer["calls"] for answer in answers] == [1, 2, 1, 1]
    assert len({answer["pid"] for answer in answers}) == 3


def test_a_server_that_receives_the_context_is_started_once_below_the_workspace(server: Make, tmp_path: Path) -> None:
    candidate = server(args="{root}")
    candidate.start(str(tmp_path))
    answers = [
        state(candidate.call(Call("list_directory", {}, context_below(str(tmp_path / name))))) for name in ("a", "b")
    ]
    assert [answer["argv"] for answer in answers] == [[str(tmp_path)]] * 2
    assert answers[1]["calls"] == 2


UNSUPPORTED_CONTEXTS: list[dict[str, Any]] = [
    {"allow_absolute": True},
    {"denied_patterns": ["*.key"]},
    {"include_default_denies": False},
    {"max_output_bytes": 5},
    {"config": {"tools": {"list_directory": {}}}},
    {"roots": ["/tmp", "/var"]},
    {"working_dir": "/tmp/else"},
]


@pytest.mark.parametrize("context", UNSUPPORTED_CONTEXTS, ids=[next(iter(each)) for each in UNSUPPORTED_CONTEXTS])
def test_calls_that_need_the_context_are_unsupported_without_it(server: Make, context: dict[str, Any]) -> None:
    candidate = server(declares=False, args="{root}")
    candidate.start("/tmp")
    with pytest.raises(UnsupportedByAdapter, match="the server does not receive"):
        candidate.call(Call("list_directory", {"path": "."}, {**context_below("/tmp"), **context}))
    defaults = context_below("/tmp", allow_absolute=False, denied_patterns=[], approval="deny")
    assert candidate.call(Call("list_directory", {"path": "."}, defaults)).status == "ok"
    # A server that requests no approval needs none.
    assert candidate.call(Call("list_directory", {"path": "."}, {**defaults, "approval": "approve"})).status == "ok"


def test_a_path_that_leaves_the_fixture_is_unsupported_if_the_server_may_list_the_workspace(
    server: Make, tmp_path: Path
) -> None:
    root, sibling = tmp_path / "1" / "root", tmp_path / "1" / "root2"
    for folder in (root, sibling):
        folder.mkdir(parents=True)
    (root / "out").symlink_to("../root2")
    (root / "in").symlink_to(".")
    candidate = server(declares=False, args="{root}", start="once", tools=ABSOLUTE)
    candidate.start(str(tmp_path))
    context = context_below(str(root))
    for path in ("..", "../root2", "out", "in/../out", str(sibling)):
        with pytest.raises(UnsupportedByAdapter, match=r'start = "fixture" with \{root\}'):
            candidate.call(Call("list_directory", {"path": path}, context))
    for path in (".", "in", "in/in", "/etc", "missing"):
        assert candidate.call(Call("list_directory", {"path": path}, context)).status == "ok", path
    with pytest.raises(UnsupportedByAdapter, match="the fixture is not below the server"):
        candidate.call(Call("list_directory", {"path": "."}, context_below("/var")))


def test_a_server_with_the_root_of_the_run_is_known_to_the_suite(server: Make, tmp_path: Path) -> None:
    for changes, shares_root in (
        ({"declares": False, "args": "{root}", "start": "once", "tools": ABSOLUTE}, True),
        ({"declares": False, "args": "{root}", "start": "fixture"}, False),
        ({"args": "{root}"}, False),  # it receives the root of each call
    ):
        candidate = server(**changes)
        candidate.start(str(tmp_path))
        assert candidate.shares_root is shares_root, changes  # type: ignore[attr-defined]


def test_spawn_applies_the_process_options(server: Make, call: MakeCall, sample_candidates: Path) -> None:
    candidate = server(usual_env={"COLOUR": "green"})
    candidate.start("/tmp")
    first = state(candidate.call(call()))
    assert (first["cwd"], first["colour"]) == (str(sample_candidates), "green")
    fresh = candidate.spawn(ProcessOptions(env={"COLOUR": "red"}, cwd=b"/", umask=0o077, command_prefix=("env", "X=1")))
    try:
        fresh.start("/tmp")
        assert fresh.pid != candidate.pid
        other = state(fresh.call(call()))
        assert (other["cwd"], other["colour"], other["umask"]) == ("/", "red", 0o077)
        assert state(candidate.call(call()))["calls"] == 2
    finally:
        fresh.close()


def test_ensure_started_gives_the_process_that_answers(server: Make, tmp_path: Path) -> None:
    candidate = server(declares=False, args="{root}", start="fixture")
    candidate.start(str(tmp_path))
    (tmp_path / "1").mkdir()
    request = Call("list_directory", {"path": "."}, context_below(str(tmp_path / "1")))
    first = candidate.pid
    with pytest.raises(UnsupportedByAdapter, match="gets its sandbox root at its start, and that of this call is none"):
        candidate.call(Call("list_directory", {"path": "."}, context_below(str(tmp_path / "missing"))))
    assert candidate.pid == first
    candidate.ensure_started(request)
    started = candidate.pid
    assert started not in (None, first)
    assert state(candidate.call(request))["pid"] == started


def test_it_works_in_another_thread(server: Make, call: MakeCall) -> None:
    states: list[dict[str, Any]] = []

    def use_server() -> None:
        candidate = server()
        candidate.start("/tmp")
        states.append(state(candidate.call(call())))
        candidate.close()

    threads = [threading.Thread(target=use_server) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each["pid"] for each in states}) == 3
