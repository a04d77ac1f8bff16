"""Rows of scenarios for the pairs of inputs that nothing reaches, from a covering array.

A row is one call: a value of each dimension of the call, and a few entries below its target. Its expected result is
what the model computes. A person reads the rows before a commit: they reach inputs, and do not check the model.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from treeproof.errors import UsageError
from treeproof.model.case import CONTEXT_CAPABILITIES, REMOVE_MEMBER, Case, CaseUpdate, Exchange, Unmodelled
from treeproof.model.case_facts import EARLIER, member_at
from treeproof.model.checked_model import load_model, load_state_machine
from treeproof.model.input_table import Dimension, InputTable, Labels, Pair, Value
from treeproof.search.coverage import Coverage, model_labels, to_json
from treeproof.tree import NotationError, Tree, by_path, nest, parse_tree

MAX_ENTRIES = 12
"""The number of entries below the target of one row."""

_ROUNDS = 16
"""The number of drafts of which a row is the best one."""
_TRIES = 3
"""The number of rows that are made for a pair which none of them reaches."""

_PLACEHOLDER = re.compile(r"\$([a-z_]+)")
_Chosen = Mapping[str, Value]
"""A value of each dimension, by the name of the dimension."""


@dataclass(frozen=True)
class Row:
    """The values of one call and of the entries below its target: the texts of the columns, the steps, the labels."""

    columns: Mapping[str, str]
    steps: tuple[str, ...]
    labels: Labels


@dataclass(frozen=True)
class _Entry:
    """An entry below a target: its values, their numbers, and the paths that it takes in the tree."""

    chosen: _Chosen
    numbers: frozenset[int]
    paths: frozenset[bytes]


class _Missing:
    """The pairs that nothing reaches, by each of their values. A missing value is a pair with itself."""

    def __init__(self, coverage: Coverage) -> None:
        self._partners: dict[int, set[int]] = {}
        alone = [(value.number, value.number) for value in coverage.missing_values]
        for one, other in (*coverage.missing_pairs, *alone):
            self._partners.setdefault(one, set()).add(other)
            self._partners.setdefault(other, set()).add(one)

    def count(self, numbers: frozenset[int], others: set[int]) -> int:
        """Return how many pairs of `numbers` with each other, and with `others`, are missing."""
        return sum(len(self._partners.get(one, set()) & (numbers | others)) for one in numbers)

    def among(self, numbers: Set[int]) -> set[Pair]:
        """Return the missing pairs of these values."""
        return {(one, other) for one in numbers for other in self._partners.get(one, set()) & numbers if one <= other}

    def of(self, row: Row | None) -> set[Pair]:
        """Return the missing pairs that a row reaches. Its path may lead elsewhere than to the entries."""
        if row is None:
            return set()
        pairs = {*row.labels.pairs(), *((value, value) for value in row.labels.values())}
        return {(one, other) for one, other in pairs if other in self._partners.get(one, ())}

    def remove(self, pairs: set[Pair]) -> None:
        """Take note that these pairs are reached."""
        for one, other in pairs:
            self._partners[one].discard(other)
            self._partners[other].discard(one)


class RowWriter:
    """Makes rows from the table of a pack. Raises UsageError if the table does not describe a scenario."""

    def __init__(self, coverage: Coverage) -> None:
        self._pack, self._table = coverage.pack, coverage.table
        if not self._table.scenario:
            raise UsageError(f"{self._table.path}: there is no table [scenario]; write how a row becomes a scenario")
        pack = self._pack
        self._model = load_model(pack) if pack.state_machine is None else load_state_machine(pack)
        self._missing = _Missing(coverage)
        preferred = self._table.scenario.get("prefer", ())
        self._preferred = [value for value in self._table.values if str(value) in preferred]
        self.refused: list[str] = []
        """What could not be made, with the reason."""

    def rows(self) -> Iterator[Row]:
        """Yield rows until no more of the missing pairs can be reached.

        First those for usual candidates, then those for one more capability each: the others would need each of them.
        """
        usual = frozenset(self._table.scenario.get("capabilities", ()))
        capabilities = {
            capability
            for dimension in self._table.dimensions
            for value in dimension.values
            for capability in _capabilities_of(value, dimension)
        }
        for offered in dict.fromkeys((usual, *(usual | {one} for one in sorted(capabilities)), usual | capabilities)):
            yield from self._rows(offered)

    def _rows(self, offered: Set[str]) -> Iterator[Row]:
        """Yield rows for candidates with these capabilities."""
        dimensions = [
            replace(one, values=tuple(value for value in one.values if _capabilities_of(value, one) <= offered))
            for one in self._table.dimensions
        ]
        entries = [
            _Entry(chosen, _numbers(chosen), self._paths_of(chosen))
            for chosen in covering_array(self._table, [one for one in dimensions if one.is_of_entries])
        ]
        own = {number for entry in entries for number in entry.numbers}
        factors = [_written(one) for one in dimensions if not one.is_of_entries]
        values = {value.number: value for one in factors for value in one}
        usual = {value.dimension: value for value in self._preferred}
        draw, tries = random.Random(0), Counter[Pair]()
        while left := {pair for pair in self._missing.among(values.keys() | own) if tries[pair] < _TRIES}:
            drafts = list[tuple[int, int, Pair, _Chosen, list[_Chosen]]]()
            for pair in draw.choices(sorted(left), k=_ROUNDS):
                first = [values[number] for number in dict.fromkeys(pair) if number in values]
                wanted = {pair} if tries[pair] else left
                call = _filled(self._table, first, draw.sample(factors, len(factors)), wanted, self._preferred)
                bundle = [entry.chosen for entry in self._bundle(call, entries)]
                gain = len(self._missing.of(self._row({**usual, **call}, bundle)))
                drafts.append((gain, len(drafts), pair, {**usual, **call}, bundle))
            *_, pair, chosen, bundle = max(drafts)
            tries[pair] += 1
            row = self._preferred_row(chosen, bundle)
            if row is not None:
                self._missing.remove(self._missing.of(row))
                yield row

    def _preferred_row(self, chosen: _Chosen, bundle: Sequence[_Chosen]) -> Row | None:
        """Return a row that reaches something, with preferred values where the chosen ones add nothing, or None."""
        row = self._row(chosen, bundle)
        # First what can hide a missing pair is exchanged, and then what has none that the row reaches.
        for keeps_chosen in (True, False):
            for value in self._preferred:
                changed = {**chosen, value.dimension: value}
                kept, others = (self._missing.among(_numbers(one)) for one in (changed, chosen))
                other = self._row(changed, bundle) if kept >= others or not keeps_chosen else None
                if other is not None and self._missing.of(other) >= self._missing.of(row):
                    chosen, row = changed, other
            if not self._missing.of(row):
                return None
        return row

    def _bundle(self, chosen: _Chosen, entries: Sequence[_Entry]) -> list[_Entry]:
        """Return the entries, each of another name, with which a call reaches most of what is missing."""
        numbers, gain = _numbers(chosen), set[Pair]()
        possible = [entry for entry in entries if self._fits(chosen, entry.chosen)]
        bundle: list[_Entry] = []
        paths: set[bytes] = set()
        while possible and len(bundle) < MAX_ENTRIES:
            gains = [self._missing.among(numbers | entry.numbers) - gain for entry in possible]
            at = max(range(len(possible)), key=lambda at: len(gains[at]))
            if not gains[at]:
                break
            gain |= gains[at]
            entry = possible.pop(at)
            bundle.append(entry)
            paths |= entry.paths
            possible = [one for one in possible if not one.paths & paths]
        return bundle

    def _paths_of(self, entry: _Chosen) -> frozenset[bytes]:
        """Return the paths that an entry takes in the tree, whatever its number is."""
        template = self._table.scenario["tree"]
        texts = ("", *(self._entry_text(entry, number) for number in (0, 1)))
        trees = [_expand(template, {}, {"entries": text}) for text in texts]
        try:
            without, *with_entry = (
                set(by_path(parse_tree(_joined(tree, (value.tree for value in entry.values()))))) for tree in trees
            )
        except (NotationError, ValueError) as error:
            title = ", ".join(map(str, entry.values()))
            raise UsageError(
                f"{self._table.path}: the entry of {title} is no tree: {error}; correct its texts"
            ) from None
        return frozenset(set.intersection(*with_entry) - without)

    def _fits(self, chosen: _Chosen, entry: _Chosen) -> bool:
        return all(self._table.is_possible(one, other) for one in chosen.values() for other in entry.values())

    def _entry_text(self, entry: _Chosen, number: int) -> str:
        return _expand(self._table.scenario.get("entry", ""), entry, {"number": str(number)})

    def _row(self, chosen: _Chosen, bundle: Sequence[_Chosen]) -> Row | None:
        """Return the row, or None for a call that the model does not cover."""
        scenario = self._table.scenario
        values = [*chosen.values(), *(value for entry in bundle for value in entry.values())]
        texts = {"entries": ", ".join(self._entry_text(entry, at) for at, entry in enumerate(bundle, 1))}
        trees = {
            name: _joined(_expand(scenario.get(name, ""), chosen, texts), (getattr(one, name) for one in values))
            for name in ("tree", "outside", "far")
        }
        tool, update = scenario["tool"], dict[str, Any]()
        context = dict(scenario.get("context", {}))
        for value in values:
            context |= value.context
        for dimension in self._table.dimensions:
            if dimension.name not in chosen:
                continue
            value = chosen[dimension.name]
            if dimension.of == "tool":
                tool = value.write
            elif dimension.of.startswith("way of ") and value.is_absent:
                update[f"arguments.{dimension.of.removeprefix('way of ')}"] = REMOVE_MEMBER
            elif dimension.of.startswith(("arguments.", "context.")) and (value.is_absent or value.has_write):
                update[dimension.of] = REMOVE_MEMBER if value.is_absent else value.write
        title = ", ".join(str(chosen[one.name]) for one in self._table.dimensions if one.name in chosen)
        far = nest(parse_tree(trees["far"]), b"$FAR").entries if trees["far"] else ()
        try:
            case = Case(
                tool,
                parse_tree(trees["tree"]),
                _expanded(scenario.get("arguments", {}), chosen, texts),
                _expanded(context, chosen, texts),
                outside=Tree((*parse_tree(trees["outside"]).entries, *far)),
            )
            case = _with_nested(case, update)
            summary = self._model.summary(case)
        except (NotationError, ValueError) as error:
            self.refused.append(f"{title}: the tree {trees['tree']}: {error}")
        except Unmodelled as why:
            self.refused.append(f"{title}: not modelled: {why}")
        else:
            named = (chosen[one.name].name for one in self._table.dimensions if one.of == "earlier")
            found = model_labels(self._model, Exchange.without_answer(case))
            labels = self._table.labels(case, next(named, EARLIER[0]), found)
            columns = {
                "inputs": ", ".join(str(value) for value in self._table.values if value.number in labels.call),
                "tool": case.tool,
                "arguments": to_json(case.arguments),
                "context": to_json(dict(case.context)),
                "expected": to_json(summary),
                **trees,
            }
            of_values = set(map(str, chosen.values()))
            steps = (
                step if isinstance(step, str) else step["step"]
                for step in scenario["steps"]
                if isinstance(step, str) or step["for"] in of_values
            )
            return Row(columns, tuple(steps), labels)
        return None


def _capabilities_of(value: Value, dimension: Dimension) -> Set[str]:
    """Return the capabilities of a candidate to which a call with a value can be made."""
    _, _, path = dimension.of.partition("context.")
    members = {*value.context, *({path.split(".")[0]} if value.has_write else ())}
    found = {CONTEXT_CAPABILITIES[one] for one in members if one in CONTEXT_CAPABILITIES}
    return found | ({"roots"} if len(value.context.get("roots", ())) > 1 else set())


def covering_array(table: InputTable, dimensions: Sequence[Dimension]) -> list[_Chosen]:
    """Return rows with a value of each dimension that contain the possible pairs of values that can be written.

    A dimension has no value beside one that excludes all of its values: a directory has no size of a file.
    """
    factors = [_written(one) for one in dimensions]
    values = {value.number: value for one in factors for value in one}
    left = {pair for pair in table.possible_pairs() if pair[0] in values and pair[1] in values}
    if not left:
        return [{value.dimension: value} for value in values.values()]
    draw, rows = random.Random(0), list[_Chosen]()
    while left:
        first = [values[number] for number in min(left)]
        filled = [_filled(table, first, draw.sample(factors, len(factors)), left, ()) for _ in range(_ROUNDS)]
        rows.append(max(filled, key=lambda row: len(_pairs(row) & left)))
        left -= _pairs(rows[-1])
    return rows


def _written(dimension: Dimension) -> list[Value]:
    return [value for value in dimension.values if value.can_be_generated]


def _filled(
    table: InputTable,
    first: Sequence[Value],
    factors: Sequence[Sequence[Value]],
    wanted: Set[Pair],
    preferred: Sequence[Value],
) -> _Chosen:
    """Return a row with these values, and of each further dimension the one with most of the wanted pairs."""
    row = {value.dimension: value for value in first}
    for values in factors:
        possible = [one for one in values if all(table.is_possible(one, other) for other in row.values())]
        if possible and possible[0].dimension not in row:
            gains = [(len(_pairs({**row, one.dimension: one}) & wanted), one in preferred) for one in possible]
            best = possible[gains.index(max(gains))]
            row[best.dimension] = best
    return row


def _pairs(chosen: _Chosen) -> set[Pair]:
    return set(combinations(sorted(_numbers(chosen)), 2))


def _numbers(chosen: _Chosen) -> frozenset[int]:
    return frozenset(value.number for value in chosen.values())


def _expand(template: str, chosen: _Chosen, texts: Mapping[str, str]) -> str:
    """Return a template with the text of each dimension, which can contain further ones."""

    if texts.get("entries") == "":  # beside others, they leave no comma
        template = template.replace(", $entries", "").replace("$entries, ", "")

    def text(match: re.Match[str]) -> str:
        name = match[1]
        if name in texts:
            return texts[name]
        return _expand(chosen[name].text or "", chosen, texts) if name in chosen else match[0]

    return _PLACEHOLDER.sub(text, template)


def _expanded(value: Any, chosen: _Chosen, texts: Mapping[str, str]) -> Any:
    match value:
        case str():
            return _expand(value, chosen, texts)
        case dict():
            return {key: _expanded(one, chosen, texts) for key, one in value.items()}
        case list():
            return [_expanded(one, chosen, texts) for one in value]
    return value


def _with_nested(case: Case, update: CaseUpdate) -> Case:
    """Return the case with new values at dotted paths of any depth."""
    arguments, context = json.loads(json.dumps([case.arguments, dict(case.context)]))
    for path, value in update.items():
        part, *keys = path.split(".")
        members = arguments if part == "arguments" else context
        if value is REMOVE_MEMBER and not member_at(members, ".".join(keys))[0]:
            continue
        for key in keys[:-1]:
            members = members.setdefault(key, {})
        if value is REMOVE_MEMBER:
            members.pop(keys[-1], None)
        else:
            members[keys[-1]] = value
    return replace(case, arguments=arguments, context={key: one for key, one in context.items() if one != {}})


def _joined(tree: str, more: Iterator[str]) -> str:
    """Return a notation with further entries, each of them once."""
    return ", ".join(dict.fromkeys(part for part in (tree, *more) if part))
