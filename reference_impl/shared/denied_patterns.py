"""Denied patterns: a small glob over paths. No I/O; the sandbox decides which paths are checked.

`*` and `?` do not match a separator, `[…]` is one character of a set, `**` as a whole component is any number of
components, also none. A pattern matches the whole path below the sandbox root.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from .errors import ContextInvalid

DEFAULT_DENIES = ("**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key")


def first_match(patterns: Iterable[str], components: tuple[bytes, ...], folds_case: bool) -> str | None:
    """Return the first pattern that matches the path, or None. Raises ContextInvalid for a malformed one."""
    path = b"".join(b"/" + component for component in components)
    return next((pattern for pattern in patterns if _compile(pattern, folds_case).fullmatch(path)), None)


@lru_cache(maxsize=256)
def _compile(pattern: str, folds_case: bool) -> re.Pattern[bytes]:
    # Every component includes its leading separator, so that `**` can match no component.
    parts = pattern.encode("utf-8", "surrogatepass").split(b"/")
    text = b"".join(
        rb"(?:/[^/]+)*" if part == b"**" else b"/" + _translate_component(part)
        for part in parts
        if part not in (b"", b".")
    )
    try:
        return re.compile(text, re.IGNORECASE if folds_case else re.NOFLAG)
    except re.error as error:
        raise ContextInvalid(f"denied_patterns: {pattern!r} is not a pattern: {error}") from error


def _translate_component(part: bytes) -> bytes:
    text = re.escape(part)
    text = re.sub(rb"(?:\\\*)+", rb"[^/]*", text)
    text = text.replace(rb"\?", rb"[^/]")
    return re.sub(rb"\\\[(!|\\\^)?(.+?)\\\]", _translate_character_set, text)


def _translate_character_set(match: re.Match[bytes]) -> bytes:
    negated, members = match.groups()
    return b"(?!/)[" + (b"^" if negated else b"") + members.replace(rb"\-", b"-") + b"]"
