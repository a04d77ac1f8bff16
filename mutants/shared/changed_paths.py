"""What errors do to a path after it was checked. Contains no mutants."""

import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

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
