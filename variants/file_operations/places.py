"""Paths of places, as parts of variants need them. Contains no variants."""

import os

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.transfer import Transfer
from treeproof.reference_impl.shared.sandbox import Place


def path_of_place(place: Place) -> bytes:
    """Return the absolute path of a place."""
    return os.path.join(place.root, *place.components)


def path_of_name(place: NamedPlace) -> bytes:
    """Return the absolute path of a name."""
    return os.path.join(place.directory.root, *place.directory.components, place.name)


def source_path(transfer: Transfer) -> bytes:
    """Return the absolute path of the source."""
    return path_in(transfer.source_dir_fd, transfer.source_name)


def final_path(transfer: Transfer) -> bytes:
    """Return the absolute path of the final name."""
    return path_in(transfer.target_dir_fd, transfer.final_name)


def path_in(descriptor: int, name: bytes) -> bytes:
    """Return the absolute path of a name in an open directory."""
    return os.path.join(os.fsencode(os.readlink(f"/proc/self/fd/{descriptor}")), name)


def is_link(transfer: Transfer) -> bool:
    """Return whether the final name is a link now."""
    return os.path.islink(final_path(transfer))
