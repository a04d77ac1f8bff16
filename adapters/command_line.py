"""The words of a candidate's command line, for processes that start in another directory than its folder."""

from collections.abc import Sequence
from pathlib import Path


def absolute_files(argv: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return a command line in which the words that name a file in ``folder`` are absolute.

    A word such as ``./data`` or ``--config=./data`` also names a directory; a plain ``data`` may mean anything.
    """
    return tuple(_absolute_word(word, folder) for word in argv)


def _absolute_word(word: str, folder: Path) -> str:
    option, equals, value = word.rpartition("=") if word.startswith("-") else ("", "", word)
    path = folder / value
    is_relative = value.startswith(("./", "../"))
    try:
        is_path = (path.is_file() and (is_relative or not option)) or (is_relative and path.is_dir())
    except OSError:  # code or text that is too long for a path
        is_path = False
    return f"{option}{equals}{path}" if is_path else word
