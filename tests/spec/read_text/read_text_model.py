"""The model of read_text: its members alone, because the tests of the lint never call it."""

from typing import Any


class Model:
    tool = "read_text"
    requirements = frozenset({"RT2-OUT-01"})
    all_case_labels: tuple[str, ...] = ()
    interpretations = frozenset({"AMB-RT2-01"})

    def families(self, capabilities: frozenset[str]) -> tuple[Any, ...]:
        return ()

    def expected(self, case: Any) -> str:
        return ""

    def judge(self, exchange: Any, accepted: Any) -> Any:
        return None

    def scenario_steps(self, case: Any, outside: str) -> tuple[str, ...]:
        return ()

    def case_labels(self, case: Any) -> frozenset[str]:
        return frozenset()


model = Model()
