"""Variants: moves to another file system."""

import os

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Move, UnsupportedTransfer

from ..shared.variant import variant

ABOUT_THE_NAMES = (FileExistsError, FileNotFoundError, NotADirectoryError, IsADirectoryError)


class RefusesLinksElsewhere(Move):
    """Links are not moved to another file system."""

    def move_link_across_devices(self, found: os.stat_result) -> None:
        raise UnsupportedTransfer("only files can be moved to another file system")


class CopiesAfterAnyFailure(Move):
    """Copies and deletes after each failure that is not about the names themselves."""

    def is_cross_device(self, error: OSError) -> bool:
        return not isinstance(error, ABOUT_THE_NAMES) or super().is_cross_device(error)


class CopiesAfterRefusals(Move):
    """Copies and deletes also where renaming is not permitted."""

    def is_cross_device(self, error: OSError) -> bool:
        return isinstance(error, PermissionError) or super().is_cross_device(error)


class KeepsBoth(Move):
    """The copy stays if the source cannot be deleted."""

    def remove_copy(self) -> None:
        pass


class OverwritesBeforeDeleting(Move):
    """Replaces the old file, then deletes the source."""

    def exchange_with_existing(self, copy: FileCopy, origin: os.stat_result) -> None:
        self.publish(copy)
        self.delete_source(origin)


VARIANTS = (
    variant("AMB-FO-22=error", "A link is not moved to another file system.")(move_transfer=RefusesLinksElsewhere),
    variant("AMB-FO-23=any", "After any failure to rename, a file is copied and deleted.")(
        move_transfer=CopiesAfterAnyFailure
    ),
    variant("VAR-FO-44", "A file is copied and deleted where renaming is not permitted.", {"AMB-FO-23": "any"})(
        move_transfer=CopiesAfterRefusals
    ),
    variant("VAR-FO-45", "The copy stays if the source cannot be deleted.")(move_transfer=KeepsBoth),
    variant("VAR-FO-08", "On another file system, a file is overwritten before its source is deleted.")(
        move_transfer=OverwritesBeforeDeleting
    ),
)
