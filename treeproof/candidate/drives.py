"""The paths of this machine as a candidate on Windows spells them, and back: directories of the run are drives there.

Changes texts and messages, and makes the links by which Wine finds a drive. Starts nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from treeproof.candidate.messages import Call, CallResult, Json

_WORKSPACE, _FURTHER = "W:", ("V:", "U:", "T:", "S:", "R:", "Q:")


class Drives:
    """Directories as drives of Windows, one of them the workspace; ``folder`` has a link for each."""

    def __init__(self, folder: Path, workspace: str) -> None:
        self._folder = folder
        self._letters: dict[str, str] = {}
        self._add(_WORKSPACE, workspace)

    def _add(self, letter: str, directory: str) -> None:
        (self._folder / letter.lower()).symlink_to(directory)
        self._letters[directory] = letter

    def add_root(self, root: str, directory: str) -> Path:
        """Make ``directory`` the drive ``X:/``; return the link, which the caller removes."""
        link = self._folder / root[:2].lower()
        link.unlink(missing_ok=True)
        link.symlink_to(directory)
        return link

    def has(self, path: str) -> bool:
        """Return whether a path is in a directory that is a drive."""
        return any(f"{path}/".startswith(f"{known}/") for known in self._letters)

    def add_workspace(self, directory: str) -> None:
        """Make another workspace, on another file system, one more drive if there is a letter left."""
        free = [letter for letter in _FURTHER if letter not in self._letters.values()]
        if free:
            self._add(free[0], directory)

    def to_windows(self, text: str) -> str:
        """Return a text with drives in place of the paths of their directories; no other character changes."""
        for directory, letter in sorted(self._letters.items(), key=lambda item: -len(item[0])):
            text = text.replace(f"{directory}/", f"{letter}/")
        return text

    def native(self, path: str) -> str:
        """Return a whole path as Windows spells it, with backslashes."""
        if not path.startswith("/"):
            return path
        spelt = self.to_windows(f"{path}/")[:-1]
        return (f"Z:{path}" if spelt == path else spelt).replace("/", "\\") + ("\\" if len(spelt) == 2 else "")

    def native_file(self, word: str) -> str:
        """Return a word of a command line, or a variable, as Windows spells it if it is the path of a file here."""
        return self.native(word) if word.startswith("/") and os.path.exists(word) else word

    def from_windows(self, text: str) -> str:
        """Return a text with the paths of directories in place of their drives, where a slash follows."""
        for directory, letter in self._letters.items():
            text = text.replace(f"{letter}/", f"{directory}/")
        return text

    def from_native(self, text: str) -> str:
        """Return a message with paths that have slashes in place of those with backslashes."""
        letters = "".join(letter[0] for letter in self._letters.values())
        pattern = rf"\b[{letters}]:\\[^\"'<>|*?:\n]*"
        return self.from_windows(re.sub(pattern, lambda found: re.sub(r"\\+", "/", found[0]), text))

    def from_native_json(self, content: str) -> str:
        """Return JSON text in which a text that is a path on a drive has slashes, and begins with its directory."""
        letters = "".join(letter[0] for letter in self._letters.values())

        def convert(found: re.Match[str]) -> str:
            if not re.match(rf'"(?:[{letters}]:)(?:\\\\|/)', found[0]):
                return found[0]
            return self.from_windows(re.sub(r"\\(.)", lambda one: "/" if one[1] == "\\" else one[0], found[0]))

        return re.sub(r'"(?:[^"\\]|\\.)*"', convert, content)

    # ---- messages -----------------------------------------------------------------------------------------------

    def map_call(self, call: Call) -> Call:
        """Return a call with paths of Windows: roots and working directory as it spells them."""
        roots, start = call.context.get("roots"), call.context.get("working_dir")
        native: dict[str, Json] = {}
        if isinstance(roots, list):
            native["roots"] = [self.native(root) if isinstance(root, str) else root for root in roots]
        if isinstance(start, str):
            native["working_dir"] = self.native(start)
        text = call.arguments_text
        return replace(
            call,
            arguments=self._map(call.arguments),
            context={**{key: self._map(value) for key, value in call.context.items()}, **native},
            arguments_text=None if text is None else self.to_windows(text),
        )

    def map_answer(self, answer: CallResult, *, is_native: bool = False) -> CallResult:
        """Return an answer with the paths of this machine, which changes no other character.

        ``is_native``: the text is not judged as it is, so that its paths may have backslashes.
        """
        content = answer.content
        if content is not None:
            content = self.from_native(self.from_native_json(content)) if is_native else self.from_windows(content)
        message = None if answer.error_message is None else self.from_native(answer.error_message)
        return replace(answer, content=content, error_message=message)

    def _map(self, value: Json) -> Json:
        match value:
            case str():
                return self.to_windows(value)
            case list():
                return [self._map(one) for one in value]
            case dict():
                return {self.to_windows(key): self._map(one) for key, one in value.items()}
            case _:
                return value
