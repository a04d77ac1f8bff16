"""Wrong in the members of the envelope: at the top, in stats and in context."""

import json
import os
from typing import Any

from ...context import CallContext
from ...envelope.answer import Answer, Members
from ...envelope.page import Page
from ...envelope.project import Project
from ...envelope.refusals import Refused
from ..mutant import Mutant
from .made import wrong


class NullError(Answer):
    def listing(self, path: str, page: Page, text: str) -> Members:
        return super().listing(path, page, text) | {"error": None}


class Stamped(Answer):
    def written(self, members: Members) -> str:
        return super().written(members | {"version": "1.0"})


class NoDataOnErrors(Answer):
    def failure(self, refused: Refused, path: str | None) -> Members:
        members = super().failure(refused, path)
        del members["data"]
        return members


class NullData(Answer):
    def failure(self, refused: Refused, path: str | None) -> Members:
        return super().failure(refused, path) | {"data": None}


class ListData(Answer):
    def failure(self, refused: Refused, path: str | None) -> Members:
        return super().failure(refused, path) | {"data": []}


class Truncated(Answer):
    def status(self, page: Page) -> str:
        return "truncated" if page.is_truncated else "success"


class Speechless(Answer):
    """An error about arguments has no message."""

    def error(self, refused: Refused) -> Members:
        said = super().error(refused)
        return said | {"message": ""} if refused.below is None and said["code"] == "INVALID_PARAM" else said


class Detailed(Answer):
    """The message of an error about a missing path is an object."""

    def error(self, refused: Refused) -> Members:
        said = super().error(refused)
        return said | {"message": {"text": refused.message}} if said["code"] == "NOT_FOUND" else said


class NothingToSay(Answer):
    def listing(self, path: str, page: Page, text: str) -> Members:
        return super().listing(path, page, "" if not page.total else text)


class Lines(Answer):
    def failure_text(self, refused: Refused) -> Any:
        return [refused.message]


class Timeless(Answer):
    def stats(self, page: Page) -> Members:
        return {key: value for key, value in super().stats(page).items() if key != "time_ms"}


class TimeWithUnit(Answer):
    def time_ms(self) -> Any:
        return f"{super().time_ms()}ms"


class TimelessErrors(Answer):
    def failure(self, refused: Refused, path: str | None) -> Members:
        return super().failure(refused, path) | {"stats": {}}


class Backwards(Answer):
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


class DefaultsEchoed(Answer):
    def context(self, path: str | None) -> Members:
        filled = {"path": ".", "offset": 0, "limit": 100, "include_hidden": False, "ignore": None}
        sent = filled | self.sent if isinstance(self.sent, dict) and path is not None else self.sent
        return super().context(path) | {"params_input": sent}


class NullsDropped(Answer):
    def context(self, path: str | None) -> Members:
        sent = self.sent
        if isinstance(sent, dict):
            sent = {key: value for key, value in sent.items() if value is not None}
        return super().context(path) | {"params_input": sent}


class NoEchoOnErrors(Answer):
    def failure(self, refused: Refused, path: str | None) -> Members:
        members = super().failure(refused, path)
        members["context"]["params_input"] = {}
        return members


class KnownEchoed(Answer):
    def context(self, path: str | None) -> Members:
        known = ("path", "offset", "limit", "include_hidden", "ignore")
        sent = self.sent
        if isinstance(sent, dict):
            sent = {key: value for key, value in sent.items() if key in known}
        return super().context(path) | {"params_input": sent}


class EchoAsText(Answer):
    def context(self, path: str | None) -> Members:
        return super().context(path) | {"params_input": json.dumps(self.sent)}


class ResolvedPathEchoed(Answer):
    def context(self, path: str | None) -> Members:
        sent = self.sent
        if isinstance(sent, dict) and "path" in sent and path is not None:
            sent = sent | {"path": path}
        return super().context(path) | {"params_input": sent}


class NoPathResolved(Answer):
    def context(self, path: str | None) -> Members:
        return {key: value for key, value in super().context(path).items() if key != "path_resolved"}


class NothingAtTheRoot(Answer):
    def context(self, path: str | None) -> Members:
        return super().context("" if path == "." else path)


class SlashBehind(Answer):
    def context(self, path: str | None) -> Members:
        return super().context(path if path in (None, ".") else f"{path}/")


class DotBefore(Answer):
    def context(self, path: str | None) -> Members:
        return super().context(path if path in (None, ".") else f"./{path}")


class AsGiven(Answer):
    def context(self, path: str | None) -> Members:
        given = self.sent.get("path", ".") if isinstance(self.sent, dict) else "."
        return super().context(path if path is None else given)


class AbsolutePlace(Project):
    """Remembers where the root is, for those who tell it."""

    told = b""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        AbsolutePlace.told = self.root


class AbsolutePathResolved(Answer):
    def context(self, path: str | None) -> Members:
        place = os.fsdecode(AbsolutePlace.told)
        return super().context(path if path is None else os.path.normpath(os.path.join(place, path)))


