"""The kill matrix told to a person, and as JSON. Nothing is judged here."""

from __future__ import annotations

import json
from collections.abc import Sequence

from treeproof.adequacy.matrix import BESIDE, NULL, Matrix, Result
from treeproof.report.live import Line
from treeproof.report.page import Page
from treeproof.spec import Pack


class Progress(Line):
    """How many mutants have been tried: one line that is redrawn on a terminal, nothing elsewhere."""

    _count = 0

    def done(self, result: Result) -> None:
        """Count one mutant and show its id."""
        self._count += 1
        if self.live:
            self.draw(self.page.text(f"{self._count} tried, the last: {result.id}"))


def print_matrix(pack: Pack, found: Matrix, page: Page) -> None:
    """Print what survived, what blamed too much, the numbers, and the gates that do not hold."""
    wrong = [line for line in found.lines if line.mutant.kind != NULL]
    nulls = [line for line in found.lines if line.mutant.kind == NULL]
    page.say(page.text(f"{pack.name} {pack.version}", "bold"))
    for line in found.survivors:
        page.say(page.text("survives ", "red"), page.text(line.mutant.id, "bold"), f"  {line.mutant.summary}")
        what = sorted(line.result.passed)[:6] if line.mutant.kind == NULL else line.mutant.violates[:1]
        label = "earned" if line.mutant.kind == NULL else "violates"
        page.say(page.text(f"{label} {', '.join(what)}", "dim"), indent=4)
    for line in found.spills:
        page.say(
            page.text("blames more ", "yellow"), page.text(line.mutant.id, "bold"), f"  {line.mutant.summary}"
        )
        page.say(
            page.text(f"beside {', '.join(line.mutant.violates)}: {', '.join(line.beside)}", "dim"), indent=4
        )
    killed = sum(line.killed for line in wrong)
    quiet = sum(line.killed for line in nulls)
    page.say(
        f"{killed} of {len(wrong)} wrong implementations are caught by the requirement that they violate"
    )
    page.say(f"{quiet} of {len(nulls)} null candidates earn no PASS")
    if found.blame is not None and found.clean is not None:
        page.say(
            f"of those that met the whole suite, {found.clean:.1%} fail no MUST but what they violate, "
            f"and {found.blame:.1%} at most {BESIDE} more"
        )
    seconds = sum(line.result.seconds for line in found.lines)
    page.say(page.text(f"{seconds:.0f} s of worker time", "dim"))
    for sentence in found.broken_gates():
        page.say(page.text(f"gate: {sentence}", "red"))


def report(found: Sequence[tuple[Pack, Matrix]]) -> bytes:
    """Return the kill matrices as JSON."""
    told = [
        {
            "name": pack.name,
            "version": pack.version,
            "blame": matrix.blame,
            "clean": matrix.clean,
            "gates": matrix.broken_gates(),
            "inseparable": dict(matrix.inseparable),
            "mutants": [line.to_json() for line in matrix.lines],
        }
        for pack, matrix in found
    ]
    return (json.dumps({"specs": told}, indent=1, ensure_ascii=False) + "\n").encode(
        "utf-8", "backslashreplace"
    )
