"""The checks of an adapter, in the order in which they are made. Each says in one line what it saw.

No verdict is made here: whether a tool's answer is right is not asked, only whether the answer arrives.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeproof.candidate import (
    CAPABILITIES,
    Adapter,
    Answer,
    Call,
    CandidateFault,
    CannotAsk,
    Hello,
    Launch,
    connect,
    shown,
    unnamed_members,
)
from treeproof.run.bench import MARK, Bench, Check
from treeproof.tree import CannotBuild

_LATE_SECONDS = 0.2
_ODD_DIRECTORY = "a b é日\U0001f600'\"$&"
_ODD_TREE = r"""'a b \u00e9\u65e5\U0001f600\'"$&'/{inside}, 'x\xff'"""

_INSTEAD: Mapping[str, str] = {
    "start": "see that the command line starts the candidate when you type it yourself in its folder, or that the "
    "server listens",
    "hang": "answer every request line with one line and flush it; a slow candidate raises call_timeout or "
    "start_timeout in the manifest",
    "exit": "let the process live until shutdown, and answer what goes wrong in a tool with status error",
    "framing": 'write one line {"jsonrpc": "2.0", "id": <that of the request>, "result": …} for each request, and '
    "everything else to stderr",
    "flood": "keep the answer within max_answer_bytes of the manifest",
    "protocol": "let the result fit the message's JSON Schema in treeproof/candidate/schemas",
    "lying": "declare in initialize what holds in every process, and nothing else",
    "glue": 'answer a tool\'s own failure with the result {"status": "error", "error": {"kind": …, "message": …}}',
    "crash": 'catch what the tool raises and return {"status": "error", "error": {"kind": …, "message": …}}',
}


def checks(bench: Bench) -> Iterator[Check]:
    """Make all checks. After a handshake that fails nothing else can be asked."""
    for name, made in _CHECKS:
        try:
            yield from made(bench)
        except CannotAsk as why:
            yield Check(name, "not checked", str(why))
        except CandidateFault as fault:
            yield _fault(name, fault)
            break
    yield from _nothing_left(bench)


def _fault(name: str, fault: CandidateFault) -> Check:
    early = name == "handshake" and fault.fault == "exit"
    return Check(name, "wrong", str(fault), _INSTEAD["start" if early else fault.fault])


# --- what is asked of the candidate itself ---


def _handshake(bench: Bench) -> Iterator[Check]:
    began = time.monotonic()
    # A candidate in this process has no environment of its own; any other bears the mark from the start.
    in_process = bench.target.kind == "python"
    try:
        bench.adapter = connect(bench.target) if in_process else bench.fresh(Launch())
    except CannotAsk:  # a server that somebody else has started
        bench.adapter = connect(bench.target)
    hello = bench.hello = bench.adapter.start(str(bench.workspace.path))
    took = time.monotonic() - began
    limit = bench.target.limits.start_seconds
    who = shown(" ".join(part for part in (hello.name, hello.version) if part), 80)
    said = f"{who} answered initialize in {took:.2f} s (limit {limit:g} s)"
    yield Check("handshake", "note" if took > limit / 2 else "ok", said, _SLOW if took > limit / 2 else "")
    yield from _unnamed("initialize", hello.raw)
    yield from _claims(bench, hello)


def _claims(bench: Bench, hello: Hello) -> Iterator[Check]:
    packs = {pack.name: pack for pack in bench.packs}
    for tool, claim in hello.tools.items():
        name, _, version = claim.partition("@")
        pack = packs.get(name)
        what = f"{shown(tool, 60)} claims {shown(claim, 60)}"
        if pack is None:
            known = ", ".join(f"{p.name}@{p.version}" for p in bench.packs)
            yield Check(
                "tools", "note", f"{what}, which is not bundled", f"bundled: {known}; or run with --spec"
            )
        elif tool not in {one.name for one in pack.tools}:
            names = ", ".join(one.name for one in pack.tools)
            yield Check(
                "tools", "wrong", f"{what}, which has no such tool", f"name it as {name} does: {names}"
            )
        elif version != pack.version:
            yield Check(
                "tools", "note", f"{what}; judged by {name}@{pack.version}", f"claim {name}@{pack.version}"
            )
        else:
            yield Check("tools", "ok", what)
    if not hello.tools:
        yield Check(
            "tools", "wrong", "no tool is offered", 'name them: "tools": {"<tool>": "<spec>@<version>"}'
        )
    strange = sorted(hello.capabilities - set(CAPABILITIES))
    if strange:
        words = ", ".join(shown(word, 40) for word in strange)
        yield Check("capabilities", "wrong", f"unknown: {words}", f"write some of {', '.join(CAPABILITIES)}")
    else:
        needed = {
            word
            for tool, claim in hello.tools.items()
            if (pack := packs.get(claim.partition("@")[0]))
            for one in pack.tools
            if one.name == tool
            for word in one.capabilities
        }
        missing = [word for word in CAPABILITIES if word in needed - hello.capabilities]
        lacking = f"; without {', '.join(missing)}, what needs them is not verified" if missing else ""
        declared = ", ".join(sorted(hello.capabilities)) or "none"
        yield Check("capabilities", "ok", f"declared: {declared}{lacking}")
    register = {entry.id: entry.labels for pack in bench.packs for entry in pack.interpretations}
    for entry, label in hello.interpretations.items():
        if label not in register.get(entry, ()):
            choice = (
                f"one of {', '.join(register[entry])}" if entry in register else "an id that `treeproof list "
            )
            choice += "" if entry in register else "interpretations` prints"
            said = f"{shown(entry, 40)} = {shown(label, 40)} is in no register"
            yield Check("interpretations", "wrong", said, f"write {choice}")


def _describe(bench: Bench) -> Iterator[Check]:
    assert bench.adapter is not None and bench.hello is not None
    for tool in bench.hello.tools:
        name = f"describe {shown(tool, 40)}"
        definition = bench.adapter.describe(tool)
        if definition.name != tool:
            said = f"it says that its name is {shown(definition.name, 60)}"
            yield Check(name, "wrong", said, f'answer {{"name": "{shown(tool, 60)}", …}}')
            continue
        absent = [k for k in ("description", "input_schema") if getattr(definition, k) is None]
        said = f"answered{'; it does not say ' + ' nor '.join(absent) if absent else ''}"
        yield Check(name, "note" if absent else "ok", said)
        yield from _unnamed("describe", definition.raw)


def _call(bench: Bench) -> Iterator[Check]:
    assert bench.hello is not None
    for tool, claim in bench.hello.tools.items():
        name = f"call {shown(tool, 40)}"
        try:
            answer = bench.ask(bench.call_of(tool, claim))
        except CannotBuild as refusal:
            yield Check(name, "not checked", f"this machine cannot make the tree: {refusal}")
            continue
        if answer.status != "ok" and bench.sample(tool, claim) is None:
            said = f"no scenario calls it plainly; without arguments it answers {answer.kind}"
            yield Check(name, "ok", said)  # to refuse nothing is an answer
        else:
            yield _answered(name, answer)
        yield from _unnamed("call", _result_of(answer))
        yield from _reported(bench.hello, answer)


def _answered(name: str, answer: Answer) -> Check:
    if answer.status == "ok":
        return Check(name, "ok", f"answered ok with {len(answer.content or '')} characters")
    said = f"a plain call is answered with {answer.kind}: {shown(answer.message or '', 120)}"
    return Check(
        name, "note", said, "see that the glue passes context.roots, context.working_dir and arguments on"
    )


def _reported(hello: Hello, answer: Answer) -> Iterator[Check]:
    for capability, what in (("context", answer.context), ("log", answer.log)):
        if capability in hello.capabilities and what is None:
            said = f"{capability} is declared, and the answer has no member {capability}"
            yield Check(
                "capabilities", "note", said, f'answer {{…, "{capability}": …}}, or do not declare it'
            )


def _result_of(answer: Answer) -> Any:
    """What came as the result, for a look at members that the protocol does not name."""
    whole = json.loads(answer.raw)
    return whole["result"] if isinstance(whole, dict) and "jsonrpc" in whole else whole


def _unnamed(method: str, raw: object) -> Iterator[Check]:
    unnamed = unnamed_members(f"{method}.result", raw)
    if unnamed:
        members = ", ".join(shown(path, 60) for path in unnamed[:5]) + (", …" if len(unnamed) > 5 else "")
        yield Check(f"members of {method}", "note", f"not named by the protocol, ignored: {members}")


def _names(bench: Bench) -> Iterator[Check]:
    assert bench.hello is not None
    for tool, claim in bench.hello.tools.items():
        if '"path"' not in json.dumps(bench.call_of(tool, claim).arguments):
            continue
        why = bench.machine.why_not("non_utf8_names")
        if why is not None:
            yield Check("names", "not checked", f"a name that is not UTF-8 cannot be made here: {why}")
            return
        root = bench.place(_ODD_TREE)
        for path, what, sought in (
            (".", "a name that is not UTF-8 comes out", "x"),
            (_ODD_DIRECTORY, "an unusual path goes in", "inside"),
        ):
            answer = bench.ask(Call(tool, {"path": path}, {"roots": [root], "working_dir": root}))
            if answer.status != "ok":
                said = f"{what}: {answer.kind}: {shown(answer.message or '', 120)}"
                yield Check("names", "note", said, _UNCHANGED)
            else:
                names = (text.rpartition("/")[2] for text in _texts(answer.content) if "\n" not in text)
                found = next((name for name in names if name.startswith(sought)), None)
                seen = (
                    f"as '{shown(found, 40)}'"
                    if found
                    else f"but no text in the content's JSON names '{sought}'"
                )
                yield Check(
                    "names", "ok" if found else "note", f"{what}, {seen}", "" if found else _UNCHANGED
                )
        return


_UNCHANGED = "see that the content is the tool's JSON and the glue passes texts on unchanged"


def _texts(content: str | None) -> Iterator[str]:
    with contextlib.suppress(ValueError, RecursionError):
        waiting = [json.loads(content or "")]
        while waiting:
            match waiting.pop():
                case str(text):
                    yield text
                case list(items):
                    waiting += items
                case dict(members):
                    waiting += members.values()


def _quiet(bench: Bench) -> Iterator[Check]:
    assert bench.adapter is not None and bench.hello is not None
    time.sleep(_LATE_SECONDS)
    for tool in list(bench.hello.tools)[:1]:
        bench.adapter.describe(tool)  # what came late on stdout is a fault here
    in_process = bench.target.kind == "python"
    said = bench.adapter.diagnostics()
    lines = len(said.splitlines())
    if in_process and said:
        last = shown(said.splitlines()[-1], 80)
        yield Check(
            "stdout", "note", f"it prints ({lines} lines; the last: {last}); kept apart from its answers"
        )
    elif not in_process:
        yield Check("stdout", "ok", "nothing but answers, one line for each request")
        left_out = "; more than is kept" if "earlier bytes left out" in said else ""
        yield Check("stderr", "note" if left_out else "ok", f"{lines} lines, read and kept apart{left_out}")
    limit = bench.target.limits.call_seconds
    slow = bench.slowest > limit / 2
    told = f"the slowest answer took {bench.slowest:.2f} s (limit {limit:g} s)"
    yield Check("time", "note" if slow else "ok", told, _SLOW if slow else "")


_SLOW = (
    "raise call_timeout or start_timeout in the manifest, so that a busy machine is no fault of the candidate"
)


# --- what is done to its process ---


def _process(bench: Bench) -> Iterator[Check]:
    """A second process, started elsewhere: stopped, killed, and asked again each time."""
    assert bench.hello is not None
    limits = bench.target.limits
    patience = min(limits.call_seconds, max(1.0, 4 * bench.slowest))
    quick = replace(bench.target, limits=replace(limits, call_seconds=patience))
    other = bench.second = bench.fresh(Launch(cwd=b"/", umask=0o077), quick)
    try:
        hello = other.start(str(bench.workspace.path))
        plain = next((bench.call_of(tool, claim) for tool, claim in bench.hello.tools.items()), None)
        if plain is None:
            return
        bench.ask(plain, other)
    except CandidateFault as fault:
        yield Check("second process", "wrong", f"in the working directory /: {fault}", _ELSEWHERE)
        return
    same = (hello.tools, hello.capabilities) == (bench.hello.tools, bench.hello.capabilities)
    said = "started in another working directory, it answers" + (
        "" if same else ", but declares something else"
    )
    yield Check("second process", "ok" if same else "wrong", said, "" if same else _INSTEAD["lying"])
    if other.pid is None:
        yield Check("time-out", "not checked", "no process lives between two messages")
        return
    wrecks = ((signal.SIGSTOP, "time-out", "hang"), (signal.SIGKILL, "crash", "exit"))
    for number, name, expected in wrecks:
        yield _wrecked(bench, other, plain, number, name, expected)


_ELSEWHERE = "find files beside the program itself, not in the working directory (in a manifest: {folder}/…)"


def _wrecked(
    bench: Bench, other: Adapter, plain: Call, number: signal.Signals, name: str, expected: str
) -> Check:
    """Stop or kill the process: a call must end as that fault, the next one with an answer of a new process."""
    assert other.pid is not None
    os.kill(other.pid, number)
    time.sleep(0.02)
    try:
        other.call(plain)
    except CandidateFault as fault:
        if fault.fault != expected:
            return _fault(name, fault)
        told = fault.detail.removeprefix("call: ").partition(";")[0]
    else:
        return Check(name, "wrong", f"after {number.name} to its process it still answers", _INSTEAD["start"])
    try:
        bench.ask(plain, other)
    except CandidateFault as fault:
        return Check(name, "wrong", f"started again after {number.name}: {fault}", _INSTEAD[fault.fault])
    return Check(name, "ok", f"told as such ({shown(told, 80)}); started again, it answers")


def _shutdown(bench: Bench) -> Iterator[Check]:
    assert bench.adapter is not None
    seconds = bench.target.limits.close_seconds
    began = time.monotonic()
    bench.adapter.close()
    took = time.monotonic() - began
    farewell = getattr(bench.adapter, "farewell", None)
    if farewell is not None:
        instead = f"answer shutdown with null and exit with 0 within {seconds:g} s"
        yield Check("shutdown", "wrong", shown(farewell, 200), instead)
    elif bench.target.kind == "command":
        yield Check("shutdown", "not checked", "one process a message: it has ended each time")
    else:
        yield Check("shutdown", "ok", f"done in {took:.2f} s (limit {seconds:g} s)")


def _nothing_left(bench: Bench) -> Iterator[Check]:
    bench.close()
    left = bench.orphans.end() or len(_marked(bench.mark))
    if left:
        several = "process is" if left == 1 else "processes are"
        instead = "end the processes that the candidate starts before it exits; do not make daemons of them"
        yield Check("left behind", "wrong", f"{left} {several} still running after the end", instead)
    else:
        yield Check("left behind", "ok", "no process")
    known = {"owner", *map(str, range(1, 1000))}
    strange = [name for name in _listed(bench.workspace.path) if name not in known]
    if strange:
        names = ", ".join(shown(name, 40) for name in strange[:5])
        yield Check("left behind", "note", f"in the workspace: {names}", "write nothing beside the fixtures")


def _listed(path: Path) -> list[str]:
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def _marked(mark: str) -> list[int]:
    """The processes that bear the mark, as /proc tells."""
    sought, found = f"{MARK}={mark}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if sought in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


_CHECKS: tuple[tuple[str, Callable[[Bench], Iterator[Check]]], ...] = (
    ("handshake", _handshake),
    ("describe", _describe),
    ("call", _call),
    ("names", _names),
    ("stdout", _quiet),
    ("second process", _process),
    ("shutdown", _shutdown),
)
