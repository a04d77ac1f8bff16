"""The judge of a pack without a model: it compares answers with the schema of the output, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from treeproof.candidate import CallResult
from treeproof.model.case import AcceptedReadings, Exchange
from treeproof.spec import Pack
from treeproof.verdict.finding import Finding, ModelJudgement

OTHER_FORM = "the output has another form"
"""The kind of a difference between an output and its schema."""


class OutputSchema:
    """Judges whether the output of a call that succeeded fits the schema `output` of a pack."""

    interpretations: frozenset[str] = frozenset()

    def __init__(self, pack: Pack) -> None:
        from jsonschema import Draft202012Validator  # slow to import

        assert pack.output_form is not None
        self._requirement = pack.output_form
        self._validator: Any = Draft202012Validator(json.loads(pack.schemas["output"].read_text("utf-8")))

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return a finding on an output that is no JSON or does not fit the schema."""
        answer = exchange.answer
        if answer.status != "ok":
            return ModelJudgement()
        try:
            value = json.loads(answer.content or "")
        except (ValueError, RecursionError) as error:
            return self._finding(f"the output is no JSON: {error}", answer.content or "")
        problem = next(self._validator.iter_errors(value), None)
        if problem is None:
            return ModelJudgement()
        return self._finding(f"{problem.json_path}: {problem.message}", answer.content or "")

    def find_unreadable(self, answer: CallResult) -> None:
        """Return None: `judge` covers every call."""

    def _finding(self, message: str, got: str) -> ModelJudgement:
        finding = Finding(self._requirement, message, got=got, kind=OTHER_FORM)
        return ModelJudgement((finding,))
