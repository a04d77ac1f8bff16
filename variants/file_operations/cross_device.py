"""Variants: moves to another file system."""

import os

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Move
from treeproof.rows.file_operations.row import row

from ..shared.variant import variant

ABOUT_THE_NAMES = (FileExistsError, FileNotFoundError, NotADirectoryError, IsADirectoryError)


class CopiesAfterAnyFailure(Move):
    """Copies and deletes after each failure that is not about the names themselves."""

    def is_cross_device(self, error: OSError) -> bool:
        return not isinstance(error, ABOUT_THE_NAMES) or super().is_cross_device(error)


class CopiesAfterRefusals(Move):
    def is_cross_device(self, error: OSError) -> bool:
        return isinstance(error, PermissionError) or super().is_cross_device(error)


class KeepsBoth(Move):
    def remove_copy(self) -> None:
        pass


class OverwritesBeforeDeleting(Move):
    def exchange_with_existing(self, copy: FileCopy, origin: os.stat_result) -> None:
        self.publish(copy)
        self.delete_source(origin)


VARIANTS = (
    variant("AMB-FO-22=error", "A link is not moved to another file system.")(
        row(on="move", forbid=lambda at: at.is_link and at.is_far)
    ),
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
