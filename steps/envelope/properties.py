"""The property laws of LS: what holds between the answers to one case and to cases that differ from it a little.

A law looks at one subject (a tree with a call, built, and a candidate that can be asked) and raises Mismatch where it
does not hold. It returns whether it had anything to judge: a law about listings says nothing of a refusal. No step
stands here, and no law knows what the right listing is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.search.model import ABSENT, Update
from treeproof.search.subject import Subject
from treeproof.tree import REVERSED, CannotBuild
from treeproof.verdict import Mismatch

from ..laws import Law, Trial
from ..words import show, spell
from .entries import HINT, MOST_PAGES
from .envelopes import Envelope, read

WHOLE: Update = {"arguments.offset": ABSENT, "arguments.limit": 200}
"""All entries on one page: no tree of a sample has more."""

EVERYTHING: Update = {**WHOLE, "arguments.include_hidden": True, "arguments.ignore": ABSENT}

TOP: Update = {
    **EVERYTHING,
    "arguments.include_hidden": False,
    "arguments.path": ABSENT,
    "context.working_dir": ABSENT,
}
"""The plain listing of a tree's top."""

VIEWS: Mapping[str, tuple[Update | None, ...]] = {
    "trees": (None, WHOLE, EVERYTHING, TOP, {**TOP, "arguments.limit": 2}),
    "closed": (None, TOP),
}
"""What the model is asked of each case of a family beside the case itself: calls that other laws make as well."""

DEFAULTS: Mapping[str, Any] = {
    "path": ".",
    "offset": 0,
    "limit": 100,
    "include_hidden": False,
    "ignore": None,
}
SUFFIXES = {"dir": "/", "link": "@", "file": ""}

ENTRY_LINES = "AMB-LS-05"
"""Whether the lines of entries show paths or names."""


def listing(subject: Subject, update: Update | None = None) -> Envelope | None:
    """The envelope of an answer that lists; None for any other, and where the arguments are no object to change."""
    if update and not isinstance(subject.case.arguments, dict):
        return None
    try:
        found = read(subject.ask(update))
        _ = found.entries
    except Mismatch:
        return None
    return found if found.is_listing else None


def lists(subject: Subject) -> bool:
    """Whether the answer to a subject, or that to a wider call, lists anything."""
    found = [listing(subject, update) for update in (None, EVERYTHING)]
    return any(one is not None and one.entries for one in found)


def told(found: Envelope) -> dict[str, Any]:
    """What an answer says, without how long it took and what was sent."""
    members = dict(found.members)
    members["stats"] = {key: item for key, item in found.part("stats").items() if key != "time_ms"}
    members["context"] = {key: item for key, item in found.part("context").items() if key != "params_input"}
    return members


def alike(what: str, expected: Envelope, got: Envelope) -> None:
    """Raise Mismatch unless both answers say the same."""
    if told(expected) != told(got):
        raise Mismatch(what, expected=show(told(expected))[:2000], got=show(told(got))[:2000])


def same_names(what: str, expected: list[str], got: list[str]) -> None:
    """Raise Mismatch unless both are the same names in the same order."""
    if expected != got:
        raise Mismatch(what, expected=spell(expected), got=spell(got))


def between(first: Update | None, second: Update) -> Callable[[Callable[[Envelope, Envelope], None]], Law]:
    """A law about two listings of one case."""

    def of(law: Callable[[Envelope, Envelope], None]) -> Law:
        def judge(trial: Trial) -> bool:
            one, other = listing(trial.subject, first), listing(trial.subject, second)
            if one is None or other is None:
                return False
            law(one, other)
            return bool(other.entries)

        return judge

    return of


def defaults_written_out(trial: Trial) -> bool:
    """A parameter that is left out is the same as one that is given its default."""
    sent = trial.subject.case.arguments
    if not isinstance(sent, dict):
        return False
    missing = {f"arguments.{name}": value for name, value in DEFAULTS.items() if name not in sent}
    first, second = listing(trial.subject), listing(trial.subject, missing) if missing else None
    if first is None or second is None:
        return False
    alike("defaults that are written out change the answer", first, second)
    return bool(first.entries)


