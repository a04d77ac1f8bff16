"""A tool that the candidate offers under another name: a failure of the requirement that names the tool."""

from __future__ import annotations

from treeproof.run.world import World
from treeproof.verdict import Mismatch, NotVerified
from treeproof.verdict.difference import OTHER_NAME


def check_tool_name(world: World, missing: NotVerified) -> None:
    """Raise Mismatch if the tool is missing and the scenario's requirement is the one that names the tools.

    Only for a candidate that claims the specification with a name that the specification does not have. One that offers
    fewer tools shows nothing about their names.
    """
    pack, offered = world.session.pack, world.session.candidate.initialize_result.tools
    if missing.code != "missing_tool" or world.case.requirement != pack.naming:
        return
    own = {tool.name for tool in pack.tools}
    names = [name for name, claim in offered.items() if claim.partition("@")[0] == pack.name and name not in own]
    if names:
        raise Mismatch(
            f"{missing.detail}; for {pack.name} it offers {', '.join(map(repr, names))}",
            kind=OTHER_NAME,
        ) from missing
