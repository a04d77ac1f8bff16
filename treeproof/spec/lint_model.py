"""Diagnostics on the members of a model, at their lines. Calls only `families`, which describes cases."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from treeproof.errors import format_exception
from treeproof.pack_modules import full_module_name
from treeproof.spec.catalogue import Pack
from treeproof.spec.id_places import Found, IdPlaces

MODEL_METHODS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "oracle": {
        "families": ("capabilities",),
        "expected": ("case",),
        "judge": ("exchange", "accepted"),
        "scenario_steps": ("case", "outside"),
        "case_labels": ("case",),
    },
    "state_machine": {
        "command_choices": ("capabilities", "tree"),
        "command": ("*parts",),
        "judge": ("exchange", "accepted"),
        "scenario_steps": ("exchanges", "accepted"),
        "case_labels": ("exchange",),
    },
}
"""The methods of the protocols of models and their parameters; a test compares them with the protocols."""
MODEL_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "oracle": ("tool", "requirements", "interpretations", "all_case_labels"),
    "state_machine": ("outside", "tree_shape", "requirements", "interpretations", "all_case_labels"),
}
"""Their other members."""
FILE_MODES = "modes"
"""What the capabilities contain for a candidate to which file modes apply."""


def model_problem(key: str, entry_point: str, value: Any) -> str | None:
    """Return why an object is no model; None if it has all members."""
    kind = key.replace("_", " ") if key == "state_machine" else "model"
    missing = [name for name in (*MODEL_ATTRIBUTES[key], *MODEL_METHODS[key]) if not hasattr(value, name)]
    if missing:
        return f"{key}: {entry_point} is no {kind}: it lacks {', '.join(missing)}; define them"
    if inspect.isclass(value):
        return f"{key}: {entry_point} is a class; name an object, such as model = {value.__name__}()"
    return None


def lint_members(pack: Pack, key: str, entry_point: str, model: Any) -> Iterator[Found]:
    """Yield diagnostics on members of another kind, and on the families of the model."""
    places = IdPlaces(pack, key, entry_point)
    found = list(_wrong_kinds(key, model))
    if not found and key == "oracle":
        found = list(_wrong_families(pack, entry_point, model))
    for member, message in found:
        file, line = _line_of(model, member) or places.of_definition(member)
        yield file, line, "malformed", f"{key}: {entry_point}: {message}"


def _wrong_kinds(key: str, model: Any) -> Iterator[tuple[str, str]]:
    for member in MODEL_ATTRIBUTES[key]:
        if callable(getattr(model, member)):
            yield member, f"{member} is a method; write an attribute, or @property above it"
    for member, parameters in MODEL_METHODS[key].items():
        method, written = getattr(model, member), f"def {member}(self, {', '.join(parameters)})"
        if not callable(method):
            yield member, f"{member} is no method; write {written}"
        elif "*parts" not in parameters and not _takes(method, len(parameters)):
            yield member, f"{member} does not take ({', '.join(parameters)}); write {written}"


def _takes(method: Any, count: int) -> bool:
    try:
        inspect.signature(method).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function without a signature that Python knows
        return True
    return True


def _wrong_families(pack: Pack, entry_point: str, model: Any) -> Iterator[tuple[str, str]]:
    tools = (name for tool in pack.tools for name in (tool.name, *tool.capabilities))
    try:
        families = model.families(frozenset({FILE_MODES, *tools}))
    except Exception as error:
        module = full_module_name(entry_point.partition(":")[0], pack.folder)
        yield "families", f"families raised {format_exception(error, module)}; correct it"
        return
    if not isinstance(families, Iterable) or isinstance(families, (str, bytes, Mapping)):
        yield "families", f"families returned a {type(families).__name__}; return a tuple, such as (CaseFamily(…),)"
        return
    for family in families:
        name, stages = getattr(family, "name", None), getattr(family, "stages", None)
        if not isinstance(name, str):
            yield "families", f"families returned a {type(family).__name__} in its tuple; return a CaseFamily"
        elif not isinstance(stages, (tuple, list)) or not all(map(callable, stages)):
            yield "families", f'the stages of the family "{name}" are no functions in a tuple; write (stage,)'


def _line_of(model: Any, member: str) -> tuple[Path, int] | None:
    """Return the file and the line of a method."""
    function = inspect.unwrap(getattr(getattr(model, member), "__func__", getattr(model, member)))
    code = getattr(function, "__code__", None)
    return None if code is None else (Path(code.co_filename), code.co_firstlineno)