def announced_offsets(trial: Trial) -> bool:
    """Page after page, the announced offsets lead through the whole list, and everything is met once."""
    whole = listing(trial.subject, WHOLE)
    if whole is None:
        return False
    limit = max(1, (len(whole.entries) + 2) // 3)
    page: Envelope | None = listing(trial.subject, {**WHOLE, "arguments.limit": limit})
    met: list[str] = []
    for _ in range(MOST_PAGES):
        if page is None:
            return False
        met += page.names
        hints = [hint for line in page.lines if (hint := HINT.fullmatch(line))]
        if not hints or not page.names:
            break
        following = {"arguments.offset": int(hints[0][1]), "arguments.limit": limit}
        page = listing(trial.subject, following)
    same_names("the pages together are not the whole list", whole.names, met)
    return bool(met)


def page_is_a_slice(trial: Trial) -> bool:
    """The page of a case is the slice of the whole list from its offset on."""
    whole, page = listing(trial.subject, WHOLE), listing(trial.subject)
    if whole is None or page is None:
        return False
    sent = trial.subject.case.arguments
    offset, limit = int(sent.get("offset") or 0), int(sent.get("limit") or 100)
    same_names("the page is no slice of the whole list", whole.names[offset : offset + limit], page.names)
    return bool(whole.entries)


@between(None, WHOLE)
def counts_add_up(page: Envelope, whole: Envelope) -> None:
    """dirs, files and links are those of the whole list on every page, and add up to the total."""
    for found in (page, whole):
        stats = found.part("stats")
        parts = [stats.get(name) for name in ("dirs", "files", "links")]
        total = stats.get("total_entries")
        if not all(type(part) is int for part in parts) or sum(p for p in parts if type(p) is int) != total:
            raise Mismatch("the counts do not add up", expected=show(total), got=show(parts))
    types = [entry.get("type") for entry in whole.entries]
    due = {f"{one}s": types.count(one) for one in SUFFIXES}
    got = {name: page.part("stats").get(name) for name in due}
    if due != got:
        raise Mismatch("a page counts otherwise than the whole list", expected=show(due), got=show(got))


@between(None, WHOLE)
def filtered_first(page: Envelope, whole: Envelope) -> None:
    """What is counted as total is what is listed if nothing is cut."""
    total = page.part("stats").get("total_entries")
    if total != len(whole.entries):
        raise Mismatch(
            "the total is not the length of the list", expected=str(len(whole.entries)), got=show(total)
        )


@between({**WHOLE, "arguments.include_hidden": False}, {**WHOLE, "arguments.include_hidden": True})
def hidden_is_more(without: Envelope, with_them: Envelope) -> None:
    """With include_hidden everything is listed that is listed without, in the same order."""
    kept = [name for name in with_them.names if name in set(without.names)]
    same_names("include_hidden takes something away or moves it", without.names, kept)


@between({**EVERYTHING, "arguments.ignore": ["*a*"]}, EVERYTHING)
def patterns_take_away(fewer: Envelope, more: Envelope) -> None:
    """A pattern takes away what it matches and leaves the rest as it is."""
    due = [name for name in more.names if "a" not in name]
    same_names("a pattern takes away other names than it matches", due, fewer.names)


def order_of_making(trial: Trial) -> bool:
    """The order in which a directory was filled plays no part."""
    first = listing(trial.subject, WHOLE)
    if first is None:
        return False
    try:
        with trial.subject.rebuilt(REVERSED) as again:
            other = listing(again, WHOLE)
    except CannotBuild:
        return False
    if other is None:
        return False
    same_names("the order of making plays a part", first.names, other.names)
    return bool(first.entries)


def spellings(trial: Trial) -> bool:
    """Slashes and dots that say nothing change nothing but the echo, and line 1 of the text where it names the path."""
    path = trial.subject.case.arguments.get("path", ".") if _is_plain(trial) else None
    first = listing(trial.subject)
    if not isinstance(path, str) or not path or first is None:
        return False
    judged = False
    for spelling in (f"{path}/", f"{path}/.", f"{path}//"):
        other = listing(trial.subject, {"arguments.path": spelling})
        if other is None:
            raise Mismatch(f"{spelling} is refused where {path} is listed", expected="a listing", got="none")
        one, two = told(first), told(other)
        for members, found in ((one, first), (two, other)):
            members["text"] = found.lines[1:]
        if one != two:
            raise Mismatch(
                f"{spelling} shows another listing than {path}",
                expected=show(one)[:2000],
                got=show(two)[:2000],
            )
        judged = judged or bool(first.entries)
    return judged


def _is_plain(trial: Trial) -> bool:
    return isinstance(trial.subject.case.arguments, dict)


def text_of_data(trial: Trial) -> bool:
    """The lines of the entries are those of data, in the same order."""
    found = listing(trial.subject)
    if found is None or not found.entries:
        return False
    suffixes = [SUFFIXES.get(str(entry.get("type")), "") for entry in found.entries]
    shown = {"a": found.paths, "b": found.names}
    accepted = trial.samples.session.accepted(ENTRY_LINES)
    due = [
        [text + suffix for text, suffix in zip(texts, suffixes, strict=True)]
        for label, texts in shown.items()
        if label in accepted
    ]
    got = found.lines[-len(suffixes) :]
    if got not in due:
        raise Mismatch("text and data differ", expected="\n".join(due[0]), got="\n".join(got))
    return True


def always_an_envelope(trial: Trial) -> bool:
    """Every answer is an object that says how the call ended; what else an envelope holds has rules of its own."""
    answer = trial.subject.ask()
    if answer.status == "error" and not isinstance(trial.subject.case.arguments, dict):
        return False  # refused before the tool has run (AMB-LS-57)
    found = read(answer)
    if "status" not in found.members:
        raise Mismatch(
            "the answer says nothing of how the call ended", expected="a status", got=found.raw[:400]
        )
    return found.is_listing and bool(found.entries)


def read_only(trial: Trial) -> bool:
    """Nothing that a subject was asked has changed anything on the disk."""
    shown = lists(trial.subject)
    changes = trial.subject.changes()
    if changes:
        raise Mismatch(f"a call changed the file system: {changes[0]}", expected="no change", got=changes[0])
    return shown
