"""The outcomes of scenarios, the exceptions by which a step reports them, and the causes of missing verdicts.

Judges no requirement.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Literal, get_args

from treeproof.spec.catalogue import Harm
from treeproof.verdict.difference import difference_kind
from treeproof.verdict.plain_text import plain_text


class Outcome(enum.StrEnum):
    """The five outcomes of a scenario, as reports spell them."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_VERIFIED = "not-verified"
    NOT_APPLICABLE = "not-applicable"
    FAULT = "fault"


CauseCode = Literal[
    # of a requirement
    "no_scenario",
    "not_selected",
    "missing_shard",
    "interrupted",
    "did_not_run",
    "candidate_did_not_start",
    # of a scenario, from the candidate
    "missing_capability",
    "missing_tool",
    "adapter_unsupported",
    "mapped_output",
    "unknown_error_kind",
    "no_persistent_process",
    "modes_ignored",
    "fault_not_injected",
    "fault_without_effect",
    "not_observed",
    "race_not_met",
    "no_evidence",
    "other_requirement",
    "blocked",
    "not_called",
    # of a scenario, from the host or the run
    "host_lacks",
    "tree_not_buildable",
    "no_space",
    "trace_unavailable",
    "watch_unavailable",
    "no_model",
    "not_simulated",
    "ended_by_hook",
    # of a scenario that ended with a fault
    "candidate_fault",
    "candidate_timeout",
    "adapter_fault",
    "harness_fault",
]
"""The cause of a missing verdict, as a code for programs."""

_NOT_OBSERVABLE = "none on your side: the candidate reads the tree with system calls that treeproof does not observe"
_ELSEWHERE = "; on another system than Linux, run in a container"
_CHECK_CONNECTION = "run `treeproof doctor TARGET` to check the connection"
REMEDIES: Mapping[str, str] = {
    "no_scenario": "none on your side, unless the specification is yours: then write a scenario",
    "not_selected": "run without --select and --shard, or merge the reports of all shards",
    "missing_shard": "merge the reports of all shards",
    "interrupted": "run again",
    "did_not_run": "run again; if it happens again, report an error of treeproof",
    "candidate_did_not_start": "run `treeproof doctor TARGET` to check the connection step by step",
    "missing_capability": "implement this part of a call's context and list it under `capabilities` in the result of "
    "initialize (docs/protocol.md; for an MCP server: docs/mcp.md)",
    "missing_tool": "list the tool under `tools` in the result of initialize, or, for a Python function, in [tools] of "
    "its manifest (docs/manifest.md)",
    "adapter_unsupported": "change the manifest (docs/mcp.md), or use another adapter kind",
    "no_persistent_process": "use an adapter kind whose process handles several calls, such as stdio",
    "modes_ignored": "run treeproof and the candidate as an ordinary user",
    "fault_not_injected": "none on your side: the candidate does not make the system call that was to fail, or makes "
    "one that treeproof does not observe",
    "fault_without_effect": "usually none: the failure met nothing that the candidate needed, or its library "
    "hides such failures",
    "mapped_output": "let the tool write the document itself; a mapping keeps values, not bytes",
    "not_observed": _NOT_OBSERVABLE,
    "blocked": "correct the requirement that blocks it, then run again",
    "race_not_met": "run again, on a machine that does less at the same time",
    "not_called": "correct the fault that the cause names; the next run makes this call too",
    "tree_not_buildable": "set TREEPROOF_WORKSPACE to a folder on a file system that supports it (tmpfs or ext4 on "
    "Linux); devices need CAP_MKNOD",
    "no_space": "free disk space, or set TREEPROOF_WORKSPACE to a folder on a disk with more free space",
    "trace_unavailable": "install strace and allow ptrace (in a container: --cap-add=SYS_PTRACE)",
    "watch_unavailable": f"allow inotify watches (sysctl fs.inotify.max_user_watches){_ELSEWHERE}",
    "candidate_fault": _CHECK_CONNECTION,
    "candidate_timeout": "look at the tree of such a scenario (`treeproof explain ID --report run.json`): opening a "
    "special file or following a circle of links never ends; if every call times out, run `treeproof doctor TARGET`",
    "adapter_fault": _CHECK_CONNECTION,
    "harness_fault": "none on your side: report an error of treeproof",
}
"""The remedy for a cause, by its code; the other codes have no general remedy."""
_ON_TMPFS = "set TREEPROOF_WORKSPACE to a folder on tmpfs"
FACILITY_REMEDIES: Mapping[str, str] = {
    "non_utf8_names": f"{_ON_TMPFS} or ext4",
    "case_sensitive": "set TREEPROOF_WORKSPACE to a folder on a file system that distinguishes case",
    "normal_forms": f"{_ON_TMPFS} or ext4",
    "folding": "run as root with /dev/fuse (in a container: --device=/dev/fuse --cap-add=SYS_ADMIN), or install "
    "fusermount3 (apt-get install fuse3); or set "
    "TREEPROOF_WORKSPACE to a folder on a file system that folds case, such as APFS",
    "symlinks": f"{_ON_TMPFS} or ext4",
    "special_files": f"{_ON_TMPFS} or ext4",
    "mknod": "run as root with CAP_MKNOD",
    "huge_files": f"{_ON_TMPFS} (/dev/shm); ext4 has a limit of 16 TiB",
    "wide_mtimes": f"{_ON_TMPFS} (/dev/shm)",
    "shm": "mount a tmpfs at /dev/shm (in a container: --shm-size=256m); only speed depends on it",
    "disk": "set TMPDIR to a writable folder on a disk",
    "disk_space": "set TMPDIR to a folder on a disk with 6 GiB left",
    "drop_caps": "run treeproof and the candidate as an ordinary user",
    "devpts": "mount devpts at /dev/pts",
    "inotify": f"allow inotify: sysctl fs.inotify.max_user_instances and max_user_watches{_ELSEWHERE}",
    "strace": "install strace and allow ptrace (in a container: --cap-add=SYS_PTRACE; sysctl "
    f"kernel.yama.ptrace_scope below 2){_ELSEWHERE}",
    "isolation": "install bubblewrap (apt-get install bubblewrap) and allow user namespaces (in a container: "
    "--cap-add=SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined)",
    "namespaces": "install util-linux (unshare) and mount, and allow user namespaces (sysctl "
    f"kernel.unprivileged_userns_clone=1) and mounts in them{_ELSEWHERE}",
}
"""The remedy for a facility that the host lacks, by its name in ``treeproof.tree.PROBES``."""


