"""The records of a running scenario: calls, their effects, injected faults, opened directories, evidence.

Small records that a World owns. Nothing here calls a candidate.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from treeproof.candidate import Call, CallResult, ToolDefinition
from treeproof.run.sandbox import Sandbox
from treeproof.tree import (
    RENAME_CALLS,
    CannotBuild,
    InotifyWatch,
    Snapshot,
    Tree,
    diff_snapshots,
    failure_args,
    fault_args,
    loses_content,
    tree_diff,
)
from treeproof.verdict import Mismatch, NotVerified
from treeproof.verdict.plain_text import truncate


class CallLog:
    """The calls of a scenario and their results, in order; and the tool definition that was requested last.

    A call without a result has ended with a fault, or the suite has killed its process.
    """

    def __init__(self) -> None:
        self._exchanges: list[tuple[Call, CallResult | None]] = []
        self._further: tuple[Call, CallResult] | None = None
        self.unanswered_call: Call | None = None
        """The scenario's own call at which the candidate broke; None if it broke at a control call."""
        self.broken_call: Call | None = None
        """The call at which the candidate broke."""
        self.definition: ToolDefinition | None = None

    @property
    def calls(self) -> list[Call]:
        """All calls, with or without a result."""
        return [call for call, _ in self._exchanges]

    @property
    def answers(self) -> list[CallResult]:
        """The results, without those of calls that have none."""
        return [answer for _, answer in self._exchanges if answer is not None]

    def add(self, call: Call, answer: CallResult | None = None) -> None:
        """Record a call as the last one, with its result if there is one already."""
        self._exchanges.append((call, answer))

    def add_answer(self, answer: CallResult) -> None:
        """Record the result of the last call."""
        self._exchanges[-1] = self._exchanges[-1][0], answer

    def show_further(self, call: Call, answer: CallResult) -> None:
        """Let evidence show a call that a step has made itself: a control call, or one that is compared with the last.

        It is not one of ``calls``.
        """
        self._further = call, answer

    def keep_first(self, count: int) -> None:
        """Forget all calls but the first ``count``."""
        del self._exchanges[count:]

    def until(self, answer_index: int | None) -> list[tuple[Call, CallResult | None]]:
        """Return the calls that lead to an answer, each with its result, None if it has none.

        The last of them is the call of ``answers[answer_index]``. For None, or an index without an answer, it is the
        last call, or the one of ``show_further``.
        """
        answered = [at for at, (_, answer) in enumerate(self._exchanges) if answer is not None]
        if answer_index is None or not -len(answered) <= answer_index < len(answered):
            return [*self._exchanges, *([self._further] if self._further is not None else [])]
        return self._exchanges[: answered[answer_index] + 1]

    @property
    def last_answer(self) -> CallResult:
        """The result of the last call. Raises Mismatch if there is none."""
        answers = self.answers
        if not answers:
            raise Mismatch("no call was made before this step")
        return answers[-1]


class EffectRecorder:
    """The tree before and after the last call, and the snapshot that is compared after each call.

    ``reads_trees`` is True when a tool of the specification changes the tree.
    """

    def __init__(self, sandbox: Sandbox, *, reads_trees: bool) -> None:
        self.before: Tree | None = None
        self.after: Tree | None = None
        self.expected: Tree | None = None
        self.changed_by_suite = False
        """True when the suite itself has changed the tree between two calls."""
        self.mount_namespace_root = b""
        """Path through which the candidate's mount namespace is read; empty for the suite's own."""
        self.reads_trees = reads_trees
        self._sandbox = sandbox
        self._baseline: Snapshot | Tree | None = None

    @property
    def has_baseline(self) -> bool:
        """True once the state before the first call was read."""
        return self._baseline is not None

    def forget_trees(self) -> None:
        """Forget the trees before and after the last call: evidence shows another call."""
        self.before = self.after = self.expected = None

    def take_baseline(self) -> None:
        """Read the state before the first call, once."""
        if self._baseline is None:
            self._baseline = self._state()
            if isinstance(self._baseline, Tree):
                self.before = self._baseline

    def reset_baseline(self) -> None:
        """Read the state again before the next call, because the suite itself has changed the tree."""
        self._baseline = None
        self.changed_by_suite = True

    def take_changes(self) -> tuple[list[str], bool]:
        """Return the changes since the state was read and whether content is lost, and read it again."""
        before, self._baseline = self._baseline, self._state()
        changes = _changes(before, self._baseline)
        if not changes or not isinstance(before, Snapshot) or not isinstance(self._baseline, Snapshot):
            return changes, False
        return changes, loses_content(before, self._baseline)

    def changes(self) -> list[str]:
        """Return the changes since the state was read in the tree or beside it, as texts."""
        return _changes(self._baseline, self._state())

    def _state(self) -> Snapshot | Tree:
        """Return the state as the comparison needs it; a tool that changes trees has its trees read anyway."""
        return self.read_tree() if self.reads_trees else self._sandbox.snapshot()

    def read_tree(self) -> Tree:
        """Return the current tree as the candidate sees it."""
        return self._sandbox.read_tree(self.mount_namespace_root)


