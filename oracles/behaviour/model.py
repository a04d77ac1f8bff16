"""The judge of the behaviour contract: one for all packs. It generates no cases."""

from __future__ import annotations

from treeproof.api import AcceptedReadings, Case, CaseFamily, Exchange, ModelJudgement, Unmodelled

from .listing import judge_listing
from .transfer import judge_transfer
from .views import LISTINGS, TRANSFERS


class BehaviourModel:
    """Judges each call by what it shows and does, and by no document."""

    tool = ""
    requirements = frozenset(f"BEH-{number:02}" for number in range(1, 15))
    interpretations: frozenset[str] = frozenset()
    all_case_labels: tuple[str, ...] = ()

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return what is wrong with a call. Raises Unmodelled for another tool than one that lists, moves or copies."""
        tool = exchange.case.tool
        if tool in TRANSFERS:
            found = judge_transfer(exchange)
        elif tool in LISTINGS:
            found = judge_listing(exchange)
        else:
            raise Unmodelled("another tool than one that lists, moves or copies")
        return ModelJudgement(tuple(found))

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """Return nothing: the cases are those of the packs."""
        return ()

    def expected(self, case: Case) -> str:
        raise Unmodelled("the contract has no one expected answer")

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        raise Unmodelled("the scenarios are those of the packs")

    def case_labels(self, case: Case) -> frozenset[str]:
        raise Unmodelled("the table of inputs is that of a pack")


MODEL = BehaviourModel()
