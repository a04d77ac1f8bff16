"""Looks at a running MCP server and writes its manifest: `treeproof init`.

It calls only tools that list, move or copy, and gives them no path but those of a small tree that it has built.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treeproof.candidate import (
    MANIFEST_NAME,
    Adapter,
    Call,
    CallResult,
    CandidateFault,
    Limits,
    Target,
    UnsupportedByAdapter,
    UsageError,
    connect,
    format_untrusted,
)
from treeproof.candidate.manifest import SCHEMA
from treeproof.candidate.orphans import OrphanReaper
from treeproof.candidate.tool_mapping import map_arguments
from treeproof.run.call_builder import expand
from treeproof.run.candidate_folders import with_own_home
from treeproof.run.positive_evidence import DIRECTORY as EVIDENCE_DIRECTORY
from treeproof.run.positive_evidence import FILE as EVIDENCE_FILE
from treeproof.run.positive_evidence import NEW as EVIDENCE_NEW
from treeproof.scaffold.answer_form import CONTENT, DIRECTORY, FILE, SECONDS, recognise, shows_listing
from treeproof.scaffold.candidate import SCHEMA_FILE
from treeproof.scaffold.file_plan import Plan
from treeproof.scaffold.launcher import program_behind
from treeproof.scaffold.mcp_manifest import (
    PATH_FORMS,
    Finding,
    LikelyTool,
    error_patterns,
    likely_tools,
    render_manifest,
    starters_of,
)
from treeproof.spec import Pack
from treeproof.tree import Workspace, usual_umask

_START_SECONDS = 120.0
"""The first start of a server may download it."""
_LISTED, _EMPTY, _MISSING, _OUTSIDE = "sub", "empty", "missing", "outside"
_MAX_EXCERPT = 160


def init_manifest(command: Sequence[str], folder: Path, packs: Sequence[Pack]) -> Plan:
    """Write the manifest of an MCP server into a folder.

    Raises UsageError for an existing manifest, a server that does not start, and one without a tool that may fit.
    """
    if os.path.lexists(folder / MANIFEST_NAME):
        raise UsageError(f"{folder / MANIFEST_NAME} exists already; remove it, or name another folder with --folder")
    if folder.resolve() != Path.cwd():  # words of the manifest start from its folder
        command = [str(Path(word).resolve()) if "/" in word and os.path.isfile(word) else word for word in command]
    target = Target(
        text=f"mcp:{' '.join(command)}",
        kind="mcp",
        folder=folder.resolve() if folder.is_dir() else Path.cwd(),
        argv=tuple(word.replace("{folder}", str(folder.resolve())) for word in command),
        limits=Limits(start_seconds=_START_SECONDS),
        is_unclaimed=True,
    )
    try:
        with usual_umask(), Workspace.create() as workspace, OrphanReaper():
            # A relative path could else name a file of the user.
            start = Path(os.fsdecode(workspace.create_sandbox("start")))
            target = replace(with_own_home(target, workspace), start_directory=start)
            with contextlib.closing(connect(target)) as adapter:
                text = _Survey(adapter, command, os.fsdecode(workspace.create_sandbox("init"))).describe(
                    str(workspace.path), packs
                )
                _require_valid(text, Path(os.fsdecode(workspace.create_sandbox("manifest"))))
    except CandidateFault as fault:
        hint = (
            "is its command line right? It starts in an empty directory: write {folder} before the names of its files"
        )
        raise UsageError(f"the server does not answer: {fault}; {hint}") from None
    files = {MANIFEST_NAME: text} | ({} if (folder / SCHEMA_FILE).exists() else {SCHEMA_FILE: SCHEMA.text})
    plan = Plan(folder, files, tuple(f"treeproof {verb} {shlex.quote(str(folder))}" for verb in ("doctor", "run")))
    plan.write()
    return plan


def _require_valid(text: str, folder: Path) -> None:
    """Raise UsageError if a manifest cannot be read, which a name of the server may cause."""
    file = folder / MANIFEST_NAME
    file.write_text(text, "utf-8")
    Target.parse(str(file))


@dataclass
class _Survey:
    """The calls of one server, below one root."""

    adapter: Adapter
    command: Sequence[str]
    root: str
    errors: list[tuple[str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    def describe(self, workspace: str, packs: Sequence[Pack]) -> str:
        """Return the manifest of the server. Raises CandidateFault and UsageError."""
        hello = self.adapter.start(workspace)
        tools: Any = hello.raw["offered"]
        self._build_tree()
        findings = list(self._find(tools, packs))
        if not findings:
            names = ", ".join(format_untrusted(tool["name"], 40) for tool in tools) or "no tool at all"
            raise UsageError(f"no tool of the server looks like one that lists, moves or copies; it offers {names}")
        command = program_behind(self.command, self.adapter.pid, self.root) or self.command
        if command is not self.command:
            self.comments.append(f"the program that {' '.join(self.command)} starts, which takes longer")
        kinds = error_patterns(self.errors, [_MISSING, *(finding.tool.name for finding in findings)])
        return render_manifest(hello.name, command, findings, kinds, self.comments)

    def _build_tree(self) -> None:
        listed = Path(self.root, _LISTED)
        (listed / DIRECTORY / _EMPTY).mkdir(parents=True)
        (listed / FILE).write_text(CONTENT, "utf-8")
        Path(os.path.dirname(self.root), _OUTSIDE).mkdir()
        for path in (listed / FILE, listed / DIRECTORY):
            os.utime(path, (SECONDS, SECONDS))

    def _find(self, tools: Sequence[Mapping[str, Any]], packs: Sequence[Pack]) -> Iterator[Finding]:
        for starter in starters_of(packs):
            likely = likely_tools(starter, tools)
            found = [self._try(tool) for tool in likely if not tool.lacking]
            working = next((finding for finding in found if finding.form), None)
            if working is not None:
                self._look_at_errors(working)
                yield working
            elif found:
                yield found[0]
            elif likely:
                what = f"requires {', '.join(likely[0].lacking)}; write it in constants"
                yield Finding(likely[0], comment=f"not called: {likely[0].name} {what}")

    def _try(self, tool: LikelyTool) -> Finding:
        """Call a tool with its paths in each form until one works."""
        finding = Finding(tool)
        for form in PATH_FORMS:
            answer = self._call(tool, form, _LISTED)
            if answer is None:
                continue
            shown = format_untrusted(answer.content or answer.error_message or "", _MAX_EXCERPT)
            finding.comment = f"no call of {tool.name} did what was expected; the last answer: {shown}"
            if not self._works(tool, answer):
                continue
            finding.form, finding.comment = form, ""
            if not tool.starter.changes_tree:
                self._read_answer(finding, answer.content or "")
            return finding
        return finding

    def _works(self, tool: LikelyTool, answer: CallResult) -> bool:
        if tool.starter.changes_tree:
            new = Path(self.root, f"{tool.starter.tool} new")
            return new.is_file() and new.read_text("utf-8") == CONTENT
        return answer.status == "ok" and shows_listing(answer.content or "")

    def _read_answer(self, finding: Finding, content: str) -> None:
        """Recognise the form of an answer, and make sure that it can be read in this form."""
        finding.answer = recognise(content)
        if finding.answer is None:
            shown = format_untrusted(content, _MAX_EXCERPT)
            finding.comment = f"the form of the answer is unknown; write [tools.NAME.output] for: {shown}"
            return
        empty = self._call(finding.tool, finding.form, f"{_LISTED}/{DIRECTORY}/{_EMPTY}")
        if empty is not None and empty.status == "ok":
            finding.answer = finding.answer.ignoring(empty.content or "", self.root)

    def _call(self, tool: LikelyTool, form: str, directory: str, *, bad: bool = False) -> CallResult | None:
        """Make the plain call of a tool on the tree, for what is missing there with that directory.

        Return None if it cannot be made.
        """
        file = f"{tool.starter.tool} old"
        if directory == _MISSING:
            file = _MISSING
        elif tool.starter.changes_tree:
            Path(self.root, file).write_text(CONTENT, "utf-8")
        names = {EVIDENCE_DIRECTORY: directory, EVIDENCE_FILE: file, EVIDENCE_NEW: f"{tool.starter.tool} new"}
        given = expand(dict(tool.starter.evidence), {**names, "$ROOT": self.root})
        context: dict[str, Any] = {"roots": [self.root], "working_dir": self.root}
        try:
            sent: Any = map_arguments(tool.config(form), dict.fromkeys(given, 5) if bad else given, context)
            return self.adapter.call(Call(tool.name, sent, context))
        except UnsupportedByAdapter:
            return None

    def _look_at_errors(self, finding: Finding) -> None:
        """Make calls that have to fail: a path outside for a tool that reads, a wrong type, a missing path."""
        outside = os.path.join(os.path.dirname(self.root), _OUTSIDE)
        calls = [("BadArgs", "", True), ("ExecutionFailed", _MISSING, False)]
        if finding.form != "rooted" and not finding.tool.starter.changes_tree:
            calls.insert(0, ("SandboxViolation", outside, False))
        for kind, directory, bad in calls:
            try:
                answer = self._call(finding.tool, finding.form, directory, bad=bad)
            except CandidateFault as fault:
                self.comments.append(f"a call that has to fail ({kind}) ended with a fault: {fault}")
                continue
            text = (
                "" if answer is None else (answer.error_message if answer.status == "error" else answer.content) or ""
            )
            if answer is None or (answer.status == "ok" and not _LIKE_AN_ERROR.search(text)):
                self.comments.append(f"{finding.tool.name}: no error that would be {kind} was seen")
                continue
            if answer.status == "ok":
                prefix = re.match(r"\W*\w+:|.{1,20}", text)
                finding.error = finding.error or f"^{re.escape(prefix[0]) if prefix else ''}"
            self.errors.append((kind, text.replace(os.path.dirname(self.root), "\n")))


_LIKE_AN_ERROR = re.compile(r"(?i)\b(error|no such|not found|denied|invalid|not exist|failed|not allowed)\b")
