"""Mutants: errors in the normalisation of the requested path and in the path of the document."""

import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.list_directory.request import ArgumentParser
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour, trim

from ..shared.mutant import Mutant
from .builders import build_mutant


def with_path_shown(shown: Callable[[str, ListingPlan], str]) -> ListDirectory:
    """Return the tool with another path in the document, from the requested path and the plan."""

    class Showing(ListDirectory):
        def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
            plan = super().plan(arguments, context, flavour)
            return replace(plan, request=replace(plan.request, path=shown(arguments["path"], plan)))

    return Showing()


def with_normalised_path_shown(shown: Callable[[str], str]) -> ListDirectory:
    """Return the tool with another path in the document, from the normalised path."""
    return with_path_shown(lambda _, plan: shown(plan.request.path))


def with_path_normalised_by(tidied: Callable[[str], str]) -> ListDirectory:
    """Return the tool with another normalisation of the path."""

    class Tidying(ArgumentParser):
        def parse_path(self) -> str:
            super().parse_path()
            return tidied(self.arguments["path"])

    return ListDirectory(argument_parser=Tidying)


def canonical(_: str, plan: ListingPlan) -> str:
    if plan.request.path == ".":
        return "."
    return os.fsdecode(b"/".join((plan.place.root.rstrip(b"/"), *plan.place.components)) or b"/")


def resolved(_: str, plan: ListingPlan) -> str:
    if plan.request.path.startswith("/"):
        return plan.request.path
    return os.fsdecode(b"/".join(plan.place.components)) or "."


def unnormalised(text: str, _: ListingPlan) -> str:
    return text


def untrimmed(text: str, plan: ListingPlan) -> str:
    core = trim(text)
    before, _, after = text.partition(core)
    return before + plan.request.path + after


def collapsed_once(text: str) -> str:
    path = trim(text).replace("//", "/")
    while path.startswith("./") and path.strip("./"):
        path = path[2:]
    path = path.replace("/./", "/").removesuffix("/.")
    return path.rstrip("/") or ("/" if path.startswith("/") else ".")


def without_dot_slash(text: str) -> str:
    path = re.sub("/+", "/", trim(text))
    start = "/" if path.startswith("/") else ""
    return start + path[len(start) :].replace("./", "").rstrip("/") or "."


def keeping_inner_dots(text: str, plan: ListingPlan) -> str:
    path = re.sub("/+", "/", trim(text))
    return plan.request.path if "/./" not in path else path.removeprefix("./").removesuffix("/") or "."


def with_final_slash(text: str, plan: ListingPlan) -> str:
    kept = trim(text).endswith("/") and not plan.request.path.endswith("/") and plan.request.path != "."
    return plan.request.path + "/" * kept


def with_runs(text: str, plan: ListingPlan) -> str:
    return trim(text).rstrip("/") if re.search("[^/]//+[^/]", trim(text)) else plan.request.path


def with_two_slashes(text: str, plan: ListingPlan) -> str:
    return "/" * bool(re.match("//(?!/)", trim(text))) + plan.request.path


def with_trimmed_components(text: str) -> str:
    parts = [trim(part) for part in trim(text).split("/")]
    path = "/".join(part for part in parts if part not in ("", "."))
    return "/" + path if trim(text).startswith("/") else path or "."


def any_drive(text: str, plan: ListingPlan) -> str:
    is_drive = re.fullmatch(r"\w+:/+", trim(text)) is not None
    return plan.request.path + "/" if is_drive and not plan.request.path.endswith("/") else plan.request.path


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-112",
        "The path in the document is absolute, except for the working directory.",
        "FR-LD-VAL-10 FR-LD-OUT-02 FR-LD-OUT-06 FR-LD-OUT-08 FR-LD-VAL-07 FR-LD-VAL-01 FR-LD-VAL-08",
        tool=with_path_shown(canonical),
    ),
    build_mutant(
        "MUT-113",
        "The path in the document is the requested one.",
        "FR-LD-VAL-10 FR-LD-VAL-01 FR-LD-VAL-07 FR-LD-VAL-08",
        tool=with_path_shown(unnormalised),
    ),
    build_mutant(
        "MUT-115",
        "Repeated slashes are collapsed in one pass over pairs.",
        "FR-LD-VAL-10 FR-LD-VAL-07 FR-LD-VAL-08",
        tool=with_path_normalised_by(collapsed_once),
    ),
    build_mutant(
        "MUT-116",
        "The path in the document is in lower case.",
        "FR-LD-VAL-10",
        tool=with_normalised_path_shown(str.lower),
    ),
    build_mutant(
        "MUT-118",
        "The path in the document keeps its surrounding white space.",
        "FR-LD-VAL-10 FR-LD-VAL-01",
        tool=with_path_shown(untrimmed),
    ),
    build_mutant(
        "MUT-119",
        "The path of the root becomes empty.",
        "FR-LD-VAL-10",
        tool=with_normalised_path_shown(lambda path: path.rstrip("/")),
    ),
    build_mutant(
        "MUT-281",
        "Every './' is removed, also after a name.",
        "FR-LD-VAL-10 FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-ERR-02 T-LD-03 FR-LD-DEF-05",
        tool=with_path_normalised_by(without_dot_slash),
    ),
    build_mutant(
        "MUT-282",
        "A '.' between two names stays.",
        "FR-LD-VAL-10 FR-LD-VAL-08",
        tool=with_path_shown(keeping_inner_dots),
    ),
    build_mutant("MUT-283", "A trailing slash stays.", "FR-LD-VAL-10", tool=with_path_shown(with_final_slash)),
    build_mutant("MUT-284", "Runs of slashes between names stay.", "FR-LD-VAL-10", tool=with_path_shown(with_runs)),
    build_mutant(
        "MUT-285",
        "'./' and equivalent paths become an empty path.",
        "FR-LD-VAL-10",
        tool=with_path_shown(lambda text, plan: "" if plan.request.path == "." != text else plan.request.path),
    ),
    build_mutant("MUT-286", "Two leading slashes stay.", "FR-LD-VAL-10", tool=with_path_shown(with_two_slashes)),
    build_mutant(
        "MUT-287",
        "White space around every component is removed.",
        "FR-LD-VAL-10 FR-LD-OUT-02a FR-LD-VAL-07",
        tool=with_path_normalised_by(with_trimmed_components),
    ),
    build_mutant(
        "MUT-288",
        "A run of white space within the path becomes one blank.",
        "FR-LD-VAL-10",
        tool=with_normalised_path_shown(lambda path: re.sub(r"\s+", " ", path)),
    ),
    build_mutant(
        "MUT-289", "Any word with a colon counts as a drive.", "FR-LD-VAL-10", tool=with_path_shown(any_drive)
    ),
    build_mutant(
        "MUT-291",
        "The path in the document is in NFC.",
        "FR-LD-VAL-10",
        tool=with_normalised_path_shown(lambda path: unicodedata.normalize("NFC", path)),
    ),
    build_mutant(
        "MUT-292",
        "The path in the document has links resolved.",
        "FR-LD-VAL-10 FR-LD-VAL-07",  # a link into another root is shown as requested, or refused (AMB-LD-36)
        tool=with_path_shown(resolved),
    ),
)
