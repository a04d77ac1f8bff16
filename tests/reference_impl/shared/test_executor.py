"""The order of policy, argument check, sandbox and approval, with a tool that only records its calls."""

from typing import Any

import pytest

from treeproof.reference_impl.shared import candidate, errors, executor

DENIED = {"kind": "PolicyDenied"}


class Recorder:
    """A tool with an alias; the argument `breach` causes a sandbox violation."""

    def __init__(self, *, side_effects: bool = True, approval: bool = False) -> None:
        self.calls: list[Any] = []
        self.definition = executor.ToolDefinition(
            name="record",
            specification="record@1",
            aliases=("rec",),
            description="",
            input_schema={
                "type": "object",
                "properties": {"n": {"type": "integer"}, "breach": {"type": "boolean"}},
            },
            is_side_effecting=side_effects,
            requires_approval=approval,
            risk_level="Medium",
        )

    def plan(self, arguments: dict[str, Any], context: Any, flavour: Any) -> Any:
        if arguments.get("breach"):
            raise errors.ToolError(errors.ErrorKind.SANDBOX_VIOLATION, "outside")
        recorder = self

        class Plan:
            summary = "Record " + "x" * 300

            def run(self) -> str:
                recorder.calls.append(arguments)
                return "done"

        return Plan()


def run(
    tool: Recorder,
    policy: dict[str, Any] | None = None,
    arguments: Any = None,
    *,
    name: str = "record",
    approval: str = "deny",
) -> dict[str, Any]:
    context: dict[str, Any] = {"roots": ["/"], "working_dir": "/", "approval": approval}
    if policy is not None:
        context["policy"] = policy
    answer: dict[str, Any] = candidate.Candidate([tool]).call(
        {"tool": name, "arguments": {} if arguments is None else arguments, "context": context}
    )
    return answer


@pytest.mark.parametrize(
    ("policy", "arguments", "kind"),
    [
        ({"enabled": False, "allowlist": ["record"]}, {"n": "x"}, "PolicyDenied"),
        ({"denylist": ["record"]}, {}, "PolicyDenied"),
        ({"denylist": ["rec"]}, {}, "PolicyDenied"),
        ({"denylist": ["record"], "allowlist": ["record"]}, {}, "PolicyDenied"),
        ({"denylist": ["record"]}, {"breach": True}, "PolicyDenied"),
        ({"mode": "deny"}, {}, "PolicyDenied"),
        ({"mode": "deny"}, {"breach": True}, "SandboxViolation"),
        ({"mode": "prompt"}, {"n": "x"}, "BadArgs"),
        ({"mode": "prompt"}, {"breach": True}, "SandboxViolation"),
        ({"mode": "prompt"}, {}, "ApprovalDenied"),
        ({"mode": "prompt", "allowlist": ["other"]}, {}, "ApprovalDenied"),
    ],
)
@pytest.mark.parametrize("name", ["record", "rec"])
def test_a_refused_call_never_runs(policy: dict[str, Any], arguments: Any, kind: str, name: str) -> None:
    tool = Recorder()
    answer = run(tool, policy, arguments, name=name)
    assert answer["error"]["kind"] == kind
    assert answer["approval_requested"] is (kind == "ApprovalDenied")
    assert tool.calls == []
    assert run(tool)["content"] == "done"


@pytest.mark.parametrize(
    ("policy", "requested"),
    [
        (None, False),
        ({"mode": "auto", "prompt_side_effects": True}, False),
        ({"mode": "deny", "allowlist": ["rec"]}, False),
        ({"mode": "prompt"}, True),
        ({"mode": "prompt", "allowlist": ["rec"]}, False),
        ({"mode": "prompt", "prompt_side_effects": False}, False),
    ],
)
def test_an_approved_call_runs(policy: dict[str, Any] | None, requested: bool) -> None:
    tool = Recorder()
    answer = run(tool, policy, approval="approve")
    assert (answer["content"], answer["approval_requested"]) == ("done", requested)
    assert tool.calls == [{}]


def test_a_tool_without_side_effects_needs_no_approval() -> None:
    assert run(Recorder(side_effects=False), {"mode": "prompt"})["approval_requested"] is False


@pytest.mark.parametrize("policy", [None, {"mode": "deny", "allowlist": ["record"]}])
def test_a_tool_that_requires_approval_always_requests_it(policy: dict[str, Any] | None) -> None:
    assert run(Recorder(approval=True), policy)["error"]["kind"] == "ApprovalDenied"


def test_a_disabled_executor_has_a_fixed_message() -> None:
    assert run(Recorder(), {"enabled": False})["error"] == {
        "kind": "PolicyDenied",
        "message": "Tool execution disabled by policy",
    }


def test_an_approval_request_has_at_most_200_characters() -> None:
    message = run(Recorder(), {"mode": "prompt"})["error"]["message"]
    assert message.startswith("not approved: Record x")
    assert message.endswith("…")
    assert len(message) <= len("not approved: ") + 200


@pytest.mark.parametrize("name", ["Record", "record ", "records", ""])
def test_similar_names_are_unknown(name: str) -> None:
    assert run(Recorder(), name=name)["error"]["kind"] == "UnknownTool"


@pytest.mark.parametrize(
    ("message", "expected"), [("no", "t failed: no"), ('{"a":1}', '{"a":1}'), ("[1]", "t failed: [1]")]
)
def test_the_message_of_a_failed_execution_has_a_prefix_unless_it_is_a_json_object(message: str, expected: str) -> None:
    failed = errors.ToolError(errors.ErrorKind.EXECUTION_FAILED, message)
    assert errors.message_for_caller("t", failed) == expected
    assert errors.message_for_caller("t", errors.ToolError(errors.ErrorKind.BAD_ARGS, message)) == message


@pytest.mark.parametrize(
    ("context", "message"),
    [
        (None, "context"),
        ({}, "roots"),
        ({"roots": []}, "roots"),
        ({"roots": ["/"], "max_output_bytes": "1"}, "max_output_bytes"),
        ({"roots": ["/"], "policy": {"mode": "maybe"}}, "mode"),
        ({"roots": ["/"], "approval": "perhaps"}, "approval"),
        ({"roots": ["/"], "allow_absolute": 1}, "allow_absolute"),
    ],
)
def test_a_malformed_context_is_a_value_error(context: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        candidate.Candidate([Recorder()]).call({"tool": "record", "arguments": {}, "context": context})
