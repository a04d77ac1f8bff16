"""Calls that do not return although the rule of their scenario requires it: a failure and no fault.

Only if a control call returns: a candidate that hangs each time breaks no rule in particular.
"""

from __future__ import annotations

import os

from treeproof.candidate import Call, CandidateFault
from treeproof.run.world import World
from treeproof.tree import Tree, plain_tree
from treeproof.verdict import Mismatch, NotVerified
from treeproof.verdict.difference import NO_RETURN


def check_returned(world: World, fault: CandidateFault) -> None:
    """Raise Mismatch if ``fault`` is the timeout of the scenario's own call, and its tag requires that it returns.

    The control call is the same call on the same tree, with empty files instead of links, pipes, sockets and devices.
    A call on a tree without any of them stays a fault.
    """
    call = world.log.unanswered_call
    if not world.case.must_return or call is None or (fault.kind, fault.method) != ("timeout", "call"):
        return
    plain = plain_tree(world.fixture.tree)
    if plain == world.fixture.tree and call.context.get("roots") == [os.fsdecode(world.fixture.root)]:
        return  # the control call would be the same call: it is merely slow
    if _control_call_returns(world, call, plain):
        seconds = world.session.candidate.call_seconds
        raise Mismatch(f"the call did not return within {seconds:g} s", kind=NO_RETURN) from fault


def _control_call_returns(world: World, call: Call, tree: Tree) -> bool:
    try:
        root = world.fixture.add_root("control")
        world.fixture.build(tree, root)
        world.session.candidate.circuit_breaker.subject = None
        world.session.call(world.call_builder.move_to(call, root), world.own_process())
    except (CandidateFault, NotVerified):
        return False
    return True
