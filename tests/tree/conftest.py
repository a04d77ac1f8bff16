"""Directories for real trees, and execution as an ordinary user."""

import os
import traceback
from collections.abc import Callable, Iterator

import pytest

from treeproof.tree import Workspace

UNPRIVILEGED_ID = 65534


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace.create() as workspace:
        yield workspace
    assert workspace.leftovers == []


@pytest.fixture
def root(workspace: Workspace) -> bytes:
    """Return an empty directory `root` in the workspace; its parent is outside the sandbox."""
    return workspace.create_sandbox()


@pytest.fixture
def as_user() -> Callable[[Callable[[], object]], None]:
    """Return a function that runs another one in a child process that is not root, and fails if that raises."""
    return run_as_user


def run_as_user(action: Callable[[], object]) -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(UNPRIVILEGED_ID)
                os.setuid(UNPRIVILEGED_ID)
            action()
        except BaseException:
            os.write(writer, traceback.format_exc().encode()[-4000:])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        error = pipe.read().decode()
    os.waitpid(child, 0)
    assert not error, error
