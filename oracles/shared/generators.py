"""Stages that generate a part of a case, and the facts about a tree that they need."""

from __future__ import annotations

from typing import Any

from treeproof.api import Case, CaseUpdate, Kind, Stage, TextPieces

UNCHANGED: Any = object()
"""Among the values of `one_of`: leave the case as it is."""


def one_of(field_path: str, *values: Any) -> Stage:
    """Return a stage that puts one of these values at a place of the case, if its arguments are an object."""
    updates: list[CaseUpdate] = [{} if value is UNCHANGED else {field_path: value} for value in values]
    return lambda case: updates if isinstance(case.arguments, dict) else [{}]


def path_of(pieces: tuple[str, ...], max_pieces: int) -> Stage:
    """Return a stage that joins at most this many pieces to a path."""
    text = TextPieces("arguments.path", pieces, max_pieces)
    return lambda case: text


def top_directories(case: Case) -> list[str]:
    """Return the names of the directories in the sandbox root that are UTF-8."""
    names = [node.name for node in case.tree.entries if node.kind is Kind.DIR]
    texts = [(name, name.decode("utf-8", "replace")) for name in names]
    return [text for name, text in texts if text.encode() == name]
