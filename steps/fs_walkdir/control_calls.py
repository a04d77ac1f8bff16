"""Then: that the same candidate tells of what is there, so that nil or an absence means something."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import format_names, parse_name_list
from .view import parse_answer, paths


@then(
    r'a control call with (?P<arguments>\{.*\}) lists "(?P<listed>.+?)"',
    example='a control call with {"path": "walktest"} lists "file1.txt, subdir"',
    role="control",
    evidence="always",
)
def a_control_call(world: World, arguments: str, listed: str) -> None:
    """Require that the same candidate lists these entries in another call."""
    _check_control_call(world, arguments, listed, None)


@then(
    r'a control call with (?P<arguments>\{.*\}) on the tree "(?P<notation>.+?)" lists "(?P<listed>.+?)"',
    example='a control call with {"path": "."} on the tree "a" lists "a"',
    role="control",
    tree="notation",
    evidence="always",
)
def a_control_call_elsewhere(world: World, arguments: str, notation: str, listed: str) -> None:
    """Require that the same candidate lists these entries of another tree."""
    _check_control_call(world, arguments, listed, notation)


def _check_control_call(world: World, arguments: str, listed: str, notation: str | None) -> None:
    tool = world.session.pack.tools[0].name
    try:
        got = paths(parse_answer(world.control_call(tool, arguments, notation)))
    except Mismatch as why:
        raise why.within("the control call: ") from why
    # That they are there is the question; how their paths are spelt is the business of other sentences.
    missing = sorted(set(map(_last_component, parse_name_list(listed))) - set(map(_last_component, got)))
    if missing:
        raise Mismatch(
            f"the control call does not list {format_names(missing)}", expected=listed, got=format_names(got)
        )
    world.evidence.is_positive = True


def _last_component(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].rpartition("\\")[2]
