"""Variants and their combinations: parts, readings, and what cannot be combined."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.mutation.variant_report import accepted_labels
from treeproof.rows.shared.row import Row
from treeproof.spec import open_pack
from treeproof.spec.variants import load_variants, unobservable_readings
from treeproof.variants.shared.variant import (
    IncompatibleVariants,
    Variant,
    VariantSet,
    collect_variants,
    combine,
    variant,
)

NAMES = ("list_directory", "file_operations", "fs_walkdir", "local_files", "ls")


class Part:
    def trace(self) -> list[str]:
        return ["reference"]


class First(Part):
    def trace(self) -> list[str]:
        return [*super().trace(), "first"]


class Second(Part):
    def trace(self) -> list[str]:
        return [*super().trace(), "second"]


FIRST = variant("AMB-X-01=a", "The first.", unverified={"R-1": "no clock"})(part=First)
SECOND = variant("AMB-X-02=b", "The second.")(part=Second, other=7)


def test_a_variant_of_a_reading_is_named_after_it() -> None:
    assert (FIRST.id, FIRST.readings) == ("AMB-X-01=a", {"AMB-X-01": "a"})
    assert (FIRST.parts, FIRST.unverified) == ({"part": First}, {"R-1": "no clock"})


def test_a_combination_has_the_parts_and_readings_of_both() -> None:
    both = combine(FIRST, SECOND)
    assert both.id == "AMB-X-01=a+AMB-X-02=b"
    assert both.readings == {"AMB-X-01": "a", "AMB-X-02": "b"}
    assert both.unverified == {"R-1": "no clock"}
    assert both.parts["other"] == 7
    assert both.parts["part"]().trace() == ["reference", "first", "second"]


@pytest.mark.parametrize(
    "other",
    [
        variant("AMB-X-01=b", "Another reading of the same.")(different=Second),
        variant("AMB-X-02=a", "A part that is no class.")(part=len),
        variant("AMB-X-02=a", "A refused combination.", excludes=("AMB-X-01=a",))(),
    ],
    ids=lambda other: other.summary,
)
def test_what_one_implementation_cannot_do_is_not_combined(other: Variant) -> None:
    with pytest.raises(IncompatibleVariants, match="AMB-X-01"):
        combine(FIRST, other)


def test_a_combination_excludes_what_one_of_its_variants_excludes() -> None:
    other = variant("AMB-X-03=a", "A refused combination.", excludes=("AMB-X-02=b",))()
    for first, second in ((combine(FIRST, SECOND), other), (other, combine(FIRST, SECOND))):
        with pytest.raises(IncompatibleVariants, match="AMB-X-02=b"):
            combine(first, second)


def row_adding(text: str, stage: int = 0) -> Row:
    """Return a row that puts a text behind the content of each answer."""

    def change(call: Call, send: Callable[[Call], CallResult]) -> CallResult:
        found = send(call)
        return replace(found, content=f"{found.content}{text}")

    return Row(lambda: change, stage)


def test_rows_of_a_combination_are_around_its_reference_in_the_order_of_their_stages() -> None:
    variants = {
        "outer": variant("outer", "It is outside.")(row_adding("3", stage=1)),
        "parts": variant("parts", "It has parts and a row.")(row_adding("1"), part=First),
        "inner": variant("inner", "It is inside.")(row_adding("2")),
    }
    found = VariantSet(variants, Echo)
    assert found["outer+parts+inner"]().parts == {"part": First}
    plant = found["outer+parts+inner"].plant
    assert plant is not None
    answer = CallResult("ok", "", None, None, None, None, None, b"")
    assert plant()(Call("tool", {}, {}), lambda call: answer).content == "123"


def test_a_variant_without_rows_is_not_planted() -> None:
    assert VariantSet({"a": FIRST}, Echo)["a"].plant is None


class Echo:
    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def initialize(self, params: Any) -> dict[str, Any]:
        return {"candidate": {"name": "reference"}, "interpretations": {"AMB-X-09": "z"}}


def test_a_variant_is_a_candidate_of_its_own_name_that_declares_nothing() -> None:
    found = VariantSet({one.id: one for one in (FIRST, SECOND)}, Echo)
    assert list(found) == [FIRST.id, SECOND.id]
    candidate = found["AMB-X-01=a+AMB-X-02=b"]()
    assert candidate.parts.keys() == {"part", "other"}
    assert candidate.initialize({}) == {
        "candidate": {"name": "AMB-X-01=a+AMB-X-02=b"},
        "interpretations": {"AMB-X-09": "z"},
    }


def test_an_id_is_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("twice")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "twice", package)
    modules = {"one": (FIRST,), "two": (SECOND, FIRST)}
    for name, variants in modules.items():
        module = ModuleType(f"twice.{name}")
        vars(module).update(VARIANTS=variants)
        monkeypatch.setitem(sys.modules, f"twice.{name}", module)

    def list_modules(path: object) -> Iterator[Any]:
        return iter([type("Info", (), {"name": name}) for name in modules])

    monkeypatch.setattr("treeproof.variants.shared.variant.iter_modules", list_modules)
    with pytest.raises(ValueError, match=r"twice.two: AMB-X-01=a is used twice"):
        collect_variants("twice", Echo)


@pytest.mark.parametrize("name", NAMES)
def test_variants_take_readings_of_the_catalogue_and_start(name: str) -> None:
    pack = open_pack(name)
    entries = {entry.id: entry for entry in pack.interpretations}
    requirements = {requirement.id for requirement in pack.requirements}
    variants = load_variants(pack)
    summaries = [one.summary for one in variants.values()]
    assert len(set(summaries)) == len(summaries)
    for one in variants.values():
        assert one.summary.endswith("."), one.id
        assert set(one.unverified) <= requirements, one.id
        for id, label in one.readings.items():
            assert label in entries[id].labels, one.id
            assert entries[id].treatment not in ("strict", "editorial"), one.id
        start: Any = one
        assert start().initialize({"protocol": 1, "workspace": "/"})["candidate"]["name"] == one.id
    for reading in unobservable_readings(pack):
        id, _, label = reading.partition("=")
        assert label in entries[id].labels, reading


@pytest.mark.parametrize("name", NAMES)
def test_each_accepted_reading_is_recommended_or_has_a_variant_or_a_reason(name: str) -> None:
    pack = open_pack(name)
    entries = pack.interpretations
    needed = {f"{entry.id}={label}" for entry in entries for label in accepted_labels(entry)}
    own = {f"{entry.id}={entry.recommended}" for entry in entries}  # the reference takes what is recommended
    taken = {f"{id}={label}" for one in load_variants(pack).values() for id, label in one.readings.items()}
    reasons = unobservable_readings(pack)
    assert needed - own - taken == reasons.keys()
    assert all(reason.endswith(".") for reason in reasons.values())


@pytest.mark.parametrize("name", NAMES)
def test_variants_exclude_known_variants(name: str) -> None:
    variants = load_variants(open_pack(name))._variants  # type: ignore[attr-defined]
    for one in variants.values():
        assert set(one.excludes) <= variants.keys(), one.id
