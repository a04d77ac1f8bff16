"""The image of a candidate: its command, its variables, and which programs and files it has."""

import contextlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import join

from treeproof.candidate import CandidateFault, Target, UsageError, format_untrusted

from .engine import Engine, EngineRefusal

_NAME_BYTES = 8
_DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Image:
    """An image that is on this machine: what it starts, and where."""

    engine: Engine
    name: str
    entry_point: tuple[str, ...]
    usual_words: tuple[str, ...]
    """What follows the entry point, unless the target says it."""
    directory: str
    env: Mapping[str, str]
    _absolute_words: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    _programs: dict[str, bool | None] = field(default_factory=dict)

    def command(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the command line of a candidate whose target has ``words``."""
        return self.entry_point + (words or self.usual_words)

    def has_program(self, name: str) -> bool | None:
        """Return whether the image has a program on its PATH; None if that cannot be known here."""
        if name not in self._programs:
            folders = self.env.get("PATH", _DEFAULT_PATH).split(":")
            with self._files() as root:
                found = [os.path.lexists(f"{root}{join('/', folder, name)}") for folder in folders]
                self._programs[name] = None if root is None else any(found)
        return self._programs[name]

    def absolute(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """Return a command line for another working directory: words that name a file of the image are absolute."""
        if argv not in self._absolute_words:
            with self._files() as root:
                self._absolute_words[argv] = tuple(self._absolute(word, root) for word in argv)
        return self._absolute_words[argv]

    def _absolute(self, word: str, root: str | None) -> str:
        place = join(self.directory, word)
        is_file = root is not None and not word.startswith("-") and os.path.isfile(f"{root}{place}")
        return place if is_file or word.startswith(("./", "../")) else word

    @contextlib.contextmanager
    def _files(self) -> Iterator[str | None]:
        """Yield a path to the files of the image: those of a container that never starts; None if there is none."""
        name = new_name()
        try:
            with contextlib.suppress(CandidateFault):
                process = self.engine.create(name, (), "", self.start_words(self.command(())))
                root = None if process is None else f"/proc/{process}/root"
                yield root if root is not None and os.path.isdir(root) else None
                return
            yield None
        finally:
            self.engine.remove(name)

    def start_words(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Return the end of the engine's command line, for the command line of a candidate."""
        return ("--entrypoint", argv[0], self.name, *argv[1:])


def new_name() -> str:
    """Return a name for a container, which nobody can guess."""
    return f"treeproof-{secrets.token_hex(_NAME_BYTES)}"


def find_image(engine: Engine, target: Target, where: str) -> Image:
    """Return the image of a target. Raises UsageError, which begins with ``where``."""
    assert target.image is not None
    shown = format_untrusted(target.image, 200)
    if target.image.startswith("-") or not target.image.strip():
        raise UsageError(f"{where}: '{shown}' is not the name of an image")
    try:
        found = json.loads(engine.run("image", "inspect", target.image))
    except EngineRefusal as refusal:
        if _is_missing(str(refusal)):
            raise UsageError(
                f"{where}: there is no image '{shown}' on this machine, and none is fetched unasked; "
                f"write {engine.name} pull {shown}, or build it"
            ) from None
        raise UsageError(f"{where}: {engine.name} does not work here: {refusal}; try {engine.name} info") from None
    except ValueError:
        raise UsageError(f"{where}: {engine.name} image inspect prints no JSON; try {engine.name} info") from None
    config = (found[0] if found else {}).get("Config") or {}
    entry_point, words = tuple(config.get("Entrypoint") or ()), tuple(config.get("Cmd") or ())
    if not (entry_point or target.argv or words):
        raise UsageError(f"{where}: the image '{shown}' has no command; write one after its name, or as command")
    env = dict(entry.partition("=")[::2] for entry in config.get("Env") or ())
    return Image(engine, target.image, entry_point, target.argv or words, config.get("WorkingDir") or "/", env)


def _is_missing(problem: str) -> bool:
    text = problem.lower()
    return "no such image" in text or "image not known" in text or "failed to find image" in text
