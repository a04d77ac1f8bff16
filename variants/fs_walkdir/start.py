"""Variants: the start path, and links in it."""

import contextlib
import os

from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.variant import Variant, reading_variant


class WalksLinks(StartResolver):
    def is_link(self, normalised: str) -> bool:
        return False


class RefusesLinks(StartResolver):
    def resolve(self, path: str) -> Place | None:
        place = super().resolve(path)
        if place is None:
            raise CallRefused("the start path is a link")
        return place


class FollowsBeforeSlash(StartResolver):
    def resolve(self, path: str) -> Place | None:
        self._has_slash_behind = path.endswith(("/", "/."))
        return super().resolve(path)

    def is_link(self, normalised: str) -> bool:
        return not self._has_slash_behind and super().is_link(normalised)


class AbsoluteInside(StartResolver):
    def normalise_path(self, path: str) -> str:
        root = self._context.working_dir
        return super().normalise_path("." + path[len(root) :] if (path + "/").startswith(root + "/") else path)


class Joined(StartResolver):
    def normalise_path(self, path: str) -> str:
        return super().normalise_path(path.lstrip("/") or ".")


class NoDotDot(StartResolver):
    def normalise_path(self, path: str) -> str:
        if ".." in path.split("/"):
            raise CallRefused("two dots are no name")
        return super().normalise_path(path)


class OpensFirst(StartResolver):
    """Opens the start before it checks where that is."""

    def resolve(self, path: str) -> Place | None:
        with contextlib.suppress(OSError, ValueError):
            os.close(os.open(os.path.join(self._context.working_dir, path), os.O_RDONLY | os.O_DIRECTORY))
        return super().resolve(path)


VARIANTS = (
    reading_variant("AMB-WD-06", "content", "A link as start leads to its directory.", start=WalksLinks),
    reading_variant("AMB-WD-06", "nil", "A link as start is refused.", start=RefusesLinks),
    reading_variant("AMB-WD-10", "accepted", "An absolute path inside is walked.", start=AbsoluteInside),
    reading_variant("AMB-WD-10", "joined", "An absolute path begins at the sandbox.", start=Joined),
    reading_variant("AMB-WD-14", "refused", "Two dots are refused wherever they lead.", start=NoDotDot),
    Variant("VAR-WD-02", "A slash behind a link as start follows it.", {"start": FollowsBeforeSlash}),
    Variant("VAR-WD-03", "The start is opened before it is checked.", {"start": OpensFirst}),
)
