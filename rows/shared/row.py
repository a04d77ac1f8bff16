"""Changes at the adapter: each acts on calls, answers and trees, and can be planted into any candidate."""

import errno
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from treeproof.api import Call, CallResult, PlantedChange, drop_dac_capabilities

Send = Callable[[Call], CallResult]
Answering = Callable[["Sent"], CallResult]


@dataclass(frozen=True)
class Row:
    """A change; `plant` returns it with a state of its own, for one start of the candidate.

    Of several rows, those of a later `stage` are around those of an earlier one: they see the call first, and the
    answer last.
    """

    plant: Callable[[], PlantedChange]
    stage: int = 0


def _answered(change: PlantedChange, send: Send, call: Call) -> CallResult:
    return change(call, send)


def chain(rows: Iterable[Row]) -> Row:
    """Return several rows as one; those of one stage are around each other in their order, the first inside."""
    ordered = sorted(rows, key=lambda row: row.stage)

    def create() -> PlantedChange:
        changes = [row.plant() for row in ordered]

        def change(call: Call, send: Send) -> CallResult:
            for around in changes:
                send = partial(_answered, around, send)
            return send(call)

        return change

    return Row(create)


@dataclass(frozen=True)
class Sent:
    """A call with a change: how it is made, and what it is about."""

    call: Call
    send: Send

    @property
    def arguments(self) -> Any:
        return self.call.arguments

    @cached_property
    def root(self) -> Path:
        """The directory of the call: its working directory, which is in a sandbox root."""
        return Path(str(self.call.context["working_dir"]))

    def answer(self, arguments: Any = ...) -> CallResult:
        """Return the candidate's answer, to other `arguments` if they are given."""
        if arguments is ...:
            return self.send(self.call)
        return self.send(replace(self.call, arguments=arguments, arguments_text=None))

    def with_arguments(self, arguments: Any) -> "Sent":
        """Return the call with other arguments; with the text of its own if they are the same object."""
        if arguments is self.arguments:
            return self
        return replace(self, call=replace(self.call, arguments=arguments, arguments_text=None))

    def answer_at(self, root: Path | str, arguments: Any) -> CallResult:
        """Return the candidate's answer to other arguments, with another directory as the sandbox."""
        context = {**self.call.context, "roots": [str(root)], "working_dir": str(root)}
        return self.send(replace(self.call, arguments=arguments, arguments_text=None, context=context))


def row_of(answering: Callable[[], Answering], tools: tuple[str, ...], stage: int = 0) -> Row:
    """Return the row that answers calls of the `tools` by a new `answering` for each start of the candidate."""

    def create() -> PlantedChange:
        answer = answering()

        def change(call: Call, send: Send) -> CallResult:
            if call.tool not in tools:
                return send(call)
            # File modes apply to what a row sees and does, as they do to the candidate.
            with drop_dac_capabilities():
                return answer(Sent(call, send))

        return change

    return Row(create, stage)


def with_value(answer: CallResult, value: Any) -> CallResult:
    """Return an answer with another JSON value as its content, also in place of an error."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return replace(answer, status="ok", content=content, error_kind=None, error_message=None)


def lstat(path: Path | str) -> os.stat_result | None:
    """Return the metadata of a path, None if there is nothing or no name can be made of the text."""
    try:
        return os.lstat(path)
    except ValueError:
        return None
    except OSError as error:
        return _lstat_in_steps(Path(path)) if error.errno == errno.ENAMETOOLONG else None


def _lstat_in_steps(path: Path) -> os.stat_result | None:
    """Return the metadata of a path that is too long for one call of the system."""
    folder = os.open(path.parts[0], os.O_PATH)
    try:
        for name in path.parts[1:-1]:
            inner = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.lstat(path.name, dir_fd=folder)
    except OSError:
        return None
    finally:
        os.close(folder)
