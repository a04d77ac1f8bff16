"""Variants: the start path, and links in it."""

import contextlib
import os

from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.variant import variant

MAX_LINKS = 40


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


class CleanOnly(StartResolver):
    """Takes paths as `fs.ValidPath` of Go does."""

    def normalise_path(self, path: str) -> str:
        if path != "." and not {"", ".", ".."}.isdisjoint(path.split("/")):
            raise CallRefused("the path is not clean")
        return super().normalise_path(path)


class Rooted(StartResolver):
    """Resolves each step inside the sandbox, as `RESOLVE_IN_ROOT` of Linux does, and walks where that leads."""

    def resolve_in_sandbox(self, normalised: str) -> Place:
        return super().resolve_in_sandbox("/".join(self._names_inside(normalised)) or ".")

    def _names_inside(self, normalised: str) -> list[str]:
        pending, found, links = normalised.split("/"), list[str](), 0
        while pending:
            name = pending.pop(0)
            if name == "..":
                found = found[:-1]
            elif name not in ("", "."):
                try:
                    target = os.readlink(os.path.join(self._context.working_dir, *found, name))
                except OSError:
                    found.append(name)
                    continue
                links += 1
                if links > MAX_LINKS:
                    raise CallRefused("the links form a loop")
                pending = [*target.split("/"), *pending]
                found = [] if target.startswith("/") else found
        return found

    def is_link(self, normalised: str) -> bool:
        return False


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
    variant("AMB-WD-06=content", "A link as start leads to its directory.")(start=WalksLinks),
    variant("AMB-WD-06=nil", "A link as start is refused.")(start=RefusesLinks),
    variant("AMB-WD-10=accepted", "An absolute path inside is walked.")(start=AbsoluteInside),
    variant("AMB-WD-10=joined", "An absolute path begins at the sandbox.")(start=Joined),
    variant("AMB-WD-14=refused", "Two dots are refused wherever they lead.")(start=NoDotDot),
    variant("AMB-WD-14=clean", "A path that is not clean is refused.")(start=CleanOnly),
    variant(
        "AMB-WD-30=rooted",
        "The sandbox is the root, for links too.",
        excludes=("AMB-WD-06=nil", "VAR-WD-02", "VAR-WD-26"),
    )(start=Rooted),
    variant("VAR-WD-02", "A slash behind a link as start follows it.")(start=FollowsBeforeSlash),
    variant("VAR-WD-26", "A link as start is never followed.", {"AMB-WD-06": "nil"}, excludes=("VAR-WD-02",))(
        start=WithoutFollowing
    ),
    variant("VAR-WD-27", "A name of dots alone is refused.")(start=NoDots),
    variant("VAR-WD-03", "The start is opened before it is checked.")(start=OpensFirst),
)
