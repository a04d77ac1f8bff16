"""Adapter kind ``container``: a candidate in an image, run by podman or docker, with the protocol of ``stdio``.

The container sees the workspaces of the run at their own paths, and no network. Its process is traced from outside.
"""

import re

from treeproof.candidate import Adapter, Limits, ProcessOptions, RpcAdapter, Target, UsageError, format_untrusted
from treeproof.candidate.orphans import stop_adopting

from .engine import find_engine
from .image import find_image
from .transport import ContainerTransport

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def connect(target: Target, limits: Limits) -> Adapter:
    """Return an adapter, not yet started, to a container. Raises UsageError: no engine, no image, no command."""
    where = str(target.manifest or f"TARGET {format_untrusted(target.text)}")
    _require_variables(target, where)
    image = find_image(find_engine(where), target, where)
    # A container keeps its processes. Those of the engine belong to nobody, as where no treeproof runs.
    stop_adopting()
    return RpcAdapter("container", ContainerTransport(image, target, limits, ProcessOptions()), target, limits)


def _require_variables(target: Target, where: str) -> None:
    """Raise UsageError for variables that a file of the engine cannot hold."""
    for name, value in target.env.items():
        if not _VARIABLE.fullmatch(name) or "\n" in value or "\r" in value:
            raise UsageError(
                f"{where}: [candidate] env: a container cannot have the variable '{format_untrusted(name, 80)}': write "
                "its name with letters, digits and _, and its value without a line break"
            )