class Mismatch(AssertionError):
    """The candidate did not do what the step requires: the scenario fails.

    ``expected`` and ``got`` are parts of the answer, as it should be and as it is: JSON, names or bytes, never a
    sentence about them, which belongs into the message. Without ``expected``, reports show the words of the step.
    ``diff`` shows the difference, to the byte where possible. ``answer_index`` is the index of the wrong answer in the
    answers of the scenario, or of the random case; None: the last one. ``compares_answers``: several answers differ
    that should be equal. ``kind``: the difference; names, paths and numbers are removed from it. By default it is made
    from the message. ``harm``: what the call did, whatever the requirement. ``context`` is the condition under which
    it was found ("the control call: "). It is the beginning of ``message``; reports ignore it when they group
    messages. ``scenario`` holds the steps of a scenario with the same difference, if the case was generated.
    ``is_other_form``: the output is not of the form that [view] describes, which one requirement may own.

    Values of other types are shown as JSON, because a mistake in a step must not end the run. Raises ValueError for a
    ``harm`` that reports do not know.
    """

    def __init__(
        self,
        message: str,
        *,
        expected: str = "",
        got: str = "",
        diff: str = "",
        context: str = "",
        compares_answers: bool = False,
        kind: str = "",
        harm: Harm | None = None,
        answer_index: int | None = None,
    ) -> None:
        if harm is not None and harm not in get_args(Harm):
            raise ValueError(f"harm is {plain_text(harm)}; write one of: {', '.join(get_args(Harm))}")
        message, context = plain_text(message), plain_text(context)
        super().__init__(context + message)
        self.message = context + message
        self.expected = plain_text(expected)
        self.got = plain_text(got)
        self.diff = plain_text(diff)
        self.context = context
        self.compares_answers = compares_answers
        self.kind = difference_kind(plain_text(kind) if kind else message)
        self.harm: Harm | None = harm
        self.answer_index = answer_index
        self.scenario = ""
        self.is_other_form = False

    def within(self, context: str) -> Mismatch:
        """Return the same mismatch, found under the condition ``context``."""
        return self._changed(context + self.context, self.answer_index)

    def at_answer(self, index: int) -> Mismatch:
        """Return the same mismatch, found in the answer with this index unless it names another one."""
        return self._changed(self.context, index if self.answer_index is None else self.answer_index)

    def _changed(self, context: str, answer_index: int | None) -> Mismatch:
        result = Mismatch(
            self.message.removeprefix(self.context),
            expected=self.expected,
            got=self.got,
            diff=self.diff,
            context=context,
            compares_answers=self.compares_answers,
            kind=self.kind,
            harm=self.harm,
            answer_index=answer_index,
        )
        result.scenario, result.is_other_form = self.scenario, self.is_other_form
        return result


class NotVerified(Exception):
    """The scenario could not be verified here: ``code`` classifies the cause, ``detail`` describes it.

    ``remedy`` replaces the one that REMEDIES holds for the code.
    """

    def __init__(self, code: CauseCode, detail: str, remedy: str | None = None) -> None:
        self.code: CauseCode = code
        self.detail = plain_text(detail)
        self.remedy = None if remedy is None else plain_text(remedy)
        super().__init__(self.detail)


class NotSent(NotVerified):
    """The adapter could not transmit a call, whatever the candidate would have answered."""


class NotApplicable(Exception):
    """The condition of the specification does not hold here (a rule for Windows on Linux)."""

    def __init__(self, condition: str) -> None:
        self.condition = plain_text(condition)
        super().__init__(self.condition)
