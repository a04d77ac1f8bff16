"""Variants: a link as the source."""

import os
import stat

from treeproof.reference_impl.file_operations.file_copy import make_temporary_name
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.transfer import Copy

from ..shared.variant import variant


class LinkItself(Resolution):
    follows_source = False


class CopiesLinks(Copy):
    def run(self) -> None:
        if not stat.S_ISLNK(self.stat_source().st_mode):
            super().run()
            return
        target = os.readlink(self.source_name, dir_fd=self.source_dir_fd)
        if not self.replaces_existing:
            os.symlink(target, self.final_name, dir_fd=self.target_dir_fd)
            return
        self.refuse_directory()
        name = make_temporary_name()
        os.symlink(target, name, dir_fd=self.target_dir_fd)
        try:
            os.rename(name, self.final_name, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
        except OSError:
            os.unlink(name, dir_fd=self.target_dir_fd)
            raise


class FollowsLinks(Resolution):
    follows_source = True

    def stat_source(self, place: NamedPlace) -> os.stat_result:
        if place.name and not place.target.components:
            raise execution_failed("the source is a sandbox root")
        return super().stat_source(place)

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        super().check_not_into_itself(self.followed_source(source), found, final)


VARIANTS = (
    variant("AMB-FO-04=link", "A link is copied as a link.")(copy_resolution=LinkItself, copy_transfer=CopiesLinks),
    variant("AMB-FO-04=target", "What a link leads to is moved.")(move_resolution=FollowsLinks),
)
