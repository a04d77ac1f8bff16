"""Facts about all texts of the project: no place of one machine and no package index is named."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NAMES_A_MACHINE = re.compile(r"(?<![\w$}.])/(?:home/(?!user\b|me\b)\w+|Users/\w+|work/\w+)|\bC:\\Users\\")
"""Examples use the names `user` and `me`."""
NAMES_AN_INDEX = re.compile(r"--(?:extra-)?index-url|--find-links|--trusted-host|\w@ (?:https?|file):")


def tracked_texts() -> list[tuple[str, str]]:
    """Return the path and the text of each tracked file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not verified: texts of the project; needs a clone and the program git")
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    texts = [(file, file.read_bytes()) for file in files if file.is_file() and file != Path(__file__)]
    return [(str(file.relative_to(ROOT)), data.decode("utf-8")) for file, data in texts if b"\0" not in data]


def test_no_text_names_a_place_of_one_machine_or_a_package_index() -> None:
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in tracked_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if NAMES_A_MACHINE.search(line) or (name == "requirements.lock" and NAMES_AN_INDEX.search(line))
    ]
    assert found == []
