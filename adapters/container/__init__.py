"""Adapter kind ``container``: a candidate in an image, run by podman or docker, with the protocol of ``stdio``.

The container sees the workspaces of the run at their own paths, and no network. Its process is traced from outside.
"""

from treeproof.candidate import Adapter, Limits, ProcessOptions, RpcAdapter, Target, format_untrusted
from treeproof.candidate.orphans import stop_adopting

from .engine import find_engine
from .image import find_image
from .transport import ContainerTransport


def connect(target: Target, limits: Limits) -> Adapter:
    """Return an adapter, not yet started, to a container. Raises UsageError: no engine, no image, no command."""
    where = str(target.manifest or f"TARGET {format_untrusted(target.text)}")
    image = find_image(find_engine(where), target, where)
    # A container keeps its processes. Those of the engine belong to nobody, as where no treeproof runs.
    stop_adopting()
    return RpcAdapter("container", ContainerTransport(image, target, limits, ProcessOptions()), target, limits)
