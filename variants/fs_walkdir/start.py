"""Variants: the start path, and links in it."""

import contextlib
import os
from typing import Any

from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver
from treeproof.reference_impl.shared.sandbox import Place
from treeproof.rows.fs_walkdir.row import path_of, real_start, refused, start_of
from treeproof.rows.shared.row import Sent

from ..shared.variant import variant
from .rows import NAMES, row

MAX_LINKS = 40


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


class OpensFirst(StartResolver):
    def resolve(self, path: str) -> Place | None:
        with contextlib.suppress(OSError, ValueError):
            os.close(os.open(os.path.join(self._context.working_dir, path), os.O_RDONLY | os.O_DIRECTORY))
        return super().resolve(path)


def is_link(sent: Sent) -> bool:
    return os.path.islink(start_of(sent))


def target(sent: Sent) -> str | None:
    """Return where a link as start leads."""
    return real_start(sent) if is_link(sent) else None


def from_root(sent: Sent) -> Any:
    """Answer to an absolute path inside as to one that starts at the sandbox."""
    root, path = str(sent.call.context["working_dir"]), path_of(sent)
    is_inside = len(root) > 1 and f"{path}/".startswith(f"{root}/")
    return sent.answer({**sent.arguments, "path": f".{path[len(root) :]}"} if is_inside else ...)


VARIANTS = (
    variant("AMB-WD-06=content", "A link as start leads to its directory.")(row(on="walk", place=target)),
    variant("AMB-WD-06=nil", "A link as start is refused.")(row(on="walk", where=is_link, answer=refused)),
    variant("AMB-WD-10=accepted", "An absolute path inside is walked.")(row(answer=from_root)),
    variant("AMB-WD-10=joined", "An absolute path begins at the sandbox.")(
        row(NAMES, start=lambda path: path.lstrip("/"))
    ),
    variant("AMB-WD-14=refused", "Two dots are refused wherever they lead.")(
        row(refuse=lambda path: ".." in path.split("/"))
    ),
    variant("AMB-WD-14=clean", "A path that is not clean is refused.")(
        row(refuse=lambda path: path != "." and not {"", ".", ".."}.isdisjoint(path.split("/")))
    ),
    variant(
        "AMB-WD-30=rooted",
        "The sandbox is the root, for links too.",
        excludes=("AMB-WD-06=nil", "VAR-WD-02", "VAR-WD-26"),
    )(start=Rooted),
    variant("VAR-WD-02", "A slash behind a link as start follows it.")(
        row(on="walk", where=lambda sent: path_of(sent).endswith(("/", "/.")), place=target)
    ),
    variant("VAR-WD-26", "A link as start is never followed.", {"AMB-WD-06": "nil"}, excludes=("VAR-WD-02",))(
        row(on="walk missing denied unreachable file", where=is_link, answer=refused)
    ),
    variant("VAR-WD-27", "A name of dots alone is refused.")(
        row(refuse=lambda path: any(len(part) > 2 and not part.strip(".") for part in path.split("/")))
    ),
    variant("VAR-WD-32", "A letter and a colon before a path are refused, as those of a drive.")(
        row(refuse=lambda path: path[1:2] == ":" and path[:1].isalpha())
    ),
    variant("VAR-WD-03", "The start is opened before it is checked.")(start=OpensFirst),
)
