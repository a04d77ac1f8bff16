"""The terminal report of a run: one screen of counts, causes, what is open and the conclusion; or all of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.digest import (
    abbreviate,
    candidate_did_not_start,
    explain_command,
    failure_counts,
    group_by_section,
    observed_interpretations,
    pluralize,
    result_counts,
    selected_requirements,
    split_causes,
    unverified_by_cause,
    unverified_reason,
    warned_counts,
    warnings_with_scenarios,
)
from treeproof.report.signs import CONCLUSIONS, OUTCOMES, RESULTS, VERDICTS, Sign
from treeproof.report.status_line import RunProgress
from treeproof.report.terminal_causes import (
    count_least_rows,
    print_cause,
    print_cause_in_short,
    print_failed_requirements,
)
from treeproof.spec.catalogue import PLATFORMS
from treeproof.verdict.causes import Cause
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import REMEDIES, Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import RequirementResult, SpecResult, Verdict

__all__ = ["RunProgress", "print_run", "render"]

_MAX_ROWS, _MAX_NARROW_ROWS = 40, 60  # of the terminal
_MIN_CAUSES, _MAX_CAUSES, _MAX_ROWS_OF_CASE = 3, 5, 20
_MAX_SPECS, _MAX_REASONS = 6, 5
_MAX_IDS = 12  # ids in a line
_MAX_DESCRIBED = 3
"""The number of selected scenarios up to which the report describes each instead of counting requirements."""


def print_run(run: RunDocument, stream: TextIO | None = None, *, verbose: bool = False) -> None:
    """Write the report to ``stream`` (default: standard output). Raises BrokenPipeError."""
    target = sys.stdout if stream is None else stream
    render(run, console_for(target), verbose=verbose)
    target.flush()


def render(run: RunDocument, console: Console, *, verbose: bool = False) -> None:
    """Write the report to ``console``, on one screen or ``verbose``; the last line is the conclusion and its reason."""
    writer, did_start = ConsoleWriter(console), not candidate_did_not_start(run)
    if did_start and not verbose and not all(_describes_scenarios(run, spec) for spec in run.specs):
        _print_screen(writer, run)
        return
    for text, style in _head(run):
        writer.paragraph(writer.truncated(text, style, characters=400))
    if did_start:
        _print_results(writer, run)
    _print_warnings(writer, run)
    _print_conclusion(writer, run)


# ---- one screen -------------------------------------------------------------------------------------------------


def _print_screen(writer: ConsoleWriter, run: RunDocument) -> None:
    deciding, warned = split_causes(run)
    head = writer.lines_of(partial(_print_short_head, writer, run))
    end = writer.lines_of(partial(_print_notes, writer, run, deciding, warned))
    end += writer.lines_of(partial(_print_conclusion, writer, run, max_rows=3))
    writer.write_lines(head)
    if deciding:
        rows = _MAX_NARROW_ROWS if writer.narrow else _MAX_ROWS
        _print_gravest(writer, run, deciding, rows - writer.count_rows([*head, *end]))
    writer.write_lines(end)


def _print_gravest(writer: ConsoleWriter, run: RunDocument, causes: Sequence[Cause], left: int) -> None:
    """Print the first cause with its case, and some of the others in short, in ``left`` rows."""
    heading = [*writer.lines_of(partial(_print_causes_heading, writer, run, causes)), Text()]
    left -= writer.count_rows(heading)
    others, least = list[Text](), min(_MAX_ROWS_OF_CASE, count_least_rows(writer, run, causes[0]))
    for count in range(min(_MAX_CAUSES, len(causes)), min(_MIN_CAUSES, len(causes)) - 1, -1):
        others = writer.lines_of(partial(_print_others, writer, run, causes[1:count], len(causes) - count))
        if left - writer.count_rows(others) >= least:
            break
    writer.write_lines(heading)
    print_cause(writer, run, causes[0], rows=max(4, left - writer.count_rows(others)))
    writer.write_lines(others)


def _print_others(writer: ConsoleWriter, run: RunDocument, causes: Sequence[Cause], more: int) -> None:
    if causes or more:
        writer.blank()
    for cause in causes:
        print_cause_in_short(writer, run, cause)
    if more:
        writer.line(writer.text(f"  {pluralize(more, 'more cause')}: --verbose", "dim"))


def _print_short_head(writer: ConsoleWriter, run: RunDocument) -> None:
    for text, style in _head(run):
        writer.line(writer.clipped(text, style, width=writer.width))
    width = writer.width // 3
    rows = [(writer.clipped(spec.label, width=width).plain, selected_requirements(run, spec)) for spec in run.specs]
    if len(rows) > _MAX_SPECS:
        rest = [one for _, requirements in rows[_MAX_SPECS - 1 :] for one in requirements]
        rows = [*rows[: _MAX_SPECS - 1], (f"{len(rows) - _MAX_SPECS + 1} more", rest)]
    writer.blank()
    _print_table(writer, run, rows)


def _print_notes(writer: ConsoleWriter, run: RunDocument, deciding: Sequence[Cause], warned: Sequence[Cause]) -> None:
    """Print what decides nothing, what is not verified, the warnings and the choices observed, in few lines."""

    def note(mark: str, text: str) -> None:
        writer.line(writer.text(f"{mark} ", "yellow"), writer.clipped(text, width=writer.width - 2))

    writer.blank()
    if warned:
        ids = ", ".join(dict.fromkeys(cause.requirement.id for cause in warned))
        note("△", f"warnings of {warned_counts(run, warned)} ({ids})")
    groups, is_open = _unverified_by_reason(run), bool(run.exit) and not deciding
    shown = groups[: _MAX_REASONS if is_open else 2 if deciding else 1]
    for reason, (count, remedy) in shown:
        note("?", f"{pluralize(count, 'requirement')} not verified: {reason}")
        if remedy:
            text = writer.clipped(remedy, width=(2 if is_open else 1) * (writer.width - 14))
            writer.paragraph(text, indent=2, lead=writer.text("remedy: ", "dim"))
    if rest := groups[len(shown) :]:
        count = sum(count for _, (count, _) in rest)
        others = pluralize(len(rest), "other reason")
        note("?", f"{pluralize(count, 'more requirement')} not verified, for {others}")
    if warnings := list(warnings_with_scenarios(run)):
        more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
        text = writer.clipped(warnings[0], width=writer.width - 2 - len(more))
        writer.line(writer.text("! ", "yellow"), text, writer.text(more, "dim"))
    observed = [one for spec in run.specs for one in observed_interpretations(spec)]
    different = [f"{one.id} ({', '.join(one.observed)})" for one in observed if not one.consistent]
    if different:
        note("≠", f"{pluralize(len(different), 'inconsistent choice')}: {', '.join(different)}")
    choices = f", with {pluralize(len(observed), 'choice')} observed" if observed else ""
    writer.paragraph(writer.text(f"All of it{choices}: --verbose, or --report html=FILE", "dim"), indent=2)


def _unverified_by_reason(run: RunDocument) -> list[tuple[str, tuple[int, str]]]:
    """Return the reasons of missing verdicts, each with its count and remedy: those with a remedy first."""
    found: dict[str, tuple[int, str]] = {}
    for spec in run.specs:
        for group in unverified_by_cause(run, spec):
            if not (group.is_deselected and run.is_narrowed):
                reason = unverified_reason(run, spec, group)
                # The cause that blocks a requirement, or that the selection left it out, is remedy enough.
                remedy = "" if group.blocked_by or group.is_deselected else group.remedy or ""
                found[reason] = (found.get(reason, (0, ""))[0] + len(group.ids), remedy)
    return sorted(found.items(), key=lambda item: (not item[1][1], -item[1][0]))


# ---- everything -------------------------------------------------------------------------------------------------


def _print_results(writer: ConsoleWriter, run: RunDocument) -> None:
    for spec in run.specs:
        _print_summary(writer, run, spec)
    deciding, warned = split_causes(run)
    if deciding:
        _print_causes_heading(writer, run, deciding)
    _print_causes(writer, run, deciding)
    if not all(_describes_scenarios(run, spec) for spec in run.specs):
        print_failed_requirements(writer, run)
    if warned:
        writer.heading(f"Warnings of {warned_counts(run, warned)}", "bold yellow")
    _print_causes(writer, run, warned, is_warning=True)
    for spec in run.specs:
        _print_readings(writer, run, spec)
    for spec in run.specs:
        _print_unverified(writer, run, spec)
    _print_simulated(writer, run)


def _print_causes_heading(writer: ConsoleWriter, run: RunDocument, causes: Sequence[Cause]) -> None:
    style = "bold magenta" if all(cause.is_fault for cause in causes) else "bold red"
    writer.heading(" · ".join([f"Causes · {len(causes)}", *failure_counts(run, causes)]), style)


def _print_causes(
    writer: ConsoleWriter, run: RunDocument, causes: Sequence[Cause], *, is_warning: bool = False
) -> None:
    for cause in causes:
        writer.blank()
        print_cause(writer, run, cause, is_warning=is_warning)


def _head(run: RunDocument) -> Iterator[tuple[str, str]]:
    """Yield the lines about the run itself, and their styles."""
    candidate, host = run.candidate, run.machine
    language = f"{candidate.language}, " if candidate.language else ""
    scenarios = sum(len(spec.scenarios) for spec in run.specs)
    without = f" without {', '.join(host.missing)}" if host.missing else ""
    facts = (
        *(f"{pluralize(scenarios, 'scenario')} in {run.seconds:.1f} s", f"profile {run.profile}", f"seed {run.seed}"),
        f"{host.system}, {'root' if host.root else 'ordinary user'}{without}",
    )
    yield f"treeproof {run.treeproof} · {candidate.label} ({language}adapter {candidate.adapter})", "bold"
    yield " · ".join(facts), "dim"
    if run.selection is not None:
        yield f"selection {', '.join(run.selection)}", "dim"


def _describes_scenarios(run: RunDocument, spec: SpecResult) -> bool:
    return run.is_narrowed and len(spec.scenarios) <= _MAX_DESCRIBED


def _print_summary(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    requirements = selected_requirements(run, spec)
    count = pluralize(len(spec.requirements), "requirement")
    if run.is_narrowed:
        count = f"{len(requirements)} of {count}"
    writer.heading(f"{spec.name} {spec.version} · {count}")
    if _describes_scenarios(run, spec):
        _print_scenarios(writer, run, spec)
        return
    _print_table(writer, run, list(group_by_section(requirements, lambda one: one.section).items()))


def _print_table(
    writer: ConsoleWriter, run: RunDocument, groups: Sequence[tuple[str, Iterable[RequirementResult]]]
) -> None:
    """Print the number of requirements by verdict, one line for each group and one for all."""
    counted = [(label, result_counts(requirements, run.profile)) for label, requirements in groups]
    total = sum((row for _, row in counted), Counter[Sign]())
    shown = [sign for sign in RESULTS if total[sign]]
    if len(counted) > 1:
        counted.append(("all", total))
    if writer.narrow:
        for label, row in counted:
            writer.paragraph(label, lead=writer.join(_group_mark(writer, row), " "))
            counts = [writer.text(f"{row[one]} {one.label.lower()}", one.colour) for one in shown if row[one]]
            writer.paragraph(writer.text(", ").join(counts), indent=4)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("")
    table.add_column("", overflow="fold", max_width=writer.width // 2)
    for sign in shown:
        table.add_column(writer.text(sign.label.lower(), "dim"), justify="right", no_wrap=True)
    for label, row in counted:
        cells = [writer.text(str(row[one]), one.colour) if row[one] else writer.text("·", "dim") for one in shown]
        table.add_row(_group_mark(writer, row), writer.text(label), *cells)
    writer.table(table)


def _print_scenarios(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    """Print what a few selected scenarios are about, below the requirement of each."""
    for requirement in selected_requirements(run, spec):
        mark = _group_mark(writer, result_counts([requirement], run.profile))
        label = writer.text(f"{requirement.id}", "bold")
        section = writer.text(f"  {requirement.level} · {requirement.section}", "dim")
        writer.paragraph(label, section, lead=writer.join(mark, " "))
        if requirement.verdict is Verdict.FAIL:  # its cause has the text and the scenario
            continue
        writer.paragraph(writer.truncated(requirement.text, characters=600), indent=2)
        for scenario in spec.scenarios:
            if scenario.requirement == requirement.id:
                outcome = writer.text(f"{scenario.outcome}  ", OUTCOMES[scenario.outcome].colour)
                title = writer.truncated(scenario.title, characters=400)
                writer.paragraph(writer.text(f"{scenario.id}  ", "bold"), outcome, title, indent=2)


def _group_mark(writer: ConsoleWriter, row: Counter[Sign]) -> Text:
    """Return the sign of a group of requirements: that of its gravest verdict."""
    for verdict in (Verdict.FAIL, Verdict.NOT_VERIFIED, Verdict.PASS):
        if row[sign := VERDICTS[verdict]]:
            return writer.text(sign.mark, sign.colour)
    return writer.text("·", "dim")


def _spec_suffix(run: RunDocument, spec: SpecResult) -> str:
    """Return the suffix of a heading that occurs once for each specification."""
    return f", {spec.name}" if len(run.specs) > 1 else ""


def _print_readings(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    observed = observed_interpretations(spec)
    if not observed:
        return
    writer.heading(f"Choices observed{_spec_suffix(run, spec)}")
    for entry in observed:
        if not entry.consistent:
            writer.paragraph(
                writer.text(entry.id, "bold"),
                writer.text(f" inconsistent: {', '.join(entry.observed)}", "red"),
                indent=2,
                lead=writer.text("✗ ", "red"),
            )
    consistent = [f"{entry.id}={entry.observed[0]}" for entry in observed if entry.consistent]
    if consistent:
        writer.paragraph(writer.comma_separated(consistent), indent=2)


def _print_unverified(writer: ConsoleWriter, run: RunDocument, spec: SpecResult) -> None:
    groups = unverified_by_cause(run, spec)
    if run.is_narrowed:
        groups = [group for group in groups if not group.is_deselected]
    if groups:
        count = pluralize(sum(len(group.ids) for group in groups), "requirement")
        writer.heading(f"Not verified{_spec_suffix(run, spec)} · {count}", "bold yellow")
    for group in groups:
        many = writer.text(f" · {len(group.ids)}", "dim")
        reason = unverified_reason(run, spec, group)
        writer.paragraph(writer.truncated(reason, characters=400), many, lead=writer.text("? ", "yellow"))
        if group.is_deselected:
            continue
        writer.paragraph(writer.comma_separated(group.ids), indent=4)
        if group.remedy:
            writer.paragraph(group.remedy, indent=4, lead=writer.text("remedy: ", "dim"))
    for verdict in (Verdict.NOT_APPLICABLE, Verdict.EXCLUDED):
        ids = [one.id for one in selected_requirements(run, spec) if one.verdict is verdict]
        if ids:
            writer.heading(
                f"{verdict.capitalize()}{_spec_suffix(run, spec)} · {pluralize(len(ids), 'requirement')}", "dim"
            )
            writer.paragraph(writer.comma_separated(ids, "dim"), indent=2)
            writer.paragraph(writer.text(f"`{explain_command(run, 'ID')}` prints the reason", "dim"), indent=2)


def _print_simulated(writer: ConsoleWriter, run: RunDocument) -> None:
    scenarios = (one for spec in run.specs for one in spec.scenarios if one.outcome is Outcome.NOT_APPLICABLE)
    counts = Counter(one.evidence.simulated for one in scenarios if one.evidence.simulated)
    where = " and ".join(f"{counts[name]} on {PLATFORMS[name]}" for name in PLATFORMS if counts[name])
    if where:
        count = pluralize(counts.total(), "scenario")
        writer.blank()
        writer.paragraph(writer.text(f"Simulated · {count} held ({where}), which is no evidence of conformance", "dim"))


def _print_warnings(writer: ConsoleWriter, run: RunDocument) -> None:
    groups = warnings_with_scenarios(run)
    if groups:
        writer.heading("Warnings", "bold yellow")
    for warning, ids in groups.items():
        writer.paragraph(writer.truncated(warning, characters=400), lead=writer.text("! ", "yellow"))
        if ids:
            writer.paragraph(writer.comma_separated(abbreviate(ids, _MAX_IDS), "dim"), indent=4)


def _print_conclusion(writer: ConsoleWriter, run: RunDocument, *, max_rows: int = 0) -> None:
    writer.blank()
    if run.interrupted and run.verdict is not Conclusion.INTERRUPTED:
        writer.paragraph(writer.text("The run was interrupted; the remaining requirements are not verified.", "yellow"))
    if candidate_did_not_start(run):
        writer.paragraph(writer.text(REMEDIES["candidate_did_not_start"], "dim"))
    if not run.claim and run.verdict is not Conclusion.PARTIAL:  # the reason of `partial` contains it
        why = "No document was judged" if run.profile is Profile.BEHAVIOUR else "Not a complete run"
        writer.paragraph(writer.text(f"{why}: not a conformance claim.", "yellow"))
    verdict = writer.text(f"{run.verdict}: ", f"bold {CONCLUSIONS[run.verdict].colour}")
    width = max_rows * writer.width - verdict.cell_len
    writer.paragraph(verdict, writer.clipped(run.reason, width=width) if max_rows else writer.text(run.reason))
