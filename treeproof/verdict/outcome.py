"""How a scenario can end, and the exceptions by which a step says so. Nothing here judges a requirement."""

from __future__ import annotations

import enum
from typing import Literal


class Outcome(enum.StrEnum):
    """The five ends of a scenario, as the report spells them."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_VERIFIED = "not-verified"
    NOT_APPLICABLE = "not-applicable"
    FAULT = "fault"


class Mismatch(AssertionError):
    """The candidate did something else than the sentence says: the scenario FAILs.

    ``expected`` and ``got`` are short texts for a person; ``diff`` points at the difference, to the byte where it can.
    ``scenario`` holds the steps of a scenario that shows the same, where the case was not written down but drawn.
    """

    def __init__(self, message: str, *, expected: str = "", got: str = "", diff: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.got = got
        self.diff = diff
        self.scenario = ""


class NotVerified(Exception):
    """The scenario could not run here; ``cause`` names why in words that say what to do about it."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class NotApplicable(Exception):
    """The specification's own condition does not hold here (a rule for Windows on Linux)."""

    def __init__(self, condition: str) -> None:
        super().__init__(condition)
        self.condition = condition


class Fault(Exception):
    """The adapter, the candidate's process or the harness broke: no verdict for what it touched."""

    def __init__(self, origin: Literal["adapter", "candidate", "harness"], detail: str) -> None:
        super().__init__(f"{origin} fault: {detail}")
        self.origin = origin
        self.detail = detail
