"""The kill matrix and the report on variants as text for the terminal, and as JSON. Judges nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence

from treeproof.mutation.kill_matrix import (
    MAX_COLLATERAL_FAILURES,
    NULL_CANDIDATE_KIND,
    KillMatrix,
)
from treeproof.mutation.measurement import Measurement
from treeproof.mutation.operator_report import OperatorReport
from treeproof.mutation.variant_report import VariantReport
from treeproof.mutation.worker import Result
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.status_line import StatusLine

_MAX_PROBLEMS, _MAX_MISSES = 6, 20


class MutationProgress(StatusLine):
    """The number of finished tasks: one line on a terminal; nothing without a terminal."""

    _count = 0

    def on_result(self, result: Result) -> None:
        """Count one and show its id."""
        self._count += 1
        if self.live:
            self.draw(self.writer.text(f"{self._count} mutants and variants, the last: {result.id}"))


def print_kill_matrix(matrix: KillMatrix, writer: ConsoleWriter) -> None:
    """Print the survivors, the collateral failures, the rates and the failed gates."""
    mutants = [row for row in matrix.rows if row.mutant.kind != NULL_CANDIDATE_KIND]
    null_candidates = [row for row in matrix.rows if row.mutant.kind == NULL_CANDIDATE_KIND]
    for row in matrix.survivors:
        writer.paragraph(writer.text("survives ", "red"), writer.text(row.mutant.id, "bold"), f"  {row.mutant.summary}")
        what = sorted(row.result.passed)[:6] if row.mutant.kind == NULL_CANDIDATE_KIND else row.mutant.violates[:1]
        label = "passes" if row.mutant.kind == NULL_CANDIDATE_KIND else "violates"
        writer.paragraph(writer.text(f"{label} {', '.join(what)}", "dim"), indent=4)
        if row.result.fault:
            writer.paragraph("it did not start: ", writer.truncated(row.result.fault, characters=400), indent=4)
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
    if null_candidates:
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


def print_variant_report(report: VariantReport, writer: ConsoleWriter) -> None:
    """Print the variants that are not accepted, each with its problems, and the failed gates."""
    for row in report.rejected:
        writer.paragraph(
            writer.text("not accepted ", "red"), writer.text(row.variant.id, "bold"), f"  {row.variant.summary}"
        )
        for problem in row.problems[:_MAX_PROBLEMS]:
            writer.paragraph(writer.truncated(problem, "dim", characters=300, rows=3), indent=4)
        if len(row.problems) > _MAX_PROBLEMS:
            writer.paragraph(writer.text(f"and {len(row.problems) - _MAX_PROBLEMS} more", "dim"), indent=4)
    accepted = len(report.rows) - len(report.rejected)
    writer.paragraph(f"{accepted} of {len(report.rows)} variants are accepted")
    for row in report.rows:
        for requirement, reason in row.variant.unverified.items():
            writer.paragraph(f"{row.variant.id} does not verify {requirement}: {reason}")
    writer.paragraph(writer.text(f"{sum(row.result.seconds for row in report.rows):.0f} s of worker time", "dim"))
    for message in report.broken_gates():
        writer.paragraph(writer.text(f"gate: {message}", "red"))


def print_measurement(measured: Measurement, writer: ConsoleWriter) -> None:
    """Print everything that was measured of a pack."""
    writer.paragraph(writer.text(f"{measured.pack.name} {measured.pack.version}", "bold"))
    if measured.matrix is not None:
        print_kill_matrix(measured.matrix, writer)
    if measured.variants is not None:
        print_variant_report(measured.variants, writer)
    if measured.operators is not None:
        print_operator_report(measured.operators, writer)


def print_operator_report(report: OperatorReport, writer: ConsoleWriter) -> None:
    """Print the changes that are not found as the table demands, and the failed gates."""
    for miss in report.missed[:_MAX_MISSES]:
        writer.paragraph(
            writer.text("missed ", "red"),
            writer.text(miss.operator, "bold"),
            f"  {miss.scenario}, call {miss.call}: ",
            writer.truncated(miss.cause, characters=200),
        )
    if len(report.missed) > _MAX_MISSES:
        writer.paragraph(writer.text(f"and {len(report.missed) - _MAX_MISSES} more", "dim"), indent=4)
    found = report.applied - len(report.missed)
    where = f"answers of {report.scenarios} of {report.all_scenarios} scenarios"
    writer.paragraph(f"{found} of {report.applied} changed {where} are found, or right for a reason")
    seconds = sum(result.seconds for result in report.results)
    writer.paragraph(writer.text(f"{seconds:.0f} s of worker time", "dim"))
    for message in report.broken_gates():
        writer.paragraph(writer.text(f"gate: {message}", "red"))


def adequacy_json(found: Sequence[Measurement]) -> bytes:
    """Return the kill matrices and the reports on variants and operators as JSON."""
    specs = [
        {
            "name": one.pack.name,
            "version": one.pack.version,
            **(_matrix_json(one.matrix) if one.matrix is not None else {}),
            **({"variants": _variants_json(one.variants)} if one.variants is not None else {}),
            **({"operators": one.operators.to_json()} if one.operators is not None else {}),
        }
        for one in found
    ]
    return (json.dumps({"specs": specs}, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _matrix_json(matrix: KillMatrix) -> dict[str, object]:
    return {
        "blame": matrix.attribution_rate,
        "clean": matrix.isolated_kills,
        "gates": matrix.broken_gates(),
        "inseparable": dict(matrix.without_mutant),
        "mutants": [row.to_json() for row in matrix.rows],
    }


def _variants_json(report: VariantReport) -> dict[str, object]:
    return {
        "gates": report.broken_gates(),
        "results": [
            {
                "id": row.variant.id,
                "summary": row.variant.summary,
                "problems": list(row.problems),
                "unverified": dict(row.variant.unverified),
            }
            for row in report.rows
        ],
    }
