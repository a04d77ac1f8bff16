"""The property laws of LS: what holds between the answers to one case and to cases that differ from it a little.

A law looks at one subject (a tree with a call, built, and a candidate that can be asked) and raises Mismatch where it
does not hold. It returns whether it had anything to judge: a law about listings says nothing of a refusal. No step
stands here, and no law knows what the right listing is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.api import REMOVE_MEMBER, REVERSED, CannotBuild, CaseRun, CaseUpdate, Mismatch

from ..shared.properties import PropertyCheck, PropertyFunction
from ..shared.values import format_json, format_names
from .entries import MAX_PAGES, NEXT_PAGE_HINT
from .view import Envelope, parse_answer

UNPAGED: CaseUpdate = {"arguments.offset": REMOVE_MEMBER, "arguments.limit": 200}
"""All entries on one page: no tree of a sample has more."""

EVERYTHING: CaseUpdate = {**UNPAGED, "arguments.include_hidden": True, "arguments.ignore": REMOVE_MEMBER}

DEFAULT_ROOT: CaseUpdate = {
    **EVERYTHING,
    "arguments.include_hidden": False,
    "arguments.path": REMOVE_MEMBER,
    "context.working_dir": REMOVE_MEMBER,
}
"""The plain listing of a tree's top."""

VARIANTS: Mapping[str, tuple[CaseUpdate | None, ...]] = {
    "trees": (None, UNPAGED, EVERYTHING, DEFAULT_ROOT, {**DEFAULT_ROOT, "arguments.limit": 2}),
    "closed": (None, DEFAULT_ROOT),
}
"""What the model is asked of each case of a family beside the case itself: calls that other laws make as well."""

DEFAULT_ARGUMENTS: Mapping[str, Any] = {
    "path": ".",
    "offset": 0,
    "limit": 100,
    "include_hidden": False,
    "ignore": None,
}
TYPE_SUFFIXES = {"dir": "/", "link": "@", "file": ""}

ENTRY_LINE_INTERPRETATION = "AMB-LS-05"
"""Whether the lines of entries show paths or names."""


def listing_or_none(subject: CaseRun, update: CaseUpdate | None = None) -> Envelope | None:
    """The envelope of an answer that lists; None for any other, and where the arguments are no object to change."""
    if update and not isinstance(subject.case.arguments, dict):
        return None
    try:
        found = parse_answer(subject.call_candidate(update))
        _ = found.entries
    except Mismatch:
        return None
    return found if found.is_listing else None


def has_entries(subject: CaseRun) -> bool:
    """Whether the answer to a subject, or that to a wider call, lists anything."""
    found = [listing_or_none(subject, update) for update in (None, EVERYTHING)]
    return any(one is not None and one.entries for one in found)


def comparable(found: Envelope) -> dict[str, Any]:
    """What an answer says, without how long it took and what was sent."""
    members = dict(found.members)
    members["stats"] = {key: item for key, item in found.object_member("stats").items() if key != "time_ms"}
    members["context"] = {
        key: item for key, item in found.object_member("context").items() if key != "params_input"
    }
    return members


def assert_same_answer(what: str, expected: Envelope, got: Envelope) -> None:
    """Raise Mismatch unless both answers say the same."""
    if comparable(expected) != comparable(got):
        raise Mismatch(
            what, expected=format_json(comparable(expected))[:2000], got=format_json(comparable(got))[:2000]
        )


def assert_same_order(what: str, expected: list[str], got: list[str]) -> None:
    """Raise Mismatch unless both are the same names in the same order."""
    if expected != got:
        raise Mismatch(what, expected=format_names(expected), got=format_names(got))


