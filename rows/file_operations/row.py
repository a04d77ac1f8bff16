"""Rows of the file operations: where the call and the tree are like this, the call or the tree is like that.

A row acts at the adapter: on the call, on the answer, and by plain operations on the tree after the call.
"""

import json
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from treeproof.api import CallResult

from ..shared.row import Answering, Row, Sent, lstat, row_of, with_value

NAMES = {"move": ("move", "rename", "mv"), "copy": ("copy", "cp"), "list": ("list_directory", "listdir", "ls", "dir")}
"""The names of each tool, its own one first."""

ALLOWED = {"tools": {"fileops": {"allow_overwrite": True}}}
"""The configuration that allows overwriting."""

REASONS = ("BadArgs", "SandboxViolation", "ExecutionFailed", "ApprovalDenied")
"""The kinds of the errors of a tool, in their order."""

Values = dict[str, Any]
Entries = list[dict[str, Any]]
Memory = dict[Any, Any]


@dataclass(frozen=True)
class At:
    """A call, and what it is about as the tree was before it. Of a call without two paths, both are the root."""

    sent: Sent
    is_transfer: bool  # it has two paths that can be names
    named: Path  # the source, whose last name may be a link
    source: Path  # what is moved or copied: for a copy, where the links lead
    destination: Path
    final: Path  # the destination, or the name in that directory
    found: os.stat_result | None
    existing: os.stat_result | None

    @property
    def name(self) -> str:
        """The name by which the tool is called."""
        return self.sent.call.tool

    @property
    def arguments(self) -> Any:
        return self.sent.arguments

    @property
    def context(self) -> Values:
        return dict(self.sent.call.context)

    @property
    def policy(self) -> Values:
        return dict(self.context.get("policy") or {})

    @property
    def enters(self) -> bool:
        """Whether the destination is a directory in which the source gets a name."""
        return self.final != self.destination

    @property
    def overwrites(self) -> bool:
        """Whether the argument requests it."""
        return self.argument("overwrite") is True

    @property
    def may_replace(self) -> bool:
        """Whether an entry of the final name may be replaced."""
        return self.overwrites and flag_in(self.context.get("config"), "tools", "fileops") is True

    @property
    def is_far(self) -> bool:
        """Whether the final name is on another file system."""
        folder = lstat(self.final.parent)
        return self.found is not None and folder is not None and folder.st_dev != self.found.st_dev

    @property
    def is_own_place(self) -> bool:
        """Whether the final name lies in the source itself."""
        return self.is_dir and self.final.parent.is_relative_to(self.source)

    @property
    def mode(self) -> int:
        return self.found.st_mode if self.found else 0

    @property
    def is_dir(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def replaces(self) -> bool:
        """Whether a regular file has the final name."""
        return self.existing is not None and stat.S_ISREG(self.existing.st_mode)

    @property
    def is_same(self) -> bool:
        """Whether source and final name are one file."""
        return self.found is not None and self.existing is not None and os.path.samestat(self.found, self.existing)

    def root_of(self, path: Path) -> Path | None:
        """Return the innermost sandbox root that holds a path without links."""
        roots = [Path(os.path.realpath(root)) for root in self.context["roots"]]
        return max(
            (root for root in roots if path.is_relative_to(root)), key=lambda root: len(root.parts), default=None
        )

    def argument(self, key: str) -> Any:
        return self.arguments.get(key) if isinstance(self.arguments, dict) else None

    def answer(self, **changes: Any) -> CallResult:
        """Return the candidate's answer to other values of some arguments."""
        return self.sent.answer({**self.arguments, **changes})

    def forced(self) -> CallResult:
        """Return the candidate's answer to the call with an overwrite that is allowed."""
        return with_context(self.sent, {**self.context, "config": ALLOWED}).answer(
            {**self.arguments, "overwrite": True}
        )

    def forbidden(self, kind: str) -> CallResult:
        """Return an error of a kind, unless the candidate has another reason before: it is called without approval."""
        policy = {**self.policy, "mode": "prompt", "allowlist": [], "prompt_side_effects": True}
        answer = with_context(self.sent, {**self.context, "policy": policy, "approval": "deny"}).answer()
        if answer.error_kind not in REASONS[: REASONS.index(kind)] and answer.error_kind in REASONS:
            answer = replace(answer, error_kind=kind, error_message="the call is refused")
        return replace(answer, approval_requested=None if answer.approval_requested is None else False)

    def refused(self) -> CallResult:
        """Return the candidate's answer to the call for a source that is not there."""
        return self.answer(source="nothing/has/this name")


def with_context(sent: Sent, context: Values) -> Sent:
    """Return the call with another context; a value that is None is left out."""
    known = {key: value for key, value in context.items() if value is not None}
    return sent if known == sent.call.context else replace(sent, call=replace(sent.call, context=known))


def flag_in(config: Any, *names: str, key: str = "allow_overwrite") -> Any:
    """Return the value of a key in a table of the configuration; None if it is not there."""
    for name in (*names, key):
        config = config.get(name) if isinstance(config, dict) else None
    return config


def root_of(sent: Sent) -> Path:
    context: Any = sent.call.context
    return Path(str(context.get("working_dir") or context["roots"][0]))


def tool_of(sent: Sent) -> str:
    """Return the tool's own name."""
    return next(names[0] for names in NAMES.values() if sent.call.tool in names)


def text_of(sent: Sent, key: str) -> str:
    """Return a path of the call, the empty text if it has none that can be a name."""
    text = sent.arguments.get(key) if isinstance(sent.arguments, dict) else None
    is_name = isinstance(text, str) and "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)
    return str(text) if is_name else ""


def place_of(sent: Sent, key: str) -> Path:
    """Return the place of a path: a name, that may be a link, in a directory without links."""
    path = os.path.join(root_of(sent), text_of(sent, key)).rstrip("/") or "/"
    above, name = os.path.split(path)
    return Path(os.path.realpath(path)) if name in ("", ".", "..") else Path(os.path.realpath(above), name)


def look(sent: Sent) -> At:
    """Return what a call is about, as the tree is now."""
    named, destination = place_of(sent, "source"), place_of(sent, "destination")
    source = Path(os.path.realpath(named)) if sent.call.tool in NAMES["copy"] else named
    enters = os.path.isdir(destination)
    final = Path(os.path.realpath(destination)) / named.name if enters else destination
    is_transfer = bool(text_of(sent, "source") and text_of(sent, "destination"))
    return At(sent, is_transfer, named, source, destination, final, lstat(source), lstat(final))


def done(answer: CallResult) -> CallResult:
    """Return the answer of a call that succeeded."""
    return replace(answer, status="ok", content="Done", error_kind=None, error_message=None)


def failed(answer: CallResult, message: str = "the transfer failed") -> CallResult:
    return replace(answer, status="error", content=None, error_kind="ExecutionFailed", error_message=message)


def is_failed(answer: CallResult) -> bool:
    return answer.error_kind == "ExecutionFailed"


def write(path: Path, content: bytes) -> None:
    """Give a file other content, and nothing else."""
    found = os.lstat(path)
    os.chmod(path, 0o600)
    path.write_bytes(content)
    os.chmod(path, stat.S_IMODE(found.st_mode))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


class Change(TypedDict, total=False):
    """What a row changes, where `where` is so, in calls by the names of `on` (without it: of move and copy).

    The call: `arguments` replaces them if they are an object, `path`, `source` and `destination` a path; `context`,
    `policy` and `config` what the names mean. `force` returns whether an entry of the final name is replaced without
    permission, `refuse` whether the call fails; `forbid` returns the kind of its error then, or true, and the call
    fails where the tool would have checked it. The tree: `after` acts after a success, and `content` changes the
    content of the file then; `mtime` the time, `mode` the permissions. `failing` acts after a failure of the transfer,
    and after `retry`, which does the same, the call is made again. `copies` and `moves` make the copy of a directory
    from source to final name; in a move to another file system, the source is removed then. The answer: `entries`
    changes those of a listing, `answer` makes the answer, and `keeps` too, with a memory that begins with each start.
    """

    on: str
    where: Callable[[At], Any]
    arguments: Callable[[Values], Any]
    path: Callable[[str], str]
    source: Callable[[str], str]
    destination: Callable[[str], str]
    context: Callable[[Values], Values]
    policy: Callable[[Values], Values]
    config: Callable[[Any, str], Any]
    force: Callable[[At], Any]
    refuse: Callable[[At], Any]
    forbid: Callable[[At], Any]
    after: Callable[[At], Any]
    content: Callable[[bytes], bytes]
    mode: Callable[[int], int]
    mtime: Callable[[int], int]
    failing: Callable[[At], Any]
    retry: Callable[[At], Any]
    copies: Callable[[str, str], Any]
    moves: Callable[[str, str], Any]
    entries: Callable[[Entries], Entries]
    answer: Callable[[At], CallResult]
    keeps: Callable[[At, Memory], CallResult]


def row(stage: int = 0, **change: Unpack[Change]) -> Row:
    """Return the row that makes a change of the calls."""
    usual = "copy" if "copies" in change else "move" if "moves" in change else "move copy"
    names = change.get("on", usual).split()

    def answering() -> Answering:
        memory: Memory = {}
        return lambda sent: _answer(sent, change, memory)

    return row_of(answering, tuple(tool for name in names for tool in NAMES.get(name, (name,))), stage)


def _answer(sent: Sent, change: Change, memory: Memory) -> CallResult:
    at = look(sent)
    if "where" in change and not change["where"](at):
        return sent.answer()
    if "keeps" in change:
        return change["keeps"](at, memory)
    if "answer" in change:
        return change["answer"](at)
    if at.is_transfer and "force" in change and at.existing is not None and change["force"](at):
        return at.forced()
    if at.is_transfer and "refuse" in change and change["refuse"](at):
        return at.refused()
    if at.is_transfer and "forbid" in change and (reason := change["forbid"](at)):
        return at.forbidden(reason if isinstance(reason, str) else "ExecutionFailed")
    changed = _changed(sent, change)
    received = changed.answer()
    if changed is not sent and "entries" not in change:
        return received
    if "entries" in change:
        return _with_entries(received, change["entries"])
    if not at.is_transfer:
        return received
    if "copies" in change or "moves" in change:
        return _with_tree(at, received, change)
    try:
        if received.status == "ok":
            _act(at, change)
        elif is_failed(received) and ("failing" in change or "retry" in change):
            change.get("failing", change.get("retry", bool))(at)
            return sent.answer() if "retry" in change else received
    except OSError:
        return failed(received)
    return received


def _changed(sent: Sent, change: Change) -> Sent:
    context: Values = dict(sent.call.context)
    given = sent.arguments
    if "context" in change:
        context = change["context"](context)
    if "policy" in change and (policy := change["policy"](dict(context.get("policy") or {}))):
        context["policy"] = policy
    if "config" in change:
        context["config"] = change["config"](context.get("config"), tool_of(sent))
    sent = with_context(sent, context)
    if not isinstance(given, dict):
        return sent
    arguments = change["arguments"](given) if "arguments" in change else given
    for key in "source", "destination":
        for act in (one for one in (change.get("path"), change.get(key)) if callable(one)):
            if isinstance(arguments, dict) and isinstance(arguments.get(key), str):
                arguments = {**arguments, key: act(arguments[key])}
    # By their texts: 1 is equal to true.
    return sent if repr(arguments) == repr(given) else sent.with_arguments(arguments)


def _act(at: At, change: Change) -> None:
    if "after" in change:
        change["after"](at)
    found = lstat(at.final)
    if found is None or stat.S_ISLNK(found.st_mode):
        return
    if "content" in change and stat.S_ISREG(found.st_mode):
        write(at.final, change["content"](at.final.read_bytes()))
    if "mode" in change:
        os.chmod(at.final, change["mode"](stat.S_IMODE(found.st_mode)))
    if "mtime" in change:
        os.utime(at.final, ns=(found.st_atime_ns, change["mtime"](found.st_mtime_ns)))


def _with_tree(at: At, received: CallResult, change: Change) -> CallResult:
    """Return the answer of a call whose directory is transferred by the row, whatever the candidate has done."""
    is_free = at.existing is None and at.final.parent.is_dir() and not at.is_own_place
    is_meant = at.is_dir and ("where" in change or is_free) and ("moves" not in change or at.is_far)
    if not is_meant or not (received.status == "ok" or is_failed(received)):
        return received
    if received.status == "ok" and "moves" in change:
        shutil.move(at.final, at.source)
    elif received.status == "ok":
        shutil.rmtree(at.final)
    try:
        change.get("moves", change.get("copies", max))(str(at.source), str(at.final))
        if "moves" in change:
            shutil.rmtree(at.source)
    except OSError:
        return failed(received)
    return done(received)


def _with_entries(answer: CallResult, change: Callable[[Entries], Entries]) -> CallResult:
    if answer.status != "ok" or answer.content is None:
        return answer
    document = json.loads(answer.content)
    return with_value(answer, {**document, "entries": change(document["entries"])})
