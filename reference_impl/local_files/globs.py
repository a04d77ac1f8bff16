"""Globs as regular expressions over the path below the search root (AMB-LF-37). No I/O.

`*` and `?` do not match a slash, `**` does, `**/` matches any number of directories, `[…]` one character, `{a,b}` one
of several texts; a backslash makes the next character literal.
"""

import re


class MalformedGlob(ValueError):
    """A glob with an unclosed bracket, brace or escape, or with a reversed range."""


class Glob:
    """A compiled glob. Raises MalformedGlob."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._position = 0
        self._brace_depth = 0
        expression = self.translate_sequence()
        if self._position < len(pattern):
            raise MalformedGlob(f"unexpected {pattern[self._position]!r} at {self._position + 1}")
        try:
            self._compiled = re.compile(expression, re.DOTALL)
        except re.error as error:  # a range such as [z-a]
            raise MalformedGlob(str(error)) from error

    def matches(self, path: str) -> bool:
        return self._compiled.fullmatch(path) is not None

    def translate_sequence(self) -> str:
        parts: list[str] = []
        while self._position < len(self._pattern):
            if self._brace_depth and self._pattern[self._position] in ",}":
                break
            parts.append(self.translate_token())
        return "".join(parts)

    def translate_token(self) -> str:
        character = self._pattern[self._position]
        at_start = self._position == 0 or self._pattern[self._position - 1] in "/{,"
        self._position += 1
        match character:
            case "*":
                return self.translate_stars(at_start)
            case "?":
                return "[^/]"
            case "[":
                return self.translate_bracket()
            case "{":
                return self.translate_braces()
            case "\\":
                if self._position == len(self._pattern):
                    raise MalformedGlob("nothing follows the backslash at the end")
                self._position += 1
                return re.escape(self._pattern[self._position - 1])
            case _:
                return re.escape(character)

    def translate_stars(self, at_start: bool) -> str:
        if not self._pattern.startswith("*", self._position):
            return self.star_expression()
        while self._pattern.startswith("*", self._position):
            self._position += 1
        if at_start and self._pattern.startswith("/", self._position):
            self._position += 1
            return self.any_directories_expression()
        return ".*"

    def star_expression(self) -> str:
        return "[^/]*"

    def any_directories_expression(self) -> str:
        return "(?:[^/]+/)*"

    def translate_bracket(self) -> str:
        end = self._pattern.find("]", self._position + 1)
        if end < 0:
            raise MalformedGlob("a bracket is not closed")
        inner = self._pattern[self._position : end]
        self._position = end + 1
        negated = inner.startswith("!")
        content = re.sub(r"([\\\[\]^&~|])", r"\\\1", inner[1:] if negated else inner)
        return f"(?!/)[{'^' if negated else ''}{content}]"

    def translate_braces(self) -> str:
        self._brace_depth += 1
        choices = [self.translate_sequence()]
        while self._position < len(self._pattern) and self._pattern[self._position] == ",":
            self._position += 1
            choices.append(self.translate_sequence())
        if self._position == len(self._pattern):
            raise MalformedGlob("a brace is not closed")
        self._position += 1
        self._brace_depth -= 1
        return f"(?:{'|'.join(choices)})"
