"""Mutants: errors in the members of the envelope, of stats and of context."""

import json
import os
from typing import Any
from unicodedata import normalize

from treeproof.api import CallResult
from treeproof.rows.ls.answer import Answer
from treeproof.rows.ls.row import GONE, Members
from treeproof.rows.shared.row import Sent

from ..shared.mutant import Mutant
from .rows import echo, row, shown

NO_ENTRIES = "LS-DATA-01 LS-PAGE-05 LS-FILT-05"
FLAG = "LS-DATA-04 LS-PAGE-05 LS-PAGE-02 LS-PAGE-03"
DEFAULTS = {"path": ".", "offset": 0, "limit": 100, "include_hidden": False, "ignore": None}


def is_resolved(at: Answer) -> bool:
    return "path_resolved" in at.members["context"]


def is_below_root(at: Answer) -> bool:
    return is_resolved(at) and at.path != "."


def with_patterns(change: Any) -> Members:
    """Return the change of each pattern that params_input shows."""

    def changed(sent: dict[str, Any]) -> dict[str, Any]:
        patterns = sent.get("ignore")
        if not isinstance(patterns, list):
            return sent
        return {**sent, "ignore": [change(one) if isinstance(one, str) else one for one in patterns]}

    return echo(changed)


def tidied(value: Any) -> Any:
    """Remove duplicate patterns, blanks around texts, backslashes and very long texts."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return list(dict.fromkeys(value))
    return value.strip().replace("\\", "/")[:1000] if isinstance(value, str) else value


def raw_surrogates(sent: Sent) -> CallResult:
    """Write bytes that are not UTF-8 as lone surrogates."""
    at = Answer(sent)
    if at.is_envelope and not at.failed:
        for member, entry in zip(at.members["data"]["entries"], at.entries, strict=True):
            member["path"] = entry.path.removesuffix(entry.name) + os.fsdecode(entry.raw)
    return at.result(json.dumps(at.members, ensure_ascii=False))


def unquoted(sent: Sent) -> CallResult:
    at = Answer(sent)
    text = json.dumps(at.members)
    for entry in [] if not at.is_envelope or at.failed else at.entries:
        if any(letter in entry.path for letter in '"\t\x01'):
            text = text.replace(json.dumps(entry.path), f'"{entry.path}"')
    return at.result(text)


def status_twice(sent: Sent) -> CallResult:
    at = Answer(sent)
    return at.result('{"status": "success", ' + json.dumps(at.members)[1:])


def word(**words: str) -> Members:
    return shown(type=lambda entry: words.get(entry.type, entry.type))


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-LS-040", "A success has an error of null.", "LS-ENV-01", listing={"error": None}),
    row("MUT-LS-041", "There is an additional member at the top level.", "LS-ENV-01", every={"version": "1.0"}),
    row("MUT-LS-042", "An error has no data.", "LS-ENV-01 LS-ENV-11", failure={"data": GONE}),
    row("MUT-LS-043", "The data of an error is null.", "LS-ENV-11", failure={"data": None}),
    row(
        *("MUT-LS-323", "The data of a listing is the array of its entries.", "LS-ENV-03"),
        listing={"data": lambda at: at.members["data"]["entries"]},
    ),
    row("MUT-LS-044", "The data of an error is an array.", "LS-ENV-11", failure={"data": []}),
    row(
        *("MUT-LS-045", "A truncated listing has the status truncated.", "LS-ENV-02 LS-PAGE-03"),
        listing={"status": "truncated"},
        only=lambda at: at.is_truncated,
    ),
    row(
        *("MUT-LS-046", "An error about arguments has an empty message.", "LS-ENV-11 LS-ERR-07"),
        failure={"error.message": ""},
        only=lambda at: at.kind == "arguments",
    ),
    row(
        *("MUT-LS-047", "The message about a missing path is an object."),
        "LS-ENV-04 LS-ENV-11 LS-ERR-07 LS-ERR-08 LS-ERR-09",
        failure={"error.message": lambda at: {"text": at.message}},
        only=lambda at: at.kind == "missing",
    ),
    row(
        *("MUT-LS-048", "An empty listing has no text.", "LS-ENV-05 LS-TEXT-01 LS-TEXT-02 LS-TEXT-05"),
        listing={"text": ""},
        only=lambda at: at.total == 0,
    ),
    row(
        *("MUT-LS-049", "The text of an error is an array of lines.", "LS-ENV-11 LS-ERR-07"),
        failure={"text": lambda at: [at.message]},
    ),
    row("MUT-LS-050", "The time is missing.", "LS-ENV-06", listing={"stats.time_ms": GONE}),
    row(
        *("MUT-LS-051", "The time is a text with a unit.", "LS-ENV-06"),
        every={"stats.time_ms": lambda at: f"{at.members['stats']['time_ms']}ms"},
    ),
    row("MUT-LS-052", "The time of an error is missing.", "LS-ENV-11", failure={"stats": {}}),
    row("MUT-LS-053", "The time is negative.", "LS-ENV-06", every={"stats.time_ms": -1}),
    row("MUT-LS-070", "A name that is not UTF-8 makes the result invalid UTF-8.", "LS-ENV-10", answer=raw_surrogates),
    row("MUT-LS-071", "Quotes and control characters in names are not escaped.", "LS-ENV-10", answer=unquoted),
    row(
        *("MUT-LS-339", "An empty listing has a status of its own.", "LS-ENV-02 LS-PAGE-03"),
        listing={"status": "empty"},
        only=lambda at: at.total == 0,
    ),
    row(
        *("MUT-LS-340", "The data behind the end is an array.", "LS-ENV-03 LS-PAGE-05"),
        listing={"data": []},
        only=lambda at: at.offset > at.total,
    ),
    row(
        *("MUT-LS-341", "The data of an empty listing is an array.", "LS-ENV-03"),
        listing={"data": []},
        only=lambda at: at.total == 0,
    ),
    row(
        *("MUT-LS-342", "The message of a failure of the system is an object.", "LS-ENV-04"),
        failure={"error.message": {}},
        only=lambda at: at.kind == "system",
    ),
    row(
        *("MUT-LS-343", "A failure of the system has no text.", "LS-ENV-11 LS-ERR-07"),
        failure={"text": ""},
        only=lambda at: at.kind == "system",
    ),
    row("MUT-LS-460", "The status is there twice.", "LS-ENV-13", answer=status_twice),
    row("MUT-LS-054", "cwd is always the root.", "LS-ENV-07", every={"context.cwd": "."}),
    row(
        *("MUT-LS-055", "cwd is absolute.", "LS-ENV-07 LS-ENV-09"),
        every={"context.cwd": lambda at: os.fsdecode(at.working_dir)},
    ),
    row(
        *("MUT-LS-056", "cwd is the last name of the working directory.", "LS-ENV-07"),
        every={"context.cwd": lambda at: at.cwd.rpartition("/")[2]},
    ),
    row(
        "MUT-LS-057", "cwd is empty at the root.", "LS-ENV-07", every={"context.cwd": ""}, only=lambda at: at.cwd == "."
    ),
    row(
        *("MUT-LS-058", "params_input has the defaults filled in.", "LS-ENV-08"),
        every={"context.params_input": lambda at: {**DEFAULTS, **at.arguments}},
        only=is_resolved,
    ),
    row(
        *("MUT-LS-059", "params_input lacks what was null.", "LS-ENV-08"),
        every=echo(lambda sent: {key: value for key, value in sent.items() if value is not None}),
    ),
    row("MUT-LS-060", "params_input is empty in an error.", "LS-ENV-08", failure={"context.params_input": {}}),
    row(
        *("MUT-LS-062", "params_input is a text.", "LS-ENV-08"),
        every={"context.params_input": lambda at: json.dumps(at.original)},
    ),
    row(
        *("MUT-LS-063", "params_input has the resolved path.", "LS-ENV-08"),
        every={"context.params_input": lambda at: {**at.arguments, "path": at.path}},
        only=lambda at: is_resolved(at) and "path" in at.arguments,
    ),
    row("MUT-LS-064", "path_resolved is missing.", "LS-ENV-12", every={"context.path_resolved": GONE}),
    row(
        *("MUT-LS-065", "path_resolved is empty at the root.", "LS-ENV-09"),
        every={"context.path_resolved": ""},
        only=lambda at: is_resolved(at) and at.path == ".",
    ),
    row(
        *("MUT-LS-066", "path_resolved ends in a slash.", "LS-ENV-09"),
        every={"context.path_resolved": lambda at: f"{at.path}/"},
        only=is_below_root,
    ),
    row(
        *("MUT-LS-067", "path_resolved begins with a dot.", "LS-ENV-09"),
        every={"context.path_resolved": lambda at: f"./{at.path}"},
        only=is_below_root,
    ),
    row(
        *("MUT-LS-068", "path_resolved is the path as it was given.", "LS-ENV-09"),
        every={"context.path_resolved": lambda at: at.given_path},
        only=is_resolved,
    ),
    row(
        *("MUT-LS-069", "path_resolved is absolute.", "LS-ENV-09 LS-DATA-07 LS-SEC-07"),
        every={"context.path_resolved": lambda at: os.fsdecode(at.folder)},
        only=is_resolved,
    ),
    row(
        *("MUT-LS-072", "params_input is normalised.", "LS-ENV-08"),
        every=echo(lambda sent: {key: tidied(value) for key, value in sent.items()}),
    ),
    row(
        *("MUT-LS-336", "params_input shows slashes in patterns.", "LS-ENV-08"),
        every=with_patterns(lambda pattern: pattern.replace("\\", "/")),
    ),
    row(
        *("MUT-LS-337", "params_input shows composed patterns.", "LS-ENV-08"),
        every=with_patterns(lambda pattern: normalize("NFC", pattern)),
    ),
    row(
        *("MUT-LS-338", "params_input shows a composed path.", "LS-ENV-08"),
        every=echo(
            lambda sent: {**sent, "path": normalize("NFC", path)} if isinstance(path := sent.get("path"), str) else sent
        ),
    ),
    row(
        *("MUT-LS-344", "A page has no path_resolved.", "LS-ENV-12"),
        listing={"context.path_resolved": GONE},
        only=lambda at: at.is_truncated,
    ),
    row(
        *("MUT-LS-345", "A listing without entries has no path_resolved.", "LS-ENV-12"),
        listing={"context.path_resolved": GONE},
        only=lambda at: not at.entries,
    ),
    row(
        *("MUT-LS-346", "path_resolved shows where a refused path leads.", "LS-ENV-09"),
        failure={"context.path_resolved": "../outside"},
        only=lambda at: at.kind == "outside" and at.given_path in ("l", "../outside"),
    ),
    row(
        *("MUT-LS-433", "path_resolved of an absolute path to a link is absolute.", "LS-ENV-09"),
        listing={"context.path_resolved": lambda at: at.given_path},
        only=lambda at: at.given_path.startswith("/") and os.path.islink(at.given_path),
    ),
    row(
        *("MUT-LS-080", "An empty listing has null as entries.", NO_ENTRIES),
        listing={"data.entries": lambda at: at.members["data"]["entries"] or None},
    ),
    row(
        *("MUT-LS-081", "An empty listing has no entries member.", NO_ENTRIES),
        listing={"data.entries": lambda at: at.members["data"]["entries"] or GONE},
    ),
    row("MUT-LS-084", "The type of a directory is directory.", "LS-DATA-02 LS-DATA-05", listing=word(dir="directory")),
    row("MUT-LS-085", "The type of a link is symlink.", "LS-DATA-02 LS-DATA-05", listing=word(link="symlink")),
    row(
        *("MUT-LS-086", "Paths are relative to the listed directory.", "LS-DATA-03"),
        listing=shown(path=lambda at: at.name),
    ),
    row(
        *("MUT-LS-087", "The path of a directory ends in a slash.", "LS-DATA-03 LS-DATA-07"),
        listing=shown(path=lambda at: at.path + "/" * at.is_dir),
    ),
    row(
        "MUT-LS-088", "Paths begin with a dot.", "LS-DATA-03 LS-DATA-07", listing=shown(path=lambda at: f"./{at.path}")
    ),
    row(
        "MUT-LS-089", "Paths begin with a slash.", "LS-DATA-03 LS-DATA-07", listing=shown(path=lambda at: f"/{at.path}")
    ),
    row(
        *("MUT-LS-333", "Names are shown in one normal form.", "LS-DATA-06"),
        listing=shown(path=lambda at: normalize("NFC", at.path)),
    ),
    row(
        *("MUT-LS-090", "truncated is missing where it is false.", FLAG),
        listing={"data.truncated": lambda at: at.is_truncated or GONE},
    ),
    row(
        "MUT-LS-091", "truncated is a text.", FLAG, listing={"data.truncated": lambda at: str(at.is_truncated).lower()}
    ),
    row("MUT-LS-092", "truncated is 0 or 1.", FLAG, listing={"data.truncated": lambda at: int(at.is_truncated)}),
    row(
        *("MUT-LS-099", "An additional member contains the target of a link.", "LS-DATA-07 LS-SEC-07"),
        listing={"data.targets": lambda at: {entry.name: entry.target for entry in at.entries if entry.is_link}},
    ),
)
