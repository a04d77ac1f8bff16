"""What has become of each confirmed sentence of a document: the lock beside the present text.

A lock contains hashes, so it shows that two sentences are equal, and not how similar they are. A sentence is recognised
by its place and its words, or else by words that occur once; what differs is paired by ids and by its neighbours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal

from treeproof.spec.locks import LockedSentence, lock_sentence
from treeproof.spec.source_document import DocumentSentence, Place, place_below, without_versions

# kept       no difference but its number among equal sentences of its place, or a version in a heading above it
# changed    another sentence is in its place
# renamed    the same sentence, and a heading above it has other words or another number
# moved      the same sentence, at another place or in another order
# removed    it is gone
# added      no confirmed sentence was there
ChangeKind = Literal["kept", "changed", "renamed", "moved", "removed", "added"]


@dataclass(frozen=True, slots=True, eq=False)
class SentenceChange:
    """A confirmed sentence and what it has become. One of both is None if it is added or removed."""

    old: LockedSentence | None
    new: DocumentSentence | None
    kind: ChangeKind


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the order of both texts, of the old sentence of a change, of its new one, or of both."""

    change: SentenceChange
    has_old: bool
    has_new: bool


def find_changes(lock: Sequence[LockedSentence], sentences: Sequence[DocumentSentence]) -> Iterator[Slot]:
    """Yield the places of all sentences in the order of both texts."""
    present = [lock_sentence(sentence) for sentence in sentences]
    new_places = [place_below(one.headings) for one in present]
    old_places = [place_below(one.headings) for one in lock]
    renamed = _renamed_places(_words_by_place(old_places, lock), _words_by_place(new_places, present))
    comparable = [renamed.get(place, place) for place in old_places]
    pairs = _Pairing(comparable, lock, new_places, present).partners
    ranks, new_ranks = _ranks(comparable, pairs), _ranks(new_places, pairs.values())
    steady = {old for old, new in pairs.items() if ranks[old] == new_ranks[new]}
    in_order = dict(_longest_rise(sorted(pairs.items()), steady))

    def kind(old: int, new: int) -> ChangeKind:
        if lock[old].words != present[new].words:
            return "changed"
        if without_versions(lock[old].headings) == without_versions(present[new].headings):
            return "kept" if old in in_order else "moved"
        return "renamed" if comparable[old] == new_places[new] else "moved"

    changes = {old: SentenceChange(lock[old], sentences[new], kind(old, new)) for old, new in pairs.items()}
    by_new = {new: changes[old] for old, new in pairs.items()}
    old, new = 0, 0
    for next_old, next_new in [*in_order.items(), (len(lock), len(sentences))]:
        for at in range(old, next_old):
            yield Slot(changes.get(at) or SentenceChange(lock[at], None, "removed"), True, False)
        for at in range(new, next_new):
            yield Slot(by_new.get(at) or SentenceChange(None, sentences[at], "added"), False, True)
        if next_old < len(lock):
            yield Slot(changes[next_old], True, True)
        old, new = next_old + 1, next_new + 1


class _Pairing:
    """Finds the present sentence for each confirmed one. `partners`: its number by the number of the confirmed one."""

    def __init__(
        self,
        old_places: Sequence[Place],
        lock: Sequence[LockedSentence],
        new_places: Sequence[Place],
        present: Sequence[LockedSentence],
    ) -> None:
        self.partners: dict[int, int] = {}
        self._paired: dict[int, int] = {}  # the other way round
        old, new = [one.words for one in lock], [one.words for one in present]
        self._pair_runs(old_places, old, new_places, new)
        self._pair(zip(old_places, old, strict=True), zip(new_places, new, strict=True))
        self._pair(_ids(old_places, lock), _ids(new_places, present))
        stayed = {at: other for at, other in self.partners.items() if old_places[at] == new_places[other]}
        gaps, new_gaps = _gaps(old_places, stayed), _gaps(new_places, {at: at for at in stayed.values()})
        # One value in place of another is no move, also if the other place has it now.
        free = Counter(gap for at, gap in enumerate(gaps) if at not in self.partners)
        new_free = Counter(gap for at, gap in enumerate(new_gaps) if at not in self._paired)
        self._pair(*([gap if free[gap] == new_free[gap] == 1 else None for gap in some] for some in (gaps, new_gaps)))
        counts, new_counts = Counter(old), Counter(new)
        unique = {one for one, count in counts.items() if count == new_counts[one] == 1}
        self._pair(*([one if one in unique else None for one in some] for some in (old, new)))
        self._pair(gaps, new_gaps)
        self._pair(old, new)

    def _pair_runs(
        self, old_places: Sequence[Place], old: Sequence[str], new_places: Sequence[Place], new: Sequence[str]
    ) -> None:
        """Pair what is equal within a place; of equal sentences, those with equal neighbours, first at both ends."""
        numbers = _numbers_by_place(new_places)
        for place, some in _numbers_by_place(old_places).items():
            others = numbers.get(place, [])
            for _ in range(2):
                same = list(takewhile(lambda pair: old[pair[0]] == new[pair[1]], zip(some, others, strict=False)))
                for pair in same:
                    self._add(*pair)
                some, others = some[len(same) :][::-1], others[len(same) :][::-1]
            matcher = SequenceMatcher(None, [old[at] for at in some], [new[at] for at in others], autojunk=False)
            for start, other_start, size in matcher.get_matching_blocks():
                for offset in range(size):
                    self._add(some[start + offset], others[other_start + offset])

    def _pair(self, old_keys: Iterable[Hashable], new_keys: Iterable[Hashable]) -> None:
        """Pair what has no partner and equal keys, in its order; None is no key."""
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for at, key in enumerate(old_keys):
            if key is not None and at not in self.partners:
                waiting[key].append(at)
        for at, key in enumerate(new_keys):
            if at not in self._paired and waiting.get(key):
                self._add(waiting[key].popleft(), at)

    def _add(self, old: int, new: int) -> None:
        self.partners[old], self._paired[new] = new, old


