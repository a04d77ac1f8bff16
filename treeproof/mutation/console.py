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
    """The number of mutants so far: one line that is redrawn on a terminal; nothing without a terminal."""

    _count = 0

    def on_result(self, result: MutantResult) -> None:
        """Count one mutant and show its id."""
        self._count += 1
        if self.live:
            self.draw(self.writer.text(f"{self._count} mutants, the last: {result.id}"))


def print_kill_matrix(pack: Pack, matrix: KillMatrix, writer: ConsoleWriter) -> None:
    """Print the survivors, the collateral failures, the rates and the failed gates."""
    mutants = [row for row in matrix.rows if row.mutant.kind != NULL_CANDIDATE_KIND]
    null_candidates = [row for row in matrix.rows if row.mutant.kind == NULL_CANDIDATE_KIND]
    writer.paragraph(writer.text(f"{pack.name} {pack.version}", "bold"))
    for row in matrix.survivors:
        writer.paragraph(writer.text("survives ", "red"), writer.text(row.mutant.id, "bold"), f"  {row.mutant.summary}")
        what = sorted(row.result.passed)[:6] if row.mutant.kind == NULL_CANDIDATE_KIND else row.mutant.violates[:1]
        label = "passes" if row.mutant.kind == NULL_CANDIDATE_KIND else "violates"
        writer.paragraph(writer.text(f"{label} {', '.join(what)}", "dim"), indent=4)
    for row in matrix.rows_with_collateral_failures:
        writer.paragraph(
            writer.text("collateral ", "yellow"),
            writer.text(row.mutant.id, "bold"),
            f"  {row.mutant.summary}",
        )
        writer.paragraph(
            writer.text(f"besides {', '.join(row.mutant.violates)}: {', '.join(row.collateral_failures)}", "dim"),
            indent=4,
        )
    killed = sum(row.killed for row in mutants)
    killed_nulls = sum(row.killed for row in null_candidates)
    writer.paragraph(f"{killed} of {len(mutants)} mutants are killed by the requirement that they violate")
    writer.paragraph(f"{killed_nulls} of {len(null_candidates)} null candidates pass no requirement")
    if matrix.attribution_rate is not None and matrix.isolated_kills is not None:
        writer.paragraph(
            f"of the mutants that ran the whole suite, {matrix.isolated_kills:.1%} have no collateral failures "
            f"and {matrix.attribution_rate:.1%} at most {MAX_COLLATERAL_FAILURES}"
        )
    seconds = sum(row.result.seconds for row in matrix.rows)
    writer.paragraph(writer.text(f"{seconds:.0f} s of worker time", "dim"))
    for message in matrix.broken_gates():
        writer.paragraph(writer.text(f"gate: {message}", "red"))


def kill_matrices_json(found: Sequence[tuple[Pack, KillMatrix]]) -> bytes:
    """Return the kill matrices as JSON."""
    specs = [
        {
            "name": pack.name,
            "version": pack.version,
            "blame": matrix.attribution_rate,
            "clean": matrix.isolated_kills,
            "gates": matrix.broken_gates(),
            "inseparable": dict(matrix.without_mutant),
            "mutants": [row.to_json() for row in matrix.rows],
        }
        for pack, matrix in found
    ]
    return (json.dumps({"specs": specs}, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
