"""Mutants: errors in the sandbox: its boundary and roots, denied patterns, and links on the way to the directory."""

import errno
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from treeproof.api import CallResult
from treeproof.reference_impl.shared.denied_patterns import DEFAULT_DENIES
from treeproof.rows.list_directory.listing import ListCall, Table, document_of, failed
from treeproof.rows.list_directory.row import Change
from treeproof.rows.shared.row import with_value

from ..shared.mutant import Mutant
from .implied import BREACH
from .rows import row

NOWHERE = "/dev/null/nowhere"
"""A root that contains nothing."""
MAX_LINKS = 40

Link = tuple[str, str]
"""The path of a link, and its target."""


def real(path: str) -> str:
    """Return where a path leads; the path if no name can be made of its text."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return path


def is_in(place: str, root: str) -> bool:
    return f"{place}/".startswith(f"{real(root).rstrip('/')}/")


def is_inside(sent: ListCall, place: str) -> bool:
    """Return whether a place without links is in a root."""
    return any(is_in(place, root) for root in sent.context["roots"])


def is_outside(sent: ListCall) -> bool:
    return not is_inside(sent, real(sent.place))


def with_context(sent: ListCall, **members: Any) -> ListCall:
    return sent.within({**sent.context, **members})


def everywhere(sent: ListCall) -> ListCall:
    return with_context(sent, roots=[*sent.context["roots"], "/"], allow_absolute=True)


def answer_at(sent: ListCall, place: str) -> CallResult:
    """Return the answer for a place, with the requested path."""
    answer = sent.with_arguments({**sent.given, "path": place}).answer()
    value = document_of(answer)
    return answer if value is None else with_value(answer, value | {"path": sent.path})


def escaping(where: Callable[[ListCall], Any]) -> Change:
    """Return the change that accepts a place outside."""
    return {"where": lambda sent: is_outside(sent) and where(sent), "call": everywhere}


def violating(is_refused: Callable[[ListCall], Any]) -> Change:
    return {"refuse": lambda sent: ("SandboxViolation", "the path is refused") if is_refused(sent) else None}


def context(**members: Callable[[Table], Any]) -> Change:
    """Return the change of members of the context."""
    return {"context": lambda given: given | {name: change(given) for name, change in members.items()}}


def roots(is_kept: Callable[[str, ListCall], Any]) -> Change:
    """Return the change to fewer roots."""

    def changed(sent: ListCall) -> ListCall:
        kept = [root for root in sent.context["roots"] if is_kept(root, sent)]
        return with_context(sent, roots=kept or [NOWHERE], working_dir=str(sent.root))

    return {"call": changed}


def patterns(change: Callable[[str], str]) -> Change:
    """Return the change of all denied patterns."""

    def changed(given: Table) -> Table:
        usual = DEFAULT_DENIES if given.get("include_default_denies", True) else ()
        denied = [change(pattern) for pattern in (*given.get("denied_patterns", ()), *usual)]
        return given | {"denied_patterns": denied, "include_default_denies": False}

    return {"context": changed}


def no_patterns(where: Callable[[ListCall], Any]) -> Change:
    """Return the change that denies nothing, on some calls."""
    return {"where": where, "call": lambda sent: with_context(sent, denied_patterns=[], include_default_denies=False)}


def reported(kind: str, where: Callable[[ListCall], Any] = lambda sent: True) -> Change:
    """Return the change of the kind of a violation."""
    return {
        "where": where,
        "failure": lambda answer: (
            replace(answer, error_kind=kind) if answer.error_kind == "SandboxViolation" else answer
        ),
    }


def has_parents(sent: ListCall) -> bool:
    return ".." in sent.path.split("/")


def is_denied(sent: ListCall) -> bool:
    """Return whether nothing but a pattern can be the reason of a violation."""
    is_absolute = sent.path.startswith("/") and not sent.context.get("allow_absolute")
    return not (is_outside(sent) or has_parents(sent) or is_absolute)


def looking_first(sent: ListCall, answer: CallResult) -> CallResult:
    is_meant = answer.error_kind == "SandboxViolation" and not os.path.exists(sent.place)
    return failed(answer, "ExecutionFailed", "path does not exist") if is_meant else answer


def is_below_a_link(sent: ListCall) -> bool:
    parts = sent.path.split("/")
    return any(os.path.islink(os.path.join(sent.root, *parts[:count])) for count in range(1, len(parts)))


def has_blanks(sent: ListCall) -> bool:
    return sent.text != sent.text.strip()


def first_directory(sent: ListCall) -> CallResult:
    """Expand an asterisk to a name."""
    found = min((entry.name for entry in os.scandir(sent.root) if entry.is_dir()), default="*")
    return answer_at(sent, found)


def in_the_roots(sent: ListCall) -> ListCall:
    """Let a relative path that is not in the working directory start in the first root that has it."""
    starts = (str(sent.root), *sent.context["roots"])
    found = (start for start in starts if os.path.lexists(os.path.join(start, sent.path)))
    return with_context(sent, working_dir=next(found, str(sent.root)))


def approving(sent: ListCall) -> CallResult:
    """Accept a path that lay inside in an earlier call."""
    answer, key = sent.answer(), (sent.root, sent.path)
    if answer.error_kind == "SandboxViolation" and key in sent.memory:
        return everywhere(sent).answer()
    sent.memory.update({} if answer.error_kind == "SandboxViolation" else {key: True})
    return answer


def without_slash(root: str) -> str:
    return root.rstrip("/") or "/"


def contains_another(root: str, sent: ListCall) -> bool:
    return any(is_in(real(other), root) and real(other) != real(root) for other in sent.context["roots"])


def roots_with(sent: ListCall) -> list[str]:
    return [root for root in sent.context["roots"] if is_in(real(sent.place), root)]


def path_components(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def links_on(path: str) -> Iterator[Link]:
    """Return the links on an absolute path, one after the other."""
    pending, done, count = path_components(path)[::-1], list[str](), 0
    while pending and count < MAX_LINKS:
        part = pending.pop()
        if part == "..":
            done[-1:] = []
            continue
        done.append(part)
        here = "/" + "/".join(done)
        if os.path.islink(here):
            count += 1
            target = os.readlink(here)
            yield here, target
            done = [] if target.startswith("/") else done[:-1]
            pending += path_components(target)[::-1]


def blocked(number: int, is_blocked: Callable[[list[Link]], bool]) -> Change:
    """Return the change that refuses paths with such links, as a loop or as missing."""
    text = {errno.ELOOP: "path is not a directory: too many symbolic links", errno.ENOENT: "path does not exist"}
    refusal = "ExecutionFailed", text[number]
    return {"refuse": lambda sent: refusal if is_blocked(list(links_on(sent.place))) else None}


def as_text(path: str) -> str:
    """Return an absolute path with each link replaced by its target as text, the longest part first."""
    for _ in range(MAX_LINKS):
        parts = path_components(path)
        for length in range(len(parts), 0, -1):
            here = "/" + "/".join(parts[:length])
            if os.path.islink(here):
                path = os.path.normpath(os.path.join(os.path.dirname(here), os.readlink(here), *parts[length:]))
                break
        else:
            return path
    return path


def following_the_text(sent: ListCall) -> CallResult:
    place = as_text(sent.place)
    if sent.answer().error_kind != "SandboxViolation" and place == real(sent.place):
        return sent.answer()
    return answer_at(with_context(sent, allow_absolute=True), place)


def checking_the_text(sent: ListCall) -> CallResult:
    """Check the path as text, but open the resolved one."""
    checked = following_the_text(sent)
    return checked if checked.error_kind == "SandboxViolation" else everywhere(sent).answer()


def is_inside_when_truncated(sent: ListCall) -> bool:
    """Return whether the first 255 bytes of a longer target lead to a place inside."""
    target = os.readlink(sent.place) if os.path.islink(sent.place) else ""
    return len(target) >= 256 and is_inside(sent, real(os.path.join(os.path.dirname(sent.place), target[:255])))


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-124", "Containment is checked before links are resolved.", "FR-LD-VAL-07 FR-LD-ERR-02", BREACH)(
        **escaping(lambda sent: is_inside(sent, os.path.normpath(os.path.join(real(str(sent.root)), sent.path))))
    ),
    row(
        *("MUT-125", "The existence of a path is checked before the sandbox.", "FR-LD-VAL-07 FR-LD-ERR-02", BREACH),
        "FR-LD-DEF-05 T-LD-03",
    )(result=looking_first),
    row("MUT-301", "A path that begins with the root's text is inside.", "FR-LD-VAL-07 FR-LD-ERR-02", BREACH)(
        **escaping(lambda sent: real(sent.place).startswith(tuple(map(real, sent.context["roots"]))))
    ),
    row("MUT-302", "'..' is refused at the start of a path only.", "FR-LD-VAL-07 FR-LD-ERR-02", BREACH)(
        where=lambda sent: has_parents(sent) and not sent.path.startswith(".."),
        answer=lambda sent: answer_at(everywhere(sent), real(sent.place)),
    ),
    row(
        *("MUT-303", "Links are not resolved before the check, except for the last one.", "FR-LD-VAL-07 FR-LD-ERR-02"),
        BREACH,
    )(**escaping(is_below_a_link)),
    row("MUT-305", "Only the first root has an effect.", "FR-LD-VAL-07", BREACH)(
        **roots(lambda root, sent: root == sent.context["roots"][0])
    ),
    row("MUT-306", "A root given through a link contains nothing.", "FR-LD-VAL-07", BREACH)(
        **roots(lambda root, sent: real(root) == os.path.normpath(root))
    ),
    row("MUT-307", "The context's denied patterns are ignored.", "FR-LD-VAL-07", BREACH)(
        **context(denied_patterns=lambda given: [])
    ),
    row("MUT-308", "The default denied patterns are ignored.", "FR-LD-VAL-07", BREACH)(
        **context(include_default_denies=lambda given: False)
    ),
    row("MUT-309", "The context's denied patterns replace the default ones.", "FR-LD-VAL-07", BREACH)(
        **context(
            include_default_denies=lambda given: (
                given.get("include_default_denies", True) and not given.get("denied_patterns")
            )
        )
    ),
    row("MUT-310", "The default denied patterns cannot be disabled.", "FR-LD-VAL-07", BREACH)(
        **context(include_default_denies=lambda given: True)
    ),
    row(
        *("MUT-312", "Absolute paths inside a root are accepted although they are not permitted."),
        *("FR-LD-VAL-07 FR-LD-ERR-02", BREACH),
    )(**context(allow_absolute=lambda given: True)),
    row("MUT-313", "Absolute paths are refused although they are permitted.", "FR-LD-VAL-07 FR-LD-VAL-10", BREACH)(
        **context(allow_absolute=lambda given: False)
    ),
    row("MUT-314", "Percent escapes in the path are decoded.", "FR-LD-VAL-07", BREACH)(elsewhere=unquote),
    # Properties that request a directory of that name get another one.
    row(
        *("MUT-315", "A tilde is expanded to a home directory.", "FR-LD-VAL-07", BREACH),
        "EF-02 EF-03 FR-LD-LST-02 FR-LD-VAL-10",
    )(elsewhere=lambda path: "." if path.strip() == "~" else path),
    row("MUT-316", "An asterisk is expanded to a name.", "FR-LD-VAL-07", BREACH)(
        where=lambda sent: sent.path == "*", answer=first_directory
    ),
    row("MUT-317", "Variables in the path are expanded.", "FR-LD-VAL-07", BREACH, "FR-LD-ERR-02 FR-LD-VAL-10 T-LD-03")(
        elsewhere=lambda path: os.path.expandvars(path).strip("/") or "." if "$" in path else path
    ),
    row(
        "MUT-318", "The sandbox checks the path before its white space is removed.", "FR-LD-VAL-07 FR-LD-ERR-02", BREACH
    )(
        where=lambda sent: has_blanks(sent) and sent.text.strip(),
        answer=lambda sent: answer_at(everywhere(sent), real(sent.place)),
    ),
    row("MUT-320", "A violation is reported as BadArgs.", "FR-LD-ERR-02 FR-LD-VAL-07 T-LD-03", BREACH)(
        **reported("BadArgs")
    ),
    row("MUT-321", "A violation is reported as ExecutionFailed.", "FR-LD-ERR-02 FR-LD-VAL-07 T-LD-03", BREACH)(
        **reported("ExecutionFailed")
    ),
    row("MUT-322", "'..' is reported as BadArgs.", "FR-LD-ERR-02 FR-LD-VAL-07 T-LD-03", BREACH)(
        **reported("BadArgs", has_parents)
    ),
    row("MUT-323", "A denied path is reported as PolicyDenied.", "FR-LD-ERR-02 FR-LD-VAL-07", BREACH)(
        **reported("PolicyDenied", is_denied)
    ),
    row(
        *("MUT-983", "An absolute path inside a root is accepted behind white space, although none is permitted."),
        "FR-LD-VAL-07 FR-LD-ERR-02",
    )(
        where=lambda sent: sent.text != sent.text.lstrip(),
        call=lambda sent: with_context(sent, allow_absolute=True),
    ),
    row("MUT-708", "The root of the disk contains nothing but itself.", "CWD-LD FR-LD-VAL-07")(
        **roots(lambda root, sent: real(root) != "/" or real(sent.place) == "/")
    ),
    row("MUT-709", "A root with a trailing slash contains nothing.", "FR-LD-VAL-07")(
        **roots(lambda root, sent: root == without_slash(root))
    ),
    row("MUT-710", "A root with a dot or two slashes contains nothing.", "CWD-LD FR-LD-VAL-07")(
        **roots(lambda root, sent: os.path.normpath(root) == without_slash(root))
    ),
    row("MUT-905", "A root that contains another root is ignored.", "FR-LD-VAL-07 FR-LD-VAL-06 FR-LD-VAL-08")(
        **roots(lambda root, sent: not contains_another(root, sent))
    ),
    row("MUT-920", "A place in several roots is refused.", "FR-LD-VAL-07")(
        **violating(lambda sent: len(roots_with(sent)) > 1)
    ),
    row("MUT-921", "With a working directory outside of all roots, every path is refused.", "CWD-LD FR-LD-VAL-07")(
        **violating(lambda sent: not is_inside(sent, real(str(sent.root))))
    ),
    row(
        *("MUT-984", "A relative path that is not in the working directory is looked for in the roots."),
        "FR-LD-VAL-07 FR-LD-ERR-03 FR-LD-VAL-08",
    )(call=in_the_roots),
    row(
        *("MUT-1014", "A path that lay inside in an earlier call is not judged again.", "FR-LD-VAL-07 FR-LD-OUT-02"),
        BREACH,
    )(answer=approving),
    row("MUT-683", "Denied patterns apply to existing paths only; all others are reported as missing.", "FR-LD-VAL-07")(
        **no_patterns(lambda sent: not os.path.isdir(sent.place))
    ),
    row("MUT-700", "A dot in a denied pattern stands for any character.", "FR-LD-VAL-07")(
        **patterns(lambda pattern: pattern.replace(".", "?"))
    ),
    row("MUT-701", "A denied pattern also matches names with characters added at the end.", "FR-LD-VAL-07")(
        **patterns(lambda pattern: pattern if pattern.endswith("**") else f"{pattern}*")
    ),
    row("MUT-702", "A denied pattern also matches names with characters added at the start.", "FR-LD-VAL-07")(
        **patterns(lambda pattern: pattern.replace("**/", "**/*", 1))
    ),
    row("MUT-703", "Two asterisks at the end of a denied pattern match one level only.", "FR-LD-VAL-07")(
        **patterns(lambda pattern: re.sub(r"\*\*$", "*", pattern))
    ),
    row("MUT-704", "Only the first denied pattern of the context applies.", "FR-LD-VAL-07")(
        **context(denied_patterns=lambda given: given.get("denied_patterns", [])[:1])
    ),
    row("MUT-705", "Denied patterns do not apply to absolute paths.", "FR-LD-VAL-07")(
        **no_patterns(lambda sent: sent.path.startswith("/"))
    ),
    row("MUT-706", "Denied patterns apply in the first root only.", "FR-LD-VAL-07")(
        **no_patterns(lambda sent: not is_in(real(sent.place), sent.context["roots"][0]))
    ),
    row("MUT-929", "Without the default denied patterns, those of the context are ignored too.", "FR-LD-VAL-07")(
        **no_patterns(lambda sent: sent.context.get("include_default_denies") is False)
    ),
    row("MUT-711", "A link's target is inserted into the text of the path.", "FR-LD-VAL-07")(answer=following_the_text),
    row("MUT-712", "The target of a link is checked by text and followed on the disk.", "FR-LD-VAL-07")(
        answer=checking_the_text
    ),
    row("MUT-713", "The target of a link is truncated to 256 bytes before it is checked.", "FR-LD-VAL-07")(
        **escaping(is_inside_when_truncated)
    ),
    row("MUT-714", "A link that occurs twice is reported as a loop.", "FR-LD-VAL-08")(
        **blocked(errno.ELOOP, lambda links: len(dict(links)) < len(links))
    ),
    row("MUT-715", "More than eight links on the way are reported as a loop.", "FR-LD-VAL-08")(
        **blocked(errno.ELOOP, lambda links: len(links) > 8)
    ),
    row("MUT-716", "A link with a target longer than 255 bytes has no target.", "FR-LD-VAL-08")(
        **blocked(errno.ENOENT, lambda links: any(len(os.fsencode(target)) > 255 for _, target in links))
    ),
    row("MUT-717", "A link whose target has doubled or trailing slashes has no target.", "FR-LD-VAL-08")(
        **blocked(errno.ENOENT, lambda links: any("//" in target + "/" for _, target in links))
    ),
)
