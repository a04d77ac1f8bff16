"""Mutants: errors in the members of the envelope and of stats."""

import json
import os
from typing import Any

from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import CallRefused
from treeproof.reference_impl.ls.page import Page

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


class EmptyStatus(Envelope):
    def status(self, page: Page) -> str:
        return super().status(page) if page.total else "empty"


class ListDataBehindTheEnd(Envelope):
    def data(self, page: Page) -> Any:
        return [] if page.offset > page.total else super().data(page)


class ListDataForNone(Envelope):
    def data(self, page: Page) -> Any:
        return super().data(page) if page.total else []


class InternalMessageIsAnObject(Envelope):
    def error(self, refused: CallRefused) -> Members:
        error = super().error(refused)
        return error | {"message": {}} if error["code"] == "INTERNAL_ERROR" else error


class SilentFailures(Envelope):
    def failure_text(self, refused: CallRefused) -> str:
        return "" if refused.code == "INTERNAL_ERROR" else super().failure_text(refused)


class StatusTwice(Envelope):
    def to_json(self, members: Members) -> str:
        return '{"status": "success", ' + super().to_json(members)[1:]


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
    build_mutant(
        "MUT-LS-339", "An empty listing has a status of its own.", "LS-ENV-02 LS-PAGE-03", envelope=EmptyStatus
    ),
    build_mutant(
        "MUT-LS-340", "The data behind the end is an array.", "LS-ENV-03 LS-PAGE-05", envelope=ListDataBehindTheEnd
    ),
    build_mutant("MUT-LS-341", "The data of an empty listing is an array.", "LS-ENV-03", envelope=ListDataForNone),
    build_mutant(
        "MUT-LS-342",
        "The message of a failure of the system is an object.",
        "LS-ENV-04",
        envelope=InternalMessageIsAnObject,
    ),
    build_mutant("MUT-LS-343", "A failure of the system has no text.", "LS-ENV-11 LS-ERR-07", envelope=SilentFailures),
    build_mutant("MUT-LS-460", "The status is there twice.", "LS-ENV-13", envelope=StatusTwice),
)