def _ids(places: Sequence[Place], sentences: Sequence[LockedSentence]) -> list[tuple[Place, str] | None]:
    return [(place, one.ids[0]) if one.ids else None for place, one in zip(places, sentences, strict=True)]


def _gaps(places: Sequence[Place], partners: Mapping[int, int]) -> list[tuple[Place, int]]:
    """Return the place of each sentence, with the partner of the last one there before it that has one."""
    last: dict[Place, int] = {}
    gaps = []
    for at, place in enumerate(places):
        gaps.append((place, last.get(place, -1)))
        last[place] = partners.get(at, gaps[-1][1])
    return gaps


def _numbers_by_place(places: Sequence[Place]) -> Mapping[Place, list[int]]:
    numbers: dict[Place, list[int]] = {}
    for at, place in enumerate(places):
        numbers.setdefault(place, []).append(at)
    return numbers


def _words_by_place(places: Sequence[Place], sentences: Sequence[LockedSentence]) -> Mapping[Place, Counter[str]]:
    numbers = _numbers_by_place(places)
    return {place: Counter(sentences[at].words for at in some) for place, some in numbers.items()}


def _renamed_places(old: Mapping[Place, Counter[str]], new: Mapping[Place, Counter[str]]) -> Mapping[Place, Place]:
    """Return the new place for each that is gone: with half of its words, or as many others after the same place."""
    renamed: dict[Place, Place] = {}
    free = [place for place in new if place not in old]
    for place in (place for place in old if place not in new):
        scores = {
            other: ((old[place] & new[other]).total(), sum(map(str.__eq__, place, other)), -new[other].total())
            for other in free
        }
        best = max(free, key=lambda other: scores[other], default=None)
        if best is not None and 2 * scores[best][0] >= max(old[place].total(), new[best].total()):
            renamed[place] = best
            free.remove(best)
    following = dict(zip([None, *new], new, strict=False))
    for above, place in zip([None, *old], old, strict=False):
        other = following.get(renamed.get(above, above) if above is not None else None)
        if other in free and place not in new and place not in renamed and old[place].total() == new[other].total():
            renamed[place] = other
    return renamed


def _ranks(places: Sequence[Place], numbers: Iterable[int]) -> Mapping[int, int]:
    """Return how many of the sentences with these numbers are before each of them at its place."""
    before: Counter[Place] = Counter()
    ranks = {}
    for at in sorted(numbers):
        ranks[at] = before[places[at]]
        before[places[at]] += 1
    return ranks


def _longest_rise(pairs: Sequence[tuple[int, int]], preferred: Collection[int]) -> Sequence[tuple[int, int]]:
    """Return as many of the pairs as possible whose second numbers rise, with as many preferred first ones."""
    ends: list[int] = []  # the last pairs of chains, whose numbers and weights rise
    before: dict[int, int | None] = {}
    weights: dict[int, int] = {}
    for at, (old, new) in enumerate(pairs):
        start = end = bisect_left(ends, new, key=lambda one: pairs[one][1])
        before[at] = ends[start - 1] if start else None
        weights[at] = len(pairs) + (old in preferred) + (weights[ends[start - 1]] if start else 0)
        while end < len(ends) and weights[ends[end]] <= weights[at]:
            end += 1
        ends[start:end] = [at]
    chain: list[tuple[int, int]] = []
    last = ends[-1] if ends else None
    while last is not None:
        chain.append(pairs[last])
        last = before[last]
    return chain[::-1]
