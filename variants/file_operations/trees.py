"""Variants: directories that are copied, or moved to another file system."""

import os
import shutil
import stat
from collections.abc import Callable

from treeproof.reference_impl.file_operations.file_copy import make_temporary_name
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.renaming import rename_exclusively
from treeproof.reference_impl.file_operations.resolution import Resolution, ResolvedTransfer, execution_failed
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer
from treeproof.rows.file_operations.row import At, row

from ..shared.variant import variant
from .places import final_path, path_in, path_of_name, source_path

MAX_LINKS = 8  # links in directories that links lead to


class CopiesTrees(Copy):
    """Copies a directory with all that it holds. Links in it stay links."""

    keeps_links = True

    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            copy_tree(self, self.keeps_links)
        else:
            super().run()


class MovesTrees(Move):
    keeps_links = True

    def move_across_devices(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            copy_tree(self, self.keeps_links)
            shutil.rmtree(source_path(self))
        else:
            super().move_across_devices()


class MovesFileByFile(Move):
    def move_across_devices(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            move_entries(source_path(self), final_path(self))
        else:
            super().move_across_devices()


def move_entries(source: bytes, final: bytes) -> None:
    """Move what a directory holds to a new one, and remove it. Raises OSError; then the rest has not been moved."""
    os.mkdir(final)
    for entry in sorted(os.scandir(source), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            move_entries(entry.path, os.path.join(final, entry.name))
        else:
            shutil.move(os.fsdecode(entry.path), os.fsdecode(os.path.join(final, entry.name)))
    shutil.copystat(source, final)
    os.rmdir(source)


class CopiesTreesInPlace(CopiesTrees):
    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            copy_entries(source_path(self), final_path(self), keeps_links=True)
        else:
            super().run()


def copy_entries(source: bytes, copy: bytes, keeps_links: bool) -> None:
    """Make a directory with what another one holds. Raises OSError."""
    shutil.copytree(os.fsdecode(source), os.fsdecode(copy), symlinks=keeps_links)


def copy_tree(transfer: Transfer, keeps_links: bool) -> None:
    """Give a complete copy of a directory the final name. Raises OSError; then nothing is left of the copy."""
    temporary_name = make_temporary_name()
    copy = path_in(transfer.target_dir_fd, temporary_name)
    try:
        copy_entries(source_path(transfer), copy, keeps_links)
        rename_exclusively(transfer.target_dir_fd, temporary_name, transfer.target_dir_fd, transfer.final_name)
    except OSError:
        shutil.rmtree(copy, ignore_errors=True)
        raise


class CopiesWhatLinksLeadTo(CopiesTrees):
    keeps_links = False


class CopiesLinksAsAbsolute(CopiesTrees):
    """Node, fs.cp without verbatimSymlinks: the links of a copy lead to the same places by absolute paths."""

    def run(self) -> None:
        super().run()
        source, copy = source_path(self), final_path(self)
        for folder, directories, files in os.walk(copy):
            for name in (*directories, *files):
                link = os.path.join(folder, name)
                if os.path.islink(link):
                    start = os.path.join(source, os.path.relpath(folder, copy))
                    target = os.path.normpath(os.path.join(start, os.readlink(link)))
                    os.unlink(link)
                    os.symlink(target, link)


class MovesWhatLinksLeadTo(MovesTrees):
    keeps_links = False


def checks_links(is_copied: Callable[[ResolvedTransfer], bool]) -> type[Resolution]:
    """Return what checks the links in a directory that is copied: none leads nowhere, to itself, or outside."""

    class ChecksLinks(Resolution):
        def resolve(self) -> ResolvedTransfer:
            target = super().resolve()
            source = path_of_name(target.source)
            if os.path.isdir(source) and not os.path.islink(source) and is_copied(target):
                check_links(self.sandbox, source, 0)
            return target

    return ChecksLinks


def check_links(sandbox: LinkSandbox, directory: bytes, depth: int) -> None:
    """Raise ToolError if a link in a directory cannot be followed."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        raise execution_failed(f"a directory cannot be read: {error.strerror}") from error
    for entry in entries:
        is_link = entry.is_symlink()
        if is_link and (depth >= MAX_LINKS or sandbox.resolve_absolute(entry.path).blocking_errno is not None):
            raise execution_failed("a link in the directory cannot be followed")
        if entry.is_dir():
            check_links(sandbox, entry.path, depth + is_link)


def holds_links(at: At) -> bool:
    """Return whether there is a link in the directory."""
    walk = os.walk(at.source) if at.is_dir else ()
    return any(os.path.islink(os.path.join(folder, one)) for folder, *names in walk for one in (*names[0], *names[1]))


def is_elsewhere(target: ResolvedTransfer) -> bool:
    """Return whether the final name lies on another file system than the source."""
    final = os.path.join(target.final.directory.root, *target.final.directory.components)
    return os.path.exists(final) and os.stat(final).st_dev != os.lstat(path_of_name(target.source)).st_dev


class EntersItself(Resolution):
    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        if not source.name or source.path == final.path:
            super().check_not_into_itself(source, found, final)


class CopiesIntoItself(CopiesTrees):
    """Looks at what a directory holds before a copy is made in it."""

    def run(self) -> None:
        old, new = source_path(self), path_in(self.target_dir_fd, self.final_name)
        if not stat.S_ISDIR(self.stat_source().st_mode) or not new.startswith(old + b"/"):
            super().run()
            return
        contents = [(folder, list(names), list(files)) for folder, names, files in os.walk(old)]
        os.mkdir(new)
        for folder, names, files in contents:
            made = os.path.normpath(os.path.join(new, os.path.relpath(folder, old)))
            for name in names:
                if os.path.islink(os.path.join(folder, name)):
                    os.symlink(os.readlink(os.path.join(folder, name)), os.path.join(made, name))
                else:
                    os.mkdir(os.path.join(made, name))
            for name in files:
                shutil.copy2(os.path.join(folder, name), os.path.join(made, name), follow_symlinks=False)


VARIANTS = (
    variant("AMB-FO-33=complete", "A directory is copied with all that it holds.")(copy_transfer=CopiesTrees),
    variant("AMB-FO-34=complete", "A directory is moved to another file system with all that it holds.")(
        move_transfer=MovesTrees
    ),
    variant(
        "AMB-FO-45=followed",
        "What links in a directory that is copied lead to is copied.",
        {"AMB-FO-33": "complete", "AMB-FO-45": "followed"},
    )(copy_resolution=checks_links(lambda target: True), copy_transfer=CopiesWhatLinksLeadTo),
    variant(
        "AMB-FO-45=absolute",
        "The links of a copied directory become absolute.",
        {"AMB-FO-33": "complete", "AMB-FO-45": "absolute"},
    )(copy_transfer=CopiesLinksAsAbsolute),
    variant(
        "AMB-FO-53=followed",
        "What links in a directory that is moved to another file system lead to is copied.",
        {"AMB-FO-34": "complete", "AMB-FO-53": "followed"},
    )(move_resolution=checks_links(is_elsewhere), move_transfer=MovesWhatLinksLeadTo),
    variant(
        "AMB-FO-45=error",
        "A directory with links in it is not copied.",
        {"AMB-FO-33": "complete", "AMB-FO-45": "error"},
    )(row(on="copy", forbid=holds_links), copy_transfer=CopiesTrees),
    variant(
        "AMB-FO-53=error",
        "A directory with links in it is not moved to another file system.",
        {"AMB-FO-34": "complete", "AMB-FO-53": "error"},
    )(row(on="move", forbid=lambda at: at.is_far and holds_links(at)), move_transfer=MovesTrees),
    variant(
        "VAR-FO-43",
        "A directory is copied into itself, as it was before.",
        {"AMB-FO-33": "complete"},
    )(copy_resolution=EntersItself, copy_transfer=CopiesIntoItself),
    variant(
        "VAR-FO-52",
        "A directory is copied entry by entry, and what was copied stays after a failure.",
        {"AMB-FO-33": "complete"},
    )(copy_transfer=CopiesTreesInPlace),
    variant(
        "VAR-FO-69",
        "A directory is moved to another file system file by file.",
        {"AMB-FO-34": "complete"},
        excludes=("AMB-FO-53=followed", "AMB-FO-53=error"),
    )(move_transfer=MovesFileByFile),
)
