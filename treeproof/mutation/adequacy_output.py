"""The kill matrix and the report on variants as text for the terminal, and as JSON. Judges nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeAlias

from treeproof.mutation.measurement import Measurement, Report
from treeproof.mutation.mutant_report import MAX_COLLATERAL_FAILURES, KillMatrix, MutantRow
from treeproof.mutation.operator_report import OperatorReport
from treeproof.mutation.task_pool import Result
from treeproof.mutation.variant_report import VariantReport
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.status_line import StatusLine
from treeproof.spec import Pack
from treeproof.spec.lint_places import IdPlaces
from treeproof.spec.mutants import Mutant
from treeproof.spec.packs import shown_path
from treeproof.spec.variants import Variant

_MAX_PROBLEMS, _MAX_MISSES = 6, 20

Places: TypeAlias = Callable[[str], str]
"""Returns the place of the mutant or variant of an id, as text."""


class MutationProgress(StatusLine):
    """The number of finished tasks: one line on a terminal; nothing without a terminal."""

    _count = 0

    def on_result(self, result: Result) -> None:
        """Count one and show its id."""
        self._count += 1
        if self.live:
            self.draw(self.writer.text(f"{self._count} mutants and variants, the last: {result.id}"))


def print_kill_matrix(matrix: KillMatrix, writer: ConsoleWriter, places: Places) -> None:
    """Print the survivors, the collateral failures, the rates and the failed gates."""
    mutants = [row for row in matrix.rows if not row.is_null]
    null_candidates = [row for row in matrix.rows if row.is_null]
    for row in matrix.survivors:
        _print_subject(writer, "no verdict " if row.result.fault else "survives ", "red", row.mutant, places)
        if row.is_null:
            what = f"passes {', '.join(sorted(row.result.passed)[:6])}"
        elif row.result.fault:
            what = f"violates {row.violated}"
        elif failed := sorted(row.result.failed):
            what = f"violates {row.violated}; it fails {', '.join(failed[:6])}: name that first, or write a scenario"
        else:
            what = f"violates {row.violated}; change more than this, or write a scenario that shows it"
        writer.paragraph(writer.text(what, "dim"), indent=4)
        if row.result.fault:
            writer.paragraph(writer.truncated(row.result.fault, characters=400), indent=4)
    for row in matrix.rows_with_collateral_failures:
        _print_subject(writer, "collateral ", "yellow", row.mutant, places)
        writer.paragraph(
            writer.text(f"besides {', '.join(row.mutant.violates)}: {', '.join(row.collateral_failures)}", "dim"),
            indent=4,
        )
    writer.paragraph(f"{_count_killed(mutants)} mutants are killed by the requirement that they violate")
    if null_candidates:
        writer.paragraph(f"{_count_killed(null_candidates)} null candidates pass no requirement")
    if matrix.attribution_rate is not None and matrix.isolated_kills is not None:
        writer.paragraph(
            f"of the mutants that ran the whole suite, {matrix.isolated_kills:.1%} have no collateral failures "
            f"and {matrix.attribution_rate:.1%} at most {MAX_COLLATERAL_FAILURES}"
        )
    _print_end(writer, [row.result for row in matrix.rows], matrix)


def print_variant_report(report: VariantReport, writer: ConsoleWriter, places: Places) -> None:
    """Print the variants that are not accepted, each with its problems, and the failed gates."""
    for row in report.rejected:
        _print_subject(writer, "not accepted ", "red", row.variant, places)
        for problem in row.problems[:_MAX_PROBLEMS]:
            writer.paragraph(writer.truncated(problem, "dim", characters=300, rows=3), indent=4)
        _print_rest(writer, row.problems, _MAX_PROBLEMS)
    accepted = len(report.rows) - len(report.rejected)
    writer.paragraph(f"{accepted} of {len(report.rows)} variants are accepted")
    for row in report.rows:
        for requirement, reason in row.variant.unverified.items():
            writer.paragraph(f"{row.variant.id} does not verify {requirement}: {reason}")
    _print_end(writer, [row.result for row in report.rows], report)


def print_measurement(measured: Measurement, writer: ConsoleWriter) -> None:
    """Print everything that was measured of a pack."""
    writer.paragraph(writer.text(f"{measured.pack.name} {measured.pack.version}", "bold"))
    if measured.matrix is not None:
        print_kill_matrix(measured.matrix, writer, _places(measured.pack, "mutants"))
    if measured.variants is not None:
        print_variant_report(measured.variants, writer, _places(measured.pack, "variants"))
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
    _print_rest(writer, report.missed, _MAX_MISSES)
    found = report.applied - len(report.missed)
    where = f"answers of {report.scenarios} of {report.all_scenarios} scenarios"
    writer.paragraph(f"{found} of {report.applied} changed {where} are found, or right for a reason")
    _print_end(writer, report.results, report)


def _print_subject(writer: ConsoleWriter, what: str, style: str, subject: Mutant | Variant, places: Places) -> None:
    place = writer.text(places(subject.id), "dim")
    writer.paragraph(writer.text(what, style), writer.text(subject.id, "bold"), f"  {subject.summary}", place)


def _places(pack: Pack, key: str) -> Places:
    """Return a function that returns the place of a mutant or variant, after two blanks."""
    places = IdPlaces(pack, key, getattr(pack, key) or "")

    def place(id: str) -> str:
        file, line = places.of(id)
        shown = shown_path(pack, file) if file.is_relative_to(pack.folder) else file.name
        return "" if file == pack.pack_file else f"  {shown}:{line}"

    return place


def _count_killed(rows: Sequence[MutantRow]) -> str:
    return f"{sum(row.killed for row in rows)} of {len(rows)}"


def _print_rest(writer: ConsoleWriter, items: Sequence[object], shown: int) -> None:
    if len(items) > shown:
        writer.paragraph(writer.text(f"and {len(items) - shown} more", "dim"), indent=4)


def _print_end(writer: ConsoleWriter, results: Sequence[Result], report: Report) -> None:
    writer.paragraph(writer.text(f"{sum(result.seconds for result in results):.0f} s of worker time", "dim"))
    for message in report.broken_gates():
        writer.paragraph(writer.text(f"gate: {message}", "red"))


def adequacy_json(found: Sequence[Measurement]) -> bytes:
    """Return the kill matrices and the reports on variants and operators as JSON."""
    specs = [
        {
            "name": one.pack.name,
            "version": one.pack.version,
            **(one.matrix.to_json() if one.matrix is not None else {}),
            **({"variants": one.variants.to_json()} if one.variants is not None else {}),
            **({"operators": one.operators.to_json()} if one.operators is not None else {}),
        }
        for one in found
    ]
    return (json.dumps({"specs": specs}, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
