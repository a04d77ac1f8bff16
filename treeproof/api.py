"""The public interface for packs: every name that step modules and oracles may import from treeproof.

Contains no code of its own. A name is imported when it is first used: an oracle needs no run, and a step module needs
no search. Anything that is not listed here may change without notice.
"""

from typing import TYPE_CHECKING

from treeproof.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from treeproof.candidate import (
        UNCLASSIFIED,
        Call,
        CallResult,
        CandidateFault,
        ProcessOptions,
        ToolDefinition,
        drop_dac_capabilities,
        format_untrusted,
    )
    from treeproof.candidate.network_counters import count_network_attempts
    from treeproof.candidate.planted_adapter import PlantedChange
    from treeproof.model.case import (
        REMOVE_MEMBER,
        AcceptedReadings,
        Case,
        CaseFamily,
        CaseUpdate,
        Command,
        Exchange,
        Stage,
        TextPieces,
        TreeShape,
        Unmodelled,
    )
    from treeproof.model.operators import Operator
    from treeproof.model.sequence import Groups
    from treeproof.pack_modules import full_module_name
    from treeproof.run.aliased_scenarios import run_under_alias
    from treeproof.run.call_builder import expand_text, with_context
    from treeproof.run.world import World, parse_creation_order
    from treeproof.search.case_run import ALTERED_PROCESS_OPTIONS, CaseRun, CaseSamples
    from treeproof.search.sequences import SequenceRunner
    from treeproof.spec.catalogue import Harm
    from treeproof.spec.step_decorators import given, then, when
    from treeproof.spec.step_definitions import ANY_COLUMN
    from treeproof.tree import (
        CONTENT_CALLS,
        DEFAULT_MTIME_NS,
        RENAME_OR_LINK_CALLS,
        REVERSED,
        ROOT_NAME,
        UNLINK_CALLS,
        CannotBuild,
        Kind,
        Node,
        Tree,
        build_tree,
        by_path,
        delay_args,
        failure_args,
        format_name,
        format_path,
        from_paths,
        nest,
        normalise,
        parent_without_links,
        parse_paths,
        parse_tree,
        render_tree,
        shuffled,
        subtree,
        tree_diff,
        without_default_metadata,
    )
    from treeproof.verdict import CONTROL_CALL, Fault, Mismatch, NotApplicable, NotVerified
    from treeproof.verdict.difference import MISSING_ENTRIES, UNEXPECTED_ENTRIES
    from treeproof.verdict.finding import Alternative, CallJudgement, Finding, ModelJudgement

__all__ = [
    "with_context",
    "ALTERED_PROCESS_OPTIONS",
    "ANY_COLUMN",
    "AcceptedReadings",
    "Alternative",
    "CONTENT_CALLS",
    "CONTROL_CALL",
    "Call",
    "CallJudgement",
    "CallResult",
    "CandidateFault",
    "CannotBuild",
    "Case",
    "CaseFamily",
    "CaseRun",
    "CaseSamples",
    "CaseUpdate",
    "Command",
    "DEFAULT_MTIME_NS",
    "Exchange",
    "Fault",
    "Finding",
    "Groups",
    "Harm",
    "Kind",
    "MISSING_ENTRIES",
    "Mismatch",
    "ModelJudgement",
    "Node",
    "NotApplicable",
    "NotVerified",
    "Operator",
    "PlantedChange",
    "ProcessOptions",
    "REMOVE_MEMBER",
    "RENAME_OR_LINK_CALLS",
    "REVERSED",
    "ROOT_NAME",
    "SequenceRunner",
    "Stage",
    "TextPieces",
    "ToolDefinition",
    "Tree",
    "UNEXPECTED_ENTRIES",
    "TreeShape",
    "UNCLASSIFIED",
    "UNLINK_CALLS",
    "Unmodelled",
    "World",
    "build_tree",
    "by_path",
    "count_network_attempts",
    "delay_args",
    "drop_dac_capabilities",
    "expand_text",
    "failure_args",
    "format_name",
    "format_path",
    "format_untrusted",
    "from_paths",
    "full_module_name",
    "given",
    "nest",
    "normalise",
    "parent_without_links",
    "parse_creation_order",
    "parse_paths",
    "parse_tree",
    "render_tree",
    "run_under_alias",
    "shuffled",
    "subtree",
    "then",
    "tree_diff",
    "when",
    "without_default_metadata",
]

_EXPORTS = {
    "treeproof.candidate": (
        "Call",
        "CallResult",
        "CandidateFault",
        "ProcessOptions",
        "ToolDefinition",
        "UNCLASSIFIED",
        "drop_dac_capabilities",
        "format_untrusted",
    ),
    "treeproof.candidate.planted_adapter": ("PlantedChange",),
    "treeproof.candidate.network_counters": ("count_network_attempts",),
    "treeproof.run.aliased_scenarios": ("run_under_alias",),
    "treeproof.run.call_builder": ("expand_text", "with_context"),
    "treeproof.run.world": (
        "World",
        "parse_creation_order",
    ),
    "treeproof.search.case_run": (
        "ALTERED_PROCESS_OPTIONS",
        "CaseRun",
        "CaseSamples",
    ),
    "treeproof.model.case": (
        "AcceptedReadings",
        "Case",
        "CaseFamily",
        "CaseUpdate",
        "Command",
        "Exchange",
        "REMOVE_MEMBER",
        "Stage",
        "TextPieces",
        "TreeShape",
        "Unmodelled",
    ),
    "treeproof.search.sequences": ("SequenceRunner",),
    "treeproof.model.operators": ("Operator",),
    "treeproof.model.sequence": ("Groups",),
    "treeproof.spec.step_decorators": (
        "given",
        "then",
        "when",
    ),
    "treeproof.spec.step_definitions": ("ANY_COLUMN",),
    "treeproof.tree": (
        "CONTENT_CALLS",
        "CannotBuild",
        "DEFAULT_MTIME_NS",
        "Kind",
        "Node",
        "RENAME_OR_LINK_CALLS",
        "REVERSED",
        "ROOT_NAME",
        "Tree",
        "UNLINK_CALLS",
        "build_tree",
        "by_path",
        "delay_args",
        "failure_args",
        "format_name",
        "format_path",
        "from_paths",
        "nest",
        "normalise",
        "parent_without_links",
        "parse_paths",
        "parse_tree",
        "render_tree",
        "shuffled",
        "subtree",
        "tree_diff",
        "without_default_metadata",
    ),
    "treeproof.spec.catalogue": ("Harm",),
    "treeproof.pack_modules": ("full_module_name",),
    "treeproof.verdict.finding": ("Alternative", "CallJudgement", "Finding", "ModelJudgement"),
    "treeproof.verdict.difference": ("MISSING_ENTRIES", "UNEXPECTED_ENTRIES"),
    "treeproof.verdict": (
        "CONTROL_CALL",
        "Fault",
        "Mismatch",
        "NotApplicable",
        "NotVerified",
    ),
}
"""The module that defines each name."""

if not TYPE_CHECKING:
    __getattr__ = lazy_exports(__name__, _EXPORTS)
