"""The step that a directory was replaced while it was being opened: a race that was not met gives no verdict."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.api import NotVerified
from treeproof.steps.shared.syscalls import has_become_a_link

OPENED = '7 openat(AT_FDCWD</w>, "{root}/d", O_RDONLY|O_DIRECTORY) = 5<{root}/{name}> (DELAYED)'
PATH_ONLY = '7 openat(AT_FDCWD</w>, "{root}/d", O_RDONLY|O_PATH|O_NOFOLLOW) = 5<{root}/d> (DELAYED)'
REFUSED = '7 openat(AT_FDCWD</w>, "{root}/d", O_RDONLY|O_NOFOLLOW) = -1 ELOOP (Too many levels) (DELAYED)'


def world(root: Path, *lines: str, injected_count: int = 1) -> Any:
    faults = SimpleNamespace(injected_count=injected_count, trace_lines=tuple(line.format(root=root) for line in lines))
    return SimpleNamespace(sandbox=SimpleNamespace(root=os.fsencode(root)), faults=faults)


@pytest.mark.parametrize("line", [OPENED.replace("{name}", "elsewhere"), PATH_ONLY, REFUSED])
def test_a_directory_that_was_replaced_in_time_is_a_race_that_was_met(tmp_path: Path, line: str) -> None:
    (tmp_path / "d").symlink_to("elsewhere")
    has_become_a_link(world(tmp_path, line), "d")


@pytest.mark.parametrize(
    ("lines", "injected_count", "is_link"),
    [
        ([OPENED.replace("{name}", "d")], 1, True),
        ([REFUSED, OPENED.replace("{name}", "d")], 2, True),
        ([], 0, True),
        ([REFUSED], 1, False),
    ],
    ids=["opened before", "opened at last", "never opened", "never replaced"],
)
def test_a_race_that_was_not_met_gives_no_verdict(
    tmp_path: Path, lines: list[str], injected_count: int, is_link: bool
) -> None:
    if is_link:
        (tmp_path / "d").symlink_to("elsewhere")
    with pytest.raises(NotVerified) as raised:
        has_become_a_link(world(tmp_path, *lines, injected_count=injected_count), "d")
    assert raised.value.code == "race_not_met"
