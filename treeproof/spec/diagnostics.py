"""A diagnostic: one problem that the lint reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

# orphaned    refers to something that does not exist
# outdated    uses a retired id
# unwanted    is superfluous, or changes the selection
# ambiguous   can be read in two ways
# duplicate   exists twice
# malformed   violates the format or a convention, or would pass without an assertion
# uncovered   a requirement that no scenario verifies, an interpretation that none names; not an error
# doubtful    may be a mistake: a step that no scenario uses, the id of another requirement; not an error
DiagnosticCode = Literal[
    "orphaned", "outdated", "unwanted", "ambiguous", "duplicate", "malformed", "uncovered", "doubtful"
]
NOTES: frozenset[DiagnosticCode] = frozenset({"uncovered", "doubtful"})


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One line of the lint. `line` counts from 1; it is 0 for the whole file.

    `snippet`: the beginning of a step definition that is missing, in Python.
    """

    file: Path
    line: int
    code: DiagnosticCode
    message: str
    snippet: str = field(default="", compare=False)

    @property
    def is_error(self) -> bool:
        """Return whether the lint fails because of it."""
        return self.code not in NOTES

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{place}: {self.code}: {self.message}"
