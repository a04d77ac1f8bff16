"""The words of a command line that name files in the folder of a candidate."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeproof.adapters.command_line import absolute_files


@pytest.mark.parametrize(
    ("word", "is_absolute"),
    [
        ("tool.py", True),
        ("./tool.py", True),
        ("--config=./tool.py", True),
        ("./data", True),
        ("data", False),
        ("--config=tool.py", False),
        ("missing", False),
        (f"print({'x' * 300!r})", False),  # a name that is too long
        (f"import sys; {'a/' * 5000}", False),  # a path that is too long
        ("a\0b", False),
    ],
)
def test_words_that_name_files_are_absolute(tmp_path: Path, word: str, is_absolute: bool) -> None:
    (tmp_path / "tool.py").touch()
    (tmp_path / "data").mkdir()
    (found,) = absolute_files([word], tmp_path)
    assert (found != word) == is_absolute
    if is_absolute:
        assert found.endswith(str(tmp_path / Path(word.partition("=")[2] or word)))
