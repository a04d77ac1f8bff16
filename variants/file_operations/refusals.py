"""Variants: tools that take less: no links, no directories, no second root, no odd names, no request to overwrite."""

import os
import re
import unicodedata
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.rows.file_operations.row import At, root_of, row, text_of

from ..shared.capabilities import without
from ..shared.variant import variant
from .overwriting_links import RefusesLinks
from .places import path_of_name


class LinksAreNames(Resolution):
    def is_directory(self, destination: NamedPlace) -> bool:
        is_link = bool(destination.name) and os.path.islink(path_of_name(destination))
        return not is_link and super().is_directory(destination)


class NamesOnly(LinksAreNames, RefusesLinks):
    """Takes no link as a directory, and overwrites none."""


def is_a_link(at: At) -> bool:
    return os.path.islink(at.named)


def parts_of(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def leads_through_a_link(at: At) -> Any:
    """Forbid a relative path through a link, or with a step up."""
    start = os.path.realpath(root_of(at.sent))
    for path in (text_of(at.sent, "source"), text_of(at.sent, "destination")):
        above = parts_of(path)[:-1]
        if not path.startswith("/") and os.path.realpath(os.path.join(start, *above)) != os.path.join(start, *above):
            return "SandboxViolation"
    return None


def has_odd_names(at: At) -> Any:
    """Forbid names with two dots and more, that begin with a tilde, with backslashes, and signs that are not seen.

    Destinations have to be names on every system, as those that `pathvalidate` takes.
    """
    for key in ("source", "destination"):
        for step in parts_of(text_of(at.sent, key)):
            if step.startswith("~") or ".." in step or "\\" in step or not is_seen(step):
                return "SandboxViolation"
            if key == "destination" and not is_name_everywhere(step):
                return "BadArgs"
    return None


def is_seen(name: str) -> bool:
    return not any(unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn") for sign in name)


def is_name_everywhere(name: str) -> bool:
    return not re.search(r'[<>:"|?*]|[\s.]$', name) and not re.match(r"(?i)(con|prn|aux|nul|(com|lpt)\d)(\.|$)", name)


VARIANTS = (
    variant("AMB-FO-04=moved", "A link is not copied.")(row(on="copy", forbid=is_a_link)),
    variant("AMB-FO-04=refuse", "A link is neither moved nor copied.")(row(forbid=is_a_link)),
    variant("AMB-FO-19=name", "A link to a directory is a name that is taken.")(resolution=LinksAreNames),
    variant("AMB-FO-34=never", "Only files are moved.")(row(on="move", forbid=lambda at: at.is_dir)),
    variant("AMB-FO-48=refuse", "No link stands on the way of a path.")(row(forbid=leads_through_a_link)),
    variant("AMB-FO-49=refuse", "Odd names are refused.")(row(forbid=has_odd_names)),
    variant(
        "VAR-FO-58",
        "There is one root, and no path has a link in it.",
        {
            "AMB-FO-04": "refuse",
            "AMB-FO-19": "name",
            "AMB-FO-39": "refuse",
            "AMB-FO-40": "refuse",
            "AMB-FO-48": "refuse",
        },
    )(row(forbid=is_a_link), row(forbid=leads_through_a_link), candidate_class=without("roots"), resolution=NamesOnly),
    variant("VAR-FO-59", "There is one root.")(candidate_class=without("roots")),
    variant("VAR-FO-60", "To ask for overwriting is an error where the configuration does not allow it.")(
        row(forbid=lambda at: at.overwrites and not at.may_replace)
    ),
)
