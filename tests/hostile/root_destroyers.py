"""The reference with an effect on the sandbox root after each call, or with names that no file system holds."""

from __future__ import annotations

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
}


def __getattr__(name: str) -> Callable[[], Destroyer]:
    """Return the factory of a name such as `ls_removes`."""
    spec, _, effect = name.rpartition("_")
    if effect == "names":
        return lambda: OddNames(spec, str)
    if effect not in EFFECTS:
        raise AttributeError(name)
    return lambda: Destroyer(spec, EFFECTS[effect])
