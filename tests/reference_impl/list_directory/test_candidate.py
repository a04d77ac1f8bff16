"""The tool as a candidate: its definition, its steps in order, and its imports."""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import factory

ENTRY = "treeproof.reference_impl.list_directory.candidate:candidate"
REFERENCE_FOLDER = Path(__file__).parent.parents[2] / "reference_impl"


@pytest.fixture
def candidate() -> Any:
    return factory.load_candidate(ENTRY, REFERENCE_FOLDER, {})


def test_the_initialize_result_declares_tool_and_capabilities(candidate: Any) -> None:
    result = candidate.initialize({"protocol": 1, "workspace": "/"})
    assert result["tools"] == {"list_directory": "list_directory@1.1"}
    assert result["capabilities"] == [
        *("config", "budget", "policy", "context", "denied_patterns", "allow_absolute", "roots", "working_dir"),
        "executor",
    ]
    assert result["candidate"]["name"] == "treeproof reference"


def test_another_protocol_is_refused(candidate: Any) -> None:
    with pytest.raises(ValueError, match="only 1 is spoken"):
        candidate.initialize({"protocol": 2, "workspace": "/"})


@pytest.mark.parametrize("name", ["list_directory", "listdir", "ls", "dir"])
def test_every_alias_has_the_same_definition(candidate: Any, name: str) -> None:
    definition = candidate.describe({"tool": name})
    assert definition.pop("input_schema")["required"] == ["path"]
    assert definition == {
        "name": "list_directory",
        "aliases": ["listdir", "ls", "dir"],
        "description": "List directory entries",
        "is_side_effecting": False,
        "requires_approval": False,
        "risk_level": "Low",
    }


def test_the_schema_of_a_definition_is_a_copy(candidate: Any) -> None:
    candidate.describe({"tool": "ls"})["input_schema"].clear()
    assert candidate.describe({"tool": "ls"})["input_schema"]["type"] == "object"


def test_the_result_is_the_document_and_forbids_truncation_by_the_framework(call: Any) -> None:
    assert call("a=12") == {
        "status": "ok",
        "content": '{"path":".","entries":[{"name":"a","path":"a","depth":1,"type":"file","size_bytes":12,'
        '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],'
        '"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}',
        "context": {"allow_truncation": False},
        "approval_requested": False,
    }


@pytest.mark.parametrize(
    ("arguments", "context", "kind"),
    [
        ({"path": "nope", "max_entries": 0}, {}, "BadArgs"),
        ({"path": "../x", "max_entries": 201}, {}, "BadArgs"),
        ({"path": "../x"}, {"max_output_bytes": 0}, "SandboxViolation"),
        ({"path": "nope"}, {"max_output_bytes": 0}, "ExecutionFailed"),
        ({}, {"available_capacity_bytes": 96}, "ExecutionFailed"),
        ({}, {"config": {"tools": {"list_directory": {"max_depth": 0}}}}, "ConfigInvalid"),
    ],
)
def test_errors_are_checked_in_a_fixed_order(call: Any, arguments: Any, context: Any, kind: str) -> None:
    assert call("a", arguments, **context)["error"]["kind"] == kind
    assert call("", {"path": "."})["status"] == "ok"


@pytest.mark.parametrize(("budgets", "returned"), [((543, 10**6), 3), ((542, 10**6), 2), ((10**6, 257), 0)])
def test_the_smaller_budget_applies(listed: Any, budgets: tuple[int, int], returned: int) -> None:
    found = listed("a/{b}, a-b", {"recursive": True}, max_output_bytes=budgets[0], available_capacity_bytes=budgets[1])
    assert found["returned"] == returned


@pytest.mark.parametrize("name", ["ls", "list_directory"])
def test_an_alias_does_not_avoid_a_denylist(candidate: Any, tmp_path: Path, name: str) -> None:
    context = {"roots": [str(tmp_path)], "working_dir": str(tmp_path)}
    params = {"tool": name, "arguments": {"path": "."}, "context": context}
    assert candidate.call(params)["status"] == "ok"
    denied = params | {"context": context | {"policy": {"denylist": ["dir"]}}}
    assert candidate.call(denied)["error"]["kind"] == "PolicyDenied"


def test_the_reference_imports_only_the_standard_library_and_itself() -> None:
    others = {
        name
        for file in REFERENCE_FOLDER.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
        if name.partition(".")[0] not in sys.stdlib_module_names
    }
    assert others == set()
