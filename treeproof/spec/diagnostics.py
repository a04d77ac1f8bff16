"""What the lint has to say: one finding, its word, its place. Nothing is looked for here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

# orphaned    points to something that does not exist
# outdated    uses an id that has been retired
# unwanted    says something that nobody asked for or that changes what runs
# ambiguous   can be taken in two ways
# duplicate   is there twice
# malformed   breaks the format or a convention, or would pass without saying anything
# uncovered   a requirement that nothing verifies: information, its verdict will be NOT VERIFIED
DiagnosticCode = Literal[
    "orphaned", "outdated", "unwanted", "ambiguous", "duplicate", "malformed", "uncovered"
]


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One line of the lint. `line` counts from 1; it is 0 where the whole file is meant."""

    file: Path
    line: int
    code: DiagnosticCode
    message: str

    @property
    def is_error(self) -> bool:
        """Whether the lint fails for it; an uncovered requirement is only told."""
        return self.code != "uncovered"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{place}: {self.code}: {self.message}"
