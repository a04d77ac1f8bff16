"""The model of read_text: its members alone. It models no call, so the lines of the scenarios decide."""

from typing import Any

from treeproof.api import Unmodelled


class Model:
    tool = "read_text"
    requirements = frozenset({"RT2-OUT-01", "RT2-OUT-02", "RT2-ERR-01", "RT2-ERR-02"})
    all_case_labels: tuple[str, ...] = ()
    interpretations = frozenset({"AMB-RT2-01"})

    def families(self, capabilities: frozenset[str]) -> tuple[Any, ...]:
        return ()

    def expected(self, case: Any) -> str:
        return ""

    def judge(self, exchange: Any, accepted: Any) -> Any:
        raise Unmodelled("the lines of the scenarios say it all")

    def scenario_steps(self, case: Any, outside: str) -> tuple[str, ...]:
        return ()

    def case_labels(self, case: Any) -> frozenset[str]:
        return frozenset()


model = Model()
