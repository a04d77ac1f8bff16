"""The first screen of the page of a run: verdicts as one bar, its facts, and the first causes. Contains no HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from treeproof.report.digest import missing_features, pluralize
from treeproof.report.document import Document
from treeproof.report.html.cause_cards import CauseCard
from treeproof.report.html.signs import VERDICTS, Sign
from treeproof.report.shell import shell_command

_FIRST_CAUSES = 3
_MIN_PERCENT = 1.5  # a segment that can be seen
_MIN_LABELLED_PERCENT = 10.0  # a segment that holds its count on a narrow screen
_MAX_NARROWED_IDS = 8


@dataclass(frozen=True)
class Segment:
    """One verdict in the bar: its count, and its place and width in percent of the bar."""

    sign: Sign
    count: int
    start: float
    width: float

    @property
    def middle(self) -> float:
        """The place of the label, in percent."""
        return round(self.start + self.width / 2, 2)

    @property
    def is_labelled(self) -> bool:
        """True if it is wide enough for its count."""
        return self.width >= _MIN_LABELLED_PERCENT


@dataclass(frozen=True)
class Overview:
    """``narrowed``: what made the run smaller than the catalogue; ``faults``: the scenarios that ended with one."""

    segments: Sequence[Segment]
    faults: int
    scenarios: int
    started: str
    duration: str
    command: str
    narrowed: Sequence[str]
    first_causes: Sequence[CauseCard]


def overview(run: Document, causes: Sequence[CauseCard]) -> Overview:
    """Return the first screen of a run with ``causes``, the most severe first."""
    outcomes = Counter(scenario["outcome"] for spec in run["specs"] for scenario in spec["scenarios"])
    verdicts = Counter(requirement["verdict"] for spec in run["specs"] for requirement in spec["requirements"])
    return Overview(
        _segments(verdicts),
        outcomes["fault"],
        outcomes.total(),
        _date(run["started"]),
        duration_text(run["seconds"]),
        shell_command(["treeproof", "run", *(run.get("command") or ["TARGET"])]),
        list(_narrowings(run)),
        causes[:_FIRST_CAUSES],
    )


def _segments(counts: Mapping[str, int]) -> list[Segment]:
    present = [(sign, counts[verdict]) for verdict, sign in VERDICTS.items() if counts[verdict]]
    total = sum(count for _, count in present)
    widths = [max(100 * count / total, _MIN_PERCENT) for _, count in present]
    scale, start, segments = 100 / (sum(widths) or 1), 0.0, list[Segment]()
    for (sign, count), width in zip(present, widths, strict=True):
        segments.append(Segment(sign, count, round(start, 2), round(width * scale, 2)))
        start += width * scale
    return segments


def _narrowings(run: Document) -> Iterable[str]:
    if run["selection"] is not None:
        ids = [str(id) for id in run["selection"]]
        more = f" and {len(ids) - _MAX_NARROWED_IDS} more" if len(ids) > _MAX_NARROWED_IDS else ""
        yield f"selection {', '.join(ids[:_MAX_NARROWED_IDS])}{more}"
    if shard := run.get("shard"):
        yield f"shard {', '.join(map(str, shard['numbers']))} of {shard['of']}"
    if baseline := run.get("baseline"):
        yield f"baseline {baseline['file']}, {pluralize(len(baseline['entries']), 'known failure')}"
    if run["interrupted"]:
        yield "a signal that ended it early"
    if lacking := missing_features(run):
        yield f"a host without {', '.join(lacking)}"


def _date(started: str) -> str:
    """Return a time of RFC 3339 for a reader; unchanged if it is none."""
    try:
        moment = datetime.fromisoformat(started)
    except ValueError:
        return started
    return f"{moment:%Y-%m-%d %H:%M:%S}{'' if moment.utcoffset() else ' UTC'}"


def duration_text(seconds: float) -> str:
    """Return a duration in the units of a reader."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
