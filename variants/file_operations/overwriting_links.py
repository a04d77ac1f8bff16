"""Variants: overwriting through links, their names, and other names of one file."""

import errno
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import RequestedPath
from treeproof.reference_impl.file_operations.resolution import Replacement, Resolution, execution_failed
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer
from treeproof.reference_impl.shared.sandbox import Place
from treeproof.rows.file_operations.row import At, place_of, root_of, row, text_of

from ..shared.variant import variant
from .overwriting import LetsReplace, idle
from .places import final_path, path_of_name, path_of_place, source_path


class IdleForOneFile(Resolution):
    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return False if stat.S_ISREG(found.st_mode) else super().is_same_file(found, existing)


class ThroughDanglingLinks(Resolution):
    """What a link that leads nowhere leads to may be the final name of a file: no system makes a directory there."""

    def makes_target(self) -> bool:
        """Return whether this call makes it."""
        return False

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        final = super().final_place(source, destination)
        path = path_of_name(final)
        is_dangling = os.path.islink(path) and not os.path.exists(path)
        is_source = final.path == self.followed_source(source).path or stat.S_ISDIR(self.stat_source(source).st_mode)
        if not is_dangling or is_source or not (final.target.components and self.makes_target()):
            return final
        *parent, name = final.target.components
        directory = self.sandbox.resolve_absolute(os.path.join(final.target.root, *parent))
        return NamedPlace(directory, name, final.target)


class MakesTheTarget(ThroughDanglingLinks):
    def makes_target(self) -> bool:
        return not self.request.overwrite or super().makes_target()


class OverwritesTheTarget(ThroughDanglingLinks):
    def makes_target(self) -> bool:
        return self.request.overwrite or super().makes_target()


def moves_through(is_meant: Callable[[Transfer], bool]) -> type[Move]:
    """Return the move that writes into some existing entries, under all their names, and deletes the source."""

    class MovesThrough(Move):
        def rename(self) -> None:
            if is_meant(self):
                write_through(self)
                os.unlink(self.source_name, dir_fd=self.source_dir_fd)
            else:
                super().rename()

    return MovesThrough


def copies_through(is_meant: Callable[[Transfer], bool]) -> type[Copy]:
    """Return the copy that writes into some existing entries."""

    class CopiesThrough(Copy):
        def run(self) -> None:
            if is_meant(self):
                self.check_copyable(self.stat_source())
                write_through(self)
            else:
                super().run()

    return CopiesThrough


def leads_to_file(transfer: Transfer) -> bool:
    """Return whether the final name is a link to a file, and the source another file."""
    path = final_path(transfer)
    return (
        transfer.replaces_existing
        and os.path.islink(path)
        and os.path.isfile(path)
        and stat.S_ISREG(transfer.stat_source().st_mode)
        and not os.path.samestat(os.stat(path), transfer.stat_source())
    )


def has_other_names(transfer: Transfer) -> bool:
    """Return whether the final name is one of several of a file, and the source another file."""
    if not transfer.replaces_existing or not stat.S_ISREG(transfer.stat_source().st_mode):
        return False
    existing = os.lstat(transfer.final_name, dir_fd=transfer.target_dir_fd)
    is_other = not os.path.samestat(existing, transfer.stat_source())
    return is_other and stat.S_ISREG(existing.st_mode) and existing.st_nlink > 1


def write_through(transfer: Transfer) -> None:
    """Give the content of the source to the entry that the final name leads to."""
    with open(source_path(transfer), "rb") as source, open(final_path(transfer), "wb") as final:
        shutil.copyfileobj(source, final)


class RefusesLinks(Resolution):
    def check_replacement(self, at: Replacement) -> None:
        super().check_replacement(at)
        if stat.S_ISLNK(at.existing.st_mode):
            raise execution_failed("the destination is a link")


