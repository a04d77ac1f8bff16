"""Errors at the adapter: each acts on calls, answers and trees, and can be planted into any candidate."""

import json
import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from treeproof.api import Call, CallResult, drop_dac_capabilities

from .mutant import Mutant, create_mutant

Send = Callable[[Call], CallResult]
Answering = Callable[["Sent"], CallResult]


@dataclass(frozen=True)
class Sent:
    """A call with an error: how it is made, and what it is about."""

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


def plant(
    id: str, summary: str, violates: tuple[str, ...], answering: Callable[[], Answering], tools: tuple[str, ...]
) -> Mutant:
    """Return a mutant that answers calls of the `tools` by a new `answering` for each start of the candidate."""

    def create() -> Callable[[Call, Send], CallResult]:
        answer = answering()

        def error(call: Call, send: Send) -> CallResult:
            if call.tool not in tools:
                return send(call)
            # File modes apply to what an error sees and does, as they do to the candidate.
            with drop_dac_capabilities():
                return answer(Sent(call, send))

        return error

    return replace(create_mutant(id, summary, violates, _no_factory), plant=create)


def _no_factory() -> Any:
    raise RuntimeError("a mutant at the adapter has no candidate of its own")


CHANGES_AFTER_THE_CHECK: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("Backslashes become slashes", lambda path: path.replace("\\", "/")),
    ("Escapes of addresses are decoded", unquote),
    ("Escapes of addresses are decoded until none is left", lambda path: unquote(unquote(path))),
    ("Blanks before a path are removed", lambda path: path.lstrip(" ")),
    ("Line breaks before a path are removed", lambda path: path.lstrip("\n")),
    ("Quotes around a path are removed", lambda path: path.strip("'")),
    ("Marks that show nothing are removed", lambda path: path.replace("\u200b", "")),
    ("A path is normalised to NFKC", lambda path: unicodedata.normalize("NFKC", path)),
    ("The address of a file becomes its path", lambda path: path.removeprefix("file://")),
)
"""What happens to a path after it was checked: the beginning of a summary and the change."""


def with_value(answer: CallResult, value: Any) -> CallResult:
    """Return an answer with another JSON value as its content, also in place of an error."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return replace(answer, status="ok", content=content, error_kind=None, error_message=None)


def lstat(path: Path | str) -> os.stat_result | None:
    """Return the metadata of a path, None if there is nothing or no name can be made of the text."""
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None
