"""The variants of the file operations: parts of one tool and of both, and combinations that can be built."""

from __future__ import annotations

from itertools import combinations

from treeproof.reference_impl.file_operations.candidate import MOVE_DEFINITION
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.file_operations.transfer import Copy, Move
from treeproof.variants.file_operations import build, variants
from treeproof.variants.file_operations.definitions import redefined
from treeproof.variants.shared.variant import IncompatibleVariants


class Ours(Resolution):
    pass


class OfMove(Resolution):
    pass


class NotFollowing(Resolution):
    follows_source = False


def tools_of(**parts: object) -> dict[str, object]:
    tools: dict[str, object] = build(parts)._executor.tools
    return tools


def test_a_part_without_the_name_of_a_tool_belongs_to_both() -> None:
    tools = tools_of(resolution=Ours)
    assert issubclass(tools["move"].resolution, Ours)  # type: ignore[attr-defined]
    assert issubclass(tools["copy"].resolution, Ours)  # type: ignore[attr-defined]


def test_a_part_with_the_name_of_a_tool_belongs_to_this_tool() -> None:
    tools = tools_of(move_resolution=Ours)
    assert tools["move"].resolution is Ours  # type: ignore[attr-defined]
    assert not issubclass(tools["copy"].resolution, Ours)  # type: ignore[attr-defined]
    assert (tools["move"].transfer, tools["copy"].transfer) == (Move, Copy)  # type: ignore[attr-defined]


def test_parts_of_both_and_of_one_tool_add_up() -> None:
    tools = tools_of(move_resolution=OfMove, resolution=Ours)
    assert {Ours, OfMove} <= set(tools["move"].resolution.__mro__)  # type: ignore[attr-defined]
    assert OfMove not in tools["copy"].resolution.__mro__  # type: ignore[attr-defined]


def test_a_copy_follows_a_link_unless_a_part_says_otherwise() -> None:
    assert tools_of(resolution=Ours)["copy"].resolution.follows_source  # type: ignore[attr-defined]
    assert not tools_of(resolution=Ours)["move"].resolution.follows_source  # type: ignore[attr-defined]
    assert not tools_of(copy_resolution=NotFollowing)["copy"].resolution.follows_source  # type: ignore[attr-defined]


def test_changes_of_definitions_add_up() -> None:
    class Both(redefined(requires_approval=True), redefined(risk_level="High")):  # type: ignore[misc]
        pass

    definition = tools_of(definition=Both)["move"].definition  # type: ignore[attr-defined]
    assert (definition.requires_approval, definition.risk_level) == (True, "High")
    assert definition.name == MOVE_DEFINITION.name


def test_each_variant_can_be_built() -> None:
    assert [id for id in variants if variants[id]().initialize({"protocol": 1})["candidate"]["name"] != id] == []


def test_pairs_can_be_built_or_are_refused_for_a_reason() -> None:
    refused = {}
    for pair in combinations(variants, 2):
        try:
            variants["+".join(pair)]()
        except IncompatibleVariants as error:
            if "the same interpretation" not in str(error):
                refused[pair] = str(error)
    assert refused.keys() == {
        ("AMB-FO-17=yes", "VAR-FO-27"),
        ("AMB-FO-39=through", "VAR-FO-22"),
        ("AMB-FO-40=through", "VAR-FO-22"),
        ("AMB-FO-41=through", "VAR-FO-09"),
        ("AMB-FO-42=through", "VAR-FO-30"),
        ("AMB-FO-42=through", "VAR-FO-62"),
        ("VAR-FO-05", "VAR-FO-30"),
        ("VAR-FO-07", "VAR-FO-30"),
        ("VAR-FO-05", "VAR-FO-62"),
        ("VAR-FO-07", "VAR-FO-62"),
        ("AMB-FO-40=refuse", "VAR-FO-68"),
        ("VAR-FO-33", "VAR-FO-68"),
        ("VAR-FO-35", "VAR-FO-68"),
        ("AMB-FO-53=error", "VAR-FO-69"),
        ("AMB-FO-53=followed", "VAR-FO-69"),
    }
