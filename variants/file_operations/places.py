"""Paths of places, as parts of variants need them. Contains no variants."""

import os

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.transfer import Transfer


def path_of_name(place: NamedPlace) -> bytes:
    """Return the absolute path of a name."""
    return os.path.join(place.directory.root, *place.directory.components, place.name)


def source_path(transfer: Transfer) -> bytes:
    """Return the absolute path of the source."""
    return _path_in(transfer.source_dir_fd, transfer.source_name)


def final_path(transfer: Transfer) -> bytes:
    """Return the absolute path of the final name."""
    return _path_in(transfer.target_dir_fd, transfer.final_name)


def _path_in(descriptor: int, name: bytes) -> bytes:
    return os.path.join(os.fsencode(os.readlink(f"/proc/self/fd/{descriptor}")), name)
