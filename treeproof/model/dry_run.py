"""The dry run of a model: what its members return for a few small cases. Runs no candidate and builds no tree.

Any candidate can give the answers with which it calls `judge`, so an exception is a mistake of the author.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from treeproof.candidate import CallResult
from treeproof.model.case import Case, CaseFamily, Exchange, TextPieces, TreeShape, Unmodelled
from treeproof.model.checked_model import CheckedModel, load_model
from treeproof.spec import Pack
from treeproof.spec.lint_schemas import known_arguments, misspelt_argument
from treeproof.tree import Kind, Node, NotationError, Tree, parse_tree
from treeproof.verdict import Fault

_ANSWERS = (
    CallResult("error", None, "ExecutionFailed", "it failed", None, None, None, b""),
    CallResult("ok", "", None, None, None, None, None, b""),
    CallResult("ok", "{}", None, None, None, None, None, b""),
)
_MAX_CASES = 16


def dry_run(pack: Pack, capabilities: frozenset[str]) -> tuple[frozenset[str], Mapping[Callable[..., Any], str]]:
    """Return the names of the model's families, and the first problem of each of its functions. Raises Fault."""
    model = load_model(pack)
    problems: dict[Callable[..., Any], str] = {}
    try:
        families = model.families(capabilities)
    except Fault as fault:
        return frozenset(), {model.source_of("families"): fault.detail}
    known = known_arguments(pack, model.tool)
    for family in families:
        try:
            parse_tree(family.outside)
            trees = list(_trees(family.tree))
        except (NotationError, ValueError) as error:
            problems[model.source_of("families")] = f"a tree of the family {family.name}: {error}"
            continue
        for case in _cases(model.tool, family, trees, known, problems):
            for member, call in _calls(model, family, case):
                try:
                    with contextlib.suppress(Unmodelled):
                        call()
                except Fault as fault:
                    problems.setdefault(model.source_of(member), fault.detail)
    return frozenset(family.name for family in families), problems


def _calls(model: CheckedModel, family: CaseFamily, case: Case) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "expected", partial(model.expected, case)
    yield "case_labels", partial(model.case_labels, case)
    yield "scenario_steps", partial(model.scenario_steps, case, family.outside)
    judged = replace(case, outside=parse_tree(family.outside))
    for answer in _ANSWERS:
        yield "judge", partial(model.judge, Exchange(judged, answer, root="/sandbox"), {})


def _cases(
    tool: str,
    family: CaseFamily,
    trees: Sequence[Tree],
    known: Collection[str],
    problems: dict[Callable[..., Any], str],
) -> Sequence[Case]:
    """Return cases that the family can have: every choice of a stage, and some combinations."""
    cases = [Case(tool, tree, dict(family.arguments)) for tree in trees]
    for stage in family.stages:
        updated: list[Case] = []
        for at, case in enumerate(cases):
            try:
                choices = stage(case)
            except Unmodelled:
                return ()
            except Fault as fault:
                problems.setdefault(inspect.unwrap(stage), fault.detail)
                return ()
            if isinstance(choices, TextPieces):
                choices = [{choices.field_path: piece} for piece in choices.pieces]
            paths = (path.partition(".") for update in choices for path in update)
            for name in (name for part, _, name in paths if part == "arguments"):
                if message := misspelt_argument(name, known):
                    problems.setdefault(inspect.unwrap(stage), message)
            picked = choices if at < 2 else [choices[at % len(choices)]]
            try:
                updated += [case.with_update(update) for update in picked]
            except (AttributeError, ValueError) as error:
                problems.setdefault(inspect.unwrap(stage), f"an update does not fit the case: {error}; correct it")
                return ()
        cases = updated[:: 1 + len(updated) // _MAX_CASES]
    return cases


def _trees(shape: TreeShape | Tree | None) -> Iterator[Tree]:
    """Yield a tree without entries, and one with an entry of each usual kind for each group of names."""
    if not isinstance(shape, TreeShape):
        yield shape or Tree()
        return
    yield Tree()
    file = Node(b"?", Kind.FILE, size=next(iter(shape.sizes), 0))
    nodes = {Kind.FILE: file, Kind.DIR: Node(b"?", Kind.DIR)}
    if shape.symlink_targets:
        nodes[Kind.SYMLINK] = Node(b"?", Kind.SYMLINK, target=shape.symlink_targets[0])
    kinds = [kind for kind in nodes if kind in shape.kinds]
    for names in shape.names:
        pairs = list(zip(dict.fromkeys(names), kinds, strict=False))[: shape.max_entries]
        yield Tree(tuple(nodes[kind].with_children((), name) for name, kind in pairs))
