"""Then: laws that hold for any tree and call, tried on random ones. What each law says is in the files beside.

One sample of cases serves all laws of a run; when a law does not hold, hypothesis makes the case smaller, and the
evidence is that of the smallest one: its tree, its calls, its answers, and a scenario to paste.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import NamedTuple

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.search.model import Family, Unmodelled
from treeproof.search.subject import Samples, Subject
from treeproof.tree import render
from treeproof.verdict import Mismatch, NotVerified

from . import limit_properties as limits
from . import properties as law
from . import related_properties as related
from .words import sentence


class Tried(NamedTuple):
    """A law, and the families of cases on which it is tried."""

    law: law.Law
    families: tuple[str, ...]


TREES = ("trees",)
DOCUMENTS = ("trees", "faults", "paths", "settings")
EVERYTHING = ("trees", "faults", "paths", "escapes", "arguments", "settings")

LAWS: Mapping[str, Tried] = {
    "the answer is what the model says of this rule": Tried(law.model, EVERYTHING),
    "the document written again is the same": Tried(law.canonical_text, DOCUMENTS),
    "counter, flag and reason agree": Tried(law.counters, DOCUMENTS),
    "returned counts the entries": Tried(law.returned_counts, DOCUMENTS),
    "the reason is null or a documented word": Tried(law.reason_is_a_word, DOCUMENTS),
    "the paths are in ascending order": Tried(law.sorted_paths, DOCUMENTS),
    **{
        f"of every entry, {what}": Tried(law.each_entry(good, what), DOCUMENTS)
        for what, good in law.ENTRIES.items()
    },
    "under every limit the entries are the first of the walk": Tried(limits.first_of_the_walk, TREES),
    "from the limit on it is met, and above it the listing is cut": Tried(limits.flag_above_the_limit, TREES),
    "a flat listing below the limit is not cut": Tried(limits.no_flag_below_the_limit, TREES),
    "the output is no longer than the smaller budget": Tried(limits.within_both_budgets, TREES),
    "the output is measured in bytes": Tried(limits.counted_in_bytes, TREES),
    "the output is JSON whatever the budget": Tried(limits.valid_under_every_budget, TREES),
    "a call that fails for its budget fails for every smaller one": Tried(
        limits.failures_are_a_down_set, TREES
    ),
    "what a budget leaves is the beginning of the whole list": Tried(limits.beginning_of_the_list, TREES),
    "one entry more would not fit": Tried(limits.as_many_as_fit, TREES),
    "what a budget cuts is said to be cut": Tried(limits.cutting_is_told, TREES),
    "exchanging the budgets changes nothing": Tried(limits.budgets_are_alike, TREES),
    "leaving out what is hidden leaves the rest as it is": Tried(related.hidden_are_left_out, TREES),
    "the kinds listed one by one make the whole": Tried(related.kinds_make_the_whole, TREES),
    "special files are the difference that include_other makes": Tried(
        related.other_is_the_difference, TREES
    ),
    "a smaller depth shows the near part of a greater one": Tried(related.depth_cuts_and_nothing_else, TREES),
    "a flat listing is the first level of a deep one": Tried(related.flat_is_depth_one, TREES),
    "a subdirectory by itself has the names that its parent shows in it": Tried(related.subtree_names, TREES),
    "a subdirectory by itself has the paths that its parent shows in it": Tried(related.subtree_paths, TREES),
    "a subdirectory by itself is one level less deep than in its parent": Tried(
        related.subtree_depths, TREES
    ),
    "the order in which the tree was made plays no part": Tried(related.order_of_making, TREES),
    "the process that is asked plays no part": Tried(related.other_process, TREES),
    "there are as many entries as on the disk": Tried(related.nothing_is_merged, TREES),
    "every spelling of a path shows the same": Tried(related.spellings_are_one, TREES),
    "what is listed lies inside the sandbox": Tried(related.stays_inside, ("escapes", "paths")),
    "what the schema refuses is refused": Tried(related.schema_decides, ("arguments", "trees")),
    "defaults written out change nothing": Tried(related.precedence, ("settings",)),
    "the tree is left as it was": Tried(related.read_only, ("trees", "faults", "escapes")),
}
"""The laws by their words in a sentence."""

WORDS = "|".join(LAWS)

FURTHER_ROUNDS = 5
"""So many samples are drawn at most until a law has something to judge."""

ENOUGH_CASES = 40
"""A candidate that lists nothing in so many cases lists nothing."""


@then(sentence(rf"for any tree and call, (?P<words>{WORDS})"))
def for_any_tree_and_call(world: World, words: str) -> None:
    """Then for any tree and call, the paths are in ascending order: tried on random trees and calls.

    Evidence: always
    """
    try:
        _hold(world, words)
    finally:
        Samples.of(world.session).close()


@then(sentence(rf"for any tree, call and budget, (?P<words>{WORDS})"))
def for_any_budget(world: World, words: str) -> None:
    """Then for any tree, call and budget, the output is measured in bytes: where the glue honours budgets.

    Evidence: always
    """
    world.require("budget")
    _hold(world, words)


@then(sentence(rf"for any tree, call and configuration, (?P<words>{WORDS})"))
def for_any_configuration(world: World, words: str) -> None:
    """Then for any tree, call and configuration, defaults written out change nothing: where the glue honours it.

    Evidence: always
    """
    world.require("config")
    _hold(world, words)


@then(sentence(rf"for any tree, call and file modes, (?P<words>{WORDS})"))
def for_any_modes(world: World, words: str) -> None:
    """Then for any tree, call and file modes, the tree is left as it was: directories that may not be read or searched.

    Evidence: always
    """
    if not Samples.of(world.session).heeds_modes:
        raise NotVerified("file modes do not bind the candidate here, so no directory can be closed to it")
    _hold(world, words)


def _hold(world: World, words: str) -> None:
    """Try the law on its sample.

    Raises Mismatch for the smallest case that breaks it, NotVerified where nothing shows it, and CandidateFault.
    """
    samples, tried = Samples.of(world.session), LAWS[words]
    families = [samples.families[name] for name in tried.families if name in samples.families]
    judged = sum(
        _try(world, samples, family, tried.law, samples.subjects(family.name)) for family in families
    )
    if not judged and not _ever_lists(samples):
        raise Mismatch("the candidate lists nothing, whatever it is asked", expected="a listing now and then")
    for round in range(1, FURTHER_ROUNDS):
        if judged:
            break
        judged = sum(_try(world, samples, f, tried.law, samples.further(f.name, round)) for f in families)
    if not judged:
        raise NotVerified(
            "no case shows it, although many were tried; a candidate that lists more would show it"
        )
    world.positive = True


def _ever_lists(samples: Samples) -> bool:
    """Whether the candidate has listed anything on random trees; found out once."""
    kept = samples.session.kept
    if __name__ not in kept:
        rounds = (samples.further(TREES[0], round) for round in range(1, FURTHER_ROUNDS))
        subjects = islice(chain(samples.subjects(TREES[0]), *rounds), ENOUGH_CASES)
        kept[__name__] = any((found := law.listing(subject)) and found.entries for subject in subjects)
    return bool(kept[__name__])


def _try(world: World, samples: Samples, family: Family, tried: law.Law, subjects: Iterable[Subject]) -> int:
    """How many of the subjects show that the law holds. Raises Mismatch where it does not."""
    judged = 0
    for subject in subjects:
        try:
            judged += tried(law.Trial(subject, samples, world.row.requirement))
        except Mismatch as why:
            raise _smallest(world, samples, family, tried, subject, why) from why
        if tried is law.model:
            _record(world, samples, subject)
    return judged


def _record(world: World, samples: Samples, subject: Subject) -> None:
    """Note the readings that only can explain the answer, of the passages that touch this requirement."""
    touching = {
        entry.id for entry in world.session.pack.interpretations if world.row.requirement in entry.touches
    }
    with contextlib.suppress(Unmodelled):
        for passage, label in subject.judged(samples.model, samples.accepted).seen.items():
            if passage in touching:
                world.saw(passage, label)


def _smallest(
    world: World, samples: Samples, family: Family, tried: law.Law, subject: Subject, why: Mismatch
) -> Mismatch:
    """The Mismatch of the smallest case that fails as well; the evidence becomes that of this case."""
    requirement = world.row.requirement

    def fails(other: Subject) -> bool:
        try:
            tried(law.Trial(other, samples, requirement))
        except Mismatch:
            return True
        return False

    case = samples.smallest(family, fails) or subject.case
    smallest = Subject(world.session, family, case, world.root)
    smallest.grow()
    try:
        tried(law.Trial(smallest, samples, requirement))
        why.message += " (it did not when it was tried again)"
    except Mismatch as again:
        why = again
    world.trees["tree"] = render(case.tree)
    if family.outside:
        world.trees["outside"] = family.outside
    world.calls += smallest.calls
    world.answers += smallest.answers
    why.scenario = smallest.scenario(samples.model, samples.accepted)
    return why
