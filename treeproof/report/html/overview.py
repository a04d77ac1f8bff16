"""The first screen of the page of a run: verdicts as one bar, its facts, the first causes; and the rows of its map.

Contains no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from treeproof.report.digest import outcome_counts, pluralize, result_counts, run_command, section_sort_key
from treeproof.report.html.cause_cards import CauseCard
from treeproof.report.signs import Sign, used_signs
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.run_document import RunDocument

_FIRST_CAUSES = 3
_MIN_PERCENT = 1.5  # a segment that can be seen
_MIN_LABELLED_PERCENT = 10.0  # a segment that holds its count on a narrow screen
_MAX_NARROWED_IDS = 8
_NUMBER = re.compile(r"(\d+)(?:\.\d+)*")
_TRAILING_NUMBERS = re.compile(r"(?: \d+(?:\.\d+)*,?)+$")
_SEPARATOR = re.compile(r"; |;")


@dataclass(frozen=True)
class Segment:
    """One kind of result in the bar: its count, and its place and width in percent of the bar."""

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


def overview(run: RunDocument, causes: Sequence[CauseCard]) -> Overview:
    """Return the first screen of a run with ``causes``, the most severe first."""
    outcomes = outcome_counts(run)
    counts = result_counts((one for spec in run.specs for one in spec.requirements), run.profile)
    return Overview(
        _segments(counts),
        outcomes[Outcome.FAULT],
        outcomes.total(),
        _date(run.started),
        duration_text(run.seconds),
        run_command(run),
        list(_narrowings(run)),
        causes[:_FIRST_CAUSES],
    )


def _segments(counts: Mapping[Sign, int]) -> list[Segment]:
    present = [(sign, counts[sign]) for sign in used_signs(sign.label for sign in counts)]
    total = sum(count for _, count in present)
    widths = [max(100 * count / total, _MIN_PERCENT) for _, count in present]
    scale, start, segments = 100 / (sum(widths) or 1), 0.0, list[Segment]()
    for (sign, count), width in zip(present, widths, strict=True):
        segments.append(Segment(sign, count, round(start, 2), round(width * scale, 2)))
        start += width * scale
    return segments


def _narrowings(run: RunDocument) -> Iterable[str]:
    if run.selection is not None:
        ids = run.selection
        more = f" and {len(ids) - _MAX_NARROWED_IDS} more" if len(ids) > _MAX_NARROWED_IDS else ""
        yield f"selection {', '.join(ids[:_MAX_NARROWED_IDS])}{more}"
    if shard := run.shard:
        yield f"shard {', '.join(map(str, shard.numbers))} of {shard.of}"
    if baseline := run.baseline:
        yield f"baseline {baseline.file}, {pluralize(len(baseline.entries), 'known failure')}"
    if run.interrupted:
        yield "a signal that ended it early"
    if lacking := run.machine.missing:
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


@dataclass(frozen=True)
class TopSection:
    """A top-level section: its key, its title, and the sections of the document below it."""

    title: str
    below: Sequence[str]


def top_level(section: str) -> str:
    """Return the key of the top-level section of the first section that ``section`` names.

    It is the first number of ``3.2 context; 4 States``, and ``Behaviour`` of ``Behaviour 4, 5``.
    """
    first = _SEPARATOR.split(section, maxsplit=1)[0].strip()
    number = _NUMBER.match(first)
    return number[1] if number else _TRAILING_NUMBERS.sub("", first)


def top_sections(sections: Iterable[str]) -> Mapping[str, TopSection]:
    """Return the top-level sections of ``sections`` by their keys, in the order of the document."""
    named: dict[str, list[str]] = {}
    for section in sections:
        below = named.setdefault(top_level(section), [])
        for part in (part.strip() for part in _SEPARATOR.split(section)):
            if top_level(part) == top_level(section) and part not in below:
                below.append(part)
    ordered = sorted(named.items(), key=lambda item: section_sort_key(item[0]))
    return {key: _top_section(key, sorted(below, key=section_sort_key)) for key, below in ordered}


def _top_section(key: str, below: Sequence[str]) -> TopSection:
    if not key.isdigit():
        return TopSection(key, [part for part in below if part != key])
    title = next((part for part in below if part.partition(" ")[0] == key and part != key), f"Section {key}")
    return TopSection(title, [part for part in below if part != title])