def _changes(before: Snapshot | Tree | None, after: Snapshot | Tree) -> list[str]:
    if isinstance(before, Tree) and isinstance(after, Tree):
        return tree_diff(before, after)
    return diff_snapshots(before, after) if isinstance(before, Snapshot) and isinstance(after, Snapshot) else []


class FaultInjection:
    """The faults and the tracing that a scenario requires, and the observed ones."""

    def __init__(self) -> None:
        self.strace_args: tuple[bytes, ...] = ()
        self.trace_lines: tuple[str, ...] = ()
        self.injected_count = 0
        self.is_required = False
        """True when a step requires that a fault is injected."""
        self.uncounted_errors: tuple[str, ...] = ()
        """Injected errors that only make a program take another way; they are no evidence of the fault."""
        self.may_be_without_effect = False
        """True when a program can have finished before the fault: it may need fewer system calls than others."""
        self.on_delay: Callable[[], object] | None = None
        """Called once, in a thread, when a system call of the candidate begins to wait in an injected delay."""
        self.race = ""
        """What changes in the tree while a call runs, as a clause; empty if nothing does."""
        self.race_rounds = 0
        """The number of calls during which the tree was changed."""

    @property
    def makes_calls_fail(self) -> bool:
        """True when a step makes system calls fail, or takes from the process what they need."""
        return self.may_be_without_effect or any(arg.startswith(b"inject=") for arg in self.strace_args)

    def args_for(self, sandbox: Sandbox, *, spares_opens: bool = False) -> tuple[bytes, ...]:
        """Return the arguments of strace for the next call; empty if none is needed. Raises NotVerified.

        With ``spares_opens``, the faults of the tree let directories be opened.
        """
        args = self.strace_args
        if sandbox.tree.faults():
            try:
                args = (*args, *fault_args(sandbox.tree, sandbox.root, spares_opens=spares_opens))
            except CannotBuild as error:
                raise NotVerified("fault_not_injected", f"the faults cannot be injected: {error}") from error
        if sandbox.roots.simulates_cross_device:
            # link() does not fail: a complete copy may get its first name by a link.
            paths = (path for path, _ in sandbox.tree.walk())
            args = (*args, *failure_args(RENAME_CALLS, "error=EXDEV", paths, sandbox.root))
        return args

    def take_delay_callback(self) -> Callable[[], object] | None:
        """Return the callback for the next call and forget it."""
        callback, self.on_delay = self.on_delay, None
        self.race_rounds += bool(self.race)
        return callback

    def check_simulation(self, sandbox: Sandbox, lines: Sequence[str]) -> None:
        """Raise NotVerified if the simulated other file system has refused a renaming within it.

        strace selects calls by one of their names, so it also meets the one that gives a copy there its final name.
        """
        far = sandbox.roots.second_root
        if not sandbox.roots.simulates_cross_device or far is None:
            return
        inside, outside = os.fsdecode(far), os.fsdecode(sandbox.root)
        refused = (line for line in lines if " EXDEV " in line and line.endswith("(INJECTED)"))
        if any(inside in line and outside not in line for line in refused):
            raise NotVerified(
                "fault_not_injected",
                "there is one file system only, and the simulation of another met a renaming in it",
            )

    def record(self, injected_count: int, lines: Sequence[str]) -> None:
        """Add the observations of one traced call."""
        uncounted = sum(
            line.endswith("(INJECTED)") and any(f"-1 {error} " in line for error in self.uncounted_errors)
            for line in lines
        )
        self.injected_count += injected_count - uncounted
        self.trace_lines += tuple(lines)


