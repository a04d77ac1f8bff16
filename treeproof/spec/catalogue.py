"""The catalogue of a pack as frozen values. `treeproof.spec.pack_file` reads it from spec.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from treeproof.errors import UsageError, suggest
from treeproof.pack_modules import PACK_FILE as PACK_FILE
from treeproof.spec.source_document import is_below

Level = Literal["MUST", "SHOULD", "MAY"]
Basis = Literal["stated", "implied", "framework", "prudent"]
"""On what a requirement or a scenario rests; it limits which failures decide the exit code.

`stated`: the document contains the words. `implied`: no implementation can do what the document states without it.
`framework`: only the documents to which it refers contain it. `prudent`: the document is silent.
"""
Harm = Literal["data", "escape"]
"""The harm of a violation: `data` is lost or leaked, or the candidate can `escape` from the sandbox."""
VerificationMethod = Literal["scenario", "property", "trace", "framework", "inspection"]
Treatment = Literal["strict", "any", "advisory", "editorial"]

PLATFORMS: Mapping[str, str] = MappingProxyType({"windows": "Windows", "macos": "macOS"})
"""The platforms that can be simulated: the name in `@simulated:…` and the usual name."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the specification describes, and the candidate capabilities that its scenarios may need.

    `default_arguments` need not be written in scenarios. `config_table` is the table of its settings below `[tools]`
    of a configuration file. `has_side_effects`: its calls change the tree, so the states before and after are evidence.
    `optional`: a candidate may omit it; its requirements are then not applicable. `evidence` are the arguments of a
    call that lists the directory `$DIRECTORY`, reads the file `$FILE`, or gives it the path `$NEW`: a requirement
    passes only in a run in which such a call shows the names or the content, or the content has that path.
    """

    name: str
    capabilities: tuple[str, ...]
    default_arguments: Mapping[str, Any]
    config_table: str
    has_side_effects: bool = False
    optional: bool = False
    evidence: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Requirement:
    """One rule of the specification, restated.

    `sentences` are the hashes of the document's sentences that state or imply it. `reason`: why the basis is not
    `stated`. `capability`: the capability of a candidate to which a `framework` requirement applies. `harm`: the harm
    of a violation, if it has one.
    """

    id: str
    level: Level
    section: str
    text: str
    verified_by: tuple[VerificationMethod, ...] = ("scenario",)
    basis: Basis = "stated"
    sentences: tuple[str, ...] = ()
    reason: str | None = None
    capability: str | None = None
    restates: str | None = None
    condition: str | None = None
    excluded: str | None = None
    harm: Harm | None = None

    @property
    def needs_scenarios(self) -> bool:
        """Return whether the suite has a gap if no scenario verifies this requirement."""
        own_verdict = self.restates is None and self.excluded is None and self.condition is None
        return own_verdict and "scenario" in self.verified_by


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of an unclear passage. `accepted`: correct under the default profile if the treatment is *any*."""

    label: str
    text: str
    implies: str | None = None
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A silent, ambiguous or contradictory passage. `recommended` is None only if it is editorial.

    `topic` is the name of the same question in several specifications; the schema of spec.toml lists all. `sentences`
    are the hashes of the document's sentences that reject the other readings of a question that others leave open.
    """

    id: str
    question: str
    treatment: Treatment
    recommended: str | None
    why: str
    affects: tuple[str, ...]
    readings: tuple[Reading, ...]
    invariant: str | None = None
    topic: str | None = None
    sentences: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(reading.label for reading in self.readings)


@dataclass(frozen=True, slots=True)
class SettledTopic:
    """A topic that this specification does not leave open, and the sentences that answer it."""

    topic: str
    reason: str
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """How steps read the entries of an answer: as lines, or as JSON with names or with objects.

    `entries` is the member of a JSON object that contains the list, with a dot between members of members; without it,
    the output is the list. `key` is the member that names an object. `empty` is the text of an answer without entries,
    `line` a pattern of its lines with a group `path` and groups of further members, and `other_lines` a pattern of
    lines that are no entries. `is_absolute`: the names are absolute paths, and steps write them relative to the root.
    """

    form: Literal["lines", "names", "objects"]
    entries: str | None = None
    key: str = "path"
    empty: str | None = None
    line: str | None = None
    other_lines: str | None = None
    is_absolute: bool = False


@dataclass(frozen=True, slots=True)
class RetiredId:
    """An id that must never be used again."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A specification in executable form. Entry points and step modules are names that are not imported yet.

    `simulated` maps names of PLATFORMS to the entry points of a reference implementation for them. `context` contains
    members of every call's context that need not be written in scenarios. `state_machine` is a model of the tree that
    the tools change. `volatile_members` of call results differ in every run, such as durations. `determinism` is the id
    of the requirement that calls for the same result every time: it fails if scenarios observe different readings of an
    interpretation that affects it. `error_kinds` are kinds of errors in addition to those of the protocol.

    `unchanged` is the requirement that a call of a tool without side effects violates if it changes the tree, `naming`
    the one that names the tools. A pack with a model is judged by it, call by call; `by_lines` are the MUST
    requirements that it cannot name. In one without a model `output_form` is the requirement that an answer violates
    that does not fit the schema of the output.

    `is_contract`: it is the behaviour contract, or a pack whose scenarios that judges (`treeproof.spec.contract`).
    `returns` is then the rule that a call violates that has no answer, and `later` the one that a call violates that is
    wrong after one that was right.

    The document is compared below the headings in `sections` alone. `view`: how the shared steps read entries.

    A folder can hold several versions of a specification; a pack is one of them. `versions` are all, oldest first, and
    `ids_of_other_versions` the requirements and interpretations that this one does not have.
    """

    folder: Path
    name: str
    version: str
    title: str
    source: str
    sha256: str
    prefix: str
    steps: tuple[str, ...]
    reference: str | None
    oracle: str | None
    mutants: str | None
    schemas: Mapping[str, Path]
    tools: tuple[Tool, ...]
    requirements: tuple[Requirement, ...]
    interpretations: tuple[Interpretation, ...]
    retired: tuple[RetiredId, ...]
    simulated: Mapping[str, str] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    state_machine: str | None = None
    volatile_members: tuple[str, ...] = ()
    determinism: str | None = None
    variants: str | None = None
    operators: str | None = None
    error_kinds: tuple[str, ...] = ()
    unchanged: str | None = None
    naming: str | None = None
    output_form: str | None = None
    by_lines: tuple[str, ...] = ()
    settled: tuple[SettledTopic, ...] = ()
    versions: tuple[str, ...] = ()
    ids_of_other_versions: frozenset[str] = frozenset()
    is_contract: bool = False
    returns: str | None = None
    later: str | None = None
    sections: tuple[str, ...] = ()
    view: View | None = None

    @property
    def claims(self) -> Mapping[str, str]:
        """The tools that no candidate may omit, and the specification that each implements, as NAME@VERSION."""
        return {tool.name: f"{self.name}@{self.version}" for tool in self.tools if not tool.optional}

    @property
    def ids(self) -> frozenset[str]:
        """The ids of requirements and interpretations of all versions, and the retired ones."""
        items: tuple[Requirement | Interpretation | RetiredId, ...]
        items = (*self.requirements, *self.interpretations, *self.retired)
        return self.ids_of_other_versions | {one.id for one in items}

    @property
    def is_newest(self) -> bool:
        """True if no later version of the specification is in the folder."""
        return self.version in self.versions[-1:] or not self.versions

    @property
    def earlier_versions(self) -> tuple[str, ...]:
        """The versions before this one, oldest first."""
        return self.versions[: self.versions.index(self.version)] if self.version in self.versions else ()

    @property
    def has_model(self) -> bool:
        """True if a model judges the calls of scenarios."""
        return self.oracle is not None or self.state_machine is not None

    @property
    def pack_file(self) -> Path:
        return self.folder / PACK_FILE

    @property
    def has_side_effects(self) -> bool:
        """True if calls of one of its tools change the tree."""
        return any(tool.has_side_effects for tool in self.tools)

    def tool(self, name: str) -> Tool:
        """Return the tool of this name; for an alias or an unknown name, the pack's first tool."""
        return next((tool for tool in self.tools if tool.name == name), self.tools[0])

    def watches(self, headings: Sequence[str]) -> bool:
        """Return whether sentences below these headings of the document are compared."""
        return not self.sections or any(is_below(headings, section) for section in self.sections)

    def feature_files(self) -> tuple[Path, ...]:
        """Return the feature files in path order, without those of packs in subfolders."""
        others = [file.parent for file in self.folder.rglob(PACK_FILE) if file.parent != self.folder]
        found = self.folder.rglob("*.feature")
        return tuple(sorted(file for file in found if not any(other in file.parents for other in others)))

    def requirement(self, id: str) -> Requirement:
        """Return the requirement of this id. Raises UsageError if there is none."""
        return _find_by_id(self, "requirement", id, self.requirements)

    def interpretation(self, id: str) -> Interpretation:
        """Return the interpretation of this id. Raises UsageError if there is none."""
        return _find_by_id(self, "interpretation", id, self.interpretations)

    def is_determined(self, id: str) -> bool:
        """Return whether the document requires the same reading of this interpretation every time."""
        return self.determinism is not None and any(
            entry.id == id and self.determinism in entry.affects for entry in self.interpretations
        )


_Item = TypeVar("_Item", Requirement, Interpretation)


def _find_by_id(pack: Pack, what: str, id: str, items: Iterable[_Item]) -> _Item:
    known = {item.id: item for item in items}
    if id not in known:
        raise UsageError(f'{pack.pack_file}: no {what} has the id "{id}"; {suggest(id, known)}')
    return known[id]
