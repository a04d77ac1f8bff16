"""What a call asks for, judged by the parameters' table (section 2.2): values filled in, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.search.model import Unmodelled

from .readings import Run

NAMES = ("path", "offset", "limit", "include_hidden", "ignore")
BLAME = dict(zip(NAMES, ("LS-ARG-01", "LS-ARG-02", "LS-ARG-03", "LS-ARG-04", "LS-ARG-05"), strict=True))
"""The requirement that says what each parameter may be."""


@dataclass(frozen=True)
class Wish:
    """A call whose arguments are in order."""

    path: str
    offset: int
    limit: int
    hidden: bool
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Wrong:
    """A parameter that is not what it may be; `requirement` says so."""

    requirement: str
    why: str
    codes: tuple[str, ...] = ("INVALID_PARAM",)


def asked(arguments: Any, run: Run) -> Wish | Wrong:
    """What the arguments come to. Raises Unmodelled."""
    if not isinstance(arguments, Mapping):
        return Wrong("LS-ARG-08", "the arguments are no object")
    if arguments.keys() - set(NAMES) and run.reads("51") == "b":
        return Wrong("LS-ARG-07", "an argument is not in the schema")
    given = {name: value for name, value in arguments.items() if name in NAMES}
    for name in ("path", "offset", "limit", "include_hidden"):
        if name in given and given[name] is None and run.reads("13") == "b":
            del given[name]
    for name, value in given.items():
        wrong = _wrong(name, value, run)
        if wrong is not None:
            return wrong
    return Wish(
        path=given.get("path", "."),
        offset=int(given.get("offset", 0)),
        limit=int(given.get("limit", 100)),
        hidden=given.get("include_hidden", False),
        patterns=tuple(given.get("ignore") or ()),
    )


def _wrong(name: str, value: Any, run: Run) -> Wrong | None:
    blame = Wrong(BLAME[name], f"{name} is not what it may be")
    match name:
        case "path":
            return _wrong_path(value, run) if isinstance(value, str) else blame
        case "include_hidden":
            if isinstance(value, bool):
                return None
            if run.reads("14") == "b":
                raise Unmodelled("what stands for true or false is the candidate's own matter")
            return blame
        case "ignore":
            fits = value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))
            return None if fits else blame
    if isinstance(value, bool):
        return Wrong("LS-ARG-06", f"{name} is true or false")
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 2**53 and run.reads("12") == "b"
        return None if whole and _in_range(name, int(value)) else blame
    return None if isinstance(value, int) and _in_range(name, value) else blame


def _in_range(name: str, number: int) -> bool:
    return number >= 0 if name == "offset" else 0 < number < 201


def _wrong_path(path: str, run: Run) -> Wrong | None:
    if path == "" and run.reads("17") == "b":
        return Wrong("LS-ARG-01", "the path is empty")
    if "\0" in path:
        codes = {"a": "INVALID_PARAM", "b": "ACCESS_DENIED", "c": "NOT_FOUND"}
        return Wrong("LS-ARG-08", "the path holds a NUL", (codes[run.reads("18")],))
    if any("\ud800" <= letter <= "\udfff" for letter in path):
        raise Unmodelled("the path has half of a surrogate pair")
    return None
