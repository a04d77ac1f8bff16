"""Then: a control call, which shows that the candidate can list entries."""

from __future__ import annotations

from treeproof.api import CONTROL_CALL, Mismatch, World, then

from .entry_view import entry_view
from .values import parse_name_list


@then(
    r'a control call with (?P<arguments>\{.*\})(?: on the tree "(?P<notation>.+?)")? lists "(?P<listed>.+?)"',
    example='a control call with {"path": "."} on the tree "a" lists "a"',
    role="control",
    tree="notation",
)
def a_control_call(world: World, arguments: str, listed: str, notation: str | None) -> None:
    """Require that the first tool of the specification lists these entries of the scenario's tree or another one."""
    call, answer = world.control_call(world.session.pack.tools[0].name, arguments, notation)
    try:
        entry_view(world).parse(answer, call).assert_lists(parse_name_list(listed))
    except Mismatch as why:
        world.show_control_call(call, answer, notation)
        raise why.within(CONTROL_CALL) from why
