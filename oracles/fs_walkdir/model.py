"""The model of FS.WalkDir 0.1, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treeproof.api import AcceptedReadings, CallResult, Case, Exchange, ModelJudgement

from ..shared.case_model import CaseModel
from ..shared.judgement import Comparison
from ..shared.reading_choices import ReadingChoices
from .comparison import compare_call, shown_readings
from .expected import RECOMMENDED_READINGS, call_outcome, describe_call_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .outcomes import CallOutcome
from .scenario_writer import scenario_steps
from .scripts import INTERPRETER, ExpectedScript, compare_script, script_outcome

_REQUIREMENTS = (
    *(("SYN", 1), ("ARG", 5), ("RET", 2), ("ENT", 6), ("WALK", 4), ("ERR", 6), ("SEC", 3)),
    *(("LOG", 2), ("LAST", 1)),
)

Outcome = CallOutcome | ExpectedScript


def _expected_outcome(case: Case, readings: ReadingChoices) -> Outcome:
    if case.tool == INTERPRETER:
        return script_outcome(case, readings)
    return call_outcome(case, case.arguments, readings)


def _compare(expected: Outcome, answer: CallResult, case: Case) -> Comparison:
    if isinstance(expected, ExpectedScript):
        return compare_script(expected, answer, case)
    return compare_call(expected, answer, case)


def _shown_readings(expected: Outcome, answer: CallResult, case: Case) -> Mapping[str, str]:
    return {} if isinstance(expected, ExpectedScript) else shown_readings(expected, answer)


def _describe_outcome(expected: Outcome) -> str:
    if isinstance(expected, ExpectedScript):
        return "an error" if expected.fails else "\n".join(line.text for line in expected.lines)
    return describe_call_outcome(expected)


def _write_scenario(case: Case, outside: str, expected: Outcome) -> tuple[str, ...]:
    assert not isinstance(expected, ExpectedScript)  # no family calls the interpreter
    return scenario_steps(case, outside, expected)


def _label_case(case: Case, expected: Outcome) -> Mapping[str, bool]:
    return {} if isinstance(expected, ExpectedScript) else case_labels(case, expected)


class WalkModel(CaseModel[Outcome]):
    """The model of the tool and of scripts that call it."""

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Judge a call. An interpreter may check arguments in another way than the tool, so it shows no reading."""
        judged = super().judge(exchange, accepted)
        is_of_interpreter = exchange.case.tool == INTERPRETER or not isinstance(exchange.case.arguments, dict)
        return replace(judged, observed_readings={}, explanations=()) if is_of_interpreter else judged


model = WalkModel(
    tool="FS.WalkDir",
    requirements=frozenset(
        f"WD-{group}-{number:02}" for group, count in _REQUIREMENTS for number in range(1, count + 1)
    ),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset(RECOMMENDED_READINGS),
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=_expected_outcome,
    compare=_compare,
    describe_outcome=_describe_outcome,
    write_scenario=_write_scenario,
    label_case=_label_case,
    shown_readings=_shown_readings,
)
