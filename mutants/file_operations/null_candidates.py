"""Null candidates: they move and copy nothing at all, in different ways. Not one requirement may be theirs."""

from collections.abc import Callable

from treeproof.reference_impl.file_operations.candidate import candidate

from ..shared.mutant import Mutant, build_null_candidate
from ..shared.null_candidates import Answer, NullCandidate, Params, always_error, crash

BLANK = {
    "name": "null",
    "aliases": [],
    "description": "",
    "input_schema": {},
    "is_side_effecting": False,
    "requires_approval": True,
    "risk_level": "High",
}


class ChecksOnly(NullCandidate):
    """Finds everything wrong that is wrong, asks whoever is to be asked, and then does nothing."""

    def call(self, params: Params) -> Answer:
        disabled = {**params["context"].get("policy", {}), "enabled": True}
        nowhere = {**params["context"], "roots": ["/nonexistent-root"], "working_dir": "/nonexistent-root"}
        tried = self.reference.call({**params, "context": {**nowhere, "policy": disabled}})
        missing = "does not exist" in str((tried.get("error") or {}).get("message"))
        return {**done_answer(params), "approval_requested": False} if missing else tried


def done_answer(params: Params) -> Answer:
    return {
        "status": "ok",
        "content": "Done",
        "context": {"allow_truncation": False},
        "approval_requested": True,
    }


def echo(params: Params) -> Answer:
    return {**done_answer(params), "content": repr(params["arguments"])}


def build_null(
    number: int,
    summary: str,
    answer: Callable[[Params], Answer],
    definition: Answer | None = BLANK,
    kind: type[NullCandidate] = NullCandidate,
) -> Mutant:
    id = f"NULL-FO-{number:02}"
    return build_null_candidate(id, summary, lambda: kind(id, candidate(), answer, definition))


MUTANTS: tuple[Mutant, ...] = (
    build_null(1, "Every call is done, it says.", done_answer),
    build_null(2, "Every call is BadArgs.", always_error("BadArgs")),
    build_null(3, "Every call is SandboxViolation.", always_error("SandboxViolation")),
    build_null(4, "Every call is ExecutionFailed.", always_error("ExecutionFailed")),
    build_null(5, "Every call is PolicyDenied.", always_error("PolicyDenied")),
    build_null(6, "Every call is an unknown tool's.", always_error("UnknownTool")),
    build_null(7, "Every call crashes.", crash),
    build_null(8, "The arguments come back.", echo),
    build_null(9, "The definition is right, and every call is done, it says.", done_answer, None),
    build_null(10, "The definition is right, and every call fails.", always_error("ExecutionFailed"), None),
    build_null(11, "What is wrong is found, and what is right is not done.", done_answer, None, ChecksOnly),
)
