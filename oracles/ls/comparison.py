"""An answer against one outcome: what differs, and which requirement is to blame for it.

What the envelope itself has to look like is compared first, member by member, for those mistakes are independent of
each other. Then the comparison goes from the coarse to the fine: error or listing, which entries, in which order, how
each looks, what is counted, what the text says. Each step looks only at what the steps before have found right.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from treeproof.api import CallResult, Case, Finding

from .expected import ALL_CODES, ExpectedEntry, ExpectedFailure, ExpectedListing

ComparisonResult = tuple[int, tuple[Finding, ...]]
"""How far the comparison came, and what it found. Of several, the one that came farthest is the best guess."""

MATCH: ComparisonResult = (99, ())
TOP_MEMBERS = ("status", "data", "text", "stats", "context")
TYPE_SUFFIXES = {"dir": "/", "link": "@", "file": ""}


def compare(due: ExpectedListing | ExpectedFailure, answer: CallResult, case: Case) -> ComparisonResult:
    """What the answer does otherwise than the outcome."""
    if answer.status != "ok":
        if answer.error_kind == "BadArgs" and not isinstance(case.arguments, dict):
            return MATCH  # the tool has not been called (AMB-LS-57)
        got = f"{answer.error_kind}: {answer.error_message}"
        return 0, (Finding("LS-ARG-08", "the call fails without an envelope", "an envelope", got),)
    raw = answer.content or ""
    try:
        raw.encode("utf-8")
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        return 0, (Finding("LS-ENV-10", f"the answer is no JSON in UTF-8: {error}", "JSON", raw[:400]),)
    if not isinstance(members, dict):
        return 0, (Finding("LS-ENV-01", "the answer is no object", "an object", raw[:400]),)
    formal = tuple(_compare_form(members, due.cwd, case))
    far, found = _compare_content(due, members, raw)
    return (far, (*formal, *found)) if formal or found else MATCH


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _compare_content(
    due: ExpectedListing | ExpectedFailure, members: dict[str, Any], raw: str
) -> ComparisonResult:
    failed = "error" in members and members.get("status") == "error"
    if isinstance(due, ExpectedFailure):
        if not failed:
            message = f"the call is not refused although {due.reason}"
            expected = " or ".join(due.codes)
            return 1, (
                Finding(
                    due.requirement, message, expected, raw[:400], other_requirements=due.other_requirements
                ),
            )
        return _compare_error(due, members)
    if failed or members.get("status") == "error":
        blame, *others = _failure_suspects(due, members)
        message = "the call is refused although nothing is wrong with it"
        return 1, (Finding(blame, message, "a listing", raw[:400], other_requirements=tuple(others)),)
    data = members.get("data")
    if not isinstance(data, dict):
        return 2, ()  # told already
    return _ListingComparison(due, data, members).compare()


def _compare_form(members: dict[str, Any], cwd: str, case: Case) -> Iterator[Finding]:
    """The envelope by itself."""
    status, error = members.get("status"), members.get("error")
    wanted = {*TOP_MEMBERS, *(["error"] if status == "error" else [])}
    if set(members) != wanted:
        yield Finding("LS-ENV-01", "other members at the top", _join_names(wanted), _join_names(members))
    if status not in ("success", "partial", "error"):
        yield Finding("LS-ENV-02", "no such status", "success, partial or error", _format_json(status))
    if "data" in members and not isinstance(members["data"], dict):
        yield Finding("LS-ENV-03", "data is no object", "an object", _format_json(members["data"]))
    if status == "error" and "error" in members and not _is_error(error):
        yield Finding(
            "LS-ENV-04", "error is not code and message", "a code of the table", _format_json(error)
        )
    if "text" in members and (not isinstance(members["text"], str) or not members["text"]):
        yield Finding("LS-ENV-05", "there is no text", "a text", _format_json(members["text"]))
    stats, context = members.get("stats"), members.get("context")
    spent = stats.get("time_ms") if isinstance(stats, dict) else None
    if "stats" in members and (
        isinstance(spent, bool) or not isinstance(spent, int | float) or not spent >= 0
    ):
        yield Finding("LS-ENV-06", "stats has no time_ms", "a number from 0 on", _format_json(spent))
    if "context" not in members:
        return
    told = context if isinstance(context, dict) else {}
    if told.get("cwd") != cwd:
        yield Finding("LS-ENV-07", "cwd is another", cwd, _format_json(told.get("cwd")))
    if isinstance(case.arguments, dict) and not _is_echo(case.arguments, told.get("params_input")):
        yield Finding(
            "LS-ENV-08",
            "params_input is not what was sent",
            _format_json(case.arguments),
            _format_json(told.get("params_input")),
        )


def _is_error(error: Any) -> bool:
    if not isinstance(error, dict):
        return False
    message = error.get("message")
    return error.get("code") in ALL_CODES and isinstance(message, str) and message != ""


def _is_echo(sent: Any, got: Any) -> bool:
    """Equal as JSON; numbers by value. Absolute paths of the run are not known here: a placeholder matches any text."""
    match sent:
        case bool() | None:
            return sent is got
        case int() | float():
            return isinstance(got, int | float) and not isinstance(got, bool) and sent == got
        case str():
            return isinstance(got, str) and ("$ROOT" in sent or "$OUTSIDE" in sent or sent == got)
        case list():
            if not isinstance(got, list) or len(got) != len(sent):
                return False
            return all(_is_echo(one, other) for one, other in zip(sent, got, strict=True))
        case _:
            same = isinstance(got, dict) and set(got) == set(sent)
            return same and all(_is_echo(sent[name], got[name]) for name in sent)


_MESSAGE_REQUIREMENTS = {"LS-SEC-01": "LS-ERR-02", "LS-SEC-04": "LS-ERR-02"}


def _compare_error(due: ExpectedFailure, members: dict[str, Any]) -> ComparisonResult:
    error = members["error"]
    if not _is_error(error):
        return 3, ()  # told already
    code, message = error["code"], error["message"]
    if code not in due.codes:
        expected, got = " or ".join(due.codes), f"{code}: {message}"
        said = f"another kind of error, although {due.reason}"
        others = ("LS-ERR-04",) if due.requirement == "LS-ERR-04" else due.other_requirements
        return 2, (Finding(due.requirement, said, expected, got, other_requirements=others),)
    placeholder = any("$ROOT" in one or "$OUTSIDE" in one for one in due.messages)
    if due.messages and not placeholder and message not in due.messages:
        blame = _MESSAGE_REQUIREMENTS.get(due.requirement, due.requirement)
        return 3, (Finding(blame, "the message is another", due.messages[0], message),)
    text = members.get("text")
    if isinstance(text, str) and message not in text:
        return 4, (Finding("LS-ERR-07", "the text does not say the message", message, text),)
    return MATCH


def _failure_suspects(due: ExpectedListing, members: dict[str, Any]) -> Iterator[str]:
    """The requirements that a refusal of this kind, where a listing is due, may misread; the likeliest first."""
    error = members.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    wish = due.request
    if code == "INVALID_PARAM":
        if wish.offset > 0 and wish.offset >= len(due.entries):
            yield "LS-PAGE-05"
        if wish.limit != 100:
            yield "LS-ARG-03"
        if wish.offset:
            yield "LS-ARG-02"
        if wish.patterns:
            yield "LS-ARG-05"
        if wish.hidden:
            yield "LS-ARG-04"
        yield "LS-ARG-01"
    elif code == "ACCESS_DENIED":
        if wish.path.startswith("$"):
            yield "LS-SEC-03"
        if due.through_link:
            yield "LS-SEC-04"
        if ".." in wish.path:
            yield from ("LS-SEC-02", "LS-ENV-09")
        yield "LS-SEC-01"
    if due.cwd != ".":
        yield "LS-SEC-02"
    if not due.is_simple_path:
        yield "LS-ENV-09"
    if wish.path in due.resolved_paths and wish.path != ".":
        yield "LS-FILT-10"
    if due.through_link:
        yield "LS-SEC-04"
    if any(item.type == "link" for item in due.entries):
        yield "LS-SORT-04"
    yield "LS-ARG-08"


class _ListingComparison:
    """A listing in its envelope against the one that is due."""

    def __init__(self, due: ExpectedListing, data: dict[str, Any], members: dict[str, Any]) -> None:
        self.expected = due
        self.data = data
        self.members = members
        self.entries: list[Any] = []

    def compare(self) -> ComparisonResult:
        steps = (self.shape, self.directory, self.membership, self.order, self.entry_members, self.remainder)
        for number, step in enumerate(steps, start=2):
            found = tuple(step())
            if found:
                return number, found
        return MATCH

    def shape(self) -> Iterable[Finding]:
        entries = self.data.get("entries")
        if not isinstance(entries, list):
            yield Finding("LS-DATA-01", "data.entries is no array", "an array", _format_json(entries))
            return
        for entry in entries:
            if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry["path"]:
                yield Finding("LS-DATA-02", "an entry has no path", "path and type", _format_json(entry))
                return
        self.entries = entries

    @property
    def names(self) -> list[str]:
        return [_last_component(entry["path"]) for entry in self.entries]

    def directory(self) -> Iterable[Finding]:
        """Whether it is the directory that was asked for at all."""
        got, known = (
            set(self.names),
            {item.name for item in self.expected.entries} | set(self.expected.excluded),
        )
        if got and not got & known:
            blame = "LS-SEC-02" if self.expected.cwd != "." else "LS-ENV-09"
            others = ("LS-SEC-02", "LS-SEC-04", "LS-ENV-09", "LS-DATA-06", "LS-DEF-04")
            yield Finding(
                blame,
                "another directory is listed",
                _join_names(known),
                _join_names(got),
                other_requirements=others,
            )

    def membership(self) -> Iterable[Finding]:
        got, due = Counter(self.names), Counter(item.name for item in self.expected.page)
        if got == due:
            return
        whole = {item.name for item in self.expected.entries}
        shown = _join_names(due.elements()), _join_names(got.elements())
        left_out = sorted(set(got) & set(self.expected.excluded))
        if left_out:
            blames = Counter(self.expected.excluded[name] for name in left_out)
            first, *others = (blame for blame, _ in blames.most_common())
            also = ("LS-FILT-08", "LS-FILT-09", "LS-FILT-10")
            message = f"{left_out[0]!r} is listed and should be left out"
            yield Finding(first, message, *shown, other_requirements=(*others, *also))
            return
        strange = sorted(set(got) - whole)
        twice = sorted(name for name in got if got[name] > 1)
        if strange or twice:
            message = f"{(strange or twice)[0]!r} is listed and should not be, or not twice"
            yield Finding("LS-DATA-06", message, *shown)
            return
        yield self.page_difference(sorted(set(due) - set(got)), len(due), sum(got.values()), shown)

    def page_difference(self, missing: list[str], due: int, got: int, shown: tuple[str, str]) -> Finding:
        """Entries are missing from the page, or stand on it instead of others."""
        wish, total = self.expected.request, self.stat("total_entries")
        paged = wish.offset > 0 or wish.limit < len(self.expected.entries)
        items = [item for item in self.expected.entries if item.name in missing]
        if not paged or (type(total) is int and total < len(self.expected.entries)):
            blames = [*dict.fromkeys(self.missing_suspect(item) for item in items)] or ["LS-DATA-06"]
            message = "entries are missing"
            return Finding(
                blames[0], message, *shown, other_requirements=(*blames[1:], "LS-DATA-06", "LS-FILT-07")
            )
        if due == got:
            others = ("LS-SORT-01", "LS-SORT-02", "LS-SORT-03", "LS-SORT-04", "LS-SEC-07")
            return Finding("LS-PAGE-01", "the page holds others", *shown, other_requirements=others)
        return Finding(
            "LS-PAGE-01", "the page has another size", *shown, other_requirements=("LS-ARG-03", "LS-DEF-04")
        )

    def missing_suspect(self, item: ExpectedEntry) -> str:
        """The likeliest requirement for an entry that is not there."""
        if item.leads_outside:
            return "LS-SEC-07"
        if item.type == "link":
            return "LS-SORT-03" if item.sorts_first else "LS-SORT-04"
        if item.name.startswith("."):
            return "LS-FILT-03"
        if self.expected.request.patterns:
            return "LS-FILT-05" if any("/" in one for one in self.expected.request.patterns) else "LS-FILT-04"
        if any(
            item.name.lower().startswith(name[:3]) for name in ("build", "dist", "node", "target", "venv")
        ):
            return "LS-FILT-03" if self.expected.request.hidden else "LS-FILT-09"
        return "LS-DATA-06"

    def order(self) -> Iterable[Finding]:
        names, page = self.names, self.expected.page
        if names == [item.name for item in page]:
            return
        by_name = {item.name: item for item in page}
        got = [by_name[name] for name in names]
        shown = _join_names(item.name for item in page), _join_names(names)
        blames: Mapping[str, Callable[[ExpectedEntry], bool]] = {
            "LS-SEC-07": lambda item: item.leads_outside and not item.sorts_first,
            "LS-SORT-03": lambda item: item.type == "link" and item.sorts_first,
            "LS-SORT-04": lambda item: item.type == "link" and not item.sorts_first,
        }
        for blame, special in blames.items():
            rest = [item for item in got if not special(item)]
            if len(rest) < len(got) and rest == [item for item in page if not special(item)]:
                yield Finding(
                    blame,
                    "a link stands elsewhere",
                    *shown,
                    other_requirements=("LS-SORT-03", "LS-SORT-04", "LS-SORT-02"),
                )
                return
        groups = [item.sorts_first for item in got]
        if groups != sorted(groups, reverse=True):
            yield Finding(
                "LS-SORT-01", "directories do not come first", *shown, other_requirements=("LS-SORT-02",)
            )
        else:
            yield Finding("LS-SORT-02", "names are not in alphabetical order", *shown)

    def entry_members(self) -> Iterable[Finding]:
        for entry in self.entries:
            if set(entry) != {"path", "type"}:
                yield Finding("LS-DATA-02", "other members of an entry", "path, type", _join_names(entry))
                return
            if entry["type"] not in ("dir", "file", "link"):
                yield Finding("LS-DATA-02", "no such type", "dir, file or link", _format_json(entry["type"]))
                return
        for entry, item in zip(self.entries, self.expected.page, strict=True):
            if entry["path"] != item.path:
                others = ("LS-DATA-07", "LS-ENV-09", "LS-SEC-02")
                yield Finding(
                    "LS-DATA-03", "the path is another", item.path, entry["path"], other_requirements=others
                )
                return
        for entry, item in zip(self.entries, self.expected.page, strict=True):
            if entry["type"] != item.type:
                told = f"{item.name}: {item.type}", f"{item.name}: {entry['type']}"
                yield Finding("LS-DATA-05", "the type is another", *told)
                return

    def stat(self, name: str) -> Any:
        stats = self.members.get("stats")
        return stats.get(name) if isinstance(stats, dict) else None

    def remainder(self) -> Iterable[Finding]:
        yield from self.flag()
        yield from self.stats()
        yield from self.context()
        yield from self.text()

    @property
    def truncated(self) -> bool:
        """What is due. Of an empty list nothing is cut off, so there no reading asks for more than a complete one."""
        return self.expected.truncated and (
            bool(self.expected.entries) or self.data.get("truncated") is not False
        )

    def flag(self) -> Iterator[Finding]:
        due, got = self.truncated, self.data.get("truncated")
        if not isinstance(got, bool):
            yield Finding(
                "LS-DATA-04", "truncated is neither true nor false", _format_json(due), _format_json(got)
            )
        elif got != due:
            yield Finding("LS-PAGE-02", "truncated is wrong", _format_json(due), _format_json(got))
        status = self.members.get("status")
        wanted = "partial" if (got if isinstance(got, bool) else due) else "success"
        if status in ("success", "partial") and status != wanted:
            yield Finding("LS-PAGE-03", "status and truncated contradict each other", wanted, status)

    def stats(self) -> Iterator[Finding]:
        total = len(self.expected.entries)
        if not _is_count(self.stat("total_entries"), total):
            got = _format_json(self.stat("total_entries"))
            yield Finding(
                "LS-STAT-01", "total_entries is wrong", str(total), got, other_requirements=("LS-FILT-07",)
            )
        else:
            due = {f"{type}s": self.expected.count_of(type) for type in ("dir", "file", "link")}
            counts = {name: self.stat(name) for name in due}
            if not all(_is_count(counts[name], count) for name, count in due.items()):
                yield Finding(
                    "LS-STAT-02", "dirs, files or links are wrong", _format_json(due), _format_json(counts)
                )
        if not _is_count(self.stat("returned"), len(self.expected.page)):
            due_number, got = str(len(self.expected.page)), _format_json(self.stat("returned"))
            yield Finding("LS-STAT-03", "returned is wrong", due_number, got)

    def context(self) -> Iterator[Finding]:
        context = self.members.get("context")
        got = context.get("path_resolved") if isinstance(context, dict) else None
        if isinstance(context, dict) and got not in self.expected.resolved_paths:
            yield Finding(
                "LS-ENV-09", "path_resolved is another", self.expected.resolved_paths[0], _format_json(got)
            )

    def text(self) -> Iterator[Finding]:
        text = self.members.get("text")
        if not isinstance(text, str) or not text:
            return
        lines = text.rstrip("\n").split("\n")
        due, page = self.expected, self.expected.page
        head = [
            ("LS-TEXT-01", f"Listed {len(page)} entries in '{due.heading}'"),
            (
                "LS-TEXT-02",
                f"(Total: {len(due.entries)} items - {due.count_of('dir')} dirs, {due.count_of('file')} files, "
                f"{due.count_of('link')} links)",
            ),
        ]
        if due.has_next_page:
            left = len(due.entries) - due.page_end
            shown = f"Showing {due.request.offset}-{due.page_end} of {len(due.entries)}."
            head.append(("LS-TEXT-03", f"[Truncated: {shown} {left} more items available.]"))
            head.append(("LS-TEXT-04", f"Use offset={due.page_end} to view next page."))
        for number, (blame, line) in enumerate(head):
            got = lines[number] if number < len(lines) else ""
            if got != line and "$" not in line:
                yield Finding(blame, f"line {number + 1} of the text is another", line, got)
        yield from self.entry_lines(lines, len(head))

    def entry_lines(self, lines: list[str], head: int) -> Iterator[Finding]:
        page = self.expected.page
        names = [item.name if self.expected.shows_names_only else item.path for item in page]
        due = [name + TYPE_SUFFIXES[item.type] for name, item in zip(names, page, strict=True)]
        got = lines[-len(due) :] if due else []
        if [line.rstrip("/@") for line in got] != [name.rstrip("@") for name in names]:
            yield Finding("LS-TEXT-05", "the lines of the entries differ", "\n".join(due), "\n".join(got))
        elif got != due:
            yield Finding("LS-TEXT-06", "a line has another ending", "\n".join(due), "\n".join(got))
        elif due and lines[-len(due) - 1 : -len(due)] != [""]:
            yield Finding("LS-TEXT-05", "no empty line before the entries", "an empty line", "none")
        elif not self.truncated and len(lines) != head + bool(due) + len(due):
            blames = "LS-TEXT-03", "LS-TEXT-04"
            yield Finding(
                "LS-TEXT-05",
                "the text has other lines",
                str(head),
                "\n".join(lines[:8]),
                other_requirements=blames,
            )


def _is_count(got: Any, due: int) -> bool:
    return type(got) is int and got == due


def _last_component(path: str) -> str:
    return path.rstrip("/").split("/")[-1]


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:400]
