"""Globs as regular expressions over the path below the search root (AMB-LF-12). No I/O.

`*` and `?` stop at a slash, `**` does not, `**/` stands for any number of directories, `[…]` for one character,
`{a,b}` for one of several; a backslash takes the meaning from the next character.
"""

import re


class Malformed(ValueError):
    """A glob of which a bracket, a brace or an escape is not closed."""


class Glob:
    """A compiled glob. Raises Malformed."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0
        expression = self.sequence()
        if self._at < len(pattern):
            raise Malformed(f"unexpected {pattern[self._at]!r} at {self._at + 1}")
        self._compiled = re.compile(expression, re.DOTALL)

    def matches(self, path: str) -> bool:
        return self._compiled.fullmatch(path) is not None

    def sequence(self) -> str:
        parts: list[str] = []
        while self._at < len(self._pattern):
            if self._depth and self._pattern[self._at] in ",}":
                break
            parts.append(self.piece())
        return "".join(parts)

    def piece(self) -> str:
        character = self._pattern[self._at]
        at_start = self._at == 0 or self._pattern[self._at - 1] in "/{,"
        self._at += 1
        match character:
            case "*":
                return self.stars(at_start)
            case "?":
                return "[^/]"
            case "[":
                return self.bracket()
            case "{":
                return self.braces()
            case "\\":
                if self._at == len(self._pattern):
                    raise Malformed("nothing follows the backslash at the end")
                self._at += 1
                return re.escape(self._pattern[self._at - 1])
            case _:
                return re.escape(character)

    def stars(self, at_start: bool) -> str:
        if not self._pattern.startswith("*", self._at):
            return self.star()
        while self._pattern.startswith("*", self._at):
            self._at += 1
        if at_start and self._pattern.startswith("/", self._at):
            self._at += 1
            return self.any_levels()
        return ".*"

    def star(self) -> str:
        return "[^/]*"

    def any_levels(self) -> str:
        return "(?:[^/]+/)*"

    def bracket(self) -> str:
        end = self._pattern.find("]", self._at + 1)
        if end < 0:
            raise Malformed("a bracket is not closed")
        inner = self._pattern[self._at : end]
        self._at = end + 1
        negated = inner.startswith("!")
        content = re.sub(r"([\\\[\]^&~|])", r"\\\1", inner[1:] if negated else inner)
        return f"(?!/)[{'^' if negated else ''}{content}]"

    def braces(self) -> str:
        self._depth += 1
        choices = [self.sequence()]
        while self._at < len(self._pattern) and self._pattern[self._at] == ",":
            self._at += 1
            choices.append(self.sequence())
        if self._at == len(self._pattern):
            raise Malformed("a brace is not closed")
        self._at += 1
        self._depth -= 1
        return f"(?:{'|'.join(choices)})"
