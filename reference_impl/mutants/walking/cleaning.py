"""Wrong in what `..` takes back."""

from ...walking.start import Start
from ..mutant import Mutant
from .made import wrong


class TakesBackWhatLeadsOut(Start):
    def cleaned(self, path: str) -> str:
        kept: list[str] = []
        for part in super().cleaned(path).split("/"):
            if part == ".." and kept:
                kept.pop()
            else:
                kept.append(part)
        return "/".join(kept) or "."


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-WD-151",
        "A second `..` takes back the first.",
        "WD-SEC-01",
        start=TakesBackWhatLeadsOut,
    ),
)
