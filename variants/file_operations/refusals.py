"""Variants: tools that take less: no links, no directories, no second root, no odd names, no request to overwrite."""

import os
import re
import stat
import unicodedata

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser, Request, RequestedPath, bad_arguments
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.shared.sandbox import sandbox_violation

from ..shared.variant import variant
from .glue import Glue
from .overwriting_links import RefusesLinks
from .places import path_of_name


class LinksAreNames(Resolution):
    """A link is a name, whatever it leads to."""

    def is_directory(self, destination: NamedPlace) -> bool:
        is_link = bool(destination.name) and os.path.islink(path_of_name(destination))
        return not is_link and super().is_directory(destination)


class NoLinkAsSource(Resolution):
    """A link is no source."""

    def stat_source(self, place: NamedPlace) -> os.stat_result:
        if place.name and os.path.islink(path_of_name(place)):
            raise execution_failed("the source is a link")
        return super().stat_source(place)


class NoLinkOnTheWay(LinkSandbox):
    """A relative path leads through no link."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        named = super().resolve_named(path)
        if path.name and not path.text.startswith("/"):
            start = self.resolve(".")
            steps = [step.encode() for step in path.parent.split("/") if step != "."]
            if (named.directory.root, named.directory.components) != (start.root, (*start.components, *steps)):
                raise sandbox_violation("the path leads through a link")
        return named


class NoLinks(LinksAreNames, NoLinkAsSource, RefusesLinks):
    """Takes no link: neither as a source nor as a directory, and overwrites none."""


class NoDirectories(Resolution):
    """Only files are moved."""

    def stat_source(self, place: NamedPlace) -> os.stat_result:
        found = super().stat_source(place)
        if stat.S_ISDIR(found.st_mode):
            raise execution_failed("the source is a directory")
        return found


class NoOddNames(ArgumentParser):
    """Refuses names with two dots and more, names that begin with a tilde, backslashes, and signs that are not seen.

    Destinations have to be names on every system, as those that `pathvalidate` takes.
    """

    def parse_path(self, key: str) -> RequestedPath:
        path = super().parse_path(key)
        for step in path.text.split("/"):
            if step.startswith("~") or ".." in step or "\\" in step or not is_seen(step):
                raise sandbox_violation("a name looks like the way out")
            if key == "destination" and step != "." and not is_name_everywhere(step):
                raise bad_arguments("destination is no name on every system")
        return path


def is_seen(name: str) -> bool:
    return not any(unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn") for sign in name)


def is_name_everywhere(name: str) -> bool:
    return not re.search(r'[<>:"|?*]|[\s.]$', name) and not re.match(r"(?i)(con|prn|aux|nul|(com|lpt)\d)(\.|$)", name)


class RefusesRequests(ArgumentParser):
    """A call that asks for overwriting is refused where the configuration does not allow it."""

    def parse(self) -> Request:
        request = super().parse()
        if request.overwrite and not request.overwrite_allowed:
            raise execution_failed("overwriting is not allowed")
        return request


class OneRoot(Glue):
    lacks = frozenset({"roots"})


VARIANTS = (
    variant("AMB-FO-04=moved", "A link is not copied.")(copy_resolution=NoLinkAsSource),
    variant("AMB-FO-04=refuse", "A link is neither moved nor copied.")(resolution=NoLinkAsSource),
    variant("AMB-FO-19=name", "A link to a directory is a name that is taken.")(resolution=LinksAreNames),
    variant("AMB-FO-34=never", "Only files are moved.")(move_resolution=NoDirectories),
    variant("AMB-FO-48=refuse", "No link stands on the way of a path.")(sandbox=NoLinkOnTheWay),
    variant("AMB-FO-49=refuse", "Odd names are refused.")(argument_parser=NoOddNames),
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
    )(candidate_class=OneRoot, resolution=NoLinks, sandbox=NoLinkOnTheWay),
    variant("VAR-FO-59", "There is one root.")(candidate_class=OneRoot),
    variant("VAR-FO-60", "To ask for overwriting is an error where the configuration does not allow it.")(
        argument_parser=RefusesRequests
    ),
)
