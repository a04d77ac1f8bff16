"""The text of an answer as the tool wrote it, for steps about bytes."""

from __future__ import annotations

from treeproof.api import CallResult, NotVerified


def own_text(answer: CallResult) -> str:
    """Return the content of an answer. Raises NotVerified if the manifest makes it from the values of the tool."""
    if answer.is_mapped:
        raise mapped_output()
    return answer.content or ""


def mapped_output() -> NotVerified:
    """Return the cause of a verdict that a mapped output cannot give."""
    return NotVerified(
        "mapped_output", "the manifest makes the output from the tool's values: its text is not the tool's"
    )
