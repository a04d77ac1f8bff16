"""The private interfaces of other packages that the core uses; `pyproject.toml` permits one minor version of each.

A failure here is the reason to adapt the named module before a newer version is permitted.
"""

from __future__ import annotations

import inspect
from importlib.metadata import version
from typing import Any

from treeproof.api import given
from treeproof.spec.step_definitions import load_step_definitions


@given(r"a step of this module with (?P<number>\d+)", example="a step of this module with 1")
def a_step(number: str) -> None:
    """Do nothing."""


def test_pytest_bdd_has_the_private_parts_that_step_definitions_are_read_from() -> None:
    used_by = f"pytest-bdd {version('pytest-bdd')}: treeproof/spec/step_definitions.py cannot use "
    from pytest_bdd import steps

    prefix = getattr(getattr(steps, "StepNamePrefix", None), "step_def", None)
    assert isinstance(getattr(prefix, "value", None), str), f"{used_by}steps.StepNamePrefix.step_def: it is gone"
    names = [name for name in globals() if name.startswith(prefix.value)]  # type: ignore[union-attr]
    assert len(names) == 1, f"{used_by}the fixture that `step` leaves in a module: found {names}"
    wrapped = getattr(globals()[names[0]], "__wrapped__", None)
    assert callable(wrapped), f"{used_by}`__wrapped__` of that fixture: it is gone"
    context: Any = wrapped()
    missing = [name for name in ("step_func", "parser", "type") if not hasattr(context, name)]
    assert not missing, f"{used_by}the context of a step: it has no {missing}"
    (definition,) = load_step_definitions([__name__])
    assert (definition.keyword_type, definition.captures) == ("given", ("number",)), f"{used_by}it as before"


def test_hypothesis_has_the_private_parts_that_samples_are_drawn_with() -> None:
    used_by = f"hypothesis {version('hypothesis')}: treeproof/search/generation.py cannot use "
    from hypothesis import configuration
    from hypothesis.internal.conjecture import providers

    assert hasattr(configuration, "__hypothesis_home_directory"), f"{used_by}configuration.__hypothesis_home_directory"
    assert isinstance(getattr(providers, "AVAILABLE_PROVIDERS", None), dict), f"{used_by}providers.AVAILABLE_PROVIDERS"
    theirs = getattr(providers, "HypothesisProvider", None)
    assert theirs is not None, f"{used_by}providers.HypothesisProvider: it is gone"
    from treeproof.search.generation import BACKEND_NAME, UniformProvider, sample

    assert providers.AVAILABLE_PROVIDERS[BACKEND_NAME] is UniformProvider
    for method in ("_maybe_draw_constant", "draw_integer"):
        expected, found = (
            [*inspect.signature(getattr(owner, method, lambda: None)).parameters] for owner in (UniformProvider, theirs)
        )
        assert found == expected, f"{used_by}HypothesisProvider.{method}: its parameters are {found}, not {expected}"
    from hypothesis import strategies

    drawn = sample(strategies.integers(0, 999), seed=1, examples=50)
    assert sum(value > 99 for value in drawn) > 25, f"{used_by}the registered provider: values are not uniform: {drawn}"
