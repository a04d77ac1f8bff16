"""The model of list_directory 1.1, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from treeproof.api import AcceptedReadings, Case, Exchange, ModelJudgement

from ..shared.case_model import CaseModel
from ..shared.reading_choices import ReadingChoices
from .comparison import compare, find_unreadable, shown_names, shown_readings, starts_elsewhere
from .expected import RECOMMENDED_READINGS, ExpectedOutcome, describe_outcome, expected_outcome, summarise
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

_AMBIGUOUS_INTERPRETATIONS = {"AMB-LD-02", "AMB-LD-13", "AMB-LD-31", "AMB-LD-33", "AMB-LD-34", "AMB-LD-35", "AMB-LD-45"}
"""One call result cannot always determine which of their readings a candidate follows."""

_REPLACEMENTS, _LOSSY = "AMB-LD-12", "NFR-LD-REL-02"

_REQUIREMENTS = (
    ("CWD-LD", ("",)),
    ("SCH-LD", ("",)),
    ("FR-LD-DEF-", ("01", "04", "05")),
    ("FR-LD-VAL-", ("01", "02", "03", "04", "05", "06", "06a", "06b", "07", "08", "09", "10")),
    ("FR-LD-LST-", ("01", "02", "03", "04", "05", "06", "06a", "07", "08")),
    ("DOC-", ("01", "03", "04", "05", "06", "07")),
    ("EF-", ("01", "02", "03", "04", "05", "06", "07", "08", "09")),
    ("FR-LD-OUT-", ("01", "02a", "02b", "03", "04", "05", "06", "07", "08")),
    ("FR-LD-ERR-", ("01", "02")),
    ("NFR-LD-", ("REL-01", "REL-02", "PORT-01", "SEC-02")),
    ("CFG-LD-", ("01", "03", "05")),
    ("T-LD-", ("01", "02")),
)


class ListDirectoryModel(CaseModel[ExpectedOutcome]):
    """The model, which takes the texts of names that are not UTF-8 from the answer where no rule gives them."""

    def summary(self, case: Case) -> str:
        """Return the entries by the recommended readings, or the kinds of error."""
        return summarise(expected_outcome(case, ReadingChoices(RECOMMENDED_READINGS)))

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        judged = self._judge(exchange, accepted)
        if exchange.answer.status == "ok" or not starts_elsewhere(exchange.case):
            return judged
        # It may be the error for the same path from another place, by any reading.
        return replace(judged, observed_readings={}, explanations=())

    def _judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        labels = frozenset(accepted.get(_REPLACEMENTS, ()))
        if "other" not in labels or labels == {"other"}:
            return super().judge(exchange, accepted)
        judged = super().judge(exchange, {**accepted, _REPLACEMENTS: labels - {"other"}})
        depends = any(_REPLACEMENTS in readings for readings in judged.explanations)
        if not (judged.findings or depends) or not (shown := shown_names(exchange.case, exchange.answer)):
            return judged
        by_answer = replace(self, expected_outcome=partial(expected_outcome, shown=shown))  # type: ignore[arg-type]
        other = CaseModel.judge(by_answer, exchange, {**accepted, _REPLACEMENTS: frozenset({"other"})})
        if judged.findings:
            return judged if any(finding.requirement == _LOSSY for finding in other.findings) else other
        if other.findings:
            return judged
        # The number is also that of another rule, which other names of the run may show.
        shared = dict(judged.observed_readings.items() & other.observed_readings.items())
        return replace(judged, observed_readings=shared, explanations=(*judged.explanations, *other.explanations))


model = ListDirectoryModel(
    tool="list_directory",
    requirements=frozenset(group + number for group, numbers in _REQUIREMENTS for number in numbers),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset(RECOMMENDED_READINGS) - _AMBIGUOUS_INTERPRETATIONS,
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=expected_outcome,
    compare=compare,
    describe_outcome=describe_outcome,
    write_scenario=scenario_steps,
    label_case=case_labels,
    shown_readings=shown_readings,
    find_unreadable=find_unreadable,
)
