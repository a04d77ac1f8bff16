"""The image of a candidate: its command, its variables, and which programs and files it has."""

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from posixpath import join

from treeproof.candidate import Target, UsageError, format_untrusted

from .engine import Engine, EngineRefusal

_DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Image:
    """An image that is on this machine: what it starts, and where. ``id`` stays, whatever ``name`` means later."""

    engine: Engine
    name: str
    id: str
    entry_point: tuple[str, ...]
    usual_words: tuple[str, ...]
    """What follows the entry point, unless the target says it."""
    directory: str
    env: Mapping[str, str]
    _programs: frozenset[str] | None = None
    _files: frozenset[str] = frozenset()

    def command(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command line of a candidate whose target has ``words``."""
        return self.entry_point + (words or self.usual_words)

    def start_words(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Return the end of the engine's command line, for the command line of a candidate."""
        return ("--entrypoint", argv[0], self.id, *argv[1:])

    def learn(self, process: int | None, argv: Sequence[str]) -> None:
        """Note, once, the programs of a container whose program has not started, and the files that words name."""
        root = f"/proc/{process}/root"
        if self._programs is not None or process is None or not os.path.isdir(root):
            return
        names: list[str] = []
        for folder in self.env.get("PATH", _DEFAULT_PATH).split(":"):
            with contextlib.suppress(OSError):
                names += os.listdir(f"{root}{join('/', folder)}")
        self._programs = frozenset(names)
        self._files = frozenset(word for word in argv if os.path.isfile(f"{root}{join(self.directory, word)}"))

    def has_program(self, name: str) -> bool | None:
        """Return whether the image has a program on its PATH; None if that is not known."""
        return None if self._programs is None else name in self._programs

    def absolute(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Return a command line for another working directory: words that name a file of the image are absolute."""
        return tuple(
            join(self.directory, word) if word in self._files or word.startswith(("./", "../")) else word
            for word in argv
        )


_found: dict[tuple[Engine, str], Image] = {}
"""The images of this process: what it has learned of one holds for all its containers."""


def find_image(engine: Engine, target: Target, where: str) -> Image:
    """Return the image of a target. Raises UsageError, which begins with ``where``."""
    assert target.image is not None
    shown = format_untrusted(target.image, 200)
    if target.image.startswith("-") or not target.image.strip():
        raise UsageError(f"{where}: '{shown}' is not the name of an image")
    image = _found.get((engine, target.image)) or _inspect(engine, target.image, where, shown)
    if not image.command(target.argv):
        raise UsageError(f"{where}: the image '{shown}' has no command; write one after its name, or as command")
    _found[engine, target.image] = image
    return image


def _inspect(engine: Engine, name: str, where: str, shown: str) -> Image:
    try:
        [found] = json.loads(engine.run("image", "inspect", name))
    except EngineRefusal as refusal:
        if _is_missing(str(refusal)):
            raise UsageError(
                f"{where}: there is no image '{shown}' on this machine, and none is fetched unasked; "
                f"write {engine.name} pull {shown}, or build it"
            ) from None
        raise UsageError(f"{where}: {engine.name} does not work here: {refusal}; try {engine.name} info") from None
    except ValueError:
        raise UsageError(f"{where}: {engine.name} image inspect prints no JSON; try {engine.name} info") from None
    config = found.get("Config") or {}
    env = dict(entry.partition("=")[::2] for entry in config.get("Env") or ())
    entry_point, words = tuple(config.get("Entrypoint") or ()), tuple(config.get("Cmd") or ())
    return Image(engine, name, found["Id"], entry_point, words, config.get("WorkingDir") or "/", env)


def _is_missing(problem: str) -> bool:
    text = problem.lower()
    return "no such image" in text or "image not known" in text or "failed to find image" in text
