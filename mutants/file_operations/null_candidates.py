"""Null candidates of `move` and `copy`: they ignore the tree and must not pass any requirement."""

from functools import partial

from treeproof.reference_impl.file_operations.candidate import candidate

from ..shared.mutant import Mutant
from ..shared.null_candidates import (
    NullCandidate,
    Params,
    Result,
    always_content,
    always_error,
    build_null_candidate,
)

BLANK = {
    "name": "null",
    "aliases": [],
    "description": "",
    "input_schema": {},
    "is_side_effecting": False,
    "requires_approval": True,
    "risk_level": "High",
}
success = partial(always_content, context={"allow_truncation": False}, approval_requested=True)


class ChecksOnly(NullCandidate):
    """Reports every error, requests approval where it is due, and does nothing else."""

    def call(self, params: Params) -> Result:
        enabled = {**params["context"].get("policy", {}), "enabled": True}
        missing_root = {**params["context"], "roots": ["/nonexistent-root"], "working_dir": "/nonexistent-root"}
        result = self.reference.call({**params, "context": {**missing_root, "policy": enabled}})
        missing = "does not exist" in str((result.get("error") or {}).get("message"))
        return {**super().call(params), "approval_requested": False} if missing else result


def echo(params: Params) -> Result:
    return success(repr(params["arguments"]))(params)


build_null = partial(build_null_candidate, reference=candidate, definition=BLANK)
with_definition = partial(build_null_candidate, reference=candidate)

MUTANTS: tuple[Mutant, ...] = (
    build_null("NULL-FO-01", "Every call reports success.", result=success("Done")),
    build_null("NULL-FO-02", "Every call is BadArgs.", result=always_error("BadArgs")),
    build_null("NULL-FO-03", "Every call is SandboxViolation.", result=always_error("SandboxViolation")),
    build_null("NULL-FO-04", "Every call is ExecutionFailed.", result=always_error("ExecutionFailed")),
    build_null("NULL-FO-05", "Every call is PolicyDenied.", result=always_error("PolicyDenied")),
    build_null("NULL-FO-06", "Every call is UnknownTool.", result=always_error("UnknownTool")),
    build_null("NULL-FO-07", "Every call crashes."),
    build_null("NULL-FO-08", "Every call returns its arguments.", result=echo),
    with_definition("NULL-FO-09", "The definition is correct, and every call reports success.", result=success("Done")),
    with_definition(
        "NULL-FO-10",
        "The definition is correct, and every call fails.",
        result=always_error("ExecutionFailed"),
    ),
    with_definition(
        "NULL-FO-11",
        "Errors are reported, and valid calls have no effect.",
        result=success("Done"),
        candidate_class=ChecksOnly,
    ),
)
