"""Readings of interpretations in words: what an answer shows, and what is accepted.

Contains no steps. The words are those of the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treeproof.api import CaseSamples, Mismatch, World

MAX_READING_CHARACTERS = 200
"""The longest text of one reading in a message, in characters."""

Reading = Mapping[str, str]
"""Labels by the ids of their interpretations; one answer can show readings of several interpretations at once."""


def reading_mismatch(
    source: World | CaseSamples,
    shown: Sequence[Reading],
    *,
    prefix: str = "",
    expected: str = "",
    got: str = "",
    kind: str = "",
) -> Mismatch:
    """Return the Mismatch for an answer that shows one of the readings ``shown``, none of which this run accepts.

    The message names all of them and the accepted ones in words; ``prefix`` is its beginning. ``expected``, ``got`` and
    ``kind`` are those of the Mismatch; the default kind names the readings.
    """
    wrong = [
        {id: label for id, label in reading.items() if label and label not in source.session.accepted_readings(id)}
        for reading in shown
    ]
    wrong = [*{tuple(reading.items()): reading for reading in wrong if reading}.values()]
    labels = " or ".join(", ".join(f"{id} {label}" for id, label in reading.items()) for reading in wrong)
    words = " Or: ".join(" ".join(_describe(source, id, label) for id, label in reading.items()) for reading in wrong)
    ids = dict.fromkeys(id for reading in wrong for id in reading)
    accepted = " ".join(_describe_accepted(source, id) for id in ids)
    message = f"{prefix}the answer shows a reading that is not accepted here: {words} {accepted} {_remedy(source)}"
    kind = kind or f"a reading that is not accepted: {labels}"
    return Mismatch(message, expected=expected, got=got, kind=kind)


def _describe(source: World | CaseSamples, id: str, label: str) -> str:
    return f"{id} {label}: {_sentence(_text(source, id, label))}"


def _describe_accepted(source: World | CaseSamples, id: str) -> str:
    labels = sorted(source.session.accepted_readings(id))
    texts = "; or ".join(f"{label}: {_text(source, id, label)}" for label in labels)
    return _sentence(f"Accepted of {id} is {texts}")


def _remedy(source: World | CaseSamples) -> str:
    """Return that the reading is not accepted, and by what."""
    is_strict = source.session.policy.profile == "strict"
    return "This reading is not accepted under the strict profile." if is_strict else "This reading is not accepted."


def _text(source: World | CaseSamples, id: str, label: str) -> str:
    readings = source.session.pack.interpretation(id).readings
    text = next((reading.text for reading in readings if reading.label == label), "")
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= MAX_READING_CHARACTERS else f"{text[:MAX_READING_CHARACTERS]}…"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "…", "?", "!")) else f"{text}."