def between_listings(
    first: CaseUpdate | None, second: CaseUpdate
) -> Callable[[Callable[[Envelope, Envelope], None]], PropertyFunction]:
    """A law about two listings of one case."""

    def of(law: Callable[[Envelope, Envelope], None]) -> PropertyFunction:
        def judge(trial: PropertyCheck) -> bool:
            one, other = listing_or_none(trial.case_run, first), listing_or_none(trial.case_run, second)
            if one is None or other is None:
                return False
            law(one, other)
            return bool(other.entries)

        return judge

    return of


def explicit_defaults_are_equivalent(trial: PropertyCheck) -> bool:
    """A parameter that is left out is the same as one that is given its default."""
    sent = trial.case_run.case.arguments
    if not isinstance(sent, dict):
        return False
    missing = {f"arguments.{name}": value for name, value in DEFAULT_ARGUMENTS.items() if name not in sent}
    first, second = (
        listing_or_none(trial.case_run),
        listing_or_none(trial.case_run, missing) if missing else None,
    )
    if first is None or second is None:
        return False
    assert_same_answer("defaults that are written out change the answer", first, second)
    return bool(first.entries)


def announced_offsets(trial: PropertyCheck) -> bool:
    """Page after page, the announced offsets lead through the whole list, and everything is met once."""
    whole = listing_or_none(trial.case_run, UNPAGED)
    if whole is None:
        return False
    limit = max(1, (len(whole.entries) + 2) // 3)
    page: Envelope | None = listing_or_none(trial.case_run, {**UNPAGED, "arguments.limit": limit})
    met: list[str] = []
    for _ in range(MAX_PAGES):
        if page is None:
            return False
        met += page.names
        hints = [hint for line in page.text_lines if (hint := NEXT_PAGE_HINT.fullmatch(line))]
        if not hints or not page.names:
            break
        following = {"arguments.offset": int(hints[0][1]), "arguments.limit": limit}
        page = listing_or_none(trial.case_run, following)
    assert_same_order("the pages together are not the whole list", whole.names, met)
    return bool(met)


def page_is_a_slice(trial: PropertyCheck) -> bool:
    """The page of a case is the slice of the whole list from its offset on."""
    whole, page = listing_or_none(trial.case_run, UNPAGED), listing_or_none(trial.case_run)
    if whole is None or page is None:
        return False
    sent = trial.case_run.case.arguments
    offset, limit = int(sent.get("offset") or 0), int(sent.get("limit") or 100)
    assert_same_order(
        "the page is no slice of the whole list", whole.names[offset : offset + limit], page.names
    )
    return bool(whole.entries)


@between_listings(None, UNPAGED)
def counts_add_up(page: Envelope, whole: Envelope) -> None:
    """dirs, files and links are those of the whole list on every page, and add up to the total."""
    for found in (page, whole):
        stats = found.object_member("stats")
        parts = [stats.get(name) for name in ("dirs", "files", "links")]
        total = stats.get("total_entries")
        if not all(type(part) is int for part in parts) or sum(p for p in parts if type(p) is int) != total:
            raise Mismatch("the counts do not add up", expected=format_json(total), got=format_json(parts))
    types = [entry.get("type") for entry in whole.entries]
    due = {f"{one}s": types.count(one) for one in TYPE_SUFFIXES}
    got = {name: page.object_member("stats").get(name) for name in due}
    if due != got:
        raise Mismatch(
            "a page counts otherwise than the whole list", expected=format_json(due), got=format_json(got)
        )


@between_listings(None, UNPAGED)
def total_counts_filtered(page: Envelope, whole: Envelope) -> None:
    """What is counted as total is what is listed if nothing is cut."""
    total = page.object_member("stats").get("total_entries")
    if total != len(whole.entries):
        raise Mismatch(
            "the total is not the length of the list",
            expected=str(len(whole.entries)),
            got=format_json(total),
        )


@between_listings(
    {**UNPAGED, "arguments.include_hidden": False}, {**UNPAGED, "arguments.include_hidden": True}
)
def include_hidden_is_superset(without: Envelope, with_them: Envelope) -> None:
    """With include_hidden everything is listed that is listed without, in the same order."""
    kept = [name for name in with_them.names if name in set(without.names)]
    assert_same_order("include_hidden takes something away or moves it", without.names, kept)


@between_listings({**EVERYTHING, "arguments.ignore": ["*a*"]}, EVERYTHING)
def patterns_take_away(fewer: Envelope, more: Envelope) -> None:
    """A pattern takes away what it matches and leaves the rest as it is."""
    due = [name for name in more.names if "a" not in name]
    assert_same_order("a pattern takes away other names than it matches", due, fewer.names)


def independent_of_creation_order(trial: PropertyCheck) -> bool:
    """The order in which a directory was filled plays no part."""
    first = listing_or_none(trial.case_run, UNPAGED)
    if first is None:
        return False
    try:
        with trial.case_run.rebuilt(REVERSED) as again:
            other = listing_or_none(again, UNPAGED)
    except CannotBuild:
        return False
    if other is None:
        return False
    assert_same_order("the order of making plays a part", first.names, other.names)
    return bool(first.entries)


def independent_of_spelling(trial: PropertyCheck) -> bool:
    """Slashes and dots that say nothing change nothing but the echo, and line 1 of the text where it names the path."""
    path = trial.case_run.case.arguments.get("path", ".") if _has_object_arguments(trial) else None
    first = listing_or_none(trial.case_run)
    if not isinstance(path, str) or not path or first is None:
        return False
    judged = False
    for spelling in (f"{path}/", f"{path}/.", f"{path}//"):
        other = listing_or_none(trial.case_run, {"arguments.path": spelling})
        if other is None:
            raise Mismatch(f"{spelling} is refused where {path} is listed", expected="a listing", got="none")
        one, two = comparable(first), comparable(other)
        for members, found in ((one, first), (two, other)):
            members["text"] = found.text_lines[1:]
        if one != two:
            raise Mismatch(
                f"{spelling} shows another listing than {path}",
                expected=format_json(one)[:2000],
                got=format_json(two)[:2000],
            )
        judged = judged or bool(first.entries)
    return judged


def _has_object_arguments(trial: PropertyCheck) -> bool:
    return isinstance(trial.case_run.case.arguments, dict)


def text_matches_data(trial: PropertyCheck) -> bool:
    """The lines of the entries are those of data, in the same order."""
    found = listing_or_none(trial.case_run)
    if found is None or not found.entries:
        return False
    suffixes = [TYPE_SUFFIXES.get(str(entry.get("type")), "") for entry in found.entries]
    shown = {"a": found.paths, "b": found.names}
    accepted = trial.samples.session.accepted_readings(ENTRY_LINE_INTERPRETATION)
    due = [
        [text + suffix for text, suffix in zip(texts, suffixes, strict=True)]
        for label, texts in shown.items()
        if label in accepted
    ]
    got = found.text_lines[-len(suffixes) :]
    if got not in due:
        raise Mismatch("text and data differ", expected="\n".join(due[0]), got="\n".join(got))
    return True


def always_an_envelope(trial: PropertyCheck) -> bool:
    """Every answer is an object that says how the call ended; what else an envelope holds has rules of its own."""
    answer = trial.case_run.call_candidate()
    if answer.status == "error" and not isinstance(trial.case_run.case.arguments, dict):
        return False  # refused before the tool has run (AMB-LS-57)
    found = parse_answer(answer)
    if "status" not in found.members:
        raise Mismatch(
            "the answer says nothing of how the call ended", expected="a status", got=found.raw[:400]
        )
    return found.is_listing and bool(found.entries)


def read_only(trial: PropertyCheck) -> bool:
    """Nothing that a subject was asked has changed anything on the disk."""
    shown = has_entries(trial.case_run)
    changes = trial.case_run.changes()
    if changes:
        raise Mismatch(f"a call changed the file system: {changes[0]}", expected="no change", got=changes[0])
    return shown
