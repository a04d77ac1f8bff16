"""The page of what checks what: requirements with their scenarios, laws and wrong implementations. Nothing was run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof import __version__
from treeproof.report.background import Caught
from treeproof.report.digest import by_section, counted
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import VERDICTS, levels
from treeproof.report.traceability import kind
from treeproof.spec import Interpretation, Pack, Requirement, ScenarioRow
from treeproof.spec.trace import Trace, read


@dataclass(frozen=True)
class Check:
    """A scenario or law with its place on the page, and its place in the pack: file and line."""

    anchor: str
    row: ScenarioRow
    kind: str
    place: str


@dataclass(frozen=True)
class Line:
    """One requirement and all that traces to it. ``shares`` is the anchor of the requirement that it restates."""

    anchor: str
    told: Requirement
    checks: Sequence[Check]
    shares: str | None
    touching: Sequence[str]
    open: Sequence[Interpretation]
    wrong: Sequence[Caught]

    @property
    def checked(self) -> bool:
        """Whether anything verifies it."""
        return bool(self.checks) or self.shares is not None

    @property
    def tally(self) -> str:
        """How many scenarios and laws verify it."""
        laws = sum(check.kind == "law" for check in self.checks)
        told = [(len(self.checks) - laws, "scenario"), (laws, "law")]
        return " and ".join(counted(count, noun) for count, noun in told if count)


@dataclass(frozen=True)
class Part:
    """One specification, its requirements by the section of the source that they come from."""

    told: Pack
    anchor: str
    sections: Mapping[str, Sequence[Line]]

    @property
    def lines(self) -> list[Line]:
        """All requirements in the order of the page."""
        return [line for lines in self.sections.values() for line in lines]

    @property
    def scenarios(self) -> int:
        """How many scenarios are no law."""
        return self._of("scenario")

    @property
    def laws(self) -> int:
        """How many laws there are."""
        return self._of("law")

    @property
    def wrong(self) -> int:
        """How many wrong implementations its scenarios are there to catch."""
        return len({one.id for line in self.lines for one in line.wrong})

    def _of(self, kind: str) -> int:
        return len({check.row.id for line in self.lines for check in line.checks if check.kind == kind})


def dump(packs: Iterable[Pack], caught: Callable[[Pack, str], Sequence[Caught]]) -> bytes:
    """Return the page of what the packs ask and what checks it, as UTF-8. ``caught`` is told in `background.py`."""
    anchors = Anchors()
    parts = [_part(pack, caught, anchors, number) for number, pack in enumerate(packs, 1)]
    lines = [line for part in parts for line in part.lines]
    values: dict[str, Any] = {
        "version": __version__,
        "parts": parts,
        "levels": levels(line.told.level for line in lines),
        "laws": any(part.laws for part in parts),
        "bare": any(not line.checked for line in lines),
        "out": VERDICTS["EXCLUDED"],
        "missing": VERDICTS["NOT VERIFIED"],
    }
    return render("trace", values)


def _part(pack: Pack, caught: Callable[[Pack, str], Sequence[Caught]], anchors: Anchors, number: int) -> Part:
    trace = read(pack)
    lines = [
        _line(trace, requirement, caught(pack, requirement.restates or requirement.id), anchors)
        for requirement in pack.requirements
    ]
    return Part(pack, f"_spec{number}", by_section(lines, lambda line: line.told.section))


def _line(trace: Trace, requirement: Requirement, wrong: Sequence[Caught], anchors: Anchors) -> Line:
    pack = trace.pack
    coverage = trace.coverage(requirement.id)
    own = [row for row in coverage.verified_by if row.requirement == requirement.id]
    shares = anchors.of(pack.name, requirement.restates) if requirement.restates else None
    return Line(
        anchor=anchors.of(pack.name, requirement.id),
        told=requirement,
        checks=[_check(pack, row, anchors) for row in own],
        shares=shares,
        touching=[anchors.of(pack.name, row.id) for row in coverage.touched_by],
        open=[entry for entry in pack.interpretations if requirement.id in entry.touches],
        wrong=wrong if shares is None else (),
    )


def _check(pack: Pack, row: ScenarioRow, anchors: Anchors) -> Check:
    place = f"{row.file.relative_to(pack.folder).as_posix()}:{row.line}"
    return Check(anchors.of(pack.name, row.id), row, kind(row), place)
