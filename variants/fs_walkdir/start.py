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


class WithoutFollowing(RefusesLinks):
    """Looks at the start without following a link, as O_NOFOLLOW does: one to nothing is refused like any other."""

    def error_of_errno(self, code: int) -> Exception:
        error = super().error_of_errno(code)
        return CallRefused("the start path is a link") if self._is_link_at_end else error

    def resolve(self, path: str) -> Place | None:
        self._is_link_at_end = self.is_link(self.normalise_path(path))
        return super().resolve(path)


class NoDots(StartResolver):
    """Refuses a name of dots alone, whatever their number."""

    def normalise_path(self, path: str) -> str:
        if any(len(part) > 2 and not part.strip(".") for part in path.split("/")):
            raise CallRefused("a name has more than dots")
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
    Variant(
        "VAR-WD-26",
        "A link as start is never followed.",
        {"start": WithoutFollowing},
        {"AMB-WD-06": "nil"},
        excludes=("VAR-WD-02",),
    ),
    Variant("VAR-WD-27", "A name of dots alone is refused.", {"start": NoDots}),
    Variant("VAR-WD-03", "The start is opened before it is checked.", {"start": OpensFirst}),
)
