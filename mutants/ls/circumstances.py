"""Mutants: errors that show beside another argument only, in certain places, or with long names and long lists."""

import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles, LsPlan
from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import CallRefused
from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES, Filters
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.page import EntryOrder, Page
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.ls.request import ArgumentParser, Request
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import DirectoryReader
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant

LINE = 80


class LongPagesOfHidden(ArgumentParser):
    def parse(self) -> Request:
        request = super().parse()
        return replace(request, limit=200) if request.include_hidden and "limit" not in self.sent_arguments else request


class ClampedWithOffset(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        is_clamped = type(value) is int and value > 200 and "offset" in self.sent_arguments
        return super().parse_limit(200 if is_clamped else value)


class NoNegativeWithLimit(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        is_zero = type(value) is int and value < 0 and "limit" in self.sent_arguments
        return super().parse_offset(0 if is_zero else value)


class BreaksByObject(Candidate):
    """Fails outside of the envelope."""

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        arguments = params["arguments"]
        if isinstance(arguments, dict) and isinstance(arguments.get("include_hidden"), dict):
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": "include_hidden is an object"}}
        return super().call(params)


class FirstOfAList(ArgumentParser):
    def parse(self) -> Request:
        sent = self.sent_arguments
        is_one = isinstance(sent, list) and len(sent) == 1 and isinstance(sent[0], dict)
        return ArgumentParser(sent[0]).parse() if is_one else super().parse()


class TooLongByName(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if any(len(name) > 255 for name in path.encode().split(b"/")):
            raise CallRefused("PATH_TOO_LONG", "The path is too long.")
        return super().resolve(path)


class SpecialTargetsAreFiles(Directory):
    """A link to a pipe, a socket or a device is a file."""

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        if found != "link":
            return found
        try:
            mode = os.stat(self.project.join_root((*self.components, raw))).st_mode
        except OSError:
            return found
        return found if stat.S_ISDIR(mode) or stat.S_ISREG(mode) else "file"


class NoTwoDots(Directory):
    def entries(self) -> list[Entry]:
        return [entry for entry in super().entries() if not entry.name.startswith("..")]


class NoBackups(Directory):
    def entries(self) -> list[Entry]:
        return [entry for entry in super().entries() if not entry.name.endswith((".bak", ".orig", "~"))]


class LeftOutByTarget(Directory):
    """A link has the name of what it leads to, as far as names are left out."""

    names: frozenset[bytes] = frozenset()

    def entries(self) -> list[Entry]:
        return [entry for entry in super().entries() if entry.type != "link" or not self.is_hidden_by_target(entry)]

    def is_hidden_by_target(self, entry: Entry) -> bool:
        target = os.readlink(self.project.join_root((*self.components, entry.raw_name)))
        return os.path.basename(target) in self.names and entry.sorts_first


class LinksToIgnored(LeftOutByTarget):
    names = frozenset(name.encode() for name in DEFAULT_IGNORES)


class LinksToHiddenFiles(LeftOutByTarget):
    def is_hidden_by_target(self, entry: Entry) -> bool:
        place = self.project.join_root((*self.components, entry.raw_name))
        return os.path.isfile(place) and os.path.basename(os.readlink(place)).startswith(b".")


class CircumstancesPlan(LsPlan):
    """Leaves out a step of the filters in some calls."""

    def list_page(self, project: Project, envelope: Envelope) -> Members:
        request = self.tool.argument_parser(self.sent_arguments).parse()
        components = project.resolve(request.path)
        tool = replace(self.tool, filters=self.filters_for(request, project, components))
        return LsPlan(tool, self.sent_arguments, self.context, self.flavour).list_page(project, envelope)

    def filters_for(self, request: Request, project: Project, components: tuple[bytes, ...]) -> type[Filters]:
        return Filters


class WithoutHidden(Filters):
    """Hidden names are shown."""

    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) and entry.name in DEFAULT_IGNORES


class WithoutIgnored(Filters):
    """Ignored names are shown."""

    def is_ignored(self, entry: Entry) -> bool:
        return False


class WithoutPatterns(Filters):
    def matches_any_pattern(self, entry: Entry) -> bool:
        return False


def leaves_out(filters: type[Filters], circumstance: str) -> type[ListFiles]:
    """Return a tool with other filters if the path is `absolute`, leads `up` to the root, or to a name of `names`."""

    class Plan(CircumstancesPlan):
        def filters_for(self, request: Request, project: Project, components: tuple[bytes, ...]) -> type[Filters]:
            last = components[-1].decode("utf-8", "replace") if components else ""
            applies = {
                "absolute": request.path.startswith("/"),
                "up": not components and project.cwd != ".",
                "hidden": last.startswith("."),
                "ignored": last in DEFAULT_IGNORES,
            }
            return filters if applies[circumstance] else Filters

    class Tool(ListFiles):
        def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> LsPlan:
            return Plan(self, arguments, context, flavour)

    return Tool


class SlashAtTheEnd(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        name = entry.name + "/" * (entry.type == "dir")
        return (not self.sorts_first(entry), name.lower(), entry.name, entry.raw_name)


class NothingBehindAHundred(Page):
    @property
    def is_truncated(self) -> bool:
        return super().is_truncated and self.offset < 100


class LargestIsWhole(Page):
    @property
    def is_truncated(self) -> bool:
        return super().is_truncated and self.limit < 200


class DefaultIsSuccess(Envelope):
    def status(self, page: Page) -> str:
        is_default = isinstance(self.sent_arguments, dict) and "limit" not in self.sent_arguments
        return "success" if is_default else super().status(page)


class BelowInAnyCase(Project):
    """Compares with the root without regard to case, but for the root itself."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        root = self.root.lower() + b"/"
        if real.lower().startswith(root) and not real.startswith(self.root + b"/"):
            return (b"..", *real.split(b"/")[self.root.count(b"/") :])
        return super().components_below_root(real)


class VagueText(Envelope):
    def failure_text(self, refused: CallRefused) -> str:
        is_vague = refused.code == "INTERNAL_ERROR"
        return "The directory could not be listed." if is_vague else super().failure_text(refused)


class ShortMessages(Envelope):
    def error(self, refused: CallRefused) -> Members:
        return {"code": refused.code, "message": self.failure_text(refused)}

    def failure_text(self, refused: CallRefused) -> str:
        return refused.message if len(refused.message) <= LINE else refused.message[: LINE - 1] + "…"


class EscapedHeading(ListingText):
    def summary(self) -> str:
        escaped = self.path.replace("\\", "\\\\").replace('"', '\\"')
        return f"Listed {len(self.page.entries)} entries in '{escaped}'"


class FormattedHeading(ListingText):
    def summary(self) -> str:
        return super().summary().replace("%s", "")


class ShortHeading(ListingText):
    def summary(self) -> str:
        return f"Listed {len(self.page.entries)} entries in '{self.path[:LINE]}'"


class AndMore(ListingText):
    """More than twenty lines have one more behind them."""

    is_about = staticmethod(lambda page: page.is_truncated)

    def render(self) -> str:
        page = self.page
        rest = f"\n… and {page.total - len(page.entries)} more"
        return super().render() + rest * (len(page.entries) > 20 and self.is_about(page))


class EndOfList(AndMore):
    is_about = staticmethod(lambda page: not page.is_truncated)


class ShortLines(ListingText):
    def entry_line(self, entry: Entry) -> str:
        line = super().entry_line(entry)
        return line if len(line) <= LINE else line[: LINE - 3] + "..."


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-398", "With include_hidden a page holds 200.", "LS-DEF-04", argument_parser=LongPagesOfHidden),
    build_mutant(
        "MUT-LS-399",
        "With an offset a limit above 200 is clamped.",
        "LS-ARG-03 LS-ERR-05",
        argument_parser=ClampedWithOffset,
    ),
    build_mutant(
        "MUT-LS-400",
        "With a limit a negative offset is 0.",
        "LS-ARG-02 LS-ERR-05",
        argument_parser=NoNegativeWithLimit,
    ),
    build_mutant(
        "MUT-LS-401",
        "An object as include_hidden fails without an envelope.",
        "LS-ARG-04 LS-ARG-08",
        candidate_class=BreaksByObject,
    ),
    build_mutant(
        "MUT-LS-402",
        "A list with one object in place of the arguments is that object.",
        "LS-ARG-08",
        argument_parser=FirstOfAList,
    ),
    build_mutant("MUT-LS-404", "A path that is too long is PATH_TOO_LONG.", "LS-ENV-04", project=TooLongByName),
    build_mutant(
        "MUT-LS-405",
        "A link to a pipe, a socket or a device is a file.",
        "LS-DATA-05",
        directory=SpecialTargetsAreFiles,
    ),
    build_mutant(
        "MUT-LS-406", "Names with two leading dots are left out.", "LS-FILT-03 LS-DATA-06", directory=NoTwoDots
    ),
    build_mutant("MUT-LS-407", "Backup files are left out.", "LS-DATA-06", directory=NoBackups),
    build_mutant(
        "MUT-LS-408",
        "A link to a directory with an ignored name is left out.",
        "LS-FILT-09 LS-DATA-06",
        directory=LinksToIgnored,
    ),
    build_mutant(
        "MUT-LS-409", "A link to a hidden file is left out.", "LS-FILT-01 LS-DATA-06", directory=LinksToHiddenFiles
    ),
    build_mutant(
        "MUT-LS-410",
        "In a hidden directory hidden entries are shown.",
        "LS-FILT-01 LS-FILT-10",
        tool=leaves_out(WithoutHidden, "hidden"),
    ),
    build_mutant(
        "MUT-LS-411",
        "In an ignored directory ignored ones are shown.",
        "LS-FILT-02 LS-FILT-10",
        tool=leaves_out(WithoutIgnored, "ignored"),
    ),
    build_mutant(
        "MUT-LS-412",
        "With a working directory below, the root shows hidden entries.",
        "LS-FILT-01",
        tool=leaves_out(WithoutHidden, "up"),
    ),
    build_mutant(
        "MUT-LS-413",
        "With a working directory below, the root shows ignored directories.",
        "LS-FILT-02",
        tool=leaves_out(WithoutIgnored, "up"),
    ),
    build_mutant(
        "MUT-LS-414",
        "An absolute path shows hidden entries.",
        "LS-FILT-01",
        tool=leaves_out(WithoutHidden, "absolute"),
    ),
    build_mutant(
        "MUT-LS-415",
        "An absolute path shows ignored directories.",
        "LS-FILT-02",
        tool=leaves_out(WithoutIgnored, "absolute"),
    ),
    build_mutant(
        "MUT-LS-416",
        "With an absolute path patterns do not apply.",
        "LS-FILT-04 LS-FILT-05",
        tool=leaves_out(WithoutPatterns, "absolute"),
    ),
    build_mutant(
        "MUT-LS-417", "Directories are compared with a slash behind their names.", "LS-SORT-02", order=SlashAtTheEnd
    ),
    build_mutant(
        "MUT-LS-418", "Pages from the offset 100 on are not truncated.", "LS-PAGE-02", page=NothingBehindAHundred
    ),
    build_mutant("MUT-LS-419", "A page with the limit 200 is not truncated.", "LS-PAGE-02", page=LargestIsWhole),
    build_mutant("MUT-LS-420", "Without a limit the status is success.", "LS-PAGE-03", envelope=DefaultIsSuccess),
    build_mutant("MUT-LS-421", "What lies below ROOT lies below root.", "LS-SEC-05", project=BelowInAnyCase),
    build_mutant("MUT-LS-422", "The text of INTERNAL_ERROR is vague.", "LS-ERR-07", envelope=VagueText),
    build_mutant("MUT-LS-423", "Messages are cut to 80 characters.", "LS-ERR-09", envelope=ShortMessages),
    build_mutant("MUT-LS-424", "Line 1 escapes quotes and backslashes.", "LS-TEXT-01", text=EscapedHeading),
    build_mutant("MUT-LS-425", "Line 1 is a format.", "LS-TEXT-01", text=FormattedHeading),
    build_mutant("MUT-LS-426", "Line 1 cuts paths to 80 characters.", "LS-TEXT-01", text=ShortHeading),
    build_mutant("MUT-LS-427", "The text of a long page ends with a count of the others.", "LS-TEXT-05", text=AndMore),
    build_mutant("MUT-LS-428", "The text of a long whole list ends with a count.", "LS-TEXT-05", text=EndOfList),
    build_mutant("MUT-LS-429", "Lines are cut to 80 characters.", "LS-TEXT-05", text=ShortLines),
)
