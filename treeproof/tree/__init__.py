"""What a candidate is shown: recipes of trees, their notation, their making, and what became of them.

Other rooms import from here. Nothing below knows of specifications, candidates or anything else above it.
"""

from treeproof.tree.builder import LISTED, REVERSED, CannotBuild, Order, build, shuffled
from treeproof.tree.faults import DELETE, MOVES, RENAME, TRANSFER, CannotInject, delay, failing, injection
from treeproof.tree.machine import PROBES, Machine, probe
from treeproof.tree.names import NotationError, escaped, parse_names, show_name, show_path
from treeproof.tree.notation import parse, render
from treeproof.tree.portrait import below, deviations, flat, inside, planted, portray, settled, unremarkable
from treeproof.tree.recipe import DEFAULT_MTIME_NS, Fault, Kind, Node, Tree
from treeproof.tree.snapshot import Look, Snapshot, differences, take
from treeproof.tree.watch import Watch, WatchUnavailable
from treeproof.tree.workspace import ROOT, Workspace, disk_base, fast_base, other_base, sweep

__all__ = [
    "DEFAULT_MTIME_NS",
    "DELETE",
    "LISTED",
    "MOVES",
    "PROBES",
    "RENAME",
    "REVERSED",
    "ROOT",
    "TRANSFER",
    "CannotBuild",
    "CannotInject",
    "Fault",
    "Kind",
    "Look",
    "Machine",
    "Node",
    "NotationError",
    "Order",
    "Snapshot",
    "Tree",
    "Watch",
    "WatchUnavailable",
    "Workspace",
    "below",
    "build",
    "delay",
    "deviations",
    "differences",
    "disk_base",
    "escaped",
    "failing",
    "fast_base",
    "flat",
    "injection",
    "inside",
    "other_base",
    "parse",
    "parse_names",
    "planted",
    "portray",
    "probe",
    "render",
    "settled",
    "show_name",
    "show_path",
    "shuffled",
    "sweep",
    "take",
    "unremarkable",
]
