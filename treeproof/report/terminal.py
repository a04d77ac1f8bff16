"""The terminal report of a run: a summary, failures with evidence, faults, gaps, and last the conclusion."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.digest import (
    FailureDeduplicator,
    RepeatedMessage,
    abbreviate,
    candidate_did_not_start,
    candidate_label,
    decides_exit,
    failing_count_text,
    failing_requirements,
    failures_beyond_document,
    input_trees,
    missing_features,
    observed_interpretations,
    pluralize,
    repeated_messages,
    rerun_command,
    result_text,
    section_counts,
    unverified_by_cause,
    verdict_counts,
    warnings_with_scenarios,
)
from treeproof.report.document import Document
from treeproof.report.escape import json_text
from treeproof.report.progress import RunProgress
from treeproof.spec.catalogue import PLATFORMS
from treeproof.verdict.outcome import REMEDIES

__all__ = ["RunProgress", "print_run", "render"]

_VERDICT_COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("PASS", "pass", "green"),
    ("FAIL", "fail", "red"),
    ("NOT VERIFIED", "not verified", "yellow"),
    ("NOT APPLICABLE", "not applicable", "dim"),
    ("EXCLUDED", "excluded", "dim"),
)
_CONCLUSION_STYLES: Mapping[str, str] = {
    "conformant": "bold green",
    "partial": "bold green",
    "non-conformant": "bold red",
    "usage": "bold red",
    "incomplete": "bold yellow",
    "fault": "bold magenta",
}
_DIFFERENCE_STYLES = {"-": "red", "+": "green"}
_MAX_FULL_REQUIREMENTS = 20  # failed requirements with evidence; the others have two lines each
_MAX_FULL_SCENARIOS = 2  # scenarios with evidence per requirement and per repeated message; the others by id
_MAX_IDS = 12  # ids in a line
_DEFAULT_CONTEXT_KEYS = frozenset({"roots", "working_dir"})  # in every call, so they are not printed


def print_run(run: Document, stream: TextIO | None = None) -> None:
    """Write the report to ``stream`` (default: standard output). Raises BrokenPipeError."""
    target = sys.stdout if stream is None else stream
    render(run, console_for(target))
    target.flush()


def render(run: Document, console: Console) -> None:
    """Write the report to ``console``; the last line is the conclusion and its reason."""
    writer = ConsoleWriter(console)
    _print_head(writer, run)
    if not candidate_did_not_start(run):
        _print_results(writer, run)
    _print_warnings(writer, run)
    _print_conclusion(writer, run)


def _print_results(writer: ConsoleWriter, run: Document) -> None:
    for spec in run["specs"]:
        _print_summary(writer, spec)
    _print_repeated_messages(writer, run)
    deduplicator = FailureDeduplicator(run, _MAX_FULL_SCENARIOS)
    for spec in run["specs"]:
        _print_failures(writer, run, spec, deduplicator)
        _print_faults(writer, run, spec)
    _print_rerun_hint(writer, run)
    for spec in run["specs"]:
        _print_readings(writer, run, spec)
    for spec in run["specs"]:
        _print_unverified(writer, run, spec)
    _print_simulated(writer, run)


def _print_head(writer: ConsoleWriter, run: Document) -> None:
    candidate = run["candidate"]
    language = f"{candidate['language']}, " if candidate["language"] else ""
    scenarios = sum(len(spec["scenarios"]) for spec in run["specs"])
    writer.paragraph(writer.text(f"treeproof {run['treeproof']}", "bold"))
    writer.field("candidate", writer.text(f"{candidate_label(run)} ({language}adapter {candidate['adapter']})"))
    writer.field(
        "run",
        writer.text(
            f"{pluralize(scenarios, 'scenario')} in {run['seconds']:.1f} s · profile {run['profile']}"
            f" · seed {run['seed']}"
        ),
    )
    host = run["machine"]
    user = "root" if host["root"] else "ordinary user"
    without = f" · without {', '.join(missing_features(run))}" if missing_features(run) else ""
    writer.field("host", writer.text(f"{host['system']} · {user}{without}"))
    if run["selection"] is not None:
        writer.field("selection", writer.truncated(", ".join(run["selection"]), characters=400))


def _print_summary(writer: ConsoleWriter, spec: Mapping[str, Any]) -> None:
    writer.heading(f"{spec['name']} {spec['version']} · {pluralize(len(spec['requirements']), 'requirement')}")
    total = verdict_counts(spec)
    shown = [column for column in _VERDICT_COLUMNS if total[column[0]]]
    ordered = section_counts(spec)
    if writer.narrow:
        for section, row in ordered:
            writer.paragraph(section, lead=writer.join(_section_mark(writer, row), " "))
            writer.paragraph(_verdict_counts_text(writer, row, shown), indent=4)
        writer.paragraph(writer.text("all", "bold"))
        writer.paragraph(_verdict_counts_text(writer, total, shown), indent=4)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False, show_footer=True)
    table.add_column("", footer="")
    table.add_column("", footer=writer.text("all", "bold"), overflow="fold", max_width=writer.width // 2)
    for verdict, label, style in shown:
        table.add_column(
            writer.text(label, "dim"),
            footer=writer.text(str(total[verdict]), f"bold {style}"),
            justify="right",
            no_wrap=True,
        )
    for section, row in ordered:
        cells = [writer.text(str(row[v]) if row[v] else "·", style if row[v] else "dim") for v, _, style in shown]
        table.add_row(_section_mark(writer, row), writer.text(section), *cells)
    writer.table(table)


def _section_mark(writer: ConsoleWriter, row: Mapping[str, int]) -> Text:
    if row["FAIL"]:
        return writer.text("✗", "red")
    if row["NOT VERIFIED"]:
        return writer.text("?", "yellow")
    return writer.text("✓", "green") if row["PASS"] else writer.text("·", "dim")


def _verdict_counts_text(
    writer: ConsoleWriter, row: Mapping[str, int], columns: Iterable[tuple[str, str, str]]
) -> Text:
    counts = [writer.text(f"{row[verdict]} {label}", style) for verdict, label, style in columns if row[verdict]]
    return writer.text(", ").join(counts)


def _print_repeated_messages(writer: ConsoleWriter, run: Document) -> None:
    messages = repeated_messages(run)
    if messages:
        writer.heading("Repeated failure messages", "bold red")
    for one in messages:
        where = f"{len(one.scenarios)} scenarios of {pluralize(len(one.requirements), 'requirement')}: "
        text = writer.truncated(one.message, characters=300, rows=3)
        writer.paragraph(where, text, lead=writer.text("✗ ", "red"))


def _spec_suffix(run: Document, spec: Mapping[str, Any]) -> str:
    """Return the suffix of a heading that occurs once for each specification."""
    return f", {spec['name']}" if len(run["specs"]) > 1 else ""


def _print_failures(
    writer: ConsoleWriter, run: Document, spec: Mapping[str, Any], deduplicator: FailureDeduplicator
) -> None:
    profile = run["profile"]
    failed = failing_requirements(spec, profile)
    if failed:
        count = failing_count_text((requirement for requirement, _ in failed), profile)
        writer.heading(f"Failures{_spec_suffix(run, spec)} · {count}", "bold red")
        _print_failed_requirements(writer, failed, profile, deduplicator)
    beyond = failures_beyond_document(spec, profile)
    if beyond:
        count = pluralize(len(beyond), "requirement")
        writer.heading(f"Beyond the document{_spec_suffix(run, spec)} · warnings on {count}", "bold yellow")
        writer.paragraph(writer.text("The document is silent here; these failures do not affect the exit code.", "dim"))
        _print_failed_requirements(writer, beyond, profile, deduplicator)


def _print_failed_requirements(
    writer: ConsoleWriter,
    failed: Iterable[tuple[Mapping[str, Any], list[Mapping[str, Any]]]],
    profile: str,
    deduplicator: FailureDeduplicator,
) -> None:
    for position, (requirement, own) in enumerate(failed):
        writer.blank()
        level = requirement["level"] if decides_exit(requirement, profile) else f"{requirement['level']}, a warning"
        basis = f" · {requirement['basis']}" if "basis" in requirement else ""
        known = " · known failure" if requirement.get("known") else ""
        writer.paragraph(
            writer.text(requirement["id"], "bold"),
            writer.text(f"  {level}{basis} · {requirement['section']}{known}", "dim"),
            lead=writer.text("✗ ", "red"),
        )
        writer.paragraph(writer.truncated(requirement["text"], characters=400), indent=2)
        if requirement["cause"]:
            writer.paragraph(writer.text(requirement["cause"], "red"), indent=2)
        if position < _MAX_FULL_REQUIREMENTS:
            selection = deduplicator.select(own)
            for scenario in selection.in_full:
                print_scenario(writer, scenario)
            _print_abbreviated(writer, selection.repeated, selection.others)
        elif own:
            message = own[0]["evidence"].get("message", "")
            writer.paragraph(writer.truncated(f"{own[0]['id']}: {message}", characters=200, rows=2), indent=2)
            _print_abbreviated(writer, (), own[1:])


def _print_rerun_hint(writer: ConsoleWriter, run: Document) -> None:
    """Print the command that re-runs one failure, and how to get the remaining evidence."""
    failed = [own for spec in run["specs"] for _, own in failing_requirements(spec, run["profile"]) if own]
    if not failed:
        return
    writer.blank()
    writer.paragraph(writer.text("Command to re-run a failure:", "dim"))
    writer.line("  ", rerun_command(run, failed[0][0]["id"]))
    if any(len(own) > _MAX_FULL_SCENARIOS for own in failed) or len(failed) > _MAX_FULL_REQUIREMENTS:
        writer.paragraph(writer.text("Evidence of every failure: --report html=FILE", "dim"))


def _print_abbreviated(
    writer: ConsoleWriter, same: Sequence[RepeatedMessage], others: Sequence[Mapping[str, Any]]
) -> None:
    """Print the scenarios without evidence: those with a message that was printed before, and the others."""
    for one in same:
        writer.paragraph(
            writer.truncated(one.message, characters=200, rows=2),
            writer.text(" · ", "dim"),
            _abbreviated_ids(writer, one.scenarios),
            indent=2,
            lead=writer.text("as above: ", "dim"),
        )
    if others:
        writer.paragraph(_abbreviated_ids(writer, others), indent=2, lead=writer.text("also failed: ", "dim"))


def _abbreviated_ids(writer: ConsoleWriter, scenarios: Iterable[Mapping[str, Any]]) -> Text:
    return writer.comma_separated(abbreviate((scenario["id"] for scenario in scenarios), _MAX_IDS))


def print_scenario(writer: ConsoleWriter, scenario: Mapping[str, Any]) -> None:
    """Print a scenario of a run document with its evidence."""
    evidence = scenario["evidence"]
    writer.blank()
    writer.paragraph(
        writer.text(f"{scenario['id']}  ", "bold"),
        writer.truncated(scenario["title"], characters=300),
        indent=2,
    )
    if scenario["file"]:
        writer.paragraph(writer.text(f"{scenario['file']}:{scenario['line']}", "dim"), indent=4, hang=2)
    for label, value in _evidence_fields(writer, evidence):
        writer.field(label, value, indent=4)
    if evidence.get("scenario"):
        writer.field("scenario", writer.text("the same difference, for a feature file"), indent=4)
        for line in writer.truncated(evidence["scenario"], characters=2400).split("\n", allow_blank=True):
            writer.line("      ", line)  # not folded, so that it can be pasted


def _evidence_fields(writer: ConsoleWriter, evidence: Mapping[str, Any]) -> Iterable[tuple[str, Text]]:
    """Yield label and text of the parts of evidence, in reading order."""
    if "simulated" in evidence:
        yield "host", writer.text(f"a simulated {PLATFORMS[evidence['simulated']]}")
    for label, tree in input_trees(evidence):
        yield label, writer.truncated(tree)
    for call in evidence.get("calls") or [evidence.get("call")]:
        yield from _call_fields(writer, call)
    if "after" in evidence:
        yield "after", writer.truncated(evidence["after"] or "(empty)")
    if evidence.get("step"):
        yield "step", writer.truncated(evidence["step"])
    if evidence.get("message"):
        yield "message", writer.truncated(evidence["message"], "red")
    longest = 400 if evidence.get("diff") else 1200  # a difference makes long texts unnecessary
    if evidence.get("expected"):
        yield "expected", writer.truncated(evidence["expected"], characters=longest)
    if result_text(evidence):
        yield "got", writer.truncated(result_text(evidence), characters=longest)
    if evidence.get("diff"):
        yield "difference", _styled_difference(writer, evidence["diff"])
    if evidence.get("stderr"):
        yield "stderr", writer.truncated(evidence["stderr"], "dim")


def _call_fields(writer: ConsoleWriter, call: Mapping[str, Any] | None) -> Iterable[tuple[str, Text]]:
    if call is None:
        return
    yield "call", writer.truncated(f"{call['tool']} {call['arguments']}")
    added = {key: value for key, value in call.get("context", {}).items() if key not in _DEFAULT_CONTEXT_KEYS}
    if added:
        yield "context", writer.truncated(json_text(added))


def _styled_difference(writer: ConsoleWriter, diff: str) -> Text:
    text = writer.truncated(diff, rows=24, characters=2400)
    lines = [
        Text(line.plain, style=_DIFFERENCE_STYLES.get(line.plain[:1], ""))
        for line in text.split("\n", allow_blank=True)
    ]
    whole = Text("\n", overflow="fold").join(lines)
    whole.overflow = "fold"
    return whole


def _print_faults(writer: ConsoleWriter, run: Document, spec: Mapping[str, Any]) -> None:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for scenario in spec["scenarios"]:
        if scenario["outcome"] == "fault":
            evidence = scenario["evidence"]
            groups.setdefault(evidence.get("message") or evidence.get("cause") or "fault", []).append(scenario)
    if not groups:
        return
    count = sum(map(len, groups.values()))
    writer.heading(
        f"Faults{_spec_suffix(run, spec)} · {pluralize(count, 'scenario')} without a verdict",
        "bold magenta",
    )
    for cause, scenarios in groups.items():
        writer.blank()
        writer.paragraph(writer.truncated(cause, characters=600), lead=writer.text("! ", "magenta"))
        writer.paragraph(_abbreviated_ids(writer, scenarios), indent=2)
        first = scenarios[0]["evidence"]
        for label, value in _call_fields(writer, first.get("call")):
            writer.field(label, value, indent=2)
        if first.get("stderr"):
            writer.field("stderr", writer.truncated(first["stderr"], "dim"), indent=2)


def _print_readings(writer: ConsoleWriter, run: Document, spec: Mapping[str, Any]) -> None:
    observed = observed_interpretations(spec)
    if not observed:
        return
    writer.heading(f"Observed readings{_spec_suffix(run, spec)}")
    for entry in observed:
        if not entry["consistent"]:
            writer.paragraph(
                writer.text(entry["id"], "bold"),
                writer.text(f" inconsistent: {', '.join(entry['observed'])}", "red"),
                indent=2,
                lead=writer.text("✗ ", "red"),
            )
    consistent = [f"{entry['id']}={entry['observed'][0]}" for entry in observed if entry["consistent"]]
    if consistent:
        writer.paragraph(writer.comma_separated(consistent), indent=2)


def _print_unverified(writer: ConsoleWriter, run: Document, spec: Mapping[str, Any]) -> None:
    groups = unverified_by_cause(run, spec)
    if groups:
        count = pluralize(sum(len(group.ids) for group in groups), "requirement")
        writer.heading(f"Not verified{_spec_suffix(run, spec)} · {count}", "bold yellow")
    for group in groups:
        many = writer.text(f" ({len(group.ids)})", "dim")
        writer.paragraph(writer.truncated(group.cause, characters=400), many, lead=writer.text("? ", "yellow"))
        if group.is_deselected:
            continue
        writer.paragraph(writer.comma_separated(group.ids), indent=4)
        if group.remedy:
            writer.paragraph(group.remedy, indent=4, lead=writer.text("remedy: ", "dim"))
    for verdict, label in (
        ("NOT APPLICABLE", "Not applicable"),
        ("EXCLUDED", "Excluded"),
    ):
        ids = [requirement["id"] for requirement in spec["requirements"] if requirement["verdict"] == verdict]
        if ids:
            writer.heading(f"{label}{_spec_suffix(run, spec)} · {pluralize(len(ids), 'requirement')}", "dim")
            writer.paragraph(writer.comma_separated(ids, "dim"), indent=2)
            writer.paragraph(writer.text("`treeproof explain ID` prints the reason", "dim"), indent=2)


def _print_simulated(writer: ConsoleWriter, run: Document) -> None:
    counts = dict.fromkeys(PLATFORMS, 0)
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            if scenario["outcome"] == "not-applicable" and "simulated" in scenario["evidence"]:
                counts[scenario["evidence"]["simulated"]] += 1
    where = " and ".join(f"{count} on {PLATFORMS[name]}" for name, count in counts.items() if count)
    if where:
        count = pluralize(sum(counts.values()), "scenario")
        writer.blank()
        writer.paragraph(writer.text(f"Simulated · {count} held ({where}), which is no evidence of conformance", "dim"))


def _print_warnings(writer: ConsoleWriter, run: Document) -> None:
    groups = warnings_with_scenarios(run)
    if groups:
        writer.heading("Warnings", "bold yellow")
    for warning, ids in groups.items():
        writer.paragraph(writer.truncated(warning, characters=400), lead=writer.text("! ", "yellow"))
        if ids:
            writer.paragraph(writer.comma_separated(abbreviate(ids, _MAX_IDS), "dim"), indent=4)


def _print_conclusion(writer: ConsoleWriter, run: Document) -> None:
    writer.blank()
    if run["interrupted"]:
        writer.paragraph(writer.text("The run was interrupted; the remaining requirements are not verified.", "yellow"))
    if candidate_did_not_start(run):
        writer.paragraph(writer.text(REMEDIES["candidate_did_not_start"], "dim"))
    if not run["claim"] and run["verdict"] != "partial":  # the reason of `partial` contains it
        writer.paragraph(writer.text("Not a complete run: not a conformance claim.", "yellow"))
    style = _CONCLUSION_STYLES.get(run["verdict"], "bold")
    writer.paragraph(writer.text(run["verdict"], style), writer.text(f": {run['reason']}"))