class OwnFile(Resolution):
    _is_same_name = True

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        # With one link, another name is another spelling, where names fold.
        return (self._is_same_name or found.st_nlink == 1) and super().is_same_file(found, existing)

    def check_replacement(self, at: Replacement) -> None:
        self._is_same_name = self.followed_source(at.source).path == at.final.path
        super().check_replacement(at)


class LinkToTheSource(LetsReplace):
    def may_replace(self, at: Replacement) -> bool:
        is_link = leads_to(path_of_name(at.final), at.found) and stat.S_ISREG(at.found.st_mode)
        return is_link or super().may_replace(at)


def leads_to(path: bytes, found: os.stat_result) -> bool:
    """Return whether a path is that of a link to the file."""
    return os.path.islink(path) and os.path.exists(path) and os.path.samestat(os.stat(path), found)


def onto_link_to_source(transfer: Transfer) -> bool:
    return transfer.replaces_existing and leads_to(final_path(transfer), transfer.stat_source())


class NamesOfLinksOut(LinkSandbox):
    """The name of a link that leads out lies inside, and may be moved and replaced."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        if path.name:
            directory, name = self.resolve(path.parent), path.name.encode()
            is_outside = not self._roots_containing(self._canonical_target(path.text))
            if is_outside and name != b".." and os.path.islink(os.path.join(path_of_place(directory), name)):
                self._check_denied_patterns((*directory.components, name))
                itself = Place(directory.root, (*directory.components, name), errno.ENOENT)
                return NamedPlace(directory, name, itself)
        return super().resolve_named(path)


def leaves_its_root(at: At) -> Any:
    """Go, an os.Root for each root: a relative path stays in the root in which it starts."""
    start = Path(os.path.realpath(root_of(at.sent)))
    for place in (
        place_of(at.sent, key) for key in ("source", "destination") if not text_of(at.sent, key).startswith("/")
    ):
        ends = (Path(os.path.realpath(place)), Path(os.path.realpath(place.parent)))
        if any(at.root_of(end) != at.root_of(start) for end in ends if at.root_of(end)):
            return "SandboxViolation"
    return None


VARIANTS = (
    variant("AMB-FO-37=created", "A move makes what a link that leads nowhere leads to.")(
        move_resolution=MakesTheTarget
    ),
    variant("AMB-FO-38=created", "A copy makes what a link that leads nowhere leads to.")(
        copy_resolution=MakesTheTarget
    ),
    variant("AMB-FO-39=through", "A move writes through a link.")(move_transfer=moves_through(leads_to_file)),
    variant("AMB-FO-39=refuse", "A move onto a link is an error.")(move_resolution=RefusesLinks),
    variant("AMB-FO-40=through", "A copy writes through a link.")(copy_transfer=copies_through(leads_to_file)),
    variant("AMB-FO-40=refuse", "A copy onto a link is an error.")(copy_resolution=RefusesLinks),
    variant("AMB-FO-41=through", "A move writes into a file of several names.")(
        move_transfer=moves_through(has_other_names)
    ),
    variant("AMB-FO-42=through", "A copy writes into a file of several names.")(
        copy_transfer=copies_through(has_other_names)
    ),
    variant("VAR-FO-11", "A move onto another name of the file is idle.")(move_resolution=IdleForOneFile),
    variant("VAR-FO-12", "A copy onto another name of its source becomes a file of its own.")(copy_resolution=OwnFile),
    variant(
        "VAR-FO-22",
        "The name of a link that leads out is moved and replaced.",
        excludes=("AMB-FO-39=through", "AMB-FO-40=through"),
    )(sandbox=NamesOfLinksOut),
    variant("VAR-FO-71", "No link leads from one root into another.")(row(forbid=leaves_its_root)),
    variant("VAR-FO-32", "With overwrite, what a link that leads nowhere leads to is made.")(
        resolution=OverwritesTheTarget
    ),
    variant("VAR-FO-36", "A move or a copy onto a link to the source is idle.")(
        resolution=LinkToTheSource,
        move_transfer=idle(Move, onto_link_to_source),
        copy_transfer=idle(Copy, onto_link_to_source),
    ),
)
