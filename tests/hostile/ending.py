"""The reference that does something to its process instead of answering: each deed is a target by its name."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

deeds = importlib.import_module("in_process")


class Ending:
    """As the reference, but for what it is called with."""

    def __init__(self, deed: Callable[[str], None]) -> None:
        self.right = importlib.import_module("treeproof.reference_impl.list_directory").candidate()
        self.deed = deed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.right, name)

    def call(self, request: Any) -> Any:
        self.deed(os.getcwd())
        return self.right.call(request)


exit_with_zero = Ending(deeds.exit_with_zero)
kill_the_process = Ending(deeds.kill_the_process)
stop_the_process = Ending(deeds.stop_the_process)
