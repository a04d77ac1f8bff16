"""The reference with an effect on the sandbox root after each call, or with names that no file system holds."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
from collections.abc import Callable
from typing import Any


class Destroyer:
    """Delegates to the reference of a specification, and then destroys the root of the call."""

    def __init__(self, name: str, effect: Callable[[str], object]) -> None:
        self.reference = importlib.import_module(f"treeproof.reference_impl.{name}.candidate").candidate()
        self.effect = effect

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def call(self, request: Any) -> Any:
        """Return the answer of the reference."""
        answer = self.reference.call(request)
        root = request["context"]["roots"][0]
        if os.path.isdir(root) and not os.path.islink(root):
            with contextlib.suppress(OSError):  # an earlier call has done it, or the place is read-only
                self.effect(root)
        return answer


def _replace_by_link(root: str) -> None:
    shutil.rmtree(root)
    os.mkdir(f"{root}-other")
    os.symlink(f"{root}-other", root)


def _replace_by_file(root: str) -> None:
    shutil.rmtree(root)
    with open(root, "w", encoding="utf-8"):
        pass


def _empty(root: str) -> None:
    for entry in os.scandir(root):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def _fill(root: str) -> None:
    for number in range(2000):
        with open(os.path.join(root, f"new{number}"), "x", encoding="utf-8"):
            pass
    os.mkfifo(os.path.join(root, "new"))


def _fill_beside(root: str) -> None:
    os.mkdir(f"{root}-beside")
    os.symlink("/", os.path.join(os.path.dirname(root), "out"))


def _remove_working_directory(root: str) -> None:
    os.rmdir(os.getcwd())


class OddNames(Destroyer):
    """Puts a lone surrogate and a NUL into each path of a list."""

    def call(self, request: Any) -> Any:
        """Return the answer with other paths."""
        answer = self.reference.call(request)
        if answer["status"] != "ok":
            return answer
        return {**answer, "content": answer["content"].replace('"path":"', '"path":"\\ud800\\u0000')}


EFFECTS: dict[str, Callable[[str], object]] = {
    "removes": shutil.rmtree,
    "links": _replace_by_link,
    "replaces": _replace_by_file,
    "renames": lambda root: os.rename(root, f"{root}-other"),
    "empties": _empty,
    "fills": _fill,
    "fills_beside": _fill_beside,
    "closes": lambda root: os.chmod(root, 0),
    "closes_beside": lambda root: os.chmod(os.path.dirname(root), 0),
    "removes_cwd": _remove_working_directory,
}


def __getattr__(name: str) -> Callable[[], Destroyer]:
    """Return the factory of a name such as `ls_removes`."""
    effect = next((one for one in sorted(EFFECTS, key=len, reverse=True) if name.endswith(f"_{one}")), "")
    if name.endswith("_names"):
        return lambda: OddNames(name.removesuffix("_names"), str)
    if not effect:
        raise AttributeError(name)
    return lambda: Destroyer(name.removesuffix(f"_{effect}"), EFFECTS[effect])
