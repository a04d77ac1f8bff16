"""The conclusion of a run as a badge: JSON for an endpoint of shields.io, or an accessible SVG that loads nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from treeproof.report.escape import shortened, visible
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.run_document import RunDocument

# The shields.io name of a colour, and a colour with a contrast of at least 4.5 to white text.
_COLOURS: Mapping[str, tuple[str, str]] = {
    "conformant": ("brightgreen", "#2b7a0b"),
    "sound": ("green", "#2b7a0b"),
    "partial": ("yellowgreen", "#5a6b00"),
    "non-conformant": ("red", "#b3261e"),
    "unsound": ("red", "#b3261e"),
    "incomplete": ("orange", "#a34a00"),
    "fault": ("lightgrey", "#5f5f5f"),
    "usage": ("lightgrey", "#5f5f5f"),
    "interrupted": ("lightgrey", "#5f5f5f"),
}
_MAX_LABEL = 40  # characters
_NARROW, _WIDE = "fijlrtI.,:;'|!()[] ", "mwMW@%"


def dump_endpoint_json(run: RunDocument) -> bytes:
    """Return the badge as JSON of the endpoint schema, version 1."""
    colour, _ = _COLOURS[run.verdict]
    badge: dict[str, Any] = {"schemaVersion": 1, "label": _label(run), "message": run.verdict, "color": colour}
    if run.verdict is Conclusion.FAULT:
        badge["isError"] = True
    return (json.dumps(badge, ensure_ascii=False) + "\n").encode("utf-8")


def dump_svg(run: RunDocument) -> bytes:
    """Return the badge as an SVG image in UTF-8."""
    label, message = _label(run), str(run.verdict)
    left, right = _text_width(label) + 12, _text_width(message) + 12
    _, colour = _COLOURS[run.verdict]
    title = escape(f"{label}: {run.conclusion}")
    svg = f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{title}">
<title>{title}</title>
<rect width="{left + right}" height="20" rx="3" fill="{colour}"/>
<path d="M3 0h{left - 3}v20h-{left - 3}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="#444"/>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{left / 2}" y="14" textLength="{left - 12}">{escape(label)}</text>
<text x="{left + right / 2}" y="14" textLength="{right - 12}">{message}</text>
</g>
</svg>
"""
    return svg.encode("utf-8")


def _label(run: RunDocument) -> str:
    named = run.specs[0].label if len(run.specs) == 1 else "treeproof"
    return shortened(visible(named), _MAX_LABEL)


def _text_width(text: str) -> int:
    """Return the approximate width of the text in pixels; `textLength` makes it exact."""
    return round(sum(4.0 if c in _NARROW else 10.5 if c in _WIDE else 6.9 if c.isascii() else 11 for c in text))