class ScenarioEvidence:
    """The observations of the steps: readings, warnings, the expected result as text.

    ``is_determined`` returns whether the document requires the same reading of an interpretation every time.
    """

    def __init__(self, *, is_strict: bool, is_determined: Callable[[str], bool]) -> None:
        self.readings: dict[str, str] = {}
        self.warnings: list[str] = []
        self.expected_text = ""
        self._is_strict = is_strict
        self._is_determined = is_determined

    def record_reading(self, interpretation: str, label: str) -> None:
        """Record the reading that an answer shows.

        An earlier answer of the scenario with another reading gives a warning. Raises Mismatch instead if the document
        requires the same reading every time.
        """
        before = self.readings.setdefault(interpretation, label)
        if before == label:
            return
        message = f"an earlier answer shows the reading {before} of {interpretation}, and this one {label}"
        if self._is_determined(interpretation):
            raise Mismatch(message, compares_answers=True, kind=f"two readings of {interpretation}")
        if message not in self.warnings:
            self.warn(message)

    def warn_first(self, text: str) -> None:
        """Record a warning, unless there is one with the same words before the first colon."""
        kind = text.partition(":")[0]
        if not any(one.partition(":")[0] == kind for one in self.warnings):
            self.warn(text)

    def warn(self, text: str) -> None:
        """Record a warning; raises Mismatch instead under the strict profile."""
        if self._is_strict:
            raise Mismatch(text)
        self.warnings.append(truncate(text, 400))


class DirectoryWatch:
    """The watch of one scenario. It counts only during calls, so treeproof's own accesses are not recorded."""

    def __init__(self) -> None:
        self.enabled = False
        """True if a step requests the watch; set before the first call."""
        self._watch: InotifyWatch | None = None
        self._opened_directories: frozenset[bytes] = frozenset()
        self._read_directories: frozenset[bytes] = frozenset()
        self._opened_files: frozenset[bytes] = frozenset()

    def start(self, folder: bytes) -> None:
        """Start to watch all directories below ``folder``, once and if enabled. Raises NotVerified."""
        if self.enabled and self._watch is None:
            try:
                self._watch = InotifyWatch(folder)
                self._watch.__enter__()
            except CannotBuild as reason:
                raise _unavailable(reason) from reason

    @contextmanager
    def during_call(self) -> Iterator[None]:
        """Record the directories that are opened in this context. Raises NotVerified if they cannot be recorded."""
        if self._watch is None:
            yield
            return
        self._watch.arm()
        try:
            yield
        finally:
            try:
                self._opened_directories |= self._watch.stop_and_read()
                self._read_directories |= self._watch.read_directories
                self._opened_files |= self._watch.opened_files
            except CannotBuild as reason:
                raise _unavailable(reason) from reason

    def opened_directories(self) -> frozenset[bytes]:
        """Return the directories that the calls have opened so far, relative to the parent of the root."""
        if self._watch is None:
            raise Mismatch("nothing was watched; add the step 'opened directories are watched'")
        return self._opened_directories

    def read_directories(self) -> frozenset[bytes]:
        """Return the directories whose names the calls have read so far, relative to the parent of the root."""
        self.opened_directories()
        return self._read_directories

    def opened_files(self) -> frozenset[bytes]:
        """Return what the calls have opened so far and is no directory, relative to the parent of the root."""
        self.opened_directories()
        return self._opened_files

    def check_evidence(self) -> None:
        """Raise NotVerified if the watch was enabled and recorded nothing; called after the last step."""
        if self.enabled and not self._opened_directories:
            raise NotVerified("not_observed", "the watch recorded no opened directory, so it shows nothing")

    def close(self) -> None:
        """Stop watching."""
        if self._watch is not None:
            self._watch.__exit__(None, None, None)


def _unavailable(reason: CannotBuild) -> NotVerified:
    return NotVerified("watch_unavailable", f"opened directories cannot be watched here: {reason}")
