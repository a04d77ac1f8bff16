"""Mutants: errors in the members of context."""

import json
import os
from typing import Any
from unicodedata import normalize

from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import OUTSIDE_ROOT, CallRefused
from treeproof.reference_impl.ls.page import Page
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import build_mutant


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


class DefaultsEchoed(Envelope):
    def context(self, path: str | None) -> Members:
        filled = {"path": ".", "offset": 0, "limit": 100, "include_hidden": False, "ignore": None}
        sent = (
            filled | self.sent_arguments
            if isinstance(self.sent_arguments, dict) and path is not None
            else self.sent_arguments
        )
        return super().context(path) | {"params_input": sent}


class NullsDropped(Envelope):
    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict):
            sent = {key: value for key, value in sent.items() if value is not None}
        return super().context(path) | {"params_input": sent}


class NoEchoOnErrors(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        members = super().failure(refused, path)
        members["context"]["params_input"] = {}
        return members


class EchoAsText(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context(path) | {"params_input": json.dumps(self.sent_arguments)}


class ResolvedPathEchoed(Envelope):
    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict) and "path" in sent and path is not None:
            sent = sent | {"path": path}
        return super().context(path) | {"params_input": sent}


class EchoedPatterns(Envelope):
    """params_input shows changed patterns."""

    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict) and isinstance(patterns := sent.get("ignore"), list):
            shown = [self.echoed(one) if isinstance(one, str) else one for one in patterns]
            sent = sent | {"ignore": shown}
        return super().context(path) | {"params_input": sent}

    def echoed(self, pattern: str) -> str:
        return pattern


class NoPathResolved(Envelope):
    def context(self, path: str | None) -> Members:
        return {key: value for key, value in super().context(path).items() if key != "path_resolved"}


class NothingAtTheRoot(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context("" if path == "." else path)


class SlashBehind(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context(path if path in (None, ".") else f"{path}/")


class DotBefore(Envelope):
    def context(self, path: str | None) -> Members:
        return super().context(path if path in (None, ".") else f"./{path}")


class AsGiven(Envelope):
    def context(self, path: str | None) -> Members:
        given = self.sent_arguments.get("path", ".") if isinstance(self.sent_arguments, dict) else "."
        return super().context(path if path is None else given)


class AbsolutePlace(Project):
    """Stores the place of the root for the output."""

    root_path = b""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        AbsolutePlace.root_path = self.root


class AbsolutePathResolved(Envelope):
    def context(self, path: str | None) -> Members:
        place = os.fsdecode(AbsolutePlace.root_path)
        return super().context(path if path is None else os.path.normpath(os.path.join(place, path)))


class TidyEcho(Envelope):
    """Removes duplicate patterns, blanks around texts, backslashes and very long texts."""

    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict):
            sent = {key: self.tidied(value) for key, value in sent.items()}
        return super().context(path) | {"params_input": sent}

    def tidied(self, value: Any) -> Any:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return list(dict.fromkeys(value))
        return value.strip().replace("\\", "/")[:1000] if isinstance(value, str) else value


class BackslashesTurned(EchoedPatterns):
    def echoed(self, pattern: str) -> str:
        return pattern.replace("\\", "/")


class PatternsComposed(EchoedPatterns):
    def echoed(self, pattern: str) -> str:
        return normalize("NFC", pattern)


class PathComposed(Envelope):
    def context(self, path: str | None) -> Members:
        sent = self.sent_arguments
        if isinstance(sent, dict) and isinstance(given := sent.get("path"), str):
            sent = sent | {"path": normalize("NFC", given)}
        return super().context(path) | {"params_input": sent}


class NoPathResolvedOfAPage(Envelope):
    def listing(self, path: str, page: Page, text: str) -> Members:
        members = super().listing(path, page, text)
        if page.is_truncated:
            del members["context"]["path_resolved"]
        return members


class NoPathResolvedOfNothing(Envelope):
    def listing(self, path: str, page: Page, text: str) -> Members:
        members = super().listing(path, page, text)
        if not page.entries:
            del members["context"]["path_resolved"]
        return members


class PlaceOutside(Envelope):
    """Shows in path_resolved where a refused path leads, if that is below the directory around the root."""

    def failure(self, refused: CallRefused, path: str | None) -> Members:
        given = self.sent_arguments.get("path") if isinstance(self.sent_arguments, dict) else None
        is_outside = refused.message == OUTSIDE_ROOT and isinstance(given, str)
        return super().failure(refused, "../outside" if is_outside and given in ("l", "../outside") else path)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-054", "cwd is always the root.", "LS-ENV-07", project=AlwaysAtTheRoot),
    build_mutant("MUT-LS-055", "cwd is absolute.", "LS-ENV-07 LS-ENV-09", project=AbsoluteCwd),
    build_mutant("MUT-LS-056", "cwd is the last name of the working directory.", "LS-ENV-07", project=LastNameOfCwd),
    build_mutant("MUT-LS-057", "cwd is empty at the root.", "LS-ENV-07", project=EmptyCwd),
    build_mutant("MUT-LS-058", "params_input has the defaults filled in.", "LS-ENV-08", envelope=DefaultsEchoed),
    build_mutant("MUT-LS-059", "params_input lacks what was null.", "LS-ENV-08", envelope=NullsDropped),
    build_mutant("MUT-LS-060", "params_input is empty in an error.", "LS-ENV-08", envelope=NoEchoOnErrors),
    build_mutant("MUT-LS-062", "params_input is a text.", "LS-ENV-08", envelope=EchoAsText),
    build_mutant("MUT-LS-063", "params_input has the resolved path.", "LS-ENV-08", envelope=ResolvedPathEchoed),
    build_mutant("MUT-LS-064", "path_resolved is missing.", "LS-ENV-12", envelope=NoPathResolved),
    build_mutant("MUT-LS-065", "path_resolved is empty at the root.", "LS-ENV-09", envelope=NothingAtTheRoot),
    build_mutant("MUT-LS-066", "path_resolved ends in a slash.", "LS-ENV-09", envelope=SlashBehind),
    build_mutant("MUT-LS-067", "path_resolved begins with a dot.", "LS-ENV-09", envelope=DotBefore),
    build_mutant("MUT-LS-068", "path_resolved is the path as it was given.", "LS-ENV-09", envelope=AsGiven),
    build_mutant(
        "MUT-LS-069",
        "path_resolved is absolute.",
        "LS-ENV-09 LS-DATA-07 LS-SEC-07",
        project=AbsolutePlace,
        envelope=AbsolutePathResolved,
    ),
    build_mutant("MUT-LS-072", "params_input is normalised.", "LS-ENV-08", envelope=TidyEcho),
    build_mutant("MUT-LS-336", "params_input shows slashes in patterns.", "LS-ENV-08", envelope=BackslashesTurned),
    build_mutant("MUT-LS-337", "params_input shows composed patterns.", "LS-ENV-08", envelope=PatternsComposed),
    build_mutant("MUT-LS-338", "params_input shows a composed path.", "LS-ENV-08", envelope=PathComposed),
    build_mutant("MUT-LS-344", "A page has no path_resolved.", "LS-ENV-12", envelope=NoPathResolvedOfAPage),
    build_mutant(
        "MUT-LS-345", "A listing without entries has no path_resolved.", "LS-ENV-12", envelope=NoPathResolvedOfNothing
    ),
    build_mutant("MUT-LS-346", "path_resolved shows where a refused path leads.", "LS-ENV-09", envelope=PlaceOutside),
)
