"""Rendering of templates: escaping, the content security policy, and unique ids on a page.

Unprintable characters become visible escapes, and markup becomes text. The policy permits only the style and the script
of the page, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote_plus

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from treeproof.report.digest import PASSES_ALONE, pluralize
from treeproof.report.escape import visible

_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data:; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)

_STRONG = re.compile(r"\*\*(\w[^*]*|`[^\s*`][^*`]*`)\*\*")


def render(page: str, values: dict[str, Any], further: Iterable[str] = (), *, has_filter: bool = True) -> bytes:
    """Return the page of the template ``page``.html.j2 with ``values``, the shared styles and scripts and its own.

    ``further`` are scripts or styles that its own ones need. Templates begin with ``{% extends "base.html.j2" %}``. A
    page without a filter has no script of its own.
    """
    styles, scripts = ([one for one in further if one.endswith(end)] for end in (".css", ".js"))
    own = ("filter.js", *scripts, f"{page}.js") if has_filter else ()
    style = "".join(map(_read_resource, ("style.css", *["filter.css"] * has_filter, *styles, f"{page}.css")))
    script = "".join(map(_read_resource, ("page.js", *own)))
    policy = _CONTENT_SECURITY_POLICY.format(style=_hash(style), script=_hash(script))
    # Markup: trusted files without texts of a candidate.
    template = _environment().get_template(f"{page}.html.j2")
    text = template.render(values, has_filter=has_filter, policy=policy, style=Markup(style), script=Markup(script))
    return text.encode("utf-8")


def render_macro(template: str, macro: str, *arguments: Any) -> Markup:
    """Return what a macro of the template ``template``.html.j2 makes of the arguments."""
    html: Markup = getattr(_environment().get_template(f"{template}.html.j2").module, macro)(*arguments)
    return html


def escape_lines(text: str) -> Markup:
    """Return ``text`` escaped, but with its line feeds."""
    return escape(visible(text, lines=True))


def escape_prose(text: str) -> Markup:
    """Return ``text`` escaped, with text in backticks as code."""
    parts = visible(text).split("`")
    if len(parts) % 2 == 0:
        return escape(visible(text))
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if odd % 2 else escape(part) for odd, part in enumerate(parts))


def escape_marked(text: str) -> Markup:
    """Return a sentence of a Markdown document escaped, with code, and with text in double asterisks as strong."""
    strong = Markup("<strong>{}</strong>")
    parts = enumerate(_STRONG.split(text))
    return Markup("").join(strong.format(escape_prose(part)) if odd % 2 else escape_prose(part) for odd, part in parts)


def filter_value(text: str) -> str:
    """Return ``text`` as the value of a filter in an address of the page, where `filter.js` reads it."""
    return quote_plus(visible(text))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_read_resource),
        autoescape=True,
        finalize=_escape_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["lines"] = escape_lines
    environment.filters["prose"] = escape_prose
    environment.filters["marked"] = escape_marked
    environment.filters["filter_value"] = filter_value
    environment.globals["counted"] = pluralize
    environment.globals["passes_alone"] = PASSES_ALONE
    return environment


def _escape_value(value: Any) -> Any:
    if value is None:
        return ""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _read_resource(name: str) -> str:
    return resources.files("treeproof.report.html").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


class Anchors:
    """Assigns HTML ids: the id itself at first, with a numeric suffix for duplicates."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._by_place: dict[tuple[str, str], str] = {}

    def assign(self, spec: str, id: str) -> str:
        """Return the HTML id of ``id`` in ``spec``, the same one for each call."""
        if (spec, id) not in self._by_place:
            name, number = id, 1
            while name in self._used:
                number += 1
                name = f"{id}.{number}"
            self._used.add(name)
            self._by_place[spec, id] = name
        return self._by_place[spec, id]

    def find(self, spec: str, id: str) -> str | None:
        """Return the HTML id, or None if nothing on the page has it."""
        return self._by_place.get((spec, id))
