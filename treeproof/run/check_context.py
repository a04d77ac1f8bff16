"""The candidate that `treeproof doctor` checks: its connection, and a plain call of each tool. Gives no verdict."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions, Target, connect
from treeproof.candidate.manifest import ROOT_PLACEHOLDER
from treeproof.candidate.orphans import OrphanReaper
from treeproof.run.call_builder import expand, expand_text
from treeproof.run.candidate_folders import protect_folders
from treeproof.run.candidate_platform import CandidatePlatform
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.positive_evidence import DIRECTORY, FILE, NEW
from treeproof.spec import Pack
from treeproof.tree import build_tree
from treeproof.tree import parse_tree as tree_of
from treeproof.verdict.checks import CheckResult

PROCESS_MARKER_VARIABLE = "TREEPROOF_DOCTOR"
"""The environment variable that marks the candidate's processes; their children inherit it."""

_DEFAULT_TREE = "a, d/{b}"
_PLAIN_TREE = 'd/{f="x", s/{y}}'


FAULT_REMEDIES: Mapping[str, str] = {
    "start": "check that the command line starts the candidate in its folder, or that the server listens",
    "timeout": "answer every request line with one line and flush it; a slow candidate raises call_timeout or "
    "start_timeout in the manifest",
    "exit": "let the process run until shutdown, and answer an error of a tool with status error",
    "framing": 'write one line {"jsonrpc": "2.0", "id": <that of the request>, "result": …} for each request, and '
    "everything else to stderr; `ignore_output` of the manifest leaves out lines of a program that is not yours",
    "output_limit": "keep the answer within max_answer_bytes of the manifest",
    "protocol": "let the result fit the message's JSON Schema in treeproof/candidate/schemas",
    "inconsistent": "declare in initialize only what holds in every process",
    "glue": 'answer a tool\'s own failure with the result {"status": "error", "error": {"kind": …, "message": …}}',
    "workspace": "change and remove only what a call names, below the sandbox root",
    "crash": 'catch what the tool raises and return {"status": "error", "error": {"kind": …, "message": …}}',
}

TIMEOUT_REMEDY = "raise call_timeout or start_timeout in the manifest, so that a busy machine causes no fault"


def fault_result(name: str, fault: CandidateFault) -> CheckResult:
    """Return the result of a check that a fault has ended."""
    early = name == "handshake" and fault.kind == "exit"
    return CheckResult(name, "error", str(fault), FAULT_REMEDIES["start" if early else fault.kind])


@dataclass
class CheckContext:
    """The candidate that is checked, and the observations so far."""

    target: Target
    packs: Sequence[Pack]
    environment: Environment
    orphans: OrphanReaper
    platform: CandidatePlatform | None = None
    candidate: ConnectedCandidate = field(init=False)
    """The candidate after its start."""
    slowest_call_seconds: float = 0.0
    process_marker: str = field(default_factory=lambda: secrets.token_hex(8))
    _exit_stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __post_init__(self) -> None:
        if self.platform is not None:  # ended after the candidate
            self._exit_stack.callback(self.platform.close)

    def start(self, adapter: Adapter) -> ConnectedCandidate:
        """Start the candidate behind ``adapter``; it is stopped with the context. Raises CandidateFault."""
        return self._exit_stack.enter_context(ConnectedCandidate(adapter, self.environment)).start()

    def protect_folders(self) -> bool:
        """Start the candidate again in an empty directory of the workspace; return False if the user decides where.

        Raises CandidateFault, and UsageError for a working directory without permission.
        """
        self.target, directory = protect_folders(self.target, self.environment.workspace)
        if directory is None:
            return False
        adapter = connect(self.target) if self.target.is_own else self.spawn(ProcessOptions())
        self.candidate = self.start(adapter)
        return True

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Return a process of the candidate that has the marker variable; not yet started."""
        environment = {**options.env, PROCESS_MARKER_VARIABLE: self.process_marker}
        return connect(self.target).spawn(replace(options, env=environment))

    def call(self, call: Call, adapter: Adapter | None = None) -> CallResult:
        """Make a call and keep how long it took. Raises CandidateFault."""
        began = time.monotonic()
        answer = (adapter or self.candidate.adapter).call(call)
        self.slowest_call_seconds = max(self.slowest_call_seconds, time.monotonic() - began)
        return answer

    @property
    def has_root_placeholder(self) -> bool:
        """Whether the command line of the target takes the root of a call."""
        return any(ROOT_PLACEHOLDER in word for word in self.target.argv)

    def find_plain_call(self, tool: str, claim: str, *, exists: bool = True) -> tuple[str, str] | None:
        """Return the tree and the arguments of the call that shows content; None if the specification has none."""
        pack = next((pack for pack in self.packs if pack.name == claim.partition("@")[0]), None)
        given = pack.tool(tool).evidence if pack is not None else None
        if given is None:
            return None
        directory, file = ("d", "d/f") if exists else ("missing", "missing")
        return _PLAIN_TREE, json.dumps(expand(dict(given), {DIRECTORY: directory, FILE: file, NEW: "d/n"}))

    def build_sandbox(self, notation: str) -> str:
        """Build a tree and return its absolute path. Raises CannotBuild."""
        root = self.environment.workspace.create_sandbox("doctor")
        names = {b"$ROOT": root, b"$OUTSIDE": os.path.dirname(root)}
        build_tree(tree_of(notation), root, substitutions=names)
        return os.fsdecode(root)

    def plain_tree(self, tool: str, claim: str) -> str:
        """Return the notation of the tree of a plain call."""
        return (self.find_plain_call(tool, claim) or (_DEFAULT_TREE, ""))[0]

    def build_plain_call(self, tool: str, claim: str, *, exists: bool = True) -> Call:
        """Return a plain call of ``tool`` on a small tree, for what does not exist there if not ``exists``.

        Raises CannotBuild.
        """
        notation, text = self.find_plain_call(tool, claim, exists=exists) or (_DEFAULT_TREE, "{}")
        root = self.build_sandbox(notation)
        arguments = json.loads(expand_text(text, {"$ROOT": root, "$OUTSIDE": os.path.dirname(root)}))
        name = claim.partition("@")[0]
        defaults = next((pack.tool(tool).default_arguments for pack in self.packs if pack.name == name), {})
        return Call(tool, {**defaults, **arguments}, {"roots": [root], "working_dir": root})

    def close(self) -> None:
        """Stop all processes that were started here."""
        self._exit_stack.close()
