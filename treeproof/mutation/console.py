"""The kill matrix as text for the terminal, and as JSON. Judges nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence

from treeproof.mutation.kill_matrix import (
    MAX_COLLATERAL_FAILURES,
    NULL_CANDIDATE_KIND,
    KillMatrix,
    MutantResult,
)
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.status_line import StatusLine
from treeproof.spec import Pack


class MutationProgress(StatusLine):
    """How many mutants have been tried: one line that is redrawn on a terminal, nothing elsewhere."""

    _count = 0

    def on_result(self, result: MutantResult) -> None:
        """Count one mutant and show its id."""
        self._count += 1
        if self.live:
            self.draw(self.writer.text(f"{self._count} tried, the last: {result.id}"))


def print_kill_matrix(pack: Pack, matrix: KillMatrix, writer: ConsoleWriter) -> None:
    """Print what survived, what blamed too much, the numbers, and the gates that do not hold."""
    wrong = [line for line in matrix.rows if line.mutant.kind != NULL_CANDIDATE_KIND]
    nulls = [line for line in matrix.rows if line.mutant.kind == NULL_CANDIDATE_KIND]
    writer.paragraph(writer.text(f"{pack.name} {pack.version}", "bold"))
    for line in matrix.survivors:
        writer.paragraph(
            writer.text("survives ", "red"), writer.text(line.mutant.id, "bold"), f"  {line.mutant.summary}"
        )
        what = sorted(line.result.passed)[:6] if line.mutant.kind == NULL_CANDIDATE_KIND else line.mutant.violates[:1]
        label = "earned" if line.mutant.kind == NULL_CANDIDATE_KIND else "violates"
        writer.paragraph(writer.text(f"{label} {', '.join(what)}", "dim"), indent=4)
    for line in matrix.rows_with_collateral_failures:
        writer.paragraph(
            writer.text("blames more ", "yellow"),
            writer.text(line.mutant.id, "bold"),
            f"  {line.mutant.summary}",
        )
        writer.paragraph(
            writer.text(f"beside {', '.join(line.mutant.violates)}: {', '.join(line.collateral_failures)}", "dim"),
            indent=4,
        )
    killed = sum(line.killed for line in wrong)
    quiet = sum(line.killed for line in nulls)
    writer.paragraph(f"{killed} of {len(wrong)} wrong implementations are caught by the requirement that they violate")
    writer.paragraph(f"{quiet} of {len(nulls)} null candidates earn no PASS")
    if matrix.attribution_rate is not None and matrix.isolated_kills is not None:
        writer.paragraph(
            f"of those that met the whole suite, {matrix.isolated_kills:.1%} fail no MUST but what they violate, "
            f"and {matrix.attribution_rate:.1%} at most {MAX_COLLATERAL_FAILURES} more"
        )
    seconds = sum(line.result.seconds for line in matrix.rows)
    writer.paragraph(writer.text(f"{seconds:.0f} s of worker time", "dim"))
    for sentence in matrix.broken_gates():
        writer.paragraph(writer.text(f"gate: {sentence}", "red"))


def kill_matrices_json(found: Sequence[tuple[Pack, KillMatrix]]) -> bytes:
    """Return the kill matrices as JSON."""
    told = [
        {
            "name": pack.name,
            "version": pack.version,
            "blame": matrix.attribution_rate,
            "clean": matrix.isolated_kills,
            "gates": matrix.broken_gates(),
            "inseparable": dict(matrix.without_mutant),
            "mutants": [line.to_json() for line in matrix.rows],
        }
        for pack, matrix in found
    ]
    return (json.dumps({"specs": told}, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
