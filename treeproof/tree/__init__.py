"""Trees: their description, notation, building, reading and comparison.

Other packages import from here. Contains nothing about specifications or candidates.
"""

from treeproof.tree.builder import LISTED, REVERSED, CannotBuild, CreationOrder, build_tree, shuffled
from treeproof.tree.deep_walk import parent_without_links, remove_entries
from treeproof.tree.folding_mount import FoldingMount, folds_case
from treeproof.tree.folding_server import fold as fold_name
from treeproof.tree.host_features import PROBES, Host, probe_host, raise_open_file_limit
from treeproof.tree.inotify import InotifyWatch
from treeproof.tree.name_notation import NotationError, escape_name, format_name, format_path, parse_paths
from treeproof.tree.notation import parse_tree, render_tree
from treeproof.tree.recipe import DEFAULT_MTIME_NS, Fault, Kind, Node, Tree, by_path, is_utf8
from treeproof.tree.snapshot import Snapshot, diff_snapshots, loses_content, take_snapshot
from treeproof.tree.strace_faults import (
    CONTENT_CALLS,
    RENAME_CALLS,
    RENAME_OR_LINK_CALLS,
    UNLINK_CALLS,
    delay_args,
    failure_args,
    fault_args,
    met_path_only_open,
)
from treeproof.tree.tree_reader import (
    from_paths,
    nest,
    normalise,
    notations_of,
    read_tree,
    subtree,
    tree_diff,
    without_default_metadata,
)
from treeproof.tree.unusual_entries import plain_tree, unusual_kinds
from treeproof.tree.workspace import (
    ROOT_NAME,
    Workspace,
    WorkspaceLost,
    check_sandbox_of,
    default_base,
    find_base_on_other_file_system,
    find_disk_base,
    is_workspace,
    remove_stale_workspaces,
    usual_umask,
)

__all__ = [
    "DEFAULT_MTIME_NS",
    "UNLINK_CALLS",
    "LISTED",
    "RENAME_CALLS",
    "PROBES",
    "RENAME_OR_LINK_CALLS",
    "REVERSED",
    "ROOT_NAME",
    "CONTENT_CALLS",
    "CannotBuild",
    "Fault",
    "FoldingMount",
    "Kind",
    "plain_tree",
    "unusual_kinds",
    "usual_umask",
    "is_workspace",
    "raise_open_file_limit",
    "Host",
    "Node",
    "NotationError",
    "CreationOrder",
    "Snapshot",
    "Tree",
    "InotifyWatch",
    "Workspace",
    "WorkspaceLost",
    "check_sandbox_of",
    "parent_without_links",
    "is_utf8",
    "loses_content",
    "nest",
    "build_tree",
    "delay_args",
    "tree_diff",
    "diff_snapshots",
    "remove_entries",
    "find_disk_base",
    "escape_name",
    "failure_args",
    "default_base",
    "by_path",
    "fault_args",
    "fold_name",
    "folds_case",
    "subtree",
    "find_base_on_other_file_system",
    "parse_tree",
    "parse_paths",
    "from_paths",
    "read_tree",
    "probe_host",
    "render_tree",
    "normalise",
    "format_name",
    "format_path",
    "shuffled",
    "remove_stale_workspaces",
    "take_snapshot",
    "met_path_only_open",
    "notations_of",
    "without_default_metadata",
]
