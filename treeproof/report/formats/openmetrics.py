"""A run in the text format of OpenMetrics 1.0, for dashboards: counts by verdict and outcome, causes, time.

Every sample has the label ``candidate``, so that the files of several candidates can be collected together.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from treeproof.report.causes import causes_of
from treeproof.report.digest import OUTCOMES, VERDICTS, selected_requirements
from treeproof.report.document import Document
from treeproof.report.escape import shortened, visible
from treeproof.verdict.causes import Severity
from treeproof.verdict.judge import Conclusion

_MAX_LABEL = 200  # characters of a label's value
_Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Family:
    """A metric family: name, type, unit and meaning, and its samples by their labels."""

    name: str
    kind: str
    help: str
    samples: Mapping[_Labels, float]
    unit: str = ""

    def lines(self) -> Iterator[str]:
        yield f"# TYPE {self.name} {self.kind}"
        if self.unit:
            yield f"# UNIT {self.name} {self.unit}"
        yield f"# HELP {self.name} {_escape(self.help)}"
        suffix = "_info" if self.kind == "info" else ""
        for labels, value in self.samples.items():
            pairs = ",".join(f'{name}="{_escape(shortened(visible(text), _MAX_LABEL))}"' for name, text in labels)
            yield f"{self.name}{suffix}{{{pairs}}} {value:.15g}"


def dump(run: Document) -> bytes:
    """Return the metrics in UTF-8, with the end mark that the format requires."""
    return ("\n".join(line for family in _families(run) for line in family.lines()) + "\n# EOF\n").encode("utf-8")


def _families(run: Document) -> Iterator[_Family]:
    candidate = (("candidate", run["candidate"]["name"]),)
    facts = {"version": run["candidate"]["version"], "profile": run["profile"], "treeproof": run["treeproof"]}
    yield _Family(
        "treeproof_run", "info", "The candidate and the options of the run.", {(*candidate, *facts.items()): 1}
    )
    yield _Family(
        "treeproof_conclusion",
        "stateset",
        "The conclusion of the run.",
        {(*candidate, ("treeproof_conclusion", str(one))): run["verdict"] == one for one in Conclusion},
    )
    yield _Family("treeproof_exit_code", "gauge", "The exit code of the run.", {candidate: run["exit"]})
    yield _Family("treeproof_claim", "gauge", "1 if the run covers everything, else 0.", {candidate: run["claim"]})
    yield _Family(
        "treeproof_requirements",
        "gauge",
        "Requirements that the run is about, by verdict.",
        _counted(run, candidate, "verdict", VERDICTS),
    )
    yield _Family(
        "treeproof_scenarios", "gauge", "Scenarios by outcome.", _counted(run, candidate, "outcome", OUTCOMES)
    )
    severities = Counter(str(cause.severity) for cause in causes_of(run))
    yield _Family(
        "treeproof_causes",
        "gauge",
        "Causes of failures and faults, by severity.",
        {(*candidate, ("severity", str(one))): severities[str(one)] for one in Severity},
    )
    yield _Family(
        "treeproof_run_duration_seconds", "gauge", "The time of the run.", {candidate: run["seconds"]}, "seconds"
    )
    started = datetime.datetime.fromisoformat(run["started"]).timestamp()
    yield _Family(
        "treeproof_run_started_timestamp_seconds", "gauge", "The start of the run.", {candidate: started}, "seconds"
    )


def _counted(run: Document, candidate: _Labels, kind: str, values: Iterable[str]) -> dict[_Labels, float]:
    """Return the numbers of requirements (``kind`` verdict) or scenarios (outcome), with zeros."""
    samples: dict[_Labels, float] = {}
    for spec in run["specs"]:
        items = selected_requirements(run, spec) if kind == "verdict" else spec["scenarios"]
        counts = Counter(one[kind] for one in items)
        for value in values:
            labels = (
                *candidate,
                ("specification", spec["name"]),
                ("specification_version", spec["version"]),
                (kind, value.lower().replace("-", " ")),
            )
            samples[labels] = samples.get(labels, 0) + counts[value]
    return samples


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
