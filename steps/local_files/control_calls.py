"""Then: that the same candidate lists what is there, so that an error or an absence means something."""

from __future__ import annotations

import json
import os

from treeproof.api import Call, Mismatch, World, then

from ..shared.values import assert_same_names, parse_name_list
from .view import parse_answer


@then(
    r'a control call with (?P<arguments>\{.*\}) lists "(?P<listed>.+?)"',
    example='a control call with {"path": "$ROOT"} lists "a, f"',
    role="control",
    evidence="always",
)
def a_control_call(world: World, arguments: str, listed: str) -> None:
    """Require that listDirectory of the same candidate lists these entries."""
    _check_control_call(world, arguments, listed, None)


@then(
    r'a control call with (?P<arguments>\{.*\}) on the tree "(?P<notation>.+?)" lists "(?P<listed>.+?)"',
    example='a control call with {"path": "$ROOT"} on the tree "a" lists "a"',
    role="control",
    tree="notation",
    evidence="always",
)
def a_control_call_elsewhere(world: World, arguments: str, notation: str, listed: str) -> None:
    """Require that the same candidate lists these entries of another tree."""
    _check_control_call(world, arguments, listed, notation)


def _check_control_call(world: World, arguments: str, listed: str, notation: str | None) -> None:
    tool = world.session.pack.tools[0].name
    answer = world.control_call(tool, arguments, notation)
    try:
        found = parse_answer(answer, Call(tool, json.loads(arguments), {}))
    except Mismatch as why:
        raise why.within("the control call: ") from why
    # The root of a control tree is not known here, and its entries lie in it: their last components say enough.
    got = {os.path.basename(str(entry.get("path"))) for entry in found.entries}
    assert_same_names("the control call's entries", sorted(set(parse_name_list(listed))), sorted(got))
    world.evidence.is_positive = True
