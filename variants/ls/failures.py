"""Variants: errors, their messages, and the members of the envelope that are suggestions or examples."""

import errno
import os
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

from treeproof.rows.ls.answer import Answer
from treeproof.rows.ls.row import GONE, row
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .stages import ENVELOPES

LONGEST_NAME = 255
STATS = ("total_entries", "dirs", "files", "links", "returned")
PLACE = "context.path_resolved"


def code_is(code: str, where: Callable[[Answer], bool]) -> Row:
    """Return the row that has another code for some failures."""
    return row(only=lambda at: at.failed and where(at), failure={"error.code": code})


def is_below_a_file(at: Answer) -> bool:
    try:
        os.stat(at.folder)
    except OSError as error:
        return at.kind == "missing" and error.errno == errno.ENOTDIR
    return False


def has_gone(at: Answer) -> bool:
    """Return whether there is a link in place of the directory."""
    is_about_a_place = "path_resolved" in at.members["context"]
    return at.kind == "system" and is_about_a_place and os.strerror(errno.ELOOP) in at.message


def is_too_long(at: Answer) -> bool:
    """Return whether a name of the path is too long for its directory, which is there."""
    names = at.folder.split(b"/")
    first = next((place for place, name in enumerate(names) if len(name) > LONGEST_NAME), None)
    return at.kind == "missing" and first is not None and os.path.isdir(b"/".join(names[:first]) or b"/")


members_of = partial(row, stage=ENVELOPES)
"""Returns the row that replaces members of envelopes, by their places: `every`, `listing` and `failure`."""


def message_is(message: Callable[[Answer], str], **others: Any) -> Row:
    """Return the row with other messages, which the text has too."""

    def text(at: Answer) -> str:
        shown = str(at.members["text"])
        return shown.replace(at.message, message(at)) if at.message else shown

    return row(failure={"text": text, "error.message": message}, **others)


def naming_the_place(at: Answer) -> str:
    resolved = at.members["context"].get("path_resolved")
    return at.message if resolved is None else at.message.replace(f"'{at.given_path}'", f"'{resolved}'")


def climbs(at: Answer) -> bool:
    return at.given_path.startswith("..") and at.cwd == "." and "path_resolved" not in at.members["context"]


def token(at: Answer) -> str:
    return uuid4().hex


VARIANTS = (
    variant("AMB-LS-41=b", "A path below a file is a wrong argument.")(code_is("INVALID_PARAM", is_below_a_file)),
    variant("AMB-LS-42=b", "A directory that goes meanwhile is missing.")(code_is("NOT_FOUND", has_gone)),
    variant("AMB-LS-42=c", "A directory that goes meanwhile is outside.")(code_is("ACCESS_DENIED", has_gone)),
    variant("AMB-LS-52=b", "Messages name the resolved path.")(message_is(naming_the_place)),
    variant("AMB-LS-19=b", "An error has no path_resolved.")(members_of(failure={PLACE: GONE})),
    variant("AMB-LS-20=b", "An error has all stats.")(members_of(failure={f"stats.{name}": 0 for name in STATS})),
    variant("AMB-LS-29=b", "The text of an error has more than the message.")(
        members_of(failure={"text": lambda at: f"Error: {at.members['text']}"})
    ),
    variant("VAR-LS-01", "Messages are not those of the table, or empty.")(
        message_is(lambda at: "" if at.code == "INVALID_PARAM" else "That did not work.", stage=ENVELOPES)
    ),
    variant("VAR-LS-02", "No context has path_resolved.")(members_of(every={PLACE: GONE})),
    variant("VAR-LS-03", "An error has null as data, an empty text and empty stats.")(
        members_of(failure={"data": None, "text": "", "stats": {}})
    ),
    variant("VAR-LS-04", "A listing has empty stats.")(members_of(listing={"stats": {}})),
    variant("VAR-LS-05", "Members that no document names differ in each call.")(
        members_of(every={"context.request_id": token}, listing={"data.cursor": token, "stats.request_id": token})
    ),
    variant("VAR-LS-12", "A failure of the system names the absolute path.")(
        message_is(lambda at: f"{at.message}: {os.fsdecode(at.folder)}", only=lambda at: at.kind == "system")
    ),
    variant(
        "VAR-LS-37",
        "path_resolved of an error is empty.",
        {"AMB-LS-19": "b"},
        excludes=("VAR-LS-02", "VAR-LS-17", "VAR-LS-35"),
    )(members_of(failure={PLACE: ""})),
    variant("VAR-LS-17", "path_resolved shows a refused path.")(
        row(stage=ENVELOPES, only=climbs, failure={PLACE: lambda at: os.path.normpath(at.given_path)})
    ),
    variant("VAR-LS-35", "path_resolved starts at the working directory.", excludes=("VAR-LS-02", "AMB-LS-19=b"))(
        row(
            stage=ENVELOPES,
            only=lambda at: "path_resolved" in at.members["context"],
            every={PLACE: lambda at: os.path.relpath(f"/{at.path}", f"/{at.cwd}")},
        )
    ),
    variant("VAR-LS-07", "A name that is too long is outside.")(code_is("ACCESS_DENIED", is_too_long)),
    variant("VAR-LS-09", "A name that is too long is a failure of the system.")(code_is("INTERNAL_ERROR", is_too_long)),
)
