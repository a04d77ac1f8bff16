"""Diagnostics on the modules that a catalogue names: reference, models, mutants, variants. Starts none of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.entry_points import load_entry_point
from treeproof.spec.gherkin import FeatureText
from treeproof.spec.id_places import Found, IdPlaces, spec_line
from treeproof.spec.lint_model import MODEL_ATTRIBUTES, MODEL_METHODS, lint_members, model_problem
from treeproof.spec.lint_registered import lint_mutants, lint_variants

CANDIDATE_METHODS = ("initialize", "describe", "call")

_PLACE = re.compile(r"(?P<what>.*?)(?P<file>/[^:]+\.py):(?P<line>\d+): (?P<cause>.*)")


def lint_modules(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Diagnostic]:
    """Yield diagnostics on everything that an entry point names. A module with an error has one at its line."""
    for found in _lint_entry_points(pack, features):
        yield Diagnostic(*found)


def lint_judgement(pack: Pack) -> Iterator[Diagnostic]:
    """Yield diagnostics on what the model can name, and on nothing else of its modules."""
    key, entry_point = _judge_of(pack)
    assert entry_point is not None
    try:
        model = load_entry_point(pack.pack_file, key, entry_point)
    except UsageError as error:
        yield diagnose_import(pack, error, key)
        return
    places = IdPlaces(pack, key, entry_point)
    for found in _lint_judgement(pack, frozenset(model.requirements), places):
        yield Diagnostic(*found)


def _judge_of(pack: Pack) -> tuple[str, str | None]:
    """Return the key and the entry point of what judges the calls of scenarios."""
    return ("oracle", pack.oracle) if pack.state_machine is None else ("state_machine", pack.state_machine)


def diagnose_import(pack: Pack, error: UsageError, key: str) -> Diagnostic:
    """Return the diagnostic on a module that cannot be imported, at its place in the author's file if it is known."""
    text = str(error).removeprefix(f"{pack.pack_file}: ")
    found = _PLACE.fullmatch(text)
    if found is None:
        return Diagnostic(pack.pack_file, spec_line(pack, key), "orphaned", text)
    return Diagnostic(Path(found["file"]), int(found["line"]), "malformed", f"{found['what']}{found['cause']}")


def _lint_entry_points(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Found]:
    entry_points = {
        key: getattr(pack, key) for key in ("reference", "oracle", "state_machine", "mutants", "variants", "operators")
    }
    entry_points |= {f"simulated.{platform}": entry for platform, entry in pack.simulated.items()}
    for key, entry_point in entry_points.items():
        if entry_point is None:
            continue
        try:
            value = load_entry_point(pack.pack_file, key, entry_point)
            if key == "mutants":
                yield from lint_mutants(pack, features)
            elif key == "variants":
                yield from lint_variants(pack)
            elif key == "operators":
                continue  # `adequacy` loads the table
            elif problem := _problem_of(key, entry_point, value):
                yield pack.pack_file, spec_line(pack, key), "malformed", problem
            elif key in MODEL_METHODS:
                members = list(lint_members(pack, key, entry_point, value))
                yield from members
                if not members:
                    yield from _lint_model(pack, key, value)
        except UsageError as error:
            one = diagnose_import(pack, error, key)
            yield one.file, one.line, one.code, one.message


def _problem_of(key: str, entry_point: str, value: Any) -> str | None:
    """Return why an object is no candidate or no model; None if it is one, or a factory."""
    if key in MODEL_METHODS:
        return model_problem(key, entry_point, value)
    if inspect.isfunction(value) or inspect.ismethod(value):
        return None
    missing = [name for name in CANDIDATE_METHODS if not callable(getattr(value, name, None))]
    if not missing or (callable(value) and not inspect.isclass(value)):
        return None
    return f"{key}: {entry_point} is no candidate: it lacks {', '.join(missing)}; define them, or name another object"


def _lint_model(pack: Pack, key: str, model: Any) -> Iterator[Found]:
    known = {
        "tool": ("calls the tool", "tool", [tool.name for tool in pack.tools]),
        "requirements": ("blames", "requirement", [one.id for one in pack.requirements]),
        "interpretations": ("knows", "interpretation", [one.id for one in pack.interpretations]),
    }
    places = IdPlaces(pack, key, getattr(pack, key))
    for member, (verb, what, ids) in known.items():
        if member not in MODEL_ATTRIBUTES[key]:
            continue
        value = getattr(model, member)
        for id in [value] if isinstance(value, str) else sorted(value):
            if id not in ids and id not in pack.ids_of_other_versions:
                no = "" if what == "tool" else f", which is no {what}"
                yield *places.of(id), "orphaned", f'the model {verb} "{id}"{no}; {suggest(id, ids)}'
    if key == _judge_of(pack)[0]:
        yield from _lint_judgement(pack, frozenset(model.requirements), places)


def _lint_judgement(pack: Pack, named: frozenset[str], places: IdPlaces) -> Iterator[Found]:
    """Yield diagnostics on the requirements that the model can name, and on those it cannot."""
    by_lines, line = frozenset(pack.by_lines), spec_line(pack, "by_lines")
    for one in pack.requirements:
        can_fail = one.restates is None and one.excluded is None and one.condition is None
        is_judged = one.level == "MUST" and one.basis != "prudent" and can_fail
        is_named = one.id in named or one.id in (pack.unchanged, pack.naming)
        if one.id in named and one.excluded is not None:
            message = f"the model blames {one.id}, which is excluded and cannot fail; remove it"
            yield *places.of(one.id), "unwanted", message
        elif is_judged and not is_named and one.id not in by_lines:
            message = f"{one.id}: the model does not name it; let a finding name it, or add it to by_lines in [spec]"
            yield pack.pack_file, line, "malformed", message
        elif one.id in by_lines and is_named:
            yield pack.pack_file, line, "unwanted", f"by_lines names {one.id}, which the model names too; remove it"
