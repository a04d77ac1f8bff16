"""The reference with a misbehaviour before each call; each misbehaviour is an attribute for a target."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

in_process_misbehaviour = importlib.import_module("in_process")


class MisbehavingReference:
    """Delegates to the reference, except that a call first runs a function on the working directory."""

    def __init__(self, misbehave: Callable[[str], None]) -> None:
        self.reference = importlib.import_module("treeproof.reference_impl.list_directory.candidate").candidate()
        self.misbehave = misbehave

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def call(self, request: Any) -> Any:
        self.misbehave(os.getcwd())
        return self.reference.call(request)


exit_with_zero = MisbehavingReference(in_process_misbehaviour.exit_with_zero)
kill_the_process = MisbehavingReference(in_process_misbehaviour.kill_the_process)
stop_the_process = MisbehavingReference(in_process_misbehaviour.stop_the_process)
