"""A tool that the candidate offers under another name: a failure of the requirement that names the tool."""

from __future__ import annotations

from treeproof.run.world import World
from treeproof.verdict import Mismatch, NotVerified


def check_tool_name(world: World, missing: NotVerified) -> None:
    """Raise Mismatch if the tool is missing and the scenario's requirement names it (``owns`` contains `tool`).

    Only for a candidate that claims the specification with a name that the specification does not have. One that offers
    fewer tools shows nothing about their names.
    """
    pack, offered = world.session.pack, world.session.candidate.initialize_result.tools
    requirement = next((one for one in pack.requirements if one.id == world.case.requirement), None)
    if missing.code != "missing_tool" or requirement is None or "tool" not in requirement.owns:
        return
    own = {tool.name for tool in pack.tools}
    names = [name for name, claim in offered.items() if claim.partition("@")[0] == pack.name and name not in own]
    if names:
        raise Mismatch(
            f"{missing.detail}; for {pack.name} it offers {', '.join(map(repr, names))}",
            stage="tool",
            kind="the tool has another name",
        ) from missing
