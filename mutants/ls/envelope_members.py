"""Mutants: errors in the members of the envelope, stats and context."""

import json
import os
from typing import Any

from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import CallRefused
from treeproof.reference_impl.ls.page import Page
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import build_mutant


class NullError(Envelope):
    def listing(self, path: str, page: Page, text: str) -> Members:
        return super().listing(path, page, text) | {"error": None}


class Stamped(Envelope):
    def to_json(self, members: Members) -> str:
        return super().to_json(members | {"version": "1.0"})


class NoDataOnErrors(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        members = super().failure(refused, path)
        del members["data"]
        return members


class NullData(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        return super().failure(refused, path) | {"data": None}


class DataIsTheEntries(Envelope):
    def data(self, page: Page) -> Any:
        return super().data(page)["entries"]


class ListData(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        return super().failure(refused, path) | {"data": []}


class Truncated(Envelope):
    def status(self, page: Page) -> str:
        return "truncated" if page.is_truncated else "success"


class EmptyMessages(Envelope):
    def error(self, refused: CallRefused) -> Members:
        error = super().error(refused)
        return error | {"message": ""} if refused.components is None and error["code"] == "INVALID_PARAM" else error


class Detailed(Envelope):
    def error(self, refused: CallRefused) -> Members:
        error = super().error(refused)
        return error | {"message": {"text": refused.message}} if error["code"] == "NOT_FOUND" else error


class EmptyTextForNoEntries(Envelope):
    def listing(self, path: str, page: Page, text: str) -> Members:
        return super().listing(path, page, "" if not page.total else text)


class Lines(Envelope):
    def failure_text(self, refused: CallRefused) -> Any:
        return [refused.message]


class Timeless(Envelope):
    def stats(self, page: Page) -> Members:
        return {key: value for key, value in super().stats(page).items() if key != "time_ms"}


class TimeWithUnit(Envelope):
    def time_ms(self) -> Any:
        return f"{super().time_ms()}ms"


class TimelessErrors(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        return super().failure(refused, path) | {"stats": {}}


class Backwards(Envelope):
    def time_ms(self) -> Any:
        return -1


class AlwaysAtTheRoot(Project):
    @property
    def cwd(self) -> str:
        return "."


class AbsoluteCwd(Project):
    @property
    def cwd(self) -> str:
        return os.fsdecode(self.working_dir)


class LastNameOfCwd(Project):
    @property
    def cwd(self) -> str:
        return super().cwd.rpartition("/")[2]


class EmptyCwd(Project):
    @property
    def cwd(self) -> str:
        return "" if super().cwd == "." else super().cwd


class DefaultsEchoed(Envelope):
    def context(self, path: str | None) -> Members:
        filled = {"path": ".", "offset": 0, "limit": 100, "include_hidden": False, "ignore": None}
        sent = (
            filled | self.sent_arguments
            if isinstance(self.sent_arguments, dict) and path is not None
            else self.sent_arguments
        )
        return super().context(path) | {"params_input": sent}


class NullsDropped(Envelope):
    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict):
            sent = {key: value for key, value in sent.items() if value is not None}
        return super().context(path) | {"params_input": sent}


class NoEchoOnErrors(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        members = super().failure(refused, path)
        members["context"]["params_input"] = {}
        return members


class KnownEchoed(Envelope):
    def context(self, path: str | None) -> Members:
        known = ("path", "offset", "limit", "include_hidden", "ignore")
        sent = self.sent_arguments
        if isinstance(sent, dict):
            sent = {key: value for key, value in sent.items() if key in known}
        return super().context(path) | {"params_input": sent}


class EchoAsText(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context(path) | {"params_input": json.dumps(self.sent_arguments)}


class ResolvedPathEchoed(Envelope):
    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict) and "path" in sent and path is not None:
            sent = sent | {"path": path}
        return super().context(path) | {"params_input": sent}


class NoPathResolved(Envelope):
    def context(self, path: str | None) -> Members:
        return {key: value for key, value in super().context(path).items() if key != "path_resolved"}


class NothingAtTheRoot(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context("" if path == "." else path)


class SlashBehind(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context(path if path in (None, ".") else f"{path}/")


class DotBefore(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context(path if path in (None, ".") else f"./{path}")


class AsGiven(Envelope):
    def context(self, path: str | None) -> Members:
        given = self.sent_arguments.get("path", ".") if isinstance(self.sent_arguments, dict) else "."
        return super().context(path if path is None else given)


class AbsolutePlace(Project):
    """Stores the place of the root for the output."""

    root_path = b""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        AbsolutePlace.root_path = self.root


class AbsolutePathResolved(Envelope):
    def context(self, path: str | None) -> Members:
        place = os.fsdecode(AbsolutePlace.root_path)
        return super().context(path if path is None else os.path.normpath(os.path.join(place, path)))


class RawSurrogates(Envelope):
    """Undecodable bytes are written as Python's lone surrogates."""

    def data(self, page: Page) -> Members:
        members = super().data(page)
        for shown, entry in zip(members["entries"], page.entries, strict=True):
            if "\ufffd" in entry.name:
                shown["path"] = os.fsdecode(entry.raw_name)
        return members

    def to_json(self, members: Members) -> str:
        return json.dumps(members, ensure_ascii=False)


class Unquoted(Envelope):
    def to_json(self, members: Members) -> str:
        text = super().to_json(members)
        if members["status"] == "error":
            return text
        for entry in members["data"]["entries"]:
            if any(letter in entry["path"] for letter in '"\t\x01'):
                text = text.replace(json.dumps(entry["path"]), f'"{entry["path"]}"')
        return text


class TidyEcho(Envelope):
    """Removes duplicate patterns, blanks around texts, backslashes and very long texts."""

    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict):
            sent = {key: self.tidied(value) for key, value in sent.items()}
        return super().context(path) | {"params_input": sent}

    def tidied(self, value: Any) -> Any:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return list(dict.fromkeys(value))
        return value.strip().replace("\\", "/")[:1000] if isinstance(value, str) else value


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-040", "A success has an error of null.", "LS-ENV-01", envelope=NullError),
    build_mutant("MUT-LS-041", "There is an additional member at the top level.", "LS-ENV-01", envelope=Stamped),
    build_mutant("MUT-LS-042", "An error has no data.", "LS-ENV-01 LS-ENV-11", envelope=NoDataOnErrors),
    build_mutant("MUT-LS-043", "The data of an error is null.", "LS-ENV-11", envelope=NullData),
    build_mutant(
        "MUT-LS-323", "The data of a listing is the array of its entries.", "LS-ENV-03", envelope=DataIsTheEntries
    ),
    build_mutant("MUT-LS-044", "The data of an error is an array.", "LS-ENV-11", envelope=ListData),
    build_mutant(
        "MUT-LS-045",
        "A truncated listing has the status truncated.",
        "LS-ENV-02 LS-PAGE-03",
        envelope=Truncated,
    ),
    build_mutant(
        "MUT-LS-046",
        "An error about arguments has an empty message.",
        "LS-ENV-11 LS-ERR-07",
        envelope=EmptyMessages,
    ),
    build_mutant(
        "MUT-LS-047",
        "The message about a missing path is an object.",
        "LS-ENV-04 LS-ENV-11 LS-ERR-07 LS-ERR-08 LS-ERR-09",
        envelope=Detailed,
    ),
    build_mutant(
        "MUT-LS-048",
        "An empty listing has no text.",
        "LS-ENV-05 LS-TEXT-01 LS-TEXT-02 LS-TEXT-05",
        envelope=EmptyTextForNoEntries,
    ),
    build_mutant("MUT-LS-049", "The text of an error is an array of lines.", "LS-ENV-11 LS-ERR-07", envelope=Lines),
    build_mutant("MUT-LS-050", "The time is missing.", "LS-ENV-06", envelope=Timeless),
    build_mutant("MUT-LS-051", "The time is a text with a unit.", "LS-ENV-06", envelope=TimeWithUnit),
    build_mutant("MUT-LS-052", "The time of an error is missing.", "LS-ENV-11", envelope=TimelessErrors),
    build_mutant("MUT-LS-053", "The time is negative.", "LS-ENV-06", envelope=Backwards),
    build_mutant("MUT-LS-054", "cwd is always the root.", "LS-ENV-07", project=AlwaysAtTheRoot),
    build_mutant("MUT-LS-055", "cwd is absolute.", "LS-ENV-07 LS-ENV-09", project=AbsoluteCwd),
    build_mutant("MUT-LS-056", "cwd is the last name of the working directory.", "LS-ENV-07", project=LastNameOfCwd),
    build_mutant("MUT-LS-057", "cwd is empty at the root.", "LS-ENV-07", project=EmptyCwd),
    build_mutant("MUT-LS-058", "params_input has the defaults filled in.", "LS-ENV-08", envelope=DefaultsEchoed),
    build_mutant("MUT-LS-059", "params_input lacks what was null.", "LS-ENV-08", envelope=NullsDropped),
    build_mutant("MUT-LS-060", "params_input is empty in an error.", "LS-ENV-08", envelope=NoEchoOnErrors),
    build_mutant("MUT-LS-061", "params_input lacks unknown arguments.", "LS-ENV-08", envelope=KnownEchoed),
    build_mutant("MUT-LS-062", "params_input is a text.", "LS-ENV-08", envelope=EchoAsText),
    build_mutant("MUT-LS-063", "params_input has the resolved path.", "LS-ENV-08", envelope=ResolvedPathEchoed),
    build_mutant("MUT-LS-064", "path_resolved is missing.", "LS-ENV-12", envelope=NoPathResolved),
    build_mutant("MUT-LS-065", "path_resolved is empty at the root.", "LS-ENV-09", envelope=NothingAtTheRoot),
    build_mutant("MUT-LS-066", "path_resolved ends in a slash.", "LS-ENV-09", envelope=SlashBehind),
    build_mutant("MUT-LS-067", "path_resolved begins with a dot.", "LS-ENV-09", envelope=DotBefore),
    build_mutant("MUT-LS-068", "path_resolved is the path as it was given.", "LS-ENV-09", envelope=AsGiven),
    build_mutant(
        "MUT-LS-069",
        "path_resolved is absolute.",
        "LS-ENV-09 LS-DATA-07 LS-SEC-07",
        project=AbsolutePlace,
        envelope=AbsolutePathResolved,
    ),
    build_mutant(
        "MUT-LS-070",
        "A name that is not UTF-8 makes the result invalid UTF-8.",
        "LS-ENV-10",
        envelope=RawSurrogates,
    ),
    build_mutant(
        "MUT-LS-071",
        "Quotes and control characters in names are not escaped.",
        "LS-ENV-10",
        envelope=Unquoted,
    ),
    build_mutant("MUT-LS-072", "params_input is normalised.", "LS-ENV-08", envelope=TidyEcho),
)