class RawSurrogates(Answer):
    """Bytes that are no text go out as the halves of pairs that Python makes of them."""

    def data(self, page: Page) -> Members:
        members = super().data(page)
        for shown, entry in zip(members["entries"], page.entries, strict=True):
            if "\ufffd" in entry.name:
                shown["path"] = os.fsdecode(entry.raw)
        return members

    def written(self, members: Members) -> str:
        return json.dumps(members, ensure_ascii=False)


class Unquoted(Answer):
    """JSON put together by hand: quotes in names are not escaped."""

    def written(self, members: Members) -> str:
        text = super().written(members)
        if members["status"] == "error":
            return text
        for entry in members["data"]["entries"]:
            if any(letter in entry["path"] for letter in '"\t\x01'):
                text = text.replace(json.dumps(entry["path"]), f'"{entry["path"]}"')
        return text


class TidyEcho(Answer):
    """Doubles among patterns, blanks around texts, backslashes and what is very long are tidied away."""

    def context(self, path: str | None) -> Members:
        sent = self.sent
        if isinstance(sent, dict):
            sent = {key: self.tidied(value) for key, value in sent.items()}
        return super().context(path) | {"params_input": sent}

    def tidied(self, value: Any) -> Any:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return list(dict.fromkeys(value))
        return value.strip().replace("\\", "/")[:1000] if isinstance(value, str) else value


MUTANTS: tuple[Mutant, ...] = (
    wrong(40, "A listing has an error of null.", "ENV-01", answer=NullError),
    wrong(41, "There is a further member at the top.", "ENV-01", answer=Stamped),
    wrong(42, "An error has no data.", "ENV-01", "ENV-03", answer=NoDataOnErrors),
    wrong(43, "The data of an error is null.", "ENV-03", answer=NullData),
    wrong(44, "The data of an error is an array.", "ENV-03", answer=ListData),
    wrong(45, "A truncated listing has the status truncated.", "ENV-02", "PAGE-03", answer=Truncated),
    wrong(46, "An error about arguments has an empty message.", "ENV-04", "ERR-07", answer=Speechless),
    wrong(
        47,
        "The message about a missing path is an object.",
        *("ENV-04", "ERR-01", "ERR-07", "ERR-08"),
        answer=Detailed,
    ),
    wrong(
        48,
        "A listing without entries has no text.",
        *("ENV-05", "TEXT-01", "TEXT-02", "TEXT-05"),
        answer=NothingToSay,
    ),
    wrong(49, "The text of an error is an array of lines.", "ENV-05", "ERR-07", answer=Lines),
    wrong(50, "The time is missing.", "ENV-06", answer=Timeless),
    wrong(51, "The time is a text with a unit.", "ENV-06", answer=TimeWithUnit),
    wrong(52, "The time of an error is missing.", "ENV-06", answer=TimelessErrors),
    wrong(53, "The time is negative.", "ENV-06", answer=Backwards),
    wrong(54, "cwd is always the root.", "ENV-07", project=AlwaysAtTheRoot),
    wrong(55, "cwd is absolute.", "ENV-07", "ENV-09", project=AbsoluteCwd),
    wrong(56, "cwd is the last name of the working directory.", "ENV-07", project=LastNameOfCwd),
    wrong(57, "cwd is empty at the root.", "ENV-07", project=EmptyCwd),
    wrong(58, "params_input has the defaults filled in.", "ENV-08", answer=DefaultsEchoed),
    wrong(59, "params_input lacks what was null.", "ENV-08", answer=NullsDropped),
    wrong(60, "params_input is empty in an error.", "ENV-08", answer=NoEchoOnErrors),
    wrong(61, "params_input lacks unknown arguments.", "ENV-08", answer=KnownEchoed),
    wrong(62, "params_input is a text.", "ENV-08", answer=EchoAsText),
    wrong(63, "params_input has the resolved path.", "ENV-08", answer=ResolvedPathEchoed),
    wrong(64, "path_resolved is missing.", "ENV-09", answer=NoPathResolved),
    wrong(65, "path_resolved is empty at the root.", "ENV-09", answer=NothingAtTheRoot),
    wrong(66, "path_resolved ends in a slash.", "ENV-09", answer=SlashBehind),
    wrong(67, "path_resolved begins with a dot.", "ENV-09", answer=DotBefore),
    wrong(68, "path_resolved is the path as it was given.", "ENV-09", answer=AsGiven),
    wrong(
        69,
        "path_resolved is absolute.",
        *("ENV-09", "DATA-07", "SEC-07"),
        project=AbsolutePlace,
        answer=AbsolutePathResolved,
    ),
    wrong(70, "A name that is not UTF-8 makes the answer none either.", "ENV-10", answer=RawSurrogates),
    wrong(71, "Quotes and control characters in names are not escaped.", "ENV-10", answer=Unquoted),
    wrong(72, "params_input is tidied.", "ENV-08", answer=TidyEcho),
)
