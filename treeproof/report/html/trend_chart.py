"""The trend of a candidate as the geometry of a chart: one stacked bar for each run. The template draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeproof.report.html.signs import VERDICTS
from treeproof.report.matrix import CandidateColumn
from treeproof.report.trend import RunPoint, bar_lengths

HEIGHT = 120
"""The height of a full bar in units of the picture."""

_TOP, _BOTTOM = 18, 4
_WIDTH = 900
_MIN_STEP, _MAX_STEP = 6, 56
_LABEL_STEP = 22  # the least distance of bars with a number above them


@dataclass(frozen=True)
class Segment:
    """A part of a bar: the class of its verdict, its place and its height."""

    style: str
    y: int
    height: int


@dataclass(frozen=True)
class Bar:
    """The bar of one run. ``label`` is the number of failed requirements, or empty if there is no space for it."""

    x: int
    width: int
    label: str
    label_y: int
    title: str
    segments: Sequence[Segment]


@dataclass(frozen=True)
class TrendChart:
    """A chart of ``width`` times ``height`` units; ``base`` is the line on which the bars stand."""

    width: int
    height: int
    base: int
    bars: Sequence[Bar]
    summary: str


def trend_chart(candidate: CandidateColumn) -> TrendChart:
    """Return the chart of all runs of a candidate, the oldest at the left."""
    runs = candidate.runs
    step = max(_MIN_STEP, min(_MAX_STEP, _WIDTH // len(runs)))
    total = max(one.total for one in runs)
    bars = [_bar(one, position * step, step, total) for position, one in enumerate(runs)]
    failing = [one.verdicts["FAIL"] for one in runs]
    summary = (
        f"Requirements by verdict in {len(runs)} runs. Failed in the first run: {failing[0]}, in the last run: "
        f"{failing[-1]}, at most {max(failing)}. The table below has all numbers."
    )
    return TrendChart(len(runs) * step, _TOP + HEIGHT + _BOTTOM, _TOP + HEIGHT, bars, summary)


def _bar(point: RunPoint, x: int, step: int, total: int) -> Bar:
    y, segments = _TOP + HEIGHT, []
    for verdict, length in bar_lengths(point, total, HEIGHT // 3):  # units of three, so that the least one is visible
        y -= 3 * length
        segments.append(Segment(VERDICTS[verdict].style, y, 3 * length - (1 if length > 1 else 0)))
    counts = ", ".join(f"{count} {verdict.lower()}" for verdict, count in point.verdicts.items() if count)
    failed = point.verdicts["FAIL"]
    return Bar(
        x,
        max(2, step - 4 if step > _MIN_STEP else step - 2),
        str(failed) if failed and step >= _LABEL_STEP else "",
        y - 4,
        f"{point.started} {point.version} {point.conclusion}: {counts}",
        segments,
    )
